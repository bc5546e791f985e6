"""A lid-driven cubic cavity, D3Q19, computed by lbmpy as fast as its code generator can make it.

    cavity.py CELLS TYPE COLLISION PATTERN THREADS

prints a line when its kernels are compiled, then one with its speed for each line it reads: the seconds to measure.
"""

import math
import sys
import time

import numpy
from lbmpy import LBMConfig, LBMOptimisation, LBStencil, Method, Stencil
from lbmpy.advanced_streaming.utility import Timestep, get_timesteps, is_inplace
from lbmpy.boundaries import UBB, NoSlip
from lbmpy.boundaries.boundaryhandling import LatticeBoltzmannBoundaryHandling
from lbmpy.creationfunctions import create_lb_function
from lbmpy.macroscopic_value_kernels import macroscopic_values_setter
from pystencils import CreateKernelConfig, Target, create_data_handling, create_kernel
from pystencils.slicing import slice_from_direction

# Low enough for SRT on 64^3 cells: at Re = 1000 it was no longer finite after 20,000 steps of lbmpy. The
# lid's Mach number is the default of Vortice.
REYNOLDS = 100
LID = 0.1 / math.sqrt(3)

# The fluid moves a little everywhere at the start: exact rest would make the first deviations from it
# denormal numbers, which are slow.
START = (0.01, 0.005, 0.002)

TYPES = {"f32": numpy.float32, "f64": numpy.float64}


class Cavity:
    """The flow in `cells`^3 cells.

    `pattern` is how lbmpy streams: "pull" and "push" from one lattice into another, "aa" and "esotwist" in
    place. Whatever the pattern, walls and lid are treated by lbmpy's boundary kernels, once in each step.
    """

    def __init__(self, cells, precision, collision, pattern, threads):
        self.cells = cells
        self.pattern = pattern
        self.type = TYPES[precision]
        self.threads = threads
        self.in_place = is_inplace(pattern)
        self.arrays = create_data_handling((cells,) * 3, periodicity=False, default_ghost_layers=1)
        names = ["source"] if self.in_place else ["source", "target"]
        self.fields = [self._lattice(name) for name in names]
        kernels = {turn: self._kernel(collision, turn) for turn in get_timesteps(pattern)}
        self._start(next(iter(kernels.values())).method)
        self.calls = self._two_steps(kernels)

    def _lattice(self, name):
        # Cells of a row are neighbours in memory, and rows begin at cache lines.
        return self.arrays.add_array(name, values_per_cell=19, dtype=self.type, layout="fzyx", alignment=64)

    def _code(self):
        """How kernels that sweep over all cells are generated: for all threads and the widest vectors."""
        code = CreateKernelConfig(target=Target.CurrentCPU, default_dtype=self.type)
        code.cpu.openmp.enable = True
        code.cpu.openmp.num_threads = self.threads
        vectors = code.cpu.vectorize
        vectors.enable = code.get_target().is_vector_cpu()
        vectors.assume_inner_stride_one = True
        vectors.assume_aligned = True
        # In place, what is stored was loaded just before: it is in the cache already.
        vectors.use_nontemporal_stores = not self.in_place
        return code

    def _kernel(self, collision, turn):
        viscosity = LID * self.cells / REYNOLDS
        method = LBMConfig(
            stencil=LBStencil(Stencil.D3Q19),
            method=Method[collision.upper()],
            relaxation_rate=1 / (3 * viscosity + 0.5),
            streaming_pattern=self.pattern,
            timestep=turn,
        )
        # With the fields themselves, sizes and strides are numbers in the code.
        fields = LBMOptimisation(symbolic_field=self.fields[0], symbolic_temporary_field=self.fields[-1])
        return create_lb_function(lbm_config=method, lbm_optimisation=fields, config=self._code())

    def _start(self, method):
        populations = macroscopic_values_setter(
            method,
            density=1.0,
            velocity=START,
            pdfs=self.fields[0],
            streaming_pattern=self.pattern,
            previous_timestep=self._turn_before(0),
        )
        code = CreateKernelConfig(default_dtype=self.type, ghost_layers=1)
        create_kernel(populations, code).compile()(source=self.arrays.cpu_arrays["source"])
        self.boundaries = LatticeBoltzmannBoundaryHandling(
            method,
            self.arrays,
            "source",
            streaming_pattern=self.pattern,
            target=Target.CurrentCPU,
            # The number of threads: `True` would be one thread.
            openmp=self.threads,
            default_dtype=self.type,
        )
        lid = UBB([LID, 0, 0], data_type=self.type)
        self.boundaries.set_boundary(lid, slice_from_direction("T", 3))
        for side in "WESNB":
            self.boundaries.set_boundary(NoSlip(), slice_from_direction(side, 3))
        self.boundaries.prepare()

    def _turn_before(self, step):
        if not self.in_place:
            return Timestep.BOTH
        return (Timestep.ODD, Timestep.EVEN)[step]

    def _two_steps(self, kernels):
        """The kernels of two steps and their arguments, found once as lbmpy's own time loop does."""
        calls = []
        for step in range(2):
            before = self._turn_before(step)
            calls.extend(self._boundary_calls(before))
            arrays = self.arrays.cpu_arrays
            names = [field.name for field in self.fields]
            calls.append((kernels[before.next()], {name: arrays[name] for name in names}))
            if not self.in_place:
                self.arrays.swap("source", "target")
        return calls

    def _boundary_calls(self, before):
        calls = []
        # What `boundaries(prev_timestep=before)` would call; it looks all this up again in each step.
        self.boundaries._prev_timestep = before
        for block in self.arrays.iterate():
            links = block[self.boundaries._index_array_name].boundary_object_to_index_list
            for boundary, indices in links.items():
                kernel = self.boundaries._boundary_object_to_boundary_info[boundary].kernel
                calls.append((kernel, {"source": block["source"], "indexField": indices}))
        self.boundaries._prev_timestep = None
        return calls

    def seconds(self, pairs):
        """The time that twice `pairs` steps take."""
        begin = time.perf_counter()
        for _ in range(pairs):
            for kernel, arguments in self.calls:
                kernel(**arguments)
        return time.perf_counter() - begin

    def speed(self, seconds):
        """Million cells times steps per second, measured for about `seconds` after a warm-up."""
        self.seconds(1)
        pairs, took = 1, self.seconds(1)
        while took < seconds / 4:
            pairs *= 2
            took = self.seconds(pairs)
        pairs = max(1, round(pairs * seconds / took))
        speed = 2e-6 * pairs * self.cells**3 / self.seconds(pairs)
        if not numpy.isfinite(self.arrays.cpu_arrays["source"]).all():
            raise ArithmeticError(f"lbmpy's flow has diverged ({self.pattern}, {self.cells}^3 cells)")
        return speed


def main():
    """Measures when it is asked to."""
    cells, precision, collision, pattern, threads = sys.argv[1:]
    cavity = Cavity(int(cells), precision, collision, pattern, int(threads))
    print("ready", flush=True)
    for line in sys.stdin:
        print(cavity.speed(float(line)), flush=True)


if __name__ == "__main__":
    main()
