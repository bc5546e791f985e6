//! Launches of the temperature's step, and of what it does to the velocity; eqs. (H5) to (H9).

use vortice_core::{Real, Result};
use vortice_gpu::value;

use super::device::Device;
use super::fields::inputs;
use super::temperature::Temperature;

impl<T: Real> Device<T> {
    /// Heun's step, carried by the velocity that there is; eq. (H7).
    pub(super) fn carry_heat(&mut self) -> Result<()> {
        let Self { heat, fields, kernels, layout, ranks, .. } = self;
        let Some(heat) = heat else { return Ok(()) };
        let Temperature { theta, predicted, warming, conductor, central, halo, ends, .. } = heat;
        warming.clear()?;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        kernels.predict_temperature.launch(
            layout.cells_in_turn(),
            &[
                value("layout", layout),
                value("conductor", conductor),
                value("central", central),
                fields.interval.input("interval"),
                u,
                v,
                w,
                theta.input("theta"),
                predicted.output("predicted"),
                warming.output("warming"),
            ],
        )?;
        halo.exchange(&**ranks, &mut [&mut *predicted])?;
        ends.fill(&kernels.fill_ends, predicted)?;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        kernels.correct_temperature.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("conductor", conductor),
                value("central", central),
                fields.interval.input("interval"),
                u,
                v,
                w,
                predicted.input("predicted"),
                theta.output("theta"),
            ],
        )?;
        heat.complete(kernels, &**ranks)
    }

    /// Adds what the temperature does to the prediction at open own faces; eq. (H8).
    pub(super) fn add_buoyancy(&mut self) -> Result<()> {
        let Self { heat, fields, kernels, layout, directions, .. } = self;
        let Some(heat) = heat else { return Ok(()) };
        for a in (0..*directions).filter(|&a| heat.buoyancy[a] != 0.0) {
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
