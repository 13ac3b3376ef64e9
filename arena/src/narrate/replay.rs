//! A match for a terminal: what an audience is shown of it, event by event, with the layout drawn in text.
//!
//! It knows only the header of the match and these events, which contain nothing that is hidden from the audience.

use std::fmt::{self, Write};

use leyden_model::projection::{Audience, Projection, ShownEvent, ShownProcess};
use leyden_model::words::{counted, took};
use leyden_model::{
    MatchHeader, MatchRecord, OpenQuestion, RecordedEnding, TableState, TurnRef, UnplayableError, replayed,
};
use leyden_protocol::{Action, End, HistoryAction, HistoryEntry, Lay, PerSeat, Seat, Tile, TileSet};
use leyden_rules::Rules;

use super::error::{ReplayError, rules_of};
use super::layout::TextLayout;
use super::narrator::Narrator;
use super::words::{aim, end_number, printable, score_line};

/// Which part of a match is narrated, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Only this round, counted from 0 as in the record, with all its deals.
    pub round: Option<u32>,
    /// Only what this seat may know; everything if `None`.
    pub seat: Option<Seat>,
    /// The width of the terminal, in columns.
    pub width: usize,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { round: None, seat: None, width: 80 }
    }
}

/// Narrates a match as text.
pub fn replay(record: &MatchRecord, options: ReplayOptions) -> Result<String, ReplayError> {
    let seats = record.bots.seats();
    if let Some(seat) = options.seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let rounds = record.rounds.last().map_or(0, |last| last.round + 1);
    if let Some(round) = options.round.filter(|&round| round >= rounds) {
        return Err(ReplayError::NoRound { id: record.id.clone(), round, rounds });
    }
    let rules = rules_of(record)?;
    let broken =
        |UnplayableError { round, action }| ReplayError::Unplayable { id: record.id.clone(), round, action };
    let mut projection = Projection::new(options.seat.map_or(Audience::Organiser, Audience::Seat));
    let mut replay = Replay::new(record.header(), options, &rules);
    for event in replayed(record).map_err(broken)? {
        if let Some(shown) = projection.show(&event) {
            replay.take(&shown);
        }
    }
    Ok(replay.text)
}

/// A replay in progress.
struct Replay {
    header: MatchHeader,
    options: ReplayOptions,
    narrator: Narrator,
    table: TableState,
    text: String,
}

impl Replay {
    fn new(header: MatchHeader, options: ReplayOptions, rules: &Rules) -> Self {
        let bots = &header.bots;
        let name = |seat: Seat| format!("{seat} {}", printable(&bots[seat]));
        let narrator = Narrator::new(PerSeat::from_fn(bots.seats(), name), None);
        Self { header, options, narrator, table: TableState::new(rules), text: String::new() }
    }

    fn take(&mut self, event: &ShownEvent) {
        let asked = self.table.asked.clone();
        let forgiven = self.table.forgiven;
        let place = self.table.next();
        let before = self.table.scores;
        self.table.take(event);
        if !self.is_wanted() {
            return;
        }
        match event {
            ShownEvent::Started { .. } => self.header(),
            ShownEvent::Dealt { round, redeal, hands, undealt, .. } => {
                self.dealt((*round, *redeal), &before, hands, undealt.as_deref());
            }
            ShownEvent::Asked { .. } | ShownEvent::Struck { .. } => {}
            ShownEvent::Acted { entry, took_us, note } => {
                let took_us = took_us.or(forgiven.map(|forgiven| forgiven.took_us));
                self.acted(place, *entry, asked.is_some(), took_us);
                if let Some(forgiven) = forgiven {
                    let code = forgiven.code;
                    self.line(format_args!(
                        "        ! strike: {code}; the first legal action was played instead"
                    ));
                }
                if let Some(note) = note {
                    self.wrapped("        ", &format!("“{}”", printable(note)));
                }
            }
            ShownEvent::Settled { .. } => self.settled(event, place, asked.as_ref()),
            ShownEvent::Ended { .. } => self.ended(event),
        }
    }

