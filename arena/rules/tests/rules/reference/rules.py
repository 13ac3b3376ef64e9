# The six rule sets, written from the rules page alone, without looking at the crate's code: a second opinion on it. It
# states the rules in the page's words and order, and aims for nothing else. To regenerate golden/*.txt and perft.txt:
#
#     python3 arena/rules/tests/rules/reference/make.py

from copy import copy
from functools import cache
from itertools import chain
from typing import NamedTuple


class RuleSet(NamedTuple):
    arms: str  # in the order of the protocol
    reserve: int
    opening: str  # the arms that the first plays have to start, one each
    first_lead: str
    later_leads: str
    draws: str  # "free": as many as you like; "stuck": one a turn, when you cannot play
    across_on_across: bool
    scoring: str  # "own" pips, or the winner adds "both" hands or all others' pips "less" its own
    best: object  # picks the winning one of all scores


RULE_SETS = {
    "leyden": RuleSet("NESW", 2, "NS", "lowest", "loser", "free", False, "own", min),
    "leyden-cross": RuleSet("NESW", 2, "NESW", "lowest", "loser", "free", True, "own", min),
    "leiden": RuleSet("NESW", 2, "NESW", "highest-holder", "loser", "free", True, "both", max),
    "senst": RuleSet("NESW", 2, "NESW", "highest-holder", "loser", "free", False, "both", max),
    "leyden-free": RuleSet("NESW", 2, "", "lowest", "lowest", "free", True, "own", min),
    "matador": RuleSet("EW", 0, "", "highest", "highest", "stuck", True, "less", max),
}
REFUSED_DEALS = 3
ROUND_LIMIT = 500
BLANK_DOUBLE = (0, 0)


class Action(NamedTuple):
    text: str
    tile: tuple = None
    arm: str = None
    end: tuple = None  # what the arm shows afterwards: one number, or two for a matador across


DRAW, PASS, REFUSE = Action("draw"), Action("pass"), Action("refuse")


def written(tile):
    return f"{tile[0]}-{tile[1]}"


def is_double(tile):
    return tile[0] == tile[1]


def pips(tiles):
    return sum(low + high for low, high in tiles)


class Game(NamedTuple):
    """What is played: a rule set, the number of seats, the highest pip of the set, the target score."""

    name: str
    seats: int = 2
    top: int = 6
    target: int = 100

    @property
    def rules(self):
        return RULE_SETS[self.name]

    def tiles(self):
        return [(low, high) for low in range(self.top + 1) for high in range(low, self.top + 1)]

    def hand(self):
        if self.name != "matador":
            return 6
        return {2: 7, 3: 6, 4: 5}[self.seats] if self.top == 6 else 7

    def is_matador(self, tile):
        return sum(tile) == self.top + 1 or tile == BLANK_DOUBLE

    @cache
    def ways(self, tile, end):
        """Returns each way to lay a tile on an end: its notation after the arm, and what the arm shows then."""
        low, high = tile
        matador = self.is_matador(tile)
        found = []
        for touching, other in [(low, high)] if is_double(tile) else [(low, high), (high, low)]:
            if matador or any(touching + shown == self.top + 1 for shown in end):
                found.append((f"{touching}-{other}", (other,)))
        if matador and not is_double(tile) and (len(end) == 1 or self.rules.across_on_across):
            found.append((f"{low}|{high}", (low, high)))
        return found


