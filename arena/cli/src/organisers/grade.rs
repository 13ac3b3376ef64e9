//! `leyden grade`: bots graded by a rubric, in the formats that teaching platforms read.

mod feedback;
mod forms;
mod grades_file;

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use clap::{Args, ValueEnum};
use leyden_arena::CancellationToken;
use leyden_arena::grade::{
    Grade, Grades, GradingNews, GradingOptions, GradingTurn, Rubric, USUAL, UngradedBot,
};
use leyden_language::Language;
use leyden_model::TimeLimits;
use leyden_model::words::{counted, plural};
use serde_json::Value;

use crate::exit::{Code, CommandError};
use crate::options::heading::SANDBOX;
use crate::options::{Shared, Shares};
use crate::out_file::OutFile;
use crate::play::progress;
use crate::play::signals;
use crate::report::grid::plain;
use crate::report::junit;
use forms::{cases, classroom, classroom50, csv, gradescope, markdown, notes};
use grades_file::StoredGrades;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden grade submissions --format csv --out grades.csv      a class
  leyden grade . --rubric rubric.toml                         one bot, to read
  leyden grade --print-rubric > rubric.toml                   the usual rubric, to edit
  leyden grade submission --format gradescope --out /autograder/results/results.json
  leyden grade . --format gradescope=results.json --format markdown=read.md  graded once
  leyden grade . --format classroom50 --out result.json       in an autograder.py of Classroom 50
  leyden grade class --json --out week1.json                  later, regrade only changed bots:
  leyden grade class --resume week1.json --format csv
  leyden grade class --feedback for-students                  a page for each student

gradescope is the results.json of a Gradescope autograder, classroom50 the result.json (classroom50/result/v1) of \
Classroom 50, including what its runner sets in the environment, and classroom what the grading reporter of GitHub Classroom \
reads; each grades one bot: a submitted folder with anything in it. A grade has points for each part of the rubric, with the \
interval that other deals would have given, and what to fix. A bot that cannot be run gets no points; the grade says why. Files that \
are not submissions are skipped and listed; files named in .leydenignore, one a line, are skipped silently.

Exit code 0: every bot has a grade, good or bad; 5: the arena could not grade a bot, which is not the bot's fault.";

/// What is graded, by which rubric, and in which format.
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate choice")]
pub(crate) struct GradeOptions {
    /// A folder with a bot.toml, a folder of such folders or zip archives, an executable, a quoted command line, or builtin:NAME
    #[arg(value_name = "BOT", required_unless_present = "print_rubric")]
    bots: Vec<String>,
    /// What gives points (TOML) [default: what --print-rubric prints]
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// The text that the deals of all matches follow from, instead of the rubric's: gradings with the same text have the same
    /// deals. Keep it secret, because it reveals the tiles [default: random for each grading]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Keep the matches in this new folder, in a results file for each bot and part of the rubric, to inspect faults
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Write a folder for each student into this new one: a page and a text with the points, what to correct, and a few of the bot's
    /// own matches to step through; nothing of anybody else
    #[arg(long, value_name = "DIR")]
    feedback: Option<PathBuf>,
    /// The language of the feedback: en, de or fr [default: that of the environment]
    #[arg(long, value_name = "LANGUAGE", requires = "feedback")]
    language: Option<Language>,
    /// Grade entries that are builtin bots, or contain or start this program; otherwise they get no points
    #[arg(long)]
    allow_builtins: bool,
    /// Print the usual rubric, and grade nothing
    #[arg(long)]
    print_rubric: bool,
    /// The form: markdown to read, csv with a line for each bot, junit, gradescope, classroom50 or classroom. With =FILE it is
    /// written to that file, and can be given several times for one grading [default: markdown]
    #[arg(long, value_name = "FORM[=FILE]")]
    format: Vec<FormRequest>,
    /// Print one JSON document (`leyden schema grade` describes it)
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the form that names no file to this one instead of to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Resume from stored grades: bots that have not changed since keep their grades, and all others are graded on the same deals.
    /// FILE is the one that an interrupted grading names, or a document of --json
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Overwrite existing grades. Those of gradescope, classroom50 and classroom always are: their tools expect them in one
    /// place. Partial grades of an interrupted grading are written beside them (NAME.part.csv)
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    around: Shared<Self>,
}

