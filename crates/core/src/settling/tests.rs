//! Made-up decays: the estimate at the end beside the true distance.

use super::*;
use crate::state::State;

const CASE: &str = "title = 'a box'\ngrid = { cells = [4, 4, 1], size = [2.0, 2.0, 1.0] }\n\
     fluid = { viscosity = 0.01 }\nscale = { velocity = 0.5 }\nrun = { until = 'steady' }\n[boundary]\n\
     x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\n\
     z-high = 'periodic'\n";

fn new() -> Settling {
    Settling::new(&Case::parse(CASE, "a box").expect("a case"))
}

fn told(settling: &Settling) -> Step {
    let mut step = Step { number: 1, ..Step::default() };
    settling.tell(&mut step);
    step
}

/// A point on its way to zero.
type Way<'a> = &'a dyn Fn(f64) -> [f64; 2];

fn distance(way: Way<'_>, n: u64) -> f64 {
    way(n as f64).into_iter().fold(0.0, |most, x| x.abs().max(most))
}

/// The distance from the end as a share of the tolerance when a flow is called steady.
fn share_left(way: Way<'_>, tolerance: f64) -> f64 {
    let mut settling = new();
    for n in 1..10_000 {
        let [then, now] = [way((n - 1) as f64), way(n as f64)];
        let change = (0..2).map(|d| (now[d] - then[d]).abs()).fold(0.0, f64::max);
        settling.add(change, 1e-16);
        if told(&settling).steady(tolerance).is_some() {
            // Nor is it farther away later.
            return (n..n + 200).map(|n| distance(way, n)).fold(0.0, f64::max) / tolerance;
        }
    }
    panic!("never steady");
}

#[test]
fn a_plain_decay_ends_where_it_should() {
    for rate in [0.01f64, 0.1, 0.5] {
        let way = |n: f64| [(-rate * n).exp(), 0.3 * (-2.0 * rate * n).exp()];
        for tolerance in [1e-2, 1e-5, 1e-8] {
            let left = share_left(&way, tolerance);
            assert!(left <= 1.05 && left > 0.9 * (-rate).exp(), "{rate}, {tolerance}: {left}");
        }
    }
}

#[test]
fn rotating_and_swinging_decays_are_not_cut_short() {
    for rate in [0.02f64, 0.1, 0.4] {
        for turn in [0.2, 0.4, 1.0, 2.0] {
            let round = |n: f64| {
                let size = (-rate * n).exp();
                [size * (turn * n).cos(), size * (turn * n).sin()]
            };
            let swing = |n: f64| [round(n)[0], 0.0];
            for way in [&round as Way<'_>, &swing] {
                for tolerance in [1e-3, 1e-5] {
                    let left = share_left(way, tolerance);
                    assert!(left < 1.5, "{rate}, {turn}: {left}");
                    // It is nearer by up to what it turns in the time of a decay, and the last interval.
                    assert!(left > 0.2 * rate / (rate + turn), "{rate}, {turn}: {left}");
                }
            }
        }
    }
}

