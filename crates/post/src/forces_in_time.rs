//! Coefficients of the forces on bodies over time, and what can be said of them: eq. (P14).

use std::fmt;

use serde::{Deserialize, Serialize};
use vortice_core::Case;

use crate::component::Component;
use crate::oscillation::{Bound, Oscillation, top};
use crate::series::{ForceSeries, Series};

/// What the forces on a body did over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForceCourse {
    /// They repeat themselves.
    Repeats(Oscillation),
    /// They do not.
    Once(Extremes),
}

impl ForceCourse {
    /// Of all bodies whose forces are known.
    pub fn all(case: &Case, series: &[ForceSeries]) -> Vec<Self> {
        series.iter().filter_map(|one| Self::of(case, one)).collect()
    }

    /// Of one body; nothing if no finite number is known.
    fn of(case: &Case, series: &ForceSeries) -> Option<Self> {
        let later = series.later();
        if let Some(found) = Oscillation::of(case, &later).filter(Oscillation::repeats) {
            return Some(Self::Repeats(found));
        }
        // What is driven differently at all times has no beginning that is not of it.
        let counted = if case.changes() { series } else { &later };
        Extremes::of(counted).map(Self::Once)
    }

    /// Name of the body.
    pub fn body(&self) -> &str {
        match self {
            Self::Repeats(found) => &found.body,
            Self::Once(found) => &found.body,
        }
    }

    /// What repeats itself, if it does.
    pub fn oscillation(&self) -> Option<&Oscillation> {
        match self {
            Self::Repeats(found) => Some(found),
            Self::Once(_) => None,
        }
    }

    /// What they reached, if they do not repeat themselves.
    pub fn extremes(&self) -> Option<&Extremes> {
        match self {
            Self::Repeats(_) => None,
            Self::Once(found) => Some(found),
        }
    }

    /// A number of a coefficient; of forces that do not repeat themselves there are largest and smallest values only.
    pub fn number(&self, component: Component, bound: Bound) -> Option<f64> {
        match self {
            Self::Repeats(found) => Some(found.swing(component).spread(bound).value),
            Self::Once(found) => {
                let ends = match component {
                    Component::Drag => found.drag,
                    Component::Lift => found.lift,
                };
                match bound {
                    Bound::Max => Some(ends.max.value),
                    Bound::Min => Some(ends.min.value),
                    Bound::Mean | Bound::Rms | Bound::Amplitude => None,
                }
            }
        }
    }
}

impl fmt::Display for ForceCourse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeats(found) => found.fmt(f),
            Self::Once(found) => found.fmt(f),
        }
    }
}

/// A value and when it was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The coefficient.
    pub value: f64,
    /// Flow time in s.
    pub time: f64,
}

/// Smallest and largest value of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// The largest.
    pub max: Moment,
    /// The smallest.
    pub min: Moment,
}

/// The forces on a body that do not repeat themselves, as far as they went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extremes {
    /// Name of the body.
    pub body: String,
    /// Flow time in s from which on they count.
    pub from: f64,
    /// Of the coefficient of drag.
    pub drag: Ends,
    /// Of the coefficient of lift.
    pub lift: Ends,
}

impl Extremes {
    fn of(series: &ForceSeries) -> Option<Self> {
        let ends = |series: &Series| {
            let known = !series.is_empty() && series.iter().all(|(_, value)| value.is_finite());
            known.then(|| Ends { max: moment(series, 1.0), min: moment(series, -1.0) })
        };
        let from = series.lift.first()?.0;
        let (drag, lift) = (ends(&series.drag)?, ends(&series.lift)?);
        Some(Self { body: series.body.clone(), from, drag, lift })
    }
}

fn moment(series: &Series, sign: f64) -> Moment {
    let (time, value) = top(series, sign);
    Moment { value, time }
}

impl fmt::Display for Extremes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, from, drag, lift } = self;
        write!(f, "{body}: does not repeat itself, from t = {from:.4} s")?;
        for (name, Ends { max, min }) in [("drag", drag), ("lift", lift)] {
            let [(max, late), (min, early)] = [max, min].map(|one| (one.value, one.time));
            write!(f, "\n  {name}: min {min:.5} at {early:.4} s, max {max:.5} at {late:.4} s")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::examples::case;

    /// Lift that swells and ebbs while it swings, as of an inflow that does.
    fn text(driven: bool) -> (Case, String) {
        let inflow = "boundary.x-low={ inflow = { velocity = [\"sin(pi*t/8)\", 0.0, 0.0] } }";
        let mut sets = vec!["run={ method = \"fdm\", until = 8.0 }".to_string()];
        if driven {
            sets.push(inflow.into());
            sets.push("boundary.x-high=\"outflow\"".into());
        }
        let mut text = "step,time,ball.drag,ball.lift\n".to_string();
        for n in 1..=1600 {
            let t = 0.005 * f64::from(n);
            let swell = (PI * t / 8.0).sin();
            let lift = 0.5 * swell.powi(4) * (6.0 * t).sin();
            text += &format!("{n},{t},{},{lift}\n", 2.95 * swell);
        }
        (case("body.ball={ circle = { centre = [0.5, 0.5], radius = 0.1 } }", &sets), text)
    }

    #[test]
    fn what_swells_and_ebbs_has_largest_values_of_all_its_time_and_no_rhythm() {
        let (case, text) = text(true);
        let found = ForceCourse::all(&case, &ForceSeries::all(&case, &text));
        let [one @ ForceCourse::Once(ends)] = &found[..] else { panic!("{found:?}") };
        let largest = ends.drag.max;
        assert!((largest.value - 2.95).abs() < 1e-9 && (largest.time - 4.0).abs() < 1e-6);
        assert_eq!(one.number(Component::Drag, Bound::Max), Some(largest.value));
        assert_eq!(one.number(Component::Drag, Bound::Mean), None);
        assert!(one.to_string().contains("does not repeat itself"), "{one}");
    }

    #[test]
    fn of_a_flow_that_is_driven_alike_at_all_times_the_later_half_counts() {
        let (case, text) = text(false);
        let found = ForceCourse::all(&case, &ForceSeries::all(&case, &text));
        let [ForceCourse::Once(ends)] = &found[..] else { panic!("{found:?}") };
        assert!(ends.from >= 4.0 && ends.drag.max.time >= 4.0, "{ends:?}");
    }

    #[test]
    fn what_is_no_number_has_no_course() {
        let (case, text) = text(false);
        for text in [text.replace("1200,6,", "1200,6,NaN,NaN\n1201,6,"), String::new()] {
            assert_eq!(ForceCourse::all(&case, &ForceSeries::all(&case, &text)), []);
        }
    }
}
