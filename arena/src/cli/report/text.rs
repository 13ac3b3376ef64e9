//! Reports for people: tables and figures that fit a terminal of 100 columns, without colours.

use std::fmt::Write;

use leyden_arena::report::{
    Anchor, BotResults, BotStanding, GateAnswer, GateDocument, LaterLegsLine, PairCounts, PairingLine,
    SMALL_FIELD, Side, Standings, Versus,
};
use leyden_model::event::Withdrawal;
use leyden_model::{LeftOut, RecordRules};
use leyden_protocol::Better;
use leyden_stats::{
    Elo, EloInterval, FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE, GateEnd, GateReport, Hypotheses, Interval,
    MatchEstimate, NormalisedInterval, PairingGain, Pentanomial,
};

use super::figures::Figures;
use super::grid::{cut, fixed, grid, millis, or_dash, percent, plain, short, signed, spaced};
use super::luck;

/// What standings show beside the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extras {
    /// Head-to-head and likelihoods of superiority, also of a large field.
    pub(crate) matrix: bool,
    /// What duplicate deals bought, pairing by pairing.
    pub(crate) pairing: bool,
}

/// The standings as tables.
pub(crate) fn standings(standings: &Standings, extras: Extras) -> String {
    let mut text = heading(standings.rules, standings.better);
    let _ = writeln!(text, "{}\n", progress(standings)); // a String takes all
    text.push_str(&ranking(standings));
    text.push('\n');
    let lines = standings.bots.iter().map(|bot| (bot.name.as_str(), &bot.results));
    text.push_str(&conduct(lines));
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

/// Who may know deals. Nothing is said of a field in which nobody seems to.
fn later_legs(lines: &[LaterLegsLine]) -> String {
    let line = |LaterLegsLine { bot, pairs, better_by, chance }: &LaterLegsLine| {
        format!(
            "\n{} does better in later legs of a pair than in earlier ones, by {} points a match over {pairs} pairs;\n\
             chance alone gives any bot that in less than one tournament of {}. The legs of a pair have the same deal:\n\
             see whether it keeps what it saw or passes it on (`leyden doctor` shows what this machine can prevent).\n",
            plain(bot),
            fixed(*better_by, 3),
            one_in(*chance),
        )
    };
    lines.iter().map(line).collect()
}

/// How rare that is, rounded so that nobody reads more into it than is there.
fn one_in(chance: f64) -> &'static str {
    match chance {
        ..=1e-6 => "a million",
        ..=1e-5 => "100,000",
        ..=1e-4 => "10,000",
        _ => "1,000",
    }
}

fn heading(rules: RecordRules, better: Better) -> String {
    let better = match better {
        Better::Lower => "lower scores are better",
        Better::Higher => "higher scores are better",
    };
    let RecordRules { name, seats, set, target } = rules;
    format!("{name} to {target} with {set}, {seats} seats · {better}\n")
}

fn progress(standings: &Standings) -> String {
    let (blocks, matches) = (&standings.blocks, &standings.matches);
    let incomplete = match blocks.incomplete {
        0 => String::new(),
        begun => format!(" ({begun} more begun)"),
    };
    format!(
        "blocks {} complete{incomplete} · {} · matches {}",
        of(blocks.complete, blocks.wanted),
        pair_progress(&standings.pairs),
        of(matches.played, matches.wanted)
    )
}

/// How many of how many, where that is known.
fn of(done: u64, wanted: Option<u64>) -> String {
    wanted.map_or_else(|| done.to_string(), |wanted| format!("{done} of {wanted}"))
}

fn pair_progress(pairs: &PairCounts) -> String {
    format!("pairs {}", pairs_done(pairs))
}

fn pairs_done(pairs: &PairCounts) -> String {
    let incomplete = match pairs.incomplete {
        0 => String::new(),
        begun => format!(" ({begun} incomplete)"),
    };
    let voided = match pairs.voided {
        0 => String::new(),
        voided => format!(" · {voided} were void ({} of them played again)", pairs.played_again),
    };
    format!("{}{incomplete}{voided}", of(pairs.complete, pairs.wanted))
}

