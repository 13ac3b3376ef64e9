//! The table of attacks.

use std::fs::File;
use std::os::fd::AsRawFd;

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::program;

use crate::field::{ArenaUser, AttackTargets};

/// An attack, and the lowest level that holds it.
struct Attack {
    words: Vec<String>,
    held_from: SandboxLevel,
    /// Whether it needs root to succeed.
    needs_root: bool,
    /// The error of the system at `restrict` and above, where one is promised.
    answers: Option<[i32; 2]>,
}

/// Held by the filter of system calls at every level that has one.
const REFUSED: [i32; 2] = [libc::EPERM; 2];
const UNKNOWN: [i32; 2] = [libc::ENOSYS; 2];

/// A process outside must not be signalled, and is not even visible at levels with their own process ids.
const NOT_SEEN: [i32; 2] = [libc::EPERM, libc::ESRCH];

/// The error by the first word of an attack. C libraries choose their fallback by it: an unknown call is not implemented, as
/// on an older kernel; a known one that is refused is not permitted.
const ANSWERS: &[(&str, [i32; 2])] = &[
    ("clone3", UNKNOWN),
    ("unknown-call", UNKNOWN),
    ("x32", UNKNOWN),
    ("user-namespace", REFUSED),
    ("mount-namespace", REFUSED),
    ("clone-namespace", REFUSED),
    ("io-uring", REFUSED),
    ("keyring", REFUSED),
    ("ptrace", REFUSED),
    ("ptrace-parent", REFUSED),
    ("affinity", REFUSED),
    ("memfd", REFUSED),
    ("sysv-memory", REFUSED),
    ("timer-that-continues", REFUSED),
    ("signal-by-file", REFUSED),
    ("signal-at-end-of-child", REFUSED),
    ("signal-at-end-of-parent", REFUSED),
    ("record-lock", REFUSED),
    ("descriptor-lock", REFUSED),
    ("file-watch", REFUSED),
    ("semaphores", REFUSED),
    ("messages", REFUSED),
    ("queue", REFUSED),
    ("queue-that-continues", REFUSED),
    ("segment", REFUSED),
    ("asynchronous-io", REFUSED),
    ("times", REFUSED),
    ("owner", REFUSED),
    ("attribute", REFUSED),
    ("adopt-orphans", REFUSED),
    ("exact-timers", REFUSED),
    ("limits-of", REFUSED),
    ("priority-of", REFUSED),
    ("io-priority-of", REFUSED),
    ("scheduling-of", REFUSED),
    ("pages-in-memory", REFUSED),
    ("page-out", REFUSED),
    ("cold", REFUSED),
    ("room-at", REFUSED),
    ("growing-downwards", REFUSED),
    ("become-root", REFUSED),
    ("lease", REFUSED),
    ("real-time", REFUSED),
    ("signal", NOT_SEEN),
    ("signal-to-thread", NOT_SEEN),
    ("signal-with-value", REFUSED),
    ("fill-by-advice", REFUSED),
    ("fill-by-mapping", REFUSED),
    ("lock-memory", REFUSED),
    ("shared-futex", REFUSED),
    ("urgent-byte", REFUSED),
    ("socket-filter", REFUSED),
    ("send-descriptor", UNKNOWN),
    ("signal-by-descriptor", NOT_SEEN),
];

