//! What people, programs and CI are shown when a tournament or a match is over, or interrupted.

use std::path::Path;

use leyden_arena::record::store::Results;
use leyden_arena::report::{BotOrder, BotResults, Faults, OffTurnSums, TournamentTally, Versus};
use leyden_model::DisabledBot;
use leyden_model::Settings;
use leyden_model::words::counted;
use leyden_protocol::PerSeat;

use crate::exit::CommandError;
use crate::options::Subcommand;
use crate::play::events::{CommandEvent, JsonLine};
use crate::play::junit_fallback::MATCH;
use crate::play::repeatability::UnrepeatableBot;
use crate::play::worst_loss::WorstLosses;
use crate::report::faults;
use crate::report::figures::Figures;
use crate::report::github::{self, Severity};
use crate::report::grid::plain;
use crate::report::junit::{CaseResult, JunitCase, ReportFile};
use crate::report::off_turn;
use crate::report::text::{self, StandingsNotes};
use crate::{after::standings, out::print, out::print_line};

/// A tournament or match that is over, or interrupted, and how it is to be reported.
#[derive(Clone, Copy)]
pub(crate) struct FinalReport<'a> {
    pub(crate) results: &'a Results,
    pub(crate) subcommand: Subcommand,
    pub(crate) faults: &'a Faults,
    pub(crate) disabled: &'a [DisabledBot],
    pub(crate) worst: &'a WorstLosses,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) junit: Option<&'a ReportFile>,
}

/// Prints the standings of a tournament, or the score of a match of two, and writes the files for CI.
pub(crate) fn report(about: &FinalReport<'_>) -> Result<(), CommandError> {
    let FinalReport { results, subcommand, faults, disabled, json, junit, .. } = *about;
    github::annotate_faults(faults, Some(results.path()));
    if matches!(subcommand, Subcommand::Match { .. }) && results.stored_plan().settings.seats.count() == 2 {
        let gathered = TournamentTally::from_results(results, BotOrder::AsTyped)?;
        let versus = Versus::from_tally(&gathered)
            .ok_or_else(|| CommandError::defect("a match without its two bots"))?;
        return print_versus(&versus, about);
    }
    let extras = StandingsNotes { turn_ms: standings::turn_ms(results), ..StandingsNotes::default() };
    let standings = standings::from_results(results, extras)?;
    github::summarise(&github::standings_markdown(&standings));
    let text = text::standings(&standings, extras) + &text::disabled(disabled);
    if let Some(junit) = junit {
        let match_case = JunitCase {
            name: "match".to_owned(),
            answer: CaseResult::Passed,
            text: text.clone(),
            took: None,
        };
        let at = (faults, Some(results.path()));
        let bots = standings.bots.iter().map(|bot| bot_case(&bot.name, &bot.results, at));
        let cases = [match_case].into_iter().chain(bots).collect();
        junit.write(MATCH[0], cases, &Figures::new())?;
    }
    if json {
        print_line(&JsonLine::Added(CommandEvent::Standings { standings: &standings }))
    } else {
        print(&text).map(drop)
    }
}

fn print_versus(versus: &Versus, about: &FinalReport<'_>) -> Result<(), CommandError> {
    let FinalReport { results, faults, disabled, json, junit, .. } = *about;
    let [one, two] = &versus.bots;
    let heading = format!("{} against {}", plain(&one.name), plain(&two.name));
    let beyond = text::beyond_turn(versus.bots.iter().map(|side| &side.results), standings::turn_ms(results));
    let rest = beyond + &text::disabled(disabled);
    let text = text::versus(versus, true) + &rest;
    let figures = text::versus_figures(versus);
    github::summarise(&github::figures_markdown(&heading, &figures));
    let score = figures.iter().find(|(name, _)| *name == "score").map_or("", |(_, score)| score);
    github::annotate(Severity::Notice, &heading, &format!("score {score}"));
    if let Some(junit) = junit {
        let match_case =
            JunitCase { name: heading, answer: CaseResult::Passed, text: text.clone(), took: None };
        let at = (faults, Some(results.path()));
        let bots = versus.bots.iter().map(|side| bot_case(&side.name, &side.results, at));
        junit.write(MATCH[0], [match_case].into_iter().chain(bots).collect(), &figures)?;
    }
    if json {
        return print_line(&JsonLine::Added(CommandEvent::Versus { versus }));
    }
    let is_verbose = matches!(about.subcommand, Subcommand::Match { verbose: true, .. });
    print(&(text::versus(versus, is_verbose) + &rest))?;
    if let Some(next) = about.worst.next_command(versus, results.path()).filter(|_| !about.quiet) {
        crate::out::say(format_args!("{next}"));
    }
    Ok(())
}

