//! The heat that walls with a temperature give to the fluid, and their Nusselt numbers.

use serde::Serialize;
use vortice_core::{Case, Cells, Heat, Side, each_cell_of_grid, face_name};

use crate::flow::Flow;

/// The heat of a wall whose temperature is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WallHeat {
    /// Which face: `x-low` ... `z-high`.
    pub face: &'static str,
    /// Its temperature in K.
    pub temperature: f64,
    /// Mean heat flux into the fluid over density and heat capacity, in K m/s.
    pub heat_flux: f64,
    /// The same over that of conduction alone, `alpha dT / L` with the case's length scale; below zero where heat leaves.
    pub nusselt: f64,
}

impl WallHeat {
    /// Of all walls of the box whose temperature is given, from the flux that a method's own equations have there: what it told,
    /// else eq. (H4). None of a flow without heat.
    pub fn all(flow: &Flow<'_>) -> Vec<Self> {
        let (Some(heat), Some(temperature)) = (&flow.case.heat, flow.temperature) else {
            return Vec::new();
        };
        let walls = heat.iter().filter(|&(d, side, _)| flow.case.boundaries.at(d, side).is_wall());
        let fixed = walls.filter_map(|(d, side, face)| Some(((d, side), face.value()?)));
        let told = |(d, side): (usize, Side)| flow.wall_heat.map(|fluxes| fluxes[d][side as usize]);
        let of = |(face, fixed)| {
            let conducted = || conducted(flow.case, heat, temperature, face, fixed);
            let heat_flux = told(face).unwrap_or_else(conducted);
            let unit = heat.diffusivity * heat.difference / flow.case.scale.length;
            let nusselt = heat_flux / unit;
            Self { face: face_name(face.0, face.1), temperature: fixed, heat_flux, nusselt }
        };
        fixed.map(of).collect()
    }
}

/// Mean heat flux from a face of this temperature; eq. (H4).
fn conducted(
    case: &Case,
    heat: &Heat,
    temperature: Cells<'_>,
    (d, side): (usize, Side),
    fixed: f64,
) -> f64 {
    let n = case.grid.cells();
    let mut cells = n.map(|n| 0..n);
    cells[d] = if side == Side::Low { 0..1 } else { n[d] - 1..n[d] };
    let faces = cells.iter().map(|range| range.len()).product::<usize>();
    let drops = each_cell_of_grid(&cells).map(|cell| fixed - temperature.at(0, cell));
    let drop = drops.sum::<f64>() / faces as f64;
    2.0 * heat.diffusivity * drop / case.grid.spacing()[d]
}

impl std::fmt::Display for WallHeat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { face, temperature, heat_flux, nusselt } = self;
        write!(f, "heat from {face} at {temperature} K: {heat_flux:.5e} K m/s, Nu {nusselt:.5}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::{Field, Location, Shape, WallSlope};

    #[test]
    fn conduction_has_the_nusselt_number_one_on_both_sides() {
        let text = "title = 'slab'\ngrid = { cells = [8, 4, 1], size = [2.0, 1.0, 1.0] }\n\
                    fluid = { viscosity = 1.0 }\nheat = { diffusivity = 0.5 }\n\
                    scale = { length = 2.0 }\nrun = { until = 1.0 }\n[boundary]\n\
                    x-low = { wall = { temperature = 310.0 } }\n\
                    x-high = { wall = { temperature = 300.0 } }\ny-low = 'wall'\ny-high = 'wall'\n\
                    z-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "slab").expect("a case");
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        let [velocity, pressure] = [3, 1].map(|c| Field::zeros(Location::Centre, shape, c));
        let mut temperature = Field::zeros(Location::Centre, shape, 1);
        for cell in temperature.own_cells() {
            temperature[cell] = 310.0 - 5.0 * case.grid.centre(cell)[0];
        }
        let flow = Flow::new(&case, &velocity, &pressure, WallSlope::EXACT, 0.0);
        assert!(WallHeat::all(&flow).is_empty(), "no temperature is known");
        let flow = flow.with_temperature(Some((&temperature).into()));
        let walls = WallHeat::all(&flow);
        let told = walls.iter().map(|wall| (wall.face, wall.temperature)).collect::<Vec<_>>();
        assert_eq!(told, [("x-low", 310.0), ("x-high", 300.0)]);
        for (wall, sign) in walls.iter().zip([1.0, -1.0]) {
            assert!((wall.heat_flux - sign * 2.5).abs() < 1e-12, "{wall}");
            assert!((wall.nusselt - sign).abs() < 1e-12, "{wall}");
        }
        // What the method tells goes before.
        let flow = flow.with_wall_heat(Some([[2.0, -3.0], [0.0; 2], [0.0; 2]]));
        let told: Vec<f64> = WallHeat::all(&flow).iter().map(|wall| wall.heat_flux).collect();
        assert_eq!(told, [2.0, -3.0]);
    }
}
