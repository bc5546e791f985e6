"""What `fields.vtkhdf` holds, and what is wrong with it; processes that are killed: for the tools beside this file. Needs h5py."""

import os
import pathlib
import signal
import subprocess
import time

import h5py
import numpy

MPIEXEC = ["mpiexec", "--allow-run-as-root", "--oversubscribe", "-q", "-n"]


def launched(words, ranks):
    """A run on so many processes, of one thread each."""
    return [*MPIEXEC, str(ranks), *words, "--threads", "1"]


def of_session(session):
    """Processes of a run, mpiexec among them: number and program."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # Behind the name in brackets: state, parent, group, session.
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append((int(process.name), (process / "comm").read_text().strip()))
        except (OSError, ValueError):
            pass
    return found


def kill(run, chance, all_at_once=False):
    """Kills a run, or one of its processes; tells what is left of it after ten seconds."""
    ranks = [number for number, name in of_session(run.pid) if number != run.pid and name == "vortice"]
    if ranks and not all_at_once and chance.random() < 0.5:
        os.kill(chance.choice(ranks), signal.SIGKILL)
    else:
        os.killpg(run.pid, signal.SIGKILL)
        for number, _ in of_session(run.pid):
            os.kill(number, signal.SIGKILL)
    try:
        run.wait(10)
    except subprocess.TimeoutExpired:
        pass
    end = time.time() + 10
    while (left := of_session(run.pid)) and time.time() < end:
        time.sleep(0.05)
    return left


def look(file):
    """The number of times, and what is wrong; of a path or of bytes as a file."""
    with h5py.File(file, "r", locking=False) as opened:
        steps = opened["VTKHDF/Steps"]
        count, times = int(steps.attrs["NSteps"]), steps["Values"][()]
        if len(times) != count:
            return count, f"{len(times)} flow times of {count}"
        if count == 2 and times[0] == times[1]:
            # A step that is alone stands twice in the list, with the same values.
            count, times = 1, times[:1]
        if numpy.any(numpy.diff(times) <= 0):
            return count, "flow times do not rise"
        for name in ["velocity", "pressure", "vorticity"]:
            values = opened[f"VTKHDF/CellData/{name}"]
            for step in {0, count // 2, count - 1} if count else {}:
                if not numpy.all(numpy.isfinite(values[step])):
                    return count, f"{name} of time {step} is not finite"
            if count > 1 and not numpy.any(values[count - 1]):
                return count, f"{name} of the last time was not written"
            for step in {0, count // 2, count - 1} if count else {}:
                if not numpy.array_equal(opened[f"XDMF/{step // 1024:02}/{step // 32 % 32:02}/step{step:06}/{name}"][()], values[step]):
                    return count, f"the view of {name} of time {step} is another"
    return count, None
