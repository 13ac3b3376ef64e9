//! `leyden verify`: records checked against the rules, and their seeds against the commitment.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::format::{Competition, Seeding};
use leyden_arena::league::other_entrant;
use leyden_arena::record::source::{ExportSource, RecordSource, SourceError};
use leyden_arena::record::store::{Results, StoreError, StoredPlan};
use leyden_arena::record::verify::Verifier;
use leyden_arena::report::{Discrepancy, RunningGate, SeedCheck, Verification, change_in_words};
use leyden_arena::run::drawn;
use leyden_language::Language;
use leyden_model::words::{counted, plural};
use leyden_model::{BotIndex, Commitment, TournamentSeed, shell_seed_text};

use crate::exit::{Code, CommandError};
use crate::options::{self, Shared, Shares};
use crate::report::grid::plain;

/// What is verified, and against what.
#[derive(Args, Clone, Debug)]
pub(crate) struct VerifyOptions {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input. While a file is verified that is being
    /// written to, the log beside it grows
    file: PathBuf,
    /// The commitment that was published before the first match: the seed must match it
    #[arg(long, value_name = "HEX")]
    commitment: Option<String>,
    /// The tournament's seed text, revealed at its end: every match's seed is recomputed from it. A results file holds it
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_file", allow_hyphen_values = true)]
    seed: Option<String>,
    #[command(flatten)]
    shared: Shared<Self>,
    /// Fail if matches are missing. A results file, or an export of stages, must hold every planned match; any other export, which
    /// does not hold its plan, every match of the blocks it has begun
    #[arg(long)]
    complete: bool,
    /// How many matches there must be, according to the author of the export: fail on any other number. This finds what an export
    /// itself cannot show, such as a whole block or bot that was removed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    matches: Option<u64>,
    /// The results file of a league: the bots of this results file must be exactly the versions that play in it, by name and content,
    /// as `leyden tournament --league` takes them
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
    /// Print one JSON document (`leyden schema verify` describes it)
    #[arg(long)]
    json: bool,
}

impl Shares for VerifyOptions {
    const OPTIONS: &'static [&'static str] = &["seed_file"];
}

/// Replays every record through the rules. The first error makes the answer no.
pub(crate) fn run(request: &VerifyOptions) -> Result<Code, CommandError> {
    let path = &request.file;
    let typed = match (&request.seed, &request.shared.given.seed_file) {
        (Some(text), _) => Some(text.clone()),
        (None, Some(file)) => Some(options::seed_in(file)?),
        (None, None) => None,
    };
    let commitment =
        request.commitment.as_deref().map(str::parse).transpose().map_err(CommandError::usage)?;
    let source = match RecordSource::open(path) {
        Ok(source) => source,
        Err(error) => {
            let SourceError::Store(error @ StoreError::Damaged { .. }) = error else {
                return Err(error.into());
            };
            let document = Verification::new(0, 0, Some(damage(&error)), SeedCheck::default());
            return answer(document, request, true);
        }
    };
    let league = request.league.as_deref();
    let ((verifier, wrong, promised), changes, other) = match source {
        // At one moment, because plan, matches and sums have to agree.
        RecordSource::Results(opened) => {
            Results::inspect(opened.path(), |results| -> Result<_, CommandError> {
                let stored_plan = results.stored_plan();
                let other = league.map(|league| other_than(stored_plan, league)).transpose()?.flatten();
                let verified = verify_results(results, commitment.as_ref(), typed.as_deref())?;
                Ok((verified, Some(stored_plan.changes.clone()), other))
            })??
        }
        RecordSource::Export(_) if league.is_some() => {
            return Err(CommandError::usage(
                "--league needs a results file: an export does not have the bots' contents",
            ));
        }
        RecordSource::Export(export) => (verify_export(export, commitment, typed)?, None, None),
    };
    let is_results = changes.is_some();
    let matches = verifier.matches();
    if wrong.is_none() && matches == 0 {
        return Err(CommandError::usage(format!("{} holds no match: nothing was verified", path.display())));
    }
    let promised = SeedCheck { tournament: verifier.tournament().map(str::to_owned), ..promised };
    let missing = request.matches.map_or_else(|| verifier.missing(), |all| all.saturating_sub(matches));
    let wrong = wrong.or(other);
    let wrong =
        wrong.or_else(|| request.matches.filter(|all| matches > *all).map(|all| too_many(all, matches)));
    let document = Verification::new(matches, missing, wrong, promised)
        .with_pairings(verifier.compares_pairings())
        .with_changes(changes);
    answer(document, request, is_results)
}