/// The place of a bot, or the places that are not decided yet.
pub(crate) fn rank(bot: &BotStanding) -> String {
    match bot.rating.map(|rating| rating.rank) {
        Some(rank) if rank.best < rank.worst => format!("{}–{}", rank.best, rank.worst),
        Some(rank) => rank.best.to_string(),
        None => bot.place.to_string(),
    }
}

fn ranking(standings: &Standings) -> String {
    let header =
        ["rank", "bot", "rating", "± 95 %", "score %", "won", "drawn", "lost", "for", "against", "margin"];
    let row = |bot: &BotStanding| {
        let (rating, results) = (bot.rating.as_ref(), &bot.results);
        vec![
            rank(bot),
            short(&bot.name),
            or_dash(rating, |rating| fixed(rating.elo.get(), 0)),
            or_dash(rating.and_then(|rating| rating.half_width), |half| format!("{half:.0}")),
            or_dash(results.score, percent),
            results.won.to_string(),
            results.drawn.to_string(),
            results.lost.to_string(),
            results.points_for.to_string(),
            results.points_against.to_string(),
            or_dash(results.mean_margin, |margin| signed(margin, 1)),
        ]
    };
    grid(&header, &[1], &standings.bots.iter().map(row).collect::<Vec<_>>())
}

/// How bots behaved: what they thought and what they did wrong.
fn conduct<'a>(bots: impl Iterator<Item = (&'a str, &'a BotResults)>) -> String {
    let header = ["bot", "decisions", "median ms", "99 % ms", "strikes", "faults"];
    let row = |(name, results): (&str, &BotResults)| {
        let faults: Vec<String> =
            results.faults.iter().map(|(code, count)| format!("{count} {}", code.as_str())).collect();
        vec![
            short(name),
            results.decisions.to_string(),
            or_dash(results.think_median_us, millis),
            or_dash(results.think_p99_us, millis),
            results.strikes.to_string(),
            if faults.is_empty() { "none".to_owned() } else { faults.join(", ") },
        ]
    };
    grid(&header, &[0, 5], &bots.map(row).collect::<Vec<_>>())
}

/// Score and likelihood of superiority of each row's bot against each column's. Twelve bots fit into 100 columns.
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
        // One block has no intervals, and says nothing of who is stronger.
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

/// A row and a column for each bot, best first; `cell` is told whether the row's bot is the second of the pairing.
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
    let numbers: Vec<String> = standings.bots.iter().map(|bot| bot.place.to_string()).collect();
    let header: Vec<&str> = ["", ""].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let row = |row: &BotStanding| {
        let cells = standings.bots.iter().map(|column| between(row, column).unwrap_or_default());
        [row.place.to_string(), cut(&row.name, longest)].into_iter().chain(cells).collect()
    };
    spaced(&header, &[1], &standings.bots.iter().map(row).collect::<Vec<Vec<String>>>(), gap)
}

fn turn(interval: Interval, turned: bool) -> Interval {
    if turned { Interval { low: 1.0 - interval.high, high: 1.0 - interval.low } } else { interval }
}

fn whole(interval: Interval) -> String {
    format!("{:.0}–{:.0}", 100.0 * interval.low, 100.0 * interval.high)
}

/// A probability in per cent that never claims certainty.
fn likelihood(p: f64) -> String {
    match 100.0 * p {
        p if p >= 99.95 => ">99.9".to_owned(),
        p if p < 0.05 => "<0.1".to_owned(),
        p => format!("{p:.1}"),
    }
}

