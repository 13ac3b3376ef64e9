//! Plays the jobs from standard input, one line of JSON each, and writes its reports to standard output: the arena's threads
//! behind a pipe. `job-player LEYDEN JOBS BOT…`

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::thread;

use leyden_arena::roster::{self, Builder};
use leyden_arena::run::{Executor, Inbox, Reports, Threads};
use leyden_host::{BuildLimits, Launcher};
use leyden_model::job::JobReport;

/// A number that no job has: the last report, which is not passed on.
const NO_JOB: u64 = u64::MAX;

fn main() {
    let mut words = std::env::args().skip(1);
    let leyden = PathBuf::from(words.next().expect("the program leyden"));
    let jobs = words.next().and_then(|jobs| jobs.parse().ok()).expect("how many jobs at once");
    let mut bots = roster::find(&words.collect::<Vec<_>>(), &leyden).expect("bots").bots;
    let launcher = Launcher::new(leyden);
    for bot in &mut bots {
        bot.prepare(Builder {
            launcher: &launcher,
            limits: BuildLimits::default(),
            stopped: &|| false,
            kept: None,
        })
        .expect("a bot that can be run");
    }
    let inbox = Inbox::new();
    let reports = Reports::clone(inbox.reports());
    let reader = thread::spawn(move || {
        let mut threads = Threads::start(&bots, &launcher, jobs, 1, &reports).expect("workers");
        for line in io::stdin().lock().lines() {
            threads.start(serde_json::from_str(&line.expect("a line")).expect("a job"));
        }
        threads.finish();
        reports.send(JobReport::Done { job: NO_JOB });
    });
    let mut out = io::stdout().lock();
    while let Some(report) = inbox.wait() {
        if report == (JobReport::Done { job: NO_JOB }) {
            break;
        }
        let line = serde_json::to_string(&report).expect("a report is JSON");
        writeln!(out, "{line}").expect("somebody reads");
    }
    reader.join().expect("no panic");
}
