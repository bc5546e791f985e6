//! All solvers against a direct solution, and their ends.

use crate::direct;
use crate::direct::difference;
use crate::problem;
use crate::problem::{Problem, own, scatter};
use vortice_linear::cpu::{Domain, Host, Symmetric};
use vortice_linear::{
    BiCgStab, Cg, Ended, Outcome, Preconditioner, SingleReductionCg, Smoothing, Space, Stop,
};

type Pressure = Host<Symmetric>;

const TIGHT: Stop = Stop { relative: 1e-12, absolute: 0.0, most: 4000, look_every: 1 };

/// Boxes with every kind of end, with solids, flat cells and contrasts.
fn problems() -> Vec<(&'static str, Problem)> {
    let step = |c: [usize; 3]| c[0] < 9 && c[1] < 7;
    let block = |c: [usize; 3]| (4..8).contains(&c[0]) && (3..5).contains(&c[1]) && c[2] > 2;
    vec![
        ("walls", Problem::cubes([40, 27, 1])),
        ("open ends", Problem::cubes([40, 27, 1]).open(0, 1).open(1, 0)),
        ("torus", Problem::cubes([24, 17, 1]).periodic([true, true, false])),
        ("torus of two cells", Problem::cubes([2, 16, 1]).periodic([true, true, false])),
        ("channel", Problem::walls([32, 16, 1], [1.0, 3.0, 1.0]).open(0, 1)),
        ("step", Problem::cubes([40, 16, 1]).open(0, 1).solid(step)),
        ("closed step", Problem::cubes([40, 16, 1]).solid(step)),
        ("contrasts", Problem::cubes([31, 33, 1]).contrast(10.0)),
        ("one row", Problem::cubes([19, 1, 1]).open(0, 1)),
        ("box", Problem::walls([13, 9, 7], [1.0, 1.5, 0.7])),
        ("open box", Problem::cubes([12, 10, 8]).open(2, 1).contrast(5.0)),
        (
            "ring with a block",
            Problem::cubes([12, 8, 9]).periodic([false, false, true]).solid(block),
        ),
    ]
}

fn pressure(problem: &Problem, preconditioner: Preconditioner) -> Pressure {
    let grids = problem.multigrid(1);
    let domain = Domain::of(&grids);
    let mut operator = Symmetric::new(grids, preconditioner);
    operator.prepare().expect("no rank stops");
    Host::new(domain, operator)
}

fn vector(space: &Pressure, problem: &Problem, values: &[f64]) -> Vec<f64> {
    let level = space.domain().level;
    let mut vector = vec![0.0; level.shape.len()];
    scatter(values, problem, &level, &mut vector);
    vector
}

/// Which solver.
#[derive(Clone, Copy, Debug)]
enum By {
    Cg,
    SingleReduction,
    BiCgStab,
}

fn solve(space: &mut Pressure, by: By, b: &Vec<f64>, x: &mut Vec<f64>, stop: &Stop) -> Outcome {
    let outcome = match by {
        By::Cg => Cg::new(space).and_then(|mut cg| cg.solve(space, b, x, stop)),
        By::SingleReduction => {
            SingleReductionCg::new(space).and_then(|mut cg| cg.solve(space, b, x, stop))
        }
        By::BiCgStab => BiCgStab::new(space).and_then(|mut bi| bi.solve(space, b, x, stop)),
    };
    outcome.expect("no rank stops")
}

#[test]
fn solvers_find_the_direct_solution() {
    for (name, problem) in problems() {
        let rows = direct::rows(&problem);
        for preconditioner in
            [Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Multigrid(2)]
        {
            let mut space = pressure(&problem, preconditioner);
            let singular = space.operator.grids().is_singular();
            let b = problem.random(3, singular);
            let fluid = problem.fluid();
            let expected = direct::solve(&rows, &b, singular.then_some(&fluid));
            for by in [By::Cg, By::SingleReduction, By::BiCgStab] {
                let b = vector(&space, &problem, &b);
                let mut x = vector(&space, &problem, &problem.random(4, false));
                let outcome = solve(&mut space, by, &b, &mut x, &TIGHT);
                let at = format!("{name}, {by:?}, {preconditioner:?}: {outcome:?}");
                assert_eq!(outcome.ended, Ended::Converged, "{at}");
                let wrong = difference(&own(&space.domain().level, &x), &expected);
                assert!(wrong < 1e-9, "{at}, wrong by {wrong:e}");
            }
        }
    }
}

