//! What may be seen of a match: turns events into events that hold nothing more than their audience could know at a
//! table at that moment. Hiding is done here and nowhere else.
//!
//! A *seat* sees what a bot in it is sent: its own hand and draws, how many tiles the others hold, everything that is
//! played, and all hands at the end of a scored round. It never learns whether another seat's action was chosen or
//! forced. A *spectator* sees all hands, but neither the boneyard nor the seed. Tests prove both by permuting what must
//! not show. The *organiser* sees everything. Whether a match may be shown at all before its other legs are played is
//! decided elsewhere.

use leyden_protocol::{
    Action, Clock, FaultCode, HistoryAction, HistoryEntry, MatchEnding, Note, PerSeat, Seat, Tile, TileSet,
};
use leyden_rules::{Deck, Match, Round, Rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{MatchEvent, MatchHeader, MatchOver};
use crate::record::{RecordRules, RecordedEnding};

/// The audience of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// A person in this seat, or someone who looks over its bot's shoulder.
    Seat(Seat),
    /// Someone who sees all hands.
    Spectator,
    /// Someone from whom nothing is hidden once the match is over.
    Organiser,
}

/// What an audience is shown of a [`MatchEvent`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "An event of a match, as an audience may see it")]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ShownEvent {
    Started {
        #[serde(rename = "match")]
        id: String,
        rules: RecordRules,
        /// The bots' names in seat order.
        bots: PerSeat<String>,
    },
    Dealt {
        /// From 0; a round that is dealt again keeps its number.
        round: u32,
        /// How often this round was dealt before.
        redeal: u32,
        /// The hand of each seat, or null if the audience does not see it.
        hands: PerSeat<Option<TileSet>>,
        /// How many tiles each seat holds.
        counts: PerSeat<u8>,
        /// How many tiles are left, the reserve included.
        boneyard: u8,
        /// These tiles in drawing order, the reserve last: only for the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        undealt: Option<Vec<Tile>>,
    },
    /// A seat has a choice. For a seat: only about itself.
    Asked {
        seat: Seat,
        /// Which of the seat's questions it is, from 1.
        turn: u64,
        legal: Vec<Action>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<Clock>,
    },
    /// A fault was forgiven: the first legal action follows. For a seat: only about itself.
    Struck {
        seat: Seat,
        code: FaultCode,
        /// The time charged for the decision, in microseconds.
        took_us: u64,
    },
    Acted {
        /// Who did what. A draw shows its tile to those who see that hand.
        entry: HistoryEntry,
        /// For a seat: only its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_us: Option<u64>,
        /// Only for that seat itself and the organiser: a note is for the bot's author.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Note>,
    },
    Settled {
        end: RecordedEnding,
        /// The seat that is out, or alone has the lightest hand.
        winner: Option<Seat>,
        /// Of a blocked round: whether no remaining tile fits, although tiles could be drawn.
        nothing_fits: bool,
        /// All hands, as at a real table, at the end of a scored round.
        hands: Option<PerSeat<TileSet>>,
        /// The pips of each hand.
        pips: PerSeat<u32>,
        /// What the round added to each score.
        points: PerSeat<u32>,
        /// The scores after it.
        scores: PerSeat<u32>,
    },
    Ended {
        scores: PerSeat<u32>,
        /// Null if nobody won.
        winner: Option<Seat>,
        end: MatchEnding,
        /// The seat that lost by a fault, and its code.
        fault: Option<(Seat, FaultCode)>,
        /// The message for the author: only for that seat itself and the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// What is known of the bots' processes. For a seat: only its own; the organiser sees all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        processes: Vec<ShownProcess>,
    },
}

/// What is known of a seat's process when a match is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownProcess {
    pub seat: Seat,
    /// The processor time it used while it was not its turn, in microseconds.
    pub off_turn_us: u64,
    /// Whether it was stopped then.
    pub stopped: bool,
    /// The last lines that it wrote to its standard error, if something went wrong.
    pub stderr: String,
}

/// Follows a match and shows an audience what it may see.
#[derive(Clone, Debug)]
pub struct Projection {
    audience: Audience,
    game: Option<Match>,
}

impl Projection {
    /// Begins to show a match to an audience; must get each of its events, in order.
    pub fn new(audience: Audience) -> Self {
        Self { audience, game: None }
    }

    /// Whether the audience sees what this seat holds, draws and is asked.
    fn sees(&self, seat: Seat) -> bool {
        match self.audience {
            Audience::Seat(own) => own == seat,
            Audience::Spectator | Audience::Organiser => true,
        }
    }

    /// Whether the audience may know what is meant for this seat's author.
    fn is_author(&self, seat: Seat) -> bool {
        self.audience == Audience::Organiser || self.audience == Audience::Seat(seat)
    }

