//! Standings as tables, with explanations.

use std::fmt::Write;

use leyden_arena::report::column::Column;
use leyden_arena::report::standing_columns::for_people;
use leyden_arena::report::{
    Anchor, BotStanding, LaterLegsLine, PairCounts, PairingLine, SMALL_FIELD, Standings,
};
use leyden_model::LeftOut;
use leyden_stats::{FEWEST_FOR_SPREAD, Interval, PairingGain};

use super::parts::{beyond_turn, conduct, heading, likelihood, of, pairs_done, range, two};
use crate::report::grid::{cut, figure, fixed, grid, or_dash, percent, plain, short, signed, spaced};
use crate::report::luck;

/// What standings show besides the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StandingsNotes {
    /// Head-to-head and likelihoods of superiority, also of a large field.
    pub(crate) matrix: bool,
    /// How much duplicate deals helped, pairing by pairing.
    pub(crate) pairing: bool,
    /// The limit of a decision, in milliseconds of real time, if there is no bank as well.
    pub(crate) turn_ms: Option<u64>,
}

/// Returns the standings as tables.
pub(crate) fn standings(standings: &Standings, extras: StandingsNotes) -> String {
    let mut text = heading(standings.rules, standings.better);
    let _ = writeln!(text, "{}\n", progress(standings)); // writing to a String cannot fail
    text.push_str(&ranking(standings));
    text.push('\n');
    text.push_str(&same_names(&standings.bots));
    let lines = standings.bots.iter().map(|bot| (bot.name.as_str(), &bot.results));
    text.push_str(&conduct(lines));
    text.push_str(&beyond_turn(standings.bots.iter().map(|bot| &bot.results), extras.turn_ms));
    if let Some(pairings) = &standings.head_to_head {
        let small = standings.bots.len() <= SMALL_FIELD;
        if small && standings.bots.len() > 2 {
            text.push_str(&matrices(standings, pairings));
        } else if extras.matrix {
            text.push_str(&pairing_list(pairings));
        }
        if extras.pairing {
            text.push_str(&gains(pairings));
        }
    }
    text.push_str(&standings.luck.as_ref().and_then(luck::beside).unwrap_or_default());
    for cycle in &standings.cycles {
        let circle: Vec<String> = cycle.circle.iter().map(|name| plain(name)).collect();
        let _ = writeln!(
            text,
            "\nA circle, each step significant at 5 % over all pairings: {} beats {}.",
            circle.join(" beats "),
            circle.first().map_or("", String::as_str)
        );
    }
    text.push_str(&later_legs(&standings.later_legs));
    text.push_str(&notes(standings));
    text
}

/// Names the bots that may know deals; empty if none seems to.
fn later_legs(lines: &[LaterLegsLine]) -> String {
    let line = |LaterLegsLine { bot, pairs, better_by, chance }: &LaterLegsLine| {
        format!(
            "\n{} does better in later legs of a pair than in earlier ones, by {} points a match over {pairs} pairs;\n\
             chance alone does that to any bot in less than one tournament of {}. The legs of a pair have the same deal:\n\
             check whether it keeps what it saw or passes it on (`leyden doctor` shows what this machine can prevent).\n",
            plain(bot),
            fixed(*better_by, 3),
            one_in(*chance),
        )
    };
    lines.iter().map(line).collect()
}

/// Returns how rare that is, rounded so that it does not look more precise than it is.
fn one_in(chance: f64) -> &'static str {
    match chance {
        ..=1e-6 => "a million",
        ..=1e-5 => "100,000",
        ..=1e-4 => "10,000",
        _ => "1,000",
    }
}

fn progress(standings: &Standings) -> String {
    let (blocks, matches) = (&standings.blocks, &standings.matches);
    let incomplete = match blocks.incomplete {
        0 => String::new(),
        begun => format!(" ({begun} more started)"),
    };
    format!(
        "blocks {} complete{incomplete} · {} · matches {}",
        of(blocks.complete, blocks.wanted),
        pair_progress(&standings.pairs),
        of(matches.played, matches.wanted)
    )
}

fn pair_progress(pairs: &PairCounts) -> String {
    format!("pairs {}", pairs_done(pairs))
}

fn ranking(standings: &Standings) -> String {
    const SHOWN: [&str; 11] =
        ["place", "bot", "rating", "± 95 %", "score %", "won", "drawn", "lost", "for", "against", "margin"];
    grid(&for_people(&SHOWN, |value| figure(value, short)), &standings.bots)
}

