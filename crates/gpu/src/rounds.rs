//! Rounds of Anderson's acceleration, kept on the device where the flow lies.

use std::sync::Arc;

use bytemuck::Pod;
use vortice_core::{Quantity, Real, Result, Round, Rounds, State, StateReader};

use crate::argument::value;
use crate::buffer::Buffer;
use crate::driver::{Definition, Launch, Program, real_name};
use crate::gpu::Gpu;

crate::kernels! {
    /// What mixes rounds.
    struct Kernels in "rounds" { largest_of_round, multiply_rounds, subtract_rounds, take_round }
}

/// The program of rounds.
pub(crate) const PROGRAM: Program = Program {
    name: "rounds",
    kernels: Kernels::SOURCES,
    headers: crate::sources!["device.cuh", "rounds/turns.cuh"],
};

/// What the kernels are compiled with for numbers of a type.
pub(crate) fn definitions<T: Real>() -> [Definition; 1] {
    [("REAL", real_name::<T>().into())]
}

/// Threads of a block, and blocks of which each takes one number after the other.
const THREADS: u32 = 128;
const MOST_BLOCKS: usize = 2048;
/// Bytes in which a block keeps sums of its own.
const NOTES: u32 = 2 * size_of::<u64>() as u32;

/// A flow on a device that can be mixed with what earlier rounds led to.
pub trait DeviceFlow {
    /// Of its arrays.
    type Number: Real;
    /// How many own cells it has, and components of the velocity that are not zero for ever.
    fn looked_at(&self) -> [usize; 2];
    /// Writes these components, as shares of their scale: one after the other, without halos.
    fn look(&mut self, seen: &mut Buffer<f64>) -> Result<()>;
    /// All that is mixed.
    fn arrays(&mut self) -> Vec<&mut Buffer<Self::Number>>;
    /// Makes halos follow the flow once it was mixed.
    fn complete(&mut self) -> Result<()>;
    /// Arrays like these as a state.
    fn save(&self, arrays: &[Buffer<Self::Number>]) -> Result<State>;
    /// The reverse.
    fn restore(&self, state: &dyn StateReader, arrays: &mut [Buffer<Self::Number>]) -> Result<()>;
}

/// What rounds led to, and where the one that is not over began.
pub struct DeviceRounds<T> {
    gpu: Gpu,
    /// Once there are rounds.
    made: Option<Made<T>>,
}

struct Made<T> {
    gpu: Gpu,
    /// For changes and for the flow's own numbers.
    of_changes: Arc<Kernels>,
    of_flow: Arc<Kernels>,
    /// What was looked at last, and when the round began.
    seen: Buffer<f64>,
    begun: Buffer<f64>,
    has_begun: bool,
    places: Vec<Kept<T>>,
    /// Bits of a largest magnitude.
    largest: Buffer<i64>,
}

/// A flow or a difference of two, and how far the round went.
struct Kept<T> {
    flow: Vec<Buffer<T>>,
    change: Buffer<f64>,
}

/// The rounds of a flow.
pub struct RoundsOf<'a, F: DeviceFlow> {
    /// The flow.
    pub flow: F,
    /// Where they lie.
    pub kept: &'a mut DeviceRounds<F::Number>,
}

fn in_turn(count: usize) -> Launch {
    let across = count.min(MOST_BLOCKS * THREADS as usize);
    Launch { shared: NOTES, ..Launch::over([across, 1, 1], [THREADS, 1, 1]) }
}

/// x = later - x.
fn subtract<T: Pod>(kernels: &Kernels, later: &Buffer<T>, x: &mut Buffer<T>) -> Result<()> {
    let count = x.len() as i64;
    kernels
        .subtract_rounds
        .launch(in_turn(x.len()), &[value("count", &count), later.input("later"), x.output("x")])
}

/// The largest magnitude of a change.
fn largest_of(kernels: &Kernels, change: &Buffer<f64>, largest: &mut Buffer<i64>) -> Result<f64> {
    largest.clear()?;
    let count = change.len() as i64;
    kernels.largest_of_round.launch(
        in_turn(change.len()),
        &[value("count", &count), change.input("change"), largest.output("largest")],
    )?;
    let mut bits = [0];
    largest.read(&mut bits)?;
    Ok(f64::from_bits(bits[0] as u64))
}

/// With the components that stay zero.
fn with_all(of: &Buffer<f64>, [cells, _]: [usize; 2]) -> Result<Vec<f64>> {
    let mut values = of.to_vec()?;
    values.resize(Quantity::Velocity.components() * cells, 0.0);
    Ok(values)
}

impl<T: Real> DeviceRounds<T> {
    /// None yet.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), made: None }
    }

    /// What there is, of changes of so many components of cells.
    fn made(&mut self, [cells, components]: [usize; 2]) -> Result<&mut Made<T>> {
        let count = cells * components;
        let Self { gpu, made } = self;
        let load = |real: [Definition; 1]| Kernels::of(&gpu.load(&PROGRAM, &real)?).map(Arc::new);
        Ok(match made {
            Some(made) => made,
            None => {
                let of_changes = load(definitions::<f64>())?;
                let of_flow = match T::NAME == f64::NAME {
                    true => of_changes.clone(),
                    false => load(definitions::<T>())?,
                };
                made.insert(Made {
                    gpu: gpu.clone(),
                    of_changes,
                    of_flow,
                    seen: gpu.zeros(count)?,
                    begun: gpu.zeros(count)?,
                    has_begun: false,
                    places: Vec::new(),
                    largest: gpu.zeros(1)?,
                })
            }
        })
    }
}

