//! The program as a wheel: built by maturin from `arena/cli/pyproject.toml`, installed into an empty virtual environment, and
//! used to play.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use leyden_tests::program;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Where `tests/run` installs maturin, with the pip of its own environment.
fn tools() -> PathBuf {
    workspace().join("target/maturin/bin")
}

#[track_caller]
fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    output
}

/// How these tests were built, for the cargo that maturin is given.
const WHOLE: &str = if cfg!(feature = "nats") {
    "--workspace --features leyden/nats,leyden-tests/nats --locked"
} else {
    "--workspace --exclude leyden-nats --exclude leyden-remote --locked"
};

/// Asserts that the wheel's metadata names no folder of this machine. The program is left out: in this profile it knows where
/// its source is.
fn assert_names_no_folder_of_this_machine(unpacked: &Path) {
    let entries = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let about = entries(unpacked).find(|path| path.extension().is_some_and(|kind| kind == "dist-info"));
    let mut folders = vec![about.expect("its metadata")];
    let home = std::env::var("HOME").unwrap_or_default();
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        let (inner, files): (Vec<_>, Vec<_>) = entries(&folder).partition(|path| path.is_dir());
        folders.extend(inner);
        for file in files {
            let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
            for own in [&workspace().display().to_string(), &home].into_iter().filter(|own| own.len() > 1) {
                assert!(!text.contains(own.as_str()), "{}: {own}", file.display());
            }
            read += 1;
        }
    }
    assert!(read >= 3, "what it is, what it holds and how it was made");
}

#[test]
fn program_installs_from_a_wheel_and_plays() {
    let maturin = tools().join("maturin");
    if !maturin.is_file() {
        let _ = writeln!(std::io::stderr(), "LEFT OUT: the wheel: tests/run could not install maturin");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut build = Command::new(maturin);
    // Cargo's answer about the workspace includes crates of other systems, which may have to be fetched first.
    build.args(["build", "--profile", "dev", "--locked", "--compatibility", "linux", "--out"]);
    build.arg(at.join("wheels")).arg("--manifest-path").arg(workspace().join("arena/cli/Cargo.toml"));
    build.env("CARGO", workspace().join("tests/cargo-of-the-workspace")).env("WHOLE", WHOLE);
    done(build.env("CARGO_TARGET_DIR", workspace().join("target")).current_dir(at));
    let wheels: Vec<PathBuf> =
        fs::read_dir(at.join("wheels")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [wheel] = &wheels[..] else { panic!("{wheels:?}") };
    let name = wheel.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with(&format!("leyden_arena-{}-py3-none-", env!("CARGO_PKG_VERSION"))), "{name}");

    let unpacked = at.join("unpacked");
    done(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(&unpacked));
    assert_names_no_folder_of_this_machine(&unpacked);

    let python = at.join("venv/bin/python");
    done(Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(at.join("venv")));
    let mut install = Command::new(tools().join("pip"));
    install.arg("--python").arg(&python).args(["install", "--quiet", "--no-index", "--no-deps"]);
    done(install.arg(wheel));
    let installed = at.join("venv/bin/leyden");
    let version = done(Command::new(&installed).arg("--version"));
    let beside = done(Command::new(program("leyden")).arg("--version"));
    assert_eq!(version.stdout, beside.stdout);
    let mut play = Command::new(&installed);
    play.args(["match", "builtin:random", "builtin:careful", "--target", "30", "--json"]);
    play.args(["--turn", "100s", "--startup", "100s", "--results", "wheel.db"]);
    let played = done(play.current_dir(at).env("PATH", "/usr/bin:/bin"));
    let printed = String::from_utf8(played.stdout).unwrap();
    assert!(printed.contains("\"event\":\"end\"") && !printed.contains("\"fault\":{"), "{printed}");
}
