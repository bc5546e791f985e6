use std::f64::consts::{PI, TAU};

use super::*;
use crate::case::apply_overrides;
use crate::field::{Field, Location, Shape};

const BOX: &str = r#"
title = "A box with walls"
grid = { cells = [8, 8, 1], size = [1.0, 1.0, 0.125] }
fluid = { viscosity = 0.01 }
scale = { length = 1.0, velocity = 1.0 }
run = { until = 1.0 }

[boundary]
x-low = "wall"
x-high = "wall"
y-low = "wall"
y-high = "wall"
z-low = "periodic"
z-high = "periodic"
"#;

/// A unit square with walls at rest and some changes.
fn case(set: &str, sets: &[String]) -> Case {
    let all: Vec<String> = std::iter::once(set.to_string()).chain(sets.iter().cloned()).collect();
    Case::parse(&apply_overrides(BOX, "box", &all).unwrap(), "box").unwrap()
}

/// A field with given values at the cell centres.
fn field(case: &Case, components: usize, value: impl Fn(usize, [f64; 3]) -> f64) -> Field {
    let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, shape, components);
    for cell in field.own_cells() {
        (0..components).for_each(|c| *field.at_mut(c, cell) = value(c, case.grid.centre(cell)));
    }
    field
}

/// Largest error over points that lie nowhere special.
fn error(
    sampler: &Sampler<'_>,
    component: usize,
    low: [f64; 2],
    size: [f64; 2],
    exact: impl Fn(f64, f64) -> f64,
) -> f64 {
    let points = (0..200).map(|n| {
        let n = f64::from(n);
        [low[0] + size[0] * (0.618_034 * n).fract(), low[1] + size[1] * (0.754_878 * n).fract()]
    });
    points
        .map(|[x, y]| (sampler.value(component, [x, y, 0.0]) - exact(x, y)).abs())
        .fold(0.0, f64::max)
}

fn order(errors: [f64; 2]) -> f64 {
    (errors[0] / errors[1]).log2()
}

#[test]
fn velocity_between_walls_is_read_to_fourth_order() {
    let exact = |x: f64, y: f64| (PI * x).sin() * (PI * y).sin();
    let errors = [16, 32].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
        let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { exact(x, y) } else { 0.0 });
        let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
        assert_eq!(sampler.value(0, [0.0, 0.3, 0.0]), 0.0);
        error(&sampler, 0, [0.0; 2], [1.0; 2], exact)
    });
    assert!(order(errors) > 3.7, "{errors:?}");
    println!("errors {errors:?}, order {:.2}", order(errors));
}

#[test]
fn pressure_is_continued_to_walls_to_fourth_order() {
    let exact = |x: f64, y: f64| (PI * x).cos() * (2.0 * y).exp();
    let errors = [16, 32].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
        let pressure = field(&case, 1, |_, [x, y, _]| exact(x, y));
        error(&Sampler::new(&case, &pressure, Quantity::Pressure), 0, [0.0; 2], [1.0; 2], exact)
    });
    assert!(order(errors) > 3.7, "{errors:?}");
}

#[test]
fn periodic_directions_wrap_around_and_mirrors_mirror() {
    let mut sets = ["x-low", "x-high"].map(|face| format!("boundary.{face}=periodic")).to_vec();
    sets.extend(["y-low", "y-high"].map(|face| format!("boundary.{face}=symmetry")));
    let exact = |x: f64, y: f64| (TAU * x).sin() * (PI * y).cos();
    let errors = [16, 32].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &sets);
        let velocity = field(&case, 3, |c, [x, y, _]| if c == 0 { exact(x, y) } else { 0.0 });
        let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
        error(&sampler, 0, [0.0; 2], [1.0; 2], exact)
    });
    assert!(order(errors) > 3.7, "{errors:?}");
}

