"""The files of a run, and runs on several ranks."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import vortice as vt

SETS = {"run.until": 0.5, "run.precision": "f64", "output.fields": 0.25, "output.picture": True}


def program_run(program, folder, *more):
    sets = [f"--set={key}={json.dumps(value)}" for key, value in SETS.items()]
    command = [program, "run", "cavity", "--method", "fdm", "--cells", "24x24", "--quiet", "--out", folder, *sets, *more]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def test_out_has_the_files_of_the_program(program):
    program_run(program, "program")
    run = vt.case("cavity", cells=24, **SETS).run(method="fdm", out="module", progress=False)
    names = sorted(path.name for path in Path("program").iterdir())
    assert sorted(path.name for path in Path("module").iterdir()) == names
    assert {"summary.json", "picture.png", "profiles.csv", "checkpoint.h5"} <= set(names)
    for name in ("picture.png", "profiles.csv", "history.csv", "energy.csv"):
        assert Path("module", name).read_bytes() == Path("program", name).read_bytes(), name
    ours, theirs = (json.loads(Path(one, "summary.json").read_text()) for one in ("module", "program"))
    # The module may be built of another commit than the program beside it.
    timed = {"wall_seconds", "cells_per_second", "seconds", "version"}
    assert {key: value for key, value in ours.items() if key not in timed} == {
        key: value for key, value in theirs.items() if key not in timed
    }
    assert ours["seconds"]["steps"] > 0 and run.folder == Path("module")
    assert vt.open("module").summary["references"][0]["max_error"] == run.told["references"][0]["max_error"]


def test_a_run_goes_on_in_its_folder():
    case = vt.case("cavity", cells=16, **(SETS | {"output.picture": False}))
    whole = case.run(method="fdm", out="whole", progress=False)
    steps = case.steps(steps=13, method="fdm", out="parts")
    next(steps)
    steps.finish()
    rest = case.run(method="fdm", out="parts", restart="parts/checkpoint.h5", progress=False)
    assert np.array_equal(rest.velocity, whole.velocity)
    assert list(vt.open("parts").table("history").step)[-2:] == [20, whole.step]
    assert vt.open("parts").times[-1] == 0.5 and json.loads(Path("parts/summary.json").read_text())["steps"] == whole.step


def test_a_run_that_diverges_leaves_a_summary():
    def grow(flow):
        flow.velocity[2, 3] = [1.0, 2.0, np.inf][flow.step]

    vt.method("growing-in-files", step=grow)
    with pytest.raises(vt.DivergedError) as caught:
        vt.case("cavity", cells=8, max_steps=9).run(method="growing-in-files", out="broken", progress=False)
    summary = json.loads(Path("broken/summary.json").read_text())
    assert summary["steps"] == caught.value.step and not summary["converged"] and "velocity" in summary["reason"]


@pytest.mark.parametrize("method", ["fdm", "fvm", "lbm"])
def test_ranks_have_the_same_bits(method):
    case = vt.case("cavity", cells=20, max_steps=25, precision="f64")
    alone = case.run(method=method, progress=False)
    cut = case.run(method=method, ranks=3, progress=False)
    for name in ("velocity", "pressure", "vorticity"):
        assert np.array_equal(cut.field(name), alone.field(name)), name
    assert cut.step == alone.step and cut.references.equals(alone.references)


def test_ranks_leave_files_and_scalars():
    heated = vt.case("heated-cavity-ra1e3", cells=12, max_steps=10)
    run = heated.run(ranks=2, out="cut", progress=False)
    assert vt.open("cut").summary["ranks"] == 2
    assert np.array_equal(run.temperature, heated.run(progress=False).temperature)
    with pytest.raises(vt.FileError, match="replace"):
        heated.run(ranks=2, out="cut", progress=False)
    with pytest.raises(vt.RanksError):
        vt.case("cavity", cells=4, max_steps=1).run(ranks=64, progress=False)
    with pytest.raises(vt.CaseError, match="ranks"):
        heated.run(ranks=0)


def test_an_interrupt_stops_all_ranks_and_leaves_a_checkpoint(python):
    script = (
        "import vortice as vt, threading, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "case = vt.case('cavity', cells=16, max_steps=10**9, until=1e9)\n"
        "try: case.run(ranks=2, progress=False)\n"
        "except KeyboardInterrupt as error: print(error)\n"
        "case.run(restart='out/cavity/interrupted.h5', progress=False, on_step=lambda now: False, every=1)"
    )
    assert "out/cavity/interrupted.h5" in python(script)
