"""The cavity computed by OpenFOAM's simpleFoam on one core."""

import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from track import Point, Track

# For each algorithm: the name, `consistent`, and the relaxation of velocity and pressure.
ALGORITHMS = {
    "simple": ("SIMPLE 0.8/0.2", "no", 0.8, 0.2),
    "simplec": ("SIMPLEC 0.95/1", "yes", 0.95, 1),
}

# u_min is taken after every so many iterations.
EVERY = 5

# Initial residuals, as simpleFoam normalises them, at which a run ends.
RESIDUAL = 1e-7


@dataclass
class Flow:
    """One grid of `cells`^2 with one algorithm and one of OpenFOAM's convection schemes."""

    cells: int
    algorithm: str
    scheme: str

    @property
    def title(self):
        """As in the table."""
        return f"{ALGORITHMS[self.algorithm][0]}, {self.scheme}"


@dataclass
class Timing:
    """`track` of a run; seconds on the processor (s); the share of time that taking u_min took."""

    track: Track
    on_processor: float
    sampling: float


def prepare(flow, folder, iterations):
    """Writes the case of a flow into `folder`, which is emptied, and makes its mesh."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(__file__).with_name("cavity"), folder)
    limit(flow, folder, iterations)
    columns = (flow.cells // 2 - 1, flow.cells // 2)
    places = [(i, j) for i in columns for j in range(flow.cells)]
    at = [f"({(i + 0.5) / flow.cells} {(j + 0.5) / flow.cells} {0.5 / flow.cells})" for i, j in places]
    text = "// Cell centres of the two columns beside the centreline.\nprobeLocations\n(\n"
    (folder / "system/centreline").write_text(text + "\n".join(at) + "\n);\n")
    for _ in started("blockMesh", folder):
        pass


def limit(flow, folder, iterations):
    """Sets what the dictionaries leave open, with the number of iterations after which a run ends."""
    _, consistent, relax_velocity, relax_pressure = ALGORITHMS[flow.algorithm]
    values = {
        "cells": flow.cells, "spacing": 1 / flow.cells, "scheme": flow.scheme, "consistent": consistent,
        "relaxU": relax_velocity, "relaxP": relax_pressure, "residual": RESIDUAL, "iterations": iterations,
        "every": EVERY,
    }
    text = "".join(f"{name} {value};\n" for name, value in values.items())
    (folder / "system/parameters").write_text(text)


def run(flow, folder, iterations):
    """One run from rest, in the folder of `prepare`: until converged, or for a number of iterations."""
    limit(flow, folder, iterations)
    shutil.rmtree(folder / "postProcessing", ignore_errors=True)
    begin, stamps, on_processor = None, {}, 0.0
    for line in started("simpleFoam", folder):
        now = time.perf_counter()
        if line.startswith("Starting time loop"):
            begin = now
        elif line.startswith("Time = "):
            iteration = int(line.split()[2])
        elif line.startswith("ExecutionTime = "):
            stamps[iteration] = now - begin
            on_processor = float(line.split()[2])
    u_min = sampled(flow, folder)
    points = [Point(stamps[n], n, u_min[n]) for n in sorted(stamps) if n in u_min]
    if not points:
        sys.exit("beside-openfoam: simpleFoam ended before u_min was taken once")
    return Timing(Track(points), on_processor, sampling_share(stamps))


def started(program, folder):
    """The lines that a program of OpenFOAM prints, each as soon as it comes."""
    log = []
    with subprocess.Popen([program], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as running:
        for line in running.stdout:
            log.append(line)
            yield line
    if running.returncode != 0:
        sys.exit("".join(log[-20:]) + f"beside-openfoam: {program} ended with exit code {running.returncode}")


def sampled(flow, folder):
    """u_min (m/s) by iteration, from the table of probes: a line has a vector for each place."""
    u_min = {}
    with open(folder / "postProcessing/centreline/0/U", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            iteration, *numbers = re.sub("[()]", " ", line).split()
            u = [float(number) for number in numbers[::3]]
            # The centreline lies between the columns: u there is their mean.
            west, east = u[:flow.cells], u[flow.cells:]
            u_min[int(iteration)] = min((a + b) / 2 for a, b in zip(west, east))
    return u_min


def sampling_share(stamps):
    """The share of time that writing the table took: iterations after which it was written, beside all others.

    An iteration's stamp comes before its line of the table, which therefore delays the next one.
    """
    took = {n: stamps[n] - stamps[n - 1] for n in stamps if n - 1 in stamps}
    after = [seconds for n, seconds in took.items() if (n - 1) % EVERY == 0]
    others = [seconds for n, seconds in took.items() if (n - 1) % EVERY != 0]
    if not after or not others:
        return 0.0
    return (median(after) - median(others)) / EVERY / median(others)
