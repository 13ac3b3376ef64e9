//! Plays one match at a table of players. Events are reported as they happen; the record is their fold.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use leyden_model::event::MatchOver;
use leyden_model::{FaultRecord, Fold, MachineRecord, MatchEvent, MatchRecord, RecordedEnding};
use leyden_protocol::{
    Action, ErrorNotice, FaultNotice, MatchEnd, MatchEnding, MatchStart, Note, PerSeat, RoundEnd,
    RoundEnding, Seat, Seats, ToBot, Turn,
};
use leyden_rules::{DealOutcome, Match, MatchFinish, RoundOutcome};

use super::clock::SeatClock;
use super::fault::Fault;
use super::off_turn::MOMENT;
use super::overload::{OverloadError, TOO_LATE};
use super::player::{DecisionError, OffTurnUse, Player, PlayerProcess};
use super::spec::MatchSpec;

/// Receives the events of a match while it is played.
pub type Listener<'a> = Option<&'a mut dyn FnMut(&MatchEvent)>;

/// The result of trying to play a match.
#[derive(Clone, Debug)]
pub enum MatchOutcome {
    /// It counts: it was played to its end, or a bot lost it by a fault.
    Finished(Box<MatchRecord>),
    /// The host was to blame for a timeout: nobody has won or lost, and its processes are not used again.
    HostOverloaded(OverloadError),
}

/// Returns the record of a match that a bot lost before it started, with what it wrote to its standard error until then.
pub fn forfeit(spec: &MatchSpec, seat: Seat, fault: &Fault, listener: Listener<'_>) -> MatchRecord {
    let mut log = EventLog::begin(spec, listener);
    let seats = spec.rules.seats;
    let mut over = lost(seats, PerSeat::default_for(seats), seat, fault);
    if !fault.stderr.is_empty() {
        let said = |of: Seat| if of == seat { fault.stderr.to_string() } else { String::new() };
        over.stderr = Some(PerSeat::from_fn(seats, said));
    }
    log.notify(MatchEvent::Ended(Box::new(over)));
    log.fold.so_far().clone()
}

/// Returns how a match ends by a fault: with two seats the other one wins, with more nobody does.
fn lost(seats: Seats, scores: PerSeat<u32>, seat: Seat, fault: &Fault) -> MatchOver {
    MatchOver {
        scores,
        winner: (seats == Seats::TWO).then(|| seats.after(seat)),
        end: MatchEnding::Fault,
        fault: Some(FaultRecord { seat, code: fault.code, details: fault.details().clone() }),
        took_us: None,
        stderr: None,
        host: None,
    }
}

/// Plays a match. `players` are in seat order, one per seat; `listener` receives the events as they happen.
///
/// An error is the arena's own; everything the bots do is in the record.
///
/// ```no_run
/// use leyden_model::{MatchHeader, RecordRules, SandboxLevel, Settings, TournamentSeed};
/// use leyden_protocol::Seats;
/// use leyden_referee::{MatchOutcome, MatchSpec, ProcessPlayer, play_match};
///
/// # async fn example(players: &mut [ProcessPlayer]) -> Result<(), Box<dyn std::error::Error>> {
/// let settings = Settings::new(Seats::TWO, SandboxLevel::None);
/// let (seed, names) = (TournamentSeed::from_text("a secret"), ["ann", "bob"]);
/// let rules = RecordRules::from(&settings.rules()?);
/// let header = MatchHeader::new(seed.tournament_id(), seed.match_seed(&names, 0), rules, (0, 0), &names);
/// let spec = MatchSpec::new(header, &settings)?;
/// match play_match(&spec, players, None).await? {
///     MatchOutcome::Finished(record) => println!("{:?}", record.scores),
///     MatchOutcome::HostOverloaded(overload) => println!("{overload}"),
/// }
/// # Ok(())
/// # }
/// ```
pub async fn play_match<P: Player>(
    spec: &MatchSpec,
    players: &mut [P],
    listener: Listener<'_>,
) -> io::Result<MatchOutcome> {
    let seats = spec.rules.seats;
    let mut playing = MatchInProgress {
        spec,
        players,
        game: Match::new(&spec.rules),
        clocks: PerSeat::from_fn(seats, |_| Some(SeatClock::new(spec.limits))),
        asked: PerSeat::default_for(seats),
        struck: PerSeat::default_for(seats),
        legal: Vec::new(),
        late: Duration::ZERO,
        log: EventLog::begin(spec, listener),
    };
    playing.start();
    let ended = match playing.play_rounds().await? {
        None => None,
        Some((seat, DecisionError::Fault(fault, took))) => Some((seat, fault, took)),
        Some((seat, DecisionError::HostOverloaded(overload))) => {
            return Ok(MatchOutcome::HostOverloaded(OverloadError { seat: Some(seat), ..overload }));
        }
    };
    playing.end(ended).await?;
    let record = playing.log.fold.finish().map_err(io::Error::other)?;
    Ok(MatchOutcome::Finished(Box::new(record)))
}