/// Verifies a results file, which holds its seed.
fn verify_results(
    results: &Results,
    commitment: Option<&Commitment>,
    typed: Option<&str>,
) -> Result<(Verifier, Option<Discrepancy>, SeedCheck), CommandError> {
    results.check_edition()?;
    let stored_plan = results.stored_plan();
    let seed = stored_plan.tournament_seed();
    let mut verifier = Verifier::for_plan(stored_plan, results.decided_schedule()?);
    let noted = results.commitment().unwrap_or_default();
    let mut wrong = typed
        .map(TournamentSeed::from_text)
        .and_then(|typed| differs("the seed text that was typed", &seed.commitment(), typed))
        .or_else(|| differs("the seed text", noted.as_deref().unwrap_or(&seed.commitment()), seed))
        .or_else(|| {
            differs("the seed text", commitment.map_or(&seed.commitment(), |one| one.as_str()), seed)
        });
    let names: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let competition = stored_plan.format.competition();
    wrong = wrong.or_else(|| seeded_otherwise(competition?, &names, Some(&seed)));
    if wrong.is_none() {
        wrong = first_wrong(results, &mut verifier).or_else(|error| match error {
            StoreError::Damaged { .. } => Ok(Some(damage(&error))),
            error => Err(error),
        })?;
    }
    let seed_text = if wrong.is_none() { revealed_seed(results)? } else { None };
    let promised = SeedCheck {
        tournament: None,
        commitment: Some(seed.commitment()),
        commitment_compared: commitment.is_some(),
        seed: seed_text,
        seeds_compared: true,
    };
    Ok((verifier, wrong, promised))
}

/// Verifies an export, which holds neither seed nor commitment.
fn verify_export(
    mut export: ExportSource,
    published: Option<Commitment>,
    typed: Option<String>,
) -> Result<(Verifier, Option<Discrepancy>, SeedCheck), CommandError> {
    let seed = typed.as_deref().map(TournamentSeed::from_text);
    let mut verifier = match (seed, &published) {
        (Some(seed), _) => Verifier::with_seed(seed),
        (None, Some(commitment)) => Verifier::with_commitment(commitment.clone()),
        (None, None) => Verifier::new(),
    };
    let mut wrong =
        seed.zip(published.as_ref()).and_then(|(seed, one)| differs("the seed text", one.as_str(), seed));
    if wrong.is_none() {
        for record in export.records() {
            wrong = verifier.check(&record?).err().map(Discrepancy::from);
            if wrong.is_some() {
                break;
            }
        }
    }
    if let (None, Some(exported)) = (&wrong, export.competition()) {
        let names: Vec<&str> = exported.bots.iter().map(String::as_str).collect();
        wrong = seeded_otherwise(&exported.format, &names, seed.as_ref())
            .or_else(|| verifier.decide(exported).err().map(Discrepancy::from));
    }
    let given = published.map(|one| one.as_str().to_owned());
    let promised = SeedCheck {
        tournament: None,
        commitment_compared: given.is_some(),
        commitment: given.or_else(|| seed.map(|seed| seed.commitment())),
        seed: typed,
        seeds_compared: verifier.compares_seeds(),
    };
    Ok((verifier, wrong, promised))
}

/// Returns the seed's text, if the tournament or gate has ended.
pub(crate) fn revealed_seed(results: &Results) -> Result<Option<String>, CommandError> {
    let is_over = match results.stored_plan().gate {
        // A gate that cannot be judged is not known to have ended.
        Some(_) => matches!(RunningGate::stored(results), Ok(Some(gate)) if gate.is_over()),
        None => results.is_over()?,
    };
    Ok(is_over.then(|| results.stored_plan().seed.clone()))
}

