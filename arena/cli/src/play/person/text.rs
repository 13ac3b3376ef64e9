//! A match in the terminal: one line for each event, and nothing moves, so that it can be read aloud and piped.

use std::fmt::Write as _; // writing to a String cannot fail
use std::io::{self, BufRead, Write};

use leyden_arena::narrate::layout::TextLayout;
use leyden_arena::narrate::words::{aim, arm_name, end_name, named, taken_by};
use leyden_arena::narrate::{Narrator, hint};
use leyden_language::Language;
use leyden_model::projection::ShownEvent;
use leyden_model::{Layout, TableState};
use leyden_protocol::{Action, Turn};
use leyden_rules::Rules;
use leyden_table::coach::{self, Advice, DEALS};
use leyden_table::{FromPerson, ReadyTable, RestartReason, Session, SessionEnd, ToPerson};

use crate::exit::{Code, CommandError};
use crate::report::grid::plain;

const COMMANDS: &str = "\
Type the number of an action, or the action itself, such as N:4-1, S:2|5 or draw. Arms are N (top), E (right), S (bottom), \
W (left); N:4-1 lays 1-4 with the 4 touching, S:2|5 lays 2-5 across.
  d  draw    r  refuse to lead    l  draw the layout    h  what fits where    k  ask the coach
  u  take back your last decision: from then on it is practice, and nothing is stored
  resign  give up: nothing is stored    ?  this list    `leyden rules` explains the game
";

/// Plays at this table until the match is over or the input ends.
pub(super) fn play(table: ReadyTable) -> Result<Code, CommandError> {
    let rules = *table.rules();
    let names = table.header().bots.map(|name| plain(name));
    let seat = table.seat();
    let begin = match seat {
        Some(_) => format!(
            "You play {}: {} with {}, to {} points, {}.\nType ? for help.\n",
            names
                .iter()
                .filter(|(other, _)| Some(*other) != seat)
                .map(|(_, name)| name.as_str())
                .collect::<Vec<_>>()
                .join(" and "),
            rules.name,
            rules.set,
            rules.target,
            aim(Language::English, rules.better)
        ),
        None => format!(
            "{}: {} with {}, to {} points, {}.\nEnter continues, q ends it.\n",
            names.as_slice().join(" – "),
            rules.name,
            rules.set,
            rules.target,
            aim(Language::English, rules.better)
        ),
    };
    let (session, told) = Session::start(table).map_err(CommandError::of_system)?;
    let mut screen = Screen {
        table: TableState::new(&rules),
        narrator: Narrator::new(names, seat, Language::English),
        input: io::stdin().lock(),
        out: io::stdout().lock(),
        is_catching_up: false,
        is_heard: false,
    };
    screen.write(&begin)?;
    for told in told {
        let word = match told {
            ToPerson::Begins { rated, again } => {
                screen.begins(rated, again)?;
                None
            }
            ToPerson::Shown(shown) => {
                screen.show(&shown)?;
                None
            }
            ToPerson::Asked(turn) => Some(screen.ask(&turn)?),
            ToPerson::Waits => Some(screen.wait()?),
            ToPerson::NoUndo => {
                screen.write("There is nothing to take back.\n")?;
                None
            }
            ToPerson::Over(ending) => return screen.over(ending),
        };
        if let Some(word) = word {
            session.say(word);
        }
    }
    Err(CommandError::defect("the table is gone without an ending"))
}

/// What is read and written.
struct Screen<I, O> {
    table: TableState,
    narrator: Narrator,
    input: I,
    out: O,
    /// Whether the current view was already shown.
    is_catching_up: bool,
    /// Whether anything was shown yet.
    is_heard: bool,
}

impl<I: BufRead, O: Write> Screen<I, O> {
    /// Writes lines that break between words.
    fn write(&mut self, text: &str) -> Result<(), CommandError> {
        self.out.write_all(crate::out::wrapped(text, crate::out::columns()).as_bytes())?;
        Ok(self.out.flush()?)
    }

    fn begins(&mut self, rated: bool, again: Option<RestartReason>) -> Result<(), CommandError> {
        self.is_catching_up = again.is_some() && self.is_heard;
        match again {
            Some(RestartReason::Undo) if !rated => {
                self.write("Back to your last decision. This is practice now: nothing is stored.\n")
            }
            Some(RestartReason::Busy) => {
                self.write("The machine was too busy; the match continues from where it was.\n")
            }
            _ => Ok(()),
        }
    }

    fn show(&mut self, shown: &ShownEvent) -> Result<(), CommandError> {
        self.is_heard = true;
        let sentence = self.narrator.sentence(&self.table, shown);
        self.table.take(shown);
        let Some(said) = sentence else { return Ok(()) };
        if self.is_catching_up {
            return Ok(());
        }
        let before = if matches!(shown, ShownEvent::Dealt { .. }) { "\n" } else { "" };
        self.write(&format!("{before}{said}\n"))
    }