/// What has happened, for the record and for the listener.
struct EventLog<'a> {
    fold: Fold,
    listener: Listener<'a>,
}

impl<'a> EventLog<'a> {
    fn begin(spec: &MatchSpec, mut listener: Listener<'a>) -> Self {
        if let Some(listener) = &mut listener {
            listener(&MatchEvent::Started(Box::new(spec.header.clone())));
        }
        Self { fold: Fold::begin(spec.header.clone()), listener }
    }

    fn notify(&mut self, event: MatchEvent) {
        if let Some(listener) = &mut self.listener {
            listener(&event);
        }
        self.fold.take(event);
    }

    /// Reports an event that only listeners need. It is created only if there is a listener.
    fn mention(&mut self, event: impl FnOnce() -> MatchEvent) {
        if let Some(listener) = &mut self.listener {
            listener(&event());
        }
    }
}

/// A match in progress.
struct MatchInProgress<'a, 'l, P> {
    spec: &'a MatchSpec,
    players: &'a mut [P],
    game: Match,
    clocks: PerSeat<Option<SeatClock>>,
    /// How many decisions each seat was asked for.
    asked: PerSeat<u64>,
    /// How many faults of each seat were forgiven.
    struck: PerSeat<u32>,
    /// A reusable buffer for the legal actions of the seat that is asked.
    legal: Vec<Action>,
    /// The longest delay of the arena's own looks.
    late: Duration,
    log: EventLog<'l>,
}

/// The seat at which the match was cut short, and why.
type MatchAborted = Option<(Seat, DecisionError)>;

/// A decision: the action, how long it took if it was answered, and its note.
type TimedDecision = (Action, Option<Duration>, Option<Note>);

impl<P: Player> MatchInProgress<'_, '_, P> {
    fn seats(&self) -> Seats {
        self.spec.rules.seats
    }

    fn start(&mut self) {
        let (rules, header) = (&self.spec.rules, &self.spec.header);
        for seat in self.seats().iter() {
            let names = header.bots.as_slice().iter().map(|name| Cow::Borrowed(name.as_str()));
            self.players[seat.index()].send(&ToBot::MatchStart(MatchStart {
                match_id: Cow::Borrowed(&header.id),
                seat,
                seats: rules.seats,
                rules: rules.name,
                target: rules.target,
                bot_seed: header.seed.bot_seed(header.leg, seat),
                names: self.spec.show_names.then(|| names.collect()),
            }));
        }
    }

    /// Plays until the match is over, or a fault ends it.
    async fn play_rounds(&mut self) -> io::Result<MatchAborted> {
        while self.game.finish().is_none() {
            let number = self.game.deal_number();
            let deck = self.spec.header.seed.deck(self.spec.rules.set, number);
            let dealt = self.game.deal(&deck);
            self.log.notify(MatchEvent::Dealt {
                round: number.round,
                redeal: number.redeal,
                deck: deck.tiles().to_vec(),
            });
            if dealt == DealOutcome::NoDouble {
                self.close_deal(RecordedEnding::NoDouble);
                continue;
            }
            if let Some(interrupted) = self.play_round().await? {
                self.close_deal(RecordedEnding::Unfinished);
                return Ok(Some(interrupted));
            }
            self.settle_round();
        }
        Ok(None)
    }