/// Every pairing on a line of its own: what a matrix would be too wide for.
fn pairing_list(pairings: &[PairingLine]) -> String {
    let header = ["first", "second", "blocks", "score %", "95 %", "margin", "stronger %"];
    let row = |line: &PairingLine| {
        vec![
            short(&line.first),
            short(&line.second),
            line.blocks.to_string(),
            or_dash(line.score, percent),
            or_dash(line.score_interval, |interval| {
                format!("{}–{}", percent(interval.low), percent(interval.high))
            }),
            or_dash(line.mean_margin, |margin| signed(margin, 1)),
            or_dash(line.likelihood_of_superiority, likelihood),
        ]
    };
    format!("\nHead to head\n{}", grid(&header, &[0, 1], &pairings.iter().map(row).collect::<Vec<_>>()))
}

fn gains(pairings: &[PairingLine]) -> String {
    let header = ["first", "second", "blocks", "ρ", "95 %", "1/(1+ρ)", "95 %"];
    let row = |line: &PairingLine| {
        let gain = line.pairing.as_ref();
        let ends = |low: Option<f64>, high: Option<f64>| {
            format!("{}–{}", or_dash(low, two), high.map_or_else(|| "∞".to_owned(), two))
        };
        vec![
            short(&line.first),
            short(&line.second),
            line.blocks.to_string(),
            or_dash(gain, |gain| two(gain.rho)),
            or_dash(gain, |gain| range(gain.rho_interval, two)),
            or_dash(gain, |gain| or_dash(gain.gain, two)),
            or_dash(gain, |gain| ends(gain.gain_low, gain.gain_high)),
        ]
    };
    format!(
        "\nWhat duplicate deals bought: how many times fewer matches than with single deals (from {} blocks on)\n{}",
        FEWEST_FOR_SPREAD,
        grid(&header, &[0, 1], &pairings.iter().map(row).collect::<Vec<_>>())
    )
}

fn two(number: f64) -> String {
    fixed(number, 2)
}

fn notes(standings: &Standings) -> String {
    let mut text = String::new();
    if standings.rules.seats.count() > 2 {
        text.push_str(
            "\nA match is won against everybody at its table; the score counts each two of a table.\n",
        );
    }
    text.push_str(match standings.blocks.complete {
        0 => "\nNo block is complete yet: there are no ratings.\n",
        1 => "\nRatings rest on one block; intervals need two.\n",
        _ => {
            "\nRatings rest on complete blocks; a rank such as 1–2 is not decided yet. ± is against the field's\n\
             mean: compare two bots by the likelihood table. Blocks are taken as independent, so a bot that\n\
             learns between matches breaks this.\n"
        }
    });
    if let Some(blocks) = standings.more_blocks_for_ten_elo.filter(|blocks| *blocks > 0) {
        let _ = writeln!(text, "About {blocks} more blocks would bring every bar to ±10.");
    }
    text += &open_ranks(standings);
    if let Some(Anchor { bot, elo }) = &standings.anchor {
        let _ = writeln!(text, "Ratings are measured from {}, which has {elo:.0}.", plain(bot));
    }
    for LeftOut { entry, reason } in &standings.left_out {
        let reason = reason.strip_prefix(entry).map_or(&**reason, |reason| reason.trim_start_matches(": "));
        // Without the line of a file that an error shows between its first line and its last.
        let lines = reason.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains('|'));
        let reason = lines.collect::<Vec<_>>().join(": ");
        let _ = writeln!(text, "Left out: {}: {}", plain(entry), plain(&reason));
    }
    for change in &standings.changes {
        let _ = writeln!(text, "Changed {}.", plain(&change.to_string()));
    }
    text
}

/// How many blocks would decide more ranks than these have decided.
fn open_ranks(standings: &Standings) -> String {
    let Some(wanted) = standings.blocks_to_separate else { return String::new() };
    let width = |bot: &&BotStanding| bot.rating.map_or(0, |rating| rating.rank.worst - rating.rank.best);
    let widest = standings.bots.iter().max_by_key(width).map_or_else(String::new, rank);
    format!(
        "Ranks are as open as {widest} after {} blocks: about {wanted} would separate half of the neighbours (--resume \
         --blocks {wanted}).\n",
        standings.blocks.complete
    )
}

