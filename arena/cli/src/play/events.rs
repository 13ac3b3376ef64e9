//! What `--json` prints while a tournament or match is played: one event a line.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use leyden_arena::CancellationToken;
use leyden_arena::report::{BotOffTurn, Standings, Versus};
use leyden_arena::run::WholeSubscription;
use leyden_model::{BotEntry, Pondering, RunEvent};
use schemars::JsonSchema;
use serde::Serialize;

use crate::exit::CommandError;
use crate::out::JsonOut;
use crate::play::repeatability::UnrepeatableBot;
use crate::report::faults::replay_command;

/// What `leyden help schema` says about the events.
pub(crate) const PAGE: &str = "\
The events of a run, as `leyden tournament --json` and `leyden match --json` print them, one JSON object a line:

  start      first: the version of the events (v), the bots, how many matches are planned and done
  stage      the results so far have decided what is played next
  move       something happened in a match; only with --json=moves
  match      a match ended: its record, and after a fault the command that shows what the bot saw
  void       a match does not count, and neither does any other of its pair
  withdrawn  a bot is no longer started
  standings  after the last match; of a match of two: versus
  off_turn   after them, if bots computed much while it was not their turn
  unrepeatable  after them, if bots answer differently when a match is played to them again
  end        last; if it is missing, the run failed, and the exit code says why

Matches end in any order: rank is a match's index in the schedule, key says which one it is. The events hold every \
hidden tile and the seeds of deals that may still be played: they are for the organiser, never for a bot. A later version may \
add events and fields; v increases when one changes its meaning or is removed.

Nothing is left out: the run waits for a reader that falls far behind. What each bot was sent and answered, without what it could not know, is printed by `leyden export FILE --views`.";

/// One line of JSON. The first line is `start`, the last one `end`, unless the run fails.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "A line of leyden tournament --json and leyden match --json")]
#[serde(untagged)]
pub(crate) enum JsonLine<'a> {
    /// An event of the run.
    Run {
        #[serde(flatten)]
        event: &'a RunEvent,
        /// Of a match that a fault ended: the command that shows what the bot saw; if nothing had been dealt yet, it starts
        /// the bot again.
        #[serde(skip_serializing_if = "Option::is_none")]
        replay: Option<String>,
    },
    /// What the command adds.
    Added(CommandEvent<'a>),
}

/// What the command adds to the events of a run.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum CommandEvent<'a> {
    /// After the last match of a tournament: what `leyden schema standings` describes.
    Standings { standings: &'a Standings },
    /// After the last match of two bots: what `leyden schema match` describes.
    Versus { versus: &'a Versus },
    /// After the standings, if bots computed much while it was not their turn, or were stopped for it, in this run.
    OffTurn {
        /// The agreed rule for it.
        pondering: Pondering,
        bots: Vec<BotOffTurn>,
    },
    /// After the standings, if bots answered differently when a match of this run was played to them again in a new process.
    Unrepeatable { bots: &'a [UnrepeatableBot] },
}

/// Prints the events of a run, all of them, from a thread of its own: the run waits for a reader only if it falls far behind.
pub(crate) struct Printer(JoinHandle<io::Result<()>>);

impl Printer {
    /// Starts printing. A closed standard output is fine: its reader has seen enough. Any other write error stops the run. The
    /// caller sends the last event, because only the caller knows what precedes it.
    pub(crate) fn start(
        mut events: WholeSubscription,
        results: PathBuf,
        bots: Vec<BotEntry>,
        stop: CancellationToken,
    ) -> Result<Self, CommandError> {
        let print = move || {
            let printed = print_all(&mut events, &results, &bots);
            match printed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    stop.cancel();
                    Err(error)
                }
                _ => Ok(()),
            }
        };
        let thread = std::thread::Builder::new().name("events".to_owned()).spawn(print);
        thread.map(Self).map_err(CommandError::from_system)
    }

    /// Waits until everything is printed.
    pub(crate) fn finish(self) -> Result<(), CommandError> {
        self.0
            .join()
            .map_err(|_| CommandError::defect("printing the events failed"))?
            .map_err(CommandError::from)
    }
}

fn print_all(events: &mut WholeSubscription, results: &Path, bots: &[BotEntry]) -> io::Result<()> {
    let mut out = JsonOut(io::BufWriter::new(io::stdout()));
    while let Some(event) = events.wait() {
        print_one(&mut out, &event, results, bots)?;
        while let Some(event) = events.ready() {
            print_one(&mut out, &event, results, bots)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn print_one(out: &mut impl Write, event: &RunEvent, results: &Path, bots: &[BotEntry]) -> io::Result<()> {
    let replay = match event {
        RunEvent::End(_) => return Ok(()),
        RunEvent::Match { record, .. } => replay_command(results, record, bots),
        _ => None,
    };
    serde_json::to_writer(&mut *out, &JsonLine::Run { event, replay })?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use leyden_model::event::RunStage;

    use super::*;

    #[test]
    fn rare_lines_are_as_the_schema_says() {
        let schema = schemars::schema_for!(JsonLine<'static>).to_value();
        let schema = jsonschema::validator_for(&schema).unwrap();
        let stage = RunEvent::Stage(RunStage { stage: 1, round: 0, extra: false, matches: 12 });
        let line = JsonLine::Run { event: &stage, replay: None };
        let off_turn =
            JsonLine::Added(CommandEvent::OffTurn { pondering: Pondering::Watched, bots: Vec::new() });
        for (line, kind) in [(line, "stage"), (off_turn, "off_turn")] {
            let line = serde_json::to_value(&line).unwrap();
            assert_eq!(line["event"], kind);
            if let Err(error) = schema.validate(&line) {
                panic!("{error}: {line}");
            }
        }
        assert!(!schema.is_valid(&serde_json::json!({ "event": "off_turn" })));
    }
}
