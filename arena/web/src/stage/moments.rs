//! A match as moments: the deal, each action, the end of each round, the result. A moment is built from the events up to it, so it does
//! not depend on what follows.

use leyden_arena::analyse::AnalysedMatch;
use leyden_arena::narrate::{ReplayError, rules_of};
use leyden_language::Language;
use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{MatchEvent, MatchKey, MatchRecord, UnplayableError, replayed};
use leyden_protocol::Seat;
use leyden_table::ToPerson;

use super::state::StagedKey;
use crate::play::PlayState;
use crate::replay::{Worth, printable};

/// A match that can be shown.
pub(crate) struct StagedMatch {
    pub(crate) key: MatchKey,
    pub(crate) record: MatchRecord,
    pub(crate) analysed: Option<AnalysedMatch>,
    events: Vec<MatchEvent>,
    /// The number of events up to each moment.
    moments: Vec<usize>,
}

/// What an audience sees at a moment.
pub(crate) struct Moment {
    pub(crate) table: PlayState,
    /// The chance to win so far, of the seat whose hand is seen, or else of the first; empty if it is not known.
    pub(crate) chances: Vec<f64>,
    /// How long the last action took, in microseconds.
    pub(crate) took_us: Option<u64>,
}

impl StagedMatch {
    pub(crate) fn new(
        key: MatchKey,
        record: MatchRecord,
        analysed: Option<AnalysedMatch>,
    ) -> Result<Self, ReplayError> {
        rules_of(&record)?;
        let broken = |UnplayableError { round, action }| ReplayError::Unplayable {
            id: record.id.clone(),
            round,
            action,
        };
        let events = replayed(&record).map_err(broken)?;
        let starts = (0..events.len()).filter(|&index| is_moment(&events[index]));
        let moments = starts.skip(1).chain([events.len()]).collect();
        Ok(Self { key, record, analysed, events, moments })
    }

    /// Its moments, for the stage.
    pub(crate) fn staged(&self) -> StagedKey {
        let ends = |moment: &usize| {
            // The last event that is a moment by itself, before those that only lead to the next one.
            let until = self.events[..self.moments[*moment]].iter().rev().find(|event| is_moment(event));
            matches!(until, Some(MatchEvent::Settled { .. }))
        };
        let last = self.moments.len().saturating_sub(1);
        StagedKey { key: self.key, last, ends: (0..=last).filter(ends).collect() }
    }

    /// What is seen at a moment, with all hands or from a seat, in this language.
    pub(crate) fn at(&self, moment: usize, view: Option<Seat>, language: Language) -> Option<Moment> {
        let until = *self.moments.get(moment)?;
        let rules = rules_of(&self.record).ok()?;
        let worth = Worth::new(self.analysed.as_ref(), language);
        let mut projection = Projection::new(view.map_or(Audience::Spectator, Audience::Seat));
        let bots = &self.record.bots;
        let table = PlayState::called(language, &rules, bots, bots.map(|name| printable(name)), None);
        let mut seen = Moment { table, chances: Vec::new(), took_us: None };
        for event in &self.events[..until] {
            let Some(shown) = projection.show(event) else { continue };
            match &shown {
                ShownEvent::Acted { took_us, .. } => seen.took_us = *took_us,
                ShownEvent::Dealt { .. } | ShownEvent::Settled { .. } => seen.took_us = None,
                ShownEvent::Ended { winner, .. } => seen.chances.extend(worth.final_chance(*winner, view)),
                _ => {}
            }
            let is_asked = matches!(shown, ShownEvent::Asked { .. });
            seen.table.take(&ToPerson::Shown(shown));
            if is_asked {
                seen.chances.extend(worth.chance(seen.table.table.next(), view));
            }
        }
        Some(seen)
    }
}

/// Whether an event is shown by itself; the others belong to the moment before.
const fn is_moment(event: &MatchEvent) -> bool {
    matches!(
        event,
        MatchEvent::Dealt { .. }
            | MatchEvent::Acted { .. }
            | MatchEvent::Settled { .. }
            | MatchEvent::Ended { .. }
    )
}
