"""Vortice and OpenFOAM's simpleFoam in turn, on the same steady cavity and machine: prints a page of Markdown."""

import argparse
import datetime
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from statistics import median

import foam
import ours
from track import BAND, STILL

# u_min by Botella and Peyret (1998), m/s.
PUBLISHED = -0.3885698


def arguments():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="benches/beside-openfoam", description=__doc__)
    several = {"nargs": "+", "metavar": "X"}
    parser.add_argument("--work", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cells", type=even, default=[128, 256], help="along each edge, even", **several)
    parser.add_argument("--algorithms", choices=foam.ALGORITHMS, default=list(foam.ALGORITHMS),
                        help="of simpleFoam: " + ", ".join(foam.ALGORITHMS), **several)
    parser.add_argument("--schemes", default=["QUICKV"],
                        help="of simpleFoam: QUICKV, or QUICK, which did not converge on 128^2", **several)
    parser.add_argument("--rounds", type=positive, default=3)
    parser.add_argument("--iterations", type=positive, default=10000, help="limit of simpleFoam's")
    parser.add_argument("--threads", type=positive, default=1, help="of Vortice; simpleFoam has one")
    parser.add_argument("--steady", help="Vortice's benchmark `volumes`, built before; else cargo builds it")
    parser.add_argument("--without-vortice", action="store_true", help="simpleFoam alone")
    return parser.parse_args()


def positive(word):
    """A number of something."""
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word} is not positive")
    return number


def even(word):
    """Cells along an edge: with an odd number the centreline is a column itself."""
    number = positive(word)
    if number % 2 == 1:
        raise argparse.ArgumentTypeError(f"{word} is odd")
    return number


class Row:
    """What was measured of one program on one grid: a value for each round."""

    def __init__(self, title):
        self.title = title
        self.final = None
        self.remark = None
        self.seconds, self.iterations, self.per_iteration = [], [], []

    def add(self, track):
        """One round more. The first must be a run until converged: it tells the final u_min."""
        if self.final is None:
            self.final = track.final
            if track.sway() > STILL:
                self.remark = f"not converged, still moves by {100 * track.sway():.2f} %"
        end = track.points[-1] if self.remark else track.settled(self.final)
        if end is None:
            sys.exit(f"beside-openfoam: {self.title}: u_min did not settle as it did in the first round")
        self.seconds.append(end.seconds)
        self.iterations.append(end.iterations)
        self.per_iteration.append(1e3 * end.seconds / end.iterations)

    def columns(self, reference):
        """The row of the table, with its times over those of `reference`, round by round."""
        known = [f"{self.final:.5f}", spread(self.per_iteration, 2)]
        if self.remark:
            return [self.title, *known, self.remark, "", ""]
        ratio = ""
        if reference and reference is not self:
            # Of neighbours in time: what slows the machine down for a while slows both.
            ratio = spread([a / b for a, b in zip(self.seconds, reference.seconds)], 2)
        return [self.title, *known, f"{median(self.iterations):.0f}", spread(self.seconds, 2), ratio]


def measure(options, cells):
    """All rounds on one grid: the rows, that of Vortice or None, and the largest share of sampling."""
    flows = [foam.Flow(cells, algorithm, scheme)
             for scheme in options.schemes for algorithm in options.algorithms]
    rows = [Row(f"OpenFOAM, {flow.title}") for flow in flows]
    mine = None if options.without_vortice else Row(f"Vortice, QUICK, threads: {options.threads}")
    shares = []
    for number in range(1, options.rounds + 1):
        for flow, row in zip(flows, rows):
            shares.append(one_round(options, flow, row))
        if mine:
            track = ours.run(options, cells)
            mine.add(track)
            tell(mine, track, f"{cells}^2 round {number}")
    return rows + [mine] * bool(mine), mine, max(shares)


