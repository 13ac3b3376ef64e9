//! The formats of grades: to read, for a spreadsheet, for CI, and for platforms that grade automatically.

use std::fmt::Write;
use std::time::SystemTime;

use leyden_arena::grade::{Grade, GradePart, Grades, UngradedBot, point_range};
use leyden_arena::report::column::{self, Column};
use leyden_arena::report::csv::{quoted, quoted_lines};
use leyden_language::{Language, numbers, text::grade as text};
use leyden_model::words::plural;
use serde_json::{Value, json};

use crate::report::figures::Figures;
use crate::report::github::escaped;
use crate::report::grid::plain;
use crate::report::junit::{CaseResult, JunitCase};

/// Formats points for people.
fn points(points: f64) -> String {
    Language::English.decimal(points, 1)
}

/// Formats points for people, with their unit.
fn counted_points(number: f64) -> String {
    format!("{} {}", points(number), plural(rounded(number), "point", "points"))
}

/// Rounds points for a document.
fn rounded(points: f64) -> f64 {
    (points * 10.0).round() / 10.0
}

/// Rounds points for a format that counts whole ones.
fn whole(points: f64) -> u64 {
    points.round().max(0.0) as u64
}

/// Returns the text about a part: what was observed, and what to fix.
fn about(part: &GradePart) -> String {
    let mut text = plain(&part.seen.in_words(Language::English));
    if let Some(ends) = part.interval {
        let _ = write!(text, "; another seed gives {} points (95 %)", range(ends));
    }
    if let Some(differs) = part.differs {
        let _ = write!(text, ", and other points than these in {} % of cases", numbers::percent(differs, 0));
    }
    for fix in part.fixes() {
        for (number, line) in fix.lines().enumerate() {
            let mark = if number == 0 { "\nfix: " } else { "\n     " };
            let _ = write!(text, "{mark}{}", plain(line)); // writing to a String cannot fail
        }
    }
    text
}

/// Formats the points that another seed gives with 95 %.
fn range(ends: [f64; 2]) -> String {
    point_range(ends, Language::English)
}

/// Says what another seed would give; empty if that is not known.
fn another_seed(grade: &Grade, language: Language) -> String {
    let Some(ends) = grade.interval else { return String::new() };
    let share = grade.other_grade.map_or_else(String::new, |other| numbers::percent(other, 0));
    let graded = grade.other_grade.is_some();
    language.say(text::AnotherSeed { graded, points: point_range(ends, language), share })
}

/// Returns the name of the grade after the points, if there is one.
fn named(grade: &Grade) -> String {
    grade.grade.as_ref().map_or_else(String::new, |name| format!(", grade {name}"))
}

/// Returns what there is to fix, without duplicates: an error that keeps a bot from running appears in every part.
fn fixes(grade: &Grade) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for fix in grade.parts.iter().flat_map(GradePart::fixes) {
        if !all.contains(&fix) {
            all.push(fix);
        }
    }
    all
}

