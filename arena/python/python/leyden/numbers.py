"""What the bytes of an observation mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from . import _leyden


@dataclass(frozen=True)
class Field:
    """A part of an observation: ``shape`` in row-major order from byte ``offset`` on."""

    name: str
    offset: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """The number of its bytes."""
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class Encoding:
    """How what a seat sees is written as ``size`` bytes (``uint8``), and how many ``actions`` there are."""

    rules: str
    seats: int
    set: int
    version: int
    size: int
    actions: int
    fields: tuple[Field, ...]

    def split(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """Returns the parts of observations by name, as views: an array ``(..., size)`` gives ``(..., *field.shape)``.

        >>> encoding("leyden").split(np.zeros((5, 136), np.uint8))["arms"].shape
        (5, 4, 8)
        """
        front = observation.shape[:-1]
        return {
            field.name: observation[..., field.offset : field.offset + field.size].reshape(front + field.shape)
            for field in self.fields
        }


@lru_cache
def encoding(rules: str = "leyden", seats: int = 2, set: int = 6) -> Encoding:
    """Describes the observations of a game.

    ``rules`` is one of leyden, leyden-cross, leiden, senst, leyden-free and matador; ``set`` the highest pip of the tiles,
    6, 9 or 12. Leyden is played by two with 6; matador by up to 4, 6 or 8.

    >>> encoding("leyden").size, encoding("leyden").actions
    (136, 218)
    >>> [field.name for field in encoding("leyden").fields][:3]
    ['hand', 'laid', 'arms']
    """
    found = _leyden.encoding(rules, seats, set)
    fields = tuple(Field(*field) for field in found["fields"])
    return Encoding(rules, seats, set, found["version"], found["size"], found["actions"], fields)