/// Returns the folders of bots that share a name, so that their authors can find themselves.
fn same_names(bots: &[BotStanding]) -> String {
    let is_told_apart = |bot: &&BotStanding| {
        let numbered = |other: &BotStanding, name: &str| {
            let number = other.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('#'));
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let first = bot.name.rsplit_once('#').map_or(&*bot.name, |(first, _)| first);
        bots.iter().any(|other| numbered(other, &bot.name) || other.name == first && numbered(bot, first))
    };
    let place = |bot: &BotStanding| Some(format!("{} is {}", plain(&bot.name), plain(bot.folder.as_ref()?)));
    let places: Vec<String> = bots.iter().filter(is_told_apart).filter_map(place).collect();
    if places.is_empty() {
        String::new()
    } else {
        format!("Bots with the same name: {}\n\n", places.join(", "))
    }
}

/// Returns score and likelihood of superiority of each row's bot against each column's. Twelve bots fit into 100 columns.
fn matrices(standings: &Standings, pairings: &[PairingLine]) -> String {
    let score = |line: &PairingLine, turned| {
        let score = line.score.map(|score| if turned { 1.0 - score } else { score });
        let interval = line.score_interval.map(|interval| turn(interval, turned));
        let interval = interval.map_or_else(String::new, |interval| format!("\n{}", whole(interval)));
        or_dash(score, |score| format!("{:.0}{interval}", 100.0 * score))
    };
    let superiority = |line: &PairingLine, turned| {
        or_dash(line.likelihood_of_superiority, |p| likelihood(if turned { 1.0 - p } else { p }))
    };
    let known = |line: &PairingLine| line.score_interval.is_some();
    if !pairings.iter().any(known) {
        // One block gives no intervals, and does not show who is stronger.
        let scores = matrix(standings, pairings, score);
        return format!("\nHead to head: score in % of the row against the column\n{scores}");
    }
    format!(
        "\nHead to head: score in % of the row against the column, 95 % interval under it\n{}\n\
         Likelihood in % that the row is stronger than the column\n{}",
        matrix(standings, pairings, score),
        matrix(standings, pairings, superiority)
    )
}

/// Returns a row and a column for each bot, best first; the second argument of `cell` says whether the row's bot is the second
/// of the pairing.
fn matrix(
    standings: &Standings,
    pairings: &[PairingLine],
    cell: impl Fn(&PairingLine, bool) -> String,
) -> String {
    let (gap, longest) = if standings.bots.len() > 8 { (1, 10) } else { (2, 24) };
    let between = |row: &BotStanding, column: &BotStanding| {
        let is = |line: &PairingLine, one: &BotStanding, two: &BotStanding| {
            line.first == one.name && line.second == two.name
        };
        pairings.iter().find_map(|line| {
            let turned = is(line, column, row);
            (turned || is(line, row, column)).then(|| cell(line, turned))
        })
    };
    let between = &between;
    // Places may be shared, so the rows are numbered.
    let rows: Vec<(usize, &BotStanding)> = (1..).zip(&standings.bots).collect();
    let mut columns: Vec<Column<'_, (usize, &BotStanding)>> = vec![
        Column::number("", |(number, _): &(usize, &BotStanding)| number.to_string()),
        Column::words("", move |(_, row)| cut(&row.name, longest)),
    ];
    columns.extend(rows.iter().map(|(number, column)| {
        Column::number(number.to_string(), move |(_, row)| between(row, column).unwrap_or_default())
    }));
    spaced(&columns, &rows, gap)
}

fn turn(interval: Interval, turned: bool) -> Interval {
    if turned { Interval { low: 1.0 - interval.high, high: 1.0 - interval.low } } else { interval }
}

fn whole(interval: Interval) -> String {
    format!("{:.0}–{:.0}", 100.0 * interval.low, 100.0 * interval.high)
}

