//! Launches that make velocities and predictions.

use vortice_core::{Real, Result};
use vortice_gpu::{Buffer, Kernel, value};

use super::device::Device;
use super::fields::{inputs, outputs};
use super::numbers::each_entry;
use super::program::Kernels;
use crate::boundary::Fixed;

impl<T: Real> Device<T> {
    /// F, G, H with boundary values; eqs. (F1) to (F4), (H8), and (F15) if rates of change are kept.
    pub(super) fn predict(&mut self, keeps_rates: bool) -> Result<()> {
        let fields = &mut self.fields;
        let mut arguments = vec![
            value("layout", &self.layout),
            value("fluid", &self.fluid),
            fields.interval.input("interval"),
            fields.faces.input("faces"),
        ];
        arguments.extend(inputs(&fields.u, ["u", "v", "w"]));
        arguments.extend(outputs(&mut fields.f, ["f", "g", "h"]));
        let Kernels { predict, predict_adams_bashforth, .. } = &self.kernels;
        let kernel = if keeps_rates {
            arguments.extend(outputs(&mut fields.rates, ["rate_u", "rate_v", "rate_w"]));
            predict_adams_bashforth
        } else {
            predict
        };
        kernel.launch(self.layout.each_prediction(), &arguments)?;
        self.add_buoyancy()?;
        self.exchange.components(&*self.ranks, &mut self.fields.f[..self.directions])?;
        if self.changes {
            self.fix_prediction()?;
        }
        self.predict_outlets()
    }

    fn predict_outlets(&mut self) -> Result<()> {
        let count = self.outlets.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let [f, g, h] = outputs(&mut self.fields.f, ["f", "g", "h"]);
        self.kernels.predict_outlets.launch(
            each_entry(count),
            &[value("entries", &entries), self.outlets.input("outlets"), f, g, h],
        )
    }

    /// Velocity corrected by the pressure gradient, with boundary values; eqs. (F8), (F11), (F12).
    pub(super) fn project(&mut self) -> Result<()> {
        let fields = &mut self.fields;
        let [red, black] = inputs(&fields.p, ["red", "black"]);
        let [f, g, h] = inputs(&fields.f, ["f", "g", "h"]);
        let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
        self.kernels.project.launch(
            self.layout.each_projection(),
            &[
                value("layout", &self.layout),
                fields.interval.input("interval"),
                fields.faces.input("faces"),
                red,
                black,
                f,
                g,
                h,
                u,
                v,
                w,
                fields.reductions.output("reductions"),
            ],
        )?;
        self.project_outlets()?;
        self.keep_outlet()?;
        self.complete_halos()?;
        self.carry_along()?;
        self.mirror()
    }

    fn project_outlets(&mut self) -> Result<()> {
        let count = self.outlets.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let fields = &mut self.fields;
        let [red, black] = inputs(&fields.p, ["red", "black"]);
        let [f, g, h] = inputs(&fields.f, ["f", "g", "h"]);
        let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
        self.kernels.project_outlets.launch(
            each_entry(count),
            &[
                value("entries", &entries),
                fields.interval.input("interval"),
                self.outlets.input("outlets"),
                red,
                black,
                f,
                g,
                h,
                u,
                v,
                w,
            ],
        )
    }

    fn fix(&mut self) -> Result<()> {
        let Self { kernels, fixed, fields, .. } = self;
        fix(&kernels.fix, fixed, &mut fields.u)
    }

    /// Gives the prediction the prescribed values, which else it always has.
    fn fix_prediction(&mut self) -> Result<()> {
        let Self { kernels, fixed, fields, .. } = self;
        fix(&kernels.fix, fixed, &mut fields.f)
    }

    /// Gives the velocity its prescribed values, halos and ghost values.
    pub(crate) fn complete_velocity(&mut self) -> Result<()> {
        self.complete_halos()?;
        self.mirror()
    }

    /// Gives the velocity its prescribed values and halos.
    fn complete_halos(&mut self) -> Result<()> {
        self.fix()?;
        self.exchange.components(&*self.ranks, &mut self.fields.u[..self.directions])
    }

    /// Gives the velocity its ghost values.
    pub(crate) fn mirror(&mut self) -> Result<()> {
        let count = self.ghosts.len();
        if count == 0 {
            return Ok(());
        }
        let entries = count as i32;
        let [u, v, w] = outputs(&mut self.fields.u, ["u", "v", "w"]);
        self.kernels.mirror.launch(
            each_entry(count),
            &[value("entries", &entries), self.ghosts.input("ghosts"), u, v, w],
        )
    }
}

/// Writes prescribed values into the components of a field.
fn fix<T: Real>(
    kernel: &Kernel,
    fixed: &Buffer<Fixed<T>>,
    components: &mut [Buffer<T>; 3],
) -> Result<()> {
    let count = fixed.len();
    if count == 0 {
        return Ok(());
    }
    let entries = count as i32;
    let [u, v, w] = outputs(components, ["u", "v", "w"]);
    let arguments = [value("entries", &entries), fixed.input("fixed"), u, v, w];
    kernel.launch(each_entry(count), &arguments)
}
