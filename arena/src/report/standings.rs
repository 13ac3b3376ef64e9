//! The standings of a tournament as a document.

use std::collections::BTreeSet;

use leyden_format::CompetitionTable;
use leyden_model::{LeftOut, RecordRules, TournamentChange};
use leyden_protocol::{Seats, WinningScore};
use leyden_stats::{
    BlocksRange, Cycle, Elo, Entrant, Fit, HeadToHead, Holds, Interval, ModelFreeResult, PairingGain,
    RankInterval, RankedBot, Ranking, Ratings, Residual, SeatedMatch, head_to_head, unmodelled,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::circumstances::BotCircumstances;
use super::counts::{BlockCounts, MatchCounts, PairCounts};
use super::gate::GateAnswer;
use super::later_legs::LaterLegsLine;
use super::luck::LuckReport;
use super::results::BotResults;
use super::tournament_tally::TournamentTally;
use super::{ImpossibleRecordsError, REPORT_VERSION};

/// Fields up to this size show every pairing by default.
pub const SMALL_FIELD: usize = 12;

/// The standings of the played part of a tournament. Ratings use complete blocks only; results count every match
/// that was played and not voided. Values that depend on the machine or the moment are in fields that end in `_us`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "The standings of a tournament")]
pub struct Standings {
    /// The version of this format: 1.
    pub v: u32,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    /// SHA-256 of the tournament's seed; `null` from an export, like all that was planned.
    pub commitment: Option<String>,
    /// The seed's text, from which every deal follows; present once everything is played, and not from an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    pub rules: RecordRules,
    /// Which direction of score is good.
    pub better: WinningScore,
    pub matches: MatchCounts,
    pub blocks: BlockCounts,
    pub pairs: PairCounts,
    /// Whether ratings count each pair by itself, and their errors come from pairs: with stages, and with one block.
    pub by_pairs: bool,
    /// By rating, best first; by score before the first complete block. In a competition of stages by the places that its rules
    /// give.
    pub bots: Vec<BotStanding>,
    /// How the competition stands, if the format has stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub competition: Option<CompetitionTable<String>>,
    /// Rankings that form circles, each step significant at 5 % over all pairings together.
    pub cycles: Vec<Circle>,
    /// Every two bots that meet; `null` with more than 12 bots unless requested by `--matrix` or `--pairing`.
    pub head_to_head: Option<Vec<PairingLine>>,
    /// When ranks, intervals and p-values hold: once everything is played that was planned, or until then at any time. Those that
    /// hold at any time are wider.
    pub holds: Holds,
    /// After how many blocks in all the widest bar would be ±10 at a planned end; `null` below 20 blocks.
    pub blocks_for_ten_elo: Option<BlocksRange>,
    /// How far apart neighbours have to be, in Elo, to be told apart by this many blocks in 80 % of cases; `null` below 20 blocks.
    pub told_apart: Option<Interval>,
    /// Whether ratings describe this field; `null` below 20 blocks, at more than two seats, with more than a hundred bots, and where
    /// every pairing decides a rating (a gauntlet).
    pub fit: Option<FieldFit>,
    /// Where a bot strays from its rating, if it was asked for (`--bot`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circumstances: Option<BotCircumstances>,
    /// Scores without luck, if `leyden luck` has computed them for all matches of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckReport>,
    /// Bots that do better in later legs of a pair than chance would explain: they may know the deal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_legs: Vec<LaterLegsLine>,
    /// What was named or handed in but does not play; not known from an export.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// What changed after the tournament had started; not known from an export.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<TournamentChange>,
    /// The result of the gate, if it is one; not known from an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateAnswer>,
    /// The bot that ratings are measured from, if not the mean of the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
}

/// A bot's line in standings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotStanding {
    /// From 1; bots with equal ratings, or with equal scores before there are ratings, share one. In a competition of stages as its
    /// rules say.
    pub place: u32,
    pub name: String,
    /// In a competition of stages: what the ratings say of its place before the bot in the next line. Absent where they share one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_next: Option<RatingVerdict>,
    /// Its author, as stated in its `bot.toml`; not known from an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The folder or archive in which it was named or handed in; not known for a bot without one, from an export, and on
    /// pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// `null` before the first complete block.
    pub rating: Option<Rating>,
    /// What it achieved without a model of strength, over complete blocks; `null` before the first.
    pub unmodelled: Option<ModelFreeResult>,
    pub results: BotResults,
}

