//! Bots as they are sent, kept from one run to the next: what does not change is packed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use leyden_arena::roster::Competitor;
use leyden_model::job::JobBot;
use leyden_nats::Bundle;

use super::batch::PackedBot;
use super::error::RemoteError;
use super::speed;

/// How long a bot is kept that no run has needed.
const KEPT: Duration = Duration::from_hours(1);

/// What the runs of one program share: bots that were packed, and the speed of this machine.
#[derive(Clone, Debug, Default)]
pub struct BundleCache(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    speed: OnceLock<u32>,
    bots: Mutex<HashMap<JobBot, CarriedBot>>,
}

/// A bot in the form in which it is sent, with the bundle that it needs.
#[derive(Clone, Debug)]
pub(super) struct CarriedBot {
    pub(super) packed: PackedBot,
    pub(super) bundle: Option<Bundle>,
    /// When a run last asked for it.
    asked: Instant,
}

impl BundleCache {
    /// The speed of this machine, which is measured once.
    pub(super) fn speed(&self) -> u32 {
        *self.0.speed.get_or_init(speed::measure)
    }

    /// Packs a bot, unless that was done before.
    pub(super) fn pack(&self, bot: &Competitor) -> Result<CarriedBot, RemoteError> {
        let (name, now) = (JobBot { name: bot.name.clone(), hash: bot.hash.clone() }, Instant::now());
        let lock = || self.0.bots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get_mut(&name) {
            known.asked = now;
            return Ok(known.clone());
        }
        let (baggage, archive) = bot.pack()?;
        let bundle = archive.map(|archive| Bundle::new(&archive)).transpose()?;
        let packed =
            PackedBot { bot: name.clone(), baggage, bundle: bundle.as_ref().map(|it| it.name().to_owned()) };
        let carried = CarriedBot { packed, bundle, asked: now };
        lock().insert(name, carried.clone());
        Ok(carried)
    }

    /// Forgets the bots that have not been needed for a while.
    pub(super) fn tidy(&self) {
        let mut bots = self.0.bots.lock().unwrap_or_else(PoisonError::into_inner);
        bots.retain(|_, bot| bot.asked.elapsed() < KEPT);
    }
}
