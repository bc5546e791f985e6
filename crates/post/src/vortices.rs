//! Vortices of a plane flow: extrema of the stream function between the cells.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;
use vortice_core::{Case, Cells, Quantity, Sampler, Side, Solids};

use crate::patch::{Patch, common_zero};
use crate::stream::StreamFunction;

/// Nodes of the polynomial in each direction.
const NODES: usize = 5;

/// The weakest eddy that counts, as a share of the strongest: weaker extrema may be what an
/// iteration left. The smallest eddy in a table, Re = 100 in the corner x-low, y-low, has 2e-5.
const WEAKEST: f64 = 2e-6;

/// How deep a dip parts two vortices that turn the same way, as a share of the weaker one's
/// strength.
const DIP: f64 = 0.02;

/// A vortex of a plane flow: an extremum of its stream function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Vortex {
    /// `primary`, or the corner that it lies towards: `bottom_left`, `bottom_right`, `top_left` or
    /// `top_right`: the strongest there that turns against the primary vortex, if any does. The others of a
    /// corner are `bottom_left_2`, and so on.
    pub name: String,
    /// Its centre in m, in x and y.
    pub centre: [f64; 2],
    /// The stream function there in m2/s, eq. (P1).
    pub stream_function: f64,
    /// The vorticity there in 1/s; positive if it turns from x to y.
    pub vorticity: f64,
    /// How far in m2/s the stream function lies from the nearest value that it has on a wall; from
    /// its mean if there is no wall.
    pub strength: f64,
}

/// The vortices of a plane flow, strongest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vortices {
    /// All that are stronger than 2e-6 of the strongest.
    pub vortices: Vec<Vortex>,
    /// What the stream function left open, in m2/s: [`StreamFunction::closure`].
    pub closure: f64,
}

impl Vortices {
    /// Of a velocity in m/s on the whole grid without halo; none if the flow is not plane.
    ///
    /// An extremum among the nodes is fitted with the polynomials through 5 x 5 nodes, eq. (P3), 3 x
    /// 3 beside solid cells. Those that no dip parts from a stronger one are the same vortex. The
    /// strongest is the primary vortex; eddies in corners turn the other way. In periodic directions vortices centred on the ends of the box are not found.
    pub fn of<'a>(case: &'a Case, velocity: impl Into<Cells<'a>>) -> Self {
        let velocity = velocity.into();
        let Some(psi) = StreamFunction::of(case, velocity) else { return Self::default() };
        let sampler = Sampler::new(case, velocity, Quantity::Velocity);
        let search = Search { case, solids: case.solids(), psi: &psi, sampler };
        let mut vortices = search.vortices();
        vortices.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        let strongest = vortices.first().map_or(0.0, |first| first.strength);
        vortices.retain(|vortex| vortex.strength > WEAKEST * strongest);
        let mut vortices = search.parted(vortices);
        name(case, &mut vortices);
        Self { vortices, closure: psi.closure }
    }

    /// The vortex of a name.
    pub fn named(&self, name: &str) -> Option<&Vortex> {
        self.vortices.iter().find(|vortex| vortex.name == name)
    }

    /// The vortex that is published under a name with a stream function or vorticity of this sign:
    /// nothing if the one of this name turns the other way, because then that one was not found.
    pub fn published(&self, name: &str, sign: Option<f64>) -> Option<&Vortex> {
        let turns = |vortex: &&Vortex| sign.is_none_or(|sign| vortex.vorticity * sign > 0.0);
        self.named(name).filter(turns)
    }
}

/// Gives names to vortices that are sorted by their strength: to those that turn as the primary one
/// does after the others of their corner. A flow that a coarse grid does not resolve has such ones on
/// the rim of the primary vortex, often stronger than the eddy in the corner.
fn name(case: &Case, vortices: &mut [Vortex]) {
    let Some(turning) = vortices.first().map(|primary| primary.vorticity) else { return };
    let (first, rest) = vortices.split_at_mut(1);
    first[0].name = "primary".into();
    let mut order: Vec<&mut Vortex> = rest.iter_mut().collect();
    order.sort_by_key(|vortex| vortex.vorticity * turning > 0.0);
    let mut taken: Vec<String> = Vec::new();
    for vortex in order {
        let high = |d: usize| {
            let axis = &case.grid.axes[d];
            vortex.centre[d] > 0.5 * (axis.low() + axis.high())
        };
        let side = if high(0) { "right" } else { "left" };
        let corner = format!("{}_{side}", if high(1) { "top" } else { "bottom" });
        let before = taken.iter().filter(|name| **name == corner).count();
        vortex.name = match before {
            0 => corner.clone(),
            n => format!("{corner}_{}", n + 1),
        };
        taken.push(corner);
    }
}

struct Search<'a> {
    case: &'a Case,
    solids: Solids,
    psi: &'a StreamFunction,
    sampler: Sampler<'a>,
}