/// Returns every pairing on a line of its own: a matrix would be too wide.
fn pairing_list(pairings: &[PairingLine]) -> String {
    let columns: [Column<'_, PairingLine>; 7] = [
        Column::words("first", |line: &PairingLine| short(&line.first)),
        Column::words("second", |line| short(&line.second)),
        Column::number("blocks", |line| line.blocks.to_string()),
        Column::number("score %", |line| or_dash(line.score, percent)),
        Column::number("95 %", |line| {
            or_dash(line.score_interval, |interval| {
                format!("{}–{}", percent(interval.low), percent(interval.high))
            })
        }),
        Column::number("margin", |line| or_dash(line.mean_margin, |margin| signed(margin, 1))),
        Column::number("stronger %", |line| or_dash(line.likelihood_of_superiority, likelihood)),
    ];
    format!("\nHead to head\n{}", grid(&columns, pairings))
}

fn gains(pairings: &[PairingLine]) -> String {
    let ends = |low: Option<f64>, high: Option<f64>| {
        format!("{}–{}", or_dash(low, two), high.map_or_else(|| "∞".to_owned(), two))
    };
    let gain =
        |line: &PairingLine, shown: &dyn Fn(&PairingGain) -> String| or_dash(line.pairing.as_ref(), shown);
    let columns: [Column<'_, PairingLine>; 7] = [
        Column::words("first", |line: &PairingLine| short(&line.first)),
        Column::words("second", |line| short(&line.second)),
        Column::number("blocks", |line| line.blocks.to_string()),
        Column::number("ρ", |line| gain(line, &|gain| two(gain.rho))),
        Column::number("95 %", |line| gain(line, &|gain| range(gain.rho_interval, two))),
        Column::number("1/(1+ρ)", |line| gain(line, &|gain| or_dash(gain.gain, two))),
        Column::number("95 %", |line| gain(line, &|gain| ends(gain.gain_low, gain.gain_high))),
    ];
    format!(
        "\nThe gain of duplicate deals: how many times fewer matches than with single deals (from {} blocks on)\n{}",
        FEWEST_FOR_SPREAD,
        grid(&columns, pairings)
    )
}

fn notes(standings: &Standings) -> String {
    let mut text = String::new();
    if standings.rules.seats.count() > 2 {
        text.push_str(
            "\nA match is won against everybody at its table; the score counts each pair of bots at it.\n",
        );
    }
    text.push_str(match standings.blocks.complete {
        0 => "\nNo block is complete yet: there are no ratings and no ranks, and bots are ordered by score so far.\n",
        1 => "\nRatings are based on one block, which decides no rank; intervals need two.\n",
        // Two bots have no table of likelihoods.
        _ if standings.bots.len() == 2 => {
            "\nRatings are based on complete blocks; a place such as 1 (1–2) is not decided yet. ± is against the\n\
            field's mean: compare the two by their score head to head. Blocks are assumed to be independent,\n\
            so a bot that learns between matches breaks this.\n"
        }
        _ => {
            "\nRatings are based on complete blocks; a place such as 1 (1–2) is not decided yet. ± is against the\n\
            field's mean: compare two bots by the likelihood table. Blocks are assumed to be independent, so\n\
            a bot that learns between matches breaks this.\n"
        }
    });
    if (2..FEWEST_FOR_SPREAD).contains(&standings.blocks.complete) {
        let _ = writeln!(
            text,
            "{} blocks are few: the spread of results is hardly known yet, so ranks and intervals are\n\
             much wider than from {} blocks on.",
            standings.blocks.complete, FEWEST_FOR_SPREAD
        );
    }
    if let Some(blocks) = standings.more_blocks_for_ten_elo.filter(|blocks| *blocks > 0) {
        let wants = |bot: &BotStanding| bot.rating.and_then(|rating| rating.more_blocks_for_ten_elo);
        let bars: Vec<_> = standings.bots.iter().map(|bot| (bot.name.as_str(), wants(bot))).collect();
        text += &narrower_bars(standings.blocks.complete, blocks, more(standings), &bars);
    }
    text += &open_ranks(standings);
    if let Some(Anchor { bot, elo }) = &standings.anchor {
        let _ = writeln!(text, "Ratings are measured from {}, which has {elo:.0}.", plain(bot));
    }
    for LeftOut { entry, reason } in &standings.left_out {
        let reason = reason.strip_prefix(entry).map_or(&**reason, |reason| reason.trim_start_matches(": "));
        // An error in a file quotes a line between its first line and its last: leave that out.
        let lines = reason.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains('|'));
        let _ = writeln!(text, "Left out: {}: {}", plain(entry), in_few_lines(lines));
    }
    for change in &standings.changes {
        let _ = writeln!(text, "Changed {}.", plain(&change.to_string()));
    }
    text
}

