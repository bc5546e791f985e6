"""The lines that the documentation opens with, as they stand."""

import numpy as np
import pytest

import vortice as vt


def test_a_case_is_run_and_judged():
    case = vt.case("cavity", cells=64, reynolds=400)
    run = case.run(method="fvm")
    assert run.velocity.shape == (64, 64, 2) and run.pressure.shape == (64, 64) and run.vorticity.shape == (64, 64)
    assert run.x.shape == (64,) and run.y[0] == 0.5 / 64 and run.converged
    assert run.velocity.dtype == np.float64 and not run.velocity.flags.owndata
    u = run.velocity[..., 0]
    assert u[-1].max() > 0.5 and u.min() < -0.2
    references = run.references
    assert set(references.columns) >= {"name", "max_error", "rms_error", "points"}
    ghia = references.set_index("name").loc["ghia-1982-re400-u"]
    assert 0 < ghia["max_error"] < 0.03
    assert {"what", "reference", "computed"} <= set(run.samples.columns)
    curl = np.gradient(run.velocity[..., 1], run.x, axis=1) - np.gradient(u, run.y, axis=0)
    assert np.abs(run.vorticity - curl)[8:-8, 8:-8].max() < 0.05
    pytest.importorskip("matplotlib")
    figure = run.plot()
    assert len(figure.axes) == 4, "speed, its bar, u and v"
    figure.savefig("plot.png")


def test_a_flow_is_driven_and_changed():
    drag = []
    case = vt.case("cylinder-re20", cells=8, until=0.5)
    at = []
    steps = case.steps(every=0.1, method="lbm")
    for now in steps:
        drag.append(now.forces["cylinder"].drag)
        at.append(now.time)
        assert now.velocity.shape == (*case.shape, 2)
        if now.time > 0.25 and not steps.changes:
            now.set(viscosity=0.06)
    assert len(drag) == 5 and drag[-1] > 0
    assert np.allclose(at, np.arange(1, 6) / 10, atol=0.02)
    changes = steps.changes
    assert changes[0][2] == ["fluid.viscosity=0.06"]
    last = steps.finish()
    again = case.steps(every=0.1, method="lbm", changes=changes)
    for now in again:
        pass
    assert np.array_equal(again.finish().velocity, last.velocity)


def test_methods_and_grids_are_compared():
    case = vt.case("cavity", reynolds=100)
    study = vt.compare(case, methods=["fdm", "fvm", "lbm"], grids=[8, 16, 32], progress=False)
    assert study.is_complete and len(study.rows) == 9
    assert "<iframe" in study._repr_html_() and "cavity" in study.page.read_text().lower()
    assert len(study.limits) > 0


def test_finished_runs_are_opened(program):
    import subprocess

    sets = ["--set", "run.until=0.4", "--set", "output.fields=0.1", "--cells", "16x16", "--quiet"]
    subprocess.run([program, "run", "cavity", *sets], check=True, stdout=subprocess.DEVNULL)
    old = vt.open("out/cavity")
    assert np.allclose(old.times, [0, 0.1, 0.2, 0.3, 0.4]) and len(old) == 5
    assert old.velocity.shape == (16, 16, 2) and old[0].velocity[..., 0].max() == 0
    assert old.at(0.21).time == pytest.approx(0.2) and "pressure" in old.names
    assert old.title.startswith("Lid-driven") and old.method == "fdm" and old.summary["method"] == "fdm"
    assert len(old.table("history")) > 1 and old.solid is None
    assert old.case.cells == (16, 16, 1)
    if pytest.importorskip("xarray"):
        flow = old.to_xarray(["velocity", "pressure"])
        assert flow.velocity.dims == ("time", "y", "x", "component")
