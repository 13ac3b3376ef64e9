//! `leyden grade`: bots graded by a rubric, in the forms that places want grades in.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use leyden_arena::check::CheckError;
use leyden_arena::grade::{Grade, GradeError, Grades, Grading, Part, Rubric, USUAL, Ungraded};
use leyden_arena::report::csv::quoted;
use leyden_model::TimeLimits;
use serde_json::{Value, json};

use super::args::Span;
use super::exit::{Code, Stop};
use super::one_bot::Around;
use super::out_file::OutFile;
use super::report::figures::Figures;
use super::report::github::escaped;
use super::report::grid::plain;
use super::report::junit::{self, Case};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden grade submissions --format csv --out grades.csv      a class
  leyden grade . --rubric rubric.toml                         one bot, to read
  leyden grade --print-rubric > rubric.toml                   the usual rubric, to change
  leyden grade submission --format gradescope --out /autograder/results/results.json
  leyden grade . --format classroom50 --out result.json       in an autograder.py of Classroom 50

gradescope is the results.json of a Gradescope autograder, classroom50 the result.json (classroom50/result/v1) of \
Classroom 50, with what its runner says in the environment; both are of one bot. A grade has points for each part of the \
rubric, with the interval that other deals would have given, and what to fix. What cannot be run gets no points, with the \
reason; files that are nobody's work are left out and named, and so is, without a word, what a file .leydenignore in the \
folder names, a line each.

Exit code 0: grading was completed, whatever the grades are; 5: a bot has no grade, through no fault of its own.";

/// What is graded, by what, and how it is told.
#[derive(Args, Clone, Debug)]
pub(crate) struct GradeOptions {
    /// A folder with a bot.toml, a folder of such folders or zip archives, an executable, a quoted command line, or builtin:NAME
    #[arg(value_name = "BOT", required_unless_present = "print_rubric")]
    bots: Vec<String>,
    /// What gives points (TOML) [default: what --print-rubric prints]
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// Print the usual rubric, and grade nothing
    #[arg(long)]
    print_rubric: bool,
    /// The form
    #[arg(long, value_enum, default_value_t = Form::Markdown)]
    format: Form,
    /// As one JSON document (`leyden schema grade` describes it)
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write into this file instead of to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Time for a decision, such as 500ms or 2s [default: 1s]
    #[arg(long, value_name = "DUR")]
    turn: Option<Span>,
    /// Time to start up and say ready [default: 5s]
    #[arg(long, value_name = "DUR")]
    startup: Option<Span>,
    #[command(flatten)]
    around: Around,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// To read
    Markdown,
    /// A line for each bot
    Csv,
    /// A suite of tests, with a case for each part
    Junit,
    /// results.json of Gradescope
    Gradescope,
    /// result.json of Classroom 50
    Classroom50,
}

impl Form {
    /// Whether it has room for one bot only.
    fn is_of_one(self) -> bool {
        matches!(self, Self::Gradescope | Self::Classroom50)
    }
}

/// Grades and tells.
pub(super) fn run(wanted: &GradeOptions) -> Result<Code, Stop> {
    if wanted.print_rubric {
        return super::print(USUAL);
    }
    let rubric = rubric(wanted.rubric.as_deref())?;
    let out = wanted.out.as_deref().map(|out| OutFile::at(out, "the grades")).transpose()?;
    let usual = TimeLimits::default();
    let millis = |span: Option<Span>, usual: u64| span.map_or(usual, Span::millis);
    let limits = TimeLimits {
        startup_ms: millis(wanted.startup, usual.startup_ms),
        turn_ms: millis(wanted.turn, usual.turn_ms),
        ..usual
    };
    let grading = Grading { rubric, around: wanted.around.surroundings()?, limits };
    let candidates = grading.candidates(&wanted.bots)?;
    if wanted.format.is_of_one() && candidates.len() != 1 {
        let many = candidates.len();
        return Err(Stop::usage(format!("this form is of one bot, not of {many}: grade them one by one")));
    }
    let tell = &mut |name: &str| super::say(format_args!("grading {}", plain(name)));
    let grades = grading.grade(candidates, tell)?;
    for twins in &grades.twins {
        super::say(format_args!("note: {}", plain(&twins.to_string())));
    }
    for left_out in &grades.left_out {
        super::say(format_args!("left out: {}", plain(left_out)));
    }
    if grades.grades.is_empty() {
        all_graded(&grades)?; // there is nothing to write
    }
    let one = |form: fn(&Grade) -> Value| {
        let [only] = &grades.grades[..] else { return Err(Stop::defect("one bot, and not one grade")) };
        document(&form(only))
    };
    let text = match wanted.format {
        _ if wanted.json => document(&grades)?,
        Form::Markdown => markdown(&grades),
        Form::Csv => csv(&grades),
        Form::Junit => junit::xml("leyden grade", cases(&grades), &Figures::new())?,
        Form::Gradescope => one(gradescope)?,
        Form::Classroom50 => one(classroom50)?,
    };
    match out {
        None if wanted.json => super::print_document(&grades)?,
        None => drop(super::print(&text)?),
        Some(out) => out.write(&text)?,
    }
    all_graded(&grades).map(|()| Code::Done)
}

