//! A bot's matches against one of the rubric's bots, and their points. Play stops early if more matches would show nothing
//! new, or if the bot's time is up.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use leyden_host::Temporary;
use leyden_model::words::counted;
use leyden_model::{PairKey, RunEvent};
use leyden_protocol::FaultCode;
use leyden_stats::{Entrant, Holds, PointChances, Repeat};

use super::error::GradeError;
use super::grades::GradePart;
use super::part_result::{EarlyEnd, PartResult};
use super::rubric::ReferenceBot;
use super::terms::GradingOptions;
use crate::record::store::{self, Results};
use crate::report::luck::LuckOf;
use crate::report::{BotOrder, FaultKind, Faults, LuckPairing, ReportError, TournamentTally, Versus};
use crate::roster::Competitor;
use crate::run::{ChosenSettings, Flow, FollowError, Follower, Options, RunKind};
use crate::tournament::{PlayError, ResultsFile, Tournament};

/// The names of every bot and its reference bot in their matches. Deals follow from names: with their own names, bots would
/// get different deals.
const SIDES: [&str; 2] = ["candidate", "reference"];

/// After this many pairs, a bot that has lost every match by the same fault stops playing.
const LOST_ALIKE: usize = 10;

/// The number of pairs that are played however long they take: fewer give no score.
const FEWEST: usize = 4;

/// A bot to grade, and what its matches depend on.
pub(super) struct Candidate<'a> {
    pub(super) bot: &'a Competitor,
    /// Its number among the graded bots, from 1.
    pub(super) turn: usize,
    pub(super) seed: &'a str,
    /// When its time is up.
    pub(super) until: Instant,
}

impl Candidate<'_> {
    /// Plays against reference bot `number` of the rubric.
    pub(super) fn play(&self, number: usize, grading: &GradingOptions) -> Result<PlayedPart, GradeError> {
        let against = &grading.rubric.against[number];
        let folder = Temporary::private()?;
        let path = self.kept(number, grading).unwrap_or_else(|| folder.path().join("grade.db"));
        store::remove(&path)?; // what an interrupted grading has left
        let mut watch = Watch::until(self.until);
        let options = self.options(against, grading);
        let mut tournament = Tournament::create(&options, &ResultsFile::New(path.clone()), &mut |_| ())?;
        let mut run = tournament.run();
        run.follow(&mut watch);
        let end = run.play();
        tournament.close().map_err(PlayError::from)?;
        let voided = end.map_err(PlayError::from)?.voided;
        part(&path, against, grading, watch.cut, voided)
    }

    /// Returns the results file of its matches against reference bot `number`, if it is kept.
    pub(super) fn kept(&self, number: usize, grading: &GradingOptions) -> Option<PathBuf> {
        Some(grading.keep.as_ref()?.join(self.file(number, grading.rubric.against.get(number)?)))
    }

    fn options(&self, against: &ReferenceBot, grading: &GradingOptions) -> Options {
        let around = &grading.around;
        Options {
            kind: RunKind::Match,
            settings: ChosenSettings {
                rules: grading.rubric.rules,
                limits: grading.limits,
                sandbox: around.sandbox,
                memory: Some(around.limits.memory),
                ..ChosenSettings::default()
            },
            blocks: against.blocks,
            called: SIDES.map(str::to_owned).to_vec(),
            seed: Some(self.seed.to_owned()),
            allow_read: around.allow_read.clone(),
            allow_network: around.allow_network.clone(),
            build_limits: around.build_limits,
            no_build: around.no_build,
            kept_builds: around.kept_builds.clone(),
            stop: around.stop.clone(),
            ..Options::new(around.leyden.clone(), [&*typed(self.bot), &against.bot])
        }
    }

    /// The name of the results file, from plain characters only.
    fn file(&self, number: usize, against: &ReferenceBot) -> String {
        let plain = |name: &str| -> String {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            name.chars().take(40).map(|c| if is_plain(c) { c } else { '-' }).collect()
        };
        format!("{:02}-{}-{}-{}.db", self.turn, plain(&self.bot.name), number + 1, plain(against.name()))
    }
}

/// The bot as it is typed on the command line.
fn typed(bot: &Competitor) -> String {
    match (&bot.command.folder, &bot.words[..]) {
        (Some(folder), _) => folder.display().to_string(),
        (None, [one]) => one.clone(),
        (None, words) => shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default(),
    }
}

