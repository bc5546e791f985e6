"""The notebooks run, are kept without outputs, and are the ones that the book shows."""

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import pytest

PAGES = Path(os.environ["VORTICE_PAGES"])
FOLDER = PAGES.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
COURSE = sorted((PAGES.parent.parent / "crates/course/kit").glob("*/notebook.ipynb"))

spec = importlib.util.spec_from_file_location("execute", FOLDER / "execute.py")
execute = importlib.util.module_from_spec(spec)
# A class of data looks for its module.
sys.modules["execute"] = execute
spec.loader.exec_module(execute)


def test_there_are_six():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_the_book_shows_it(path):
    page = (PAGES / "notebooks" / f"{path.stem}.md").read_text()
    shown = re.findall(r"```python\n(.*?)\n```\n", page, re.S)
    cells = execute.execute(path)
    assert shown == [cell.text for cell in cells if cell.is_code], "run docs/notebooks/show"
    drawn = sum(len(cell.pictures) for cell in cells)
    assert drawn > 0
    assert sorted(one.name for one in (PAGES / "notebooks").glob(f"{path.stem}-*.png")) == [
        f"{path.stem}-{number + 1}.png" for number in range(drawn)
    ]
    others = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] != "code"]
    for cell in others:
        first = cell["source"][0].rstrip("\n")
        assert first in page or "](../src/" in first, first


def test_notebooks_of_the_course_are_kept_without_outputs():
    assert [path.parent.name for path in COURSE] == ["lab1", "lab2", "lab3", "lab4", "project1", "project2"]
    assert all(any(cell.is_code for cell in execute.read(path)) for path in COURSE)


def test_the_method_of_the_first_project_runs():
    # Those of the labs read what commands leave, and run with these: crates/vortice/tests/program/course.rs.
    (path,) = [path for path in COURSE if path.parent.name == "project1"]
    shown = [cell.value for cell in execute.execute(path) if cell.is_code]
    assert shown[0]["max_error"].max() < 2e-3
    assert list(shown[1]["method"].unique()) == ["mine", "fdm"]


def test_outputs_are_refused(tmp_path):
    cell = {"cell_type": "code", "source": ["1"], "outputs": [{"output_type": "stream"}], "execution_count": 1}
    (tmp_path / "kept.ipynb").write_text(json.dumps({"cells": [cell]}))
    with pytest.raises(ValueError, match="clear them"):
        execute.read(tmp_path / "kept.ipynb")
