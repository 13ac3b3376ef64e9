"""Your bot. Change choose(); leyden.py beside it talks to the arena."""

import random

from leyden import Action, Turn, log, note, play


# ======================= change this function =======================
def choose(turn: Turn, rng: random.Random) -> Action:
    """Return one of turn.legal.

    turn.hand       your tiles: [(0, 2), (4, 6)]
    turn.ends       what each arm shows: {"N": [6], "S": [3, 4]}; two numbers mean that either fits
    turn.history    what has happened in this round: entries with .seat and .action
    turn.legal      what you may do: actions with .kind ("lead", "play", "draw", "refuse"), .arm, .tile, .ends, .across
    turn.counts, turn.scores, turn.boneyard, turn.seat, turn.top (the highest pip of the set) and more: see leyden.py
    note("why")     is kept with the move: leyden replay shows it
    """
    tiles = [action for action in turn.legal if action.tile]
    if not tiles:
        return turn.legal[0]  # draw or refuse
    best = max(tiles, key=lambda action: sum(action.tile))
    log("turn", turn.id, "plays", best)  # goes to standard error
    return best
# ====================================================================


if __name__ == "__main__":
    play("my-bot", choose)
