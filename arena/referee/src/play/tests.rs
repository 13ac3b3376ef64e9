//! The charge for a strike, with players that fault on demand.

use std::future::ready;

use leyden_model::{Deviation, MatchHeader, RecordRules, TimeLimits, TournamentSeed};
use leyden_protocol::{Clock, FaultCode, RulesName, Set};
use leyden_rules::Rules;

use super::*;
use crate::player::{Decision, DecisionResult};

/// Plays the first legal action at once, except for one turn.
struct Scripted {
    /// What it does at its second turn instead.
    fault: Option<Fault>,
    clocks: Vec<Clock>,
}

impl Player for Scripted {
    fn send(&mut self, _: &ToBot<'_>) {}

    fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> impl Future<Output = io::Result<DecisionResult>> {
        self.clocks.push(turn.clock);
        let fault = self.fault.take_if(|_| turn.id == 2);
        let took = Duration::from_millis(1);
        ready(Ok(match fault {
            Some(fault) => Err(DecisionError::Fault(fault, None)),
            None => {
                Ok(Decision { action: turn.legal[0], note: None, took, charged: took, late: Duration::ZERO })
            }
        }))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the bank before and after a strike, and the record.
async fn after_a_strike(fault: Fault) -> (u64, u64, MatchRecord) {
    let rules = Rules::new(RulesName::Leyden, Seats::TWO, Set::default(), 50).unwrap();
    let seed = TournamentSeed::from_text("strikes");
    let names = ["a", "b"];
    let match_seed = seed.match_seed(&names, 0);
    let header =
        MatchHeader::new(seed.tournament_id(), match_seed, RecordRules::from(&rules), (0, 0), &names);
    let limits = TimeLimits { turn_ms: 1_000, bank_ms: 20_000, ..TimeLimits::default() };
    let spec = MatchSpec { header, rules, limits, strikes: 1, show_names: false };
    let scripted = |fault| Scripted { fault, clocks: Vec::new() };
    let mut players = [scripted(Some(fault)), scripted(None)];
    let MatchOutcome::Finished(record) = play_match(&spec, &mut players, None).await.unwrap() else {
        panic!("nobody is overloaded");
    };
    assert_eq!((record.strikes.len(), record.fault.is_none()), (1, true));
    let clocks = &players[0].clocks;
    (clocks[1].bank_ms, clocks[2].bank_ms, *record)
}

#[tokio::test(start_paused = true)]
async fn silence_costs_all_time_and_early_lines_none() {
    let unasked = Fault::new(FaultCode::Unexpected, Deviation::LineBeforeTurn, b"thinking");
    let (before, after, record) = after_a_strike(unasked).await;
    assert_eq!((before, after), (20_000, 20_000));
    assert_eq!(record.think_us[Seat::FIRST][1], 0);

    let timed_out = leyden_host::ReadLineError::TimedOut;
    let silent = Fault::new(FaultCode::Timeout, Deviation::default(), b"").silent(timed_out);
    let (before, after, record) = after_a_strike(silent).await;
    assert_eq!((before, after), (20_000, 0));
    assert_eq!(record.think_us[Seat::FIRST][1], 21_000_000);
}
