//! The forms that grades are written in: to read, for a spreadsheet, for CI, and for two places that grade by themselves.

use std::fmt::Write;
use std::time::SystemTime;

use leyden_arena::grade::{Grade, Grades, Part, Ungraded};
use leyden_arena::report::csv::{quoted, quoted_lines};
use serde_json::{Value, json};

use crate::cli::report::figures::Figures;
use crate::cli::report::github::escaped;
use crate::cli::report::grid::plain;
use crate::cli::report::junit::{CaseResult, JunitCase};

/// Points as a person writes them.
fn points(points: f64) -> String {
    format!("{:.1}", rounded(points) + 0.0)
}

/// Points as a number of a document.
fn rounded(points: f64) -> f64 {
    (points * 10.0).round() / 10.0
}

/// The points of a bot as they are told: the sum of those of its parts as they are told.
fn total(grade: &Grade) -> f64 {
    rounded(grade.parts.iter().map(|part| rounded(part.points)).sum())
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

pub(super) fn markdown(grades: &Grades) -> String {
    let is_alone = grades.grades.len() + grades.ungraded.len() == 1;
    let mut text = if is_alone { String::new() } else { class(grades) };
    for grade in &grades.grades {
        let Grade { bot, author, parts, note, .. } = grade;
        let sum = total(grade);
        let author = author.as_ref().map_or_else(String::new, |author| format!(" ({})", escaped(author)));
        let _ = writeln!(text, "## {}{author}: {} of {}\n", escaped(bot), points(sum), points(grades.most));
        text += "| part | points | of | seen |\n|:--|--:|--:|:--|\n";
        for part in parts {
            let (name, told) = (escaped(&part.name), escaped(&part.told));
            let _ = writeln!(text, "| {name} | {} | {} | {told} |", points(part.points), points(part.most));
        }
        text.push('\n');
        if let Some(note) = note.as_ref().filter(|_| is_alone) {
            let _ = writeln!(text, "Note: {}\n", escaped(note));
        }
        for fix in fixes(grade) {
            let lines: Vec<String> = fix.lines().map(escaped).collect();
            let _ = writeln!(text, "- {}", lines.join("<br>"));
        }
        text.push('\n');
    }
    text
}

/// Everybody in a table, with the sums only.
fn class(grades: &Grades) -> String {
    let mut text = format!(
        "| bot | author | handed in as | points of {} | |\n|:--|:--|:--|--:|:--|\n",
        points(grades.most)
    );
    for grade in &grades.grades {
        let Grade { bot, author, place, note, .. } = grade;
        let [author, note] = [author, note].map(|text| text.as_deref().map_or_else(String::new, escaped));
        let (bot, place) = (escaped(bot), escaped(place));
        let _ = writeln!(text, "| {bot} | {author} | {place} | {} | {note} |", points(total(grade)));
    }
    for Ungraded { bot, place, reason } in &grades.ungraded {
        let _ =
            writeln!(text, "| {} | | {} | not graded: {} | |", escaped(bot), escaped(place), escaped(reason));
    }
    text + "\n"
}

/// A cause in one line. What a compiler draws below its text says nothing there.
fn in_a_line(fix: &str) -> String {
    let lines = fix.lines().map(str::trim).filter(|line| line.chars().any(char::is_alphabetic));
    let mut text = String::new();
    for line in lines {
        text += if text.is_empty() {
            ""
        } else if text.ends_with(':') {
            " "
        } else {
            "; "
        };
        text += line.strip_prefix("| ").unwrap_or(line);
    }
    text
}

pub(super) fn csv(grades: &Grades) -> String {
    let names: Vec<&str> = grades
        .grades
        .first()
        .map_or_else(Vec::new, |grade| grade.parts.iter().map(|part| part.name.as_str()).collect());
    let nothing = names.iter().map(|_| String::new()).collect::<Vec<_>>();
    let header = ["bot", "author", "folder", "points", "of"].into_iter().chain(names).chain(["fix", "note"]);
    let mut text = header.map(quoted).collect::<Vec<_>>().join(",") + "\n";
    for grade in &grades.grades {
        let fix: Vec<String> = fixes(grade).into_iter().map(in_a_line).collect();
        let head = [&grade.bot, grade.author.as_ref().unwrap_or(&String::new()), &grade.place]
            .map(|text| quoted(text));
        let sums = [points(total(grade)), points(grades.most)];
        let parts = grade.parts.iter().map(|part| points(part.points));
        let cells =
            head.into_iter().chain(sums).chain(parts).chain([quoted_lines(fix.iter().map(String::as_str))]);
        let cells = cells.chain([grade.note.as_deref().map_or_else(String::new, quoted)]);
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    for Ungraded { bot, place, reason } in &grades.ungraded {
        let head = [bot, "", place, "", ""].map(quoted).into_iter().chain(nothing.clone());
        let cells = head.chain([quoted(&format!("not graded: {reason}")), String::new()]);
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// What who grades may want to know of a bot's files.
pub(super) fn notes(grades: &Grades) -> Figures {
    let note = |grade: &Grade| Some(("note", format!("{}: {}", grade.place, grade.note.as_ref()?)));
    grades.grades.iter().filter_map(note).collect()
}

pub(super) fn cases(grades: &Grades) -> Vec<JunitCase> {
    let case = |grade: &Grade, part: &Part| JunitCase {
        name: format!("{}: {}", plain(&grade.bot), plain(&part.name)),
        answer: CaseResult::of(
            (part.points < part.most)
                .then(|| ("points", format!("{} of {} points", points(part.points), points(part.most)))),
        ),
        text: about(part),
        took: None,
    };
    let ungraded = grades.ungraded.iter().map(|Ungraded { bot, reason, .. }| JunitCase {
        name: plain(bot),
        answer: CaseResult::Error("ungraded", plain(reason)),
        text: String::new(),
        took: None,
    });
    let parts = grades.grades.iter().flat_map(|grade| grade.parts.iter().map(move |part| case(grade, part)));
    parts.chain(ungraded).collect()
}

/// What is said of a bot's files to its author. Where one bot is graded, there is nobody else's name in it.
fn of_itself(grade: &Grade) -> String {
    grade.note.as_ref().map_or_else(String::new, |note| format!("; {}", plain(note)))
}

/// The form that Gradescope's autograders write (its page "Autograder Specifications").
pub(super) fn gradescope(grade: &Grade) -> Value {
    let test = |part: &Part| {
        json!({
            "name": plain(&part.name), "score": rounded(part.points), "max_score": rounded(part.most),
            "output": about(part), "output_format": "text", "visibility": "visible",
        })
    };
    json!({
        "score": total(grade),
        "output": format!("{}: {} points{}", plain(&grade.bot), points(total(grade)), of_itself(grade)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": grade.parts.iter().map(test).collect::<Vec<_>>(),
    })
}

/// The form that the runner of Classroom 50 reads, whose points are whole, with what it says of the submission in its environment (its page "Advanced
/// Autograding").
pub(super) fn classroom50(grade: &Grade) -> Value {
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
