//! The fixed table of actions: a number for each, the same in every position.

use leyden_protocol::{Action, Arm, Double, Lay, Matador, Pip, Set, Tile};

/// The actions of a set of tiles by number. The table depends on the set alone, not on the rule set or the seats:
///
/// | numbers, with `n` pips on a half and `m` tiles that may lie across | action |
/// |---|---|
/// | 0 to `n` - 1 | `lead:p-p` by `p` |
/// | from `n` + `arm` · (`n`² + `m`), arms in the order N, E, S, W | in line by `touching` · `n` + `end`, then across by the lower half, from 1 |
/// | the last three | `draw`, `pass`, `refuse` |
///
/// A double-six set has 218 actions, double-nine 429, double-twelve 716. Some are never legal, such as a blank that
/// touches by the sum rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionTable {
    set: Set,
}

impl ActionTable {
    /// Numbers the actions of a game with this set.
    pub const fn new(set: Set) -> Self {
        Self { set }
    }

    /// Returns the number of pips a half can have, blank included.
    const fn pips(self) -> usize {
        self.set.top().index() + 1
    }

    /// Returns the number of tiles that may lie across.
    const fn crossing(self) -> usize {
        (self.set.sum() as usize - 1) / 2
    }

    const fn on_an_arm(self) -> usize {
        self.pips() * self.pips() + self.crossing()
    }

    const fn draw(self) -> usize {
        self.pips() + 4 * self.on_an_arm()
    }

    /// Returns the number of actions.
    #[expect(clippy::len_without_is_empty, reason = "no table is empty")]
    pub const fn len(self) -> usize {
        self.draw() + 3
    }

    /// Returns the number of an action; `None` if its tile is not in the set.
    #[inline]
    pub fn number(self, action: Action) -> Option<usize> {
        let pips = self.pips();
        let half = |pip: Pip| Some(pip.index()).filter(|&half| half < pips);
        match action {
            Action::Lead(double) => half(double.pip()),
            Action::Play(arm, lay) => {
                let lays = match lay {
                    Lay::InLine { touching, end } => half(touching)? * pips + half(end)?,
                    Lay::Across(matador) => {
                        let for_set = matador.tile().pips() == u32::from(self.set.sum());
                        for_set.then(|| pips * pips + matador.low().index() - 1)?
                    }
                };
                Some(pips + arm.index() * self.on_an_arm() + lays)
            }
            Action::Draw => Some(self.draw()),
            Action::Pass => Some(self.draw() + 1),
            Action::Refuse => Some(self.draw() + 2),
        }
    }

    /// Writes 1 at the number of each of these actions, 0 elsewhere.
    ///
    /// # Panics
    /// If the mask has another length than the table, or an action is not of the set.
    #[inline]
    pub fn write_mask(self, legal: &[Action], mask: &mut [u8]) {
        assert_eq!(mask.len(), self.len(), "one byte for each action");
        mask.fill(0);
        for &action in legal {
            let Some(number) = self.number(action) else { panic!("{action} is not of the set") };
            mask[number] = 1;
        }
    }

    /// Returns the action with a number; `None` from [`len`](Self::len) on.
    pub fn action(self, number: usize) -> Option<Action> {
        let pips = self.pips();
        let half = |pips: usize| Pip::new(pips as u8);
        if number < pips {
            return half(number).map(|pip| Action::Lead(Double::new(pip)));
        }
        match number.checked_sub(self.draw()) {
            Some(0) => return Some(Action::Draw),
            Some(1) => return Some(Action::Pass),
            Some(2) => return Some(Action::Refuse),
            Some(_) => return None,
            None => {}
        }
        let (arm, lays) = ((number - pips) / self.on_an_arm(), (number - pips) % self.on_an_arm());
        let lay = if lays < pips * pips {
            Lay::InLine { touching: half(lays / pips)?, end: half(lays % pips)? }
        } else {
            let low = lays - pips * pips + 1;
            let tile = Tile::new(half(low)?, half(usize::from(self.set.sum()) - low)?);
            Lay::Across(Matador::new(tile)?)
        };
        Some(Action::Play(*Arm::ALL.get(arm)?, lay))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_an_action_and_back() {
        for (set, size) in Set::ALL.into_iter().zip([218, 429, 716]) {
            let table = ActionTable::new(set);
            assert_eq!(table.len(), size);
            for number in 0..size {
                let action = table.action(number).expect("an action for each number");
                assert_eq!(table.number(action), Some(number), "{action}");
                assert_eq!(action.to_string().parse(), Ok(action));
            }
            assert_eq!(table.action(size), None);
        }
    }

    #[test]
    fn numbers_of_the_page_hold() {
        let table = ActionTable::new(Set::DoubleSix);
        for (number, action) in
            [(3, "lead:3-3"), (7 + 4 * 7 + 1, "N:4-1"), (7 + 2 * 52 + 49 + 1, "S:2|5"), (215, "draw")]
        {
            assert_eq!(table.number(action.parse().unwrap()), Some(number), "{action}");
        }
        assert_eq!(table.number("N:7-0".parse().unwrap()), None);
        assert_eq!(table.number("N:4|6".parse().unwrap()), None);
    }
}