#[test]
fn cycles_alone_find_the_direct_solution() {
    for (name, problem) in problems() {
        let mut grids = problem.multigrid(1);
        let (level, singular) = (*grids.level(), grids.is_singular());
        let b = problem.random(3, singular);
        let fluid = problem.fluid();
        let expected =
            direct::solve(&direct::rows(&problem), &b, singular.then_some(fluid.as_slice()));
        scatter(&b, &problem, &level, grids.finest_mut().b);
        for _ in 0..40 {
            grids.cycle(Smoothing { pre: 2, post: 2 }).expect("no rank stops");
        }
        let mut x = own(&level, grids.x());
        if singular {
            problem::centre(&mut x, &fluid);
        }
        let wrong = difference(&x, &expected);
        assert!(wrong < 1e-9, "{name}: wrong by {wrong:e}");
    }
}

#[test]
fn iterations_do_not_depend_on_the_size() {
    let stop = Stop { relative: 1e-10, ..TIGHT };
    for n in [64, 128, 256, 512] {
        for open in [false, true] {
            let mut problem = Problem::cubes([n, n, 1]);
            problem.open[0][1] = open;
            let mut space = pressure(&problem, Preconditioner::Multigrid(2));
            let b = vector(&space, &problem, &problem.random(1, false));
            for by in [By::Cg, By::SingleReduction] {
                let mut x = vec![0.0; b.len()];
                let outcome = solve(&mut space, by, &b, &mut x, &stop);
                println!("{n}^2, open {open}, {by:?}: {} iterations", outcome.iterations);
                assert_eq!(outcome.ended, Ended::Converged);
                assert!(outcome.iterations <= 9, "{n}^2, {by:?}: {outcome:?}");
            }
        }
    }
}

#[test]
fn cubes_need_as_few_iterations() {
    for n in [32, 64] {
        let problem = Problem::cubes([n; 3]).open(0, 1);
        let mut space = pressure(&problem, Preconditioner::Multigrid(2));
        let b = vector(&space, &problem, &problem.random(1, false));
        let mut x = vec![0.0; b.len()];
        let outcome = solve(&mut space, By::Cg, &b, &mut x, &Stop { relative: 1e-10, ..TIGHT });
        println!("{n}^3: {} iterations", outcome.iterations);
        assert!(outcome.ended == Ended::Converged && outcome.iterations <= 9, "{outcome:?}");
    }
}

#[test]
fn the_residual_is_the_true_one() {
    let problem = Problem::cubes([40, 27, 1]).open(0, 1);
    for by in [By::Cg, By::SingleReduction, By::BiCgStab] {
        let mut space = pressure(&problem, Preconditioner::Multigrid(2));
        let b = vector(&space, &problem, &problem.random(1, false));
        let mut x = vec![0.0; b.len()];
        let stop = Stop { relative: 1e-3, ..TIGHT };
        let outcome = solve(&mut space, by, &b, &mut x, &stop);
        let x = own(&space.domain().level, &x);
        let b = own(&space.domain().level, &b);
        let rows = direct::rows(&problem);
        let residual = rows.iter().enumerate().map(|(n, row)| {
            let sum: f64 = row.neighbours.iter().map(|(next, c)| c * x[*next]).sum();
            b[n] + sum - row.diagonal * x[n]
        });
        let norm = residual.map(|r| r * r).sum::<f64>().sqrt();
        let right_hand_side = b.iter().map(|b| b * b).sum::<f64>().sqrt();
        assert!((outcome.residual - norm).abs() < 1e-12 * right_hand_side, "{by:?}: {norm:e}");
        assert!((outcome.right_hand_side - right_hand_side).abs() < 1e-12 * right_hand_side);
        assert!(outcome.residual <= 1e-3 * outcome.right_hand_side);
    }
}

#[test]
fn looking_less_often_changes_nothing() {
    let problem = Problem::cubes([40, 27, 1]);
    for by in [By::Cg, By::SingleReduction, By::BiCgStab] {
        let run = |look_every| {
            let mut space = pressure(&problem, Preconditioner::Jacobi);
            let b = vector(&space, &problem, &problem.random(1, false));
            let mut x = vec![0.0; b.len()];
            let outcome = solve(&mut space, by, &b, &mut x, &Stop { look_every, ..TIGHT });
            (outcome, x)
        };
        let every = run(1);
        assert_eq!(every.0.ended, Ended::Converged);
        for look_every in [0, 7, 100_000] {
            assert!(run(look_every) == every, "{by:?}, a look every {look_every} iterations");
        }
    }
}

