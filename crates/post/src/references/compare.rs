//! How far a flow is from a reference.

use std::fmt::Write as _;

use serde::Serialize;
use vortice_core::ExactFlow;
use vortice_core::format::{number_in_column, percent_in_column};

use super::exact_flow::with_errors;
use super::values::{
    CoefficientValue, Extremum, FlowShare, Length, NusseltValue, Reference, Values, VortexQuantity,
    VortexValue,
};
use super::{coefficients, nusselt};
use crate::balances::MassBalance;
use crate::flow::{Flow, Line, Variable};
use crate::separation::Separation;
use crate::vortices::Vortices;

/// The distance of a flow from a reference.
///
/// Errors are shares of the case's velocity scale (of density times its square for a pressure),
/// for lengths, coefficients, Nusselt numbers, flows through faces, stream functions and vorticities shares of the reference's value, for centres of
/// vortices shares of the length scale. They are not a number if something that the reference has was
/// not found in the flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Name of the reference.
    pub name: String,
    /// Who published it, and where.
    pub citation: String,
    /// `profile`, `extrema`, `lengths`, `coefficients`, `nusselt`, `flows`, `vortices` or `exact`.
    pub kind: &'static str,
    /// Number of values compared.
    pub points: usize,
    /// Largest error.
    pub max_error: f64,
    /// Root of the mean squared error.
    pub rms_error: f64,
    /// How far off the reference itself may be in the value that has the largest error, as the same share;
    /// not a number if it does not say.
    pub accuracy: f64,
    /// The values one by one; none for exact flows, which are compared in every cell.
    pub samples: Vec<Sample>,
}

/// One value of a reference and of the flow, in units of the case's scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// What: `u`, `u min`, `reattachment`, `primary x`.
    pub what: String,
    /// Where on the line; for extrema where the flow has its own; not a number for lengths and
    /// vortices.
    pub position: f64,
    /// The published value.
    pub reference: f64,
    /// The computed value.
    pub computed: f64,
    /// How far off the published value itself may be; not a number if the table does not say.
    pub accuracy: f64,
}

impl Sample {
    /// What its error is a share of: for lengths, coefficients, Nusselt numbers and flows the published value, else, and for places, the case's scale.
    pub fn unit(&self, kind: &str) -> f64 {
        let of_value = ["lengths", "coefficients", "nusselt", "flows"].contains(&kind);
        if of_value && !self.what.ends_with(" at") { self.reference } else { 1.0 }
    }
}

impl Reference {
    /// Compares a flow with this reference.
    pub fn compare(&self, flow: &Flow<'_>) -> Comparison {
        match &self.values {
            Values::Profile { variable, line, points } => {
                self.summed("profile", profile(flow, *variable, *line, points))
            }
            Values::Extrema(extrema) => {
                self.summed("extrema", extrema.iter().map(|row| extremum(flow, row)).collect())
            }
            Values::Lengths { unit, lengths } => {
                self.summed("lengths", separation(flow, *unit, lengths))
            }
            Values::Vortices(values) => self.vortices(flow, values),
            Values::Coefficients(values) => self.summed("coefficients", coefficients(flow, values)),
            Values::Nusselt(values) => self.summed("nusselt", nusselt(flow, values)),
            Values::Flows(values) => self.summed("flows", flows(flow, values)),
            Values::Exact(exact) => self.exact(flow, *exact),
        }
    }

    fn summed(&self, kind: &'static str, samples: Vec<Sample>) -> Comparison {
        let units = samples.iter().map(|sample| sample.unit(kind)).collect();
        self.judged(kind, samples, units)
    }

    fn vortices(&self, flow: &Flow<'_>, values: &[VortexValue]) -> Comparison {
        let found = flow.vortices();
        let samples: Vec<Sample> =
            values.iter().map(|row| vortex(flow, found, values, row)).collect();
        let units = values.iter().map(|row| match row.quantity {
            VortexQuantity::X | VortexQuantity::Y => 1.0,
            VortexQuantity::StreamFunction | VortexQuantity::Vorticity => row.value,
        });
        self.judged("vortices", samples, units.collect())
    }

