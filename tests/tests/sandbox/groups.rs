//! Control groups in what this machine allows: killing, freezing and counting work without any controller.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use leyden_host::ResourceLimits;
use leyden_host::cgroup::{Cgroup, Subtree};
use leyden_tests::patience::Patience;
use leyden_tests::program;

/// The control group of these tests, if the system has any.
fn own_group() -> Option<PathBuf> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mount = mounts.lines().find(|line| line.contains(" - cgroup2 "))?.split(' ').nth(4)?.to_owned();
    let own = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?.to_owned();
    Some(Path::new(&mount).join(own))
}

/// A part of the tree that is writable for us, if there is one.
fn subtree() -> Option<Subtree> {
    match Subtree::at(&own_group()?) {
        Ok(subtree) => Some(subtree),
        Err(error) => {
            eprintln!("untested: control groups: {error}");
            None
        }
    }
}

fn start(group: &Cgroup, words: &[&str]) -> Child {
    let script = format!("echo 0 > {}/cgroup.procs && exec \"$@\"", group.path().display());
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(program("attack")).args(words);
    command.stdout(Stdio::null()).spawn().expect("a shell")
}

#[test]
fn time_is_counted_for_threads_children_and_daemons() {
    let Some(subtree) = subtree() else { return };
    let group = subtree.bot(&ResourceLimits::default()).expect("a group");
    let mut child = start(&group, &["burn", "500"]);
    child.wait().expect("it ends");
    let mut patience = Patience::new(Duration::from_mins(5));
    while std::fs::read_to_string(group.path().join("cgroup.procs")).is_ok_and(|left| !left.is_empty()) {
        assert!(patience.waits(), "the daemon does not end");
    }
    let counted = group.cpu_time().expect("the time").as_secs_f64();
    eprintln!("counted {counted} s of 2 s");
    assert!((1.96..=2.2).contains(&counted), "counted {counted} s instead of 2 s");
}

#[test]
fn group_is_frozen_thawed_and_killed_as_one() {
    let Some(subtree) = subtree() else { return };
    let group = subtree.bot(&ResourceLimits::default()).expect("a group");
    let path = group.path().to_owned();
    let mut child = start(&group, &["burn", "60000"]);
    let mut patience = Patience::new(Duration::from_mins(5));
    while group.cpu_time().expect("the time") < Duration::from_millis(100) {
        assert!(patience.waits(), "it does not start");
    }
    group.freeze().expect("it can be frozen");
    while !std::fs::read_to_string(path.join("cgroup.events")).expect("events").contains("frozen 1") {
        assert!(patience.waits(), "it is not frozen");
    }
    let before = group.cpu_time().expect("the time");
    sleep(Duration::from_millis(200));
    let used = group.cpu_time().expect("the time").saturating_sub(before);
    assert!(used < Duration::from_millis(5), "{used:?} used while frozen");
    group.thaw().expect("it can be thawed");
    while group.cpu_time().expect("the time") < before + Duration::from_millis(20) {
        assert!(patience.waits(), "it is not thawed");
    }
    drop(group);
    child.wait().expect("it was killed");
    let mut patience = Patience::new(Duration::from_secs(30));
    while path.exists() && std::fs::remove_dir(&path).is_err() {
        assert!(patience.waits(), "somebody lives on");
    }
}

/// Each creates and removes groups all the time, and at its start cleans up what others have left.
#[test]
fn simultaneous_arenas_leave_each_others_groups_alone() {
    if subtree().is_none() {
        return;
    }
    let start = |round: u32| {
        let words =
            ["match", "builtin:random", "builtin:greedy", "--sandbox", "none", "--fresh", "--jobs", "1"];
        let more = ["--blocks", "10", "--target", "1", "--json", "--turn", "100s", "--startup", "100s"];
        let mut arena = Command::new(program("leyden"));
        let folder = tempfile::tempdir().expect("a folder");
        arena.args(words).args(more).args(["--results", "r.db", "--seed", &round.to_string()]);
        arena.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        (arena.spawn().expect("leyden runs"), folder)
    };
    for round in 0..3 {
        let arenas: Vec<_> = (0..4).map(|_| start(round)).collect();
        for (arena, _folder) in arenas {
            let number = arena.id();
            let output = arena.wait_with_output().expect("it ends");
            let (printed, said) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.status.code(), Some(0), "{said}");
            assert_eq!(printed.matches("\"event\":\"match\"").count(), 20, "{printed} {said}");
            assert!(
                !printed.contains("\"event\":\"void\"") && !printed.contains("\"fault\":{"),
                "{printed} {said}"
            );
            assert!(!said.contains("is played again"), "{said}");
            let ours = format!("leyden-bot-{number}-");
            assert_eq!(groups_named(&ours), Vec::<String>::new());
        }
    }
}

/// The groups in ours whose names start like this.
fn groups_named(start: &str) -> Vec<String> {
    let Some(group) = own_group() else { return Vec::new() };
    let entries = std::fs::read_dir(group).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(start))
        .collect()
}