    /// Returns the next line of the input, without surrounding blanks; `None` at its end.
    fn line(&mut self, prompt: &str) -> Result<Option<String>, CommandError> {
        self.write(prompt)?;
        let mut line = Vec::new();
        // A line that is not UTF-8 is not a command either.
        let read = self.input.read_until(b'\n', &mut line).map_err(CommandError::of_system)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Asks until there is a valid answer.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<FromPerson, CommandError> {
        self.is_catching_up = false;
        self.position(turn)?;
        loop {
            let Some(line) = self.line("Your move: ")? else {
                self.write("\n")?;
                return Ok(FromPerson::Resign);
            };
            let said = match line.as_str() {
                "" => String::new(),
                "?" | "help" => COMMANDS.to_owned(),
                "l" => layout(&self.table.rules, turn),
                "h" => hint(Language::English, &self.table.rules, turn) + "\n",
                "k" => match coach::advise(&self.table.rules, turn, DEALS) {
                    Some(advice) => advised(&advice),
                    None => "The coach has nothing to say.\n".to_owned(),
                },
                "u" => return Ok(FromPerson::Undo),
                "resign" | "quit" | "q" => return Ok(FromPerson::Resign),
                other => match chosen(turn, other) {
                    Ok(action) => return Ok(FromPerson::Act(turn.id, action)),
                    Err(why) => why,
                },
            };
            self.write(&said)?;
        }
    }

    /// Returns what a seat sees, in lines.
    fn position(&mut self, turn: &Turn<'_>) -> Result<(), CommandError> {
        let layout = self.table.layout.as_ref();
        let mut text = String::from("\n");
        for (arm, end) in turn.arms.iter() {
            let takes = if layout.is_some_and(|layout| layout.is_open(arm)) {
                format!("takes {}", taken_by(Language::English, end, self.table.rules.set))
            } else {
                "waits".to_owned()
            };
            let _ = writeln!(
                text,
                "  {} {}: shows {}, {takes}",
                arm.letter(),
                arm_name(Language::English, arm),
                end_name(Language::English, end)
            );
        }
        let others: Vec<String> = turn
            .counts
            .iter()
            .filter(|(seat, _)| *seat != turn.seat)
            .map(|(seat, count)| format!("{} holds {count}", self.narrator.name(seat)))
            .collect();
        let _ = writeln!(
            text,
            "  {}; {} in the boneyard, {} to draw",
            others.join(", "),
            turn.boneyard,
            turn.drawable
        );
        let _ = writeln!(text, "  Your hand: {} ({} pips)", turn.hand, turn.hand.pips());
        if self.table.round == 0 {
            let _ = writeln!(text, "  Hint: {}", hint(Language::English, &self.table.rules, turn));
        }
        for (number, action) in turn.legal.iter().enumerate() {
            let _ = writeln!(text, "{:>3}  {action:<8}  {}", number + 1, named(Language::English, *action));
        }
        self.write(&text)
    }

    /// Waits until the player wants to see more.
    fn wait(&mut self) -> Result<FromPerson, CommandError> {
        match self.line("")?.as_deref() {
            None | Some("q" | "quit") => Ok(FromPerson::Resign),
            Some(_) => Ok(FromPerson::Step),
        }
    }

    fn over(&mut self, ending: SessionEnd) -> Result<Code, CommandError> {
        match ending {
            SessionEnd::Kept(path, record) => {
                let path = path.display();
                self.write(&format!("\nKept in {path}: leyden replay {path} {}\n", record.id))?;
                Ok(Code::Done)
            }
            SessionEnd::Practised(_) => {
                self.write("\nThis was practice: nothing is stored.\n")?;
                Ok(Code::Done)
            }
            SessionEnd::Resigned => {
                self.write("You resigned: nothing is stored.\n")?;
                Ok(Code::Done)
            }
            SessionEnd::NotKept(error, _) => Err(error.into()),
            SessionEnd::Failed(error) => Err(CommandError::host_failed(error)),
        }
    }
}

/// Returns the action that was meant, or what is wrong with it.
fn chosen(turn: &Turn<'_>, typed: &str) -> Result<Action, String> {
    let short = match typed {
        "d" => "draw",
        "r" => "refuse",
        other => other,
    };
    let legal = &turn.legal;
    if let Ok(number) = short.parse::<usize>() {
        let action = number.checked_sub(1).and_then(|place| legal.get(place));
        return action.copied().ok_or_else(|| format!("There are actions 1 to {}.\n", legal.len()));
    }
    let action: Action = short.parse().map_err(|_| {
        format!(
            "{:?} is not a command: type a number, an action such as N:4-1, or ? for help.\n",
            plain(typed)
        )
    })?;
    if legal.contains(&action) {
        Ok(action)
    } else {
        Err(format!("{action} is not possible now: type one of the {} actions above.\n", legal.len()))
    }
}

fn advised(advice: &Advice) -> String {
    let mut text = format!("The coach, over {} (it sees no more than you):\n", advice.deals_in_words());
    for choice in &advice.choices {
        let (win, margin) = (choice.chance * 100.0, choice.margin);
        let standing = if margin < 0.0 { "behind" } else { "ahead " };
        let _ = writeln!(
            text,
            "  {:<8}  {win:>3.0} % to win the match; this round leaves you {:>4.1} points {standing}   {}",
            choice.action.to_string(),
            margin.abs(),
            named(Language::English, choice.action)
        );
    }
    text + &advice.why + "\n"
}

/// Returns a drawing of the tiles on the table.
fn layout(rules: &Rules, turn: &Turn<'_>) -> String {
    let Some(layout) = Layout::from_history(rules, &turn.history) else {
        return "The table is empty.\n".to_owned();
    };
    TextLayout::from_layout(rules.layout, &layout).draw(crate::out::columns()).join("\n") + "\n"
}
