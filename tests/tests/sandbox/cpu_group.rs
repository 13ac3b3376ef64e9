//! Bots with many threads where arena and bots share a control group for processors, as in every container and every unit with
//! accounting. Elsewhere Linux gives each session the same share, which protects the arena by accident.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::program;
use serde_json::Value;

use crate::field::{ArenaUser, AttackTargets};

/// How often a run is tried because other programs keep the machine busy.
const TRIES: u64 = 12;

/// How often in a row an attack may be void although its control is not. One that works does so every time; beside other tests a run may be
/// void because of them.
const MOST: u32 = 6;

/// One attack at a time: beside that of another test, an arena would rightly void a match.
static ONE: Mutex<()> = Mutex::new(());

/// A control group for processors; removed when dropped.
struct CpuGroup {
    path: PathBuf,
    #[expect(dead_code, reason = "held until the group is dropped")]
    alone: MutexGuard<'static, ()>,
}

impl Drop for CpuGroup {
    fn drop(&mut self) {
        for _ in 0..100 {
            if fs::remove_dir(&self.path).is_ok() {
                return;
            }
            sleep(Duration::from_millis(50)); // until the last process is reaped
        }
    }
}

impl CpuGroup {
    /// A group below ours that any of our users may enter; the error says why there is none.
    fn new(name: &str) -> Result<Self, String> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").map_err(|error| error.to_string())?;
        let own = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
        let own_path = |is_it: &dyn Fn(&str) -> bool| {
            own.lines().find_map(|line| {
                let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
                is_it(controllers).then(|| path.trim_start_matches('/').to_owned())
            })
        };
        let has_cpu = |controllers: &str| controllers.split(',').any(|controller| controller == "cpu");
        let first = mounts.lines().find_map(|line| {
            let (mount, kind) = line.split_once(" - ")?;
            let path = Path::new(mount.split(' ').nth(4)?).to_owned();
            match kind.split(' ').next()? {
                "cgroup" if has_cpu(kind.rsplit(' ').next()?) => Some(path.join(own_path(&has_cpu)?)),
                "cgroup2" => {
                    let path = path.join(own_path(&str::is_empty)?);
                    let passed_on = fs::read_to_string(path.join("cgroup.subtree_control")).ok()?;
                    passed_on.split_whitespace().any(|controller| controller == "cpu").then_some(path)
                }
                _ => None,
            }
        });
        let parent = first.ok_or("no controller for processors is passed on to the group of these tests")?;
        let path = parent.join(format!("leyden-test-{}-{name}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        // What other tests do at the same time would make matches void: this one comes first.
        for (file, most) in [("cpu.shares", "262144"), ("cpu.weight", "10000")] {
            if path.join(file).exists() {
                fs::write(path.join(file), most).map_err(|error| format!("{file}: {error}"))?;
            }
        }
        let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let group = Self { path, alone };
        fs::set_permissions(group.procs(), fs::Permissions::from_mode(0o666))
            .map_err(|error| error.to_string())?;
        Ok(group)
    }

    fn procs(&self) -> PathBuf {
        self.path.join("cgroup.procs")
    }

    /// Runs a match of two bots in the group, at a level, on one core.
    fn play(&self, who: ArenaUser, level: SandboxLevel, bots: [&str; 2], options: &[&str]) -> Output {
        let field = AttackTargets::new();
        let mut command = who.command(Path::new("/bin/sh"));
        command.args(["-c", "echo 0 >\"$0\" && exec \"$@\""]).arg(self.procs()).arg(program("leyden"));
        command.args(["match", bots[0], bots[1], "--json", "--quiet", "--jobs", "1", "--seed", "group"]);
        command.args(["--startup", "60s", "--results", &field.text("home/r.db")]);
        command.args(["--sandbox", level.name()]).args(options).current_dir("/");
        command.env("XDG_STATE_HOME", field.text("home"));
        command.output().expect("the arena runs in the group")
    }

    /// The records of a match in which the arena voided nothing. On a machine so busy that it voids a match of the control, which
    /// attacks nothing, it is tried again, and in the end nothing is shown; otherwise it may not be void time after time.
    fn records(
        &self,
        who: ArenaUser,
        level: SandboxLevel,
        [bots, control]: [[&str; 2]; 2],
        options: &[&str],
    ) -> Option<Vec<Value>> {
        let mut blamed = 0;
        for pause in 1..=TRIES {
            let said = match outcome(&self.play(who, level, bots, options)) {
                Ok(records) => return Some(records),
                Err(said) => said,
            };
            if outcome(&self.play(who, level, control, options)).is_ok() {
                blamed += 1;
                assert!(
                    blamed < MOST,
                    "{who:?} at {level}: {bots:?} made a match void {blamed} times: {said}"
                );
            }
            sleep(Duration::from_secs(pause));
        }
        eprintln!(
            "untested as {who:?} at {level}: {bots:?}: the machine is too busy to hold any bot to its time"
        );
        None
    }
}

/// The records of a match of both legs; the error is what the arena said if it voided any.
fn outcome(output: &Output) -> Result<Vec<Value>, String> {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (mut records, mut voids) = (Vec::new(), 0);
    for mut event in printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        match event["event"].as_str() {
            Some("match") => records.push(event["record"].take()),
            Some("void") => voids += 1,
            _ => {}
        }
    }
    if voids > 0 {
        return Err(said);
    }
    assert_eq!((output.status.code(), records.len()), (Some(0), 2), "{said}");
    Ok(records)
}

