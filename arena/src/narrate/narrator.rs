//! What happens at a table, in sentences: those of the program, of pages and of a person's table.

use leyden_model::projection::ShownEvent;
use leyden_model::{RecordedEnding, TableState};
use leyden_protocol::{
    Arms, End, FaultCode, HistoryAction, HistoryEntry, Lay, MatchEnding, PerSeat, Seat, Set,
};

use super::words::{arm_name, end_name};

/// Describes the events at one table. To the person who sits there, "you" are that person; the others have names.
#[derive(Clone, Debug)]
pub struct Narrator {
    names: PerSeat<String>,
    own: Option<Seat>,
}

impl Narrator {
    /// Creates a narrator for these players, whose names are already escaped for the output, and for the person in seat `own`,
    /// if any.
    pub fn new(names: PerSeat<String>, own: Option<Seat>) -> Self {
        Self { names, own }
    }

    /// Returns the name of a seat, for the beginning of a sentence.
    pub fn name(&self, seat: Seat) -> &str {
        if self.own == Some(seat) { "You" } else { &self.names[seat] }
    }

    /// Returns subject and verb: "You lead", "careful leads".
    fn does(&self, seat: Seat, verb: &str) -> String {
        let (yours, theirs) = match verb {
            "be" => ("are", "is"),
            "have" => ("have", "has"),
            "pass" => ("pass", "passes"),
            verb => {
                return format!(
                    "{} {verb}{}",
                    self.name(seat),
                    if self.own == Some(seat) { "" } else { "s" }
                );
            }
        };
        format!("{} {}", self.name(seat), if self.own == Some(seat) { yours } else { theirs })
    }

    /// Describes an event in a sentence, if it deserves one. `table` is the table before the event.
    pub fn sentence(&self, table: &TableState, shown: &ShownEvent) -> Option<String> {
        match shown {
            ShownEvent::Dealt { round, redeal, .. } => Some(dealt(*round, *redeal)),
            ShownEvent::Acted { entry, .. } => Some(self.action(*entry, table.arms(), table.rules.set)),
            ShownEvent::Settled { end, hands, pips, points, scores, .. } => {
                let over = self.round_over(shown)?;
                if !end.is_scored() {
                    return Some(over);
                }
                let left = hands.map_or_else(String::new, |hands| self.left_in_hand(&hands, pips));
                Some(format!("{over}{left} {}", self.points(points, scores)))
            }
            ShownEvent::Ended { .. } => self.match_over(shown),
            ShownEvent::Started { .. } | ShownEvent::Asked { .. } | ShownEvent::Struck { .. } => None,
        }
    }

    /// Says what a seat did, without the full stop: "careful plays 4-1".
    pub fn act(&self, HistoryEntry { seat, event }: HistoryEntry) -> String {
        match event {
            HistoryAction::Lead(double) => format!("{} {}", self.does(seat, "lead"), double.tile()),
            HistoryAction::Play(_, lay) => format!("{} {}", self.does(seat, "play"), lay.tile()),
            HistoryAction::Draw(Some(tile)) => format!("{} {tile}", self.does(seat, "draw")),
            HistoryAction::Draw(None) => format!("{} a tile", self.does(seat, "draw")),
            HistoryAction::Pass => self.does(seat, "pass"),
            HistoryAction::Refuse => format!("{} to lead", self.does(seat, "refuse")),
        }
    }

    /// Describes an action: where the tile lies, why it fits, and what the arm shows now. `before` is what the arms showed.
    pub fn action(&self, entry: HistoryEntry, before: Arms, set: Set) -> String {
        let act = self.act(entry);
        let HistoryAction::Play(arm, lay) = entry.event else { return format!("{act}.") };
        let across = if matches!(lay, Lay::Across(_)) { " across" } else { "" };
        let why = before.get(arm).map_or_else(String::new, |met| format!(": {}", why(met, lay, set)));
        let now = end_name(End::left_by(lay));
        format!("{act}{across} on the {}{why}. It now shows {now}.", arm_name(arm))
    }

