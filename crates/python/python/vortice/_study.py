"""Comparisons of methods and grids, and validation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from . import _vortice
from ._arrays import frame
from ._case import Case, case as open_case


class Study:
    """One flow by several methods on several grids, and what their answers say together. A notebook shows its page."""

    def __init__(self, folder: Path, is_complete: bool) -> None:
        self.folder = folder
        self.is_complete = is_complete
        """Whether all runs were made; False if it was interrupted."""
        self.results: dict[str, Any] = json.loads((folder / "results.json").read_text())[0]
        """All that was found, in numbers: `results.json`."""

    @property
    def page(self) -> Path:
        """The page: `report.html`."""
        return self.folder / "report.html"

    @property
    def rows(self) -> Any:
        """A row for each run, with what it cost and its largest error from each published table: a frame of pandas, or a list
        of dicts without it.
        """
        return frame([_row(row) for row in self.results["rows"]])

    @property
    def findings(self) -> list[str]:
        """What was found, in sentences: those that the page begins with."""
        return list(self.results["findings"])

    @property
    def limits(self) -> Any:
        """What each value of each method converges to: a frame of pandas, or a list of dicts without it."""
        return frame([_limit(one) for one in self.results["limits"]])

    def _repr_html_(self) -> str:
        page = escape(self.page.read_text(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 45em; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<Study of {self.results['title']!r}: {len(self.results['rows'])} runs, {self.page}>"


def _row(row: dict[str, Any]) -> dict[str, Any]:
    names = ("variant", "method", "grid", "cells", "iteration_error")
    short = {name: row[name] for name in names}
    short["ended"] = row["ended"]["how"]
    short |= {name: row["expense"][name] for name in ("steps", "wall_seconds")}
    return short | {one["reference"]: one["max_error"] for one in row["deviations"]}


def _limit(limit: dict[str, Any]) -> dict[str, Any]:
    found = limit["convergence"] or {}
    return {
        "variant": limit["variant"],
        "value": limit["value"],
        "limit": found.get("limit"),
        "order": found.get("order"),
        "uncertainty": found.get("uncertainty"),
    }


def compare(
    case: Case | str,
    methods: Sequence[str] = (),
    grids: Sequence[int] = (),
    *,
    schemes: Sequence[str] = (),
    out: str | PathLike[str] | None = None,
    resume: bool = True,
    afresh: bool = False,
    progress: bool = True,
) -> Study:
    """Runs a case by several methods on several grids, and makes a page of what they say together.

    Without `methods` all are taken, without `grids` a quarter, half and all of the case's cells; `schemes` are settings that
    vary, `"fvm.convection=central,quick"`. Runs that an earlier call left in `out` (`out/compare-CASE`) and that would be the
    same are not made again, unless `afresh`. Ctrl-C stops it; called again it goes on with the run that was stopped.
    """
    chosen = case if isinstance(case, Case) else open_case(case)
    folder = Path("out", f"compare-{chosen.name}") if out is None else Path(out)
    tell = print if progress else None
    done = _vortice.compare(
        chosen._native, chosen.name, str(folder), list(methods), list(schemes), list(grids), resume, afresh, tell
    )
    return Study(folder, done)


def validate(
    method: str,
    cases: Sequence[str] = (),
    *,
    checks: str | PathLike[str] | None = None,
    suite: str = "quick",
) -> Any:
    """Judges a method as the built-in ones are, on the processor: a row for each value, as a frame of pandas or a list of
    dicts.

    Its flows are compared with published tables under the tolerances that a file of `checks` has, without one those of the
    built-in methods, `cases/validation`. `cases` takes some of the cases; `suite` is `quick`, `standard` or `full`.
    """
    text = None if checks is None else Path(checks).read_text()
    return frame(json.loads(_vortice.validate(method, text, list(cases), suite)))