    /// Returns what the audience is shown of the next event; `None` if nothing. Must be called with every event of a
    /// match, in order. Events that do not follow from the rules show nothing.
    pub fn show(&mut self, event: &MatchEvent) -> Option<ShownEvent> {
        match event {
            MatchEvent::Started(header) => {
                let MatchHeader { id, rules, bots, .. } = &**header;
                self.game = rules.rules().ok().map(|rules: Rules| Match::new(&rules));
                Some(ShownEvent::Started { id: id.clone(), rules: *rules, bots: bots.clone() })
            }
            MatchEvent::Dealt { round, redeal, deck } => {
                let rules = *self.game.as_ref()?.rules();
                let deck = Deck::new(rules.set, deck).ok()?;
                self.game.as_mut().filter(|game| game.round().is_none())?.deal(&deck);
                Some(self.dealt((*round, *redeal), &deck, &rules))
            }
            MatchEvent::Asked { seat, turn, legal, clock } => {
                let (seat, turn, legal, clock) = (*seat, *turn, legal.clone(), *clock);
                self.sees(seat).then_some(ShownEvent::Asked { seat, turn, legal, clock })
            }
            MatchEvent::Struck { seat, code, took_us, .. } => {
                self.sees(*seat).then_some(ShownEvent::Struck { seat: *seat, code: *code, took_us: *took_us })
            }
            MatchEvent::Acted { entry, took_us, note } => {
                let game = self.game.as_mut().filter(|game| game.round().is_some())?;
                game.apply(Action::from(entry.event)).ok()?;
                let sees = self.sees(entry.seat);
                Some(ShownEvent::Acted {
                    entry: if sees { *entry } else { hidden(*entry) },
                    took_us: took_us.filter(|_| sees),
                    note: note.clone().filter(|_| self.is_author(entry.seat)),
                })
            }
            MatchEvent::Settled { end, pips, points, scores } => {
                let game = self.game.as_mut()?;
                let blocked = game.round().filter(|_| *end == RecordedEnding::Blocked);
                let nothing_fits = blocked.is_some_and(Round::nothing_fits);
                let settled = game.settle();
                let settled = settled.filter(|_| end.is_scored());
                Some(ShownEvent::Settled {
                    end: *end,
                    winner: settled.as_ref().and_then(|settled| settled.outcome.winner()),
                    nothing_fits,
                    hands: settled.map(|settled| settled.hands),
                    pips: *pips,
                    points: *points,
                    scores: *scores,
                })
            }
            MatchEvent::Ended(over) => {
                let MatchOver { scores, winner, end, fault, .. } = &**over;
                let message = fault.as_ref().filter(|fault| self.is_author(fault.seat));
                Some(ShownEvent::Ended {
                    scores: *scores,
                    winner: *winner,
                    end: *end,
                    fault: fault.as_ref().map(|fault| (fault.seat, fault.code)),
                    message: message.map(crate::fault::FaultRecord::message),
                    processes: self.processes(over),
                })
            }
        }
    }

    fn dealt(&self, (round, redeal): (u32, u32), deck: &Deck, rules: &Rules) -> ShownEvent {
        let hand = usize::from(rules.hand);
        let held = |seat: Seat| deck.tiles().iter().skip(seat.index() * hand).take(hand).copied().collect();
        ShownEvent::Dealt {
            round,
            redeal,
            hands: PerSeat::from_fn(rules.seats, |seat| self.sees(seat).then(|| held(seat))),
            counts: PerSeat::from_fn(rules.seats, |_| rules.hand),
            boneyard: (rules.set.size() - hand * rules.seats.count()) as u8,
            undealt: (self.audience == Audience::Organiser)
                .then(|| deck.tiles().iter().skip(hand * rules.seats.count()).copied().collect()),
        }
    }

    /// Returns the processes about which something is known.
    fn processes(&self, over: &MatchOver) -> Vec<ShownProcess> {
        let of = |seat: Seat| {
            let off_turn_us = over.host.as_ref().and_then(|host| host.off_turn_us.as_ref());
            ShownProcess {
                seat,
                off_turn_us: off_turn_us.map_or(0, |used| used[seat]),
                stopped: over.host.as_ref().is_some_and(|host| host.stopped.contains(&seat)),
                stderr: over.stderr.as_ref().map_or_else(String::new, |said| said[seat].clone()),
            }
        };
        let all = over.scores.seats().iter().filter(|&seat| self.is_author(seat)).map(of);
        all.filter(|process| process.off_turn_us > 0 || process.stopped || !process.stderr.is_empty())
            .collect()
    }
}

/// Returns another seat's action: a draw without its tile.
fn hidden(entry: HistoryEntry) -> HistoryEntry {
    match entry.event {
        HistoryAction::Draw(_) => HistoryEntry { event: HistoryAction::Draw(None), ..entry },
        HistoryAction::Lead(_) | HistoryAction::Play(..) | HistoryAction::Pass | HistoryAction::Refuse => {
            entry
        }
    }
}
