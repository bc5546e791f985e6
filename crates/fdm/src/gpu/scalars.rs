//! Launches of the step of scalars, and of what heat does to the velocity; eqs. (H5) to (H9).

use vortice_core::{Communicator, Real, Result};
use vortice_gpu::{Launch, value};

use super::device::Device;
use super::fields::{Fields, inputs};
use super::numbers::{Layout, NOTES};
use super::program::Kernels;
use super::transported::Transported;

impl<T: Real> Device<T> {
    /// Heun's step of all scalars, carried by the velocity that there is; eq. (H7).
    pub(super) fn carry_scalars(&mut self) -> Result<()> {
        let Self { scalars, fields, kernels, layout, ranks, .. } = self;
        scalars.iter_mut().try_for_each(|one| carry(one, (fields, layout), kernels, &**ranks))
    }

    /// Adds what the temperature does to the prediction at open own faces; eq. (H8).
    pub(super) fn add_buoyancy(&mut self) -> Result<()> {
        let Self { scalars, fields, kernels, layout, directions, .. } = self;
        let all = scalars.iter().flat_map(|heat| (0..*directions).map(move |a| (heat, a)));
        for (heat, a) in all.filter(|(heat, a)| heat.buoyancy[*a] != 0.0) {
            let direction = a as i32;
            kernels.add_buoyancy.launch(
                layout.each_cell(),
                &[
                    value("layout", layout),
                    fields.interval.input("interval"),
                    value("direction", &direction),
                    fields.faces.input("faces"),
                    heat.theta.input("theta"),
                    fields.f[a].output("f"),
                ],
            )?;
        }
        Ok(())
    }
}

/// Heun's step of a scalar; eq. (H7).
fn carry<T: Real>(
    scalar: &mut Transported<T>,
    (fields, layout): (&Fields<T>, &Layout),
    kernels: &Kernels,
    ranks: &dyn Communicator,
) -> Result<()> {
    let Transported { theta, source, has_source, predicted, .. } = scalar;
    let Transported { warming, conductor, central, halo, ends, walls, .. } = scalar;
    warming.clear()?;
    let before = [
        value("layout", layout),
        value("conductor", conductor),
        value("central", central),
        fields.interval.input("interval"),
    ];
    let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
    let flow = [u, v, w, value("has_source", has_source), source.input("source")];
    let new = [theta.input("theta"), predicted.output("predicted"), warming.output("warming")];
    let everywhere = [&before[..], &flow, &walls.marks(), &new].concat();
    kernels.predict_temperature.launch(layout.each_cell_noted(), &everywhere)?;
    if !walls.is_empty() {
        let beside_walls = [&before[..], &walls.lists(), &flow, &new].concat();
        let launch = Launch { shared: NOTES, ..walls.launch() };
        kernels.predict_walled.launch(launch, &beside_walls)?;
    }
    halo.exchange(ranks, &mut [&mut *predicted])?;
    ends.fill(&kernels.fill_ends, predicted)?;
    let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
    let flow = [u, v, w, value("has_source", has_source), source.input("source")];
    let new = [predicted.input("predicted"), theta.output("theta")];
    let everywhere = [&before[..], &flow, &walls.marks(), &new].concat();
    kernels.correct_temperature.launch(layout.each_cell(), &everywhere)?;
    if !walls.is_empty() {
        let beside_walls = [&before[..], &walls.lists(), &flow, &new].concat();
        kernels.correct_walled.launch(walls.launch(), &beside_walls)?;
    }
    scalar.complete(kernels, ranks)
}