/// Which bots were not started any more.
pub(crate) fn withdrawn(bots: &[Withdrawal]) -> String {
    let mut text = String::new();
    for Withdrawal { bot, failures, code, .. } in bots {
        let name = plain(bot);
        let _ = writeln!(
            text,
            "\n{name} was withdrawn after {failures} start failures in a row ({code}): its other matches were not \
             started and count as lost."
        );
    }
    text
}

/// Figures in two columns.
fn listed(figures: &Figures) -> String {
    let width = figures.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    figures.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:width$}  {value}");
        text
    })
}

/// A match of two bots: the first one's score and margin with intervals.
pub(crate) fn versus(versus: &Versus) -> String {
    let [one, two] = &versus.bots;
    let mut text = format!("{} against {}\n", plain(&one.name), plain(&two.name));
    text.push_str(&heading(versus.rules, versus.better));
    text.push('\n');
    text.push_str(&listed(&versus_figures(versus)));
    text.push('\n');
    text.push_str(&sides(&versus.bots));
    text
}

fn sides(bots: &[Side; 2]) -> String {
    let header = ["bot", "won", "drawn", "lost", "for", "against", "margin"];
    let row = |side: &Side| {
        let results = &side.results;
        vec![
            short(&side.name),
            results.won.to_string(),
            results.drawn.to_string(),
            results.lost.to_string(),
            results.points_for.to_string(),
            results.points_against.to_string(),
            or_dash(results.mean_margin, |margin| signed(margin, 1)),
        ]
    };
    let rows: Vec<Vec<String>> = bots.iter().map(row).collect();
    let lines = bots.iter().map(|side| (side.name.as_str(), &side.results));
    format!("{}\n{}", grid(&header, &[0], &rows), conduct(lines))
}

/// The figures of a match, for people and for JUnit.
pub(crate) fn versus_figures(versus: &Versus) -> Figures {
    let mut figures = vec![("matches", of(versus.matches.played, versus.matches.wanted))];
    figures.push(("pairs", pairs_done(&versus.pairs)));
    match &versus.estimate {
        Some(estimate) => estimate_figures(estimate, &mut figures),
        None => figures.push(("score", "no pair is complete yet".to_owned())),
    }
    if let Some(luck) = versus.luck.as_ref().and_then(luck::line) {
        figures.push(("without luck", luck));
    }
    figures
}

fn estimate_figures(estimate: &MatchEstimate, figures: &mut Figures) {
    if let Some(counts) = &estimate.counts {
        figures.push(("kinds of pair", kinds(counts)));
    }
    if estimate.blocks < FEWEST_TO_COMPARE {
        figures.push(("score", too_few(estimate)));
        return;
    }
    let at95 =
        |interval: Option<String>| interval.map_or_else(String::new, |text| format!(" (95 %: {text})"));
    let score = estimate.score_interval.map(|interval| range(interval, percent));
    figures.push(("score", format!("{} %{}", percent(estimate.score), at95(score))));
    figures.push(("Elo", format!("{}{}", elo(estimate.elo), at95(estimate.elo_interval.map(elo_range)))));
    if let Some(elo) = estimate.normalised_elo {
        let error = estimate.normalised_elo_error95.map(|error| format!("±{error:.0}"));
        figures.push(("normalised Elo", format!("{}{}", signed(elo.get(), 0), at95(error))));
    }
    if let Some(margin) = &estimate.margin {
        let interval = margin.interval.map(|interval| range(interval, |points| signed(points, 1)));
        figures.push(("margin", format!("{} points{}", signed(margin.mean, 1), at95(interval))));
    }
    if let Some(p) = estimate.likelihood_of_superiority {
        figures.push(("stronger", format!("{} % likely", likelihood(p))));
    }
    if let Some(gain) = &estimate.pairing {
        figures.push(("duplicate deals", gain_words(gain)));
    }
    if let Some(blocks) = estimate.more_blocks_for_ten_elo.filter(|blocks| *blocks > 0) {
        figures.push(("for ±10 Elo", format!("about {blocks} more blocks")));
    }
}

