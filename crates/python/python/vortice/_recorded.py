"""Runs that have left files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _vortice
from ._arrays import Centres, Fields, needed, shown_of_file
from ._case import Case
from ._errors import CaseError
from ._page import Page, replay

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._run import Run


def open(path: str | PathLike[str]) -> Recorded:
    """A run that has left files: its folder (`out/cavity`), or its file of fields."""
    given = Path(path)
    return Recorded(given / "fields.vtkhdf" if given.is_dir() else given)


class RecordedStep(Fields):
    """The flow at one of the times of a run that has left files; arrays are read when they are asked for."""

    def __init__(self, of: Recorded, number: int) -> None:
        self._of = of
        self.number = number
        """Which of the times it is, from 0."""
        self.time: float = of.times[number]
        """Flow time in s."""

    def field(self, name: str) -> NDArray[Any]:
        """An array by its name, as those of `Run`, in the number type of the file."""
        native = self._of._native
        components = dict(native.arrays).get(name, 1)
        return shown_of_file(native.read(name, self.number), native.cells, components, name)

    def __repr__(self) -> str:
        return f"<RecordedStep {self.number}, t = {self.time:.6g} s>"


class Recorded(Centres, Sequence[RecordedStep]):
    """A run that has left files: a sequence of the times at which its fields were written."""

    _native: _vortice.Recorded

    def __init__(self, path: Path) -> None:
        self._native = _vortice.Recorded(str(path))
        self.path = path
        self.times: list[float] = self._native.times
        """Flow times in s."""

    def __len__(self) -> int:
        return len(self.times)

    @overload
    def __getitem__(self, number: int) -> RecordedStep: ...
    @overload
    def __getitem__(self, number: slice) -> list[RecordedStep]: ...
    def __getitem__(self, number: int | slice) -> RecordedStep | list[RecordedStep]:
        if isinstance(number, slice):
            return [RecordedStep(self, one) for one in range(len(self))[number]]
        return RecordedStep(self, range(len(self))[number])

    def __iter__(self) -> Iterator[RecordedStep]:
        return (RecordedStep(self, number) for number in range(len(self)))

    def at(self, time: float) -> RecordedStep:
        """The flow at the time nearest to one in s."""
        return self[min(range(len(self)), key=lambda number: abs(self.times[number] - time))]

    @property
    def last(self) -> RecordedStep:
        """The last flow."""
        return self[-1]

    @property
    def velocity(self) -> NDArray[Any]:
        """Velocity in m/s of the last flow."""
        return self.last.velocity

    @property
    def pressure(self) -> NDArray[Any]:
        """Pressure in Pa of the last flow."""
        return self.last.pressure

    @property
    def vorticity(self) -> NDArray[Any]:
        """Vorticity in 1/s of the last flow."""
        return self.last.vorticity

    @property
    def names(self) -> list[str]:
        """Names of the arrays."""
        return [name for name, _ in self._native.arrays]

    @property
    def title(self) -> str:
        """Title of the case."""
        return self._native.title

    @property
    def method(self) -> str:
        """Name of the method."""
        return self._native.method

    @property
    def case(self) -> Case:
        """The case, as it was run; what it names beside it (tables, meshes) must be found from the present folder."""
        native = _vortice.Case.parse(self._native.text, str(self.path), [])
        return Case(native, self.path.parent.name or "case")

    @property
    def solid(self) -> NDArray[Any] | None:
        """Which cells are solid; None if none is."""
        mask = self._native.solids()
        return None if mask is None else shown_of_file(mask, self._native.cells, 1, "solid").astype(bool)

    @property
    def summary(self) -> dict[str, Any]:
        """What the program has written of how the run ended, `summary.json`."""
        summary: dict[str, Any] = json.loads((self.path.parent / "summary.json").read_text())
        return summary

    @property
    def changes(self) -> list[tuple[int, float, list[str]]]:
        """What was changed while it went on, `changes.csv`: the step after which it was, its flow time in s, and the settings.
        `Case.run` and `Case.steps` make them again.
        """
        path = self.path.parent / "changes.csv"
        return _vortice.read_changes(str(path)) if path.is_file() else []

    def watch(self, other: Run | Recorded | None = None, *, port: int | None = None) -> Page:
        """A page that replays it, as `vortice view`: a slider goes over its times; another run is shown beside it."""
        return replay([one._shown for one in (self, other) if one is not None], port)

    @property
    def _shown(self) -> Any:
        return str(self.path)

    def table(self, name: str) -> Any:
        """A table beside the fields as a frame of pandas: `history`, `forces`, `probes`, `energy`, `profiles` or
        `changes`."""
        try:
            import pandas
        except ImportError:
            raise needed("pandas", "tables") from None
        path = self.path.parent / f"{name}.csv"
        if not path.is_file():
            there = ", ".join(sorted(one.stem for one in path.parent.glob("*.csv")))
            raise CaseError(f"{name}: there is no {path}", key=name, remedy=f"take one of {there or 'none'}")
        return pandas.read_csv(path, comment="#")

    def to_xarray(self, names: Sequence[str] = ()) -> Any:
        """All times as a Dataset of xarray, with the dimensions time, z, y, x and component."""
        try:
            import numpy
            import xarray
        except ImportError:
            raise needed("xarray", "xarray") from None
        plane = self._native.cells[2] == 1
        dims = ["time", "y", "x"] if plane else ["time", "z", "y", "x"]
        ends = {"time": self.times, "y": self.y, "x": self.x} | ({} if plane else {"z": self.z})
        arrays = {}
        for name in names or self.names:
            stacked = numpy.stack([step.field(name) for step in self])
            arrays[name] = ([*dims, "component"][: stacked.ndim], stacked)
        return xarray.Dataset(arrays, ends, {"title": self.title, "method": self.method})

    def to_pyvista(self, number: int = -1) -> Any:
        """The flow at one of the times, without a number the last, as a grid of pyvista with its arrays in the cells."""
        try:
            import pyvista
        except ImportError:
            raise needed("pyvista", "pyvista") from None
        (low, spacing), step = self._native.geometry, self[number]
        cells = self._native.cells
        grid = pyvista.ImageData(dimensions=[n + 1 for n in cells], origin=low, spacing=spacing)
        for name, components in self._native.arrays:
            flat = self._native.read(name, step.number)
            grid.cell_data[name] = flat.reshape(-1, components) if components > 1 else flat
        return grid

    def __repr__(self) -> str:
        return f"<Recorded run of {self.title!r} by {self.method}, {len(self)} times, {self.path}>"
