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
        let (direction, side, speed) =
            case.boundaries.iter().find_map(|(d, side, face)| match face {
                Boundary::ConvectiveOutflow { speed } => Some((d, side, *speed)),
                _ => None,
            })?;
        let mean = || {
            let [rate, room] = rate_and_room(case, direction, side);
            rate / room
        };
        Some(Self { direction, side, speed: speed.unwrap_or_else(mean) })
    }

    /// Refuses a convective outflow that solids close, or whose speed is to be that of inflows that they close.
    ///
    /// # Errors
    /// If the case has such a one.
    pub fn check(case: &Case) -> Result<()> {
        let Some(Self { direction, side, speed }) = Self::of(case) else { return Ok(()) };
        let key = format!("boundary.{}", face_name(direction, side));
        let remedy = "move the solids or bodies away from the faces of the box";
        let [_, room] = rate_and_room(case, direction, side);
        if room <= 0.0 {
            return Err(Error::case(&key, "solids close this outflow", remedy));
        }
        if speed <= 0.0 {
            let problem = "solids close what flows in, which is to tell the speed of this outflow";
            return Err(Error::case(&key, problem, remedy));
        }
        Ok(())
    }

    /// Whether faces of this end of the box are the outlet's.
    pub fn is_at(&self, direction: usize, side: Side) -> bool {
        (self.direction, self.side) == (direction, side)
    }
}

/// What flows in, in m3/s, and the area in m2 that it may leave through at a convective outlet; solids in both left out.
fn rate_and_room(case: &Case, direction: usize, side: Side) -> [f64; 2] {
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
        let flows = face.is_inflow();
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
    [rate, room]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_what_flows_in_over_the_area_left() {
        let text = |outflow: &str| {
            format!(
                "title = 'outlet'\ngrid = {{ cells = [6, 4, 1], size = [6.0, 4.0, 1.0] }}\n\
                 fluid = {{ viscosity = 0.1 }}\nrun = {{ until = 1.0 }}\n\
                 solid = [{{ low = [5.0, 0.0, 0.0], high = [6.0, 1.0, 1.0] }}]\n[boundary]\n\
                 x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}\nx-high = {outflow}\n\
                 y-low = 'wall'\ny-high = {{ inflow = {{ velocity = [0.0, -0.5, 0.0] }} }}\n\
                 z-low = 'periodic'\nz-high = 'periodic'\n"
            )
        };
        let of = |outflow: &str| {
            ConvectiveOutlet::of(&Case::parse(&text(outflow), "outlet").expect("a case"))
        };
        // 4 m2/s and 3 m2/s enter, and 3 m are left.
        let speed = of("{ outflow = { convective = true } }").expect("an outlet").speed;
        assert!((speed - 7.0 / 3.0).abs() < 1e-14, "{speed}");
        let outlet = of("{ outflow = { convective = true, speed = 2.0 } }").expect("an outlet");
        assert!(outlet.speed == 2.0 && outlet.is_at(0, Side::High) && !outlet.is_at(0, Side::Low));
        assert!(of("'outflow'").is_none());
        // What leaves is weighed against what enters once.
        let convective = text("{ outflow = { convective = true } }");
        let of_inflow = |inflow: &str| {
            let text = convective.replace("velocity = [1.0, 0.0, 0.0]", inflow);
            Case::parse(&text, "outlet")
        };
        let refused = of_inflow("velocity = ['1 + t', 0, 0]").expect_err("it changes");
        assert!(refused.to_string().contains("boundary.x-high"), "{refused}");
        assert!(refused.remedy().contains("outflow"), "{}", refused.remedy());
        let same =
            ConvectiveOutlet::of(&of_inflow("velocity = ['1 + 0*y', 0, 0]").expect("a case"));
        assert!((same.expect("an outlet").speed - 7.0 / 3.0).abs() < 1e-12);
        let closed = text("{ outflow = { convective = true, speed = 1.0 } }")
            .replace("high = [6.0, 1.0, 1.0]", "high = [6.0, 4.0, 1.0]");
        let closed = Case::parse(&closed, "outlet").expect("a case");
        let error = ConvectiveOutlet::check(&closed).expect_err("nothing can leave");
        assert!(error.to_string().contains("solids close this outflow"), "{error}");
    }
}
