//! Which cells may have something on a list.

use std::ops::Range;

use vortice_core::{Body, Case, Side, Subdomain, around};

use crate::boundary::acts;
use crate::settings::Settings;

/// Widths of a cell that a link is long at most, and a little more.
const LONGEST_LINK: f64 = 1.75;

/// Own cells that may have something on a list: those at faces that are not walls at rest, and those
/// around solid boxes and bodies; sorted, each once.
pub(crate) fn special_cells(settings: &Settings, part: &Subdomain) -> Vec<[isize; 3]> {
    let case = &settings.case;
    let n = part.n().map(|n| n as isize);
    let mut cells = Vec::new();
    let mut add = |low: [isize; 3], high: [isize; 3]| {
        let [x, y, z] = std::array::from_fn(|d| low[d].max(0)..high[d].min(n[d]));
        for k in z {
            for j in y.clone() {
                cells.extend(x.clone().map(|i| [i, j, k]));
            }
        }
    };
    for (d, side, face) in case.boundaries.iter() {
        let ends = part.neighbours[d][side as usize].is_none();
        if !acts(face) || !ends || (d == 2 && case.grid.is_plane()) {
            continue;
        }
        let (mut low, mut high) = ([0; 3], n);
        match side {
            Side::Low => high[d] = 1,
            Side::High => low[d] = n[d] - 1,
        }
        add(low, high);
    }
    for solid in &case.solid {
        for [low, high] in around(case, part, &solid.cells(&case.grid), 1) {
            // The shell of the box, one cell thick on all sides.
            for d in 0..3 {
                let (mut below, mut above) = (high, low);
                below[d] = low[d] + 1;
                above[d] = high[d] - 1;
                add(low, below);
                add(above, high);
            }
        }
    }
    let solids = case.solids();
    for (body, block) in case.bodies.iter().zip(solids.body_blocks()) {
        add_beside(&mut cells, case, part, body, block);
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Adds the own cells so near to a body that a link of theirs may meet it.
fn add_beside(
    cells: &mut Vec<[isize; 3]>,
    case: &Case,
    part: &Subdomain,
    body: &Body,
    block: &[Range<usize>; 3],
) {
    let n = part.n().map(|n| n as isize);
    let spacing = case.grid.directions().map(|d| case.grid.spacing()[d]).fold(0.0, f64::max);
    for [low, high] in around(case, part, block, 1) {
        let [x, y, z] = std::array::from_fn(|d| low[d].max(0)..high[d].min(n[d]));
        // The place of the cell beside the body, on whichever side of a periodic end it lies.
        let centre = |cell: [isize; 3]| {
            std::array::from_fn(|d| {
                let begins = block[d].start as isize - 1;
                case.grid.axes[d].centre(cell[d] - low[d] + begins)
            })
        };
        for [k, j] in z.flat_map(|k| y.clone().map(move |j| [k, j])) {
            let row = x.clone().map(|i| [i, j, k]);
            let is_near = |cell: &[isize; 3]| {
                let distance = body.distance(centre(*cell));
                distance > 0.0 && distance < LONGEST_LINK * spacing
            };
            cells.extend(row.filter(is_near));
        }
    }
}
