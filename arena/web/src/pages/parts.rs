//! Parts that several pages share.

use leyden_language::{Language, numbers, text::pages as text};
use leyden_model::{BotIndex, shell_seed_text};
use leyden_protocol::{PerSeat, Seat};
use leyden_stats::{Comparison, Holds};
use maud::{Markup, html};

use super::Site;
use super::gate::verdict;
use super::words::{counted, duration, time};
use crate::chart::{BarKind, Bars, Scale, bars, whiskers};
use crate::slots::{SLOTS, filled, muted_between};
use crate::snapshot::{BotView, FaultMoment, MatchFault, MatchView, Snapshot};
use leyden_arena::narrate::{Narrator, words::set_name};
use leyden_arena::report::{BotStanding, Rating, RatingVerdict};

/// Describes the tournament in one line.
pub(super) fn facts(snapshot: &Snapshot, language: Language) -> Markup {
    let rules = snapshot.rules;
    let better = html! { b { (language.say(text::Better { wins: snapshot.better })) } };
    let set = set_name(language, rules.set);
    let game = text::Game { rules: SLOTS[0], target: rules.target, set, better: SLOTS[1] };
    let game = filled(&language.say(game), &[html! { b { (rules.name) } }, better]);
    html! {
        p class="facts" {
            (counted!(language, text::CountBots, snapshot.bots.len() as u64)) " · "
            @if snapshot.gate.is_some() { (language.say(text::Gate)) } @else { (snapshot.format[language]) }
            @if snapshot.legs > 1 {
                // The stages of a competition have numbers of their own, and brackets play on.
                @if snapshot.gate.is_none() && snapshot.standings.competition.is_none() {
                    ", " (counted!(language, text::PairsATable, u64::from(snapshot.blocks)))
                }
                ", " (language.say(text::SameDeals { seats: rules.seats.count() }))
            }
            " · " (game)
            @if let Some(seed) = &snapshot.seed {
                " · " (filled(&language.say(text::WithSeed { seed: SLOTS[0] }), &[html! { code { (shell_seed_text(seed)) } }]))
            }
        }
    }
}

/// Shows the progress as a bar.
pub(super) fn progress(snapshot: &Snapshot, language: Language) -> Markup {
    let progress = snapshot.progress;
    let share = progress.done as f64 / progress.planned.max(1) as f64;
    let filled = (share * 1_000.0).round();
    html! {
        section class="card progress" id="progress" aria-label=(language.say(text::Progress)) {
            div class="line" {
                p {
                    b class="number" {
                        @if progress.is_endless {
                            (counted!(language, text::CountMatches, progress.done))
                        } @else {
                            (counted!(language, text::DoneOf, progress.planned, done: numbers::count(progress.done)))
                        }
                    }
                    span class="muted number" {
                        @if !progress.is_endless { " " (language.percent((share * 100.0).floor() / 100.0, 0)) }
                        @if let Some(rate) = progress.rate.filter(|_| !progress.is_over) {
                            " · " (language.say(text::MatchesASecond { rate: language.decimal(rate, 1) }))
                        }
                        @if let Some(left) = progress.seconds_left() {
                            " · " (language.say(text::AboutLeft { time: duration(language, left) }))
                        }
                    }
                }
                p class="tags" { @for tag in decided(snapshot, language) { (tag) } }
            }
            @if !progress.is_endless {
                svg class="meter" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img"
                    aria-label=(language.say(text::PercentPlayed { percent: numbers::percent(share, 0) })) {
                    rect class="rest" width="1000" height="8" {}
                    rect class="done" width=(filled) height="8" {}
                }
            }
        }
    }
}

/// Shows which parts of the ranking are decided.
fn decided(snapshot: &Snapshot, language: Language) -> Vec<Markup> {
    if let Some(gate) = &snapshot.gate {
        return vec![verdict(gate, language)];
    }
    let ranks: Vec<_> = snapshot.standings.bots.iter().filter_map(|bot| Some(bot.rating?.rank)).collect();
    let Some(first) = ranks.first().filter(|_| ranks.len() == snapshot.bots.len()) else {
        return vec![html! { span class="tag" { (language.say(text::NoRanking)) } }];
    };
    let known = snapshot.standings.bots.iter().all(|bot| bot.rating.is_some_and(|r| r.half_width.is_some()));
    if !known {
        return vec![html! { span class="tag" { (language.say(text::TooFewPairs)) } }];
    }
    let mut tags = Vec::new();
    let separated = (1..ranks.len()).find(|&top| {
        ranks[..top].iter().all(|rank| rank.worst as usize <= top)
            && ranks[top..].iter().all(|rank| rank.best as usize > top)
    });
    match separated {
        Some(1) => tags.push(html! { span class="tag good" { (language.say(text::FirstDecided)) } }),
        Some(top) if top <= 5 => {
            tags.push(html! { span class="tag good" { (language.say(text::TopSeparated { top })) } });
        }
        _ => {}
    }
    if first.worst > 1 {
        tags.push(html! { span class="tag warn" { (language.say(text::RanksOpen { worst: first.worst })) } });
    }
    tags
}

