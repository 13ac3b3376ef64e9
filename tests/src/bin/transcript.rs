//! Records what arena and bot say to each other, and plays the bot's part from a recording.
//!
//! `transcript record FOLDER NAME -- PROGRAM ARG…` runs a bot and writes each of its matches to `FOLDER/NAME-MATCH.txt`;
//! `transcript replay FOLDER NAME DONE` answers as recorded, and exits with an error at the first line of the arena that
//! differs. Once the arena has sent everything as recorded, it creates `MATCH.done` in the folder `DONE`, unless
//! more comes. In a file, lines of the arena start with `> `, those of the bot with `< `.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use leyden_tests::comparable;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["record", folder, name, "--", program, ref rest @ ..] => {
            record(Path::new(folder), name, program, rest)
        }
        ["replay", folder, name, done] => replay(Path::new(folder), name, Path::new(done)),
        _ => Err("expected: record FOLDER NAME -- PROGRAM ARG…, or replay FOLDER NAME DONE".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "transcript: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The text of a field of a line.
fn field(line: &str, name: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    Some(value.get(name)?.as_str()?.to_owned())
}

fn file_of(folder: &Path, name: &str, match_id: &str) -> PathBuf {
    folder.join(format!("{name}-{match_id}.txt"))
}

fn record(folder: &Path, name: &str, program: &str, arguments: &[&str]) -> Outcome {
    let mut bot =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut to_bot), Some(from_bot)) = (bot.stdin.take(), bot.stdout.take()) else {
        return Err("no pipes".into());
    };
    let mut from_bot = BufReader::new(from_bot).lines();
    let mut greeting = String::new();
    let mut file: Option<File> = None;
    for line in stdin().lines() {
        let line = line?;
        let kind = field(&line, "type").unwrap_or_default();
        let mut said = format!("> {}\n", comparable(&line));
        writeln!(to_bot, "{line}")?;
        if matches!(kind.as_str(), "hello" | "turn") {
            let answer = from_bot.next().ok_or("the bot has left")??;
            said.extend(["< ", &answer, "\n"]);
            writeln!(stdout(), "{answer}")?;
        }
        match kind.as_str() {
            "hello" => greeting = said,
            "match_start" => {
                let id = field(&line, "match").ok_or("a match without an id")?;
                let mut new = File::create(file_of(folder, name, &id))?;
                new.write_all((greeting.clone() + &said).as_bytes())?;
                file = Some(new);
            }
            _ => file.as_mut().ok_or("a line outside a match")?.write_all(said.as_bytes())?,
        }
    }
    drop(to_bot);
    bot.wait()?;
    Ok(())
}

fn replay(folder: &Path, name: &str, marks: &Path) -> Outcome {
    // A bot that is slow to read the last lines may be asked to end before.
    // SAFETY: nothing runs at the signal; it is ignored.
    unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
    let mut greeting = Vec::new();
    let mut script: Vec<String> = Vec::new();
    let mut index = 0;
    let mut done = String::new();
    for line in stdin().lines() {
        let line = line?;
        match field(&line, "type").as_deref() {
            Some("hello") => {
                // It is not known yet which match it will be; all files of this bot start alike.
                greeting = read(&any_file(folder, name)?)?;
                expect(&greeting, 0, &line)?;
                answer(&greeting, 1)?;
                continue;
            }
            Some("match_start") => {
                done = field(&line, "match").ok_or("a match without an id")?;
                script = read(&file_of(folder, name, &done))?;
                expect(&script, 0, greeting[0].trim_start_matches("> "))?;
                index = 2;
            }
            _ => {}
        }
        if index == script.len() {
            let _ = fs::remove_file(done_file(marks, &done));
        }
        expect(&script, index, &line)?;
        index += 1;
        if script.get(index).is_some_and(|next| next.starts_with("< ")) {
            answer(&script, index)?;
            index += 1;
        }
        if index == script.len() {
            fs::write(done_file(marks, &done), "")?;
        }
    }
    if index != script.len() {
        return Err(format!("the arena left before line {}", index + 1).into());
    }
    Ok(())
}

fn done_file(marks: &Path, match_id: &str) -> PathBuf {
    marks.join(format!("{match_id}.done"))
}

fn any_file(folder: &Path, name: &str) -> Outcome<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let begins = format!("{name}-");
    let ours =
        |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&begins));
    files.into_iter().find(ours).ok_or_else(|| format!("no transcript of {name}").into())
}

fn read(path: &Path) -> Outcome<Vec<String>> {
    Ok(fs::read_to_string(path)?.lines().map(str::to_owned).collect())
}

fn expect(script: &[String], index: usize, line: &str) -> Outcome {
    let expected = script.get(index).ok_or_else(|| format!("nothing more was expected, came {line}"))?;
    let came = format!("> {}", comparable(line));
    if *expected == came {
        return Ok(());
    }
    Err(format!("line {}: expected\n{expected}\ncame\n{came}", index + 1).into())
}

fn answer(script: &[String], index: usize) -> Outcome {
    let line =
        script.get(index).and_then(|line| line.strip_prefix("< ")).ok_or("no answer was written down")?;
    writeln!(stdout(), "{line}")?;
    Ok(())
}
