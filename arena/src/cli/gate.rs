//! `leyden gate`: is the new version stronger than the old one? Plays until that is decided.

use std::path::Path;
use std::sync::Arc;

use leyden_arena::record::store::Results;
use leyden_arena::report::{GateDocument, Trial};
use leyden_arena::tournament::{Ended, Halt, Withdrawal};
use leyden_protocol::Seats;
use leyden_stats::{Elo, GateEnd, Hypotheses, NormalisedElo, SprtPlan};

use super::args::{GateOptions, GateTest, Model, RunOptions, TournamentOptions};
use super::config;
use super::ending;
use super::exit::{Code, Stop};
use super::progress::Line;
use super::report::faults;
use super::report::github::{self, Level};
use super::report::grid::plain;
use super::report::junit::{self, Case};
use super::report::text;
use super::signals;
use super::tournament::{self, Ready, Sums};

/// Plays, judges, tells, and answers by the exit code.
pub(super) fn run(typed: TournamentOptions, run: &RunOptions, gate: &GateOptions) -> Result<Code, Stop> {
    if typed.blocks.is_some() {
        return Err(Stop::usage("a gate plays until it is decided: --max-pairs ends it, not --blocks"));
    }
    let file = run.config.as_deref().map(config::read).transpose()?;
    let section = file.as_ref().and_then(|file| file.gate).unwrap_or_default();
    let test = config::complete_gate(gate.test, section)?;
    let plan = plan(test)?;
    let (options, temporary) = options(config::complete(typed, file)?, test)?;
    let found = tournament::find(&options)?;
    if found.len() != 2 {
        let bots = found.len();
        return Err(Stop::usage(format!(
            "a gate compares two bots, the new version and the old one, not {bots}"
        )));
    }
    let ready = tournament::ready(&options, found, Some(plan), run.quiet)?;
    let kept = temporary.is_none().then(|| ready.writer.path().to_owned());
    if !run.quiet {
        announce(&ready, &plan, kept.as_deref(), options.seed.is_some());
    }
    let setup = ready.setup.clone();
    let mut trial = Trial::new(plan, ready.tournament.rules.better);
    let mut sums = Sums::default();
    let interrupted = play(ready, &mut trial, &mut sums, run.quiet)?;
    let document = trial.document(&setup);
    github::annotate_faults(trial.faults(), kept.as_deref());
    if !run.quiet && !run.json && !trial.faults().is_empty() {
        super::say(format_args!("{}", faults::told(trial.faults(), kept.as_deref())));
    }
    tell(&document, &sums.withdrawn, run.json, gate.junit.as_deref())?;
    ending::tell_off_turn(&sums.off_turn, &setup.settings, false, run.quiet)?;
    match trial.end() {
        Some(GateEnd::Accepted) => Ok(Code::Done),
        Some(GateEnd::Rejected) => Ok(Code::No),
        Some(GateEnd::MaxPairs | GateEnd::Mirror) => Ok(Code::Undecided),
        None if interrupted => {
            Err(Stop { code: Code::Interrupted, message: how_to_go_on("interrupted", kept.as_deref()) })
        }
        // A void pair is played again by a resumed run, and judged at its own place.
        None => {
            let void = trial.report().voided_pairs;
            let why = format!("{void} pairs are void, for the reasons above");
            Err(Stop { code: Code::Undecided, message: how_to_go_on(&why, kept.as_deref()) })
        }
    }
}

/// How many pairs are played at most unless it is said.
const MAX_PAIRS: u32 = 5_000;

/// The test that was asked for, if it makes sense.
fn plan(test: GateTest) -> Result<SprtPlan, Stop> {
    let (elo0, elo1) = if test.non_regression { (-20.0, 0.0) } else { (0.0, 20.0) };
    let (h0, h1) = (test.elo0.unwrap_or(elo0), test.elo1.unwrap_or(elo1));
    let hypotheses = match test.model.unwrap_or_default() {
        Model::Normalised => {
            Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
        }
        Model::Logistic => Hypotheses::Logistic { h0: Elo::new(h0), h1: Elo::new(h1) },
    };
    let (alpha, beta) = (test.alpha.unwrap_or(0.05), test.beta.unwrap_or(0.05));
    let max_pairs = test.max_pairs.unwrap_or(MAX_PAIRS);
    SprtPlan::new(hypotheses, alpha, beta, max_pairs.into()).map_err(Stop::usage)
}

/// The options of the run, and the folder that holds its records if nobody wants to keep them.
fn options(
    mut options: TournamentOptions,
    test: GateTest,
) -> Result<(TournamentOptions, Option<tempfile::TempDir>), Stop> {
    if options.seats.is_some_and(|seats| seats != Seats::TWO) {
        return Err(Stop::usage("a gate judges pairs of two bots: it plays at tables of two seats"));
    }
    options.blocks = Some(test.max_pairs.unwrap_or(MAX_PAIRS));
    if options.results.is_some() || options.resume.unwrap_or(false) {
        return Ok((options, None));
    }
    let folder = tempfile::Builder::new().prefix("leyden-gate-").tempdir().map_err(Stop::defect)?;
    options.results = Some(folder.path().join("gate.db"));
    Ok((options, Some(folder)))
}