    /// Plays a round until it is over, or a fault ends the match.
    async fn play_round(&mut self) -> io::Result<MatchAborted> {
        while let Some((seat, legal)) =
            self.game.round().and_then(|round| Some((round.to_act()?, round.legal())))
        {
            let (action, took, note) = match legal.forced() {
                Some(action) => (action, None, None),
                None => match self.ask(seat).await? {
                    Ok(decided) => decided,
                    Err(DecisionError::HostOverloaded(overload)) => {
                        // A bot that ran during that time has lost, rather than nobody.
                        let ran = self.seats().iter().find_map(|other| {
                            let fault = self.players[other.index()].process()?.ran()?;
                            Some((other, DecisionError::from(fault)))
                        });
                        return Ok(Some(ran.unwrap_or((seat, DecisionError::HostOverloaded(overload)))));
                    }
                    Err(failed) => return Ok(Some((seat, failed))),
                },
            };
            let entry = self.game.apply(action).map_err(io::Error::other)?; // only legal ones get here
            self.log.notify(MatchEvent::Acted { entry, took_us: took.map(micros), note });
        }
        Ok(None)
    }

    /// Asks a seat for one of its legal actions.
    async fn ask(&mut self, seat: Seat) -> io::Result<Result<TimedDecision, DecisionError>> {
        self.asked[seat] += 1;
        let Some(clock) = self.clocks[seat].as_mut() else {
            return Err(io::Error::other("a seat without a clock"));
        };
        let Some(view) = self.game.view(seat, &mut self.legal) else {
            return Err(io::Error::other("no round to ask about"));
        };
        let turn = Turn::new(self.asked[seat], &self.spec.header.id, view, clock.as_sent());
        self.log.mention(|| MatchEvent::Asked {
            seat,
            turn: turn.id,
            legal: turn.legal.to_vec(),
            clock: Some(turn.clock),
        });
        let allowance = clock.allowance();
        let (before, rest) = self.players.split_at_mut(seat.index());
        let Some((player, behind)) = rest.split_first_mut() else {
            return Err(io::Error::other("a seat without a player"));
        };
        let mut watch = || {
            let others = before.iter_mut().chain(behind.iter_mut());
            others.filter_map(Player::process).for_each(PlayerProcess::watch);
        };
        let (fault, took) = match player.decide(&turn, allowance, &mut watch).await? {
            Ok(decision) => {
                clock.charge(decision.charged);
                self.late = self.late.max(decision.late);
                return Ok(Ok((decision.action, Some(decision.took), decision.note)));
            }
            Err(DecisionError::Fault(fault, took)) => (fault, took),
            Err(overloaded) => return Ok(Err(overloaded)),
        };
        if fault.forgivable() && self.struck[seat] < self.spec.strikes {
            // A silent bot has used up all it had; a bot that was not asked because of an earlier line, nothing.
            let silent = if fault.failure.is_some() { allowance } else { Duration::ZERO };
            self.forgive(seat, &fault, took.unwrap_or(silent));
            return Ok(Ok((self.legal[0], None, None)));
        }
        Ok(Err(DecisionError::Fault(fault, took)))
    }

    /// Counts a strike; the first legal action is played instead.
    fn forgive(&mut self, seat: Seat, fault: &Fault, took: Duration) {
        self.struck[seat] += 1;
        if let Some(clock) = self.clocks[seat].as_mut() {
            clock.charge(took);
        }
        let message = self.log.listener.is_some().then(|| fault.message());
        self.log.notify(MatchEvent::Struck { seat, code: fault.code, took_us: micros(took), message });
        self.notify(seat, fault);
    }

    fn notify(&mut self, seat: Seat, fault: &Fault) {
        self.players[seat.index()].send(&ToBot::Error(ErrorNotice {
            code: fault.code,
            message: Cow::Owned(fault.for_bot()),
            received: Cow::Borrowed(&fault.details().received),
            legal: Cow::Borrowed(&self.legal),
        }));
    }

