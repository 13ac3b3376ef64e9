//! Machines that lack something: the exact message, a non-zero exit, and no bot started.

use std::process::{Command, Output};

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::program;

use crate::field::{ArenaUser, AttackTargets};

/// Arguments for a tournament whose bot leaves a trace if it is ever started.
fn tournament(field: &AttackTargets, level: &str) -> Vec<String> {
    let bot = format!("touch {}", field.text("own/started"));
    let results = field.text("r.db");
    ["match", "--sandbox", level, "--results", &results, &bot, "builtin:random"].map(str::to_owned).into()
}

fn stops(field: &AttackTargets, output: &Output, says: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for text in says {
        assert!(said.contains(text), "{text:?} is not in {said}");
    }
    assert!(!field.path("own/started").exists(), "a bot was started: {said}");
    assert!(!field.path("r.db").exists(), "a results file was made: {said}");
}

fn leyden(who: ArenaUser, field: &AttackTargets, level: &str) -> Command {
    let mut command = who.command(&program("leyden"));
    command.args(tournament(field, level)).current_dir(field.path("home"));
    command
}

fn without(who: ArenaUser, what: &str, field: &AttackTargets, level: &str) -> Output {
    let mut command = who.command(&program("bare-machine"));
    command.arg(what).arg(program("leyden")).args(tournament(field, level)).current_dir(field.path("home"));
    command.output().expect("it runs")
}

#[test]
fn auto_reports_its_choice_and_missing_requirements() {
    for who in ArenaUser::everybody() {
        let field = AttackTargets::new();
        let play = |file: &str, bots: [&str; 2]| {
            let mut command = who.command(&program("bare-machine"));
            command.arg("namespaces").arg(program("leyden")).args([
                "match",
                "--turn",
                "100s",
                "--startup",
                "100s",
            ]);
            command.args(["--results", &field.text(file)]).args(bots);
            let output = command.current_dir(field.path("home")).output();
            let output = output.expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            said
        };
        let short = play("own.db", ["builtin:random", "builtin:greedy"]);
        assert!(short.contains(" (leyden doctor says what ") && !short.contains("to get it"), "{short}");
        // With bots of several people it matters to all of them.
        let said = play("r.db", ["/bin/sh -c 'exit 1'", "/bin/sh -c 'exit 2'"]);
        let line = if who.levels().contains(&SandboxLevel::Restrict) {
            "sandbox: restrict; missing for jail: the system does not let this user create namespaces"
        } else {
            "sandbox: none; missing for restrict: this kernel"
        };
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn every_level_is_refused_without_landlock() {
    for who in ArenaUser::everybody() {
        for level in ["restrict", "jail", "full"] {
            let field = AttackTargets::new();
            let output = without(who, "landlock", &field, level);
            stops(&field, &output, &["has no Landlock, or it is switched off", "lsm=landlock"]);
        }
    }
}

#[test]
fn jail_is_refused_without_namespaces() {
    for who in ArenaUser::everybody() {
        let field = AttackTargets::new();
        let output = without(who, "namespaces", &field, "jail");
        stops(&field, &output, &["does not let this user create namespaces", "user.max_user_namespaces"]);
    }
}

#[test]
fn jail_is_refused_if_proc_is_masked() {
    if !ArenaUser::Us.is_root() || !ArenaUser::everybody().contains(&ArenaUser::Nobody) {
        eprintln!("untested: a masked /proc, which takes root to make");
        return;
    }
    let field = AttackTargets::new();
    let words = shell_words(&tournament(&field, "jail"));
    let script = format!(
        "mount -t tmpfs none /proc/irq && exec setpriv --reuid 65534 --regid 65534 --clear-groups {} {words}",
        program("leyden").display()
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &script]).current_dir(field.path("home"));
    let output = command.output().expect("unshare runs");
    stops(&field, &output, &["parts of /proc are masked", "systempaths=unconfined"]);
}

fn shell_words(words: &[String]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

#[test]
fn full_is_refused_without_its_own_control_group() {
    for who in ArenaUser::everybody() {
        if who.levels().first().is_some_and(|level| level.name() == "full") {
            eprintln!("untested as {who:?}: no control group, since there is one");
            continue;
        }
        let field = AttackTargets::new();
        let output = leyden(who, &field, "full").output().expect("it runs");
        stops(&field, &output, &["level full does not hold on this machine", "To get it: "]);
    }
}
