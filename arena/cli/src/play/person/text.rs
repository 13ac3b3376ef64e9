//! A match in the terminal: one line for each event, and nothing moves, so that it can be read aloud and piped.

use std::fmt::Write as _; // writing to a String cannot fail
use std::io::{self, BufRead, Write};

use leyden_arena::narrate::layout::TextLayout;
use leyden_arena::narrate::words::{aim, arm_name, end_name, named, set_name, taken_by};
use leyden_arena::narrate::{Narrator, hint};
use leyden_language::{Language, Text, numbers, text::play as text};
use leyden_model::projection::ShownEvent;
use leyden_model::{Layout, TableState};
use leyden_protocol::{Action, Turn};
use leyden_rules::Rules;
use leyden_table::coach::{self, Advice, DEALS};
use leyden_table::{FromPerson, ReadyTable, RestartReason, Session, SessionEnd, ToPerson};

use crate::exit::{Code, CommandError};
use crate::report::grid::plain;

/// Plays at this table until the match is over or the input ends.
pub(super) fn play(table: ReadyTable, language: Language) -> Result<Code, CommandError> {
    let rules = *table.rules();
    let names = table.header().bots.map(|name| plain(name));
    let seat = table.seat();
    let game = language.say(text::Game {
        rules: rules.name,
        set: set_name(language, rules.set),
        target: rules.target,
        aim: aim(language, rules.better),
    });
    let begin = if seat.is_some() {
        let others = names.iter().filter(|(other, _)| Some(*other) != seat).map(|(_, name)| name);
        language.say(text::YouPlay { others: language.all(others), game })
    } else {
        language.say(text::YouWatch { names: names.as_slice().join(" – "), game })
    };
    let (session, messages) = Session::start(table).map_err(CommandError::from_system)?;
    let mut screen = Screen {
        language,
        table: TableState::new(&rules),
        narrator: Narrator::new(names, seat, language),
        input: io::stdin().lock(),
        out: io::stdout().lock(),
        is_catching_up: false,
        is_heard: false,
    };
    screen.write(&(begin + "\n"))?;
    for messages in messages {
        let word = match messages {
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
                screen.say(text::NothingToTakeBack)?;
                None
            }
            ToPerson::Over(ending) => return screen.over(ending),
        };
        if let Some(word) = word {
            session.say(word);
        }
    }
    Err(CommandError::defect("the table closed before the match ended"))
}

/// What is read and written.
struct Screen<I, O> {
    language: Language,
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

    fn say(&mut self, said: impl Text) -> Result<(), CommandError> {
        self.write(&(self.language.say(said) + "\n"))
    }

