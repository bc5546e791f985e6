//! The forces of the flow on bodies, solid boxes and walls, added up exactly.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::communicator::Communicator;
use crate::error::Result;
use crate::wetted::Surface;

/// The force of the flow on one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceForce {
    /// In N, of a plane flow in N for each metre of its depth.
    pub force: [f64; 3],
    /// About the line along z through the surface's middle in N m, from x to y; of a plane flow likewise.
    pub torque: f64,
}

impl SurfaceForce {
    /// The force over half the density, the squared velocity of the case's scale and the area of its surface; eq. (P6b).
    pub fn coefficients(&self, case: &Case, surface: Surface) -> [f64; 3] {
        let (speed, area) = (case.scale.velocity, surface.area(case));
        self.force.map(|force| force / (0.5 * case.density * speed * speed * area))
    }
}

/// Whole units in the density times the square of the scale's velocity and the area of a surface. What is lost of one
/// share is less than a millionth of its rounding, and there is room for forces 1e14 times as large.
const UNITS: f64 = (1_u64 << 40) as f64 * (1_u64 << 40) as f64;

/// No share may be larger, in units.
const MOST: f64 = (1_u64 << 55) as f64 * (1_u64 << 55) as f64;

/// Numbers that are added up for a surface: force, torque, and how many shares were no numbers.
pub const FORCE_SUMS: usize = 5;

/// Parts of surfaces, those of one after those of the other.
pub struct SurfaceParts<P> {
    /// The first part of each surface, and behind the last.
    pub first: Vec<usize>,
    /// The parts.
    pub parts: Vec<P>,
}

impl<P> SurfaceParts<P> {
    /// Of parts of a case's surfaces, each with the number of its own among those of [`Surface::wetted`]; those of one stay
    /// in their order.
    pub fn new(case: &Case, mut parts: Vec<(usize, P)>) -> Self {
        parts.sort_by_key(|&(number, _)| number);
        let surfaces = 0..=Surface::wetted(case).len();
        let before = |number: usize| parts.partition_point(|&(of, _)| of < number);
        let first = surfaces.map(before).collect();
        Self { first, parts: parts.into_iter().map(|(_, part)| part).collect() }
    }

    /// Each part with the number of its surface.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &P)> {
        let surfaces = self.first.windows(2).enumerate();
        surfaces.flat_map(|(number, ends)| {
            self.parts[ends[0]..ends[1]].iter().map(move |part| (number, part))
        })
    }
}

/// Sums of what parts of surfaces feel, as whole numbers: the same in any order, and for any number of ranks.
pub struct ForceSums {
    units: Vec<[f64; 2]>,
    sums: Vec<[i128; FORCE_SUMS]>,
}

impl ForceSums {
    /// Nothing yet.
    pub fn new(case: &Case) -> Self {
        let units = force_units(case);
        Self { sums: vec![[0; FORCE_SUMS]; units.len()], units }
    }

    /// Adds what a part of a surface feels, in N (of a plane flow in N/m), at the end of an [`arm`].
    pub fn add(&mut self, number: usize, force: [f64; 3], arm: [f64; 2]) {
        self.add_part(number, force, torque_of(arm, force));
    }

    /// The same with its torque in N m (of a plane flow in N).
    pub fn add_part(&mut self, number: usize, force: [f64; 3], torque: f64) {
        let [force_unit, torque_unit] = self.units[number];
        let shares = [force[0], force[1], force[2], torque];
        let units = [force_unit, force_unit, force_unit, torque_unit];
        let sums = &mut self.sums[number];
        for (n, (share, unit)) in shares.into_iter().zip(units).enumerate() {
            let share = share / unit;
            if share.abs() < MOST {
                sums[n] += share.round_ties_even() as i128;
            } else {
                sums[FORCE_SUMS - 1] += 1;
            }
        }
    }

    /// The forces on all surfaces of [`Surface::wetted`], of all ranks; not numbers where a share was none. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub fn of_all(mut self, ranks: &dyn Communicator) -> Result<Vec<SurfaceForce>> {
        ranks.sums_exact(self.sums.as_flattened_mut())?;
        let of_one = |(sums, units): (&[i128; FORCE_SUMS], &[f64; 2])| {
            let [force_unit, torque_unit] = *units;
            let value = |n: usize, unit: f64| match sums[FORCE_SUMS - 1] {
                0 => sums[n] as f64 * unit,
                _ => f64::NAN,
            };
            let force = std::array::from_fn(|n| value(n, force_unit));
            SurfaceForce { force, torque: value(3, torque_unit) }
        };
        Ok(self.sums.iter().zip(&self.units).map(of_one).collect())
    }

    /// Adds to the sums of a surface what was added up elsewhere, in [`force_units`].
    pub fn add_sums(&mut self, number: usize, sums: [i128; FORCE_SUMS]) {
        for (sum, other) in self.sums[number].iter_mut().zip(sums) {
            *sum += other;
        }
    }
}

