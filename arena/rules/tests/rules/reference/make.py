# Regenerates golden/*.txt and perft.txt with rules.py beside it. The matches are random, from fixed seeds, with players
# of different tastes; perft.txt keeps its starts and gets new counts. That takes some minutes.
#
#     python3 arena/rules/tests/rules/reference/make.py

import random
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rules import DRAW, RULE_SETS, REFUSE, Game, Match, Round, written

TESTS = Path(__file__).resolve().parent.parent
TABLES = [Game(name) for name in RULE_SETS if name != "matador"]
TABLES += [Game("matador", seats, 6) for seats in (2, 3, 4)]
TABLES += [Game("matador", seats, 9) for seats in (2, 3, 4, 5, 6)]
TABLES += [Game("matador", seats, 12) for seats in (2, 3, 4, 5, 6, 7, 8)]
TARGETS = [10, 15, 30, 40, 100, 150]
CANDIDATES = 300  # matches played at each table, of which few are kept
LONGEST = 400  # lines of a match that is kept
OUT_ANYHOW, SEVEN_ROUNDS = "dominoed where no tile left fits", "seven rounds"
ONCE_IN_A_FILE = {OUT_ANYHOW, SEVEN_ROUNDS}  # anything else is shown once at each table


class Lot:
    """Random choices that never change: Python guarantees the sequence of `random()` alone."""

    def __init__(self, *seed):
        self.random = random.Random(" ".join(map(str, seed))).random

    def choose(self, options):
        return options[int(self.random() * len(options))]

    def shuffled(self, tiles):
        return sorted(tiles, key=lambda _: self.random())

    def taste(self):
        draw, refuse, block = [0, 0.1, 0.3, 0.7], [0, 0.3, 0.6, 0.95], [0, 0, 0.8, 1]
        return Taste(self.choose(draw), self.choose(refuse), self.choose(block))


class Taste(NamedTuple):
    """How often a player draws although it could play, refuses to lead, and plays what leaves least to play."""

    draw: float
    refuse: float
    block: float


def choose(round, legal, taste, lot):
    if REFUSE in legal and lot.random() < taste.refuse:
        return REFUSE
    if DRAW in legal and lot.random() < taste.draw:
        return DRAW
    plays = [action for action in legal if action.tile]
    if plays and round.ends and lot.random() < taste.block:
        return min(plays, key=lambda play: fitting(round.after(play)))
    return lot.choose(plays or legal)


def fitting(round):
    return sum(round.fits(tile) for tile in chain(round.held(), round.boneyard))


def play_match(game, lot):
    """Returns the lines of a random match, and which special cases it has."""
    match = Match(game)
    tastes = [lot.taste() for _ in range(game.seats)]
    lines, kinds = [f"match {game.name} {game.seats} {game.top} {game.target}"], set()
    while not match.finish():
        deck = lot.shuffled(game.tiles())
        lines.append(f"deal {match.round} {match.redeal} {' '.join(map(written, deck))}")
        round = match.deal(deck)
        while legal := round.legal():
            action = choose(round, legal, tastes[round.seat], lot)
            lines.append(turn(round, legal, action))
            round = round.after(action)
        lines.append(end(match, round))
        kinds.update(kinds_of_end(match, round))
    if match.round >= 7:
        kinds.add(SEVEN_ROUNDS)
    winner = match.winner()
    lines.append(f"over {match.finish()} {'-' if winner is None else winner}")
    return lines, kinds


def turn(round, legal, taken):
    drawn = f":{written(round.boneyard[0])}" if taken == DRAW else ""
    texts = [f"*{action.text}{drawn}" if action == taken else action.text for action in legal]
    return f"{round.seat} {' '.join(texts)}"


def end(match, round):
    counted = match.settle(round)
    if counted is None:
        return f"end {round.outcome} scores {listed(match.scores)}"
    arms = ",".join(f'"{arm}":[{listed(shown)}]' for arm, shown in round.ends.items())
    hands = "/".join(",".join(map(written, sorted(hand))) for hand in round.hands)
    return (
        f"end {round.outcome} pips {listed(counted[0])} points {listed(counted[1])} scores {listed(match.scores)}"
        f" boneyard {len(round.boneyard)} arms {{{arms}}} hands {hands}"
    )


def listed(numbers):
    return ",".join(map(str, numbers))


def kinds_of_end(match, round):
    if round.outcome == "blocked":
        yield f"blocked: {why_blocked(round)}"
    else:
        yield round.outcome
    if round.outcome == "dominoed" and round.nothing_left_fits():
        yield OUT_ANYHOW
    if round.outcome == "blocked" and round.winner is None and not match.finish():
        yield "equal lightest hands, and the match goes on"
    if round.lead == "loser" and not round.may_refuse:
        yield "led without a right to refuse"


def why_blocked(round):
    if not round.nothing_left_fits():
        return "nobody may draw and no hand fits"
    return "no tile left fits, though some could be drawn" if round.drawable() else "no tile left fits"


def golden(name):
    """Returns matches at each table of a rule set: from the shortest up, each with a special case that none before it has."""
    kept, seen = [], set()
    for game in TABLES:
        if game.name != name:
            continue
        seen &= ONCE_IN_A_FILE
        for lines, kinds in sorted(candidates(game), key=lambda match: len(match[0])):
            if len(lines) <= LONGEST and kinds - seen:
                kept += lines
                seen |= kinds
        print(f"{name}, {game.seats} seats, set {game.top}: {'; '.join(sorted(seen))}")
    return kept


def candidates(game):
    for number in range(CANDIDATES):
        lot = Lot(game.name, game.seats, game.top, number)
        yield play_match(game._replace(target=lot.choose(TARGETS)), lot)


def perft(text):
    """Returns the same starts, each with as many counts as before, counted again."""
    lines = []
    for line in text.splitlines():
        word, *rest = line.split()
        if word == "round":
            round = start(*rest)
        elif word == "after":
            for action in rest:
                round = played(round, action)
        else:
            line = " ".join(["counts", *map(str, sequences(round, len(rest)))])
        lines.append(line)
    return lines


def start(name, seats, top, lead, *deck):
    game = Game(name, int(seats), int(top))
    tiles = [tuple(map(int, tile.split("-"))) for tile in deck]
    if lead.startswith("loser"):
        lead, first, *bound = lead.split("-")
        return Round(game, tiles, lead, int(first), not bound)
    return Round(game, tiles, lead)


def played(round, text):
    for action in round.legal():
        if action.text == text:
            return round.after(action)
    raise SystemExit(f"perft.txt: {text} is not legal; {round.outcome or [action.text for action in round.legal()]}")


def sequences(round, longest):
    """Returns the number of sequences of exactly 1, 2, … `longest` legal actions."""
    legal = round.legal()
    counts = [len(legal)] + [0] * (longest - 1)
    if longest > 1:
        for action in legal:
            for length, more in enumerate(sequences(round.after(action), longest - 1), start=1):
                counts[length] += more
    return counts


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    for name in RULE_SETS:
        write(TESTS / f"golden/{name}.txt", golden(name))
    write(TESTS / "perft.txt", perft((TESTS / "perft.txt").read_text()))
