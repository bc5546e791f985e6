//! A body force that formulas give over time.

use std::sync::Arc;

use crate::expression::Expression;

/// Times of a run at which a force is looked at before it begins.
const TIMES: u32 = 257;

/// A body force per unit mass by formulas of the time.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangingForce {
    components: Arc<[Expression; 3]>,
}

impl ChangingForce {
    /// The force of these formulas, which is looked at until `until`, in s.
    ///
    /// # Errors
    /// If one is of the place too, or is not a number at some time: what is wrong, and what to do.
    pub(crate) fn new(
        components: [Expression; 3],
        until: f64,
    ) -> Result<Self, (String, &'static str)> {
        if let Some(formula) = components.iter().find(|formula| formula.varies()) {
            let problem = format!("`{}` changes from place to place", formula.text());
            return Err((
                problem,
                "write a formula of the time t alone: the force is the same everywhere",
            ));
        }
        let force = Self { components: Arc::new(components) };
        let times = (0..TIMES).map(|n| until * f64::from(n) / f64::from(TIMES - 1));
        for time in times {
            let here = force.at(time);
            if let Some(d) = here.iter().position(|value| !value.is_finite()) {
                let problem =
                    format!("`{}` is {} at t = {time}", force.components[d].text(), here[d]);
                return Err((problem, "write a formula that is a number from 0 to run.until"));
            }
        }
        Ok(force)
    }

    /// The force in m/s2 at a time in s.
    pub fn at(&self, time: f64) -> [f64; 3] {
        self.components.each_ref().map(|formula| formula.value([0.0; 3], time))
    }

    /// The three formulas.
    pub fn components(&self) -> &[Expression; 3] {
        &self.components
    }
}
