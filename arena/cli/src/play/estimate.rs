//! `--estimate`: how long a run would take, from a few timed matches, and what its blocks could decide. Nothing is stored.

use std::time::Duration;

use leyden_arena::format::{Format, Schedule};
use leyden_arena::run::{EstimateCaveat, Options, Plan, RunKind, Timing};
use leyden_model::BotIndex;
use leyden_model::words::{counted, duration};
use leyden_stats::Elo;

use crate::exit::{Code, CommandError};
use crate::play::notices::tell_notice;
use crate::report::grid::plain;

/// The longest time for which matches are timed.
const TIME: Duration = Duration::from_mins(1);

/// The largest number of matches in a block that some can be drawn from: a bit is kept for each.
const MOST: u64 = 1 << 30;

/// How many bots are named that were in too few matches.
const NAMED: usize = 3;

/// The bar, in half-widths of a rating, from which on two neighbours are distinguished: √2 for a difference, and Bonferroni for a
/// neighbour on each side.
const APART: f64 = std::f64::consts::SQRT_2 * 2.241 / 1.960;

/// Builds the bots, times some matches, and reports what follows from them.
pub(crate) fn run(wanted: Options, quiet: bool, max_time: Option<Duration>) -> Result<Code, CommandError> {
    // Nobody may see the deals of the run in advance.
    let wanted = Options { seed: None, ..wanted };
    let plan = Plan::make(&wanted, None, &[], &mut |notice| tell_notice(&notice, quiet))?;
    let schedule = plan.schedule().map_err(CommandError::usage)?;
    if schedule.matches_per_block() > MOST {
        return Err(CommandError::usage(
            "there are too many tables to draw a sample from: name fewer bots to time",
        ));
    }
    if !quiet {
        crate::out::say(format_args!("timing matches, for {} s at most", TIME.as_secs()));
    }
    let timing = Timing::of(&plan, &wanted.halt, TIME)?;
    let mut text = how_long(&timing, &plan);
    text += &timing.rough.as_ref().map_or_else(String::new, how_rough);
    if !timing.faults.is_empty() {
        text += &faulted(&timing);
    }
    text += &match wanted.kind {
        RunKind::Tournament { .. } | RunKind::Match => decided(&schedule),
        RunKind::Gate(_) => ends(timing.all, max_time),
    };
    crate::out::print(&text)
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
    format!("A gate ends as soon as it is decided, usually long before that{most}.\n")
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
    let Timing { matches, wanted, .. } = *timing;
    let at_most = if plan.gate.is_some() { " at most" } else { "" };
    let matches = counted(matches, "match", "matches");
    format!(
        "{wanted} matches{at_most}, {} at once: about {}{at_most}, judging by {matches} on other deals that took {}.\n",
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
        format!("; {}{more} played too few of these to say how long theirs take", named.join(", "))
    };
    format!("This is a rough estimate: {low} to {high} as far as they show{rare}.\n")
}

/// Says how far apart bots must be for these blocks to distinguish them. Their strength is not known yet: the bars are those of
/// bots that are about equally strong, which are the narrowest.
fn decided(schedule: &Schedule) -> String {
    let bots = || (0..schedule.bots() as u32).map(BotIndex);
    let met = |bot: BotIndex| -> u64 {
        bots().filter(|other| *other != bot).map(|other| schedule.meetings(bot, other)).sum()
    };
    let Some(in_a_block) = bots().map(met).min().filter(|met| *met > 0) else {
        return String::new();
    };
    let blocks = u64::from(schedule.blocks());
    // Where all meet all, a rating is measured from a mean that the bot is a part of: of N bots with m matches of each two,
    // the variance is 4 (N − 1) / (m N²) instead of the 4 / (m (N − 1)) of a score against rivals whose strength is known.
    let bots = schedule.bots() as f64;
    let all_meet = schedule.bots() > 2 && matches!(schedule.format(), Format::RoundRobin);
    let from_mean = if all_meet { 1.0 - 1.0 / bots } else { 1.0 };
    let bar = |blocks: u64| from_mean * Elo::foretold_half_width(in_a_block * blocks);
    let all = counted(blocks, "block", "blocks");
    let now = if schedule.bots() == 2 {
        format!("{all} would measure their difference to about ±{:.0} Elo", bar(blocks))
    } else {
        format!(
            "{all} would leave bars of about ±{:.0} Elo between bots that are equally strong, and neighbours \
             less than about {:.0} apart in an undecided order",
            bar(blocks),
            APART * bar(blocks) / from_mean.sqrt()
        )
    };
    let for_ten = (bar(1) / 10.0).powi(2).ceil() as u64;
    let more = if for_ten > blocks {
        let these = if schedule.bots() == 2 { "that to ±10" } else { "these bars to ±10" };
        format!(": about {for_ten} would narrow {these} (--blocks {for_ten})")
    } else {
        String::new()
    };
    format!(
        "{now}{more}. If one is far stronger than another it takes more; `leyden standings` says how many once there are \
         results.\n"
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
        let timing = Timing { matches: 40, took: second, wanted: 90, faults, all: second, rough: None };
        let told = faulted(&timing);
        assert!(
            told.starts_with("4 of these 40 ended by a fault: dan exited 1, heidi timeout 3. "),
            "{told}"
        );
    }

    #[test]
    fn a_rough_estimate_says_how_rough() {
        let told = |rarely_seen: &[&str]| {
            let rarely_seen = rarely_seen.iter().map(|&bot| bot.to_owned()).collect();
            how_rough(&EstimateCaveat { range: [50, 200].map(Duration::from_secs), rarely_seen })
        };
        assert_eq!(told(&[]), "This is a rough estimate: 50 s to 3 min 20 s as far as they show.\n");
        assert!(told(&["dan"]).contains("; dan played too few of these to say"), "{}", told(&["dan"]));
        assert!(told(&["a", "b", "c", "d", "e"]).contains("; a, b, c and 2 more played too few"));
    }

    #[test]
    fn a_gate_takes_no_longer_than_it_may() {
        let [short, long] = [60, 3_600].map(Duration::from_secs);
        assert!(ends(long, Some(short)).contains("and after 60 s (--max-time) at the latest"));
        assert!(!ends(short, Some(long)).contains("--max-time"));
        assert!(ends(long, None).contains("--max-time ends it at the latest"));
    }

    #[test]
    fn what_blocks_can_decide_goes_with_the_root_of_the_matches() {
        let schedule = |bots, blocks| Schedule::round_robin(bots, Seats::TWO, blocks).unwrap();
        // 20 blocks of 19 rivals in 2 legs: 760 matches, 681 / √760 · 19 / 20 = 23.5.
        let told = decided(&schedule(20, 20));
        assert!(told.contains("±23 Elo") && told.contains("less than about 39 apart"), "{told}");
        assert!(told.contains("about 111 would narrow these bars to ±10 (--blocks 111)"), "{told}");
        let enough = decided(&schedule(20, 111));
        assert!(enough.contains("±10 Elo") && !enough.contains("would narrow"), "{enough}");
        assert!(decided(&schedule(2, 50)).contains("difference to about ±68 Elo"));
        // In a gauntlet the bots that play only the challenger have the widest bars.
        let gauntlet = Format::Gauntlet { challengers: vec![BotIndex(3)] };
        let gauntlet = Schedule::new(gauntlet, 20, Seats::TWO, 20).unwrap();
        assert!(decided(&gauntlet).contains("±108 Elo"), "{}", decided(&gauntlet));
    }
}
