#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod files;
mod shapes;

use super::*;
use crate::body::Geometry;
use crate::each_cell::each_cell_of_grid;

pub(super) const AS_IT_IS: Placement = Placement { scale: 1.0, rotate: [0.0; 3], shift: [0.0; 3] };

/// A binary file of triangles.
pub(super) fn file(triangles: &[Corners]) -> Vec<u8> {
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
pub(super) fn cube(way: [f64; 3]) -> Vec<Corners> {
    let corner = |n: usize| std::array::from_fn(|d| way[d] + (n >> d & 1) as f64);
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let both = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]].map(|three| three.map(corner));
    sides.into_iter().flat_map(both).collect()
}

/// An icosahedron whose triangles are cut in four so many times, its corners at a distance of 1.
pub(super) fn ball(times: usize) -> Vec<Corners> {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let unit = |p: [f64; 3]| p.map(|x| x / dot(p, p).sqrt());
    let corners: Vec<[f64; 3]> = [[-1.0, g], [1.0, g], [-1.0, -g], [1.0, -g]]
        .into_iter()
        .flat_map(|[a, b]| [[a, b, 0.0], [0.0, a, b], [b, 0.0, a]])
        .map(unit)
        .collect();
    let near = |i: usize, j: usize| {
        let gap = triangle::minus(corners[i], corners[j]);
        i != j && dot(gap, gap) < 1.2
    };
    let mut all = Vec::new();
    for i in 0..12 {
        for j in (i + 1..12).filter(|&j| near(i, j)) {
            for k in (j + 1..12).filter(|&k| near(i, k) && near(j, k)) {
                let three = [i, j, k].map(|n| corners[n]);
                let is_outwards = dot(normal(&three), three[0]) > 0.0;
                all.push(if is_outwards { three } else { [three[0], three[2], three[1]] });
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

/// That the cells found by lines are those whose centres the distance tells to be inside; how many they are.
pub(super) fn covered(mesh: &Mesh, grid: &Grid) -> usize {
    let whole = grid.cells().map(|n| 0..n);
    let both = [false, true].map(|hollow| mesh.rows(grid, &whole, hollow));
    let mut count = 0;
    for cell in each_cell_of_grid(&whole) {
        let distance = mesh.distance(grid.centre(cell));
        let expected = [distance, -distance].map(|distance| distance <= margin(grid));
        let cell = cell.map(|i| i as usize);
        assert_eq!(
            both.each_ref().map(|rows| rows.contains(cell)),
            expected,
            "{cell:?} {distance}"
        );
        count += usize::from(expected[0]);
    }
    count
}

pub(super) fn of(triangles: &[Corners], placement: Placement) -> Mesh {
    Mesh::new(&file(triangles), placement, None).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}
