//! An author's own page in a league: each hand-in and its status, versions, faults with what the bot has written, and
//! matches. Nothing of other authors that is not on the public pages.

use std::path::Path;

use leyden_arena::league::{HandIn, HandInState, ReceivedArchive};
use leyden_arena::narrate::ReplayError;
use leyden_arena::record::store::Results;
use leyden_language::{Language, text::author as text, text::pages};
use leyden_model::words::counted;
use leyden_model::{BotIndex, FaultDetails, MatchKey};
use leyden_protocol::Seat;
use leyden_stats::Comparison;
use maud::{DOCTYPE, Markup, html};

use super::author_state::AuthorState;
use super::matches::bots_and_scores;
use super::parts::{moment, outcome};
use super::{bot, challenges, versions};
use crate::columns::{HtmlColumn, heads, row};
use crate::document::head;
use crate::replay::{self, printable, printable_lines};
use crate::snapshot::{MatchFault, MatchView, Snapshot};
use crate::tile;

/// The script of the page: a token in the address's fragment, which no server sees, fills the form.
pub(crate) const AUTHOR_SCRIPT: &str = include_str!("../assets/author.js");

/// How many faults, matches and hand-ins are shown.
const FAULTS: usize = 10;
const MATCHES: usize = 30;
const HAND_INS: usize = 20;

/// What only the author of a bot may see of a results file.
pub(crate) struct OwnRecords {
    versions: Vec<BotIndex>,
    faults: Vec<OwnFault>,
}

/// A fault in a match of a complete pair.
struct OwnFault {
    seen: MatchView,
    fault: MatchFault,
    details: FaultDetails,
    stderr: String,
}

impl OwnRecords {
    /// Reads what an author may see, with standard error or without. Of faults that cannot be read now, only what everybody sees is known.
    pub(crate) fn read(results: &Path, snapshot: &Snapshot, author: &str, has_stderr: bool) -> Self {
        let versions = versions::for_author(snapshot, author);
        let own = snapshot.faults().filter(|(seen, fault)| versions.contains(&seen.bots[fault.seat]));
        let own: Vec<_> = own.take(FAULTS).map(|(seen, fault)| (seen.clone(), *fault)).collect();
        let read = Results::inspect(results, |results| {
            let details = |(seen, fault): &(MatchView, MatchFault)| {
                let record = results.record(&seen.key).ok().flatten();
                let details = record.as_ref().and_then(|record| Some(record.fault.as_ref()?.details.clone()));
                let details = details.unwrap_or_default();
                let stderr = record.and_then(|record| Some(record.stderr.as_ref()?[fault.seat].clone()));
                let stderr = stderr.filter(|_| has_stderr);
                OwnFault {
                    seen: seen.clone(),
                    fault: *fault,
                    details: if has_stderr { details } else { details.without_stderr() },
                    stderr: stderr.map_or_else(String::new, |text| printable_lines(&text)),
                }
            };
            own.iter().map(details).collect()
        });
        Self { versions, faults: read.unwrap_or_default() }
    }

