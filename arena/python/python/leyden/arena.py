"""The arena from a notebook: matches, tournaments and their results."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from . import _leyden
from ._leyden import LeydenError

_KEPT: list[tempfile.TemporaryDirectory] = []


def program() -> str:
    """Returns the path of the program ``leyden``, which runs bots that are processes: the one that the environment variable
    ``LEYDEN`` names, the one installed with this package, or one on the path."""
    named = os.environ.get("LEYDEN")
    beside = Path(sys.executable).with_name("leyden")
    found = named or (str(beside) if beside.is_file() else shutil.which("leyden"))
    if not found:
        raise LeydenError(
            "bots that are processes need the program leyden: install the wheel that has it, put it on the path, or name it "
            "in the environment variable LEYDEN"
        )
    return found


class _Progress:
    """A bar on standard error; nothing where there is no terminal."""

    def __init__(self, shown):
        self._shown = sys.stderr.isatty() if shown is None else shown

    def __call__(self, done, planned):
        if self._shown and planned:
            bar = "#" * (30 * done // planned)
            print(f"\r{done}/{planned} matches [{bar:<30}]", end="", file=sys.stderr, flush=True)

    def close(self):
        if self._shown:
            print(file=sys.stderr)


def _seated(bots):
    """Returns the bots as texts, and the callables among them by name."""
    texts, players = [], {}
    named = bots.items() if isinstance(bots, dict) else ((None, bot) for bot in bots)
    for name, bot in named:
        if callable(bot):
            name = name or getattr(bot, "__name__", type(bot).__name__)
            name = next(n for n in (name, *(f"{name}-{i}" for i in range(2, 1000))) if n not in players)
            if not name.isprintable() or not name:
                raise LeydenError(f"a name must be printable and not empty, got {name!r}")
            players[name] = bot
            texts.append(f"in-process:{name}")
        elif isinstance(bot, (str, os.PathLike)):
            texts.append(os.fspath(bot))
        else:
            expected = "a callable, a folder, a command line or a builtin such as builtin:careful"
            raise LeydenError(f"expected a bot as {expected}, got {type(bot).__name__}")
    return texts, players


def options() -> dict:
    """Returns the options of ``tournament`` and ``match`` by name, with their usual values: those of ``leyden tournament``, where
    ``leyden help tournament`` explains them. Here times are in milliseconds (``turn_ms`` is ``--turn``, and ``build_ms`` what a
    message calls ``--build-time``), memory is in bytes, ``pondering`` is ``"watched"``, ``"never"`` or ``"allowed"``, and ``None``
    leaves a choice to the arena. ``blocks`` are the ``pairs`` of a ``match``.

    >>> options()["turn_ms"], options()["clock"], options()["memory"] >> 20
    (1000, 'wall', 512)
    """
    return json.loads(_leyden.options())


def _plain(value):
    """Returns what JSON has of a path, or of a number of numpy."""
    return value.item() if hasattr(value, "item") else os.fspath(value)


def tournament(
    bots, blocks=None, *, results=None, resume=False, gauntlet=(), progress=None, _match=False, **choices
) -> Results:
    """Plays every bot against every other, and returns the results.

    ``bots`` is a list, or a dict of callables by name. A bot is a folder with a ``bot.toml``, a folder of such folders, a
    command line, a builtin such as ``"builtin:careful"``, or a callable that is given a ``leyden.Turn`` and returns one of its
    legal actions, as a number or as the protocol writes it. A callable is asked in this process, one at a time, without a time
    limit or a sandbox; if it raises, the tournament ends with its exception.

    Every table meets ``blocks`` times (once), on deals that each bot gets from each side. The bots in ``gauntlet``, if there are
    any, play all others, which do not play each other. All other choices are those of ``leyden.options()``.

    ``results`` names a new results file; without one it is kept until Python ends. With ``resume`` the file is continued: what it
    holds (bots, format, blocks, seed, rules, limits, sandbox, memory and the like) stays, but for more ``blocks``, and a choice
    that contradicts it is refused; others, such as ``jobs`` and ``build_ms``, are as usual unless given again. Ctrl-C stops: what
    was played is kept, and can be resumed. ``progress`` shows a bar, by default if standard error is a terminal.

    >>> first = lambda turn: turn.legal[0]
    >>> last = lambda turn: turn.legal[-1]
    >>> played = tournament({"first": first, "last": last}, blocks=2, seed="doctest")
    >>> [line["bots"] for line in played.matches()]
    [['first', 'last'], ['last', 'first'], ['first', 'last'], ['last', 'first']]
    """
    function, own = ("match", ["pairs"]) if _match else ("tournament", [])
    known = [*options(), *(name for name in tournament.__kwdefaults__ if not name.startswith("_")), *own]
    if unknown := [name for name in choices if name not in known]:
        meant = "".join(f". Did you mean {near!r}?" for near in difflib.get_close_matches(unknown[0], known, 1))
        raise TypeError(f"{function}() got an unexpected keyword argument {unknown[0]!r}{meant}")
    texts, players = _seated(bots)
    if results is None:
        if resume:
            raise LeydenError("resume=True needs the results file to continue: results=FILE")
        _KEPT.append(tempfile.TemporaryDirectory(prefix="leyden-"))
        results = Path(_KEPT[-1].name) / "results.db"
    processes = len(players) < len(texts)
    choices = {name: value for name, value in {"blocks": blocks, **choices}.items() if value is not None}
    if not processes and not resume:
        # Nothing but this process plays, so there is nothing to confine.
        choices.setdefault("sandbox", "none")
    played = {
        "program": program() if processes else "",
        "bots": texts,
        "file": os.fspath(results),
        "resume": resume,
        "is_match": _match,
        "gauntlet": [text for text in _seated(gauntlet)[0]],
        "options": json.dumps(choices, default=_plain),
    }
    bar = _Progress(progress)
    try:
        _, voided, withdrawn, notes = _leyden.play(played, list(players.items()), bar)
    finally:
        bar.close()
    for note in notes:
        warnings.warn(note, stacklevel=2)
    if voided:
        matches = "1 match is" if voided == 1 else f"{voided} matches are"
        warnings.warn(f"{matches} void through no bot's fault", stacklevel=2)
    for bot in withdrawn:
        warnings.warn(f"{bot} is no longer started after start failures in a row; its other matches count as lost", stacklevel=2)
    return Results(results)


def match(a, b, pairs=None, **choices) -> Match:
    """Plays two bots against each other, each deal once from both sides, and returns the result.

    ``pairs`` is the number of deals: by default 10, with ``resume`` as many as in the file. Without it ``blocks`` says the same, so
    that ``leyden.options()`` can be given. Bots and all other choices are as in ``tournament``.

    >>> played = match("builtin:greedy", lambda turn: turn.legal[0], pairs=3, seed="doctest")  # doctest: +SKIP
    >>> played.won, played.drawn, played.lost  # doctest: +SKIP
    (6, 0, 0)
    """
    blocks = choices.pop("blocks", None if choices.get("resume") else 10)
    return Match(tournament([a, b], blocks if pairs is None else pairs, _match=True, **choices))


class Results:
    """A results file, or an export (JSON Lines). Reads what is there when it is asked."""

    def __init__(self, file):
        self.file = Path(file)
        if not self.file.exists():
            raise FileNotFoundError(f"there is no file {self.file}")

    def standings(self) -> dict:
        """Returns the standings as ``leyden standings --json`` prints them: ratings with intervals, results, every pairing."""
        return json.loads(_leyden.standings(self.file))

    def matches(self) -> list[dict]:
        """Returns a dict for each match: its id, ``bots``, ``scores`` and ``winner`` (a seat) in seat order, ``fault`` and more."""
        return json.loads(_leyden.matches(self.file))

    def _columns(self) -> dict[str, list]:
        """Returns one row for each match and seat, as columns of equal length."""
        names = ("match", "block", "leg", "seat", "bot", "score", "won", "drawn", "end", "fault", "rounds", "actions")
        columns = {name: [] for name in names}
        for line in self.matches():
            for seat, (bot, score) in enumerate(zip(line["bots"], line["scores"])):
                fault = line["fault"]
                row = {
                    **{name: line[name] for name in ("match", "block", "leg", "end", "rounds", "actions")},
                    "seat": seat,
                    "bot": bot,
                    "score": score,
                    "won": line["winner"] == seat,
                    "drawn": line["winner"] is None,
                    "fault": fault["code"] if fault and fault["seat"] == seat else None,
                }
                for name in names:
                    columns[name].append(row[name])
        return columns

    def to_pandas(self):
        """Returns a pandas DataFrame with one row for each match and seat. Scores in points."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_polars(self):
        """Returns a polars DataFrame with one row for each match and seat. Scores in points."""
        import polars

        return polars.DataFrame(self._columns())

    def to_arrow(self):
        """Returns a pyarrow Table with one row for each match and seat. Scores in points."""
        import pyarrow

        return pyarrow.table(self._columns())

    def replay(self, match=None) -> Replay:
        """Returns a match to look at, by its id or the beginning of it; without one, the only match of the file."""
        return Replay(self.file, match)

    def __len__(self):
        return len(self.matches())

    def __repr__(self):
        return f"<leyden.Results {self.file}: {len(self)} matches>"

    def _repr_html_(self):
        # Made here from the document: the columns of the library would need a binding longer than these four cells.
        rows = "".join(
            f"<tr><td>{bot['place']}<td>{_escaped(bot['name'])}<td>{_elo(bot)}<td>{bot['results']['matches']}"
            for bot in self.standings()["bots"]
        )
        return f"<table><tr><th>place<th>bot<th>rating<th>matches{rows}</table>"


