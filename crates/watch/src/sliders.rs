//! What of a case can be changed while its flow goes on: viscosity, the speed of walls that move, and of inflows.

use serde_json::{Value, json};
use vortice_core::{Boundary, Case, Side, face_name};

/// A setting with the ends between which it is changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slider {
    /// The key of the case.
    pub(crate) key: String,
    label: String,
    unit: &'static str,
    value: f64,
    ends: [f64; 2],
    /// Whether each step of it is a factor.
    is_log: bool,
    /// The velocity that a speed of 1 m/s has; nothing for a number.
    direction: Option<[f64; 3]>,
}

/// How many times less and more the viscosity may become.
const VISCOSITY: f64 = 10.0;

/// How many times faster walls and inflows may become.
const SPEED: f64 = 2.0;

impl Slider {
    /// All that a case has.
    pub(crate) fn all(case: &Case) -> Vec<Self> {
        let viscosity = Self {
            key: "fluid.viscosity".into(),
            label: "viscosity".into(),
            unit: "m²/s",
            value: case.viscosity,
            ends: [case.viscosity / VISCOSITY, case.viscosity * VISCOSITY],
            is_log: true,
            direction: None,
        };
        let faces = (0..3).flat_map(|d| Side::BOTH.map(|side| (d, side)));
        let faces = faces.filter_map(|(d, side)| Self::of_face(case, d, side));
        std::iter::once(viscosity).chain(faces).collect()
    }

    /// The speed of a face that has one, and a direction.
    fn of_face(case: &Case, d: usize, side: Side) -> Option<Self> {
        let (kind, velocity, least) = match case.boundaries.at(d, side) {
            Boundary::Wall { velocity } => ("wall", *velocity, -SPEED),
            Boundary::Inflow { velocity, .. } => ("inflow", *velocity, 0.0),
            _ => return None,
        };
        let speed = velocity.iter().map(|u| u * u).sum::<f64>().sqrt();
        let name = face_name(d, side);
        (speed > 0.0).then(|| Self {
            key: format!("boundary.{name}.{kind}.velocity"),
            label: format!("{kind} {name}, speed"),
            unit: "m/s",
            value: speed,
            ends: [least * speed, SPEED * speed],
            is_log: false,
            direction: Some(velocity.map(|u| u / speed)),
        })
    }

    /// The setting, `key=value`, of another number; nothing if that is none.
    pub(crate) fn set(&self, number: f64) -> Option<String> {
        let value = match self.direction {
            None => format!("{number:?}"),
            // Adding zero leaves no zero with a sign.
            Some(direction) => format!("{:?}", direction.map(|share| share * number + 0.0)),
        };
        number.is_finite().then(|| format!("{}={value}", self.key))
    }

    /// Where it stands in a case that was changed.
    pub(crate) fn place(&self, case: &Case) -> f64 {
        let is_mine = |(d, side): &(usize, Side)| {
            self.key.starts_with(&format!("boundary.{}.", face_name(*d, *side)))
        };
        let Some(direction) = self.direction else { return case.viscosity };
        let mut faces = (0..3).flat_map(|d| Side::BOTH.map(|side| (d, side)));
        let face = faces.find(is_mine).map(|(d, side)| case.boundaries.at(d, side));
        match face {
            Some(Boundary::Wall { velocity } | Boundary::Inflow { velocity, .. }) => {
                velocity.iter().zip(direction).map(|(u, share)| u * share).sum()
            }
            _ => self.value,
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "key": self.key, "label": self.label, "unit": self.unit, "value": self.value,
            "low": self.ends[0], "high": self.ends[1], "log": self.is_log,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_study::open_case;

    fn keys(name: &str) -> Vec<String> {
        let case = open_case(name, &[]).unwrap_or_else(|error| panic!("{error}"));
        Slider::all(&case).into_iter().map(|slider| slider.key).collect()
    }

    #[test]
    fn a_case_has_sliders_for_what_drives_its_flow() {
        assert_eq!(keys("cavity"), ["fluid.viscosity", "boundary.y-high.wall.velocity"]);
        let step = keys("step-griebel");
        assert_eq!(step, ["fluid.viscosity", "boundary.x-low.inflow.velocity"]);
    }

    #[test]
    fn a_setting_changes_the_case_to_its_number() {
        for name in ["cavity", "step-griebel"] {
            let case = open_case(name, &[]).unwrap_or_else(|error| panic!("{error}"));
            for slider in Slider::all(&case) {
                assert!((slider.place(&case) - slider.value).abs() < 1e-12 * slider.value);
                let number = 0.75 * slider.value;
                let set = slider.set(number).expect("a number");
                let changed = case.with(&[set]).unwrap_or_else(|error| panic!("{error}"));
                assert!((slider.place(&changed) - number).abs() < 1e-12 * number, "{}", slider.key);
                assert_eq!(slider.set(f64::NAN), None);
            }
        }
    }
}
