"""How u_min, the least velocity on the vertical centreline, finds its final value in a run."""

from dataclasses import dataclass

# Settled is what stays this near to the final value, as a share of it.
BAND = 0.002

# A run whose u_min still moves by more than this share of it is not converged.
STILL = BAND / 10


@dataclass
class Point:
    """After so many seconds (s) and outer iterations: u_min (m/s)."""

    seconds: float
    iterations: int
    u_min: float


@dataclass
class Track:
    """A run from rest, its points in order of time."""

    points: list

    @property
    def final(self):
        """The last u_min (m/s)."""
        return self.points[-1].u_min

    def settled(self, final):
        """The first point from which on u_min stays within the band around `final`; None if it ends outside."""
        first = None
        for point in reversed(self.points):
            if abs(point.u_min - final) > BAND * abs(final):
                break
            first = point
        return first

    def sway(self):
        """How far u_min still moved in the last tenth of the run: largest less smallest, as a share of the last.

        If it is far below the band, the last u_min serves as the final one.
        """
        begin = 0.9 * self.points[-1].iterations
        late = [point.u_min for point in self.points if point.iterations >= begin]
        return (max(late) - min(late)) / abs(self.final)
