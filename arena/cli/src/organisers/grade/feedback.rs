//! `leyden grade --feedback`: a folder for each student, with nothing of anybody else and no path of the teacher's machine.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use leyden_arena::grade::{Grade, GradePart, Grades};
use leyden_arena::record::source::RecordSource;
use leyden_language::{Language, text::grade as text};
use leyden_model::MatchRecord;
use leyden_protocol::{Seat, WinningScore};
use leyden_web::feedback::{Feedback, ShownMatch, page};
use leyden_web::replay::document;

use super::forms::markdown;
use crate::exit::CommandError;
use crate::report::grid::plain;

/// Writes the folders.
pub(super) fn write(folder: &Path, grades: &Grades, language: Language) -> Result<(), CommandError> {
    let mut taken: Vec<String> = Vec::new();
    for grade in &grades.grades {
        let mut name = folder_name(grade);
        while taken.contains(&name) {
            name.push('_');
        }
        write_one(&folder.join(&name), grades, grade, language)?;
        taken.push(name);
    }
    Ok(())
}

/// Returns the name of a student's folder: that of what was handed in, from plain characters only.
fn folder_name(grade: &Grade) -> String {
    let path = Path::new(&grade.path);
    let stem = if path.extension().is_some_and(|ending| ending == "zip") {
        path.file_stem()
    } else {
        path.file_name()
    };
    let name = stem.map_or_else(|| grade.bot.clone(), |stem| stem.to_string_lossy().into_owned());
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let name: String = name.chars().take(60).map(|c| if is_plain(c) { c } else { '-' }).collect();
    if name.is_empty() { "bot".to_owned() } else { name }
}

fn write_one(folder: &Path, grades: &Grades, grade: &Grade, language: Language) -> Result<(), CommandError> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| {
            CommandError::for_file(format_args!("cannot write {}: {error}", path.display()), &error)
        })
    };
    fs::create_dir_all(folder).map_err(|error| {
        CommandError::for_file(format_args!("cannot create {}: {error}", folder.display()), &error)
    })?;
    let own = own(grade);
    let mut matches = Vec::new();
    for kept in &grade.kept {
        for shown in worst(kept, language)? {
            let file = format!("match-{}.html", matches.len() + 1);
            let replay =
                document(&shown.record, Some(shown.seat), None, language).map_err(CommandError::defect)?;
            write(&file, &replay)?;
            matches.push(ShownMatch { file, why: shown.why });
        }
    }
    let called = |pseudonym: &String| format!(" {}", language.say(text::Called { name: plain(pseudonym) }));
    let hint = hint(&own, language) + &own.pseudonym.as_ref().map_or_else(String::new, called);
    let feedback = Feedback { grade: &own, most: grades.most, matches: &matches, hint: &hint };
    write("feedback.html", &page(&feedback, language))?;
    let alone = Grades {
        grades: vec![own.clone()],
        ungraded: Vec::new(),
        same_files: Vec::new(),
        left_out: Vec::new(),
        ..grades.clone()
    };
    let mut text = markdown(&alone, language);
    for ShownMatch { file, why } in &matches {
        let _ = writeln!(text, "- [{file}]({file}): {}", plain(why)); // writing to a String cannot fail
    }
    write("feedback.md", &(text + "\n" + &hint + "\n"))
}

/// Returns the grade as its author may read it: without notes about others, and without commands for the teacher's machine.
fn own(grade: &Grade) -> Grade {
    let parts = grade.parts.iter().map(|part| GradePart { see: None, ..part.clone() });
    Grade { parts: parts.collect(), note: None, path: String::new(), ..grade.clone() }
}

fn hint(grade: &Grade, language: Language) -> String {
    let lowest = grade.parts.iter().filter(|part| part.points < part.most);
    let lowest = lowest.max_by(|one, other| (one.most - one.points).total_cmp(&(other.most - other.points)));
    match (grade.files.is_some(), grade.parts.iter().any(|part| !part.fix.is_empty()), lowest) {
        (false, ..) => language.say(text::CorrectFirst),
        (true, true, _) => language.say(text::CorrectListed),
        (true, false, Some(part)) => language.say(text::MostLeft { part: plain(&part.called(language)) }),
        (true, false, None) => language.say(text::NoneLeft),
    }
}

