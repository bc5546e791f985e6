"""On a machine with a GPU: the bits of the processor, and flows that are driven there."""

import threading

import numpy as np
import pytest

import vortice as vt

METHODS = ["fdm", "fvm", "lbm"]


@pytest.fixture(autouse=True)
def on_a_gpu():
    try:
        vt.case("cavity", cells=8, max_steps=1).run(device="cuda", progress=False)
    except vt.DeviceError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("method", METHODS)
def test_a_gpu_has_the_bits_of_the_processor(method):
    case = vt.case("cavity", cells=32, max_steps=100)
    there, here = (case.run(method, device=device, progress=False) for device in ("cuda", "cpu"))
    assert np.array_equal(there.velocity, here.velocity) and np.array_equal(there.pressure, here.pressure)


@pytest.mark.parametrize("method", METHODS)
def test_a_flow_is_driven_and_changed_there(method):
    case = vt.case("cavity", cells=32, max_steps=60)

    def drive(device):
        steps = case.steps(steps=20, method=method, device=device)
        next(steps).set(viscosity=0.002)
        looks = [now.velocity for now in steps]
        return [*looks, steps.finish().velocity]

    assert all(np.array_equal(there, here) for there, here in zip(drive("cuda"), drive("cpu")))


def test_forces_and_checkpoints_are_there():
    case = vt.case("cylinder-re20", cells=8, until=0.2)
    there, here = (next(case.steps(every=0.1, method="lbm", device=device)) for device in ("cuda", "cpu"))
    assert there.forces == here.forces
    there.checkpoint("there.h5")
    run = case.run("lbm", device="cpu", restart="there.h5", progress=False)
    assert np.array_equal(run.velocity, case.run("lbm", device="cpu", progress=False).velocity)


def test_runs_may_be_begun_and_forgotten_in_any_thread():
    def run():
        steps = vt.case("cavity", cells=16, max_steps=10**6, steady=1e-14).steps(steps=10, device="cuda")
        next(steps)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
