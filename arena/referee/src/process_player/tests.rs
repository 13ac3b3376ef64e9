//! Bots that never rest or leave, with real processes: shells behind a supervisor that is a shell, too.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread::sleep;

use leyden_host::{BotCommand, Launcher};
use leyden_model::{SandboxLevel, Settings};
use leyden_protocol::{MatchEnd, MatchEnding, PerSeat, Seats};

use super::*;
use crate::client::tests::{match_start, turn};

/// Starts a bot as a supervisor does, but reports nothing.
const SUPERVISOR: &str = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nsetsid \"$@\"\n";

/// Is ready, and computes from then on.
const BURNER: &str =
    "read -r line; echo '{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"burner\"}'; while :; do :; done";

/// Plays one turn and leaves after its match. Started again, it leaves at its first turn. Each start adds a line to a file.
const LEAVER: &str =
    "echo >> $0/starts; read -r hello; echo '{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"leaver\"}'
    read -r match_start; read -r turn; [ $(wc -l < $0/starts) = 1 ] || exit 3
    echo '{\"type\":\"action\",\"id\":1,\"action\":\"lead:3-3\"}'; read -r match_end";

/// More than a bot may use in one go while it is stopped.
const LATE: Duration = Duration::from_millis(200);

/// Waits until the process has used this much more.
fn burn(player: &mut ProcessPlayer, more: Duration) {
    let used = |player: &mut ProcessPlayer| player.process.cpu_time(CpuReading::Exact).expect("a clock");
    let before = used(player);
    while used(player) < before + more {
        sleep(Duration::from_millis(5));
    }
}

/// How this script is started as a bot, with this folder as its `$0`.
fn launch(folder: &Path, script: &str) -> Launch {
    let supervisor = folder.join("supervisor");
    fs::write(&supervisor, SUPERVISOR).unwrap();
    fs::set_permissions(&supervisor, fs::Permissions::from_mode(0o755)).unwrap();
    let settings = Settings::new(Seats::TWO, SandboxLevel::None);
    Launch {
        launcher: Launcher::new(supervisor),
        command: BotCommand {
            program: "sh".into(),
            arguments: vec!["-c".into(), script.into(), folder.into()],
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
            network: false,
        },
        rules: settings.rules().unwrap(),
        limits: TimeLimits { startup_ms: 100_000, ..settings.limits },
        pondering: Pondering::Allowed,
        cores: 1,
    }
}

#[tokio::test]
async fn processor_use_before_late_stop_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let launch = launch(folder.path(), BURNER);
    let mut player = ProcessPlayer::start(&launch).await.unwrap().expect("it is ready");
    player.launch.pondering = Pondering::Never;
    // Its turn was too short for a look at its clock, and the arena had to wait for a processor before it could stop it.
    let end_of_turn = Instant::now();
    burn(&mut player, LATE);
    player.rest(end_of_turn, Duration::ZERO);
    sleep(MOMENT * 2);
    assert!(PlayerProcess::ran(&mut player).is_none());
    assert!(player.off_turn.used() >= LATE, "it is counted as used off turn");

    // Something continues it: that is too much.
    player.process.resume();
    burn(&mut player, LATE);
    player.process.pause();
    assert!(PlayerProcess::ran(&mut player).is_some());
    player.kill().await.unwrap();
}

#[tokio::test]
async fn bot_that_leaves_between_matches_is_restarted_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut player =
        ProcessPlayer::start(&launch(folder.path(), LEAVER)).await.unwrap().expect("it is ready");
    player.send(&match_start("first"));
    let allowance = Duration::from_secs(100);
    let answered = player.decide(&turn(1), allowance, &mut || ()).await.unwrap();
    assert!(answered.is_ok(), "{answered:?}");
    player.send(&ToBot::MatchEnd(MatchEnd {
        match_id: "first".into(),
        scores: PerSeat::default_for(Seats::TWO),
        winner: None,
        end: MatchEnding::Target,
        fault: None,
    }));
    player.flush().await.unwrap();
    player.send(&match_start("second"));
    let Err(DecisionError::Fault(fault, _)) = player.decide(&turn(1), allowance, &mut || ()).await.unwrap()
    else {
        panic!("no fault");
    };
    assert_eq!(fault.code, FaultCode::Exited);
    assert_eq!(fs::read_to_string(folder.path().join("starts")).unwrap().lines().count(), 2);
    player.kill().await.unwrap();
}