/// A table for each bot, in this language; of several bots first one of all, for a teacher.
pub(super) fn markdown(grades: &Grades, language: Language) -> String {
    let is_alone = grades.grades.len() + grades.ungraded.len() == 1;
    let mut text = if is_alone { String::new() } else { class(grades) };
    for grade in &grades.grades {
        let Grade { bot, author, points: sum, parts, note, .. } = grade;
        let author = author.as_ref().map_or_else(String::new, |author| format!(" ({})", escaped(author)));
        let heading = language.say(text::Heading {
            bot: escaped(bot) + &author,
            points: language.decimal(*sum, 1),
            most: language.decimal(grades.most, 1),
            graded: grade.grade.is_some(),
            grade: grade.grade.as_deref().map_or_else(String::new, escaped),
        });
        let _ = writeln!(text, "## {heading}\n");
        let columns = GradePart::columns(language).map(|column| column.map(|_, text| escaped(&text)));
        text += &column::markdown(&columns, parts);
        let another_seed = another_seed(grade, language);
        if !another_seed.is_empty() {
            let _ = writeln!(text, "\n{}", language.say(text::InAll { another_seed }));
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

/// Returns a table of all bots, with the totals only. [`csv`] has columns of its own: what people read in one cell, such
/// as a grade and how likely another one is, it splits into bare values for a spreadsheet.
fn class(grades: &Grades) -> String {
    let columns: [Column<'_, ClassRow<'_>>; 7] = [
        Column::words("bot", |row: &ClassRow<'_>| escaped(row.bot())),
        Column::words("author", |row: &ClassRow<'_>| row.author().map_or_else(String::new, escaped)),
        Column::words("submitted as", |row: &ClassRow<'_>| escaped(row.path())),
        Column::number(format!("points of {}", points(grades.most)), |row: &ClassRow<'_>| match row {
            ClassRow::Graded(grade) => points(grade.points),
            ClassRow::Ungraded(ungraded) => format!("not graded: {}", escaped(&ungraded.reason)),
        }),
        Column::number("another seed (95 %)", |row: &ClassRow<'_>| {
            row.grade().and_then(|grade| grade.interval).map_or_else(String::new, range)
        }),
        Column::words("grade (another in)", |row: &ClassRow<'_>| {
            row.grade().map_or_else(String::new, letter)
        }),
        Column::words("", |row: &ClassRow<'_>| row.note().map_or_else(String::new, escaped)),
    ];
    column::markdown(&columns, &class_rows(grades)) + "\n"
}

/// Returns the name of a grade, and how likely another seed gives another one.
fn letter(grade: &Grade) -> String {
    let name = grade.grade.as_deref().map_or_else(String::new, escaped);
    let name = if name.is_empty() { "–".to_owned() } else { name };
    grade.other_grade.map_or_else(String::new, |share| format!("{name} ({} %)", numbers::percent(share, 0)))
}

/// A bot of a class, which was graded or not.
enum ClassRow<'a> {
    Graded(&'a Grade),
    Ungraded(&'a UngradedBot),
}

fn class_rows(grades: &Grades) -> Vec<ClassRow<'_>> {
    let ungraded = grades.ungraded.iter().map(ClassRow::Ungraded);
    grades.grades.iter().map(ClassRow::Graded).chain(ungraded).collect()
}

impl ClassRow<'_> {
    fn bot(&self) -> &str {
        match self {
            Self::Graded(grade) => &grade.bot,
            Self::Ungraded(ungraded) => &ungraded.bot,
        }
    }

    fn path(&self) -> &str {
        match self {
            Self::Graded(grade) => &grade.path,
            Self::Ungraded(ungraded) => &ungraded.path,
        }
    }

    /// The grade, if there is one.
    fn grade(&self) -> Option<&Grade> {
        match self {
            Self::Graded(grade) => Some(grade),
            Self::Ungraded(_) => None,
        }
    }

    fn author(&self) -> Option<&str> {
        self.grade()?.author.as_deref()
    }

    fn note(&self) -> Option<&str> {
        self.grade()?.note.as_deref()
    }
}

/// Puts a cause on one line. Lines that belong to the one above are indented.
fn in_a_line(fix: &str) -> String {
    fix.replace("\n  ", " ").replace('\n', "; ")
}

/// Returns an end of the points that another seed gives.
fn end(grade: &Grade, which: usize) -> String {
    grade.interval.map_or_else(String::new, |ends| points(ends[which]))
}

pub(super) fn csv(grades: &Grades) -> String {
    let known = |text: Option<&str>| text.map_or_else(String::new, quoted);
    let mut columns: Vec<Column<'_, ClassRow<'_>>> = vec![
        Column::words("bot", |row: &ClassRow<'_>| quoted(row.bot())),
        Column::words("author", move |row: &ClassRow<'_>| known(row.author())),
        Column::words("folder", |row: &ClassRow<'_>| quoted(row.path())),
        Column::number("points", |row: &ClassRow<'_>| {
            row.grade().map_or_else(String::new, |grade| points(grade.points))
        }),
        Column::number("of", |row: &ClassRow<'_>| {
            row.grade().map_or_else(String::new, |_| points(grades.most))
        }),
    ];
    let parts = grades.grades.first().map_or(&[][..], |grade| &grade.parts);
    columns.extend(parts.iter().enumerate().map(|(index, part)| {
        Column::number(quoted(&part.name), move |row: &ClassRow<'_>| {
            let part = row.grade().and_then(|grade| grade.parts.get(index));
            part.map_or_else(String::new, |part| points(part.points))
        })
    }));
    let of_grade =
        |form: fn(&Grade) -> String| move |row: &ClassRow<'_>| row.grade().map_or_else(String::new, form);
    columns.push(Column::number("low", of_grade(|grade| end(grade, 0))));
    columns.push(Column::number("high", of_grade(|grade| end(grade, 1))));
    columns.push(Column::words(
        "grade",
        of_grade(|grade| grade.grade.as_deref().map_or_else(String::new, quoted)),
    ));
    columns.push(Column::number(
        "other_grade",
        of_grade(|grade| grade.other_grade.map_or_else(String::new, |share| format!("{share:.3}"))),
    ));
    columns.push(Column::words("fix", |row: &ClassRow<'_>| match row {
        ClassRow::Graded(grade) => {
            let fix: Vec<String> = fixes(grade).iter().map(|fix| in_a_line(fix)).collect();
            quoted_lines(fix.iter().map(String::as_str))
        }
        ClassRow::Ungraded(ungraded) => quoted(&format!("not graded: {}", ungraded.reason)),
    }));
    columns.push(Column::words("note", move |row: &ClassRow<'_>| known(row.note())));
    column::csv(&columns, &class_rows(grades))
}

/// Returns the notes on a bot's files that concern the grader.
pub(super) fn notes(grades: &Grades) -> Figures {
    let note = |grade: &Grade| Some(("note", format!("{}: {}", grade.path, grade.note.as_ref()?)));
    grades.grades.iter().filter_map(note).collect()
}

pub(super) fn cases(grades: &Grades) -> Vec<JunitCase> {
    let case = |grade: &Grade, part: &GradePart| JunitCase {
        name: format!("{}: {}", plain(&grade.bot), plain(&part.name)),
        answer: answer(part),
        text: about(part),
        took: None,
    };
    let ungraded = grades.ungraded.iter().map(|UngradedBot { bot, reason, .. }| JunitCase {
        name: plain(bot),
        answer: CaseResult::Error("ungraded", plain(reason)),
        text: String::new(),
        took: None,
    });
    let parts = grades.grades.iter().flat_map(|grade| grade.parts.iter().map(move |part| case(grade, part)));
    parts.chain(ungraded).collect()
}

/// Returns the outcome of a part: some of its points are neither a success nor a failure, unless there is something to fix.
fn answer(part: &GradePart) -> CaseResult {
    let share = || format!("{} of {}", points(part.points), counted_points(part.most));
    match () {
        () if part.points >= part.most => CaseResult::Passed,
        () if part.points > 0.0 && part.fix.is_empty() => CaseResult::Open(share()),
        () => CaseResult::Failed("points", share()),
    }
}

/// Returns the note on a bot's files for its author. For a single bot it names nobody else.
fn own_note(grade: &Grade) -> String {
    grade.note.as_ref().map_or_else(String::new, |note| format!("; {}", plain(note)))
}

/// Returns the format that Gradescope's autograders write (see its page "Autograder Specifications").
pub(super) fn gradescope(grade: &Grade) -> Value {
    let test = |part: &GradePart| {
        json!({
            "name": plain(&part.name), "score": rounded(part.points), "max_score": rounded(part.most),
            "output": about(part), "output_format": "text", "visibility": "visible",
        })
    };
    let all = json!({ "name": "points", "value": rounded(grade.points) });
    let part = |part: &GradePart| json!({ "name": plain(&part.name), "value": rounded(part.points) });
    let leaderboard: Vec<Value> = std::iter::once(all).chain(grade.parts.iter().map(part)).collect();
    json!({
        "score": rounded(grade.points),
        "leaderboard": leaderboard,
        "output": format!(
            "{}: {}{}{}{}",
            plain(&grade.bot),
            counted_points(grade.points),
            plain(&named(grade)),
            if grade.interval.is_some() { format!("; {}", another_seed(grade, Language::English)) } else { String::new() },
            own_note(grade)
        ),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": grade.parts.iter().map(test).collect::<Vec<_>>(),
    })
}

/// Returns the format that the runner of Classroom 50 reads, whose points are whole numbers, with what the runner says about the
/// submission in the environment (see its page "Advanced Autograding").
pub(super) fn classroom50(grade: &Grade) -> Value {
    let said = |name: &str| std::env::var(name).unwrap_or_default();
    let or = |name: &str, other: String| Some(said(name)).filter(|text| !text.is_empty()).unwrap_or(other);
    let test = |part: &GradePart| {
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
        // The sums of the rounded parts below.
        "score": grade.parts.iter().map(|part| whole(part.points)).sum::<u64>(),
        "max-score": grade.parts.iter().map(|part| whole(part.most)).sum::<u64>(),
        "tests": grade.parts.iter().map(test).collect::<Vec<_>>(),
    })
}

/// Returns the format in which graders of GitHub Classroom pass their results to `autograding-grading-reporter`, which adds up the
/// scores of the tests.
pub(super) fn classroom(grade: &Grade) -> Value {
    let status = |points: f64, most: f64| if points < most { "fail" } else { "pass" };
    let test = |part: &GradePart| {
        json!({
            "name": plain(&part.name), "status": status(part.points, part.most), "score": rounded(part.points),
            "message": about(part), "test_code": "", "filename": "", "line_no": 0, "duration": 0,
        })
    };
    let most: f64 = grade.parts.iter().map(|part| part.most).sum();
    json!({
        "version": 1,
        "status": status(grade.points, most),
        "max_score": rounded(most),
        "tests": grade.parts.iter().map(test).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use leyden_arena::grade::PartResult;

    use super::*;

    #[test]
    fn partial_points_fail_only_with_something_to_fix() {
        let part = |points, fix: &[&str]| GradePart {
            name: String::new(),
            points,
            most: 50.0,
            interval: None,
            differs: None,
            against: None,
            seen: PartResult::CannotRun,
            fix: fix.iter().map(|&fix| fix.to_owned()).collect(),
            see: None,
        };
        assert!(matches!(answer(&part(50.0, &["once"])), CaseResult::Passed));
        assert!(
            matches!(answer(&part(20.0, &[])), CaseResult::Open(share) if share == "20.0 of 50.0 points")
        );
        for failed in [part(20.0, &["it crashes"]), part(0.0, &[])] {
            assert!(matches!(answer(&failed), CaseResult::Failed("points", _)));
        }
    }
}
