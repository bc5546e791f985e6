"""Makes the film of README, docs/src/pictures/street.webp: how a vortex street begins.

    PYTHONPATH=... python3 docs/street.py

The module vortice must be there, and Pillow. It takes half a minute on two cores.
"""

import os
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageSequence

import vortice as vt

PICTURE = Path(__file__).resolve().parent / "src" / "pictures" / "street.webp"
WIDE, HIGH, CELLS = 14, 6, 12
# Ten seconds of film, of so many seconds of flow.
FRAMES, RATE, LASTS = 120, 12, 60.0


def street(until, **more):
    """The flow around a cylinder between mirrors, up to a time in s."""
    deep = 1 / CELLS
    push = {"low": [4.0, 2.5, 0.0], "high": [6.0, 3.5, deep], "velocity": [0.5, 0.5, 0.0]}
    sides = {"y-low": "symmetry", "y-high": "symmetry", "z-low": "periodic", "z-high": "periodic"}
    tables = {
        "title": "Flow around a cylinder, Re = {reynolds}",
        "grid": {"cells": [WIDE * CELLS, HIGH * CELLS, 1], "size": [float(WIDE), float(HIGH), deep]},
        "fluid": {"density": 1.0, "viscosity": 0.01},
        "scale": {"length": 1.0, "velocity": 1.0},
        "run": {"method": "lbm", "until": until},
        "lbm": {"mach": 0.15},
        "initial": {"velocity": [1.0, 0.0, 0.0], "box": {"push": push}},
        "body": {"cylinder": {"circle": {"centre": [3.0, 3.0], "radius": 0.5}}},
        "boundary": {
            "x-low": {"inflow": {"velocity": [1.0, 0.0, 0.0]}},
            "x-high": {"outflow": {"convective": True}},
            **sides,
        },
    }
    return vt.case(tables, **more)


def main():
    film = {"shows": "vorticity", "seconds": LASTS / FRAMES, "range": [-4.0, 4.0], "frames-per-second": RATE}
    street(LASTS * (FRAMES - 1) / FRAMES, **{"output.film": film}).run(out="film", progress=False)
    with Image.open("film/film.png") as film:
        first, *others = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    first.save(PICTURE, save_all=True, append_images=others, duration=1000 // RATE, loop=0, quality=70, method=6)
    print(f"{1 + len(others)} frames, {PICTURE.stat().st_size / 1e3:.0f} kB: {PICTURE}", file=sys.stderr)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
