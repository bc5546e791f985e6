//! What repeats itself in the forces on bodies: eq. (P14).

use std::fmt;

use serde::{Deserialize, Serialize};
use vortice_core::Case;

use crate::component::Component;
use crate::series::{ForceSeries, Series};

/// Share of half the swing of the lift that it must fall below its mean before it crosses that again: noise does not count.
const BELOW: f64 = 0.25;

/// Of lift and drag in coefficients: what swings less is steady.
const STEADY: f64 = 1e-6;

/// Forces repeat themselves if the length of no period, the rms of its lift, and its drag, is farther from the mean than this share.
const ALIKE: f64 = 0.25;

/// How often the mean is found of whole periods of the lift about the mean before.
const PASSES: usize = 4;

/// What tables say of a coefficient over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Its mean.
    Mean,
    /// The root of the mean square of what it differs from that by.
    Rms,
    /// The largest value.
    Max,
    /// The smallest value.
    Min,
    /// Half of what the largest value is above the smallest.
    Amplitude,
}

/// A number of every period: its mean over all, and the largest distance of one from that.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Mean over the periods.
    pub value: f64,
    /// Largest distance of a period's own number from it.
    pub uncertainty: f64,
}

/// How a coefficient swings in a period.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    /// Mean in time.
    pub mean: Spread,
    /// Root of the mean square of what it differs from the mean by.
    pub rms: Spread,
    /// Largest value.
    pub max: Spread,
    /// Smallest value.
    pub min: Spread,
    /// Half of what the largest is above the smallest.
    pub amplitude: Spread,
}

impl Swing {
    /// One of its numbers.
    pub fn spread(&self, bound: Bound) -> Spread {
        match bound {
            Bound::Mean => self.mean,
            Bound::Rms => self.rms,
            Bound::Max => self.max,
            Bound::Min => self.min,
            Bound::Amplitude => self.amplitude,
        }
    }
}

/// The forces on a body that sheds vortices in a rhythm, over whole periods of its lift.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Oscillation {
    /// Name of the body.
    pub body: String,
    /// Whole periods.
    pub periods: usize,
    /// Flow time in s at which they begin.
    pub from: f64,
    /// Flow time in s at which they end.
    pub to: f64,
    /// Frequency of the lift times the length of the case's scale over its velocity.
    pub strouhal: Spread,
    /// Of the coefficient of drag.
    pub drag: Swing,
    /// Of the coefficient of lift.
    pub lift: Swing,
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5} +- {:.1e}", self.value, self.uncertainty)
    }
}

impl fmt::Display for Oscillation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, periods, from, strouhal, drag, lift, .. } = self;
        write!(f, "{body}: {periods} periods from t = {from:.4} s, Strouhal number {strouhal}")?;
        for (name, Swing { mean, rms, max, min, .. }) in [("drag", drag), ("lift", lift)] {
            write!(f, "\n  {name}: mean {mean}, rms {rms}, min {min}, max {max}")?;
        }
        Ok(())
    }
}

impl Oscillation {
    /// Of the forces on one body; nothing if they do not swing, or there are fewer than two periods.
    pub(crate) fn of(case: &Case, ForceSeries { body, drag, lift }: &ForceSeries) -> Option<Self> {
        let ends = periods(lift)?;
        let scale = case.scale.length / case.scale.velocity;
        let lengths = ends.windows(2).map(|pair| pair[1] - pair[0]);
        Some(Self {
            body: body.clone(),
            periods: ends.len() - 1,
            from: ends[0],
            to: ends[ends.len() - 1],
            strouhal: spread(lengths.map(|length| scale / length)),
            drag: swing(drag, &ends),
            lift: swing(lift, &ends),
        })
    }

    /// Whether its periods are alike.
    pub(crate) fn repeats(&self) -> bool {
        // A mean drag may be nothing beside the lift.
        let drag =
            Spread { value: self.drag.mean.value.abs() + self.lift.rms.value, ..self.drag.mean };
        let all = [self.strouhal, self.lift.rms, drag];
        all.iter().all(|one| one.uncertainty <= ALIKE * one.value)
    }

    /// Of drag or lift.
    pub fn swing(&self, component: Component) -> &Swing {
        match component {
            Component::Drag => &self.drag,
            Component::Lift => &self.lift,
        }
    }
}

