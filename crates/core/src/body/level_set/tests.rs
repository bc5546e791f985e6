use std::sync::Arc;

use super::*;
use crate::body::{Body, Geometry, Walls};
use crate::body_cells::BodyCells;
use crate::each_cell::each_cell_of_grid;

fn body(geometry: Geometry, hollow: bool) -> Arc<Body> {
    let name = "body".to_owned();
    Arc::new(Body { name, geometry, hollow, rotation: 0.0, walls: Walls::Exact, area: 1.0 })
}

fn level_set(condition: &str, grid: &Grid) -> LevelSet {
    let formula = Expression::parse_condition(condition).expect(condition);
    LevelSet::new(formula, grid).expect("numbers")
}

/// Shapes by their numbers, and conditions for the same, on grids whose centres lie on their surfaces too.
fn pairs() -> Vec<(Geometry, &'static str, Grid)> {
    let plane = Grid::uniform([40, 20, 1], [4.0, 2.0, 0.1], [0.0; 3]);
    let space = Grid::uniform([21, 19, 16], [2.1, 1.9, 1.6], [-0.4, 0.1, 0.2]);
    let circle = |centre, radius| Geometry::Cylinder { along: 2, centre, radius };
    vec![
        (circle([1.05, 1.05, 0.0], 0.5), "(x - 1.05)^2 + (y - 1.05)^2 < 0.25", plane),
        (circle([1.03, 0.98, 0.0], 0.37), "sqrt((x - 1.03)^2 + (y - 0.98)^2) < 0.37", plane),
        (
            Geometry::Cylinder { along: 0, centre: [0.0, 1.0, 1.0], radius: 0.5 },
            "0.25 > (y - 1)^2 + (z - 1)^2",
            space,
        ),
        (
            Geometry::Sphere { centre: [0.61, 1.02, 1.0], radius: 0.53 },
            "(x - 0.61)^2 + (y - 1.02)^2 + (z - 1)^2 < 0.53^2",
            space,
        ),
        (
            Geometry::Box { low: [0.15, 0.55, 0.4], high: [1.3, 1.41, 1.2] },
            "x > 0.15 and x < 1.3 and abs(y - 0.98) < 0.43 and (z > 0.4 and z < 1.2)",
            space,
        ),
    ]
}

#[test]
fn a_condition_for_a_shape_is_that_shape() {
    for (shape, condition, grid) in pairs() {
        let by_condition = Geometry::LevelSet(level_set(condition, &grid));
        let bounds = [&shape, &by_condition].map(|geometry| geometry.bounds());
        for d in (0..3).filter(|&d| bounds[0][0][d].is_finite()) {
            for end in 0..2 {
                let off = bounds[0][end][d] - bounds[1][end][d];
                assert!(off.abs() < 1e-9, "{condition}: {bounds:?}");
            }
        }
        for hollow in [false, true] {
            let both = [&shape, &by_condition].map(|geometry| body(geometry.clone(), hollow));
            let covered = both.each_ref().map(|body| BodyCells::new(body, &grid));
            let whole = grid.cells().map(|n| 0..n);
            let (mut solid, mut walls, mut worst) = (0, 0, 0.0_f64);
            for cell in each_cell_of_grid(&whole) {
                let [one, other] =
                    covered.each_ref().map(|body| body.contains(cell.map(|i| i as usize)));
                assert_eq!(one, other, "{condition} at {cell:?}");
                solid += usize::from(one);
                if one {
                    continue;
                }
                for (d, step) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
                    let mut next = cell;
                    next[d] += step;
                    if (0..grid.cells()[d] as isize).contains(&next[d])
                        && covered[0].contains(next.map(|i| i as usize))
                    {
                        let [from, to] = [cell, next].map(|cell| grid.centre(cell));
                        let shares = both.each_ref().map(|body| body.wall_distance(from, to, 1e-6));
                        worst = worst.max((shares[0] - shares[1]).abs());
                        walls += 1;
                    }
                }
            }
            println!("{condition}, hollow {hollow}: {solid} cells, {walls} walls, {worst:.1e}");
            // Where a line touches the circle in a centre, rounding of 1e-16 moves it by the root of that.
            let tolerance = if condition.starts_with("(x - 1.05)") { 1e-7 } else { 1e-9 };
            assert!(solid > 20 && walls > 20 && worst < tolerance, "{condition}: {worst:e}");
        }
    }
}

