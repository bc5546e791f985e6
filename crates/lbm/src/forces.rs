//! The forces on bodies, solid boxes and walls: the momentum that populations leave with a wall which they meet; eq. (L14d).

use vortice_core::{
    Communicator, ForceSums, Result, Subdomain, Surface, SurfaceForce, SurfaceParts, arm,
    parts_near_surfaces,
};

use crate::boundary::{Link, Site};
use crate::lattice::{Lattice, opposite};
use crate::layout::Layout;
use crate::settings::Settings;

vortice_gpu::mirrored! {
    /// A link from an own cell of the flow that a surface meets, in `force_on_bodies.cu`.
    pub(crate) struct ForceLink {
        /// Place of what comes back, before steps of parity 0 and 1.
        back: [i64; 2],
        /// Place of the other population that it is made of.
        partner: [i64; 2],
        /// Place of a third.
        third: [i64; 2],
        /// Share of it that is what left towards the wall. One that rounding would hide counts as a larger one.
        of_towards: f64,
        /// Share of it that is the third.
        of_third: f64,
        /// What the wall's velocity adds.
        add: f64,
        /// The lattice's velocity towards the wall.
        c: [f64; 3],
        /// Of the torque in m.
        arm: [f64; 2],
    }
}

/// Where the populations lie that a link's force is made of, before steps of each parity: what comes back to the cell, what
/// flies towards it from behind, what left it away from the wall.
pub(crate) type Places = [[i64; 2]; 3];

/// The links of one subdomain that surfaces meet; numbers of populations are rounded to `rounding`, those of a link along a
/// velocity lie in `places`.
pub(crate) fn force_links<const Q: usize>(
    settings: &Settings,
    part: &Subdomain,
    rounding: f64,
    places: impl Fn([isize; 3], usize) -> Places + Sync,
) -> SurfaceParts<ForceLink> {
    let (site, case) = (Site::new(settings), &settings.case);
    let wetted = Surface::wetted(case);
    parts_near_surfaces(case, part, 1, |cell, links| {
        let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
        if site.surfaces.is_solid(global) {
            return;
        }
        for q in 1..Q {
            let c = Lattice::<Q>::C[q];
            let (share, velocity) = match site.link(global, c) {
                Link::Body { share, velocity } => (share, velocity),
                Link::Wall(velocity) => (0.5, velocity),
                Link::Open | Link::Mirror { .. } | Link::Outlet { .. } => continue,
            };
            let Some(surface) = site.surface(global, c) else { continue };
            let Some(number) = wetted.iter().position(|one| *one == surface) else { continue };
            let weights = settings.interpolation.weights::<Q>(q, share, velocity);
            let (centre, c) = (case.grid.centre(global), c.map(f64::from));
            let point = std::array::from_fn(|d| centre[d] + share * c[d] * settings.spacing);
            let [back, behind, away] = places(cell, q);
            let [_, of_behind, of_away] = weights.of;
            let (partner, third, of_third) =
                if of_away == 0.0 { (behind, away, of_away) } else { (away, behind, of_behind) };
            links.push((
                number,
                ForceLink {
                    back,
                    partner,
                    third,
                    of_towards: weights.of[0].max(rounding.sqrt()),
                    of_third,
                    add: weights.add,
                    c,
                    arm: arm(case, surface, point),
                },
            ));
        }
    })
}

/// Those of a link in a lattice whose steps are done in place.
pub(crate) fn places<const Q: usize>(layout: &Layout, cell: [isize; 3], q: usize) -> Places {
    let back = opposite(q);
    let arriving = |q| [0, 1].map(|parity| layout.arriving::<Q>(parity, cell, q) as i64);
    let away = [1, 0].map(|parity| layout.leaving::<Q>(parity, cell, back) as i64);
    [arriving(back), arriving(q), away]
}

/// N (of a plane flow N/m) of a population that is one.
pub(crate) fn force_unit(settings: &Settings) -> f64 {
    let (case, h) = (&settings.case, settings.spacing);
    let area = if case.grid.is_plane() { h } else { h * h };
    case.density * settings.velocity_unit().powi(2) * area
}

/// The forces of all ranks on the case's surfaces before a step of this parity, `population` at a place. Collective.
///
/// # Errors
/// If a rank has stopped.
pub(crate) fn forces(
    settings: &Settings,
    links: &SurfaceParts<ForceLink>,
    parity: usize,
    population: impl Fn(usize) -> f64,
    ranks: &dyn Communicator,
) -> Result<Vec<SurfaceForce>> {
    let unit = force_unit(settings);
    let mut sums = ForceSums::new(&settings.case);
    for (number, link) in links.iter() {
        let [back, partner, third] =
            [link.back, link.partner, link.third].map(|places| population(places[parity] as usize));
        let towards = link.towards(back, partner, third);
        let force = link.c.map(|c| unit * c * (towards + back));
        sums.add(number, force, link.arm);
    }
    sums.of_all(ranks)
}

impl ForceLink {
    /// What left the cell towards the wall, from what comes back: the reverse of eq. (L14b).
    fn towards(&self, back: f64, partner: f64, third: f64) -> f64 {
        let beyond = self.add + self.of_third * (third - partner);
        if self.of_towards == 1.0 {
            back - beyond
        } else {
            partner + (back - partner - beyond) / self.of_towards
        }
    }
}
