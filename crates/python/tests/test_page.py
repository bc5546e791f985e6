"""The page about Python: what it prints runs."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

import vortice as vt


@pytest.fixture
def blocks():
    page = Path(os.environ["VORTICE_PAGES"], "python.md").read_text()
    return re.findall(r"```python\n(.*?)```", page, re.S)


def test_what_the_page_prints_runs(blocks):
    run, drive, watch, compare, finished, own = blocks
    names = {}
    exec(run, names)
    assert names["run"].converged
    exec(drive, names)
    assert len(names["drag"]) == 10 and len(names["steps"].changes) == 1 and names["last"].time == pytest.approx(1, abs=0.1)
    exec(watch, names)
    assert names["page"].address.startswith("http://127.0.0.1:") and names["page"]._native.closed
    # Minutes as it stands.
    assert "[32, 64, 128]" in compare
    exec(compare.replace("[32, 64, 128]", "[8, 16]"), names)
    assert len(names["study"].rows) == 6
    vt.case("cavity", cells=16, max_steps=50).run(out="out/cavity", progress=False)
    if importlib.util.find_spec("pyvista") is None:
        finished = finished.replace("old.to_pyvista()", "None")
    exec(finished, names)
    assert names["old"].velocity.shape == (16, 16, 2)
    exec(own, names)
    assert names["vt"].methods()["mine"]


def test_what_the_page_for_users_of_lbmpy_prints_runs(capsys):
    page = Path(os.environ["VORTICE_PAGES"], "how-to", "from-lbmpy.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(block, {})
    steps, fastest = zip(*(line.split() for line in capsys.readouterr().out.splitlines()))
    assert steps == ("500", "1000") and all(0.5 < float(one) <= 1.1 for one in fastest)
