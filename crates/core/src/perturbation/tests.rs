use super::*;

const WALLS: [bool; 3] = [true, false, false];

fn space(seed: u64) -> Perturbation {
    let grid = Grid::uniform([8, 6, 4], [3.0, 1.5, 2.0], [-1.0, 0.5, 0.0]);
    Perturbation::new(0.1, seed, &grid, WALLS)
}

fn plane(seed: u64) -> Perturbation {
    let grid = Grid::uniform([8, 6, 1], [3.0, 1.5, 0.01], [-1.0, 0.5, 0.0]);
    Perturbation::new(0.1, seed, &grid, [true, false, true])
}

fn speed(u: [f64; 3]) -> f64 {
    u.iter().map(|u| u * u).sum::<f64>().sqrt()
}

/// Points all over a box of the size of both.
fn points() -> impl Iterator<Item = [f64; 3]> {
    let grid = Grid::uniform([24, 24, 24], [3.0, 1.5, 2.0], [-1.0, 0.5, 0.0]);
    grid.sampled_centres(24).collect::<Vec<_>>().into_iter()
}

#[test]
fn numbers_are_those_of_splitmix() {
    // The first two of the generator begun with 1234567.
    let state = |number: u64| 1_234_567_u64.wrapping_add(GOLDEN.wrapping_mul(number));
    assert_eq!([1, 2].map(|n| split_mix(state(n))), [6457827717110365317, 3203168211198807973]);
    let numbers: Vec<f64> = (0..100_000).map(|number| uniform(3, number)).collect();
    let mean = numbers.iter().sum::<f64>() / 1e5;
    let square = numbers.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>() / 1e5;
    // Three deviations of a mean of so many.
    assert!((mean - 0.5).abs() < 3.0 * (1.0_f64 / 12.0 / 1e5).sqrt(), "{mean}");
    assert!((square - 1.0 / 12.0).abs() < 1e-3, "{square}");
}

#[test]
fn it_has_no_divergence() {
    for flow in [space(1), plane(1)] {
        let h = 1e-5;
        for point in points().step_by(97) {
            let slope = |d: usize| {
                let at = |end: f64| {
                    let mut point = point;
                    point[d] += end * h;
                    flow.velocity(point)[d]
                };
                (at(1.0) - at(-1.0)) / (2.0 * h)
            };
            let slopes = [0, 1, 2].map(slope);
            let divergence: f64 = slopes.iter().sum();
            assert!(divergence.abs() < 1e-7, "{slopes:?} at {point:?}");
        }
    }
}

#[test]
fn it_is_zero_at_ends_and_periodic_where_the_box_is() {
    let flow = space(2);
    for [x, y, z] in points().step_by(31) {
        for end in [[x, 0.5, z], [x, 2.0, z], [x, y, 0.0], [x, y, 2.0]] {
            assert!(speed(flow.velocity(end)) < 1e-12, "{:?} at {end:?}", flow.velocity(end));
        }
        let [here, there] = [x, x + 3.0].map(|x| flow.velocity([x, y, z]));
        assert!((0..3).all(|c| (here[c] - there[c]).abs() < 1e-12));
    }
    assert!(speed(flow.velocity([-1.0, 1.1, 0.7])) > 1e-3);
}

#[test]
fn its_root_mean_square_is_the_amplitude() {
    let mean_square = |flow: Perturbation| {
        let squares: Vec<f64> = points().map(|point| speed(flow.velocity(point)).powi(2)).collect();
        squares.iter().sum::<f64>() / squares.len() as f64
    };
    for flow in [space, plane] {
        let of_seeds: Vec<f64> = (0..40).map(|seed| mean_square(flow(seed))).collect();
        let mean = (of_seeds.iter().sum::<f64>() / 40.0).sqrt();
        assert!((mean - 0.1).abs() < 0.003, "{mean}");
        assert!(of_seeds.iter().all(|square| (0.06..0.14).contains(&square.sqrt())));
    }
}

#[test]
fn a_plane_flow_stays_plane() {
    let flow = plane(3);
    for [x, y, z] in points().step_by(53) {
        let u = flow.velocity([x, y, z]);
        assert!(u[2] == 0.0 && u == flow.velocity([x, y, 0.005]), "{u:?}");
    }
}

#[test]
fn another_seed_is_another_flow_and_the_grid_has_no_part_in_it() {
    let point = [0.3, 1.2, 0.9];
    assert_ne!(space(4).velocity(point), space(5).velocity(point));
    let fine = Grid::uniform([80, 60, 40], [3.0, 1.5, 2.0], [-1.0, 0.5, 0.0]);
    let fine = Perturbation::new(0.1, 4, &fine, WALLS);
    assert_eq!(space(4).velocity(point), fine.velocity(point));
}
