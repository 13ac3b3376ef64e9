"""A bot that plays by a policy in weights.npz, written by leyden.export_bot. It needs nothing but Python."""

import ast
import json
import struct
import sys
import zipfile
from array import array

# The version of the encoding that this file writes: the weights must have been trained on the same.
VERSION = 1
ARMS = "NESW"


class Numbers:
    """The numbers of a game: tiles by index in the set, actions by number, and where the fields of an observation begin."""

    def __init__(self, rules, seats, top):
        self.rules, self.seats, self.pips = rules, seats, top + 1
        tiles = [f"{low}-{high}" for low in range(self.pips) for high in range(low, self.pips)]
        self.index = {tile: index for index, tile in enumerate(tiles)}
        self.size = 0
        self.hand = self.field(len(tiles))
        self.laid = self.field(seats * len(tiles))
        self.arms = self.field(4 * (self.pips + 1))
        self.declined = self.field((seats - 1) * self.pips)
        self.drawn = self.field(seats)
        self.counts = self.field(seats)
        self.boneyard = self.field(2)
        self.scores = self.field(seats)
        self.round = self.field(5)
        # The arms that have to be started before all are open to play.
        self.opening = {"leyden": "NS", "leyden-free": "", "matador": ""}.get(rules, ARMS)
        self.layout = "EW" if rules == "matador" else ARMS

    def field(self, size):
        self.size += size
        return self.size - size

    def number(self, action):
        """Returns the number of an action in the fixed table."""
        crossing = (self.pips - 1) // 2
        on_an_arm = self.pips * self.pips + crossing
        last = self.pips + 4 * on_an_arm
        if action in ("draw", "pass", "refuse"):
            return last + ("draw", "pass", "refuse").index(action)
        what, tile = action.split(":")
        if what == "lead":
            return int(tile.split("-")[0])
        first = self.pips + ARMS.index(what) * on_an_arm
        if "|" in tile:
            return first + self.pips * self.pips + int(tile.split("|")[0]) - 1
        touching, end = tile.split("-")
        return first + int(touching) * self.pips + int(end)

    def observe(self, turn):
        """Returns what a turn shows as a list of numbers from 0 to 255."""
        out = [0] * self.size
        for tile in turn["hand"]:
            out[self.hand + self.index[tile]] = 1
        waiting = self.write_history(turn, out)
        for arm, shown in turn["arms"].items():
            row = self.arms + ARMS.index(arm) * (self.pips + 1)
            for pip in shown:
                out[row + pip] = 1
            out[row + self.pips] = int(not waiting or arm in waiting)
        for seat in range(self.seats):
            after = (seat - turn["seat"]) % self.seats
            out[self.counts + after] = turn["counts"][seat]
            out[self.scores + after] = min(turn["scores"][seat] * 100 // turn["target"], 255)
        out[self.boneyard], out[self.boneyard + 1] = turn["boneyard"], turn["drawable"]
        out[self.round] = int(turn["phase"] == "lead")
        out[self.round + 2], out[self.round + 3] = min(turn["round"], 255), min(turn["redeal"], 255)
        return out

    def write_history(self, turn, out):
        """Writes what follows from the history, and returns the arms that the opening waits for."""
        faces, waiting = {}, set(self.opening)
        for entry in turn["history"]:
            who, event = entry.split(" ")
            seat = (int(who) - turn["seat"]) % self.seats
            what, _, tile = event.partition(":")
            if what in ("lead", *ARMS):
                low, high = sorted(int(half) for half in tile.replace("|", "-").split("-"))
                out[self.laid + seat * len(self.index) + self.index[f"{low}-{high}"]] = 1
            if what == "lead":
                faces = {arm: {low} for arm in self.layout}
            elif what in ARMS:
                faces[what] = {low, high} if "|" in tile else {int(tile.split("-")[1])}
                waiting.discard(what)
            elif what == "refuse":
                out[self.round + 1] += 1
            else:
                out[self.drawn + seat] += what == "draw"
                if seat:
                    open_arms = [shown for arm, shown in faces.items() if not waiting or arm in waiting]
                    for pip in set().union(*open_arms):
                        at = self.declined + (seat - 1) * self.pips + pip
                        out[at] = min(out[at] + 1, 255)
        if turn["history"]:
            last = turn["history"][-1].split(" ")
            out[self.round + 4] = int(int(last[0]) == turn["seat"] and last[1].startswith("draw"))
        return waiting


def read(path):
    """Returns the description of the weights, and the layers: a list of (rows of weights, biases)."""
    arrays = {}
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            arrays[name.removesuffix(".npy")] = read_array(file.read(name))
    about = json.loads(bytes(arrays.pop("about")[1]).decode())
    layers = []
    for number in range(len(arrays) // 2):
        (rows, columns), weights = arrays[f"weights{number}"]
        matrix = [weights[row * columns : (row + 1) * columns] for row in range(rows)]
        layers.append((matrix, arrays[f"biases{number}"][1]))
    return about, layers


def read_array(data):
    """Returns the shape and the numbers of a little-endian array in the form .npy."""
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10 : 10 + length].decode())
    numbers = array({"<f4": "f", "|u1": "B"}[header["descr"]])
    numbers.frombytes(data[10 + length :])
    if sys.byteorder == "big":
        numbers.byteswap()
    return header["shape"], numbers


def values(layers, inputs, indices):
    """Returns the outputs of the last layer at some indices. Hidden layers are rectified: max(0, x)."""
    for matrix, biases in layers[:-1]:
        sums = list(biases)
        for number, row in zip(inputs, matrix):
            if number:
                sums = [total + number * weight for total, weight in zip(sums, row)]
        inputs = [max(total, 0.0) for total in sums]
    matrix, biases = layers[-1]
    used = [(number, row) for number, row in zip(inputs, matrix) if number]
    return [biases[index] + sum(number * row[index] for number, row in used) for index in indices]


def main():
    about, layers = read("weights.npz")
    if about["version"] != VERSION:
        sys.exit(f"weights.npz is for version {about['version']} of the encoding, this bot writes version {VERSION}")
    numbers = Numbers(about["rules"], about["seats"], about["set"])

    def send(message):
        print(json.dumps(message), flush=True)

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            rules = message["rules"]
            played = (rules["name"], rules["seats"], rules["set"])
            if played != (numbers.rules, numbers.seats, about["set"]):
                sys.exit(f"trained for {numbers.rules} with {numbers.seats} seats, asked to play {played}")
            send({"type": "ready", "protocol": "1.0", "name": about["name"]})
        elif message["type"] == "turn":
            legal = message["legal"]
            found = values(layers, numbers.observe(message), [numbers.number(action) for action in legal])
            send({"type": "action", "id": message["id"], "action": legal[found.index(max(found))]})


if __name__ == "__main__":
    main()
