// The conversation with the arena, and types for its messages. You don't need to change anything here.
"use strict";

const readline = require("node:readline");

/**
 * What a player does. The arena reads its text.
 * @typedef {object} Action
 * @property {string} text
 * @property {"lead" | "play" | "draw" | "refuse" | "pass"} kind
 * @property {"N" | "E" | "S" | "W"} [arm] for a play
 * @property {[number, number]} [tile] the tile that is led, played or drawn, low half first
 * @property {number} [touching] for a play in line: the half that touches
 * @property {number[]} ends the end that a play leaves: one number, or both halves if it lies across
 * @property {boolean} across
 */

/**
 * @typedef {object} Turn
 * @property {number} id counts your decisions in this match, from 1
 * @property {string} rules the rule set
 * @property {number} top the highest pip of the set: touching halves add up to one more
 * @property {number} target the score that ends the match
 * @property {number} round
 * @property {number} redeal
 * @property {"lead" | "play"} phase
 * @property {number} seat yours
 * @property {[number, number][]} hand low half first, ascending
 * @property {Record<string, number[]>} ends what each arm shows
 * @property {number} boneyard tiles in it
 * @property {number} drawable how many of them may still be drawn
 * @property {number[]} counts tiles of each seat
 * @property {number[]} scores
 * @property {{ seat: number, action: Action }[]} history of this round; draws of other players show no tile
 * @property {Action[]} legal
 * @property {{ turn_ms: number, bank_ms: number, last_us: number | null }} clock
 */

/** Prints to standard error, because standard output belongs to the arena. */
const log = (...words) => console.error(...words);

let noted = {};

/** Sends a short text with the action, for yourself: leyden replay shows it beside the move. */
const note = (...words) => (noted.text = [...(noted.text ? [noted.text] : []), words.join(" ")].join("; "));

/** Sends a number with the action: leyden replay charts it over the match. */
const chart = (name, value) => ((noted.numbers ??= {})[name] = value);

/** Sends a tag with the action: leyden matches --tag finds it. */
const tag = (name) => (noted.tags ??= []).push(name);

/** Sends a mark on an arm with the action: leyden replay draws it there. */
const mark = (arm, text) => ((noted.marks ??= {})[arm] = text);

/** What was noted for this action: a text, or an object if there is more. */
function takeNote() {
  const taken = noted;
  noted = {};
  const fields = Object.keys(taken);
  if (fields.length === 0) return {};
  return { note: fields.join() === "text" ? taken.text : taken };
}

/** @returns {Action} */
function readAction(text) {
  const [word, rest] = text.split(":");
  if (rest === undefined) return { text, kind: word, ends: [], across: false };
  const [first, second] = rest.split(/[-|]/).map(Number);
  const tile = [Math.min(first, second), Math.max(first, second)];
  if (word === "lead") return { text, kind: "lead", tile, ends: [first], across: false };
  if (word === "draw") return { text, kind: "draw", tile, ends: [], across: false };
  if (rest.includes("|")) return { text, kind: "play", arm: word, tile, ends: tile, across: true };
  return { text, kind: "play", arm: word, tile, touching: first, ends: [second], across: false };
}

function readEntry(text) {
  const blank = text.indexOf(" ");
  return { seat: Number(text.slice(0, blank)), action: readAction(text.slice(blank + 1)) };
}

/** @returns {Turn} */
function readTurn(line, top) {
  const { arms, hand, history, legal, ...same } = line;
  return {
    ...same,
    top,
    hand: hand.map((tile) => tile.split("-").map(Number)),
    ends: arms,
    history: history.map(readEntry),
    legal: legal.map(readAction),
  };
}

/** Random numbers from a seed (mulberry32). */
function seeded(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const send = (line) => process.stdout.write(JSON.stringify(line) + "\n");

/** Answers the arena until it closes standard input. */
function play(name, choose) {
  let top = 6;
  let random = seeded(0);
  readline.createInterface({ input: process.stdin }).on("line", async (text) => {
    const line = JSON.parse(text);
    if (line.type === "hello") {
      top = line.rules.set;
      send({ type: "ready", protocol: "1.0", name });
    } else if (line.type === "match_start") {
      random = seeded(line.bot_seed);
    } else if (line.type === "turn") {
      const action = await choose(readTurn(line, top), random); // choose may be async
      if (typeof action?.text !== "string") {
        throw new TypeError(`choose() returned ${action}: it must always return one of turn.legal`);
      }
      send({ type: "action", id: line.id, action: action.text, ...takeNote() });
    } else if (line.type === "error") {
      log("the arena says:", line.message);
    }
  });
}

module.exports = { play, log, note, chart, tag, mark };
