//! `leyden rerun`: a recorded match played to a bot, to see whether it answers the same, or to debug it.

use std::io::{self, BufRead};
use std::path::Path;

use clap::Args;
use leyden_arena::narrate;
use leyden_arena::rerun::{
    self, BotReply, Difference, FailedAgain, Pause, ReadyBot, RecordedMatch, Rerun, block_on,
};
use leyden_language::Language;
use leyden_model::words::counted;
use leyden_model::{FaultDetails, TurnRef};
use leyden_protocol::{FaultCode, Seat};

use crate::after::match_choice::{MatchChoice, seat_of};
use crate::exit::{Code, CommandError};
use crate::options::heading::SANDBOX;
use crate::options::{QuestionChoice, Shared, Shares};
use crate::report::grid::plain;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden rerun results.db 4f2a bots/mine               does it still answer the same?
  leyden rerun results.db 4f2a bots/new --seat 1       would another bot have answered the same?
  leyden rerun results.db 4f2a bots/mine --turn r3.t12   only the question at r3.t12
  leyden rerun results.db 4f2a bots/mine --pause r3.t12  stop before it, to attach a debugger

The bot is run as in the match: at the same sandbox level, with the same memory, and it sees no more of its folder. What else \
bots may read was not stored: repeat --allow-read. If the bot cannot be run like this, no fault is called fixed.

When asked a single question, a bot may pass although it fails in the match because of what came before, such as memory that \
fills up, or an extra line. So with --turn only an illegal action is ever called fixed.

A bot that is late is interrupted as by Ctrl-C, so that it can say where it was (Python: the traceback of KeyboardInterrupt).

With --pause the bot has no sandbox, no time limit, your terminal and its standard error. The id of its process \
(PID) is printed; attach from another terminal:
  node inspect -p PID      gdb -p PID      jstack PID      python3 -m pdb -p PID (from Python 3.14)
