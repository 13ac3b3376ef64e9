"""Strategy: deal the unseen tiles at random, play on, and see what ends best.

Nobody knows who holds what, but many guesses together know a lot. For each of
a dozen random deals of the tiles it has not seen, the bot tries each of its
actions, lets all seats play on by a simple rule until the round is over, and
counts by how many points it comes out ahead. The action with the best average
is its answer.
"""

import json
import random
import sys
import time

DEALS = 12  # the deals on which each action is tried
SHARE_OF_TURN = 0.25  # the share of the turn's time after which it answers with the best so far


def numbers(text):
    """The two pips of a tile or of an action such as `N:4-1`, in their order."""
    return [int(pip) for pip in text.split(":")[-1].replace("|", "-").split("-")]


def tile_of(text):
    return tuple(sorted(numbers(text)))


class Round:
    """A round with all its tiles, including those that the bot only guesses."""

    def __init__(self, rules, hands, boneyard, arms, waiting, seat):
        self.rules = rules
        self.total = rules["set"] + 1  # what two halves that touch add up to
        self.hands = hands
        self.boneyard = boneyard  # drawn from the end; the first ones are the reserve
        self.arms = arms  # the pips that each arm shows: one, or two of a tile across
        self.waiting = waiting  # the arms that the opening has still to start
        self.seat = seat

    def copy(self):
        hands = [set(hand) for hand in self.hands]
        arms, waiting = dict(self.arms), set(self.waiting)
        return Round(self.rules, hands, list(self.boneyard), arms, waiting, self.seat)

    def is_matador(self, tile):
        return sum(tile) in (0, self.total)

    def open_arms(self):
        return self.waiting or self.arms

    def fits(self, tile, pips):
        return self.is_matador(tile) or any(pip and self.total - pip in pips for pip in tile)

    def fits_somewhere(self, tile):
        return any(self.fits(tile, self.arms[arm]) for arm in self.open_arms())

    def can_draw(self):
        return len(self.boneyard) > self.rules["reserve"]

    def play(self, arm, tile, end):
        self.hands[self.seat].remove(tile)
        self.arms[arm] = end
        self.waiting.discard(arm)

    def lead(self, double):
        self.hands[self.seat].remove(double)
        arms = "EW" if self.rules["layout"] == "line" else "NESW"
        self.arms = {arm: double[:1] for arm in arms}
        self.waiting = set({"sides": "NS", "cross": "NESW", "none": ""}[self.rules["opening"]])

    def pass_on(self):
        self.seat = (self.seat + 1) % len(self.hands)

    def do(self, action):
        """Takes an action of the protocol. After a draw it is still the same seat's turn."""
        if action == "draw":
            self.hands[self.seat].add(self.boneyard.pop())
            return
        if action.startswith("lead:"):
            self.lead(tile_of(action))
        elif ":" in action:
            touching, end = numbers(action)
            self.play(action[0], tile_of(action), (touching, end) if "|" in action else (end,))
        if self.hands[self.seat]:
            self.pass_on()

    def play_on(self):
        """Lets every seat play by the simple rule, until one is out or the round is blocked."""
        passes = 0
        while all(self.hands) and passes < len(self.hands):
            if not self.arms:
                passes += not self.lead_simply()
            elif self.play_simply():
                passes = 0
            else:
                passes += 1
            if all(self.hands):
                self.pass_on()

    def lead_simply(self):
        """Leads the heaviest double, after drawing for one if there is none; false without any."""
        while True:
            doubles = [tile for tile in self.hands[self.seat] if tile[0] == tile[1] and any(tile)]
            if doubles:
                self.lead(max(doubles))
                return True
            if not self.can_draw():
                return False
            self.hands[self.seat].add(self.boneyard.pop())

    def play_simply(self):
        """Plays the heaviest tile that is no matador; draws for one that fits. False if it has to pass."""
        hand = self.hands[self.seat]
        playable = [tile for tile in hand if self.fits_somewhere(tile)]
        while not playable:
            others = set().union(*self.hands, self.boneyard)
            if not self.can_draw() or not any(map(self.fits_somewhere, others)):
                return False
            drawn = self.boneyard.pop()
            hand.add(drawn)
            if self.fits_somewhere(drawn):
                playable = [drawn]
            elif self.rules["drawing"] == "one":
                return False
        tile = max(playable, key=lambda tile: (not self.is_matador(tile), sum(tile), tile))
        arm = next(arm for arm in sorted(self.open_arms()) if self.fits(tile, self.arms[arm]))
        touching = next((pip for pip in tile if pip and self.total - pip in self.arms[arm]), tile[1])
        self.play(arm, tile, (sum(tile) - touching,))
        return True

    def points_ahead(self, seat):
        """The points that a seat gains on the best of the others in the round."""
        pips = [sum(map(sum, hand)) for hand in self.hands]
        best = min(pips)
        won = {"own_hand": -1, "all_hands": sum(pips), "difference": sum(pips) - 2 * best}
        points = won[self.rules["scoring"]]
        if points == -1:  # everybody adds their own pips, and fewer are better
            return min(count for other, count in enumerate(pips) if other != seat) - pips[seat]
        if pips.count(best) > 1:
            return 0
        return points if pips[seat] == best else -points


def laid(turn):
    """The actions that put a tile on the layout, such as `lead:3-3` and `N:4-1`."""
    actions = (entry.split(maxsplit=1)[1] for entry in turn["history"])
    return [action for action in actions if ":" in action and not action.startswith("draw")]


def guess(rules, turn, dice):
    """The round with the unseen tiles dealt at random."""
    top = rules["set"]
    on_table = laid(turn)
    own = {tile_of(text) for text in turn["hand"]}
    unseen = [(low, high) for high in range(top + 1) for low in range(high + 1)]
    unseen = [tile for tile in unseen if tile not in own | {tile_of(text) for text in on_table}]
    dice.shuffle(unseen)
    hands = []
    for seat, count in enumerate(turn["counts"]):
        hands.append(own if seat == turn["seat"] else {unseen.pop() for _ in range(count)})
    waiting = set({"sides": "NS", "cross": "NESW", "none": ""}[rules["opening"]])
    waiting -= {action[0] for action in on_table}
    arms = {arm: tuple(pips) for arm, pips in turn["arms"].items()}
    return Round(rules, hands, unseen, arms, waiting if arms else set(), turn["seat"])


def choose(rules, turn, dice, started):
    deadline = started + turn["clock"]["turn_ms"] / 1000 * SHARE_OF_TURN
    totals = dict.fromkeys(turn["legal"], 0)
    for _ in range(DEALS):
        deal = guess(rules, turn, dice)
        for action in totals:
            playout = deal.copy()
            playout.do(action)
            playout.play_on()
            totals[action] += playout.points_ahead(turn["seat"])
        if time.monotonic() > deadline:
            break
    return max(totals, key=totals.get)


def send(**message):
    print(json.dumps(message), flush=True)


def main():
    rules, dice = {}, random.Random()
    for line in sys.stdin:
        started = time.monotonic()
        message = json.loads(line)
        if message["type"] == "hello":
            rules = message["rules"]
            send(type="ready", protocol="1.0", name="python-montecarlo", version="1")
        elif message["type"] == "match_start":
            dice = random.Random(message["bot_seed"])
        elif message["type"] == "turn":
            send(type="action", id=message["id"], action=choose(rules, message, dice, started))


main()
