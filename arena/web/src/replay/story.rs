//! A match as a sequence of moments for an audience: the tiles on the table, the hands, and the messages.
//!
//! Everything comes from what the audience is shown, except the lines that a bot was sent: these are rebuilt from the view of the
//! asked seat, and included only for audiences that may see that seat's decisions.

use std::collections::BTreeMap;

use leyden_arena::narrate::Narrator;
use leyden_arena::narrate::words::{ending, time};
use leyden_language::{Language, text::replay as text};
use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{Deviation, FaultRecord, MatchEvent, MatchHeader, TableState};
use leyden_protocol::{
    Action, Answer, Clock, FromBot, HistoryAction, HistoryEntry, Lay, Note, NoteObject, PerSeat, Seat, Turn,
    push_turn,
};
use leyden_rules::{Deck, Match, Rules};
use serde::Serialize;
use serde_json::Number;

use super::words::{self, printable, printable_lines};
use super::worth::{Chance, DecisionWorth, Worth};

/// What one audience may see of a match.
#[derive(Serialize)]
pub(super) struct ReplayView {
    /// The seat whose view it is; `None` for the open view.
    seat: Option<Seat>,
    deals: Vec<PlayedDeal>,
    /// How the match ended.
    outcome: String,
    /// The message to the author about the fault that ended the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// What is known about the processes.
    processes: Vec<Process>,
}

impl ReplayView {
    pub(super) fn seat(&self) -> Option<Seat> {
        self.seat
    }
}

/// What is known about a process after the match.
#[derive(Serialize)]
struct Process {
    seat: Seat,
    /// What it did while it was not its turn, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    off_turn: Option<String>,
    stderr: String,
}

/// A deal and its actions.
#[derive(Serialize)]
struct PlayedDeal {
    round: u32,
    redeal: u32,
    /// The scores before it.
    scores: PerSeat<u32>,
    /// The points that it scored; `None` if it did not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<PerSeat<u32>>,
    /// The boneyard in drawing order, the reserve last.
    #[serde(skip_serializing_if = "Option::is_none")]
    boneyard: Option<String>,
    /// The moments: the deal, each action, the end.
    steps: Vec<ReplayStep>,
}

/// A moment.
#[derive(Clone, Default, Serialize)]
struct ReplayStep {
    /// The seat that acted, or was to act.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    /// A short text for the list of moves.
    short: String,
    /// The same as a sentence.
    text: String,
    tags: Vec<&'static str>,
    /// How many tiles are on the table.
    laid: usize,
    /// Each seat's hand: its tiles, or their number if they are hidden.
    hands: Vec<Hand>,
    boneyard: u8,
    /// What the end of each arm needs.
    wants: BTreeMap<&'static str, Want>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<RecordedDecision>,
    /// The fault at this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<PerSeat<u32>>,
    /// The chance to win now: of the seat whose view it is, or else of the first; only where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<Chance>,
}

/// A hand.
#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Hand {
    Seen(String),
    Hidden(u8),
}

/// What an arm needs.
#[derive(Clone, Serialize)]
struct Want {
    text: String,
    /// Whether a tile may be laid there now.
    open: bool,
}

/// A question to a seat, and its answer.
#[derive(Clone, Serialize)]
struct RecordedDecision {
    turn: u64,
    /// The seat that was asked.
    asked: Seat,
    legal: Vec<String>,
    /// The legal action that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    /// The line with its answer; `None` if there was none, or none that counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    answered: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_us: Option<u64>,
    /// The same as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<ReplayNote>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<DecisionWorth>,
}

/// What a bot wrote with its answer, made printable.
#[derive(Clone, Serialize)]
struct ReplayNote {
    /// In words.
    line: String,
    numbers: BTreeMap<String, Number>,
    /// Texts at the ends of arms.
    marks: BTreeMap<&'static str, String>,
}

impl ReplayNote {
    fn new(note: &Note) -> Self {
        let line = leyden_arena::narrate::words::note(note);
        let Note::Object(object) = note else {
            return Self { line, numbers: BTreeMap::new(), marks: BTreeMap::new() };
        };
        let NoteObject { numbers, marks, .. } = &**object;
        Self {
            line,
            numbers: numbers.iter().map(|(name, number)| (printable(name), number.clone())).collect(),
            marks: marks.iter().map(|(arm, mark)| (arm.letter(), printable(mark))).collect(),
        }
    }
}

/// Builds a view from the events that its audience sees.
struct ViewBuilder<'a> {
    header: &'a MatchHeader,
    narrator: Narrator,
    view: ReplayView,
    table: TableState,
    decision: Option<RecordedDecision>,
    lines: Lines,
    worth: &'a Worth<'a>,
}

