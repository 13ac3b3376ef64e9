"""The decisions of recorded matches as arrays."""

from __future__ import annotations

import os

from . import _leyden


def dataset(file, rows=65_536):
    """Yields the decisions of a results file or an export as dicts of arrays, at least ``rows`` a time. Memory does not
    grow with the number of matches.

    ================ =========== ================ ===============================================================
    array            type        shape            content
    ================ =========== ================ ===============================================================
    observation      ``uint8``   ``(n, size)``    what the seat saw
    action_mask      ``uint8``   ``(n, actions)`` 1 for each of its legal actions
    action           ``uint16``  ``(n,)``         the number of the one that it chose
    result           ``float32`` ``(n,)``         1 if it won the match, -1 if it lost, 0 otherwise
    round_points     ``float32`` ``(n,)``         in pips: how much better its points of the round were than the others'
    points_to_come   ``float32`` ``(n,)``         the same from this round to the end of the match
    seat             ``uint8``   ``(n,)``         the seat
    bot              ``uint16``  ``(n,)``         which bot: an index into ``bots``
    match            ``uint32``  ``(n,)``         which match of the file, from 0
    bots             list        any              the names of the bots so far
    ================ =========== ================ ===============================================================

    ``leyden dataset FILE --out FOLDER`` writes the same as ``.npz`` or Parquet files.
    """
    decisions = _leyden.Decisions(os.fspath(file), rows)
    while (read := decisions.next()) is not None:
        arrays, bots = read
        yield {**arrays, "bots": bots}
