//! What heat flows into the box and out of it.

use serde::Serialize;
use vortice_core::{Heat, ScalarBoundary, Side, Surface, Until, each_cell_of_grid, face_name};

use crate::flow::Flow;
use crate::heat::WallHeat;

/// Heat through the faces of the box, over density and heat capacity, relative to the reference temperature; of a plane flow for
/// each metre of its depth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HeatBalance {
    /// Each face that heat passes.
    pub faces: Vec<FaceHeat>,
    /// What comes in by a source, in K m3/s.
    #[serde(skip_serializing_if = "is_nothing")]
    pub source: f64,
    /// All that enters in K m3/s, by a source too.
    pub inflow: f64,
    /// All that leaves in K m3/s.
    pub outflow: f64,
    /// What enters and does not leave, as a share of the larger one of both; only of a flow that is to become steady: others warm up.
    pub imbalance: Option<f64>,
}

/// The heat through one face of the box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaceHeat {
    /// Which face: `x-low` ... `z-high`, or the name of a body, or `solid 1`.
    pub face: String,
    /// What leaves through it in K m3/s, by conduction and with the flow.
    pub out: f64,
}

/// Whether there is no source.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_nothing(source: &f64) -> bool {
    *source == 0.0
}

/// What comes in by the source of heat, by its values at the centres of cells, as the methods take it.
fn source(flow: &Flow<'_>) -> f64 {
    let (grid, Some(heat)) = (&flow.case.grid, &flow.case.heat) else { return 0.0 };
    if !heat.has_source() {
        return 0.0;
    }
    let volume: f64 = grid.directions().map(|d| grid.spacing()[d]).product();
    let solids = flow.case.solids();
    let cells = each_cell_of_grid(&grid.cells().map(|n| 0..n));
    let flows = |cell: &[isize; 3]| solids.is_empty() || !solids.contains(*cell);
    cells.filter(flows).map(|cell| volume * heat.source_at(grid.centre(cell))).sum()
}

/// The mean over a face of the flux that is given there; nothing enters beside solid cells.
fn given(flow: &Flow<'_>, heat: &Heat, d: usize, side: Side) -> f64 {
    let (grid, solids) = (&flow.case.grid, flow.case.solids());
    if solids.is_empty() && heat.formula(d, side).is_none() {
        return heat.at(d, side).flux();
    }
    let mut block = grid.cells().map(|n| 0..n);
    block[d] = if side == Side::Low { 0..1 } else { block[d].end - 1..block[d].end };
    let flux = |cell: [isize; 3]| {
        let mut point = grid.centre(cell);
        point[d] = if side == Side::Low { grid.axes[d].low() } else { grid.axes[d].high() };
        let flows = solids.is_empty() || !solids.contains(cell);
        if flows { heat.given_at(d, side, point, flow.time) } else { 0.0 }
    };
    let fluxes: Vec<f64> = each_cell_of_grid(&block).map(flux).collect();
    fluxes.iter().sum::<f64>() / fluxes.len() as f64
}

/// Imbalance of heat from which on it is worth a warning.
const MOST_IMBALANCE: f64 = 1e-3;

impl HeatBalance {
    /// Of a flow with heat, by its method's own fluxes, eq. (H22); nothing where the method does not tell those of inflows and
    /// outflows.
    pub fn of(flow: &Flow<'_>) -> Option<Self> {
        let (case, heat) = (flow.case, flow.case.heat.as_ref()?);
        flow.temperature?;
        let walls = WallHeat::all(flow);
        let edges = case.grid.axes.map(|axis| axis.length());
        let mut balance = Self::default();
        for (d, side, at) in heat.iter() {
            let face = face_name(d, side);
            let told = || flow.surface_fluxes.heat.map(|fluxes| fluxes[d][side as usize]);
            let across = case.grid.directions().filter(|&e| e != d);
            let area: f64 = across.map(|e| edges[e]).product();
            let flux = match at {
                ScalarBoundary::Periodic => continue,
                ScalarBoundary::Flux(_) => given(flow, heat, d, side),
                ScalarBoundary::Value(_) | ScalarBoundary::Outflow => {
                    let wall = walls.iter().find(|wall| wall.face == face);
                    wall.map(|wall| wall.heat_flux).or_else(told)?
                }
            };
            balance.add(face.into(), -flux * area);
        }
        // Those that no heat passes as well: what the flow carries through the stairs of exact walls is not nothing.
        for (surface, heat) in Surface::inner(case).zip(&flow.surface_fluxes.bodies) {
            balance.add(surface.name(case), -heat);
        }
        balance.source = source(flow);
        balance.inflow += balance.source.max(0.0);
        balance.outflow -= balance.source.min(0.0);
        let larger = balance.inflow.max(balance.outflow);
        let is_judged = matches!(case.run.until, Until::Steady(_)) && larger > 0.0;
        balance.imbalance = is_judged.then(|| (balance.inflow - balance.outflow) / larger);
        Some(balance)
    }

