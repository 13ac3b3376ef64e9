//! Positions of every kind, found by random play until each kind has come up. Deterministic: the same table yields the same
//! positions.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use leyden_model::TimeLimits;
use leyden_protocol::{
    Action, Arm, End, HistoryAction, Lay, Phase, RoundEnding, Seat, ToBot, Turn, push_line, push_turn,
};
use leyden_referee::{DecisionResult, Player, SeatedPlayer, play_match};
use leyden_rules::Rules;

use super::case::{Case, GoodAnswers};
use super::opponent::{Opponent, at_once};
use super::tables::CheckTable;
use crate::rerun::at_once as played_at_once;

/// A kind that has not come up after this many matches does not come up at this table.
const MATCHES: u32 = 80;

/// What is special about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PositionKind {
    Opening,
    BlankEnd,
    MatadorInLine,
    MatadorAcross,
    MeetsAcross,
    Lead,
    Draw,
    Refuse,
    AfterBlocked,
    AfterRefused,
}

impl PositionKind {
    pub(super) const ALL: [Self; 10] = [
        Self::Opening,
        Self::BlankEnd,
        Self::MatadorInLine,
        Self::MatadorAcross,
        Self::MeetsAcross,
        Self::Lead,
        Self::Draw,
        Self::Refuse,
        Self::AfterBlocked,
        Self::AfterRefused,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::BlankEnd => "blank-end",
            Self::MatadorInLine => "matador-in-line",
            Self::MatadorAcross => "matador-across",
            Self::MeetsAcross => "meets-across",
            Self::Lead => "lead",
            Self::Draw => "draw",
            Self::Refuse => "refuse",
            Self::AfterBlocked => "after-blocked",
            Self::AfterRefused => "after-refused",
        }
    }

    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Opening => "some arms are still closed",
            Self::BlankEnd => "an end shows 0, which only a matador can follow",
            Self::MatadorInLine => "a matador fits in line, either half touching",
            Self::MatadorAcross => "a matador may lie across",
            Self::MeetsAcross => "an arm shows two numbers",
            Self::Lead => "a double is to be led",
            Self::Draw => "a tile may be drawn or played",
            Self::Refuse => "the lead may be refused",
            Self::AfterBlocked => "the round before was blocked",
            Self::AfterRefused => "the deal before was refused",
        }
    }

    fn is(self, turn: &Turn<'_>, rules: &Rules, last: Option<RoundEnding>) -> bool {
        let ends = || turn.arms.iter().map(|(_, end)| end);
        let plays =
            || turn.history.iter().filter(|entry| matches!(entry.event, HistoryAction::Play(..))).count();
        match self {
            Self::Opening => {
                turn.phase == Phase::Play && plays() < rules.opening.arms().len()
            }
            Self::BlankEnd => ends().any(|end| matches!(end, End::Pip(pip) if pip.get() == 0)),
            Self::MatadorInLine => turn.legal.iter().any(|&action| is_either_way(turn, action)),
            Self::MatadorAcross => {
                turn.legal.iter().any(|action| matches!(action, Action::Play(_, Lay::Across(_))))
            }
            Self::MeetsAcross => turn.legal.iter().any(|action| {
                matches!(action, Action::Play(arm, _) if matches!(turn.arms.get(*arm), Some(End::Across(_))))
            }),
            Self::Lead => turn.legal.iter().any(|action| matches!(action, Action::Lead(_))),
            Self::Draw => {
                turn.legal.contains(&Action::Draw)
                    && turn.legal.iter().any(|action| matches!(action, Action::Play(..)))
            }
            Self::Refuse => turn.legal.contains(&Action::Refuse),
            Self::AfterBlocked => last == Some(RoundEnding::Blocked),
            Self::AfterRefused => last == Some(RoundEnding::Refused),
        }
    }

    /// Whether the end of the previous deal is part of this kind.
    fn has_before(self) -> bool {
        matches!(self, Self::AfterBlocked | Self::AfterRefused)
    }
}

