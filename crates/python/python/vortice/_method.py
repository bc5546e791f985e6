"""Methods that are written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _vortice
from ._arrays import shown
from ._case import Case
from ._errors import CaseError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Flow:
    """The flow of a method in Python: what its `step` reads and changes.

    `velocity` in m/s, (y, x, 2) or (z, y, x, 3), and `pressure` in Pa, (y, x) or (z, y, x), at the centres of cells: change
    them in place, or assign new arrays. Arrays of your own with this shape in front may be hung on it, `flow.psi = ...`;
    checkpoints have them too.
    """

    case: Case
    """The case: `x`, `y`, `spacing`, `viscosity`, `solid`, `wall_velocity("y-high")` ..."""
    time: float
    """Flow time in s at the beginning of the step."""
    dt: float
    """Length of the step in s."""
    step: int
    """Number of steps done."""

    def __init__(self, case: Case, velocity: NDArray[Any], pressure: NDArray[Any], teach: _Taught) -> None:
        self.case, self._taught = case, teach
        self._velocity, self._pressure = velocity, pressure
        self.time, self.step = 0.0, 0
        self._longest = self.dt = teach.length(case)
        if teach.start is not None:
            teach.start(self)

    @property
    def velocity(self) -> NDArray[Any]:
        """Velocity in m/s at the centres of cells."""
        return self._shown(self._velocity, 3, "velocity")

    @velocity.setter
    def velocity(self, values: NDArray[Any]) -> None:
        self.velocity[...] = values

    @property
    def pressure(self) -> NDArray[Any]:
        """Pressure in Pa at the centres of cells."""
        return self._shown(self._pressure, 1, "pressure")

    @pressure.setter
    def pressure(self, values: NDArray[Any]) -> None:
        self.pressure[...] = values

    def _shown(self, flat: NDArray[Any], components: int, name: str) -> NDArray[Any]:
        nx, ny, nz = self.case.cells
        return shown(flat, (components, nz, ny, nx), name)

    def _advance(self, step: int, time: float, latest: float) -> float:
        self.step, self.time = step, time
        self.dt = min(self._longest, latest - time)
        self._taught.step(self)
        return self.dt

    def _own(self) -> dict[str, NDArray[Any]]:
        shape = self.case.shape
        arrays = ((name, value) for name, value in vars(self).items() if hasattr(value, "astype"))
        own = ((name, value) for name, value in arrays if value.shape[: len(shape)] == shape)
        return {name: value for name, value in own if not name.startswith("_")}

    def _save(self) -> list[tuple[str, NDArray[Any]]]:
        own = ((f"own-{name}", value.astype(float).ravel()) for name, value in self._own().items())
        return [("velocity", self._velocity), ("pressure", self._pressure), *own]

    def _restore(self, saved: dict[str, NDArray[Any]]) -> None:
        self._velocity, self._pressure = saved.pop("velocity"), saved.pop("pressure")
        for name, flat in saved.items():
            own = name.removeprefix("own-")
            before = getattr(self, own, None)
            shape = self.case.shape if flat.size == self._pressure.size else (*self.case.shape, -1)
            setattr(self, own, flat.reshape(shape if before is None else before.shape))


class _Taught:
    """What makes the flows of one method."""

    def __init__(
        self,
        step: Callable[[Flow], None],
        dt: float | Callable[[Case], float] | None,
        start: Callable[[Flow], None] | None,
    ) -> None:
        self.step, self.dt, self.start = step, dt, start

    def __call__(self, native: _vortice.Case, velocity: NDArray[Any], pressure: NDArray[Any]) -> Flow:
        return Flow(Case(native, native.name), velocity, pressure, self)

    def length(self, case: Case) -> float:
        """Length of a step in s."""
        dt = _usual(case) if self.dt is None else self.dt(case) if callable(self.dt) else self.dt
        if not dt > 0:
            raise CaseError(f"dt: is {dt}", key="dt", value=dt, remedy="give seconds of flow time, more than none")
        return float(dt)


def _usual(case: Case) -> float:
    """Nine tenths of the step at which explicit diffusion or convection becomes unstable."""
    directions = case.spacing[: 2 if case.is_plane else 3]
    diffusion = 0.5 / (case.viscosity * sum(h**-2 for h in directions))
    convection = 1.0 / (case.scale[1] * sum(1.0 / h for h in directions))
    return 0.9 * min(diffusion, convection)


def method(
    name: str,
    step: Callable[[Flow], None],
    *,
    dt: float | Callable[[Case], float] | None = None,
    start: Callable[[Flow], None] | None = None,
    about: str = "A method in Python",
) -> None:
    """Makes a method of a function that advances a `Flow` by `flow.dt`: run, compared and validated as the others.

    `dt` is the longest step in s, or a function of the case that tells it; without it a step that explicit methods stand.
    The last step before an end or a look may be shorter. `start` is called once with the flow before its first step. Called
    again with the same name it takes the place of what was there; runs that have begun go on as they were.

    >>> def step(flow):
    ...     flow.velocity[1:-1, 1:-1] += flow.dt * ...
    >>> vt.method("mine", step=step)
    >>> vt.case("cavity", cells=32).run(method="mine")
    """
    _vortice.add_method(name, about, _Taught(step, dt, start))
