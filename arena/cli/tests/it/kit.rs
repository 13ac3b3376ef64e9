//! `leyden new … --kit`: its files for a teacher, and that its autograders grade.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{LIMITS, leyden, on_quiet_host, text};
use serde_json::Value;

fn make(at: &Path) {
    let made = leyden(at, &["new", "starter", "--lang", "python", "--kit", "kit"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    assert!(text(&made.stdout).contains("start with kit/README.md"), "{}", text(&made.stdout));
    // A part that is quick to grade, in whole points and fractions.
    let rubric = "check = 39.6\n[[against]]\nbot = \"builtin:random\"\npoints = 60\nnone-at = 0.1\nfull-at = 0.6\nblocks = 2\n";
    for path in ["kit/rubric.toml", "kit/classroom50/rubric.toml"] {
        fs::write(at.join(path), rubric).unwrap();
    }
}

/// A submission that plays: the starter.
fn hand_in(folder: &Path) {
    let at = folder.parent().unwrap();
    let name = folder.file_name().unwrap().to_str().unwrap();
    let made = leyden(at, &["new", name, "--lang", "python"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
}

fn graded(mut grader: impl FnMut() -> Command) -> Output {
    on_quiet_host(|| grader().output().unwrap())
}

#[test]
fn kit_is_complete_with_every_placeholder_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    make(at);
    let readme = fs::read_to_string(at.join("kit/README.md")).unwrap();
    for name in [
        "handout.md",
        "rubric.toml",
        "gradescope/setup.sh",
        "gradescope/run_autograder",
        "classroom50/autograder.py",
        "github/classroom.yml",
        "github/gate.yml",
        "github/tournament.yml",
    ] {
        let text = fs::read_to_string(at.join("kit").join(name)).unwrap();
        let folder = name.split('/').next().unwrap();
        assert!(readme.contains(folder), "{name}");
        for mark in [
            "@INSTALL@",
            "@STARTER@",
            "@FILE@",
            "@NEEDS@",
            "@PACKAGES@",
            "@APT@",
            "@GRADED@",
            "@SYSTEM@",
            "@SEED@",
        ] {
            assert!(!text.contains(mark) && !readme.contains(mark), "{name}: {mark}");
        }
        if Path::new(name).extension().is_some_and(|kind| kind == "yml") {
            // Text chosen by others reaches a shell as a variable, never as a part of the script.
            let scripts = text.lines().filter(|line| !line.trim_start().starts_with('#'));
            let said: Vec<&str> =
                scripts.filter(|line| line.contains("run:") && line.contains("${{")).collect();
            assert!(said.is_empty() && text.contains("pip install \"$LEYDEN_WHEEL\""), "{name}: {said:?}");
        }
    }
    let handout = fs::read_to_string(at.join("kit/handout.md")).unwrap();
    assert!(handout.contains("in Python that plays") && handout.contains("`bot.py`"), "{handout}");
    assert!(handout.contains("## Install") && handout.contains("**TEACHER:"), "{handout}");
    assert!(readme.contains("maturin build") && readme.contains(".leydenignore"), "{readme}");
    assert!(handout.contains("- 40 points") && handout.contains("builtin:careful"), "{handout}");
    // Files that name points take them from the rubric.
    let rubric: toml::Table =
        toml::from_str(&text(&leyden(at, &["grade", "--print-rubric"]).stdout)).unwrap();
    let worth = |part: &toml::Value| part.as_float().or(part.as_integer().map(|whole| whole as f64)).unwrap();
    let against = rubric["against"].as_array().unwrap();
    let gate = fs::read_to_string(at.join("kit/github/gate.yml")).unwrap();
    assert!(gate.contains("# --max-time limits") && gate.contains("the exit code is 4"), "{gate}");
    // Graders of one submission at a time use the same deals for all of them, and the students do not know them.
    let named = |name: &str| {
        let text = fs::read_to_string(at.join("kit").join(name)).unwrap();
        let (_, seed) = text.split_once("--seed").unwrap_or_else(|| panic!("{name}: {text}"));
        seed.trim_start_matches(['"', ',', ' '])
            .chars()
            .take_while(char::is_ascii_hexdigit)
            .collect::<String>()
    };
    let seed = named("README.md");
    assert_eq!(seed.len(), 32, "{seed}");
    assert_eq!(["gradescope/run_autograder", "classroom50/autograder.py"].map(named), [&*seed, &*seed]);
    assert!(
        !handout.contains(&seed) && !fs::read_to_string(at.join("kit/rubric.toml")).unwrap().contains(&seed)
    );
    for points in against.iter().map(|against| worth(&against["points"])).chain([worth(&rubric["check"])]) {
        assert!(handout.contains(&format!("- {points} points for ")), "{points}: {handout}");
    }
    let again = leyden(at, &["new", "other", "--lang", "c", "--kit", "kit"]);
    assert!(again.status.code() == Some(2) && !at.join("other").exists(), "{}", text(&again.stderr));
    let no_kit = leyden(at, &["new", "other", "--lang", "c", "--language", "de"]);
    assert!(text(&no_kit.stderr).contains("it needs --kit DIR"), "{}", text(&no_kit.stderr));
    let inside = leyden(at, &["new", "other", "--lang", "c", "--kit", "other/kit"]);
    assert!(inside.status.code() == Some(2) && !at.join("other").exists(), "{}", text(&inside.stderr));
}

/// The same parts, code and marks in every language, and only the words differ.
#[test]
fn kit_is_written_in_the_class_language() {
    let folder = tempfile::tempdir().unwrap();
    let pages = |language: &str| {
        let kit = format!("kit-{language}");
        let bot = format!("bot-{language}");
        let made =
            leyden(folder.path(), &["new", &bot, "--lang", "c", "--kit", &kit, "--language", language]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        ["handout.md", "README.md"].map(|name| {
            let page = fs::read_to_string(folder.path().join(&kit).join(name)).unwrap();
            let seed = page.split_once("--seed ").and_then(|(_, seed)| seed.split_once(' '));
            page.replace(seed.map_or("no seed", |(seed, _)| seed), "SEED").replace(&bot, "bot")
        })
    };
    let [english, german, french] = ["en", "de", "fr"].map(pages);
    let [handout_de, readme_de] = &german;
    let [handout_fr, readme_fr] = &french;
    assert!(handout_de.contains("- 40 Punkte für ") && handout_de.contains("ein C-Compiler"), "{handout_de}");
    assert!(
        handout_fr.contains("- 40 points pour ") && handout_fr.contains("un compilateur C"),
        "{handout_fr}"
    );
    assert!(readme_de.contains("## Benoten") && readme_fr.contains("## Noter"), "{readme_de}{readme_fr}");
    let code = |text: &str| -> BTreeSet<String> {
        let spans = text.split('`').skip(1).step_by(2).map(|code| code.split(" --language").next().unwrap());
        spans.filter(|code| !code.contains('\n')).map(str::to_owned).collect()
    };
    let blocks = |text: &str| -> Vec<String> {
        text.split("```")
            .skip(1)
            .step_by(2)
            .map(|block| block.split(" #").next().unwrap().to_owned())
            .collect()
    };
    for other in [german, french] {
        for (other, english) in other.iter().zip(&english) {
            assert_eq!(code(other), code(english));
            assert_eq!(blocks(other), blocks(english));
            for mark in ["\n## ", "\n- ", "\n1. ", "\n| ", "**", "____", "@"] {
                assert_eq!(other.matches(mark).count(), english.matches(mark).count(), "{mark}: {other}");
            }
        }
    }
}

#[test]
fn gradescope_gets_an_archive_that_grades() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    make(at);
    let source = at.join("autograder/source");
    let mut archive = zip::ZipArchive::new(fs::File::open(at.join("kit/gradescope.zip")).unwrap()).unwrap();
    fs::create_dir_all(&source).unwrap();
    fs::create_dir(at.join("autograder/results")).unwrap();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let path = source.join(&*file.name().unwrap());
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(file.unix_mode().unwrap() & 0o777)).unwrap();
    }
    assert_eq!(archive.len(), 4, "two scripts, the rubric and the program");
    assert_eq!(fs::read(source.join("leyden")).unwrap(), fs::read(env!("CARGO_BIN_EXE_leyden")).unwrap());
    fs::copy(at.join("kit/rubric.toml"), source.join("rubric.toml")).unwrap();

    // As Gradescope runs it, except for the path and limits that a busy machine cannot exceed.
    let script = fs::read_to_string(source.join("run_autograder")).unwrap();
    assert!(script.contains(" --rubric "), "{script}");
    let script = script.replace(" --rubric ", &format!(" {} --rubric ", LIMITS.join(" ")));
    let script = script.replace("/autograder/", &format!("{}/autograder/", at.display()));
    fs::write(source.join("run_autograder"), script).unwrap();
    hand_in(&at.join("autograder/submission"));
    let results = || -> Value {
        serde_json::from_str(&fs::read_to_string(at.join("autograder/results/results.json")).unwrap())
            .unwrap()
    };
    let run = || Command::new(source.join("run_autograder"));
    let done = graded(run);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(results()["score"].as_f64().unwrap() > 39.0, "{:#}", results());
    // Submitted again, it gets the same points.
    let score = results()["score"].clone();
    assert_eq!(graded(run).status.code(), Some(0));
    assert_eq!(results()["score"], score);
    // A submission that is not a bot gets no points, with the reason.
    fs::remove_dir_all(at.join("autograder/submission")).unwrap();
    fs::create_dir(at.join("autograder/submission")).unwrap();
    fs::write(at.join("autograder/submission/bot.py"), "print()\n").unwrap();
    let done = graded(run);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_eq!(results()["score"], 0.0);
    assert!(results().to_string().contains("has no bot.toml: add one"), "{:#}", results());
    for (file, says) in [
        ("leyden.py", "it is part of the starter in Python: hand in the whole folder"),
        ("hal.tar.gz", "hand in a zip"),
        (".DS_Store", "it is empty"),
    ] {
        let submission = at.join("autograder/submission");
        fs::remove_dir_all(&submission).unwrap();
        fs::create_dir(&submission).unwrap();
        fs::write(submission.join(file), "x").unwrap();
        assert_eq!(graded(run).status.code(), Some(0));
        let printed = results().to_string();
        assert!(results()["score"] == 0.0 && printed.matches(says).count() == 1, "{says}: {printed}");
        assert!(!printed.contains(&*submission.to_string_lossy()), "where it lay helps nobody: {printed}");
    }
}

/// The workflow's own script, as GitHub runs it.
#[test]
fn github_classroom_gets_the_points_of_the_rubric() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    make(at);
    let checkout = at.join("checkout");
    hand_in(&checkout);
    fs::copy(at.join("kit/rubric.toml"), checkout.join("rubric.toml")).unwrap();
    let workflow = fs::read_to_string(at.join("kit/github/classroom.yml")).unwrap();
    let (_, step) = workflow.split_once("- id: grade\n        run: |\n").unwrap();
    let script =
        step.lines().take_while(|line| line.starts_with("          ")).map(|line| format!("{line}\n"));
    let script: String = script.collect();
    let program = Path::new(env!("CARGO_BIN_EXE_leyden")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let outputs = at.join("outputs");
    let done = graded(|| {
        let _ = fs::remove_file(&outputs);
        let mut grader = Command::new("bash");
        grader.args(["-e", "-c", &script]).current_dir(&checkout).env("PATH", &path);
        grader.env("RUNNER_TEMP", at).env("GITHUB_OUTPUT", &outputs).env("GITHUB_ACTIONS", "true");
        grader.env("GITHUB_STEP_SUMMARY", at.join("summary.md"));
        grader
    });
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let decode = "sed -n s/^result=//p \"$0\" | base64 -d";
    let result = Command::new("sh").args(["-c", decode]).arg(&outputs).output().unwrap().stdout;
    let result: Value = serde_json::from_slice(&result).unwrap();
    let tests = result["tests"].as_array().unwrap();
    let names: Vec<&str> = tests.iter().map(|test| test["name"].as_str().unwrap()).collect();
    assert_eq!((&result["max_score"], &names[..]), (&99.6.into(), &["check", "against random"][..]));
    assert_eq!((&tests[0]["score"], &tests[0]["status"]), (&39.6.into(), &"pass".into()));
    assert!(fs::read_to_string(at.join("summary.md")).unwrap().contains("| against random |"));
    // Nothing in the workflow repeats what the rubric says.
    assert!(!workflow.contains("score") && !workflow.contains("builtin:"), "{workflow}");
}

#[test]
fn classroom_50_gets_whole_points() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    make(at);
    hand_in(&at.join("checkout"));
    // What a student commits does not decide where the result goes.
    fs::write(at.join("other.json"), "{}").unwrap();
    std::os::unix::fs::symlink("../other.json", at.join("checkout/result.json")).unwrap();
    let done = graded(|| {
        let mut grader = Command::new("python3");
        grader.arg(at.join("kit/classroom50/autograder.py")).current_dir(at.join("checkout"));
        grader.env("CLASSROOM", "cs1").env("ASSIGNMENT", "dominoes").env("GITHUB_ACTIONS", "true");
        grader
    });
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let printed: Value =
        serde_json::from_str(&fs::read_to_string(at.join("checkout/result.json")).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(at.join("other.json")).unwrap(), "{}");
    assert_eq!((&printed["schema"], &printed["max-score"]), (&"classroom50/result/v1".into(), &100.into()));
    let tests = printed["tests"].as_array().unwrap();
    let sum = |name: &str| -> u64 { tests.iter().map(|test| test[name].as_u64().unwrap()).sum() };
    assert_eq!(
        (printed["score"].as_u64(), printed["max-score"].as_u64()),
        (Some(sum("score")), Some(sum("max-score")))
    );
}
