//! The outlet that a flow is carried through with its vortices.

use crate::boundary::{Boundary, Condition, Side, face_name};
use crate::case::Case;
use crate::each_cell::each_cell;
use crate::error::{Error, Result};
use crate::surface::{FaceKind, Surfaces};

/// The convective outflow of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvectiveOutlet {
    /// The direction across it.
    pub direction: usize,
    /// The end of the box.
    pub side: Side,
    /// Speed in m/s that the flow is carried out at: as the case says, or what flows in over its area.
    pub speed: f64,
}

impl ConvectiveOutlet {
    /// That of a case, if it has one.
    pub fn of(case: &Case) -> Option<Self> {
        let (direction, side, speed) = case.boundaries.iter().find_map(|(d, side, face)| match face {
            Boundary::ConvectiveOutflow { speed } => Some((d, side, *speed)),
            _ => None,
        })?;
        let speed = speed.unwrap_or_else(|| mean_speed(case, direction, side));
        Some(Self { direction, side, speed })
    }

    /// Whether faces of this end of the box are the outlet's.
    pub fn is_at(&self, direction: usize, side: Side) -> bool {
        (self.direction, self.side) == (direction, side)
    }

    /// Refuses the outlet of a case, for a method that has none.
    ///
    /// # Errors
    /// If the case has one.
    pub fn refuse(case: &Case, method: &'static str) -> Result<()> {
        let Some(outlet) = Self::of(case) else { return Ok(()) };
        let face = face_name(outlet.direction, outlet.side);
        Err(Error::Unsupported {
            method,
            key: format!("boundary.{face}.outflow.convective"),
            problem: "has no convective outflow".into(),
            remedy: format!("set boundary.{face} = \"outflow\""),
        })
    }
}

/// What flows in over the area that it may leave through, in m/s; bodies in the faces left out.
fn mean_speed(case: &Case, direction: usize, side: Side) -> f64 {
    let surfaces = Surfaces::new(case);
    let cells = case.grid.cells().map(|n| n as isize);
    let spacing = case.grid.spacing();
    let area = |d: usize| spacing.iter().product::<f64>() / spacing[d];
    let before = |d: usize, side: Side| {
        let last = if side == Side::Low { 0 } else { cells[d] - 1 };
        each_cell(std::array::from_fn(|e| if e == d { last..last + 1 } else { 0..cells[e] }))
    };
    let (mut rate, mut room) = (0.0, 0.0);
    for (d, end, face) in case.boundaries.iter() {
        let flows = matches!(face, Boundary::Inflow { .. });
        for cell in before(d, end).filter(|_| flows || (d, end) == (direction, side)) {
            match surfaces.face(cell, d, end) {
                FaceKind::End(_, Condition::Velocity) => {
                    rate -= end.outward() as f64 * surfaces.velocity(cell, d, end)[d] * area(d);
                }
                FaceKind::End(_, Condition::Convective) => room += area(d),
                _ => {}
            }
        }
    }
    if room > 0.0 { rate / room } else { 0.0 }
}