impl Search<'_> {
    fn vortices(&self) -> Vec<Vortex> {
        let walls = self.on_walls();
        let [nx, ny, _] = self.case.grid.cells();
        // In the outermost cells an eddy would not be resolved; what is there is what the
        // columns beside the wall carry too much or too little.
        let of_row = |j: usize| {
            let extrema = (2..nx).filter(move |&i| self.is_extremum(i, j));
            let walls = &walls;
            extrema.filter_map(move |i| self.vortex(i, j, walls))
        };
        (2..ny).into_par_iter().flat_map_iter(of_row).collect()
    }

    /// Whether a node is above or below all eight around it, all of them fluid cells. Of equal
    /// neighbours it is the last one.
    fn is_extremum(&self, i: usize, j: usize) -> bool {
        let here = self.psi.at(i, j);
        let around = (j - 1..=j + 1).flat_map(|j| (i - 1..=i + 1).map(move |i| (j, i)));
        let (mut above, mut below) = (true, true);
        for (j_there, i_there) in around.filter(|node| *node != (j, i)) {
            let there = self.psi.at(i_there, j_there);
            let equal = here == there && (j_there, i_there) < (j, i);
            above &= here > there || equal;
            below &= here < there || equal;
        }
        (above || below) && self.is_fluid(&(i - 1..i + 2), &(j - 1..j + 2))
    }

    fn is_fluid(&self, i: &Range<usize>, j: &Range<usize>) -> bool {
        let cell = |node: usize| node as isize - 1;
        self.solids.is_empty()
            || j.clone().all(|j| i.clone().all(|i| !self.solids.contains([cell(i), cell(j), 0])))
    }

    /// The vortex around an extremum among the nodes. Its centre is where the fluid is at rest: what
    /// is left in columns of the stream function moves the extremum of a long flat eddy. If there
    /// is no such place near, it is the extremum of the polynomial, or else the node itself.
    fn vortex(&self, i: usize, j: usize, walls: &[f64]) -> Option<Vortex> {
        let psi = self.psi;
        let (wide_i, wide_j) = (around(i, psi.x.len()), around(j, psi.y.len()));
        let wide = self.is_fluid(&wide_i, &wide_j);
        let (i_near, j_near) = if wide { (wide_i, wide_j) } else { (i - 1..i + 2, j - 1..j + 2) };
        let patch = |value: &dyn Fn(usize, usize) -> f64| {
            Patch::of(&psi.x, &psi.y, i_near.clone(), j_near.clone(), value)
        };
        let fit = patch(&|i, j| psi.at(i, j));
        let z = self.case.grid.axes[2].centre(0);
        let [u, v] =
            [0, 1].map(|c| patch(&move |i, j| self.sampler.value(c, [psi.x[i], psi.y[j], z])));
        let start = [psi.x[i], psi.y[j]];
        let [hx, hy, _] = self.case.grid.spacing();
        let reach = [2.0 * hx, 2.0 * hy];
        let centre = common_zero([&u, &v], start, reach).or_else(|| fit.stationary(start, reach));
        let centre = centre.unwrap_or(start);
        let stream_function = fit.at(centre).value;
        let off = |wall: &f64| (stream_function - wall).abs();
        Some(Vortex {
            name: String::new(),
            centre,
            stream_function,
            vorticity: v.at(centre).gradient[0] - u.at(centre).gradient[1],
            strength: walls.iter().map(off).fold(f64::INFINITY, f64::min),
        })
    }

    /// Without those that no dip of the stream function parts from a stronger one before them.
    fn parted(&self, sorted: Vec<Vortex>) -> Vec<Vortex> {
        let mut kept: Vec<Vortex> = Vec::new();
        for vortex in sorted {
            let same = |one: &Vortex| self.lowest_between(one, &vortex) < DIP * vortex.strength;
            if !kept.iter().any(same) {
                kept.push(vortex);
            }
        }
        kept
    }

    /// How far the stream function on the straight way from a stronger vortex falls below that of a
    /// weaker one; infinitely far if they turn different ways.
    fn lowest_between(&self, strong: &Vortex, weak: &Vortex) -> f64 {
        let sign = -strong.vorticity.signum();
        if sign != -weak.vorticity.signum() {
            return f64::INFINITY;
        }
        let node = |d: usize, x: f64| {
            let axis = &self.case.grid.axes[d];
            ((x - axis.low()) / axis.spacing()).floor().clamp(0.0, axis.len() as f64 - 1.0) as usize
                + 1
        };
        let steps = 2 * self.psi.x.len().max(self.psi.y.len());
        let drops = (0..=steps).map(|step| {
            let share = step as f64 / steps as f64;
            let at = |d: usize| strong.centre[d] + share * (weak.centre[d] - strong.centre[d]);
            let there = self.psi.at(node(0, at(0)), node(1, at(1)));
            sign * (there - weak.stream_function)
        });
        drops.fold(0.0, f64::max)
    }

    /// Values of the stream function on the walls of the box; its mean if there is none.
    fn on_walls(&self) -> Vec<f64> {
        let (last_i, last_j) = (self.psi.x.len() - 1, self.psi.y.len() - 1);
        let ends = [
            (0, Side::Low, (0, last_j / 2)),
            (0, Side::High, (last_i, last_j / 2)),
            (1, Side::Low, (last_i / 2, 0)),
            (1, Side::High, (last_i / 2, last_j)),
        ];
        let walls =
            ends.into_iter().filter(|(d, side, _)| self.case.boundaries.at(*d, *side).is_wall());
        let values: Vec<f64> = walls.map(|(_, _, (i, j))| self.psi.at(i, j)).collect();
        if values.is_empty() {
            let all = &self.psi.values;
            return vec![all.iter().sum::<f64>() / all.len() as f64];
        }
        values
    }
}

/// The nodes of the polynomial around a node, shifted at the ends.
fn around(node: usize, count: usize) -> Range<usize> {
    let start = node.saturating_sub(NODES / 2).min(count.saturating_sub(NODES));
    start..(start + NODES).min(count)
}

#[cfg(test)]
mod tests;
