//! The text of a replay: what an audience is shown of a match, event by event, in words.
//!
//! It knows only the header of the match and these events, which contain nothing that is hidden from the audience.

use std::fmt::{self, Write};

use leyden_model::projection::{ShownEvent, ShownProcess};
use leyden_model::{MatchHeader, RecordedEnding, TurnRef};
use leyden_protocol::{
    Action, Arm, Arms, End, FaultCode, HistoryAction, HistoryEntry, Lay, LayoutShape, PerSeat, Seat, Tile,
    TileSet, WinningScore,
};
use leyden_rules::Rules;

use super::layout::TextLayout;

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

/// A narration in progress.
pub(super) struct Narration {
    header: MatchHeader,
    telling: ReplayOptions,
    rules: Rules,
    scores: PerSeat<u32>,
    /// The number of deals so far, including those that are not narrated.
    deals: u32,
    deal: Option<NarratedDeal>,
    text: String,
}

/// The deal that is being narrated.
struct NarratedDeal {
    round: u32,
    /// The place of the next action.
    next: TurnRef,
    /// The hands that the audience sees.
    hands: PerSeat<Option<TileSet>>,
    counts: PerSeat<u8>,
    arms: Arms,
    layout: Option<TextLayout>,
    /// The decision that is being asked for.
    asked: Option<Vec<Action>>,
    /// The strike of this decision, and the time it was charged.
    struck: Option<(FaultCode, u64)>,
}

impl Narration {
    /// The narration of a finished match, from `started` to `ended`.
    pub(super) fn of(
        header: MatchHeader,
        shown: &[ShownEvent],
        telling: ReplayOptions,
        rules: Rules,
    ) -> String {
        let scores = PerSeat::default_for(rules.seats);
        let mut account = Self { header, telling, rules, scores, deals: 0, deal: None, text: String::new() };
        let at_fault = match shown.last() {
            Some(ShownEvent::Ended { fault: Some((seat, _)), .. }) => Some(*seat),
            _ => None,
        };
        for event in shown {
            account.tell(event, at_fault);
        }
        account.text
    }

