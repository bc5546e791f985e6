//! Bodies by a closed surface of triangles, from an STL file.

mod closed;
mod section;
mod silhouette;
mod stl;
mod tree;
mod triangle;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::covered::{Covered, CoveredRows, margin, ranges_where};
use crate::grid::Grid;
use closed::Closed;
use tree::Tree;
use triangle::{Corners, bounds, dot, in_order, normal, passage, square_distance};

/// Bits of the mantissa of a number in a binary file.
const FILE_BITS: i32 = 24;

/// From the unit of a file to m and to its place: scaled, turned, moved, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Length in m of the file's unit.
    pub scale: f64,
    /// Angles in degrees about x, then y, then z, through the origin of the file.
    pub rotate: [f64; 3],
    /// Way in m from the origin of the file to its place.
    pub shift: [f64; 3],
}

/// A closed surface of triangles.
#[derive(Debug)]
pub struct Mesh {
    corners: Vec<Corners>,
    /// Numbers of their corners: those of the same number are the same point.
    numbers: Vec<[u32; 3]>,
    tree: Tree,
    bounds: [[f64; 3]; 2],
    facts: MeshFacts,
    covered: Covered,
}

/// What can be said of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFacts {
    /// Triangles.
    pub triangles: usize,
    /// Low and high corner in m.
    pub bounds: [[f64; 3]; 2],
    /// Volume in m3.
    pub volume: f64,
    /// Area in m2.
    pub area: f64,
    /// How exactly the file can tell a place, in m.
    pub resolution: f64,
    /// What was put right when it was read, one sentence each.
    pub notes: Vec<String>,
    /// A number that another file very likely does not have.
    pub hash: u64,
    /// How it was placed.
    pub placement: Placement,
}

/// Two surfaces are the same if their files and places are.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.facts == other.facts && self.bounds == other.bounds
    }
}

impl Mesh {
    /// Of the bytes of an STL file; `plane` is the height of the plane that a plane flow lies in.
    ///
    /// # Errors
    /// If it is no STL file, or no closed surface: the problem, which ends a sentence that names the file, and the remedy.
    pub fn new(
        bytes: &[u8],
        placement: Placement,
        plane: Option<f64>,
    ) -> Result<Self, [String; 2]> {
        let mut closed = Closed::new(&stl::read(bytes)?)?;
        let largest = closed.points.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        closed.points.iter_mut().for_each(|point| *point = placement.of(*point));
        if !closed.points.iter().flatten().all(|x| x.is_finite()) {
            return Err([
                "has places beyond all numbers once it is scaled".into(),
                "check scale".into(),
            ]);
        }
        let corners = closed.corners();
        let tree = Tree::new(&corners);
        let double_areas = corners.iter().map(normal).map(|n| dot(n, n).sqrt());
        let facts = MeshFacts {
            triangles: corners.len(),
            bounds: tree.bounds(),
            volume: closed.volume(),
            area: 0.5 * double_areas.sum::<f64>(),
            resolution: placement.scale * largest * 0.5_f64.powi(FILE_BITS),
            notes: std::mem::take(&mut closed.notes),
            hash: hash(bytes),
            placement,
        };
        let (mut corners, mut numbers, mut tree) = (corners, closed.triangles, tree);
        let mut bounds = facts.bounds;
        if let Some(height) = plane {
            (corners, numbers) = section::prism(&corners, &numbers, height);
            if corners.is_empty() {
                let [low, high] = [bounds[0][2], bounds[1][2]];
                let problem = format!(
                    "reaches from {low} m to {high} m in z, and the flow lies in the plane z = {height} m"
                );
                return Err([problem, "move it, or turn it".into()]);
            }
            tree = Tree::new(&corners);
            bounds = tree.bounds();
            (bounds[0][2], bounds[1][2]) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        Ok(Self { corners, numbers, tree, bounds, facts, covered: Covered::default() })
    }

    /// What can be said of it.
    pub fn facts(&self) -> &MeshFacts {
        &self.facts
    }

    /// Low and high corner of the box around it, endless in z of a plane flow.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        self.bounds
    }

    /// Distance of a point from the surface, negative inside.
    pub(super) fn distance(&self, point: [f64; 3]) -> f64 {
        let square = |t: u32| square_distance(point, &self.corners[t as usize]);
        let distance = self.tree.least_square(point, square).sqrt();
        if self.holds(point) { -distance } else { distance }
    }

    /// Whether a point lies inside: the surface turns about it, once or more often.
    fn holds(&self, point: [f64; 3]) -> bool {
        let mut turns = 0;
        let line = [point[1], point[2]];
        let is_ahead =
            |low: [f64; 3], high: [f64; 3]| high[0] > point[0] && spans(low, high, line, 0.0);
        self.tree.each(is_ahead, |t| {
            let passes = self.passage(line, t).filter(|(x, _)| *x > point[0]);
            turns += passes.map_or(0, |(_, turn)| turn);
        });
        turns != 0
    }

    fn passage(&self, line: [f64; 2], t: u32) -> Option<(f64, i32)> {
        passage(line, &self.corners[t as usize], self.numbers[t as usize])
    }

