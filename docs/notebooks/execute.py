"""Notebooks without Jupyter: reads one, runs its cells one after the other, and gives what each of them shows.

A cell shows what it prints, the value of its last line, and figures of matplotlib, as in a notebook.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Cell:
    """A cell, and what it shows once it has been run."""

    is_code: bool
    text: str
    printed: str = ""
    value: Any = None
    pictures: list[bytes] = field(default_factory=list)


def read(path: Path) -> list[Cell]:
    """The cells of a notebook, which must be kept without outputs."""
    cells = []
    for cell in json.loads(path.read_text())["cells"]:
        if cell.get("outputs") or cell.get("execution_count"):
            raise ValueError(f"{path}: is kept with outputs; clear them")
        cells.append(Cell(cell["cell_type"] == "code", "".join(cell["source"])))
    return cells


def execute(path: Path) -> list[Cell]:
    """Runs the cells of a notebook in the present folder, with names of their own."""
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("agg")
    # Figures that others have left open are not drawn by its first cell.
    pyplot.close("all")
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = read(path)
    for number, cell in enumerate(cells):
        if cell.is_code:
            _run(cell, names, f"{path.name}, cell {number}")
    return cells


def _run(cell: Cell, names: dict[str, Any], where: str) -> None:
    from matplotlib import pyplot

    body = ast.parse(cell.text, where).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), where, "exec"), names)
        if last is not None:
            cell.value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    cell.printed = printed.getvalue()
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        cell.pictures.append(picture.getvalue())
    if cell.pictures:
        cell.value = None
    pyplot.close("all")
