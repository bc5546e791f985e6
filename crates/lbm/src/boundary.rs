//! What core's surface means in the numbers of this method: what becomes of a population that leaves a
//! cell, link by link.

use vortice_core::{Boundaries, Boundary, Condition, Result, Side, Surface, Surfaces};

use crate::settings::Settings;

/// Where a link ends, for the population that leaves a cell along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Link {
    /// In the next cell.
    Open,
    /// At a wall or inflow half a cell away: it comes back; eq. (L13). The velocity there is in
    /// cells per step.
    Wall([f64; 3]),
    /// At a body, this share of the link away: it comes back; eq. (L14b). The velocity there is in cells per step.
    Body {
        /// Above 0 and at most 1.
        share: f64,
        /// Of its surface.
        velocity: [f64; 3],
    },
    /// At a mirror: it goes on in the cell `to` along `c`; eq. (L14).
    Mirror {
        /// Global cell.
        to: [isize; 3],
        /// Velocity.
        c: [i8; 3],
    },
    /// At an outlet across a direction: what comes back depends on the flow before it; eq. (L15).
    Outlet {
        /// The direction across the outlet.
        direction: usize,
        /// -1 or 1: outward.
        outward: i8,
        /// The global cell beside this one and the velocity of the population that leaves it as what comes
        /// back would, did the flow not change across the outlet; nothing if it cannot.
        like: Option<([isize; 3], [i8; 3])>,
    },
}

/// A part of a face whose velocity a link meets, and that changes with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    direction: usize,
    side: Side,
    /// Corners in m.
    low: [f64; 3],
    high: [f64; 3],
    /// What counts of its velocity, by component, in steps per cell.
    factors: [f64; 3],
}

impl Patch {
    /// What the patches give a link together, in cells per step.
    ///
    /// # Errors
    /// If a velocity is no number.
    pub(crate) fn sum(patches: &[Self], boundaries: &Boundaries) -> Result<[f64; 3]> {
        let mut sum = [0.0; 3];
        for patch in patches {
            let face = boundaries.at(patch.direction, patch.side);
            let velocity = face.velocity(patch.low, patch.high).unwrap_or([0.0; 3]);
            face.check(velocity, patch.low, patch.high)?;
            (0..3).for_each(|d| sum[d] += patch.factors[d] * velocity[d]);
        }
        Ok(sum)
    }
}

/// The whole lattice.
pub(crate) struct Site<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) surfaces: Surfaces<'a>,
}

/// A velocity with some components only.
fn part(c: [i8; 3], keep: impl Fn(usize) -> bool) -> [i8; 3] {
    std::array::from_fn(|d| if keep(d) { c[d] } else { 0 })
}

/// Whether what meets a boundary needs something done: at a wall at rest it comes back as it left.
pub(crate) fn acts(face: &Boundary) -> bool {
    face.condition().is_some() && face.largest_velocity() != Some([0.0; 3])
}

/// The cell that a population with velocity `c` comes to.
pub(crate) fn next(cell: [isize; 3], c: [i8; 3]) -> [isize; 3] {
    std::array::from_fn(|d| cell[d] + isize::from(c[d]))
}

impl<'a> Site<'a> {
    /// The site of a case on its lattice.
    pub(crate) fn new(settings: &'a Settings) -> Self {
        Self { settings, surfaces: Surfaces::new(&settings.case) }
    }

    /// Whether a population that leaves a global cell along `c` leaves the box.
    pub(crate) fn leaves(&self, cell: [isize; 3], c: [i8; 3]) -> bool {
        !self.surfaces.is_inside(next(cell, c))
    }

    fn crosses(&self, cell: [isize; 3], c: [i8; 3], d: usize) -> bool {
        self.surfaces.is_beyond(next(cell, c), d)
    }

    /// What becomes of the population that leaves a global cell of the flow along `c`.
    ///
    /// Where several faces meet, inflows give what is theirs; else walls win over outlets, and outlets
    /// over mirrors; of two walls the slower one.
    pub(crate) fn link(&self, cell: [isize; 3], c: [i8; 3]) -> Link {
        self.link_of(cell, c, &mut |_, _| {})
    }

    /// The same, and what the link meets that changes with time.
    pub(crate) fn changing_link(&self, cell: [isize; 3], c: [i8; 3]) -> (Link, Vec<Patch>) {
        if !self.settings.case.boundaries.change() {
            return (self.link(cell, c), Vec::new());
        }
        let mut patches = Vec::new();
        let link = self.link_of(cell, c, &mut |direction, normal_alone| {
            patches.extend(self.patches(direction, cell, c, normal_alone));
        });
        let changes = patches.iter().any(|patch| self.face(c, patch.direction).changes());
        (link, if changes { patches } else { Vec::new() })
    }

