//! How to check a tournament: what was promised before it, and what to compare it with.

use leyden_model::shell_seed_text;
use maud::{Markup, html};

use super::Site;
use super::frame::{Page, Section, framed};
use super::overview::changes;
use super::words::of;
use crate::snapshot::Snapshot;

/// Builds the page.
pub fn verify(snapshot: &Snapshot, site: &Site) -> Markup {
    let commitment = snapshot.standings.commitment.as_deref().unwrap_or_default();
    let has_records = matches!(site, Site::Folder { has_records: true, .. });
    if snapshot.is_nameless {
        return nameless(snapshot, site);
    }
    let body = html! {
        div class="headline" { h1 { "Verify it yourself" } }
        section class="card prose" {
            p {
                "Every deal of this tournament follows from one text, its seed. Before the first match only the seed's commitment \
                 was published, the SHA-256 of its SHA-256. So nobody could change the seed afterwards, and no bot that was there \
                 from the beginning could know a deal. It does not prove that the organiser did not try several seeds and keep \
                 one: for that, the seed has to contain something that nobody could choose, such as the lottery numbers of a \
                 day that was named in advance."
            }
            (changes(snapshot))
            dl class="facts-list" {
                dt { "Tournament" } dd class="mono" { (snapshot.standings.tournament) }
                dt { "Commitment" } dd class="mono" { (commitment) }
                dt { "Seed" }
                dd class="mono" {
                    @match &snapshot.seed {
                        Some(seed) => { (shell_seed_text(seed)) },
                        None => { span class="muted" { "published when everything is played" } },
                    }
                }
                dt { "Played" } dd { (of(snapshot.progress.done, "match", "matches")) }
            }
            @if snapshot.seed.is_some() {
                h2 { "The seed is the one that was promised" }
                pre { "printf %s 'SEED' | openssl dgst -sha256 -binary | sha256sum" }
                p { "with the seed's text in place of SEED prints the commitment." }
                @if snapshot.seed.as_deref().is_some_and(|seed| shell_seed_text(seed) != seed) {
                    p { "This seed contains invisible characters, so it is shown in the shell's notation: replace 'SEED' \
                         with it, including its quotes." }
                }
            }
            @if has_records {
                h2 { "Every deal follows from it, and every action from the rules" }
                p {
                    a href="records.jsonl.gz" { "records.jsonl.gz" }
                    " has every match, one JSON object per line. This replays all of them, deals every deal again, \
                     and recomputes every match's seed from the seed's text, which replaces SEED:"
                }
                pre {
                    "gunzip -c records.jsonl.gz | leyden verify - --matches " (snapshot.matches.len()) " --commitment " (commitment)
                    " --seed 'SEED'"
                }
                p { "The standings are computed from the same records:" }
                pre { "gunzip -c records.jsonl.gz | leyden standings -" }
            } @else {
                p class="muted" { "The records of all matches are published with the report once everything is played." }
            }
        }
    };
    framed(&Page { snapshot, site, section: Section::Verify, title: "Verify", root: "", body })
}

/// Explains why a tournament without names cannot be checked here.
fn nameless(snapshot: &Snapshot, site: &Site) -> Markup {
    let body = html! {
        div class="headline" { h1 { "Verify" } }
        section class="card prose" {
            p {
                "This report has no names: bots are called by their places. Every deal follows from the seed and the bots' \
                 names, so the seed and the records would reveal the names, and are not included. The organiser has them, \
                 and anyone who gets the results file can replay it:"
            }
            pre { "leyden verify RESULTS" }
        }
    };
    framed(&Page { snapshot, site, section: Section::Verify, title: "Verify", root: "", body })
}