/// A match to step through.
struct Worst {
    record: MatchRecord,
    seat: Seat,
    why: String,
}

/// Returns the first match that was lost by a fault, and the one that was lost by most points.
fn worst(kept: &Path, language: Language) -> Result<Vec<Worst>, CommandError> {
    let (mut faulted, mut lost): (Option<Worst>, Option<(i64, Worst)>) = (None, None);
    let mut source = RecordSource::open(kept)?;
    for record in source.records() {
        let record = record?;
        let Some((seat, _)) = record.bots.iter().find(|(_, name)| *name == "candidate") else {
            continue;
        };
        let found = |why: String, record: MatchRecord| Worst { record, seat, why };
        if let Some(fault) = record.fault.as_ref().filter(|fault| fault.seat == seat) {
            let why = language.say(text::LostBy { code: fault.code.as_str() });
            faulted.get_or_insert_with(|| found(why, record.clone()));
            continue;
        }
        if let Some(by) = behind(&record, seat).filter(|by| lost.as_ref().is_none_or(|(most, _)| by > most)) {
            let why = language.say(text::LargestLoss { by: by.unsigned_abs() });
            lost = Some((by, found(why, record)));
        }
    }
    Ok(faulted.into_iter().chain(lost.map(|(_, worst)| worst)).collect())
}

/// Returns by how many points a seat lost a match; `None` if it did not.
fn behind(record: &MatchRecord, seat: Seat) -> Option<i64> {
    let better = record.rules.rules().ok()?.better;
    let other = record.bots.seats().iter().find(|other| *other != seat)?;
    let (own, other) = (i64::from(record.scores[seat]), i64::from(record.scores[other]));
    let by = if better == WinningScore::Lower { own - other } else { other - own };
    (by > 0).then_some(by)
}

#[cfg(test)]
mod tests {
    use leyden_arena::grade::PartResult;

    use super::*;

    #[test]
    fn feedback_names_no_other_student_or_teacher_path() {
        let part = GradePart {
            name: "against greedy".to_owned(),
            points: 3.0,
            most: 10.0,
            interval: None,
            differs: None,
            against: Some("greedy".to_owned()),
            seen: PartResult::CannotRun,
            fix: vec!["2 matches were lost by timeout; flush".to_owned()],
            see: Some("leyden matches /home/teacher/w1/01.db --faults".to_owned()),
        };
        let grade = Grade {
            bot: "ann".to_owned(),
            path: "/home/teacher/class/ann_7.zip".to_owned(),
            author: None,
            points: 3.0,
            pseudonym: Some("Red Panda".to_owned()),
            grade: None,
            interval: Some([1.0, 4.0]),
            other_grade: None,
            parts: vec![part],
            files: Some(String::new()),
            note: Some("it has the same files as class/bob.zip".to_owned()),
            kept: Vec::new(),
        };
        let grades = Grades {
            v: 1,
            most: 10.0,
            seed: String::new(),
            terms: String::new(),
            rubric: None,
            grades: vec![grade.clone(), grade],
            ungraded: Vec::new(),
            same_files: Vec::new(),
            left_out: Vec::new(),
        };
        for (language, called, check) in [
            (Language::English, "On public pages your bot is called", "against greedy"),
            (Language::German, "Auf öffentlichen Seiten heißt dein Bot", "gegen greedy"),
            (Language::French, "Sur les pages publiques, ton bot s’appelle", "contre greedy"),
        ] {
            let out = tempfile::tempdir().unwrap();
            write(out.path(), &grades, language).unwrap();
            for (folder, file) in [("ann_7", "feedback.md"), ("ann_7_", "feedback.html")] {
                let text = fs::read_to_string(out.path().join(folder).join(file)).unwrap();
                assert!(
                    text.contains(called) && text.contains("Red Panda") && text.contains(check),
                    "{text}"
                );
                assert!(text.contains("lost by timeout; flush") && text.contains("leyden check ."), "{text}");
                assert!(!text.contains("/home/teacher") && !text.contains("bob"), "{text}");
                let english = ["points", "another seed", "cannot be run", "To correct"];
                assert!(
                    language != Language::German || !english.iter().any(|word| text.contains(word)),
                    "{text}"
                );
            }
        }
    }
}
