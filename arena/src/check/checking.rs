//! Checks one bot: starts processes, shows them positions, plays with them, lets them go, and notes what it sees.

use std::time::Duration;

use leyden_model::{MatchRecord, TimeLimits};
use leyden_protocol::Seat;
use leyden_referee::{
    DecisionError, MatchOutcome, PlayerProcess, ProcessPlayer, SeatedPlayer, hello_with_unknown_words,
    play_match,
};

use super::case::CASE;
use super::failures::{failure, rule, unknown};
use super::opponent::Opponent;
use super::positions::positions;
use super::report::{CheckReport, Failure, FindingKind, FindingOutcome};
use super::request::{CheckError, CheckRequest};
use super::state::{Checking, IDLE, KEPT_STATE, SAME_SEED, SUMS, WHOLE_MATCH};
use super::tables::{CheckTable, tables};
use crate::rerun::{ReadyBot, RecordedMatch, block_on, transcript};
use leyden_model::words::counted;
use tokio_util::sync::CancellationToken;

/// How many times a check is tried if the machine is too busy.
const TRIES: u32 = 2;

/// The number of the match that is played at each table; positions come from the ones before.
pub(super) const GAME: u32 = 1_000;

/// The number of the match that is played to the usual target. Its deals make it a long one for weak and strong bots alike:
/// careful is asked 52 questions, greedy and strong about 80, while half of all matches have 40 or fewer.
const LONG_GAME: u32 = 1_142;

/// Checks a bot.
///
/// ```no_run
/// use leyden_arena::check::{CheckRequest, check};
/// use leyden_arena::rerun::{BotEnvironment, ReadyBot};
/// use leyden_model::TimeLimits;
///
/// # fn example(around: &BotEnvironment) -> Result<(), Box<dyn std::error::Error>> {
/// let ready = ReadyBot::make("bots/new", around, &mut |_| ())?;
/// let (limits, stop) = (TimeLimits::default(), around.stop.clone());
/// let report = check(&ready, &CheckRequest { limits, time: None, only: None, own_cases: true, stop })?;
/// for finding in &report.findings {
///     println!("{}: {}", finding.name, finding.problem());
/// }
/// # Ok(())
/// # }
/// ```
pub fn check(ready: &ReadyBot, request: &CheckRequest) -> Result<CheckReport, CheckError> {
    let all = tables(&ready.bot.supports);
    if all.is_empty() {
        return Err(CheckError::NoTable);
    }
    again_if_busy(|| {
        until_stopped(&request.stop, async {
            let mut checking = Checking::new(ready, request);
            let looked_at = checking.everything(&all).await;
            checking.keep_if_busy(looked_at)?;
            checking.report(&all)
        })
    })
}

/// Drops the check, and with it its processes, when it is stopped.
fn until_stopped<T>(
    stop: &CancellationToken,
    checking: impl Future<Output = Result<T, CheckError>>,
) -> Result<T, CheckError> {
    block_on(async {
        tokio::select! {
            biased;
            checked = checking => checked,
            () = stop.cancelled() => Err(CheckError::Interrupted),
        }
    })?
}

/// A machine that is busy for a moment says nothing about the bot, so the check is tried again, as in a tournament. What was
/// found before counts anyway if it was a failure, or if this was the last try.
fn again_if_busy(check: impl Fn() -> Result<CheckReport, CheckError>) -> Result<CheckReport, CheckError> {
    for _ in 0..TRIES {
        match check() {
            Ok(CheckReport { overload: Some(_), passed: true, .. }) => {}
            checked => return checked,
        }
    }
    check()
}

/// Shows a bot only the cases in its own folder.
pub fn check_cases(
    ready: &ReadyBot,
    limits: TimeLimits,
    stop: &CancellationToken,
) -> Result<CheckReport, CheckError> {
    let only = Some(CASE.to_owned());
    let request = CheckRequest { limits, time: None, only, own_cases: true, stop: stop.clone() };
    again_if_busy(|| {
        until_stopped(&request.stop, async {
            let mut checking = Checking::new(ready, &request);
            let looked_at = checking.cases().await;
            checking.keep_if_busy(looked_at)?;
            Ok(checking.into_report())
        })
    })
}