/// What little a few pairs say.
fn too_few(estimate: &MatchEstimate) -> String {
    let whole = |share: f64| fixed(100.0 * share, 0);
    let interval = estimate.score_interval;
    let interval =
        interval.map_or_else(String::new, |interval| format!(", 95 %: {}", range(interval, whole)));
    let (pairs, s) = (estimate.blocks, if estimate.blocks == 1 { "" } else { "s" });
    format!("{pairs} pair{s}: too few to compare the bots (score {} %{interval})", whole(estimate.score))
}

fn gain_words(gain: &PairingGain) -> String {
    let factor = match (gain.gain, gain.gain_low) {
        (Some(gain), _) => format!("worth {} times as many single deals", two(gain)),
        (None, Some(low)) => format!("worth at least {} times as many single deals", two(low)),
        (None, None) => "every pair was even".to_owned(),
    };
    format!("ρ {} (95 %: {}): {factor}", two(gain.rho), range(gain.rho_interval, two))
}

fn kinds(counts: &Pentanomial) -> String {
    let [ll, ld, even, wd, ww] = counts.counts();
    format!("LL {ll} · LD {ld} · WL+DD {even} · WD {wd} · WW {ww}")
}

fn range(interval: Interval, form: impl Fn(f64) -> String) -> String {
    format!("{} to {}", form(interval.low), form(interval.high))
}

fn elo(elo: Option<Elo>) -> String {
    or_dash(elo, |elo| signed(elo.get(), 0))
}

fn elo_range(interval: EloInterval) -> String {
    let low = interval.low.map_or_else(|| "no lower end".to_owned(), |low| signed(low.get(), 0));
    let high = interval.high.map_or_else(|| "no upper end".to_owned(), |high| signed(high.get(), 0));
    format!("{low} to {high}")
}

/// A gate, ended or not.
pub(crate) fn gate(document: &GateDocument) -> String {
    let mut text = format!("{}\n", verdict(document));
    text.push_str(&heading(document.rules, document.better));
    text.push('\n');
    text.push_str(&listed(&gate_figures(document)));
    text.push('\n');
    text.push_str(&sides(&document.bots));
    text
}

/// The answer in one sentence.
pub(crate) fn verdict(document: &GateDocument) -> String {
    let [new, old] = [&document.bots[0].name, &document.bots[1].name].map(|name| plain(name));
    let (h0, h1) = document.test.plan.hypotheses().bounds();
    let scale = scale(&document.test);
    let pairs = document.test.pairs;
    if document.answer == GateAnswer::Faulted {
        let faults: u64 = document.bots[0].results.faults.values().sum();
        let may = match document.max_faults {
            None | Some(0) => "it may lose none".to_owned(),
            Some(most) => format!("it may lose {most}"),
        };
        let matches = if faults == 1 { "match" } else { "matches" };
        return format!(
            "rejected for its faults: {new} lost {faults} {matches} by faults, and {may} (--max-faults)"
        );
    }
    match document.test.end {
        Some(GateEnd::Accepted) if h0 >= 0.0 => format!("accepted: {new} is stronger than {old}"),
        Some(GateEnd::Accepted) if h1 <= 0.0 => format!("accepted: {new} is no weaker than {old}"),
        Some(GateEnd::Accepted) => {
            format!("accepted: {new} against {old} is nearer to {h1} than to {h0} {scale}")
        }
        Some(GateEnd::Rejected) if h0 < 0.0 && h1 <= 0.0 => {
            format!("rejected: {new} is weaker than {old}")
        }
        Some(GateEnd::Rejected) => {
            format!("rejected: {new} is not {h1} {scale} stronger than {old}")
        }
        Some(GateEnd::MaxPairs) => format!("undecided: {pairs} pairs do not decide between {new} and {old}"),
        Some(GateEnd::Mirror) => {
            let is_accepted = document.answer == GateAnswer::Accepted;
            let (answer, more) = if is_accepted {
                ("accepted", "")
            } else {
                ("undecided", ". --mirror-pairs N looks at more of them")
            };
            format!(
                "{answer}: {new} and {old} played alike so far (each of the first {pairs} pairs is the same match twice with \
                 the seats exchanged); they may still differ in up to {} % of deals (95 %){more}",
                fixed(100.0 * document.test.may_differ.unwrap_or(1.0), 0)
            )
        }
        None => format!("not decided yet: {new} against {old} after {pairs} pairs"),
    }
}

