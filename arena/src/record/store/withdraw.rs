//! Withdraws bots: they and their matches leave the results file, as if they had never played. Only a note of the withdrawal
//! remains.

use rusqlite::Connection;

use super::difference::{Advice, versions_differ};
use super::error::StoreError;
use super::resumable::Resumable;
use super::schema::columns;
use super::stored_plan::StoredPlan;
use super::{file, removal};
use crate::roster::{UnknownBotError, bot_index};
use leyden_format::Format;
use leyden_model::words::{counted, plural};
use leyden_model::{BotIndex, ChangeKind, RECORD_VERSION, RULES_EDITION, TournamentChange};

/// Why a bot cannot be withdrawn. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a gate compares two bots and ends without one of them: no bot can be withdrawn from it")]
    Gate,
    #[error(transparent)]
    NoSuchBot(#[from] UnknownBotError),
    #[error(
        "{named} was withdrawn before, after {}; {matches} of its own {} removed",
        counted(*after, "match", "matches"),
        plural(*matches, "was", "were")
    )]
    Already { named: String, after: u64, matches: u64 },
    #[error("without {bot} too few bots are left ({left}): a table needs {seats}")]
    TooFew { bot: String, left: usize, seats: usize },
    #[error(
        "{bot} is the only challenger of the gauntlet, and without it there are no matches: start a new tournament"
    )]
    Gauntlet { bot: String },
    #[error(
        "{bot} cannot be withdrawn: results decide who meets next, so its matches must stay. Only a league, or a Swiss as first \
         stage, can continue without it, from the next round on"
    )]
    Adaptive { bot: String },
    #[error("{bot} has left before")]
    Gone { bot: String },
}

impl Resumable {
    /// Withdraws bots for good, each named by its name or by the folder or archive in which it was handed in. Either
    /// everything is written or nothing.
    pub fn withdraw(self, named: &[String]) -> Result<Vec<TournamentChange>, WithdrawError> {
        let mut was = self.stored_plan().clone();
        let mut requested: Vec<String> = Vec::new();
        for named in named {
            let name = &was.bots[found(&was, named)?.index()].name;
            if !requested.contains(name) {
                requested.push(name.clone());
            }
        }
        let versions: Vec<_> = versions_differ(self.versions(), (RULES_EDITION, RECORD_VERSION)).collect();
        if !versions.is_empty() {
            return Err(StoreError::Different {
                path: self.path().to_owned(),
                differences: versions,
                advice: Advice::None,
            }
            .into());
        }
        let (mut played, is_over) = self.reached()?;
        let open_round = self.open_round()?;

        let (path, _lock, mut file) = self.into_writing()?;
        let failed = |source| StoreError::sqlite(&path, "write to", source);
        let all = file.transaction().map_err(failed)?;
        let mut changes = Vec::new();
        for name in requested {
            let bot = found(&was, &name)?;
            if was.format.is_adaptive() {
                let (now, change) = left(&was, bot, (open_round, played))?;
                file::extend(&all, &was, &now, vec![change.clone()]).map_err(failed)?;
                was = now;
                was.changes.push(change.clone());
                changes.push(change);
                continue;
            }
            let mut now = without(&was, bot)?;
            let matches = removal::matches_of(&all, &path, &was, bot)?;
            let what = ChangeKind::Withdrawn { bot: name, matches };
            let change = TournamentChange { after: played, seed_known: is_over, what };
            removal::take_out(&all, &path, &was, bot)?;
            close_up(&all, &was, bot).map_err(failed)?;
            file::write_format(&all, &now.format).map_err(failed)?;
            file::extend(&all, &now, &now, vec![change.clone()]).map_err(failed)?;
            now.changes.push(change.clone());
            changes.push(change);
            played -= matches;
            was = now;
        }
        all.commit().map_err(failed)?;
        file::close_committed(file, &path);
        Ok(changes)
    }
}

