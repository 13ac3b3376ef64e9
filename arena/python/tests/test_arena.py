"""The arena from Python: matches of callables and processes, results, data sets and hand-ins."""

import importlib
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import leyden
import numpy as np

PROGRAM = os.environ.get("LEYDEN")
PATIENT = {"turn_ms": 100_000, "startup_ms": 100_000, "sandbox": "none"}


def first(turn):
    return turn.legal[0]


def last(turn):
    return turn.legal_numbers[-1]


class Callables(unittest.TestCase):
    def test_two_callables_play_without_the_program(self):
        played = leyden.match(first, last, pairs=4, seed="test", progress=False)
        self.assertEqual((played.first, played.second, len(played)), ("first", "last", 8))
        self.assertEqual(played.won + played.drawn + played.lost, 8)
        again = leyden.match(first, last, pairs=4, seed="test", jobs=1, progress=False)
        self.assertEqual([line["scores"] for line in played.matches()], [line["scores"] for line in again.matches()])

    def test_exception_ends_the_tournament(self):
        def broken(turn):
            raise RuntimeError("my own mistake")

        with self.assertRaisesRegex(RuntimeError, "my own mistake"):
            leyden.match(first, broken, pairs=2, progress=False)
        with self.assertRaisesRegex(leyden.IllegalActionError, "pass is not legal here; legal are"):
            leyden.match(first, lambda turn: "pass", pairs=2, progress=False)

    def test_interruption_keeps_what_was_played(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "r.db"
            seen = []

            def stop(turn):
                seen.append(turn.id)
                if len(seen) == 100:
                    raise KeyboardInterrupt
                return turn.legal[0]

            with self.assertRaises(KeyboardInterrupt):
                leyden.match(stop, last, pairs=20, results=file, seed="stop", jobs=1, progress=False)
            kept = len(leyden.Results(file))
            self.assertLess(kept, 40)
            resumed = leyden.match(stop, last, results=file, resume=True, progress=False)
            self.assertEqual(len(resumed), 40, "as many pairs as in the file")

    def test_policy_of_a_network_plays(self):
        weights = np.zeros((136, 218)), np.arange(218)
        played = leyden.match(leyden.Policy([weights]), first, pairs=1, target=20, progress=False)
        self.assertEqual(played.first, "Policy")


class Options(unittest.TestCase):
    def test_options_are_usual_when_listed(self):
        usual = {"rules": "leyden", "blocks": 1, "seed": None, "bank_ms": 0, "clock": "wall", "pondering": "watched"}
        usual |= {"memory": 512 << 20, "build_memory": 2 << 30, "build_ms": 300_000, "build_network": False, "allow_read": []}
        listed = leyden.options()
        self.assertEqual({name: listed[name] for name in usual}, usual)

    def test_tournament_plays_when_every_option_is_given(self):
        choices = leyden.options() | {"sandbox": "none", "target": np.int64(20), "allow_read": [Path("/opt")]}
        self.assertEqual(len(leyden.tournament([first, last], progress=False, **choices)), 2)

    def test_match_takes_its_pairs_as_blocks(self):
        choices = leyden.options() | {"sandbox": "none", "target": 20, "blocks": 3, "progress": False}
        self.assertEqual(len(leyden.match(first, last, **choices)), 6)
        self.assertEqual(len(leyden.match(first, last, 2, **choices)), 4)
        self.assertEqual(len(leyden.match(first, last, target=20, progress=False)), 20)

    def test_tournament_keeps_its_options_when_resumed(self):
        bots = {"a": first, "b": last, "c": first}
        choices = {"rules": "matador", "seats": 3, "set": 9, "target": 30, "clock": "cpu", "pondering": "never"}
        with tempfile.TemporaryDirectory() as folder:
            same = {"results": Path(folder) / "r.db", "progress": False}
            played = len(leyden.tournament(bots, **same, **choices))
            self.assertEqual(len(leyden.tournament(bots, 2, resume=True, **same)), 2 * played)
            with self.assertRaisesRegex(leyden.LeydenError, 'limits.clock: in the file "cpu", now "wall"'):
                leyden.tournament(bots, resume=True, clock="wall", **same)

    def test_unknown_keyword_names_the_nearest(self):
        for play, wrong, meant in [
            (leyden.match, "pondring", ". Did you mean 'pondering'?"),
            (leyden.match, "pars", ". Did you mean 'pairs'?"),
            (leyden.tournament, "turn", ". Did you mean 'turn_ms'?"),
            (leyden.tournament, "reslts", ". Did you mean 'results'?"),
            (leyden.tournament, "mtch", ""),
        ]:
            bots = [first, last] if play is leyden.match else [[first, last]]
            with self.assertRaises(TypeError) as caught:
                play(*bots, **{wrong: 1})
            expected = f"{play.__name__}() got an unexpected keyword argument '{wrong}'{meant}"
            self.assertEqual(str(caught.exception), expected)

    def test_error_names_option_when_value_is_wrong(self):
        for name, value, said in [
            ("clock", "sun", 'clock = "sun": .* expected `wall` or `cpu`'),
            ("seats", 9, "seats = 9: expected 2 to 8 seats, got 9"),
            ("fresh", 1, "fresh = 1: .* expected a boolean"),
            ("jobs", 0, "jobs must be at least 1"),
        ]:
            with self.assertRaisesRegex(leyden.LeydenError, said):
                leyden.tournament([first, last], progress=False, **{name: value})


class Reports(unittest.TestCase):
    def setUp(self):
        bots = {"a": first, "b": last, "c": lambda turn: turn.legal[len(turn.legal) // 2]}
        self.results = leyden.tournament(bots, 2, seed="reports", target=30, progress=False)

    def test_standings_and_matches_are_plain_values(self):
        standings = self.results.standings()
        self.assertEqual(sorted(bot["name"] for bot in standings["bots"]), ["a", "b", "c"])
        self.assertEqual(len(self.results.matches()), 12)
        self.assertIn("<td>", self.results._repr_html_())

    def test_tables_have_a_row_for_each_seat(self):
        for module, convert in [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")]:
            with self.subTest(module):
                try:
                    importlib.import_module(module)
                except ImportError:
                    self.skipTest(f"skipped: no {module}")
                table = getattr(self.results, convert)()
                self.assertEqual(len(table), 24)

    def test_data_set_has_every_decision(self):
        parts = list(leyden.dataset(self.results.file, rows=200))
        self.assertGreater(len(parts), 1)
        for part in parts:
            rows = np.arange(len(part["action"]))
            self.assertTrue((part["action_mask"][rows, part["action"]] == 1).all())
            self.assertEqual(part["observation"].shape, (len(rows), 136))
        self.assertEqual(sorted(parts[-1]["bots"]), ["a", "b", "c"])
        self.assertEqual(set(np.unique(np.concatenate([part["match"] for part in parts]))), set(range(12)))

    def test_file_that_is_none_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "notes.txt"
            file.write_text("hello\n")
            with self.assertRaisesRegex(leyden.LeydenError, "line 1: expected a match record"):
                list(leyden.dataset(file))
            with self.assertRaises(FileNotFoundError):
                leyden.Results(Path(folder) / "none.db")


@unittest.skipUnless(PROGRAM, "skipped: LEYDEN does not name the program")
class Processes(unittest.TestCase):
    def test_callable_meets_a_builtin_bot(self):
        played = leyden.match("builtin:careful", first, pairs=2, target=40, progress=False, **PATIENT)
        self.assertEqual(len(played), 4)
        self.assertEqual([line["fault"] for line in played.matches()], [None] * 4)
        page = played.replay(played.matches()[0]["match"])._repr_html_()
        self.assertTrue(page.startswith("<iframe"))

    def test_build_stops_at_limit_unless_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            bot = Path(folder) / "mine"
            bot.mkdir()
            command = f'command = ["{PROGRAM}", "bot", "greedy"]'
            (bot / "bot.toml").write_text(f'name = "mine"\nbuild = ["sleep", "100"]\n{command}\n')
            choices = {"pairs": 1, "target": 20, "progress": False, **PATIENT}
            with self.assertRaisesRegex(leyden.LeydenError, "did not finish within 200ms"):
                leyden.match(bot, first, build_ms=200, **choices)
            self.assertEqual(len(leyden.match(bot, first, no_build=True, **choices)), 2)

    def test_builtin_handed_in_plays_only_if_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            entry = Path(folder) / "entry"
            entry.mkdir()
            command = f'command = ["{PROGRAM}", "bot", "greedy"]'
            (entry / "bot.toml").write_text(f'name = "entry"\n{command}\n')
            bots, choices = [first, last, folder], {"target": 20, "progress": False, **PATIENT}
            with self.assertRaisesRegex(leyden.LeydenError, "no work of its author"):
                leyden.tournament(bots, **choices)
            self.assertEqual(len(leyden.tournament(bots, allow_builtins=True, **choices)), 6)

    def test_exported_bot_plays_as_its_policy_does(self):
        dice = np.random.default_rng(1)
        layers = [(dice.normal(size=(136, 8)), dice.normal(size=8)), (dice.normal(size=(8, 218)), dice.normal(size=218))]
        policy = leyden.Policy(layers)
        with tempfile.TemporaryDirectory() as folder:
            bot = leyden.export_bot(Path(folder) / "mine", policy, author="Ada")
            again = leyden.Policy.load(bot / "weights.npz")
            self.assertEqual((bot / "weights.npz").read_bytes(), self.saved(again, folder))
            choices = {"pairs": 2, "seed": "export", "target": 40, "progress": False, **PATIENT}
            there = leyden.match(str(bot), "builtin:greedy", **choices)
            self.assertEqual([line["fault"] for line in there.matches()], [None] * 4)
            for line in leyden.dataset(there.file):
                mine = line["bot"] == line["bots"].index("mine")
                chosen = policy.choose(line["observation"][mine], line["action_mask"][mine])
                # Sums in another order may decide between nearly equal values.
                self.assertGreater((chosen == line["action"][mine]).mean(), 0.99)
            words = [PROGRAM, "check", str(bot), "--sandbox", "none", "--turn", "100s", "--startup", "100s"]
            checked = subprocess.run(words, capture_output=True, text=True, check=False)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    @staticmethod
    def saved(policy, folder):
        policy.save(Path(folder) / "again.npz", "mine")
        return (Path(folder) / "again.npz").read_bytes()


if __name__ == "__main__":
    unittest.main()
