//! Halos of a rank that has all cells.

use crate::layout::Layout;

/// Copies periodic neighbours into the halos, direction by direction, so that edges and corners
/// come for free.
pub(crate) fn wrap(layout: &Layout, periodic: [bool; 3], array: &mut [f64]) {
    let [row, plane] = [layout.strides()[1], layout.strides()[2]];
    let rows = layout.len() / row;
    for d in (0..3).filter(|&d| periodic[d] && layout.halo[d] > 0) {
        let n = layout.cells[d] as isize;
        for to in layout.all(d).filter(|i| !(0..n).contains(i)) {
            let h = layout.halo[d] as isize;
            let (from, to) = ((to.rem_euclid(n) + h) as usize, (to + h) as usize);
            match d {
                0 => (0..rows).for_each(|r| array[r * row + to] = array[r * row + from]),
                1 => {
                    for start in (0..array.len()).step_by(plane) {
                        let from = start + from * row;
                        array.copy_within(from..from + row, start + to * row);
                    }
                }
                _ => array.copy_within(from * plane..(from + 1) * plane, to * plane),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halos_hold_the_cells_they_stand_for() {
        for cells in [[5, 4, 3], [1, 2, 1]] {
            let layout = Layout { cells, halo: [2, 1, 1] };
            let periodic = [true, false, true];
            let mut array = vec![-1.0; layout.len()];
            let number = |c: [isize; 3]| (c[0] + 10 * c[1] + 100 * c[2]) as f64;
            let n = cells.map(|n| n as isize);
            let all = |own: bool| {
                let range = |d: usize| if own { 0..n[d] } else { layout.all(d) };
                let (x, y) = (range(0), range(1));
                range(2).flat_map(move |k| {
                    let x = x.clone();
                    y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k]))
                })
            };
            all(true).for_each(|cell| array[layout.index(cell)] = number(cell));
            wrap(&layout, periodic, &mut array);
            for [i, j, k] in all(false) {
                let inside = (0..n[1]).contains(&j);
                let there = [i.rem_euclid(n[0]), j, k.rem_euclid(n[2])];
                let expected = if inside { number(there) } else { -1.0 };
                assert_eq!(array[layout.index([i, j, k])], expected, "{:?}", [i, j, k]);
            }
        }
    }
}
