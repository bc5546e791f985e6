//! The same bits on any number of ranks and threads.

use crate::problem::{Problem, own, place, random, scatter};
use vortice_linear::cpu::{Domain, Host, Multigrid, Symmetric};
use vortice_linear::{Cg, Ended, Outcome, Preconditioner, Smoothing, Space, Stop};

const TWO: Smoothing = Smoothing { pre: 2, post: 2 };

/// Three cycles from a random start, and all coefficients of a level.
fn cycles(problem: &Problem, grids: &mut Multigrid) -> Vec<f64> {
    let level = *grids.level();
    scatter(&problem.random(7, false), problem, &level, grids.finest_mut().x);
    scatter(&problem.random(8, false), problem, &level, grids.finest_mut().b);
    for _ in 0..3 {
        grids.cycle(TWO).expect("no rank stops");
    }
    own(&level, grids.x())
}

/// Boxes whose first levels are cut, evenly and not, along each direction.
fn cuts() -> Vec<(Problem, Vec<[usize; 3]>)> {
    let solid = |c: [usize; 3]| (30..45).contains(&c[0]) && c[1] < 21;
    vec![
        (
            Problem::cubes([128, 96, 1]).open(0, 1),
            vec![[2, 1, 1], [1, 2, 1], [2, 2, 1], [3, 1, 1], [1, 3, 1], [4, 2, 1]],
        ),
        (
            Problem::cubes([129, 101, 1]).solid(solid).contrast(3.0),
            vec![[2, 1, 1], [1, 2, 1], [3, 2, 1]],
        ),
        (
            Problem::cubes([127, 101, 1]).periodic([true, true, false]),
            vec![[2, 1, 1], [1, 2, 1], [2, 2, 1], [3, 3, 1]],
        ),
        (
            Problem::walls([300, 40, 1], [1.0, 4.0, 1.0]).open(0, 0).open(1, 1),
            vec![[5, 1, 1], [2, 4, 1]],
        ),
        (
            Problem::cubes([33, 31, 29]).periodic([false, true, false]).open(2, 0),
            vec![[2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2, 2], [1, 3, 1]],
        ),
    ]
}

#[test]
fn cycles_give_the_same_bits_on_any_number_of_ranks() {
    for (problem, ranks) in cuts() {
        let expected = cycles(&problem, &mut problem.multigrid(1));
        assert!(expected.iter().all(|x| x.is_finite()));
        for ranks in ranks {
            let (whole, shared) = problem.on_ranks(ranks, |mut grids| {
                let levels = &grids.all_levels().levels;
                let shared = levels.iter().filter(|level| !level.whole).count();
                (cycles(&problem, &mut grids), shared)
            });
            assert!(shared[0] > 0 && shared[0] < 6, "{shared:?} levels are cut");
            assert!(whole == expected, "{:?} on {ranks:?} ranks", problem.grid);
        }
    }
}

#[test]
fn coarse_coefficients_are_the_same_on_any_number_of_ranks() {
    for (problem, ranks) in cuts() {
        let alone = problem.multigrid(1);
        let (levels, is_singular) = (&alone.all_levels().levels, alone.is_singular());
        let all: Vec<_> = (0..levels.len()).map(|n| alone.coefficients(n).clone()).collect();
        for ranks in ranks {
            problem.on_ranks(ranks, |grids| {
                for level in &grids.all_levels().levels {
                    let there = &levels[level.number];
                    for d in 0..level.directions {
                        let mut n = level.shape.cells;
                        n[d] += 1;
                        for cell in Problem::cells(level.start, n) {
                            let here = place(&level.shape, level.start, cell);
                            let mine = grids.coefficients(level.number)[d][here];
                            let place = place(&there.shape, [0; 3], cell);
                            let expected = all[level.number][d][place];
                            assert_eq!(mine, expected, "level {}, {cell:?}", level.number);
                        }
                    }
                }
                assert_eq!(grids.is_singular(), is_singular);
                (own(grids.level(), grids.x()), ())
            });
        }
    }
}

/// Conjugate gradients to a tight end.
fn gradients(
    problem: &Problem,
    grids: Multigrid,
    preconditioner: Preconditioner,
) -> (Vec<f64>, Outcome) {
    let domain = Domain::of(&grids);
    let level = domain.level;
    let mut operator = Symmetric::new(grids, preconditioner);
    operator.prepare().expect("no rank stops");
    let mut space = Host::new(domain, operator);
    let (mut b, mut x) = (space.zeros().expect("zeros"), space.zeros().expect("zeros"));
    scatter(&problem.random(8, false), problem, &level, &mut b);
    let stop = Stop { relative: 1e-10, absolute: 0.0, most: 60, look_every: 1 };
    let mut cg = Cg::new(&mut space).expect("no rank stops");
    let outcome = cg.solve(&mut space, &b, &mut x, &stop).expect("no rank stops");
    (own(&level, &x), outcome)
}

#[test]
fn gradients_give_the_same_bits_on_any_number_of_ranks() {
    for (problem, ranks) in cuts() {
        for preconditioner in [Preconditioner::Jacobi, Preconditioner::Multigrid(2)] {
            let expected = gradients(&problem, problem.multigrid(1), preconditioner);
            let converged = preconditioner != Preconditioner::Jacobi;
            assert_eq!(expected.1.ended == Ended::Converged, converged, "{:?}", expected.1);
            let ranks = ranks[ranks.len() - 1];
            let (whole, outcomes) =
                problem.on_ranks(ranks, |grids| gradients(&problem, grids, preconditioner));
            assert!(outcomes.iter().all(|outcome| *outcome == expected.1), "{outcomes:?}");
            assert!(whole == expected.0, "{:?} on {ranks:?} ranks", problem.grid);
        }
    }
}

#[test]
fn threads_change_nothing() {
    for problem in [
        Problem::cubes([400, 301, 1]).open(0, 1).contrast(3.0),
        Problem::cubes([61, 50, 47]).periodic([true, false, true]),
    ] {
        let preconditioner = Preconditioner::Multigrid(2);
        let expected = gradients(&problem, problem.multigrid(1), preconditioner);
        assert_eq!(expected.1.ended, Ended::Converged);
        for threads in [2, 3, 8] {
            let got = gradients(&problem, problem.multigrid(threads), preconditioner);
            assert!(got == expected, "{threads} threads: {:?}, {:?}", got.1, expected.1);
        }
    }
}

#[test]
fn products_are_right_and_no_number_if_they_cannot_be() {
    let problem = Problem::cubes([50, 40, 1]);
    let domain = Domain::of(&problem.multigrid(1));
    let shape = domain.level.shape;
    // Halos are full of what must not be counted.
    let mut x = vec![f64::NAN; shape.len()];
    let mut y = x.clone();
    let values = |seed: u64| (0..2000).map(|n| random(seed + n) - 0.5).collect::<Vec<f64>>();
    let (a, b) = (values(1), values(5000));
    scatter(&a, &problem, &domain.level, &mut x);
    scatter(&b, &problem, &domain.level, &mut y);
    let expected: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let [xy, xx, yx] = domain.dots(&[(&x, &y), (&x, &x), (&y, &x)]).expect("no rank stops");
    assert!((xy - expected).abs() < 1e-13 * xx, "{xy} instead of {expected}");
    assert_eq!(xy.to_bits(), yx.to_bits());
    y[shape.index([7, 7, 0])] = f64::INFINITY;
    let [xy, xx_again, _] = domain.dots(&[(&x, &y), (&x, &x)]).expect("no rank stops");
    assert!(xy.is_nan() && xx_again == xx);
}
