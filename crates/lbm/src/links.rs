//! What must be done between two steps where populations do not simply cross to the next cell; lists
//! of places, made once. Walls at rest where the box ends need nothing: see [`crate::layout`].

mod special;

use vortice_core::{Boundaries, Error, Result, Subdomain, share_each};

use crate::boundary::{Link, Patch, Site, next};
use crate::lattice::{Lattice, opposite};
use crate::layout::Layout;
use crate::options::{Interpolation, NAME};
use crate::settings::Settings;

pub(crate) use special::special_cells;

/// Cells whose links a thread finds together.
const TOGETHER: usize = 1 << 11;

/// The lists of one subdomain.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Place, and what is added there: moving walls and inflows; eq. (L13).
    pub(crate) additions: Vec<(usize, f64)>,
    /// Those that change with time: number of the addition, number of what leaves, and what it meets.
    pub(crate) changing: Vec<(usize, usize, Vec<Patch>)>,
    /// Two places whose values change places: solid boxes and mirrors; eq. (L14).
    pub(crate) swaps: Vec<[usize; 2]>,
    /// Links that bodies meet at places of their own; eq. (L14b).
    pub(crate) bodies: Vec<BodyLink>,
    /// The place of the population at rest of each cell that they begin in, and how many begin there; eq. (L14c).
    pub(crate) beside_bodies: Vec<(usize, u32)>,
    /// Cells before an outlet; eq. (L15).
    pub(crate) outlets: Vec<Outlet>,
    /// Places whose values change places with those of another rank: direction, side, order in the
    /// message, place.
    pub(crate) shared: Vec<Shared>,
    /// Whether a partner at a mirror or an outlet is across two directions that ranks share, which is
    /// not done.
    pub(crate) out_of_reach: bool,
}

/// A link from a cell of the flow that a body meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyLink {
    /// In steps of parity 0: what leaves the cell towards the wall, what it finds there in the next step, what flies
    /// towards it from behind, what leaves it away from the wall. In steps of parity 1 each two change places.
    pub(crate) places: [usize; 4],
    pub(crate) weights: Weights,
}

/// What comes back from a body of the populations at hand; eq. (L14b).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// Of what left towards the wall, of what flies towards the cell from behind, of what left it away from the wall.
    pub(crate) of: [f64; 3],
    pub(crate) add: f64,
}

impl Interpolation {
    /// What comes back from a wall this share of the link along `q` away, of this velocity in cells per step; eq. (L14b).
    pub(crate) fn weights<const Q: usize>(
        self,
        q: usize,
        share: f64,
        velocity: [f64; 3],
    ) -> Weights {
        let add = addition::<Q>(q, velocity);
        match self {
            Self::Linear if share < 0.5 => {
                Weights { of: [2.0 * share, 1.0 - 2.0 * share, 0.0], add }
            }
            Self::Linear => {
                let first = 0.5 / share;
                Weights { of: [first, 0.0, 1.0 - first], add: first * add }
            }
            Self::Central => {
                let twice = 1.0 + 2.0 * share;
                let slope = (2.0 - twice) / twice;
                Weights { of: [1.0, slope, -slope], add: 2.0 / twice * add }
            }
        }
    }
}

impl Weights {
    /// Whether the same comes back that left: at a wall at rest halfway.
    pub(crate) fn are_plain(&self) -> bool {
        self.of == [1.0, 0.0, 0.0] && self.add == 0.0
    }
}

/// A cell before an outlet.
#[derive(Clone, Debug)]
pub(crate) struct Outlet {
    /// Own cell.
    pub(crate) cell: [isize; 3],
    /// The direction across the outlet.
    pub(crate) direction: usize,
    /// -1 or 1: outward.
    pub(crate) outward: i8,
    /// What meets the outlet, by number.
    pub(crate) answers: Vec<Answer>,
    /// Where all populations leave, in steps of parity 0 and 1.
    pub(crate) leaving: [Vec<usize>; 2],
}

/// What comes back instead of a population that meets an outlet; eq. (L15).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answer {
    /// The number of what leaves.
    pub(crate) q: usize,
    /// The number of what leaves straight through the outlet, or `q` if nothing leaves alike.
    pub(crate) straight: usize,
    /// The place of what leaves as this comes back, in steps of parity 0 and 1.
    pub(crate) like: [usize; 2],
}

/// One end of a mirrored link whose other end belongs to another rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shared {
    pub(crate) direction: usize,
    pub(crate) side: usize,
    /// The same at both ends.
    pub(crate) order: [([isize; 3], usize); 2],
    pub(crate) place: usize,
    /// Beyond all populations: what the other rank sends waits here until outlets have seen what left.
    pub(crate) arrives: usize,
}

