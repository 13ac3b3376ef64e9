"""Environments, as those who train meet them."""

import json
import random
import unittest

import leyden
import numpy as np
from leyden import hand_in

TABLES = [
    ("leyden", 2, 6),
    ("leyden-cross", 2, 6),
    ("leiden", 2, 6),
    ("senst", 2, 6),
    ("leyden-free", 2, 6),
    ("matador", 2, 6),
    ("matador", 4, 6),
    ("matador", 6, 9),
    ("matador", 8, 12),
]


def decisions(rules, seats, tiles, count, seed=1):
    """Yields the decisions of matches that are played at random."""
    dice = random.Random(seed)
    table = leyden._leyden.Table(rules, seats, tiles, 60, "points", f"decisions {seed}")
    for _ in range(count):
        turn = table.turn()
        yield turn
        table.step(dice.choice(turn.legal))
        if table.to_act is None:
            table.next_match()


class Encodings(unittest.TestCase):
    def test_hand_in_encodes_turns_as_the_package(self):
        for table in TABLES:
            numbers = hand_in.Numbers(*table)
            for turn in decisions(*table, 400):
                line = json.loads(turn.json())
                observed, mask = leyden.observe(turn.json(), table[2])
                self.assertEqual(numbers.observe(line), observed.tolist())
                self.assertEqual(turn.observation.tolist(), observed.tolist())
                self.assertEqual(turn.action_mask.tolist(), mask.tolist())
                self.assertEqual([numbers.number(action) for action in turn.legal], turn.legal_numbers)

    def test_every_action_has_one_number(self):
        for tiles in (6, 9, 12):
            actions = leyden.actions(tiles)
            self.assertEqual([leyden.number(action, tiles) for action in actions], list(range(len(actions))))
            self.assertEqual(actions[5], leyden.action(5, tiles))

    def test_wrong_action_is_explained(self):
        with self.assertRaisesRegex(leyden.LeydenError, "expected an action, such as"):
            leyden.number("east:4-1", 6)
        with self.assertRaisesRegex(IndexError, "from 0 to 217, got 218"):
            leyden.action(218, 6)

    def test_fields_split_an_observation(self):
        for rules, seats, tiles in TABLES:
            encoding = leyden.encoding(rules, seats, tiles)
            parts = encoding.split(np.arange(encoding.size))
            self.assertEqual(np.concatenate([part.ravel() for part in parts.values()]).tolist(), list(range(encoding.size)))


class Vectors(unittest.TestCase):
    def test_caller_owns_the_arrays(self):
        mine = np.full((4, 136), 9, np.uint8)
        games = leyden.vec_env(4, seed=3, arrays={"observation": mine})
        self.assertIs(games.observation, mine)
        self.assertNotIn(9, mine[:, :28])
        before = mine.copy()
        games.step(games.action_mask.argmax(1))
        self.assertFalse(np.array_equal(before, mine))

    def test_seed_gives_same_matches_with_any_threads(self):
        runs = []
        for threads in (1, 3):
            games = leyden.vec_env(50, rules="senst", seed="same", threads=threads)
            run = []
            for _ in range(300):
                games.step(games.action_mask.argmax(1))
                run.append((games.observation.copy(), games.reward.copy(), games.done.copy()))
            runs.append(run)
        for one, other in zip(*runs):
            for left, right in zip(one, other):
                np.testing.assert_array_equal(left, right)

    def test_illegal_action_changes_nothing(self):
        games = leyden.vec_env(3, seed=1)
        before = games.observation.copy()
        with self.assertRaisesRegex(leyden.IllegalActionError, "pass .* is not legal in environment 0; legal are"):
            games.step([216, 0, 0])
        with self.assertRaisesRegex(leyden.LeydenError, "actions must have 3 elements, not 2"):
            games.step([1, 2])
        np.testing.assert_array_equal(games.reset().observation, before)

    def test_wrong_arrays_are_explained(self):
        with self.assertRaisesRegex(leyden.LeydenError, r"reward must be an array float32 \(2, 2\), not float64 \(2, 2\)"):
            leyden.vec_env(2, arrays={"reward": np.zeros((2, 2))})
        with self.assertRaisesRegex(leyden.LeydenError, "there is no array 'rewards'; there are observation"):
            leyden.vec_env(2, arrays={"rewards": None})

    def test_exception_of_an_opponent_comes_out(self):
        def broken(turn):
            raise KeyError("mine")

        games = None
        with self.assertRaisesRegex(KeyError, "mine"):
            games = leyden.vec_env(8, opponent=broken)
            for _ in range(20):
                games.step(games.action_mask.argmax(1))


class Choices(unittest.TestCase):
    def test_rules_that_nobody_plays_are_refused(self):
        for choices, words in [
            ({"rules": "leiden-cross"}, "there is no rule set"),
            ({"seats": 3}, "leyden with double-six is played by 2 seats, not by 3"),
            ({"seats": 9}, "expected 2 to 8 seats, got 9"),
            ({"set": 7}, "expected 6, 9 or 12"),
            ({"target": 0}, "the target must be 1 to"),
            ({"reward": "money"}, "there is no reward \"money\""),
            ({"opponent": "greedy"}, "expected a callable or a builtin bot"),
            ({"opponent": "builtin:best"}, "there is no sample bot"),
            ({"n": 0}, "expected 1 environment or more"),
        ]:
            with self.assertRaisesRegex(leyden.LeydenError, words):
                leyden.vec_env(**{"n": 1, "seed": 1, **choices})


if __name__ == "__main__":
    unittest.main()
