//! Which bots are found in what was typed or handed in, and why the rest are none.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use leyden_host::{BuildLimits, Launcher};

use super::plain_names::MANIFEST;
use super::*;

fn nothing_around() -> Launcher {
    Launcher::new("/leyden".into())
}

fn builder(launcher: &Launcher) -> Builder<'_> {
    Builder { launcher, limits: BuildLimits::default(), stopped: &|| false, kept: None }
}

fn bot_in(folder: &Path, manifest: &str) -> Result<Vec<Competitor>, UnusableBotError> {
    fs::write(folder.join(MANIFEST), manifest).unwrap();
    let mut found = find(&[folder.display().to_string()], Path::new("/leyden")).unwrap();
    found.left_out.pop().map_or(Ok(found.bots), Err)
}

#[test]
fn folder_is_a_bot_by_its_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "name = \"ann\"\ncommand = [\"sh\", \"-c\", \"exit 1\"]\nlanguage = \"sh\"\n";
    let bots = bot_in(folder.path(), manifest).unwrap();
    assert_eq!(bots.len(), 1);
    assert_eq!((bots[0].name.as_str(), bots[0].words.join(" ").as_str()), ("ann", "sh -c exit 1"));
    let mut bot = bots[0].clone();
    bot.prepare(builder(&nothing_around())).unwrap();
    assert!(bot.command.program.is_absolute());

    fs::write(folder.path().join("extra"), "x").unwrap();
    assert_ne!(bot_in(folder.path(), manifest).unwrap()[0].hash, bots[0].hash);
}

#[test]
fn wrong_manifest_is_reported_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    for (manifest, says) in [
        ("name = \"a\"\ncommand = [\"sh\"]\ncolour = 1\n", "unknown field `colour`"),
        ("name = \"a\"\n", "missing field `command`"),
        ("name = \"a\"\ncommand = []\n", "empty list"),
        ("name = \"\"\ncommand = [\"sh\"]\n", "not empty"),
        ("name = \"\\u200B\\u2800\\u3164\"\ncommand = [\"sh\"]\n", "a letter or a digit"),
        ("name = \"\\u0301\\u0302\"\ncommand = [\"sh\"]\n", "a letter or a digit"),
        ("name = a\n", "line 1"),
    ] {
        let error = bot_in(folder.path(), manifest).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains(MANIFEST), "{error}");
    }
}

#[test]
fn bot_is_blamed_for_content_only() {
    let path = Path::new("ann");
    let unreadable = |kind: ErrorKind| ContentError::Unreadable { path: path.into(), source: kind.into() };
    for (kind, is_hosts) in [
        (ErrorKind::OutOfMemory, true),
        (ErrorKind::PermissionDenied, false),
        (ErrorKind::NotFound, false),
        (ErrorKind::InvalidFilename, false),
    ] {
        let error = BotLookupError::from_content(path, unreadable(kind));
        assert_eq!((error.system().is_some(), unreadable(kind).system().is_some()), (is_hosts, is_hosts));
        assert!(BotLookupError::NotUnpacked(kind.into()).system().is_some(), "that folder is the arena's");
    }
    assert!(BotLookupError::from_content(path, ContentError::Files).system().is_none());
    assert!(content::is_of_content(&rustix::io::Errno::LOOP.into()));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(MANIFEST), b"\xff").unwrap();
    let found = find(&[folder.path().display().to_string()], Path::new("/leyden")).unwrap();
    let [binary] = &found.left_out[..] else { panic!("{found:?}") };
    assert!(!binary.is_hosts() && binary.reason().starts_with("bot.toml: "), "{binary}");
}

