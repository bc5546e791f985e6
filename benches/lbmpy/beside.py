"""Vortice and lbmpy in turn, on the same flow and machine: prints a page of Markdown."""

import argparse
import datetime
import itertools
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from statistics import median

from cavity import LID, REYNOLDS
from peer import WAITING, Peer
from pystencils import Target

# Populations read and written in each step, if no step needs a second lattice.
MOVED = 2 * 19
BYTES = {"f32": 4, "f64": 8}
NAMES = {"aa": "in place (AA)", "esotwist": "in place (EsoTwist)", "pull": "two lattices (pull)",
         "push": "two lattices (push)"}


def arguments():
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="benches/beside-lbmpy", description=__doc__)
    several = {"nargs": "+", "metavar": "X"}
    parser.add_argument("--vortice", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cells", type=int, default=[64, 128], help="along each edge", **several)
    parser.add_argument("--types", choices=BYTES, default=list(BYTES), help="f32, f64", **several)
    parser.add_argument("--collisions", choices=["srt", "trt"], default=["srt", "trt"],
                        help="srt, trt", **several)
    parser.add_argument("--patterns", choices=NAMES, default=["aa", "pull"],
                        help="of lbmpy: " + ", ".join(NAMES), **several)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    return parser.parse_args()


def vortice(options, cells, precision, collision):
    """One measurement of Vortice: what `vortice bench --json` prints."""
    command = [options.vortice, "bench", "cavity-3d", "--method", "lbm", "--device", "cpu"]
    for setting in (f"grid.cells=[{cells},{cells},{cells}]", f'run.precision="{precision}"',
                    'lbm.lattice="d3q19"', f'lbm.collision="{collision}"',
                    # The lid is 1 m long and moves 1 m/s.
                    f"fluid.viscosity={1 / REYNOLDS}"):
        command += ["--set", setting]
    command += ["--threads", options.threads, "--repeats", 1, "--seconds", options.seconds, "--json"]
    done = subprocess.run(map(str, command), stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"beside-lbmpy: vortice bench ended with exit code {done.returncode}; see above")
    return json.loads(done.stdout)


def measure(options, *flow):
    """All rounds of one flow: million cell updates per second and the memory's bytes per second."""
    title = "{}^3 {} {}".format(*flow)
    say(f"{title}: lbmpy generates and compiles its kernels")
    peers = [Peer(pattern, flow, options.threads) for pattern in options.patterns]
    for peer in peers:
        peer.wait()
    ours, memory, theirs = [], [], {peer.pattern: [] for peer in peers}
    for number in range(options.rounds):
        result = vortice(options, *flow)
        ours.append(result["mlups"]["median"])
        memory.append(result["measured_bandwidth"])
        told = []
        for peer in peers:
            speeds = peer.speeds(options.seconds)
            theirs[peer.pattern].append(max(speeds))
            told += [f"{peer.pattern} {waiting} {speed:.1f}" for waiting, speed in zip(WAITING, speeds)]
        say(f"{title} round {number + 1}: Vortice {ours[-1]:.1f}, lbmpy {', '.join(told)} MLUPS, "
            f"memory {memory[-1] / 1e9:.1f} GB/s")
    for peer in peers:
        peer.end()
    return ours, theirs, memory


def row(cells, precision, collision, ours, theirs, memory):
    """One row of the table."""
    columns = [f"{cells}^3", precision, collision.upper(), spread(ours)]
    for speeds in theirs.values():
        # Of neighbours in time: what slows the machine down for a while slows both.
        ratios = [our / their for our, their in zip(ours, speeds)]
        columns += [spread(speeds), spread(ratios, 2)]
    bytes_per_update = MOVED * BYTES[precision]
    columns += [spread([bandwidth / 1e9 for bandwidth in memory])]
    columns += [f"{median(memory) / bytes_per_update / 1e6:.0f}"]
    return "| " + " | ".join(columns) + " |"


def spread(numbers, digits=1):
    """Median, smallest and largest."""
    middle, least, most = (f"{x:.{digits}f}" for x in (median(numbers), min(numbers), max(numbers)))
    return f"**{middle}** ({least} to {most})"


def heading(options):
    """What was measured, where and with what."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("lbmpy", "pystencils", "sympy", "numpy"))
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True)
    ours = subprocess.run([options.vortice, "--version"], capture_output=True, text=True, check=True)
    load = ", ".join(f"{x:.2f}" for x in os.getloadavg())
    return f"""\
# Lattice Boltzmann beside lbmpy, {options.threads} threads, {datetime.date.today()}

```sh
benches/beside-lbmpy {" ".join(sys.argv[1 + sys.argv.index(options.vortice):])}
```

| | |
|---|---|
| processor | {processor()}; {options.threads} threads |
| load before | {load} (averages over 1, 5 and 15 minutes) |
| Vortice | {ours.stdout.strip()}, `vortice bench cavity-3d --method lbm` |
| lbmpy | {packages}, Python {platform.python_version()}, {compiler.stdout.splitlines()[0]} |
| its code | {Target.auto_cpu().name}, OpenMP for cells and boundaries, aligned rows, sizes known to the \
compiler, non-temporal stores where there are two lattices |

Lid-driven cube, Re = {REYNOLDS}, D3Q19, lid {LID:.4f} lattice units, halfway bounce-back. Million cell
updates per second, walls included: median (smallest to largest) of {options.rounds} rounds, in each of which
everything in a row was measured one after the other for {options.seconds:g} s. Of lbmpy the better of two in
each round: threads that spin, or sleep, while they wait. Ratio: Vortice to lbmpy, round by round. Memory: an
array updated in place, bytes read and written, GB/s; the bound is what in-place streaming can reach with it. A
grid that fits into the caches may exceed it.
"""


def processor():
    """The processor's name, by what Linux says."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def say(remark):
    """Tells on stderr how far it is."""
    print(f"beside-lbmpy: {remark}", file=sys.stderr, flush=True)


def main():
    """Measures and prints, each row as soon as it is known."""
    options = arguments()
    # Before anything is measured: it tells the load.
    print(heading(options))
    columns = ["cells", "type", "collision", "Vortice"]
    for pattern in options.patterns:
        columns += [f"lbmpy, {NAMES[pattern]}", "ratio"]
    columns += ["memory", "bound"]
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|", flush=True)
    for flow in itertools.product(options.cells, options.types, options.collisions):
        print(row(*flow, *measure(options, *flow)), flush=True)


if __name__ == "__main__":
    main()
