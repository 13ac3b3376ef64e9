//! Gets ready what a worker needs: bots that arrived, and the threads that play them.

use std::io;
use std::thread;

use leyden_host::Launcher;
use leyden_host::preflight;
use leyden_host::sandbox::{SandboxLevel, SandboxLevelChoice};
use leyden_model::job::JobReport;

use super::current_run::{BatchError, LoadedRun, NO_JOB};
use super::{BatchPlayer, PlayerInput, WorkError};
use crate::batch::{BatchSpec, Conditions, PackedBot};
use leyden_arena::CancellationToken;
use leyden_arena::roster::{self, BotPreparationError, Builder, Competitor, Grants, Sharing};
use leyden_arena::run::{Executor, Inbox, Reports, Threads};

impl BatchPlayer<'_> {
    /// Restarts the bots on new threads. Aborts running matches.
    pub(super) fn restart(&mut self) -> Result<(), WorkError> {
        let Some(mut loaded) = self.loaded.take() else { return Ok(()) };
        loaded.threads.stop();
        loaded.threads.finish();
        loaded.last.send(JobReport::Done { job: NO_JOB });
        let (threads, last) = self.threads(&loaded.bots, &loaded.launcher, &loaded.conditions)?;
        self.loaded = Some(LoadedRun { threads, last, ..loaded });
        Ok(())
    }

    /// Gets ready for another run. If the conditions are the same, keeps the bots that are ready, but restarts their processes,
    /// which may have seen the same deals.
    pub(super) fn set_up(&mut self, run: &str, conditions: &Conditions) -> Result<(), BatchError> {
        let trouble = |reason: String| BatchError::Trouble { reason, bundle: None };
        if let Some(loaded) = self.loaded.as_mut().filter(|loaded| loaded.conditions == *conditions) {
            run.clone_into(&mut loaded.run);
            return self.restart().map_err(|error| trouble(error.to_string()));
        }
        self.clear();
        let choice = SandboxLevelChoice::Exactly(conditions.level);
        let chosen = preflight::choose(&self.options.leyden, choice, conditions.limits());
        let sandbox = chosen.map_err(|error| trouble(error.to_string()))?.sandbox;
        let launcher = Launcher::new(self.options.leyden.clone()).with_sandbox(sandbox);
        let (threads, last) =
            self.threads(&[], &launcher, conditions).map_err(|error| trouble(error.to_string()))?;
        let (run, conditions) = (run.to_owned(), conditions.clone());
        self.loaded = Some(LoadedRun { run, conditions, launcher, bots: Vec::new(), threads, last });
        Ok(())
    }

    fn threads(
        &self,
        bots: &[Competitor],
        launcher: &Launcher,
        conditions: &Conditions,
    ) -> io::Result<(Threads, Reports)> {
        let inbox = Inbox::new();
        let reports = Reports::clone(inbox.reports());
        let threads =
            Threads::start(bots, launcher, self.options.jobs, conditions.cores_per_match, &reports)?;
        let hear = self.hear.clone();
        thread::Builder::new().name("reports".to_owned()).spawn(move || {
            while let Some(report) = inbox.wait().filter(|report| *report != JobReport::Done { job: NO_JOB })
            {
                drop(hear.send(PlayerInput::Report(report)));
            }
        })?;
        Ok((threads, reports))
    }

    /// Gets the bots of a batch ready.
    pub(super) fn make_ready(
        &mut self,
        spec: &BatchSpec,
        stop: &CancellationToken,
    ) -> Result<(), BatchError> {
        for packed in &spec.bots {
            let Some(loaded) = &self.loaded else { return Ok(()) };
            let is_it = |bot: &Competitor| bot.name == packed.bot.name && bot.hash == packed.bot.hash;
            if loaded.bots.iter().any(is_it) {
                continue;
            }
            let bot = self.fetch(packed, stop)?;
            if let Some(loaded) = &mut self.loaded {
                loaded.threads.add(&bot);
                loaded.bots.push(bot);
            }
        }
        Ok(())
    }

    /// Fetches a bot and makes it ready to play.
    fn fetch(&self, packed: &PackedBot, stop: &CancellationToken) -> Result<Competitor, BatchError> {
        let trouble = |reason: String| BatchError::Trouble { reason, bundle: None };
        let lacks = |reason: String| BatchError::Lacks { bot: packed.bot.name.clone(), reason };
        let Some(loaded) = &self.loaded else { return Err(trouble("no run is loaded".to_owned())) };
        let is_stopped = || stop.is_cancelled() || self.leaving.is_cancelled();
        let archive = match (&packed.bundle, &self.network) {
            (Some(bundle), Some((handle, bundles))) => {
                let unneeded = || Err(trouble("it is no longer needed".to_owned()));
                let got = handle.block_on(async {
                    tokio::select! {
                        got = bundles.get(bundle) => got.map_err(|error| BatchError::Trouble {
                            bundle: error.is_of_content().then(|| bundle.clone()),
                            reason: error.to_string(),
                        }),
                        () = stop.cancelled() => unneeded(),
                        () = self.leaving.cancelled() => unneeded(),
                    }
                });
                Some(got?)
            }
            (Some(_), None) => return Err(trouble("there is no connection".to_owned())),
            (None, _) => None,
        };
        let (expected, baggage) = (&packed.bot, &packed.baggage);
        let mut bot = Competitor::unpack(expected, baggage, archive.as_deref(), &self.options.leyden)
            .map_err(
                |error| if error.may_pass() { trouble(error.to_string()) } else { lacks(error.to_string()) },
            )?;
        let limits = loaded.conditions.build;
        let builder = Builder { launcher: &loaded.launcher, limits, stopped: &is_stopped, kept: None };
        let grants = Grants {
            read: &loaded.conditions.allow_read,
            network: &loaded.conditions.allow_network,
            sharing: Sharing::SameFiles,
        };
        bot.make_ready(builder, grants, &loaded.bots, &self.options.private).map_err(
            |error| match error {
                BotPreparationError::NotCopied(error) => trouble(error.to_string()),
                error => lacks(error.to_string()),
            },
        )?;
        if loaded.conditions.level != SandboxLevel::None {
            let all: Vec<Competitor> = loaded.bots.iter().chain([&bot]).cloned().collect();
            roster::keep_apart(&all, &[], &self.options.private).map_err(|error| lacks(error.to_string()))?;
        }
        Ok(bot)
    }

    /// Ends the loaded run, if any.
    pub(super) fn clear(&mut self) {
        if let Some(mut loaded) = self.loaded.take() {
            loaded.threads.stop();
            loaded.threads.finish();
            loaded.last.send(JobReport::Done { job: NO_JOB });
        }
    }
}