#[test]
fn every_system_comes_to_an_end() {
    let problem = Problem::cubes([16, 16, 1]).open(0, 1);
    let stop = Stop { most: 50, ..TIGHT };
    for by in [By::Cg, By::SingleReduction, By::BiCgStab] {
        let mut space = pressure(&problem, Preconditioner::None);
        let zero = vec![0.0; space.domain().level.shape.len()];
        let b = vector(&space, &problem, &problem.random(1, false));

        let mut x = zero.clone();
        let outcome = solve(&mut space, by, &zero, &mut x, &stop);
        assert_eq!((outcome.ended, outcome.iterations), (Ended::Converged, 0));
        assert!(x == zero);

        let few = Stop { most: 3, ..stop };
        let outcome = solve(&mut space, by, &b, &mut x, &few);
        assert_eq!((outcome.ended, outcome.iterations), (Ended::NotConverged, 3));
        assert!(x.iter().all(|x| x.is_finite()) && x != zero);

        for wrong in [f64::NAN, f64::INFINITY, 1e200] {
            let mut b = b.clone();
            b[space.domain().level.shape.index([3, 4, 0])] = wrong;
            let mut x = zero.clone();
            let outcome = solve(&mut space, by, &b, &mut x, &stop);
            assert_eq!((outcome.ended, outcome.iterations), (Ended::Breakdown, 0), "{wrong}");
            assert!(x == zero, "{by:?}: x is changed by a right-hand side with {wrong}");
        }
    }
}

#[test]
fn a_matrix_that_is_not_positive_ends_gradients() {
    let problem = Problem::cubes([8, 8, 1]).open(0, 1);
    for by in [By::Cg, By::SingleReduction] {
        let mut space = pressure(&problem, Preconditioner::None);
        let grids = space.operator.grids_mut();
        grids.finest_mut().c.iter_mut().flatten().for_each(|c| *c = -*c);
        space.operator.prepare().expect("no rank stops");
        let b = vector(&space, &problem, &problem.random(1, false));
        let mut x = vec![0.0; b.len()];
        let outcome = solve(&mut space, by, &b, &mut x, &TIGHT);
        assert_eq!(outcome.ended, Ended::Breakdown, "{by:?}");
        assert!(x.iter().all(|&x| x == 0.0));
    }
}

#[test]
fn a_cycle_is_symmetric_and_positive() {
    for (name, problem) in problems() {
        let mut grids = problem.multigrid(1);
        let (level, singular) = (*grids.level(), grids.is_singular());
        let mut apply = |seed| {
            let values = problem.random(seed, singular);
            let (mut r, mut z) = (vec![0.0; level.shape.len()], vec![0.0; level.shape.len()]);
            scatter(&values, &problem, &level, &mut r);
            for sweeps in [1, 2] {
                let smoothing = Smoothing { pre: sweeps, post: sweeps };
                grids.precondition(smoothing, &r, &mut z).expect("no rank stops");
            }
            (values, own(&level, &z))
        };
        let ((x, mx), (y, my)) = (apply(1), apply(2));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let size = (dot(&x, &mx) * dot(&y, &my)).sqrt();
        let skew = (dot(&x, &my) - dot(&y, &mx)).abs() / size;
        assert!(skew < 1e-12, "{name}: x'My and y'Mx differ by {skew:e}");
        assert!(dot(&x, &mx) > 0.0 && dot(&y, &my) > 0.0, "{name}");
    }
}

#[test]
fn a_space_can_be_used_again() {
    let problem = Problem::cubes([16, 16, 1]).open(0, 1);
    let mut space = pressure(&problem, Preconditioner::Multigrid(2));
    let mut cg = Cg::new(&mut space).expect("no rank stops");
    let b = vector(&space, &problem, &problem.random(1, false));
    let mut again = || {
        let mut x = space.zeros().expect("no rank stops");
        let outcome = cg.solve(&mut space, &b, &mut x, &TIGHT).expect("no rank stops");
        (outcome, x)
    };
    let first = again();
    assert!(again() == first);
}