#[test]
fn distances_are_those_of_the_shape_near_it() {
    for (shape, condition, grid) in pairs() {
        let level_set = level_set(condition, &grid);
        let mut worst = 0.0_f64;
        let whole = grid.cells().map(|n| 0..n);
        // Beside an edge the nearest point is none of the slope's.
        let is_smooth = !matches!(shape, Geometry::Box { .. });
        for cell in each_cell_of_grid(&whole) {
            let point = grid.centre(cell);
            let [exact, near] = [shape.distance(point), level_set.distance(point)];
            if exact.abs() > 1e-8 {
                assert_eq!(exact > 0.0, near > 0.0, "{condition}: {point:?}");
            }
            if exact.abs() < 3.0 * level_set.length {
                worst = worst.max((exact - near).abs() / level_set.length);
            }
        }
        println!("{condition}: {worst:.1e} of a cell");
        assert!(!is_smooth || worst < 1e-9, "{condition}: {worst:e}");
    }
}

#[test]
fn an_ellipse_that_lies_askew_reaches_as_far_as_it_does() {
    let grid = Grid::uniform([60, 50, 1], [3.0, 2.5, 0.05], [-1.5, -1.25, 0.0]);
    let ellipse = level_set("(x + y)^2/2 + (x - y)^2/2/0.16 < 1", &grid);
    let [low, high] = ellipse.bounds();
    // Half axes 1 and 0.4 along the diagonals.
    let reach = (0.5_f64 * (1.0 + 0.16)).sqrt();
    for d in 0..2 {
        assert!(
            (low[d] + reach).abs() < 1e-9 && (high[d] - reach).abs() < 1e-9,
            "{low:?} {high:?}"
        );
    }
    assert!(low[2] == f64::NEG_INFINITY && high[2] == f64::INFINITY);
    // The nearest point, and not where the slope leads at first.
    let distance = ellipse.distance([0.9, 0.9, 0.0]);
    assert!((distance - (0.9 * 2.0_f64.sqrt() - 1.0)).abs() < 1e-9, "{distance}");
}

#[test]
fn a_body_that_the_grid_cuts_ends_with_it() {
    let grid = Grid::uniform([20, 20, 1], [1.0, 1.0, 0.05], [0.0; 3]);
    let hill = level_set("y < 0.3*exp(-20*(x - 0.5)^2)", &grid);
    let [low, high] = hill.bounds();
    assert_eq!([low[0], low[1], high[0]], [0.0, 0.0, 1.0]);
    assert!((high[1] - 0.3).abs() < 1e-9, "{high:?}");
    let empty = level_set("x + y < -1", &grid);
    assert!(empty.bounds()[0][0] > empty.bounds()[1][0]);
}

#[test]
fn what_repeats_itself_with_the_box_is_known() {
    let grid = Grid::uniform([20, 20, 1], [1.0, 1.0, 0.05], [0.0; 3]);
    let waves = level_set("sin(2*pi*x)*sin(2*pi*y) > 0.3", &grid);
    assert!(waves.repeats(&grid, 0) && waves.repeats(&grid, 1));
    let inner = level_set("(x - 0.5)^2 + (y - 0.5)^2 < 0.04", &grid);
    assert!(inner.repeats(&grid, 0) && inner.repeats(&grid, 1));
    let slope = level_set("y < 0.2 + 0.1*x", &grid);
    assert!(!slope.repeats(&grid, 0) && !slope.repeats(&grid, 1));
}
