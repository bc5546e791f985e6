//! How fast cycles converge, whatever the size and shape of the box.

use crate::problem::{Problem, centre, own, scatter};
use vortice_linear::Smoothing;

const CYCLES: usize = 24;

/// V(2,2).
const TWO: Smoothing = Smoothing { pre: 2, post: 2 };

/// The mean factor by which a late cycle reduces an error that began at random.
fn factor(problem: &Problem, smoothing: Smoothing) -> f64 {
    let mut grids = problem.multigrid(2);
    let level = *grids.level();
    let singular = grids.is_singular();
    let fluid = problem.fluid();
    let mut x = problem.random(1, singular);
    let mut late = 1.0;
    for cycle in 0..CYCLES {
        scatter(&x, problem, &level, grids.finest_mut().x);
        grids.cycle(smoothing).expect("no rank stops");
        x = own(&level, grids.x());
        if singular {
            centre(&mut x, &fluid);
        }
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        x.iter_mut().for_each(|x| *x /= norm);
        if cycle >= CYCLES / 2 {
            late *= norm;
        }
    }
    late.powf(2.0 / CYCLES as f64)
}

/// With walls all around, and with an open end.
fn both(name: &str, problem: &Problem, most: f64) {
    for (ends, problem) in [("walls", problem.clone()), ("open x-high", problem.clone().open(0, 1))]
    {
        expect(&format!("{name}, {ends}"), &problem, most);
    }
}

fn expect(name: &str, problem: &Problem, most: f64) {
    let factor = factor(problem, TWO);
    println!("{name}: {factor:.3}");
    assert!(factor < most, "{name}: {factor:.3} a cycle");
}

#[test]
fn squares_converge_at_the_same_rate() {
    for n in [64, 128, 256] {
        both(&format!("{n}^2"), &Problem::cubes([n, n, 1]), 0.15);
    }
    let open = Problem::cubes([64, 64, 1]).open(0, 0).open(0, 1).open(1, 0).open(1, 1);
    expect("64^2, all ends open", &open, 0.15);
}

#[test]
fn cubes_converge_at_the_same_rate() {
    both("32^3", &Problem::cubes([32; 3]), 0.15);
    both("40 x 30 x 20", &Problem::cubes([40, 30, 20]), 0.15);
}

#[test]
fn odd_sizes_cost_little() {
    both("100 x 37", &Problem::cubes([100, 37, 1]), 0.15);
    both("99 x 45", &Problem::cubes([99, 45, 1]), 0.15);
    both("37 x 23 x 19", &Problem::cubes([37, 23, 19]), 0.15);
    // One more than a power of two has a lone cell on every level.
    both("129^2", &Problem::cubes([129, 129, 1]), 0.17);
    both("33^3", &Problem::cubes([33; 3]), 0.19);
}

#[test]
fn long_boxes_and_flat_cells_converge_too() {
    both("20:1 box of squares", &Problem::cubes([1280, 64, 1]), 0.15);
    for (width, height) in [(20.0, 1.0), (1.0, 20.0), (1.0, 5.0), (1.0, 1.4), (1.0, 1.1)] {
        let problem = Problem::walls([256, 64, 1], [width, height, 1.0]);
        both(&format!("256 x 64 of {width}:{height}"), &problem, 0.15);
    }
    for widths in [[1.0, 1.0, 1.4], [1.0, 5.0, 2.0], [20.0, 1.0, 20.0], [1.0, 1.3, 1.3]] {
        both(&format!("32^3 of {widths:?}"), &Problem::walls([32; 3], widths), 0.15);
    }
}

#[test]
fn rings_converge_too() {
    let ring = |cells, periodic| Problem::cubes(cells).periodic(periodic);
    expect("128^2 torus", &ring([128, 128, 1], [true, true, false]), 0.15);
    expect("100 x 37 torus", &ring([100, 37, 1], [true, true, false]), 0.15);
    both("100 x 37 ring in y", &ring([100, 37, 1], [false, true, false]), 0.15);
    both("32^3 ring in z", &ring([32; 3], [false, false, true]), 0.15);
    both("24 x 16 x 33 ring in z", &ring([24, 16, 33], [false, false, true]), 0.17);
}

#[test]
fn solids_and_contrasts_converge_more_slowly() {
    let step = Problem::cubes([128, 32, 1]).solid(|c| c[0] < 33 && c[1] < 15);
    both("step", &step, 0.2);
    let block = |c: [usize; 3]| (51..70).contains(&c[0]) && (49..68).contains(&c[1]);
    both("block", &Problem::cubes([128, 128, 1]).solid(block), 0.3);
    both("contrasts of 10", &Problem::cubes([128, 128, 1]).contrast(10.0), 0.25);
}

#[test]
#[ignore = "long suite"]
fn the_largest_converge_at_the_same_rate() {
    for n in [512, 1024, 2048] {
        both(&format!("{n}^2"), &Problem::cubes([n, n, 1]), 0.15);
    }
    for n in [64, 128, 256] {
        both(&format!("{n}^3"), &Problem::cubes([n; 3]), 0.15);
    }
}
