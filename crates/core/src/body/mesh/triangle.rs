//! What one triangle answers. Only operations that are rounded alike everywhere: sums, products, quotients, roots.

use std::cmp::Ordering;

/// By how much, as a share of a triangle's edges, a line may miss it and yet meet it: rounding lets no line through
/// between two neighbours.
const SEAM: f64 = 1e-12;

/// Three corners, in one unit of length.
pub(super) type Corners = [[f64; 3]; 3];

pub(super) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|d| a[d] - b[d])
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|d| {
        let [e, f] = [(d + 1) % 3, (d + 2) % 3];
        a[e] * b[f] - a[f] * b[e]
    })
}

/// Twice its area, along its normal.
pub(super) fn normal([a, b, c]: &Corners) -> [f64; 3] {
    cross(minus(*b, *a), minus(*c, *a))
}

/// Low and high corner of the box around it.
pub(super) fn bounds(corners: &Corners) -> [[f64; 3]; 2] {
    let of = |d: usize, least: fn(f64, f64) -> f64| {
        least(corners[0][d], least(corners[1][d], corners[2][d]))
    };
    [std::array::from_fn(|d| of(d, f64::min)), std::array::from_fn(|d| of(d, f64::max))]
}

/// Square of the distance of a point: from its plane where the point lies before the triangle, else from an edge.
pub(super) fn square_distance(point: [f64; 3], corners: &Corners) -> f64 {
    let n = normal(corners);
    let square = dot(n, n);
    let edges = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
    let is_before = square > 0.0
        && edges
            .iter()
            .all(|[from, to]| dot(cross(minus(*to, *from), minus(point, *from)), n) >= 0.0);
    if is_before {
        let height = dot(minus(point, corners[0]), n);
        return height * height / square;
    }
    edges.map(|edge| square_to_edge(point, edge)).into_iter().fold(f64::INFINITY, f64::min)
}

fn square_to_edge(point: [f64; 3], [from, to]: [[f64; 3]; 2]) -> f64 {
    let (along, arm) = (minus(to, from), minus(point, from));
    let length = dot(along, along);
    let t = if length > 0.0 { (dot(arm, along) / length).clamp(0.0, 1.0) } else { 0.0 };
    let gap: [f64; 3] = std::array::from_fn(|d| arm[d] - t * along[d]);
    dot(gap, gap)
}

/// Where a straight line meets it, as a share of its length; T. Moeller, B. Trumbore, J. Graphics Tools 2 (1997) 21.
pub(super) fn crossing(from: [f64; 3], to: [f64; 3], [a, b, c]: &Corners) -> Option<f64> {
    let (line, side, other) = (minus(to, from), minus(*b, *a), minus(*c, *a));
    let p = cross(line, other);
    let volume = dot(side, p);
    let arm = minus(from, *a);
    let u = dot(arm, p) / volume;
    let q = cross(arm, side);
    let v = dot(line, q) / volume;
    let t = dot(other, q) / volume;
    // Along its plane nothing is a number, and no line meets it.
    let meets = u >= -SEAM && v >= -SEAM && u + v <= 1.0 + SEAM;
    (meets && (-SEAM..=1.0 + SEAM).contains(&t)).then_some(t.clamp(0.0, 1.0))
}

/// Where the endless line along x through `[y, z]` meets a triangle of three numbered corners, and how often it leaves
/// the body there: 1, or -1 where it enters.
///
/// Each edge is asked alike by both of its triangles, with the same rounding: what enters a closed surface leaves it,
/// through whatever edge or corner the line goes.
pub(super) fn passage(
    [y, z]: [f64; 2],
    corners: &Corners,
    numbers: [u32; 3],
) -> Option<(f64, i32)> {
    let mut turns = 0;
    for k in 0..3 {
        let next = (k + 1) % 3;
        let ([p, q], is_up) = ([corners[k], corners[next]], corners[next][1] > y);
        if (p[1] > y) != is_up {
            let [low, high] = if numbers[k] < numbers[next] { [p, q] } else { [q, p] };
            let there = low[2] + (y - low[1]) / (high[1] - low[1]) * (high[2] - low[2]);
            turns += if z >= there {
                0
            } else if is_up {
                -1
            } else {
                1
            };
        }
    }
    if turns == 0 {
        return None;
    }
    let n = normal(corners);
    let [a, ..] = *corners;
    let x = a[0] - ((y - a[1]) * n[1] + (z - a[2]) * n[2]) / n[0];
    let [low, high] = bounds(corners);
    // Of a triangle along x no number comes out; it is passed anywhere.
    let x = if x.is_nan() { low[0] } else { x.clamp(low[0], high[0]) };
    Some((x, turns))
}

/// By x.
pub(super) fn in_order(one: &(f64, i32), other: &(f64, i32)) -> Ordering {
    one.0.total_cmp(&other.0)
}
