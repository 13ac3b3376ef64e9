//! Counts instructions by callgrind: the same on a busy machine, and so held against numbers.
//!
//! Each is counted in two runs of different size, so that starting and preparing do not count.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// The argument that makes this program do what is counted, and print how much of it.
const DO: &str = "--do";

/// The compiler of the numbers: others make other code.
const COMPILER: &str = "rustc 1.95.0";

type CountResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// What is counted.
pub(crate) struct Counted {
    pub(crate) name: &'static str,
    /// The sizes of the two runs.
    pub(crate) sizes: [u32; 2],
    /// Instructions for one, as tests are built, and as the program is released. A commit that raises it says why.
    pub(crate) expected: [f64; 2],
    /// How far a count may be from the number: other versions of the C library, and the order of maps, differ by less.
    pub(crate) tolerance: f64,
    /// Does it, and returns how many there were. The file is the one that was prepared for the size, if any.
    pub(crate) work: fn(u32, &Path) -> CountResult<u64>,
}

/// Counts those that are named, or all, and compares each with its number; or does one, if this process was started for that.
/// `prepare` writes a file that a size needs into the folder, and returns its path.
pub(crate) fn count(
    all: &[Counted],
    prepare: fn(&Counted, u32, &Path) -> CountResult<std::path::PathBuf>,
) -> CountResult<()> {
    let mut arguments = std::env::args().skip_while(|argument| argument != DO).skip(1);
    if let Some(name) = arguments.next() {
        let counted = all.iter().find(|counted| counted.name == name).ok_or("an unknown name")?;
        let size = arguments.next().unwrap_or_default().parse()?;
        println!("{}", (counted.work)(size, Path::new(&arguments.next().unwrap_or_default()))?);
        return Ok(());
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("valgrind is not installed: no instructions are counted");
        return Ok(());
    }
    let compiler =
        Command::new("rustc").arg("--version").output().map(|said| said.stdout).unwrap_or_default();
    let compares = String::from_utf8_lossy(&compiler).starts_with(COMPILER);
    if !compares {
        println!("not compared: the numbers are those of {COMPILER}");
    }
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen =
        all.iter().filter(|counted| asked.is_empty() || asked.iter().any(|name| name == counted.name));
    let folder = tempfile::tempdir()?;
    let mut off = Vec::new();
    for counted in chosen {
        let [few, many] =
            counted.sizes.map(|size| run(counted, size, &prepare(counted, size, folder.path())?));
        let (few, many) = (few?, many?);
        let each = (many.instructions - few.instructions) as f64 / (many.done - few.done) as f64;
        let expected = counted.expected[usize::from(!cfg!(debug_assertions))];
        println!("{:<10} {each:>12.0} instructions; expected {expected:.0}", counted.name);
        if compares && (each / expected - 1.0).abs() > counted.tolerance {
            off.push(format!("{} takes {:.3} of the expected instructions", counted.name, each / expected));
        }
    }
    if off.is_empty() {
        return Ok(());
    }
    Err(format!("{}: find out why, and change the number if it is worth it", off.join(", ")).into())
}

struct Run {
    done: u64,
    instructions: u64,
}

fn run(counted: &Counted, size: u32, file: &Path) -> CountResult<Run> {
    let ran = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args([DO, counted.name, &size.to_string()])
        .arg(file)
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&ran.stderr);
    let collected = said.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse().ok());
    let instructions = collected.ok_or_else(|| format!("valgrind did not count: {said}"))?;
    let done = String::from_utf8_lossy(&ran.stdout).trim().parse()?;
    Ok(Run { done, instructions })
}
