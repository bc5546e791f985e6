//! A convective outlet on a device; eqs. (V20), (V21).

use std::sync::Arc;

use vortice_core::{Communicator, Result};
use vortice_gpu::{Buffer, Gpu, value};
use vortice_linear::gpu::{Layout, each_entry};

use super::fields::Fields;
use super::program::Kernels;
use crate::carried::{CarriedFace, CarriedOut};

/// The outlet of one subdomain: `carry_through.cu`, `balance_through.cu`.
pub(crate) struct Outlet {
    faces: Buffer<CarriedFace>,
    direction: i32,
    outward: f64,
    rate: f64,
    units: f64,
    share: f64,
    prescribed: i64,
    leak: Buffer<i64>,
    ranks: Arc<dyn Communicator>,
}

impl Outlet {
    /// The outlet on a device.
    ///
    /// # Errors
    /// If its memory will not do.
    pub(crate) fn new(gpu: &Gpu, of: &CarriedOut, ranks: &Arc<dyn Communicator>) -> Result<Self> {
        Ok(Self {
            faces: gpu.upload(&of.faces)?,
            direction: of.direction as i32,
            outward: of.outward,
            rate: of.rate,
            units: of.units,
            share: of.share,
            prescribed: of.prescribed,
            leak: gpu.upload(&[0])?,
            ranks: ranks.clone(),
        })
    }

    /// Whether nothing leaves the device: several ranks add up by their hosts what leaves the box.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.ranks.size() == 1
    }

    /// Velocities at the outlet. Collective.
    pub(super) fn carry(
        &mut self,
        kernels: &Kernels,
        layout: &Layout,
        fields: &mut Fields,
    ) -> Result<()> {
        let faces = self.faces.len();
        let count = faces as i32;
        self.leak.clear()?;
        if faces > 0 {
            kernels.carry_through.launch(
                each_entry(faces),
                &[
                    value("layout", layout),
                    fields.factors.input("factors"),
                    value("rate", &self.rate),
                    value("outward", &self.outward),
                    value("units", &self.units),
                    value("direction", &self.direction),
                    value("count", &count),
                    self.faces.input("faces"),
                    fields.u_last.input("u_last"),
                    fields.u_before.input("u_before"),
                    fields.u.output("u"),
                    self.leak.output("leak"),
                ],
            )?;
        }
        if self.ranks.size() > 1 {
            let leak = self.leak.to_vec()?[0];
            self.leak.write(&[self.ranks.sum_exact(leak.into())? as i64])?;
        }
        if faces == 0 {
            return Ok(());
        }
        kernels.balance_through.launch(
            each_entry(faces),
            &[
                value("layout", layout),
                value("share", &self.share),
                value("outward", &self.outward),
                value("prescribed", &self.prescribed),
                value("direction", &self.direction),
                value("count", &count),
                self.faces.input("faces"),
                self.leak.input("leak"),
                fields.u.output("u"),
                fields.face_velocity.output("face_velocity"),
            ],
        )
    }
}
