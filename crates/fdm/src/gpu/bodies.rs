//! Launches that give faces beside bodies their velocity.

use vortice_core::{Real, Result};
use vortice_gpu::value;

use super::device::Device;
use super::fields::{inputs, outputs};
use super::numbers::each_entry;

impl<T: Real> Device<T> {
    /// The velocities that rows read; eq. (F17).
    pub(super) fn gather_sources(&mut self) -> Result<()> {
        let Self { forced, fields, kernels, .. } = self;
        let count = forced.sources.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        kernels.gather_sources.launch(
            each_entry(count),
            &[
                value("entries", &entries),
                forced.sources.input("sources"),
                u,
                v,
                w,
                forced.values.output("values"),
            ],
        )
    }

    /// Velocities at faces beside bodies, and what leaks into the bodies; eqs. (F17), (F19).
    pub(super) fn force_faces(&mut self) -> Result<()> {
        let Self { forced, fields, kernels, .. } = self;
        forced.leaks.clear()?;
        let count = forced.faces.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
        kernels.force_faces.launch(
            each_entry(count),
            &[
                value("entries", &entries),
                value("steps", &forced.steps),
                forced.faces.input("faces"),
                forced.numbers.input("numbers"),
                forced.weights.input("weights"),
                forced.values.input("values"),
                u,
                v,
                w,
                forced.leaks.output("leaks"),
            ],
        )
    }

    /// The same less what leaks, as velocity and prediction, with halos and ghost values; eqs. (F18), (F19).
    pub(super) fn remove_leaks(&mut self) -> Result<()> {
        let Self { forced, fields, kernels, .. } = self;
        let count = forced.faces.len();
        if count > 0 {
            let entries = count as i32;
            let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
            let [f, g, h] = outputs(&mut fields.f, ["f", "g", "h"]);
            kernels.remove_leaks.launch(
                each_entry(count),
                &[
                    value("entries", &entries),
                    forced.faces.input("faces"),
                    forced.leaks.input("leaks"),
                    forced.shares.input("shares"),
                    u,
                    v,
                    w,
                    f,
                    g,
                    h,
                ],
            )?;
        }
        self.complete_velocity()
    }
}