/// Returns the scale for all ratings.
pub(super) fn scale(snapshot: &Snapshot) -> Option<Scale> {
    let each = snapshot.standings.bots.iter().filter_map(|bot| {
        let Rating { elo, half_width, .. } = bot.rating?;
        let half = half_width.unwrap_or(0.0);
        Some((elo.get() - half, elo.get() + half))
    });
    Scale::from_intervals(each)
}

/// Shows a rating's interval on the common scale, or the bot's score as long as there is no rating.
pub(super) fn interval(scale: Option<Scale>, standing: &BotStanding, language: Language) -> Markup {
    match (scale, standing.rating, standing.results.score) {
        (Some(scale), Some(rating), _) => whiskers(scale, rating.elo.get(), rating.half_width, language),
        (_, _, Some(score)) => share(score),
        _ => html! {},
    }
}

/// Shows a score as a bar that starts in the middle.
pub(super) fn share(score: f64) -> Markup {
    let wide = ((score - 0.5).abs() * 200.0).round();
    let (x, class) = if score < 0.5 { (100.0 - wide, "bad") } else { (100.0, "good") };
    html! {
        svg class="share" viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true" {
            rect class=(class) x=(x) y="1" width=(wide) height="10" {}
            path class="axis" d="M100 0V12" {}
        }
    }
}

/// Returns what intervals are, and when they hold.
pub(super) fn interval_heading(snapshot: &Snapshot, language: Language) -> String {
    language.say(text::Interval { any_time: snapshot.standings.holds == Holds::AtAnyTime })
}

/// Shows a bot's place, and the range of places that it may hold if that is not decided; a dash as long as there are no ratings.
pub(super) fn places(standing: &BotStanding) -> Markup {
    html! {
        @match standing.rating.map(|rating| rating.rank) {
            Some(rank) => {
                (standing.place)
                @match standing.before_next {
                    Some(RatingVerdict::Open) => " ≈",
                    Some(RatingVerdict::Reversed) => " ⇅",
                    Some(RatingVerdict::Sure) | None => {},
                }
                @if rank.best < rank.worst { " " span class="range" { (rank.best) "–" (rank.worst) } }
            },
            None => { "–" },
        }
    }
}

/// Shows a rating in numbers: +214 ± 15.
pub(super) fn rating(standing: &BotStanding, language: Language) -> Markup {
    html! {
        @match standing.rating {
            Some(rating) => {
                b { (language.signed(rating.elo.get(), 0)) }
                @if let Some(half) = rating.half_width {
                    span class="muted" { (numbers::plus_minus(String::new(), Some(language.decimal(half, 0)))) }
                }
            },
            None => { "–" },
        }
    }
}

/// Returns the matches won and lost, with draws in between if there are any.
pub(super) fn record(bot: &BotView) -> String {
    let results = &bot.results;
    match results.drawn {
        0 => format!("{}–{}", numbers::count(results.won), numbers::count(results.lost)),
        drawn => format!(
            "{}–{}–{}",
            numbers::count(results.won),
            numbers::count(drawn),
            numbers::count(results.lost)
        ),
    }
}

/// Returns the author and the language.
pub(super) fn origin(bot: &BotView) -> Option<String> {
    let known: Vec<&str> = [&bot.author, &bot.language].into_iter().flatten().map(String::as_str).collect();
    (!known.is_empty()).then(|| known.join(" · "))
}

/// Summarises a bot's faults.
pub(super) fn faults(bot: &BotView, language: Language) -> Markup {
    let all: u64 = bot.results.faults.values().sum();
    let kind = bot.results.faults.iter().max_by_key(|(_, faults)| **faults).map(|(code, _)| code.as_str());
    html! {
        @match (all, bot.results.faults.len(), kind) {
            (0, ..) => { span class="muted" { (language.say(text::NoFaults)) } },
            (_, 1, Some(kind)) => { span class="tag bad" { "✖ " (numbers::count(all)) " " (kind) } },
            _ => { span class="tag bad" { (counted!(language, text::CountFaults, all)) } },
        }
        @if bot.results.strikes > 0 {
            " " span class="tag warn" { (counted!(language, text::CountStrikes, bot.results.strikes)) }
        }
    }
}

