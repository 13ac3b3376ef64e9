//! `leyden check`: would a tournament find something wrong with a bot?

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use leyden_arena::CancellationToken;
use leyden_arena::check::{
    self, CheckReport, CheckRequest, Failure, Finding, FindingOutcome, TableRestriction,
};
use leyden_arena::rerun::ReadyBot;
use leyden_arena::roster::{self, FoundBots};
use leyden_model::words::{counted, plural};
use leyden_model::{SandboxLevel, TimeLimits};

use super::check_all;
use crate::exit::{Code, CommandError};
use crate::options::heading::SANDBOX;
use crate::options::{Shared, Shares};
use crate::play::junit_fallback;
use crate::report::github::{self, Severity};
use crate::report::grid::plain;
use crate::report::junit::{CaseResult, JunitCase, ReportFile};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden check .                                  the bot in this folder
  leyden check \"python3 bot.py\"                   a bot without a folder of its own
  leyden check . --only draw                      only the checks named draw
  leyden check . --only draw --lines              if that fails, the lines that it was sent
  leyden check . --only draw --lines | python3 bot.py  … sent to it directly
  leyden check . --junit check.xml                for CI
  leyden check submissions                        all entries of a folder, a line for each

Matches are played to a score of 20 here, except the last one (whole-match), which is played to 100, the usual target.
A bot that supports only some rule sets says so in its bot.toml: rules = [\"leyden\"], seats = [2].
Exit code 0: nothing failed; 1: something did; 5: the machine was too busy to check everything.";

/// The time after which a check skips the rest: a good bot is checked within 10 s.
const TIME: Duration = Duration::from_secs(8);

/// The options of `leyden check`.
#[derive(Args, Clone, Debug)]
pub(crate) struct CheckOptions {
    /// A folder with a bot.toml, an executable, a quoted command line, or builtin:NAME
    #[arg(value_name = "BOT")]
    bot: String,
    /// Only checks with this name or prefix; `cases` stands for all pinned cases
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Print the lines that the bot was sent up to its first failure, instead of the findings; nothing if nothing failed
    #[arg(long, conflicts_with = "json")]
    lines: bool,
    /// Play everything, however long it takes
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    around: Shared<Self>,
    /// Print one JSON document (`leyden schema check` describes it)
    #[arg(long)]
    json: bool,
    /// Write a report as JUnit XML: a case for each finding
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl Shares for CheckOptions {
    const OPTIONS: &'static [&'static str] = &["turn", "startup", SANDBOX];
}

/// Checks a bot, reports the findings, and answers by the exit code.
pub(crate) fn run(request: &CheckOptions) -> Result<Code, CommandError> {
    let began = Instant::now();
    let junit = ReportFile::open(request.junit.as_deref())?;
    junit_fallback::reported(look(request, junit.as_ref()), junit.as_ref(), junit_fallback::CHECK, began)
}

fn look(request: &CheckOptions, junit: Option<&ReportFile>) -> Result<Code, CommandError> {
    let around = &request.around.given;
    let limits = around.limits(TimeLimits::default());
    let check_request = |limits| CheckRequest {
        limits,
        time: (!request.all).then_some(TIME),
        only: request.only.clone(),
        own_cases: true,
        stop: CancellationToken::new(),
    };
    if let Some(class) = class(&request.bot)? {
        if request.json || request.lines || junit.is_some() {
            return Err(CommandError::usage(
                "a folder of several bots is checked into one table: check one bot for --json, --lines and --junit",
            ));
        }
        return check_all::table(class, around, &check_request, limits);
    }
    let ready = around.ready_bot(&request.bot)?;
    let check_request = check_request(limits);
    let report = check::check(&ready, &check_request)?;
    let code = Code::from(&report);
    if request.lines {
        return print_lines(&report, &ready).map(|_| code);
    }
    let see = Reproduction { bot: &request.bot, ready: &ready };
    annotate(&report);
    if let Some(junit) = junit {
        junit.write(junit_fallback::CHECK[0], junit_cases(&report, &see), &Vec::new())?;
    }
    let text = report_text(&report, &see);
    if !report.passed {
        let heading = github::heading(&format!("leyden check: {} is not ready", plain(&report.bot)));
        github::summarise(&(heading + &github::fenced(&text)));
    }
    if request.json {
        crate::out::print_document(&report)?;
    } else {
        crate::out::print(&text)?;
    }
    Ok(code)
}

/// Returns the entries of a folder of submissions; `None` if one bot was named.
fn class(typed: &str) -> Result<Option<FoundBots>, CommandError> {
    let path = Path::new(typed);
    if !path.is_dir() || roster::has_manifest(path) {
        return Ok(None);
    }
    let found = roster::find_handed_in(&[typed.to_owned()], &crate::program::leyden()?)?;
    Ok((found.bots.len() > 1).then_some(found))
}

/// Prints the lines that were sent up to the first failure.
fn print_lines(report: &CheckReport, ready: &ReadyBot) -> Result<Code, CommandError> {
    let failures = report.findings.iter().filter_map(|finding| finding.failure.as_ref());
    let Some(failure) = failures.into_iter().find(|failure| !failure.lines.is_empty()) else {
        return Err(CommandError {
            code: Code::Done,
            message: format!("nothing failed, so there are no lines to show of {}", plain(&ready.bot.name)),
        });
    };
    crate::out::print_sent(&(failure.lines.join("\n") + "\n"))
}

/// What a user sees when sending the lines to a bot directly.
#[derive(Clone, Copy)]
enum ByHand {
    Shows,
    /// The missing output appears: what was not flushed comes when the input ends.
    LooksRight,
    /// There are no lines to send.
    Nothing,
}

/// Shows how to reproduce a failure.
pub(crate) struct Reproduction<'a> {
    /// The bot as typed.
    pub(crate) bot: &'a str,
    pub(crate) ready: &'a ReadyBot,
}