/// Torque in N m (of a plane flow in N) of a force at the end of an [`arm`].
pub fn torque_of(arm: [f64; 2], force: [f64; 3]) -> f64 {
    arm[0] * force[1] - arm[1] * force[0]
}

/// Units of force in N and of torque in N m in which what each surface of [`Surface::wetted`] feels is added up.
pub fn force_units(case: &Case) -> Vec<[f64; 2]> {
    let speed = case.scale.velocity;
    let of_one = |surface: Surface| {
        let force = case.density * speed * speed * surface.area(case) / UNITS;
        [force, force * case.scale.length]
    };
    Surface::wetted(case).into_iter().map(of_one).collect()
}

/// How far a point (m) is from the line that a surface's torque is about, in x and y in m; a body may go on across a
/// periodic end.
pub fn arm(case: &Case, surface: Surface, point: [f64; 3]) -> [f64; 2] {
    let (middle, periodic) = (surface.middle(case), case.boundaries.periodic());
    std::array::from_fn(|d| {
        let (arm, length) = (point[d] - middle[d], case.grid.axes[d].length());
        if periodic[d] { arm - length * (arm / length).round() } else { arm }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communicator::Solo;

    fn case() -> Case {
        let text = "title = 'box'\ngrid = { cells = [8, 8, 1], size = [1.0, 1.0, 0.125] }\n\
             fluid = { density = 3.0, viscosity = 0.01 }\nscale = { length = 1.0, velocity = 2.0 }\n\
             run = { until = 1.0 }\n\
             body = { ball = { circle = { centre = [0.5, 0.25], radius = 0.2 } } }\n[boundary]\n\
             x-low = 'periodic'\nx-high = 'periodic'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n";
        Case::parse(text, "box").expect("a case")
    }

    #[test]
    fn shares_add_up_to_the_same_bits_in_any_order() {
        let case = case();
        let shares: Vec<_> = (0..100)
            .map(|n| {
                let x = f64::from(n);
                let force = [x.sin() * 10.0_f64.powi(n % 9), x.cos(), 1.0 / (1.0 + x)];
                (force, [0.1 * x.cos(), 0.3, 0.0])
            })
            .collect();
        let sum = |shares: &mut dyn Iterator<Item = &([f64; 3], [f64; 3])>| {
            let mut sums = ForceSums::new(&case);
            shares.for_each(|(force, point)| {
                sums.add(0, *force, arm(&case, Surface::Body(0), *point))
            });
            sums.of_all(&Solo).expect("one rank")
        };
        let (one, other) = (sum(&mut shares.iter()), sum(&mut shares.iter().rev()));
        assert_eq!(one, other);
        let direct: f64 = shares.iter().map(|(force, _)| force[0]).sum();
        assert!((one[0].force[0] / direct - 1.0).abs() < 1e-14, "{one:?} {direct}");
        let coefficient = one[0].coefficients(&case, Surface::Body(0))[1];
        assert!((coefficient - one[0].force[1] / (0.5 * 3.0 * 4.0 * 0.4)).abs() < 1e-14);
    }

    #[test]
    fn torque_is_about_the_middle_also_across_a_periodic_end() {
        let case = case();
        let torque = |point: [f64; 3]| {
            let mut sums = ForceSums::new(&case);
            sums.add(0, [2.0, 3.0, 0.0], arm(&case, Surface::Body(0), point));
            sums.of_all(&Solo).expect("one rank")[0].torque
        };
        let expected = 0.2 * 3.0 - 0.1 * 2.0;
        assert!((torque([0.7, 0.35, 0.0]) - expected).abs() < 1e-14);
        assert!((torque([1.7, 0.35, 0.0]) - expected).abs() < 1e-14);
    }

    #[test]
    fn what_is_no_number_makes_the_force_none() {
        let case = case();
        let mut sums = ForceSums::new(&case);
        sums.add(0, [1.0, f64::NAN, 0.0], [0.5; 2]);
        let all = sums.of_all(&Solo).expect("one rank");
        assert!(all[0].force[0].is_nan() && all[0].torque.is_nan());
    }
}
