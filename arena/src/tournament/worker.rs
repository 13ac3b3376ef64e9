//! A worker: one thread, pinned, with its own runtime; a match and its bots run on its cores.

use leyden_model::{BotIndex, MatchHeader, MatchKey};
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::mpsc::SyncSender;

use leyden_host::platform;
use leyden_protocol::{PerSeat, Seat};
use tokio::task::JoinSet;

use super::defect::caught;
use super::{Defect, Ended, Hall, MatchDefect, Panic, Played, Tournament, Void, Voided};
use crate::referee::{
    Attempt, Launch, MatchSpec, NoDecision, Overload, Player, ProcessPlayer, forfeit, play_match,
};
use leyden_model::RecordRules;

/// How many idle processes a worker keeps; the one that was idle longest is closed first.
const PARKED: usize = 32;

/// How often a match is played again because the host was overloaded, before it is voided.
const RETRIES: usize = 2;

/// A process serves one bot in one leg, so that it never sees a deal twice.
type Role = (BotIndex, u32);

/// Plays matches of the queue until it is empty or the tournament is halted. No process is left when it returns.
pub(super) fn work(
    tournament: &Tournament,
    cores: &[usize],
    hall: &Hall<'_>,
    sender: &SyncSender<Ended>,
) -> Result<(), Defect> {
    platform::pin_thread(cores);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    runtime.map_err(Defect::Worker)?.block_on(async {
        let mut worker = Worker {
            tournament,
            hall,
            parked: VecDeque::new(),
            held: BTreeSet::new(),
            leaving: JoinSet::new(),
        };
        let mut halted = hall.halt.listen();
        let outcome = loop {
            if hall.halt.is_called() {
                break Ok(());
            }
            let Some((rank, fixture)) = hall.queue.next() else { break Ok(()) };
            if let Some(why) = hall.void_with_its_pair(&fixture) {
                drop(sender.send(Ended::Voided(Box::new(Voided { rank, fixture, why, played: None }))));
                continue;
            }
            let verdict = tokio::select! {
                biased;
                verdict = caught(worker.play(&fixture)) => verdict,
                _ = halted.wait_for(|&halted| halted) => break Ok(()),
            };
            if let Err(defect) = worker.tell(rank, &fixture, verdict, sender) {
                break Err(defect);
            }
        };
        worker.close(hall.halt.is_called()).await;
        outcome
    })
}

struct Worker<'a> {
    tournament: &'a Tournament,
    hall: &'a Hall<'a>,
    /// Idle processes, the longest idle first.
    parked: VecDeque<(Role, ProcessPlayer)>,
    /// Bots of which a process has used too much time while it was not its turn.
    held: BTreeSet<BotIndex>,
    /// Processes that were told to leave.
    leaving: JoinSet<io::Result<()>>,
}