    /// The seat of the author's bot in a match.
    fn seat(&self, seen: &MatchView) -> Option<Seat> {
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
    let own = OwnRecords { versions: versions::for_author(snapshot, author), faults: Vec::new() };
    let seen = snapshot.matches.iter().find(|seen| seen.id == id)?;
    let seat = own.seat(seen)?;
    let record = Results::inspect(results, |results| results.record(&seen.key)).ok()?.ok()??;
    let record = snapshot.for_author(seen, seat, record);
    Some(replay::document(&record, Some(seat), Some("/author"), language))
}

/// The matches of an author's bot that it may see: those of complete pairs, each with its seat.
pub(crate) fn own_matches(snapshot: &Snapshot, author: &str) -> Vec<(MatchKey, Seat)> {
    let own = OwnRecords { versions: versions::for_author(snapshot, author), faults: Vec::new() };
    snapshot.matches.iter().filter_map(|seen| Some((seen.key, own.seat(seen)?))).collect()
}

/// A sentence about something that was handed in.
pub(crate) fn hand_in_sentence(author: &str, handed_in: &HandIn) -> String {
    let HandIn { number, at, archive, outcome } = handed_in;
    match archive {
        Some(ReceivedArchive { bytes, .. }) => {
            let size = counted(*bytes, "byte", "bytes");
            format!("{author}, hand-in {number} ({size}, {at}) {}", outcome.in_words())
        }
        None => format!("{author}, {number} ({at}), {}", outcome.in_words()),
    }
}

/// Asks for the token; `is_unknown` says that the last one was not known.
pub(crate) fn author_form(is_unknown: bool, language: Language) -> Markup {
    let title = language.say(text::YourBot);
    let body = html! {
        section class="card" {
            h1 { (title) }
            @if is_unknown { p class="tag bad" role="alert" { (language.say(text::UnknownToken)) } }
            form class="row" method="post" action="/author/enter" id="key" {
                label for="token" { (language.say(text::Token)) " " }
                input id="token" name="token" type="password" autocomplete="off" spellcheck="false" maxlength="64" required;
                " " button { (language.say(text::Show)) }
            }
        }
    };
    framed(&title, false, &body, language)
}

/// The page of an author; `own` is there once something was played.
pub(crate) fn author_page(
    author: &str,
    intake: &AuthorState,
    own: Option<(&Snapshot, &OwnRecords)>,
    language: Language,
) -> Markup {
    let body = html! {
        div class="headline" {
            h1 { (author) }
            form method="post" action="/author/leave" id="leave" { button { (language.say(text::SignOut)) } }
        }
        @if let Some(called) = &intake.called {
            p class="muted" id="called" { (language.say(text::CalledInPublic { name: called })) }
        }
        section class="card" id="hand-in" {
            h2 { (language.say(text::NewVersion)) }
            form class="row" method="post" action="/hand-in" enctype="multipart/form-data" {
                label for="entry" { (language.say(text::Archive)) " " }
                input id="entry" name="entry" type="file" required;
                " " button { (language.say(text::HandIn)) }
            }
        }
        @if !intake.handed_in.is_empty() { (hand_ins(&intake.handed_in, language)) }
        @match own {
            Some((snapshot, own)) => {
                (versions::card(snapshot, &own.versions, "", language))
                @if let Some(latest) = own.versions.last() {
                    (bot::against_rating(snapshot, *latest, language))
                }
                (attendance(intake, language))
                (challenges::card(intake, language))
                (faults(snapshot, own, language))
                (matches(snapshot, own, language))
            }
            None => {
                (attendance(intake, language))
                p class="muted" { (language.say(text::NothingPlayed)) }
            }
        }
    };
    framed(author, intake.is_changing(), &body, language)
}

fn framed(title: &str, reloads: bool, body: &Markup, language: Language) -> Markup {
    let refresh = html! { @if reloads { meta http-equiv="refresh" content="3"; } };
    html! {
        (DOCTYPE)
        html lang=(language) {
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

/// Offers to withdraw the version that plays, or to bring it back.
fn attendance(intake: &AuthorState, language: Language) -> Markup {
    html! {
        @match (&intake.withdrawn, &intake.plays, &intake.aside) {
            (_, None, Some(aside)) => section class="card" id="set-aside" {
                p { (language.say(text::SetAside { version: &aside.version, failures: aside.failures })) }
                pre { (printable_lines(&aside.details.to_string())) }
                form method="post" action="/bring-back" id="bring-back" {
                    button { (language.say(text::BringBack { version: &aside.version })) }
                }
            },
            (Some(version), ..) => form method="post" action="/bring-back" id="bring-back" class="card row" {
                p { (language.say(text::YouWithdrew { version })) }
                button { (language.say(text::BringBack { version })) }
            },
            (None, Some(plays), _) => form method="post" action="/withdraw" id="withdraw" class="card row" {
                p {
                    @if intake.rests { (language.say(text::Rests { version: &plays.to_string() })) }
                    @else { (language.say(text::Plays { version: &plays.to_string() })) }
                    " " (language.say(text::MayWithdraw))
                }
                button { (language.say(text::Withdraw { version: &plays.to_string() })) }
            },
            (None, None, None) => {}
        }
    }
}

fn hand_ins(all: &[HandIn], language: Language) -> Markup {
    let columns: [HtmlColumn<'_, HandIn>; 3] = [
        HtmlColumn::new(language.say(text::Number), ["", "number"], |one: &HandIn| html! { (one.number) }),
        HtmlColumn::new(language.say(text::When), ["wide", "wide"], |one: &HandIn| html! { (one.at) }),
        HtmlColumn::new(language.say(text::WhatBecame), ["", ""], |one: &HandIn| {
            became(&one.outcome, language)
        }),
    ];
    html! {
        section class="card flush" id="handed-in" {
            h2 class="pad" { (language.say(text::HandedIn)) }
            div class="scroll" {
                table { (heads(&columns)) tbody { @for one in all.iter().take(HAND_INS) { (row(&columns, one)) } } }
            }
        }
    }
}

/// Shows the status of a hand-in, with what to mend.
fn became(outcome: &HandInState, language: Language) -> Markup {
    let say = |class: &str, state: String, more: String| {
        html! {
            span class={ "tag " (class) } { (state) }
            @if !more.is_empty() { " " (more) }
        }
    };
    match outcome {
        HandInState::Accepted { version } => {
            say("good", language.say(text::PlaysAs { version }), String::new())
        }
        HandInState::Received => say("", language.say(text::BeingChecked), String::new()),
        HandInState::Refused { why } => html! {
            (say("bad", language.say(text::Refused), language.say(text::GoesOn)))
            pre { (printable_lines(why)) }
        },
        HandInState::Waits { why } => html! {
            (say("warn", language.say(text::Waits), language.say(text::GoesOn)))
            pre { (printable_lines(why)) }
        },
        HandInState::Lost => say("bad", language.say(text::Lost), language.say(text::IsLost)),
        HandInState::Known { version } => {
            say("", language.say(text::Known), language.say(text::IsKnown { version }))
        }
        HandInState::Copy => say("", language.say(text::Known), language.say(text::IsCopy)),
        HandInState::Withdrawn { version } => {
            say("warn", language.say(text::Withdrawn), language.say(text::PlaysNoMore { version }))
        }
        HandInState::BroughtBack { version } => {
            say("", language.say(text::ComesBack { version }), String::new())
        }
        HandInState::Replaced => say("", language.say(text::Replaced), language.say(text::IsReplaced)),
    }
}

/// Where the author sees a fault.
fn at_turn(seen: &MatchView, fault: MatchFault) -> String {
    let moment = fault.moment.map_or_else(String::new, |moment| format!("#{}", moment.turn_ref));
    format!("/author/matches/{}.html{moment}", seen.id)
}

fn faults(snapshot: &Snapshot, own: &OwnRecords, language: Language) -> Markup {
    html! {
        @if !own.faults.is_empty() {
            section class="card" id="faults" {
                h2 { (language.say(text::YourFaults)) span class="muted plain" { " — " (language.say(text::OnlyYou)) } }
                ul class="look" {
                    @for OwnFault { seen, fault, details, stderr } in &own.faults {
                        li {
                            span class="tag bad" { "✖ " (fault.code) }
                            div {
                                p {
                                    (printable(&snapshot.bot(seen.bots[fault.seat]).name)) " "
                                    span class="muted" { (moment(fault, language)) }
                                    " " a class="replay" href=(at_turn(seen, *fault)) { (language.say(pages::OpenAtTurn)) }
                                }
                                pre { (printable_lines(&details.to_string())) }
                                @if let Some(said) = bot::standard_error(stderr, language) { (said) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Lists the latest matches, each with its replay as the author's bot saw it. Other columns than in the list of all
/// matches: they say what this bot achieved.
fn matches(snapshot: &Snapshot, own: &OwnRecords, language: Language) -> Markup {
    type Own<'a> = (&'a MatchView, Seat);
    let all = snapshot.matches.iter().rev().filter_map(|seen| Some((&**seen, own.seat(seen)?)));
    let all: Vec<Own<'_>> = all.take(MATCHES).collect();
    let columns: [HtmlColumn<'_, Own<'_>>; 4] = [
        HtmlColumn::new(language.say(text::Match), ["", "mono"], |(seen, _): &Own<'_>| {
            html! {
                a class="replay" href={ "/author/matches/" (seen.id) ".html" } { (&seen.id[..seen.id.len().min(8)]) }
            }
        }),
        HtmlColumn::new(language.say(text::Result), ["", ""], |(seen, seat): &Own<'_>| {
            let (class, end) = match outcome(snapshot, seen, *seat) {
                Comparison::Won => ("tag good", "won"),
                Comparison::Drawn => ("tag", "drawn"),
                Comparison::Lost => ("tag bad", "lost"),
            };
            html! { span class=(class) { (language.say(text::End { end })) } }
        }),
        HtmlColumn::new(language.say(text::BotsAndScores), ["", "seats"], |(seen, _): &Own<'_>| {
            bots_and_scores(snapshot, "", seen)
        }),
        HtmlColumn::new(language.say(text::Fault), ["wide", "wide"], |(seen, _): &Own<'_>| {
            seen.fault.map_or_else(|| html! {}, |fault| html! { (fault.code) })
        }),
    ];
    html! {
        @if !all.is_empty() {
            section class="card flush" id="list" {
                h2 class="pad" {
                    (language.say(text::YourMatches)) span class="muted plain" { " — " (language.say(text::AsSeen)) }
                }
                p class="pad" {
                    a href="/author/records" download { (language.say(text::Download)) }
                }
                div class="scroll" {
                    table class="matches" { (heads(&columns)) tbody { @for one in &all { (row(&columns, one)) } } }
                }
            }
        }
    }
}
