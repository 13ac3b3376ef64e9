#!/usr/bin/env python3
"""Lets the package py4swiss (0.3.1, MIT) stand where the bench `references` expects bbpPairings:

    pip install py4swiss==0.3.1
    cargo bench -p leyden-format --bench references -- "$PWD/arena/format/benches/reference_py4swiss.py"

It pairs a round of a Tournament Report File by FIDE's Dutch system, without colours unless COLOURS=1 is set.
"""

import os
import sys
import tempfile
from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import ColorPreference, ColorPreferenceSide, ColorPreferenceStrength, PairingError
from py4swiss.engines.dutch import player
from py4swiss.trf import TrfParser


def without_colours(_section):
    """What a player prefers who has had no colour yet."""
    side, strength = ColorPreferenceSide.NONE, ColorPreferenceStrength.NONE
    return ColorPreference(side=side, strength=strength), 0, False


def older(lines):
    """A report of 2026 in the older form that the package reads: its rounds and points have other codes there."""
    for line in lines:
        code, rest = line[:3], line[4:]
        if code == "001":
            yield line
        elif code == "142":
            yield f"XXR {rest.strip()}"
        elif code == "162":
            words = rest.replace("W", "W ").replace("D", "D ").replace("P", "P ").split()
            points = dict(zip(words[::2], words[1::2]))
            yield f"XXS W={points['W']} D={points['D']} PAB={points['P']}"


def main():
    _, _, source, _, target = sys.argv
    if not os.environ.get("COLOURS"):
        player._get_color_preference = without_colours
    with open(source, newline="") as report:
        lines = [line.rstrip("\r\n") for line in report]
    with tempfile.NamedTemporaryFile("w", suffix=".trf") as converted:
        converted.write("\n".join(older(lines)) + "\n")
        converted.flush()
        parsed = TrfParser.parse(Path(converted.name), strict=True)
    try:
        pairings = DutchEngine.generate_pairings(parsed)
    except PairingError as error:
        sys.exit(f"{error} (can not be paired)")
    DutchEngine.write_pairings_to_file(pairings, Path(target))


main()
