//! Rounds of Anderson's acceleration: populations as they arrive, whose places change from step to step.

use vortice_core::{Result, Rounds, State, StateReader};
use vortice_gpu::{Buffer, DeviceFlow, RoundsOf, value};

use super::OnGpu;
use super::device::Device;
use super::sampled::Sampled;
use crate::lattice::Lattice;
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::state;

/// The flow as it is.
struct FlowNow<'a, const Q: usize, T, P> {
    device: &'a mut Device<T, P>,
    sampled: &'a Sampled<T>,
    settings: &'a Settings,
    /// Of all own cells, x fastest, one number after the other.
    mixed: &'a mut Buffer<T>,
    cells: [usize; 3],
}

impl<const Q: usize, T: Packed, P: Population<T>> OnGpu<Q, T, P> {
    /// Of flows by cycles, if each cell of the case is one of the lattice.
    pub(super) fn rounds_on_device(&mut self) -> Option<Box<dyn Rounds + '_>> {
        let Self { settings, layout, device, sampled, mixed, rounds, .. } = self;
        let (mixed, cells) = (mixed.as_mut()?, layout.shape.cells);
        let flow = FlowNow::<Q, T, P> { device, sampled, settings, mixed, cells };
        Some(Box::new(RoundsOf { flow, kept: rounds }))
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> DeviceFlow for FlowNow<'_, Q, T, P> {
    type Number = T;

    fn looked_at(&self) -> [usize; 2] {
        [self.cells.iter().product(), Lattice::<Q>::D]
    }

    fn look(&mut self, seen: &mut Buffer<f64>) -> Result<()> {
        let Self { device, sampled, settings, mixed, .. } = self;
        let (unit, scale) = (settings.velocity_unit(), settings.case.scale.velocity);
        let (solids, parity) = (sampled.solids(), device.parity as i32);
        device.kernels.look_at_populations.launch(
            device.layout.cells_in_turn(),
            &[
                value("layout", &device.layout),
                value("rates", &device.rates),
                value("unit", &unit),
                value("scale", &scale),
                value("solids", &solids),
                value("parity", &parity),
                sampled.solid().input("solid"),
                device.f.input("f"),
                seen.output("seen"),
                mixed.output("mixed"),
            ],
        )
    }

    fn arrays(&mut self) -> Vec<&mut Buffer<T>> {
        vec![&mut *self.mixed]
    }

    fn complete(&mut self) -> Result<()> {
        let Self { device, mixed, .. } = self;
        let parity = device.parity as i32;
        device.kernels.put_populations.launch(
            device.layout.cells_in_turn(),
            &[
                value("layout", &device.layout),
                value("parity", &parity),
                mixed.input("mixed"),
                device.f.output("f"),
            ],
        )
    }

    fn save(&self, arrays: &[Buffer<T>]) -> Result<State> {
        let (mut state, [nx, ny, nz]) = (State::default(), self.cells);
        let values = arrays[0].to_vec()?;
        let form = (Q, self.cells);
        state::save(&mut state, state::POPULATIONS, form, self.settings, &mut |q, part| {
            Ok(part.values(|cell| {
                let [i, j, k] = cell.map(|at| at as usize);
                values[i + nx * (j + ny * (k + nz * q))]
            }))
        })?;
        Ok(state)
    }

    fn restore(&self, state: &dyn StateReader, arrays: &mut [Buffer<T>]) -> Result<()> {
        let form = (Q, self.cells);
        let mut values = Vec::new();
        for q in 0..Q {
            let find = state::saved::<T>(state, state::POPULATIONS, form, self.settings, q)?;
            let [nx, ny, nz] = self.cells;
            let cells = (0..nx * ny * nz).map(|n| [n % nx, n / nx % ny, n / (nx * ny)]);
            values.extend(cells.map(|cell| find(cell.map(|at| at as isize))));
        }
        arrays[0].write(&values)
    }
}