impl Reproduction<'_> {
    /// Returns the command that runs the same check again.
    fn command(&self, name: &str) -> String {
        format!("leyden check {} --only {}", quoted(self.bot), quoted(name))
    }

    /// Returns a command that sends the bot the same lines without a sandbox or time limit; `None` for a bot in an archive or
    /// a builtin one.
    fn by_hand(&self, name: &str) -> Option<String> {
        let bot = &self.ready.bot;
        let words = shlex::try_join(bot.words.iter().map(String::as_str)).ok()?;
        let is_elsewhere = match bot.handed_in_folder() {
            None if bot.is_builtin() => return None,
            None => false,
            Some(_) if !roster::has_manifest(Path::new(self.bot)) => return None,
            Some(folder) => !std::env::current_dir().is_ok_and(|here| here == *folder),
        };
        let there = |run: &str| {
            if is_elsewhere { format!("(cd {} && {run})", quoted(self.bot)) } else { run.to_owned() }
        };
        // The lines are for the bot, not for its build.
        let build = bot.build_words().map_or(String::new(), |build| there(&build) + " && ");
        Some(format!("{build}{} --lines | {}", self.command(name), there(&words)))
    }

    /// Returns these commands, each labelled with what it does.
    fn labelled(&self, name: &str, by_hand: ByHand) -> String {
        let around = if self.ready.level == SandboxLevel::None { "" } else { ", without the sandbox" };
        let by_hand = match (by_hand, self.by_hand(name)) {
            (ByHand::Shows, Some(command)) => format!("directly{around}: {command}\n"),
            (ByHand::LooksRight, Some(_)) => {
                "directly it may look right: output to a terminal is flushed at every line, and all of it when the input ends\n"
                    .to_owned()
            }
            (ByHand::Nothing, _) | (_, None) => String::new(),
        };
        format!("see it: {}\n{by_hand}", self.command(name))
    }
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).unwrap_or_default().into_owned()
}

