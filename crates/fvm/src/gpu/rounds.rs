//! Rounds of Anderson's acceleration, kept where the flow lies.

use vortice_core::{Result, Round, Rounds, State, Values};
use vortice_gpu::{Buffer, value};
use vortice_linear::gpu::each_entry;

use super::OnGpu;
use super::kept_rounds::{Kept, KeptRounds, read};
use crate::state::{self, Saved};

impl OnGpu {
    /// Makes places up to this one.
    fn make_place(&mut self, place: usize) -> Result<()> {
        let (gpu, directions, length) =
            (&self.work.device.gpu, self.fluid.directions, self.shape.len());
        let zeros = |components: usize| {
            let mut buffer = gpu.zeros(components * length)?;
            buffer.clear()?;
            Ok(buffer)
        };
        while self.rounds.places.len() <= place {
            self.rounds.places.push(Kept {
                u: zeros(directions)?,
                p: zeros(1)?,
                face_velocity: zeros(directions)?,
                change: zeros(directions)?,
            });
        }
        if self.rounds.begun.is_none() {
            self.rounds.begun = Some(zeros(directions)?);
        }
        Ok(())
    }

    /// How far the velocity is from where the round began, put at a place, or the beginning of the next round.
    fn measure(&mut self, place: usize, begins: bool) -> Result<f64> {
        self.work.flush()?;
        let was_there = self.rounds.begun.is_some();
        self.make_place(place)?;
        let device = &self.work.device;
        let KeptRounds { scale, begun, places, largest } = &mut self.rounds;
        let Some(begun) = begun else { return Ok(0.0) };
        largest.clear()?;
        device.kernels.measure_round.launch(
            device.layout.cells_in_turn(),
            &[
                value("layout", &device.layout),
                value("scale", scale),
                value("begins", &i32::from(begins)),
                device.fields.u.input("u"),
                begun.output("begun"),
                places[place].change.output("change"),
                largest.output("largest"),
            ],
        )?;
        if was_there { read(largest) } else { Ok(0.0) }
    }

    /// Components of own cells, one after the other.
    fn own_cells(&self, of: &Buffer<f64>) -> Result<Vec<f64>> {
        let (shape, directions) = (self.shape, self.fluid.directions);
        let values = of.to_vec()?;
        let rows = 0..shape.cells[1] * shape.cells[2];
        let from = shape.hull(rows.clone()).start;
        let all: Vec<_> = (0..directions).map(|c| &values[c * shape.len() + from..]).collect();
        Ok(state::velocity_at_centres(shape, rows, &all).values)
    }

    /// The reverse, with zeros around.
    fn with_halo(&self, own: &[f64]) -> Vec<f64> {
        let (shape, directions) = (self.shape, self.fluid.directions);
        let mut values = vec![0.0; directions * shape.len()];
        let row = shape.cells[0];
        for c in 0..directions {
            for (number, places) in shape.rows().enumerate() {
                let from = (c * shape.cells[1] * shape.cells[2] + number) * row;
                let to = c * shape.len() + places.start;
                values[to..to + row].copy_from_slice(&own[from..from + row]);
            }
        }
        values
    }
}

impl Rounds for OnGpu {
    fn begin(&mut self) -> Result<f64> {
        self.measure(0, true)
    }

    fn keep(&mut self, place: usize) -> Result<f64> {
        let largest = self.measure(place, false)?;
        let (fields, to) = (&self.work.device.fields, &mut self.rounds.places[place]);
        to.u.copy_from(&fields.u)?;
        to.p.copy_from(&fields.p)?;
        to.face_velocity.copy_from(&fields.face_velocity)?;
        Ok(largest)
    }

    fn subtract(&mut self, place: usize, later: usize) -> Result<f64> {
        let device = &self.work.device;
        let KeptRounds { places, largest, .. } = &mut self.rounds;
        let Ok([x, later]) = places.get_disjoint_mut([place, later]) else { return Ok(0.0) };
        for (x, later) in x.arrays_mut().into_iter().zip(later.arrays()) {
            let count = x.len() as i64;
            device.kernels.subtract_rounds.launch(
                each_entry(x.len()),
                &[value("count", &count), later.input("later"), x.output("x")],
            )?;
        }
        x.largest(&device.kernels, &device.layout, largest)
    }

