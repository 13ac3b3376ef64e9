//! An author's own page in a league: what was handed in and what became of it, its versions, its faults with what it has written, its
//! matches. Nothing of other authors that is not on the public pages.

use std::path::Path;

use leyden_arena::league::{HandedIn, HandedInState, Version};
use leyden_arena::narrate::ReplayError;
use leyden_arena::record::store::Results;
use leyden_language::Language;
use leyden_model::BotIndex;
use leyden_protocol::Seat;
use leyden_stats::Comparison;
use maud::{DOCTYPE, Markup, html};

use super::Site;
use super::parts::{bot_link, interval, match_link, moment, outcome, record, scale};
use crate::columns::{HtmlColumn, heads, row};
use crate::document::head;
use crate::replay::{self, printable, printable_lines};
use crate::snapshot::{MatchFault, MatchSeen, Snapshot};
use crate::tile;

/// The script of the page: a token in the address's fragment, which no server sees, fills the form.
pub(crate) const AUTHOR_SCRIPT: &str = include_str!("../assets/author.js");

/// What checks and builds say to an author is in this language, and so is the page.
const LANGUAGE: Language = Language::English;

/// How many faults, matches and hand-ins are shown.
const FAULTS: usize = 10;
const MATCHES: usize = 30;
const HAND_INS: usize = 20;
/// The most bytes of standard error shown per fault.
const STDERR: usize = 2_000;

/// What only the author of a bot may see of a results file.
pub(crate) struct OwnRecords {
    versions: Vec<BotIndex>,
    faults: Vec<OwnFault>,
}

/// A fault in a match of a complete pair.
struct OwnFault {
    seen: MatchSeen,
    fault: MatchFault,
    message: String,
    stderr: String,
}

impl OwnRecords {
    /// Reads what an author may see. Of faults that cannot be read now, only what everybody sees is known.
    pub(crate) fn read(results: &Path, snapshot: &Snapshot, author: &str) -> Self {
        let versions = versions_of(snapshot, author);
        let own = snapshot.faults().filter(|(seen, fault)| versions.contains(&seen.bots[fault.seat]));
        let own: Vec<_> = own.take(FAULTS).map(|(seen, fault)| (seen.clone(), *fault)).collect();
        let read = Results::look(results, |results| {
            let details = |(seen, fault): &(MatchSeen, MatchFault)| {
                let record = results.record(&seen.key).ok().flatten();
                let message = record.as_ref().and_then(|record| Some(record.fault.as_ref()?.message()));
                let stderr = record.and_then(|record| Some(record.stderr.as_ref()?[fault.seat].clone()));
                OwnFault {
                    seen: seen.clone(),
                    fault: *fault,
                    message: message.unwrap_or_default(),
                    stderr: stderr.unwrap_or_default(),
                }
            };
            own.iter().map(details).collect()
        });
        Self { versions, faults: read.unwrap_or_default() }
    }

    /// The seat of the author's bot in a match.
    fn seat(&self, seen: &MatchSeen) -> Option<Seat> {
        seen.bots.iter().find(|(_, bot)| self.versions.contains(bot)).map(|(seat, _)| seat)
    }
}

/// Builds the replay of a match of the author's bot, as it saw it; `None` if there is no such match. Everything that it may show was
/// sent to the bot, in a pair that is complete.
pub(crate) fn author_replay(
    results: &Path,
    snapshot: &Snapshot,
    author: &str,
    id: &str,
    language: Language,
) -> Option<Result<String, ReplayError>> {
    let own = OwnRecords { versions: versions_of(snapshot, author), faults: Vec::new() };
    let seen = snapshot.matches.iter().find(|seen| seen.id == id)?;
    let seat = own.seat(seen)?;
    let record = Results::look(results, |results| results.record(&seen.key)).ok()?.ok()??;
    Some(replay::document(&record, Some(seat), Some("/author"), language))
}

/// The versions of an author's bot, the oldest first.
fn versions_of(snapshot: &Snapshot, author: &str) -> Vec<BotIndex> {
    let number = |name: &str| {
        Version::parse(name).filter(|version| version.bot == author).map(|version| version.number)
    };
    let own = (0..).map(BotIndex).zip(&snapshot.bots);
    let mut own: Vec<(u32, BotIndex)> =
        own.filter_map(|(index, bot)| Some((number(&bot.name)?, index))).collect();
    own.sort_unstable();
    own.into_iter().map(|(_, index)| index).collect()
}