/// Attacks that `restrict` and every level above hold.
const HELD_FROM_RESTRICT: &[&str] = &[
    "read FIELD/opponent/bot.py",
    "read FIELD/home/notes",
    "read FIELD/results.db",
    "write FIELD/opponent",
    "write FIELD/own",
    "truncate FIELD/results.db",
    "proc ARENA cmdline",
    "proc ARENA environ",
    "proc-mem ARENA",
    "proc OPPONENT cmdline",
    "proc OPPONENT environ",
    "proc-mem OPPONENT",
    "ptrace ARENA",
    "ptrace OPPONENT",
    "ptrace-parent",
    "memory-of-parent",
    "signal ARENA",
    "signal OPPONENT",
    "signal-to-thread ARENA",
    "signal-to-thread OPPONENT",
    "signal-with-value ARENA",
    "signal-with-value OPPONENT",
    "signal-by-descriptor ARENA",
    "signal-by-descriptor OPPONENT",
    "signal-everybody",
    "user-namespace",
    "mount-namespace",
    "clone-namespace",
    "clone3",
    "io-uring",
    "keyring",
    "x32",
    "vsock",
    "netlink",
    "affinity",
    "session",
    "memory",
    "shared-memory",
    "memfd",
    "sysv-memory",
    "fill FIELD/opponent",
    "fill FIELD/own",
    "fill /tmp",
    "fill /dev/shm",
    "tcp TCP",
    "udp UDP",
    "abstract ABSTRACT",
    "unix FIELD/socket",
    "timer-that-continues",
    "signal-by-file",
    "signal-at-end-of-child",
    "signal-at-end-of-parent",
    "record-lock /usr/bin/env",
    "descriptor-lock /usr/bin/env",
    "flock /usr/bin/env",
    "file-watch /usr/bin/env",
    "semaphores",
    "messages",
    "queue",
    "queue-that-continues",
    "segment SEGMENT",
    "asynchronous-io",
    "times /dev/null",
    "times FIELD/home/notes",
    "mode FIELD/home/notes",
    "owner FIELD/home/notes",
    "attribute FIELD/home/notes",
    "limits-of ARENA",
    "limits-of OPPONENT",
    "priority-of ARENA",
    "priority-of OPPONENT",
    "io-priority-of ARENA",
    "io-priority-of OPPONENT",
    "scheduling-of ARENA",
    "scheduling-of OPPONENT",
    "clock-of ARENA",
    "clock-of OPPONENT",
    "end-of OPPONENT",
    "shared-pages /usr/bin/env",
    "pages-in-memory /usr/bin/env",
    "page-out /usr/bin/env",
    "cold /usr/bin/env",
    "room-at /usr/bin/env",
    "adopt-orphans",
    "exact-timers",
    "fill-by-advice",
    "fill-by-mapping",
    "lock-memory",
    "shared-futex /usr/bin/env",
    "urgent-byte",
    "socket-filter",
    "send-descriptor",
    "personality",
    "segment-table",
    "old-call",
    "key",
    "page-faults",
    "spliced-file /usr/bin/env",
    "spliced-memory",
    "compare OPPONENT",
    "robust-list OPPONENT",
    "file-handle /usr/bin/env",
    "file-notices",
    "crypto-socket",
    "terminal",
    "secret-memory",
    "moved-pages",
    "filter",
    "growing-downwards",
    "stack",
    "unknown-call",
    "read /proc/loadavg",
    "read /proc/meminfo",
    "read /proc/stat",
    "read /proc/vmstat",
    "read /proc/uptime",
    "read /sys/kernel/mm/transparent_hugepage/khugepaged/full_scans",
    "read /proc/sys/fs/file-nr",
];

/// What some kernels do not have.
const MISSING: [&str; 6] =
    ["x32", "segment-table", "old-call", "crypto-socket", "secret-memory", "page-faults"];

impl Attack {
    /// Whether it was held with the promised error, if one is promised.
    fn is_answered(&self, level: SandboxLevel, why: &str) -> bool {
        let answer = self.answers.map(|answers| answers[usize::from(level > SandboxLevel::Restrict)]);
        answer.is_none_or(|answer| why.ends_with(&format!("(os error {answer})")))
    }
}

fn attack(field: &AttackTargets, line: &str, held_from: SandboxLevel) -> Attack {
    let word = |word: &str| match word {
        "TCP" => field.tcp.clone(),
        "UDP" => field.udp.clone(),
        "ABSTRACT" => field.abstract_name.clone(),
        "SEGMENT" => field.segment.to_string(),
        _ => word.strip_prefix("FIELD/").map_or_else(|| word.to_owned(), |name| field.text(name)),
    };
    let name = line.split(' ').next();
    let answers = ANSWERS.iter().find(|(of, _)| Some(*of) == name).map(|(_, answers)| *answers);
    Attack { words: line.split(' ').map(word).collect(), held_from, needs_root: false, answers }
}

fn all(field: &AttackTargets, who: ArenaUser) -> Vec<Attack> {
    let mut all: Vec<Attack> =
        HELD_FROM_RESTRICT.iter().map(|line| attack(field, line, SandboxLevel::Restrict)).collect();
    // Tasks are counted per user, and only root gives each bot its own user.
    all.push(attack(
        field,
        "fork-bomb",
        if who.is_root() { SandboxLevel::Restrict } else { SandboxLevel::Jail },
    ));
    all.push(attack(field, "memory-of-eight", SandboxLevel::Full));
    for line in ["become-root", "lease /usr/bin/env", "real-time"] {
        all.push(Attack { needs_root: true, ..attack(field, line, SandboxLevel::Restrict) });
    }
    if let Some(procs) = AttackTargets::processes_of_our_group() {
        let line = format!("leave-group {procs}");
        all.push(Attack { needs_root: true, ..attack(field, &line, SandboxLevel::Restrict) });
    }
    all
}

