//! Random numbers that are the same in every run.

use leyden_protocol::{Action, Set};
use leyden_rules::{Deck, LegalActions};

/// Steele and Vigna's `splitmix64`.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number from 0 to `bound` - 1.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }

    pub(crate) fn deck(&mut self, set: Set) -> Deck {
        let mut deck = Deck::in_order(set);
        deck.shuffle(|bound| self.below(bound));
        deck
    }

    /// Returns a legal action; `taste` gives the chance of draws and refusals in hundredths.
    pub(crate) fn choose(&mut self, legal: &LegalActions, taste: Taste) -> Action {
        for (action, hundredths) in [(Action::Refuse, taste.refuse), (Action::Draw, taste.draw)] {
            if legal.contains(action) && self.below(100) < hundredths {
                return action;
            }
        }
        let others = legal.len()
            - usize::from(legal.contains(Action::Draw))
            - usize::from(legal.contains(Action::Refuse));
        let n = if others > 0 { self.below(others) } else { 0 };
        legal.nth(n).expect("there is a legal action")
    }

    pub(crate) fn taste(&mut self) -> Taste {
        Taste { draw: [0, 10, 30, 70][self.below(4)], refuse: [0, 30, 60, 95][self.below(4)] }
    }
}

/// How a random player likes to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taste {
    pub(crate) draw: usize,
    pub(crate) refuse: usize,
}