/// Refuses to call it done where bots have no grade, through no fault of their own.
fn all_graded(grades: &Grades) -> Result<(), Stop> {
    let each = |bot: &Ungraded| format!("{} ({}): {}", plain(&bot.bot), plain(&bot.place), bot.reason);
    let bots: Vec<String> = grades.ungraded.iter().map(each).collect();
    if bots.is_empty() {
        return Ok(());
    }
    let message = format!("not graded, through no fault of theirs; grade them again:\n{}", bots.join("\n"));
    Err(Stop { code: Code::HostFailed, message })
}

fn rubric(path: Option<&Path>) -> Result<Rubric, Stop> {
    let Some(path) = path else { return Rubric::read(USUAL).map_err(Stop::defect) };
    let text = fs::read_to_string(path)
        .map_err(|error| Stop::usage(format!("cannot read the rubric {}: {error}", path.display())))?;
    Rubric::read(&text)
        .map_err(|error| Stop::usage(format!("{}: {}", path.display(), error.to_string().trim_end())))
}

fn document(value: &impl serde::Serialize) -> Result<String, Stop> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(Stop::defect)
}

/// Points as a person writes them.
fn points(points: f64) -> String {
    format!("{:.1}", points + 0.0)
}

/// Points as a number of a document.
fn rounded(points: f64) -> f64 {
    (points * 10.0).round() / 10.0
}

/// Points of a form that counts whole ones.
fn whole(points: f64) -> u64 {
    points.round().max(0.0) as u64
}

/// What there is to read about a part: what was seen, and what to fix.
fn about(part: &Part) -> String {
    let mut text = plain(&part.told);
    if let Some([low, high]) = part.interval {
        let _ = write!(text, "; other deals would have given {} to {} points", points(low), points(high));
    }
    for fix in &part.fix {
        for (number, line) in fix.lines().enumerate() {
            let mark = if number == 0 { "\nfix: " } else { "\n     " };
            let _ = write!(text, "{mark}{}", plain(line)); // a String takes all
        }
    }
    text
}

/// What there is to fix, each once: what keeps a bot from being run costs every part.
fn fixes(grade: &Grade) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for fix in grade.parts.iter().flat_map(|part| &part.fix) {
        if !all.contains(&fix.as_str()) {
            all.push(fix);
        }
    }
    all
}

fn markdown(grades: &Grades) -> String {
    let mut text = String::new();
    for grade in &grades.grades {
        let Grade { bot, author, points: sum, parts, .. } = grade;
        let author = author.as_ref().map_or_else(String::new, |author| format!(" ({})", escaped(author)));
        let _ = writeln!(text, "## {}{author}: {} of {}\n", escaped(bot), points(*sum), points(grades.most));
        text += "| part | points | of | seen |\n|:--|--:|--:|:--|\n";
        for part in parts {
            let (name, told) = (escaped(&part.name), escaped(&part.told));
            let _ = writeln!(text, "| {name} | {} | {} | {told} |", points(part.points), points(part.most));
        }
        text.push('\n');
        for fix in fixes(grade) {
            let lines: Vec<String> = fix.lines().map(escaped).collect();
            let _ = writeln!(text, "- {}", lines.join("<br>"));
        }
        text.push('\n');
    }
    text
}

