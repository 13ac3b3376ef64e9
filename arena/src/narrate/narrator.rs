//! What happens at a table, in sentences: those of the program, of pages and of a person's table.

use leyden_language::{Language, text::narrate as text};
use leyden_model::projection::{ShownEvent, ShownProcess};
use leyden_model::{RecordedEnding, TableState};
use leyden_protocol::{
    Arms, End, FaultCode, HistoryAction, HistoryEntry, Lay, MatchEnding, PerSeat, Seat, Set,
};

use super::words::{end_value, time};

/// Describes the events at one table. To the person who sits there, "you" are that person; the others have names.
#[derive(Clone, Debug)]
pub struct Narrator {
    names: PerSeat<String>,
    own: Option<Seat>,
    language: Language,
}

impl Narrator {
    /// Creates a narrator for these players, whose names are already escaped for the output, and for the person in seat `own`,
    /// if any.
    pub fn new(mut names: PerSeat<String>, own: Option<Seat>, language: Language) -> Self {
        if let Some(own) = own {
            names[own] = language.say(text::You);
        }
        Self { names, own, language }
    }

    /// Returns the name of a seat, for the beginning of a sentence.
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat]
    }

    /// Returns the language in which it speaks.
    pub const fn language(&self) -> Language {
        self.language
    }

    fn is_own(&self, seat: Seat) -> bool {
        self.own == Some(seat)
    }

    /// Describes an event in a sentence, if it deserves one. `table` is the table before the event.
    pub fn sentence(&self, table: &TableState, shown: &ShownEvent) -> Option<String> {
        match shown {
            ShownEvent::Dealt { round, redeal, .. } => Some(self.dealt(*round, *redeal)),
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

    /// Says that a round is dealt; `round` counts from 0.
    pub fn dealt(&self, round: u32, redeal: u32) -> String {
        let round = round + 1;
        match redeal {
            0 => self.language.say(text::Dealt { round }),
            _ => self.language.say(text::DealtAgain { round }),
        }
    }

    /// Says what a seat did, without the full stop: "careful plays 4-1".
    pub fn act(&self, HistoryEntry { seat, event }: HistoryEntry) -> String {
        let (language, own, name) = (self.language, self.is_own(seat), self.name(seat));
        match event {
            HistoryAction::Lead(double) => language.say(text::ActLed { own, name, tile: double.tile() }),
            HistoryAction::Play(_, lay) => language.say(text::ActPlayed { own, name, tile: lay.tile() }),
            HistoryAction::Draw(Some(tile)) => language.say(text::ActDrew { own, name, tile }),
            HistoryAction::Draw(None) => language.say(text::ActDrewHidden { own, name }),
            HistoryAction::Pass => language.say(text::ActPassed { own, name }),
            HistoryAction::Refuse => language.say(text::ActRefused { own, name }),
        }
    }

    /// Describes an action: where the tile lies, why it fits, and what the arm shows now. `before` is what the arms showed.
    pub fn action(&self, entry: HistoryEntry, before: Arms, set: Set) -> String {
        let language = self.language;
        let played = match entry.event {
            HistoryAction::Play(arm, lay) => before.get(arm).map(|met| (arm, lay, self.why(met, lay, set))),
            _ => None,
        };
        let Some((arm, lay, why)) = played else { return format!("{}.", self.act(entry)) };
        let (own, name, tile) = (self.is_own(entry.seat), self.name(entry.seat), lay.tile());
        let on_arm = language.say(text::OnArm { arm });
        let now = language.say(text::NowShows { end: end_value(language, End::left_by(lay)) });
        match lay {
            Lay::InLine { .. } => language.say(text::Played { own, name, tile, on_arm, why, now }),
            Lay::Across(_) => language.say(text::PlayedAcross { own, name, tile, on_arm, why, now }),
        }
    }

    /// Says why a tile fits: by the sum, or because it is wild.
    fn why(&self, met: End, lay: Lay, set: Set) -> String {
        let sum = set.sum();
        if let Lay::InLine { touching, .. } = lay
            && let Some(pip) = met.halves().into_iter().find(|pip| pip.get() + touching.get() == sum)
        {
            return format!("{pip} + {touching} = {sum}");
        }
        self.language.say(text::WhyMatador)
    }

    /// Says how a round ended; `None` of another event.
    pub fn round_over(&self, settled: &ShownEvent) -> Option<String> {
        let ShownEvent::Settled { end, winner, nothing_fits, .. } = settled else { return None };
        Some(match end {
            RecordedEnding::Dominoed => self.out((*winner)?),
            RecordedEnding::Blocked => self.blocked(*winner, *nothing_fits),
            RecordedEnding::Refused => self.language.say(text::NobodyLeads),
            RecordedEnding::NoDouble => self.language.say(text::NoDouble),
            RecordedEnding::Unfinished => self.language.say(text::CutShort),
        })
    }

    /// Says that a seat goes out.
    pub fn out(&self, seat: Seat) -> String {
        self.language.say(text::Out { own: self.is_own(seat), name: self.name(seat) })
    }

    /// Says that a round is blocked, why (`nothing_fits`: no remaining tile does), and who has the lightest hand.
    pub fn blocked(&self, winner: Option<Seat>, nothing_fits: bool) -> String {
        let lightest = winner.map_or_else(
            || self.language.say(text::LightestEqual),
            |seat| self.language.say(text::Lightest { own: self.is_own(seat), name: self.name(seat) }),
        );
        let fits = if nothing_fits { "nothing" } else { "unknown" };
        self.language.say(text::Blocked { fits, lightest })
    }

    fn left_in_hand(&self, hands: &PerSeat<leyden_protocol::TileSet>, pips: &PerSeat<u32>) -> String {
        let language = self.language;
        let held = pips.iter().map(|(seat, pips)| match (hands[seat], self.name(seat)) {
            (tiles, name) if tiles.is_empty() => language.say(text::NoTileOf { name }),
            (tiles, name) => language.say(text::TilesOf { name, tiles, pips }),
        });
        let hands = held.collect::<Vec<_>>().join("; ");
        format!(" {}", language.say(text::LeftInHand { hands }))
    }

    /// Lists what a round scored, and the scores after it.
    pub fn points(&self, points: &PerSeat<u32>, scores: &PerSeat<u32>) -> String {
        self.language.say(text::Points { points: self.list(points), scores: self.list(scores) })
    }

    /// Lists a number for each player.
    pub fn list(&self, numbers: &PerSeat<u32>) -> String {
        let each = numbers.iter().map(|(seat, number)| format!("{} {number}", self.name(seat)));
        each.collect::<Vec<_>>().join(", ")
    }

    /// Says that a fault was forgiven.
    pub fn strike(&self, seat: Seat, code: FaultCode) -> String {
        let (own, name) = (self.is_own(seat), self.name(seat));
        self.language.say(text::StrikeAgainst { own, name, code: code.to_string() })
    }

    /// Says that a fault ended the match, without the full stop.
    pub fn lost_by_fault(&self, seat: Seat, code: FaultCode) -> String {
        let (own, name) = (self.is_own(seat), self.name(seat));
        self.language.say(text::LostByFault { own, name, code: code.to_string() })
    }

    /// Says that a process computed while it was not its turn, if it did, without the full stop.
    pub fn off_turn(&self, process: &ShownProcess) -> Option<String> {
        let ShownProcess { seat, off_turn_us, stopped, .. } = *process;
        let (name, time) = (self.name(seat), time(self.language, off_turn_us));
        (off_turn_us > 0 || stopped).then(|| self.language.say(text::OffTurn { stopped, name, time }))
    }

    /// Says who wins the match, without the full stop.
    pub fn winner(&self, winner: Option<Seat>, is_by_fault: bool) -> String {
        match winner {
            Some(seat) => self.language.say(text::Wins { own: self.is_own(seat), name: self.name(seat) }),
            None if is_by_fault => self.language.say(text::NobodyWins),
            None => self.language.say(text::Drawn),
        }
    }

    /// Says in a few words who beat whom, also by a fault.
    pub fn result(&self, winner: Option<Seat>, faulted: Option<Seat>) -> String {
        let first = winner.or(faulted).unwrap_or(Seat::FIRST);
        let others = self.names.iter().filter(|(seat, _)| *seat != first).map(|(_, name)| name.as_str());
        let (bot, others) = (self.name(first), others.collect::<Vec<_>>().join(", "));
        match (winner, faulted) {
            (Some(_), _) => self.language.say(text::Beat { bot, others }),
            (None, Some(_)) => self.language.say(text::LostByFaultTo { bot, others }),
            (None, None) => self.language.say(text::DrewWith { bot, others }),
        }
    }

    /// Says how a match ended; `None` of another event.
    pub fn match_over(&self, ended: &ShownEvent) -> Option<String> {
        let ShownEvent::Ended { scores, winner, end, fault, .. } = ended else { return None };
        let lost = fault.map(|(seat, code)| format!("{}.", self.lost_by_fault(seat, code)));
        let is_limited = *end == MatchEnding::RoundLimit;
        let limit = is_limited.then(|| self.language.say(text::RoundLimit));
        let winner = self.winner(*winner, fault.is_some());
        let over = self.language.say(text::MatchOver { winner, scores: self.list(scores) });
        Some(lost.into_iter().chain(limit).chain([over]).collect::<Vec<_>>().join(" "))
    }
}
