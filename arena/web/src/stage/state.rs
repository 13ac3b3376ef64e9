//! What is revealed, and what is shown: plain code without a thread, a clock or a file, so its tests are tables.

use std::collections::BTreeSet;

use leyden_model::MatchKey;
use leyden_protocol::Seat;
use serde::{Deserialize, Serialize};

use super::programme::RoundName;
use crate::snapshot::RevealedMatches;
/// How long a moment is shown if nothing else is asked, and at least and at most, in milliseconds.
const PACE_MS: u64 = 2_000;
const SHORTEST_MS: u64 = 200;
const LONGEST_MS: u64 = 20_000;

/// How many times as long the end of a round and of a match are shown.
const AFTER_ROUND: u64 = 3;
const AFTER_MATCH: u64 = 5;

/// The longest countdown, in seconds.
const LONGEST_S: u64 = 24 * 3_600;

/// What is revealed, and what is shown now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stage {
    pub(crate) revealed: RevealedMatches,
    pub(crate) shown: Shown,
    pub(crate) pace_ms: u64,
}

/// What the audience sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shown", rename_all = "snake_case")]
pub(crate) enum Shown {
    /// The name of the event.
    #[default]
    Title,
    /// The time until a round begins, in milliseconds since 1970.
    Countdown {
        until_ms: u64,
        /// `None` for the end.
        round: Option<RoundName>,
    },
    Match(ShownMatch),
    /// Standings or a bracket, as revealed.
    Standings,
    Winner,
}

/// A match on the stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ShownMatch {
    pub(crate) of: StagedKey,
    /// The matches that follow by themselves.
    pub(crate) then: Vec<StagedKey>,
    /// The moment, from 0.
    pub(crate) at: usize,
    /// Whose hand is seen; `None` shows all.
    pub(crate) view: Option<Seat>,
    /// When the next moment follows; `None` while it is paused.
    pub(crate) next_ms: Option<u64>,
}

/// A match and its moments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StagedKey {
    pub(crate) key: MatchKey,
    /// The last moment.
    pub(crate) last: usize,
    /// The moments that end a round.
    pub(crate) ends: BTreeSet<usize>,
}

/// A command with everything that it needs from the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StageOrder {
    Title,
    Standings,
    /// Shows the first of these matches from its beginning, and the others after it. None is an error.
    Matches(Vec<StagedKey>),
    Countdown {
        seconds: u64,
        round: Option<RoundName>,
    },
    Moment(usize),
    Play,
    Pause,
    Pace(u64),
    View(Option<Seat>),
    /// Reveals the round that has these blocks.
    Reveal {
        round: std::ops::Range<u32>,
        is_played: bool,
    },
    Winner {
        is_over: bool,
    },
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StageOrderError {
    #[error("no match is shown: choose one first")]
    NoMatch,
    #[error("the match that is shown has moments 0 to {last}; got {at}")]
    NoMoment { at: usize, last: usize },
    #[error("there is no such match among those that were played")]
    NotFound,
    #[error("this round is revealed already, or another one comes before it")]
    OutOfOrder,
    #[error("this round is not played to its end")]
    NotPlayed,
    #[error("not everything is revealed: reveal the last round first")]
    NotOver,
    #[error("expected between {SHORTEST_MS} and {LONGEST_MS} ms for a moment, got {0}")]
    Pace(u64),
    #[error("expected at most {LONGEST_S} seconds, got {0}")]
    TooLong(u64),
    #[error("this match has no seat {0}")]
    NoSeat(Seat),
}

impl Default for Stage {
    fn default() -> Self {
        Self { revealed: RevealedMatches::default(), shown: Shown::Title, pace_ms: PACE_MS }
    }
}

