//! The heat that faces of the box let in, by the fluxes of a method of differences or volumes: the same for both.
//! Equations: docs/src/theory/heat.md.

use std::ops::Range;

use crate::boundary::Side;
use crate::case::Case;
use crate::communicator::Communicator;
use crate::decomposition::Subdomain;
use crate::each_cell::each_cell;
use crate::error::Result;
use crate::field::{Field, Shape};
use crate::heat::{FaceFluxes, Heat};
use crate::quantity::Quantity;
use crate::scalar::ScalarBoundary;
use crate::state::{Outline, StateWriter, Values};
use crate::surface::Surfaces;

/// Takes of what a solver saves what is at the faces of the box, and nothing else.
struct AtFaces<'a> {
    /// Names of the velocities through faces in m/s, and of the temperature relative to the reference in K.
    velocity: [&'a str; 3],
    temperature: String,
    layers: Vec<Layer>,
}

/// The part of a face of the box that a subdomain has, in the order of the cells beside it.
struct Layer {
    direction: usize,
    side: Side,
    /// Velocity through the face in the direction of its axis, if something flows there.
    velocity: Vec<f64>,
    /// Temperature of the cells, relative to the reference.
    theta: Vec<f64>,
}

impl Layer {
    /// The values of a field in the cells beside the face, or at their places one further on: low faces.
    fn read(&self, field: &Values, at_face: bool) -> Vec<f64> {
        let value = |place: usize| match field {
            Values::F32(field) => f64::from(field.values[place]),
            Values::F64(field) => field.values[place],
        };
        let shape = field.outline().shape;
        self.cells(shape, at_face).map(|cell| value(shape.index(cell))).collect()
    }

    fn cells(&self, shape: Shape, at_face: bool) -> impl Iterator<Item = [isize; 3]> {
        let last = shape.cells[self.direction] as isize - isize::from(!at_face);
        let place = if self.side == Side::Low { 0 } else { last };
        let range = |d: usize| if d == self.direction { place..place + 1 } else { shape.own(d) };
        each_cell([range(0), range(1), range(2)])
    }
}

impl StateWriter for AtFaces<'_> {
    fn number(&mut self, _name: &str, _value: f64) {}

    fn field(
        &mut self,
        name: &str,
        _outline: Outline,
        component: &mut dyn FnMut(usize) -> Result<Values>,
    ) -> Result<()> {
        let velocity = self.velocity.iter().position(|known| *known == name);
        let is_temperature = name == self.temperature;
        let is_read = |layer: &Layer| is_temperature || velocity == Some(layer.direction);
        if self.layers.iter().any(is_read) {
            let values = component(0)?;
            for layer in &mut self.layers {
                if is_temperature {
                    layer.theta = layer.read(&values, false);
                } else if velocity == Some(layer.direction) {
                    layer.velocity = layer.read(&values, true);
                }
            }
        }
        Ok(())
    }
}

/// The centre in m of the face that a cell of the grid has at an end of the box.
fn face_centre(case: &Case, cell: [isize; 3], d: usize, side: Side) -> [f64; 3] {
    let mut point = case.grid.centre(cell);
    let axis = &case.grid.axes[d];
    point[d] = if side == Side::Low { axis.low() } else { axis.high() };
    point
}

/// Whole units of the scale of a flux.
const UNITS: f64 = (1_u64 << 56) as f64;