impl Checking<'_> {
    async fn everything(&mut self, all: &[CheckTable]) -> Result<(), CheckError> {
        if self.request.own_cases {
            self.cases().await?;
        }
        for (index, table) in all.iter().enumerate() {
            self.table(table).await?;
            if index == 0 {
                // Before the time is up for slow bots.
                self.unknown_words(table).await?;
                self.play_again(table).await?;
            }
        }
        match all.first().and_then(CheckTable::to_usual_target) {
            Some(table) => self.whole_match(&table).await,
            None => Ok(()),
        }
    }

    /// Shows positions of every kind at a table, then plays a match there.
    async fn table(&mut self, table: &CheckTable) -> Result<(), CheckError> {
        let game = table.game();
        let found = positions(table, self.request.limits)?;
        let requested: Vec<_> =
            found.into_iter().filter(|(kind, _)| self.is_requested(kind.name())).collect();
        let plays = self.needs_game(&game);
        if requested.is_empty() && !plays {
            return Ok(());
        }
        for (kind, _) in &requested {
            self.kinds.entry(*kind).or_default();
        }
        if self.is_over() {
            return Ok(());
        }
        self.tables += 1;
        let launch = self.ready.launch(table.rules, self.request.limits);
        let Some(mut bot) = self.start(&launch, &table.name).await? else { return Ok(()) };
        for (kind, case) in &requested {
            // Kinds already shown at another table can wait when time is short.
            let is_known = self.kinds.get(kind).is_some_and(|(passed, _)| !passed.is_empty());
            if is_known && self.is_over() {
                continue;
            }
            let answered = self.ask(&mut bot, case, &table.name).await?;
            let seen = self.kinds.entry(*kind).or_default();
            match answered {
                Ok(_) => seen.0.push(table.name.clone()),
                Err(failure) => {
                    seen.1.get_or_insert(failure);
                    self.lost += 1;
                    self.met.push((table.clone(), false));
                    return Ok(bot.kill().await?);
                }
            }
        }
        if self.is_over() || !plays {
            self.met.push((table.clone(), true));
            return self.let_go(bot).await;
        }
        let seats = table.rules.seats;
        let seat = seats.iter().nth(self.tables % seats.count()).unwrap_or(Seat::FIRST);
        self.begin();
        let record = self.play(&mut bot, (table, GAME), seat).await?;
        if self.idle.is_none() && record.fault.is_none() {
            self.watch(&mut bot).await;
        }
        let went_well = self.note_end(&game, table, seat, &record)?;
        self.met.push((table.clone(), went_well));
        if went_well {
            self.let_go(bot).await?;
        } else {
            bot.kill().await?;
        }
        if self.game.is_none() && record.fault.is_none() {
            self.game = Some((seat, record));
        }
        Ok(())
    }

    /// Whether a match should be played, for its own sake or for what else it shows.
    fn needs_game(&self, game: &str) -> bool {
        let needs_first =
            self.game.is_none() && (self.is_requested(SAME_SEED) || self.is_requested(KEPT_STATE));
        self.is_requested(game)
            || needs_first
            || self.is_requested("start")
            || SUMS.iter().any(|name| self.is_requested(name))
    }

    /// Plays a match of a table.
    pub(super) async fn play(
        &self,
        bot: &mut ProcessPlayer,
        (table, number): (&CheckTable, u32),
        seat: Seat,
    ) -> Result<MatchRecord, CheckError> {
        let spec = table.spec(number, self.request.limits);
        let seed = |seat: Seat| spec.header.seed.bot_seed(0, seat);
        let seats = table.rules.seats;
        let mut opponents: Vec<Opponent> = seats.iter().map(|seat| Opponent::seeded(seed(seat))).collect();
        let mut players: Vec<SeatedPlayer<'_>> =
            opponents.iter_mut().map(|opponent| SeatedPlayer::Other(opponent)).collect();
        players[seat.index()] = SeatedPlayer::Process(bot);
        match play_match(&spec, &mut players, None).await? {
            MatchOutcome::Finished(record) => Ok(*record),
            MatchOutcome::HostOverloaded(overload) => Err(CheckError::Busy(overload)),
        }
    }

    /// Notes the result of a match; returns whether the bot can be used further.
    pub(super) fn note_end(
        &mut self,
        name: &str,
        table: &CheckTable,
        seat: Seat,
        record: &MatchRecord,
    ) -> Result<bool, CheckError> {
        self.answers += record.think_us[seat].len() as u64;
        let slowest = record.think_us[seat].iter().copied().max().unwrap_or_default();
        self.time(Duration::from_micros(slowest), name);
        let Some(fault) = &record.fault else {
            let (deals, questions) = (record.rounds.len() as u64, record.think_us[seat].len() as u64);
            if self.is_requested(name) {
                let seen = format!(
                    "{} and {}",
                    counted(deals, "deal", "deals"),
                    counted(questions, "question", "questions")
                );
                self.find(FindingKind::Game, name, FindingOutcome::Passed, format!("{seen} at seat {seat}"));
            }
            return Ok(true);
        };
        let recorded = RecordedMatch::with_limits(record.clone(), self.request.limits);
        let lines = transcript(&recorded, seat, record.last_question())?.lines().map(str::to_owned).collect();
        self.lost += 1;
        self.fail(
            FindingKind::Game,
            name,
            Failure {
                code: Some(fault.code),
                details: fault.details.clone(),
                rule: rule(fault.code),
                table: table.name.clone(),
                lines,
                again: 0,
            },
        );
        Ok(false)
    }

    /// Watches a bot that has nothing to do.
    async fn watch(&mut self, bot: &mut ProcessPlayer) {
        let _ = bot.off_turn(); // what it needed to finish its turn
        tokio::time::sleep(IDLE).await;
        self.idle = bot.off_turn().map(|used| used.used);
    }

    /// Shows positions again, with unknown lines and fields in between, as a later protocol may have them.
    async fn unknown_words(&mut self, table: &CheckTable) -> Result<(), CheckError> {
        const NAME: &str = "unknown-words";
        if !self.is_requested(NAME) {
            return Ok(());
        }
        if self.lost > 0 || self.is_over() {
            self.find(FindingKind::Words, NAME, FindingOutcome::Skipped, self.why_skipped());
            return Ok(());
        }
        self.begin();
        let launch = self.ready.launch(table.rules, self.request.limits);
        let mut bot = match ProcessPlayer::start_with_unknown_words(&launch).await? {
            Ok(bot) => bot,
            Err(DecisionError::HostOverloaded(overload)) => return Err(CheckError::Busy(overload)),
            Err(DecisionError::Fault(fault, _)) => {
                let sent = hello_with_unknown_words(&launch.rules, &launch.limits);
                self.fail(FindingKind::Words, NAME, unknown(failure(&table.name, &fault, Vec::new()), &sent));
                return Ok(());
            }
        };
        for (_, case) in positions(table, self.request.limits)?.iter().take(3) {
            if let Err(failure) = self.ask(&mut bot, case, &table.name).await? {
                self.fail(FindingKind::Words, NAME, unknown(failure, &bot.sent_with_unknown_words()));
                return Ok(bot.kill().await?);
            }
        }
        self.find(
            FindingKind::Words,
            NAME,
            FindingOutcome::Passed,
            "ignores unknown fields and types of lines",
        );
        self.let_go(bot).await
    }

    /// Plays one match as long as those of a tournament, after everything that is shorter.
    async fn whole_match(&mut self, table: &CheckTable) -> Result<(), CheckError> {
        // The report says why it was not played.
        if !self.is_requested(WHOLE_MATCH) || self.lost > 0 || self.is_over() {
            return Ok(());
        }
        self.begin();
        let launch = self.ready.launch(table.rules, self.request.limits);
        let Some(mut bot) = self.start(&launch, WHOLE_MATCH).await? else { return Ok(()) };
        let record = self.play(&mut bot, (table, LONG_GAME), Seat::FIRST).await?;
        if self.note_end(WHOLE_MATCH, table, Seat::FIRST, &record)? {
            self.let_go(bot).await
        } else {
            Ok(bot.kill().await?)
        }
    }
}