    fn products(&mut self, of: &[(usize, f64)], (with, of_y): (usize, f64)) -> Result<Vec<i128>> {
        let device = &self.work.device;
        let mut sums: Buffer<i64> = device.gpu.zeros(2 * of.len())?;
        sums.clear()?;
        let places = &self.rounds.places;
        for (number, (place, of_x)) in of.iter().enumerate() {
            device.kernels.multiply_rounds.launch(
                device.layout.cells_in_turn(),
                &[
                    value("layout", &device.layout),
                    value("slot", &(2 * number as i32)),
                    value("of_x", of_x),
                    value("of_y", &of_y),
                    places[*place].change.input("x"),
                    places[with].change.input("y"),
                    sums.output("sums"),
                ],
            )?;
        }
        let sums = sums.to_vec()?;
        Ok(sums.chunks(2).map(|of| (i128::from(of[0]) << 32) + i128::from(of[1])).collect())
    }

    fn take(&mut self, shares: &[(usize, f64)]) -> Result<()> {
        let device = &mut self.work.device;
        let fields = &mut device.fields;
        for (place, share) in shares {
            let Kept { u, p, face_velocity, .. } = &self.rounds.places[*place];
            let flow = [&mut fields.u, &mut fields.p, &mut fields.face_velocity];
            for (x, other) in flow.into_iter().zip([u, p, face_velocity]) {
                let count = x.len() as i64;
                device.kernels.take_round.launch(
                    each_entry(x.len()),
                    &[
                        value("count", &count),
                        value("share", share),
                        other.input("other"),
                        x.output("x"),
                    ],
                )?;
            }
        }
        let (fields, ranks) = (&mut device.fields, &*device.ranks);
        device.velocities.exchange(ranks, &mut [&mut fields.u])?;
        device.scalars.exchange(ranks, &mut [&mut fields.p])
    }

    fn begun(&mut self) -> Result<Vec<f64>> {
        self.rounds.begun.as_ref().map_or(Ok(Vec::new()), |begun| self.own_cells(begun))
    }

    fn set_begun(&mut self, begun: &[f64]) -> Result<()> {
        self.make_place(0)?;
        let values = self.with_halo(begun);
        self.rounds.begun.as_mut().map_or(Ok(()), |begun| begun.write(&values))
    }

    fn round(&mut self, place: usize) -> Result<Round> {
        let (mut state, length) = (State::default(), self.shape.len());
        let Kept { u, p, face_velocity, change } = &self.rounds.places[place];
        let part = |of: &Buffer<f64>, d: usize| of.slice_to_vec(d * length..(d + 1) * length);
        let form = (self.shape, self.fluid.directions);
        state::save_now(&mut state, form, |of| match of {
            Saved::Pressure => part(p, 0),
            Saved::Velocity { d, .. } => part(u, d),
            Saved::FaceVelocity { d, .. } => part(face_velocity, d),
        })?;
        Ok(Round { fields: state.fields, change: self.own_cells(change)? })
    }

    fn set_round(&mut self, place: usize, round: Round) -> Result<f64> {
        self.make_place(place)?;
        let (change, length) = (self.with_halo(&round.change), self.shape.len());
        let device = &self.work.device;
        let KeptRounds { places, largest, .. } = &mut self.rounds;
        let Kept { u, p, face_velocity, change: to } = &mut places[place];
        to.write(&change)?;
        state::each_now(self.fluid.directions, |of| {
            let Some(Values::F64(field)) = round.fields.get(&of.name()) else { return Ok(()) };
            match of {
                Saved::Pressure => p.write(&field.values),
                Saved::Velocity { d, .. } => u.write_at(d * length, &field.values),
                Saved::FaceVelocity { d, .. } => face_velocity.write_at(d * length, &field.values),
            }
        })?;
        places[place].largest(&device.kernels, &device.layout, largest)
    }
}
