"""lbmpy in programs of its own, which wait until they are asked to measure."""

import os
import subprocess
import sys
from pathlib import Path

# What OpenMP threads do while they wait for others; their library reads it when it starts. Its default, to
# spin for some milliseconds, is faster on small grids, but many times slower as soon as anything else runs.
WAITING = {"spinning": {}, "sleeping": {"OMP_WAIT_POLICY": "passive"}}


class Peer:
    """One flow with one pattern, once for each way of waiting."""

    def __init__(self, pattern, flow, threads):
        self.pattern = pattern
        path = Path(__file__).with_name("cavity.py")
        command = [sys.executable, "-W", "ignore", path, *flow, pattern, threads]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
        self.programs = [
            subprocess.Popen(list(map(str, command)), env={**kept, **waiting}, text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for waiting in WAITING.values()
        ]

    def wait(self):
        """Until all kernels are compiled."""
        for program in self.programs:
            answer(program)

    def speeds(self, seconds):
        """Million cells times steps per second for each way of waiting, one after the other."""
        return [self._speed(program, seconds) for program in self.programs]

    def _speed(self, program, seconds):
        print(seconds, file=program.stdin, flush=True)
        return float(answer(program))

    def end(self):
        """Ends the programs and gives their memory back."""
        for program in self.programs:
            program.stdin.close()
            program.wait()


def answer(program):
    """The next line that a program prints."""
    line = program.stdout.readline()
    if not line:
        sys.exit(f"beside-lbmpy: lbmpy ended with exit code {program.wait()}; see above")
    return line
