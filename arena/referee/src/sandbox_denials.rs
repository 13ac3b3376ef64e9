//! Explains what a bot's standard error says about files, connections and calls that the sandbox denies it. Reads the
//! text alone: nothing is looked up, so the message reveals nothing about the outside.

use std::path::{Component, Path, PathBuf};

use leyden_host::sandbox::system_files;
use leyden_host::{BotCommand, ResourceLimits};
use leyden_model::SandboxDenial;

use crate::hidden_paths::{shown, without_folder};

/// Words for a file that cannot be used.
const FILE: [&str; 9] = [
    "No such file or directory",
    "FileNotFoundError",
    "NoSuchFileException",
    "FileNotFoundException",
    "ENOENT",
    "EACCES",
    "Permission denied",
    "cannot open",
    "no such file or directory",
];

/// Words for a file that cannot be written.
const WRITE: [&str; 3] = ["Read-only file system", "EROFS", "read-only file system"];

/// Words for a connection that cannot be made.
const NETWORK: [&str; 12] = [
    "Network is unreachable",
    "Network unreachable",
    "network is unreachable",
    "ENETUNREACH",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "Connection refused",
    "connection refused",
    "Temporary failure in name resolution",
    "Name or service not known",
    "UnknownHostException",
    "URLError",
];

/// Words for a file that does not exist.
const MISSING: [&str; 5] = [
    "No such file or directory",
    "no such file or directory",
    "FileNotFoundError",
    "NoSuchFileException",
    "ENOENT",
];

/// Words for writing too much.
const TOO_MUCH: [&str; 4] = ["File too large", "No space left on device", "ENOSPC", "EFBIG"];

/// Words for a process or thread that cannot be started.
const NO_TASK: [&str; 5] = [
    "can't start new thread",
    "unable to create native thread",
    "failed to create new OS thread",
    "failed to spawn thread",
    "fork: retry",
];

/// Words for a temporary shortage, such as of room for another process.
const TRY_AGAIN: [&str; 2] = ["Resource temporarily unavailable", "EAGAIN"];

/// What lines mention that are about another process or thread.
const TASK: [&str; 5] = ["fork", "thread", "spawn", "clone", "process"];

/// Words for a call that is not allowed.
const NOT_PERMITTED: [&str; 2] = ["Operation not permitted", "EPERM"];

/// What lines mention that are about a session of one's own, which only a child can want, or about a process group.
const SESSION: [&str; 5] = ["setsid", "setpgid", "setpgrp", "start_new_session", "spawn"];

/// Where Python starts a child: a refused session is reported there.
const CHILD_OF_PYTHON: &str = "in _execute_child";

/// Words for a part of the bot that is not found.
const MODULE: [&str; 4] =
    ["ModuleNotFoundError", "No module named", "Cannot find module", "Cannot find package"];

/// Returns why a bot in a sandbox may have failed, if its standard error mentions something that the sandbox denies.
pub(super) fn out_of_reach(said: &str, command: &BotCommand) -> Option<SandboxDenial> {
    let has = |line: &str| {
        let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
        has(&MODULE) || (has(&FILE) && names_no_folder(line))
    };
    if let Some((file, folder)) = alone_of_its_folder(command)
        && said.lines().any(has)
    {
        return Some(SandboxDenial::Crowded { file: shown(&file, command), folder: shown(&folder, command) });
    }
    denied(said, command)
}

/// Returns what the sandbox denies to every bot.
fn denied(said: &str, command: &BotCommand) -> Option<SandboxDenial> {
    let lines = || said.lines().rev();
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    if let Some(path) = lines().filter(|line| has(line, &FILE)).find_map(|line| unseen(line, command)) {
        let has_folder = command.folder.is_some();
        return Some(SandboxDenial::File { path: shown(&path, command), has_folder });
    }
    if let Some(denial) = refused_call(said).or_else(|| nothing_to_write_to(said)) {
        return Some(denial);
    }
    let wants_network =
        || lines().any(|line| has(line, &NETWORK)) || is_said_near(said, &REFUSED, &["socket", "connect "]);
    if !command.network && wants_network() {
        return Some(SandboxDenial::Network);
    }
    lines().find(|line| has(line, &MODULE)).map(|line| missing_module(line, command))
}

/// Returns the module that a line misses.
fn missing_module(line: &str, command: &BotCommand) -> SandboxDenial {
    let quoted = line.split(['\'', '"']).nth(1);
    let module = quoted.filter(|name| !name.starts_with(['.', '/'])).unwrap_or("NAME");
    let module = without_folder(module, command);
    if line.contains("No module named") {
        SandboxDenial::PythonModule { package: module.split('.').next().unwrap_or(&module).to_owned() }
    } else {
        SandboxDenial::NodeModule { package: module }
    }
}

/// Words for a refused socket: the same as for a file.
const REFUSED: [&str; 3] = ["Permission denied", "EACCES", "Operation not permitted"];

