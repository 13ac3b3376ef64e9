//! A bot's page: its results against every other bot, its margins, thinking times, faults and matches.

use std::collections::BTreeMap;

use leyden_language::text::{pages, tournament};
use leyden_language::{Language, numbers, text::matches as text};
use leyden_model::BotIndex;
use leyden_protocol::FaultCode;
use leyden_stats::{Comparison, Entrant, SeatedMatch, Strays};
use maud::{Markup, html};

use super::frame::{Page, Section, framed};
use super::matches::{PER_PAGE, table};
use super::parts::{
    bot_link, fault_item, figures, interval, margins, matches_of, maybe_time, or_dash, origin, outcome,
    places, rating, record, scale, share, thinking,
};
use super::words::counted;
use super::{Site, versions};
use crate::columns::{HtmlColumn, heads, row};
use crate::replay::printable;
use crate::slots::{SLOTS, filled};
use crate::snapshot::{FaultDetail, Snapshot};
use leyden_arena::report::column::Column;
use leyden_arena::report::{CircumstanceLine, CompletePairing, seated_match};

/// The most faults listed.
const FAULTS: usize = 20;

/// The number of faults of each kind that are shown with all details.
const DETAILED: usize = 3;

/// The most bytes of a bot's standard error shown per fault.
const STDERR: usize = 2_000;

/// Builds the page; `None` if there is no such bot.
pub fn bot(snapshot: &Snapshot, site: &Site, bot: BotIndex, language: Language) -> Option<Markup> {
    let seen = snapshot.bots.get(bot.index())?;
    let index = snapshot.ranking.iter().position(|each| *each == bot)?;
    let standing = snapshot.standings.bots.get(index)?;
    let stands = text::Stands {
        place: SLOTS[0],
        bots: snapshot.bots.len(),
        rating: SLOTS[1],
        record: counted!(language, text::Record, seen.results.matches, record: record(seen)),
    };
    let within = text::Within { half: SLOTS[0], most: SLOTS[1] };
    let times = [seen.results.think_median_us, seen.results.think_p99_us];
    let times = times.map(|us| html! { b { (maybe_time(us, language)) } });
    let body = html! {
        div class="headline" {
            div {
                h1 { (seen.name) }
                p class="facts" {
                    @if let Some(origin) = origin(seen) { (origin) " · " }
                    (filled(&language.say(stands), &[html! { b { (places(standing)) } }, rating(standing, language)]))
                }
            }
            div class="own-interval" { (interval(scale(snapshot), standing, language)) }
        }
        div class="columns" {
            div class="side" {
                section class="card flush" id="against" { h2 class="pad" { (language.say(text::AgainstAll)) } (against(snapshot, bot, language)) }
                (versions::compared(snapshot, bot, "../", language))
                (against_rating(snapshot, bot, language))
                (faults(snapshot, site, bot, language))
                (latest(snapshot, site, bot, language))
            }
            div class="side" {
                section class="card" id="margins" { h2 { (language.say(text::Margins)) } (margins(snapshot, bot, language)) (figures(seen, language)) }
                section class="card" id="thinking" {
                    h2 {
                        (language.say(text::ThinkingTimes))
                        span class="muted plain" { " — " (counted!(language, text::Decisions, seen.results.decisions)) }
                    }
                    (thinking(seen, language))
                    p class="muted" { (filled(&language.say(within), &times)) }
                }
                (form(snapshot, bot, language))
            }
        }
    };
    Some(framed(&Page {
        snapshot,
        site,
        section: Section::Standings,
        title: &seen.name,
        root: "../",
        body,
        language,
    }))
}

fn latest(snapshot: &Snapshot, site: &Site, bot: BotIndex, language: Language) -> Markup {
    let last = matches_of(snapshot, bot).map(|(seen, _)| seen).take(PER_PAGE);
    html! {
        section class="card flush" id="list" {
            div class="line pad" {
                h2 { (language.say(text::LatestMatches)) }
                @if matches!(site, Site::Server { .. }) {
                    a href={ "../matches.html?bot=" (bot.0) } {
                        (language.say(pages::AllOfThem { number: numbers::count(snapshot.bot(bot).results.matches) }))
                    }
                }
            }
            (table(snapshot, site, "../", last, language))
        }
    }
}

