//! A match for a terminal: what an audience is shown of it, event by event, with the layout drawn in text.
//!
//! It knows only the header of the match and these events, which contain nothing that is hidden from the audience.

use std::fmt::{self, Write};

use leyden_language::{Language, Text, text::narrate as text};
use leyden_model::projection::{Audience, Projection, ShownEvent, ShownProcess};
use leyden_model::{
    MatchHeader, MatchRecord, OpenQuestion, RecordedEnding, TableState, TurnRef, UnplayableError, replayed,
};
use leyden_protocol::{HistoryEntry, PerSeat, Seat, Tile, TileSet};
use leyden_rules::Rules;

use super::error::{ReplayError, rules_of};
use super::layout::TextLayout;
use super::narrator::Narrator;
use super::words::{self, aim, end_list, printable, round_title, score_line, set_name, time};

/// Which part of a match is narrated, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Only this round, counted from 0 as in the record, with all its deals.
    pub round: Option<u32>,
    /// Only what this seat may know; everything if `None`.
    pub seat: Option<Seat>,
    /// The width of the terminal, in columns.
    pub width: usize,
    pub language: Language,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { round: None, seat: None, width: 80, language: Language::English }
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
        let narrator = Narrator::new(PerSeat::from_fn(bots.seats(), name), None, options.language);
        Self { header, options, narrator, table: TableState::new(rules), text: String::new() }
    }

    fn take(&mut self, event: &ShownEvent) {
        let asked = self.table.asked.clone();
        let forgiven = self.table.forgiven;
        let turn_ref = self.table.next();
        let before = self.table.scores;
        self.table.take(event);
        if !self.is_requested() {
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
                self.acted(turn_ref, *entry, asked.is_some(), took_us);
                if let Some(forgiven) = forgiven {
                    let strike = self.say(text::Strike { code: forgiven.code.to_string() });
                    self.line(format_args!("        ! {strike}"));
                }
                if let Some(note) = note {
                    self.wrapped("        ", &words::note(note));
                }
            }
            ShownEvent::Settled { .. } => self.settled(event, turn_ref, asked.as_ref()),
            ShownEvent::Ended { .. } => self.ended(event),
        }
    }

    /// A seat with its bot's name.
    fn name(&self, seat: Seat) -> String {
        self.narrator.name(seat).to_owned()
    }

    fn say(&self, text: impl Text) -> String {
        self.options.language.say(text)
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}"); // writing to a String cannot fail
    }

    /// Whether the deal is part of a requested round; everything before the first deal is.
    fn is_requested(&self) -> bool {
        self.table.deals == 0 || self.options.round.is_none_or(|round| round == self.table.round)
    }

    /// The width of the seat-name column.
    fn name_width(&self) -> usize {
        let seats = self.table.rules.seats.iter();
        seats.map(|seat| self.narrator.name(seat).chars().count()).max().unwrap_or(0)
    }

    fn header(&mut self) {
        let MatchHeader { id, block, leg, rules, tournament, .. } = &self.header;
        let title = text::MatchTitle { id, block, leg, tournament };
        let (first, language) = (self.say(title), self.options.language);
        let second = self.say(text::RulesTitle {
            rules: rules.name,
            set: set_name(language, rules.set),
            target: rules.target,
            aim: aim(language, self.table.rules.better),
        });
        let seats = self.table.rules.seats.iter();
        let names: Vec<String> = seats.map(|seat| self.name(seat)).collect();
        self.line(format_args!("{first}"));
        self.line(format_args!("{second}"));
        self.wrapped(&(self.say(text::SeatsLabel) + " "), &names.join(" · "));
        if let Some(seat) = self.options.seat {
            self.line(format_args!("{}", language.say(text::SeenFrom { seat })));
        }
    }

    /// Writes a rule across the page with a title in it.
    fn title(&mut self, title: &str) {
        let rest = self.options.width.saturating_sub(title.chars().count() + 4).max(2);
        self.line(format_args!("\n── {title} {}", "─".repeat(rest)));
    }

    fn dealt(
        &mut self,
        deal: (u32, u32),
        scores: &PerSeat<u32>,
        hands: &PerSeat<Option<TileSet>>,
        undealt: Option<&[Tile]>,
    ) {
        self.title(&round_title(self.options.language, deal, scores));
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
            let labels = [self.say(text::BoneyardLabel), self.say(text::ReserveLabel)];
            let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
            let [boneyard, other] = labels.map(|label| format!("  {label:>width$}  "));
            self.wrapped(&boneyard, &list(drawable));
            if !reserve.is_empty() {
                self.wrapped(&other, &list(reserve));
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

    fn acted(&mut self, turn_ref: TurnRef, entry: HistoryEntry, was_asked: bool, took_us: Option<u64>) {
        let what = words::did(self.options.language, entry.event);
        let remark = match (self.table.hands[entry.seat], was_asked) {
            (None, _) => String::new(),
            (Some(_), false) => self.say(text::Forced),
            (Some(_), true) => took_us.map_or_else(String::new, |us| time(self.options.language, us)),
        };
        let (who, width) = (self.name(entry.seat), self.name_width());
        let line = format!("{turn_ref:>7}  {who:width$}  {what:<32} {remark:>9}");
        self.line(format_args!("{}", line.trim_end()));
    }

    fn settled(&mut self, event: &ShownEvent, turn_ref: TurnRef, asked: Option<&OpenQuestion>) {
        let ShownEvent::Settled { end, pips, points, scores, .. } = event else { return };
        if *end != RecordedEnding::NoDouble {
            self.draw_layout();
            let width = self.name_width();
            let (counts, hands) = (self.table.counts, self.table.hands);
            for (seat, count) in counts.iter() {
                let tiles = match (count, hands[seat]) {
                    (0, _) => self.say(text::NoTileLeft),
                    (_, Some(hand)) => hand.to_string(),
                    (count, None) => self.say(text::Tiles { count }),
                };
                let mut first = format!("  {:width$}  ", self.narrator.name(seat));
                if end.is_scored() {
                    let (pips, score) = (format!("{:>3}", pips[seat]), format!("{:>3}", scores[seat]));
                    first += &self.say(text::Settled { pips, points: format!("{:>4}", points[seat]), score });
                    first += "  ";
                }
                self.wrapped(&first, &tiles);
            }
        }
        if *end == RecordedEnding::Unfinished {
            let cut_short = self.say(text::CutShortAt { turn_ref: turn_ref.to_string() });
            self.line(format_args!("{cut_short}"));
            if let Some(OpenQuestion { seat, legal, .. }) = asked {
                let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
                let turn = self.say(text::TurnOf { name: self.narrator.name(*seat) });
                self.line(format_args!("{turn}"));
                self.wrapped(&format!("  {} ", self.say(text::LegalList)), &legal.join(" "));
            }
        } else if let Some(over) = self.narrator.round_over(event) {
            self.wrapped("", &over);
        }
    }

    /// The layout and what its arms show.
    fn draw_layout(&mut self) {
        let Some(layout) = &self.table.layout else { return };
        let picture = TextLayout::from_layout(self.table.rules.layout, layout);
        let ends = end_list(self.options.language, layout.arms());
        self.line(format_args!(""));
        for line in picture.draw(self.options.width.saturating_sub(2)) {
            self.line(format_args!("  {line}"));
        }
        self.line(format_args!("\n  {}  {ends}", self.options.language.say(text::EndsLabel)));
    }

    fn ended(&mut self, event: &ShownEvent) {
        let ShownEvent::Ended { scores, winner, fault, message, processes, .. } = event else { return };
        self.title(&self.say(text::EndTitle { scores: score_line(scores) }));
        if let Some((seat, code)) = fault {
            self.line(format_args!("{}", self.narrator.lost_by_fault(*seat, *code)));
            for line in message.iter().flat_map(|message| message.lines()) {
                self.wrapped("  ", &printable(line));
            }
        }
        self.line(format_args!("{}", self.narrator.winner(*winner, fault.is_some())));
        for process in processes {
            if let Some(computed) = self.narrator.off_turn(process) {
                self.line(format_args!("{computed}"));
            }
        }
        for ShownProcess { seat, stderr, .. } in processes.iter().filter(|process| !process.stderr.is_empty())
        {
            let last_lines = self.say(text::LastLines { name: self.narrator.name(*seat) });
            self.line(format_args!("\n{last_lines}"));
            for line in stderr.lines() {
                self.line(format_args!("  │ {}", printable(line)));
            }
        }
    }
}
