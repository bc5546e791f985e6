"""A method in Python: Stokes flow and diffusion in a few lines, run, compared, validated and restarted."""

import numpy as np
import pytest

import vortice as vt


def diffuse(flow):
    """Couette flow: u diffuses between two walls, the upper one moving; periodic in x."""
    u, (_, h, _) = flow.velocity[..., 0], flow.case.spacing
    wall = flow.case.wall_velocity("y-high")[0]
    low, high = -u[:1], 2 * wall - u[-1:]
    padded = np.concatenate([low, u, high])
    u += flow.dt * flow.case.viscosity * (padded[2:] - 2 * u + padded[:-2]) / h**2
    flow.steps_done = getattr(flow, "steps_done", np.zeros(flow.case.shape)) + 1


@pytest.fixture(autouse=True)
def taught():
    vt.method("diffusion", step=diffuse, about="Diffusion of u between walls")


def couette(**changes):
    return vt.case("couette", cells=[4, 16], **changes)


def test_it_is_run_and_judged():
    assert vt.methods()["diffusion"] == "Diffusion of u between walls"
    run = couette().run(method="diffusion", progress=False)
    assert run.converged and run.case.method == "diffusion"
    assert run.references["max_error"].max() < 0.02
    assert run.velocity[..., 0][:, 0] == pytest.approx(run.y / run.case.scale[0] * run.velocity[..., 0].max() * 16 / 15.5, rel=0.05)


def test_it_is_compared_with_others(tmp_path):
    study = vt.compare(couette(), methods=["diffusion", "fdm"], grids=[4, 8], out=tmp_path / "study", progress=False)
    assert study.is_complete and set(study.rows["method"]) == {"diffusion", "fdm"}
    assert set(study.rows["ended"]) == {"done"}


def test_it_is_validated(tmp_path):
    (tmp_path / "checks.toml").write_text(
        """
[[check]]
case = "couette"
methods = ["diffusion"]
suite = "quick"
set = ["grid.cells=[4,16,1]"]
judge = [{ reference = "exact-couette", tolerance = 0.02 }]
"""
    )
    rows = vt.validate("diffusion", checks=tmp_path / "checks.toml")
    assert list(rows["verdict"]) == ["pass"] and rows["error"][0] < 0.02


def test_it_goes_on_from_its_checkpoint_with_its_own_arrays():
    steps = couette(max_steps=30).steps(steps=10, method="diffusion")
    next(steps).checkpoint("diffusion.h5")
    whole = couette(max_steps=30).run(method="diffusion", progress=False)
    rest = couette(max_steps=30).run(method="diffusion", restart="diffusion.h5", progress=False)
    assert np.array_equal(whole.velocity, rest.velocity) and rest.told["steps"] == 20


def test_it_ends_at_the_time_of_the_case():
    run = couette(until=0.05).run(method="diffusion", progress=False)
    assert run.time == 0.05


def test_an_exception_in_it_comes_out_as_it_is():
    def wrong(flow):
        if flow.step == 3:
            raise KeyError("of the step")

    vt.method("wrong", step=wrong)
    with pytest.raises(KeyError, match="of the step"):
        couette().run(method="wrong", progress=False)
    study = vt.compare(couette(), methods=["wrong"], grids=[4], progress=False)
    assert "of the step" in study.results["rows"][0]["ended"]["why"]


def test_it_can_be_taught_anew():
    vt.method("anew", step=lambda flow: None)
    still = couette(max_steps=3).run(method="anew", progress=False)

    def push(flow):
        flow.velocity[..., 0] += 1
        flow.pressure = np.ones(flow.case.shape)

    vt.method("anew", step=push, dt=0.01)
    pushed = couette(max_steps=3).run(method="anew", progress=False)
    assert np.array_equal(pushed.velocity[..., 0], still.velocity[..., 0] + 3) and pushed.pressure.min() == 1
    assert pushed.time == pytest.approx(0.03)


def test_names_that_are_taken_and_cases_that_it_cannot_do_are_refused():
    for name in ("lbm", "grid", "my method", ""):
        with pytest.raises(vt.CaseError):
            vt.method(name, step=diffuse)
    with pytest.raises(vt.UnsupportedError, match="f64 only") as caught:
        couette(precision="f32").run(method="diffusion", progress=False)
    assert caught.value.key == "run.precision" and caught.value.method == "diffusion"
    vt.method("backwards", step=diffuse, dt=-1.0)
    with pytest.raises(vt.CaseError, match="dt"):
        couette().run(method="backwards", progress=False)