/// When the lift rises through its mean over whole periods; nothing unless there are two of these.
pub(crate) fn periods(lift: &[(f64, f64)]) -> Option<Vec<f64>> {
    let largest = |sign: f64| lift.iter().map(|(_, y)| sign * y).fold(f64::NEG_INFINITY, f64::max);
    let [high, low] = [largest(1.0), -largest(-1.0)];
    let half = 0.5 * (high - low);
    if !half.is_finite() || half < STEADY {
        return None;
    }
    let mut mean = 0.5 * (high + low);
    let mut ends = Vec::new();
    for _ in 0..PASSES {
        ends = rises(lift, mean, BELOW * half);
        let [first, .., last] = ends[..] else { return None };
        mean = means(&between(lift, first, last))[0];
    }
    (ends.len() > 2).then_some(ends)
}

/// When a series rises through a value, between its times too; it must have been so far below.
fn rises(series: &[(f64, f64)], value: f64, below: f64) -> Vec<f64> {
    let (mut ends, mut was_below) = (Vec::new(), false);
    for pair in series.windows(2) {
        let [(t0, y0), (t1, y1)] = [pair[0], pair[1]];
        was_below |= y0 < value - below;
        if was_below && y0 < value && y1 >= value {
            ends.push(t0 + (t1 - t0) * (value - y0) / (y1 - y0));
            was_below = false;
        }
    }
    ends
}

/// A part of a series, with values at its ends.
pub(crate) fn between(series: &[(f64, f64)], from: f64, to: f64) -> Series {
    let at = |time: f64| {
        let after = series.partition_point(|(t, _)| *t < time).clamp(1, series.len() - 1);
        let [(t0, y0), (t1, y1)] = [series[after - 1], series[after]];
        (time, y0 + (y1 - y0) * (time - t0) / (t1 - t0))
    };
    let inside = series.iter().copied().filter(|(time, _)| from < *time && *time < to);
    std::iter::once(at(from)).chain(inside).chain(std::iter::once(at(to))).collect()
}

/// The mean in time, and the root of the mean square of what differs from it.
pub(crate) fn means(series: &[(f64, f64)]) -> [f64; 2] {
    let length = series[series.len() - 1].0 - series[0].0;
    let mean = integral(series, |_, y| y) / length;
    [mean, (integral(series, |_, y| (y - mean).powi(2)) / length).sqrt()]
}

/// The integral in time of a function of time and value, by trapezoids.
pub(crate) fn integral(series: &[(f64, f64)], of: impl Fn(f64, f64) -> f64) -> f64 {
    let parts = series.windows(2).map(|pair| {
        let [(t0, y0), (t1, y1)] = [pair[0], pair[1]];
        0.5 * (t1 - t0) * (of(t0, y0) + of(t1, y1))
    });
    parts.sum()
}

/// When `sign` times a series, which has a value, is largest, and the value there: at the top of the parabola through the
/// three values around it.
pub(crate) fn top(series: &[(f64, f64)], sign: f64) -> (f64, f64) {
    let value = |n: usize| sign * series[n].1;
    let highest = (0..series.len()).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(0);
    if highest == 0 || highest + 1 >= series.len() {
        return series[highest];
    }
    let [t0, t1, t2] = [highest - 1, highest, highest + 1].map(|n| series[n].0 - series[highest].0);
    let [y0, y1, y2] = [highest - 1, highest, highest + 1].map(value);
    let (low, high) = ((y1 - y0) / (t1 - t0), (y2 - y1) / (t2 - t1));
    let bend = (high - low) / (t2 - t0);
    if bend >= 0.0 || bend.is_nan() {
        return series[highest];
    }
    // y1 + slope t + bend t2, with its slope at the highest value.
    let slope = low - bend * t0;
    (series[highest].0 - slope / (2.0 * bend), sign * (y1 - slope * slope / (4.0 * bend)))
}

pub(crate) fn swing(series: &[(f64, f64)], ends: &[f64]) -> Swing {
    let of_periods: Vec<Series> =
        ends.windows(2).map(|pair| between(series, pair[0], pair[1])).collect();
    let of = |number: fn(&[(f64, f64)]) -> f64| spread(of_periods.iter().map(|one| number(one)));
    Swing {
        mean: of(|one| means(one)[0]),
        rms: of(|one| means(one)[1]),
        max: of(|one| top(one, 1.0).1),
        min: of(|one| top(one, -1.0).1),
        amplitude: of(|one| 0.5 * (top(one, 1.0).1 - top(one, -1.0).1)),
    }
}

