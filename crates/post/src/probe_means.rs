//! Means and swings at points over time: eq. (P14).

use std::fmt;

use serde::Serialize;
use vortice_core::{Case, Quantity, Until};

use crate::oscillation::{Spread, means, periods, spread, swing};
use crate::series::{TimeTable, late};

/// A variable at a point over time: over whole periods if it repeats itself, else over the later half of the time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbeMeans {
    /// Name of the point.
    pub probe: String,
    /// `u`, `v`, `w` or `p`.
    pub variable: &'static str,
    /// Mean in time, in m/s or Pa.
    pub mean: f64,
    /// Root of the mean square of what it differs from the mean by, in m/s or Pa.
    pub rms: f64,
    /// Whole periods; none if it does not repeat itself.
    pub periods: usize,
    /// Its frequency times the length of the case's scale over its velocity, if it repeats itself.
    pub strouhal: Option<Spread>,
}

impl fmt::Display for ProbeMeans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { probe, variable, mean, rms, periods, strouhal } = self;
        write!(f, "{probe}.{variable}: mean {mean:.5e}, rms {rms:.5e}")?;
        match strouhal {
            Some(strouhal) => write!(f, ", Strouhal number {strouhal}, {periods} periods"),
            None => Ok(()),
        }
    }
}

impl ProbeMeans {
    /// Of all points of a case that is followed in time, from the text of `probes.csv`; not of those of lines.
    pub fn all(case: &Case, text: &str) -> Vec<Self> {
        let is_followed = matches!(case.run.until, Until::Time(_));
        let Some(options) = case.output.probes.as_ref().filter(|_| is_followed) else {
            return Vec::new();
        };
        let (table, mut all) = (TimeTable::of(text), Vec::new());
        for probe in options.probes.iter().filter(|probe| !probe.is_of_line()) {
            for (quantity, _, variable) in options.variables(&case.grid) {
                let series = table.column(&format!("{}.{variable}", probe.name));
                let series = series.unwrap_or_default();
                all.extend(Self::of(case, &probe.name, quantity, variable, &series));
            }
        }
        all
    }

    fn of(
        case: &Case,
        probe: &str,
        quantity: Quantity,
        variable: &'static str,
        series: &[(f64, f64)],
    ) -> Option<Self> {
        let series = Some(late(series)).filter(|series| series.len() > 1)?;
        let velocity = case.scale.velocity;
        let unit = match quantity {
            Quantity::Velocity => velocity,
            Quantity::Temperature | Quantity::Scalar(_) => {
                case.carried_as(quantity).map_or(1.0, |scalar| scalar.difference)
            }
            _ => case.density * velocity * velocity,
        };
        // What counts as steady is a share of the scale.
        let scaled: Vec<_> = series.iter().map(|&(time, value)| (time, value / unit)).collect();
        let ends = periods(&scaled);
        let ([mean, rms], strouhal) = match &ends {
            Some(ends) => {
                let swing = swing(series, ends);
                let lengths = ends.windows(2).map(|pair| pair[1] - pair[0]);
                let strouhal = lengths.map(|length| case.scale.length / velocity / length);
                ([swing.mean.value, swing.rms.value], Some(spread(strouhal)))
            }
            None => (means(series), None),
        };
        let periods = ends.map_or(0, |ends| ends.len() - 1);
        Some(Self { probe: probe.to_owned(), variable, mean, rms, periods, strouhal })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::examples::case;

    #[test]
    fn a_point_has_its_mean_rms_and_frequency_and_a_line_has_none() {
        let sets = ["output.probes={points={wake=[0.5,0.5,0.0]},\
                     lines={l={from=[0.2,0.5,0.0],to=[0.8,0.5,0.0],points=2}}}"];
        let case = case("scale={ length = 0.2, velocity = 2.0 }", &sets.map(String::from));
        let mut text = "step,time,wake.u,wake.v,wake.p,l.1.u\n".to_owned();
        for n in 0..=1000 {
            let t = 0.01 * f64::from(n);
            text += &format!("{n},{t},{},{},7,1\n", 0.5 * t, 3.0 + (TAU * 1.7 * t).sin());
        }
        let all = ProbeMeans::all(&case, &text);
        let names: Vec<_> = all.iter().map(|one| (&*one.probe, one.variable)).collect();
        assert_eq!(names, [("wake", "u"), ("wake", "v"), ("wake", "p")]);
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 2e-3, "{all:?}");
        near(all[0].mean, 0.5 * 7.5);
        near(all[0].rms, 2.5 / 12.0_f64.sqrt());
        near(all[1].mean, 3.0);
        near(all[1].rms, 0.5_f64.sqrt());
        near(all[1].strouhal.expect("it repeats itself").value, 0.17);
        near(all[2].mean, 7.0);
        assert_eq!((all[0].strouhal, all[1].periods), (None, 7));
        assert!(ProbeMeans::all(&case, "").is_empty());
    }
}
