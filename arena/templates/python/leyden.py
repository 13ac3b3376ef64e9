"""The conversation with the arena, and types for its messages. You don't need to change anything here."""

import inspect
import json
import random
import sys
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

Tile = Tuple[int, int]


@dataclass(frozen=True)
class Action:
    """What a player does. The arena reads its text."""

    text: str
    kind: str  # "lead", "play", "draw", "refuse" or "pass"
    arm: Optional[str] = None  # for a play: "N", "E", "S" or "W"
    tile: Optional[Tile] = None  # the tile that is led, played or drawn, low half first
    touching: Optional[int] = None  # for a play in line: the half that touches
    ends: Tuple[int, ...] = ()  # the end that a play leaves: one number, or both halves if it lies across
    across: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Entry:
    """What a seat did."""

    seat: int
    action: Action


@dataclass(frozen=True)
class Turn:
    id: int  # counts your decisions in this match, from 1
    rules: str  # the rule set
    top: int  # the highest pip of the set: touching halves add up to one more
    target: int  # the score that ends the match
    round: int
    redeal: int
    phase: str  # "lead" or "play"
    seat: int  # yours
    hand: List[Tile]  # low half first, ascending
    ends: Dict[str, List[int]]  # what each arm shows
    boneyard: int  # tiles in it
    drawable: int  # how many of them may still be drawn
    counts: List[int]  # tiles of each seat
    scores: List[int]
    history: List[Entry]  # of this round; draws of other players show no tile
    legal: List[Action]
    turn_ms: int  # your time for this decision
    bank_ms: int  # and extra time for the rest of the match


def log(*words: object) -> None:
    """Prints to standard error, because standard output belongs to the arena."""
    print(*words, file=sys.stderr)


notes: List[str] = []
numbers: Dict[str, float] = {}
tags: List[str] = []
marks: Dict[str, str] = {}


def note(*words: object) -> None:
    """Sends a short text with the action, for yourself: leyden replay shows it beside the move."""
    notes.append(" ".join(str(word) for word in words))


def chart(name: str, value: float) -> None:
    """Sends a number with the action: leyden replay charts it over the match."""
    numbers[name] = value


def tag(name: str) -> None:
    """Sends a tag with the action: leyden matches --tag finds it."""
    tags.append(name)


def mark(arm: str, text: str) -> None:
    """Sends a mark on an arm with the action: leyden replay draws it there."""
    marks[arm] = text


def take_note() -> object:
    """What was noted for this action: a text, an object if there is more, or None."""
    note = {"text": "; ".join(notes), "numbers": dict(numbers), "tags": list(tags), "marks": dict(marks)}
    note = {name: value for name, value in note.items() if value}
    for noted in (notes, numbers, tags, marks):
        noted.clear()
    return note.get("text") if list(note) in ([], ["text"]) else note


def read_action(text: str) -> Action:
    word, _, rest = text.partition(":")
    if not rest:
        return Action(text, word)
    across = "|" in rest
    first, second = (int(pip) for pip in rest.replace("|", "-").split("-"))
    tile = (min(first, second), max(first, second))
    if word == "lead":
        return Action(text, "lead", tile=tile, ends=(first,))
    if word == "draw":
        return Action(text, "draw", tile=tile)
    if across:
        return Action(text, "play", word, tile, None, tile, True)
    return Action(text, "play", word, tile, first, (second,))


def read_entry(text: str) -> Entry:
    seat, _, action = text.partition(" ")
    return Entry(int(seat), read_action(action))


def read_turn(line: dict, top: int) -> Turn:
    tiles = [tuple(int(pip) for pip in tile.split("-")) for tile in line["hand"]]
    history = [read_entry(entry) for entry in line["history"]]
    legal = [read_action(action) for action in line["legal"]]
    same = {name: line[name] for name in
            ("id", "rules", "target", "round", "redeal", "phase", "seat", "boneyard", "drawable", "counts", "scores")}
    clock = line["clock"]
    return Turn(top=top, hand=tiles, ends=line["arms"], history=history, legal=legal,
                turn_ms=clock["turn_ms"], bank_ms=clock["bank_ms"], **same)


def send(line: dict) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def play(name: str, choose: Callable[[Turn, random.Random], Action]) -> None:
    """Answers the arena until it closes standard input."""
    top, rng = 6, random.Random(0)
    for text in sys.stdin:
        line = json.loads(text)
        kind = line.get("type")
        if kind == "hello":
            top = line["rules"]["set"]
            send({"type": "ready", "protocol": "1.0", "name": name})
        elif kind == "match_start":
            rng = random.Random(line["bot_seed"])
        elif kind == "turn":
            action = choose(read_turn(line, top), rng)
            if not isinstance(action, Action):
                hint = "; it is async: remove async" if inspect.isawaitable(action) else ""
                raise TypeError(f"choose() returned {action!r}: it must always return one of turn.legal{hint}")
            answer = {"type": "action", "id": line["id"], "action": str(action)}
            noted = take_note()
            if noted is not None:
                answer["note"] = noted
            send(answer)
        elif kind == "error":
            log("the arena says:", line["message"])
