//! Your bot. Change `choose`; leyden.rs beside it talks to the arena.

mod leyden;

use leyden::{log, Action, Random, Turn};

// ======================= change this function =======================
/// Returns one of `turn.legal`.
///
/// - `turn.hand`: your tiles, each with `low` and `high`
/// - `turn.ends`: what each arm shows, `[('N', [6]), ('S', [3, 4])]`; two numbers mean that either fits
/// - `turn.history`: what has happened in this round, entries with `seat` and `action`
/// - `turn.legal`: what you may do, actions with `kind` (`Kind::Lead`, `Play`, `Draw`, `Refuse`), `arm`, `tile`, `ends`, `across`
/// - `turn.counts`, `scores`, `boneyard`, `seat`, `top` (the highest pip of the set) and more: see leyden.rs
/// - `leyden::note("why")` is kept with the move: leyden replay shows it
fn choose<'a>(turn: &'a Turn, _random: &mut Random) -> &'a Action {
    let pips = |action: &Action| action.tile.map(|tile| tile.low + tile.high); // draw and refuse have no tile
    let mut best = &turn.legal[0];
    for action in &turn.legal {
        if pips(action) > pips(best) {
            best = action;
        }
    }
    log(&format!("turn {} plays {}", turn.id, best.text)); // goes to standard error
    best
}
// ====================================================================

fn main() {
    leyden::play("my-bot", choose);
}