    /// The same; `given` is told each face whose velocity counts, and whether only the normal part of it does.
    fn link_of(&self, cell: [isize; 3], c: [i8; 3], given: &mut dyn FnMut(usize, bool)) -> Link {
        let crossed = |d: usize| self.crosses(cell, c, d);
        // Beside the face, if one is crossed; else the next cell.
        let beside = next(cell, part(c, |d| !crossed(d)));
        let faces = (0..3).filter(|&d| crossed(d)).map(|d| (d, self.face(c, d)));
        if faces.clone().any(|(_, face)| face.is_inflow())
            && (faces.clone().count() > 1 || self.surfaces.is_solid(beside))
        {
            (0..3).filter(|&d| crossed(d)).for_each(|d| given(d, true));
            return Link::Wall(self.entering(cell, c));
        }
        if faces.clone().count() == 0
            && let Some(body) = self.body(cell, c)
        {
            return body;
        }
        if self.surfaces.is_solid(beside) {
            return Link::Wall([0.0; 3]);
        }
        let rank = |boundary: &Boundary| match boundary.condition() {
            Some(Condition::Velocity) => 0,
            Some(Condition::Pressure(_) | Condition::Convective) => 1,
            Some(Condition::Mirror) | None => 2,
        };
        let first = faces.min_by(|(_, one), (_, other)| {
            rank(one).cmp(&rank(other)).then(one.speed().total_cmp(&other.speed()))
        });
        let Some((direction, face)) = first else {
            return if self.grazes(cell, c) { Link::Wall([0.0; 3]) } else { Link::Open };
        };
        match face.condition() {
            Some(Condition::Velocity) => {
                given(direction, false);
                Link::Wall(self.velocity(direction, cell, c))
            }
            Some(Condition::Pressure(_) | Condition::Convective) => {
                let like = self.like_from_outlet(direction, cell, c);
                Link::Outlet { direction, outward: c[direction], like }
            }
            Some(Condition::Mirror) | None if beside == cell => Link::Wall([0.0; 3]),
            Some(Condition::Mirror) | None => Link::Mirror {
                to: self.surfaces.wrapped(beside),
                c: std::array::from_fn(|d| if crossed(d) { -c[d] } else { c[d] }),
            },
        }
    }

    /// The surface at which what leaves a global cell of the flow along `c` comes back, as [`Self::link`] has it; none of
    /// an inflow or a mirror.
    pub(crate) fn surface(&self, cell: [isize; 3], c: [i8; 3]) -> Option<Surface> {
        let faces: Vec<_> = (0..3).filter(|&d| self.crosses(cell, c, d)).collect();
        if faces.iter().any(|&d| self.face(c, d).is_inflow()) {
            return None;
        }
        if faces.is_empty() {
            let body = self.surfaces.body_wall(cell, next(cell, c));
            let grazed = || {
                let by = (1..8).map(|kept: u8| next(cell, part(c, |d| kept >> d & 1 == 1)));
                by.filter_map(|cell| self.surfaces.surface_at(cell)).next()
            };
            return body.map(|wall| Surface::Body(wall.body)).or_else(grazed);
        }
        let beside = next(cell, part(c, |d| !faces.contains(&d)));
        self.surfaces.surface_at(beside).or_else(|| {
            let walls = faces.into_iter().filter(|&d| self.face(c, d).is_wall());
            let speed = |d: usize| self.face(c, d).speed();
            let slowest = walls.min_by(|&one, &other| speed(one).total_cmp(&speed(other)))?;
            Some(Surface::Face(slowest, if c[slowest] < 0 { Side::Low } else { Side::High }))
        })
    }

    /// Where a link within the box meets a body, if it does.
    fn body(&self, cell: [isize; 3], c: [i8; 3]) -> Option<Link> {
        let wall = self.surfaces.body_wall(cell, next(cell, c))?;
        if !self.surfaces.is_solid(next(cell, c)) {
            // A plate between two cells of the flow, whose populations change places.
            return Some(Link::Wall([0.0; 3]));
        }
        let velocity = wall.velocity.map(|u| u / self.settings.velocity_unit());
        // What flies towards the cell from behind must have come from the flow.
        let has_behind = self.is_open(cell, c.map(|c| -c));
        Some(Link::Body { share: if has_behind { wall.share } else { 0.5 }, velocity })
    }

    /// Whether what leaves a cell of the flow along `c` arrives in the next.
    fn is_open(&self, cell: [isize; 3], c: [i8; 3]) -> bool {
        let there = next(cell, c);
        self.surfaces.is_inside(there)
            && !self.surfaces.is_solid(there)
            && self.surfaces.body_wall(cell, there).is_none()
            && !self.grazes(cell, c)
    }