/// Returns the findings as text.
pub(crate) fn report_text(report: &CheckReport, see: &Reproduction<'_>) -> String {
    let width = report.findings.iter().map(|finding| finding.name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{}, in the sandbox {}\n", plain(&report.bot), report.sandbox);
    if let Some(only) = &report.plays_only {
        text += &plays_only_text(only, see.ready.bot.handed_in_folder().is_some());
    }
    let (skipped, seen): (Vec<_>, Vec<_>) =
        report.findings.iter().partition(|finding| finding.outcome == FindingOutcome::Skipped);
    for finding in seen {
        let mark = match finding.outcome {
            FindingOutcome::Passed => "ok   ",
            FindingOutcome::Failed => "FAIL ",
            FindingOutcome::Noted => "note ",
            FindingOutcome::Skipped => continue, // listed below, all together
        };
        let name = plain(&finding.name);
        let _ = writeln!(text, "  {mark} {name:width$}  {}", plain(&finding.seen)); // writing to a String cannot fail
        if let Some(failure) = &finding.failure {
            text += &indented(&explained(finding, failure, see), 8);
        }
    }
    let mut reasons: Vec<&str> = skipped.iter().map(|finding| finding.seen.as_str()).collect();
    reasons.dedup();
    for reason in reasons {
        let names =
            skipped.iter().filter(|finding| finding.seen == reason).map(|finding| plain(&finding.name));
        let names: Vec<String> = names.collect();
        let _ = writeln!(text, "  {}: {}", plain(reason), names.join(", "));
    }
    let count = |outcome| report.findings.iter().filter(|finding| finding.outcome == outcome).count();
    let (passed, failed, skipped) =
        (count(FindingOutcome::Passed), count(FindingOutcome::Failed), skipped.len());
    let verdict = match (report.passed, count(FindingOutcome::Noted)) {
        (false, _) => "not ready".to_owned(),
        (true, 0) => "nothing failed".to_owned(),
        (true, notes) => format!("nothing failed, {}", counted(notes, "note", "notes")),
    };
    let _ = write!(text, "{verdict}: {passed} passed");
    if failed > 0 {
        let _ = write!(text, ", {failed} failed");
    }
    if skipped > 0 {
        let _ = write!(text, "; {skipped} {} not tried", plural(skipped, "was", "were"));
    }
    text.push('\n');
    if let Some(overload) = &report.overload {
        let _ = writeln!(text, "{overload}");
    }
    text
}

/// Says that the bot fails at some tables only, and how it is kept from them.
fn plays_only_text(only: &TableRestriction, has_folder: bool) -> String {
    let (fails_at, line) = (only.fails_at.join(", "), only.line());
    let advice = if has_folder {
        "write this line into its bot.toml"
    } else {
        "put it into a folder with a bot.toml (leyden new creates one), and this line into that"
    };
    format!(
        "  It does well, and fails only at these tables: {fails_at}. If it is not meant to play there,\n  {advice}:\n    {line}\n"
    )
}

/// Returns a failure as text: what was wrong, the line, the rule, how to reproduce it.
fn explained(finding: &Finding, failure: &Failure, see: &Reproduction<'_>) -> String {
    let mut text = String::new();
    for line in failure.details.to_string().lines() {
        let _ = writeln!(text, "{}", plain(line)); // writing to a String cannot fail
    }
    if let Some(line) = failure.lines.last() {
        let _ = writeln!(text, "the line: {}", plain(line));
        let _ = writeln!(text, "at the table: {}", failure.table);
    }
    let _ = writeln!(text, "the rule: {}", failure.rule);
    let by_hand = match &failure.lines[..] {
        [] => ByHand::Nothing,
        _ if failure.details.is_of_waiting() => ByHand::LooksRight,
        _ => ByHand::Shows,
    };
    text += &see.labelled(&finding.name, by_hand);
    if failure.again > 0 {
        let times = counted(failure.again, "more time", "more times");
        let _ =
            writeln!(text, "the same happened {times}, listed as \"the same as {}\"", plain(&finding.name));
    }
    text
}

fn indented(text: &str, by: usize) -> String {
    textwrap::indent(text, &" ".repeat(by))
}

fn annotate(report: &CheckReport) {
    for finding in report.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Failed) {
        github::annotate(Severity::Error, &format!("leyden check: {}", finding.name), &finding.problem());
    }
}

/// Returns each finding as a test case; what was not checked is a skipped one.
pub(crate) fn junit_cases(report: &CheckReport, see: &Reproduction<'_>) -> Vec<JunitCase> {
    let first_line = |finding: &Finding| plain(finding.problem().lines().next().unwrap_or_default());
    let case = |finding: &Finding| JunitCase {
        name: plain(&finding.name),
        answer: match finding.outcome {
            FindingOutcome::Passed | FindingOutcome::Noted => CaseResult::Passed,
            FindingOutcome::Failed => CaseResult::Failed("failed", first_line(finding)),
            FindingOutcome::Skipped => CaseResult::Open(plain(&finding.seen)),
        },
        text: finding
            .failure
            .as_ref()
            .map_or_else(|| plain(&finding.seen), |failure| explained(finding, failure, see)),
        took: finding.took_us.map(Duration::from_micros),
    };
    let overload = report.overload.as_ref().map(|overload| JunitCase {
        name: "the machine".to_owned(),
        answer: CaseResult::Open(overload.clone()),
        text: overload.clone(),
        took: None,
    });
    report.findings.iter().map(case).chain(overload).collect()
}
