//! The entrants of a final: exactly the versions of a league that play, as they are kept.

use std::path::{Path, PathBuf};

use super::entrance::UNPACKED;
use super::standing::{LeagueStanding, StandingError};
use super::version::{Version, versions_of};
use crate::record::store::{Results, StoreError, StoredPlan};
use crate::roster;

/// A version that plays, and the folder in which it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueEntrant {
    pub version: Version,
    pub kept: PathBuf,
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
    let all = versions_of(results.stored_plan()).map_err(StandingError::NoLeague)?;
    let folder = file.with_extension("versions");
    let mut entrants = Vec::new();
    for version in lines.into_iter().filter(|line| line.there).map(|line| line.version) {
        let kept = folder.join(version.to_string());
        let found = roster::find_entry(&kept, leyden, UNPACKED);
        let is_same = |hash: &String| found.bots.iter().any(|bot| bot.hash == *hash);
        if !all.iter().any(|of| of.version == version && is_same(&of.hash)) {
            return Err(EntrantsError::Altered { version, kept });
        }
        entrants.push(LeagueEntrant { version, kept });
    }
    Ok(entrants)
}

/// How the bots of a tournament differ from the versions that play in a league, by name and content: the first one that only one of
/// them has. `None` if they are the same.
pub fn other_entrant(tournament: &StoredPlan, league: &StoredPlan) -> Result<Option<String>, StandingError> {
    let mut plays: Vec<(String, String)> = Vec::new();
    for of in versions_of(league).map_err(StandingError::NoLeague)? {
        if of.there {
            plays.push((of.version.to_string(), of.hash));
        }
    }
    let bots: Vec<(String, String)> =
        tournament.bots.iter().map(|bot| (bot.name.clone(), bot.hash.clone())).collect();
    let strange = bots.iter().find(|bot| !plays.contains(bot));
    let lacking = plays.iter().find(|version| !bots.contains(version));
    Ok(strange.or(lacking).map(|(name, _)| name.clone()))
}
