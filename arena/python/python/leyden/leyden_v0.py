"""Leyden for PettingZoo: ``env`` (AEC), ``raw_env`` and ``parallel_env``, as PettingZoo's own games have them."""

from __future__ import annotations

import secrets

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import parallel_to_aec
except ImportError as missing:
    raise ImportError(f"leyden.env needs pettingzoo ({missing}); install it: pip install pettingzoo") from missing

from . import _leyden, picture
from .numbers import encoding

_ILLEGAL = ("raise", "first")


class _Game:
    """What both interfaces share: spaces, the seed, and pictures. Agents are called ``seat_0``, ``seat_1``, …"""

    metadata = {"name": "leyden_v0", "render_modes": ["human", "ansi", "rgb_array"], "render_fps": 2}

    def __init__(self, rules, seats, set, target, reward, illegal, render_mode):
        if illegal not in _ILLEGAL:
            raise _leyden.LeydenError(f'illegal must be "raise" or "first", not {illegal!r}')
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise _leyden.LeydenError(f"render_mode must be one of {modes}, not {render_mode!r}")
        self.encoding = encoding(rules, seats, set)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents = list(self.possible_agents)
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._choices = (rules, seats, set, target, reward)
        self._illegal = illegal
        self._table = None
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (self.encoding.size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents}

    def observation_space(self, agent):
        """``Dict(observation: uint8 (size,), action_mask: int8 (actions,))``"""
        return self.observation_spaces[agent]

    def action_space(self, agent):
        """``Discrete(actions)``, the numbers of ``leyden.action``."""
        return self.action_spaces[agent]

    def _begin(self, seed):
        if seed is not None or self._table is None:
            seed = secrets.token_hex(16) if seed is None else str(seed)
            self._table = _leyden.Table(*self._choices, seed)
        else:
            self._table.next_match()

    def _play(self, action):
        self._table.step(action, self._illegal == "first")

    def render(self):
        """Shows the table, with all hands: text (``human`` prints it, ``ansi`` returns it) or ``uint8`` (height, width, 3)."""
        if self.render_mode is None or self._table is None:
            return None
        if self.render_mode == "rgb_array":
            return picture.pixels(self._table)
        text = picture.text(self._table)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self):
        """Nothing is left open."""


class raw_env(_Game, AECEnv):
    """One decision at a time. A seat is asked only when it has a choice, as in the arena; it may be asked several times in
    a row, because a turn may have draws before its play.

    ``rules``, ``seats`` and ``set`` as in ``leyden.encoding``; ``target`` is the score that ends a match; ``reward`` is
    ``"points"`` (at the end of each round, in pips: how much better for the seat its points were than the mean of the
    others') or ``"match"`` (at the end: 1, -1, or 0 if nobody won); ``illegal`` is ``"raise"`` (an ``IllegalActionError``;
    nothing changes) or ``"first"`` (the first legal action is played instead, as the arena does when it forgives a fault).

    ``reset(seed=…)`` begins the first match of a seed, ``reset()`` the next one.
    """

    metadata = {**_Game.metadata, "is_parallelizable": False}

    def __init__(
        self, rules="leyden", seats=2, set=6, target=100, reward="points", illegal="raise", render_mode=None
    ):
        super().__init__(rules, seats, set, target, reward, illegal, render_mode)

    def reset(self, seed=None, options=None):
        self._begin(seed)
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}
        self.agent_selection = agents[self._table.to_act]

    def observe(self, agent):
        seat = self._seat[agent]
        return {"observation": self._table.observation(seat), "action_mask": self._table.mask(seat)}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._play(action)
        table, agents, gained = self._table, self.possible_agents, self._table.rewards
        self._cumulative_rewards[agent] = 0.0
        for name, reward in zip(agents, gained):
            self.rewards[name] = reward
            self._cumulative_rewards[name] += reward
        to_act = table.to_act
        if to_act is None:
            self.terminations = dict.fromkeys(agents, True)
            self.agent_selection = agents[0]
        else:
            self.agent_selection = agents[to_act]
        if self.render_mode == "human":
            self.render()


class parallel_env(_Game, ParallelEnv):
    """All seats step together. Only the action of the seat to act counts; the others can only ``pass``, and what they send is
    ignored.

    Choices as in ``raw_env``; a match is truncated after ``max_cycles`` steps. ``illegal`` is ``"first"`` unless chosen.
    """

    metadata = {**_Game.metadata, "is_parallelizable": True}

    def __init__(
        self,
        rules="leyden",
        seats=2,
        set=6,
        target=100,
        reward="points",
        illegal="first",
        render_mode=None,
        max_cycles=None,
    ):
        super().__init__(rules, seats, set, target, reward, illegal, render_mode)
        self._max_cycles = max_cycles
        self._pass = _leyden.number("pass", set)

    def reset(self, seed=None, options=None):
        self._begin(seed)
        self.agents = list(self.possible_agents)
        self._cycle = 0
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self):
        observations = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self._table.mask(seat)
            if self._table.to_act != seat:
                mask[self._pass] = 1
            observations[agent] = {"observation": self._table.observation(seat), "action_mask": mask}
        return observations

    def step(self, actions):
        agents = self.agents
        self._play(actions[self.possible_agents[self._table.to_act]])
        self._cycle += 1
        over = self._table.to_act is None
        cut = not over and self._max_cycles is not None and self._cycle >= self._max_cycles
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        rewards = dict(zip(agents, self._table.rewards))
        infos = {agent: {} for agent in agents}
        return self._observe(), rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos


def env(max_cycles=None, **choices):
    """Returns the AEC environment, a ``raw_env``.

    With ``max_cycles`` play goes in cycles: each seat steps once a cycle, in seat order, those that are not to act can only
    ``pass``, and a match is truncated after that many cycles.

    >>> game = env(rules="matador", seats=3)
    >>> game.reset(seed=7)
    >>> game.observe(game.agent_selection)["observation"].shape
    (174,)
    """
    if max_cycles is not None:
        return parallel_to_aec(parallel_env(max_cycles=max_cycles, **choices))
    return raw_env(**choices)