fn against(snapshot: &Snapshot, bot: BotIndex, language: Language) -> Markup {
    let rivals = snapshot.ranking.iter().filter(|rival| **rival != bot);
    let score = |met: &CompletePairing, shown: &dyn Fn(f64) -> Markup| {
        met.score.mean().map(shown).unwrap_or_default()
    };
    // Nothing is known about bots that have not met.
    let met = |rival: &BotIndex, shown: &dyn Fn(&CompletePairing) -> Markup| {
        let met = snapshot.meeting(bot, *rival);
        if met.score.matches() > 0 {
            shown(met)
        } else {
            html! { "–" }
        }
    };
    // No text has this table: `leyden standings --matrix` shows what every two bots made of complete blocks.
    let bots =
        Column::words(language.say(tournament::Bot), |rival: &BotIndex| bot_link(snapshot, "../", *rival));
    let score_column = Column::number(language.say(tournament::Score), |rival: &BotIndex| {
        met(rival, &|met| score(met, &|score| html! { (language.percent(score, 0)) }))
    });
    let margins = Column::number(language.say(tournament::Margin), |rival: &BotIndex| {
        met(rival, &|met| html! { (or_dash(met.margin.mean(), |margin| language.signed(margin, 1))) })
    });
    let columns: [HtmlColumn<'_, BotIndex>; 5] = [
        HtmlColumn::from_column(bots, [""; 2]),
        HtmlColumn::new(language.say(text::WonDrawnLost), ["right", "right number"], |rival: &BotIndex| {
            met(rival, &|met| html! { (met.score.wins()) "–" (met.score.draws()) "–" (met.score.losses()) })
        }),
        HtmlColumn::from_column(score_column, [""; 2]),
        HtmlColumn::new(
            html! { span class="visually-hidden" { (language.say(text::ScoreAsBar)) } },
            ["wide", "wide"],
            |rival: &BotIndex| score(snapshot.meeting(bot, *rival), &share),
        ),
        HtmlColumn::from_column(margins, [""; 2]),
    ];
    html! {
        div class="scroll" {
            table class="against" {
                (heads(&columns))
                tbody { @for rival in rivals { (row(&columns, rival)) } }
            }
        }
    }
}

/// Lists where the bot strays from its rating, such as against which opponents, if there is a rating and a table of two.
pub(super) fn against_rating(snapshot: &Snapshot, bot: BotIndex, language: Language) -> Markup {
    let name = |bot: usize| {
        let index = snapshot.ranking.iter().position(|each| each.index() == bot);
        index.map_or_else(String::new, |index| snapshot.standings.bots[index].name.clone())
    };
    let names: Vec<String> = (0..snapshot.bots.len()).map(name).collect();
    let matches: Vec<SeatedMatch> = snapshot
        .matches
        .iter()
        .filter_map(|seen| {
            let bots = <[BotIndex; 2]>::try_from(seen.bots.as_slice().to_vec()).ok()?;
            Some(seated_match(seen.key.block, bots.map(|bot| Entrant(bot.0)), seen.winner, seen.led))
        })
        .collect();
    let circumstances = snapshot.standings.circumstances_of(&names[bot.index()], &names, &matches);
    let [circumstance, number_of_matches, score, expected, excess] = CircumstanceLine::columns(language)
        .map(|column| column.map(move |_, figure| figure.in_language(language, printable)));
    let excess = excess.map(move |line, range| {
        let tag = match line.strays {
            Some(Strays::Worse) => {
                html! { span class="tag bad" { (language.say(text::Strays { to: "worse" })) } " " }
            }
            Some(Strays::Better) => {
                html! { span class="tag good" { (language.say(text::Strays { to: "better" })) } " " }
            }
            None => html! {},
        };
        html! { (tag) (range) }
    });
    let columns = [
        HtmlColumn::from_column(circumstance, [""; 2]),
        HtmlColumn::from_column(number_of_matches, ["wide"; 2]),
        HtmlColumn::from_column(score, [""; 2]),
        HtmlColumn::from_column(expected, [""; 2]),
        HtmlColumn::from_column(excess, [""; 2]),
    ];
    html! {
        @if let Some(circumstances) = &circumstances {
            section class="card flush" id="by-rating" {
                h2 class="pad" { (language.say(text::AgainstRating)) }
                div class="scroll" {
                    table {
                        (heads(&columns))
                        tbody { @for line in &circumstances.results { (row(&columns, line)) } }
                    }
                }
                p class="muted pad" { (language.say(text::ForAllLines)) }
            }
        }
    }
}

