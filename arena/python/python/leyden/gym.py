"""Leyden for Gymnasium: one seat, the others played."""

from __future__ import annotations

import secrets

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as missing:
    raise ImportError(f"leyden.gym_env needs gymnasium ({missing}); install it: pip install gymnasium") from missing

from . import _leyden, picture
from .numbers import encoding


def opponents_of(opponent):
    """Returns one opponent or several as a list."""
    return list(opponent) if isinstance(opponent, (list, tuple)) else [opponent]


class GymEnv(gymnasium.Env):
    """One seat of Leyden, which changes from match to match.

    ``opponent`` is a builtin bot such as ``"builtin:careful"`` or a callable that is given a ``leyden.Turn`` and returns an
    action; one for all other seats, or a list with one for each, in the order of play. Other choices as in
    ``leyden.leyden_v0.raw_env``.

    An observation is ``Dict(observation: uint8 (size,), action_mask: int8 (actions,))``. ``info`` has the learner's
    ``seat``, and after a match its ``scores`` and ``winner``.

    >>> game = GymEnv("builtin:greedy")
    >>> observation, info = game.reset(seed=7)
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((136,), (218,))
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        opponent="builtin:careful",
        rules="leyden",
        seats=2,
        set=6,
        target=100,
        reward="points",
        illegal="raise",
        render_mode=None,
    ):
        if illegal not in ("raise", "first"):
            raise _leyden.LeydenError(f'illegal must be "raise" or "first", not {illegal!r}')
        self._illegal = illegal
        self.encoding = encoding(rules, seats, set)
        self.render_mode = render_mode
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (self.encoding.size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.encoding.actions)
        self._choices = (rules, seats, set, target, reward)
        self._opponents = opponents_of(opponent)
        self._table = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None or self._table is None:
            text = secrets.token_hex(16) if seed is None else str(seed)
            self._table = _leyden.Table(*self._choices, text, opponents=self._opponents)
        else:
            self._table.next_match()
        self._seat = self._table.learner
        return self._observe(), {"seat": self._seat}

    def _observe(self):
        mask = self._table.mask(self._seat)
        return {"observation": self._table.observation(self._seat), "action_mask": mask}

    def step(self, action):
        if self._table is None:
            raise _leyden.LeydenError("call reset() before step()")
        self._table.step(action, self._illegal == "first")
        over = self._table.to_act is None
        info = {"seat": self._seat}
        if over:
            info.update(scores=self._table.scores, winner=self._table.winner)
        return self._observe(), self._table.rewards[self._seat], over, False, info

    def turn(self):
        """Returns the decision as a ``leyden.Turn``; ``None`` once the match is over."""
        return self._table.turn() if self._table else None

    def render(self):
        if self.render_mode is None or self._table is None:
            return None
        return picture.text(self._table) if self.render_mode == "ansi" else picture.pixels(self._table)
