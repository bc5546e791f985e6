"""Figures by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrays import needed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._case import Case


def figure(case: Case, velocity: NDArray[Any], profiles: list[dict[str, Any]], title: str) -> Any:
    """Speed with streamlines, and beside it the profiles with their published points."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise needed("matplotlib", "plot") from None
    lines = _grouped(profiles)
    columns = 1 + len(lines)
    drawn, axes = pyplot.subplots(1, columns, figsize=(6.4 + 4 * len(lines), 5), squeeze=False, layout="constrained")
    _speed(drawn, axes[0, 0], case, velocity)
    for axis, ((variable, along, place), group) in zip(axes[0, 1:], lines.items()):
        _profile(axis, variable, along, place, group)
    drawn.suptitle(title)
    return drawn


def _grouped(profiles: list[dict[str, Any]]) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """Published tables of the same profile together."""
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for one in profiles:
        groups.setdefault((one["variable"], one["along"], one["place"]), []).append(one)
    return groups


def _speed(drawn: Any, axis: Any, case: Case, velocity: NDArray[Any]) -> None:
    import numpy

    flow = velocity if case.is_plane else velocity[case.cells[2] // 2]
    u, v = flow[..., 0], flow[..., 1]
    solid = case.solid if case.is_plane else case.solid[case.cells[2] // 2]
    speed = numpy.ma.masked_array(numpy.sqrt((flow**2).sum(axis=-1)), solid)
    (low, high) = case._native.corners
    extent = (low[0], high[0], low[1], high[1])
    image = axis.imshow(speed, origin="lower", extent=extent, aspect="equal")
    drawn.colorbar(image, ax=axis, label="speed, m/s")
    if numpy.any(speed > 0):
        x, y = case.x, case.y
        # Streamlines want equal distances to the last digit.
        x, y = (numpy.linspace(one[0], one[-1], len(one)) for one in (x, y))
        axis.streamplot(x, y, numpy.where(solid, 0, u), numpy.where(solid, 0, v), color="white", linewidth=0.6, arrowsize=0.7)
    axis.set(xlabel="x, m", ylabel="y, m", xlim=extent[:2], ylim=extent[2:])


def _profile(axis: Any, variable: str, along: str, place: str, group: list[dict[str, Any]]) -> None:
    places, values = zip(*group[0]["computed"])
    axis.plot(values, places, label="computed") if along == "y" else axis.plot(places, values, label="computed")
    for one, mark in zip(group, "osD^v<>ph*" * len(group)):
        at, published = zip(*one["published"])
        points = (published, at) if along == "y" else (at, published)
        axis.plot(*points, mark, fillstyle="none", label=one["reference"])
    names = (variable, along) if along == "y" else (along, variable)
    axis.set(xlabel=names[0], ylabel=names[1], title=place)
    axis.legend(fontsize="small")
