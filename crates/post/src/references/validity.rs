//! For which flows a table holds: the same Reynolds number, the same box, the same walls.

use vortice_core::format::significant;
use vortice_core::{Boundary, Case, Heat, Interval, Profile, Side, face_name};

/// Lengths, velocities and Reynolds numbers are the same within this share.
const SAME: f64 = 1e-3;

/// What a table says of its flow, in units of the case's scale. What it does not say is not asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Validity {
    /// Reynolds number of the case's scale.
    pub reynolds: Option<f64>,
    /// Rayleigh number over the case's length scale.
    pub rayleigh: Option<f64>,
    /// Prandtl number.
    pub prandtl: Option<f64>,
    /// Edges of the box in x and y, of a flow in space also in z; nothing for one that may be any.
    pub edges: Vec<Option<f64>>,
    /// The one wall that moves, and in which direction; all others are at rest.
    pub lid: Option<Lid>,
    /// The step that the flow enters above.
    pub step: Option<Step>,
}

/// A wall that moves with the velocity of the scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lid {
    /// Direction of its normal.
    pub normal: usize,
    /// Which end of that direction.
    pub side: Side,
    /// The direction in which it moves.
    pub towards: usize,
}

/// A step at `x-low`: what enters there enters above it with the mean velocity of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its height.
    pub height: f64,
    /// Whether it is a solid with an inlet channel above it; else a parabola enters the box.
    pub channel: bool,
}

impl Validity {
    /// Why the table does not hold for a case, as `for Re = 1000, not 100`; nothing if it does.
    pub fn objection(&self, case: &Case) -> Option<String> {
        self.another_reynolds(case)
            .or_else(|| self.another_heat(case))
            .or_else(|| self.another_box(case))
            .or_else(|| self.lid.as_ref()?.objection(case))
            .or_else(|| self.step.as_ref()?.objection(case))
            .or_else(|| self.another_force(case))
    }

    fn another_reynolds(&self, case: &Case) -> Option<String> {
        let (its, here) = (self.reynolds?, case.reynolds());
        let words = || format!("for Re = {}, not {}", significant(its), significant(here));
        (!same(its, here)).then(words)
    }

    /// Another Rayleigh or Prandtl number, or no heat at all.
    fn another_heat(&self, case: &Case) -> Option<String> {
        let of_heat = |number: fn(&Heat, &Case) -> f64| {
            case.heat.as_ref().map_or(f64::NAN, |heat| number(heat, case))
        };
        let rayleigh = of_heat(|heat, case| heat.rayleigh(case.viscosity, case.scale.length));
        let prandtl = of_heat(|heat, case| heat.prandtl(case.viscosity));
        let both = [("Ra", self.rayleigh, rayleigh), ("Pr", self.prandtl, prandtl)];
        both.into_iter().find_map(|(name, its, here)| {
            let its = its.filter(|&its| !same(its, here))?;
            let of = if here.is_nan() { "a flow without heat".into() } else { significant(here) };
            Some(format!("for {name} = {}, not {of}", significant(its)))
        })
    }

    fn another_box(&self, case: &Case) -> Option<String> {
        if self.edges.is_empty() {
            return None;
        }
        let in_space = self.edges.len() > 2;
        let alike_in_z = case.grid.is_plane() || !case.boundaries.at(2, Side::Low).is_wall();
        if in_space == alike_in_z {
            let flow = if in_space { "between walls in z" } else { "that is the same for all z" };
            return Some(format!("for a flow {flow}"));
        }
        let edges = case.grid.axes.map(|axis| axis.length() / case.scale.length);
        let fits = |(its, here): (&Option<f64>, f64)| its.is_none_or(|its| same(its, here));
        if self.edges.iter().zip(edges).all(fits) {
            return None;
        }
        let words = |its: &Option<f64>| its.map_or("any".into(), significant);
        let here: Vec<String> = edges[..self.edges.len()].iter().map(|&x| significant(x)).collect();
        let its: Vec<String> = self.edges.iter().map(words).collect();
        Some(format!("for a box of {} lengths, not {}", its.join(" x "), here.join(" x ")))
    }

    /// No table is of a flow that a force drives, unless it says nothing of its flow.
    fn another_force(&self, case: &Case) -> Option<String> {
        let is_silent = *self == Self::default();
        (!is_silent && case.pushes().contains(&true))
            .then(|| "for a flow without a body force".into())
    }
}

impl Lid {
    fn objection(&self, case: &Case) -> Option<String> {
        let mut moving = [0.0; 3];
        moving[self.towards] = case.scale.velocity;
        let fits = |(direction, side, face): (usize, Side, &Boundary)| match face {
            Boundary::Wall { velocity } if (direction, side) == (self.normal, self.side) => {
                (0..3).all(|d| (velocity[d] - moving[d]).abs() <= SAME * case.scale.velocity)
            }
            Boundary::Periodic | Boundary::Symmetry => direction == 2,
            face => *face == Boundary::WALL,
        };
        let holds = case.boundaries.iter().all(fits) && case.solids().is_empty();
        (!holds).then(|| {
            let (face, letter) = (face_name(self.normal, self.side), ["x", "y", "z"][self.towards]);
            format!("for an empty box whose one moving wall is {face}, in {letter} with the scale's velocity")
        })
    }
}

impl Step {
    fn objection(&self, case: &Case) -> Option<String> {
        let walls = Side::BOTH.iter().all(|&side| *case.boundaries.at(1, side) == Boundary::WALL);
        let leaves = case.boundaries.at(0, Side::High).is_outflow();
        let holds =
            walls && leaves && case.bodies.is_empty() && self.enters(case) && self.is_there(case);
        let inlet =
            if self.channel { "behind an inlet channel" } else { "without an inlet channel" };
        let words = || format!("for a step of {} lengths {inlet}", significant(self.height));
        (!holds).then(words)
    }

    /// Whether the case has the inflow above the step.
    fn enters(&self, case: &Case) -> bool {
        let Boundary::Inflow { velocity, profile } = case.boundaries.at(0, Side::Low) else {
            return false;
        };
        let (axis, scale) = (case.grid.axes[1], case.scale);
        let near = |x: f64, y: f64| (x - y).abs() <= SAME * axis.length();
        let is_above = |interval: &Interval| {
            interval.along == 1
                && near(interval.from, axis.low() + self.height * scale.length)
                && near(interval.to, axis.high())
        };
        let above = match profile {
            // What enters a channel becomes a parabola in it; a solid covers the rest of the face.
            Profile::Uniform(None) => self.channel,
            Profile::Uniform(Some(interval)) => self.channel && is_above(interval),
            Profile::Parabolic(interval) => is_above(interval),
        };
        above && same(velocity[0], scale.velocity)
    }

    /// Whether the solids are the step.
    fn is_there(&self, case: &Case) -> bool {
        match &*case.solid {
            [] => !self.channel,
            [solid] => {
                let [x, y, _] = case.grid.axes;
                let top = y.low() + self.height * case.scale.length;
                self.channel
                    && solid.low[0] <= x.low()
                    && solid.low[1] <= y.low()
                    && (solid.high[1] - top).abs() <= SAME * y.length()
            }
            _ => false,
        }
    }
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests;