    /// Scores a round that is over and reports it to everyone.
    fn settle_round(&mut self) {
        let Some(settled) = self.game.settle() else { return };
        let (end, recorded) = match settled.outcome {
            RoundOutcome::Dominoed { .. } => (RoundEnding::Dominoed, RecordedEnding::Dominoed),
            RoundOutcome::Blocked { .. } => (RoundEnding::Blocked, RecordedEnding::Blocked),
            RoundOutcome::Refused => (RoundEnding::Refused, RecordedEnding::Refused),
        };
        let shown = end != RoundEnding::Refused;
        for seat in self.seats().iter() {
            self.players[seat.index()].send(&ToBot::RoundEnd(RoundEnd {
                round: settled.deal.round,
                redeal: settled.deal.redeal,
                end,
                hands: shown.then_some(settled.hands),
                pips: shown.then_some(settled.pips),
                points: shown.then_some(settled.points),
                scores: settled.scores,
                history: Cow::Borrowed(self.game.history(seat)),
            }));
        }
        let (pips, points, scores) = (settled.pips, settled.points, settled.scores);
        self.log.notify(MatchEvent::Settled { end: recorded, pips, points, scores });
    }

    /// Closes a deal that counts for nothing.
    fn close_deal(&mut self, end: RecordedEnding) {
        let none = PerSeat::default_for(self.seats());
        let scores = *self.game.scores();
        self.log.notify(MatchEvent::Settled { end, pips: none, points: none, scores });
    }

    /// Reports how the match ended to everyone.
    async fn end(&mut self, fault: Option<(Seat, Fault, Option<Duration>)>) -> io::Result<()> {
        let scores = *self.game.scores();
        let mut over = if let Some((seat, fault, took)) = fault {
            self.notify(seat, &fault);
            MatchOver { took_us: took.map(micros), ..lost(self.seats(), scores, seat, &fault) }
        } else {
            let end = match self.game.finish() {
                Some(MatchFinish::RoundLimit) => MatchEnding::RoundLimit,
                Some(MatchFinish::Target) | None => MatchEnding::Target,
            };
            let winner = self.game.leading();
            MatchOver { scores, winner, end, fault: None, took_us: None, stderr: None, host: None }
        };
        if over.fault.is_some() || self.struck.iter().any(|(_, &strikes)| strikes > 0) {
            over.stderr = self.stderr();
        }
        over.host = self.host();
        let notice = over.fault.as_ref().map(|fault| FaultNotice { seat: fault.seat, code: fault.code });
        for player in self.players.iter_mut() {
            player.send(&ToBot::MatchEnd(MatchEnd {
                match_id: Cow::Borrowed(&self.spec.header.id),
                scores: over.scores,
                winner: over.winner,
                end: over.end,
                fault: notice,
            }));
            player.flush().await?;
        }
        self.log.notify(MatchEvent::Ended(Box::new(over)));
        Ok(())
    }

    /// Returns what is notable about the machine and the bots' use of it, if anything.
    fn host(&mut self) -> Option<MachineRecord> {
        let used = PerSeat::from_fn(self.seats(), |seat| {
            self.players[seat.index()].process().and_then(PlayerProcess::off_turn)
        });
        let is_worth_noting = |used: &Option<OffTurnUse>| used.is_some_and(|used| used.used >= MOMENT);
        let off_turn_us = used.iter().any(|(_, used)| is_worth_noting(used)).then(|| {
            PerSeat::from_fn(self.seats(), |seat| used[seat].map_or(0, |used: OffTurnUse| micros(used.used)))
        });
        let stopped = used.iter().filter(|(_, used)| used.is_some_and(|used| used.stopped));
        let stopped = stopped.map(|(seat, _)| seat).collect();
        let late = if self.late >= TOO_LATE { self.late } else { Duration::ZERO };
        let host = MachineRecord { late_us: micros(late), off_turn_us, stopped, ..MachineRecord::default() };
        (host != MachineRecord::default()).then_some(host)
    }

    /// Returns the tail of each bot's standard error, if any bot wrote there.
    fn stderr(&mut self) -> Option<PerSeat<String>> {
        let said = PerSeat::from_fn(self.seats(), |seat| {
            self.players[seat.index()].process().map_or_else(String::new, |process| process.stderr())
        });
        let silent = said.iter().all(|(_, text)| text.is_empty());
        (!silent).then_some(said)
    }
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}

#[cfg(test)]
mod tests;
