//! Faces of bodies on a device: what they change in the momentum equations, and what flows through them.

use std::sync::Arc;

use vortice_core::{Communicator, Result};
use vortice_gpu::{Buffer, DeviceGather, Gpu, Launch, value};
use vortice_linear::gpu::{Layout, each_entry};

use super::fields::Fields;
use super::numbers::Fluid;
use super::program::Kernels;
use crate::body_faces::{BodyCell, BodyFace, BodyFaces};

/// Shared memory in which a block keeps three reductions of its own.
const NOTES: u32 = 3 * size_of::<u64>() as u32;

/// The list of one subdomain, and what bodies take of the flow.
pub(crate) struct Bodies {
    faces: Buffer<BodyFace<f64>>,
    cells: Buffer<BodyCell>,
    /// In m, of each body.
    spread: Buffer<f64>,
    units: f64,
    /// Of each body the low and high part of what flows into it, in whole units.
    leaks: Buffer<i64>,
    over_ranks: OverRanks,
    ranks: Arc<dyn Communicator>,
}

/// How the leaks of all ranks come together.
enum OverRanks {
    /// There is one rank.
    Alone,
    /// On the devices, one rank after the other.
    OnDevices { gather: DeviceGather, all: Buffer<i64> },
    /// By messages of the hosts.
    ByHost,
}

impl Bodies {
    /// The list on a device, if the case has bodies that need one. Collective.
    ///
    /// # Errors
    /// If its memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        of: &BodyFaces,
        ranks: &Arc<dyn Communicator>,
    ) -> Result<Option<Self>> {
        if of.is_empty() {
            return Ok(None);
        }
        let (numbers, size) = (2 * of.spread.len(), ranks.size());
        let over_ranks = if size == 1 {
            OverRanks::Alone
        } else {
            let mine: Vec<usize> = (0..numbers).collect();
            let of_rank = |rank: usize| (rank * numbers..(rank + 1) * numbers).collect();
            let theirs: Vec<Vec<usize>> = (0..size).map(of_rank).collect();
            match DeviceGather::new(gpu, &mine, &theirs, size_of::<i64>())? {
                Some(gather) => OverRanks::OnDevices { gather, all: gpu.zeros(size * numbers)? },
                None => OverRanks::ByHost,
            }
        };
        Ok(Some(Self {
            faces: gpu.upload(&of.faces)?,
            cells: gpu.upload(&of.cells)?,
            spread: gpu.upload(&of.spread)?,
            units: of.leak_units,
            leaks: gpu.upload(&vec![0; numbers])?,
            over_ranks,
            ranks: ranks.clone(),
        }))
    }

    /// Whether nothing leaves the devices.
    pub(crate) fn stays_on_device(&self) -> bool {
        !matches!(self.over_ranks, OverRanks::ByHost)
    }

    /// Completes the equations of cells beside bodies; eqs. (V5), (V8), (V17) and (V18).
    pub(super) fn complete_equations(
        &self,
        kernels: &Kernels,
        (layout, fluid): (&Layout, &Fluid<f64>),
        fields: &mut Fields,
    ) -> Result<()> {
        if self.cells.is_empty() {
            return Ok(());
        }
        let count = self.cells.len() as i32;
        kernels.complete_beside_bodies.launch(
            Launch { shared: NOTES, ..each_entry(self.cells.len()) },
            &[
                value("layout", layout),
                value("fluid", fluid),
                fields.factors.input("factors"),
                value("count", &count),
                self.cells.input("cells"),
                self.faces.input("faces"),
                fields.u.input("u"),
                fields.face_velocity.input("face_velocity"),
                fields.a.output("a"),
                fields.diagonal.output("diagonal"),
                fields.inverse.output("inverse"),
                fields.b.output("b"),
                fields.reductions.output("reductions"),
            ],
        )
    }

    /// Velocities through the faces of bodies; eqs. (V18), (V19).
    pub(super) fn interpolate(
        &mut self,
        kernels: &Kernels,
        (layout, fluid): (&Layout, &Fluid<f64>),
        fields: &mut Fields,
    ) -> Result<()> {
        let faces = self.faces.len();
        let (count, of_bodies) = (faces as i32, self.spread.len() as i32);
        let units = self.units;
        self.leaks.clear()?;
        if faces > 0 {
            kernels.interpolate_body_faces.launch(
                each_entry(faces),
                &[
                    value("layout", layout),
                    value("fluid", fluid),
                    value("units", &units),
                    value("count", &count),
                    self.faces.input("faces"),
                    fields.u.input("u"),
                    fields.face_velocity.output("face_velocity"),
                    self.leaks.output("leaks"),
                ],
            )?;
        }
        // Other ranks wait for this one's part, whether it has faces or not.
        self.add_up()?;
        if faces == 0 {
            return Ok(());
        }
        let (ranks, all) = self.all_leaks();
        kernels.close_bodies.launch(
            each_entry(faces),
            &[
                value("layout", layout),
                value("units", &units),
                value("ranks", &ranks),
                value("bodies", &of_bodies),
                value("count", &count),
                self.faces.input("faces"),
                self.spread.input("spread"),
                all.input("all"),
                fields.face_velocity.output("face_velocity"),
            ],
        )
    }

    /// Brings the leaks of all ranks together.
    fn add_up(&mut self) -> Result<()> {
        match &mut self.over_ranks {
            OverRanks::Alone => Ok(()),
            OverRanks::OnDevices { gather, all } => gather.gather(&mut self.leaks, all),
            OverRanks::ByHost => {
                let mut leaks = self.leaks.to_vec()?;
                // Message for message as ranks on processors.
                for parts in leaks.chunks_exact_mut(2) {
                    let mine = (i128::from(parts[1]) << 32) + i128::from(parts[0]);
                    let sum = self.ranks.sum_exact(mine)?;
                    (parts[0], parts[1]) = ((sum & 0xffff_ffff) as i64, (sum >> 32) as i64);
                }
                self.leaks.write(&leaks)
            }
        }
    }

    /// The leaks of all ranks, in so many parts.
    fn all_leaks(&self) -> (i32, &Buffer<i64>) {
        match &self.over_ranks {
            OverRanks::OnDevices { all, .. } => (self.ranks.size() as i32, all),
            OverRanks::Alone | OverRanks::ByHost => (1, &self.leaks),
        }
    }
}
