//! A build command may turn a submission into a bot. Anything else that it tries is held, as with a bot.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::patience::Patience;
use leyden_tests::program;

use crate::field::{ArenaUser, AttackTargets, processes_with};

/// A folder with a build command, and with the program of attacks in it, which anybody may run.
fn submission(field: &AttackTargets, build: &str) {
    let folder = field.path("own");
    let manifest =
        format!("name = \"own\"\ncommand = [\"build/bot\"]\nbuild = [\"sh\", \"-c\", {build:?}]\n");
    fs::write(folder.join("bot.toml"), manifest).expect("a manifest");
    fs::copy(program("attack"), folder.join("attack")).expect("a program");
    fs::set_permissions(folder.join("attack"), fs::Permissions::from_mode(0o755)).expect("a program");
}

/// Builds it and plays a short match, with new results each time.
fn play(who: ArenaUser, level: SandboxLevel, field: &AttackTargets, words: &[&str]) -> Output {
    let _ = fs::remove_file(field.path("home/r.db")); // usually there is none
    let mut command = who.command(&program("leyden"));
    command.args(["match", "--sandbox", level.name(), "--target", "1", "--jobs", "1"]);
    command.args(["--turn", "100s", "--startup", "100s"]);
    command.args(["--results", &field.text("home/r.db")]).args(words);
    command.arg(field.path("own")).arg("builtin:random").current_dir(field.path("home"));
    command.env("LEYDEN_TEST_SECRET", "not for builds").output().expect("leyden runs")
}

/// The output of a build that finally fails.
fn said(who: ArenaUser, level: SandboxLevel, field: &AttackTargets, build: &str, words: &[&str]) -> String {
    submission(field, &format!("{build}; exit 3"));
    let output = play(who, level, field, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("exit status: 3"), "{who:?} at {level}: {said}");
    said
}

fn each_level(call: impl Fn(ArenaUser, SandboxLevel)) {
    for who in ArenaUser::everybody() {
        who.levels().into_iter().for_each(|level| call(who, level));
    }
}

/// Attacks that succeed without a sandbox and are held from `restrict` on.
const ATTACKS: [&str; 10] = [
    "read FIELD/opponent/bot.py",
    "read FIELD/home/notes",
    "read FIELD/results.db",
    "write FIELD/opponent",
    "write FIELD/own",
    "fill FIELD/opponent",
    "tcp TCP",
    "udp UDP",
    "unix FIELD/socket",
    "io-uring",
];

#[test]
fn build_attacks_succeed_only_without_a_sandbox() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        for attack in ATTACKS {
            let folder = field.text("");
            let words = attack.replace("TCP", &field.tcp).replace("UDP", &field.udp);
            let words = words.replace("FIELD/", &folder);
            let shown = said(who, level, &field, &format!("./attack {words}"), &[]);
            let held = shown.contains("held: ");
            assert!(held != shown.contains("succeeded: "), "{who:?} at {level}, {attack}: {shown}");
            assert_eq!(held, level != SandboxLevel::None, "{who:?} at {level}, {attack}: {shown}");
        }
    });
}

#[test]
fn builds_have_the_network_if_allowed() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let build = format!("./attack tcp {}", field.tcp);
        let shown = said(who, level, &field, &build, &["--build-network"]);
        assert!(shown.contains("succeeded: "), "{who:?} at {level}: {shown}");
    });
}

/// Where the files of others cannot be protected from chmod, a build believes that it has changed modes, but has not.
#[test]
fn sandboxed_build_changes_only_its_own_modes() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let notes = field.path("home/notes");
        let mode = || notes.metadata().expect("it is there").permissions().mode() & 0o777;
        let before = mode();
        said(who, level, &field, &format!("chmod 600 {}", notes.display()), &[]);
        assert_eq!(mode() == before, level != SandboxLevel::None, "{who:?} at {level}");
    });
    each_level(|who, level| {
        let field = AttackTargets::new();
        let script = "mkdir build && echo '#!/bin/sh' > build/bot && echo 'exec /leyden-is-not-here' >> build/bot \
                      && chmod +x build/bot";
        submission(&field, script);
        let output = play(who, level, &field, &["--json"]);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        let events = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            events.contains("127"),
            "its program ran, and found none: {who:?} at {level}: {shown} {events}"
        );
        assert!(!field.path("own/build").exists(), "what was handed in stays as it is");
    });
}