/// Shows a bot's name as a link to its page.
pub(super) fn bot_link(snapshot: &Snapshot, root: &str, bot: BotIndex) -> Markup {
    html! { a class="bot-link" href={ (root) "bots/" (bot.0) ".html" } { (snapshot.bot(bot).name) } }
}

/// Shows a match's id, as a link to its replay if there is one.
pub(super) fn match_link(site: &Site, root: &str, seen: &MatchView, text: &str) -> Markup {
    html! {
        @match site.replay(seen) {
            Some(path) => { a class="replay" href={ (root) (path) } { (text) } },
            None => { (text) },
        }
    }
}

/// Returns how a match ended for the bot in a seat.
pub(super) fn outcome(snapshot: &Snapshot, seen: &MatchView, seat: Seat) -> Comparison {
    seen.final_scores(snapshot.better).result(seat)
}

/// Says who beat whom, with a link for each name.
pub(super) fn result(snapshot: &Snapshot, root: &str, seen: &MatchView, language: Language) -> Markup {
    let faulted = seen.fault.map(|fault| fault.seat);
    let first = seen.winner.or(faulted).unwrap_or(Seat::FIRST);
    let slots = PerSeat::from_fn(seen.bots.seats(), |seat| SLOTS[seat.index()].to_owned());
    let said = Narrator::new(slots, None, language).result(seen.winner, faulted);
    let links = seen.bots.iter().map(|(seat, bot)| {
        let link = bot_link(snapshot, root, *bot);
        if seat == first {
            html! { b { (link) } }
        } else {
            link
        }
    });
    muted_between(&said, &links.collect::<Vec<_>>())
}

/// Returns the scores, the winner's first.
pub(super) fn scores(seen: &MatchView) -> String {
    let first = seen.winner.unwrap_or(Seat::FIRST);
    let rest = seen.scores.iter().filter(|(seat, _)| *seat != first).map(|(_, score)| *score);
    [seen.scores[first]].into_iter().chain(rest).map(|score| score.to_string()).collect::<Vec<_>>().join("–")
}

/// Says when a fault happened.
pub(super) fn moment(fault: &MatchFault, language: Language) -> String {
    match fault.moment {
        Some(FaultMoment { round, turn_ref }) => {
            language.say(text::RoundAndAction { round: round + 1, action: turn_ref.action + 1 })
        }
        None => language.say(text::BeforeFirstDeal),
    }
}

/// Draws the margins of a bot's matches: losses on the left, wins on the right.
pub(super) fn margins(snapshot: &Snapshot, bot: BotIndex, language: Language) -> Markup {
    let all: Vec<i64> = matches_of(snapshot, bot)
        .flat_map(|(seen, seat)| {
            let end = seen.final_scores(snapshot.better);
            end.others(seat).filter_map(move |other| end.margin(seat, other))
        })
        .collect();
    let Some(widest) = all.iter().map(|margin| margin.unsigned_abs()).max() else {
        return html! { p class="muted" { (language.say(text::NoCleanMatch)) } };
    };
    let width = [2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|width| width * 9 >= widest);
    let width = width.unwrap_or(widest.div_ceil(9).max(1)) as i64;
    let half = (widest as i64 / width + 1).max(3);
    let mut counts = vec![0_u64; 2 * half as usize];
    for margin in &all {
        // Draws are spread evenly over both sides.
        let bin =
            if *margin < 0 { half - 1 - (-margin - 1) / width } else { half + (margin - 1).max(0) / width };
        counts[bin.clamp(0, 2 * half - 1) as usize] += 1;
    }
    let counts: Vec<(u64, BarKind)> = counts
        .into_iter()
        .enumerate()
        .map(|(i, count)| (count, if (i as i64) < half { BarKind::Bad } else { BarKind::Good }))
        .collect();
    let edge = half * width;
    let edge = edge.to_string();
    let labels = [
        language.say(text::LostBy { edge: &edge }),
        "0".to_owned(),
        language.say(text::WonBy { edge: &edge }),
    ];
    bars(&Bars { counts: &counts, labels, title: &language.say(text::MarginsChart) })
}

