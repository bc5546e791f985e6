"""What `fields.vtkhdf` holds, and what is wrong with it, for the tools beside this file. Needs h5py."""

import h5py
import numpy


def look(file):
    """The number of times, and what is wrong; of a path or of bytes as a file."""
    with h5py.File(file, "r", locking=False) as opened:
        steps = opened["VTKHDF/Steps"]
        count, times = int(steps.attrs["NSteps"]), steps["Values"][()]
        if len(times) != count:
            return count, f"{len(times)} flow times of {count}"
        if count == 2 and times[0] == times[1]:
            # A step that is alone stands twice in the list, with the same values.
            count, times = 1, times[:1]
        if numpy.any(numpy.diff(times) <= 0):
            return count, "flow times do not rise"
        for name in ["velocity", "pressure", "vorticity"]:
            values = opened[f"VTKHDF/CellData/{name}"]
            for step in {0, count // 2, count - 1} if count else {}:
                if not numpy.all(numpy.isfinite(values[step])):
                    return count, f"{name} of time {step} is not finite"
            if count > 1 and not numpy.any(values[count - 1]):
                return count, f"{name} of the last time was not written"
            for step in {0, count // 2, count - 1} if count else {}:
                if not numpy.array_equal(opened[f"XDMF/{step // 1024:02}/{step // 32 % 32:02}/step{step:06}/{name}"][()], values[step]):
                    return count, f"the view of {name} of time {step} is another"
    return count, None
