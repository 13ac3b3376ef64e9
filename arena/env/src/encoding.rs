//! What a seat sees, as bytes.

use leyden_protocol::{Action, End, HistoryAction, Phase, Seat, Tile, TileSet, View};
use leyden_rules::Rules;

/// The version of the encoding and of the numbering of actions: increases when the same view has other bytes, or the same
/// action another number.
pub const ENCODING_VERSION: u32 = 1;

/// The number of tiles in the largest set.
const TILES: usize = 91;

/// A part of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    /// The index of its first byte.
    pub offset: usize,
    /// In row-major order. The seat that looks comes first wherever seats are counted, the others follow in the order of
    /// play.
    pub shape: Vec<usize>,
    /// What a value means, and in which unit.
    pub meaning: &'static str,
}

/// How the view of a seat is written as bytes, for one rule set, number of seats and set of tiles.
///
/// Every byte follows from the [`View`] alone. Numbers above 255 are written as 255.
#[derive(Clone, Debug)]
pub struct Encoding {
    rules: Rules,
    /// The index of each tile in the order of the set, by [`Tile::index`].
    indices: [u8; TILES],
    at: Offsets,
    fields: Vec<Field>,
}

/// Where each field begins.
#[derive(Clone, Copy, Debug, Default)]
struct Offsets {
    hand: usize,
    laid: usize,
    arms: usize,
    declined: usize,
    drawn: usize,
    counts: usize,
    boneyard: usize,
    scores: usize,
    round: usize,
    len: usize,
}

impl Encoding {
    /// Arranges the fields for games by these rules.
    pub fn new(rules: &Rules) -> Self {
        let (seats, tiles, pips) = (rules.seats.count(), rules.set.size(), rules.set.top().index() + 1);
        let mut indices = [0; TILES];
        for (index, tile) in rules.set.tiles().iter().enumerate() {
            indices[tile.index()] = index as u8;
        }
        let (mut fields, mut len) = (Vec::new(), 0);
        let mut field = |name, shape: &[usize], meaning| {
            let offset = len;
            len += shape.iter().product::<usize>();
            fields.push(Field { name, offset, shape: shape.to_vec(), meaning });
            offset
        };
        let mut at = Offsets {
            hand: field(
                "hand",
                &[tiles],
                "1 for each tile of the set that the seat holds, in ascending order",
            ),
            laid: field("laid", &[seats, tiles], "1 for each tile that a seat laid in this round"),
            arms: field(
                "arms",
                &[4, pips + 1],
                "for N, E, S and W: 1 for each pip that the arm shows, two of them if a matador lies across; last, 1 if \
                 it is open to play",
            ),
            declined: field(
                "declined",
                &[seats - 1, pips],
                "for each other seat and pip: how often in this round it drew or passed while an arm that was open to \
                 play showed the pip",
            ),
            drawn: field("drawn", &[seats], "the tiles that each seat drew in this round"),
            counts: field("counts", &[seats], "the tiles that each seat holds"),
            boneyard: field("boneyard", &[2], "the tiles in the boneyard, and how many of them may be drawn"),
            scores: field(
                "scores",
                &[seats],
                "the score of each seat in percent of the target, rounded down",
            ),
            round: field(
                "round",
                &[5],
                "1 before the lead; refusals in this deal; rounds scored before; deals of this round before; 1 if the \
                 last action was a draw by the seat",
            ),
            len: 0,
        };
        at.len = len;
        Self { rules: *rules, indices, at, fields }
    }

    /// Returns the rules for which the fields are arranged.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of bytes of an observation.
    #[expect(clippy::len_without_is_empty, reason = "no observation is empty")]
    pub const fn len(&self) -> usize {
        self.at.len
    }

