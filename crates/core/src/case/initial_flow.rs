//! The flow that a case begins with.

use std::sync::Arc;

use crate::exact::ExactFlow;
use crate::expression::Expression;
use crate::perturbation::Perturbation;
use crate::stored_flow::StoredFlow;

/// The flow at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// The same velocity in m/s everywhere.
    Uniform([f64; 3]),
    /// A velocity in m/s by a formula for each component.
    Formula(Arc<[Expression; 3]>),
    /// Velocities in boxes, the last one of those that a point lies in; elsewhere that of another flow.
    Boxes {
        /// The other flow.
        elsewhere: Arc<Initial>,
        /// The boxes.
        boxes: Arc<[InitialBox]>,
    },
    /// An exact flow at t = 0.
    Exact(ExactFlow),
    /// The flow of another run.
    Stored(Arc<StoredFlow>),
    /// What a coarser grid led to, of a case that is given another flow.
    Refined {
        /// What it led to.
        flow: Arc<StoredFlow>,
        /// The flow that the case is given.
        given: Arc<Initial>,
    },
    /// Another flow with a random velocity laid over it.
    Perturbed {
        /// The other flow.
        flow: Arc<Initial>,
        /// The random velocity.
        perturbation: Perturbation,
    },
}

impl Initial {
    /// The flow that the case is given, with whatever flow it begins.
    pub fn given(&self) -> &Self {
        if let Self::Refined { given, .. } = self { given } else { self }
    }

    /// Velocity in m/s at a point (m), of an exact flow in its case.
    pub(super) fn velocity(
        &self,
        point: [f64; 3],
        exact: impl Fn(ExactFlow) -> [f64; 3],
    ) -> [f64; 3] {
        match self {
            Self::Uniform(velocity) => *velocity,
            Self::Formula(formulas) => formulas.each_ref().map(|formula| formula.value(point, 0.0)),
            Self::Boxes { elsewhere, boxes } => {
                let inside = boxes.iter().rev().find(|one| one.contains(point));
                inside.map_or_else(|| elsewhere.velocity(point, exact), |one| one.velocity)
            }
            Self::Exact(flow) => exact(*flow),
            Self::Stored(flow) | Self::Refined { flow, .. } => flow.velocity(point),
            Self::Perturbed { flow, perturbation } => {
                let (u, small) = (flow.velocity(point, exact), perturbation.velocity(point));
                std::array::from_fn(|c| u[c] + small[c])
            }
        }
    }

    /// Pressure in Pa at a point (m) where it is known, of an exact flow in its case; else zero.
    pub(super) fn pressure(&self, point: [f64; 3], exact: impl Fn(ExactFlow) -> f64) -> f64 {
        match self {
            Self::Exact(flow) => exact(*flow),
            Self::Stored(flow) | Self::Refined { flow, .. } => flow.pressure(point),
            Self::Perturbed { flow, .. } => flow.pressure(point, exact),
            Self::Uniform(_) | Self::Formula(_) | Self::Boxes { .. } => 0.0,
        }
    }
}

/// A box with the velocity in it at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialBox {
    /// Its name in the case.
    pub name: String,
    /// Low corner in m.
    pub low: [f64; 3],
    /// High corner in m.
    pub high: [f64; 3],
    /// In m/s.
    pub velocity: [f64; 3],
}

impl InitialBox {
    /// Whether a point (m) lies in it; its low faces belong to it, its high ones do not.
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|d| self.low[d] <= point[d] && point[d] < self.high[d])
    }
}