/// Why not all matches were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CutReason {
    /// All were lost by this fault.
    Alike(FaultCode),
    TimeIsUp,
}

/// Stops play when more matches would show nothing new, or when the time is up. The second legs take as long as the first
/// ones, so after half of the time no other pair is begun.
struct Watch {
    half: Instant,
    until: Instant,
    /// First legs that were played.
    begun: usize,
    /// Pairs with one match played.
    halves: HashSet<PairKey>,
    pairs: usize,
    /// The fault by which every match so far was lost; `None` if there is no such fault.
    fault: Option<FaultCode>,
    cut: Option<CutReason>,
}

impl Watch {
    fn until(until: Instant) -> Self {
        let now = Instant::now();
        let half = now + until.saturating_duration_since(now) / 2;
        Self { half, until, begun: 0, halves: HashSet::new(), pairs: 0, fault: None, cut: None }
    }
}

impl Follower for Watch {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let RunEvent::Match { key, record, .. } = event else { return Ok(Flow::GoOn) };
        let lost_by = record.fault.as_ref().filter(|fault| record.bots[fault.seat] == SIDES[0]);
        let code = lost_by.map(|fault| fault.code);
        let is_first = self.pairs == 0 && self.halves.is_empty();
        self.fault = code.filter(|_| is_first || code == self.fault);
        if !self.halves.insert(key.pair()) {
            self.pairs += 1;
        }
        self.begun += usize::from(key.leg == 0);
        let now = Instant::now();
        let flow = match self.fault {
            Some(code) if self.pairs >= LOST_ALIKE => {
                self.cut = Some(CutReason::Alike(code));
                Flow::Stop
            }
            _ if self.pairs >= FEWEST && now >= self.until => {
                self.cut = Some(CutReason::TimeIsUp);
                Flow::Stop
            }
            _ if self.begun >= FEWEST && now >= self.half => {
                self.cut = Some(CutReason::TimeIsUp);
                Flow::Finish
            }
            _ => Flow::GoOn,
        };
        Ok(flow)
    }
}

/// A part of the grade, and how likely each number of its points would be on other deals, if known.
pub(super) type PlayedPart = (GradePart, Option<PointChances>);

/// The part of the grade that a results file gives the candidate.
fn part(
    path: &Path,
    against: &ReferenceBot,
    grading: &GradingOptions,
    cut: Option<CutReason>,
    voided: u64,
) -> Result<PlayedPart, GradeError> {
    let results = Results::open(path).map_err(ReportError::from)?;
    let tally = TournamentTally::from_results(&results, BotOrder::AsTyped)?;
    let versus = Versus::from_tally(&tally);
    let estimate =
        versus.as_ref().and_then(|versus| versus.estimate.as_ref()).ok_or(GradeError::Incomplete)?;
    let luckless = if grading.rubric.without_luck { without_luck(&results)? } else { None };
    let repeat = luckless.or_else(|| Repeat::from_tally(tally.tally.pairing(Entrant(0), Entrant(1))?));
    let score = repeat.map_or(estimate.score, |repeat| repeat.score());
    let rest = (2 * u64::from(against.blocks)).saturating_sub(estimate.matches);
    let cut = cut.filter(|_| rest > 0).map(|cut| match cut {
        CutReason::Alike(code) => EarlyEnd { rest, fault: Some(code) },
        CutReason::TimeIsUp => EarlyEnd { rest, fault: None },
    });
    let seen = PartResult::Scored {
        score,
        played: luckless.is_some().then_some(estimate.score),
        matches: estimate.matches,
        full_at: against.full_at,
        cut,
        void: voided,
    };
    let faults = Faults::from_results(&results).map_err(ReportError::from)?;
    let own = faults.iter().filter(|(bot, _, _)| *bot == SIDES[0]);
    let kept = grading.keep.as_ref().map(|_| path.to_owned());
    let similar = if kept.is_none() { similar(against, grading) } else { String::new() };
    let fix: Vec<String> = own.map(|(_, code, kind)| fix(code, kind) + &similar).collect();
    let see = kept.filter(|_| !fix.is_empty()).map(|path| see(&path));
    let scale = against.scale();
    let (points, chances) = (scale.points(score), repeat.map(|repeat| PointChances::new(&scale, &repeat)));
    let part = GradePart {
        name: against.part_name(),
        against: Some(against.name().to_owned()),
        points,
        most: against.points,
        interval: chances.as_ref().map(PointChances::interval),
        differs: chances.as_ref().map(|chances| chances.differs(points)),
        seen,
        fix,
        see,
    };
    Ok((part, chances))
}

