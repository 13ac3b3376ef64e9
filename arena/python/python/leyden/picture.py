"""The table as text and as pixels, with all hands."""

from __future__ import annotations

import numpy as np

_TILE, _PIP = 28, 3
_CLOTH, _FACE, _INK = (24, 92, 60), (245, 240, 225), (30, 30, 30)
# Where the pips of a half lie, in thirds.
_SPOTS = {
    0: (),
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


def rows(table) -> list[tuple[str, list[str]]]:
    """Returns the rows of a table: each arm with its tiles from the lead on, then each hand."""
    lead, arms = [], {"N": [], "E": [], "S": [], "W": []}
    for entry in table.history:
        what, _, tile = entry.split(" ", 1)[1].partition(":")
        if what == "lead":
            lead = [tile]
        elif what in arms:
            arms[what].append(tile)
    laid = [("lead", lead)] + [(arm, tiles) for arm, tiles in arms.items()]
    return laid + [(f"seat {seat}", hand) for seat, hand in enumerate(table.hands)]


def text(table) -> str:
    """Returns the table as lines of text."""
    lines = [f"{name:>6}  {' '.join(tiles) or '-'}" for name, tiles in rows(table)]
    to_act = "over" if table.to_act is None else f"seat {table.to_act} to act"
    scores = " : ".join(str(score) for score in table.scores)
    return "\n".join([f"scores {scores}, boneyard {table.boneyard}, {to_act}", *lines])


def _half(image, top, left, pips):
    image[top + 1 : top + _TILE - 1, left + 1 : left + _TILE - 1] = _FACE
    # Halves with more than six pips have the rest in the middle column and beside it.
    more = ((1, 0), (1, 2), (1, 1), (0, 1), (2, 1), (0, 1))
    spots = list(_SPOTS.get(pips, _SPOTS[6])) + list(more[: max(0, pips - 6)])
    for row, column in spots:
        y, x = top + 6 + row * 7, left + 6 + column * 7
        image[y : y + _PIP, x : x + _PIP] = _INK


def pixels(table) -> np.ndarray:
    """Returns the table as an image, ``uint8`` (height, width, 3): a row for the lead, each arm and each hand."""
    shown = rows(table)
    across = max(8, *(len(tiles) for _, tiles in shown))
    image = np.empty((len(shown) * (_TILE + 8) + 8, across * (2 * _TILE + 6) + 8, 3), np.uint8)
    image[:] = _CLOTH
    for line, (_, tiles) in enumerate(shown):
        for index, tile in enumerate(tiles):
            top, left = 8 + line * (_TILE + 8), 8 + index * (2 * _TILE + 6)
            for half, pips in enumerate(tile.replace("|", "-").split("-")):
                _half(image, top, left + half * _TILE, int(pips))
    return image
