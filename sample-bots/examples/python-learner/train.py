"""Trains this bot from nothing, by playing against `careful`: a small network, policy gradients, numpy.

    python train.py                       trains for some minutes and writes weights.npz, bot.py and bot.toml here
    python train.py --without baseline    without an idea, to see what it is worth: baseline, reuse or both
    python train.py --updates 5 --to DIR  something quick, elsewhere

It needs the package `leyden` and nothing else. The same command gives the same weights on the same machine. sample-bots/THINKING.md
explains each step.
"""

import argparse
import os
import time
from pathlib import Path

# The matrices are small: more threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import leyden  # noqa: E402
import numpy as np  # noqa: E402

# Matches at once, and decisions of each between two updates.
GAMES, STEPS = 512, 64
# What a point tomorrow is worth today; how far the baseline is trusted.
DISCOUNT, TRUST = 0.97, 0.9
LEARNING_RATE, ENTROPY, CLIP, BATCH, PASSES = 1e-3, 0.01, 0.2, 4096, 2


class Network:
    """An observation in; the chance of each action and the points to come out."""

    def __init__(self, encoding, hidden, dice):
        def weights(inputs, outputs, size):
            return (dice.standard_normal((inputs, outputs)) * size / np.sqrt(inputs)).astype(np.float32)

        # Numbers that can be large are scaled down to about 1.
        large = {"declined": 4, "drawn": 4, "counts": 4, "boneyard": 8, "scores": 50, "round": 4}
        self.scale = np.concatenate(
            [np.full(field.size, 1 / large.get(field.name, 1), np.float32) for field in encoding.fields]
        )
        self.parts = [
            weights(encoding.size, hidden, 1.4),
            np.zeros(hidden, np.float32),
            weights(hidden, encoding.actions, 0.1),
            np.zeros(encoding.actions, np.float32),
            weights(hidden, 1, 0.1),
            np.zeros(1, np.float32),
        ]
        self.first = [np.zeros_like(part) for part in self.parts]
        self.second = [np.zeros_like(part) for part in self.parts]
        self.updates = 0

    def forward(self, observation, mask):
        """Returns the scaled inputs, the hidden layer, the chances (rows, actions) and the points to come (rows,)."""
        w1, b1, w2, b2, w3, b3 = self.parts
        inputs = observation * self.scale
        hidden = np.maximum(inputs @ w1 + b1, 0)
        values = np.where(mask, hidden @ w2 + b2, np.float32(-1e9))
        chances = np.exp(values - values.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        return inputs, hidden, chances, (hidden @ w3 + b3)[:, 0]

    def descend(self, gradients, rate):
        """One step of Adam, the gradient cut to a length of 0.5."""
        self.updates += 1
        length = np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
        cut = min(1.0, 0.5 / (length + 1e-8))
        rate *= np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for part, first, second, gradient in zip(self.parts, self.first, self.second, gradients):
            gradient = gradient * cut
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            part -= rate * first / (np.sqrt(second) + 1e-8)

    def policy(self):
        """Returns what plays: the scale goes into the first weights."""
        w1, b1, w2, b2 = self.parts[:4]
        return leyden.Policy([(self.scale[:, None] * w1, b1), (w2, b2)])


def play(network, games, dice):
    """Plays STEPS decisions of each game; returns observations, masks, actions, chances, values, rewards and ends."""
    shape = (STEPS, GAMES)
    observed = np.zeros((*shape, games.encoding.size), np.uint8)
    masks = np.zeros((*shape, games.encoding.actions), bool)
    actions, chances = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
    values, rewards, ends = np.zeros((STEPS + 1, GAMES), np.float32), np.zeros(shape, np.float32), np.zeros(shape, bool)
    rows = np.arange(GAMES)
    for step in range(STEPS):
        observed[step], masks[step] = games.observation, games.action_mask
        _, _, chance, values[step] = network.forward(observed[step], masks[step])
        # Any action, by its chance.
        actions[step] = (chance.cumsum(1) > dice.random((GAMES, 1), np.float32) * 0.9999).argmax(1)
        chances[step] = chance[rows, actions[step]]
        games.step(actions[step])
        rewards[step], ends[step] = games.reward / 20, games.done
    values[STEPS] = network.forward(games.observation, games.action_mask.astype(bool))[3]
    return observed, masks, actions, chances, values, rewards, ends


def advantages(values, rewards, ends, baseline):
    """Returns how much better each decision turned out than expected; without a baseline, just how well."""
    if not baseline:
        values = np.zeros_like(values)
    better, last = np.zeros_like(rewards), np.zeros(GAMES, np.float32)
    for step in reversed(range(STEPS)):
        goes_on = 1 - ends[step].astype(np.float32)
        surprise = rewards[step] + DISCOUNT * goes_on * values[step + 1] - values[step]
        last = surprise + DISCOUNT * (TRUST if baseline else 1) * goes_on * last
        better[step] = last
    return better


def learn(network, observed, masks, actions, chances, better, targets, rate):
    """Makes actions that turned out well more likely, a little at a time."""
    rows = np.arange(len(actions))
    inputs, hidden, now, values = network.forward(observed, masks)
    ratio = now[rows, actions] / chances
    # An action whose chance has changed enough is left alone.
    goes_on = np.where(better > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    push = (better * ratio * goes_on).astype(np.float32)
    slope = now * push[:, None]
    slope[rows, actions] -= push
    # A little in favour of trying everything.
    log = np.log(now + 1e-10)
    slope += ENTROPY * now * (log - (now * log).sum(1, keepdims=True))
    slope /= len(rows)
    off = (0.5 * (values - targets) / len(rows)).astype(np.float32)[:, None]
    back = (slope @ network.parts[2].T + off @ network.parts[4].T) * (hidden > 0)
    network.descend(
        [inputs.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0), hidden.T @ off, off.sum(0)], rate
    )


def strength(policy, matches=400):
    """Returns the share of matches won against greedy, drawn ones half."""
    games = leyden.vec_env(128, seed="strength", opponent="builtin:greedy", reward="match")
    results = []
    while len(results) < matches:
        games.step(policy.choose(games.observation, games.action_mask))
        results += list(games.reward[games.done == 1])
    return 0.5 + np.mean(results) / 2, len(results)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--updates", type=int, default=140, help="how often to learn from 32,768 decisions (140)")
    words.add_argument("--hidden", type=int, default=64, help="the size of the hidden layer (64)")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--without", choices=["baseline", "reuse", "both"], help="leave out an idea")
    words.add_argument("--to", type=Path, default=Path(__file__).parent, help="the bot's folder (this one)")
    chosen = words.parse_args()
    baseline, reuse = chosen.without not in ("baseline", "both"), chosen.without not in ("reuse", "both")

    dice = np.random.default_rng(chosen.seed)
    games = leyden.vec_env(GAMES, seed=f"train {chosen.seed}", opponent="builtin:careful")
    network = Network(games.encoding, chosen.hidden, dice)
    start = time.time()
    for update in range(chosen.updates):
        if update % 20 == 0:
            won, matches = strength(network.policy())
            print(f"update {update}: {won:.1%} of {matches} matches against greedy, {time.time() - start:.0f} s", flush=True)
        rate = LEARNING_RATE * (1 - update / chosen.updates)
        observed, masks, actions, chances, values, rewards, ends = play(network, games, dice)
        better = advantages(values, rewards, ends, baseline)
        targets = (better + values[:-1] if baseline else better).ravel()
        better = ((better - better.mean()) / (better.std() + 1e-6)).ravel()
        observed, masks = observed.reshape(-1, observed.shape[-1]), masks.reshape(-1, masks.shape[-1])
        for _ in range(PASSES if reuse else 1):
            order = dice.permutation(len(better))
            for some in np.split(order, range(BATCH, len(order), BATCH)) if reuse else [order]:
                sample = (array[some] for array in (observed, masks, actions.ravel(), chances.ravel(), better, targets))
                learn(network, *sample, rate)
    won, matches = strength(network.policy(), 2000)
    print(f"in the end: {won:.1%} of {matches} matches against greedy, {time.time() - start:.0f} s")
    folder = leyden.export_bot(chosen.to, network.policy(), name="python-learner", author="Leyden Arena")
    print(f"wrote {folder}: leyden check {folder}")


if __name__ == "__main__":
    main()
