//! Between a grid and the next coarser one of a cycle; eqs. (F23) to (F25).

use vortice_core::{Real, Result};
use vortice_gpu::{Buffer, value};

use super::Gpu;
use super::cycles::Cycles;
use super::device::Device;
use super::fields::{inputs, outputs};
use super::numbers::{CHANGE, each_entry};

fn copy<T: Real>(from: &[Buffer<T>], to: &mut [Buffer<T>]) -> Result<()> {
    to.iter_mut().zip(from).try_for_each(|(to, from)| to.copy_from(from))
}

impl<T: Real> Device<T> {
    /// Adds what is asked for to the prediction.
    pub(super) fn add_asked(&mut self) -> Result<()> {
        let Self { layout, fields, cycles, kernels, .. } = self;
        let [asked_u, asked_v, asked_w] = inputs(&cycles.asked, ["asked_u", "asked_v", "asked_w"]);
        let [f, g, h] = outputs(&mut fields.f, ["f", "g", "h"]);
        let interval = fields.interval.input("interval");
        let arguments = [value("layout", layout), interval, asked_u, asked_v, asked_w, f, g, h];
        kernels.add_asked.launch(layout.each_cell(), &arguments)
    }

    fn begin_visit(&mut self) -> Result<()> {
        let n = self.directions;
        copy(&self.fields.u[..n], &mut self.cycles.begun[..n])
    }

    fn ask_for(&mut self, dt: f64, is_less: bool) -> Result<()> {
        let Self { layout, fields, cycles, kernels, directions, .. } = self;
        let (inverse, less) = (T::from_f64(1.0 / dt), i32::from(is_less));
        let Cycles { begun, asked, .. } = cycles;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        let [begun_u, begun_v, begun_w] = inputs(begun, ["begun_u", "begun_v", "begun_w"]);
        let [asked_u, asked_v, asked_w] = outputs(asked, ["asked_u", "asked_v", "asked_w"]);
        kernels.ask_for.launch(
            layout.each_cell(),
            &[
                value("layout", layout),
                value("inverse", &inverse),
                value("is_less", &less),
                u,
                v,
                w,
                begun_u,
                begun_v,
                begun_w,
                asked_u,
                asked_v,
                asked_w,
            ],
        )?;
        copy(&begun[..*directions], &mut fields.u[..*directions])
    }

    fn restrict_to(&mut self, coarser: &mut Self, dt: f64) -> Result<()> {
        let Self { layout, fields, cycles, kernels, .. } = self;
        let inverse = T::from_f64(1.0 / dt);
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        let [kept_u, kept_v, kept_w] = inputs(&cycles.kept, ["kept_u", "kept_v", "kept_w"]);
        let below = &mut coarser.fields;
        let [coarse_u, coarse_v, coarse_w] =
            outputs(&mut below.u, ["coarse_u", "coarse_v", "coarse_w"]);
        let [asked_u, asked_v, asked_w] =
            outputs(&mut coarser.cycles.asked, ["asked_u", "asked_v", "asked_w"]);
        kernels.restrict_velocity.launch(
            coarser.layout.each_cell(),
            &[
                value("layout", layout),
                value("coarser", &coarser.layout),
                value("inverse", &inverse),
                u,
                v,
                w,
                kept_u,
                kept_v,
                kept_w,
                coarse_u,
                coarse_v,
                coarse_w,
                asked_u,
                asked_v,
                asked_w,
            ],
        )?;
        let [red, black] = inputs(&fields.p, ["red", "black"]);
        let [coarse_red, coarse_black] = outputs(&mut below.p, ["coarse_red", "coarse_black"]);
        kernels.restrict_pressure.launch(
            coarser.layout.each_cell(),
            &[
                value("layout", layout),
                value("coarser", &coarser.layout),
                red,
                black,
                coarse_red,
                coarse_black,
            ],
        )?;
        coarser.complete_velocity()?;
        coarser.complete_pressure()?;
        coarser.begin_visit()
    }