#[test]
fn solids_bound_the_line_and_are_at_rest() {
    let sets = ["solid=[{ low = [0, 0, 0], high = [0.5, 0.5, 0.125] }]".to_string()];
    let exact = |_: f64, y: f64| ((y - 0.5) * PI).sin();
    let errors = [16, 32].map(|n| {
        let case = case(&format!("grid.cells=[{n},{n},1]"), &sets);
        let solids = case.solids();
        let velocity = field(&case, 3, |c, [x, y, _]| {
            let cell = [x, y, 0.0].map(|x| (x * f64::from(n)) as isize);
            if c > 0 || solids.contains(cell) { 0.0 } else { exact(x, y) }
        });
        let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
        assert_eq!(sampler.value(0, [0.2, 0.3, 0.0]), 0.0);
        error(&sampler, 0, [0.1, 0.5], [0.3, 0.3], exact)
    });
    assert!(order(errors) > 3.5, "{errors:?}");
}

#[test]
fn the_profile_of_an_inflow_counts_at_its_face() {
    let sets = [
        "grid.cells=[16,16,1]",
        "boundary.x-low.inflow.velocity=[2.0, 0.0, 0.0]",
        "boundary.x-low.inflow.profile.parabolic={ along = \"y\", from = 0.0, to = 1.0 }",
        "boundary.x-high=outflow",
    ];
    let case = case("boundary.x-low={}", &sets.map(String::from));
    let velocity = field(&case, 3, |_, _| 0.0);
    let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
    assert!((sampler.value(0, [0.0, 0.5, 0.0]) - 3.0).abs() < 1e-12);
}

/// Fluid that turns with a body, and a shear over a plate between the cells: what is linear is exact up to the walls, wherever they lie.
#[test]
fn walls_of_bodies_are_met_where_they_are_as_they_move() {
    let points = |case: &Case, is_fluid: &dyn Fn([f64; 3]) -> bool| {
        let golden = |k: usize, share: f64| (k as f64 * share).fract();
        let all = (0..400)
            .map(|k| [0.1 + 0.8 * golden(k, 0.618_034), 0.1 + 0.8 * golden(k, 0.414_214), 0.05]);
        let solids = case.solids();
        all.filter(|&point| is_fluid(point) && !solids.contains(case.grid.cell_at(point)))
            .collect::<Vec<_>>()
    };
    for radius in [0.19, 0.2013, 0.24] {
        let body = format!(
            "body.one={{ circle = {{ centre = [0.513, 0.442], radius = {radius} }}, rotation = 3.0 }}"
        );
        let case = case(&body, &["grid.cells=[20,20,1]".into()]);
        let exact = |c: usize, [x, y, _]: [f64; 3]| [-3.0 * (y - 0.442), 3.0 * (x - 0.513), 0.0][c];
        let velocity = field(&case, 3, exact);
        let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
        let is_fluid = |[x, y, _]: [f64; 3]| (x - 0.513_f64).hypot(y - 0.442) > radius;
        // Not where the walls of the box, which stand still, are seen.
        let inner = |point: &[f64; 3]| point[..2].iter().all(|x| (0.2..0.8).contains(x));
        let near: Vec<_> = points(&case, &is_fluid).into_iter().filter(inner).collect();
        assert!(near.len() > 30);
        for point in near {
            for c in 0..2 {
                let off = sampler.value(c, point) - exact(c, point);
                assert!(off.abs() < 1e-10, "{radius} {point:?}: {off}");
            }
        }
    }
    for height in [0.21, 0.233, 0.247] {
        let case = case(
            &format!("body.one={{ inside = 'y < {height}' }}"),
            &["grid.cells=[20,20,1]".into()],
        );
        let exact = |c: usize, [_, y, _]: [f64; 3]| if c == 0 { 2.0 * (y - height) } else { 0.0 };
        let velocity = field(&case, 3, exact);
        let sampler = Sampler::new(&case, &velocity, Quantity::Velocity);
        for point in points(&case, &|[x, y, _]| y > height && y < 0.8 && (0.3..0.7).contains(&x)) {
            let off = sampler.value(0, point) - exact(0, point);
            assert!(off.abs() < 1e-10, "{height} {point:?}: {off}");
        }
    }
}
