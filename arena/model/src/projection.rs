//! What others than the organiser may see of a match: events in, events out that hold nothing more than their audience
//! could know at a table at that moment.
//!
//! Two audiences, and each is proved by permuting what must not show. A *seat* sees what a bot in it is told: its own hand
//! and draws, how many tiles the others hold, everything that is played, and all hands at the end of a scored round. It
//! never learns whether another seat's action was chosen or forced. A *spectator* looks at all hands, but neither into the
//! boneyard nor at the seed. When a match may be shown at all, before its other legs are played, is not settled here.

use leyden_protocol::{Action, Clock, Entry, Event, FaultCode, MatchEnding, PerSeat, Seat, TileSet};
use leyden_rules::{Deck, Match, Rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{MatchEvent, MatchHeader, MatchOver};
use crate::record::{RecordRules, RecordedEnding};

/// Who looks on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Somebody who sits there: a person, or somebody who looks over a bot's shoulder.
    Seat(Seat),
    /// Somebody who sees all hands.
    Spectator,
}

/// What an audience is shown of a [`MatchEvent`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "An event of a match, as an audience may see it")]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Shown {
    Started {
        #[serde(rename = "match")]
        id: String,
        rules: RecordRules,
        /// The bots' names in seat order.
        bots: PerSeat<String>,
    },
    Dealt {
        round: u32,
        redeal: u32,
        /// For each seat its hand, or nothing if the audience does not see it.
        hands: PerSeat<Option<TileSet>>,
        /// How many tiles each seat holds.
        counts: PerSeat<u8>,
        /// How many tiles are left, the reserve included.
        boneyard: u8,
    },
    /// A seat has a choice. To somebody in a seat: only that seat itself.
    Asked {
        seat: Seat,
        turn: u64,
        legal: Vec<Action>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<Clock>,
    },
    /// A fault was forgiven. To somebody in a seat: only that seat itself.
    Struck { seat: Seat, code: FaultCode },
    Acted {
        /// Who did what. A draw shows its tile to whoever sees that hand.
        entry: Entry,
        /// To somebody in a seat: only of that seat itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_us: Option<u64>,
        /// To nobody but that seat itself: a note is for the bot's author.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    Settled {
        end: RecordedEnding,
        /// All hands, as at a table, at the end of a scored round.
        hands: Option<PerSeat<TileSet>>,
        pips: PerSeat<u32>,
        points: PerSeat<u32>,
        scores: PerSeat<u32>,
    },
    Ended {
        scores: PerSeat<u32>,
        winner: Option<Seat>,
        end: MatchEnding,
        /// Who lost by a fault, and by which.
        fault: Option<(Seat, FaultCode)>,
        /// What the author is told of the fault: only to that seat itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

/// Follows a match and shows an audience what it may see.
#[derive(Clone, Debug)]
pub struct Projection {
    audience: Audience,
    game: Option<Match>,
}

impl Projection {
    pub fn new(audience: Audience) -> Self {
        Self { audience, game: None }
    }

    /// Whether the audience sees what this seat holds, draws and is asked.
    fn sees(&self, seat: Seat) -> bool {
        match self.audience {
            Audience::Seat(own) => own == seat,
            Audience::Spectator => true,
        }
    }

    /// Whether the audience sits there.
    fn is(&self, seat: Seat) -> bool {
        self.audience == Audience::Seat(seat)
    }

    /// What the audience is shown of the next event; `None` if nothing. To be called with every event of a match, in order.
    /// Events that do not follow from the rules show nothing.
    pub fn show(&mut self, event: &MatchEvent) -> Option<Shown> {
        match event {
            MatchEvent::Started(header) => {
                let MatchHeader { id, rules, bots, .. } = &**header;
                self.game = rules.rules().ok().map(|rules: Rules| Match::new(&rules));
                Some(Shown::Started { id: id.clone(), rules: *rules, bots: bots.clone() })
            }
            MatchEvent::Dealt { round, redeal, deck } => {
                let rules = *self.game.as_ref()?.rules();
                let deck = Deck::new(rules.set, deck).ok()?;
                self.game.as_mut()?.deal(&deck);
                Some(self.dealt((*round, *redeal), &deck, &rules))
            }
            MatchEvent::Asked { seat, turn, legal, clock } => {
                let (seat, turn, legal, clock) = (*seat, *turn, legal.clone(), *clock);
                self.sees(seat).then_some(Shown::Asked { seat, turn, legal, clock })
            }
            MatchEvent::Struck { seat, code, .. } => {
                self.sees(*seat).then_some(Shown::Struck { seat: *seat, code: *code })
            }
            MatchEvent::Acted { entry, took_us, note } => {
                self.game.as_mut()?.apply(Action::from(entry.event)).ok()?;
                let sees = self.sees(entry.seat);
                Some(Shown::Acted {
                    entry: if sees { *entry } else { hidden(*entry) },
                    took_us: took_us.filter(|_| sees),
                    note: note.clone().filter(|_| self.is(entry.seat)),
                })
            }
            MatchEvent::Settled { end, pips, points, scores } => {
                let settled = self.game.as_mut()?.settle();
                let scored = matches!(end, RecordedEnding::Dominoed | RecordedEnding::Blocked);
                let hands = settled.filter(|_| scored).map(|settled| settled.hands);
                Some(Shown::Settled { end: *end, hands, pips: *pips, points: *points, scores: *scores })
            }
            MatchEvent::Ended(over) => {
                let MatchOver { scores, winner, end, fault, .. } = &**over;
                let message = fault.as_ref().filter(|fault| self.is(fault.seat));
                Some(Shown::Ended {
                    scores: *scores,
                    winner: *winner,
                    end: *end,
                    fault: fault.as_ref().map(|fault| (fault.seat, fault.code)),
                    message: message.map(|fault| fault.message.clone()),
                })
            }
        }
    }

    fn dealt(&self, (round, redeal): (u32, u32), deck: &Deck, rules: &Rules) -> Shown {
        let hand = usize::from(rules.hand);
        let held = |seat: Seat| deck.tiles().iter().skip(seat.index() * hand).take(hand).copied().collect();
        Shown::Dealt {
            round,
            redeal,
            hands: PerSeat::from_fn(rules.seats, |seat| self.sees(seat).then(|| held(seat))),
            counts: PerSeat::from_fn(rules.seats, |_| rules.hand),
            boneyard: (rules.set.size() - hand * rules.seats.count()) as u8,
        }
    }
}

/// Another's action: a draw without its tile.
fn hidden(entry: Entry) -> Entry {
    match entry.event {
        Event::Draw(_) => Entry { event: Event::Draw(None), ..entry },
        _ => entry,
    }
}
