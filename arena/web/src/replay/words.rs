//! Describes a match in words: each move is a sentence that can be understood without a picture.

use leyden_model::RecordedEnding;
use leyden_model::projection::ShownEvent;
use leyden_protocol::{
    Action, Arm, Arms, End, HistoryAction, HistoryEntry, Lay, MatchEnding, PerSeat, Seat, Set, WinningScore,
};

/// Returns a text by others without characters that affect the text around it.
pub(crate) fn printable(text: &str) -> String {
    let text = leyden_protocol::printable(text.as_bytes(), 4_000);
    text.chars().filter(|c| !is_directing(*c)).collect()
}

/// Returns a text of several lines, each made printable.
pub(crate) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// Whether a character changes the text direction of its surroundings.
pub(super) const fn is_directing(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The names of the bots, and the sum of touching halves.
pub(super) struct Phrases<'a> {
    pub(super) names: &'a PerSeat<String>,
    pub(super) set: Set,
}

impl Phrases<'_> {
    pub(super) fn name(&self, seat: Seat) -> String {
        printable(&self.names[seat])
    }

    /// Describes an action. `before` is what the arms showed before it.
    pub(super) fn action(&self, entry: HistoryEntry, before: Arms) -> String {
        let who = self.name(entry.seat);
        match entry.event {
            HistoryAction::Lead(double) => format!("{who} leads {}.", double.tile()),
            HistoryAction::Play(arm, lay) => {
                let across = if matches!(lay, Lay::Across(_)) { ", across," } else { "" };
                let sum = before.get(arm).map_or_else(String::new, |end| self.sum(end, lay));
                let (tile, arm) = (lay.tile(), arm_in_words(arm));
                format!("{who} plays {tile}{across} on the {arm}{sum}; the arm now shows {}.", shown(lay))
            }
            HistoryAction::Draw(Some(tile)) => format!("{who} draws {tile}."),
            HistoryAction::Draw(None) => format!("{who} draws a tile."),
            HistoryAction::Pass => format!("{who} passes."),
            HistoryAction::Refuse => format!("{who} refuses to lead."),
        }
    }

    /// Says why the tile fits: by the sum, or because it is wild.
    fn sum(&self, end: End, lay: Lay) -> String {
        let Lay::InLine { touching, .. } = lay else { return ": a matador fits any end".to_owned() };
        let touched = match end {
            End::Pip(pip) => [pip, pip],
            End::Across(matador) => [matador.low(), matador.high()],
        };
        let sum = self.set.sum();
        match touched.into_iter().find(|pip| pip.get() + touching.get() == sum) {
            Some(pip) => format!(": {pip} + {touching} = {sum}"),
            None => ": a matador fits any end".to_owned(),
        }
    }

    /// Describes the end of a deal and its points.
    pub(super) fn settled(&self, settled: &ShownEvent) -> String {
        let ShownEvent::Settled { end, winner, nothing_fits, points, scores, .. } = settled else {
            return String::new();
        };
        let winner = winner.map(|seat| self.name(seat));
        let how = match (end, winner) {
            (RecordedEnding::Dominoed, winner) => format!("{} is out.", winner.unwrap_or_default()),
            (RecordedEnding::Blocked, winner) => {
                let why = if *nothing_fits { "no remaining tile fits" } else { "nobody can play or draw" };
                match winner {
                    Some(winner) => format!("Blocked: {why}. {winner} has the lightest hand."),
                    None => format!("Blocked: {why}. The lightest hands are equal."),
                }
            }
            (RecordedEnding::Refused, _) => return "Nobody leads: the round is dealt again.".to_owned(),
            (RecordedEnding::NoDouble, _) => {
                return "No double to lead: the round is dealt again.".to_owned();
            }
            (RecordedEnding::Unfinished, _) => return "The match was cut short here.".to_owned(),
        };
        format!("{how} Points: {}. Scores: {}.", self.list(points), self.list(scores))
    }

    /// Lists a number for each bot.
    fn list(&self, numbers: &PerSeat<u32>) -> String {
        let each: Vec<String> =
            numbers.iter().map(|(seat, number)| format!("{} {number}", self.name(seat))).collect();
        each.join(", ")
    }

    /// Describes the end of the match.
    pub(super) fn ended(&self, ended: &ShownEvent) -> String {
        let ShownEvent::Ended { scores, winner, end, fault, .. } = ended else { return String::new() };
        let fault = fault.map(|(seat, code)| format!("{} lost by a fault: {code}. ", self.name(seat)));
        let limit = if *end == MatchEnding::RoundLimit { "The round limit was reached. " } else { "" };
        let winner = match winner {
            Some(winner) => format!("{} wins.", self.name(*winner)),
            None if fault.is_some() => "Nobody wins.".to_owned(),
            None => "A draw: nobody wins.".to_owned(),
        };
        let fault = fault.unwrap_or_default();
        format!("{fault}{limit}{winner} Final scores: {}.", self.list(scores))
    }
}

/// Returns the place of an arm in words.
const fn arm_in_words(arm: Arm) -> &'static str {
    match arm {
        Arm::N => "top arm",
        Arm::E => "right arm",
        Arm::S => "bottom arm",
        Arm::W => "left arm",
    }
}

fn shown(lay: Lay) -> String {
    match lay {
        Lay::InLine { end, .. } => end.to_string(),
        Lay::Across(matador) => format!("{} or {}", matador.low(), matador.high()),
    }
}

/// Returns what an end needs from the next tile: numbers, or a star if only a wild tile fits.
pub(crate) fn wanted(end: End, set: Set) -> String {
    match end {
        End::Pip(pip) if pip.get() == 0 => "★".to_owned(),
        End::Pip(pip) => (set.sum() - pip.get()).to_string(),
        End::Across(matador) => format!("{}/{}", matador.low(), matador.high()),
    }
}

/// Says which score wins.
pub(super) const fn better(better: WinningScore) -> &'static str {
    match better {
        WinningScore::Lower => "fewer is better",
        WinningScore::Higher => "more is better",
    }
}

/// Returns a short form of an action for the list of moves: arm and tile.
pub(super) fn short(event: HistoryAction) -> String {
    let arrow = |arm| match arm {
        Arm::N => "↑",
        Arm::E => "→",
        Arm::S => "↓",
        Arm::W => "←",
    };
    match event {
        HistoryAction::Lead(double) => format!("◎ {}", double.tile()),
        HistoryAction::Play(arm, lay) => match Action::Play(arm, lay).to_string().split_once(':') {
            Some((_, halves)) => format!("{} {halves}", arrow(arm)),
            None => String::new(),
        },
        HistoryAction::Draw(Some(tile)) => format!("+ draws {tile}"),
        HistoryAction::Draw(None) => "+ draws".to_owned(),
        HistoryAction::Pass => "– passes".to_owned(),
        HistoryAction::Refuse => "– refuses".to_owned(),
    }
}
