//! A bot that never rests, with a real process: a shell behind a supervisor that is a shell, too.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;

use leyden_host::{BotCommand, Launcher};
use leyden_model::{SandboxLevel, Settings};
use leyden_protocol::Seats;

use super::*;

/// Starts a bot as a supervisor does, but reports nothing.
const SUPERVISOR: &str = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nsetsid \"$@\"\n";

/// Is ready, and computes from then on.
const BURNER: &str =
    "read -r line; echo '{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"burner\"}'; while :; do :; done";

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

#[tokio::test]
async fn processor_use_before_late_stop_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let supervisor = folder.path().join("supervisor");
    fs::write(&supervisor, SUPERVISOR).unwrap();
    fs::set_permissions(&supervisor, fs::Permissions::from_mode(0o755)).unwrap();
    let settings = Settings::new(Seats::TWO, SandboxLevel::None);
    let launch = Launch {
        launcher: Launcher::new(supervisor),
        command: BotCommand {
            program: "sh".into(),
            arguments: ["-c", BURNER].map(Into::into).into(),
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
            network: false,
        },
        rules: settings.rules().unwrap(),
        limits: TimeLimits { startup_ms: 100_000, ..settings.limits },
        pondering: Pondering::Allowed,
        cores: 1,
    };
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