    /// Samples with their accuracies, and errors in the units of each.
    fn judged(&self, kind: &'static str, mut samples: Vec<Sample>, units: Vec<f64>) -> Comparison {
        for (sample, accuracy) in samples.iter_mut().zip(&self.accuracies) {
            sample.accuracy = *accuracy;
        }
        let pairs = || samples.iter().zip(&units);
        let errors: Vec<f64> =
            pairs().map(|(sample, unit)| (sample.computed - sample.reference) / unit).collect();
        let shares = pairs().map(|(sample, unit)| sample.accuracy / unit.abs());
        let largest = errors.iter().map(|error| error.abs()).zip(shares);
        let largest = largest.max_by(|one, other| one.0.total_cmp(&other.0));
        let (points, max_error, rms_error) = norms(errors.into_iter());
        let accuracy = largest.map_or(f64::NAN, |(_, share)| share);
        let comparison = self.comparison(kind, points, max_error, rms_error, samples);
        Comparison { accuracy, ..comparison }
    }

    /// The flow in every fluid cell against an exact one at the same time.
    fn exact(&self, flow: &Flow<'_>, exact: ExactFlow) -> Comparison {
        let (points, max_error, rms_error) = with_errors(flow, exact, |errors| norms(errors));
        self.comparison("exact", points, max_error, rms_error, Vec::new())
    }

    fn comparison(
        &self,
        kind: &'static str,
        points: usize,
        max_error: f64,
        rms_error: f64,
        samples: Vec<Sample>,
    ) -> Comparison {
        let (name, citation) = (self.name.clone(), self.citation.clone());
        let accuracy = f64::NAN;
        Comparison { name, citation, kind, points, max_error, rms_error, accuracy, samples }
    }
}

/// Number, largest magnitude and root mean square of errors; not a number if one is.
fn norms(errors: impl Iterator<Item = f64>) -> (usize, f64, f64) {
    let (mut n, mut largest, mut squares) = (0, 0.0_f64, 0.0);
    for error in errors {
        n += 1;
        squares += error * error;
        largest = error.abs().max(largest);
    }
    let rms = (squares / n.max(1) as f64).sqrt();
    (n, if rms.is_nan() { f64::NAN } else { largest }, rms)
}

fn profile(flow: &Flow<'_>, variable: Variable, line: Line, points: &[(f64, f64)]) -> Vec<Sample> {
    let sample = |&(position, reference): &(f64, f64)| {
        let mut place = line.at;
        place[line.along] = position;
        let computed = flow.value(variable, place);
        let what = variable.name().to_string();
        Sample { what, position, reference, computed, accuracy: f64::NAN }
    };
    points.iter().map(sample).collect()
}

fn extremum(flow: &Flow<'_>, row: &Extremum) -> Sample {
    let found = flow.extremum(row.variable, row.line, row.sign);
    let (position, computed) = found.unwrap_or((f64::NAN, f64::NAN));
    let end = if row.sign < 0.0 { "min" } else { "max" };
    let what = format!("{} {end}", row.variable.name());
    Sample { what, position, reference: row.value, computed, accuracy: f64::NAN }
}

fn separation(flow: &Flow<'_>, unit: f64, lengths: &[(Length, f64)]) -> Vec<Sample> {
    let found = Separation::of(flow);
    let unit = unit * flow.case.scale.length;
    let of = |(length, _): &(Length, f64)| match length {
        Length::Reattachment => found.reattachment,
        Length::UpperSeparation => found.upper_separation,
        Length::UpperReattachment => found.upper_reattachment,
    };
    let computed = lengths.iter().map(|one| of(one).map_or(f64::NAN, |metres| metres / unit));
    let published = lengths.iter().map(|(length, value)| (length.name().to_string(), *value));
    numbers(published, computed.collect())
}

fn coefficients(flow: &Flow<'_>, rows: &[CoefficientValue]) -> Vec<Sample> {
    let named = |row: &CoefficientValue| format!("{} {}", row.body, row.coefficient.name());
    let published = rows.iter().map(|row| (named(row), row.value));
    numbers(published, coefficients::computed(flow, rows))
}

fn nusselt(flow: &Flow<'_>, rows: &[NusseltValue]) -> Vec<Sample> {
    let published = rows.iter().map(|row| (row.words(), row.value));
    numbers(published, nusselt::computed(flow, rows))
}

fn flows(flow: &Flow<'_>, rows: &[FlowShare]) -> Vec<Sample> {
    let balance = MassBalance::of(flow);
    let published = rows.iter().map(|row| (format!("{} share", row.face), row.share));
    numbers(published, rows.iter().map(|row| balance.share_of(row.face)).collect())
}

fn numbers(published: impl Iterator<Item = (String, f64)>, computed: Vec<f64>) -> Vec<Sample> {
    let [position, accuracy] = [f64::NAN; 2];
    let sample =
        |((what, reference), computed)| Sample { what, position, reference, computed, accuracy };
    published.zip(computed).map(sample).collect()
}