    fn begins(&mut self, rated: bool, again: Option<RestartReason>) -> Result<(), CommandError> {
        self.is_catching_up = again.is_some() && self.is_heard;
        match again {
            Some(RestartReason::Undo) if !rated => self.say(text::BackToDecision),
            Some(RestartReason::Busy) => self.say(text::MachineBusy),
            Some(RestartReason::Undo) | None => Ok(()),
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
        let read = self.input.read_until(b'\n', &mut line).map_err(CommandError::from_system)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Asks until there is a valid answer.
    fn ask(&mut self, turn: &Turn<'_>) -> Result<FromPerson, CommandError> {
        self.is_catching_up = false;
        self.position(turn)?;
        let language = self.language;
        let prompt = language.say(text::YourMove) + " ";
        loop {
            let Some(line) = self.line(&prompt)? else {
                self.write("\n")?;
                return Ok(FromPerson::Resign);
            };
            let said = match line.as_str() {
                "" => String::new(),
                "?" | "help" => language.say(text::Commands) + "\n",
                "l" => layout(language, &self.table.rules, turn),
                "h" => hint(language, &self.table.rules, turn) + "\n",
                "k" => match coach::advise(language, &self.table.rules, turn, DEALS) {
                    Some(advice) => advised(language, &advice),
                    None => language.say(text::NoAdvice) + "\n",
                },
                "u" => return Ok(FromPerson::Undo),
                "resign" | "quit" | "q" => return Ok(FromPerson::Resign),
                other => match chosen(language, turn, other) {
                    Ok(action) => return Ok(FromPerson::Act(turn.id, action)),
                    Err(why) => why + "\n",
                },
            };
            self.write(&said)?;
        }
    }

    /// Returns what a seat sees, in lines.
    fn position(&mut self, turn: &Turn<'_>) -> Result<(), CommandError> {
        let (layout, language) = (self.table.layout.as_ref(), self.language);
        let mut text = String::from("\n");
        for (arm, end) in turn.arms.iter() {
            let (letter, taken) = (arm.letter(), taken_by(language, end, self.table.rules.set));
            let (end, is_open) = (end_name(language, end), layout.is_some_and(|layout| layout.is_open(arm)));
            let arm = arm_name(language, arm);
            let line = if is_open {
                language.say(text::ArmTakes { letter, arm, end, taken })
            } else {
                language.say(text::ArmWaits { letter, arm, end })
            };
            let _ = writeln!(text, "  {line}");
        }
        let others = turn.counts.iter().filter(|(seat, _)| *seat != turn.seat);
        let holds =
            others.map(|(seat, count)| language.say(text::Holds { name: self.narrator.name(seat), count }));
        let others = holds.collect::<Vec<_>>().join(", ");
        let held = text::Held { others, boneyard: turn.boneyard, drawable: turn.drawable };
        let hand = text::YourHandIs { hand: turn.hand, pips: turn.hand.pips() };
        let _ = write!(text, "  {}\n  {}\n", language.say(held), language.say(hand));
        if self.table.round == 0 {
            let hint = hint(language, &self.table.rules, turn);
            let _ = writeln!(text, "  {}", language.say(text::HintLine { hint }));
        }
        for (number, action) in turn.legal.iter().enumerate() {
            let _ = writeln!(text, "{:>3}  {action:<8}  {}", number + 1, named(language, *action));
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
                self.write("\n")?;
                self.say(text::KeptIn { path: path.to_string(), id: &record.id })?;
                Ok(Code::Done)
            }
            SessionEnd::Practised(_) => {
                self.write("\n")?;
                self.say(text::Practised)?;
                Ok(Code::Done)
            }
            SessionEnd::Resigned => {
                self.say(text::Resigned)?;
                Ok(Code::Done)
            }
            SessionEnd::NotKept(error, _) => Err(error.into()),
            SessionEnd::Failed(error) => Err(CommandError::host_failed(error)),
        }
    }
}

/// Returns the action that was meant, or what is wrong with it.
fn chosen(language: Language, turn: &Turn<'_>, typed: &str) -> Result<Action, String> {
    let short = match typed {
        "d" => "draw",
        "r" => "refuse",
        other => other,
    };
    let legal = &turn.legal;
    if let Ok(number) = short.parse::<usize>() {
        let action = number.checked_sub(1).and_then(|index| legal.get(index));
        return action.copied().ok_or_else(|| language.say(text::ActionsRange { last: legal.len() }));
    }
    let unknown = |_| language.say(text::NotACommand { typed: format!("{:?}", plain(typed)) });
    let action: Action = short.parse().map_err(unknown)?;
    if legal.contains(&action) {
        Ok(action)
    } else {
        Err(language.say(text::NotPossible { action: action.to_string(), number: legal.len() }))
    }
}

fn advised(language: Language, advice: &Advice) -> String {
    let deals = advice.deals_in_words(language);
    let mut said = language.say(text::CoachSays { deals }) + "\n";
    for choice in &advice.choices {
        let win = format!("{:>3}", numbers::percent(choice.chance, 0));
        let points = format!("{:>4}", language.decimal(choice.margin.abs(), 1));
        let action = named(language, choice.action);
        let line = if choice.margin < 0.0 {
            language.say(text::CoachBehind { win, points, action })
        } else {
            language.say(text::CoachAhead { win, points, action })
        };
        let _ = writeln!(said, "  {:<8}  {line}", choice.action.to_string());
    }
    said + &advice.why + "\n"
}

/// Returns a drawing of the tiles on the table.
fn layout(language: Language, rules: &Rules, turn: &Turn<'_>) -> String {
    let Some(layout) = Layout::from_history(rules, &turn.history) else {
        return language.say(text::TableEmpty) + "\n";
    };
    TextLayout::from_layout(rules.layout, &layout).draw(crate::out::columns()).join("\n") + "\n"
}