impl Shares for GradeOptions {
    const OPTIONS: &'static [&'static str] = &["turn", "startup", SANDBOX];
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
    /// A result of a grader of GitHub Classroom
    Classroom,
}

/// A form as it is typed: by itself, or with the file to write it to.
#[derive(Clone, Debug)]
struct FormRequest {
    form: Form,
    file: Option<PathBuf>,
}

impl FromStr for FormRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (form, file) = text.split_once('=').map_or((text, None), |(form, file)| (form, Some(file)));
        if file == Some("") {
            return Err(format!("expected a file name after {form}="));
        }
        let known = Form::from_str(form, false);
        let names = Form::value_variants()
            .iter()
            .filter_map(|form| Some(form.to_possible_value()?.get_name().to_owned()));
        let known = known.map_err(|_| {
            format!("expected one of {}, optionally followed by =FILE", names.collect::<Vec<_>>().join(", "))
        })?;
        Ok(Self { form: known, file: file.map(PathBuf::from) })
    }
}

/// Where the grades go.
struct Output {
    /// `None` for one JSON document.
    form: Option<Form>,
    /// `None` for standard output.
    file: Option<OutFile>,
}

impl GradeOptions {
    /// Returns all outputs, after checking that each file can be written.
    fn outputs(&self) -> Result<Vec<Output>, CommandError> {
        let by_itself = || FormRequest { form: Form::Markdown, file: None };
        let forms = if self.format.is_empty() { vec![by_itself()] } else { self.format.clone() };
        let rest = forms.iter().filter(|request| request.file.is_none()).count();
        if rest > 1 {
            return Err(CommandError::usage(
                "only one form can go to standard output or --out; give the others a file: \
                 --format csv=grades.csv --format junit=grades.xml",
            ));
        }
        if rest == 0 && self.out.is_some() {
            return Err(CommandError::usage(
                "every form names its own file, so there is nothing left to write to --out",
            ));
        }
        let files: Vec<Option<&PathBuf>> =
            forms.iter().map(|request| request.file.as_ref().or(self.out.as_ref())).collect();
        if let Some(twice) =
            files.iter().enumerate().find_map(|(at, file)| files[..at].contains(file).then_some(*file)?)
        {
            return Err(CommandError::usage(format!(
                "two forms name {}: one would overwrite the other",
                twice.display()
            )));
        }
        let output = |(request, file): (&FormRequest, Option<&PathBuf>)| {
            let file = file.map(|file| OutFile::at(file, "the grades")).transpose()?;
            match &file {
                Some(file) if !self.json && request.form.is_of_one() => {
                    file.refuse_others(|head| head.trim_start().starts_with('{'))?;
                }
                Some(file) if !self.overwrite => file.refuse_to_replace("say --overwrite")?,
                _ => {}
            }
            Ok(Output { form: (!self.json).then_some(request.form), file })
        };
        forms.iter().zip(files).map(output).collect()
    }
}

impl Form {
    /// Returns whether the form holds exactly one bot.
    fn is_of_one(self) -> bool {
        matches!(self, Self::Gradescope | Self::Classroom50 | Self::Classroom)
    }

    /// Returns the grades in this form.
    fn render(self, grades: &Grades) -> Result<String, CommandError> {
        let one = |form: fn(&Grade) -> Value| {
            let [only] = &grades.grades[..] else {
                return Err(CommandError::defect("one bot without exactly one grade"));
            };
            document(&form(only))
        };
        match self {
            Self::Markdown => Ok(markdown(grades, Language::English)),
            Self::Csv => Ok(csv(grades)),
            Self::Junit => junit::xml("leyden grade", cases(grades), &notes(grades)),
            Self::Gradescope => one(gradescope),
            Self::Classroom50 => one(classroom50),
            Self::Classroom => one(classroom),
        }
    }
}