/// What ratings say of a bot that the rules of a format place before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RatingVerdict {
    /// It is the stronger one.
    Sure,
    /// They cannot tell: the difference may be chance.
    Open,
    /// It is the weaker one.
    Reversed,
}

/// How well ratings describe a field: whether one number for each bot explains all of its scores.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldFit {
    /// If they did, pairings would stray so far from the ratings with this probability, 0..=1. Holds once, at a planned end.
    pub p_value: f64,
    /// By how much a pairing strays beyond what chance explains, in Elo (standard deviation); 0 if chance explains it all.
    pub astray_elo: f64,
    /// The pairings that stray the farthest, at most five, significant at 5 % over all pairings together, and as ranks are when
    /// somebody looks before the end.
    pub residuals: Vec<StrayPairing>,
}

/// A pairing that does not follow from the ratings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StrayPairing {
    pub first: String,
    pub second: String,
    /// The first bot's score as played, 0..=1.
    pub score: f64,
    /// The first bot's score as the ratings have it, 0..=1.
    pub expected: f64,
    /// Corrected for the number of pairings.
    pub p_value: f64,
}

/// Strength by Bradley–Terry on complete blocks; the mean of the field is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Rating {
    pub elo: Elo,
    /// The 95 % interval is `elo` ± this, clustered by block, for this bot by itself; `null` with too few blocks.
    pub half_width: Option<f64>,
    /// The places it may hold; if both ends are equal, its place is decided. With 95 % confidence no place of the table is wrong.
    pub rank: RankInterval,
    /// Mean score over complete blocks, 0..=1.
    pub score: Option<f64>,
    /// Comparisons in complete blocks.
    pub matches: u64,
    /// After how many blocks in all its bar would be ±10 at a planned end.
    pub blocks_for_ten_elo: Option<BlocksRange>,
}

/// Bots that beat one another in a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Circle {
    /// Each beats the next, the last beats the first.
    pub circle: Vec<String>,
    /// All bots connected by such circles.
    pub members: Vec<String>,
}

/// Two bots against one another in complete blocks, seen from the first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairingLine {
    pub first: String,
    pub second: String,
    /// The number of complete blocks in which they met.
    pub blocks: u64,
    /// Mean score of a match, 0..=1.
    pub score: Option<f64>,
    /// 95 %, for this pairing by itself; `null` with too few blocks.
    pub score_interval: Option<Interval>,
    /// By how many game points the first was ahead in a match without a fault; `null` if there was none.
    pub mean_margin: Option<f64>,
    /// The p-value of both being equally strong, by the ratings: if they were, so large a difference either way would come with this
    /// probability, 0..=1. It is not the probability that they are.
    pub p_value: Option<f64>,
    /// What duplicate deals gained: the correlation ρ of the legs of a deal, and 1/(1+ρ). `null` below 20 blocks.
    pub pairing: Option<PairingGain>,
}

/// A bot that ratings are measured from.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Anchor {
    pub bot: String,
    /// The rating that it is given.
    pub elo: f64,
}

/// Why ratings cannot be measured from a bot.
#[derive(Debug, thiserror::Error)]
pub enum AnchorError {
    #[error("no bot called {bot:?} is in these standings; the bots are {names}", names = .names.join(", "))]
    Unknown { bot: String, names: Vec<String> },
    #[error("there are no ratings yet: they need at least one complete block")]
    Unrated,
}

impl Standings {
    /// Shifts all ratings so that a bot has the given one. Differences and half-widths stay.
    pub fn anchor(&mut self, bot: &str, elo: f64) -> Result<(), AnchorError> {
        let Some(found) = self.bots.iter().find(|line| line.name == bot) else {
            let names = self.bots.iter().map(|line| line.name.clone()).collect();
            return Err(AnchorError::Unknown { bot: bot.to_owned(), names });
        };
        let shift = elo - found.rating.ok_or(AnchorError::Unrated)?.elo.get();
        for rating in self.bots.iter_mut().filter_map(|line| line.rating.as_mut()) {
            rating.elo = Elo::new(rating.elo.get() + shift);
        }
        self.anchor = Some(Anchor { bot: bot.to_owned(), elo });
        Ok(())
    }