impl Worker<'_> {
    /// Tells what a match came to; an error ends the tournament.
    fn tell(
        &mut self,
        rank: u64,
        fixture: &MatchKey,
        verdict: Result<io::Result<Attempt>, Panic>,
        sender: &SyncSender<Ended>,
    ) -> Result<(), Defect> {
        let fixture = *fixture;
        let void = |why| Ended::Voided(Box::new(Voided { rank, fixture, why, played: None }));
        let ended = match verdict {
            Ok(Ok(Attempt::Finished(record))) => {
                let withdrawal = self.hall.starts.note(&fixture, &record);
                let played = Ended::Played(Box::new(Played { rank, fixture, record: *record }));
                // Nobody listens any more only when the whole tournament is being given up.
                drop(sender.send(played));
                let Some(withdrawal) = withdrawal else { return Ok(()) };
                Ended::Withdrawn(withdrawal)
            }
            Ok(Ok(Attempt::HostOverloaded(overload))) => void(Void::HostOverloaded(overload)),
            Ok(Err(source)) => {
                let bots = self.tournament.names(&fixture).as_slice().join(" – ");
                return Err(Defect::System { rank, bots, block: fixture.block, leg: fixture.leg, source });
            }
            Err(panic) => {
                // Who was at the table is gone already. The others are replaced too: nobody knows what was touched.
                for (_, live) in self.parked.drain(..) {
                    self.leaving.spawn(live.kill());
                }
                let too_often = self.hall.is_too_often(&panic);
                let defect = Box::new(self.defect(&fixture, panic));
                if too_often {
                    return Err(Defect::Again(defect));
                }
                void(Void::Defect(defect))
            }
        };
        drop(sender.send(ended));
        Ok(())
    }

    fn defect(&self, fixture: &MatchKey, panic: Panic) -> MatchDefect {
        let Tournament { rules, seed, bots, .. } = self.tournament;
        let setting = self.setting(fixture);
        let seated = fixture.seating().map(|bot| {
            let bot = &bots[bot.index()];
            (bot.name.clone(), bot.words.join(" "))
        });
        MatchDefect {
            panic,
            match_id: setting.header.seed.match_id(fixture.leg),
            commitment: seed.commitment(),
            rules: RecordRules::from(rules),
            block: fixture.block,
            leg: fixture.leg,
            bots: seated.as_slice().to_vec(),
        }
    }

    /// Plays a match, and again with fresh processes if the host was overloaded.
    async fn play(&mut self, fixture: &MatchKey) -> io::Result<Attempt> {
        let setting = self.setting(fixture);
        let mut retries = RETRIES;
        loop {
            match self.attempt(fixture, &setting).await? {
                Attempt::HostOverloaded(overload) if retries > 0 => {
                    retries -= 1;
                    tracing::warn!(
                        "match {} is played again: {overload}",
                        setting.header.seed.match_id(fixture.leg)
                    );
                }
                verdict => return Ok(verdict),
            }
        }
    }

    async fn attempt(&mut self, fixture: &MatchKey, setting: &MatchSpec) -> io::Result<Attempt> {
        let roles = fixture.seating();
        let mut players = Vec::with_capacity(roles.seats().count());
        for (seat, &bot) in roles.iter() {
            let taken = match self.hall.starts.withdrawn(bot) {
                Some(withdrawal) => Err(NoDecision::from(withdrawal.fault())),
                None => self.take((bot, fixture.leg)).await?,
            };
            match taken {
                Ok(live) => players.push(live),
                Err(failed) => {
                    self.give_back(fixture, &roles, players, None);
                    // Forfeits come without a pause: those who leave get their turn here.
                    tokio::task::yield_now().await;
                    while self.leaving.try_join_next().is_some() {}
                    return Ok(match failed {
                        NoDecision::Fault(fault, _) => {
                            Attempt::Finished(Box::new(forfeit(setting, seat, &fault, None)))
                        }
                        NoDecision::HostOverloaded(overload) => {
                            Attempt::HostOverloaded(Overload { seat: Some(seat), ..overload })
                        }
                    });
                }
            }
        }
        (self.hall.on_start)(setting);
        let verdict = play_match(setting, &mut players, None).await?;
        match &verdict {
            Attempt::Finished(record) => {
                self.give_back(fixture, &roles, players, record.fault.as_ref().map(|fault| fault.seat));
            }
            // They have seen the deal, which is going to be played again.
            Attempt::HostOverloaded(_) => {
                for live in players {
                    live.kill().await?;
                }
            }
        }
        self.parked.iter_mut().for_each(|(_, live)| live.watch());
        while self.leaving.try_join_next().is_some() {}
        Ok(verdict)
    }

    fn setting(&self, fixture: &MatchKey) -> MatchSpec {
        let Tournament { settings, rules, seed, bots, .. } = self.tournament;
        let names: Vec<&str> =
            fixture.table.bots().iter().map(|bot| bots[bot.index()].name.as_str()).collect();
        let match_seed = seed.match_seed(&names, fixture.block);
        let place = (fixture.block, fixture.leg);
        let header =
            MatchHeader::new(seed.tournament_id(), match_seed, RecordRules::from(rules), place, &names);
        MatchSpec {
            header,
            rules: *rules,
            limits: settings.limits,
            strikes: settings.strikes,
            show_names: settings.names,
        }
    }

    /// A process for a role: the one that waits for it, or a new one.
    async fn take(&mut self, role: Role) -> io::Result<Result<ProcessPlayer, NoDecision>> {
        if let Some(place) = self.parked.iter().position(|(parked, _)| *parked == role)
            && let Some((_, live)) = self.parked.remove(place)
        {
            return Ok(Ok(live));
        }
        let launch = Launch {
            launcher: self.tournament.launcher.clone(),
            command: self.tournament.bots[role.0.index()].command.clone(),
            rules: self.tournament.rules,
            limits: self.tournament.settings.limits,
            pondering: self.tournament.settings.pondering,
            cores: self.tournament.cores_per_match,
        };
        let mut started = ProcessPlayer::start(&launch).await?;
        if let Ok(live) = &mut started {
            self.hall.starts.succeeded(role.0);
            if self.held.contains(&role.0) {
                live.hold();
            }
        }
        Ok(started)
    }

    /// After a match: who faulted is killed, the others wait for their next match, or leave if every match is to have
    /// fresh ones.
    fn give_back(
        &mut self,
        fixture: &MatchKey,
        seating: &PerSeat<BotIndex>,
        players: Vec<ProcessPlayer>,
        faulted: Option<Seat>,
    ) {
        for ((seat, &bot), live) in seating.iter().zip(players) {
            if live.is_held() {
                self.held.insert(bot);
            }
            if faulted == Some(seat) {
                self.leaving.spawn(live.kill());
            } else if self.tournament.settings.fresh {
                self.leaving.spawn(live.end());
            } else {
                self.parked.push_back(((bot, fixture.leg), live));
            }
        }
        while self.parked.len() > PARKED
            && let Some((_, live)) = self.parked.pop_front()
        {
            self.leaving.spawn(live.end());
        }
    }

    /// Waits until no process is left: in peace, or at once.
    async fn close(mut self, at_once: bool) {
        for (_, live) in self.parked {
            if at_once {
                self.leaving.spawn(live.kill())
            } else {
                self.leaving.spawn(live.end())
            };
        }
        while self.leaving.join_next().await.is_some() {}
    }
}

#[cfg(test)]
mod tests;