/// The lines that each seat was sent for its turns, in order, without their clocks. They are long, so the document contains them
/// once, and views refer to them by turn.
pub(super) type Lines = PerSeat<Vec<String>>;

/// Returns the match as everyone, or one seat, may see it, and the lines that were sent to the seats whose decisions are visible.
pub(super) fn narrate(
    header: &MatchHeader,
    rules: &Rules,
    events: &[MatchEvent],
    worth: &Worth<'_>,
    seat: Option<Seat>,
    language: Language,
) -> (ReplayView, Lines) {
    let mut projection = Projection::new(seat.map_or(Audience::Organiser, Audience::Seat));
    let mut game = Match::new(rules);
    let view =
        ReplayView { seat, deals: Vec::new(), outcome: String::new(), message: None, processes: Vec::new() };
    let mut builder = ViewBuilder {
        header,
        narrator: Narrator::new(header.bots.map(|name| printable(name)), None, language),
        view,
        table: TableState::new(rules),
        decision: None,
        lines: PerSeat::default_for(rules.seats),
        worth,
    };
    for event in events {
        let shown = projection.show(event);
        follow(&mut game, event);
        if let Some(shown) = shown {
            builder.take(&shown, &game);
        }
    }
    let is_hidden = |fault: &FaultRecord| fault.details.what == Deviation::NotShown;
    if matches!(events.last(), Some(MatchEvent::Ended(over)) if over.fault.as_ref().is_some_and(is_hidden)) {
        builder.view.message = builder.view.message.map(|_| language.say(text::MessageNotShown));
    }
    (builder.view, builder.lines)
}

/// Follows the game, to rebuild the lines that bots were sent.
fn follow(game: &mut Match, event: &MatchEvent) {
    match event {
        MatchEvent::Dealt { deck, .. } => {
            if let Ok(deck) = Deck::new(game.rules().set, deck) {
                game.deal(&deck);
            }
        }
        MatchEvent::Acted { entry, .. } => {
            let _ = game.apply(Action::from(entry.event)); // the events of a replay are always legal
        }
        MatchEvent::Settled { .. } => {
            game.settle();
        }
        MatchEvent::Started(_)
        | MatchEvent::Asked { .. }
        | MatchEvent::Struck { .. }
        | MatchEvent::Ended(_) => {}
    }
}