/// What is going to be decided, before the first match.
fn announce(ready: &Ready, plan: &SprtPlan, kept: Option<&Path>, typed_seed: bool) {
    let [new, old] = [0, 1].map(|bot| plain(&ready.setup.bots[bot].name));
    let (h0, h1) = plan.hypotheses().bounds();
    let scale = match plan.hypotheses() {
        Hypotheses::Normalised { .. } => "normalised",
        Hypotheses::Logistic { .. } => "logistic",
    };
    let pairs = plan.max_pairs();
    super::say(format_args!("{new} against {old}: {scale} Elo {h0} or {h1}? At most {pairs} pairs"));
    let played = match ready.done.count() {
        0 => String::new(),
        done => format!(" · {done} matches played before"),
    };
    let kept = kept.map_or("kept in a temporary file".into(), |path| path.display().to_string());
    let commitment = ready.tournament.seed.commitment();
    super::say(format_args!("records {kept}{played} · seed commitment {commitment}"));
    if typed_seed {
        super::say(format_args!("the seed was typed, so a bot could guess it: good for tests"));
    }
}

/// Judges what is stored, and then plays what is missing until the test ends; says whether it was interrupted.
fn play(ready: Ready, trial: &mut Trial, sums: &mut Sums, quiet: bool) -> Result<bool, Stop> {
    let Ready { tournament: course, writer, done, .. } = ready;
    if done.count() > 0 {
        judge_stored(writer.path(), trial)?;
    }
    let mut outcome = Ok(());
    let mut trouble = Ok(());
    let halt = Halt::default();
    if trial.end().is_none() {
        signals::halt_on_signals(&halt)?;
        let mut line = Line::new(quiet);
        outcome = course.play(&|rank| done.contains(rank), &halt, |ended| {
            let (stored, judged) = match ended {
                Ended::Played(played) => {
                    sums.off_turn.note(&played.record);
                    let stored = writer.add(&played.fixture, played.record.clone());
                    (stored, trial.take(played.rank, &played.fixture, played.record))
                }
                Ended::Voided(voided) => {
                    let reason = tournament::void(&voided, writer.path());
                    let judged = trial.void(&voided.fixture);
                    (writer.void(&voided.fixture, &reason, voided.played), judged)
                }
                Ended::Withdrawn(withdrawal) => {
                    tournament::say_withdrawn(&withdrawal);
                    sums.withdrawn.push(withdrawal);
                    return;
                }
            };
            line.show(|| text::gate_line(&trial.report()));
            if stored.is_err() || !matches!(judged, Ok(None)) {
                halt.now();
            }
            if trouble.is_ok() {
                trouble = judged.map(drop).map_err(Stop::defect);
            }
        });
        line.finish(None);
    }
    writer.finish().map_err(Stop::defect)?;
    outcome.map_err(Stop::defect)?;
    trouble.map(|()| halt.is_called() && trial.end().is_none())
}

/// Takes in the matches of an earlier run, in schedule order.
fn judge_stored(path: &Path, trial: &mut Trial) -> Result<(), Stop> {
    let results = Results::open(path).map_err(Stop::usage)?;
    let schedule = results.setup().schedule().map_err(Stop::usage)?;
    for stored in results.records() {
        let (fixture, record) = stored.map_err(Stop::usage)?;
        let rank = schedule.rank(&fixture).ok_or_else(|| Stop::defect("a match outside its schedule"))?;
        if trial.take(rank, &fixture, record).map_err(Stop::defect)?.is_some() {
            break;
        }
    }
    Ok(())
}

/// Tells people, programs and CI. A closed standard output does not change the answer.
fn tell(
    document: &GateDocument,
    withdrawn: &[Arc<Withdrawal>],
    json: bool,
    junit: Option<&Path>,
) -> Result<(), Stop> {
    let text = text::gate(document) + &text::withdrawn(withdrawn);
    let (verdict, figures) = (text::verdict(document), text::gate_figures(&document.test));
    let (level, failure) = match document.test.end {
        Some(GateEnd::Accepted) => (Level::Notice, None),
        Some(GateEnd::Rejected) => (Level::Error, Some("rejected")),
        Some(GateEnd::MaxPairs | GateEnd::Mirror) => (Level::Warning, Some("undecided")),
        None => (Level::Warning, Some("unfinished")),
    };
    let llr = figures.iter().find(|(name, _)| *name == "LLR").map_or("", |(_, llr)| llr);
    github::annotate(level, "leyden gate", &format!("{verdict}; LLR {llr}"));
    github::summarise(&github::figures_markdown(&verdict, &figures));
    if let Some(path) = junit {
        let [new, old] = [0, 1].map(|bot| plain(&document.bots[bot].name));
        let case = Case {
            name: format!("{new} against {old}"),
            failure: failure.map(|kind| (kind, verdict)),
            text: text.clone(),
        };
        junit::write(path, "leyden gate", vec![case], &figures)?;
    }
    let told = if json { super::print_document(document) } else { super::print(&text).map(drop) };
    told.or_else(|stop| if stop.code == Code::Done { Ok(()) } else { Err(stop) })
}

fn how_to_go_on(why: &str, kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("{why}; go on with\n  {}", tournament::resume_command(path)),
        None => format!("{why}, and nothing was kept: with --results FILE a gate can be resumed"),
    }
}
