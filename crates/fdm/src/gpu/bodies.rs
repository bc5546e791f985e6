//! Launches that give faces beside bodies their velocity.

use vortice_core::{Real, Result, SurfaceForce};
use vortice_gpu::{DeviceForces, value};

use super::Gpu;
use super::device::Device;
use super::fields::{inputs, outputs};
use super::numbers::each_entry;
use super::operation::Operation;
use crate::forces::ForceSides;

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

impl<T: Real> Gpu<T> {
    /// Velocity at faces beside bodies.
    pub(super) fn force_bodies(&mut self) -> Result<()> {
        let ranks = self.work.device.ranks.clone();
        let is_alone = ranks.size() == 1;
        if self.work.device.forced.counts.all == 0 {
            return Ok(());
        }
        self.record(Operation::GatherSources)?;
        if !is_alone {
            self.work.flush()?;
            self.work.device.forced.exchange(&*ranks)?;
        }
        self.record(Operation::ForceFaces)?;
        if !is_alone {
            self.work.flush()?;
            self.work.device.forced.sum_leaks(&*ranks)?;
        }
        self.record(Operation::RemoveLeaks)
    }

    /// The forces of all ranks on bodies.
    pub(super) fn forces_on(
        &mut self,
        sides: &ForceSides,
        gamma: f64,
    ) -> Result<Vec<SurfaceForce>> {
        self.work.flush()?;
        let Self { work, shape, colours, forces, .. } = self;
        let (device, case) = (&work.device, &sides.case);
        let forces = match forces {
            Some(forces) => forces,
            None => {
                let sides = sides.by_colours(shape, colours);
                forces.insert(DeviceForces::new(&device.gpu, case, &sides)?)
            }
        };
        let ([u, v, w], [red, black]) = (&device.fields.u, &device.fields.p);
        let scales = sides.scales();
        let rest = vec![
            value("scales", &scales),
            value("gamma", &gamma),
            u.input("u"),
            v.input("v"),
            w.input("w"),
            red.input("red"),
            black.input("black"),
        ];
        let sums = forces.sums(case, &device.kernels.force_on_sides, rest)?;
        sums.of_all(&*device.ranks)
    }
}