/// The figures of a gate, for people and for JUnit.
pub(crate) fn gate_figures(document: &GateDocument) -> Figures {
    let report = &document.test;
    let state = &report.state;
    let (h0, h1) = report.plan.hypotheses().bounds();
    let scale = scale(report);
    let (alpha, beta) = report.plan.error_rates();
    let mut figures = vec![
        (
            "test",
            format!(
                "{scale} {h0} against {h1}, α {alpha}, β {beta}, at most {} pairs{}",
                report.plan.max_pairs(),
                if report.plan.luck().is_some() { ", luck taken out" } else { "" }
            ),
        ),
        ("LLR", format!("{:+.2} between {:+.2} and {:+.2}", state.llr, state.lower, state.upper)),
        ("pairs", format!("{} ({})", report.pairs, kinds(&report.counts))),
    ];
    if report.voided_pairs > 0 {
        figures.push(("voided pairs", report.voided_pairs.to_string()));
    }
    if let Some(estimate) = &report.estimate {
        let normalised = estimate
            .normalised_elo
            .map_or_else(String::new, |elo| format!(", {} normalised", signed(elo.get(), 0)));
        let played = format!("score {} %, Elo {}{normalised}", percent(estimate.score), elo(estimate.elo));
        figures.push(("as played", played));
    }
    if let Some(luck) = report.adjusted.as_ref().and_then(luck::gate_line) {
        figures.push(("without luck", luck));
    }
    if let Some(estimate) = &report.stagewise {
        let NormalisedInterval { low, high } = estimate.normalised_elo_interval;
        let interval = format!(
            "{} % level, stage-wise: score {} %, Elo {}, normalised {} to {}; agrees with the verdict",
            fixed(100.0 * estimate.level, 0),
            range(estimate.score_interval, percent),
            elo_range(estimate.elo_interval),
            signed(low.get(), 0),
            signed(high.get(), 0),
        );
        figures.push(("interval", interval));
    }
    if let Some(estimate) = &report.estimate {
        let interval = format!(
            "95 % level, at any time: score {} %, Elo {}; holds whatever made the test stop, and is wider for it",
            range(estimate.score_interval, percent),
            elo_range(estimate.elo_interval),
        );
        figures.push(("interval", interval));
    }
    if let Some(margin) = report.mean_margin {
        figures.push(("margin", format!("{} points", signed(margin, 1))));
    }
    let committed = || format!("committed to as {}, told when the gate has ended", document.commitment);
    figures.push(("seed", document.seed.as_deref().map_or_else(committed, plain)));
    figures
}

fn scale(report: &GateReport) -> &'static str {
    match report.plan.hypotheses() {
        Hypotheses::Normalised { .. } => "normalised Elo",
        Hypotheses::Logistic { .. } => "logistic Elo",
    }
}

/// Where a running gate stands, and how it gets on, on one line.
pub(crate) fn gate_line(report: &GateReport, pace: &str) -> String {
    let state = &report.state;
    let estimate = report.estimate.as_ref().map_or_else(String::new, |estimate| {
        let interval = elo_range(estimate.elo_interval);
        format!(" · score {} % · Elo {} ({interval})", percent(estimate.score), elo(estimate.elo))
    });
    format!(
        "LLR {:+.2} [{:+.2}, {:+.2}] · {} of at most {} pairs{estimate}{pace}",
        state.llr,
        state.lower,
        state.upper,
        report.pairs,
        report.plan.max_pairs()
    )
}
