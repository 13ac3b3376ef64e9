//! Grading that was interrupted, and grading once more.

use super::*;

/// An interruption loses neither hours of grading nor anybody in the class.
#[test]
fn interrupted_grading_keeps_grades_and_names_ungraded_bots() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    hand_in(&at.join("class"), "bob", "[\"sh\", \"-c\", \"sleep 1000\"]");
    fs::write(at.join("class/dan.rar"), "Rar!").unwrap();
    let forms =
        ["--format", "csv=grades.csv", "--format", "markdown=grades.md", "--format", "junit=grades.xml"];
    fs::write(at.join("grades.md"), "all of them\n").unwrap();
    let more = ["--overwrite"];
    let words = [&["grade", "class", "--rubric", "rubric.toml"], &forms[..], &more, &PATIENT].concat();
    let mut grading = command(at, &words).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(grading.stderr.take().unwrap()).lines().map(Result::unwrap);
    let turn = lines.find(|line| line.starts_with("grading bob")).unwrap();
    assert!(turn.starts_with("grading bob (2 of 2, about ") && turn.ends_with(" left)"), "{turn}");
    let pid = rustix::process::Pid::from_child(&grading);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let said: Vec<String> = lines.collect();
    assert_eq!(grading.wait().unwrap().code(), Some(130), "{said:?}");
    assert!(
        said.iter().any(|line| {
            line.ends_with("interrupted: 3 of 4 were graded; the grades so far are in grades.part.csv and grades.part.md (grades.md is unchanged) and grades.part.xml")
        }),
        "{said:?}"
    );
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    let csv = rows(&read("grades.part.csv"));
    assert!(csv[1].starts_with("ann,Ms ann,class/ann,"), "{csv:?}");
    let points: f64 = csv[1].split(',').nth(3).unwrap().parse().unwrap();
    assert!(points > 90.0, "{csv:?}");
    let row =
        |name: &str| csv.iter().find(|row| row.contains(name)).unwrap_or_else(|| panic!("{name}: {csv:?}"));
    assert!(row("bob").ends_with(",,,,,not graded: grading was interrupted,"), "{csv:?}");
    assert!(row("dan.rar").contains("hand in a zip"), "an archive is somebody's work: {csv:?}");
    assert_eq!(read("grades.md"), "all of them\n", "a part replaces nothing");
    let markdown = read("grades.part.md");
    assert!(
        markdown.starts_with("| bot | author | submitted as | points of 100.0 | another seed (95 %) |"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| bob | | class/bob | not graded: grading was interrupted | | | |"),
        "{markdown}"
    );
    assert!(read("grades.part.xml").contains("type=\"ungraded\""));

    // Resuming continues: a bot that has a grade keeps it.
    let printed = said.iter().find(|line| line.contains("--resume ")).unwrap();
    let again: Vec<String> = shlex::split(printed.trim()).unwrap().split_off(1);
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let kept = at.join(again.last().unwrap());
    assert!(kept.is_file(), "{kept:?}");
    hand_in(&at.join("class"), "bob", &builtin("random"));
    let output = command(at, &again).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(!said.contains("grading ann") && said.contains("grading bob"), "{said}");
    assert!(said.contains("1 bot keeps the grade"), "{said}");
    let whole = rows(&read("grades.csv"));
    assert_eq!(
        whole.iter().find(|row| row.starts_with("ann")),
        csv.iter().find(|row| row.starts_with("ann"))
    );
    let is_graded = |row: &&String| row.starts_with("bob,Ms bob,class/bob,") && !row.contains("not graded");
    assert_eq!(whole.iter().filter(is_graded).count(), 1, "{whole:?}");
    for gone in [&kept, &at.join("grades.part.csv"), &at.join("grades.part.md")] {
        assert!(!gone.exists(), "{gone:?}");
    }
}

