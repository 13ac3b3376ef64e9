"""Many environments, stepped together into arrays that the caller owns."""

from __future__ import annotations

import secrets

import numpy as np

from . import _leyden
from .numbers import encoding


class VecEnv:
    """``n`` environments that are stepped together. A match that ends is followed by the next at once.

    After ``reset`` and each ``step`` the arrays hold, row by row:

    ============== =========== ================== ==============================================================
    array          type        shape              content
    ============== =========== ================== ==============================================================
    observation    ``uint8``   ``(n, size)``      what the seat to act sees
    action_mask    ``uint8``   ``(n, actions)``   1 for each of its legal actions
    reward         ``float32`` ``(n, seats)``     what each seat got for the last step; ``(n,)`` with an opponent
    done           ``uint8``   ``(n,)``           1 if a match ended: the row already shows the next one
    seat           ``uint8``   ``(n,)``           the seat to act
    ============== =========== ================== ==============================================================
    """

    def __init__(self, n, rules, seats, set, target, reward, seed, threads, opponent, arrays):
        self.n = n
        self.encoding = encoding(rules, seats, set)
        opponents = opponent if opponent is None or isinstance(opponent, (list, tuple)) else [opponent]
        seed = secrets.token_hex(16) if seed is None else str(seed)
        self._core = _leyden.Vector(n, rules, seats, set, target, reward, seed, threads, opponents)
        rewards = (n, seats) if opponent is None else (n,)
        made = {
            "observation": ((n, self.encoding.size), np.uint8),
            "action_mask": ((n, self.encoding.actions), np.uint8),
            "reward": (rewards, np.float32),
            "done": ((n,), np.uint8),
            "seat": ((n,), np.uint8),
        }
        unknown = sorted(arrays.keys() - made.keys())
        if unknown:
            raise _leyden.LeydenError(f"there is no array {unknown[0]!r}; there are {', '.join(made)}")
        for name, (shape, kind) in made.items():
            array = arrays.get(name)
            if array is None:
                array = np.zeros(shape, kind)
            elif not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != kind:
                got = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
                raise _leyden.LeydenError(f"{name} must be an array {np.dtype(kind)} {shape}, not {got}")
            setattr(self, name, array)
        self._arrays = (self.observation, self.action_mask, self.reward, self.done, self.seat)
        self.reset()

    def reset(self):
        """Writes the state as it is now; no reward, nothing done. Matches go on."""
        self._core.observe(*self._arrays)
        return self

    def step(self, actions):
        """Takes one action (a number of the table) in each environment: an integer array ``(n,)``. If one of them is not
        legal, nothing changes anywhere and an ``IllegalActionError`` names the environment."""
        self._core.step(np.ascontiguousarray(actions, np.int64), *self._arrays)
        return self


def vec_env(
    n,
    rules="leyden",
    seats=2,
    set=6,
    target=100,
    reward="points",
    seed=None,
    threads=1,
    opponent=None,
    arrays=None,
):
    """Returns ``n`` environments that are stepped together, a ``VecEnv``.

    All seats are asked; with ``opponent`` (as in ``leyden.gym_env``) only one is, and the others are played. Steps release
    the GIL and are shared by ``threads`` threads, which pays from about a thousand environments on; results do not depend on
    their number. ``arrays`` names arrays that are written to instead of new ones.

    >>> import numpy as np
    >>> games = vec_env(3, seed=7)
    >>> games.observation.shape, games.action_mask.shape, games.reward.shape
    ((3, 136), (3, 218), (3, 2))
    >>> games.step(games.action_mask.argmax(1)).seat.shape
    (3,)
    """
    return VecEnv(n, rules, seats, set, target, reward, seed, threads, opponent, arrays or {})
