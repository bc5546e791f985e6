//! What is allowed and yet probably not meant.

use std::sync::Arc;

use super::initial_flow::Initial;
use super::meaning::{Case, Until};
use super::text::CaseText;
use crate::body::{Body, Geometry};
use crate::boundary::{Boundary, face_name};
use crate::format::significant;
use crate::thermal_layer::ThermalLayer;

/// Cells across a body from which on the flow around it has some likeness to the real one.
const ENOUGH_ACROSS: f64 = 8.0;

/// Share of a cell up to which places in a file may be rounded.
const MOST_ROUNDING: f64 = 1e-3;

impl Case {
    /// What is allowed and yet probably not meant: one sentence each, for people.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings.extend(self.moved_solids());
        warnings.extend(self.mended_meshes());
        warnings.extend(self.coarse_bodies());
        warnings.extend(self.closed_pockets());
        warnings.extend(self.unequal_spacing());
        warnings.extend(self.nothing_drives());
        warnings.extend(self.tilted_outflow());
        warnings.extend(ThermalLayer::of(self).and_then(|layer| layer.warning()));
        warnings.extend(self.unused_steady());
        warnings
    }

    /// Along an outflow with one pressure the weight of a warm or cold column must not change.
    fn tilted_outflow(&self) -> Option<String> {
        let buoyancy = self.heat.as_ref()?.buoyancy;
        let is_tilted = |d: usize| (0..3).any(|other| other != d && buoyancy[other] != 0.0);
        let mut faces = self.boundaries.iter();
        let (d, side, _) = faces.find(|(d, _, face)| face.pressure().is_some() && is_tilted(*d))?;
        Some(format!(
            "boundary.{}: gravity acts along this outflow, whose pressure is the same all over: right only where its \
             temperature is `heat.reference`; let the flow leave up or down",
            face_name(d, side)
        ))
    }

    fn moved_solids(&self) -> impl Iterator<Item = String> {
        self.solid.iter().enumerate().filter_map(|(n, solid)| {
            let misfit = solid.misfit(&self.grid);
            (misfit > 1e-6).then(|| {
                format!(
                    "solid[{n}]: a face lies between cells and moves by {misfit:.2} of a cell \
                     to the nearest face of the grid; choose grid.cells so that it fits"
                )
            })
        })
    }

    fn mended_meshes(&self) -> Vec<String> {
        let spacing = self.grid.spacing();
        let least = self.grid.directions().map(|d| spacing[d]).fold(f64::INFINITY, f64::min);
        let of_body = |body: &Arc<Body>| {
            let Geometry::Mesh(mesh) = &body.geometry else { return Vec::new() };
            let facts = mesh.facts();
            let mut all = facts.notes.clone();
            if facts.resolution > MOST_ROUNDING * least {
                all.push(format!(
                    "so far from its origin the file tells places to {:.1e} m only, and cells are {least:.1e} m \
                     wide; write it anew nearer to its origin",
                    facts.resolution
                ));
            }
            all.into_iter().map(|note| format!("body.{}.stl: {note}", body.name)).collect()
        };
        self.bodies.iter().flat_map(of_body).collect()
    }

    fn coarse_bodies(&self) -> impl Iterator<Item = String> {
        self.bodies.iter().filter_map(|body| {
            let across = body.cells_across(&self.grid);
            (across < ENOUGH_ACROSS).then(|| {
                format!(
                    "body.{}: {across:.1} cells across are too few for a flow around it; take more \
                     cells (`grid.cells`)",
                    body.name
                )
            })
        })
    }

    fn closed_pockets(&self) -> Option<String> {
        let pockets = self.pocket_cells()?;
        let cells = |n: usize| if n == 1 { "1 cell".into() } else { format!("{n} cells") };
        let [x, y, z] = self.grid.centre(pockets.example.map(|i| i as isize)).map(significant);
        Some(format!(
            "solids close in {} of fluid that nothing drives, in {} {}, the largest at x = {x} m, y = {y} m, z = {z} m: \
             they are taken as solid; open them to the flow, or fill them with a solid",
            cells(pockets.cells),
            pockets.pockets,
            if pockets.pockets == 1 { "pocket" } else { "pockets" },
        ))
    }

    fn unequal_spacing(&self) -> Option<String> {
        let spacing = self.grid.spacing();
        let widths = || self.grid.directions().map(|d| spacing[d]);
        let (least, most) = (widths().fold(f64::INFINITY, f64::min), widths().fold(0.0, f64::max));
        (most > least * (1.0 + 1e-9)).then(|| {
            format!(
                "grid: cells are not cubes, {least:.6} m to {most:.6} m; \
                 a method on a lattice cuts them into cubes"
            )
        })
    }

    fn nothing_drives(&self) -> Option<String> {
        let moves = self.prescribed_speed() > 0.0;
        let pressures: Vec<f64> = self
            .boundaries
            .iter()
            .filter_map(|(.., face)| match face {
                Boundary::Outflow { pressure } => Some(*pressure),
                _ => None,
            })
            .collect();
        let pressure = pressures.windows(2).any(|pair| pair[0] != pair[1]);
        let force = self.pushes().contains(&true);
        let start = self.initial != Initial::Uniform([0.0; 3]);
        let driven = moves || pressure || force || start || self.carried().next().is_some();
        (!driven).then(|| {
            "nothing drives the flow: it starts at rest, no wall moves, no body turns, nothing flows in, \
             and fluid.force is zero"
                .into()
        })
    }

    fn unused_steady(&self) -> Option<String> {
        let text = CaseText::parse(&self.source, &self.name).ok()?;
        let unused = matches!(self.run.until, Until::Time(_)) && text.has("run.steady");
        unused.then(|| "run.steady has no effect, because run.until is a time".into())
    }
}