impl<T: Real> Made<T> {
    /// Makes places up to this one, for flows of such arrays.
    fn make_place(&mut self, place: usize, arrays: &[&mut Buffer<T>]) -> Result<()> {
        while self.places.len() <= place {
            let flow = arrays.iter().map(|array| self.gpu.zeros(array.len()));
            let (flow, change) = (flow.collect::<Result<_>>()?, self.gpu.zeros(self.seen.len())?);
            self.places.push(Kept { flow, change });
        }
        Ok(())
    }
}

impl<F: DeviceFlow> Rounds for RoundsOf<'_, F> {
    fn begin(&mut self) -> Result<f64> {
        let Made { of_changes, seen, begun, has_begun, largest, .. } =
            self.kept.made(self.flow.looked_at())?;
        self.flow.look(seen)?;
        let mut way = 0.0;
        if std::mem::replace(has_begun, true) {
            subtract(of_changes, seen, begun)?;
            way = largest_of(of_changes, begun, largest)?;
        }
        begun.copy_from(seen)?;
        Ok(way)
    }

    fn keep(&mut self, place: usize) -> Result<f64> {
        let Self { flow, kept } = self;
        let made = kept.made(flow.looked_at())?;
        flow.look(&mut made.seen)?;
        made.make_place(place, &flow.arrays())?;
        let Made { of_changes, seen, begun, places, largest, .. } = made;
        let Kept { flow: to, change } = &mut places[place];
        for (to, now) in to.iter_mut().zip(flow.arrays()) {
            to.copy_from(now)?;
        }
        change.copy_from(begun)?;
        subtract(of_changes, seen, change)?;
        largest_of(of_changes, change, largest)
    }

    fn subtract(&mut self, place: usize, later: usize) -> Result<f64> {
        let Made { of_changes, of_flow, places, largest, .. } =
            self.kept.made(self.flow.looked_at())?;
        let Ok([x, later]) = places.get_disjoint_mut([place, later]) else { return Ok(0.0) };
        for (x, later) in x.flow.iter_mut().zip(&later.flow) {
            subtract(of_flow, later, x)?;
        }
        subtract(of_changes, &later.change, &mut x.change)?;
        largest_of(of_changes, &x.change, largest)
    }

    fn products(&mut self, of: &[(usize, f64)], (with, of_y): (usize, f64)) -> Result<Vec<i128>> {
        let Made { gpu, of_changes, places, .. } = self.kept.made(self.flow.looked_at())?;
        let y = &places[with].change;
        let count = y.len() as i64;
        let mut sums: Buffer<i64> = gpu.zeros(2 * of.len())?;
        sums.clear()?;
        for (number, (place, of_x)) in of.iter().enumerate() {
            of_changes.multiply_rounds.launch(
                in_turn(y.len()),
                &[
                    value("count", &count),
                    value("slot", &(2 * number as i32)),
                    value("of_x", of_x),
                    value("of_y", &of_y),
                    places[*place].change.input("x"),
                    y.input("y"),
                    sums.output("sums"),
                ],
            )?;
        }
        let sums = sums.to_vec()?;
        Ok(sums.chunks(2).map(|of| (i128::from(of[0]) << 32) + i128::from(of[1])).collect())
    }

    fn take(&mut self, shares: &[(usize, f64)]) -> Result<()> {
        let Self { flow, kept } = self;
        let Made { of_flow, places, .. } = kept.made(flow.looked_at())?;
        for (place, share) in shares {
            for (x, other) in flow.arrays().into_iter().zip(&places[*place].flow) {
                let count = x.len() as i64;
                of_flow.take_round.launch(
                    in_turn(x.len()),
                    &[
                        value("count", &count),
                        value("share", share),
                        other.input("other"),
                        x.output("x"),
                    ],
                )?;
            }
        }
        flow.complete()
    }

    fn begun(&mut self) -> Result<Vec<f64>> {
        let made = self.kept.made(self.flow.looked_at())?;
        with_all(&made.begun, self.flow.looked_at())
    }

    fn set_begun(&mut self, values: &[f64]) -> Result<()> {
        let Made { begun, has_begun, .. } = self.kept.made(self.flow.looked_at())?;
        *has_begun = true;
        begun.write(&values[..begun.len()])
    }

    fn round(&mut self, place: usize) -> Result<Round> {
        let Self { flow, kept } = self;
        let Kept { flow: arrays, change } = &kept.made(flow.looked_at())?.places[place];
        let change = with_all(change, flow.looked_at())?;
        Ok(Round { fields: flow.save(arrays)?.fields, change })
    }

    fn set_round(&mut self, place: usize, round: Round) -> Result<f64> {
        let Self { flow, kept } = self;
        let made = kept.made(flow.looked_at())?;
        made.make_place(place, &flow.arrays())?;
        let Made { of_changes, places, largest, .. } = made;
        let Kept { flow: to, change } = &mut places[place];
        flow.restore(&State { fields: round.fields, ..State::default() }, to)?;
        change.write(&round.change[..change.len()])?;
        largest_of(of_changes, change, largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_compile_for_every_architecture_and_spill_nothing() {
        crate::expect_sound(&PROGRAM, &[definitions::<f32>(), definitions::<f64>()]);
    }
}
