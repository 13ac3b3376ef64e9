//! With `--clock cpu` a busy machine changes no verdict. By itself in this program, because bots of other tests, with hundreds of threads
//! on the same core, would leave an honest one less than it needs in ten times its time.

use std::process::{Child, Command, Stdio};
use std::thread;

use leyden_host::platform;
use leyden_tests::arena::Arena;
use serde_json::Value;

use table::{FAKE_BOT, PATIENCE, fake, leyden, until_none_is_void};

#[allow(dead_code, reason = "most of it is for the tests of hostile bots")]
#[path = "hostile/table.rs"]
mod table;

/// Processes that only burn processor time, until they are dropped.
struct Hogs(Vec<Child>);

impl Hogs {
    fn start(count: usize) -> Self {
        let hog = || Command::new(FAKE_BOT).args(["burner", "120000"]).stdin(Stdio::null()).spawn();
        Self((0..count).map(|_| hog().expect("a hog")).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// Everything in a record that does not depend on the machine.
fn comparable(mut record: Value) -> Value {
    if let Some(record) = record.as_object_mut() {
        for field in ["think_us", "host", "stderr"] {
            record.remove(field);
        }
    }
    if let Some(fault) = record["fault"].as_object_mut() {
        // They measure the bot, and say whether its processor time was up first or, on a machine that gives it hardly any, ten times
        // that in real time.
        fault.remove("message");
        fault.remove("details");
    }
    record
}

/// The records of a tournament on one core, next to this many hogs.
fn tournament_beside(hogs: usize) -> Vec<Value> {
    let on_one_core = || {
        platform::pin_thread(&platform::allowed_cores()[..1]); // inherited by everything started here
        let _hogs = Hogs::start(hogs);
        let bots = [fake("--think-cpu-at-turn 2 --burn 100"), fake("--think-cpu-at-turn 2 --burn 2500")];
        let fixed = ["tournament", &bots[0], &bots[1], "builtin:random", "--json", "--jobs", "1"];
        let more = ["--seed", "fair", "--sandbox", "none", "--results", "r.db", "--target", "30"];
        let limits = ["--clock", "cpu", "--turn", "500ms", "--startup", "60s"];
        let words = [&fixed[..], &more, &limits].concat();
        let ran = until_none_is_void(|| Arena::new(&leyden(), &words).run(PATIENCE));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.assert_clean();
        // The order in which pairs are played is drawn.
        let mut records: Vec<Value> = ran.records().into_iter().map(comparable).collect();
        records.sort_by_key(|record| record["match"].to_string());
        records
    };
    thread::scope(|scope| scope.spawn(on_one_core).join()).expect("the run ends")
}

#[test]
fn busy_machine_changes_no_verdict_with_clock_cpu() {
    let alone: Vec<Value> = tournament_beside(0);
    assert_eq!(alone.len(), 6);
    assert_eq!(alone.iter().filter(|record| record["fault"]["code"] == "timeout").count(), 4);
    assert_eq!(tournament_beside(3), alone);
}