#[test]
fn path_is_shown_as_seen_from_its_entry() {
    let class = tempfile::tempdir().unwrap();
    let (real, ann) = (class.path().join("real"), class.path().join("ann"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &ann).unwrap();
    let real = real.canonicalize().unwrap();
    for (path, shown) in [(ann.join("ann"), "ann"), (real.join("src/real/x"), "src/real/x"), (real, "it")] {
        assert_eq!(finder::path_within(&ann, &path), Path::new(shown));
    }
    for (path, shown) in [
        ("class/ann.zip", "it"),
        ("/tmp/leyden-tmp-1a/files", "it"),
        ("/tmp/leyden-tmp-1a/files/ann/bot.toml", "ann/bot.toml"),
        ("/elsewhere/bot.py", "/elsewhere/bot.py"),
    ] {
        assert_eq!(finder::path_within(Path::new("class/ann.zip"), Path::new(path)), Path::new(shown));
    }
}

#[test]
fn entry_with_unreadable_list_leaves_others_alone() {
    let class = tempfile::tempdir().unwrap();
    for bot in ["ann", "eve/one", "eve/two", "fay/one"] {
        fs::create_dir_all(class.path().join(bot)).unwrap();
        fs::write(class.path().join(bot).join(MANIFEST), "name = \"a\"\ncommand = [\"sh\"]\n").unwrap();
    }
    fs::write(class.path().join("fay/run.py"), "print()").unwrap();
    for entry in ["eve", "fay"] {
        fs::create_dir(class.path().join(entry).join(IGNORE)).unwrap();
    }
    let typed = ["ann", "eve", "fay"].map(|entry| class.path().join(entry).display().to_string());
    let found = find_handed_in(&typed, Path::new("/leyden")).unwrap();
    let [eve, fay] = &found.left_out[..] else { panic!("{found:?}") };
    assert!(found.bots.len() == 1 && eve.is_hosts() && !fay.is_hosts(), "{eve}; {fay}");
    assert!(eve.reason().starts_with("cannot read .leydenignore: "), "{eve}");
    assert!(find_handed_in(&typed[1..2], Path::new("/leyden")).is_err(), "nothing else was typed");
}

#[test]
fn bot_closed_to_this_user_may_be_sound() {
    let class = tempfile::tempdir().unwrap();
    let closed = |entry: &str| {
        let (path, source) = (class.path().join(entry), ErrorKind::PermissionDenied.into());
        let inside = if entry == "cy.zip" { path.clone() } else { path.join(entry) };
        finder::unusable(&path, BotLookupError::Unreadable { path: inside, source })
    };
    for entry in ["ann", "lost+found"] {
        fs::create_dir(class.path().join(entry)).unwrap();
    }
    fs::write(class.path().join("bob"), "").unwrap();
    fs::write(class.path().join("cy.zip"), "").unwrap();
    assert_eq!(["ann", "cy.zip"].map(|entry| closed(entry).may_be_sound()), [true; 2]);
    assert_eq!(["bob", "lost+found"].map(|entry| closed(entry).may_be_sound()), [false; 2]);
    assert!(!closed("ann").is_hosts() && closed("ann").reason() == "cannot read ann: permission denied");
}

#[test]
fn folder_stands_for_its_bots_with_unique_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b", "a"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join(MANIFEST), "name = \"same\"\ncommand = [\"sh\"]\n").unwrap();
    }
    let typed =
        [folder.path().display().to_string(), "builtin:random".to_owned(), "builtin:random".to_owned()];
    let names: Vec<_> =
        find(&typed, Path::new("/leyden")).unwrap().bots.into_iter().map(|bot| bot.name).collect();
    assert_eq!(names, ["same", "same#2", "random", "random#2"]);
}