/// Links that a build puts in the place of its folders lead nowhere: the arena changes nothing at their target, and the bot sees none.
#[test]
fn build_cannot_link_its_folders_elsewhere() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let others = field.path("opponent");
        let state =
            || (others.join("bot.py").exists(), others.metadata().expect("a folder").permissions().mode());
        let before = state();
        let program = "mkdir build && printf '#!/bin/sh\nexit 7\n' > build/bot && chmod +x build/bot";
        let linked = |place: &str| {
            submission(&field, &format!("{program} && rm -rf {place} && ln -s {} {place}", others.display()));
            let output = play(who, level, &field, &["--json"]);
            String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned()
        };
        let shown = linked("$HOME");
        assert!(shown.contains("exit code 7"), "it was built: {who:?} at {level}: {shown}");
        let shown = linked("../bot");
        assert!(shown.contains("is not a folder any more"), "{who:?} at {level}: {shown}");
        assert_eq!(state(), before, "{who:?} at {level}");
    });
}

#[test]
fn build_has_a_clean_environment_and_own_home() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let shown = said(who, level, &field, "env; touch $HOME/x $TMPDIR/y && echo written", &[]);
        assert!(!shown.contains("LEYDEN_TEST_SECRET"), "{who:?} at {level}: {shown}");
        assert!(shown.contains("PATH=") && shown.contains("written"), "{who:?} at {level}: {shown}");
    });
}

#[test]
fn build_time_and_output_are_limited_without_leftovers() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        submission(&field, "while :; do sleep 1; done");
        let output = play(who, level, &field, &["--build-time", "1s"]);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(shown.contains("--build-time"), "{who:?} at {level}: {shown}");

        submission(&field, "yes; exit 3");
        let output = play(who, level, &field, &["--build-time", "10m"]);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(shown.contains("it printed more than"), "{who:?} at {level}: {shown}");

        let mark = format!("mark-build-{level}-{who:?}-{}", std::process::id());
        said(who, level, &field, &format!("./attack daemon {mark}"), &[]);
        let mut patience = Patience::new(Duration::from_secs(10));
        while !processes_with(&mark).is_empty() {
            assert!(patience.waits(), "{who:?} at {level}: {:?}", processes_with(&mark));
        }
    });
}

/// A compiler in somebody's home folder, as installed by version managers.
#[test]
fn build_sees_tools_anywhere_on_the_search_path() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let version = field.path("home/.nvm/versions/node/v20");
        for folder in ["bin", "lib"] {
            fs::create_dir_all(version.join(folder)).expect("a folder");
        }
        fs::write(version.join("bin/tool"), "#!/bin/sh\ncat $(dirname $0)/../lib/part\n").expect("a tool");
        fs::write(version.join("lib/part"), "the part is seen\n").expect("a part");
        fs::set_permissions(version.join("bin/tool"), fs::Permissions::from_mode(0o755)).expect("a tool");
        submission(&field, &format!("tool; cat {}; exit 3", field.text("home/notes")));
        let mut command = who.command(&program("leyden"));
        let path = format!("{}:/usr/bin:/bin", version.join("bin").display());
        command.args(["match", "--sandbox", level.name(), "--results", &field.text("home/r.db")]);
        command.arg(field.path("own")).arg("builtin:random").current_dir("/");
        let output = command.env("PATH", path).env("HOME", field.path("home")).output().expect("leyden runs");
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(shown.contains("the part is seen"), "{who:?} at {level}: {shown}");
        assert_eq!(
            shown.contains("not for others"),
            level == SandboxLevel::None,
            "{who:?} at {level}: {shown}"
        );
    });
}

#[test]
fn handed_in_build_output_is_not_played() {
    let field = AttackTargets::new();
    submission(&field, "true");
    let handed_in = field.path("own/build");
    fs::create_dir(&handed_in).expect("a folder");
    fs::copy(Path::new("/bin/sh"), handed_in.join("bot")).expect("a program that was not built");
    let output = play(ArenaUser::Us, SandboxLevel::None, &field, &[]);
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.contains("build/bot") && shown.contains("does not exist"), "{shown}");
}

/// Memory is limited at every level; the control is the same build with a sufficient limit.
#[test]
fn build_is_limited_in_memory() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let shown = said(who, level, &field, "./attack memory", &["--build-memory", "512MB"]);
        assert!(shown.contains("held: "), "{who:?} at {level}: {shown}");
        let shown = said(who, level, &field, "./attack memory", &["--build-memory", "2GB"]);
        assert!(shown.contains("succeeded: "), "{who:?} at {level}: {shown}");
    });
}