#[test]
fn changed_bots_are_regraded_only_on_same_terms() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    hand_in(&at.join("class"), "bob", &builtin("random"));
    let rubric = RUBRIC.replace("seed = \"class\"\n", "");
    fs::write(at.join("rubric.toml"), &rubric).unwrap();
    stdout(&grade(at, &["class", "--json", "--out", "week1.json"]));
    hand_in(&at.join("class"), "bob", &builtin("greedy"));
    let next = ["class", "--json", "--resume", "week1.json"];
    let output = grade(at, &next);
    let (document, said) = (stdout(&output), text(&output.stderr));
    assert!(said.contains("grading bob (2 of 2)") && !said.contains("grading ann"), "{said}");
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (before, after) = (read(&fs::read_to_string(at.join("week1.json")).unwrap()), read(&document));
    assert_eq!((&before["seed"], &before["grades"][0]), (&after["seed"], &after["grades"][0]));
    assert_ne!(before["grades"][1]["files"], after["grades"][1]["files"]);

    fs::write(at.join("rubric.toml"), rubric.replace("points = 60", "points = 50")).unwrap();
    let refused = grade(at, &next);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("by another rubric"), "{}", text(&refused.stderr));
    let none = grade(at, &["class", "--resume", "rubric.toml"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("holds no grades to resume from"), "{}", text(&none.stderr));
}

#[test]
fn bots_are_graded_once_for_all_formats() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    let forms =
        ["--format", "gradescope=one.json", "--format=csv", "--format", "junit=one.xml", "--out", "one.csv"];
    let done = grade(at, &[&["class/ann"], &forms[..]].concat());
    assert_eq!(stdout(&done), "");
    assert_eq!(text(&done.stderr).matches("grading ann").count(), 1, "{}", text(&done.stderr));
    let json: Value = serde_json::from_str(&fs::read_to_string(at.join("one.json")).unwrap()).unwrap();
    let csv = fs::read_to_string(at.join("one.csv")).unwrap();
    let points = csv.lines().nth(1).unwrap().split(',').nth(3).unwrap().to_owned();
    assert_eq!(format!("{:.1}", json["score"].as_f64().unwrap()), points, "{csv}{json:#}");
    assert!(fs::read_to_string(at.join("one.xml")).unwrap().contains("<testsuite"));
    // Files that people may have edited are not overwritten by mistake; files for programs are.
    fs::write(at.join("one.csv"), "with a word for each").unwrap();
    let again = [&["class/ann"], &forms[..]].concat();
    let refused = grade(at, &again);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("one.csv already exists"), "{said}");
    assert_eq!(fs::read_to_string(at.join("one.csv")).unwrap(), "with a word for each");
    stdout(&grade(at, &[&again[..], &["--overwrite"]].concat()));
    assert_eq!(fs::read_to_string(at.join("one.csv")).unwrap(), csv);
    // A report, too, may be all that is left of a term; a tool's own file is written where the tool expects it, but
    // overwrites nothing else.
    let refused = grade(at, &["class/ann", "--format", "junit=one.xml"]);
    assert!(text(&refused.stderr).contains("one.xml already exists"), "{}", text(&refused.stderr));
    stdout(&grade(at, &["class/ann", "--format", "gradescope=one.json"]));
    fs::write(at.join("bot.py"), "print()\n").unwrap();
    let refused = grade(at, &["class/ann", "--format", "gradescope=bot.py", "--overwrite"]);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("bot.py holds something else"), "{said}");
    for (forms, says) in [
        (&["--format", "csv", "--format", "junit"][..], "only one form can go to standard output"),
        (&["--format", "csv=a.csv", "--out", "b.csv"], "nothing left to write"),
        (&["--format", "csv=a.csv", "--format", "junit=a.csv"], "two forms name a.csv"),
        (&["--format", "xls=a.xls"], "expected one of markdown, csv, junit"),
        (&["--format", "csv="], "expected a file name after csv="),
        (&["--format", "csv=a.csv", "--json"], "cannot be used with"),
    ] {
        let refused = command(at, &[&["grade", "class/ann"], forms].concat()).output().unwrap();
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(says), "{forms:?}: {said}");
        assert!(!said.contains("grading") && !at.join("a.csv").exists(), "{forms:?}: {said}");
    }
}
