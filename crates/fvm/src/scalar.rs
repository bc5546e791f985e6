//! A scalar that a case begins with, on one rank, and what every engine knows of its equation; eqs. (H5), (H12).

use vortice_core::{
    Case, Field, Location, Region, Scalar, ScalarBoundary, Shape, Subdomain, Surfaces, ThreadPool,
    each_cell,
};

use crate::options::ScalarConvection;
use crate::settings::Settings;
use crate::stencil::{CENTRAL, VAN_LEER};

/// Sweeps of an outer iteration.
pub(crate) const SWEEPS: u32 = 20;

/// Names of a scalar now and at the end of the last two time steps in a saved state.
pub(crate) fn saved_names(scalar: &Scalar) -> [String; 3] {
    ["", "-last", "-before"].map(|when| scalar.name_in_state() + when)
}

/// What conducts and carries a scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conductor {
    /// alpha / h2 in 1/s.
    pub(crate) diffusion: [f64; 3],
    /// alpha / h in m/s.
    pub(crate) conduction: [f64; 3],
    /// 1 / h in 1/m.
    pub(crate) inverse_h: [f64; 3],
    /// One where the value at the end of a direction is given, else zero.
    pub(crate) fixed: [[f64; 2]; 3],
    /// alpha_T of a steady flow.
    pub(crate) alpha: f64,
    /// Scheme of convection.
    pub(crate) scheme: u8,
}

impl Conductor {
    /// That of a scalar of a case.
    pub(crate) fn new(scalar: &Scalar, settings: &Settings) -> Self {
        let h = settings.spacing;
        let is_fixed = |face: ScalarBoundary| f64::from(u8::from(face.value().is_some()));
        Self {
            diffusion: h.map(|h| scalar.diffusivity / (h * h)),
            conduction: h.map(|h| scalar.diffusivity / h),
            inverse_h: h.map(|h| 1.0 / h),
            fixed: scalar.faces.map(|ends| ends.map(is_fixed)),
            alpha: settings.relaxation_of(scalar),
            scheme: match settings.options.scalar_convection {
                ScalarConvection::VanLeer => VAN_LEER,
                ScalarConvection::Central => CENTRAL,
            },
        }
    }
}

/// A scalar of a rank's part at t = 0, relative to its reference, at the centres of own cells.
pub(crate) fn initial(
    (case, scalar): (&Case, &Scalar),
    place: (&Subdomain, Shape),
    pool: &ThreadPool,
) -> Vec<f64> {
    let mut theta =
        by_place(case, place, pool, |point| scalar.initial_value(point) - scalar.reference);
    let (part, shape) = place;
    let surfaces = Surfaces::of_part(case, part);
    if !surfaces.has_no_solids() {
        let own = each_cell([shape.own(0), shape.own(1), shape.own(2)]);
        // Solid cells keep the reference.
        own.filter(|&cell| surfaces.is_solid(cell)).for_each(|cell| theta[shape.index(cell)] = 0.0);
    }
    theta
}

/// What comes in inside there, in units/s; empty if nothing does.
pub(crate) fn source(
    (case, scalar): (&Case, &Scalar),
    place: (&Subdomain, Shape),
    pool: &ThreadPool,
) -> Vec<f64> {
    if !scalar.has_source() {
        return Vec::new();
    }
    by_place(case, place, pool, |point| scalar.source_at(point))
}

fn by_place(
    case: &Case,
    (part, shape): (&Subdomain, Shape),
    pool: &ThreadPool,
    value: impl Fn([f64; 3]) -> f64 + Sync,
) -> Vec<f64> {
    let mut values = vec![0.0; shape.len()];
    pool.each_row(&Region::own(shape), [&mut values], |row, [out]| {
        for (i, out) in (0..).zip(out) {
            *out = value(case.grid.centre(part.global([i, row.j, row.k])));
        }
    });
    values
}

/// A scalar at the centres of some rows of own cells, from its values relative to a reference: all that there is from
/// the first of these cells on.
pub(crate) fn at_centres(
    shape: Shape,
    rows: std::ops::Range<usize>,
    reference: f64,
    theta: &[f64],
) -> Field {
    let of_rows = Shape { cells: [shape.cells[0], rows.len(), 1], halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, of_rows, 1);
    let first = shape.hull(rows.clone()).start;
    for (number, row) in rows.zip(field.values.chunks_exact_mut(shape.cells[0])) {
        let places = shape.row(number);
        let theta = &theta[places.start - first..places.end - first];
        row.iter_mut().zip(theta).for_each(|(to, theta)| *to = reference + theta);
    }
    field
}