    /// Where a bot strays from its rating, by the matches of all bots, which are numbered like `names`. `None` without ratings, and at
    /// tables of more than two.
    pub fn circumstances_of(
        &self,
        bot: &str,
        names: &[String],
        matches: &[SeatedMatch],
    ) -> Option<BotCircumstances> {
        Self::circumstances_in(&[self], bot, names, matches)
    }

    /// The same over several tournaments of the same bots, such as one in each game: the game of a match is the index of its
    /// tournament. A bot's rating is the mean of those in the tournaments.
    pub fn circumstances_in(
        tournaments: &[&Self],
        bot: &str,
        names: &[String],
        matches: &[SeatedMatch],
    ) -> Option<BotCircumstances> {
        let elo = |of: &Self, name: &String| {
            Some(of.bots.iter().find(|line| line.name == *name)?.rating?.elo.get())
        };
        let mean = |name: &String| {
            let each = tournaments.iter().map(|of| elo(of, name)).collect::<Option<Vec<f64>>>()?;
            Some((name.clone(), Elo::new(each.iter().sum::<f64>() / each.len() as f64)))
        };
        let rated: Vec<(String, Elo)> = names.iter().map(mean).collect::<Option<_>>()?;
        let is_anytime = tournaments.iter().any(|of| of.holds == Holds::AtAnyTime);
        let holds = if is_anytime { Holds::AtAnyTime } else { Holds::AtPlannedEnd };
        let games: Vec<String> =
            tournaments.iter().map(|of| format!("{} with {}", of.rules.name, of.rules.set)).collect();
        let are_of_two = tournaments.iter().all(|of| of.rules.seats == Seats::TWO);
        are_of_two.then(|| BotCircumstances::new(bot, &rated, &games, matches, holds))?
    }

    /// The fit, if ratings do not describe the field: with a p-value below 1 % at the planned end, and until then if a pairing
    /// strays significantly.
    pub fn misfit(&self) -> Option<&FieldFit> {
        let fit = self.fit.as_ref()?;
        let strays = match self.holds {
            Holds::AtPlannedEnd => fit.p_value < 0.01,
            Holds::AtAnyTime => !fit.residuals.is_empty(),
        };
        strays.then_some(fit)
    }

    /// Creates the document; with every pairing if the field is small or `all_pairings` is set.
    pub fn from_tally(
        gathered: &TournamentTally,
        all_pairings: bool,
    ) -> Result<Self, ImpossibleRecordsError> {
        Self::from_ratings(gathered, &gathered.ratings()?, all_pairings)
    }

    /// The same, with the ratings of that tally.
    pub(super) fn from_ratings(
        gathered: &TournamentTally,
        ratings: &Ratings,
        all_pairings: bool,
    ) -> Result<Self, ImpossibleRecordsError> {
        let (TournamentTally { names, tally, .. }, holds) = (gathered, ratings.holds());
        let report = Ranking::from_tally(tally, ratings);
        let fit = if gathered.rules.seats.count() == 2 { Fit::from_tally(tally, ratings)? } else { None };
        let name = |bot: Entrant| names[bot.0 as usize].clone();
        let circle = |cycle: &Cycle| Circle {
            circle: cycle.circle.iter().copied().map(name).collect(),
            members: cycle.members.iter().copied().map(name).collect(),
        };
        let decided: BTreeSet<(&str, &str)> = report
            .decided
            .iter()
            .map(|(above, below)| (&*names[above.0 as usize], &*names[below.0 as usize]))
            .collect();
        let is_stronger = |one: &str, other: &str| decided.contains(&(one, other));
        let pairing = |line: HeadToHead| PairingLine {
            first: name(line.first),
            second: name(line.second),
            blocks: line.blocks,
            score: line.score,
            score_interval: line.score_interval,
            mean_margin: line.mean_margin,
            p_value: ratings.p_value(line.first, line.second),
            pairing: line.pairing,
        };
        Ok(Self {
            v: REPORT_VERSION,
            tournament: gathered.tournament.clone(),
            commitment: gathered.commitment.clone(),
            seed: None,
            rules: gathered.rules,
            better: gathered.better,
            matches: MatchCounts { played: gathered.matches, planned: gathered.matches_planned },
            blocks: gathered.blocks(),
            by_pairs: tally.is_by_pairs(),
            pairs: gathered.pairs,
            bots: placed(bot_lines(gathered, &report.bots), gathered.competition.as_ref(), is_stronger),
            competition: gathered.competition.clone(),
            cycles: report.cycles.iter().map(circle).collect(),
            head_to_head: (all_pairings || names.len() <= SMALL_FIELD)
                .then(|| head_to_head(tally, holds).map(pairing).collect()),
            holds,
            blocks_for_ten_elo: report.blocks_for_ten_elo,
            told_apart: report.told_apart,
            fit: fit.map(|fit| field_fit(&fit, names)),
            circumstances: None,
            luck: gathered.luck.clone(),
            later_legs: gathered.later_legs.clone(),
            left_out: gathered.left_out.clone(),
            changes: gathered.changes.clone(),
            gate: None,
            anchor: None,
        })
    }
}