    /// A seat with its bot's name.
    fn name(&self, seat: Seat) -> String {
        self.narrator.name(seat).to_owned()
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}"); // writing to a String cannot fail
    }

    /// Whether the deal is part of a requested round; everything before the first deal is.
    fn is_wanted(&self) -> bool {
        self.table.deals == 0 || self.options.round.is_none_or(|round| round == self.table.round)
    }

    /// The width of the seat-name column.
    fn name_width(&self) -> usize {
        let seats = self.table.rules.seats.iter();
        seats.map(|seat| self.narrator.name(seat).chars().count()).max().unwrap_or(0)
    }

    fn header(&mut self) {
        let MatchHeader { id, block, leg, rules, tournament, .. } = &self.header;
        let first = format!("match {id} · block {block}, leg {leg} · tournament {tournament}");
        let better = aim(self.table.rules.better);
        let second = format!("{} with {}, to {} points: {better}", rules.name, rules.set, rules.target);
        let seats = self.table.rules.seats.iter();
        let names: Vec<String> = seats.map(|seat| self.name(seat)).collect();
        self.line(format_args!("{first}"));
        self.line(format_args!("{second}"));
        self.wrapped("seats: ", &names.join(" · "));
        if let Some(seat) = self.options.seat {
            self.line(format_args!("as seen from seat {seat}"));
        }
    }

    /// Writes a rule across the page with a title in it.
    fn title(&mut self, title: &str) {
        let rest = self.options.width.saturating_sub(title.chars().count() + 4).max(2);
        self.line(format_args!("\n── {title} {}", "─".repeat(rest)));
    }

    fn dealt(
        &mut self,
        (round, redeal): (u32, u32),
        scores: &PerSeat<u32>,
        hands: &PerSeat<Option<TileSet>>,
        undealt: Option<&[Tile]>,
    ) {
        let again = if redeal > 0 { format!(", dealt again ({redeal})") } else { String::new() };
        self.title(&format!("round {}{again} · scores {}", round + 1, score_line(scores)));
        let width = self.name_width();
        for (seat, hand) in hands.iter() {
            if let Some(hand) = hand {
                self.wrapped(&format!("  {:width$}  ", self.narrator.name(seat)), &hand.to_string());
            }
        }
        if let Some(undealt) = undealt {
            let (drawable, reserve) =
                undealt.split_at(undealt.len().saturating_sub(self.table.rules.reserve.into()));
            let list = |tiles: &[Tile]| tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            self.wrapped("  boneyard  ", &list(drawable));
            if !reserve.is_empty() {
                self.wrapped("   reserve  ", &list(reserve));
            }
        }
        self.line(format_args!(""));
    }

    /// Writes a text in as many lines as it needs, broken at blanks and aligned behind `first`.
    fn wrapped(&mut self, first: &str, text: &str) {
        let indent = first.chars().count().min(self.options.width / 2);
        let mut line = first.to_owned();
        let mut empty = true;
        for word in text.split(' ') {
            if !empty && line.chars().count() + 1 + word.chars().count() > self.options.width {
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

    fn acted(&mut self, place: TurnRef, entry: HistoryEntry, was_asked: bool, took_us: Option<u64>) {
        let what = self.in_columns(entry);
        let remark = match (self.table.hands[entry.seat], was_asked) {
            (None, _) => String::new(),
            (Some(_), false) => "forced".to_owned(),
            (Some(_), true) => took_us.map_or_else(String::new, took),
        };
        let (who, width) = (self.name(entry.seat), self.name_width());
        let line = format!("{place:>7}  {who:width$}  {what:<32} {remark:>9}");
        self.line(format_args!("{}", line.trim_end()));
    }

    /// What a seat did, for the column after its name: plays in the notation of records, with the end that they leave.
    fn in_columns(&self, entry: HistoryEntry) -> String {
        if let HistoryAction::Play(arm, lay) = entry.event {
            let across = if matches!(lay, Lay::Across(_)) { " across" } else { "" };
            let (action, end) = (Action::Play(arm, lay), end_number(End::left_by(lay)));
            return format!("{action}{across}, end {end}");
        }
        let act = self.narrator.act(entry);
        act.strip_prefix(self.narrator.name(entry.seat)).unwrap_or(&act).trim_start().to_owned()
    }

    fn settled(&mut self, event: &ShownEvent, place: TurnRef, asked: Option<&OpenQuestion>) {
        let ShownEvent::Settled { end, pips, points, scores, .. } = event else { return };
        if *end != RecordedEnding::NoDouble {
            self.draw_layout();
            let width = self.name_width();
            let (counts, hands) = (self.table.counts, self.table.hands);
            for (seat, count) in counts.iter() {
                let tiles = match (count, hands[seat]) {
                    (0, _) => "no tile left".to_owned(),
                    (_, Some(hand)) => hand.to_string(),
                    (count, None) => counted(*count, "tile", "tiles"),
                };
                let mut first = format!("  {:width$}  ", self.narrator.name(seat));
                if end.is_scored() {
                    let (pips, points, score) = (pips[seat], points[seat], scores[seat]);
                    let _ = write!(first, "{pips:>3} pips {points:>4} points  score {score:>3}  ");
                }
                self.wrapped(&first, &tiles);
            }
        }
        if *end == RecordedEnding::Unfinished {
            self.line(format_args!("The match was cut short at {place}."));
            if let Some(OpenQuestion { seat, legal, .. }) = asked {
                let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
                let name = self.name(*seat);
                self.line(format_args!("It was the turn of {name}."));
                self.wrapped("  legal: ", &legal.join(" "));
            }
        } else if let Some(over) = self.narrator.round_over(event) {
            self.wrapped("", &over);
        }
    }

    /// The layout and what its arms show.
    fn draw_layout(&mut self) {
        let Some(layout) = &self.table.layout else { return };
        let picture = TextLayout::from_layout(self.table.rules.layout, layout);
        let ends: Vec<String> =
            layout.arms().iter().map(|(arm, end)| format!("{} {}", arm.letter(), end_number(end))).collect();
        self.line(format_args!(""));
        for line in picture.draw(self.options.width.saturating_sub(2)) {
            self.line(format_args!("  {line}"));
        }
        self.line(format_args!("\n  ends  {}", ends.join(" · ")));
    }

    fn ended(&mut self, event: &ShownEvent) {
        let ShownEvent::Ended { scores, winner, fault, message, processes, .. } = event else { return };
        self.title(&format!("end · scores {}", score_line(scores)));
        if let Some((seat, code)) = fault {
            self.line(format_args!("{}", self.narrator.lost_by_fault(*seat, *code)));
            for line in message.iter().flat_map(|message| message.lines()) {
                self.wrapped("  ", &printable(line));
            }
        }
        self.line(format_args!("{}", self.narrator.winner(*winner, fault.is_some())));
        for ShownProcess { seat, off_turn_us, stopped, .. } in processes {
            if *off_turn_us > 0 || *stopped {
                let then = if *stopped { ", and was stopped then" } else { "" };
                let (name, used) = (self.name(*seat), took(*off_turn_us));
                self.line(format_args!("{name} computed {used} while it was not its turn{then}"));
            }
        }
        for ShownProcess { seat, stderr, .. } in processes.iter().filter(|process| !process.stderr.is_empty())
        {
            let name = self.name(*seat);
            self.line(format_args!("\nthe last lines that {name} wrote to its standard error:"));
            for line in stderr.lines() {
                self.line(format_args!("  │ {}", printable(line)));
            }
        }
    }
}
