//! How to check a tournament: what was promised before it, and what to compare it with.

use leyden_language::text::pages;
use leyden_language::{Language, text::checks as text};
use leyden_model::shell_seed_text;
use maud::{Markup, html};

use super::Site;
use super::frame::{Page, Section, framed};
use super::overview::changes;
use super::words::counted;
use crate::slots::{SLOTS, filled};
use crate::snapshot::Snapshot;

/// Builds the page.
pub fn verify(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let commitment = snapshot.standings.commitment.as_deref().unwrap_or_default();
    let has_records = matches!(site, Site::Folder { has_records: true, .. });
    if snapshot.is_nameless {
        return nameless(snapshot, site, language);
    }
    let body = html! {
        div class="headline" { h1 { (language.say(text::VerifyYourself)) } }
        section class="card prose" {
            p { (language.say(text::FromOneText)) }
            (changes(snapshot, language))
            dl class="facts-list" {
                dt { (language.say(text::Tournament)) } dd class="mono" { (snapshot.standings.tournament) }
                dt { (language.say(text::Commitment)) } dd class="mono" { (commitment) }
                dt { (language.say(text::Seed)) }
                dd class="mono" {
                    @match &snapshot.seed {
                        Some(seed) => { (shell_seed_text(seed)) },
                        None => { span class="muted" { (language.say(text::SeedLater)) } },
                    }
                }
                dt { (language.say(text::Played)) } dd { (counted!(language, pages::CountMatches, snapshot.progress.done)) }
            }
            @if snapshot.seed.is_some() {
                h2 { (language.say(text::SeedWasPromised)) }
                pre { "printf %s 'SEED' | openssl dgst -sha256 -binary | sha256sum" }
                p { (language.say(text::PrintsCommitment)) }
                @if snapshot.seed.as_deref().is_some_and(|seed| shell_seed_text(seed) != seed) {
                    p { (language.say(text::SeedIsQuoted)) }
                }
            }
            @if has_records {
                h2 { (language.say(text::DealsFollow)) }
                @let records = html! { a href="records.jsonl.gz" { "records.jsonl.gz" } };
                p { (filled(&language.say(text::RecordsHave { file: SLOTS[0] }), &[records])) }
                pre {
                    "gunzip -c records.jsonl.gz | leyden verify - --matches " (snapshot.matches.len()) " --commitment " (commitment)
                    " --seed 'SEED'"
                }
                p { (language.say(text::StandingsFromRecords)) }
                pre { "gunzip -c records.jsonl.gz | leyden standings -" }
            } @else {
                p class="muted" { (language.say(text::RecordsLater)) }
            }
        }
    };
    in_frame(snapshot, site, body, language)
}

/// Explains why a tournament without names cannot be checked here.
fn nameless(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let body = html! {
        div class="headline" { h1 { (language.say(text::Verify)) } }
        section class="card prose" {
            p { (language.say(text::NoNames)) }
            pre { "leyden verify RESULTS" }
        }
    };
    in_frame(snapshot, site, body, language)
}

fn in_frame(snapshot: &Snapshot, site: &Site, body: Markup, language: Language) -> Markup {
    let title = language.say(text::Verify);
    framed(&Page { snapshot, site, section: Section::Verify, title: &title, root: "", body, language })
}
