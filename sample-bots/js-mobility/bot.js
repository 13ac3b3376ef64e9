// Strategy: mobility. For each possible play it counts the ways in which its
// remaining tiles could be played next, and the ways for the tiles it has not
// seen. It prefers the play with the largest difference, plus the pips that the
// play sheds: a player with no way left has to draw.

const readline = require("node:readline");

const SHED_WEIGHT = 1;
const OWN_WAYS_WEIGHT = 3;
const THEIR_WAYS_WEIGHT = 12;

let top = 6; // the highest pip of the set

const pips = (text) => text.match(/\d+/g).map(Number);
const sum = ([a, b]) => a + b;
const isMatador = (tile) => sum(tile) === top + 1 || sum(tile) === 0;
const key = (tile) => [...tile].sort((a, b) => a - b).join("-");

// "S:2|5" as an arm, a tile and the numbers the arm shows afterwards.
function readPlay(action) {
  const tile = pips(action);
  return { action, arm: action[0], tile, end: action.includes("|") ? tile : [tile[1]] };
}

// All tiles that are neither in the hand nor on the layout.
function unseenTiles({ hand, history }) {
  const laid = history.filter((entry) => /[NESW]:|lead:/.test(entry)).map((entry) => pips(entry.split(":")[1]));
  const seen = new Set([...hand.map(pips), ...laid].map(key));
  const unseen = [];
  for (let low = 0; low <= top; low++) {
    for (let high = low; high <= top; high++) {
      if (!seen.has(key([low, high]))) unseen.push([low, high]);
    }
  }
  return unseen;
}

// The number of these ends on which the tile can be played.
function ways(tile, ends) {
  if (isMatador(tile)) return ends.length;
  return ends.filter((end) => end.some((pip) => tile.includes(top + 1 - pip))).length;
}

// The average number of ways per tile; 0 if there are no tiles.
const meanWays = (tiles, ends) => tiles.reduce((total, tile) => total + ways(tile, ends), 0) / (tiles.length || 1);

function value(play, turn, unseen) {
  const ends = Object.values({ ...turn.arms, [play.arm]: play.end });
  const rest = turn.hand.map(pips).filter((tile) => key(tile) !== key(play.tile));
  return (
    SHED_WEIGHT * sum(play.tile) +
    OWN_WAYS_WEIGHT * meanWays(rest, ends) -
    THEIR_WAYS_WEIGHT * meanWays(unseen, ends)
  );
}

// Leads the double that the rest of the hand follows best.
function chooseLead({ hand, legal }) {
  const leads = legal.filter((action) => action.startsWith("lead:"));
  const followers = (lead) => meanWays(hand.map(pips), [pips(lead)]);
  return best(leads, followers) ?? (legal.includes("refuse") ? "refuse" : "draw");
}

function best(items, score) {
  const scores = items.map(score);
  return items[scores.indexOf(Math.max(...scores))];
}

function choose(turn) {
  if (turn.phase === "lead") return chooseLead(turn);
  const unseen = unseenTiles(turn);
  const plays = turn.legal.filter((action) => action.includes(":")).map(readPlay);
  return best(plays, (play) => value(play, turn, unseen)).action;
}

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    top = message.rules.set;
    send({ type: "ready", protocol: "1.0", name: "js-mobility", version: "1" });
  } else if (message.type === "turn") {
    send({ type: "action", id: message.id, action: choose(message) });
  }
});
