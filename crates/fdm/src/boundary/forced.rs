//! The velocity at faces beside bodies whose walls are exact or turn, as a sparse list that is made once: rows
//! that interpolate along the walls' normals, and what makes the flux through each body zero; eqs. (F17), (F19).

use std::collections::HashMap;

use rayon::prelude::*;
use vortice_core::{
    Case, Communicator, Decomposition, Real, Result, Shape, Subdomain, Surfaces, ThreadPool,
};

use super::body_face::{BodyFace, BodyFaces, moves_faces};
use super::distant::{Distant, Needs, Spot, owner};
use super::entries::{ForcedFace, Source};
use super::probes::{REACH, Row, row};
use crate::stencil::{closed, flux_in_steps, leak_of_face, with_source};

/// A unit of flux is the velocity scale over so many: rounding of double precision.
pub(super) const STEPS: f64 = (1_u64 << 50) as f64;

/// The faces of one subdomain whose velocity a body gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forced<T> {
    pub(crate) faces: Vec<ForcedFace<T>>,
    /// Of the entries of all faces: which value each reads, and its weight.
    pub(crate) numbers: Vec<u32>,
    pub(crate) weights: Vec<T>,
    /// Where the values that this rank has lie; those of others come after them.
    pub(crate) sources: Vec<Source>,
    pub(crate) distant: Distant,
    /// All values that rows read.
    pub(crate) values: Vec<T>,
    /// Units of flux in 1 m/s.
    pub(crate) steps: f64,
    /// Of each body: the velocity in m/s that a unit of flux is at each of its faces.
    pub(crate) shares: Vec<f64>,
    pub(crate) counts: FaceCounts,
}

/// Faces of the whole grid whose velocity a body gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FaceCounts {
    /// All.
    pub(crate) all: usize,
    /// Those for which the flow has room for less than a parabola.
    pub(crate) without_parabola: usize,
}

impl<T: Real> Forced<T> {
    /// The faces of a rank's part. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn new(
        case: &Case,
        cut: &Decomposition,
        ranks: &dyn Communicator,
        shape: Shape,
        pool: &ThreadPool,
    ) -> Result<Self> {
        if !case.bodies.iter().any(|body| moves_faces(body)) {
            return Ok(Self::default());
        }
        let part = cut.subdomain(ranks.rank());
        let faces = rows_near(case, cut, &part, pool);
        let mut needs = Needs::default();
        for BodyRow { spot: (a, cell), row, reader, .. } in &faces {
            for (steps, _) in &row.sources {
                let spot = spot_at(case, *a, *cell, *steps);
                needs.add(part.rank, *reader, owner(cut, spot.1), spot);
            }
        }
        let mut forced = Self { distant: needs.messages(), ..Self::default() };
        let (spots, own) = needs.spots();
        let place = |cell: [isize; 3]| shape.index(local(&part, cell));
        forced.sources =
            spots[..own].iter().map(|(a, cell)| Source::new(*a, place(*cell))).collect();
        forced.values = vec![T::default(); spots.len()];
        let numbers: HashMap<Spot, u32> = spots.into_iter().zip(0..).collect();
        for face in faces.iter().filter(|face| face.reader == part.rank) {
            let (a, cell) = face.spot;
            let number = |steps| numbers[&spot_at(case, a, cell, steps)];
            forced.add(face, place(cell), number);
        }
        forced.count(case, ranks)?;
        Ok(forced)
    }

    fn add(&mut self, body_row: &BodyRow, target: usize, number: impl Fn([isize; 3]) -> u32) {
        let BodyRow { spot: (component, _), face, row, .. } = body_row;
        self.faces.push(ForcedFace {
            target: target as i64,
            first: self.numbers.len() as u32,
            count: row.sources.len() as u32,
            component: *component as i32,
            body: face.body as i32,
            outward: T::from_f64(f64::from(face.outward)),
            constant: T::from_f64(row.constant),
        });
        self.numbers.extend(row.sources.iter().map(|(steps, _)| number(*steps)));
        self.weights.extend(row.sources.iter().map(|(_, weight)| T::from_f64(*weight)));
        self.counts.all += 1;
        self.counts.without_parabola += usize::from(!row.is_whole);
    }

    /// Counts the faces of all ranks.
    fn count(&mut self, case: &Case, ranks: &dyn Communicator) -> Result<()> {
        let mut of_bodies = vec![0_i64; case.bodies.len()];
        for face in self.faces.iter().filter(|face| face.outward != T::default()) {
            of_bodies[face.body as usize] += 1;
        }
        let FaceCounts { all, without_parabola } = self.counts;
        let mut counts = [of_bodies, vec![all as i64, without_parabola as i64]].concat();
        sum(ranks, &mut counts)?;
        self.steps = STEPS / case.scale.velocity;
        let share = |faces: &i64| if *faces > 0 { 1.0 / (self.steps * *faces as f64) } else { 0.0 };
        let bodies = case.bodies.len();
        self.shares = counts[..bodies].iter().map(share).collect();
        let [all, without_parabola] = [0, 1].map(|n| counts[bodies + n] as usize);
        self.counts = FaceCounts { all, without_parabola };
        Ok(())
    }

    /// Gives the own faces their velocity from that of the flow, in `u`, which has it nowhere else. Collective.
    pub(crate) fn force(&mut self, ranks: &dyn Communicator, u: &mut [Vec<T>]) -> Result<()> {
        for (value, source) in self.values.iter_mut().zip(&self.sources) {
            *value = u[source.component as usize][source.place as usize];
        }
        self.distant.exchange(ranks, &mut self.values)?;
        let mut leaks = vec![0; self.shares.len()];
        for face in &self.faces {
            let entries = face.first as usize..(face.first + face.count) as usize;
            let both = self.numbers[entries.clone()].iter().zip(&self.weights[entries]);
            let value = both.fold(face.constant, |sum, (number, weight)| {
                with_source(sum, *weight, self.values[*number as usize])
            });
            u[face.component as usize][face.target as usize] = value;
            let leak: &mut i64 = &mut leaks[face.body as usize];
            *leak = leak.wrapping_add(flux_in_steps(face.outward * value, self.steps));
        }
        sum(ranks, &mut leaks)?;
        let each = leaks.iter().zip(&self.shares);
        let each: Vec<T> = each.map(|(leak, share)| leak_of_face(*leak, *share)).collect();
        for face in &self.faces {
            let u = &mut u[face.component as usize][face.target as usize];
            *u = closed(*u, face.outward, each[face.body as usize]);
        }
        Ok(())
    }

    /// Gives the faces the values that others have there.
    pub(crate) fn keep(&self, from: &[Vec<T>], to: &mut [Vec<T>]) {
        for face in &self.faces {
            let (a, target) = (face.component as usize, face.target as usize);
            to[a][target] = from[a][target];
        }
    }
}