/// The published number of a vortex and that of the vortex in the same corner that turns the same way.
fn vortex(flow: &Flow<'_>, found: &Vortices, all: &[VortexValue], row: &VortexValue) -> Sample {
    let mut signed = all.iter().filter(|other| {
        let turns = [VortexQuantity::StreamFunction, VortexQuantity::Vorticity];
        other.vortex == row.vortex && turns.contains(&other.quantity)
    });
    let sign = signed.next().map(|other| other.value);
    let scale = flow.case.scale;
    let from_low = |x: f64, d: usize| (x - flow.case.grid.axes[d].low()) / scale.length;
    let computed =
        found.published(&row.vortex, sign).map_or(f64::NAN, |vortex| match row.quantity {
            VortexQuantity::X => from_low(vortex.centre[0], 0),
            VortexQuantity::Y => from_low(vortex.centre[1], 1),
            VortexQuantity::StreamFunction => {
                vortex.stream_function / (scale.velocity * scale.length)
            }
            VortexQuantity::Vorticity => vortex.vorticity * scale.length / scale.velocity,
        });
    let what = format!("{} {}", row.vortex, row.quantity.name());
    let (position, accuracy) = (f64::NAN, f64::NAN);
    Sample { what, position, reference: row.value, computed, accuracy }
}

