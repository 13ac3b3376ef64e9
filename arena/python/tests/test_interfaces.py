"""PettingZoo's and Gymnasium's own tests."""

import contextlib
import io
import unittest
import warnings

import leyden
import numpy as np

try:
    import gymnasium
    import pettingzoo.test
    from gymnasium.utils.env_checker import check_env
    from leyden import leyden_v0
    from pettingzoo.test.seed_test import parallel_seed_test
except ImportError as missing:
    raise unittest.SkipTest(f"skipped: {missing}") from missing

TABLES = [
    {"rules": "leyden"},
    {"rules": "leyden-cross"},
    {"rules": "leiden"},
    {"rules": "senst"},
    {"rules": "leyden-free"},
    {"rules": "matador", "seats": 4},
    {"rules": "matador", "seats": 6, "set": 9},
    {"rules": "matador", "seats": 8, "set": 12},
]


class PettingZoo(unittest.TestCase):
    def test_environments_pass_the_api_test(self):
        for choices in TABLES:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("error")
                # Nobody acts once a match is over; and observations are a Dict with a mask, as in PettingZoo's own games.
                warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
                warnings.filterwarnings("ignore", "Observation ")
                pettingzoo.test.api_test(leyden_v0.env(**choices), num_cycles=300)
                pettingzoo.test.parallel_api_test(leyden_v0.parallel_env(**choices), num_cycles=100)

    def test_seeds_repeat_a_game(self):
        for choices in TABLES:
            pettingzoo.test.seed_test(lambda: leyden_v0.env(**choices), num_cycles=100)
            parallel_seed_test(lambda: leyden_v0.parallel_env(**choices), num_cycles=100)

    def test_cycles_are_limited_on_request(self):
        pettingzoo.test.max_cycles_test(leyden_v0)

    def test_game_is_rendered_as_text(self):
        with contextlib.redirect_stdout(io.StringIO()):
            pettingzoo.test.render_test(leyden_v0.env)

    def test_rewards_of_a_match_sum_to_scores(self):
        game = leyden.env(rules="matador", seats=3)
        game.reset(seed=4)
        sums = dict.fromkeys(game.possible_agents, 0.0)
        for agent in game.agent_iter():
            observation, reward, over, cut, _ = game.last()
            sums[agent] += reward
            game.step(None if over or cut else int(observation["action_mask"].argmax()))
        scores = np.array(game._table.scores, float)
        advantages = scores - (scores.sum() - scores) / 2
        np.testing.assert_allclose(list(sums.values()), advantages, atol=1e-3)

    def test_illegal_action_raises_unless_it_is_forgiven(self):
        game = leyden.env()
        game.reset(seed=1)
        with self.assertRaisesRegex(leyden.IllegalActionError, "pass is not legal here; legal are"):
            game.step(leyden.number("pass", 6))
        game = leyden.env(illegal="first")
        game.reset(seed=1)
        game.step(leyden.number("pass", 6))


class Gymnasium(unittest.TestCase):
    def test_environment_passes_the_checker(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(leyden.gym_env("builtin:greedy", illegal="first"), skip_render_check=True)

    def test_opponents_may_be_callables(self):
        asked = []

        def first(turn):
            asked.append(turn.seat)
            return turn.legal[0]

        game = leyden.gym_env([first, "builtin:random"], rules="matador", seats=3, target=30, reward="match")
        observation, info = game.reset(seed=2)
        total, over = 0.0, False
        while not over:
            observation, reward, over, _, info = game.step(observation["action_mask"].argmax())
            total += reward
        self.assertEqual(set(asked), {(info["seat"] + 1) % 3})
        self.assertEqual(total, 0 if info["winner"] is None else 1 if info["winner"] == info["seat"] else -1)

    def test_first_reset_decides_the_match(self):
        one, other = leyden.gym_env("builtin:greedy"), leyden.gym_env("builtin:greedy")
        for _ in range(2):
            left, right = one.reset(seed=3)[0], other.reset(seed=3)[0]
            np.testing.assert_array_equal(left["observation"], right["observation"])
        self.assertIsInstance(one, gymnasium.Env)


if __name__ == "__main__":
    unittest.main()