/// A sentence about something that was handed in.
pub(crate) fn hand_in_sentence(author: &str, handed_in: &HandedIn) -> String {
    let HandedIn { number, at, bytes, outcome, .. } = handed_in;
    format!("{author}, hand-in {number} ({bytes} bytes, {at}) {}", outcome.in_words())
}

/// Asks for the token; `trouble` says what was wrong with the last one.
pub(crate) fn author_form(trouble: Option<&str>) -> Markup {
    let body = html! {
        section class="card" {
            h1 { "Your bot" }
            @if let Some(trouble) = trouble { p class="tag bad" role="alert" { (trouble) } }
            form method="post" action="/author/enter" id="key" {
                label for="token" { "The token that the organiser has sent you " }
                input id="token" name="token" type="password" autocomplete="off" spellcheck="false" maxlength="64" required;
                " " button { "Show" }
            }
        }
    };
    framed("Your bot", false, &body)
}

/// The page of an author; `own` is there once something was played.
pub(crate) fn author_page(
    author: &str,
    handed_in: &[HandedIn],
    own: Option<(&Snapshot, &OwnRecords)>,
    site: &Site,
) -> Markup {
    let is_waiting = handed_in.first().is_some_and(|last| last.outcome == HandedInState::Received);
    let body = html! {
        div class="headline" {
            h1 { (author) }
            form method="post" action="/author/leave" id="leave" { button { "Sign out" } }
        }
        section class="card" id="hand-in" {
            h2 { "Hand in a new version" }
            form method="post" action="/hand-in" enctype="multipart/form-data" {
                label for="entry" { "A zip archive of your bot's folder, with its bot.toml " }
                input id="entry" name="entry" type="file" accept=".zip,application/zip" required;
                " " button { "Hand in" }
            }
        }
        @if !handed_in.is_empty() { (hand_ins(handed_in)) }
        @match own {
            Some((snapshot, own)) => {
                (versions(snapshot, own))
                (faults(snapshot, site, own))
                (matches(snapshot, own))
            }
            None => p class="muted" { "Nothing was played yet." }
        }
    };
    framed(author, is_waiting, &body)
}

fn framed(title: &str, reloads: bool, body: &Markup) -> Markup {
    let refresh = html! { @if reloads { meta http-equiv="refresh" content="3"; } };
    html! {
        (DOCTYPE)
        html lang=(LANGUAGE) {
            (head(title, "/", "pages.css", &["author.js"], &refresh))
            body class="page" {
                header class="topbar" {
                    a class="home" href="/" { (tile::sign()) span { "Leyden Arena" } }
                }
                main id="main" { (body) }
            }
        }
    }
}

fn hand_ins(all: &[HandedIn]) -> Markup {
    let columns: [HtmlColumn<'_, HandedIn>; 3] = [
        HtmlColumn::new("Hand-in", ["", "number"], |one: &HandedIn| html! { (one.number) }),
        HtmlColumn::new("When", ["wide", "wide"], |one: &HandedIn| html! { (one.at) }),
        HtmlColumn::new("What became of it", ["", ""], |one: &HandedIn| became(&one.outcome)),
    ];
    html! {
        section class="card flush" id="handed-in" {
            h2 class="pad" { "Handed in" }
            div class="scroll" {
                table { (heads(&columns)) tbody { @for one in all.iter().take(HAND_INS) { (row(&columns, one)) } } }
            }
        }
    }
}

/// Shows what became of a hand-in, with what to mend.
fn became(outcome: &HandedInState) -> Markup {
    let (class, state, why) = match outcome {
        HandedInState::Accepted { .. } => return html! { span class="tag good" { (outcome.in_words()) } },
        HandedInState::Received => return html! { span class="tag" { (outcome.in_words()) } },
        HandedInState::Refused { why } => ("tag bad", "refused", why),
        HandedInState::Waits { why } => ("tag warn", "waits", why),
        HandedInState::Lost => ("tag bad", "lost", &outcome.in_words()),
        HandedInState::Known { .. } | HandedInState::Copy => ("tag", "known", &outcome.in_words()),
        HandedInState::Replaced => ("tag", "replaced", &outcome.in_words()),
    };
    html! { span class=(class) { (state) } pre { (printable_lines(why)) } }
}