/// What a wall's velocity adds to the population that comes back instead of one that leaves along
/// `q`; eq. (L13).
pub(crate) fn addition<const Q: usize>(q: usize, velocity: [f64; 3]) -> f64 {
    let c = Lattice::<Q>::C[q];
    let cu: f64 = (0..3).map(|d| f64::from(c[d]) * velocity[d]).sum();
    -6.0 * Lattice::<Q>::W[q] * cu
}

/// The velocity's number.
pub(crate) fn number<const Q: usize>(c: [i8; 3]) -> usize {
    (0..Q).find(|&q| Lattice::<Q>::C[q] == c).expect("a lattice has the mirror image of a velocity")
}

impl Links {
    /// The lists of a part of the lattice, by the threads of the pool that this is called in.
    pub(crate) fn new<const Q: usize>(
        settings: &Settings,
        site: &Site<'_>,
        layout: &Layout,
        part: &Subdomain,
    ) -> Self {
        let cells = special_cells(settings, part);
        let some = cells.chunks(TOGETHER).map(|cells| (cells, Self::default()));
        let some = share_each(some, 1, |_, (cells, links)| {
            for &cell in &**cells {
                let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
                if !site.surfaces.is_solid(global) {
                    links.add_cell::<Q>(site, layout, part, cell, global);
                }
            }
        });
        let mut links = Self::default();
        some.into_iter().for_each(|(_, some)| links.append(some));
        links.shared.sort();
        for (number, shared) in links.shared.iter_mut().enumerate() {
            shared.arrives = layout.len(Q) + number;
            links.swaps.push([shared.place, shared.arrives]);
        }
        links
    }

    /// Adds the lists of other cells behind these.
    fn append(&mut self, mut other: Self) {
        let before = self.additions.len();
        let changing = other.changing.into_iter();
        self.changing.extend(changing.map(|(number, q, patches)| (before + number, q, patches)));
        self.additions.append(&mut other.additions);
        self.swaps.append(&mut other.swaps);
        self.bodies.append(&mut other.bodies);
        self.beside_bodies.append(&mut other.beside_bodies);
        self.outlets.append(&mut other.outlets);
        self.shared.append(&mut other.shared);
        self.out_of_reach |= other.out_of_reach;
    }

    /// Places of all populations of a lattice with `velocities`, and of what waits to change places with one.
    pub(crate) fn places(&self, layout: &Layout, velocities: usize) -> usize {
        layout.len(velocities) + self.shared.len()
    }

    /// The additions with the velocities that the boundaries have at their time.
    ///
    /// # Errors
    /// If one is no number.
    pub(crate) fn follow<const Q: usize>(&mut self, boundaries: &Boundaries) -> Result<()> {
        for (number, q, patches) in &self.changing {
            self.additions[*number].1 = addition::<Q>(*q, Patch::sum(patches, boundaries)?);
        }
        Ok(())
    }

    fn add_cell<const Q: usize>(
        &mut self,
        site: &Site<'_>,
        layout: &Layout,
        part: &Subdomain,
        cell: [isize; 3],
        global: [isize; 3],
    ) {
        let mut outlet: Option<Outlet> = None;
        let before = self.bodies.len();
        for q in 1..Q {
            let c = Lattice::<Q>::C[q];
            let place = || layout.leaving::<Q>(0, cell, q);
            let (link, patches) = site.changing_link(global, c);
            match link {
                Link::Open => {}
                Link::Wall(velocity) if site.leaves(global, c) => {
                    let add = addition::<Q>(q, velocity);
                    if !patches.is_empty() {
                        self.changing.push((self.additions.len(), q, patches));
                        self.additions.push((place(), add));
                    } else if add != 0.0 {
                        self.additions.push((place(), add));
                    }
                }
                // Between two cells of the flow, at the edge of a solid, a link is met from both.
                Link::Wall(_) if q % 2 == 0 && flows_and_is_own(site, layout, cell, global, c) => {}
                Link::Wall(_) => self.swaps.push(both_slots::<Q>(layout, cell, q)),
                Link::Body { share, velocity } => {
                    let weights = site.settings.interpolation.weights::<Q>(q, share, velocity);
                    if weights.are_plain() {
                        self.swaps.push(both_slots::<Q>(layout, cell, q));
                        continue;
                    }
                    let leaving = |parity, q| layout.leaving::<Q>(parity, cell, q);
                    let back = opposite(q);
                    let places = [leaving(0, q), leaving(1, q), leaving(1, back), leaving(0, back)];
                    self.bodies.push(BodyLink { places, weights });
                }
                Link::Outlet { direction, outward, like } => {
                    let straight = straight::<Q>(direction, outward, like.map_or(c, |_| [0; 3]));
                    let like = like.map(|(from, along)| {
                        let local = |d| from[d] - part.offset()[d] as isize;
                        like_at::<Q>(layout, std::array::from_fn(local), along)
                    });
                    self.out_of_reach |= like == Some(None);
                    let like = like.flatten().unwrap_or([0; 2]);
                    let new = || Outlet {
                        cell,
                        direction,
                        outward,
                        answers: Vec::new(),
                        leaving: [0, 1].map(|parity| {
                            (0..Q).map(|q| layout.leaving::<Q>(parity, cell, q)).collect()
                        }),
                    };
                    let answer = Answer { q, straight, like };
                    outlet.get_or_insert_with(new).answers.push(answer);
                }
                Link::Mirror { to, c: after } => {
                    // What leaves here along q arrives there along `after`, and what leaves there
                    // along its opposite arrives here.
                    let partner = opposite(number::<Q>(after));
                    self.add_mirror::<Q>(layout, part, [(global, q), (to, partner)], cell);
                }
            }
        }
        self.outlets.extend(outlet);
        let count = self.bodies.len() - before;
        if count > 0 {
            self.beside_bodies.push((layout.leaving::<Q>(0, cell, 0), count as u32));
        }
    }