    fn tell(&mut self, event: &ShownEvent, at_fault: Option<Seat>) {
        match event {
            ShownEvent::Started { .. } => self.header(),
            ShownEvent::Dealt { round, redeal, hands, counts, undealt, .. } => {
                self.dealt((*round, *redeal), hands, *counts, undealt.as_deref());
            }
            ShownEvent::Asked { legal, .. } => {
                if let Some(deal) = &mut self.deal {
                    deal.asked = Some(legal.clone());
                }
            }
            ShownEvent::Struck { code, took_us, .. } => {
                if let Some(deal) = &mut self.deal {
                    deal.struck = Some((*code, *took_us));
                }
            }
            ShownEvent::Acted { entry, took_us, note } => self.acted(*entry, *took_us, note.as_deref()),
            ShownEvent::Settled { .. } => self.settled(event, at_fault),
            ShownEvent::Ended { .. } => self.ended(event),
        }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}"); // writing to a String cannot fail
    }

    /// Whether the deal is part of a requested round; everything before the first deal is.
    fn is_told(&self) -> bool {
        match (self.telling.round, &self.deal) {
            (Some(wanted), Some(deal)) => wanted == deal.round,
            _ => true,
        }
    }

    /// A seat with its bot's name.
    fn name(&self, seat: Seat) -> String {
        format!("{seat} {}", printable(&self.header.bots[seat]))
    }

    /// The width of the seat-name column.
    fn name_width(&self) -> usize {
        self.rules.seats.iter().map(|seat| self.name(seat).chars().count()).max().unwrap_or(0)
    }

    fn header(&mut self) {
        let MatchHeader { id, block, leg, rules, tournament, .. } = &self.header;
        let better = match self.rules.better {
            WinningScore::Lower => "the lower score wins",
            WinningScore::Higher => "the higher score wins",
        };
        let first = format!("match {id} · block {block}, leg {leg} · tournament {tournament}");
        let second = format!("{} with {}, to {} points: {better}", rules.name, rules.set, rules.target);
        let names: Vec<String> = self.rules.seats.iter().map(|seat| self.name(seat)).collect();
        self.line(format_args!("{first}"));
        self.line(format_args!("{second}"));
        self.wrapped("seats: ", &names.join(" · "));
        if let Some(seat) = self.telling.seat {
            self.line(format_args!("as seen from seat {seat}"));
        }
    }

    /// Writes a rule across the page with a title in it.
    fn title(&mut self, title: &str) {
        let rest = self.telling.width.saturating_sub(title.chars().count() + 4).max(2);
        self.line(format_args!("\n── {title} {}", "─".repeat(rest)));
    }

    fn dealt(
        &mut self,
        (round, redeal): (u32, u32),
        hands: &PerSeat<Option<TileSet>>,
        counts: PerSeat<u8>,
        undealt: Option<&[Tile]>,
    ) {
        self.deal = Some(NarratedDeal {
            round,
            next: TurnRef { round: self.deals, action: 0 },
            hands: *hands,
            counts,
            arms: Arms::default(),
            layout: None,
            asked: None,
            struck: None,
        });
        self.deals += 1;
        if !self.is_told() {
            return;
        }
        let again = if redeal > 0 { format!(", dealt again ({redeal})") } else { String::new() };
        self.title(&format!("round {}{again} · scores {}", round + 1, scores(&self.scores)));
        let width = self.name_width();
        for (seat, hand) in hands.iter() {
            if let Some(hand) = hand {
                self.wrapped(&format!("  {:width$}  ", self.name(seat)), &hand.to_string());
            }
        }
        if let Some(undealt) = undealt {
            let (drawable, reserve) =
                undealt.split_at(undealt.len().saturating_sub(self.rules.reserve.into()));
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

    fn acted(&mut self, entry: HistoryEntry, took_us: Option<u64>, note: Option<&str>) {
        let shape = self.rules.layout;
        let Some(deal) = &mut self.deal else { return };
        let place = deal.next;
        deal.take(entry, shape);
        let (asked, struck) = (deal.asked.take().is_some(), deal.struck.take());
        let what = deal.in_words(entry.event);
        let took_us = took_us.or(struck.map(|(_, took_us)| took_us));
        let remark = match (deal.hands[entry.seat], asked) {
            (None, _) => String::new(),
            (Some(_), false) => "forced".to_owned(),
            (Some(_), true) => took_us.map_or_else(String::new, duration),
        };
        if !self.is_told() {
            return;
        }
        let (who, width) = (self.name(entry.seat), self.name_width());
        let line = format!("{place:>7}  {who:width$}  {what:<32} {remark:>9}");
        self.line(format_args!("{}", line.trim_end()));
        if let Some((code, _)) = struck {
            self.line(format_args!("        ! strike: {code}; the first legal action was played instead"));
        }
        if let Some(note) = note {
            self.wrapped("        ", &format!("“{}”", printable(note)));
        }
    }

    fn settled(&mut self, event: &ShownEvent, at_fault: Option<Seat>) {
        let ShownEvent::Settled { end, winner, nothing_fits, hands, pips, points, scores } = event else {
            return;
        };
        self.scores = *scores;
        let Some(deal) = &mut self.deal else { return };
        let (asked, layout, arms, counts) = (deal.asked.take(), deal.layout.take(), deal.arms, deal.counts);
        let next = deal.next;
        let hands = hands.map_or(deal.hands, |hands| hands.map(|hand| Some(*hand)));
        if !self.is_told() {
            return;
        }
        if *end == RecordedEnding::NoDouble {
            self.line(format_args!("no double that could be led: dealt again"));
            return;
        }
        self.table(layout.as_ref(), arms);
        let is_open = !matches!(end, RecordedEnding::Unfinished | RecordedEnding::Refused);
        let width = self.name_width();
        for (seat, count) in counts.iter() {
            let tiles = match (count, hands[seat]) {
                (0, _) => "no tile left".to_owned(),
                (_, Some(hand)) => hand.to_string(),
                (1, None) => "1 tile".to_owned(),
                (count, None) => format!("{count} tiles"),
            };
            let mut first = format!("  {:width$}  ", self.name(seat));
            if is_open {
                let (pips, points, score) = (pips[seat], points[seat], scores[seat]);
                let _ = write!(first, "{pips:>3} pips {points:>4} points  score {score:>3}  ");
            }
            self.wrapped(&first, &tiles);
        }
        let winner = winner.map(|seat| self.name(seat));
        match (end, winner) {
            (RecordedEnding::Dominoed, Some(winner)) => self.line(format_args!("dominoed: {winner} is out")),
            (RecordedEnding::Blocked, winner) => {
                let why = if *nothing_fits { "no tile that is left fits" } else { "nobody can play or draw" };
                let lightest = winner.map_or_else(
                    || "the lightest hands are equal".to_owned(),
                    |winner| format!("{winner} has the lightest hand"),
                );
                self.wrapped("blocked: ", &format!("{why}; {lightest}"));
            }
            (RecordedEnding::Refused, _) => self.line(format_args!("nobody leads: dealt again")),
            (RecordedEnding::Unfinished, _) => self.last_question(next, at_fault, asked.as_deref()),
            _ => {}
        }
    }

    /// The layout and what its arms show.
    fn table(&mut self, layout: Option<&TextLayout>, arms: Arms) {
        let Some(layout) = layout else { return };
        self.line(format_args!(""));
        for line in layout.draw(self.telling.width.saturating_sub(2)) {
            self.line(format_args!("  {line}"));
        }
        let ends: Vec<String> =
            arms.iter().map(|(arm, end)| format!("{} {}", arm.letter(), shown(end))).collect();
        self.line(format_args!("\n  ends  {}", ends.join(" · ")));
    }

    /// The question that was open when the match was cut short.
    fn last_question(&mut self, place: TurnRef, at_fault: Option<Seat>, legal: Option<&[Action]>) {
        let Some(seat) = at_fault else { return };
        self.line(format_args!("unfinished: at {place} it was {}'s turn", self.name(seat)));
        if let Some(legal) = legal {
            let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
            self.wrapped("  legal: ", &legal.join(" "));
        }
    }

    fn ended(&mut self, event: &ShownEvent) {
        let ShownEvent::Ended { scores: last, winner, fault, message, processes, .. } = event else { return };
        if !self.is_told() {
            return;
        }
        self.title(&format!("end · scores {}", scores(last)));
        if let Some((seat, code)) = fault {
            self.line(format_args!("{} lost by a fault: {code}", self.name(*seat)));
            for line in message.iter().flat_map(|message| message.lines()) {
                self.wrapped("  ", &printable(line));
            }
        }
        match winner {
            Some(winner) => self.line(format_args!("{} wins", self.name(*winner))),
            None if fault.is_some() => self.line(format_args!("nobody wins")),
            None => self.line(format_args!("drawn: nobody wins")),
        }
        for ShownProcess { seat, off_turn_us, stopped, .. } in processes {
            if *off_turn_us > 0 || *stopped {
                let then = if *stopped { ", and was stopped then" } else { "" };
                let (name, used) = (self.name(*seat), duration(*off_turn_us));
                self.line(format_args!("{name} computed {used} while it was not its turn{then}"));
            }
        }
        for ShownProcess { seat, stderr, .. } in processes.iter().filter(|process| !process.stderr.is_empty())
        {
            self.line(format_args!(
                "\nthe last lines that {} wrote to its standard error:",
                self.name(*seat)
            ));
            for line in stderr.lines() {
                self.line(format_args!("  │ {}", printable(line)));
            }
        }
    }
}

impl NarratedDeal {
    /// Applies a seat's action.
    fn take(&mut self, HistoryEntry { seat, event }: HistoryEntry, shape: LayoutShape) {
        self.next.action += 1;
        let held = self.hands[seat];
        match event {
            HistoryAction::Lead(double) => {
                let arms = match shape {
                    LayoutShape::Spinner => &Arm::ALL[..],
                    LayoutShape::Line => &[Arm::E, Arm::W],
                };
                for &arm in arms {
                    self.arms.set(arm, End::Pip(double.pip()));
                }
                self.layout = Some(TextLayout::new(shape, double));
            }
            HistoryAction::Play(arm, lay) => {
                self.arms.set(
                    arm,
                    match lay {
                        Lay::InLine { end, .. } => End::Pip(end),
                        Lay::Across(matador) => End::Across(matador),
                    },
                );
                if let Some(layout) = &mut self.layout {
                    layout.play(arm, lay);
                }
            }
            HistoryAction::Draw(tile) => {
                self.counts[seat] += 1;
                self.hands[seat] = held.map(|hand| tile.map_or(hand, |tile| hand.with(tile)));
            }
            HistoryAction::Pass | HistoryAction::Refuse => {}
        }
        if let Some(tile) = Action::from(event).tile() {
            self.counts[seat] = self.counts[seat].saturating_sub(1);
            self.hands[seat] = held.map(|hand| hand.without(tile));
        }
    }

    /// The last action of a seat.
    fn in_words(&self, event: HistoryAction) -> String {
        match event {
            HistoryAction::Lead(double) => format!("leads {}", double.tile()),
            HistoryAction::Play(arm, lay) => {
                let end = self.arms.get(arm);
                let across = if matches!(lay, Lay::Across(_)) { " across" } else { "" };
                let action = Action::Play(arm, lay);
                let end = end.map_or_else(String::new, |end| format!(", end {}", shown(end)));
                format!("{action}{across}{end}")
            }
            HistoryAction::Draw(Some(tile)) => format!("draws {tile}"),
            HistoryAction::Draw(None) => "draws a tile".to_owned(),
            HistoryAction::Pass => "passes".to_owned(),
            HistoryAction::Refuse => "refuses to lead".to_owned(),
        }
    }
}

pub(super) fn scores(scores: &PerSeat<u32>) -> String {
    scores.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
}

pub(super) fn shown(end: End) -> String {
    match end {
        End::Pip(pip) => pip.to_string(),
        End::Across(matador) => format!("{} or {}", matador.low(), matador.high()),
    }
}

/// A duration in a suitable unit.
pub(super) fn duration(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}

/// Text from others, made safe for a terminal.
pub(super) fn printable(text: &str) -> String {
    leyden_protocol::printable(text.as_bytes(), 4_000)
}
