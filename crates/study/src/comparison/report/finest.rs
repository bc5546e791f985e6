//! The flows of a study on the finest grids, for pictures.

use vortice_core::{Case, Field, Result, WallSlope};
use vortice_output::{Recorded, read_fields};

use crate::comparison::files::Files;
use crate::comparison::findings::Findings;
use crate::comparison::forces::RunForces;
use crate::comparison::plan::plain_name;
use crate::comparison::row::Row;
use vortice_post::Flow;
use vortice_post::references::plane;

/// A flow read back.
pub(super) struct Seen<'a> {
    pub(super) row: &'a Row,
    /// `fvm 64`, for people.
    pub(super) name: String,
    /// `fvm-64`, for ParaView.
    pub(super) plain_name: String,
    /// Place of the variant among all, which decides its colour.
    pub(super) number: usize,
    pub(super) case: Case,
    /// Over time.
    pub(super) forces: RunForces,
    wall_slope: WallSlope,
    fields: Recorded,
}

impl<'a> Seen<'a> {
    /// The flow of each variant on its finest grid.
    ///
    /// # Errors
    /// If the fields of a run cannot be read.
    pub(super) fn finest(findings: &'a Findings) -> Result<Vec<Self>> {
        findings.finest().into_iter().map(|row| Self::of(findings, row)).collect()
    }

    /// Whether flows are on the same grid, and so need not be read again to be subtracted.
    pub(super) fn share_a_grid(seen: &[Self]) -> bool {
        seen.windows(2).all(|pair| pair[0].row.grid == pair[1].row.grid)
    }

    /// The flows of all variants on the finest grid that at least two of them have.
    ///
    /// # Errors
    /// If the fields of a run cannot be read.
    pub(super) fn on_one_grid(findings: &'a Findings) -> Result<Vec<Self>> {
        let on = |n: usize| findings.rows.iter().filter(move |row| row.grid == n && row.has_flow());
        let grids = findings.study.grids.iter().rev();
        let Some(n) = grids.copied().find(|&n| on(n).count() > 1) else { return Ok(Vec::new()) };
        on(n).map(|row| Self::of(findings, row)).collect()
    }

    fn of(findings: &'a Findings, row: &'a Row) -> Result<Self> {
        let variants = &findings.study.variants;
        let number = variants.iter().position(|one| one.name == row.variant).unwrap_or(0);
        let mut case = findings.study.case_of(&variants[number], row.grid)?;
        case.output.plane = case.output.plane.or_else(|| plane(&case, &findings.references));
        let files = Files::in_folder(&findings.folder.join(&row.folder))?;
        let fields = read_fields(&files.fields, &case)?;
        let forces = RunForces::read(&case, variants[number].method, &files.forces)?;
        let wall_slope = (variants[number].method.wall_slope)(&case)?;
        let name = format!("{} {}", row.variant, row.grid);
        let plain_name = plain_name(&[&row.variant, &row.grid.to_string()]);
        Ok(Self { row, name, plain_name, number, case, forces, wall_slope, fields })
    }

    /// Velocity in m/s on the whole grid.
    pub(super) fn velocity(&self) -> &Field {
        &self.fields.velocity
    }

    /// Pressure in Pa on the whole grid.
    pub(super) fn pressure(&self) -> &Field {
        &self.fields.pressure
    }

    /// The flow in the units of the case's scale; its time is not asked for by pictures.
    pub(super) fn flow(&self) -> Flow<'_> {
        let Recorded { velocity, pressure, temperature, .. } = &self.fields;
        let flow = Flow::new(&self.case, velocity, pressure, self.wall_slope, 0.0);
        flow.with_temperature(temperature.as_ref().map(Into::into))
    }
}
