//! `--estimate`: how long a run would take, from a few timed matches, and what its blocks could decide. Nothing is stored.

use std::time::Duration;

use leyden_arena::format::{Format, Schedule, Stage};
use leyden_arena::run::{EstimateCaveat, Options, Plan, RunKind, Timing};
use leyden_language::Language;
use leyden_model::BotIndex;
use leyden_model::words::{counted, duration, plural};
use leyden_stats::{ExpectedPairs, Interval, MatchForecast, Pentanomial};

use crate::exit::{Code, CommandError};
use crate::options::PlanRequest;
use crate::play::notices::print_notice;
use crate::play::plan::{self, whole_range};
use crate::report::grid::plain;

/// The longest time for which matches are timed.
const TIME: Duration = Duration::from_mins(1);

/// How many bots are named that were in too few matches.
const NAMED: usize = 3;

/// Builds the bots, times some matches, and reports what follows from them.
pub(crate) fn run(
    options: Options,
    quiet: bool,
    max_time: Option<Duration>,
    request: Option<&PlanRequest>,
) -> Result<Code, CommandError> {
    let stored = request.map(plan::stored).transpose()?.flatten();
    // Nobody may see the deals of the run in advance.
    let options = Options { seed: None, ..options };
    let plan = Plan::make(&options, None, &[], &mut |notice| print_notice(&notice, quiet))?;
    let schedule = plan.schedule().map_err(CommandError::usage)?;
    if !quiet {
        crate::out::say(format_args!("timing matches, for {} at most", duration(TIME.as_secs_f64())));
    }
    let timing = Timing::measure(&plan, &options.stop, TIME)?;
    if let Some(request) = request {
        return plan::print(&plan, &timing, stored, request);
    }
    let mut text = how_long(&timing, &plan);
    text += &stages(&schedule);
    text += &timing.rough.as_ref().map_or_else(String::new, how_rough);
    if !timing.faults.is_empty() {
        text += &faulted(&timing);
    }
    text += &match options.kind {
        RunKind::Tournament { .. } | RunKind::Match if schedule.format().is_adaptive() => String::new(),
        RunKind::Tournament { .. } | RunKind::Match => decided(&schedule, &timing.kinds),
        RunKind::Gate(_) => ends(timing.all, max_time),
    };
    crate::out::print(&text)
}

/// How many matches each stage has.
fn stages(schedule: &Schedule) -> String {
    let Some(competition) = schedule.format().competition() else { return String::new() };
    let matches = competition.stage_matches(schedule.seats());
    let line =
        |(stage, matches): (&Stage, u64)| format!("{}: {matches}", stage.play.describe(Language::English));
    let lines: Vec<String> = competition.stages.iter().zip(matches).map(line).collect();
    let balances = competition.balances(schedule.seats());
    let even: Vec<String> =
        balances.iter().map(|of| format!("In a block {}.\n", of.describe(Language::English))).collect();
    format!("Of these matches {}, if no meeting is level.\n{}", lines.join("; "), even.concat())
}

/// Says when a gate ends.
fn ends(all: Duration, max_time: Option<Duration>) -> String {
    let most = match max_time {
        None => "; --max-time ends it at the latest".to_owned(),
        Some(time) if time < all => {
            format!(", and after {} (--max-time) at the latest, then undecided", duration(time.as_secs_f64()))
        }
        Some(_) => String::new(),
    };
    format!(
        "A gate ends as soon as it is decided, usually long before that{most}; --plan says after how many pairs.\n"
    )
}

/// Names the bots that faulted. Such matches say nothing about the time: one may end early by a fault, or wait for it.
fn faulted(timing: &Timing) -> String {
    let all: u64 = timing.faults.values().sum();
    let whose =
        timing.faults.iter().map(|((bot, code), count)| format!("{} {} {count}", plain(bot), code.as_str()));
    format!(
        "{all} of these {} ended by a fault: {}. `leyden check` says what is wrong with a bot.\n",
        timing.matches,
        whose.collect::<Vec<_>>().join(", ")
    )
}

fn how_long(timing: &Timing, plan: &Plan) -> String {
    let Timing { matches, planned, .. } = *timing;
    let at_most = if plan.gate.is_some() { " at most" } else { "" };
    let matches = counted(matches, "match", "matches");
    format!(
        "{}{at_most}, {} at once: about {}{at_most}, estimated from {matches} on other deals that took {}.\n",
        counted(planned, "match", "matches"),
        plan.jobs,
        duration(timing.all.as_secs_f64()),
        duration(timing.took.as_secs_f64()),
    )
}

/// Says how far off the duration may be.
fn how_rough(rough: &EstimateCaveat) -> String {
    let [low, high] = rough.range.map(|end| duration(end.as_secs_f64()));
    let (named, others) = rough.rarely_seen.split_at(rough.rarely_seen.len().min(NAMED));
    let named: Vec<String> = named.iter().map(|bot| plain(bot)).collect();
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    let rare = if named.is_empty() {
        String::new()
    } else {
        let its = plural(rough.rarely_seen.len(), "its", "their");
        format!("; {}{more} played too few of them to predict how long {its} matches take", named.join(", "))
    };
    format!("The estimate is rough: going by these matches, it may take {low} to {high}{rare}.\n")
}