impl Resumable {
    /// Lets bots come back that have left a league, or a Swiss that is the first stage; those that have not stay as they are.
    pub fn bring_back(self, named: &[String]) -> Result<(), WithdrawError> {
        let was = self.stored_plan().clone();
        let ((after, _), open_round) = (self.reached()?, self.open_round()?);
        let mut now = was.clone();
        let mut changes = Vec::new();
        for named in named {
            let bot = found(&was, named)?;
            let name = was.bots[bot.index()].name.clone();
            let (Format::Stages(competition), Some(round)) = (&mut now.format, open_round) else {
                return Err(WithdrawError::Adaptive { bot: name });
            };
            if competition.has_left(bot) {
                competition.join(bot, round);
                let what = ChangeKind::Joined { bot: name };
                changes.push(TournamentChange { after, seed_known: false, what });
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        let (path, _lock, mut file) = self.into_writing()?;
        let failed = |source| StoreError::sqlite(&path, "write to", source);
        let all = file.transaction().map_err(failed)?;
        file::extend(&all, &was, &now, changes).map_err(failed)?;
        all.commit().map_err(failed)?;
        file::close_committed(file, &path);
        Ok(())
    }
}

/// The bot that is named.
fn found(stored_plan: &StoredPlan, named: &str) -> Result<BotIndex, WithdrawError> {
    let known = stored_plan.bots.iter().map(|bot| (bot.name.as_str(), bot.folder.as_deref()));
    let unknown = match bot_index(named, known) {
        Ok(index) => return Ok(BotIndex(index as u32)),
        Err(unknown) => unknown,
    };
    let before = |change: &TournamentChange| match &change.what {
        ChangeKind::Withdrawn { bot, matches } if bot == named => Some((change.after, *matches)),
        _ => None,
    };
    match stored_plan.changes.iter().rev().find_map(before) {
        Some((after, matches)) => Err(WithdrawError::Already { named: named.to_owned(), after, matches }),
        None => Err(unknown.into()),
    }
}

/// The tournament without a bot, if that is possible.
fn without(was: &StoredPlan, bot: BotIndex) -> Result<StoredPlan, WithdrawError> {
    if was.gate.is_some() {
        return Err(WithdrawError::Gate);
    }
    let mut now = was.clone();
    let name = now.bots.remove(bot.index()).name;
    let seats = was.settings.seats.count();
    if now.bots.len() < seats {
        return Err(WithdrawError::TooFew { bot: name, left: now.bots.len(), seats });
    }
    if let Format::Gauntlet { challengers } = &mut now.format {
        challengers.retain(|challenger| *challenger != bot);
        for challenger in challengers.iter_mut().filter(|challenger| **challenger > bot) {
            challenger.0 -= 1;
        }
        if challengers.is_empty() {
            return Err(WithdrawError::Gauntlet { bot: name });
        }
    }
    now.schedule()?;
    Ok(now)
}

/// The tournament once a bot has left its Swiss: what it has played stays.
fn left(
    was: &StoredPlan,
    bot: BotIndex,
    (open_round, played): (Option<u32>, u64),
) -> Result<(StoredPlan, TournamentChange), WithdrawError> {
    let mut now = was.clone();
    let (name, seats) = (was.bots[bot.index()].name.clone(), was.settings.seats.count());
    let (Format::Stages(competition), Some(round)) = (&mut now.format, open_round) else {
        return Err(WithdrawError::Adaptive { bot: name });
    };
    if competition.has_left(bot) {
        return Err(WithdrawError::Gone { bot: name });
    }
    competition.leave(bot, round);
    // The next stage needs as many bots as go on to it.
    let needed =
        competition.stages.first().and_then(|stage| stage.advance).map_or(seats, |best| best as usize);
    let left = competition.present(round);
    if left < needed {
        return Err(WithdrawError::TooFew { bot: name, left, seats: needed });
    }
    let what = ChangeKind::Left { bot: name, round: round + 1 };
    Ok((now, TournamentChange { after: played, seed_known: false, what }))
}

/// Removes a bot without matches from the list, and moves those behind it up by one.
fn close_up(all: &Connection, was: &StoredPlan, bot: BotIndex) -> rusqlite::Result<()> {
    /// Numbers that no bot has: rows move past them, because two rows must never share a key, not even for a moment.
    const ASIDE: i64 = 1 << 40;
    let seats = was.settings.seats;
    let players = columns("player", seats);
    let gone = i64::from(bot.0);
    all.execute(
        &format!("DELETE FROM records WHERE record IN (SELECT record FROM voided WHERE ? IN ({players}))"),
        [gone],
    )?;
    all.execute(&format!("DELETE FROM voided WHERE ? IN ({players})"), [gone])?;
    for table in ["bots", "bot_sums"] {
        all.execute(&format!("DELETE FROM {table} WHERE bot = ?"), [gone])?;
    }
    let columns: Vec<String> = (0..seats.count()).map(|seat| format!("player{seat}")).collect();
    let bot = ["bot".to_owned()];
    for (table, columns) in
        [("matches", &columns[..]), ("voided", &columns), ("bots", &bot), ("bot_sums", &bot)]
    {
        let moved = |by: i64, from: i64| {
            let each =
                columns.iter().map(|column| format!("{column} = {column} + iif({column} > {from}, {by}, 0)"));
            format!("UPDATE {table} SET {}", each.collect::<Vec<_>>().join(", "))
        };
        all.execute(&moved(ASIDE, gone), [])?;
        all.execute(&moved(-ASIDE - 1, ASIDE), [])?;
    }
    Ok(())
}
