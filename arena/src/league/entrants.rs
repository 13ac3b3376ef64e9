//! The entrants of a final: exactly the versions of a league that play, as they are kept, and those that only rest for the day.

use std::path::{Path, PathBuf};

use super::budget::Budget;
use super::standing::{LeagueStanding, StandingError, VersionLine};
use super::version::{UNPACKED, Version, VersionEntry, versions_of};
use crate::record::store::{Results, StoreError, StoredPlan};
use crate::roster::{self, Competitor};

/// A version that plays, with the folder in which it is kept, and the bot there, which has its name.
#[derive(Clone, Debug)]
pub struct LeagueEntrant {
    pub line: VersionLine,
    /// The folder in which it is kept.
    pub kept: PathBuf,
    /// The bot in that folder, under its name.
    pub bot: Competitor,
}

/// Why there are no entrants.
#[derive(Debug, thiserror::Error)]
pub enum EntrantsError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Standing(#[from] StandingError),
    #[error("{version} is not in {} as it was handed in: put it back there", .kept.display())]
    Altered { version: Version, kept: PathBuf },
}

/// The versions that play in the league with this results file, the best one first. `leyden` is the path of this program.
pub fn entrants(file: &Path, leyden: &Path) -> Result<Vec<LeagueEntrant>, EntrantsError> {
    let results = Results::open(file)?;
    let mut lines = LeagueStanding::from_results(&results)?.versions(None).versions;
    lines.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    let all = playing(file, results.stored_plan())?;
    let mut entrants = Vec::new();
    for line in lines {
        if let Some(entry) = all.iter().find(|of| of.version == line.version) {
            let (kept, bot) = kept(file, entry, leyden)?;
            entrants.push(LeagueEntrant { line, kept, bot });
        }
    }
    Ok(entrants)
}

/// A version of the league with this results file: the folder in which it is kept, and the bot there, which has its name.
pub(super) fn kept(
    file: &Path,
    entry: &VersionEntry,
    leyden: &Path,
) -> Result<(PathBuf, Competitor), EntrantsError> {
    let folder = file.with_extension("versions").join(entry.version.to_string());
    let mut found = roster::find_entry(&folder, leyden, UNPACKED).bots.into_iter();
    let Some(mut bot) = found.find(|bot| bot.hash == entry.hash) else {
        return Err(EntrantsError::Altered { version: entry.version.clone(), kept: folder });
    };
    bot.name = entry.version.to_string();
    Ok((folder, bot))
}

/// How the bots of a tournament differ from the versions that play in the league with this results file, by name and content: the
/// first one that only one of them has. `None` if they are the same.
pub fn other_entrant(tournament: &StoredPlan, file: &Path) -> Result<Option<String>, EntrantsError> {
    let plays = playing(file, Results::open(file)?.stored_plan())?;
    let plays: Vec<(String, String)> =
        plays.into_iter().map(|of| (of.version.to_string(), of.hash)).collect();
    let bots: Vec<(String, String)> =
        tournament.bots.iter().map(|bot| (bot.name.clone(), bot.hash.clone())).collect();
    let strange = bots.iter().find(|bot| !plays.contains(bot));
    let lacking = plays.iter().find(|version| !bots.contains(version));
    Ok(strange.or(lacking).map(|(name, _)| name.clone()))
}

/// The versions that play in a league, and those that rest until the next day: that their time was up when the league ended keeps
/// nobody from its final.
pub(super) fn playing(file: &Path, league: &StoredPlan) -> Result<Vec<VersionEntry>, EntrantsError> {
    let mut all = versions_of(league).map_err(StandingError::NoLeague)?;
    let budget = Budget::open(file, None).map_err(|source| StoreError::Io {
        path: file.to_owned(),
        doing: "read what is beside",
        source,
    })?;
    budget.keep_resting(&mut all, |_| false);
    all.retain(|of| of.there);
    Ok(all)
}
