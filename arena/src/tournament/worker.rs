//! A worker: one thread, pinned, with its own runtime; a match and its bots run on its cores.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::SyncSender;

use leyden_protocol::{PerSeat, Seat};
use tokio::task::JoinSet;

use super::schedule::{BotIndex, Fixture};
use super::{Defect, Ended, Halt, Played, Queue, Tournament};
use crate::platform;
use crate::referee::{Failed, Launch, Live, Overload, Setting, Verdict, forfeit, play_match};

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
    queue: &Queue<'_>,
    halt: &Halt,
    sender: &SyncSender<Ended>,
) -> Result<(), Defect> {
    platform::pin_thread(cores);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    runtime.map_err(Defect::Worker)?.block_on(async {
        let mut worker = Worker { tournament, parked: VecDeque::new(), leaving: JoinSet::new() };
        let mut halted = halt.listen();
        let outcome = loop {
            if halt.is_called() {
                break Ok(());
            }
            let Some((rank, fixture)) = queue.next() else { break Ok(()) };
            let verdict = tokio::select! {
                biased;
                verdict = worker.play(&fixture) => verdict,
                _ = halted.wait_for(|&halted| halted) => break Ok(()),
            };
            match verdict {
                // Nobody listens any more only when the whole tournament is being given up.
                Ok(Verdict::Scored(record)) => {
                    drop(sender.send(Ended::Played(Box::new(Played { rank, fixture, record: *record }))));
                }
                Ok(Verdict::HostOverloaded(overload)) => {
                    drop(sender.send(Ended::Voided { rank, fixture, overload }));
                }
                Err(source) => {
                    let bots = tournament.names(&fixture).as_slice().join(" – ");
                    break Err(Defect::System { rank, bots, block: fixture.block, leg: fixture.leg, source });
                }
            }
        };
        worker.close(halt.is_called()).await;
        outcome
    })
}

struct Worker<'a> {
    tournament: &'a Tournament,
    /// Idle processes, the longest idle first.
    parked: VecDeque<(Role, Live)>,
    /// Processes that were told to leave.
    leaving: JoinSet<io::Result<()>>,
}

impl Worker<'_> {
    /// Plays a match, and again with fresh processes if the host was overloaded.
    async fn play(&mut self, fixture: &Fixture) -> io::Result<Verdict> {
        let setting = self.setting(fixture);
        let mut retries = RETRIES;
        loop {
            match self.attempt(fixture, &setting).await? {
                Verdict::HostOverloaded(overload) if retries > 0 => {
                    retries -= 1;
                    tracing::warn!(
                        "match {} is played again: {overload}",
                        setting.seed.match_id(fixture.leg)
                    );
                }
                verdict => return Ok(verdict),
            }
        }
    }

    async fn attempt(&mut self, fixture: &Fixture, setting: &Setting) -> io::Result<Verdict> {
        let roles = fixture.seating();
        let mut players = Vec::with_capacity(roles.seats().count());
        for (seat, &bot) in roles.iter() {
            match self.take((bot, fixture.leg)).await? {
                Ok(live) => players.push(live),
                Err(failed) => {
                    self.give_back(fixture, &roles, players, None);
                    return Ok(match failed {
                        Failed::Fault(fault, _) => Verdict::Scored(Box::new(forfeit(setting, seat, fault))),
                        Failed::HostOverloaded(overload) => {
                            Verdict::HostOverloaded(Overload { seat: Some(seat), ..overload })
                        }
                    });
                }
            }
        }
        let verdict = play_match(setting, &mut players).await?;
        match &verdict {
            Verdict::Scored(record) => {
                self.give_back(fixture, &roles, players, record.fault.as_ref().map(|fault| fault.seat));
            }
            // They have seen the deal, which is going to be played again.
            Verdict::HostOverloaded(_) => {
                for live in players {
                    live.kill().await?;
                }
            }
        }
        while self.leaving.try_join_next().is_some() {}
        Ok(verdict)
    }

    fn setting(&self, fixture: &Fixture) -> Setting {
        let bots = self.tournament.names(fixture);
        let names: Vec<&str> = bots.as_slice().iter().map(String::as_str).collect();
        let settings = &self.tournament.settings;
        Setting {
            rules: self.tournament.rules,
            limits: settings.limits,
            strikes: settings.strikes,
            show_names: settings.names,
            tournament: self.tournament.seed.tournament_id(),
            seed: self.tournament.seed.match_seed(&names, fixture.block),
            block: fixture.block,
            leg: fixture.leg,
            bots,
        }
    }

    /// A process for a role: the one that waits for it, or a new one.
    async fn take(&mut self, role: Role) -> io::Result<Result<Live, Failed>> {
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
        };
        Live::start(&launch).await
    }

    /// After a match: who faulted is killed, the others wait for their next match, or leave if every match is to have
    /// fresh ones.
    fn give_back(
        &mut self,
        fixture: &Fixture,
        seating: &PerSeat<BotIndex>,
        players: Vec<Live>,
        faulted: Option<Seat>,
    ) {
        for ((seat, &bot), live) in seating.iter().zip(players) {
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