/// Returns the seed's text on a line of its own, so that it can be copied.
pub(crate) fn seed_line(seed: &str) -> String {
    let shown = shell_seed_text(seed);
    let how = if shown == seed { "" } else { ", quoted for the shell" };
    format!("seed text{how}: {shown}\n")
}

/// Returns an error if a seed does not match this commitment.
fn differs(of: &str, expected: &str, seed: TournamentSeed) -> Option<Discrepancy> {
    let found = seed.commitment();
    (found != expected).then(|| Discrepancy {
        of: of.to_owned(),
        round: None,
        action: None,
        what: "the commitment that it gives".to_owned(),
        expected: expected.to_owned(),
        found: found.clone(),
        message: format!(
            "{of} does not match the commitment: expected {expected}, it gives {found}. Every character of a seed text counts: it \
            was changed, or belongs to another tournament"
        ),
    })
}

/// Returns an error if the bots of a competition are not seeded as they were drawn, or listed. A draw can be checked only with the
/// seed, and ratings are in no file.
fn seeded_otherwise(
    competition: &Competition,
    names: &[&str],
    seed: Option<&TournamentSeed>,
) -> Option<Discrepancy> {
    let seeds = match competition.seeding {
        Seeding::Draw => drawn(seed?, names),
        Seeding::List => (0..names.len() as u32).map(BotIndex).collect(),
        Seeding::Rating => return None,
    };
    let shown = |seeds: &[BotIndex]| -> String {
        let name = |bot: &BotIndex| names.get(bot.index()).map_or("?", |name| name).to_owned();
        seeds.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    (seeds != competition.seeds).then(|| {
        let (expected, found) = (shown(&seeds), shown(&competition.seeds));
        let message =
            format!("the seeding does not follow from the tournament: expected {expected}, found {found}");
        let of = "the format".to_owned();
        Discrepancy {
            of,
            round: None,
            action: None,
            what: "the seeding".to_owned(),
            expected,
            found,
            message,
        }
    })
}

/// Returns an error if the bots are others than the versions that play in a league.
fn other_than(stored_plan: &StoredPlan, league: &Path) -> Result<Option<Discrepancy>, CommandError> {
    let other = other_entrant(stored_plan, league)?;
    Ok(other.map(|name| Discrepancy {
        of: "the bots".to_owned(),
        round: None,
        action: None,
        what: "the entrants of the league".to_owned(),
        expected: "the versions that play in the league".to_owned(),
        found: name.clone(),
        message: format!(
            "{} does not play with the same files in both: the bots are not the versions that play in {}",
            plain(&name),
            league.display()
        ),
    }))
}

/// Returns an error if there are more matches than there must be.
fn too_many(expected: u64, found: u64) -> Discrepancy {
    Discrepancy {
        of: "the records".to_owned(),
        round: None,
        action: None,
        what: "the number of matches".to_owned(),
        expected: expected.to_string(),
        found: found.to_string(),
        message: format!(
            "there {} {}, each correct by itself, but there must be {expected} (--matches)",
            plural(found, "is", "are"),
            counted(found, "match", "matches")
        ),
    }
}

/// Prints the outcome, in words or as a document.
fn answer(document: Verification, request: &VerifyOptions, is_results: bool) -> Result<Code, CommandError> {
    let has_to_be_whole = request.complete || request.matches.is_some();
    let code = Code::for_verified(&document, has_to_be_whole);
    if request.json {
        crate::out::print_document(&document)?;
        return Ok(code);
    }
    if let Some(Discrepancy { message, .. }) = document.wrong {
        return Err(CommandError { code, message });
    }
    let (matches, sums) = (document.matches, if is_results { SUMS } else { "" });
    let mut text = String::new();
    // That a single match has another leg is expected.
    let is_single = matches == 1 && !is_results;
    if document.missing > 0 && (!is_single || has_to_be_whole) {
        let of = match request.matches {
            Some(_) => "that there must be",
            None if is_results || document.pairings == Some(true) => "that are planned",
            None => "of the blocks that were started",
        };
        let (missing, all) = (document.missing, counted(document.planned, "match", "matches"));
        let is = plural(missing, "is", "are");
        let _ = writeln!(text, "not complete: {missing} of the {all} {of} {is} missing"); // writing to a String cannot fail
    }
    let _ = writeln!(
        text,
        "{} verified: every deal follows from its seed, every action from the rules{sums}",
        counted(matches, "match", "matches")
    );
    text += &shown(&document.promised, &request.file, is_results);
    text += match document.pairings {
        Some(true) => PAIRINGS,
        Some(false) => NO_PAIRINGS,
        None => "",
    };
    if !is_results {
        let is_known = request.matches.is_some() || document.pairings == Some(true);
        text += if is_known { EXPORTED_WITH_NUMBER } else { EXPORTED };
    }
    text += AS_RECORDED;
    for change in document.changes.iter().flatten() {
        let _ = writeln!(text, "changed {}", plain(&change_in_words(change, Language::English)));
    }
    crate::out::print(&text)?;
    Ok(code)
}

/// What follows from the format of a competition of stages.
const PAIRINGS: &str = "\
every pairing, bye and place in a next stage follows from the seeds, the format and the results. Seeds that are drawn follow from the \
seed text, if that is known; ratings that seeds come from are in no file
";

/// The same if the format is not known.
const NO_PAIRINGS: &str = "\
who met whom was not checked: the first record does not hold the format. `leyden export` writes it
";

/// What an export does not show.
const EXPORTED: &str = "\
an export does not say how many blocks were planned, or who was to play: removed matches may go unnoticed. Nor does it \
say whether a bot was replaced once the seed was known. The results file says both
";

/// The same if the number of matches is known.
const EXPORTED_WITH_NUMBER: &str =
    "an export does not say whether a bot was replaced once the seed was known. The results file does\n";

/// What no replay can check.
const AS_RECORDED: &str = "faults, times and what bots wrote are as recorded: they cannot be recomputed\n";

/// Returns what is known about the tournament's seed, and what was compared with it.
fn shown(promised: &SeedCheck, path: &Path, is_results: bool) -> String {
    let compared = if promised.commitment_compared { ", as you typed it" } else { "" };
    let commitment = promised.commitment.as_ref();
    let commitment = commitment.map_or_else(String::new, |one| format!("seed commitment {one}{compared}\n"));
    let seed = promised.seed.as_deref().map(seed_line).unwrap_or_default();
    let known = commitment + &seed;
    if !promised.seeds_compared {
        let file = crate::out::quoted(path.as_os_str());
        let since = match &promised.commitment {
            Some(_) => {
                "the seed has not been revealed yet; the tournament's id matches, but anybody could have written it"
            }
            None => "an export does not hold it",
        };
        return format!(
            "{known}match seeds were not compared with the commitment: {since}. When the seed has been revealed, check it \
             against the published commitment:\n  leyden verify {file} --commitment HEX --seed TEXT\n"
        );
    }
    let follow = "every match's seed follows from the seed text, the bots' names and the block\n";
    if promised.commitment_compared {
        return known + follow;
    }
    let held = if is_results { "the file's own" } else { "what the seed text gives" };
    format!(
        "{known}{follow}the commitment is {held}: compare it with the one that was published before the first match \
         (--commitment HEX)\n"
    )
}

/// Returns the first error of a results file: of its records, or else of its sums.
fn first_wrong(results: &Results, verifier: &mut Verifier) -> Result<Option<Discrepancy>, StoreError> {
    for stored in results.records() {
        let (key, record) = stored?;
        if !verifier.knows(&key) {
            verifier.extend(results.schedule()?);
        }
        if let Err(error) = verifier.check(&record) {
            return Ok(Some(error.into()));
        }
    }
    Ok(results.audit()?.map(Discrepancy::from))
}

/// Returns an error if a part of a results file is no longer what was written.
fn damage(error: &StoreError) -> Discrepancy {
    Discrepancy {
        of: "the file".to_owned(),
        round: None,
        action: None,
        what: "what is stored".to_owned(),
        expected: "what was written".to_owned(),
        found: error.to_string(),
        message: error.to_string(),
    }
}

/// What else is verified in a results file: all but its records.
const SUMS: &str = ", every sum from the matches";