    /// Where a straight line first meets the surface, as a share of its length.
    pub(super) fn crossing(&self, from: [f64; 3], to: [f64; 3]) -> Option<f64> {
        let mut first: Option<f64> = None;
        let is_near = |low: [f64; 3], high: [f64; 3]| {
            (0..3).all(|d| from[d].min(to[d]) <= high[d] && from[d].max(to[d]) >= low[d])
        };
        self.tree.each(is_near, |t| {
            let there = triangle::crossing(from, to, &self.corners[t as usize]);
            first = match (first, there) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        });
        first
    }

    /// The cells of a grid's block that it covers, or all others if it is hollow.
    pub(crate) fn rows(&self, grid: &Grid, within: &Block, hollow: bool) -> Arc<CoveredRows> {
        self.covered.get(grid, hollow, || {
            CoveredRows::new(within, |j, k| self.row(grid, within[0].clone(), [j, k], hollow))
        })
    }

    /// The cells of a row: between the places where the line through their centres enters and leaves, and those whose
    /// centre lies on the surface.
    fn row(
        &self,
        grid: &Grid,
        cells: Range<usize>,
        [j, k]: [usize; 2],
        hollow: bool,
    ) -> Vec<Range<u32>> {
        let (axis, margin) = (&grid.axes[0], margin(grid));
        let line = [grid.axes[1].centre(j as isize), grid.axes[2].centre(k as isize)];
        let (mut passages, mut on_surface) = (Vec::new(), Vec::new());
        let is_near = |low: [f64; 3], high: [f64; 3]| spans(low, high, line, margin);
        self.tree.each(is_near, |t| {
            passages.extend(self.passage(line, t));
            let centres = touched(&self.corners[t as usize], line, margin);
            let cell =
                |x: f64| ((x - axis.low()) / axis.spacing() - 0.5).clamp(-1.0, axis.len() as f64);
            let near = centres.map(|[low, high]| {
                (cell(low) - 0.1).ceil() as usize..=(cell(high) + 0.1).floor().max(0.0) as usize
            });
            on_surface.extend(near.into_iter().flatten().filter(|&i| {
                let point = [axis.centre(i as isize), line[0], line[1]];
                square_distance(point, &self.corners[t as usize]).sqrt() <= margin
            }));
        });
        if passages.is_empty() && on_surface.is_empty() {
            return ranges_where(cells, |_| hollow);
        }
        passages.sort_unstable_by(in_order);
        // What a line enters it leaves: from the last passage backwards the turns add up to nothing.
        let turns = |x: f64| {
            let ahead = passages.iter().rev().take_while(|(passage, _)| *passage > x);
            ahead.map(|(_, turn)| turn).sum::<i32>()
        };
        ranges_where(cells, |i| {
            (turns(axis.centre(i as isize)) != 0) != hollow || on_surface.contains(&i)
        })
    }
}

type Block = [Range<usize>; 3];

/// Whether a box lies around or near the line along x through `[y, z]`.
fn spans(low: [f64; 3], high: [f64; 3], [y, z]: [f64; 2], near: f64) -> bool {
    low[1] <= y + near && high[1] >= y - near && low[2] <= z + near && high[2] >= z - near
}

/// From where to where on the line along x through `[y, z]` a triangle's plane is near, within the triangle's ends.
fn touched(corners: &Corners, [y, z]: [f64; 2], near: f64) -> Option<[f64; 2]> {
    let ([low, high], n) = (bounds(corners), normal(corners));
    let (length, [a, ..]) = (dot(n, n).sqrt(), corners);
    // n_x x + rest is the distance from the plane, times the length of n.
    let rest = (y - a[1]) * n[1] + (z - a[2]) * n[2] - a[0] * n[0];
    let [mut first, mut last] = [low[0] - near, high[0] + near];
    if n[0].abs() > 1e-9 * length {
        let [one, other] = [-1.0, 1.0].map(|s| (s * 2.0 * near * length - rest) / n[0]);
        first = first.max(one.min(other));
        last = last.min(one.max(other));
    } else if (n[0] * a[0] + rest).abs() > 2.0 * near * length {
        return None;
    }
    (first <= last).then_some([first, last])
}

impl Placement {
    /// A point of the file in its place.
    fn of(&self, point: [f64; 3]) -> [f64; 3] {
        let mut point = point.map(|x| self.scale * x);
        for (d, angle) in self.rotate.into_iter().enumerate() {
            let (sine, cosine) = sine_and_cosine(angle);
            let [e, f] = [(d + 1) % 3, (d + 2) % 3];
            let [one, other] = [point[e], point[f]];
            (point[e], point[f]) = (cosine * one - sine * other, sine * one + cosine * other);
        }
        std::array::from_fn(|d| point[d] + self.shift[d])
    }
}

/// Of an angle in degrees; right angles without rounding.
fn sine_and_cosine(angle: f64) -> (f64, f64) {
    match angle.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        angle => angle.to_radians().sin_cos(),
    }
}

/// FNV-1a of G. Fowler, L. C. Noll and K.-P. Vo, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl MeshFacts {
    /// The file and its place as in a case file, by what the file holds and not by its name.
    pub(crate) fn as_key(&self) -> String {
        let Placement { scale, rotate, shift } = self.placement;
        let mut key = format!("stl = {{ hash = \"{:016x}\", scale = {scale:?}", self.hash);
        let _ = write!(key, ", rotate = {rotate:?}, move = {shift:?} }}");
        key
    }
}

#[cfg(test)]
mod tests;