    fn prolong_from(&mut self, coarser: &Self) -> Result<()> {
        let Self { layout, fields, outlets, kernels, .. } = self;
        let names = ["coarse_u", "coarse_v", "coarse_w"];
        let [coarse_u, coarse_v, coarse_w] = inputs(&coarser.fields.u, names);
        let [begun_u, begun_v, begun_w] =
            inputs(&coarser.cycles.begun, ["begun_u", "begun_v", "begun_w"]);
        let [u, v, w] = outputs(&mut fields.u, ["u", "v", "w"]);
        let of_both = [coarse_u, coarse_v, coarse_w, begun_u, begun_v, begun_w, u, v, w];
        let (fine, coarse) = (value("layout", layout), value("coarser", &coarser.layout));
        let open = fields.faces.input("faces");
        let arguments = [vec![fine.clone(), coarse.clone(), open], of_both.to_vec()].concat();
        kernels.prolong_velocity.launch(layout.each_cell(), &arguments)?;
        if !outlets.is_empty() {
            let entries = outlets.len() as i32;
            let list = [value("entries", &entries), fine, coarse, outlets.input("outlets")];
            let arguments = [list.to_vec(), of_both.to_vec()].concat();
            kernels.prolong_outlets.launch(each_entry(outlets.len()), &arguments)?;
        }
        self.complete_velocity()
    }

    fn note_change(&mut self) -> Result<()> {
        let Self { layout, fields, cycles, kernels, .. } = self;
        fields.reductions.clear()?;
        let [u, v, w] = inputs(&fields.u, ["u", "v", "w"]);
        let [begun_u, begun_v, begun_w] = inputs(&cycles.begun, ["begun_u", "begun_v", "begun_w"]);
        kernels.largest_change.launch(
            layout.each_cell_noted(),
            &[
                value("layout", layout),
                fields.faces.input("faces"),
                u,
                v,
                w,
                begun_u,
                begun_v,
                begun_w,
                fields.reductions.output("reductions"),
            ],
        )
    }
}

impl<T: Real> Gpu<T> {
    pub(super) fn begin_visit(&mut self) -> Result<()> {
        self.work.flush()?;
        self.work.device.begin_visit()
    }

    /// What the last step did to the velocity that the visit began with is asked for, and the pressure put aside.
    pub(super) fn ask_for(&mut self, dt: f64) -> Result<()> {
        self.work.flush()?;
        let device = &mut self.work.device;
        device.ask_for(dt, false)?;
        copy(&device.fields.p, &mut device.cycles.pressure)
    }

    /// The same is taken from what is asked for.
    pub(super) fn ask_for_less(&mut self, dt: f64) -> Result<()> {
        self.work.flush()?;
        self.work.device.ask_for(dt, true)
    }

    pub(super) fn keep_velocity(&mut self) -> Result<()> {
        self.work.flush()?;
        let (device, n) = (&mut self.work.device, self.directions);
        copy(&device.fields.u[..n], &mut device.cycles.kept[..n])
    }

    pub(super) fn restrict_flow(&mut self, dt: f64) -> Result<()> {
        let Some(coarser) = &mut self.coarser else { return Ok(()) };
        self.work.flush()?;
        self.work.device.restrict_to(&mut coarser.work.device, dt)
    }

    pub(super) fn prolong_correction(&mut self) -> Result<()> {
        let Some(coarser) = &mut self.coarser else { return Ok(()) };
        coarser.work.flush()?;
        self.work.flush()?;
        self.work.device.prolong_from(&coarser.work.device)
    }

    pub(super) fn end_visit(&mut self) -> Result<f64> {
        let work = &mut self.work;
        work.flush()?;
        let Device { fields, cycles, .. } = &mut work.device;
        copy(&cycles.pressure, &mut fields.p)?;
        work.device.note_change()?;
        let mut found = [work.reductions()?[CHANGE]];
        work.device.ranks.max(&mut found)?;
        Ok(found[0])
    }
}
