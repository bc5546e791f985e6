//! A scalar that a case begins with, on one rank, and what every engine knows of it; eqs. (H8), (H9).

use vortice_core::{
    Case, Communicator, Decomposition, Error, Halo, Real, Region, Result, SOLID_CELL, Scalar,
    Shape, Subdomain, ThermalEnds, ThermalWalls, ThreadPool,
};

use crate::options::NAME;
use crate::stencil::Conduction;

/// Layers of halo: van Leer's scheme looks two cells upstream.
pub(crate) const LAYERS: usize = 2;

/// The padded shape of a scalar where that of the velocity is this.
pub(crate) fn shape(of_velocity: &Shape) -> Shape {
    Shape { halo: of_velocity.halo.map(|layers| LAYERS * layers), ..*of_velocity }
}

/// Half of what buoyancy adds to a velocity in a time dt (s) by each unit of a scalar, with this acceleration in m/s2 by
/// each.
pub(crate) fn half_lift<T: Real>(buoyancy: f64, dt: f64) -> T {
    T::from_f64(dt * 0.5 * buoyancy)
}

/// What conducts a scalar in each direction.
pub(crate) fn conduction<T: Real>(case: &Case, scalar: &Scalar) -> [Conduction<T>; 3] {
    case.grid.spacing().map(|h| Conduction::new(scalar.diffusivity, h))
}

/// A scalar of one subdomain at t = 0, relative to its reference, at cell centres, and what completes it.
pub(crate) struct InitialScalar<T> {
    pub(crate) shape: Shape,
    pub(crate) theta: Vec<T>,
    /// What comes in inside in units/s, in places as the values; empty if nothing does.
    pub(crate) source: Vec<T>,
    pub(crate) halo: Halo,
    pub(crate) ends: ThermalEnds<T>,
    /// What solid boxes and bodies do.
    pub(crate) walls: ThermalWalls<T>,
    /// Cells that these do themselves, and solid ones, as [`ThermalWalls::marks`] has them.
    pub(crate) marks: Vec<u8>,
}

impl<T: Real> InitialScalar<T> {
    /// Of the case, where the velocity has this shape, with halos and values beyond the ends of the box. Collective.
    ///
    /// # Errors
    /// If a rank has fewer cells across than its neighbours must know of.
    pub(crate) fn new(
        (case, scalar): (&Case, &Scalar),
        (cut, part, of_velocity): (&Decomposition, &Subdomain, &Shape),
        ranks: &dyn Communicator,
        pool: &ThreadPool,
    ) -> Result<Self> {
        check_widths((case, scalar), cut)?;
        let shape = shape(of_velocity);
        let by_place = |value: &(dyn Fn([f64; 3]) -> f64 + Sync)| {
            let mut values = vec![T::default(); shape.len()];
            pool.each_row(&Region::own(shape), [&mut values], |row, [out]| {
                for (i, out) in (0..).zip(out) {
                    *out = T::from_f64(value(case.grid.centre(part.global([i, row.j, row.k]))));
                }
            });
            values
        };
        let mut theta = by_place(&|point| scalar.initial_value(point) - scalar.reference);
        let source = scalar.has_source().then(|| by_place(&|point| scalar.source_at(point)));
        let source = source.unwrap_or_default();
        let walls = ThermalWalls::new((case, scalar), part);
        let marks = walls.marks(case, part, &shape);
        // Solid cells keep the reference.
        theta.iter_mut().zip(&marks).for_each(|(theta, mark)| {
            if *mark == SOLID_CELL {
                *theta = T::default();
            }
        });
        let (halo, ends) = (Halo::new(&shape, part), ThermalEnds::new((case, scalar), part));
        complete(&mut theta, (&halo, &ends), &shape, ranks)?;
        Ok(Self { shape, theta, source, halo, ends, walls, marks })
    }
}

/// Halos from neighbours, and values beyond the ends of the box.
pub(crate) fn complete<T: Real>(
    theta: &mut [T],
    (halo, ends): (&Halo, &ThermalEnds<T>),
    shape: &Shape,
    ranks: &dyn Communicator,
) -> Result<()> {
    halo.exchange(ranks, &mut [theta])?;
    ends.fill(theta, shape);
    Ok(())
}

/// Neighbours take two layers of cells from each other.
fn check_widths((case, scalar): (&Case, &Scalar), cut: &Decomposition) -> Result<()> {
    let is_thin = |part: Subdomain| {
        case.grid.directions().any(|d| part.neighbours[d] != [None, None] && part.n()[d] < LAYERS)
    };
    if (0..cut.size()).any(|rank| is_thin(cut.subdomain(rank))) {
        let problem = "needs two cells at least along each direction that is cut into ranks";
        let remedy = "take fewer ranks, or more cells";
        return Err(Error::unsupported(NAME, scalar.key(), problem, remedy));
    }
    Ok(())
}