/// Shows how the last matches ended.
fn form(snapshot: &Snapshot, bot: BotIndex, language: Language) -> Markup {
    let last: Vec<_> = matches_of(snapshot, bot).take(30).collect();
    html! {
        section class="card" id="form" {
            h2 { (counted!(language, text::Form, last.len() as u64)) }
            p class="form" {
                @for (seen, seat) in last.iter().rev() {
                    @let class = match outcome(snapshot, seen, *seat) {
                        Comparison::Won => "won",
                        Comparison::Drawn => "drawn",
                        Comparison::Lost => "lost",
                    };
                    span class=(class) { (language.say(text::FormLetter { result: class })) }
                }
            }
        }
    }
}

/// Shows the lines of a fault's message after the first, which is shown above, and the end of the bot's standard
/// error.
fn fault_details(FaultDetail { others, stderr, .. }: &FaultDetail, language: Language) -> Markup {
    html! {
        @if !others.is_empty() { li class="stderr" { pre { (others) } } }
        @if let Some(said) = standard_error(stderr, language) { li class="stderr" { div { (said) } } }
    }
}

/// Shows the last lines of a bot's standard error that fit on a page; `None` if it wrote nothing. The text is printable.
pub(super) fn standard_error(stderr: &str, language: Language) -> Option<Markup> {
    let whole = stderr.trim_end();
    let cut = whole.len().saturating_sub(STDERR);
    let end = &whole[whole.ceil_char_boundary(cut)..];
    let lines = if cut > 0 { end.split_once('\n').map_or(end, |(_, lines)| lines) } else { end };
    let title = text::StandardError { cut: cut > 0 };
    (!lines.is_empty()).then(|| html! { p class="muted" { (language.say(title)) } pre { (lines) } })
}

/// Lists the faults. Once it may be shown, the first few of each kind come with all details for the author.
fn faults(snapshot: &Snapshot, site: &Site, bot: BotIndex, language: Language) -> Markup {
    let all: Vec<_> = snapshot.faults().filter(|(seen, fault)| seen.bots[fault.seat] == bot).collect();
    let mut kinds: BTreeMap<FaultCode, usize> = BTreeMap::new();
    let details = all.iter().take(FAULTS).map(|(seen, fault)| {
        let before = kinds.entry(fault.code).or_default();
        *before += 1;
        snapshot.fault_details.get(&seen.id).filter(|_| *before <= DETAILED)
    });
    let details: Vec<Option<&FaultDetail>> = details.collect();
    html! {
        @if !all.is_empty() {
            section class="card" id="faults" {
                h2 {
                    (language.say(text::Faults))
                    span class="muted plain" { " — " (counted!(language, text::MatchesLost, all.len() as u64)) }
                }
                @if !snapshot.progress.is_over {
                    p class="muted" { (language.say(text::DetailsLater)) }
                }
                ul class="look" {
                    @for ((seen, fault), details) in all.into_iter().zip(details) {
                        (fault_item(snapshot, site, "../", seen, fault, language))
                        @if let Some(details) = details { (fault_details(details, language)) }
                    }
                }
            }
        }
    }
}
