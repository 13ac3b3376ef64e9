//! The names of everything on the server, and which of it a worker may use.

use crate::name::WorkerName;

/// The stream of batches to be played. It has a consumer for each worker, under the worker's name.
pub(crate) const JOBS: &str = "LEYDEN_JOBS";
/// The stream of their results.
pub(crate) const RESULTS: &str = "LEYDEN_RESULTS";
/// The stream of the pieces of bundles.
pub(crate) const BUNDLES: &str = "LEYDEN_BUNDLES";

pub(crate) fn job(run: &str, worker: &WorkerName, batch: u64) -> String {
    format!("leyden.jobs.{run}.{worker}.{batch}")
}

pub(crate) fn result(run: &str, worker: &WorkerName, batch: u64, part: u64) -> String {
    format!("leyden.results.{run}.{worker}.{batch}.{part}")
}

pub(crate) fn event(run: &str, worker: &WorkerName, batch: u64) -> String {
    format!("leyden.events.{run}.{worker}.{batch}")
}

/// A worker's signs of life.
pub(crate) fn hello(worker: &str) -> String {
    format!("leyden.hello.{worker}")
}

/// Messages to one worker.
pub(crate) fn to(worker: &WorkerName) -> String {
    format!("leyden.to.{worker}")
}

/// Announcements of a run; under the name [`ROLL`] a question who is there.
pub(crate) fn call(run: &str) -> String {
    format!("leyden.call.{run}")
}

pub(crate) const ROLL: &str = "roll";

pub(crate) fn bundle(sha256: &str, piece: &str) -> String {
    format!("leyden.bundles.{sha256}.{piece}")
}

/// Where answers to a client's requests arrive: no other client's permissions cover it.
pub(crate) fn inbox(name: &str) -> String {
    format!("_INBOX_{name}")
}

/// The run, the worker, the batch and the part, if there is one, in the subject of a job, result or event.
pub(crate) fn parts(subject: &str) -> Option<(&str, WorkerName, u64, Option<u64>)> {
    let mut tokens = subject.split('.').skip(2);
    let (run, worker, batch) = (tokens.next()?, tokens.next()?.parse().ok()?, tokens.next()?.parse().ok()?);
    let part = tokens.next().map(str::parse).transpose().ok()?;
    Some((run, worker, batch, part))
}

/// Returns the `permissions` of a worker's user for the configuration of `nats-server`: what it needs and no more.
///
/// The worker can take its own jobs, publish results and events in its own name, and read all bundles. It cannot list, create
/// or change a stream or a consumer.
pub fn worker_permissions(worker: &WorkerName) -> String {
    let publish = [
        hello(worker.as_str()),
        format!("leyden.results.*.{worker}.>"),
        format!("leyden.events.*.{worker}.>"),
        format!("$JS.API.CONSUMER.INFO.{JOBS}.{worker}"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{JOBS}.{worker}"),
        format!("$JS.ACK.{JOBS}.{worker}.>"),
        format!("$JS.API.DIRECT.GET.{BUNDLES}.leyden.bundles.>"),
    ];
    let subscribe = [to(worker), "leyden.call.*".to_owned(), format!("{}.>", inbox(worker.as_str()))];
    let list = |subjects: &[String]| {
        subjects.iter().map(|subject| format!("\"{subject}\"")).collect::<Vec<_>>().join(", ")
    };
    format!("{{ publish: [{}], subscribe: [{}] }}", list(&publish), list(&subscribe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_read_back() {
        let worker: WorkerName = "node-1".parse().unwrap();
        assert_eq!(parts(&job("ab", &worker, 7)), Some(("ab", worker.clone(), 7, None)));
        assert_eq!(parts(&result("ab", &worker, 7, 3)), Some(("ab", worker.clone(), 7, Some(3))));
        for bad in ["leyden.jobs.ab", "leyden.jobs.ab.node-1.x", "leyden.results.ab.node-1.7.x", ""] {
            assert_eq!(parts(bad), None, "{bad}");
        }
    }

    #[test]
    fn worker_permissions_bear_its_name_except_two() {
        let said = worker_permissions(&"ann".parse().unwrap());
        for shared in ["leyden.call.*", "$JS.API.DIRECT.GET.LEYDEN_BUNDLES.leyden.bundles.>"] {
            assert!(said.contains(shared), "{said}");
        }
        let quoted = said.split('"').skip(1).step_by(2);
        let others = quoted.filter(|subject| !subject.contains("ann")).collect::<Vec<_>>();
        assert_eq!(others.len(), 2, "{others:?}");
    }
}
