// Your bot. Change choose(); leyden.js beside it talks to the arena.
"use strict";

const { play, log, note } = require("./leyden.js");

// ======================= change this function =======================
/**
 * Returns one of turn.legal.
 *
 * turn.hand      your tiles: [[0, 2], [4, 6]]
 * turn.ends      what each arm shows: { N: [6], S: [3, 4] }; two numbers mean that either fits
 * turn.history   what has happened in this round: entries with .seat and .action
 * turn.legal     what you may do: actions with .kind ("lead", "play", "draw", "refuse"), .arm, .tile, .ends, .across
 * turn.counts, turn.scores, turn.boneyard, turn.seat, turn.top (the highest pip of the set) and more: see leyden.js
 * note("why")    is kept with the move: leyden replay shows it
 *
 * @param {import("./leyden.js").Turn} turn
 * @param {() => number} random from 0 up to 1, from the seed of the match
 * @returns {import("./leyden.js").Action}
 */
function choose(turn, random) {
  const pips = (action) => action.tile[0] + action.tile[1];
  const tiles = turn.legal.filter((action) => action.tile);
  if (tiles.length === 0) return turn.legal[0]; // draw or refuse
  const best = tiles.reduce((best, action) => (pips(action) > pips(best) ? action : best));
  log("turn", turn.id, "plays", best.text); // goes to standard error
  return best;
}
// ====================================================================

play("my-bot", choose);
