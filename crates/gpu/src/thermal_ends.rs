//! Temperatures beyond the ends of the box, on a device; twin of `kernels/thermal_ends.cuh`.

use vortice_core::{Real, Result, Shape, Side, ThermalEnd, ThermalEnds};

use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;
use crate::kernel::Kernel;

/// Threads of a block.
const THREADS: u32 = 128;

crate::mirrored! {
    /// An end of a subdomain, in `thermal_ends.cuh`.
    struct End<T> {
        /// Place of its first cell.
        first: i64,
        /// From a cell to the value beyond it.
        outward: i64,
        /// From a cell to the next, in the two directions along the end.
        strides: [i64; 2],
        /// Own cells in these directions.
        cells: [i64; 2],
        /// 1 where the temperature is given, 0 where what passes is.
        is_fixed: i64,
        /// In K, relative to the reference.
        fixed: T,
        /// In K, that the flux makes over a cell.
        difference: T,
    }
}

impl<T: Real> End<T> {
    fn new(shape: &Shape, &(d, side, end): &(usize, Side, ThermalEnd<T>)) -> Self {
        let (cells, strides) = (shape.cells.map(|n| n as i64), shape.strides().map(|s| s as i64));
        let mut first = [0; 3];
        first[d] = if side == Side::Low { 0 } else { shape.cells[d] as isize - 1 };
        let along = [usize::from(d == 0), 2 - usize::from(d == 2)];
        let (is_fixed, fixed, difference) = match end {
            ThermalEnd::Fixed(fixed) => (1, fixed, T::default()),
            ThermalEnd::Flux(difference) => (0, T::default(), difference),
        };
        Self {
            first: shape.index(first) as i64,
            outward: side.outward() as i64 * strides[d],
            strides: along.map(|e| strides[e]),
            cells: along.map(|e| cells[e]),
            is_fixed,
            fixed,
            difference,
        }
    }
}

/// The ends of one subdomain, for temperatures of one shape.
pub struct DeviceThermalEnds<T> {
    ends: Buffer<End<T>>,
    launch: Launch,
}

impl<T: Real> DeviceThermalEnds<T> {
    /// Those of a subdomain.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub fn new(gpu: &Gpu, shape: &Shape, of: &ThermalEnds<T>) -> Result<Self> {
        let ends: Vec<_> = of.iter().map(|end| End::new(shape, end)).collect();
        let most = ends.iter().map(|end| (end.cells[0] * end.cells[1]) as usize).max();
        let launch = Launch::over([most.unwrap_or(0), ends.len(), 1], [THREADS, 1, 1]);
        Ok(Self { ends: gpu.upload(&ends)?, launch })
    }

    /// Writes the values beyond them, by a kernel of the method that is given `ends` and `theta`. Can be captured.
    ///
    /// # Errors
    /// If the launch is refused.
    pub fn fill(&self, kernel: &Kernel, theta: &mut Buffer<T>) -> Result<()> {
        if self.ends.is_empty() {
            return Ok(());
        }
        kernel.launch(self.launch, &[self.ends.input("ends"), theta.output("theta")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differences;

    #[test]
    fn an_end_equals_its_twin() {
        let [(_, header)] = crate::sources!["thermal_ends.cuh"];
        assert_eq!(differences(header, "End", End::<f32>::FIELDS), [""; 0]);
    }

    #[test]
    fn an_end_has_the_places_of_its_cells() {
        let shape = Shape { cells: [5, 4, 3], halo: [2, 2, 2] };
        for d in 0..3 {
            for side in Side::BOTH {
                let end = End::new(&shape, &(d, side, ThermalEnd::Fixed(1.0)));
                let last = if side == Side::Low { 0 } else { shape.cells[d] as isize - 1 };
                let across = |n: i64| shape.cell((end.first + n) as usize);
                let mut cells = Vec::new();
                for n in 0..end.cells[0] * end.cells[1] {
                    let [a, b] = [n % end.cells[0], n / end.cells[0]];
                    let step = a * end.strides[0] + b * end.strides[1];
                    cells.push(across(step));
                    assert_eq!(cells[n as usize][d], last);
                    assert_eq!(across(step + end.outward)[d], last + side.outward());
                }
                cells.sort_unstable();
                cells.dedup();
                let all = shape.cells[0] * shape.cells[1] * shape.cells[2] / shape.cells[d];
                assert_eq!(cells.len(), all);
                assert!(cells.iter().all(|c| (0..3).all(|e| shape.own(e).contains(&c[e]))));
            }
        }
    }
}