For a bot in an older Python, write where it should stop, and in which turn (breakpoint() reads what the arena writes):
  if turn.round == 3 and len(turn.history) == 12:  # turn[\"round\"], where turn is plain JSON
      import pdb; pdb.Pdb(stdin=open(\"/dev/tty\"), stdout=open(\"/dev/tty\", \"w\")).set_trace()

Exit code 0: nothing to fix: every answer is as recorded, or the bot no longer fails where it failed; 1: it fails, in the same \
way or another, an answer differs, or it does not fail here, but was not run as in the match.";

/// What is played to which bot.
#[derive(Args, Clone, Debug)]
pub(crate) struct RerunOptions {
    #[command(flatten)]
    which: MatchChoice,
    /// A folder with a bot.toml, an executable, a quoted command line, or builtin:NAME; what it writes to its standard error
    /// is shown at the end
    #[arg(value_name = "BOT")]
    bot: String,
    /// Ask only this question: its index in the record's `rounds` and in their `actions`, both from 0; or the id of the turn, as
    /// given with faults
    #[arg(long, value_name = "rR.tT", conflicts_with = "pause")]
    turn: Option<QuestionChoice>,
    /// The seat that the bot takes (counted from 0) [default: that of the bot with its name, else 0]
    #[arg(long, value_name = "S")]
    seat: Option<usize>,
    /// Stop before this question, named as with --turn, with unlimited time, for a debugger
    #[arg(long, value_name = "rR.tT")]
    pause: Option<QuestionChoice>,
    /// Print one JSON document (`leyden schema rerun` describes it)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    around: Shared<Self>,
}

impl Shares for RerunOptions {
    const OPTIONS: &'static [&'static str] = &[SANDBOX];
}

impl RerunOptions {
    /// Returns the command that pins a question that the bot failed and no longer fails. Cases are kept in a bot's folder.
    fn pins(&self, rerun_report: &Rerun, ready: &ReadyBot) -> Option<String> {
        let turn_ref = rerun_report.difference.as_ref().and_then(|difference| difference.turn_ref)?;
        ready
            .bot
            .command
            .folder
            .as_ref()
            .filter(|_| rerun_report.is_mended() && Path::new(&self.bot).is_dir())?;
        let [file, id, bot] =
            [self.which.file.as_os_str(), self.which.id.as_ref(), self.bot.as_ref()].map(crate::out::quoted);
        let seat = rerun_report.seat;
        Some(format!(
            "  to have every check ask it again: leyden pin {file} {id} --turn {turn_ref} --seat {seat} --bot {bot}\n"
        ))
    }
}

/// Plays a match to a bot and reports whether it answered the same.
pub(crate) fn run(request: &RerunOptions) -> Result<Code, CommandError> {
    if request.pause.is_some() && crate::out::obeys_commands() {
        return Err(CommandError::usage(
            "--pause hands standard error to the bot, whose lines GitHub Actions would obey: use it at your own terminal",
        ));
    }
    if request.pause.is_some() && request.which.file == Path::new("-") {
        return Err(CommandError::usage(
            "with --pause standard input waits for you to press Enter: write the export to a file, and name that",
        ));
    }
    let (recorded, environment) = request.which.find_with_environment()?;
    let seat = |name: &str| seat_of(request.seat, recorded.record(), name);
    let (mut ready, seat, mut unlike) =
        request.around.given.ready_bot_at(&request.bot, (&recorded, &environment), seat)?;
    let rules = recorded.record().rules.rules().map_err(CommandError::usage)?;
    if request.pause.is_some() {
        ready.launcher = ready.launcher.at_terminal();
        unlike = vec!["with --pause it has no sandbox and no time limit".to_owned()];
    }
    let launch = ready.launch(rules, *recorded.limits());
    let record = recorded.record();
    let turn_ref =
        |asked: Option<QuestionChoice>| asked.map(|asked| asked.turn_ref(record, &[seat])).transpose();
    let (turn, pause) = (turn_ref(request.turn)?, turn_ref(request.pause)?);
    let mut before = |pid: Option<u32>| wait_for_enter(pid, pause, &recorded, seat);
    let pause = pause.map(|turn_ref| Pause { turn_ref, before: &mut before });
    let rerun_report = block_on(rerun::rerun(&recorded, &launch, seat, turn, pause))??;
    let mut rerun_report = Rerun { unlike, ..rerun_report };
    if turn.is_some() {
        let failed = environment.bots.iter().find(|bot| bot.name == record.bots[seat]);
        rerun_report = rerun_report
            .asked_alone(failed.is_some_and(|failed| failed.hash.as_ref() == Some(&ready.bot.hash)));
    }
    if request.json {
        crate::out::print_document(&rerun_report)?;
    } else {
        let mut text = summary(&rerun_report, &ready, &record.bots[seat]);
        if let Some(line) = request.pins(&rerun_report, &ready) {
            text += &line;
        }
        if let Some(turn_ref) = rerun_report.difference.as_ref().and_then(|difference| difference.turn_ref) {
            text.push('\n');
            text += &narrate::moment(record, turn_ref, Some(seat), crate::out::columns(), Language::English)
                .map_err(CommandError::usage)?;
        }
        if !rerun_report.stderr.trim().is_empty() {
            text += "standard error:\n";
            text.extend(rerun_report.stderr.lines().map(|line| format!("  | {}\n", plain(line))));
        }
        crate::out::print(&text)?;
    }
    Ok(Code::from(&rerun_report))
}

fn summary(rerun_report: &Rerun, ready: &ReadyBot, played: &str) -> String {
    let (name, played) = (plain(&ready.bot.name), plain(played));
    let questions = counted(rerun_report.asked, "question", "questions");
    let Some(Difference { turn_ref, recorded, now }) = &rerun_report.difference else {
        if let Some(FailedAgain { turn_ref, code, details }) = &rerun_report.failed_again {
            let at = turn_ref.map_or_else(|| "at its start".to_owned(), |turn_ref| format!("at {turn_ref}"));
            return format!(
                "{name} fails {at} as {played} at seat {} did\n  {}\n",
                rerun_report.seat,
                fault(*code, details)
            );
        }
        return format!("{name} answers {questions} as {played} at seat {} did\n", rerun_report.seat);
    };
    let at = turn_ref
        .map_or_else(|| "at the start".to_owned(), |turn_ref| format!("at {turn_ref}, after {questions}"));
    let is_fault = |reply: &BotReply| matches!(reply, BotReply::Fault { .. });
    let what = match (is_fault(recorded), is_fault(now)) {
        (true, false) if rerun_report.is_mended() => format!("{name} no longer fails"),
        (true, false) => format!("not known to be fixed: {name} does not fail here"),
        (true, true) => format!("{name} fails differently"),
        (false, true) => format!("{name} fails"),
        (false, false) => "another answer".to_owned(),
    };
    let mut text = format!(
        "{what} {at}\n  {played} (recorded): {}\n  {name} (now): {}\n",
        reply_text(recorded),
        reply_text(now)
    );
    if rerun_report.passes() && !rerun_report.is_mended() {
        text += "it was not run as in the match, where it may still fail:\n";
        text.extend(rerun_report.unlike.iter().map(|why| format!("  {}\n", plain(why))));
    }
    text
}

fn reply_text(reply: &BotReply) -> String {
    match reply {
        BotReply::Ready => "started".to_owned(),
        BotReply::Action(action) => action.to_string(),
        BotReply::Fault { code, details } => fault(*code, details),
    }
}

fn fault(code: FaultCode, details: &FaultDetails) -> String {
    let lines: Vec<String> = details.to_string().lines().map(plain).collect();
    format!("{code}: {}", lines.join("\n    "))
}

/// Says where the match stands, and waits until the user presses Enter.
fn wait_for_enter(
    pid: Option<u32>,
    turn_ref: Option<TurnRef>,
    recorded: &RecordedMatch,
    seat: Seat,
) -> io::Result<()> {
    let turn_ref = turn_ref.unwrap_or(TurnRef { round: 0, action: 0 });
    let shown =
        narrate::moment(recorded.record(), turn_ref, Some(seat), crate::out::columns(), Language::English);
    crate::out::say(format_args!("{}", shown.unwrap_or_default()));
    let pid = pid.map_or_else(|| "unknown".to_owned(), |pid| pid.to_string());
    crate::out::say(format_args!(
        "process {pid} waits before {turn_ref}; press Enter to send it this question"
    ));
    io::stdin().lock().read_line(&mut String::new()).map(drop)
}