/// Prints the last that each bot wrote to its standard error, match by match: all that is kept.
pub(crate) fn print_stderr(results: &Results) -> Result<(), CommandError> {
    let mut is_kept = false;
    for record in results.records() {
        let (_, record) = record?;
        let said = record.stderr.iter().flat_map(PerSeat::iter).filter(|(_, said)| !said.is_empty());
        for (seat, said) in said {
            is_kept = true;
            let (name, id) = (plain(&record.bots[seat]), plain(&record.id));
            let mut text = format!("\nthe last that {name} wrote to its standard error in match {id}:\n");
            for line in said.lines() {
                text += "  │ ";
                text += &plain(line);
                text += "\n";
            }
            print(&text)?;
        }
    }
    if !is_kept {
        print("\nno standard error is kept: only matches in which something went wrong keep it\n")?;
    }
    Ok(())
}

/// Reports which bots were stopped while it was not their turn, and how much the bots computed then, if that is worth mentioning.
///
/// On standard error, because it varies from run to run, and the standings do not.
pub(crate) fn print_off_turn(
    off_turn: &OffTurnSums,
    settings: &Settings,
    json: bool,
    quiet: bool,
) -> Result<(), CommandError> {
    let bots = off_turn.to_report();
    if !quiet {
        for bot in &bots {
            crate::out::say(format_args!("{}", off_turn::sentence(bot)));
        }
    }
    if json && !bots.is_empty() {
        print_line(&JsonLine::Added(CommandEvent::OffTurn { pondering: settings.pondering, bots }))?;
    }
    Ok(())
}

/// Names the bots whose results depend on the order of play, on standard error: a run on another day may see others.
pub(crate) fn print_unrepeatable(
    bots: &[UnrepeatableBot],
    json: bool,
    quiet: bool,
) -> Result<(), CommandError> {
    if !quiet {
        for bot in bots {
            crate::out::say(format_args!("{}", bot.sentence()));
        }
    }
    if json && !bots.is_empty() {
        print_line(&JsonLine::Added(CommandEvent::Unrepeatable { bots }))
    } else {
        Ok(())
    }
}

/// Returns a case that fails if a bot lost a match by a fault, with the details; `file` is the results file, if it is kept.
fn bot_case(name: &str, results: &BotResults, (faults, file): (&Faults, Option<&Path>)) -> JunitCase {
    faults_case(format!("{} plays without faults", plain(name)), (name, results), (faults, file), Some(0))
}

/// Returns a case of this name that fails if a bot lost more matches by faults than it may.
pub(crate) fn faults_case(
    name: String,
    (bot, results): (&str, &BotResults),
    (faults, file): (&Faults, Option<&Path>),
    most: Option<u64>,
) -> JunitCase {
    let lost: u64 = results.faults.values().sum();
    let own = faults::sentences(faults, file).filter(|(name, _)| *name == bot);
    let sentences: Vec<String> = own.map(|(_, text)| text).collect();
    let matches = counted(lost, "match", "matches");
    let first = faults.iter().filter(|(name, ..)| *name == bot).find_map(|(_, code, kind)| {
        let line = kind.first.values().next()?.details.summary();
        Some(format!("; first: {} ({code})", plain(&line)))
    });
    JunitCase {
        name,
        answer: CaseResult::from_failure(
            most.is_some_and(|most| lost > most)
                .then(|| ("fault", format!("{matches} lost to faults{}", first.unwrap_or_default()))),
        ),
        text: sentences.join("\n"),
        took: None,
    }
}