    /// Returns the parts of an observation, in order and without gaps.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Writes what a seat sees.
    ///
    /// # Panics
    /// If `out` is shorter than [`len`](Self::len), or the view is of another rule set, number of seats or set.
    pub fn write(&self, view: &View<'_>, out: &mut [u8]) {
        let (at, seats) = (self.at, self.rules.seats);
        let out = &mut out[..at.len];
        out.fill(0);
        self.mark(view.hand, at.hand, out);
        let waiting = self.write_history(view, out);
        let pips = self.rules.set.top().index() + 1;
        for (arm, end) in view.arms.iter() {
            let row = at.arms + arm.index() * (pips + 1);
            for pip in shown(end) {
                out[row + pip] = 1;
            }
            out[row + pips] = u8::from(waiting == 0 || waiting >> arm.index() & 1 != 0);
        }
        let target = u64::from(self.rules.target);
        for seat in seats.iter() {
            let after = self.after(view.seat, seat);
            out[at.counts + after] = view.counts[seat];
            out[at.scores + after] = byte(u64::from(view.scores[seat]) * 100 / target);
        }
        out[at.boneyard] = view.boneyard;
        out[at.boneyard + 1] = view.drawable;
        out[at.round] = u8::from(view.phase == Phase::Lead);
        out[at.round + 2] = byte(view.round.into());
        out[at.round + 3] = byte(view.redeal.into());
    }

    /// Writes what follows from the history, and returns the arms that the opening waits for, one bit each.
    fn write_history(&self, view: &View<'_>, out: &mut [u8]) -> u8 {
        let (at, pips) = (self.at, self.rules.set.top().index() + 1);
        let tiles = self.rules.set.size();
        let mut faces = [0_u16; 4];
        let mut waiting = self.rules.opening.arms().iter().fold(0_u8, |arms, arm| arms | 1 << arm.index());
        for entry in view.history.iter() {
            let after = self.after(view.seat, entry.seat);
            if let Some(tile) = Action::from(entry.event).tile() {
                out[at.laid + after * tiles + self.index_of(tile)] = 1;
            }
            match entry.event {
                HistoryAction::Lead(double) => {
                    for arm in self.rules.layout.arms() {
                        faces[arm.index()] = 1 << double.pip().index();
                    }
                }
                HistoryAction::Play(arm, lay) => {
                    faces[arm.index()] = match lay {
                        leyden_protocol::Lay::InLine { end, .. } => 1 << end.index(),
                        leyden_protocol::Lay::Across(matador) => {
                            1 << matador.low().index() | 1 << matador.high().index()
                        }
                    };
                    waiting &= !(1 << arm.index());
                }
                HistoryAction::Refuse => out[at.round + 1] += 1,
                HistoryAction::Draw(_) | HistoryAction::Pass => {
                    out[at.drawn + after] += u8::from(entry.event != HistoryAction::Pass);
                    if after > 0 {
                        let mut open = open_pips(faces, waiting);
                        while open != 0 {
                            let count =
                                &mut out[at.declined + (after - 1) * pips + open.trailing_zeros() as usize];
                            *count = count.saturating_add(1);
                            open &= open - 1;
                        }
                    }
                }
            }
        }
        if let Some(last) = view.history.last() {
            let own_draw = last.seat == view.seat && matches!(last.event, HistoryAction::Draw(_));
            out[at.round + 4] = u8::from(own_draw);
        }
        waiting
    }

    /// Writes 1 for each of these tiles.
    fn mark(&self, tiles: TileSet, at: usize, out: &mut [u8]) {
        for tile in tiles {
            out[at + self.index_of(tile)] = 1;
        }
    }

    fn index_of(&self, tile: Tile) -> usize {
        self.indices[tile.index()].into()
    }

    /// Returns how many seats after `viewer` a seat sits.
    fn after(&self, viewer: Seat, seat: Seat) -> usize {
        let seats = self.rules.seats.count();
        let after = seat.index() + seats - viewer.index();
        if after >= seats { after - seats } else { after }
    }
}

fn byte(number: u64) -> u8 {
    number.min(255) as u8
}

/// Returns the pips that arms open to play show, one bit each.
fn open_pips(faces: [u16; 4], waiting: u8) -> u16 {
    let open = |arm: usize| waiting == 0 || waiting >> arm & 1 != 0;
    faces.into_iter().enumerate().filter(|&(arm, _)| open(arm)).fold(0, |all, (_, face)| all | face)
}

/// Returns the pips that an end shows: one, or the two of a matador.
fn shown(end: End) -> impl Iterator<Item = usize> {
    let (one, other) = match end {
        End::Pip(pip) => (pip, None),
        End::Across(matador) => (matador.low(), Some(matador.high())),
    };
    std::iter::once(one).chain(other).map(leyden_protocol::Pip::index)
}
