//! From loose triangles to a closed surface: corners that are the same, edges that fit together.

use std::collections::HashMap;

use super::stl::Wrong;
use super::triangle::{Corners, cross, dot, minus, normal};

/// How near to each other corners are the same, as a share of the whole surface's size.
const WELD: f64 = 1e-6;

/// Area, as a share of the square of the surface's size, below which a triangle is none.
const DEGENERATE: f64 = 1e-12;

/// A closed surface, its triangles turned outwards: counterclockwise as seen from outside.
pub(super) struct Closed {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// What was put right, one sentence each.
    pub(super) notes: Vec<String>,
}

impl Closed {
    /// Of the triangles of a file.
    ///
    /// # Errors
    /// If edges are open or meet triangles that are turned different ways, or if nothing is enclosed.
    pub(super) fn new(loose: &[Corners]) -> Result<Self, Wrong> {
        let (points, triangles) = same_points(loose);
        let size = size(&points);
        let mut closed = Self { points, triangles, notes: Vec::new() };
        closed.drop_collapsed();
        if !Edges::of(&closed.triangles).is_closed() {
            closed.weld(WELD * size);
        }
        Edges::of(&closed.triangles).check(&closed.points)?;
        closed.count_degenerate(DEGENERATE * size * size);
        closed.note_shared_edges();
        let volume = closed.volume();
        if volume.abs() <= DEGENERATE * size.powi(3) {
            let remedy = "give a surface around a volume, its triangles turned outwards".into();
            return Err(["encloses no volume".into(), remedy]);
        }
        if volume < 0.0 {
            closed.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
            closed.notes.push("its triangles are turned inwards, and are taken outwards".into());
        }
        Ok(closed)
    }

    pub(super) fn corners(&self) -> Vec<Corners> {
        self.triangles.iter().map(|t| t.map(|n| self.points[n as usize])).collect()
    }

    /// Enclosed volume, negative if the triangles are turned inwards.
    pub(super) fn volume(&self) -> f64 {
        let Some(&origin) = self.points.first() else { return 0.0 };
        let share = |corners: Corners| {
            let [a, b, c] = corners.map(|corner| minus(corner, origin));
            dot(a, cross(b, c)) / 6.0
        };
        self.corners().into_iter().map(share).sum()
    }

    /// Triangles of fewer than three corners.
    fn drop_collapsed(&mut self) {
        let before = self.triangles.len();
        self.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        let dropped = before - self.triangles.len();
        if dropped > 0 {
            self.notes.push(format!(
                "{dropped} of its triangles have an edge of no length, and are left out"
            ));
        }
    }

    /// Those without an area close the surface, and do nothing else.
    fn count_degenerate(&mut self, area: f64) {
        let is_none = |corners: &Corners| {
            let n = normal(corners);
            0.5 * dot(n, n).sqrt() <= area
        };
        let count = self.corners().iter().filter(|corners| is_none(corners)).count();
        if count > 0 {
            self.notes.push(format!("{count} of its triangles have no area"));
        }
    }

    fn note_shared_edges(&mut self) {
        let count = Edges::of(&self.triangles).count(|[forwards, _]| forwards > 1);
        if count > 0 {
            self.notes.push(format!("{count} of its edges are shared by four triangles or more"));
        }
    }

