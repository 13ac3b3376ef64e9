//! A table seats players of different kinds: a bot's process, a player without a process, and one that replays a recorded
//! match.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use leyden_host::sandbox::SandboxLevel;
use leyden_host::{BotCommand, Launcher};
use leyden_model::{
    MatchEvent, MatchHeader, MatchRecord, Pondering, RecordRules, Settings, TimeLimits, TournamentSeed,
};
use leyden_protocol::{Action, PerSeat, Seat, Seats, ToBot, Turn};
use leyden_referee::{
    Decision, DecisionResult, Launch, MatchOutcome, MatchSpec, Player, ProcessPlayer, SeatedPlayer,
    play_match,
};
use leyden_tests::arena::program;

const FAKE_BOT: &str = env!("CARGO_BIN_EXE_fake-bot");
const NAMES: [&str; 2] = ["process", "other"];

fn settings() -> Settings {
    Settings {
        limits: TimeLimits { startup_ms: 100_000, turn_ms: 100_000, ..TimeLimits::default() },
        names: true,
        pondering: Pondering::Allowed,
        ..Settings::new(Seats::TWO, SandboxLevel::None)
    }
}

fn spec() -> MatchSpec {
    let settings = settings();
    let seed = TournamentSeed::from_text("mixed table");
    let rules = RecordRules::from(&settings.rules().unwrap());
    let header = MatchHeader::new(seed.tournament_id(), seed.match_seed(&NAMES, 0), rules, (0, 0), &NAMES);
    MatchSpec::new(header, &settings).unwrap()
}

fn decided(action: Action) -> Decision {
    let (took, charged, late) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    Decision { action, note: None, took, charged, late }
}

/// Plays the last legal action, and keeps all messages.
#[derive(Default)]
struct LastLegal {
    received: Vec<String>,
}

impl Player for LastLegal {
    fn send(&mut self, message: &ToBot<'_>) {
        self.received.push(serde_json::to_string(message).unwrap());
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _allowance: Duration,
        _watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        self.received.push(serde_json::to_string(&ToBot::Turn(turn.clone())).unwrap());
        Ok(Ok(decided(*turn.legal.last().unwrap())))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Answers as recorded.
struct RecordedMatch {
    actions: VecDeque<Action>,
}

impl Player for RecordedMatch {
    fn send(&mut self, _message: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        _turn: &Turn<'_>,
        _allowance: Duration,
        _watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        Ok(Ok(decided(self.actions.pop_front().expect("it was asked as often then"))))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Plays the match, and returns its record and what each seat answered to each question.
async fn play(players: &mut [SeatedPlayer<'_>]) -> (MatchRecord, PerSeat<VecDeque<Action>>) {
    let mut answers = PerSeat::<VecDeque<Action>>::default_for(Seats::TWO);
    let mut asked = None;
    let mut listener = |event: &MatchEvent| match event {
        MatchEvent::Asked { seat, .. } => asked = Some(*seat),
        MatchEvent::Acted { entry, .. } => {
            if let Some(seat) = asked.take() {
                answers[seat].push_back(Action::from(entry.event));
            }
        }
        _ => {}
    };
    let attempt = play_match(&spec(), players, Some(&mut listener)).await.unwrap();
    let MatchOutcome::Finished(record) = attempt else { panic!("{attempt:?}") };
    (timeless(*record), answers)
}

fn timeless(mut record: MatchRecord) -> MatchRecord {
    for times in record.think_us.iter_mut() {
        times.1.fill(0);
    }
    (record.host, record.stderr) = (None, None);
    record
}

#[tokio::test]
async fn process_meets_in_process_player_and_record_replays() {
    let settings = settings();
    let launch = Launch {
        launcher: Launcher::new(program(FAKE_BOT)),
        command: BotCommand {
            program: FAKE_BOT.into(),
            arguments: Vec::new(),
            folder: None,
            reads: Vec::new(),
            lists: Vec::new(),
            network: false,
        },
        rules: settings.rules().unwrap(),
        limits: settings.limits,
        pondering: settings.pondering,
        cores: 1,
    };
    let mut process = ProcessPlayer::start(&launch).await.unwrap().unwrap();
    let mut other = LastLegal::default();
    let (record, answers) =
        play(&mut [SeatedPlayer::Process(&mut process), SeatedPlayer::Other(&mut other)]).await;
    process.kill().await.unwrap();
    assert_eq!(record.fault, None);
    assert!(record.scores.iter().any(|(_, &score)| score >= 100), "{record:?}");
    assert!(Seats::TWO.iter().all(|seat| answers[seat].len() > 5), "{answers:?}");

    // It receives what a bot receives: the start of the match, its turns, the ends of rounds and of the match.
    let types = ["match_start", "turn", "round_end", "match_end"];
    for kind in types {
        let needle = format!("\"type\":\"{kind}\"");
        assert!(other.received.iter().any(|line| line.contains(&needle)), "{kind}: {:?}", other.received);
    }

    let [first, second] = [Seat::FIRST, Seats::TWO.after(Seat::FIRST)];
    let mut process = RecordedMatch { actions: answers[first].clone() };
    let mut other = RecordedMatch { actions: answers[second].clone() };
    let (again, _) = play(&mut [SeatedPlayer::Other(&mut process), SeatedPlayer::Other(&mut other)]).await;
    assert_eq!(again, record);
}
