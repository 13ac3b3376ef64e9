//! The messages between a run and its workers: batches of jobs with the bots they need, and reports.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use leyden_host::sandbox::SandboxLevel;
use leyden_host::{BuildLimits, ResourceLimits};
use leyden_model::job::{Job, JobBot, JobReport};
use serde::de::{DeserializeOwned, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use leyden_arena::roster::PortableBot;

/// The largest batch, in bytes, before it was compressed.
const MOST_BYTES: u64 = 1 << 30;

/// The largest reply about one job, in bytes, before it was compressed: ten times the record of a long match.
pub(super) const MOST_OF_JOB: u64 = 1 << 20;

/// The most reports in a reply.
pub(super) const MOST_REPORTS: usize = 1 << 14;

/// The conditions of play, the same for every job of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conditions {
    pub(super) level: SandboxLevel,
    memory: u64,
    tasks: u64,
    descriptors: u64,
    scratch: u64,
    #[serde(flatten)]
    pub(super) build: BuildLimits,
    pub(super) allow_read: Vec<PathBuf>,
    #[serde(default)]
    pub(super) allow_network: Vec<String>,
    pub(super) cores_per_match: usize,
}

impl Conditions {
    pub(super) fn new(
        level: SandboxLevel,
        limits: ResourceLimits,
        build: BuildLimits,
        (allow_read, allow_network): (Vec<PathBuf>, Vec<String>),
        cores_per_match: usize,
    ) -> Self {
        let ResourceLimits { memory, tasks, descriptors, scratch } = limits;
        Self { level, memory, tasks, descriptors, scratch, build, allow_read, allow_network, cores_per_match }
    }

    pub(super) fn limits(&self) -> ResourceLimits {
        let Self { memory, tasks, descriptors, scratch, .. } = *self;
        ResourceLimits { memory, tasks, descriptors, scratch }
    }
}

/// A bot in the form in which it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PackedBot {
    pub(super) bot: JobBot,
    pub(super) baggage: PortableBot,
    /// The name of the bundle with its archive.
    pub(super) bundle: Option<String>,
}

/// A batch of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BatchSpec {
    pub(super) conditions: Conditions,
    /// The speed of the worker, in hundredths of the director's speed.
    pub(super) speed: u32,
    pub(super) bots: Vec<PackedBot>,
    pub(super) jobs: Vec<Job>,
}

/// The answer to a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum BatchReply {
    Reports(#[serde(deserialize_with = "reports")] Vec<JobReport>),
    /// The batch cannot be played because of this bot.
    Lacks {
        bot: String,
        reason: String,
    },
    /// The batch could not be played, for a reason that may pass. `bundle` names a bundle that arrived damaged.
    Trouble {
        reason: String,
        bundle: Option<String>,
    },
}

pub(super) fn pack<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&serde_json::to_vec(value)?)?;
    packed.finish()
}

/// Reads a batch from the coordinator, which a worker trusts.
pub(super) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    unpack_up_to(bytes, MOST_BYTES)
}

/// Reads a message of at most this many bytes. No more than that is unpacked.
pub(super) fn unpack_up_to<T: DeserializeOwned>(bytes: &[u8], most: u64) -> io::Result<T> {
    let mut text = Vec::new();
    DeflateDecoder::new(bytes).take(most + 1).read_to_end(&mut text)?;
    if text.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(serde_json::from_slice(&text)?)
}

/// Reads at most [`MOST_REPORTS`] reports: in memory, short ones take many times their length.
fn reports<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<JobReport>, D::Error> {
    struct Reports;
    impl<'de> Visitor<'de> for Reports {
        type Value = Vec<JobReport>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {MOST_REPORTS} reports")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut reports = Vec::new();
            while let Some(report) = list.next_element()? {
                if reports.len() == MOST_REPORTS {
                    return Err(A::Error::invalid_length(reports.len() + 1, &self));
                }
                reports.push(report);
            }
            Ok(reports)
        }
    }
    list.deserialize_seq(Reports)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_data_is_restored_and_garbage_is_refused() {
        let answer = BatchReply::Reports(vec![JobReport::Done { job: 7 }]);
        assert_eq!(unpack::<BatchReply>(&pack(&answer).unwrap()).unwrap(), answer);
        assert!(unpack::<BatchReply>(b"rubbish").is_err());
        assert!(unpack::<BatchReply>(&pack(&"other").unwrap()).is_err());
    }
}