/// Draws the thinking times; each bar covers twice the time of the one before it.
pub(super) fn thinking(bot: &BotView, language: Language) -> Markup {
    let bin = |us: u64| us.max(1).ilog2() as usize;
    let (Some((shortest, _)), Some((longest, _))) = (bot.times.first(), bot.times.last()) else {
        return html! { p class="muted" { (language.say(text::NoDecision)) } };
    };
    let (first, end) = (bin(*shortest), bin(*longest).max(bin(*shortest) + 3) + 1);
    let mut counts = vec![(0_u64, BarKind::Neither); end - first];
    for (us, decisions) in &bot.times {
        counts[bin(*us) - first].0 += decisions;
    }
    let label = |bin: usize| time(language, 1_u64 << bin.min(62));
    let labels = [label(first), String::new(), label(end)];
    bars(&Bars { counts: &counts, labels, title: &language.say(text::ThinkingChart) })
}

/// Returns the matches of a bot with its seat, the latest first.
pub(super) fn matches_of(snapshot: &Snapshot, bot: BotIndex) -> impl Iterator<Item = (&MatchView, Seat)> {
    snapshot.matches.iter().rev().filter_map(move |seen| {
        let (seat, _) = seen.bots.iter().find(|(_, other)| **other == bot)?;
        Some((&**seen, seat))
    })
}

/// Shows a bot's key figures.
pub(super) fn figures(bot: &BotView, language: Language) -> Markup {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let all = [
        (or_dash(bot.results.score.map(|score| language.percent(score, 0))), language.say(text::OfThePoints)),
        (
            or_dash(bot.results.mean_margin.map(|margin| language.signed(margin, 1))),
            language.say(text::MeanMargin),
        ),
        (or_dash(bot.rounds.mean_pips().map(|pips| language.decimal(pips, 1))), language.say(text::PipsLeft)),
        (
            or_dash(bot.rounds.share_gone_out().map(|share| language.percent(share, 0))),
            language.say(text::RoundsGoneOut),
        ),
    ];
    html! {
        dl class="figures" {
            @for (number, what) in all { div { dt { (what) } dd class="number" { (number) } } }
        }
    }
}

/// Shows a fault as an item of the list of problems.
pub(super) fn fault_item(
    snapshot: &Snapshot,
    site: &Site,
    root: &str,
    seen: &MatchView,
    fault: &MatchFault,
    language: Language,
) -> Markup {
    let rivals = seen.scores.seats().iter().filter(|seat| *seat != fault.seat);
    let rivals: Vec<&str> = rivals.map(|seat| snapshot.bot(seen.bots[seat]).name.as_str()).collect();
    let when = text::MomentAgainst { moment: moment(fault, language), rivals: rivals.join(", ") };
    let details = snapshot.fault_details.get(&seen.id);
    html! {
        li {
            span class="tag bad" { "✖ " (fault.code) }
            div {
                p {
                    (bot_link(snapshot, root, seen.bots[fault.seat])) " "
                    span class="muted" { (language.say(when)) }
                    " " (match_link(site, root, seen, &language.say(text::OpenAtTurn)))
                }
                @if let Some(details) = details { p class="details" { (shortened(&details.summary)) } }
            }
        }
    }
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= 200 {
        line.to_owned()
    } else {
        line.chars().take(199).chain(['…']).collect()
    }
}

/// Returns a thinking time, or a dash.
pub(super) fn maybe_time(us: Option<u64>, language: Language) -> String {
    or_dash(us, |us| time(language, us))
}

/// Shows a number that may be missing.
pub(super) fn or_dash<T>(value: Option<T>, shown: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), shown)
}

/// Says what the list of the last matches is.
pub(super) fn finished_heading(snapshot: &Snapshot, language: Language) -> String {
    if snapshot.progress.is_over { language.say(text::LastMatches) } else { language.say(text::JustFinished) }
}

/// Lists the last matches.
pub(super) fn finished_list(snapshot: &Snapshot, site: &Site, most: usize, language: Language) -> Markup {
    html! {
        ul class="finished" {
            @for seen in snapshot.matches.iter().rev().take(most) {
                li {
                    span class="who" { (result(snapshot, "", seen, language)) }
                    span class="number" { (scores(seen)) }
                    span class="muted how" {
                        @if let Some(fault) = seen.fault { (fault.code) }
                        @else { (counted!(language, text::CountRounds, u64::from(seen.rounds))) }
                    }
                    (match_link(site, "", seen, "▶"))
                }
            }
        }
    }
}
