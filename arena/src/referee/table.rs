//! Plays one match at a table of players and writes its record.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use leyden_protocol::{
    Action, Entry, ErrorNotice, FaultNotice, MatchEnd, MatchEnding, MatchStart, PerSeat, RoundEnd,
    RoundEnding, Seat, Seats, ToBot, Turn,
};
use leyden_rules::{Dealt, Finish, Match, Outcome, Rules, Settled};

use super::clock::SeatClock;
use super::fault::Fault;
use super::off_turn::MOMENT;
use super::overload::{Overload, TOO_LATE};
use super::player::{Failed, OffTurnUse, Player};
use crate::record::{
    FaultRecord, Host, MatchRecord, Note, RECORD_VERSION, RecordRules, RecordedEnding, RoundRecord, Strike,
};
use crate::seed::MatchSeed;
use crate::settings::TimeLimits;

/// What is settled about a match before it begins.
#[derive(Clone, Debug)]
pub struct Setting {
    pub rules: Rules,
    pub limits: TimeLimits,
    /// How many faults of one seat are forgiven.
    pub strikes: u32,
    /// Whether the bots are told each other's names.
    pub show_names: bool,
    /// The tournament's id.
    pub tournament: String,
    pub seed: MatchSeed,
    pub block: u32,
    pub leg: u32,
    /// The bots' names in seat order.
    pub bots: PerSeat<String>,
}

impl Setting {
    /// The record of this match before anything happened in it.
    fn record(&self) -> MatchRecord {
        let seats = self.rules.seats;
        MatchRecord {
            v: RECORD_VERSION,
            id: self.seed.match_id(self.leg),
            tournament: self.tournament.clone(),
            rules: RecordRules::from(&self.rules),
            seed: self.seed,
            block: self.block,
            leg: self.leg,
            bots: self.bots.clone(),
            rounds: Vec::new(),
            scores: PerSeat::default_for(seats),
            winner: None,
            end: MatchEnding::Target,
            fault: None,
            think_us: PerSeat::default_for(seats),
            notes: Vec::new(),
            strikes: Vec::new(),
            stderr: None,
            host: None,
        }
    }
}

/// The record of a match that a bot lost before it began.
pub fn forfeit(setting: &Setting, seat: Seat, fault: &Fault) -> MatchRecord {
    let mut record = setting.record();
    lose(&mut record, seat, fault);
    record
}

/// Ends a record by a fault: with two seats the other one wins, with more nobody does.
fn lose(record: &mut MatchRecord, seat: Seat, fault: &Fault) {
    let seats = record.rules.seats;
    record.winner = (seats == Seats::TWO).then(|| seats.after(seat));
    record.end = MatchEnding::Fault;
    record.fault = Some(FaultRecord { seat, code: fault.code, message: fault.message() });
}

/// What a match came to.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It counts: it was played to its end, or a bot lost it by a fault.
    Scored(Box<MatchRecord>),
    /// The host was to blame for a time that was up: nobody has won or lost, and its processes are not used again.
    HostOverloaded(Overload),
}

/// Plays a match. `players` are in seat order, one a seat.
///
/// An error is the arena's own; whatever the bots do is in the record.
pub async fn play_match<P: Player>(setting: &Setting, players: &mut [P]) -> io::Result<Verdict> {
    let mut table = Table {
        setting,
        players,
        game: Match::new(&setting.rules),
        clocks: PerSeat::from_fn(setting.rules.seats, |_| Some(SeatClock::new(setting.limits))),
        asked: PerSeat::default_for(setting.rules.seats),
        struck: PerSeat::default_for(setting.rules.seats),
        legal: Vec::new(),
        late: Duration::ZERO,
        record: setting.record(),
    };
    table.start();
    let ended = match table.play_rounds().await? {
        None => None,
        Some((seat, Failed::Fault(fault, _))) => Some((seat, fault)),
        Some((seat, Failed::HostOverloaded(overload))) => {
            return Ok(Verdict::HostOverloaded(Overload { seat: Some(seat), ..overload }));
        }
    };
    table.end(ended).await?;
    Ok(Verdict::Scored(Box::new(table.record)))
}

struct Table<'a, P> {
    setting: &'a Setting,
    players: &'a mut [P],
    game: Match,
    clocks: PerSeat<Option<SeatClock>>,
    /// How many decisions each seat was asked for.
    asked: PerSeat<u64>,
    /// How many faults each seat was forgiven.
    struck: PerSeat<u32>,
    /// The legal actions of the seat to act.
    legal: Vec<Action>,
    /// The longest that the arena itself looked late.
    late: Duration,
    record: MatchRecord,
}