    /// Two ends of links at mirrors: this rank's own, and its partner.
    fn add_mirror<const Q: usize>(
        &mut self,
        layout: &Layout,
        part: &Subdomain,
        [here, there]: [([isize; 3], usize); 2],
        cell: [isize; 3],
    ) {
        let place = layout.leaving::<Q>(0, cell, here.1);
        let local: [isize; 3] = std::array::from_fn(|d| there.0[d] - part.offset()[d] as isize);
        let outside: Vec<usize> =
            (0..3).filter(|&d| !layout.shape.own(d).contains(&local[d])).collect();
        match outside[..] {
            [] if here < there => {
                self.swaps.push([place, layout.leaving::<Q>(0, local, there.1)]);
            }
            [] => {}
            [direction] => {
                // Which side it is across follows from the way, not from the partner's number: that
                // may lie at the other end of a periodic direction.
                let side = usize::from(Lattice::<Q>::C[here.1][direction] > 0);
                let mut order = [here, there];
                order.sort();
                self.shared.push(Shared { direction, side, order, place, arrives: 0 });
            }
            _ => self.out_of_reach = true,
        }
    }
}

/// The number of the velocity straight through an outlet, or that of `instead` if it is not zero.
pub(crate) fn straight<const Q: usize>(direction: usize, outward: i8, instead: [i8; 3]) -> usize {
    let through = std::array::from_fn(|d| if d == direction { outward } else { 0 });
    number::<Q>(if instead == [0; 3] { through } else { instead })
}

/// Where what leaves a cell along a velocity lies in steps of parity 0 and 1 once ranks have exchanged
/// what crosses; nothing if it goes from one other rank to another.
fn like_at<const Q: usize>(
    layout: &Layout,
    from: [isize; 3],
    along: [i8; 3],
) -> Option<[usize; 2]> {
    let is_own = |cell: [isize; 3]| {
        (0..3).all(|d| layout.shape.halo[d] == 0 || layout.shape.own(d).contains(&cell[d]))
    };
    let (q, to) = (number::<Q>(along), next(from, along));
    if is_own(to) {
        Some([0, 1].map(|parity| layout.arriving::<Q>(1 - parity, to, q)))
    } else if is_own(from) {
        Some([0, 1].map(|parity| layout.leaving::<Q>(parity, from, q)))
    } else {
        None
    }
}

/// Whether the next cell along `c` lies in the flow and belongs to this rank.
pub(crate) fn flows_and_is_own(
    site: &Site<'_>,
    layout: &Layout,
    cell: [isize; 3],
    global: [isize; 3],
    c: [i8; 3],
) -> bool {
    let there = next(cell, c);
    let is_own = |d| layout.shape.halo[d] == 0 || layout.shape.own(d).contains(&there[d]);
    !site.surfaces.is_solid(next(global, c)) && (0..3).all(is_own)
}

/// The two slots of the link that an own cell has along `q`.
fn both_slots<const Q: usize>(layout: &Layout, cell: [isize; 3], q: usize) -> [usize; 2] {
    let upper = if q % 2 == 1 { next(cell, Lattice::<Q>::C[q]) } else { cell };
    let p = (q - 1) / 2;
    [2 * p + 1, 2 * p + 2].map(|slot| slot * layout.slot + layout.shared::<Q>(upper, p))
}

/// Refuses mirrors and outlets whose partners are farther than a face away.
pub(crate) fn within_reach(links: &Links) -> Result<()> {
    if !links.out_of_reach {
        return Ok(());
    }
    Err(Error::Unsupported {
        method: NAME,
        key: "lbm.lattice".into(),
        problem: "has diagonal populations at a symmetry face or an outlet that two cuts between \
                  ranks meet"
            .into(),
        remedy: "set lbm.lattice = \"d3q19\", or cut the grid along one direction with --ranks"
            .into(),
    })
}
