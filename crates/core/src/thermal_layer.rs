//! How thick the layer is in which a heated wall hands its heat to a fluid that moves by it; docs/src/theory/heat.md.

use crate::boundary::Side;
use crate::case::Case;
use crate::format::significant;
use crate::heat::Heat;
use crate::scalar::ScalarBoundary;

/// Cells across the layer below which a Nusselt number is off by some per cent.
const FEW_CELLS: f64 = 3.0;

/// The layer at walls with a temperature or a heat flux that set a fluid in motion, as foreseen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThermalLayer {
    /// The Nusselt number that is expected over the length scale.
    pub nusselt: f64,
    /// Thickness in m; eq. (H21).
    pub thickness: f64,
    /// Cells across it, at the wall where they are fewest.
    pub cells: f64,
}

impl ThermalLayer {
    /// That of a case; nothing where no heated wall sets the fluid in motion.
    pub fn of(case: &Case) -> Option<Self> {
        let heat = case.heat.as_ref()?;
        let length = case.scale.length;
        let nusselt = 0.142 * heat.rayleigh(case.viscosity, length).powf(0.3);
        let thickness = length / (2.0 * nusselt);
        let walls = heat.iter().filter(|&(d, side, face)| {
            case.boundaries.at(d, side).is_wall() && heat.moves_fluid(d, side, face)
        });
        let spacing = case.grid.spacing();
        let cells = walls.map(|(d, ..)| thickness / spacing[d]).min_by(f64::total_cmp)?;
        (nusselt > 1.0).then_some(Self { nusselt, thickness, cells })
    }

    /// What is to be said of a layer of too few cells, with the remedy.
    pub fn warning(&self) -> Option<String> {
        let Self { nusselt, cells, .. } = self;
        let wanted = (2.0 * FEW_CELLS / cells).ceil();
        (*cells < FEW_CELLS).then(|| {
            format!(
                "{} cells lie across the thermal layer at walls (Nu about {}): with fewer than {FEW_CELLS} Nusselt numbers \
                 are off by several per cent; take {wanted} times the cells in each direction (`grid.cells`)",
                significant((10.0 * cells).round() / 10.0),
                significant((10.0 * nusselt).round() / 10.0)
            )
        })
    }
}

impl Heat {
    /// Whether a wall makes fluid rise or sink: gravity acts along it, or it is warm below or cold above.
    fn moves_fluid(&self, direction: usize, side: Side, face: ScalarBoundary) -> bool {
        let warmth = match face {
            ScalarBoundary::Value(temperature) => temperature - self.reference,
            ScalarBoundary::Flux(flux) => flux,
            ScalarBoundary::Periodic | ScalarBoundary::Outflow => 0.0,
        };
        let lift = self.buoyancy;
        let rises_along = (0..3).any(|d| d != direction && lift[d] != 0.0);
        let inward = -side.outward() as f64;
        warmth != 0.0 && (rises_along || warmth * lift[direction] * inward > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between two walls at 301 and 300 K at this distance of cells, with this gravity, as `[x, y]`.
    fn layer(cells: usize, gravity: [f64; 2]) -> Option<ThermalLayer> {
        let text = format!(
            "title = 'box'\ngrid = {{ cells = [{cells}, {cells}, 1], size = [1.0, 1.0, 1.0] }}\n\
             fluid = {{ viscosity = 1.0 }}\n\
             heat = {{ diffusivity = 1.0, expansion = 1.0, gravity = [{:?}, {:?}, 0.0] }}\n\
             run = {{ until = 1.0 }}\n[boundary]\n\
             x-low = {{ wall = {{ temperature = 301.0 }} }}\n\
             x-high = {{ wall = {{ temperature = 300.0 }} }}\ny-low = 'wall'\ny-high = 'wall'\n\
             z-low = 'periodic'\nz-high = 'periodic'\n",
            gravity[0], gravity[1]
        );
        let case = Case::parse(&text, "box").unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(case.warnings().iter().any(|one| one.contains("thermal layer")), cells < 27);
        ThermalLayer::of(&case)
    }

    #[test]
    fn a_layer_has_the_thickness_of_measured_flows_and_few_cells_are_told() {
        let thin = layer(64, [0.0, -1e5]).expect("a layer");
        assert!(
            (thin.nusselt / 4.52 - 1.0).abs() < 0.02 && (thin.cells - 7.1).abs() < 0.1,
            "{thin:?}"
        );
        assert!(thin.warning().is_none());
        let warning = layer(24, [0.0, -1e5]).and_then(|layer| layer.warning()).expect("a warning");
        assert!(
            warning.starts_with("2.7 cells lie") && warning.contains("take 3 times"),
            "{warning}"
        );
        // Warm below and above: gravity acts along x.
        assert!(layer(64, [-1e5, 0.0]).is_some() && layer(64, [1e5, 0.0]).is_none());
        assert!(layer(64, [0.0, -100.0]).is_none(), "conduction");
    }
}