impl Stage {
    /// Obeys a command, or changes nothing.
    pub(crate) fn obey(&mut self, order: StageOrder, now_ms: u64) -> Result<(), StageOrderError> {
        match order {
            StageOrder::Title => self.shown = Shown::Title,
            StageOrder::Standings => self.shown = Shown::Standings,
            StageOrder::Matches(matches) => {
                let mut matches = matches.into_iter();
                let of = matches.next().ok_or(StageOrderError::NotFound)?;
                let then = matches.collect();
                self.shown = Shown::Match(ShownMatch { of, then, at: 0, view: None, next_ms: None });
            }
            StageOrder::Countdown { seconds, .. } if seconds > LONGEST_S => {
                return Err(StageOrderError::TooLong(seconds));
            }
            StageOrder::Countdown { seconds, round } => {
                self.shown = Shown::Countdown { until_ms: now_ms + seconds * 1_000, round };
            }
            StageOrder::Reveal { round, .. } if round.start != self.revealed.blocks => {
                return Err(StageOrderError::OutOfOrder);
            }
            StageOrder::Reveal { is_played: false, .. } => return Err(StageOrderError::NotPlayed),
            StageOrder::Reveal { round, .. } => {
                self.revealed.add_blocks(round.end);
                self.shown = Shown::Standings;
            }
            StageOrder::Winner { is_over: false } => return Err(StageOrderError::NotOver),
            StageOrder::Winner { .. } => self.shown = Shown::Winner,
            StageOrder::Pace(pace) if !(SHORTEST_MS..=LONGEST_MS).contains(&pace) => {
                return Err(StageOrderError::Pace(pace));
            }
            StageOrder::Pace(pace) => self.pace_ms = pace,
            StageOrder::Moment(at) => {
                let shown = self.shown_match()?;
                if at > shown.of.last {
                    return Err(StageOrderError::NoMoment { at, last: shown.of.last });
                }
                (shown.at, shown.next_ms) = (at, None);
                self.note_end();
            }
            StageOrder::Play => {
                let pace_ms = self.pace_ms;
                let shown = self.shown_match()?;
                if shown.is_done() {
                    (shown.at, shown.next_ms) = (0, Some(now_ms + pace_ms));
                } else {
                    shown.next_ms = Some(now_ms);
                }
            }
            StageOrder::Pause => self.shown_match()?.next_ms = None,
            StageOrder::View(view) => {
                let shown = self.shown_match()?;
                if let Some(seat) = view.filter(|seat| seat.index() >= shown.of.key.table.bots().len()) {
                    return Err(StageOrderError::NoSeat(seat));
                }
                shown.view = view;
            }
        }
        Ok(())
    }

    fn shown_match(&mut self) -> Result<&mut ShownMatch, StageOrderError> {
        let Shown::Match(shown) = &mut self.shown else { return Err(StageOrderError::NoMatch) };
        Ok(shown)
    }

    /// Shows the next moment if it is due. Returns whether anything has changed.
    pub(crate) fn tick(&mut self, now_ms: u64) -> bool {
        let Shown::Match(shown) = &mut self.shown else { return false };
        if shown.next_ms.is_none_or(|next_ms| next_ms > now_ms) {
            return false;
        }
        if shown.at < shown.of.last {
            shown.at += 1;
        } else if shown.then.is_empty() {
            shown.next_ms = None;
            return true;
        } else {
            (shown.of, shown.at) = (shown.then.remove(0), 0);
        }
        let longer = match shown.at {
            at if at == shown.of.last => AFTER_MATCH,
            at if shown.of.ends.contains(&at) => AFTER_ROUND,
            _ => 1,
        };
        shown.next_ms = (!shown.is_done()).then(|| now_ms + longer * self.pace_ms);
        self.note_end();
        true
    }

    /// The result of a match that was shown to its end is revealed.
    fn note_end(&mut self) {
        if let Shown::Match(shown) = &self.shown
            && shown.at == shown.of.last
        {
            self.revealed.add(shown.of.key);
        }
    }
}

impl ShownMatch {
    /// Whether nothing follows.
    pub(crate) fn is_done(&self) -> bool {
        self.at == self.of.last && self.then.is_empty()
    }
}
