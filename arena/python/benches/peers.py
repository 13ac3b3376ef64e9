"""Decisions a second of processor time, beside environments that others have written: random legal actions.

    python arena/python/benches/peers.py            five measurements each, medians
    python arena/python/benches/peers.py --quick    one short one each

Those that are not installed (pettingzoo[classic], open_spiel) are left out, and named.
"""

import argparse
import random
import statistics
import time

import leyden
import numpy as np


def vectors(count):
    """``leyden.vec_env``: the first legal action, chosen by numpy; only the steps are timed."""
    games, spent, rows = leyden.vec_env(1024, seed="peers"), 0.0, 0
    while rows < count * 20:
        actions = games.action_mask.argmax(1)
        start = time.process_time()
        games.step(actions)
        spent += time.process_time() - start
        rows += games.n
    return rows / spent


def callables(count):
    """``leyden.match`` of two callables that think for 20 µs each: what the arena adds to their own time."""
    own, asked = 0.0, 0

    def think(turn):
        nonlocal own, asked
        start = time.thread_time()
        asked += 1
        while time.thread_time() - start < 20e-6:
            pass
        own += time.thread_time() - start
        return turn.legal_numbers[0]

    start = time.process_time()
    leyden.tournament({"one": think, "two": think}, count // 200, seed="peers", jobs=1, progress=False)
    return asked / (time.process_time() - start - own)


def agents(make):
    """Any AEC environment, asked by ``last`` and ``step``."""

    def measure(count):
        dice, game, steps = random.Random(7), make(), 0
        game.reset(seed=7)
        start = time.process_time()
        while steps < count:
            for _ in game.agent_iter():
                observation, _, over, cut, info = game.last()
                action = None
                if not (over or cut):
                    mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
                    action = int(dice.choice(np.flatnonzero(mask)))
                    steps += 1
                game.step(action)
            game.reset()
        return steps / (time.process_time() - start)

    return measure


def open_spiel(name):
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401 (registers the game)

    game = pyspiel.load_game(name)

    def measure(count):
        dice, steps = random.Random(7), 0
        start = time.process_time()
        while steps < count:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(dice.choice([outcome for outcome, _ in state.chance_outcomes()]))
                    continue
                state.information_state_string()
                state.apply_action(dice.choice(state.legal_actions()))
                steps += 1
        return steps / (time.process_time() - start)

    return measure


def classic(name):
    import importlib

    module = importlib.import_module(f"pettingzoo.classic.{name}")
    return agents(module.env)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--quick", action="store_true")
    chosen = words.parse_args()
    repeats, count = (1, 2_000) if chosen.quick else (5, 20_000)
    peers = [
        ("leyden.vec_env", lambda: vectors),
        ("leyden.env", lambda: agents(leyden.env)),
        ("leyden.match beside callables", lambda: callables),
        ("pettingzoo tictactoe_v3", lambda: classic("tictactoe_v3")),
        ("pettingzoo connect_four_v3", lambda: classic("connect_four_v3")),
        ("open_spiel python_block_dominoes", lambda: open_spiel("python_block_dominoes")),
    ]
    for name, prepare in peers:
        try:
            measure = prepare()
        except Exception as missing:
            print(f"{name:<34} left out: {type(missing).__name__}: {missing}")
            continue
        speed = statistics.median(measure(count) for _ in range(repeats))
        print(f"{name:<34} {speed:>12,.0f} decisions a second")


if __name__ == "__main__":
    main()
