"""Strategy: count tiles.

A tile that is neither in this bot's hand nor on the layout is in another hand or
in the boneyard, each with the same chance. So the chance that the next player
cannot play after a given play of ours can be computed, and being stuck is dear:
it costs him a draw, or several. The bot adds that chance, in pips, to the pips
it gets rid of, and holds back matadors because with one of them it can never
be stuck itself.
"""

import json
import sys
from math import comb

STUCK_WORTH = 20  # the value, in pips, of leaving the next player stuck
MATADOR_WORTH = 6  # the cost, in pips, of playing a matador

# During a layout's opening only these arms are open, each until a tile is played on it.
OPENING = {"leyden": "NS", "leyden-cross": "NESW", "leiden": "NESW", "senst": "NESW"}


class Set:
    """The set of dominoes with every pip from 0 to `top`."""

    def __init__(self, top=6):
        self.top = top
        self.tiles = {(low, high) for high in range(top + 1) for low in range(high + 1)}

    def is_matador(self, tile):
        return sum(tile) in (0, self.top + 1)

    def fits(self, tile, pips):
        """Can the tile be played where these pips are showing?"""
        return self.is_matador(tile) or any(self.top + 1 - pip in pips for pip in tile)


def numbers(text):
    """The two pips of a tile or of an action such as `N:4-1`, in their order."""
    return [int(pip) for pip in text.split(":")[-1].replace("|", "-").split("-")]


def tile_of(text):
    return tuple(sorted(numbers(text)))


def is_tile(action):
    return ":" in action


def laid(turn):
    """The actions that put a tile on the layout, such as `lead:3-3` and `N:4-1`."""
    actions = (entry.split(maxsplit=1)[1] for entry in turn["history"])
    return [action for action in actions if is_tile(action) and not action.startswith("draw")]


def unseen_tiles(turn, domino_set):
    return domino_set.tiles - {tile_of(text) for text in turn["hand"] + laid(turn)}


def open_pips(turn, play):
    """The pips that are showing where tiles may be played once `play` is on the layout."""
    arm = play[0]
    touching, other = numbers(play)
    arms = turn["arms"] | {arm: [touching, other] if "|" in play else [other]}
    started = {action[0] for action in laid(turn)} | {arm}
    unstarted = set(OPENING.get(turn["rules"], "")) - started
    return {pip for name in unstarted or arms for pip in arms[name]}


def chance_of_none(fitting, unseen, count):
    """The chance that `count` tiles out of `unseen` hold none of the `fitting` ones."""
    return comb(unseen - fitting, count) / comb(unseen, count)


def value_of_play(turn, play, unseen, domino_set):
    pips = open_pips(turn, play)
    fitting = sum(domino_set.fits(tile, pips) for tile in unseen)
    next_seat = (turn["seat"] + 1) % len(turn["counts"])
    value = sum(numbers(play))
    value += STUCK_WORTH * chance_of_none(fitting, len(unseen), turn["counts"][next_seat])
    if domino_set.is_matador(tile_of(play)):
        value -= MATADOR_WORTH
    return value


def value_of_lead(turn, lead, domino_set):
    """Lead the double that the hand can follow best; of equals, the heavier one."""
    pips = set(numbers(lead))
    followers = sum(domino_set.fits(tile_of(tile), pips) for tile in turn["hand"])
    return followers, sum(pips)


def choose(turn, domino_set):
    tiles = [action for action in turn["legal"] if is_tile(action)]
    if not tiles:
        return turn["legal"][-1]  # no double to lead: refuse, or draw where that is not allowed
    if turn["phase"] == "lead":
        return max(tiles, key=lambda lead: value_of_lead(turn, lead, domino_set))
    unseen = unseen_tiles(turn, domino_set)
    return max(tiles, key=lambda play: value_of_play(turn, play, unseen, domino_set))


def send(**message):
    print(json.dumps(message), flush=True)


def main():
    domino_set = Set()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            domino_set = Set(message["rules"]["set"])
            send(type="ready", protocol="1.0", name="python-counter", version="1")
        elif message["type"] == "turn":
            send(type="action", id=message["id"], action=choose(message, domino_set))


main()
