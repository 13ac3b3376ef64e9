//! The controller of a table: handles the messages of the table and of the page in one queue, and publishes the state.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use leyden_language::Language;
use leyden_model::MatchRecord;
use leyden_protocol::Action;
use leyden_rules::Rules;
use serde::Deserialize;
use tokio::sync::watch;

use super::page_state::{PageState, PageUpdate};
use super::parts::parts;
use super::state::{PageParts, PlayState};
use super::visit::{MakeTable, VisitEvent, VisitStart};
use crate::replay;
use leyden_table::{FromPerson, OpponentLevel, ReadyTable, Session, SessionEnd, ToPerson};

/// A command from the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum PageCommand {
    /// Play against this level, counted from 1.
    Level {
        level: usize,
    },
    /// The answer to a turn.
    Act {
        turn: u64,
        action: Action,
    },
    Step,
    Undo,
    Resign,
    Coach {
        on: bool,
    },
    Hints {
        on: bool,
    },
    Again,
    Close,
}

#[expect(clippy::large_enum_variant, reason = "only one exists at a time")]
pub(super) enum Input {
    ToPerson(ToPerson),
    Said(PageCommand),
    /// A browser asks for this language.
    Speak(Language),
    /// The server is shutting down.
    Close,
}

/// How a visit continues.
enum VisitEnd {
    Again,
    Leave,
}

pub(super) struct TableController {
    inputs: Sender<Input>,
    seen: watch::Sender<PageState>,
    heard: Sender<VisitEvent>,
    language: Language,
    number: u64,
}

impl TableController {
    pub(super) fn new(
        inputs: Sender<Input>,
        seen: watch::Sender<PageState>,
        heard: Sender<VisitEvent>,
        language: Language,
    ) -> Self {
        Self { inputs, seen, heard, language, number: 0 }
    }

    /// Runs until the person leaves.
    pub(super) fn run(mut self, opening: VisitStart, inputs: &Receiver<Input>) {
        let end = match opening {
            VisitStart::Table(table) => self.play(*table, inputs, false),
            VisitStart::Choice { rules, mut make, again } => loop {
                let Some(table) = self.choose(&rules, &mut make, inputs) else { break Some(VisitEnd::Leave) };
                match self.play(table, inputs, again) {
                    Some(VisitEnd::Again) => {}
                    end => break end,
                }
            },
        };
        if end.is_some() {
            let _ = self.heard.send(VisitEvent::Left); // the receiver may be gone
        }
    }

    /// Waits until an opponent is chosen for which there is a table.
    fn choose(
        &mut self,
        rules: &Rules,
        make: &mut MakeTable,
        inputs: &Receiver<Input>,
    ) -> Option<ReadyTable> {
        let mut refused = String::new();
        loop {
            let parts = PageParts::from([("refused", maud::html! { (refused) }.into_string())]);
            self.show("lobby", None, parts, rules, None);
            match inputs.recv().ok()? {
                Input::Said(PageCommand::Level { level }) => {
                    if let Some(level) = OpponentLevel::by_number(level) {
                        match make(level) {
                            Ok(table) => return Some(table),
                            Err(why) => refused = replay::printable(&why),
                        }
                    }
                }
                Input::Close | Input::Said(PageCommand::Close) => return None,
                Input::Speak(language) => self.language = language,
                Input::Said(_) | Input::ToPerson(_) => {}
            }
        }
    }

    /// Plays a match, and shows its end until the person continues or leaves. `None` if the server shuts down.
    fn play(&mut self, table: ReadyTable, inputs: &Receiver<Input>, can_go_on: bool) -> Option<VisitEnd> {
        let mut state = PlayState::new(self.language, table.rules(), &table.header().bots, table.seat());
        let rules = *table.rules();
        let session = match Session::start(table) {
            Ok((session, message)) => {
                let inputs = self.inputs.clone();
                std::thread::spawn(move || {
                    for message in message {
                        if inputs.send(Input::ToPerson(message)).is_err() {
                            return;
                        }
                    }
                });
                Some(session)
            }
            Err(error) => {
                state.take(&ToPerson::Over(SessionEnd::Failed(error)));
                None
            }
        };
        let _ = self.heard.send(VisitEvent::Begun); // the receiver may be gone
        let mut replayed = None;
        loop {
            if !state.is_catching_up {
                let turn = state.turn.as_ref().map(|turn| turn.id);
                self.show("play", turn, parts(&state, can_go_on), &rules, replayed.clone());
            }
            match inputs.recv().ok()? {
                Input::ToPerson(message) => {
                    state.take(&message);
                    if let ToPerson::Over(ending) = message {
                        replayed = record_of(&ending)
                            .and_then(|record| replay::document(record, None, None, self.language).ok());
                        let _ = self.heard.send(VisitEvent::Over(ending)); // the receiver may be gone
                    }
                }
                Input::Said(PageCommand::Close) => return Some(VisitEnd::Leave),
                Input::Said(PageCommand::Again) if can_go_on && state.result.is_some() => {
                    return Some(VisitEnd::Again);
                }
                Input::Speak(language) => {
                    self.language = language;
                    state.speak(language);
                }
                Input::Said(PageCommand::Coach { on }) => state.set_coach(on),
                Input::Said(PageCommand::Hints { on }) => state.set_hints(on),
                Input::Said(said) => {
                    if let (Some(session), Some(word)) = (&session, word(said)) {
                        session.say(word);
                    }
                }
                Input::Close => return None,
            }
        }
    }

    fn show(
        &mut self,
        view: &'static str,
        turn: Option<u64>,
        parts: PageParts,
        rules: &Rules,
        replayed: Option<String>,
    ) {
        self.number += 1;
        let shown = PageUpdate { number: self.number, view, turn, parts };
        let text = serde_json::to_string(&shown).unwrap_or_default(); // only texts and numbers: never fails
        let replayed = replayed.map(Arc::from);
        self.seen.send_replace(PageState { state: text.into(), rules: Some(*rules), replayed });
    }
}

fn record_of(ending: &SessionEnd) -> Option<&MatchRecord> {
    match ending {
        SessionEnd::Kept(_, record) | SessionEnd::Practised(record) | SessionEnd::NotKept(_, record) => {
            Some(record)
        }
        SessionEnd::Resigned | SessionEnd::Failed(_) => None,
    }
}

fn word(said: PageCommand) -> Option<FromPerson> {
    match said {
        PageCommand::Act { turn, action } => Some(FromPerson::Act(turn, action)),
        PageCommand::Step => Some(FromPerson::Step),
        PageCommand::Undo => Some(FromPerson::Undo),
        PageCommand::Resign => Some(FromPerson::Resign),
        PageCommand::Level { .. }
        | PageCommand::Coach { .. }
        | PageCommand::Hints { .. }
        | PageCommand::Again
        | PageCommand::Close => None,
    }
}
