//! Why a file cannot be run as a program, found in its content. Runs nothing, and opens only regular files.

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use leyden_model::ExecObstacle;
use rustix::fs::OFlags;

/// How much of a file is read: the longest first line that Linux looks at.
const HEAD: u64 = 256;

/// The processors that ELF files name (`e_machine`; System V ABI, and the registry it refers to), by their Rust names.
const MACHINES: [(u16, &str); 8] = [
    (3, "x86"),
    (21, "powerpc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
    (258, "loongarch64"),
];

/// Writes a path as the reader may see it.
type Shown<'a> = &'a dyn Fn(&Path) -> String;

/// Returns why the system does not run a program; `None` if no reason is found.
pub fn why_unrunnable(program: &Path, shown: Shown<'_>) -> Option<ExecObstacle> {
    bad_program(program, shown).or_else(|| closed_folder(program, shown))
}

/// Returns what is wrong with a file as a program, even if it did run: a shell runs a file that does not name its
/// interpreter as its own script.
pub fn bad_program(path: &Path, shown: Shown<'_>) -> Option<ExecObstacle> {
    let program = shown(path);
    let found = fs::metadata(path).ok()?;
    if found.is_dir() {
        return Some(ExecObstacle::Folder { program });
    }
    if found.permissions().mode() & 0o111 == 0 {
        return Some(ExecObstacle::NotExecutable { program });
    }
    let mut head = Vec::new();
    let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC).bits().cast_signed();
    let opened = OpenOptions::new().read(true).custom_flags(flags).open(path).ok();
    if let Some(file) = opened.filter(|_| found.is_file()) {
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    built_elsewhere(&program, &head).or_else(|| bad_first_line(program, shown, &head))
}

/// A program for another processor or another system.
fn built_elsewhere(program: &str, head: &[u8]) -> Option<ExecObstacle> {
    let program = program.to_owned();
    if let Some(elf) = head.strip_prefix(b"\x7fELF") {
        let [class, order, ..] = *elf else { return None };
        let bytes: [u8; 2] = head.get(18..20)?.try_into().ok()?;
        let machine = if order == 2 { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        let here = std::env::consts::ARCH;
        let processor = MACHINES
            .iter()
            .find(|(number, _)| *number == machine)
            .map_or("another processor", |(_, name)| name);
        let is_ours = processor == here || (class == 1 && (processor, here) == ("x86", "x86_64"));
        let (built_for, here) = (processor.to_owned(), here.to_owned());
        return (!is_ours).then_some(ExecObstacle::OtherProcessor { program, built_for, here });
    }
    let system = match head {
        [b'M', b'Z', ..] => "Windows",
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] if !cfg!(target_os = "macos") => {
            "macOS"
        }
        _ => return None,
    };
    Some(ExecObstacle::OtherSystem { program, built_for: system.to_owned() })
}

/// A script whose first line does not say what runs it.
fn bad_first_line(program: String, shown: Shown<'_>, head: &[u8]) -> Option<ExecObstacle> {
    if head.strip_prefix(b"\xef\xbb\xbf").is_some_and(|rest| rest.starts_with(b"#!")) {
        return Some(ExecObstacle::ByteOrderMark { program });
    }
    let Some(line) = head.strip_prefix(b"#!") else {
        let is_text = !head.is_empty() && !head.contains(&0) && !head.starts_with(b"\x7fELF");
        return is_text.then_some(ExecObstacle::NoFirstLine { program });
    };
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).into_owned();
    if line.contains('\r') {
        return Some(ExecObstacle::WindowsLines { program });
    }
    let mut words = line.split_whitespace();
    let Some(interpreter) = words.next() else {
        return Some(ExecObstacle::NoInterpreter { program });
    };
    if !Path::new(interpreter).exists() {
        let interpreter = shown(Path::new(interpreter));
        return Some(ExecObstacle::MissingInterpreter { program, interpreter });
    }
    let name = words.find(|word| !word.starts_with('-')).filter(|_| interpreter.ends_with("/env"))?;
    let search = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&search).any(|folder| folder.join(name).is_file());
    (!is_there).then(|| ExecObstacle::NotInstalled { program, interpreter: shown(Path::new(name)) })
}

/// A folder in the path that bots may not enter, because they run as another user if root runs the arena.
fn closed_folder(program: &Path, shown: Shown<'_>) -> Option<ExecObstacle> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let closed = program.ancestors().skip(1).find(|folder| {
        fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 == 0 && found.uid() == 0)
    })?;
    Some(ExecObstacle::ClosedFolder { folder: shown(closed) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(program: &Path) -> Option<String> {
        why_unrunnable(program, &|path| path.display().to_string()).map(|why| why.to_string())
    }

    fn says(name: &str, content: &[u8], mode: u32) -> String {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        why(&path).unwrap_or_default()
    }

    #[test]
    fn unrunnable_program_is_explained_with_a_remedy() {
        let elf = |machine: u16| {
            [&b"\x7fELF\x02\x01\x01"[..], &[0; 9], &[2, 0], &machine.to_le_bytes(), &[0; 40]].concat()
        };
        let other = if cfg!(target_arch = "aarch64") { 62 } else { 183 };
        for (content, mode, expected) in [
            (&b"print()"[..], 0o644, "chmod +x"),
            (b"print()", 0o755, "does not say in its first line"),
            (b"#!/usr/bin/env python3\r\nprint()\r\n", 0o755, "\\r\\n"),
            (b"#!/no/such/program\n", 0o755, "/no/such/program"),
            (b"#!/usr/bin/env no-such-program\n", 0o755, "no-such-program, which"),
            (b"#! \n", 0o755, "names no program"),
            (b"\xef\xbb\xbf#!/bin/sh\n", 0o755, "byte order mark"),
            (b"MZ\0\0", 0o755, "built for Windows"),
            (&elf(other), 0o755, "this machine is"),
        ] {
            let said = says("bot", content, mode);
            assert!(said.contains(expected), "{expected}: {said}");
        }
        assert_eq!(says("bot", b"#!/bin/sh\n", 0o755), "");
        let ours = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(says("bot", &ours[..HEAD as usize], 0o755), "");
    }

    #[test]
    fn folder_is_explained_but_missing_path_is_not() {
        let folder = tempfile::tempdir().unwrap();
        assert!(why(folder.path()).unwrap().contains("is a folder"));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(why(&folder.path().join("gone")), None);
    }

    #[test]
    fn root_only_folder_is_explained_to_root() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot");
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        let said = why(&path);
        assert_eq!(
            said.is_some_and(|said| said.contains("chmod o+rx")),
            rustix::process::geteuid().is_root()
        );
    }
}