def one_round(options, flow, row):
    """One run of simpleFoam, added to its row: the share of time that taking u_min took."""
    folder = options.work / f"{flow.cells}-{flow.algorithm}-{flow.scheme}"
    # It does the same in each round: once its final value is known there is no need to go on to it.
    last = row.iterations[0] if row.iterations else options.iterations
    if not row.iterations:
        foam.prepare(flow, folder, last)
    timing = foam.run(flow, folder, last)
    row.add(timing.track)
    tell(row, timing.track, f"{flow.cells}^2 round {len(row.iterations)}")
    say(f"of all its seconds {timing.on_processor:.2f} on the processor, "
        f"{100 * timing.sampling:.1f} % to take u_min")
    return timing.sampling


def tell(row, track, when):
    """Tells on stderr what the last round of a row gave."""
    end = track.points[-1]
    settled = row.remark or f"settled after {row.iterations[-1]} iterations, {row.seconds[-1]:.2f} s"
    say(f"{when}: {row.title}: {settled}; ended after {end.iterations}, {end.seconds:.2f} s, "
        f"u_min {end.u_min:.6f}")


def spread(numbers, digits):
    """Median, smallest and largest."""
    middle, least, most = (f"{x:.{digits}f}" for x in (median(numbers), min(numbers), max(numbers)))
    return f"**{middle}** ({least} to {most})"


def heading(options):
    """What was measured, where and with what."""
    load = ", ".join(f"{x:.2f}" for x in os.getloadavg())
    rounds = f"{options.rounds} rounds" if options.rounds > 1 else "one round"
    return f"""\
# Steady cavity beside OpenFOAM, {datetime.date.today()}

```sh
benches/beside-openfoam {" ".join(asked())}
```

| | |
|---|---|
| processor | {processor()} |
| load before | {load} (averages over 1, 5 and 15 minutes) |
| OpenFOAM | {openfoam()}, simpleFoam, one core, f64 |
| its solvers | velocity PBiCGStab with DILU, pressure GAMG with Gauss-Seidel, both to a tenth in each iteration |

Lid-driven cavity, Re = 1000, from rest, one layer of square cells. u_min is the least velocity on the vertical
centreline, the mean of the two columns beside it; in the table that of the converged flow ({PUBLISHED} by
Botella and Peyret 1998), where it moved by less than {100 * STILL:g} % in the last tenth of a run. Iterations and
seconds until it stays within {100 * BAND:g} % of that value, without start and mesh: median (smallest to largest)
of {rounds}, in each of which everything on a grid was run one after the other; ms per outer iteration until
then, or of all if not converged. Ratio: OpenFOAM's seconds to those of Vortice, round by round. OpenFOAM's QUICK
and QUICKV are Leonard's QUICK with a limiter, QUICK's by |u|^2, QUICKV's along the change of velocity.
"""


def asked():
    """The words that the user gave."""
    words = sys.argv[1:]
    return words[words.index("--work") + 2:]


def openfoam():
    """Its version, by what it prints itself."""
    done = subprocess.run(["simpleFoam", "-help"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("Using: "):
            number = re.search(r"\((\w+)\)", line)
            return number[1] if number else line.removeprefix("Using: ")
    sys.exit(done.stdout + done.stderr + "beside-openfoam: simpleFoam cannot be run; see above")


def processor():
    """The processor's name, by what Linux says."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def say(remark):
    """Tells on stderr how far it is."""
    print(f"beside-openfoam: {remark}", file=sys.stderr, flush=True)


def main():
    """Measures and prints, each grid as soon as it is known."""
    options = arguments()
    if not options.without_vortice and not options.steady:
        ours.build()
    # Before anything is measured: it tells the load.
    print(heading(options))
    columns = ["cells", "program", "u_min, m/s", "ms per iteration", "iterations", "seconds", "ratio"]
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|", flush=True)
    shares = []
    for cells in options.cells:
        rows, mine, share = measure(options, cells)
        shares.append(share)
        for row in rows:
            print("| " + " | ".join([f"{cells}^2", *row.columns(mine)]) + " |", flush=True)
    print(f"\nTaking u_min in every {foam.EVERY}th iteration took at most {100 * max(shares):.1f} % "
          "of OpenFOAM's time.")


if __name__ == "__main__":
    main()
