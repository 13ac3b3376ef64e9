//! The result of `leyden match A B`: the first bot's score and margin against the second, with intervals.

use leyden_model::RecordRules;
use leyden_protocol::WinningScore;
use leyden_stats::{Entrant, MatchEstimate};
use schemars::JsonSchema;
use serde::Serialize;

use super::REPORT_VERSION;
use super::counts::{MatchCounts, PairCounts};
use super::luck::LuckPairing;
use super::results::BotResults;
use super::tournament_tally::TournamentTally;

/// Two bots at one table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "The result of a match of two bots")]
pub struct Versus {
    /// The version of this format: 1.
    pub v: u32,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    /// SHA-256 of the seed.
    pub commitment: Option<String>,
    pub rules: RecordRules,
    /// Which direction of score is good.
    pub better: WinningScore,
    pub matches: MatchCounts,
    pub pairs: PairCounts,
    /// In the order in which they were typed.
    pub bots: [Side; 2],
    /// The first bot against the second, over complete pairs; `null` without one.
    pub estimate: Option<MatchEstimate>,
    /// The score without luck, if `leyden luck` has computed it for all matches of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckPairing>,
}

/// One of two bots.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Side {
    pub name: String,
    pub results: BotResults,
}

impl Versus {
    /// Creates the document; `None` unless there are two bots at a table of two.
    pub fn from_tally(gathered: &TournamentTally) -> Option<Self> {
        let ([one, two], [one_sums, two_sums]) = (&gathered.names[..], &gathered.sums[..]) else {
            return None;
        };
        let side = |name: &String, sums| Side { name: name.clone(), results: BotResults::from_sums(sums) };
        Some(Self {
            v: REPORT_VERSION,
            tournament: gathered.tournament.clone(),
            commitment: gathered.commitment.clone(),
            rules: gathered.rules,
            better: gathered.better,
            matches: MatchCounts { played: gathered.matches, planned: gathered.matches_planned },
            pairs: gathered.pairs,
            bots: [side(one, one_sums), side(two, two_sums)],
            estimate: gathered
                .tally
                .pairing(Entrant(0), Entrant(1))
                .and_then(|pairing| MatchEstimate::from_tally(pairing, gathered.holds())),
            luck: gathered.luck.as_ref().and_then(|luck| luck.pairings.first().cloned()),
        })
    }
}
