"""Arrays as they are shown: (z, y, x[, component]), of plane flows without what lies in z."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of these a plane flow has no component in z; of vorticity it has that one alone.
_IN_PLANE = {"velocity", "mean_velocity", "rms_velocity"}


def shown(flat: NDArray[Any], shape: tuple[int, int, int, int], name: str) -> NDArray[Any]:
    """A flat array with components slowest as it is shown, without a copy."""
    components, nz, ny, nx = shape
    if components == 1:
        return flat.reshape((ny, nx) if nz == 1 else (nz, ny, nx))
    if nz > 1:
        return flat.reshape(shape).transpose(1, 2, 3, 0)
    plane = flat.reshape((components, ny, nx))
    if name == "vorticity":
        return plane[2, :, :]
    return plane[: 2 if name in _IN_PLANE else components].transpose(1, 2, 0)


def shown_of_file(flat: NDArray[Any], cells: tuple[int, int, int], components: int, name: str) -> NDArray[Any]:
    """A flat array with components fastest as it is shown, without a copy."""
    nx, ny, nz = cells
    if components == 1:
        return flat.reshape((ny, nx) if nz == 1 else (nz, ny, nx))
    if nz > 1:
        return flat.reshape((nz, ny, nx, components))
    plane = flat.reshape((ny, nx, components))
    if name == "vorticity":
        return plane[..., 2]
    return plane[..., : 2 if name in _IN_PLANE else components]


class _Gridded(Protocol):
    def centres(self, direction: int) -> NDArray[Any]: ...


class Centres:
    """The centres of cells of what has a grid."""

    _native: _Gridded

    @property
    def x(self) -> NDArray[Any]:
        """Centres of cells in m along x."""
        return self._native.centres(0)

    @property
    def y(self) -> NDArray[Any]:
        """Centres of cells in m along y."""
        return self._native.centres(1)

    @property
    def z(self) -> NDArray[Any]:
        """Centres of cells in m along z."""
        return self._native.centres(2)


class Fields:
    """The arrays of a flow, by the names of its quantities."""

    def field(self, name: str) -> NDArray[Any]:
        """An array by its name."""
        raise NotImplementedError

    @property
    def velocity(self) -> NDArray[Any]:
        """Velocity in m/s at the centres of cells."""
        return self.field("velocity")

    @property
    def pressure(self) -> NDArray[Any]:
        """Pressure in Pa at the centres of cells."""
        return self.field("pressure")

    @property
    def vorticity(self) -> NDArray[Any]:
        """Vorticity in 1/s at the centres of cells; of a plane flow its component in z."""
        return self.field("vorticity")

    @property
    def temperature(self) -> NDArray[Any]:
        """Temperature in K at the centres of cells, of a flow with heat."""
        return self.field("temperature")


def frame(rows: list[dict[str, Any]]) -> Any:
    """Rows as a frame of pandas, if that is there."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def needed(name: str, extra: str) -> ImportError:
    """That a package is missing, and how it is brought."""
    return ImportError(f"{name} is not installed\n  help: pip install 'vortice[{extra}]', or pip install {name}")