/// Tries an attack. If it prints nothing, starting it failed; then it is tried again.
fn run(
    who: ArenaUser,
    level: SandboxLevel,
    field: &AttackTargets,
    words: &[String],
) -> Result<String, String> {
    let program = program("attack").display().to_string();
    let words: Vec<&str> = std::iter::once(&*program).chain(words.iter().map(String::as_str)).collect();
    let mut complaints = Vec::new();
    for pause in 1..=5 {
        let output = who.in_sandbox(level, &field.path("own"), &words);
        let said = String::from_utf8_lossy(&output.stdout);
        let said = said.trim();
        if let Some(what) = said.strip_prefix("succeeded: ") {
            return Ok(what.to_owned());
        }
        if let Some(why) = said.strip_prefix("held: ") {
            return Err(why.to_owned());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        // Stopped by force, which happens to no attack without a sandbox.
        if level == SandboxLevel::Full && complaint.contains("Signal") {
            return Err("killed".to_owned());
        }
        eprintln!("not tried as {who:?} at {level}: {words:?}: {said} {complaint}");
        complaints.push(format!("{}: {said} {complaint}", output.status));
        std::thread::sleep(std::time::Duration::from_secs(pause));
    }
    panic!("{words:?} at {level} was never tried:\n{}", complaints.join("\n"));
}

/// Some file systems have no attributes.
fn is_without_attributes(why: &str) -> bool {
    why.ends_with(&format!("(os error {})", libc::EOPNOTSUPP))
}

/// Every attack at one level. Those that this kernel does not even have are reported.
fn run_all(who: ArenaUser, level: SandboxLevel) {
    let field = AttackTargets::new();
    let mut wrong = Vec::new();
    for attack in all(&field, who) {
        if attack.needs_root && !who.is_root() {
            continue;
        }
        let outcome = run(who, level, &field, &attack.words);
        let words = attack.words.join(" ");
        match outcome {
            Err(why) if level >= attack.held_from && !attack.is_answered(level, &why) => {
                wrong.push(format!("{words} was held by another answer than {:?}: {why}", attack.answers));
            }
            Ok(what) if level >= attack.held_from => wrong.push(format!("{words} succeeded: {what}")),
            Err(why) if level == SandboxLevel::None => {
                // Not available on this machine at all.
                let known = MISSING.contains(&&*words) || is_without_attributes(&why);
                if !known {
                    wrong.push(format!("{words} should succeed without a sandbox: {why}"));
                }
                eprintln!("untested: {words}: {why}");
            }
            outcome => eprintln!("{who:?} at {level}: {words}: {outcome:?}"),
        }
    }
    assert!(wrong.is_empty(), "{who:?} at {level}:\n{}", wrong.join("\n"));
}

#[test]
fn attacks_succeed_unsandboxed_and_fail_from_their_level() {
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            run_all(who, level);
        }
    }
}

#[test]
fn descriptor_never_leaks_to_a_bot() {
    let field = AttackTargets::new();
    let secret = File::open(field.path("results.db")).expect("a file");
    rustix::io::fcntl_setfd(&secret, rustix::io::FdFlags::empty()).expect("it can be inherited");
    assert!(secret.as_raw_fd() >= 3);
    // The control, without the arena in between.
    let direct = std::process::Command::new(program("attack")).arg("leaked").output().expect("it runs");
    assert!(direct.stdout.starts_with(b"succeeded"), "{direct:?}");
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let outcome = run(who, level, &field, &["leaked".to_owned()]);
            assert!(outcome.is_err(), "{who:?} at {level}: {outcome:?}");
        }
    }
}

/// Where the arena itself may ask for realtime scheduling, as on machines set up for sound, its bots may not.
#[test]
fn sandboxed_bot_inherits_no_priority_on_the_core() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let few = Rlimit { current: Some(5), maximum: Some(5) };
    if [Resource::Rtprio, Resource::Nice].into_iter().any(|resource| setrlimit(resource, few).is_err()) {
        eprintln!("untested: an arena that may have a better turn on the core; only root can give it that");
        return;
    }
    let field = AttackTargets::new();
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let outcome = run(who, level, &field, &["better-turn".to_owned()]);
            assert_eq!(outcome.is_ok(), level == SandboxLevel::None, "{who:?} at {level}: {outcome:?}");
        }
    }
}