/// Sums of all ranks, which are the same in any order: what is too large goes round.
pub(crate) fn sum(ranks: &dyn Communicator, values: &mut [i64]) -> Result<()> {
    let mut sums: Vec<i128> = values.iter().map(|&value| value.into()).collect();
    ranks.sums_exact(&mut sums)?;
    values.iter_mut().zip(sums).for_each(|(value, sum)| *value = sum as i64);
    Ok(())
}

/// A face of the grid that a body gives its velocity, and the rank whose it is.
struct BodyRow {
    spot: Spot,
    face: BodyFace,
    row: Row,
    reader: usize,
}

/// Rows of the own faces, and of those of other ranks that may read own ones.
fn rows_near(
    case: &Case,
    cut: &Decomposition,
    part: &Subdomain,
    pool: &ThreadPool,
) -> Vec<BodyRow> {
    let surfaces = Surfaces::of_part(case, part);
    let faces = BodyFaces::new(case, &surfaces);
    let alone = cut.size() == 1;
    let range = |d: usize| {
        let margin = if alone || !case.grid.directions().contains(&d) { 0 } else { REACH };
        -margin..part.n()[d] as isize + margin
    };
    let lines: Vec<_> = range(2).flat_map(|k| range(1).map(move |j| [j, k])).collect();
    let of_line = |[j, k]: [isize; 2]| {
        // In the middle of the flow there is no body.
        let mut flow = surfaces.inner_cells([j, k], 0..range(0).end).into_iter().peekable();
        let near = range(0).filter(move |&i| {
            while flow.next_if(|cells| (cells.end as isize) <= i).is_some() {}
            flow.peek().is_none_or(|cells| cells.start as isize > i)
        });
        let (faces, surfaces) = (&faces, &surfaces);
        near.flat_map(move |i| {
            case.grid.directions().filter_map(move |a| {
                let (cell, body) = ([i, j, k], faces.at([i, j, k], a)?);
                let row = row(case, surfaces, &case.bodies[body.body], cell, a);
                let global = surfaces.wrapped(cell);
                Some(BodyRow { spot: (a, global), face: body, row, reader: owner(cut, global) })
            })
        })
    };
    let all: Vec<BodyRow> = pool.install(|| lines.into_par_iter().flat_map_iter(of_line).collect());
    // A face may be seen twice, across a periodic end.
    let mut seen = std::collections::HashSet::new();
    all.into_iter().filter(|body_row| seen.insert(body_row.spot)).collect()
}

/// The face of a component some steps from another, directions without ends wrapped.
fn spot_at(case: &Case, a: usize, cell: [isize; 3], steps: [isize; 3]) -> Spot {
    let periodic = case.boundaries.periodic();
    let wrapped = |d: usize| {
        let i = cell[d] + steps[d];
        if periodic[d] { i.rem_euclid(case.grid.axes[d].len() as isize) } else { i }
    };
    (a, std::array::from_fn(wrapped))
}

/// A cell of the grid as one of a part.
fn local(part: &Subdomain, cell: [isize; 3]) -> [isize; 3] {
    std::array::from_fn(|d| cell[d] - part.offset()[d] as isize)
}