    /// Says how a round ended; `None` of another event.
    pub fn round_over(&self, settled: &ShownEvent) -> Option<String> {
        let ShownEvent::Settled { end, winner, nothing_fits, .. } = settled else { return None };
        Some(match end {
            RecordedEnding::Dominoed => {
                let out = winner.map_or_else(|| "A hand is".to_owned(), |seat| self.does(seat, "be"));
                format!("{out} out: the round is over.")
            }
            RecordedEnding::Blocked => {
                let why = if *nothing_fits { "no remaining tile fits" } else { "nobody can play or draw" };
                let lightest = winner.map_or_else(
                    || "The lightest hands are equal.".to_owned(),
                    |seat| format!("{} the lightest hand.", self.does(seat, "have")),
                );
                format!("The round is blocked: {why}. {lightest}")
            }
            RecordedEnding::Refused => "Nobody leads: the round is dealt again.".to_owned(),
            RecordedEnding::NoDouble => "There is no double to lead: the round is dealt again.".to_owned(),
            RecordedEnding::Unfinished => "The match was cut short here.".to_owned(),
        })
    }

    fn left_in_hand(&self, hands: &PerSeat<leyden_protocol::TileSet>, pips: &PerSeat<u32>) -> String {
        let left = |seat: Seat| match hands[seat] {
            hand if hand.is_empty() => format!("{}: no tile", self.name(seat)),
            hand => format!("{}: {hand} ({} pips)", self.name(seat), pips[seat]),
        };
        let held: Vec<String> = pips.iter().map(|(seat, _)| left(seat)).collect();
        format!(" Left in hand: {}.", held.join("; "))
    }

    /// Lists what a round scored, and the scores after it.
    pub fn points(&self, points: &PerSeat<u32>, scores: &PerSeat<u32>) -> String {
        format!("Points: {}. Scores: {}.", self.list(points), self.list(scores))
    }

    /// Lists a number for each player.
    pub fn list(&self, numbers: &PerSeat<u32>) -> String {
        let each = numbers.iter().map(|(seat, number)| format!("{} {number}", self.name(seat)));
        each.collect::<Vec<_>>().join(", ")
    }

    /// Says that a fault ended the match, without the full stop.
    pub fn lost_by_fault(&self, seat: Seat, code: FaultCode) -> String {
        format!("{} lost by a fault: {code}", self.name(seat))
    }

    /// Says who wins the match, without the full stop.
    pub fn winner(&self, winner: Option<Seat>, is_by_fault: bool) -> String {
        match winner {
            Some(winner) => format!("{} the match", self.does(winner, "win")),
            None if is_by_fault => "Nobody wins".to_owned(),
            None => "A draw: nobody wins".to_owned(),
        }
    }

    /// Says how a match ended; `None` of another event.
    pub fn match_over(&self, ended: &ShownEvent) -> Option<String> {
        let ShownEvent::Ended { scores, winner, end, fault, .. } = ended else { return None };
        let lost = fault.map(|(seat, code)| format!("{}. ", self.lost_by_fault(seat, code)));
        let limit = if *end == MatchEnding::RoundLimit { "The round limit is reached. " } else { "" };
        let winner = self.winner(*winner, fault.is_some());
        let lost = lost.unwrap_or_default();
        Some(format!("{lost}{limit}{winner}. Final scores: {}.", self.list(scores)))
    }
}

/// Says that a round is dealt; `round` counts from 0.
pub fn dealt(round: u32, redeal: u32) -> String {
    let again = if redeal > 0 { " again" } else { "" };
    format!("Round {} is dealt{again}.", round + 1)
}

/// Says why a tile fits: by the sum, or because it is wild.
fn why(met: End, lay: Lay, set: Set) -> String {
    let sum = set.sum();
    if let Lay::InLine { touching, .. } = lay
        && let Some(pip) = met.halves().into_iter().find(|pip| pip.get() + touching.get() == sum)
    {
        return format!("{pip} + {touching} = {sum}");
    }
    "a matador fits any end".to_owned()
}
