//! A tree of boxes around triangles: which may be near, without asking all.

use super::triangle::{Corners, bounds};

/// Triangles in a leaf, at most.
const LEAF: usize = 4;

/// Boxes that wait while a tree is gone through: its depth, of as many triangles as there are numbers for.
const DEPTH: usize = 64;

#[derive(Clone, Debug)]
struct Node {
    low: [f64; 3],
    high: [f64; 3],
    /// Of a leaf its first triangle in the order, else the first of two nodes.
    first: u32,
    /// Triangles of a leaf.
    count: u32,
}

/// Boxes within boxes.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Tree {
    /// Around triangles, of which there is one at least.
    pub(super) fn new(corners: &[Corners]) -> Self {
        let boxes: Vec<[[f64; 3]; 2]> = corners.iter().map(bounds).collect();
        let order = (0..boxes.len() as u32).collect();
        let mut tree = Self { nodes: vec![around(&boxes, &[])], order };
        let mut open = vec![(0, 0, boxes.len())];
        while let Some((node, start, end)) = open.pop() {
            let mine = &mut tree.order[start..end];
            let [low, high] = union(&boxes, mine);
            tree.nodes[node] = Node { low, high, first: start as u32, count: mine.len() as u32 };
            if mine.len() <= LEAF {
                continue;
            }
            // Halved across its longest edge.
            let longest = (0..3).max_by(|&d, &e| (high[d] - low[d]).total_cmp(&(high[e] - low[e])));
            let middle = |n: &u32| {
                let [low, high] = boxes[*n as usize];
                let d = longest.unwrap_or(0);
                low[d] + high[d]
            };
            let half = mine.len() / 2;
            mine.select_nth_unstable_by(half, |one, other| middle(one).total_cmp(&middle(other)));
            let children = tree.nodes.len();
            tree.nodes[node].first = children as u32;
            tree.nodes[node].count = 0;
            tree.nodes.extend([around(&boxes, &[]), around(&boxes, &[])]);
            open.extend([(children, start, start + half), (children + 1, start + half, end)]);
        }
        tree
    }

    /// Low and high corner of the box around all.
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        [self.nodes[0].low, self.nodes[0].high]
    }

    /// Calls `visit` with each triangle in a box that `is_near` lets pass.
    pub(super) fn each(
        &self,
        is_near: impl Fn([f64; 3], [f64; 3]) -> bool,
        mut visit: impl FnMut(u32),
    ) {
        let mut open = [0_u32; DEPTH];
        let mut n = 1;
        while n > 0 {
            n -= 1;
            let node = &self.nodes[open[n] as usize];
            if !is_near(node.low, node.high) {
                continue;
            }
            if node.count > 0 {
                let first = node.first as usize;
                self.order[first..first + node.count as usize].iter().for_each(|t| visit(*t));
            } else {
                [open[n], open[n + 1]] = [node.first, node.first + 1];
                n += 2;
            }
        }
    }

    /// The least square of a distance from a point, where `square` has that of a triangle.
    pub(super) fn least_square(&self, point: [f64; 3], square: impl Fn(u32) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        let mut open = [(0_u32, 0.0); DEPTH];
        let mut n = 1;
        while n > 0 {
            n -= 1;
            let (number, from_box) = open[n];
            let node = &self.nodes[number as usize];
            if from_box > least {
                continue;
            }
            if node.count > 0 {
                let first = node.first as usize;
                for t in &self.order[first..first + node.count as usize] {
                    least = least.min(square(*t));
                }
            } else {
                let both = [node.first, node.first + 1];
                let [one, other] = both.map(|n| (n, self.nodes[n as usize].square(point)));
                // The nearer one is asked first.
                let pair = if one.1 < other.1 { [other, one] } else { [one, other] };
                [open[n], open[n + 1]] = pair;
                n += 2;
            }
        }
        least
    }
}

impl Node {
    /// Square of the distance of a point from the box.
    fn square(&self, point: [f64; 3]) -> f64 {
        (0..3).fold(0.0, |sum, d| {
            let beyond = (self.low[d] - point[d]).max(point[d] - self.high[d]).max(0.0);
            sum + beyond * beyond
        })
    }
}

fn around(boxes: &[[[f64; 3]; 2]], some: &[u32]) -> Node {
    let [low, high] = union(boxes, some);
    Node { low, high, first: 0, count: 0 }
}

fn union(boxes: &[[[f64; 3]; 2]], some: &[u32]) -> [[f64; 3]; 2] {
    let nothing = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    some.iter().map(|n| boxes[*n as usize]).fold(nothing, |[low, high], [other, highest]| {
        [
            std::array::from_fn(|d| low[d].min(other[d])),
            std::array::from_fn(|d| high[d].max(highest[d])),
        ]
    })
}