impl Heat {
    /// Mean heat fluxes through the faces of the box whose flux is not given, relative to the reference temperature, of a flow with
    /// inflows or outflows: by eq. (H4) and what the flow carries, from what the solver saves, velocities
    /// through low faces under these names. The same bits on any number of ranks; nothing of a closed box. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn through_faces(
        (case, part, time): (&Case, &Subdomain, f64),
        ranks: &dyn Communicator,
        velocity: [&str; 3],
        save: impl FnOnce(&mut dyn StateWriter) -> Result<()>,
    ) -> Result<Option<FaceFluxes>> {
        let is_open = case.boundaries.iter().any(|(_, _, face)| face.is_open());
        let surfaces = Surfaces::of_part(case, part);
        // Where solids lie at walls, the means are not those of all cells beside them.
        let by_formula = |heat: &Self| heat.formulas.iter().flatten().any(Option::is_some);
        let is_told =
            is_open || !surfaces.has_no_solids() || case.heat.as_ref().is_some_and(by_formula);
        let Some(heat) = case.heat.as_ref().filter(|_| is_told) else { return Ok(None) };
        let ends = heat.iter().filter(|(d, side, face)| {
            *face != ScalarBoundary::Periodic && part.neighbours[*d][*side as usize].is_none()
        });
        let layer = |(direction, side, _)| {
            let [velocity, theta] = [Vec::new(), Vec::new()];
            Layer { direction, side, velocity, theta }
        };
        let layers = ends.map(layer).collect();
        let mut at_faces = AtFaces { velocity, temperature: heat.name_in_state(), layers };
        ranks.agree(save(&mut at_faces))?;
        let layers = at_faces.layers.iter();
        let shape = Shape { cells: part.n(), halo: [0; 3] };
        let fluxes = layers.map(|layer| {
            let flows = layer.cells(shape, false).map(|cell| !surfaces.is_solid(cell));
            let given = layer.cells(shape, false).map(|cell| {
                let point = face_centre(case, part.global(cell), layer.direction, layer.side);
                heat.given_at(layer.direction, layer.side, point, time)
            });
            let fluxes = heat.fluxes(case, layer, given);
            let fluxes = fluxes.into_iter().zip(flows);
            let fluxes = fluxes.map(|(flux, flows)| if flows { flux } else { 0.0 });
            (layer.direction, layer.side, fluxes.collect())
        });
        heat.means(case, ranks, fluxes).map(Some)
    }

    /// Fluxes into the box through the cells' faces of a layer.
    fn fluxes(&self, case: &Case, layer: &Layer, given: impl Iterator<Item = f64>) -> Vec<f64> {
        let Layer { direction: d, side, .. } = *layer;
        let conduction = 2.0 * self.diffusivity / case.grid.spacing()[d];
        let is_open = case.boundaries.at(d, side).is_open();
        let speed = |n: usize| -side.outward() as f64 * layer.velocity[n];
        let flux = |(n, (&theta, given)): (usize, (&f64, f64))| match self.at(d, side) {
            ScalarBoundary::Flux(_) if self.formula(d, side).is_some() => given,
            ScalarBoundary::Periodic | ScalarBoundary::Flux(_) => 0.0,
            ScalarBoundary::Outflow => speed(n) * theta,
            ScalarBoundary::Value(_) => {
                let fixed = given;
                let fixed = fixed - self.reference;
                let carried = if is_open { speed(n) * fixed } else { 0.0 };
                carried + conduction * (fixed - theta)
            }
        };
        layer.theta.iter().zip(given).enumerate().map(flux).collect()
    }

    /// Mean heat fluxes through outflows, what `u T` of the cells beside them carries, relative to the reference temperature: zero
    /// elsewhere. `read` gives velocity in m/s or temperature in K of some rows of own cells, and must not need other ranks. The
    /// same bits on any number of ranks. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn carried_out(
        (case, part): (&Case, &Subdomain),
        ranks: &dyn Communicator,
        mut read: impl FnMut(Quantity, Range<usize>) -> Result<Field>,
    ) -> Result<FaceFluxes> {
        let Some(heat) = &case.heat else { return Ok(FaceFluxes::default()) };
        let mut through = |(d, side): (usize, Side)| {
            let (n, inward) = (part.n(), -side.outward() as f64);
            let last = if side == Side::Low { 0 } else { n[d] - 1 };
            let range = |e: usize| if e == d { last..last + 1 } else { 0..n[e] };
            let mut fluxes = Vec::new();
            for k in range(2) {
                let [first, end] = [range(1).start, range(1).end].map(|j| j + n[1] * k);
                let velocity = read(Quantity::Velocity, first..end)?;
                let temperature = read(Quantity::Temperature, first..end)?;
                for cell in
                    temperature.own_cells().filter(|cell| range(0).contains(&(cell[0] as usize)))
                {
                    let theta = temperature.at(0, cell) - heat.reference;
                    fluxes.push(inward * velocity.at(d, cell) * theta);
                }
            }
            Ok((d, side, fluxes))
        };
        let ends = heat.iter().filter(|(d, side, face)| {
            *face == ScalarBoundary::Outflow && part.neighbours[*d][*side as usize].is_none()
        });
        let fluxes = ends.map(|(d, side, _)| through((d, side))).collect::<Result<Vec<_>>>();
        heat.means(case, ranks, ranks.agree(fluxes)?.into_iter())
    }

    /// Means of what ranks have of each face.
    fn means(
        &self,
        case: &Case,
        ranks: &dyn Communicator,
        fluxes: impl Iterator<Item = (usize, Side, Vec<f64>)>,
    ) -> Result<FaceFluxes> {
        let speed = case.scale.velocity.max(self.diffusivity / case.scale.length);
        let unit = UNITS / (speed * self.difference);
        let mut sums = [0_i128; 6];
        for (d, side, fluxes) in fluxes {
            let exact = fluxes.into_iter().map(|flux| (flux * unit).round_ties_even() as i128);
            sums[2 * d + side as usize] += exact.sum::<i128>();
        }
        ranks.sums_exact(&mut sums)?;
        let (n, all) = (case.grid.cells(), case.grid.n_cells());
        let mean = |d: usize, side: usize| sums[2 * d + side] as f64 / unit / (all / n[d]) as f64;
        Ok(std::array::from_fn(|d| [mean(d, 0), mean(d, 1)]))
    }
}
