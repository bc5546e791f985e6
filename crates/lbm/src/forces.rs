//! The forces on bodies: the momentum that populations leave with a wall which they meet; eq. (L14d).

use vortice_core::{BodyForce, Communicator, ForceSums, Result, Subdomain};

use crate::boundary::{Link, Site, next};
use crate::lattice::{Lattice, opposite};
use crate::layout::Layout;
use crate::links::{Weights, special_cells};
use crate::settings::Settings;

/// A link from an own cell of the flow that a body meets.
pub(crate) struct ForceLink {
    pub(crate) cell: [isize; 3],
    /// Number of what leaves the cell towards the wall.
    pub(crate) q: usize,
    pub(crate) partner: Partner,
    body: usize,
    weights: Weights,
    /// In cells per step.
    wall_velocity: [f64; 3],
    /// Where the wall is met, in m.
    point: [f64; 3],
}

/// What comes back is made of what left towards the wall and of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// What flies towards the cell from behind.
    Behind,
    /// What left the cell away from the wall.
    Away,
}

/// The links of one subdomain that bodies meet.
pub(crate) struct ForceLinks {
    pub(crate) links: Vec<ForceLink>,
}

impl ForceLinks {
    /// Those of a part of the lattice.
    pub(crate) fn new<const Q: usize>(settings: &Settings, part: &Subdomain) -> Self {
        let (site, case) = (Site::new(settings), &settings.case);
        let mut links = Vec::new();
        if case.bodies.is_empty() {
            return Self { links };
        }
        for cell in special_cells(settings, part) {
            let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
            if site.surfaces.is_solid(global) {
                continue;
            }
            for q in 1..Q {
                let c = Lattice::<Q>::C[q];
                let wall = || site.surfaces.body_wall(global, next(global, c));
                let (share, velocity) = match site.link(global, c) {
                    Link::Body { share, velocity } => (share, velocity),
                    Link::Wall(velocity) if !site.leaves(global, c) => (0.5, velocity),
                    _ => continue,
                };
                let Some(wall) = wall() else { continue };
                let weights = Weights::new::<Q>(q, share, velocity);
                let centre = case.grid.centre(global);
                let partner = if weights.of[2] == 0.0 { Partner::Behind } else { Partner::Away };
                links.push(ForceLink {
                    cell,
                    q,
                    partner,
                    body: wall.body,
                    weights,
                    wall_velocity: velocity,
                    point: std::array::from_fn(|d| {
                        centre[d] + share * f64::from(c[d]) * settings.spacing
                    }),
                });
            }
        }
        Self { links }
    }

    /// The forces of all ranks on the case's bodies, from what comes back to the cell and from its partner, for each link;
    /// numbers of populations are rounded to `rounding`. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn forces<const Q: usize>(
        &self,
        settings: &Settings,
        populations: impl Iterator<Item = [f64; 2]>,
        rounding: f64,
        ranks: &dyn Communicator,
    ) -> Result<Vec<BodyForce>> {
        let (case, h) = (&settings.case, settings.spacing);
        let area = if case.grid.is_plane() { h } else { h * h };
        let unit = case.density * settings.velocity_unit().powi(2) * area;
        let mut sums = ForceSums::new(case);
        for (link, [back, partner]) in self.links.iter().zip(populations) {
            let towards = link.towards(back, partner, rounding);
            let c = Lattice::<Q>::C[link.q];
            let force = std::array::from_fn(|d| {
                let stopped = f64::from(c[d]) * (towards + back);
                unit * (stopped - link.wall_velocity[d] * (towards - back))
            });
            sums.add(link.body, force, link.point);
        }
        sums.of_all(ranks)
    }
}

impl ForceLink {
    /// What left the cell towards the wall, from what comes back: the reverse of eq. (L14b). A share of it that rounding
    /// would hide counts as a larger one.
    fn towards(&self, back: f64, partner: f64, rounding: f64) -> f64 {
        let Weights { of, add } = self.weights;
        if of[0] == 1.0 {
            back - add
        } else {
            partner + (back - partner - add) / of[0].max(rounding.sqrt())
        }
    }

    /// Number of what comes back.
    pub(crate) fn back(&self) -> usize {
        opposite(self.q)
    }

    /// Places of what comes back and of its partner, before a step of this parity.
    pub(crate) fn places<const Q: usize>(&self, layout: &Layout, parity: usize) -> [usize; 2] {
        let partner = match self.partner {
            Partner::Behind => layout.arriving::<Q>(parity, self.cell, self.q),
            Partner::Away => layout.leaving::<Q>(1 - parity, self.cell, self.back()),
        };
        [layout.arriving::<Q>(parity, self.cell, self.back()), partner]
    }
}
