//! The picture is drawn for any flow, quickly; look at it with `VORTICE_PICTURES=FOLDER`.

use std::f64::consts::PI;
use std::path::PathBuf;
use std::time::Instant;

use crate::common::sampled;
use vortice_core::{Case, Error, Field};
use vortice_plot::{
    DifferenceMap, ProfilePlot, VorticityMap, draw, largest_difference, vorticity_limit,
};

fn case(cells: [usize; 3], size: [f64; 3], solid: &str) -> Case {
    let text = format!(
        "title = 'Flow in a box, Re = 100'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n\
         fluid = {{ viscosity = 0.01 }}\nrun = {{ until = 1.0 }}\n[boundary]\nx-low = 'wall'\n\
         x-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\n\
         z-high = 'periodic'\n{solid}"
    );
    Case::parse(&text, "picture").unwrap()
}

fn profile(name: &str, exact: impl Fn(f64) -> f64) -> ProfilePlot {
    let points = |n: usize| (0..=n).map(|i| i as f64 / n as f64).map(|y| (exact(y), y)).collect();
    ProfilePlot {
        title: format!("{name} on the vertical line x = 0.5"),
        x_label: "u/U".into(),
        y_label: "y/L".into(),
        computed: points(100),
        reference: points(14),
        reference_name: "Ghia et al. 1982".into(),
    }
}

/// Draws, and returns the picture's width and height in pixels.
fn drawn(name: &str, case: &Case, velocity: &Field, profiles: &[ProfilePlot]) -> (u32, u32) {
    let temporary = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("VORTICE_PICTURES").map(PathBuf::from);
    let path = kept.unwrap_or(temporary.path().to_owned()).join(name).with_extension("png");
    let begin = Instant::now();
    draw(&path, case, velocity, None, profiles).unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    println!("{name}: {seconds:.2} s");
    assert!(seconds < 10.0, "a picture takes {seconds} s");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_cavity_has_its_profiles_beside_it() {
    let case = case([128, 128, 1], [1.0, 1.0, 1.0 / 128.0], "");
    // A stream function x2 (1 - x)2 y2 (y - 1): one large eddy whose lid moves.
    let f = |s: f64| [s * s * (1.0 - s).powi(2), 2.0 * s * (1.0 - s) * (1.0 - 2.0 * s)];
    let g = |s: f64| [s * s * (s - 1.0), s * (3.0 * s - 2.0)];
    let velocity =
        sampled(&case, |[x, y, _]| [16.0 * f(x)[0] * g(y)[1], -16.0 * f(x)[1] * g(y)[0], 0.0]);
    let u = |y: f64| g(y)[1];
    let profiles = [profile("u", u), profile("v", |y| (2.0 * PI * y).sin() * 0.4)];
    let (width, height) = drawn("cavity", &case, &velocity, &profiles);
    assert!(width > height);
}

#[test]
fn many_eddies_and_no_profiles() {
    let case = case([64, 64, 1], [2.0 * PI, 2.0 * PI, 0.1], "");
    let velocity =
        sampled(&case, |[x, y, _]| [-0.02 * x.cos() * y.sin(), 0.02 * x.sin() * y.cos(), 0.0]);
    drawn("taylor-green", &case, &velocity, &[]);
}

#[test]
fn a_long_channel_with_a_step_has_its_profiles_below() {
    let solid = "[[solid]]\nlow = [0.0, 0.0, 0.0]\nhigh = [7.5, 0.75, 0.1]\n";
    let case = case([300, 30, 1], [30.0, 1.5, 0.1], solid);
    let velocity = sampled(&case, |[x, y, _]| {
        let open = if x < 7.5 { [0.75, 1.5] } else { [0.0, 1.5] };
        let s = ((y - open[0]) / (open[1] - open[0])).max(0.0);
        [6.0 * s * (1.0 - s) * 0.75 / (open[1] - open[0]), 0.02 * (x - 9.0).sin() * s, 0.0]
    });
    let profiles =
        [profile("u", |y| 4.0 * y * (1.0 - y)), profile("v", |y| y), profile("w", |y| y * y)];
    let (width, height) = drawn("step", &case, &velocity, &profiles);
    assert!(width > height);
}

#[test]
fn a_box_shows_its_middle_plane() {
    let case = case([32, 24, 16], [1.0, 0.75, 0.5], "");
    let velocity = sampled(&case, |[x, y, z]| {
        let strength = (2.0 * PI * z).sin();
        [
            strength * (PI * x).sin() * (PI * y / 0.75).cos(),
            -strength * (PI * x).cos() * (PI * y / 0.75).sin(),
            0.1,
        ]
    });
    drawn("box", &case, &velocity, &[profile("u", |y| y)]);
}

#[test]
fn a_box_shows_the_plane_that_its_case_names() {
    let case = case([8, 6, 16], [1.0, 0.75, 2.0], "[output]\nplane = 'y = 0.25'\n");
    // In the plane across y the flow turns as it does in no other.
    let velocity = sampled(&case, |[x, _, z]| [z - 1.0, 3.0, 0.5 - x]);
    let map = VorticityMap { title: "box", case: &case, velocity: &velocity, limit: 1.0 }.draw();
    let svg = map.svg();
    assert!(svg.contains(">z in m<") && !svg.contains(">y in m<"), "{svg}");
    let limit = vorticity_limit(&case, &velocity, 0.5);
    assert!((limit - 2.0).abs() < 1e-9, "{limit}");
    let slow = largest_difference(&case, [&velocity, &sampled(&case, |_| [0.0; 3])], 1.0, 0.0);
    assert!(slow > 3.0 && slow < 3.1, "in all three components: {slow}");
}

#[test]
fn a_map_says_what_lies_beyond_its_colours() {
    let case = case([16, 16, 1], [1.0, 1.0, 1.0], "");
    let rest = sampled(&case, |_| [0.0; 3]);
    let spike = sampled(&case, |[x, y, _]| [if x + y < 0.07 { 0.192 } else { 0.004 }, 0.0, 0.0]);
    let map = |limit| {
        let velocities = [&spike, &rest];
        DifferenceMap { title: "a and b", case: &case, velocities, scale: 1.0, limit }.draw().svg()
    };
    let clipped = map(largest_difference(&case, [&spike, &rest], 1.0, 0.95));
    assert!(clipped.contains(">to 19.2<") && clipped.contains(">difference in %<"), "{clipped}");
    assert!(!map(0.192).contains(">to "), "nothing lies beyond");
}

#[test]
fn rest_and_broken_numbers_are_drawn_too() {
    let case = case([4, 3, 1], [1.0, 1.0, 1.0], "");
    drawn("rest", &case, &sampled(&case, |_| [0.0; 3]), &[ProfilePlot::default()]);
    let broken = sampled(&case, |[x, ..]| [if x < 0.5 { f64::NAN } else { 1.0 }, 0.0, 0.0]);
    drawn("broken", &case, &broken, &[profile("u", |_| f64::NAN), profile("v", |_| 1.0)]);
    let thin = self::case([1, 1, 1], [1.0, 1.0, 1.0], "");
    drawn("one-cell", &thin, &sampled(&thin, |_| [1.0, 0.0, 0.0]), &[]);
}

#[test]
fn an_unwritable_picture_is_an_error_and_keeps_the_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let case = case([4, 4, 1], [1.0; 3], "");
    let velocity = sampled(&case, |_| [1.0, 0.0, 0.0]);
    let error = draw(folder.path(), &case, &velocity, None, &[]).unwrap_err();
    assert!(matches!(error, Error::File { .. }) && !error.remedy().is_empty());
}