/// Returns a reason in one line, except for a list after a colon, whose lines may be copied.
fn in_few_lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let (mut text, mut is_list) = (String::new(), false);
    for line in lines {
        is_list |= text.ends_with(':');
        text += match (text.is_empty(), is_list) {
            (true, _) => "",
            (false, true) => "\n    ",
            (false, false) => ": ",
        };
        text += &plain(line);
    }
    text
}

/// Returns the options that ask for more blocks.
fn more(standings: &Standings) -> &'static str {
    if standings.gate.is_some() { "--resume --max-pairs" } else { "--resume --blocks" }
}

/// Says how many more blocks would narrow every bar to ±10. For a bot that wins or loses nearly all, this is many times what it is
/// for equals, which is all that `--estimate` can assume. Each bar is a bot with the number of blocks that its own would need.
fn narrower_bars(complete: u64, all: u64, more: &str, bars: &[(&str, Option<u64>)]) -> String {
    let widest = bars.iter().max_by_key(|(_, wants)| *wants);
    let mut wanted: Vec<u64> = bars.iter().filter_map(|(_, wants)| *wants).collect();
    wanted.sort_unstable();
    let half = wanted.get(wanted.len().saturating_sub(1) / 2).copied().unwrap_or(all);
    let mut text =
        format!("About {all} more blocks would narrow every bar to ±10 ({more} {})", complete + all);
    if let Some((widest, _)) = widest.filter(|_| all > 2 * half) {
        let half = if half == 0 {
            "half of them are that narrow now".to_owned()
        } else {
            format!("about {half} would narrow half of them")
        };
        let _ = write!(
            text,
            ",\n{half}: one-sided results make wide bars, those of {} the widest.\n--estimate assumes bots of equal \
            strength",
            short(widest)
        ); // writing to a String cannot fail
    }
    text + ".\n"
}

/// Says how many blocks would decide more ranks.
fn open_ranks(standings: &Standings) -> String {
    let Some(wanted) = standings.blocks_to_separate else { return String::new() };
    let width = |bot: &&BotStanding| bot.rating.map_or(0, |rating| rating.rank.worst - rating.rank.best);
    let widest = standings.bots.iter().max_by_key(width).map_or_else(String::new, rank);
    format!(
        "Ranks are as open as {widest} after {} blocks: about {wanted} would separate half of the neighbours ({} \
         {wanted}).\n",
        standings.blocks.complete,
        more(standings)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_and_what_it_lists_stays_lines() {
        let told = |reason: &str| in_few_lines(reason.lines());
        assert_eq!(told("it does not parse\nexpected newline"), "it does not parse: expected newline");
        assert_eq!(
            told("add a bot.toml with these lines:\nname = \"x\"\ncommand = [\"y\"]"),
            "add a bot.toml with these lines:\n    name = \"x\"\n    command = [\"y\"]"
        );
    }

    #[test]
    fn bars_that_one_bot_makes_wide_are_told_with_what_half_of_them_need() {
        let told = |bars: &[(&str, u64)]| {
            let all = bars.iter().map(|(_, wants)| *wants).max().unwrap();
            let bars: Vec<_> = bars.iter().map(|(bot, wants)| (*bot, Some(*wants))).collect();
            narrower_bars(20, all, "--resume --blocks", &bars)
        };
        let one_sided = told(&[("ann", 30), ("dee", 1000), ("bob", 10), ("cy", 20)]);
        assert_eq!(
            one_sided,
            "About 1000 more blocks would narrow every bar to ±10 (--resume --blocks 1020),\nabout 20 would narrow half of them: \
             one-sided results make wide bars, those of dee the widest.\n--estimate assumes bots of equal strength.\n"
        );
        let narrow = told(&[("ann", 0), ("bob", 0), ("cy", 7)]);
        assert!(
            narrow.contains("--blocks 27),\nhalf of them are that narrow now: ")
                && narrow.contains("of cy the widest")
        );
        // Twice what half of them need requires no explanation.
        for equals in [&[("ann", 20), ("bob", 40)][..], &[("ann", 40), ("bob", 40), ("cy", 40)]] {
            assert_eq!(
                told(equals),
                "About 40 more blocks would narrow every bar to ±10 (--resume --blocks 60).\n"
            );
        }
    }
}
