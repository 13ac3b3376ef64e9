//! How the versions of a league stand, and two of them over the opponents that both have met.

use leyden_stats::{Entrant, LeagueTable, Ratings, mean_score};
use schemars::JsonSchema;
use serde::Serialize;

use super::version::{Version, versions_of};
use crate::record::store::Results;
use crate::report::{BotOrder, ImpossibleRecordsError, REPORT_VERSION, ReportError, TournamentTally};

/// The versions of a league, as `leyden league versions --json` prints them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "The versions of a league")]
pub struct LeagueVersions {
    /// The version of this format: 1.
    pub v: u32,
    /// By bot, the oldest first.
    pub versions: Vec<VersionLine>,
}

/// A version and what it has achieved.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VersionLine {
    /// Its name among the bots of the results file, such as `ann v3`.
    #[serde(rename = "name")]
    #[schemars(with = "String")]
    pub version: Version,
    /// Whether it plays on.
    pub there: bool,
    /// Its rating in Elo.
    pub elo: f64,
    /// The 95 % interval at any time is `elo` ± this; null with too few pairs.
    pub half_width: Option<f64>,
    /// Its score as it met the others, 0..=1; `null` without a pair.
    pub score: Option<f64>,
    /// The score if it met every version that plays on equally often, by what it has scored against each.
    pub even_score: f64,
    /// The number of pairs that it played.
    pub pairs: u64,
}

/// An opponent of both versions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CommonOpponent {
    pub name: String,
    /// The score of each version against it, 0..=1.
    pub scores: [f64; 2],
    /// From how many pairs each of these scores is.
    pub pairs: [u64; 2],
}

/// Two versions of a league, as `leyden league compare --json` prints them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Two versions of a bot")]
pub struct VersionsCompared {
    /// The version of this format: 1.
    pub v: u32,
    /// In the order in which they were named, as their scores below are.
    #[serde(rename = "versions")]
    pub lines: [VersionLine; 2],
    /// If they were equally strong, ratings so far apart would ever come with this probability at most; `null` with too few pairs.
    pub p_value: Option<f64>,
    /// Most pairs first.
    pub common: Vec<CommonOpponent>,
}

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum StandingError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("it is not the file of a league: {0} is not the name of a version, such as \"ann v1\"")]
    NoLeague(String),
    #[error("there is no version {0}; there are {known}", known = .1.join(", "))]
    NoVersion(Version, Vec<String>),
}

/// The results of a league, rated.
pub struct LeagueStanding {
    tally: TournamentTally,
    ratings: Ratings,
    lines: Vec<VersionLine>,
}

impl LeagueStanding {
    /// How a league stands at this moment.
    pub fn from_results(results: &Results) -> Result<Self, StandingError> {
        let entered = versions_of(results.stored_plan()).map_err(StandingError::NoLeague)?;
        let tally = TournamentTally::from_results(results, BotOrder::ByName)?;
        let ratings = tally.ratings().map_err(ReportError::from)?;
        let mut lines = Vec::new();
        let is_there = |name: &String| entered.iter().any(|of| of.there && of.version.to_string() == *name);
        let there: Vec<Entrant> = (0..)
            .map(Entrant)
            .zip(&tally.names)
            .filter(|(_, name)| is_there(name))
            .map(|(bot, _)| bot)
            .collect();
        let even = league_table(&tally);
        for (bot, name) in (0..).map(Entrant).zip(&tally.names) {
            let Some(version) = Version::parse(name) else { continue };
            let (mut half_points, mut pairs) = (0, 0);
            for other in (0..tally.names.len() as u32).map(Entrant) {
                let (points, of_two) = met(&tally, bot, other);
                half_points += points;
                pairs += of_two;
            }
            let even_score = even
                .even_score(bot, &there)
                .map_err(ImpossibleRecordsError::from)
                .map_err(ReportError::from)?;
            lines.push(VersionLine {
                version,
                there: is_there(name),
                elo: ratings.elo(bot).get(),
                half_width: ratings.half_width(bot),
                score: mean_score(half_points, 2 * pairs),
                even_score,
                pairs,
            });
        }
        Ok(Self { tally, ratings, lines })
    }

    /// All versions, or those of one bot.
    pub fn versions(&self, bot: Option<&str>) -> LeagueVersions {
        let is_of_bot = |line: &&VersionLine| bot.is_none_or(|bot| line.version.bot == bot);
        let mut versions: Vec<VersionLine> = self.lines.iter().filter(is_of_bot).cloned().collect();
        versions.sort_by(|one, other| one.version.cmp(&other.version));
        LeagueVersions { v: REPORT_VERSION, versions }
    }

    /// Two versions, over the opponents that both have met.
    pub fn compare(&self, versions: [&Version; 2]) -> Result<VersionsCompared, StandingError> {
        let index = |version: &Version| {
            let index = self.tally.names.iter().position(|name| *name == version.to_string());
            index.ok_or_else(|| StandingError::NoVersion(version.clone(), self.tally.names.clone()))
        };
        let indices = [index(versions[0])?, index(versions[1])?];
        let bots = indices.map(|index| Entrant(index as u32));
        let mut common = Vec::new();
        for (other, name) in (0..).map(Entrant).zip(&self.tally.names) {
            let of_each = bots.map(|bot| met(&self.tally, bot, other));
            if of_each.iter().all(|(_, pairs)| *pairs > 0) {
                let scores = of_each.map(|(points, pairs)| points as f64 / (4 * pairs) as f64);
                common.push(CommonOpponent {
                    name: name.clone(),
                    scores,
                    pairs: of_each.map(|(_, pairs)| pairs),
                });
            }
        }
        common.sort_by_key(|of| std::cmp::Reverse(of.pairs.iter().sum::<u64>()));
        let lines = indices.map(|index| self.lines[index].clone());
        Ok(VersionsCompared {
            v: REPORT_VERSION,
            lines,
            p_value: self.ratings.p_value(bots[0], bots[1]),
            common,
        })
    }
}

/// What a bot has won against another, in half points, and in how many pairs.
fn met(tally: &TournamentTally, bot: Entrant, other: Entrant) -> (u64, u64) {
    let (low, high) = (Entrant(bot.0.min(other.0)), Entrant(bot.0.max(other.0)));
    let Some(pairing) = tally.tally.pairing(low, high).filter(|_| low != high) else { return (0, 0) };
    let (of_low, pairs) = (pairing.half_points(), pairing.blocks());
    (if bot == low { of_low } else { 4 * pairs - of_low }, pairs)
}

pub(super) fn league_table(tally: &TournamentTally) -> LeagueTable {
    let bots = tally.names.len() as u32;
    let mut table = LeagueTable::new(bots as usize);
    for (high, low) in (0..bots).flat_map(|high| (0..high).map(move |low| (Entrant(high), Entrant(low)))) {
        let (of_low, pairs) = met(tally, low, high);
        table.add([low, high], [of_low, 4 * pairs - of_low]);
    }
    table
}
