"""The cavity computed by Vortice's finite volume method."""

import os
import subprocess
import sys

from track import Point, Track


BENCH = ["cargo", "bench", "--quiet", "--locked", "--package", "vortice-benches", "--bench", "volumes"]


def build():
    """Installs what the build needs and builds the benchmark."""
    for wanted in (["./setup"], [*BENCH, "--no-run"]):
        done = subprocess.run(wanted, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            sys.exit(f"beside-openfoam: {' '.join(wanted)} ended with exit code {done.returncode}; see above")


def command(options, cells):
    """What runs the flow and prints lines `seconds iterations u_min` until it is converged."""
    program = [options.steady] if options.steady else [*BENCH, "--"]
    return [*program, "steady", str(cells), "quick"]


def run(options, cells):
    """One run from rest until converged."""
    threads = {"RAYON_NUM_THREADS": str(options.threads)}
    wanted = command(options, cells)
    try:
        done = subprocess.run(wanted, stdout=subprocess.PIPE, text=True, check=False,
                              env={**os.environ, **threads})
    except OSError as error:
        sys.exit(f"beside-openfoam: {wanted[0]} cannot be run: {error.strerror}")
    if done.returncode != 0:
        sys.exit(f"beside-openfoam: {' '.join(wanted)} ended with exit code {done.returncode}; see above")
    points = [point for point in map(parsed, done.stdout.splitlines()) if point]
    if not points:
        sys.exit(f"beside-openfoam: {' '.join(wanted)} printed no line `seconds iterations u_min`")
    return Track(points)


def parsed(line):
    """The point that a line tells; None if it tells something else."""
    words = line.split()
    try:
        seconds, iterations, u_min = words
        return Point(float(seconds), int(iterations), float(u_min))
    except ValueError:
        return None