/// Memory that is no longer written to is in no limit of a process: the arena checks it.
#[test]
fn build_that_hides_its_memory_is_ended() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        submission(&field, "sleep 1000 | ./attack hide-memory; exit 3");
        let output = play(who, level, &field, &["--build-memory", "512MB", "--build-time", "10m"]);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            shown.contains("--build-memory") || level == SandboxLevel::Full,
            "{who:?} at {level}: {shown}"
        );
        // The control ends by itself: nothing writes to it.
        let shown = said(who, level, &field, "./attack hide-memory </dev/null", &["--build-memory", "2GB"]);
        assert!(shown.contains("left alone"), "{who:?} at {level}: {shown}");
    });
}

#[test]
fn build_is_limited_in_file_and_total_size() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        // None of its blocks is written.
        let long = |megabytes: u32| format!("truncate -s {megabytes}M file && echo made $((1 + 1)) times");
        let shown = said(who, level, &field, &long(1_000), &[]);
        assert!(shown.contains("made 2 times"), "{who:?} at {level}: {shown}");
        let shown = said(who, level, &field, &long(1_100), &[]);
        assert!(!shown.contains("made 2 times"), "{who:?} at {level}: {shown}");

        // What counts is the files' size, not how long it took to write them.
        let many = |files: u32| {
            format!(
                "for i in $(seq {files}); do fallocate -l 700M file$i || exit 4; done; echo wrote $((1 + 1)) times; exit 3"
            )
        };
        submission(&field, &many(2));
        let shown = String::from_utf8_lossy(&play(who, level, &field, &[]).stderr).into_owned();
        assert!(
            shown.contains("wrote 2 times") && shown.contains("exit status: 3"),
            "{who:?} at {level}: {shown}"
        );
        submission(&field, &many(4));
        let shown = String::from_utf8_lossy(&play(who, level, &field, &[]).stderr).into_owned();
        assert!(shown.contains("it has written more than"), "{who:?} at {level}: {shown}");
    });
}

/// That more than the limit are refused is tested where it is checked.
#[test]
fn build_may_write_a_thousand_files() {
    let field = AttackTargets::new();
    said(ArenaUser::Us, SandboxLevel::None, &field, "mkdir x && cd x && seq 1000 | xargs touch", &[]);
}

/// If root runs the arena, a build belongs to another user, to whom root's home is usually closed.
#[test]
fn tools_in_closed_home_run_or_report_why() {
    let who = ArenaUser::Us;
    if !who.is_root() {
        eprintln!("untested: a home that is closed to builds; an ordinary user's builds are his own");
        return;
    }
    for level in who.levels() {
        let field = AttackTargets::new();
        let tools = field.path("home/.tools/bin");
        fs::create_dir_all(&tools).expect("a folder");
        fs::write(tools.join("tool"), "#!/bin/sh\necho the tool is run\n").expect("a tool");
        fs::set_permissions(tools.join("tool"), fs::Permissions::from_mode(0o755)).expect("a tool");
        fs::set_permissions(field.path("home"), fs::Permissions::from_mode(0o700)).expect("a closed home");
        submission(&field, "tool; exit 3");
        let mut command = who.command(&program("leyden"));
        command.args(["match", "--sandbox", level.name(), "--results", &field.text("home/r.db")]);
        command.arg(field.path("own")).arg("builtin:random").current_dir("/");
        command.env("PATH", format!("{}:/usr/bin:/bin", tools.display())).env("HOME", field.path("home"));
        let output = command.output().expect("leyden runs");
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(shown.contains("the tool is run"), level != SandboxLevel::Restrict, "{level}: {shown}");
        assert_eq!(shown.contains("chmod o+x"), level == SandboxLevel::Restrict, "{level}: {shown}");
    }
}

/// What comes and goes in a folder is not part of the bot: it cannot use it.
#[test]
fn unhashed_files_are_missing_when_the_bot_plays() {
    each_level(|who, level| {
        let field = AttackTargets::new();
        let folder = field.path("own");
        let script = "echo \"sees: $(ls -A | tr '\\n' ' ')\" >&2; exit 7";
        fs::write(
            folder.join("bot.toml"),
            format!("name = \"own\"\ncommand = [\"sh\", \"-c\", {script:?}]\n"),
        )
        .expect("a manifest");
        let play = || {
            let output = play(who, level, &field, &["--json"]);
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        assert!(play().contains("sees: bot.py bot.toml"), "{who:?} at {level}: {}", play());
        for hidden in [".git", "__pycache__"] {
            fs::create_dir(folder.join(hidden)).expect("a folder");
            fs::write(folder.join(hidden).join("notes"), "not hashed").expect("a file");
        }
        assert!(play().contains("sees: bot.py bot.toml"), "{who:?} at {level}: {}", play());
        fs::write(folder.join("notes"), "hashed").expect("a file");
        assert!(play().contains("sees: bot.py bot.toml notes"), "{who:?} at {level}: {}", play());
    });
}
