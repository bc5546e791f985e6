"""Makes the animated picture of README, docs/src/pictures/street.png: one period of a vortex street.

    PYTHONPATH=... python3 docs/street.py

The module vortice must be there. It takes half a minute on two cores.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

import vortice as vt

PICTURE = Path(__file__).resolve().parent / "src" / "pictures" / "street.png"
WIDE, HIGH, CELLS, FRAMES = 14, 6, 12, 24


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


def period(time, lift):
    """The mean time in s between the rises of the lift through its mean."""
    lift = lift - lift.mean()
    up = np.flatnonzero((lift[:-1] < 0) & (lift[1:] >= 0))
    return np.diff(time[up] - lift[up] * (time[up + 1] - time[up]) / (lift[up + 1] - lift[up])).mean()


def main():
    time, lift, begin = [], [], None
    for now in street(62.0).steps(every=0.1):
        time.append(now.time)
        lift.append(now.forces["cylinder"].lift)
        if begin is None and now.time > 49.95:
            begin = now.time
            now.checkpoint("begin.h5")
    time, lift = np.array(time), np.array(lift)
    lasts = period(time[time > 40], lift[time > 40])
    film = {"shows": "vorticity", "seconds": float(lasts / FRAMES), "range": [-4.0, 4.0], "frames-per-second": 12}
    case = street(float(begin + lasts * (FRAMES - 1) / FRAMES), **{"output.film": film})
    case.run(restart="begin.h5", out="film", progress=False)
    shutil.copy("film/film.png", PICTURE)
    print(f"a period of {lasts:.3f} s in {FRAMES} frames: {PICTURE}", file=sys.stderr)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
