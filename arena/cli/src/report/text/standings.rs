//! Standings as tables, with explanations.

use std::fmt::Write;

use leyden_arena::report::column::Column;
use leyden_arena::report::standing_columns::{ResultColumn, StandingColumn, for_people};
use leyden_arena::report::{
    Anchor, BotStanding, LaterLegsLine, PairCounts, PairingLine, SMALL_FIELD, Standings, StrayPairing,
    change_in_words,
};
use leyden_language::Language;
use leyden_language::numbers::{self, fixed, signed};
use leyden_model::words::counted;
use leyden_model::{LeftOut, shared_name};
use leyden_stats::{BlocksRange, FEWEST_FOR_SPREAD, Holds, Interval, PairingGain};

use super::competition::competition;
use super::parts::{beyond_turn, conduct, heading, out_of, p_value, pairs_done, range, two};
use crate::report::grid::{cut, grid, or_dash, percent, plain, short, spaced};
use crate::report::luck;

/// What standings show apart from the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StandingsNotes {
    /// Head-to-head scores and p-values, also of a large field.
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
    text.push_str(
        &standings.competition.as_ref().map_or_else(String::new, |table| competition(table, &standings.bots)),
    );
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
    text.push_str(&standings.luck.as_ref().and_then(luck::for_standings).unwrap_or_default());
    for cycle in &standings.cycles {
        let circle: Vec<String> = cycle.circle.iter().map(|name| plain(name)).collect();
        let _ = writeln!(
            text,
            "\nA circle, each step significant at 5 % over all pairings together: {} beats {}.",
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
    let by_block = format!("blocks {} complete{incomplete} · ", out_of(blocks.complete, blocks.planned));
    format!(
        "{}{} · matches {}",
        if standings.by_pairs { "" } else { &by_block },
        pair_progress(&standings.pairs),
        out_of(matches.played, matches.planned)
    )
}

fn pair_progress(pairs: &PairCounts) -> String {
    format!("pairs {}", pairs_done(pairs))
}

fn ranking(standings: &Standings) -> String {
    use ResultColumn::{Drawn, Lost, Margin, PointsAgainst, PointsFor, Score, Won};
    use StandingColumn::{Bot, HalfWidth, Place, Rating};
    let results = [Score, Won, Drawn, Lost, PointsFor, PointsAgainst, Margin];
    grid(&for_people(&[Place, Bot, Rating, HalfWidth], &results, short), &standings.bots)
}

/// Returns the folders of bots that share a name, so that their authors can find themselves.
fn same_names(bots: &[BotStanding]) -> String {
    let is_told_apart = |bot: &&BotStanding| {
        let shares = |one: &BotStanding, other: &BotStanding| shared_name(&one.name) == Some(&*other.name);
        bots.iter().any(|other| shares(bot, other) || shares(other, bot))
    };
    let with_folder =
        |bot: &BotStanding| Some(format!("{} is {}", plain(&bot.name), plain(bot.folder.as_ref()?)));
    let folders: Vec<String> = bots.iter().filter(is_told_apart).filter_map(with_folder).collect();
    if folders.is_empty() {
        String::new()
    } else {
        format!("Bots with the same name: {}\n\n", folders.join(", "))
    }
}

/// Returns score and p-value of each row's bot against each column's. Twelve bots fit into 100 columns.
fn matrices(standings: &Standings, pairings: &[PairingLine]) -> String {
    let score = |line: &PairingLine, turned| {
        let score = line.score.map(|score| if turned { 1.0 - score } else { score });
        let interval = line.score_interval.map(|interval| turn(interval, turned));
        let interval = interval.map_or_else(String::new, |interval| format!("\n{}", whole(interval)));
        or_dash(score, |score| numbers::percent(score, 0) + &interval)
    };
    let equal = |line: &PairingLine, _| or_dash(line.p_value, p_value);
    let known = |line: &PairingLine| line.score_interval.is_some();
    if !pairings.iter().any(known) {
        // One block gives no intervals, and does not show who is stronger.
        let scores = matrix(standings, pairings, score);
        return format!("\nHead to head: score in % of the row against the column\n{scores}");
    }
    format!(
        "\nHead to head: score in % of the row against the column, 95 % interval under it\n{}\n\
         p-values: how often two equally strong bots would be rated so far apart\n{}",
        matrix(standings, pairings, score),
        matrix(standings, pairings, equal)
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
        Column::words("", move |(_, row): &(usize, &BotStanding)| cut(&row.name, longest)),
    ];
    columns.extend(rows.iter().map(|(number, column)| {
        Column::number(number.to_string(), move |(_, row): &(usize, &BotStanding)| {
            between(row, column).unwrap_or_default()
        })
    }));
    spaced(&columns, &rows, gap)
}

fn turn(interval: Interval, turned: bool) -> Interval {
    if turned { Interval { low: 1.0 - interval.high, high: 1.0 - interval.low } } else { interval }
}

fn whole(interval: Interval) -> String {
    format!("{}–{}", numbers::percent(interval.low, 0), numbers::percent(interval.high, 0))
}

/// Returns every pairing on a line of its own: a matrix would be too wide.
fn pairing_list(pairings: &[PairingLine]) -> String {
    let columns: [Column<'_, PairingLine>; 7] = [
        Column::words("first", |line: &PairingLine| short(&line.first)),
        Column::words("second", |line: &PairingLine| short(&line.second)),
        Column::number("blocks", |line: &PairingLine| line.blocks.to_string()),
        Column::share("score", |line: &PairingLine| or_dash(line.score, percent)),
        Column::number("95 %", |line: &PairingLine| {
            or_dash(line.score_interval, |interval| {
                format!("{}–{}", percent(interval.low), percent(interval.high))
            })
        }),
        Column::number("margin", |line: &PairingLine| or_dash(line.mean_margin, |margin| signed(margin, 1))),
        Column::number("p-value", |line: &PairingLine| or_dash(line.p_value, p_value)),
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
        Column::words("second", |line: &PairingLine| short(&line.second)),
        Column::number("blocks", |line: &PairingLine| line.blocks.to_string()),
        Column::number("ρ", |line: &PairingLine| gain(line, &|gain| two(gain.rho))),
        Column::number("95 %", |line: &PairingLine| gain(line, &|gain| range(gain.rho_interval, two))),
        Column::number("1/(1+ρ)", |line: &PairingLine| gain(line, &|gain| or_dash(gain.gain, two))),
        Column::number("95 %", |line: &PairingLine| gain(line, &|gain| ends(gain.gain_low, gain.gain_high))),
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
    let has_intervals =
        standings.bots.iter().any(|bot| bot.rating.is_some_and(|rating| rating.half_width.is_some()));
    text.push_str(match standings.blocks.complete {
        _ if standings.by_pairs && has_intervals => "\nRatings are based on complete pairs, each with a deal of its own; a place such as 1 (1–2) is not decided\n\
             yet. With 95 % confidence every rank in the table is right; each ± is for one bot alone, against the field's\n\
             mean. Few pairs leave much open. A bot that learns between matches breaks this.\n",
        _ if standings.by_pairs && standings.bots.iter().any(|bot| bot.rating.is_some()) => {
            "\nRatings are based on complete pairs, and decide no rank: an interval needs five pairs of a bot.\n"
        }
        _ if standings.by_pairs => {
            "\nNot every bot has a complete pair yet: there are no ratings and no ranks, and bots are ordered by score so far.\n"
        }
        0 => "\nNo block is complete yet: there are no ratings and no ranks, and bots are ordered by score so far.\n",
        1 => "\nRatings are based on one block, which decides no rank; intervals need two.\n",
        _ => "\nRatings are based on complete blocks; a place such as 1 (1–2) is not decided yet. With 95 %\n\
             confidence every rank in the table is right; each ± is for one bot alone, against the field's mean.\n\
             Blocks are assumed to be independent, so a bot that learns between matches breaks this.\n",
    });
    if has_intervals {
        text.push_str(match standings.holds {
            Holds::AtPlannedEnd => "",
            Holds::AtAnyTime => {
                "Ranks and intervals hold at any time, however often you look; they become narrower once everything\n\
                 is played that was planned from the start.\n"
            }
        });
    }
    if (2..FEWEST_FOR_SPREAD).contains(&standings.blocks.complete) {
        let _ = writeln!(
            text,
            "{} blocks are few: the spread of results is hardly known yet, so ranks and intervals are\n\
             much wider than from {} blocks on.",
            standings.blocks.complete, FEWEST_FOR_SPREAD
        );
    }
    text += &forecast(standings);
    text += &misfit(standings);
    if let Some(Anchor { bot, elo }) = &standings.anchor {
        let _ = writeln!(text, "Ratings are measured from {}, which has {}.", plain(bot), fixed(*elo, 0));
    }
    for LeftOut { reason, .. } in &standings.left_out {
        let lines: Vec<String> = reason.lines().map(plain).collect();
        let _ = writeln!(text, "Left out: {}", lines.join("\n  "));
    }
    for change in &standings.changes {
        let _ = writeln!(text, "Changed {}.", plain(&change_in_words(change, Language::English)));
    }
    text
}

/// Returns the options that ask for more blocks.
fn more(standings: &Standings) -> &'static str {
    if standings.gate.is_some() { "--resume --max-pairs" } else { "--resume --blocks" }
}

/// Says what more blocks would decide.
fn forecast(standings: &Standings) -> String {
    let mut text = String::new();
    let complete = standings.blocks.complete;
    if let Some(apart) = standings.told_apart {
        let _ = writeln!(
            text,
            "{} neighbours that differ by {} Elo or more (in 80 % of cases); four times as many halve that.",
            counted(complete, "block separates", "blocks separate"),
            range(apart, |elo| fixed(elo, 0))
        ); // writing to a String cannot fail
    }
    let Some(BlocksRange { low, high }) = standings.blocks_for_ten_elo.filter(|all| all.high > complete)
    else {
        return text;
    };
    let _ = write!(
        text,
        "{low} to {high} blocks in all would narrow every interval to ±10 at the end ({} {high})",
        more(standings)
    );
    let bars: Vec<(&str, u64)> = standings
        .bots
        .iter()
        .filter_map(|bot| Some((bot.name.as_str(), bot.rating?.blocks_for_ten_elo?.high)))
        .collect();
    let mut each: Vec<u64> = bars.iter().map(|(_, high)| *high).collect();
    each.sort_unstable();
    let half = each.get(each.len().saturating_sub(1) / 2).copied().unwrap_or(high);
    if let Some((widest, _)) = bars.iter().max_by_key(|(_, high)| *high).filter(|_| high > 2 * half) {
        let _ = write!(
            text,
            ",\nand {} half of the intervals. One-sided results need more; {} needs the most",
            counted(half, "block", "blocks"),
            short(widest)
        );
    }
    text + ".\n"
}

/// Says so if the ratings do not describe the field, and what does.
fn misfit(standings: &Standings) -> String {
    let Some(fit) = standings.misfit() else { return String::new() };
    let mut text = format!(
        "\nOne rating per bot does not describe this field: results differ from the ratings by about {} Elo.\n\
         Below is what each achieved without that assumption.\n",
        fixed(fit.astray_elo, 0)
    );
    for StrayPairing { first, second, score, expected, .. } in &fit.residuals {
        let _ = writeln!(
            text,
            "{} scores {} % against {}, where the ratings have {} %.",
            plain(first),
            percent(*score),
            plain(second),
            percent(*expected)
        );
    }
    text + &unmodelled(standings)
}

/// Returns what the bots achieved without a model of their strength.
fn unmodelled(standings: &Standings) -> String {
    use StandingColumn::{Bot, Lottery, LotteryScore, MeanScore, PairingsWon};
    let columns = for_people(&[Bot, MeanScore, PairingsWon, Lottery, LotteryScore], &[], short);
    format!(
        "{}Mean score: each rival with the same weight. Lottery: how often the maximal lottery draws a bot, against which none\n\
         scores more than 50 %; copies of a bot change nothing in it.\n",
        grid(&columns, &standings.bots)
    )
}
