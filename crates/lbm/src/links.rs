//! What must be done between two steps where populations do not simply cross to the next cell; lists
//! of places, made once. Walls at rest where the box ends need nothing: see [`crate::layout`].

use std::collections::BTreeSet;

use vortice_core::{Side, Subdomain};

use crate::boundary::{Link, Site, acts, next};
use crate::lattice::{Lattice, opposite};
use crate::layout::Layout;
use crate::settings::Settings;

/// The lists of one subdomain.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Place, and what is added there: moving walls and inflows; eq. (L13).
    pub(crate) additions: Vec<(usize, f64)>,
    /// Two places whose values change places: solid boxes and mirrors; eq. (L14).
    pub(crate) swaps: Vec<[usize; 2]>,
    /// Cells before an outlet; eq. (L15).
    pub(crate) outlets: Vec<Outlet>,
    /// Places whose values change places with those of another rank: direction, side, order in the
    /// message, place.
    pub(crate) shared: Vec<Shared>,
    /// Whether a partner at a mirror or an outlet is across two directions that ranks share, which is
    /// not done.
    pub(crate) out_of_reach: bool,
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
    /// The lists of a part of the lattice.
    pub(crate) fn new<const Q: usize>(
        settings: &Settings,
        site: &Site<'_>,
        layout: &Layout,
        part: &Subdomain,
    ) -> Self {
        let mut links = Self::default();
        for cell in special_cells(settings, part) {
            let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
            if !site.surfaces.is_solid(global) {
                links.add_cell::<Q>(site, layout, part, cell, global);
            }
        }
        links.shared.sort();
        links
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
        for q in 1..Q {
            let c = Lattice::<Q>::C[q];
            let place = || layout.leaving::<Q>(0, cell, q);
            match site.link(global, c) {
                Link::Open => {}
                Link::Wall(velocity) if site.leaves(global, c) => {
                    let add = addition::<Q>(q, velocity);
                    if add != 0.0 {
                        self.additions.push((place(), add));
                    }
                }
                // Between two cells of the flow, at the edge of a solid, a link is met from both.
                Link::Wall(_) if q % 2 == 0 && flows_and_is_own(site, layout, cell, global, c) => {}
                Link::Wall(_) => self.swaps.push(both_slots::<Q>(layout, cell, q)),
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
                self.shared.push(Shared { direction, side, order, place });
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
fn flows_and_is_own(
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
    let first = (q - 1) / 2 * 2 + 1;
    [first, first + 1].map(|slot| slot * layout.slot + layout.cell(upper))
}

/// Own cells that may have something on a list: those at faces that are not walls at rest, and those
/// around solid boxes.
fn special_cells(settings: &Settings, part: &Subdomain) -> BTreeSet<[isize; 3]> {
    let case = &settings.case;
    let n = part.n().map(|n| n as isize);
    let mut cells = BTreeSet::new();
    let mut add = |low: [isize; 3], high: [isize; 3]| {
        let [x, y, z] = std::array::from_fn(|d| low[d].max(0)..high[d].min(n[d]));
        for k in z {
            for j in y.clone() {
                cells.extend(x.clone().map(|i| [i, j, k]));
            }
        }
    };
    for (d, side, face) in case.boundaries.iter() {
        let ends = part.neighbours[d][side as usize].is_none();
        if !acts(face) || !ends || (d == 2 && case.grid.is_plane()) {
            continue;
        }
        let (mut low, mut high) = ([0; 3], n);
        match side {
            Side::Low => high[d] = 1,
            Side::High => low[d] = n[d] - 1,
        }
        add(low, high);
    }
    let all = case.grid.cells().map(|n| n as isize);
    let shifts = |d: usize| -> Vec<isize> {
        if case.boundaries.periodic()[d] { vec![-all[d], 0, all[d]] } else { vec![0] }
    };
    let [x, y, z] = std::array::from_fn(shifts);
    for solid in &case.solid {
        let own = solid.cells(&case.grid);
        for shift in x.iter().flat_map(|&x| {
            let z = &z;
            y.iter().flat_map(move |&y| z.iter().map(move |&z| [x, y, z]))
        }) {
            let at = |d: usize, i: usize| i as isize + shift[d] - part.offset()[d] as isize;
            let low: [isize; 3] = std::array::from_fn(|d| at(d, own[d].start) - 1);
            let high: [isize; 3] = std::array::from_fn(|d| at(d, own[d].end) + 1);
            // The shell of the box, one cell thick on all sides.
            for d in 0..3 {
                let (mut below, mut above) = (high, low);
                below[d] = low[d] + 1;
                above[d] = high[d] - 1;
                add(low, below);
                add(above, high);
            }
        }
    }
    cells
}