    /// Makes one corner of those that are nearer to each other than this.
    fn weld(&mut self, near: f64) {
        if near <= 0.0 {
            return;
        }
        let low = self
            .points
            .iter()
            .fold([f64::INFINITY; 3], |low, point| std::array::from_fn(|d| low[d].min(point[d])));
        let place = |point: [f64; 3]| -> [i64; 3] {
            std::array::from_fn(|d| ((point[d] - low[d]) / near).floor() as i64)
        };
        let mut first: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        let mut one_of = Vec::with_capacity(self.points.len());
        let mut welded = 0;
        for (n, point) in self.points.iter().enumerate() {
            let here = place(*point);
            let around = (0..27).map(|n: i64| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
            let around = around.map(|step| std::array::from_fn(|d| here[d] + step[d]));
            let is_near = |other: &u32| {
                let gap = minus(*point, self.points[*other as usize]);
                dot(gap, gap) <= near * near
            };
            let known = around.filter_map(|place| first.get(&place)).flatten();
            match known.copied().filter(is_near).min() {
                Some(other) => {
                    one_of.push(other);
                    welded += 1;
                }
                None => {
                    first.entry(here).or_default().push(n as u32);
                    one_of.push(n as u32);
                }
            }
        }
        self.triangles.iter_mut().flatten().for_each(|n| *n = one_of[*n as usize]);
        if welded > 0 {
            self.notes
                .push(format!("{welded} of its corners lie beside others, and are taken as these"));
        }
        self.drop_collapsed();
    }
}

/// Corners that are the same to the last bit, numbered.
fn same_points(loose: &[Corners]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (mut points, mut numbers) = (Vec::new(), HashMap::new());
    let mut number = |corner: [f64; 3]| {
        // Both zeros are the same place.
        let bits = corner.map(|x| (x + 0.0).to_bits());
        *numbers.entry(bits).or_insert_with(|| {
            points.push(corner);
            points.len() as u32 - 1
        })
    };
    let triangles = loose.iter().map(|corners| corners.map(&mut number)).collect();
    (points, triangles)
}

/// The longest edge of the box around all.
fn size(points: &[[f64; 3]]) -> f64 {
    let extent = |d: usize| {
        let [low, high] =
            points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| {
                [low.min(p[d]), high.max(p[d])]
            });
        high - low
    };
    (0..3).map(extent).fold(0.0, f64::max)
}

/// Whether an edge that so many triangles go along forwards and backwards is of a kind.
type Kind = fn([usize; 2]) -> bool;

/// Edges by their corners, the lower number first, and whether a triangle goes along each of them that way.
struct Edges(Vec<([u32; 2], bool)>);

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let of = |t: &[u32; 3]| {
            [0, 1, 2].map(|k| {
                let [from, to] = [t[k], t[(k + 1) % 3]];
                ([from.min(to), from.max(to)], from < to)
            })
        };
        let mut edges: Vec<_> = triangles.iter().flat_map(of).collect();
        edges.sort_unstable();
        Self(edges)
    }

    /// Each edge with the number of triangles that go along it forwards and backwards.
    fn iter(&self) -> impl Iterator<Item = ([u32; 2], [usize; 2])> {
        self.0.chunk_by(|one, other| one.0 == other.0).map(|same| {
            let forwards = same.iter().filter(|(_, forwards)| *forwards).count();
            (same[0].0, [forwards, same.len() - forwards])
        })
    }

    fn count(&self, is_it: impl Fn([usize; 2]) -> bool) -> usize {
        self.iter().filter(|(_, ways)| is_it(*ways)).count()
    }

    fn is_closed(&self) -> bool {
        self.iter().all(|(_, [forwards, backwards])| forwards == backwards)
    }

    fn check(&self, points: &[[f64; 3]]) -> Result<(), Wrong> {
        let say = |count: usize, [from, to]: [u32; 2], kind: &str, remedy: &str| {
            let [from, to] = [from, to].map(|n| points[n as usize]);
            let problem = format!(
                "{kind}: {count} edges, one of them from {from:?} to {to:?} in its own unit"
            );
            Err([problem, remedy.to_owned()])
        };
        let close = "close the surface where it was made, or by a program that repairs meshes";
        let turn = "turn all triangles outwards where the surface was made";
        let kinds: [(Kind, &str, &str); 3] = [
            (|[a, b]| a + b == 1, "is open, with one triangle along an edge", close),
            (|[a, b]| a + b == 2 && a != b, "has neighbours that are turned different ways", turn),
            (|[a, b]| a != b, "has edges of more than two triangles that do not close it", close),
        ];
        for (is_it, kind, remedy) in kinds {
            if let Some((edge, _)) = self.iter().find(|(_, ways)| is_it(*ways)) {
                return say(self.count(is_it), edge, kind, remedy);
            }
        }
        Ok(())
    }
}
