"""A policy as layers of weights, and the bot that plays by it."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from pathlib import Path

import numpy as np

from ._leyden import LeydenError
from .numbers import encoding


class Policy:
    """A network from an observation to a value for each action. It plays the legal action with the highest value.

    ``layers`` is a list of ``(weights, biases)``: ``float32`` arrays ``(inputs, outputs)`` and ``(outputs,)``. The first layer
    takes the bytes of an observation as numbers, unscaled; the last gives one value for each action; those between are
    rectified, ``max(0, x)``.

    A policy is a callable that plays: ``leyden.match(policy, "builtin:greedy")``.

    >>> policy = Policy([(np.zeros((136, 218)), np.arange(218))])
    >>> policy.values(np.zeros(136, np.uint8)).shape
    (218,)
    """

    def __init__(self, layers, rules="leyden", seats=2, set=6):
        self.encoding = encoding(rules, seats, set)
        self.layers = [(np.asarray(w, np.float32), np.asarray(b, np.float32)) for w, b in layers]
        width = self.encoding.size
        for number, (weights, biases) in enumerate(self.layers):
            outputs = biases.shape[0] if biases.ndim == 1 else None
            if weights.shape != (width, outputs):
                expected = f"weights ({width}, n) and biases (n,)"
                raise LeydenError(f"layer {number} must have {expected}, not {weights.shape} and {biases.shape}")
            if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
                raise LeydenError(f"layer {number} has a weight that is not a finite number")
            width = outputs
        if not self.layers or width != self.encoding.actions:
            raise LeydenError(f"the last layer must have {self.encoding.actions} outputs, one for each action, not {width}")

    def values(self, observation: np.ndarray) -> np.ndarray:
        """Returns the value of each action: ``float32``, ``(..., actions)`` for observations ``(..., size)``."""
        x = np.asarray(observation, np.float32)
        for weights, biases in self.layers[:-1]:
            x = np.maximum(x @ weights + biases, 0)
        weights, biases = self.layers[-1]
        return x @ weights + biases

    def choose(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """Returns the number of the best legal action of each row."""
        return np.where(action_mask, self.values(observation), -np.inf).argmax(-1)

    def __call__(self, turn) -> int:
        return int(self.choose(turn.observation, turn.action_mask))

    def save(self, path, name="policy"):
        """Writes the weights and what they are for into one file, which ``load`` and exported bots read. The same policy gives
        the same bytes."""
        about = {
            "name": name,
            "rules": self.encoding.rules,
            "seats": self.encoding.seats,
            "set": self.encoding.set,
            "version": self.encoding.version,
        }
        arrays = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
        for number, (weights, biases) in enumerate(self.layers):
            arrays[f"weights{number}"] = np.ascontiguousarray(weights, "<f4")
            arrays[f"biases{number}"] = np.ascontiguousarray(biases, "<f4")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for key, array in arrays.items():
                data = io.BytesIO()
                np.lib.format.write_array(data, array, version=(1, 0), allow_pickle=False)
                # Without a date, so that equal policies are equal files.
                file.writestr(zipfile.ZipInfo(f"{key}.npy", (1980, 1, 1, 0, 0, 0)), data.getvalue())

    @classmethod
    def load(cls, path) -> Policy:
        """Reads what ``save`` wrote."""
        with np.load(path) as arrays:
            about = json.loads(bytes(arrays["about"]).decode())
            layers = [
                (arrays[f"weights{number}"], arrays[f"biases{number}"])
                for number in range((len(arrays.files) - 1) // 2)
            ]
        policy = cls(layers, about["rules"], about["seats"], about["set"])
        if about["version"] != policy.encoding.version:
            found = f"version {about['version']} of the encoding, this leyden has version {policy.encoding.version}"
            raise LeydenError(f"{os.fspath(path)} is for {found}")
        return policy


def export_bot(folder, policy: Policy, name=None, author=None) -> Path:
    """Writes a bot folder that plays by a policy: ``bot.toml``, ``bot.py`` and ``weights.npz``. Returns the folder.

    The bot needs nothing but Python 3.9 and encodes each turn itself, byte by byte as ``leyden.observe`` does. It is named
    after the folder unless ``name`` is given. ``leyden check FOLDER`` says whether it plays.
    """
    if not isinstance(policy, Policy):
        raise LeydenError(f"expected a leyden.Policy, got {type(policy).__name__}: make one of the layers of your network")
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise LeydenError(f"{folder} is not a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / "weights.npz").exists():
        raise LeydenError(f"{folder} has other files in it: name a folder that is new, empty or written by export_bot")
    name = folder.resolve().name if name is None else name
    for label, text in (("name", name), ("author", author or "")):
        if not text.isprintable():
            raise LeydenError(f"{label} must be printable on one line, got {text!r}")
    folder.mkdir(parents=True, exist_ok=True)
    about = policy.encoding
    lines = [f"name = {json.dumps(name, ensure_ascii=False)}", 'command = ["python3", "bot.py"]']
    if author:
        lines.append(f"author = {json.dumps(author, ensure_ascii=False)}")
    lines += ['language = "Python"', f'rules = ["{about.rules}"]', f"seats = [{about.seats}]"]
    (folder / "bot.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copyfile(Path(__file__).with_name("hand_in.py"), folder / "bot.py")
    policy.save(folder / "weights.npz", name)
    return folder
