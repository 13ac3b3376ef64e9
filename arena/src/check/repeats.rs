//! Plays one match again: with a new process, and after other matches. A bot that then plays it differently has results that
//! nobody can reproduce.

use std::time::Duration;

use leyden_model::MatchRecord;
use leyden_model::words::counted;

use super::checking::GAME;
use super::report::{FindingKind, FindingOutcome};
use super::request::CheckError;
use super::state::{Checking, KEPT_STATE, SAME_SEED};
use super::tables::CheckTable;

/// How many matches are played before the same one again: at least, however long the bot thinks, and at most.
const OTHERS: std::ops::Range<u32> = 3..40;

/// Once the bot has thought for this long, no further one is played.
const TIME: Duration = Duration::from_secs(2);

impl Checking<'_> {
    /// Plays one match again with a new process, and once more after others. Playing differently is not a failure, but then nobody
    /// can reproduce a match.
    pub(super) async fn play_again(&mut self, table: &CheckTable) -> Result<(), CheckError> {
        let requested: Vec<&str> =
            [SAME_SEED, KEPT_STATE].into_iter().filter(|name| self.is_requested(name)).collect();
        if requested.is_empty() {
            return Ok(());
        }
        let (Some((seat, first)), 0) = (self.game.clone(), self.lost) else {
            for name in requested {
                self.find(FindingKind::SameSeed, name, FindingOutcome::Skipped, self.why_skipped());
            }
            return Ok(());
        };
        self.begin();
        let launch = self.ready.launch(table.rules, self.request.limits);
        let Some(mut bot) = self.start(&launch, SAME_SEED).await? else { return Ok(()) };
        let again = self.play(&mut bot, (table, GAME), seat).await?;
        if !plays_alike(&first, &again) {
            self.let_go(bot).await?;
            // The first process had answered questions before: what it kept of them may be all that differs.
            let Some(mut bot) = self.start(&launch, SAME_SEED).await? else { return Ok(()) };
            let third = self.play(&mut bot, (table, GAME), seat).await?;
            let same_when_new = plays_alike(&again, &third);
            self.add_same_seed(same_when_new);
            self.add_kept_state(if same_when_new {
                Some(("some questions".to_owned(), false))
            } else {
                None
            });
            return self.let_go(bot).await;
        }
        self.add_same_seed(true);
        if !self.is_requested(KEPT_STATE) {
            return self.let_go(bot).await;
        }
        self.begin();
        let (mut others, mut thought) = (0, Duration::ZERO);
        while others < OTHERS.end && (others < OTHERS.start || thought < TIME) {
            others += 1;
            let other = self.play(&mut bot, (table, GAME + others), seat).await?;
            thought += Duration::from_micros(other.think_us[seat].iter().sum());
            if other.fault.is_some() {
                self.note_end(KEPT_STATE, table, seat, &other)?;
                return Ok(bot.kill().await?);
            }
        }
        let after_others = self.play(&mut bot, (table, GAME), seat).await?;
        let seen = counted(u64::from(others), "other", "others");
        self.add_kept_state(Some((seen, plays_alike(&again, &after_others))));
        self.let_go(bot).await
    }

    fn add_same_seed(&mut self, is_same: bool) {
        if !self.is_requested(SAME_SEED) {
            return;
        }
        if is_same {
            let seen = "plays the same match the same way twice";
            self.find(FindingKind::SameSeed, SAME_SEED, FindingOutcome::Passed, seen);
        } else {
            let seen = "plays the same match differently the second time: draw random numbers from bot_seed, and do not let the \
                        clock decide, if you want games to be reproducible";
            self.find(FindingKind::SameSeed, SAME_SEED, FindingOutcome::Noted, seen);
        }
    }

    /// Notes whether it played alike after something; `None` if it never plays alike.
    fn add_kept_state(&mut self, seen: Option<(String, bool)>) {
        if !self.is_requested(KEPT_STATE) {
            return;
        }
        let (outcome, seen) = match seen {
            None => (
                FindingOutcome::Skipped,
                "not tried, because the bot plays one match differently each time".to_owned(),
            ),
            Some((after, true)) => {
                (FindingOutcome::Passed, format!("plays the same match the same way after {after}"))
            }
            Some((after, false)) => (
                FindingOutcome::Noted,
                format!(
                    "plays the same match differently after {after}: it keeps something from one match to the next, so its \
                     results depend on which matches its process played before, and on --jobs: forget everything at \
                     match_start, or have it start anew for every match (--fresh)"
                ),
            ),
        };
        self.find(FindingKind::SameSeed, KEPT_STATE, outcome, seen);
    }
}

/// Whether the same was done in both.
fn plays_alike(one: &MatchRecord, other: &MatchRecord) -> bool {
    let actions =
        |record: &MatchRecord| -> Vec<_> { record.rounds.iter().map(|deal| deal.actions.clone()).collect() };
    actions(one) == actions(other)
}
