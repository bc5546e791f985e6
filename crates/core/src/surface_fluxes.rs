//! What faces of the box, bodies and solid boxes let in and feel, by the fluxes of a method of differences or volumes: the same for both.
//! Equations: docs/src/theory/heat.md.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::boundary::Side;
use crate::case::Case;
use crate::communicator::Communicator;
use crate::decomposition::Subdomain;
use crate::each_cell::each_cell;
use crate::error::Result;
use crate::field::{Field, Shape};
use crate::heat::Heat;
use crate::quantity::Quantity;
use crate::scalar::ScalarBoundary;
use crate::state::{Outline, StateWriter, Values};
use crate::surface::Surfaces;
use crate::surface_force::SurfaceForce;

/// Takes of what a solver saves what is at the faces of the box, and nothing else.
struct AtFaces<'a> {
    /// Names of the velocities through faces in m/s, and of the temperature relative to the reference in K.
    velocity: [&'a str; 3],
    temperature: Option<String>,
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
        let shape = field.outline().shape;
        self.cells(shape, at_face).map(|cell| field.at(shape.index(cell))).collect()
    }

    /// Velocities into the box.
    fn inward(&self) -> impl Iterator<Item = f64> {
        let inward = -self.side.outward() as f64;
        self.velocity.iter().map(move |velocity| inward * velocity)
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
        let is_temperature = self.temperature.as_deref() == Some(name);
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
pub(crate) const UNITS: f64 = (1_u64 << 56) as f64;

/// Means over the faces of the box, `[direction][side]`, of what comes in: in m/s of the flow; of heat its flux over density and heat
/// capacity in K m/s with what the flow carries relative to the reference temperature.
pub type FaceFluxes = [[f64; 2]; 3];

/// What comes into the fluid through surfaces, and what it does to them, by a method's own balances, which close as the method's equations do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceFluxes {
    /// The flow through faces of the box; nothing if no face lets it pass, or if the velocity at the centres of cells tells it, eq. (P7).
    pub flow: Option<FaceFluxes>,
    /// Heat through faces of the box, zero where a number gives it; nothing if there is none, or if the temperature at the centres
    /// of cells tells it, eq. (H4).
    pub heat: Option<FaceFluxes>,
    /// Heat that each body and then each solid box lets in, in K m3/s (of a plane flow in K m2/s) over density and heat
    /// capacity, relative to the reference temperature, eq. (H24): in the order of [`crate::Surface::inner`]. Empty of a flow without
    /// heat, bodies or boxes.
    pub bodies: Vec<f64>,
    /// The force on each of [`crate::Surface::wetted`]. Empty of a flow without bodies, and of a method that does not tell it.
    pub forces: Vec<SurfaceForce>,
}

