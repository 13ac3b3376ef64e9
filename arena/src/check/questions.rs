//! Asks a bot single questions, its own cases first, and checks the answers.

use std::io;

use leyden_model::FaultDetails;
use leyden_protocol::{Action, FaultCode, FaultNotice, MatchEnd, MatchEnding, Seats, ToBot, Turn};
use leyden_referee::{DecisionError, Player, ProcessPlayer};
use leyden_rules::Rules;

use super::case::{CASE, Case, CaseError, cases_of};
use super::failures::{failure, hello_text};
use super::report::{Failure, FindingKind, FindingOutcome};
use super::request::CheckError;
use super::state::{Checking, ENOUGH};

impl Checking<'_> {
    /// Asks one question; returns the action, or what was wrong with the answer.
    pub(super) async fn ask(
        &mut self,
        bot: &mut ProcessPlayer,
        case: &Case,
        table: &str,
    ) -> Result<Result<Action, Failure>, CheckError> {
        let damaged = |error: serde_json::Error| CheckError::Host(io::Error::other(error));
        for line in case.preceding().map_err(damaged)? {
            bot.send(&line);
        }
        let turn = case.turn().map_err(damaged)?;
        let answered = bot.decide(&turn, self.request.limits.turn(), &mut || {}).await?;
        self.answers += 1;
        let launch_lines = || {
            let hello = hello_text(&case.rules, &self.request.limits);
            std::iter::once(hello).chain(case.preceding.iter().cloned()).chain([case.turn.clone()]).collect()
        };
        match answered {
            Ok(decision) => {
                self.time(decision.took, &format!("{} at {table}", case.name));
                bot.send(&left_alone(&turn));
                bot.flush().await?;
                Ok(case.check(decision.action).map(|()| decision.action).map_err(|what| Failure {
                    code: None,
                    details: FaultDetails::new(what),
                    rule: "the case lists the good answers".to_owned(),
                    table: table.to_owned(),
                    lines: launch_lines(),
                    again: 0,
                }))
            }
            Err(DecisionError::Fault(fault, _)) => Ok(Err(failure(table, &fault.alone(), launch_lines()))),
            Err(DecisionError::HostOverloaded(overload)) => Err(CheckError::Busy(overload)),
        }
    }

    /// Shows the cases of the bot's own folder, each rule set in its own process.
    pub(super) async fn cases(&mut self) -> Result<(), CheckError> {
        let Some(folder) = &self.ready.bot.command.folder else { return Ok(()) };
        let mut playing: Option<(Rules, ProcessPlayer)> = None;
        let handed_in = self.ready.bot.handed_in.as_deref();
        let named = |bad: CaseError| match handed_in {
            Some(path) => bad.named(folder, path),
            None => bad,
        };
        for case in cases_of(folder).map_err(named)? {
            let name = format!("{CASE}{}", case.name);
            if !self.is_requested(&name) {
                continue;
            }
            if playing.as_ref().is_some_and(|(rules, _)| *rules != case.rules)
                && let Some((_, bot)) = playing.take()
            {
                self.let_go(bot).await?;
            }
            self.begin();
            if playing.is_none() && self.lost < ENOUGH {
                let launch = self.ready.launch(case.rules, self.request.limits);
                playing = self.start(&launch, &name).await?.map(|bot| (case.rules, bot));
            }
            let Some((_, bot)) = &mut playing else {
                match &self.start {
                    Some(failure) => self.fail(FindingKind::Case, &name, failure.clone()),
                    None => self.find(
                        FindingKind::Case,
                        &name,
                        FindingOutcome::Skipped,
                        "not tried, because of the failures above",
                    ),
                }
                continue;
            };
            match self.ask(bot, &case, case.rules.name.as_str()).await? {
                Ok(action) => {
                    self.find(FindingKind::Case, &name, FindingOutcome::Passed, format!("answers {action}"));
                }
                Err(failure) => {
                    if failure.code.is_some()
                        && let Some((_, bot)) = playing.take()
                    {
                        self.lost += 1;
                        bot.kill().await?;
                    }
                    self.fail(FindingKind::Case, &name, failure);
                }
            }
        }
        if let Some((_, bot)) = playing {
            self.let_go(bot).await?;
        }
        Ok(())
    }
}

/// A match of one question ends like one in which another bot fails, because that may happen at any moment.
fn left_alone<'a>(turn: &Turn<'a>) -> ToBot<'a> {
    let seats = turn.counts.seats();
    let gone = seats.after(turn.seat);
    ToBot::MatchEnd(MatchEnd {
        match_id: turn.match_id.clone(),
        scores: turn.scores,
        winner: (seats == Seats::TWO).then_some(turn.seat),
        end: MatchEnding::Fault,
        fault: Some(FaultNotice { seat: gone, code: FaultCode::Exited }),
    })
}