/// At which seat the match was broken off, and why.
type BrokenOff = Option<(Seat, Failed)>;

impl<P: Player> Table<'_, P> {
    fn seats(&self) -> Seats {
        self.setting.rules.seats
    }

    fn start(&mut self) {
        let rules = &self.setting.rules;
        for seat in self.seats().iter() {
            let names = self.setting.bots.as_slice().iter().map(|name| Cow::Borrowed(name.as_str()));
            self.players[seat.index()].tell(&ToBot::MatchStart(MatchStart {
                match_id: Cow::Borrowed(&self.record.id),
                seat,
                seats: rules.seats,
                rules: rules.name,
                target: rules.target,
                bot_seed: self.setting.seed.bot_seed(self.setting.leg, seat),
                names: self.setting.show_names.then(|| names.collect()),
            }));
        }
    }

    /// Plays until the match is over, or a fault ends it.
    async fn play_rounds(&mut self) -> io::Result<BrokenOff> {
        while self.game.finish().is_none() {
            let number = self.game.deal_number();
            let deck = self.setting.seed.deck(self.setting.rules.set, number);
            let dealt = self.game.deal(&deck);
            self.record.rounds.push(RoundRecord {
                round: number.round,
                redeal: number.redeal,
                deck: deck.tiles().to_vec(),
                actions: Vec::new(),
                end: RecordedEnding::NoDouble,
                pips: PerSeat::default_for(self.seats()),
                points: PerSeat::default_for(self.seats()),
                scores: *self.game.scores(),
            });
            if dealt == Dealt::NoDouble {
                continue;
            }
            if let Some(ended) = self.play_round().await? {
                self.close_round(RecordedEnding::Unfinished, None);
                return Ok(Some(ended));
            }
            self.settle_round();
        }
        Ok(None)
    }

    /// Plays a round until it is over, or a fault ends the match.
    async fn play_round(&mut self) -> io::Result<BrokenOff> {
        while let Some((seat, legal)) =
            self.game.round().and_then(|round| Some((round.to_act()?, round.legal())))
        {
            let action = if let Some(action) = legal.forced() {
                action
            } else {
                self.legal.clear();
                legal.iter().for_each(|action| self.legal.push(action)); // quicker than to extend by a chain
                match self.ask(seat).await? {
                    Ok(action) => action,
                    Err(failed) => return Ok(Some((seat, failed))),
                }
            };
            self.game.apply(action).map_err(io::Error::other)?; // legal ones only get here
        }
        Ok(None)
    }

    /// Asks a seat for one of its legal actions.
    async fn ask(&mut self, seat: Seat) -> io::Result<Result<Action, Failed>> {
        self.asked[seat] += 1;
        let Some(clock) = self.clocks[seat].as_mut() else {
            return Err(io::Error::other("a seat without a clock"));
        };
        let Some(view) = self.game.view(seat, &self.legal) else {
            return Err(io::Error::other("no round to ask about"));
        };
        let turn = Turn::new(self.asked[seat], &self.record.id, view, clock.told());
        let allowance = clock.allowance();
        let (before, rest) = self.players.split_at_mut(seat.index());
        let Some((player, behind)) = rest.split_first_mut() else {
            return Err(io::Error::other("a seat without a player"));
        };
        let mut watch = || before.iter_mut().chain(behind.iter_mut()).for_each(Player::watch);
        let answered = player.decide(&turn, allowance, &mut watch).await?;
        let place = (self.record.rounds.len() as u32 - 1, self.game.entries().len() as u32);
        let (fault, took) = match answered {
            Ok(decision) => {
                clock.charge(decision.charged);
                self.late = self.late.max(decision.late);
                self.record.think_us[seat].push(decision.took.as_micros() as u64);
                if let Some(text) = decision.note {
                    self.record.notes.push(Note { seat, round: place.0, action: place.1, text });
                }
                return Ok(Ok(decision.action));
            }
            Err(Failed::Fault(fault, took)) => (fault, took),
            Err(overloaded) => return Ok(Err(overloaded)),
        };
        if fault.forgivable() && self.struck[seat] < self.setting.strikes {
            self.forgive(seat, &fault, took.unwrap_or(allowance), place);
            return Ok(Ok(self.legal[0]));
        }
        if let Some(took) = took {
            self.record.think_us[seat].push(took.as_micros() as u64);
        }
        Ok(Err(Failed::Fault(fault, took)))
    }

    /// Counts a strike; the first legal action is played instead.
    fn forgive(&mut self, seat: Seat, fault: &Fault, took: Duration, (round, action): (u32, u32)) {
        self.struck[seat] += 1;
        if let Some(clock) = self.clocks[seat].as_mut() {
            clock.charge(took);
        }
        self.record.think_us[seat].push(took.as_micros() as u64);
        self.record.strikes.push(Strike { seat, round, action, code: fault.code });
        self.notify(seat, fault);
    }

    fn notify(&mut self, seat: Seat, fault: &Fault) {
        self.players[seat.index()].tell(&ToBot::Error(ErrorNotice {
            code: fault.code,
            message: Cow::Owned(fault.message()),
            received: Cow::Borrowed(&fault.received),
            legal: Cow::Borrowed(&self.legal),
        }));
    }

    /// Counts a round that is over and tells everybody.
    fn settle_round(&mut self) {
        let actions = self.game.entries().to_vec();
        let Some(settled) = self.game.settle() else { return };
        let end = match settled.outcome {
            Outcome::Dominoed { .. } => RoundEnding::Dominoed,
            Outcome::Blocked { .. } => RoundEnding::Blocked,
            Outcome::Refused => RoundEnding::Refused,
        };
        let shown = end != RoundEnding::Refused;
        for seat in self.seats().iter() {
            self.players[seat.index()].tell(&ToBot::RoundEnd(RoundEnd {
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
        let end = match end {
            RoundEnding::Dominoed => RecordedEnding::Dominoed,
            RoundEnding::Blocked => RecordedEnding::Blocked,
            RoundEnding::Refused => RecordedEnding::Refused,
        };
        self.record_round(end, actions, Some(&settled));
    }

    fn close_round(&mut self, end: RecordedEnding, settled: Option<&Settled>) {
        let actions = self.game.entries().to_vec();
        self.record_round(end, actions, settled);
    }

    fn record_round(&mut self, end: RecordedEnding, actions: Vec<Entry>, settled: Option<&Settled>) {
        let Some(round) = self.record.rounds.last_mut() else { return };
        round.end = end;
        round.actions = actions;
        if let Some(settled) = settled {
            round.pips = settled.pips;
            round.points = settled.points;
            round.scores = settled.scores;
        }
    }

    /// Writes how the match ended and tells everybody.
    async fn end(&mut self, fault: Option<(Seat, Fault)>) -> io::Result<()> {
        self.record.scores = *self.game.scores();
        if let Some((seat, fault)) = fault {
            self.notify(seat, &fault);
            lose(&mut self.record, seat, &fault);
        } else {
            self.record.winner = self.game.leading();
            self.record.end = match self.game.finish() {
                Some(Finish::RoundLimit) => MatchEnding::RoundLimit,
                Some(Finish::Target) | None => MatchEnding::Target,
            };
        }
        if self.record.fault.is_some() || !self.record.strikes.is_empty() {
            self.record.stderr = self.stderr();
        }
        self.record.host = self.host();
        let notice =
            self.record.fault.as_ref().map(|fault| FaultNotice { seat: fault.seat, code: fault.code });
        for player in self.players.iter_mut() {
            player.tell(&ToBot::MatchEnd(MatchEnd {
                match_id: Cow::Borrowed(&self.record.id),
                scores: self.record.scores,
                winner: self.record.winner,
                end: self.record.end,
                fault: notice,
            }));
            player.flush().await?;
        }
        Ok(())
    }

    /// What is worth noting of the machine and of what the bots did with it, if anything is.
    fn host(&mut self) -> Option<Host> {
        let used = PerSeat::from_fn(self.seats(), |seat| self.players[seat.index()].off_turn());
        let is_worth_noting = |used: &Option<OffTurnUse>| used.is_some_and(|used| used.used >= MOMENT);
        let off_turn_us = used.iter().any(|(_, used)| is_worth_noting(used)).then(|| {
            PerSeat::from_fn(self.seats(), |seat| {
                used[seat].map_or(0, |used: OffTurnUse| used.used.as_micros() as u64)
            })
        });
        let stopped = used.iter().filter(|(_, used)| used.is_some_and(|used| used.stopped));
        let stopped = stopped.map(|(seat, _)| seat).collect();
        let late = if self.late >= TOO_LATE { self.late } else { Duration::ZERO };
        let host = Host { late_us: late.as_micros() as u64, off_turn_us, stopped };
        (host != Host::default()).then_some(host)
    }

    /// The tail of each bot's standard error, if any bot wrote there.
    fn stderr(&self) -> Option<PerSeat<String>> {
        let said = PerSeat::from_fn(self.seats(), |seat| self.players[seat.index()].stderr());
        let silent = said.iter().all(|(_, text)| text.is_empty());
        (!silent).then_some(said)
    }
}