fn field_fit(fit: &Fit, names: &[String]) -> FieldFit {
    let name = |bot: Entrant| names[bot.0 as usize].clone();
    let stray = |&Residual { first, second, score, expected, p_value }: &Residual| StrayPairing {
        first: name(first),
        second: name(second),
        score,
        expected,
        p_value,
    };
    let residuals = fit.residuals.iter().map(stray).collect();
    FieldFit { p_value: fit.p_value, astray_elo: fit.astray_elo, residuals }
}

/// The lines in the order of the competition, if there is one.
fn placed(
    mut lines: Vec<BotStanding>,
    competition: Option<&CompetitionTable<String>>,
    is_stronger: impl Fn(&str, &str) -> bool,
) -> Vec<BotStanding> {
    let Some(table) = competition else { return lines };
    let at = |name: &str| table.places.iter().position(|line| line.bot == name);
    lines.sort_by_key(|line| at(&line.name));
    for line in &mut lines {
        line.place = at(&line.name).map_or(line.place, |at| table.places[at].place);
    }
    for upper in 1..lines.len() {
        let [one, next] = [upper - 1, upper].map(|at| &lines[at]);
        let by_rating = match (&one.name, &next.name) {
            (one, next) if is_stronger(one, next) => RatingVerdict::Sure,
            (one, next) if is_stronger(next, one) => RatingVerdict::Reversed,
            _ => RatingVerdict::Open,
        };
        lines[upper - 1].before_next = (one.place < next.place).then_some(by_rating);
    }
    lines
}

/// The precision of fitted ratings, in Elo: those of bots with the same results differ by less.
const EQUAL: f64 = 1e-6;

/// A line for each bot, best first.
fn bot_lines(gathered: &TournamentTally, order: &[RankedBot]) -> Vec<BotStanding> {
    let rated = gathered.tally.blocks() > 0;
    let unmodelled = unmodelled(&gathered.tally);
    let line = |standing: &RankedBot| {
        let bot = standing.bot.0 as usize;
        BotStanding {
            place: standing.place,
            before_next: None,
            name: gathered.names[bot].clone(),
            author: gathered.authors.get(&gathered.names[bot]).cloned(),
            folder: gathered.folders.get(&gathered.names[bot]).cloned(),
            rating: rated.then_some(Rating {
                elo: standing.elo,
                half_width: standing.elo_half_width,
                rank: standing.rank,
                score: standing.score,
                matches: standing.matches,
                blocks_for_ten_elo: standing.blocks_for_ten_elo,
            }),
            unmodelled: unmodelled.get(bot).copied().filter(|_| rated),
            results: BotResults::from_sums(&gathered.sums[bot]),
        }
    };
    let mut lines: Vec<BotStanding> = order.iter().map(line).collect();
    let score = |line: &BotStanding| line.results.score.unwrap_or(-1.0);
    if !rated {
        lines.sort_by(|a, b| score(b).total_cmp(&score(a)));
    }
    let strength = |line: &BotStanding| line.rating.map_or_else(|| score(line), |rating| rating.elo.get());
    let mut last: Option<(u32, f64)> = None;
    for (place, line) in (1..).zip(&mut lines) {
        let own = strength(line);
        line.place =
            last.filter(|(_, before)| (own - before).abs() <= EQUAL).map_or(place, |(shared, _)| shared);
        last = Some((line.place, own));
    }
    lines
}
