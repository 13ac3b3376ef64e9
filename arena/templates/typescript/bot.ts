// Your bot. Change choose(); leyden.ts beside it talks to the arena.
// Node 22.18 and later run this file directly: they strip the types, so do not use enums or namespaces.

import { type Action, log, note, play, type Turn } from "./leyden.ts";

// ======================= change this function =======================
/**
 * Returns one of turn.legal.
 *
 * turn.hand      your tiles: [[0, 2], [4, 6]]
 * turn.ends      what each arm shows: { N: [6], S: [3, 4] }; two numbers mean that either fits
 * turn.history   what has happened in this round: entries with .seat and .action
 * turn.legal     what you may do: actions with .kind ("lead", "play", "draw", "refuse"), .arm, .tile, .ends, .across
 * turn.counts, turn.scores, turn.boneyard, turn.seat, turn.top (the highest pip of the set) and more: see leyden.ts
 * note("why")    is kept with the move: leyden replay shows it
 */
function choose(turn: Turn, random: () => number): Action {
  const pips = (action: Action) => (action.tile ? action.tile[0] + action.tile[1] : -1);
  const best = turn.legal.reduce((best, action) => (pips(action) > pips(best) ? action : best));
  log("turn", turn.id, "plays", best.text); // goes to standard error
  return best;
}
// ====================================================================

play("my-bot", choose);