fn csv(grades: &Grades) -> String {
    let names: Vec<&str> = grades
        .grades
        .first()
        .map_or_else(Vec::new, |grade| grade.parts.iter().map(|part| part.name.as_str()).collect());
    let header = ["bot", "author", "place", "points", "of"].into_iter().chain(names).chain(["fix"]);
    let mut text = header.map(quoted).collect::<Vec<_>>().join(",") + "\n";
    for grade in &grades.grades {
        let fix: Vec<String> =
            fixes(grade).into_iter().map(|fix| fix.lines().collect::<Vec<_>>().join("; ")).collect();
        let head = [&grade.bot, grade.author.as_ref().unwrap_or(&String::new()), &grade.place]
            .map(|text| quoted(text));
        let sums = [points(grade.points), points(grades.most)];
        let parts = grade.parts.iter().map(|part| points(part.points));
        let cells = head.into_iter().chain(sums).chain(parts).chain([quoted(&fix.join(" | "))]);
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

fn cases(grades: &Grades) -> Vec<Case> {
    let case = |grade: &Grade, part: &Part| Case {
        name: format!("{}: {}", plain(&grade.bot), plain(&part.name)),
        failure: (part.points < part.most)
            .then(|| ("points", format!("{} of {} points", points(part.points), points(part.most)))),
        text: about(part),
    };
    grades.grades.iter().flat_map(|grade| grade.parts.iter().map(move |part| case(grade, part))).collect()
}

/// The form that Gradescope's autograders write (its page "Autograder Specifications").
fn gradescope(grade: &Grade) -> Value {
    let test = |part: &Part| {
        json!({
            "name": plain(&part.name), "score": rounded(part.points), "max_score": rounded(part.most),
            "output": about(part), "output_format": "text", "visibility": "visible",
        })
    };
    json!({
        "score": rounded(grade.points),
        "output": format!("{}: {} points", plain(&grade.bot), points(grade.points)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": grade.parts.iter().map(test).collect::<Vec<_>>(),
    })
}

/// The form that the runner of Classroom 50 reads, whose points are whole, with what it says of the submission in its environment (its page "Advanced
/// Autograding").
fn classroom50(grade: &Grade) -> Value {
    let said = |name: &str| std::env::var(name).unwrap_or_default();
    let or = |name: &str, other: String| Some(said(name)).filter(|text| !text.is_empty()).unwrap_or(other);
    let test = |part: &Part| {
        json!({
            "test-name": plain(&part.name), "passed": part.points >= part.most, "score": whole(part.points),
            "max-score": whole(part.most), "details": about(part),
        })
    };
    json!({
        "schema": "classroom50/result/v1",
        "classroom": said("CLASSROOM"),
        "assignment": said("ASSIGNMENT"),
        "assignment_type": or("ASSIGNMENT_TYPE", "individual".to_owned()),
        "owner": or("OWNER", said("USERNAME")),
        "submission": said("SUBMISSION_TAG"),
        "commit": said("COMMIT_URL"),
        "release": said("RELEASE_URL"),
        "review": or("REVIEW_URL", said("COMMIT_URL")),
        "datetime": humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        // The sums of what stands below them.
        "score": grade.parts.iter().map(|part| whole(part.points)).sum::<u64>(),
        "max-score": grade.parts.iter().map(|part| whole(part.most)).sum::<u64>(),
        "tests": grade.parts.iter().map(test).collect::<Vec<_>>(),
    })
}

impl From<GradeError> for Stop {
    fn from(error: GradeError) -> Self {
        let missing = error.is_missing();
        match error {
            GradeError::Check(CheckError::Busy(_)) => {
                Self { code: Code::HostFailed, message: error.to_string() }
            }
            GradeError::Check(error) => error.into(),
            GradeError::NoBot(error) => error.into(),
            GradeError::Play(error) => error.into(),
            GradeError::Report(error) => error.into(),
            GradeError::Open(error) => error.into(),
            GradeError::Incomplete => Self { code: Code::HostFailed, message: error.to_string() },
            _ if missing => Self::missing(error),
            GradeError::Folder(_) => Self { code: Code::HostFailed, message: error.to_string() },
            _ => Self::usage(error),
        }
    }
}
