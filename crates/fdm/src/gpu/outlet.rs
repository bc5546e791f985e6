//! Launches that carry velocities out of the box; eqs. (F20), (F21).

use vortice_core::{Real, Result};
use vortice_gpu::value;

use super::Gpu;
use super::device::Device;
use super::fields::{inputs, outputs};
use super::numbers::each_entry;
use super::operation::Operation;

impl<T: Real> Device<T> {
    /// The prediction at the outlet, and what leaves through it; eq. (F20).
    pub(super) fn carry_out(&mut self) -> Result<()> {
        let Self { outlet, fields, kernels, .. } = self;
        let Some(outlet) = outlet else { return Ok(()) };
        outlet.leak.clear()?;
        let count = outlet.faces.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        let [f, g, h] = outputs(&mut fields.f, ["f", "g", "h"]);
        kernels.carry_out.launch(
            each_entry(count),
            &[
                value("entries", &entries),
                fields.interval.input("interval"),
                value("rate", &outlet.rate),
                value("outward", &outlet.outward),
                value("steps", &outlet.steps),
                outlet.faces.input("faces"),
                u,
                v,
                w,
                f,
                g,
                h,
                outlet.leak.output("leak"),
            ],
        )
    }

    /// The same with all that comes in, and no more; eq. (F21).
    pub(super) fn balance_outlet(&mut self) -> Result<()> {
        let Self { outlet, fields, kernels, .. } = self;
        let Some(outlet) = outlet.as_ref().filter(|outlet| !outlet.faces.is_empty()) else {
            return Ok(());
        };
        let entries = outlet.faces.len() as i32;
        let [f, g, h] = outputs(&mut fields.f, ["f", "g", "h"]);
        kernels.balance_outlet.launch(
            each_entry(outlet.faces.len()),
            &[
                value("entries", &entries),
                value("prescribed", &outlet.prescribed),
                value("share", &outlet.share),
                value("outward", &outlet.outward),
                outlet.faces.input("faces"),
                outlet.leak.input("leak"),
                f,
                g,
                h,
            ],
        )
    }

    /// Velocity at the outlet after a step.
    pub(super) fn keep_outlet(&mut self) -> Result<()> {
        let Self { outlet, fields, kernels, .. } = self;
        let Some(outlet) = outlet.as_ref().filter(|outlet| !outlet.faces.is_empty()) else {
            return Ok(());
        };
        let entries = outlet.faces.len() as i32;
        let [f, g, h] = inputs(&fields.f, ["f", "g", "h"]);
        let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
        kernels.keep_outlet.launch(
            each_entry(outlet.faces.len()),
            &[value("entries", &entries), outlet.faces.input("faces"), f, g, h, u, v, w],
        )
    }

    /// Velocity along the outlet after a step, once halos are exchanged; eq. (F20).
    pub(super) fn carry_along(&mut self) -> Result<()> {
        let Self { outlet, fields, kernels, .. } = self;
        let Some(outlet) = outlet.as_ref().filter(|outlet| !outlet.ghosts.is_empty()) else {
            return Ok(());
        };
        let entries = outlet.ghosts.len() as i32;
        let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
        kernels.carry_along.launch(
            each_entry(outlet.ghosts.len()),
            &[
                value("entries", &entries),
                fields.interval.input("interval"),
                value("rate", &outlet.rate),
                outlet.ghosts.input("ghosts"),
                u,
                v,
                w,
            ],
        )
    }
}

impl<T: Real> Gpu<T> {
    /// The prediction at a convective outlet, with all that comes in on all ranks.
    pub(super) fn carry_out_through(&mut self, dt: f64) -> Result<()> {
        if self.work.device.outlet.is_none() {
            return Ok(());
        }
        self.set_interval(dt)?;
        self.record(Operation::CarryOut)?;
        let ranks = self.work.device.ranks.clone();
        if ranks.size() > 1 {
            self.work.flush()?;
            let outlet = self.work.device.outlet.as_mut();
            outlet.map_or(Ok(()), |outlet| outlet.sum_leak(&*ranks))?;
        }
        self.record(Operation::BalanceOutlet)
    }
}
