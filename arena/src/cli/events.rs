//! What `--json` prints while a tournament or match is played: one event a line.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use leyden_arena::halt::Halt;
use leyden_arena::report::{BotOffTurn, Standings, Versus};
use leyden_arena::run::{Delivery, Subscription};
use leyden_model::event::{MatchVoid, RunEnd, RunPhase, RunStart, Withdrawal};
use leyden_model::{BotEntry, MatchEvent, MatchKey, MatchRecord, Pondering, RunEvent};
use schemars::JsonSchema;
use serde::Serialize;

use super::exit::CommandError;
use super::out::JsonOut;
use super::report::faults::replay_command;

/// What `leyden help schema` tells of the events.
pub(super) const PAGE: &str = "\
The events of a run, as `leyden tournament --json` and `leyden match --json` print them, one JSON object a line:

  start      first: the version of the events (v), the bots, how many matches are wanted and done
  phase      results have told what is played next
  move       something happened in a match; only with --json=moves
  match      a match ended: its record, and after a fault the command that shows what the bot saw
  void       a match counts for nothing, and neither does any other of its pair
  withdrawn  a bot is not started any more
  missed     so many events were not kept for a reader that was slow; the results file has all
  standings  after the last match; of a match of two: versus
  off_turn   after it, if bots computed much while it was not their turn
  end        last; without it the run failed, and the exit code says why

Matches end in any order: rank is a match's place in the schedule, key says which one it is. The events hold every \
hidden tile and the seeds of deals that may still be played: they are the organiser's, and no bot's. A later version may \
add events and fields; v counts up when one changes its meaning or goes away.";

/// Something that happened in a run, as one line of JSON. The first line is `start`, the last one `end`, unless the run
/// fails.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(title = "A line of leyden tournament --json and leyden match --json")]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum JsonEvent<'a> {
    /// Before the first match.
    Start(&'a RunStart),
    /// The results so far have told what is played next.
    Phase(&'a RunPhase),
    /// Something happened in a match that is being played; only with `--json=moves`. It holds every hidden tile. A match
    /// that is played again, because the host was overloaded, begins again with `started`.
    Move { rank: u64, key: &'a MatchKey, happened: &'a MatchEvent },
    /// A match ended. Events come in the order in which matches end; `rank` is the place in the schedule.
    Match {
        rank: u64,
        key: &'a MatchKey,
        /// After a fault: the command that shows what the bot saw; of one before anything was dealt, the bot's start once more.
        #[serde(skip_serializing_if = "Option::is_none")]
        replay: Option<String>,
        record: &'a MatchRecord,
    },
    /// A match counts for nothing, and neither does any other of its pair, also one that was told before.
    Void(&'a MatchVoid),
    /// A bot is not started any more: its other matches are scored as lost by the same fault.
    Withdrawn(&'a Withdrawal),
    /// The reader was so slow that events were not kept for it. The results file has all matches.
    Missed {
        /// How many.
        count: u64,
    },
    /// After the last match of a tournament: what `leyden schema standings` describes.
    Standings { standings: &'a Standings },
    /// After the last match of two bots: what `leyden schema match` describes.
    Versus { versus: &'a Versus },
    /// After the standings, if bots computed much while it was not their turn, or were stopped for it, in this run.
    OffTurn {
        /// What was agreed about it.
        pondering: Pondering,
        bots: Vec<BotOffTurn>,
    },
    /// The last line.
    End(&'a RunEnd),
}

/// Prints the events of a run, from a thread of its own, so that a slow reader slows nothing down.
pub(super) struct Printer(JoinHandle<io::Result<()>>);

impl Printer {
    /// Begins to print. Whoever closes standard output has seen enough; if it cannot be written to otherwise, the run is
    /// halted. The last event is left to whoever knows what comes before it.
    pub(super) fn start(
        mut events: Subscription,
        results: PathBuf,
        bots: Vec<BotEntry>,
        halt: Halt,
    ) -> Result<Self, CommandError> {
        let print = move || {
            let printed = print_all(&mut events, &results, &bots);
            match printed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    halt.now();
                    Err(error)
                }
                _ => Ok(()),
            }
        };
        let thread = std::thread::Builder::new().name("events".to_owned()).spawn(print);
        thread.map(Self).map_err(CommandError::of_system)
    }

    /// Waits until everything is printed.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        self.0
            .join()
            .map_err(|_| CommandError::defect("printing the events failed"))?
            .map_err(CommandError::from)
    }
}

fn print_all(events: &mut Subscription, results: &Path, bots: &[BotEntry]) -> io::Result<()> {
    let mut out = JsonOut(io::BufWriter::new(io::stdout()));
    while let Some(heard) = events.wait() {
        print_one(&mut out, &heard, results, bots)?;
        while let Some(heard) = events.ready() {
            print_one(&mut out, &heard, results, bots)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn print_one(out: &mut impl Write, heard: &Delivery, results: &Path, bots: &[BotEntry]) -> io::Result<()> {
    let event = match heard {
        Delivery::Missed(count) => JsonEvent::Missed { count: *count },
        Delivery::Event(event) => match &**event {
            RunEvent::Start(start) => JsonEvent::Start(start),
            RunEvent::Phase(phase) => JsonEvent::Phase(phase),
            RunEvent::Move { key, rank, happened } => JsonEvent::Move { rank: *rank, key, happened },
            RunEvent::Match { rank, key, record } => {
                JsonEvent::Match { rank: *rank, key, replay: replay_command(results, record, bots), record }
            }
            RunEvent::Void(void) => JsonEvent::Void(void),
            RunEvent::Withdrawn(withdrawal) => JsonEvent::Withdrawn(withdrawal),
            RunEvent::End(_) => return Ok(()),
        },
    };
    serde_json::to_writer(&mut *out, &event)?;
    out.write_all(b"\n")
}