impl SurfaceFluxes {
    /// From what the solver saves, velocities through low faces under these names, at a flow time in s: the flow by these, heat by
    /// eqs. (H4) and (H24) and what they carry. The same bits on any number of ranks. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn of(
        (case, part, time): (&Case, &Subdomain, f64),
        ranks: &dyn Communicator,
        velocity: [&str; 3],
        mut save: impl FnMut(&mut dyn StateWriter) -> Result<()>,
    ) -> Result<Self> {
        let is_open = |d: usize, side: Side| case.boundaries.at(d, side).is_open();
        let surfaces = Surfaces::of_part(case, part);
        let any_open = case.boundaries.iter().any(|(_, _, face)| face.is_open());
        // Where solids lie at walls, the means are not those of all cells beside them.
        let by_formula = |heat: &&Heat| heat.formulas.iter().flatten().any(Option::is_some);
        let heat = case.heat.as_ref();
        let told = heat.filter(|heat| any_open || !surfaces.has_no_solids() || by_formula(heat));
        let passes = |d: usize, side: Side| {
            told.is_some_and(|heat| heat.at(d, side) != ScalarBoundary::Periodic)
        };
        let faces = case.boundaries.iter().map(|(d, side, _)| (d, side)).filter(|&(d, side)| {
            let is_at_end = part.neighbours[d][side as usize].is_none();
            is_at_end && (is_open(d, side) || passes(d, side))
        });
        let layer = |(direction, side)| {
            let [velocity, theta] = [Vec::new(), Vec::new()];
            Layer { direction, side, velocity, theta }
        };
        let temperature = told.map(|heat| heat.name_in_state());
        let mut at_faces = AtFaces { velocity, temperature, layers: faces.map(layer).collect() };
        if any_open || told.is_some() {
            ranks.agree(save(&mut at_faces))?;
        }
        // What a method keeps at faces of solid cells mirrors the flow, and is none.
        let shape = Shape { cells: part.n(), halo: [0; 3] };
        let in_fluid = |layer: &Layer, fluxes: Vec<f64>| {
            let flows = layer.cells(shape, false).map(|cell| !surfaces.is_solid(cell));
            let fluxes = fluxes.into_iter().zip(flows);
            let fluxes = fluxes.map(|(flux, flows)| if flows { flux } else { 0.0 }).collect();
            (layer.direction, layer.side, fluxes)
        };
        let layers = || at_faces.layers.iter();
        let flow = any_open.then(|| {
            let open = layers().filter(|layer| is_open(layer.direction, layer.side));
            let speeds = open.map(|layer| in_fluid(layer, layer.inward().collect()));
            means(case, ranks, case.scale.velocity, speeds)
        });
        let through = told.map(|heat| {
            let passed = layers().filter(|layer| passes(layer.direction, layer.side));
            let fluxes = passed.map(|layer| {
                let given = layer.cells(shape, false).map(|cell| {
                    let point = face_centre(case, part.global(cell), layer.direction, layer.side);
                    heat.given_at(layer.direction, layer.side, point, time)
                });
                in_fluid(layer, heat.fluxes(case, layer, given))
            });
            means(case, ranks, heat.flux_scale(case), fluxes)
        });
        let (flow, through) = (flow.transpose()?, through.transpose()?);
        let bodies = Heat::through_bodies((case, part), ranks, velocity, save)?;
        Ok(Self { flow, heat: through, bodies, forces: Vec::new() })
    }
}

/// Means over each face, in units of a scale, of what ranks have of it.
fn means(
    case: &Case,
    ranks: &dyn Communicator,
    scale: f64,
    fluxes: impl Iterator<Item = (usize, Side, Vec<f64>)>,
) -> Result<FaceFluxes> {
    let unit = UNITS / scale;
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

impl Heat {
    /// The scale of its fluxes in K m/s.
    pub(crate) fn flux_scale(&self, case: &Case) -> f64 {
        case.scale.velocity.max(self.diffusivity / case.scale.length) * self.difference
    }

    /// Fluxes into the box through the cells' faces of a layer.
    fn fluxes(&self, case: &Case, layer: &Layer, given: impl Iterator<Item = f64>) -> Vec<f64> {
        let Layer { direction: d, side, .. } = *layer;
        let conduction = 2.0 * self.diffusivity / case.grid.spacing()[d];
        let is_open = case.boundaries.at(d, side).is_open();
        let speeds: Vec<f64> = layer.inward().collect();
        let flux = |(n, (&theta, given)): (usize, (&f64, f64))| match self.at(d, side) {
            ScalarBoundary::Flux(_) if self.formula(d, side).is_some() => given,
            ScalarBoundary::Periodic | ScalarBoundary::Flux(_) => 0.0,
            ScalarBoundary::Outflow => speeds[n] * theta,
            ScalarBoundary::Value(_) => {
                let fixed = given;
                let fixed = fixed - self.reference;
                let carried = if is_open { speeds[n] * fixed } else { 0.0 };
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
        means(case, ranks, heat.flux_scale(case), ranks.agree(fluxes)?.into_iter())
    }
}
