// The conversation with the arena, and types for its messages. You don't need to change anything here.

import { createInterface } from "node:readline";

export type Tile = [number, number]; // low half first
export type Arm = "N" | "E" | "S" | "W";

/** What a player does. The arena reads its text. */
export interface Action {
  text: string;
  kind: "lead" | "play" | "draw" | "refuse" | "pass";
  arm?: Arm; // for a play
  tile?: Tile; // the tile that is led, played or drawn
  touching?: number; // for a play in line: the half that touches
  ends: number[]; // the end that a play leaves: one number, or both halves if it lies across
  across: boolean;
}

export interface Entry {
  seat: number;
  action: Action;
}

export interface Turn {
  id: number; // counts your decisions in this match, from 1
  rules: string; // the rule set
  top: number; // the highest pip of the set: touching halves add up to one more
  target: number; // the score that ends the match
  round: number;
  redeal: number;
  phase: "lead" | "play";
  seat: number; // yours
  hand: Tile[]; // ascending
  ends: Partial<Record<Arm, number[]>>; // what each arm shows
  boneyard: number; // tiles in it
  drawable: number; // how many of them may still be drawn
  counts: number[]; // tiles of each seat
  scores: number[];
  history: Entry[]; // of this round; draws of other players show no tile
  legal: Action[];
  clock: { turn_ms: number; bank_ms: number; last_us: number | null };
}

/** Prints to standard error, because standard output belongs to the arena. */
export const log = (...words: unknown[]): void => console.error(...words);

let noted: { text?: string; numbers?: Record<string, number>; tags?: string[]; marks?: { [arm in Arm]?: string } } = {};

/** Sends a short text with the action, for yourself: leyden replay shows it beside the move. */
export function note(...words: unknown[]): void {
  noted.text = [...(noted.text ? [noted.text] : []), words.join(" ")].join("; ");
}

/** Sends a number with the action: leyden replay charts it over the match. */
export const chart = (name: string, value: number): void => void ((noted.numbers ??= {})[name] = value);

/** Sends a tag with the action: leyden matches --tag finds it. */
export const tag = (name: string): void => void (noted.tags ??= []).push(name);

/** Sends a mark on an arm with the action: leyden replay draws it there. */
export const mark = (arm: Arm, text: string): void => void ((noted.marks ??= {})[arm] = text);

/** What was noted for this action: a text, or an object if there is more. */
function takeNote(): object {
  const taken = noted;
  noted = {};
  const fields = Object.keys(taken);
  if (fields.length === 0) return {};
  return { note: fields.join() === "text" ? taken.text : taken };
}

function readAction(text: string): Action {
  const [word, rest] = text.split(":");
  if (rest === undefined) return { text, kind: word as Action["kind"], ends: [], across: false };
  const [first, second] = rest.split(/[-|]/).map(Number) as Tile;
  const tile: Tile = [Math.min(first, second), Math.max(first, second)];
  if (word === "lead") return { text, kind: "lead", tile, ends: [first], across: false };
  if (word === "draw") return { text, kind: "draw", tile, ends: [], across: false };
  const arm = word as Arm;
  if (rest.includes("|")) return { text, kind: "play", arm, tile, ends: tile, across: true };
  return { text, kind: "play", arm, tile, touching: first, ends: [second], across: false };
}

function readEntry(text: string): Entry {
  const blank = text.indexOf(" ");
  return { seat: Number(text.slice(0, blank)), action: readAction(text.slice(blank + 1)) };
}

function readTurn(line: any, top: number): Turn {
  const { arms, hand, history, legal, ...same } = line;
  return {
    ...same,
    top,
    hand: hand.map((tile: string) => tile.split("-").map(Number)),
    ends: arms,
    history: history.map(readEntry),
    legal: legal.map(readAction),
  };
}

/** Random numbers from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const send = (line: object): boolean => process.stdout.write(JSON.stringify(line) + "\n");

/** Answers the arena until it closes standard input. */
export function play(name: string, choose: (turn: Turn, random: () => number) => Action | Promise<Action>): void {
  let top = 6;
  let random = seeded(0);
  createInterface({ input: process.stdin }).on("line", async (text) => {
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