#[test]
fn beats_plateaus_and_late_slow_decays_are_waited_for() {
    let beat = |n: f64| [(-0.1 * n).exp() * (1.0 + 0.9 * (0.4 * n).cos()), 0.0];
    let plateau = |n: f64| {
        [1.0 - 0.05 * n.min(15.0) - 0.25 * (1.0 - (-0.2 * (n - 15.0).max(0.0)).exp()), 0.0]
    };
    let grows = |n: f64| {
        [
            if n < 12.0 { 1.0 - 1e-4 * (0.6 * n).exp() } else { 0.87 * (-0.3 * (n - 12.0)).exp() },
            0.0,
        ]
    };
    let two = |n: f64| [0.9 * 0.5f64.powf(n) + 0.1 * 0.97f64.powf(n), 0.0];
    for (name, way) in
        [("beat", &beat as Way<'_>), ("plateau", &plateau), ("grows", &grows), ("two", &two)]
    {
        for tolerance in [1e-3, 1e-5] {
            let left = share_left(way, tolerance);
            assert!(left < 1.5 && left > 0.05, "{name}, {tolerance}: {left}");
        }
    }
}

#[test]
fn rounding_ends_a_run_and_is_named() {
    let mut settling = new();
    let mut noise = 1u64;
    let mut steps = 0;
    while !told(&settling).at_floor {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let rounding = 1e-7 * (0.5 + 0.5 * (noise >> 40) as f64 / (1u64 << 24) as f64);
        settling.add(0.8f64.powi(steps) + rounding, 2e-7);
        steps += 1;
        assert!(steps < 110, "it goes on for ever");
    }
    assert!(steps > 60);
    let step = told(&settling);
    assert!((1e-7..2e-6).contains(&step.iteration_error), "{step:?}");
    let reason = step.steady(1e-9).expect("it ends");
    assert!(reason.contains("down to rounding") && reason.contains("not 1e-9"), "{reason}");
    // The same changes are a flow that goes on if rounding does not explain them.
    (0..80).for_each(|_| settling.add(1e-7, 1e-9));
    assert_eq!(told(&settling).steady(1e-9), None);
}

#[test]
fn a_flow_that_goes_on_is_told_from_one_that_settles_slowly() {
    let noise = |n: u64| 0.5 + 0.5 * ((n as f64 * 12.9898).sin() * 43_758.545_3).fract().abs();
    let ends = |change: &dyn Fn(u64) -> f64, intervals: u64| {
        let mut settling = new();
        (0..intervals).find(|&n| {
            settling.add(change(n), 1e-16);
            if n == 200 {
                let mut state = State::default();
                settling.save(&mut state);
                settling = new();
                settling.restore(&state, &mut Step::default()).expect("complete");
            }
            told(&settling).never_steady().is_some()
        })
    };
    assert_eq!(ends(&|n| if n < 40 { 1.0 } else { 3e-3 * noise(n) }, 1000), Some(383));
    assert_eq!(ends(&|n| 1e-3 * (1.1 + (0.11 * n as f64).sin()), 1000), Some(255));
    // A decay over a thousand intervals, its beat, and one that has just begun.
    assert_eq!(ends(&|n| (-1e-3 * n as f64).exp(), 5000), None);
    assert_eq!(
        ends(&|n| (-2e-3 * n as f64).exp() * (1.0 + 0.5 * (0.2 * n as f64).cos()), 5000),
        None
    );
    assert_eq!(ends(&|n| noise(n), 255), None);
    let mut settling = new();
    (0..256).for_each(|_| settling.add(3e-3, 0.0));
    let reason = told(&settling).never_steady().expect("it goes on");
    assert!(reason.contains("256 intervals") && reason.contains("3.0e-3"), "{reason}");
}

#[test]
fn what_begins_or_is_not_finite_is_not_steady_and_rest_is() {
    let mut settling = new();
    assert_eq!(told(&settling).iteration_error, f64::INFINITY);
    settling.add(1e-9, 0.0);
    assert_eq!(told(&settling).steady(1e-3), None);
    settling.add(f64::NAN, 0.0);
    (0..3).for_each(|_| settling.add(1e-9, 0.0));
    assert_eq!(told(&settling).steady(1e-3), None);
    let mut settling = new();
    settling.add(0.0, 0.0);
    assert_eq!(told(&settling).steady(1e-3), None);
    settling.add(0.0, 0.0);
    assert_eq!(told(&settling).iteration_error, 0.0);
}

#[test]
fn steps_of_any_length_make_the_same_intervals_and_a_restart_forgets_nothing() {
    // L = 2 m, U = 0.5 m/s, Re 100.
    assert_eq!(new().interval, 4.0);
    let mut settling = new();
    let mut step = Step::default();
    for n in 0..300 {
        step.dt = 0.3 + 0.05 * f64::from(n % 3);
        step.time += step.dt;
        step.number += 1;
        step.residual = 0.5 * (-0.5 * (step.time - 0.5 * step.dt)).exp();
        settling.follow(&mut step, 0.0);
        if n == 150 {
            let mut state = State::default();
            settling.save(&mut state);
            let mut other = new();
            other.restore(&state, &mut Step::default()).expect("complete");
            assert_eq!(other, settling);
            settling = other;
        }
        if step.steady(1e-6).is_some() {
            let left = (-0.5 * step.time).exp() / 1e-6;
            assert!(left < 1.2 && left > 0.1, "{left}");
            return;
        }
    }
    panic!("never steady");
}

#[test]
fn counts_that_no_run_can_have_are_refused() {
    for wrong in [1.0e19, -1.0, 0.5, f64::NAN] {
        let mut state = State::default();
        new().save(&mut state);
        state.numbers.insert("settling-steps".into(), wrong);
        let error = new().restore(&state, &mut Step::default()).expect_err("nothing was counted");
        let said = error.to_string();
        assert!(said.contains("settling-steps") && said.contains(&wrong.to_string()), "{said}");
    }
}
