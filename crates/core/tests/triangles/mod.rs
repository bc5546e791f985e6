//! Closed surfaces of triangles and their files: for the tests of core and of every method.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

/// Three corners, in one unit of length.
pub type Corners = [[f64; 3]; 3];

/// A binary file of triangles.
pub fn file(triangles: &[Corners]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for corners in triangles {
        bytes.extend([0; 12]);
        let numbers = corners.iter().flatten();
        bytes.extend(numbers.flat_map(|x| (*x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// A unit box moved by a way, turned outwards.
pub fn cube(way: [f64; 3]) -> Vec<Corners> {
    let corner = |n: usize| std::array::from_fn(|d| way[d] + (n >> d & 1) as f64);
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let both = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|three| three.map(corner));
    sides.into_iter().flat_map(both).collect()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|d| a[d] - b[d])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|d| a[d] * b[d]).sum()
}

/// Whether the first corner lies before the triangle's front, seen from the origin.
fn is_outwards([a, b, c]: &Corners) -> bool {
    let [one, other] = [minus(*b, *a), minus(*c, *a)];
    let turned = [1, 2, 0].map(|d| one[d] * other[(d + 1) % 3] - one[(d + 1) % 3] * other[d]);
    dot([turned[0], turned[1], turned[2]], *a) > 0.0
}

/// An icosahedron whose triangles are cut in four so many times, its corners at a distance of 1.
pub fn ball(times: usize) -> Vec<Corners> {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let unit = |p: [f64; 3]| p.map(|x| x / dot(p, p).sqrt());
    let corners: Vec<[f64; 3]> = [[-1.0, g], [1.0, g], [-1.0, -g], [1.0, -g]]
        .into_iter()
        .flat_map(|[a, b]| [[a, b, 0.0], [0.0, a, b], [b, 0.0, a]])
        .map(unit)
        .collect();
    let near = |i: usize, j: usize| {
        let gap = minus(corners[i], corners[j]);
        i != j && dot(gap, gap) < 1.2
    };
    let mut all = Vec::new();
    for i in 0..12 {
        for j in (i + 1..12).filter(|&j| near(i, j)) {
            for k in (j + 1..12).filter(|&k| near(i, k) && near(j, k)) {
                let three = [i, j, k].map(|n| corners[n]);
                all.push(if is_outwards(&three) { three } else { [three[0], three[2], three[1]] });
            }
        }
    }
    for _ in 0..times {
        let cut = |[a, b, c]: Corners| {
            let middle = |p: [f64; 3], q: [f64; 3]| unit(std::array::from_fn(|d| p[d] + q[d]));
            let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        all = all.into_iter().flat_map(cut).collect();
    }
    all
}

/// How far the triangles of a ball lie below the sphere through its corners, as a share of its radius.
pub fn deviation(ball: &[Corners]) -> f64 {
    let height = |three: &Corners| {
        let middle: [f64; 3] =
            std::array::from_fn(|d| three.iter().map(|p| p[d]).sum::<f64>() / 3.0);
        1.0 - dot(middle, middle).sqrt()
    };
    ball.iter().map(height).fold(0.0, f64::max)
}
