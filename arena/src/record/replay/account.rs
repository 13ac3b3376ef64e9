//! The text of a replay, written while the match is played once more.

use std::fmt::{self, Write};

use leyden_protocol::{Action, Better, End, Event, PerSeat, Seat, TileSet};
use leyden_rules::{Dealt, Deck, Legal, Match, Rules};

use super::layout::Layout;
use super::{ReplayError, Telling};
use leyden_model::{Host, MatchRecord, RecordedEnding, RoundRecord};

/// An account as far as it was told.
pub(super) struct Account<'a> {
    record: &'a MatchRecord,
    telling: Telling,
    rules: &'a Rules,
    game: Match,
    /// For each seat, how many of its times were told.
    timed: PerSeat<usize>,
    text: String,
}

impl<'a> Account<'a> {
    pub(super) fn of(
        record: &'a MatchRecord,
        telling: Telling,
        rules: &'a Rules,
    ) -> Result<String, ReplayError> {
        let mut account = Self {
            record,
            telling,
            rules,
            game: Match::new(rules),
            timed: PerSeat::default_for(rules.seats),
            text: String::new(),
        };
        account.header();
        for (index, round) in record.rounds.iter().enumerate() {
            account.round(index, round)?;
        }
        if telling.round.is_none_or(|round| record.rounds.last().is_none_or(|last| last.round == round)) {
            account.ending();
        }
        Ok(account.text)
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}"); // writing to a String cannot fail
    }

    /// Whether a seat's secrets may be told.
    fn sees(&self, seat: Seat) -> bool {
        self.telling.seat.is_none_or(|viewer| viewer == seat)
    }

    fn told(&self, round: &RoundRecord) -> bool {
        self.telling.round.is_none_or(|wanted| wanted == round.round)
    }

    /// A seat with its bot's name.
    fn name(&self, seat: Seat) -> String {
        format!("{seat} {}", printable(&self.record.bots[seat]))
    }

    /// The columns that the names of seats take.
    fn name_width(&self) -> usize {
        self.record.bots.seats().iter().map(|seat| self.name(seat).chars().count()).max().unwrap_or(0)
    }

    fn header(&mut self) {
        let MatchRecord { id, block, leg, rules, tournament, .. } = self.record;
        let better = match self.rules.better {
            Better::Lower => "the lower score wins",
            Better::Higher => "the higher score wins",
        };
        self.line(format_args!("match {id} · block {block}, leg {leg} · tournament {tournament}"));
        self.line(format_args!("{} with {}, to {} points: {better}", rules.name, rules.set, rules.target));
        let names: Vec<String> = self.record.bots.seats().iter().map(|seat| self.name(seat)).collect();
        self.wrapped("seats: ", &names.join(" · "));
        if let Some(seat) = self.telling.seat {
            self.line(format_args!("as seen from seat {seat}"));
        }
    }

    /// A line across the page with a title in it.
    fn title(&mut self, title: &str) {
        let rest = self.telling.width.saturating_sub(title.chars().count() + 4).max(2);
        self.line(format_args!("\n── {title} {}", "─".repeat(rest)));
    }

    fn round(&mut self, index: usize, round: &RoundRecord) -> Result<(), ReplayError> {
        let broken = |action| ReplayError::Broken { id: self.record.id.clone(), round: index, action };
        let told = self.told(round);
        let deck = Deck::new(self.rules.set, &round.deck).map_err(|_| broken(0))?;
        if told {
            let scores = scores(self.game.scores());
            let again =
                if round.redeal > 0 { format!(", dealt again ({})", round.redeal) } else { String::new() };
            self.title(&format!("round {}{again} · scores {scores}", round.round));
        }
        if self.game.finish().is_some() || self.game.round().is_some() {
            return Err(broken(0));
        }
        if self.game.deal(&deck) == Dealt::NoDouble {
            if told {
                self.dealt_hands(&deck);
                self.line(format_args!("no double that could be led: dealt again"));
            }
            return Ok(());
        }
        if told {
            self.dealt_hands(&deck);
        }
        let mut layout = None;
        for action in 0..round.actions.len() {
            self.action(index, round, action, &mut layout)?;
        }
        if told {
            self.table(layout.as_ref());
            self.outcome(round);
        }
        self.game.settle();
        Ok(())
    }

    fn dealt_hands(&mut self, deck: &Deck) {
        let (hand, width) = (usize::from(self.rules.hand), self.name_width());
        for (seat, tiles) in self.rules.seats.iter().zip(deck.tiles().chunks(hand)) {
            if self.sees(seat) {
                let tiles: TileSet = tiles.iter().copied().collect();
                self.wrapped(&format!("  {:width$}  ", self.name(seat)), &tiles.to_string());
            }
        }
        if self.telling.seat.is_none() {
            let boneyard = &deck.tiles()[hand * self.rules.seats.count()..];
            let drawable = boneyard.len() - usize::from(self.rules.reserve);
            let list = |tiles: &[leyden_protocol::Tile]| {
                tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
            };
            self.wrapped("  boneyard  ", &list(&boneyard[..drawable]));
            if self.rules.reserve > 0 {
                self.wrapped("   reserve  ", &list(&boneyard[drawable..]));
            }
        }
        self.line(format_args!(""));
    }

    /// Writes a text in as many lines as it needs, broken at blanks, all below each other behind `first`.
    fn wrapped(&mut self, first: &str, text: &str) {
        let indent = first.chars().count().min(self.telling.width / 2);
        let mut line = first.to_owned();
        let mut empty = true;
        for word in text.split(' ') {
            if !empty && line.chars().count() + 1 + word.chars().count() > self.telling.width {
                self.line(format_args!("{}", line.trim_end()));
                (line, empty) = (" ".repeat(indent), true);
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        self.line(format_args!("{}", line.trim_end()));
    }

    fn action(
        &mut self,
        index: usize,
        round: &RoundRecord,
        number: usize,
        layout: &mut Option<Layout>,
    ) -> Result<(), ReplayError> {
        let broken = || ReplayError::Broken { id: self.record.id.clone(), round: index, action: number };
        let entry = round.actions[number];
        let state = *self.game.round().ok_or_else(broken)?;
        let action = Action::from(entry.event);
        let asked = state.legal().len() > 1;
        if state.to_act() != Some(entry.seat) || self.game.apply(action).is_err() {
            return Err(broken());
        }
        match (action, layout.as_mut()) {
            (Action::Lead(double), _) => *layout = Some(Layout::new(self.rules.layout, double)),
            (Action::Play(arm, lay), Some(layout)) => layout.play(arm, lay),
            _ => {}
        }
        let time = asked.then(|| self.next_time(entry.seat)).flatten();
        if !self.told(round) {
            return Ok(());
        }
        let shown = self.telling.seat.map_or(entry, |viewer| entry.seen_by(viewer));
        let remark = match (self.sees(entry.seat), asked, time) {
            (false, ..) | (true, true, None) => String::new(),
            (true, false, _) => "forced".to_owned(),
            (true, true, Some(us)) => duration(us),
        };
        let (who, width) = (self.name(entry.seat), self.name_width());
        let what = self.in_words(shown.event);
        let line = format!("{:>4}  {who:width$}  {what:<32} {remark:>9}", number + 1);
        self.line(format_args!("{}", line.trim_end()));
        self.remarks(index, number, entry.seat);
        Ok(())
    }

    /// What the arena measured for the next decision of a seat.
    fn next_time(&mut self, seat: Seat) -> Option<u64> {
        let place = self.timed[seat];
        self.timed[seat] += 1;
        self.record.think_us[seat].get(place).copied()
    }

    fn in_words(&self, event: Event) -> String {
        match event {
            Event::Lead(double) => format!("leads {}", double.tile()),
            Event::Play(arm, lay) => {
                let end = self.game.round().and_then(|round| round.arms().get(arm));
                let across = if matches!(lay, leyden_protocol::Lay::Across(_)) { " across" } else { "" };
                let action = Action::Play(arm, lay);
                format!(
                    "{action}{across}{}",
                    end.map_or_else(String::new, |end| format!(", end {}", shown(end)))
                )
            }
            Event::Draw(Some(tile)) => format!("draws {tile}"),
            Event::Draw(None) => "draws a tile".to_owned(),
            Event::Pass => "passes".to_owned(),
            Event::Refuse => "refuses to lead".to_owned(),
        }
    }

    fn remarks(&mut self, round: usize, action: usize, seat: Seat) {
        if !self.sees(seat) {
            return;
        }
        let here = |r: u32, a: u32| (r as usize, a as usize) == (round, action);
        let record = self.record;
        for strike in record.strikes.iter().filter(|strike| here(strike.round, strike.action)) {
            self.line(format_args!(
                "      ! strike: {}; the first legal action was played instead",
                strike.code
            ));
        }
        for note in record.notes.iter().filter(|note| here(note.round, note.action)) {
            self.wrapped("      ", &format!("“{}”", printable(&note.text)));
        }
    }

    /// The layout and the hands as they are now.
    fn table(&mut self, layout: Option<&Layout>) {
        let Some(round) = self.game.round().copied() else { return };
        if let Some(layout) = layout {
            self.line(format_args!(""));
            for line in layout.draw(self.telling.width.saturating_sub(2)) {
                self.line(format_args!("  {line}"));
            }
            let ends: Vec<String> =
                round.arms().iter().map(|(arm, end)| format!("{} {}", arm.letter(), shown(end))).collect();
            self.line(format_args!("\n  ends  {}", ends.join(" · ")));
        }
    }

    fn outcome(&mut self, round: &RoundRecord) {
        let Some(state) = self.game.round().copied() else { return };
        let width = self.name_width();
        let open = !matches!(round.end, RecordedEnding::Unfinished | RecordedEnding::Refused);
        for (seat, hand) in state.hands().iter() {
            let tiles = match hand.len() {
                0 => "no tile left".to_owned(),
                _ if open || self.sees(seat) => hand.to_string(),
                1 => "1 tile".to_owned(),
                count => format!("{count} tiles"),
            };
            let mut first = format!("  {:width$}  ", self.name(seat));
            if open {
                let (pips, points, score) = (round.pips[seat], round.points[seat], round.scores[seat]);
                let _ = write!(first, "{pips:>3} pips {points:>4} points  score {score:>3}  ");
            }
            self.wrapped(&first, &tiles);
        }
        let winner = state.outcome().and_then(leyden_rules::Outcome::winner).map(|seat| self.name(seat));
        match (round.end, winner) {
            (RecordedEnding::Dominoed, Some(winner)) => self.line(format_args!("dominoed: {winner} is out")),
            (RecordedEnding::Blocked, winner) => {
                let why = if state.nothing_fits() {
                    "no tile that is left fits"
                } else {
                    "nobody can play or draw"
                };
                let lightest = winner.map_or_else(
                    || "the lightest hands are equal".to_owned(),
                    |winner| format!("{winner} has the lightest hand"),
                );
                self.wrapped("blocked: ", &format!("{why}; {lightest}"));
            }
            (RecordedEnding::Refused, _) => self.line(format_args!("nobody leads: dealt again")),
            (RecordedEnding::Unfinished, _) => self.last_question(&state),
            _ => {}
        }
    }

    /// What was asked when the match broke off.
    fn last_question(&mut self, state: &leyden_rules::Round) {
        let Some(seat) = state.to_act() else { return };
        self.line(format_args!("unfinished: it was {}'s turn", self.name(seat)));
        if self.sees(seat) {
            let legal: Vec<String> = Legal::iter(&state.legal()).map(|action| action.to_string()).collect();
            self.wrapped("  legal: ", &legal.join(" "));
        }
    }

    fn ending(&mut self) {
        let record = self.record;
        self.title(&format!("end · scores {}", scores(&record.scores)));
        if let Some(fault) = &record.fault {
            let who = if record.bots.seats().has(fault.seat) {
                self.name(fault.seat)
            } else {
                fault.seat.to_string()
            };
            self.line(format_args!("{who} lost by a fault: {}", fault.code));
            if self.sees(fault.seat) {
                for line in fault.message.lines() {
                    self.wrapped("  ", &printable(line));
                }
            }
        }
        match record.winner {
            Some(winner) => self.line(format_args!("{} wins", self.name(winner))),
            None if record.fault.is_some() => self.line(format_args!("nobody wins")),
            None => self.line(format_args!("drawn: nobody wins")),
        }
        if let Some(host) = &record.host {
            self.off_turn(host);
        }
        for (seat, said) in record.stderr.iter().flat_map(PerSeat::iter) {
            if said.is_empty() || !self.sees(seat) {
                continue;
            }
            self.line(format_args!("\nthe last that {} wrote to its standard error:", self.name(seat)));
            for line in said.lines() {
                self.line(format_args!("  │ {}", printable(line)));
            }
        }
    }

    /// What the bots computed while it was not their turn.
    fn off_turn(&mut self, host: &Host) {
        for seat in self.record.bots.seats().iter().filter(|&seat| self.sees(seat)).collect::<Vec<_>>() {
            let used = host.off_turn_us.as_ref().map_or(0, |used| used[seat]);
            let stopped = host.stopped.contains(&seat);
            if used > 0 || stopped {
                let then = if stopped { ", and was stopped then" } else { "" };
                let name = self.name(seat);
                self.line(format_args!("{name} computed {} while it was not its turn{then}", duration(used)));
            }
        }
    }
}

fn scores(scores: &PerSeat<u32>) -> String {
    scores.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
}

fn shown(end: End) -> String {
    match end {
        End::Pip(pip) => pip.to_string(),
        End::Across(matador) => format!("{} or {}", matador.low(), matador.high()),
    }
}

/// A time in the unit that suits it.
fn duration(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}

/// A text by others, made safe for a terminal.
fn printable(text: &str) -> String {
    leyden_protocol::printable(text.as_bytes(), 4_000)
}