/// Grades the bots and writes the grades.
pub(crate) fn run(request: &GradeOptions) -> Result<Code, CommandError> {
    if request.print_rubric {
        return crate::out::print(USUAL);
    }
    let resumed = request.resume.as_deref().map(grades_file::read).transpose()?;
    let known = resumed.as_ref().and_then(|grades| grades.rubric.clone());
    let mut rubric = match (&request.rubric, known) {
        (None, Some(known)) => known,
        (named, _) => rubric(named.as_deref())?,
    };
    let outputs = request.outputs()?;
    rubric.seed = request.seed.clone().or(rubric.seed);
    let is_without_seed = rubric.seed.is_none();
    if let Some(folder) = &request.results {
        create_results_folder(folder, resumed.is_some())?;
    }
    if let Some(folder) = &request.feedback {
        create_results_folder(folder, false)?;
    }
    // Feedback shows matches, so they are kept until it is written.
    let passing =
        (request.feedback.is_some() && request.results.is_none()).then(leyden_host::Temporary::private);
    let passing = passing.transpose().map_err(CommandError::no_temporary)?;
    let stop = CancellationToken::new();
    let grading = GradingOptions {
        rubric,
        around: request.around.given.bot_environment(&stop)?,
        limits: request.around.given.limits(TimeLimits::default()),
        keep: request.results.clone().or_else(|| passing.as_ref().map(leyden_host::Temporary::path)),
        allow_builtins: request.allow_builtins,
    };
    signals::stop_on_signals(&stop)?;
    let of_one = outputs.iter().filter_map(|output| output.form).find(|form| form.is_of_one());
    only_one(of_one, request.bots.len())?;
    let candidates = match (of_one, &request.bots[..]) {
        (Some(_), [only]) => grading.submission(only)?,
        (_, all) => grading.candidates(all)?,
    };
    let started = Instant::now();
    let mut kept = StoredGrades::for_resumed(request.resume.as_deref());
    let mut done = 0;
    let is_class = candidates.count() > 1;
    let on_news = &mut |news: GradingNews<'_>| match news {
        GradingNews::Begins(GradingTurn { number, of, bot }) => {
            let left = progress::left(done, done + (of - number) as u64 + 1, started.elapsed());
            crate::out::say(format_args!("grading {} ({number} of {of}{left})", plain(bot)));
            done += 1;
        }
        GradingNews::Graded(so_far) if is_class => kept.keep(so_far),
        GradingNews::Graded(_) => {}
    };
    let grades = grading.grade(candidates, resumed.as_ref(), on_news)?;
    let known = grades.grades.iter().filter(|grade| grade.files.is_some()).count() as u64;
    let again = if resumed.is_some() { known.saturating_sub(done) } else { 0 };
    print_remarks(&grades, again, is_without_seed);
    let is_interrupted = stop.is_cancelled();
    if grades.grades.is_empty() || is_interrupted && of_one.is_some() {
        all_graded(&grades, is_interrupted, "nothing was written", None)?;
    }
    if let Some(folder) = &request.feedback {
        let language = request.language.unwrap_or_else(Language::from_environment);
        feedback::write(folder, &grades, language)?;
    }
    let mut parts = Vec::new();
    for Output { form, file } in &outputs {
        let text = || form.map_or_else(|| document(&grades), |form| form.render(&grades));
        match (form, file) {
            (None, None) => crate::out::print_document(&grades)?,
            (Some(_), None) => drop(crate::out::print(&text()?)?),
            (_, Some(file)) if grades.ungraded.is_empty() => {
                file.write(&text()?)?;
                if resumed.is_some() {
                    file.remove_part();
                }
            }
            (_, Some(file)) => parts.push(file.write_part(&text()?)?),
        }
    }
    let written = match &parts[..] {
        [] => "the grades so far are printed".to_owned(),
        parts => format!("the grades so far are in {}", parts.join(" and ")),
    };
    all_graded(&grades, is_interrupted, &written, kept.resume_command())?;
    kept.remove();
    Ok(Code::Done)
}