impl ViewBuilder<'_> {
    fn take(&mut self, shown: &ShownEvent, game: &Match) {
        match shown {
            ShownEvent::Dealt { .. } => self.dealt(shown),
            ShownEvent::Asked { seat, turn, legal, .. } => {
                self.table.take(shown);
                let line = self.line(*seat, *turn, game);
                self.lines[*seat].push(line);
                let turn_ref = self.table.next();
                let chance = self.worth.chance(turn_ref, self.view.seat);
                if let Some(now) = self.view.deals.last_mut().and_then(|deal| deal.steps.last_mut()) {
                    now.chance = chance.map(|share| Chance::new(share, self.narrator.language()));
                }
                self.decision = Some(RecordedDecision {
                    turn: *turn,
                    asked: *seat,
                    legal: legal.iter().map(ToString::to_string).collect(),
                    taken: None,
                    answered: None,
                    took_us: None,
                    took: None,
                    note: None,
                    worth: self.worth.of_decision(turn_ref, *seat),
                });
            }
            ShownEvent::Started { .. } | ShownEvent::Struck { .. } => self.table.take(shown),
            ShownEvent::Acted { entry, took_us, note } => {
                self.acted(shown, *entry, *took_us, note.as_ref());
            }
            ShownEvent::Settled { .. } => self.settled(shown),
            ShownEvent::Ended { .. } => self.ended(shown),
        }
    }

    /// Returns the line that a seat was sent, without its clock, which is not recorded.
    fn line(&self, seat: Seat, turn: u64, game: &Match) -> String {
        let mut legal = Vec::new();
        let Some(view) = game.view(seat, &mut legal) else { return String::new() };
        let clock = Clock { turn_ms: 0, bank_ms: 0, last_us: None };
        let mut line = Vec::new();
        push_turn(&mut line, &Turn::new(turn, &self.header.id, view, clock));
        let line = String::from_utf8_lossy(&line);
        match line.rsplit_once(",\"clock\":") {
            Some((before, _)) => format!("{before}}}"),
            None => line.into_owned(),
        }
    }

    fn dealt(&mut self, dealt: &ShownEvent) {
        let ShownEvent::Dealt { round, redeal, undealt, .. } = dealt else { return };
        self.table.take(dealt);
        self.decision = None;
        let undealt =
            undealt.as_ref().map(|tiles| tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        self.view.deals.push(PlayedDeal {
            round: *round,
            redeal: *redeal,
            scores: self.table.scores,
            points: None,
            boneyard: undealt,
            steps: Vec::new(),
        });
        self.push(ReplayStep {
            short: self.narrator.language().say(text::Dealt),
            text: self.narrator.dealt(*round, *redeal),
            ..ReplayStep::default()
        });
    }

    /// Adds a moment with what is visible at it.
    fn push(&mut self, step: ReplayStep) {
        let table = &self.table;
        let hand = |(seat, count): (Seat, &u8)| match table.hands[seat] {
            Some(hand) => Hand::Seen(hand.to_string()),
            None => Hand::Hidden(*count),
        };
        let wants = table.layout.iter().flat_map(|layout| {
            layout
                .arms()
                .iter()
                .map(|(arm, end)| {
                    let text = words::needed_numbers(end, table.rules.set);
                    (arm.letter(), Want { text, open: layout.is_open(arm) })
                })
                .collect::<Vec<_>>()
        });
        let step = ReplayStep {
            laid: table.layout.as_ref().map_or(0, |layout| layout.by.len()),
            hands: table.counts.iter().map(hand).collect(),
            boneyard: table.boneyard,
            wants: wants.collect(),
            ..step
        };
        if let Some(deal) = self.view.deals.last_mut() {
            deal.steps.push(step);
        }
    }

    fn acted(&mut self, acted: &ShownEvent, entry: HistoryEntry, took_us: Option<u64>, note: Option<&Note>) {
        let text = self.narrator.sentence(&self.table, acted).unwrap_or_default();
        let mut tags = Vec::new();
        if let HistoryAction::Play(_, lay) = entry.event {
            let is_across = matches!(lay, Lay::Across(_));
            tags.extend(is_across.then_some("across"));
            tags.extend((!is_across && lay.tile().is_wild(self.table.rules.set)).then_some("matador"));
        }
        let sees = self.table.hands[entry.seat].is_some();
        let forgiven = self.table.forgiven;
        self.table.take(acted);
        let action = Action::from(entry.event);
        let decision = self.decision.take().map(|asked| {
            let id = asked.turn;
            let answer = FromBot::Action(Answer { id, action, note: note.cloned() });
            let answered = serde_json::to_string(&answer).ok().filter(|_| forgiven.is_none());
            let took_us = took_us.or(forgiven.map(|forgiven| forgiven.took_us));
            RecordedDecision {
                taken: Some(action.to_string()),
                answered,
                took_us,
                took: took_us.map(|us| time(self.narrator.language(), us)),
                note: note.map(ReplayNote::new),
                ..asked
            }
        });
        if sees && decision.is_none() {
            tags.push("forced");
        }
        let fault = forgiven.map(|forgiven| self.narrator.strike(entry.seat, forgiven.code));
        let (seat, short) = (Some(entry.seat), words::short(self.narrator.language(), entry.event));
        self.push(ReplayStep { seat, short, text, tags, decision, fault, ..ReplayStep::default() });
    }

    fn settled(&mut self, settled: &ShownEvent) {
        let ShownEvent::Settled { end, points, scores, .. } = settled else { return };
        let over = self.narrator.round_over(settled).unwrap_or_default();
        let points_in_words = end.is_scored().then(|| format!(" {}", self.narrator.points(points, scores)));
        let text = over + &points_in_words.unwrap_or_default();
        self.table.take(settled);
        let short = ending(self.narrator.language(), *end);
        let decision = self.decision.take();
        self.push(ReplayStep { short, text, decision, scores: Some(*scores), ..ReplayStep::default() });
        if let Some(deal) = self.view.deals.last_mut() {
            deal.points = end.is_scored().then_some(*points);
        }
    }

    fn ended(&mut self, ended: &ShownEvent) {
        let ShownEvent::Ended { winner, fault, message, processes, .. } = ended else { return };
        self.table.take(ended);
        self.view.outcome = self.narrator.match_over(ended).unwrap_or_default();
        self.view.message = message.as_deref().map(printable_lines);
        self.view.processes = processes
            .iter()
            .map(|process| Process {
                seat: process.seat,
                off_turn: self.narrator.off_turn(process),
                stderr: printable_lines(&process.stderr),
            })
            .collect();
        let last = self.view.deals.last_mut().and_then(|deal| deal.steps.last_mut());
        let Some(last) = last else { return };
        let chance = self.worth.final_chance(*winner, self.view.seat);
        last.chance = chance.map(|share| Chance::new(share, self.narrator.language()));
        if let Some((seat, code)) = fault {
            last.seat = Some(*seat);
            last.fault = Some(format!("{}.", self.narrator.lost_by_fault(*seat, *code)));
        }
        last.text = format!("{} {}", last.text, self.view.outcome);
    }
}
