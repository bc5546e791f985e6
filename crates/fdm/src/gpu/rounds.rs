//! Rounds of Anderson's acceleration: what is mixed of the flow.

use vortice_core::{Result, Rounds, Shape, State, StateReader, Storable};
use vortice_gpu::{Buffer, DeviceFlow, RoundsOf, value};

use super::Gpu;
use super::fields::{halves, inputs, whole};
use super::work::Work;
use crate::colours::Colours;
use crate::state::{self, Saved};

/// The flow as it is: pressures of both colours, and components of the velocity.
struct FlowNow<'a, T> {
    work: &'a mut Work<T>,
    shape: Shape,
    colours: &'a Colours,
    directions: usize,
    /// In m/s.
    velocity_scale: f64,
}

impl<T: Storable> Gpu<T> {
    /// Of flows by cycles, which carry no scalars and keep no rates of change.
    pub(super) fn rounds_on_device(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.coarser.as_ref()?;
        let Self { work, shape, colours, directions, velocity_scale, rounds, .. } = self;
        let (shape, directions, velocity_scale) = (*shape, *directions, *velocity_scale);
        let flow = FlowNow { work, shape, colours, directions, velocity_scale };
        Some(Box::new(RoundsOf { flow, kept: rounds }))
    }
}

impl<T: Storable> DeviceFlow for FlowNow<'_, T> {
    type Number = T;

    fn looked_at(&self) -> [usize; 2] {
        [self.shape.cells.iter().product(), self.directions]
    }

    fn look(&mut self, seen: &mut Buffer<f64>) -> Result<()> {
        self.work.flush()?;
        let device = &self.work.device;
        let [u, v, w] = inputs(&device.fields.u, ["u", "v", "w"]);
        let (layout, scale) =
            (value("layout", &device.layout), value("scale", &self.velocity_scale));
        let arguments = [layout, scale, u, v, w, seen.output("seen")];
        device.kernels.look_at_faces.launch(device.layout.each_cell(), &arguments)
    }

    fn arrays(&mut self) -> Vec<&mut Buffer<T>> {
        let fields = &mut self.work.device.fields;
        fields.p.iter_mut().chain(&mut fields.u[..self.directions]).collect()
    }

    fn complete(&mut self) -> Result<()> {
        self.work.device.complete_pressure()?;
        self.work.device.complete_velocity()
    }

    fn save(&self, arrays: &[Buffer<T>]) -> Result<State> {
        let (mut state, (p, u)) = (State::default(), arrays.split_at(2));
        state::save(&mut state, self.shape, [self.directions, 0], |of| match of {
            Saved::Pressure => whole(self.colours, &self.shape, p),
            Saved::Velocity(a) | Saved::Rate(a) => u[a].to_vec(),
        })?;
        Ok(state)
    }

    fn restore(&self, state: &dyn StateReader, arrays: &mut [Buffer<T>]) -> Result<()> {
        let (p, u) = arrays.split_at_mut(2);
        let values = halves(self.colours, &state::saved(state, Saved::Pressure, self.shape)?);
        p.iter_mut().zip(&values).try_for_each(|(p, values)| p.write(values))?;
        u.iter_mut()
            .enumerate()
            .try_for_each(|(a, u)| u.write(&state::saved(state, Saved::Velocity(a), self.shape)?))
    }
}