    fn add(&mut self, face: String, out: f64) {
        if out != 0.0 {
            self.inflow -= out.min(0.0);
            self.outflow += out.max(0.0);
            self.faces.push(FaceHeat { face, out });
        }
    }

    /// What is to be said if more than a thousandth of what enters does not leave, with its remedy.
    pub fn warning(&self) -> Option<String> {
        let share =
            self.imbalance.filter(|share| share.abs() > MOST_IMBALANCE || share.is_nan())?;
        Some(format!(
            "{:.2} % of the heat that enters does not leave: run until the flow is steady (a smaller `run.steady`)",
            100.0 * share
        ))
    }
}

impl std::fmt::Display for HeatBalance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.imbalance {
            Some(share) => write!(f, "heat balance: {share:.2e} of what enters"),
            None => {
                write!(f, "heat that enters and stays: {:.5e} K m3/s", self.inflow - self.outflow)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use vortice_core::Case;

    use super::*;
    use crate::examples::field;
    use vortice_core::{SurfaceFluxes, WallSlope};

    #[test]
    fn what_faces_let_in_is_added_up_and_judged_of_steady_flows() {
        let text = "title = 'channel'\ngrid = { cells = [8, 4, 1], size = [2.0, 0.5, 1.0] }\n\
            fluid = { viscosity = 1.0 }\nheat = { diffusivity = 0.5 }\n\
            run = { until = 'steady' }\n[boundary]\n\
            x-low = { inflow = { velocity = [1.0, 0.0, 0.0], temperature = 300.0 } }\n\
            x-high = 'outflow'\ny-low = { wall = { temperature = 310.0 } }\n\
            y-high = { wall = { heat-flux = 3.0 } }\nz-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "channel").expect("a case");
        let [velocity, pressure] = [3, 1].map(|c| field(&case, c, |_, _| 0.0));
        let temperature = field(&case, 1, |_, [_, y, _]| 310.0 - 4.0 * y);
        let flow = Flow::new(&case, &velocity, &pressure, WallSlope::EXACT, 0.0);
        assert!(HeatBalance::of(&flow).is_none(), "no temperature is known");
        let flow = flow.with_temperature(Some((&temperature).into()));
        assert!(HeatBalance::of(&flow).is_none(), "the method does not tell what the flow carries");
        // The wall of given flux is not told: 2 m of 3, 2 m of 2 by conduction, half a metre of others.
        let told = [[-4.0, -16.01], [2.0, 0.0], [0.0; 2]];
        let balance =
            HeatBalance::of(&flow.with_surface_fluxes(SurfaceFluxes {
                heat: Some(told),
                ..SurfaceFluxes::default()
            }))
            .expect("a balance");
        let faces = balance.faces.iter().map(|one| (&*one.face, one.out)).collect::<Vec<_>>();
        let expected = [("x-low", 2.0), ("x-high", 8.005), ("y-low", -4.0), ("y-high", -6.0)];
        assert_eq!(faces, expected);
        assert_eq!((balance.inflow, balance.outflow), (10.0, 10.005));
        let share = balance.imbalance.expect("a share");
        assert!((share + 0.005 / 10.005).abs() < 1e-12 && balance.warning().is_none(), "{share}");
        let (imbalance, words) = (Some(-2e-3), "-0.20 % of the heat that enters");
        let off = HeatBalance { imbalance, ..balance };
        assert!(off.warning().is_some_and(|warning| warning.starts_with(words)));
    }
}
