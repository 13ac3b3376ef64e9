"""Policies, the bots that are made of them, and the examples in the documentation."""

import doctest
import importlib
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import leyden
import numpy as np
from leyden import hand_in


def policy(seed=1):
    dice = np.random.default_rng(seed)
    shapes = [(136, 8), (8, 8), (8, 218)]
    return leyden.Policy([(dice.normal(size=shape), dice.normal(size=shape[1])) for shape in shapes])


def turns(count):
    """Yields decisions of matches in which everybody takes the first legal action."""
    table = leyden._leyden.Table("leyden", 2, 6, 100, "points", "policies")
    for _ in range(count):
        turn = table.turn()
        yield turn
        table.step(turn.legal[0])
        if table.to_act is None:
            table.next_match()


class Policies(unittest.TestCase):
    def test_saved_policy_is_loaded_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            one, other = Path(folder) / "one.npz", Path(folder) / "other.npz"
            policy().save(one)
            leyden.Policy.load(one).save(other)
            self.assertEqual(one.read_bytes(), other.read_bytes())

    def test_wrong_shapes_are_explained(self):
        with self.assertRaisesRegex(leyden.LeydenError, "the last layer must have 218 outputs"):
            leyden.Policy([(np.zeros((136, 5)), np.zeros(5))])
        with self.assertRaisesRegex(leyden.LeydenError, r"layer 0 must have weights \(136, n\)"):
            leyden.Policy([(np.zeros((135, 218)), np.zeros(218))])
        with self.assertRaisesRegex(leyden.LeydenError, "is not a finite number"):
            leyden.Policy([(np.full((136, 218), np.nan), np.zeros(218))])

    def test_policy_chooses_only_what_is_legal(self):
        player = policy()
        for turn in turns(300):
            self.assertIn(player(turn), turn.legal_numbers)


class HandIns(unittest.TestCase):
    def test_hand_in_values_actions_as_its_policy(self):
        player = policy()
        with tempfile.TemporaryDirectory() as folder:
            bot = leyden.export_bot(Path(folder) / "mine", player, author="Ada")
            about, layers = hand_in.read(bot / "weights.npz")
            self.assertEqual((about["name"], about["rules"], about["version"]), ("mine", "leyden", 1))
            for turn in turns(200):
                mine = hand_in.values(layers, turn.observation.tolist(), turn.legal_numbers)
                theirs = player.values(turn.observation)[turn.legal_numbers]
                np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)

    def test_hand_in_answers_the_protocol(self):
        with tempfile.TemporaryDirectory() as folder:
            bot = leyden.export_bot(Path(folder) / "mine", policy())
            asked = list(turns(50))
            rules = {"name": "leyden", "seats": 2, "set": 6}
            lines = [json.dumps({"type": "hello", "rules": rules}), *(turn.json() for turn in asked)]
            # Without this package and without numpy.
            words = [sys.executable, "-S", "-I", "bot.py"]
            played = subprocess.run(words, cwd=bot, input="\n".join(lines), capture_output=True, text=True, timeout=100)
            self.assertEqual(played.stderr, "")
            ready, *answers = map(json.loads, played.stdout.splitlines())
            self.assertEqual(ready["type"], "ready")
            self.assertEqual([answer["id"] for answer in answers], [turn.id for turn in asked])
            for turn, answer in zip(asked, answers):
                self.assertIn(answer["action"], turn.legal)

    def test_sample_bot_is_this_versions_hand_in(self):
        sample = Path(__file__).parents[3] / "sample-bots/examples/python-learner/bot.py"
        self.assertEqual(sample.read_bytes(), Path(hand_in.__file__).read_bytes())

    def test_folder_with_other_files_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "notes.txt"
            notes.write_text("mine")
            with self.assertRaisesRegex(leyden.LeydenError, "has other files in it"):
                leyden.export_bot(folder, policy())
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["notes.txt"])
            with self.assertRaisesRegex(leyden.LeydenError, "expected a leyden.Policy, got dict"):
                leyden.export_bot(Path(folder) / "bot", {})


class Examples(unittest.TestCase):
    def test_examples_in_the_documentation_hold(self):
        for name in ("leyden", "leyden.numbers", "leyden.vector", "leyden.policy", "leyden.arena", "leyden.gym", "leyden.leyden_v0"):
            with self.subTest(name):
                try:
                    module = importlib.import_module(name)
                except ImportError as missing:
                    self.skipTest(f"skipped: {missing}")
                failed, tried = doctest.testmod(module)
                self.assertEqual(failed, 0)
                self.assertGreater(tried, 0)


if __name__ == "__main__":
    unittest.main()
