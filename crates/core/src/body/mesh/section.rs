//! A surface cut by a plane across z: what a plane flow meets of it.

use std::collections::HashMap;

use super::triangle::Corners;

/// How far the section goes on in z, by the largest extent of the surface: no end of it is ever the nearest.
const HEIGHT: f64 = 16.0;

/// The prism along z whose section is that of a surface at a height, without its ends, as triangles of numbered corners.
pub(super) fn prism(
    corners: &[Corners],
    numbers: &[[u32; 3]],
    height: f64,
) -> (Vec<Corners>, Vec<[u32; 3]>) {
    let mut points = HashMap::new();
    let (mut cut, mut cut_numbers) = (Vec::new(), Vec::new());
    let far = HEIGHT * extent(corners);
    for (corners, numbers) in corners.iter().zip(numbers) {
        let Some(side) = side(corners, *numbers, height) else { continue };
        let [from, to] = side.map(|(edge, [x, y])| {
            let next = points.len() as u32;
            let number = 2 * *points.entry(edge).or_insert(next);
            [(number, [x, y, height - far]), (number + 1, [x, y, height + far])]
        });
        for three in [[from[0], to[0], to[1]], [from[0], to[1], from[1]]] {
            cut.push(three.map(|(_, point)| point));
            cut_numbers.push(three.map(|(number, _)| number));
        }
    }
    (cut, cut_numbers)
}

/// A point of the section: the edge that it lies on, and where.
type Point = ([u32; 2], [f64; 2]);

/// The part of a section that lies in a triangle, the inside of the body on its left.
fn side(corners: &Corners, numbers: [u32; 3], height: f64) -> Option<[Point; 2]> {
    // A corner at the height itself counts as above, for all its triangles.
    let is_above = corners.map(|corner| corner[2] >= height);
    let (mut up, mut down) = (None, None);
    for k in 0..3 {
        let next = (k + 1) % 3;
        if is_above[k] == is_above[next] {
            continue;
        }
        let [low, high] = if numbers[k] < numbers[next] { [k, next] } else { [next, k] };
        let [p, q] = [corners[low], corners[high]];
        let share = (height - p[2]) / (q[2] - p[2]);
        let point = ([numbers[low], numbers[high]], [0, 1].map(|d| p[d] + share * (q[d] - p[d])));
        *(if is_above[next] { &mut up } else { &mut down }) = Some(point);
    }
    Some([down?, up?])
}

fn extent(corners: &[Corners]) -> f64 {
    let all = || corners.iter().flatten();
    let of = |d: usize| {
        let [low, high] = all().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| {
            [low.min(point[d]), high.max(point[d])]
        });
        high - low
    };
    (0..3).map(of).fold(0.0, f64::max)
}