class Round:
    """A deal and its play. Immutable: `after` returns the round one action later."""

    def __init__(self, game, deck, lead, first=None, may_refuse=True):
        size = game.hand()
        self.game = game
        self.hands = [frozenset(deck[seat * size : (seat + 1) * size]) for seat in range(game.seats)]
        self.boneyard = list(deck[game.seats * size :])
        self.lead, self.may_refuse, self.refusals = lead, may_refuse, 0
        self.ends = {}  # what each arm shows; no arms before the lead
        self.to_start = game.rules.opening  # the arms that the opening still requires
        self.drawn = False  # in this turn
        self.outcome = self.winner = self.leader = self.announced = None
        self.seat = first
        if lead != "loser":
            holders = {
                tile: seat
                for seat, hand in enumerate(self.hands)
                for tile in hand
                if is_double(tile) and (lead == "highest" or tile != BLANK_DOUBLE)
            }
            if not holders:
                self.outcome = "no_double"
                return
            self.announced = min(holders) if lead == "lowest" else max(holders)
            self.seat = holders[self.announced]

    def drawable(self):
        return max(0, len(self.boneyard) - self.game.rules.reserve)

    def open_arms(self):
        return [arm for arm in self.ends if arm in self.to_start or not self.to_start]

    def fits(self, tile):
        return any(self.game.ways(tile, self.ends[arm]) for arm in self.open_arms())

    def held(self):
        """The tiles in all hands."""
        return chain(*self.hands)

    def legal(self):
        """Every legal action, in the order of the protocol."""
        if self.outcome:
            return []
        return self.turns() if self.ends else self.leads()

    def leads(self):
        if self.lead in ("lowest", "highest"):
            return [Action(f"lead:{written(self.announced)}", self.announced)]
        doubles = [tile for tile in sorted(self.hands[self.seat]) if is_double(tile) and tile != BLANK_DOUBLE]
        actions = [Action(f"lead:{written(tile)}", tile) for tile in doubles]
        if self.drawable():
            actions.append(DRAW)
        if self.lead == "loser" and (self.may_refuse or not actions):
            actions.append(REFUSE)
        return actions

    def turns(self):
        actions = [
            Action(f"{arm}:{way}", tile, arm, end)
            for arm in self.open_arms()
            for tile in sorted(self.hands[self.seat])
            for way, end in self.game.ways(tile, self.ends[arm])
        ]
        if self.game.rules.draws == "free":
            may_draw = self.drawable()
        else:
            may_draw = self.drawable() and not actions and not self.drawn
        if may_draw:
            actions.append(DRAW)
        return actions or [PASS]

    def after(self, action):
        """This round after a legal action."""
        new = copy(self)
        hand = self.hands[self.seat]
        if action == DRAW:
            hand = hand | {self.boneyard[0]}
            new.boneyard = self.boneyard[1:]
            new.drawn = True
        else:
            hand = hand - {action.tile}
            new.seat = (self.seat + 1) % self.game.seats
            new.drawn = False
        new.hands = self.hands[: self.seat] + [hand] + self.hands[self.seat + 1 :]
        if action == REFUSE:
            new.refusals += 1
            new.outcome = "refused" if new.refusals == self.game.seats else None
        elif action.arm:
            new.ends = {**self.ends, action.arm: action.end}
            new.to_start = self.to_start.replace(action.arm, "")
        elif action.tile:
            new.ends = {arm: action.tile[:1] for arm in self.game.rules.arms}
            new.leader = self.seat
        new.note_end()
        return new

    def note_end(self):
        """Notes whether the round is over. An empty hand takes precedence."""
        if not self.ends:
            return
        if frozenset() in self.hands:
            self.outcome = "dominoed"
            self.winner = self.hands.index(frozenset())
        elif self.nothing_left_fits() or self.everybody_is_stuck():
            self.outcome = "blocked"
            self.winner = only(min, [pips(hand) for hand in self.hands])

    def nothing_left_fits(self):
        return not any(self.fits(tile) for tile in chain(self.held(), self.boneyard))

    def everybody_is_stuck(self):
        return not self.drawable() and not any(self.fits(tile) for tile in self.held())


def only(best, numbers):
    """Returns the index of the best number if it occurs only once."""
    return numbers.index(best(numbers)) if numbers.count(best(numbers)) == 1 else None


class Match:
    """Rounds until a score reaches the target."""

    def __init__(self, game):
        self.game = game
        self.scores = [0] * game.seats
        self.round = self.redeal = self.refused = 0
        self.first = None  # who has the first right to lead

    def deal(self, deck):
        lead = self.game.rules.later_leads if self.round else self.game.rules.first_lead
        return Round(self.game, deck, lead, self.first, self.refused < REFUSED_DEALS)

    def settle(self, round):
        """Scores a round that is over. Returns all pips and points; None if the tiles must be dealt again."""
        if round.outcome in ("refused", "no_double"):
            self.redeal += 1
            self.refused += round.outcome == "refused"
            return None
        weights = [pips(hand) for hand in round.hands]
        points = self.points(round.winner, weights)
        self.scores = [score + more for score, more in zip(self.scores, points)]
        self.first = round.leader if round.winner is None else (round.winner + 1) % 2  # the loser, of two
        self.round += 1
        self.redeal = self.refused = 0
        return weights, points

    def points(self, winner, weights):
        if self.game.rules.scoring == "own":
            return weights
        points = [0] * self.game.seats
        if winner is not None:
            own = weights[winner]
            others = sum(weights) - own
            points[winner] = others + own if self.game.rules.scoring == "both" else others - own
        return points

    def finish(self):
        if max(self.scores) >= self.game.target:
            return "target"
        return "round_limit" if self.round == ROUND_LIMIT else None

    def winner(self):
        return only(self.game.rules.best, self.scores)