/// Lists the versions with their ratings, on one scale.
fn versions(snapshot: &Snapshot, own: &OwnRecords) -> Markup {
    let scale = scale(snapshot);
    let standing = |bot: &BotIndex| {
        let place = snapshot.ranking.iter().position(|each| each == bot)?;
        snapshot.standings.bots.get(place)
    };
    let columns: [HtmlColumn<'_, BotIndex>; 4] = [
        HtmlColumn::new("Version", ["", ""], |bot: &BotIndex| bot_link(snapshot, "", *bot)),
        HtmlColumn::new("Rating", ["", ""], |bot: &BotIndex| {
            standing(bot).map_or_else(|| html! {}, |standing| interval(scale, standing, snapshot.bot(*bot)))
        }),
        HtmlColumn::new("Won–drawn–lost", ["right", "right number"], |bot: &BotIndex| {
            html! { (record(snapshot.bot(*bot))) }
        }),
        HtmlColumn::new("Matches", ["right wide", "right number wide"], |bot: &BotIndex| {
            html! { (snapshot.bot(*bot).results.matches) }
        }),
    ];
    html! {
        section class="card flush" id="versions" {
            h2 class="pad" { "Versions" }
            @if own.versions.is_empty() {
                p class="pad muted" { "None plays yet." }
            } @else {
                div class="scroll" {
                    table { (heads(&columns)) tbody { @for bot in &own.versions { (row(&columns, bot)) } } }
                }
            }
        }
    }
}

fn faults(snapshot: &Snapshot, site: &Site, own: &OwnRecords) -> Markup {
    html! {
        @if !own.faults.is_empty() {
            section class="card" id="faults" {
                h2 { "Your faults" span class="muted plain" { " — the latest, of complete pairs; only you see the messages" } }
                ul class="look" {
                    @for OwnFault { seen, fault, message, stderr } in &own.faults {
                        li {
                            span class="tag bad" { "✖ " (fault.code) }
                            div {
                                p {
                                    (printable(&snapshot.bot(seen.bots[fault.seat]).name)) " "
                                    span class="muted" { (moment(fault, LANGUAGE)) }
                                    " " (match_link(site, "", seen, "open at that turn →"))
                                }
                                pre { (printable_lines(message)) }
                                @if !stderr.trim().is_empty() {
                                    p class="muted" { "the end of its standard error" }
                                    pre { (printable_lines(end_of(stderr))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Lists the latest matches, each with its replay as the author's bot saw it.
fn matches(snapshot: &Snapshot, own: &OwnRecords) -> Markup {
    type Own<'a> = (&'a MatchSeen, Seat);
    let all = snapshot.matches.iter().rev().filter_map(|seen| Some((&**seen, own.seat(seen)?)));
    let all: Vec<Own<'_>> = all.take(MATCHES).collect();
    let columns: [HtmlColumn<'_, Own<'_>>; 4] = [
        HtmlColumn::new("Match", ["", "mono"], |(seen, _): &Own<'_>| {
            html! {
                a class="replay" href={ "/author/matches/" (seen.id) ".html" } { (&seen.id[..seen.id.len().min(8)]) }
            }
        }),
        HtmlColumn::new("Result", ["", ""], |(seen, seat): &Own<'_>| match outcome(snapshot, seen, *seat) {
            Comparison::Won => html! { span class="tag good" { "won" } },
            Comparison::Drawn => html! { span class="tag" { "drawn" } },
            Comparison::Lost => html! { span class="tag bad" { "lost" } },
        }),
        HtmlColumn::new("Bots and scores, by seat", ["", ""], |(seen, _): &Own<'_>| {
            html! {
                @for (seat, bot) in seen.bots.iter() {
                    (bot_link(snapshot, "", *bot)) " " span class="number" { (seen.scores[seat]) } " "
                }
            }
        }),
        HtmlColumn::new("Fault", ["wide", "wide"], |(seen, _): &Own<'_>| {
            seen.fault.map_or_else(|| html! {}, |fault| html! { (fault.code) })
        }),
    ];
    html! {
        @if !all.is_empty() {
            section class="card flush" id="list" {
                h2 class="pad" { "Your latest matches" span class="muted plain" { " — as your bot saw them" } }
                div class="scroll" {
                    table { (heads(&columns)) tbody { @for one in &all { (row(&columns, one)) } } }
                }
            }
        }
    }
}

/// The last bytes of a text that fit on the page.
fn end_of(text: &str) -> &str {
    let whole = text.trim_end();
    let cut = whole.len().saturating_sub(STDERR);
    whole.get(whole.ceil_char_boundary(cut)..).unwrap_or_default()
}