pub(crate) fn spread(numbers: impl Iterator<Item = f64>) -> Spread {
    let numbers: Vec<f64> = numbers.collect();
    let value = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let off = numbers.iter().map(|number| (number - value).abs());
    Spread { value, uncertainty: off.fold(0.0, f64::max) }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::examples::case;

    /// Drag at twice the frequency of the lift, which is not in the middle, after a beginning that is neither.
    fn text(frequency: f64, swing: f64) -> String {
        let mut text = "step,time,ball.drag,ball.lift\n".to_string();
        for n in 1..=1000 {
            let t = 0.01 * f64::from(n);
            let (grown, phase) = (1.0 - (-3.0 * t).exp(), TAU * frequency * t);
            let lift = swing * grown * (phase.sin() + 0.1 * (2.0 * phase).cos()) - 0.2;
            let drag = 3.0 + swing * 0.05 * (2.0 * phase).sin();
            text += &format!("{n},{t},{drag},{lift}\n");
        }
        text
    }

    /// Of all bodies whose forces swing.
    fn all(case: &Case, forces: &str) -> Vec<Oscillation> {
        let later = ForceSeries::all(case, forces).into_iter().map(|one| one.later());
        later.filter_map(|one| Oscillation::of(case, &one)).collect()
    }

    fn with_ball() -> Case {
        let sets = ["body.ball={ circle = { centre = [0.5, 0.5], radius = 0.1 } }".to_string()];
        case("scale={ length = 0.2, velocity = 2.0 }", &sets)
    }

    #[test]
    fn a_known_swing_has_its_mean_rms_ends_and_frequency() {
        let found = all(&with_ball(), &text(1.7, 0.9));
        let [one] = &found[..] else { panic!("{found:?}") };
        assert_eq!((&*one.body, one.periods), ("ball", 8));
        let near = |spread: Spread, value: f64, off: f64| {
            assert!(
                (spread.value - value).abs() < off && spread.uncertainty < 2.0 * off,
                "{one:?}"
            );
        };
        near(one.strouhal, 0.17, 1e-4);
        near(one.drag.mean, 3.0, 1e-4);
        near(one.drag.rms, 0.045 / 2.0_f64.sqrt(), 2e-4);
        near(one.drag.max, 3.045, 1e-4);
        near(one.drag.min, 2.955, 1e-4);
        near(one.lift.mean, -0.2, 1e-3);
        near(one.lift.rms, 0.9 * (0.505_f64).sqrt(), 2e-3);
        // sin x + cos(2 x) / 10 is 0.9 at the top and -1.1 at the bottom.
        near(one.lift.max, 0.9 * 0.9 - 0.2, 1e-3);
        near(one.lift.min, -0.9 * 1.1 - 0.2, 1e-3);
        near(one.lift.amplitude, 0.9, 1e-3);
        assert!(one.repeats());
    }

    #[test]
    fn a_drag_that_ebbs_away_does_not_repeat_itself() {
        let whole = text(1.7, 0.9);
        let (head, rows) = whole.split_once('\n').expect("a head");
        let ebbs = |(n, row): (usize, &str)| {
            let words: Vec<&str> = row.split(',').collect();
            let drag = words[2].parse::<f64>().expect("a number") * (1.0 - n as f64 / 1100.0);
            format!("{},{},{drag},{}\n", words[0], words[1], words[3])
        };
        let rows: String = rows.lines().enumerate().map(ebbs).collect();
        let found = all(&with_ball(), &format!("{head}\n{rows}"));
        assert!(found.iter().all(|one| !one.repeats()), "{found:?}");
    }

    #[test]
    fn what_is_steady_or_too_short_or_no_number_has_no_rhythm() {
        let case = with_ball();
        assert_eq!(all(&case, &text(1.7, 0.0)), []);
        assert_eq!(all(&case, &text(0.2, 1.0)), []);
        assert_eq!(all(&case, ""), []);
        assert_eq!(all(&case, "step,time,ball.drag,ball.lift\n1,0.1,1,2\n"), []);
        let broken = text(1.7, 0.9).replace("800,8,", "800,8,NaN,NaN\n801,8,");
        assert!(all(&case, &broken).len() <= 1);
    }
}