/// Prints remarks beside the grades; `again` is the number of bots that keep theirs.
fn print_remarks(grades: &Grades, again: u64, is_without_seed: bool) {
    if again > 0 {
        crate::out::say(format_args!(
            "{} the grade: same files, same terms",
            counted(again, "bot keeps", "bots keep")
        ));
    }
    if !grades.grades.is_empty() && is_without_seed {
        crate::out::say(format_args!("note: use --seed {} to grade on the same deals again", grades.seed));
    }
    for same in &grades.same_files {
        crate::out::say(format_args!("note: {}", plain(&same.to_string())));
    }
    for left_out in &grades.left_out {
        crate::out::say(format_args!("left out: {}", plain(left_out)));
    }
}

/// Refuses a form of one bot for any other number of them.
fn only_one(form: Option<Form>, bots: usize) -> Result<(), CommandError> {
    let Some(form) = form.filter(|_| bots != 1) else { return Ok(()) };
    let form = form.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    Err(CommandError::usage(format!(
        "the form {form} holds one bot only: grade them one by one, or choose csv, markdown or junit"
    )))
}

/// Returns an error if the arena could not grade some bots; `written` says where the grades so far are, and `command`
/// resumes the grading.
fn all_graded(
    grades: &Grades,
    is_interrupted: bool,
    written: &str,
    command: Option<String>,
) -> Result<(), CommandError> {
    let each = |bot: &UngradedBot| format!("{} ({}): {}", plain(&bot.bot), plain(&bot.path), bot.reason);
    let bots: Vec<String> = grades.ungraded.iter().map(each).collect();
    if bots.is_empty() {
        return Ok(());
    }
    let how = match command {
        Some(command) => format!("Resume with\n  {command}\nto"),
        None => format!("Use --seed {} to", grades.seed),
    };
    let why = if is_interrupted {
        let (done, all) = (grades.grades.len(), grades.grades.len() + bots.len());
        format!("interrupted: {done} of {all} {} graded", plural(done, "was", "were"))
    } else {
        "the arena could not grade all bots".to_owned()
    };
    let message = format!("{why}; {written}\n{how} grade these on the same deals:\n{}", bots.join("\n"));
    Err(CommandError { code: Code::for_ungraded(is_interrupted), message })
}

/// Creates the folder for results files. It must be empty, unless the grading is resumed.
fn create_results_folder(folder: &Path, is_resumed: bool) -> Result<(), CommandError> {
    let is_taken = fs::read_dir(folder).map(|mut entries| entries.next().is_some());
    if !is_resumed && is_taken.unwrap_or(false) {
        return Err(CommandError::usage(format!("{} is not empty: name a new folder", folder.display())));
    }
    fs::create_dir_all(folder).map_err(|error| {
        CommandError::for_file(format_args!("cannot create {}: {error}", folder.display()), &error)
    })
}

fn rubric(path: Option<&Path>) -> Result<Rubric, CommandError> {
    path.map_or_else(|| Rubric::read(USUAL).map_err(CommandError::defect), rubric_at)
}

/// Reads the rubric in a file.
pub(crate) fn rubric_at(path: &Path) -> Result<Rubric, CommandError> {
    let text = fs::read_to_string(path).map_err(|error| {
        CommandError::for_file(format_args!("cannot read the rubric {}: {error}", path.display()), &error)
    })?;
    Rubric::read(&text)
        .map_err(|error| CommandError::usage(format!("{}: {}", path.display(), error.to_string().trim_end())))
}

fn document(value: &impl serde::Serialize) -> Result<String, CommandError> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(CommandError::defect)
}
