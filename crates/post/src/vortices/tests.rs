use std::f64::consts::PI;

use super::*;
use crate::examples::{case, field, orders};

/// A primary vortex below 0 and eddies above 0 in the lower corners: psi, u and v, at rest on all
/// walls.
fn eddies(x: f64, y: f64) -> [f64; 3] {
    let (f, fx) = ((PI * x).sin().powi(2), PI * (2.0 * PI * x).sin());
    let (g, gy) = ((PI * y).sin().powi(2), PI * (2.0 * PI * y).sin());
    let bend = |x: f64| 1.4 - 0.3 * x + 6.0 * (x - 0.48).powi(2);
    let (b, bx) = (bend(x), -0.3 + 12.0 * (x - 0.48));
    let (c, cx, cy) = (b - 4.0 * y, bx, -4.0);
    [f * g * c, f * (gy * c + g * cy), -g * (fx * c + f * cx)]
}

/// The extremum near a place, by Newton's method with differences of the exact gradient.
fn exact(mut place: [f64; 2]) -> [f64; 2] {
    let gradient = |[x, y]: [f64; 2]| [-eddies(x, y)[2], eddies(x, y)[1]];
    for _ in 0..50 {
        let [x, y] = place;
        let e = 1e-5;
        let [gx, gy] = gradient(place);
        let column = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|d| (a[d] - b[d]) / (2.0 * e));
        let [xx, xy] = column(gradient([x + e, y]), gradient([x - e, y]));
        let [_, yy] = column(gradient([x, y + e]), gradient([x, y - e]));
        let determinant = xx * yy - xy * xy;
        place = [x - (yy * gx - xy * gy) / determinant, y - (xx * gy - xy * gx) / determinant];
    }
    place
}

#[test]
fn vortices_of_a_known_stream_function_are_found_to_high_order() {
    let wanted =
        [("primary", [0.48, 0.6]), ("bottom_left", [0.2, 0.25]), ("bottom_right", [0.8, 0.25])];
    for (name, guess) in wanted {
        let [x, y] = exact(guess);
        let value = eddies(x, y)[0];
        let e = 1e-5;
        let curl = -(eddies(x + e, y)[0]
            + eddies(x - e, y)[0]
            + eddies(x, y + e)[0]
            + eddies(x, y - e)[0]
            - 4.0 * value)
            / (e * e);
        let found: Vec<[f64; 3]> = [16, 32, 64, 128]
            .into_iter()
            .map(|n| {
                let case = case(&format!("grid.cells=[{n},{n},1]"), &[]);
                let velocity =
                    field(&case, 3, |c, [x, y, _]| if c < 2 { eddies(x, y)[c + 1] } else { 0.0 });
                let vortices = Vortices::of(&case, &velocity);
                assert_eq!(vortices.vortices.len(), 3, "{vortices:#?}");
                let vortex = vortices.named(name).unwrap();
                let off = (vortex.centre[0] - x).hypot(vortex.centre[1] - y);
                [off, (vortex.stream_function - value).abs(), (vortex.vorticity - curl).abs()]
            })
            .collect();
        let of = |k: usize| found.iter().map(|errors| errors[k]).collect::<Vec<_>>();
        for (k, what, wanted) in
            [(0, "place", 3.5), (1, "stream function", 3.5), (2, "vorticity", 2.8)]
        {
            orders(&format!("{name} {what}"), &of(k));
            // Where the centre lies in its cell plays its part: the mean order over three halvings.
            let mean = (of(k)[0] / of(k)[3]).log2() / 3.0;
            assert!(mean > wanted, "{name} {what}: mean order {mean}");
        }
        assert!(found[3][0] < 1e-5 && found[3][1] < 1e-6, "{found:?}");
    }
}

/// The eddies with a whirl on the rim of the primary vortex that turns as it does, as a flow has that
/// its grid does not resolve: psi, u and v.
fn with_a_whirl(x: f64, y: f64) -> [f64; 3] {
    let ([psi, u, v], [a, b]) = (eddies(x, y), [x - 0.8, y - 0.4]);
    let (narrow, depth) = (400.0, -0.5);
    let whirl = depth * (-narrow * (a * a + b * b)).exp();
    [psi + whirl, u - 2.0 * narrow * b * whirl, v + 2.0 * narrow * a * whirl]
}

#[test]
fn an_eddy_in_a_corner_turns_against_the_primary_vortex() {
    let case = case("grid.cells=[64,64,1]", &[]);
    let velocity =
        field(&case, 3, |c, [x, y, _]| if c < 2 { with_a_whirl(x, y)[c + 1] } else { 0.0 });
    let found = Vortices::of(&case, &velocity);
    let [x, y] = exact([0.8, 0.25]);
    let [eddy, whirl] = ["bottom_right", "bottom_right_2"].map(|name| found.named(name).unwrap());
    assert!((eddy.centre[0] - x).hypot(eddy.centre[1] - y) < 1e-2, "{found:#?}");
    assert!(eddy.stream_function > 0.0 && whirl.stream_function < 0.0, "{found:#?}");
    assert!(whirl.strength > eddy.strength, "the stronger one comes second: {found:#?}");
    assert_eq!(found.named("primary").unwrap().strength, found.vortices[0].strength);
    // A published eddy that turns the other way is not this one.
    assert_eq!(found.published("bottom_right", Some(3.08e-3)), Some(eddy));
    assert_eq!(found.published("bottom_right", Some(-3.08e-3)), None);
    assert_eq!(found.published("bottom_right", None), Some(eddy));
}

#[test]
fn a_vortex_between_periodic_ends_is_found_and_turns_as_its_sign_says() {
    let sets =
        ["x-low", "x-high", "y-low", "y-high"].map(|face| format!("boundary.{face}=periodic"));
    let case = case("grid.cells=[32,32,1]", &sets);
    let exact = vortice_core::ExactFlow::TaylorGreen;
    let velocity = field(&case, 3, |c, point| exact.velocity(&case, point, 0.0)[c]);
    let found = Vortices::of(&case, &velocity);
    let one = found.named("primary").unwrap();
    assert!((one.centre[0] - 0.5).hypot(one.centre[1] - 0.5) < 1e-4, "{one:?}");
    assert!((one.vorticity - 4.0 * PI).abs() < 1e-3, "{one:?}");
}

#[test]
fn flows_without_vortices_and_flows_in_space_have_none() {
    let case_plane = case("grid.cells=[8,8,1]", &[]);
    let still = field(&case_plane, 3, |_, _| 0.0);
    assert!(Vortices::of(&case_plane, &still).vortices.is_empty());
    let space = case("grid.cells=[4,4,4]", &[]);
    let velocity = field(&space, 3, |c, [x, y, _]| if c < 2 { eddies(x, y)[c + 1] } else { 0.0 });
    assert_eq!(Vortices::of(&space, &velocity), Vortices::default());
}