/// Whether words occur in a line about something, or at the end of a trace through it: alone they may be about
/// something else.
fn is_said_near(said: &str, words: &[&str], about: &[&str]) -> bool {
    const TRACE: usize = 3;
    let lines: Vec<&str> = said.lines().collect();
    let is_about = |line: &&str| about.iter().any(|about| line.to_lowercase().contains(about));
    let mut indices = (0..lines.len()).filter(|&index| words.iter().any(|word| lines[index].contains(word)));
    indices.any(|index| lines[index.saturating_sub(TRACE)..=index].iter().any(is_about))
}

/// Returns why no process or thread was started, or a call was refused.
fn refused_call(said: &str) -> Option<SandboxDenial> {
    if NO_TASK.iter().any(|word| said.contains(word)) || is_said_near(said, &TRY_AGAIN, &TASK) {
        return Some(SandboxDenial::Tasks { most: ResourceLimits::default().tasks });
    }
    let is_of_session = is_said_near(said, &NOT_PERMITTED, &SESSION)
        || is_said_near(said, &NOT_PERMITTED, &[CHILD_OF_PYTHON]);
    is_of_session.then_some(SandboxDenial::Session)
}

/// Returns why something was not written, or is not found where the bot expects it.
fn nothing_to_write_to(said: &str) -> Option<SandboxDenial> {
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if has(&WRITE) {
        return Some(SandboxDenial::Writing);
    }
    if has(&TOO_MUCH) {
        return Some(SandboxDenial::WritingMuch { most_mb: ResourceLimits::default().scratch >> 20 });
    }
    let of_tmp = |line: &&str| MISSING.iter().any(|word| line.contains(word)) && line.contains("/tmp/");
    said.lines().find(of_tmp).map(|_| SandboxDenial::SharedTmp)
}

/// Returns a file that a command line names although nothing else in its folder is shown, with that folder.
fn alone_of_its_folder(command: &BotCommand) -> Option<(PathBuf, PathBuf)> {
    if command.folder.is_some() {
        return None;
    }
    let words = command.arguments.iter().map(Path::new).chain([command.program.as_path()]);
    let files = words.filter(|word| word.is_file()).filter_map(|word| word.canonicalize().ok());
    let with_folder = files.filter_map(|file| Some((file.clone(), file.parent()?.to_owned())));
    let is_shown = |folder: &Path| {
        let shown = command.reads.iter().chain(&command.lists);
        system_files::is_part(folder) || shown.into_iter().any(|shown| folder.starts_with(shown))
    };
    with_folder.into_iter().find(|(_, folder)| !is_shown(folder))
}

/// Whether a line names files only without a folder, so that they are searched where the bot is.
fn names_no_folder(line: &str) -> bool {
    !line.contains('/')
}

/// Returns a file that a line names and the bot does not see. A name without a folder does not count: it may be the
/// bot's own.
fn unseen(line: &str, command: &BotCommand) -> Option<PathBuf> {
    let is_border = |c: char| c.is_whitespace() || "'\"`‘’“”()[]<>,;".contains(c);
    let words =
        line.split(is_border).map(|word| word.trim_end_matches([':', '.'])).filter(|word| word.contains('/'));
    words
        .filter_map(|word| full(Path::new(word), command.folder.as_deref()))
        .find(|path| !is_seen(path, command))
}

/// Returns the path from the root, without `..`; `None` if its start is unknown.
fn full(path: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    let mut full = if path.is_absolute() { PathBuf::new() } else { folder?.to_owned() };
    for part in path.components() {
        match part {
            Component::ParentDir => drop(full.pop()),
            Component::CurDir => {}
            part => full.push(part),
        }
    }
    Some(full)
}