    /// Which population leaves which cell as what comes back from an outlet across `direction` instead
    /// of what leaves `cell` along `c`.
    fn like_from_outlet(
        &self,
        direction: usize,
        cell: [isize; 3],
        c: [i8; 3],
    ) -> Option<([isize; 3], [i8; 3])> {
        if self.settings.carry == 0.0
            && !self.settings.lattice().lets_shear_out(self.settings.collision)
        {
            return None;
        }
        let beyond = |d: usize| d == direction || self.crosses(cell, c, d);
        let beside = next(cell, part(c, |d| !beyond(d)));
        // Beyond a mirror the flow is mirrored, beyond another outlet it does not change either.
        let is_mirror = |d: usize| self.face(c, d).condition() == Some(Condition::Mirror);
        let mirrored = |d: usize| d != direction && beyond(d) && is_mirror(d);
        let along = std::array::from_fn(|d| if mirrored(d) { c[d] } else { -c[d] });
        (c != part(c, |d| d == direction) && !self.leaves(beside, along)).then_some((beside, along))
    }

    /// Whether a link between two cells of the flow touches the edge of a solid box on its way: what
    /// slipped through there would round the edge off.
    fn grazes(&self, cell: [isize; 3], c: [i8; 3]) -> bool {
        let passed = |kept: u8| part(c, |d| kept >> d & 1 == 1);
        !self.surfaces.has_no_solids()
            && (1..7).map(passed).any(|by| by != c && self.surfaces.is_in_box(next(cell, by)))
    }

    /// The boundary across a direction that `c` crosses.
    fn face(&self, c: [i8; 3], d: usize) -> &'a Boundary {
        let side = if c[d] < 0 { Side::Low } else { Side::High };
        self.settings.case.boundaries.at(d, side)
    }

    /// What the inflows that a link crosses give it: each its own normal velocity, in cells per step;
    /// eq. (L13b).
    fn entering(&self, cell: [isize; 3], c: [i8; 3]) -> [f64; 3] {
        std::array::from_fn(|d| match self.crosses(cell, c, d) {
            true => self.velocity(d, cell, c)[d],
            false => 0.0,
        })
    }

    /// Velocity that the boundary across `d` prescribes where a link crosses it, in cells per step: the
    /// mean over that part of a cell's width around the crossing that lies on the face before cells
    /// of the flow.
    fn velocity(&self, d: usize, cell: [isize; 3], c: [i8; 3]) -> [f64; 3] {
        let before = self.before(d, cell, c);
        let mut sum = [0.0; 3];
        for &shift in &before {
            let [low, high] = self.share(d, self.surfaces.wrapped(next(cell, shift)), c, shift);
            let velocity = self.face(c, d).velocity(low, high).unwrap_or([0.0; 3]);
            (0..3).for_each(|e| sum[e] += velocity[e]);
        }
        let count = before.len() as f64;
        sum.map(|u| u / count / self.settings.velocity_unit())
    }

    /// The parts of the face whose mean that velocity is, or only of its normal component.
    fn patches(
        &self,
        d: usize,
        cell: [isize; 3],
        c: [i8; 3],
        normal_alone: bool,
    ) -> impl Iterator<Item = Patch> {
        let before = self.before(d, cell, c);
        let factor = 1.0 / (before.len() as f64 * self.settings.velocity_unit());
        let counts = move |e: usize| !normal_alone || e == d;
        let side = if c[d] < 0 { Side::Low } else { Side::High };
        before.into_iter().map(move |shift| {
            let [low, high] = self.share(d, self.surfaces.wrapped(next(cell, shift)), c, shift);
            let factors = std::array::from_fn(|e| if counts(e) { factor } else { 0.0 });
            Patch { direction: d, side, low, high, factors }
        })
    }

    /// How far from a cell those lie before which a link crosses the face across `d`.
    fn before(&self, d: usize, cell: [isize; 3], c: [i8; 3]) -> Vec<[i8; 3]> {
        // Where the link crosses two cells' edge half of the width lies before either, and so on.
        let shares = |kept: u8| part(c, |e| e != d && kept >> e & 1 == 1);
        let mut before: Vec<[i8; 3]> = (0..8).map(shares).collect();
        before.sort_unstable();
        before.dedup();
        before.retain(|&shift| {
            let there = next(cell, shift);
            !self.leaves(cell, shift) && !self.surfaces.is_solid(there)
        });
        before
    }

    /// The part before the cell `there` of the face across `d` that lies around the crossing of a link
    /// along `c`, if `there` is so far from where the link comes from: two corners in m.
    fn share(&self, d: usize, there: [isize; 3], c: [i8; 3], shift: [i8; 3]) -> [[f64; 3]; 2] {
        let grid = &self.settings.case.grid;
        let edge = |e: usize, side: f64| grid.axes[e].centre(there[e]) + side * grid.spacing()[e];
        // Of a width that the link crosses the end, its own cell has the half towards it.
        let half = |e: usize| f64::from(c[e] - 2 * shift[e]) * 0.5;
        let corner = |end: f64| {
            std::array::from_fn(|e| match (e == d, c[e]) {
                (true, _) => edge(e, 0.5 * f64::from(c[e])),
                (false, 0) => edge(e, end),
                (false, _) if half(e) * end > 0.0 => edge(e, half(e)),
                (false, _) => edge(e, 0.0),
            })
        };
        [corner(-0.5), corner(0.5)]
    }
}

#[cfg(test)]
mod tests;