/// A small table of comparisons for people, with the single values of all but profiles. Beside the
/// largest error stands how far off the reference itself may be there.
pub fn comparison_table(comparisons: &[Comparison]) -> String {
    let width = comparisons.iter().map(|one| one.name.len()).max().unwrap_or(0).max(9);
    let mut text = format!("{:width$}  points  max error  rms error  table's own\n", "reference");
    for one in comparisons {
        let own = match one.accuracy {
            own if own.is_nan() => String::new(),
            own if one.max_error <= own => format!("  {:>11}  within", percent_in_column(own)),
            own => format!("  {:>11}", percent_in_column(own)),
        };
        let _ = writeln!(
            text,
            "{:width$}  {:6}  {:>9}  {:>9}{own}",
            one.name,
            one.points,
            percent_in_column(one.max_error),
            percent_in_column(one.rms_error)
        );
        for sample in one.samples.iter().filter(|_| one.kind != "profile") {
            let own = match sample.accuracy {
                own if own.is_nan() => String::new(),
                own => format!(" +- {own}"),
            };
            let _ = writeln!(
                text,
                "  {}: {}, published {}{own}",
                sample.what,
                number_in_column(sample.computed),
                number_in_column(sample.reference)
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{case, field, seen_with};
    use crate::references::Validity;

    fn reference(values: Values) -> Reference {
        let (name, citation) = ("name".into(), "somebody".into());
        let (accuracy, validity) = (String::new(), Validity::default());
        Reference { name, citation, accuracy, accuracies: Vec::new(), validity, values }
    }

    /// That nothing of a reference was found, and that this is said.
    fn assert_not_found(found: &Comparison) {
        assert!(found.max_error.is_nan() && found.rms_error.is_nan(), "{found:?}");
        assert!(found.samples.iter().all(|sample| sample.computed.is_nan()), "{found:?}");
        let table = comparison_table(std::slice::from_ref(found));
        let (said, samples) = (table.matches("not found").count(), found.samples.len());
        assert!(said == 2 + samples && !table.contains("NaN"), "{table}");
    }

    #[test]
    fn an_exact_flow_has_no_error_and_a_wrong_cell_has_its_own() {
        let sets = ["grid.size=[1.0,1.0,0.1]".to_string(), "scale.velocity=2.0".into()];
        let case = case("grid.cells=[8,8,1]", &sets);
        let exact = ExactFlow::TaylorGreen;
        let right = field(&case, 3, |c, point| exact.velocity(&case, point, 0.25)[c]);
        let pressure = field(&case, 1, |_, point| exact.pressure(&case, point, 0.25));
        let compare = |velocity| {
            let mut flow = seen_with(&case, velocity, &pressure);
            flow.time = 0.25;
            reference(Values::Exact(exact)).compare(&flow)
        };
        let mut wrong = right.clone();
        *wrong.at_mut(1, [3, 4, 0]) += 0.5;
        let same = compare(&right);
        assert_eq!((same.points, same.max_error, same.rms_error), (64, 0.0, 0.0));
        let off = compare(&wrong);
        assert!((off.max_error - 0.25).abs() < 1e-12 && (off.rms_error - 0.25 / 8.0).abs() < 1e-12);
    }

    #[test]
    fn profile_errors_are_those_at_the_published_points() {
        let case = case("grid.cells=[16,16,1]", &[]);
        let velocity = field(&case, 3, |c, [_, y, _]| if c == 0 { y * (1.0 - y) } else { 0.0 });
        let pressure = field(&case, 1, |_, _| 0.0);
        let flow = seen_with(&case, &velocity, &pressure);
        let line = Line { along: 1, at: [0.5, 0.0, 0.0] };
        let points = vec![(0.0, 0.0), (0.5, 0.25), (0.25, 0.1875 - 0.03)];
        let values = Values::Profile { variable: Variable::Velocity(0), line, points };
        let table = Reference { accuracies: vec![0.01, 0.02, 0.04], ..reference(values) };
        let found = table.compare(&flow);
        assert_eq!(found.accuracy, 0.04, "that of the value with the largest error");
        let told = comparison_table(std::slice::from_ref(&found));
        assert!(told.lines().nth(1).unwrap().ends_with("4.000 %  within"), "{told}");
        assert!((found.max_error - 0.03).abs() < 1e-12);
        assert!((found.rms_error - 0.03 / 3.0_f64.sqrt()).abs() < 1e-12);
        assert!((found.samples[2].computed - 0.1875).abs() < 1e-12);
    }

    #[test]
    fn vortices_are_compared_in_units_of_the_scale() {
        use std::f64::consts::PI;
        // psi = sin2(pi x/2) sin2(pi y/2) on a box of 2 m: its top is 1 at (1, 1).
        let sets =
            ["grid.size=[2.0,2.0,0.1]".into(), "scale={ length = 2.0, velocity = 5.0 }".into()];
        let case = case("grid.cells=[32,32,1]", &sets);
        let (f, slope) =
            (|s: f64| (0.5 * PI * s).sin().powi(2), |s: f64| 0.5 * PI * (PI * s).sin());
        let velocity = field(&case, 3, |c, [x, y, _]| match c {
            0 => f(x) * slope(y),
            1 => -slope(x) * f(y),
            _ => 0.0,
        });
        let pressure = field(&case, 1, |_, _| 0.0);
        let flow = seen_with(&case, &velocity, &pressure);
        let curl = PI * PI * 2.0 / 5.0;
        let rows = [("x", 0.52), ("y", 0.5), ("psi", 0.1), ("omega", 1.1 * curl)];
        let value = |(name, value): (&str, f64)| VortexValue {
            vortex: "primary".into(),
            quantity: VortexQuantity::ALL.into_iter().find(|one| one.name() == name).unwrap(),
            value,
        };
        let table = reference(Values::Vortices(rows.map(value).to_vec()));
        let accuracies = vec![0.004, 0.004, f64::NAN, 0.0011 * curl];
        let found = Reference { accuracies, ..table }.compare(&flow);
        assert!((found.accuracy - 0.001).abs() < 1e-12, "a share of the published vorticity");
        let told = comparison_table(std::slice::from_ref(&found));
        assert!(
            told.contains("published 0.520000 +- 0.004\n") && !told.contains("within"),
            "{told}"
        );
        let errors: Vec<f64> =
            found.samples.iter().map(|one| one.computed - one.reference).collect();
        assert!((errors[0] + 0.02).abs() < 1e-5 && errors[1].abs() < 1e-5, "{errors:?}");
        assert!(errors[2].abs() < 1e-5 && (errors[3] + 0.1 * curl).abs() < 1e-3, "{errors:?}");
        // The largest is that of the vorticity, as a share of the published one.
        assert!((found.max_error - 0.1 / 1.1).abs() < 1e-3, "{found:?}");
        let missing = VortexValue { vortex: "top_left".into(), ..value(("x", 0.1)) };
        assert_not_found(&reference(Values::Vortices(vec![missing])).compare(&flow));
        // This one turns the other way.
        let turned = [value(("x", 0.52)), value(("psi", -0.1))];
        assert_not_found(&reference(Values::Vortices(turned.to_vec())).compare(&flow));
    }

    #[test]
    fn a_length_that_is_not_there_is_no_number_and_says_so() {
        let case = case("grid.cells=[8,8,1]", &[]);
        let velocity = field(&case, 3, |c, _| if c == 0 { 1.0 } else { 0.0 });
        let pressure = field(&case, 1, |_, _| 0.0);
        let flow = seen_with(&case, &velocity, &pressure);
        let lengths = vec![(Length::Reattachment, 3.0)];
        let found = reference(Values::Lengths { unit: 1.0, lengths }).compare(&flow);
        assert_not_found(&found);
    }
}
