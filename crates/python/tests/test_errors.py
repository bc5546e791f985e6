"""Errors: exceptions with key, value and remedy."""

import math
import pickle

import pytest

import vortice as vt


def test_a_wrong_value_has_its_key_and_remedy():
    with pytest.raises(vt.CaseError) as caught:
        vt.case("cavity", viscosity=-1.0)
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, vt.VorticeError)
    assert error.key == "fluid.viscosity" and "-1" in str(error.value) and error.remedy and error.remedy in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.key == error.key


@pytest.mark.parametrize(
    ("changes", "key", "remedy"),
    [
        ({"viscositi": 1.0}, "viscositi", "viscosity"),
        ({"velocity": 1.0}, "velocity", "scale.velocity"),
        ({"cells": 0}, "cells", "whole number"),
        ({"cells": "many"}, "cells", "whole number"),
        ({"reynolds": -5}, "reynolds", "positive"),
        ({"reynolds": 5, "viscosity": 1}, "reynolds", "keep one"),
        ({"title": object()}, "title", "number"),
        ({"fdm": {"over-relaxatio": 1.7}}, None, ""),
    ],
)
def test_slips_are_told(changes, key, remedy):
    with pytest.raises(vt.CaseError) as caught:
        vt.case("cavity", **changes).check()
    assert key is None or caught.value.key == key
    assert remedy in caught.value.remedy


def test_keys_have_short_names():
    case = vt.case("cavity", cells=[20, 10], viscosity=0.25, max_steps=7, until=2.0, fdm={"over-relaxation": 1.5})
    assert case.cells == (20, 10, 1) and case.viscosity == 0.25 and case.end == 2.0
    assert "over-relaxation = 1.5" in case.text and "max-steps = 7" in case.text
    assert vt.case(case, reynolds=10).reynolds == pytest.approx(10) and case.with_changes(cells=40).cells == (80, 40, 1)


def test_a_case_may_be_a_dict_or_a_file(tmp_path):
    tables = {
        "title": 'A "quoted" flow',
        "grid": {"cells": [8, 8, 1], "size": [1.0, 1.0, 0.1]},
        "fluid": {"density": 1.0, "viscosity": 0.1},
        "run": {"method": "fdm", "until": 0.1},
        "boundary": {
            **{face: "wall" for face in ("x-low", "x-high", "y-low")},
            "y-high": {"wall": {"velocity": (1.0, 0.0, 0.0)}},
            **{face: "periodic" for face in ("z-low", "z-high")},
        },
    }
    case = vt.case(tables)
    assert case.title == 'A "quoted" flow' and case.wall_velocity("y-high") == (1, 0, 0)
    (tmp_path / "my.toml").write_text(case.text)
    assert vt.case("my.toml", until=0.2).end == 0.2 and vt.case(tmp_path / "my.toml").name == "my"
    assert vt.case(tables, reynolds=20).run(progress=False).time == pytest.approx(0.1)


def test_other_errors_have_classes_of_their_own():
    case = vt.case("cavity", cells=8)
    with pytest.raises(vt.CaseError, match="did you mean"):
        case.run(method="fdn")
    with pytest.raises(vt.CaseError, match="cavity"):
        vt.case("cavty")
    with pytest.raises(vt.FileError) as caught:
        vt.open("nothing-here.vtkhdf")
    assert isinstance(caught.value, OSError) and str(caught.value.path) == "nothing-here.vtkhdf"
    with pytest.raises(vt.DeviceError):
        case.run(device="cuda:7")
    with pytest.raises(vt.CaseError, match="every"):
        case.steps()
    case.with_changes(max_steps=3).run(out="twice", progress=False)
    with pytest.raises(vt.FileError, match="replace"):
        case.run(out="twice")
    case.with_changes(max_steps=3).run(out="twice", replace=True, progress=False)


def test_a_flow_that_diverges_says_where():
    def grow(flow):
        flow.velocity[2, 3] = [1.0, 2.0, 3.0, math.inf][flow.step]

    vt.method("growing", step=grow)
    with pytest.raises(vt.DivergedError) as caught:
        vt.case("cavity", cells=8).run(method="growing", progress=False)
    error = caught.value
    assert error.cell == (3, 2, 0) and error.step == 4 and error.field == "velocity" and "dt" in error.remedy
    assert isinstance(error, ArithmeticError)


def test_help_helps():
    for thing in (vt, vt.case, vt.Case, vt.Case.run, vt.Case.steps, vt.Run, vt.Run.references, vt.compare, vt.open, vt.method):
        assert thing.__doc__ and len(thing.__doc__) > 20
    assert "cavity" in vt.cases() and set(vt.methods()) >= {"fdm", "fvm", "lbm"}
    assert repr(vt.case("cavity")).startswith("<Case 'Lid-driven")