/// Says what these blocks measure and tell apart, by the spread of the few timed pairs: so in ranges.
fn decided(schedule: &Schedule, kinds: &Pentanomial) -> String {
    let bots = || (0..schedule.bots() as u32).map(BotIndex);
    let met = |bot: BotIndex| -> u64 {
        bots().filter(|other| *other != bot).map(|other| schedule.meetings(bot, other)).sum()
    };
    let Some(in_a_block) = bots().map(met).min().filter(|met| *met > 0) else {
        return String::new();
    };
    let blocks = u64::from(schedule.blocks());
    let forecast = MatchForecast::new(blocks * in_a_block / 2, &ExpectedPairs::from_observed(kinds));
    let Interval { low, high } = forecast.half_width_elo;
    // Where all meet all, a rating is measured from a mean that the bot is a part of: of N bots with m matches of each two,
    // the variance is (N − 1) / (m N²) instead of the 1 / (m (N − 1)) of a score against rivals whose strength is known.
    let is_of_two = schedule.bots() == 2;
    let all_meet = !is_of_two && matches!(schedule.format(), Format::RoundRobin);
    let from_mean = if all_meet { 1.0 - 1.0 / schedule.bots() as f64 } else { 1.0 };
    let bar = whole_range(from_mean * low, from_mean * high);
    let [fewest, most] =
        [low, high].map(|half| ((from_mean * half / 10.0).powi(2) * blocks as f64).ceil() as u64);
    let all = counted(blocks, "block", "blocks");
    let measured = if is_of_two {
        format!("{all} would measure their difference to ±{bar} Elo")
    } else {
        format!("{all} would leave intervals of ±{bar} Elo between bots that are about equally strong")
    };
    let more = if most > blocks { format!("; ±10 takes {fewest} to {most}") } else { String::new() };
    format!(
        "{measured}{more}, estimated from the spread of {}: the fewer, the less certain. \
         One-sided results need more blocks.\n",
        counted(kinds.pairs(), "pair", "pairs")
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use leyden_protocol::{FaultCode, Seats};

    use super::*;

    #[test]
    fn faults_are_named_by_bot_and_code() {
        let second = Duration::from_secs(1);
        let faults = [("dan", FaultCode::Exited, 1), ("heidi", FaultCode::Timeout, 3)];
        let faults: BTreeMap<_, _> = faults.map(|(bot, code, count)| ((bot.to_owned(), code), count)).into();
        let timing = Timing {
            matches: 40,
            took: second,
            planned: 90,
            faults,
            all: second,
            rough: None,
            kinds: Pentanomial::default(),
        };
        let sentence = faulted(&timing);
        assert!(
            sentence.starts_with("4 of these 40 ended by a fault: dan exited 1, heidi timeout 3. "),
            "{sentence}"
        );
    }

    #[test]
    fn rough_estimate_says_how_rough() {
        let sentence = |rarely_seen: &[&str]| {
            let rarely_seen = rarely_seen.iter().map(|&bot| bot.to_owned()).collect();
            how_rough(&EstimateCaveat { range: [50, 200].map(Duration::from_secs), rarely_seen })
        };
        assert_eq!(
            sentence(&[]),
            "The estimate is rough: going by these matches, it may take 50 s to 3 min 20 s.\n"
        );
        assert!(
            sentence(&["dan"]).contains("; dan played too few of them to predict how long its matches"),
            "{}",
            sentence(&["dan"])
        );
        assert!(sentence(&["a", "b", "c", "d", "e"]).contains("; a, b, c and 2 more played too few"));
    }

    #[test]
    fn gate_takes_no_longer_than_it_may() {
        let [short, long] = [60, 3_600].map(Duration::from_secs);
        assert!(ends(long, Some(short)).contains("and after 60 s (--max-time) at the latest"));
        assert!(!ends(short, Some(long)).contains("--max-time"));
        assert!(ends(long, None).contains("--max-time ends it at the latest"));
    }

    #[test]
    fn estimated_precision_follows_from_spread_of_pairs() {
        let schedule = |bots, blocks| Schedule::round_robin(bots, Seats::TWO, blocks).unwrap();
        // σ = 1/3 a pair: 1.984 · 695 / 3 / √100 = 46.
        let usual = Pentanomial::new([220, 10, 540, 10, 220]);
        let sentence = decided(&schedule(2, 100), &usual);
        assert!(
            sentence.starts_with("100 blocks would measure their difference to ±44 to 48 Elo; ±10 takes 1"),
            "{sentence}"
        );
        // Versions that seldom differ take a fifth.
        let similar = decided(&schedule(2, 100), &Pentanomial::new([35, 0, 930, 0, 35]));
        assert!(
            similar.starts_with("100 blocks would measure their difference to ±16 to 20 Elo"),
            "{similar}"
        );
        // From one pair next to nothing is known.
        let sentence = decided(&schedule(2, 100), &Pentanomial::new([0, 0, 1, 0, 0]));
        assert!(sentence.contains("the spread of 1 pair:"), "{sentence}");
        // In a gauntlet the bots that play only the challenger have the widest bars.
        let gauntlet = Format::Gauntlet { challengers: vec![BotIndex(3)] };
        let gauntlet = Schedule::new(gauntlet, 20, Seats::TWO, 100).unwrap();
        assert!(decided(&gauntlet, &usual).contains("±44 to 48 Elo"), "{}", decided(&gauntlet, &usual));
    }
}
