"""Runs that have ended."""

from __future__ import annotations

import json
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._arrays import Centres, Fields, frame, shown
from ._case import Case
from ._errors import CaseError
from ._page import Page, replay

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from . import _vortice
    from ._recorded import Recorded

    Values = tuple[NDArray[Any], tuple[int, int, int, int]]


class Run(Centres, Fields):
    """A run that has ended: its last flow as arrays of numpy, how it ended, and how far it is from published tables.

    Arrays are (z, y, x), of vectors (z, y, x, component); of plane flows (y, x), velocity with two components. They belong to
    Python, and stay when this object is gone.
    """

    _native: _vortice.Case

    def __init__(
        self, case: Case, fields: dict[str, Values], told: dict[str, Any], out: str | PathLike[str] | None = None
    ) -> None:
        self.case = case
        self.folder = None if out is None else Path(out)
        """Where its files are, if it left any."""
        self._native = case._native
        self._fields = fields
        self._told = told

    @classmethod
    def _of(cls, case: Case, session: _vortice.Session, out: str | PathLike[str] | None = None) -> Run:
        # The temperature is kept with velocity and pressure; further scalars are looked at while the run is there.
        carried = case._native.carried
        others = {name: session.field(name) for name in carried[1:]}
        last = Case(session.case(), case.name)
        fields, told = session.finish()
        return cls(last, dict(fields) | others, json.loads(told), out)

    def field(self, name: str) -> NDArray[Any]:
        """An array by its name: `velocity`, `pressure`, `vorticity`, `temperature`, or a scalar of the case."""
        if name == "vorticity":
            return self.vorticity
        if name not in self._fields:
            there = ", ".join(dict.fromkeys([*self._fields, "vorticity"]))
            raise CaseError(f"{name}: the flow has no such quantity", key=name, remedy=f"take one of {there}")
        flat, shape = self._fields[name]
        return shown(flat, shape, name)

    @cached_property
    def vorticity(self) -> NDArray[Any]:
        """Vorticity in 1/s at the centres of cells; of a plane flow its component in z."""
        return shown(*self._vorticity, "vorticity")

    @property
    def _vorticity(self) -> Values:
        flat, shape = self._fields["velocity"]
        # A run in single precision has it: its velocity is rounded.
        return self._fields.get("vorticity") or (self.case._native.vorticity(flat), shape)

    @property
    def converged(self) -> bool:
        """Whether it came to its goal: its end time, or steadiness."""
        return bool(self._told["converged"])

    @property
    def reason(self) -> str:
        """Why it ended."""
        return str(self._told["reason"])

    @property
    def step(self) -> int:
        """Number of the last step."""
        return int(self._told["step"])

    @property
    def time(self) -> float:
        """Flow time in s of the last step."""
        return float(self._told["time"])

    @property
    def seconds(self) -> float:
        """Wall-clock time of the steps in s."""
        return float(self._told["seconds"])

    @property
    def warnings(self) -> list[str]:
        """What makes the run worth less than it looks, each with its remedy."""
        return list(self._told["warnings"])

    @property
    def told(self) -> dict[str, Any]:
        """All that is known of the run but its arrays."""
        return self._told

    @property
    def references(self) -> Any:
        """How far it is from each published table: a frame of pandas, or a list of dicts without it.

        Errors are shares of the velocity scale, of lengths and coefficients shares of the published value; `accuracy` is how
        far off the table itself may be where the error is largest.
        """
        names = ("name", "kind", "points", "max_error", "rms_error", "accuracy", "citation")
        return frame([{name: one[name] for name in names} for one in self._told["references"]])

    @property
    def samples(self) -> Any:
        """The published values one by one, each with the computed one: a frame of pandas, or a list of dicts without it."""
        every = ((one["name"], sample) for one in self._told["references"] for sample in one["samples"])
        return frame([{"name": name, **sample} for name, sample in every])

    def plot(self) -> Any:
        """A figure of matplotlib: speed with streamlines, and profiles over published points. Of a flow in space it is the
        plane in the middle across z.
        """
        from ._plot import figure

        return figure(self.case, self.velocity, self._told["profiles"], self.case.title)

    def watch(self, other: Run | Recorded | None = None, *, port: int | None = None) -> Page:
        """A page in the browser that replays it, as `vortice view`: the fields that it has recorded in `out`, or its last flow;
        another run is shown beside it. It is served on this machine until it is closed or forgotten.
        """
        return replay([one._shown for one in (self, other) if one is not None], port)

    @property
    def _shown(self) -> Any:
        """What a page shows of it."""
        if self.folder is not None and (self.folder / "fields.vtkhdf").is_file():
            return str(self.folder)
        all = self._fields | {"vorticity": self._vorticity}
        return (self._native, self.time, [(name, flat, shape[0]) for name, (flat, shape) in all.items()])

    def __repr__(self) -> str:
        return f"<Run of {self.case.title!r} by {self.case.method}: {self._told['summary']}>"