fn is_seen(path: &Path, command: &BotCommand) -> bool {
    let own = command.folder.iter().chain(&command.reads).chain([&command.program]);
    let named = command.arguments.iter().any(|word| path == Path::new(word));
    // The bot has its own version of these.
    let private = ["/tmp", "/proc", "/dev", "/etc"].iter().any(|folder| path.starts_with(folder));
    named || private || system_files::is_part(path) || own.into_iter().any(|own| path.starts_with(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(said: &str) -> Option<String> {
        reason_with(said, false)
    }

    fn reason_with(said: &str, network: bool) -> Option<String> {
        let command = BotCommand {
            program: "/usr/bin/python3".into(),
            arguments: vec!["bot.py".into()],
            folder: Some("/class/ann".into()),
            reads: vec!["/data/words".into()],
            lists: Vec::new(),
            network,
        };
        out_of_reach(said, &command).map(|denial| denial.to_string())
    }

    #[test]
    fn file_outside_is_named() {
        for (said, path) in [
            (
                "FileNotFoundError: [Errno 2] No such file or directory: '/home/ann/book.txt'",
                "/home/ann/book.txt",
            ),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: '../shared/book.txt'",
                "…/shared/book.txt",
            ),
            ("Error: ENOENT: no such file or directory, open '/srv/model.bin'", "/srv/model.bin"),
            ("cat: /srv/x: Permission denied", "/srv/x"),
            ("java.io.FileNotFoundException: /srv/x (No such file or directory)", "/srv/x"),
        ] {
            let explained = reason(said).unwrap_or_default();
            assert!(explained.contains(&format!("{path} is not part of that")), "{said}: {explained}");
        }
    }

    #[test]
    fn explanation_says_when_only_the_script_is_visible() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut command = BotCommand {
            program: "/usr/bin/python3".into(),
            arguments: vec![folder.join("lib.rs").into()],
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
            network: false,
        };
        for said in ["No module named 'moves'", "FileNotFoundError: No such file or directory: 'book.txt'"] {
            let denial = out_of_reach(said, &command).unwrap();
            assert!(matches!(denial, SandboxDenial::Crowded { .. }), "{denial}");
            assert!(denial.to_string().contains("a folder of its own"), "{denial}");
        }
        command.lists.push(folder);
        let package = "numpy".to_owned();
        let denial = out_of_reach("No module named 'numpy'", &command);
        assert_eq!(denial, Some(SandboxDenial::PythonModule { package }));
    }

    #[test]
    fn errors_on_visible_paths_get_no_sandbox_explanation() {
        for said in [
            "FileNotFoundError: [Errno 2] No such file or directory: '/class/ann/book.txt'",
            "FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'",
            "FileNotFoundError: [Errno 2] No such file or directory: './data/book.txt'",
            "cannot open /usr/share/dict/words",
            "cannot open /data/words/a",
            "open /tmp/x: Permission denied",
            "ValueError: no idea",
            "",
        ] {
            assert_eq!(reason(said), None, "{said}");
        }
    }

    #[test]
    fn explanation_states_the_limits_in_numbers() {
        let fork = "  File \"bot.py\", line 7, in <module>\n    if os.fork()==0:\n       ^^^^^^^^^\n";
        let again = "BlockingIOError: [Errno 11] Resource temporarily unavailable";
        for said in [
            &*format!("{fork}{again}"),
            "RuntimeError: can't start new thread",
            "Error: spawn sh EAGAIN",
            "bot.sh: fork: retry: Resource temporarily unavailable",
            "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory",
        ] {
            assert!(reason(said).unwrap_or_default().contains("128 processes and threads"), "{said}");
        }
        assert_eq!(reason(&format!("    line = sys.stdin.read(1)\n{again}")), None, "it speaks of its input");
        for said in ["OSError: [Errno 27] File too large", "ENOSPC: no space left on device, write"] {
            assert!(reason(said).unwrap_or_default().contains("64 MB in all"), "{said}");
        }
        let outside = reason("FileNotFoundError: [Errno 2] No such file or directory: '/tmp/book.txt'");
        assert!(outside.unwrap_or_default().contains("/tmp is the bot's own"));
    }

    #[test]
    fn refused_setsid_call_is_explained_in_words() {
        let refused = "PermissionError: [Errno 1] Operation not permitted";
        let own = "  File \"bot.py\", line 2, in <module>\n    os.setsid()\n";
        let child = "  File \"/usr/lib/python3.11/subprocess.py\", line 1901, in _execute_child\n    raise \
                     child_exception_type(errno_num, err_msg, err_filename)\n";
        for said in [&*format!("{own}{refused}"), &*format!("{child}{refused}"), "Error: spawn sh EPERM"] {
            assert!(reason(said).unwrap_or_default().contains("without setsid"), "{said}");
        }
        assert_eq!(reason(&format!("    os.nice(-5)\n{refused}")), None, "it speaks of something else");
    }

    #[test]
    fn granted_network_is_not_called_missing() {
        assert_eq!(reason_with("ConnectionRefusedError: [Errno 111] Connection refused", true), None);
    }

    #[test]
    fn connections_writing_and_modules_have_their_own_words() {
        assert!(reason("OSError: [Errno 101] Network is unreachable").unwrap().contains("no network"));
        for refused in [
            "  File \"/usr/lib/python3.11/socket.py\", line 232, in __init__\n    _socket.socket.__init__(self, family, type, proto, fileno)\n\
             PermissionError: [Errno 13] Permission denied",
            "Error: connect EACCES 127.0.0.1:9",
            "java.net.SocketException: Operation not permitted",
        ] {
            assert!(reason(refused).unwrap().contains("no network"), "{refused}");
        }
        assert_eq!(
            reason("the socket is ready\n1\n2\n3\nPermission denied"),
            None,
            "it speaks of something else"
        );
        assert!(reason("OSError: [Errno 30] Read-only file system: 'log'").unwrap().contains("only to /tmp"));
        let numpy = reason("ModuleNotFoundError: No module named 'numpy.linalg'").unwrap();
        assert!(
            numpy.contains("under /usr") && numpy.contains("pip install --target lib numpy\n"),
            "{numpy}"
        );
        let lodash = reason("Error: Cannot find module 'lodash'").unwrap();
        assert!(lodash.ends_with("npm install lodash"), "{lodash}");
    }
}