fn group(name: &str) -> Option<CpuGroup> {
    match CpuGroup::new(name) {
        Ok(group) => Some(group),
        Err(why) => {
            eprintln!("untested: an arena in a control group of its own: {why}");
            None
        }
    }
}

fn fake(switches: &str) -> String {
    format!("{} {switches}", program("fake-bot").display())
}

/// Every level below `full`, for whom there is one.
fn everywhere() -> impl Iterator<Item = (ArenaUser, SandboxLevel)> {
    let all = ArenaUser::everybody()
        .into_iter()
        .flat_map(|who| who.levels().into_iter().map(move |level| (who, level)));
    all.filter(|(_, level)| *level < SandboxLevel::Full)
}

/// The bot has lost by the time it took: its own, or its opponent's where a busy machine let its threads run on after they were
/// stopped.
fn assert_lost_by_time(records: &[Value], what: &str) {
    for record in records {
        let seat = usize::from(record["bots"][0] == "random");
        let code = record["fault"]["code"].as_str();
        assert!(matches!(code, Some("timeout" | "ran")), "{what}: {record}");
        assert_eq!(record["fault"]["seat"], seat, "{what}: {record}");
    }
}

/// Threads that burn until nearly all of the time is used, and then rest: at the end nobody seems to be busy.
#[test]
fn threads_that_burn_and_rest_void_no_match() {
    let Some(group) = group("void") else { return };
    // Many threads at every second level, very many at the others.
    for ((who, level), threads) in everywhere().zip([31, 120].into_iter().cycle()) {
        let bot = fake(&format!("--burst-at-turn 2 --threads {threads} --burn 850 --silent-at-turn 2"));
        // One thread that computes for as long.
        let control = fake("--think-cpu-at-turn 2 --burn 850 --silent-at-turn 2");
        let bots = [[&*bot, "builtin:random"], [&control, "builtin:random"]];
        let options = ["--turn", "1s", "--target", "30"];
        let Some(records) = group.records(who, level, bots, &options) else { continue };
        assert_lost_by_time(&records, &format!("{who:?} at {level}, {threads} threads"));
    }
}

/// A decision that takes half a second is charged as such, however late the bot makes the arena.
#[test]
fn threads_gain_no_time_on_the_bank() {
    let Some(group) = group("bank") else { return };
    for (who, level) in everywhere().step_by(2) {
        let bot = fake("--hog-at-match-start --threads 120 --wait-at-every-turn --delay 500");
        let options = ["--turn", "100ms", "--bank", "2s", "--target", "100"];
        let control = fake("--wait-at-every-turn --delay 500");
        let bots = [[&*bot, "builtin:random"], [&control, "builtin:random"]];
        let Some(records) = group.records(who, level, bots, &options) else { continue };
        assert_lost_by_time(&records, &format!("{who:?} at {level}"));
        for record in &records {
            let seat = usize::from(record["bots"][0] == "random");
            let decisions = record["think_us"][seat].as_array().map_or(0, Vec::len);
            assert!(
                decisions <= 12,
                "{who:?} at {level}: {decisions} decisions of 500 ms with a bank of 2 s"
            );
        }
    }
}

/// An opponent that would take every processor while it is not its turn.
#[test]
fn honest_bot_gets_its_time_beside_many_threads() {
    let Some(group) = group("fair") else { return };
    let honest = fake("--think-cpu-at-turn 1 --think-cpu-at-turn 2 --burn 300");
    let crowd = fake("--hog-at-turn 1 --threads 24");
    let bots = [[&*honest, &crowd], [&honest, "builtin:random"]];
    for (who, level) in everywhere().step_by(2) {
        let options = ["--turn", "500ms", "--clock", "cpu", "--target", "5"];
        for record in group.records(who, level, bots, &options).into_iter().flatten() {
            let seat = usize::from(record["bots"][0] != honest.as_str());
            assert_ne!(record["fault"]["seat"], seat, "{who:?} at {level}: {record}");
        }
    }
}
