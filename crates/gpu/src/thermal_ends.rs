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
    struct End {
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
        /// Place of the first value.
        values: i64,
        /// From the value of a cell to that of the next: 0 if all have the same.
        step: i64,
    }
}

impl End {
    fn new<T: Real>(shape: &Shape, end: &ThermalEnd<T>, values: usize) -> Self {
        let (d, side) = (end.direction, end.side);
        let (cells, strides) = (shape.cells.map(|n| n as i64), shape.strides().map(|s| s as i64));
        let mut first = [0; 3];
        first[d] = if side == Side::Low { 0 } else { shape.cells[d] as isize - 1 };
        let along = [usize::from(d == 0), 2 - usize::from(d == 2)];
        Self {
            first: shape.index(first) as i64,
            outward: side.outward() as i64 * strides[d],
            strides: along.map(|e| strides[e]),
            cells: along.map(|e| cells[e]),
            is_fixed: end.is_fixed.into(),
            values: values as i64,
            step: i64::from(end.values.len() > 1),
        }
    }
}

/// The ends of one subdomain, for temperatures of one shape.
pub struct DeviceThermalEnds<T> {
    ends: Buffer<End>,
    /// In K relative to the reference, or what a flux makes over a cell.
    values: Buffer<T>,
    launch: Launch,
}

/// What all ends have, one after the other.
fn values<T: Real>(of: &ThermalEnds<T>) -> Vec<T> {
    of.iter().flat_map(|end| end.values.clone()).collect()
}

impl<T: Real> DeviceThermalEnds<T> {
    /// Those of a subdomain.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub fn new(gpu: &Gpu, shape: &Shape, of: &ThermalEnds<T>) -> Result<Self> {
        let (mut ends, mut before) = (Vec::new(), 0);
        for end in of.iter() {
            ends.push(End::new(shape, end, before));
            before += end.values.len();
        }
        let most = ends.iter().map(|end| (end.cells[0] * end.cells[1]) as usize).max();
        let launch = Launch::over([most.unwrap_or(0), ends.len(), 1], [THREADS, 1, 1]);
        Ok(Self { ends: gpu.upload(&ends)?, values: gpu.upload(&values(of))?, launch })
    }

    /// Takes what is given now; launches before must be done.
    ///
    /// # Errors
    /// If the device refuses.
    pub fn write(&mut self, of: &ThermalEnds<T>) -> Result<()> {
        self.values.write(&values(of))
    }

    /// Writes the values beyond them, by a kernel of the method that is given `ends`, `values` and `theta`. Can be captured.
    ///
    /// # Errors
    /// If the launch is refused.
    pub fn fill(&self, kernel: &Kernel, theta: &mut Buffer<T>) -> Result<()> {
        if self.ends.is_empty() {
            return Ok(());
        }
        let arguments =
            [self.ends.input("ends"), self.values.input("values"), theta.output("theta")];
        kernel.launch(self.launch, &arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differences;

    #[test]
    fn an_end_equals_its_twin() {
        let [(_, header)] = crate::sources!["thermal_ends.cuh"];
        assert_eq!(differences(header, "End", End::FIELDS), [""; 0]);
    }

    #[test]
    fn an_end_has_the_places_of_its_cells() {
        let text = "title = 'box'\ngrid = { cells = [5, 4, 3], size = [5.0, 4.0, 3.0] }\n\
            fluid = { viscosity = 1.0 }\nheat = { diffusivity = 1.0 }\nrun = { until = 1.0 }\n\
            [boundary]\nx-low = 'wall'\nx-high = { wall = { temperature = 'y + t' } }\n\
            y-low = 'wall'\ny-high = 'wall'\nz-low = 'wall'\nz-high = 'wall'\n";
        let case = vortice_core::Case::parse(text, "box").expect("a case");
        let whole =
            vortice_core::Decomposition::new([5, 4, 3], [1; 3], [false; 3]).expect("one part");
        let heat = case.heat.as_deref().expect("heat");
        let mut ends = ThermalEnds::<f64>::new((&case, heat), &whole.subdomain(0));
        assert!(ends.follow(2.0));
        let shape = Shape { cells: [5, 4, 3], halo: [2, 2, 2] };
        for of in ends.iter() {
            let (end, d) = (End::new(&shape, of, 7), of.direction);
            let last = if of.side == Side::Low { 0 } else { shape.cells[d] as isize - 1 };
            let across = |n: i64| shape.cell((end.first + n) as usize);
            let mut cells = Vec::new();
            for n in 0..end.cells[0] * end.cells[1] {
                let [a, b] = [n % end.cells[0], n / end.cells[0]];
                let step = a * end.strides[0] + b * end.strides[1];
                let cell = across(step);
                assert_eq!(cell[d], last);
                assert_eq!(across(step + end.outward)[d], last + of.side.outward());
                if end.step == 1 {
                    // 2.0 s, and what values are relative to: the mean at all times.
                    let given = case.grid.centre(cell)[1] + 2.0 - heat.reference;
                    assert_eq!(of.values[n as usize], given);
                }
                cells.push(cell);
            }
            assert_eq!((end.is_fixed, end.step), if of.is_fixed { (1, 1) } else { (0, 0) });
            cells.sort_unstable();
            cells.dedup();
            let all = shape.cells[0] * shape.cells[1] * shape.cells[2] / shape.cells[d];
            assert_eq!((cells.len(), end.values), (all, 7));
            assert!(cells.iter().all(|c| (0..3).all(|e| shape.own(e).contains(&c[e]))));
        }
    }
}