def _escaped(text):
    import html

    return html.escape(text)


def _elo(bot):
    rating = bot["rating"]
    if rating is None or not isinstance(rating["elo"], (int, float)):
        return "?"
    width = rating["half_width"]
    return f"{rating['elo']:+.0f}" + (f" ± {width:.0f}" if width is not None else "")


class Match(Results):
    """The result of two bots: ``won``, ``drawn`` and ``lost`` matches of the first, and its ``score`` from 0 to 1."""

    def __init__(self, results):
        super().__init__(results.file)
        lines = self.matches()
        self.first, self.second = lines[0]["bots"] if lines else (None, None)
        winners = [None if line["winner"] is None else line["bots"][line["winner"]] for line in lines]
        self.won, self.lost = winners.count(self.first), winners.count(self.second)
        self.drawn = winners.count(None)
        self.score = (self.won + self.drawn / 2) / len(lines) if lines else None

    def __repr__(self):
        return f"<leyden.Match {self.first} - {self.second}: won {self.won}, drawn {self.drawn}, lost {self.lost}>"


class Replay:
    """A recorded match as a page to step through. Shows itself in a notebook; needs the program ``leyden``."""

    def __init__(self, file, match=None):
        self.file, self.match = Path(file), match

    def html(self) -> str:
        """Returns the page, which needs no network."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "replay.html"
            words = [program(), "replay", os.fspath(self.file), *([self.match] if self.match else []), "--html", str(page)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode:
                raise LeydenError(done.stderr.strip())
            return page.read_text(encoding="utf-8")

    def _repr_html_(self):
        # In a frame of its own: the page brings its own styles and keys.
        return f'<iframe style="width:100%;height:640px;border:0" srcdoc="{_escaped(self.html())}"></iframe>'
