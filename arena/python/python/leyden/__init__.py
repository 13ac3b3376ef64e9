"""Leyden, a domino game in which touching halves add up to seven: environments to train in, and the arena from Python.

>>> import leyden
>>> leyden.encoding("leyden").size
136
>>> leyden.action(leyden.number("N:4-1"))
'N:4-1'

What needs more than numpy says so when it is used: ``env`` needs pettingzoo, ``gym_env`` gymnasium.
"""

from ._leyden import IllegalActionError, LeydenError, Turn, action, actions, builtins, number, observe
from .arena import Match, Replay, Results, match, options, program, tournament
from .data import dataset
from .numbers import Encoding, Field, encoding
from .policy import Policy, export_bot
from .vector import VecEnv, vec_env

__all__ = [
    "Encoding",
    "Field",
    "IllegalActionError",
    "LeydenError",
    "Match",
    "Policy",
    "Replay",
    "Results",
    "Turn",
    "VecEnv",
    "action",
    "actions",
    "builtins",
    "dataset",
    "encoding",
    "env",
    "export_bot",
    "gym_env",
    "match",
    "number",
    "observe",
    "options",
    "parallel_env",
    "program",
    "tournament",
    "vec_env",
]


def env(**choices):
    """Returns a PettingZoo environment (AEC): see ``leyden.leyden_v0.env``."""
    from . import leyden_v0

    return leyden_v0.env(**choices)


def parallel_env(**choices):
    """Returns a PettingZoo environment (Parallel): see ``leyden.leyden_v0.parallel_env``."""
    from . import leyden_v0

    return leyden_v0.parallel_env(**choices)


def gym_env(opponent="builtin:careful", **choices):
    """Returns a Gymnasium environment of one seat: see ``leyden.gym.GymEnv``."""
    from .gym import GymEnv

    return GymEnv(opponent, **choices)