/// The candidate's score with the luck of deals and draws taken out; `None` below two complete pairs.
fn without_luck(results: &Results) -> Result<Option<Repeat>, GradeError> {
    let mut luck = LuckOf::new(std::thread::available_parallelism().map_or(1, usize::from));
    for stored in results.records() {
        let (_, record) = stored.map_err(ReportError::from)?;
        luck.add(record)?;
    }
    let report = luck.finish(Holds::AtPlannedEnd)?;
    Ok(report.pairings.first().and_then(|LuckPairing { pairs, adjusted, .. }| {
        Repeat::from_mean(adjusted.score, adjusted.se, *pairs)
    }))
}

/// The kind of fault, and how many matches it cost. Nothing that the bot has printed is shown: its author could learn the
/// deals of the grading from it, which other hand-ins are graded on.
fn fix(code: FaultCode, kind: &FaultKind) -> String {
    let lost = counted(kind.count, "match was", "matches were");
    format!("{lost} lost by {code}")
}

/// The command that lists the kept matches that were lost by a fault.
fn see(kept: &Path) -> String {
    let path = kept.to_string_lossy();
    format!("leyden matches {} --faults", shlex::try_quote(&path).unwrap_or_default())
}

/// The command by which the bot's author can play similar matches: others, which keeps the deals of the grading secret.
fn similar(against: &ReferenceBot, grading: &GradingOptions) -> String {
    if !against.bot.starts_with("builtin:") {
        return String::new();
    }
    let rules = match grading.rubric.rules {
        rules if rules == <_>::default() => String::new(),
        rules => format!(" --rules {rules}"),
    };
    let bot = shlex::try_quote(&against.bot).unwrap_or_default();
    format!(
        "\nto see similar ones, in the bot's folder: leyden match . {bot} --blocks {}{rules} --results see.db",
        against.blocks
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use leyden_model::{FaultDetails, FaultRecord};

    use super::*;
    use crate::record::sample;

    /// Plays back a hundred matches, each with the fault by which the candidate lost it; returns after how many play stopped,
    /// and why.
    fn watched(left: Duration, lost_by: impl Fn(usize) -> Option<FaultCode>) -> (usize, Option<CutReason>) {
        let mut watch = Watch::until(Instant::now() + left);
        let mut stored_plan = sample::stored_plan(2, 50);
        for (bot, name) in stored_plan.bots.iter_mut().zip(SIDES) {
            name.clone_into(&mut bot.name);
        }
        for (number, (key, mut record)) in sample::matches(&stored_plan).enumerate() {
            let seat = record.bots.seats().iter().find(|&seat| record.bots[seat] == SIDES[0]).unwrap();
            record.fault =
                lost_by(number).map(|code| FaultRecord { seat, code, details: FaultDetails::default() });
            let event = RunEvent::Match { rank: number as u64, key, record: record.into() };
            if watch.take(&event).unwrap() == Flow::Stop {
                return (number + 1, watch.cut);
            }
        }
        (100, watch.cut)
    }

    #[test]
    fn play_ends_when_one_fault_loses_every_match() {
        const HOUR: Duration = Duration::from_hours(1);
        use FaultCode::{Exited, Timeout};
        assert_eq!(watched(HOUR, |_| Some(Timeout)), (20, Some(CutReason::Alike(Timeout))));
        assert_eq!(watched(HOUR, |number| (number > 0).then_some(Timeout)), (100, None));
        assert_eq!(watched(HOUR, |number| Some([Timeout, Exited][number % 2])), (100, None));
        assert_eq!(watched(HOUR, |_| None), (100, None));
    }

    #[test]
    fn grading_out_of_time_stops_after_the_minimum() {
        assert_eq!(watched(Duration::ZERO, |_| None), (2 * FEWEST, Some(CutReason::TimeIsUp)));
    }
}
