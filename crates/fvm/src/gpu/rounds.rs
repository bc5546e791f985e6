//! Rounds of Anderson's acceleration: what is mixed of the flow.

use vortice_core::{Result, Rounds, Shape, State, StateReader};
use vortice_gpu::{Buffer, DeviceFlow, RoundsOf, value};

use super::OnGpu;
use super::work::Work;
use crate::state::{self, Saved};

/// The flow as it is.
struct FlowNow<'a> {
    work: &'a mut Work,
    shape: Shape,
    directions: usize,
    /// In m/s.
    velocity_scale: f64,
}

impl OnGpu {
    /// Of flows without scalars, which the host keeps.
    pub(super) fn rounds_on_device(&mut self) -> Option<Box<dyn Rounds + '_>> {
        let Self { work, shape, fluid, velocity_scale, rounds, .. } = self;
        if !work.device.transported.is_empty() {
            return None;
        }
        let (shape, directions, velocity_scale) = (*shape, fluid.directions, *velocity_scale);
        let flow = FlowNow { work, shape, directions, velocity_scale };
        Some(Box::new(RoundsOf { flow, kept: rounds }))
    }
}

impl FlowNow<'_> {
    /// The place of a part among the arrays, and in that one.
    fn place(&self, of: Saved) -> (usize, usize) {
        match of {
            Saved::Velocity { d, .. } => (0, d * self.shape.len()),
            Saved::Pressure => (1, 0),
            Saved::FaceVelocity { d, .. } => (2, d * self.shape.len()),
        }
    }
}

impl DeviceFlow for FlowNow<'_> {
    type Number = f64;

    fn looked_at(&self) -> [usize; 2] {
        [self.work.device.layout.own_cells(), self.directions]
    }

    fn look(&mut self, seen: &mut Buffer<f64>) -> Result<()> {
        self.work.flush()?;
        let device = &self.work.device;
        device.kernels.look_at_cells.launch(
            device.layout.each_cell(),
            &[
                value("layout", &device.layout),
                value("scale", &self.velocity_scale),
                device.fields.u.input("u"),
                seen.output("seen"),
            ],
        )
    }

    fn arrays(&mut self) -> Vec<&mut Buffer<f64>> {
        let fields = &mut self.work.device.fields;
        vec![&mut fields.u, &mut fields.p, &mut fields.face_velocity]
    }

    fn complete(&mut self) -> Result<()> {
        let device = &mut self.work.device;
        let (fields, ranks) = (&mut device.fields, &*device.ranks);
        device.velocities.exchange(ranks, &mut [&mut fields.u])?;
        device.scalars.exchange(ranks, &mut [&mut fields.p])
    }

    fn save(&self, arrays: &[Buffer<f64>]) -> Result<State> {
        let mut state = State::default();
        state::save_now(&mut state, (self.shape, self.directions), |of| {
            let (array, first) = self.place(of);
            arrays[array].slice_to_vec(first..first + self.shape.len())
        })?;
        Ok(state)
    }

    fn restore(&self, state: &dyn StateReader, arrays: &mut [Buffer<f64>]) -> Result<()> {
        state::each_now(self.directions, |of| {
            let (array, first) = self.place(of);
            arrays[array].write_at(first, &state.scalar(&of.name(), self.shape)?)
        })
    }
}