#[test]
fn submission_is_found_or_left_out_with_reason() {
    let temporary = tempfile::tempdir().unwrap();
    let class = temporary.path().join("class");
    let bot = |name: &str, manifest: &str| {
        let folder = class.join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(MANIFEST), manifest).unwrap();
    };
    bot("ann", "name = \"ann\"\ncommand = [\"sh\"]\n");
    bot("bob/bob-main", "name = \"bob\"\ncommand = [\"sh\"]\n");
    bot("cy", "name = \"cy\",\ncommand = [\"sh\"]\n");
    fs::create_dir_all(class.join("dan/src")).unwrap();
    fs::write(class.join("dan/bot.toml.txt"), "").unwrap();
    fs::create_dir(class.join("eve")).unwrap();
    fs::write(class.join("fay.py"), "print()").unwrap();
    fs::write(class.join("gus.zip"), "no archive").unwrap();
    fs::create_dir(class.join("graded")).unwrap();
    fs::create_dir(class.join(".git")).unwrap();
    fs::write(class.join(IGNORE), "graded/\n").unwrap();

    let typed = [class.display().to_string()];
    let found = find(&typed, Path::new("/leyden")).unwrap();
    let names: Vec<&str> = found.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["ann", "bob"]);
    let said: Vec<String> = found.left_out.iter().map(ToString::to_string).collect();
    let expected = [
        ("cy", "line 1"),
        ("dan", "did you mean bot.toml.txt?"),
        ("eve", "it is empty"),
        ("fay.py", "expected a folder"),
        ("gus.zip", "not a zip archive"),
    ];
    assert_eq!(said.len(), expected.len(), "{said:?}");
    for (said, (entry, reason)) in said.iter().zip(expected) {
        assert!(said.contains(&format!("/{entry}: ")) && said.contains(reason), "{said}");
    }
}

#[test]
fn bot_runs_no_program_of_another() {
    let temporary = tempfile::tempdir().unwrap();
    let bot = |name: &str, program: &str| {
        let folder = temporary.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("run"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(folder.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
        let mut bot = bot_in(&folder, &format!("name = \"{name}\"\ncommand = [\"{program}\"]\n")).unwrap();
        bot[0].prepare(builder(&nothing_around())).unwrap();
        bot.remove(0)
    };
    let bots = [bot("victim", "./run"), bot("own", "./run"), bot("thief", "../victim/run")];
    let [victim, own, thief] = &bots;
    victim.owns_its_program(&bots).unwrap();
    own.owns_its_program(&bots).unwrap();
    let said = thief.owns_its_program(&bots).unwrap_err().to_string();
    assert!(said.contains("thief runs") && said.contains("belongs to victim"), "{said}");
}

#[test]
fn anything_that_is_not_a_bot_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "hello").unwrap();
    let bare = tempfile::tempdir().unwrap();
    for file in ["ben.py", "weights.json"] {
        fs::write(bare.path().join(file), "").unwrap();
    }
    for (typed, says) in [
        (
            bare.path().to_str().unwrap(),
            "has no bot.toml: add one\nwith lines such as\n  name = \"ben\"\n  command = ",
        ),
        ("no-such-bot", "there is no bot"),
        ("builtin:nobody", "no builtin bot"),
        (folder.path().to_str().unwrap(), "contains no bot"),
        (text.to_str().unwrap(), "not executable"),
        ("python3 'bot.py", "open quote"),
    ] {
        let error = find(&[typed.to_owned()], Path::new("/leyden")).unwrap_err().to_string();
        assert!(error.contains(says), "{typed}: {error}");
    }
}

#[test]
fn missing_program_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut bots =
        bot_in(folder.path(), "name = \"a\"\ncommand = [\"no-such-interpreter\", \"x\"]\n").unwrap();
    let error = bots[0].prepare(builder(&nothing_around())).unwrap_err();
    assert!(error.to_string().contains("no-such-interpreter"));
}

#[test]
fn overlong_command_line_is_refused_briefly() {
    for start in ["sh ", "builtin:random "] {
        let typed = format!("{start}{}", "x".repeat(100_000));
        let said = find(&[typed], Path::new("/leyden")).unwrap_err().to_string();
        assert!(said.contains("expected at most 32 KiB") && said.len() < 200, "{said}");
    }
}
