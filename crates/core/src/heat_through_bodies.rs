//! The heat that solid boxes and bodies let in, by the fluxes of a method of differences or volumes: the same for both.
//! Equations: docs/src/theory/heat.md.

use crate::boundary::Side;
use crate::case::Case;
use crate::communicator::Communicator;
use crate::decomposition::Subdomain;
use crate::error::Result;
use crate::heat::Heat;
use crate::state::{Outline, StateWriter, Values};
use crate::surface::Surfaces;
use crate::surface_fluxes::UNITS;
use crate::thermal_walls::{ThermalWalls, WallPlace, WalledCell, wall_beside};
use crate::wetted::Surface;

/// A face of a cell that a wall is behind.
struct WallFace {
    walled: WalledCell<f64>,
    direction: usize,
    side: Side,
    surface: Surface,
    /// Velocity in m/s through it in the direction of its axis.
    velocity: f64,
    /// Temperature of the cell and of the one behind it, relative to the reference.
    theta: [f64; 2],
}

/// Takes of what a solver saves what is at these faces, and nothing else.
struct AtWalls<'a> {
    /// Names of the velocities through faces in m/s, and of the temperature relative to the reference in K.
    velocity: [&'a str; 3],
    temperature: String,
    faces: Vec<WallFace>,
}

impl StateWriter for AtWalls<'_> {
    fn number(&mut self, _name: &str, _value: f64) {}

    fn field(
        &mut self,
        name: &str,
        _outline: Outline,
        component: &mut dyn FnMut(usize) -> Result<Values>,
    ) -> Result<()> {
        let velocity = self.velocity.iter().position(|known| *known == name);
        let is_temperature = name == self.temperature;
        let is_read = |face: &WallFace| is_temperature || velocity == Some(face.direction);
        if !self.faces.iter().any(is_read) {
            return Ok(());
        }
        let values = component(0)?;
        let shape = values.outline().shape;
        let value = |cell: [isize; 3]| values.at(shape.index(cell));
        for face in self.faces.iter_mut().filter(|face| is_read(face)) {
            let (cell, d, side) = (face.walled.cell, face.direction, face.side);
            if is_temperature {
                face.theta = [value(cell), value(side.opposite().next(cell, d))];
            } else {
                let low_face_of = if side == Side::Low { cell } else { side.next(cell, d) };
                face.velocity = value(low_face_of);
            }
        }
        Ok(())
    }
}

impl Heat {
    /// The heat in K m3/s (of a plane flow in K m2/s) that each body and then each solid box lets in, over density and heat
    /// capacity, relative to the reference temperature: what conduction brings, and what the flow carries through faces
    /// beside walls that are exact; eq. (H24). From what the solver saves, velocities through low faces under these names.
    /// The same bits on any number of ranks; empty without bodies and boxes. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub(crate) fn through_bodies(
        (case, part): (&Case, &Subdomain),
        ranks: &dyn Communicator,
        velocity: [&str; 3],
        save: impl FnOnce(&mut dyn StateWriter) -> Result<()>,
    ) -> Result<Vec<f64>> {
        let count = case.bodies.len() + case.solid.len();
        let Some(heat) = case.heat.as_ref().filter(|_| count > 0) else { return Ok(Vec::new()) };
        let faces = heat.wall_faces(case, part);
        let mut at_walls = AtWalls { velocity, temperature: heat.name_in_state(), faces };
        ranks.agree(save(&mut at_walls))?;
        let unit = UNITS / heat.flux_scale(case);
        // Of each surface faces across x, y and z.
        let mut sums = vec![[0_i128; 3]; count];
        for face in &at_walls.faces {
            let flux = heat.flux_through(case, face);
            let number = match face.surface {
                Surface::Body(number) => number,
                Surface::Solid(number) => case.bodies.len() + number,
                Surface::Face(..) => continue,
            };
            sums[number][face.direction] += (flux * unit).round_ties_even() as i128;
        }
        ranks.sums_exact(sums.as_flattened_mut())?;
        let area = |d: usize| {
            let across = case.grid.directions().filter(|&e| e != d);
            across.map(|e| case.grid.spacing()[e]).product::<f64>()
        };
        let of = |sums: &[i128; 3]| (0..3).map(|d| sums[d] as f64 / unit * area(d)).sum();
        Ok(sums.iter().map(of).collect())
    }

    /// Faces of own cells at bodies and solid boxes.
    fn wall_faces(&self, case: &Case, part: &Subdomain) -> Vec<WallFace> {
        let surfaces = Surfaces::of_part(case, part);
        let mut faces = Vec::new();
        for walled in ThermalWalls::new((case, &self.temperature), part).cells {
            for (number, at) in walled.sides.iter().enumerate() {
                let (direction, side) = (number / 2, Side::BOTH[number % 2]);
                let wall = wall_beside(&surfaces, walled.cell, direction, side);
                let surface = wall.and_then(|wall| wall.surface);
                if let (WallPlace::Here, Some(surface)) = (at.place, surface) {
                    let (velocity, theta) = (0.0, [0.0; 2]);
                    faces.push(WallFace { walled, direction, side, surface, velocity, theta });
                }
            }
        }
        faces
    }

    /// What enters the cell.
    fn flux_through(&self, case: &Case, face: &WallFace) -> f64 {
        let WallFace { walled, direction, side, velocity, theta: [here, behind], .. } = face;
        let at = &walled.sides[2 * direction + *side as usize];
        let conducted = self.diffusivity / case.grid.spacing()[*direction];
        conducted * at.difference(*here, *behind) - side.outward() as f64 * velocity * here
    }
}

impl Surface {
    /// Those inside the box whose heat is told, in this order.
    pub fn inner(case: &Case) -> impl Iterator<Item = Self> {
        let bodies = (0..case.bodies.len()).map(Self::Body);
        bodies.chain((0..case.solid.len()).map(Self::Solid))
    }
}