/// Whether a tile fits on an arm in line with either half.
fn is_either_way(turn: &Turn<'_>, action: Action) -> bool {
    let Action::Play(arm, Lay::InLine { touching, end }) = action else { return false };
    let other: (Arm, Lay) = (arm, Lay::InLine { touching: end, end: touching });
    touching != end && turn.legal.contains(&Action::Play(other.0, other.1))
}

/// Returns a position of each kind that comes up at a table, seen from any seat.
pub(super) fn positions(table: &CheckTable, limits: TimeLimits) -> io::Result<BTreeMap<PositionKind, Case>> {
    let mut found = BTreeMap::new();
    for number in 0..MATCHES {
        if found.len() == PositionKind::ALL.len() {
            break;
        }
        let spec = table.spec(number, limits);
        let seats = table.rules.seats;
        let seat = seats.iter().nth(number as usize % seats.count()).unwrap_or(Seat::FIRST);
        let seed = |seat: Seat| spec.header.seed.bot_seed(0, seat);
        let mut opponents: Vec<Opponent> = seats.iter().map(|seat| Opponent::seeded(seed(seat))).collect();
        let mut collector = Collector {
            table,
            choice: Opponent::seeded(seed(seat)),
            start: String::new(),
            last: None,
            found: &mut found,
        };
        let mut players: Vec<SeatedPlayer<'_>> =
            opponents.iter_mut().map(|opponent| SeatedPlayer::Other(opponent)).collect();
        players[seat.index()] = SeatedPlayer::Other(&mut collector);
        played_at_once(play_match(&spec, &mut players, None))??;
    }
    Ok(found)
}

/// Plays any legal action, and keeps the questions of new kinds.
struct Collector<'a> {
    table: &'a CheckTable,
    choice: Opponent,
    /// The line that began the match.
    start: String,
    /// How the previous deal ended, and the line that reported it.
    last: Option<(RoundEnding, String)>,
    found: &'a mut BTreeMap<PositionKind, Case>,
}

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut line = Vec::new();
    write(&mut line);
    String::from_utf8_lossy(line.trim_ascii_end()).into_owned()
}

impl Player for Collector<'_> {
    fn send(&mut self, message: &ToBot<'_>) {
        let line = || text(|line| push_line(line, message));
        match message {
            ToBot::MatchStart(_) => self.start = line(),
            ToBot::RoundEnd(end) => self.last = Some((end.end, line())),
            _ => {}
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let last = self.last.as_ref().map(|(end, _)| *end);
        for kind in PositionKind::ALL {
            if !self.found.contains_key(&kind) && kind.is(turn, &self.table.rules, last) {
                let before = self.last.iter().filter(|_| kind.has_before()).map(|(_, line)| line.clone());
                let preceding = std::iter::once(self.start.clone()).chain(before).collect();
                let case = Case {
                    name: kind.name().to_owned(),
                    rules: self.table.rules,
                    preceding,
                    turn: text(|line| push_turn(line, turn)),
                    expected: GoodAnswers::Legal,
                };
                self.found.insert(kind, case);
                break; // a position for each
            }
        }
        Ok(Ok(at_once(self.choice.choose(turn))))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tables::tables;
    use super::*;
    use crate::roster::Supports;

    #[test]
    fn every_position_kind_occurs_and_fits_its_turn() {
        let mut all = BTreeSet::new();
        for table in tables(&Supports::default()) {
            let found = positions(&table, TimeLimits::default()).unwrap();
            assert!(found.len() >= 4, "{}: {:?}", table.name, found.keys());
            for (kind, case) in &found {
                let turn = case.turn().unwrap();
                let preceding = case.preceding().unwrap();
                let last = preceding.iter().find_map(|line| match line {
                    ToBot::RoundEnd(end) => Some(end.end),
                    _ => None,
                });
                assert!(kind.is(&turn, &table.rules, last), "{kind:?} at {}", table.name);
                assert!(matches!(preceding[0], ToBot::MatchStart(_)));
            }
            all.extend(found.into_keys());
        }
        assert_eq!(all.len(), PositionKind::ALL.len(), "{all:?}");
    }
}
