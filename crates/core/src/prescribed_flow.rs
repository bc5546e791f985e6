//! What prescribed velocities carry into a box that has no outflow, and out of it.

use crate::boundary::{Boundaries, Boundary, Side};
use crate::each_cell::each_cell;
use crate::grid::Grid;
use crate::solid::Solids;

/// Volumes in m3/s that prescribed velocities carry into the box and out of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrescribedFlow {
    /// Into the box.
    pub enters: f64,
    /// Out of it.
    pub leaves: f64,
}

impl PrescribedFlow {
    /// How much more enters than leaves, as a share of the larger of both.
    pub fn excess(&self) -> f64 {
        (self.enters - self.leaves) / self.enters.max(self.leaves)
    }
}

impl Boundaries {
    /// Whether something flows through ends of the box and all that does is prescribed.
    pub fn prescribe_all(&self) -> bool {
        let any = |is: fn(&Boundary) -> bool| self.iter().any(|(.., face)| is(face));
        any(Boundary::is_inflow) && !any(Boundary::is_outflow)
    }

    /// What prescribed velocities carry into the box and out of it, as means over the faces of cells that no solid
    /// closes.
    pub fn prescribed_flow(&self, grid: &Grid, solids: &Solids) -> PrescribedFlow {
        let mut flow = PrescribedFlow { enters: 0.0, leaves: 0.0 };
        for (d, side, face) in self.iter().filter(|(.., face)| face.is_inflow()) {
            for cell in open_cells(d, side, grid, solids) {
                let [low, high] =
                    [0, 1].map(|end| std::array::from_fn(|e| grid.axes[e].face(cell[e] + end)));
                let velocity = face.velocity(low, high).map_or(0.0, |u| u[d]);
                let inwards = -side.outward() as f64 * velocity * area(d, grid);
                flow.enters += inwards.max(0.0);
                flow.leaves += (-inwards).max(0.0);
            }
        }
        flow
    }

    /// Lets formulas carry out as much as enters, where there is no outflow: their means over the faces of cells are not
    /// quite what they are over the whole face. The difference is spread evenly. Returns what it was before.
    pub fn balance(&mut self, grid: &Grid, solids: &Solids) -> PrescribedFlow {
        self.correct_formulas(|_| 0.0);
        let before = self.prescribed_flow(grid, solids);
        let is_formula = |face: &Boundary| matches!(face, Boundary::Formula { wall: false, .. });
        let formulas = self.iter().filter(|(.., face)| is_formula(face));
        let room: f64 = formulas
            .map(|(d, side, _)| area(d, grid) * open_cells(d, side, grid, solids).count() as f64)
            .sum();
        if room > 0.0 && self.prescribe_all() {
            let outwards = (before.enters - before.leaves) / room;
            self.correct_formulas(|side| side.outward() as f64 * outwards);
        }
        before
    }

    /// Gives the formula of each inflow a velocity to be added across its face.
    fn correct_formulas(&mut self, correction: impl Fn(Side) -> f64) {
        for pair in &mut self.0 {
            for (side, face) in Side::BOTH.into_iter().zip(pair) {
                if let Boundary::Formula { wall: false, velocity } = face {
                    velocity.set_correction(correction(side));
                }
            }
        }
    }
}

/// Cells before an end of the box that are not solid.
fn open_cells(
    d: usize,
    side: Side,
    grid: &Grid,
    solids: &Solids,
) -> impl Iterator<Item = [isize; 3]> {
    let cells = grid.cells().map(|n| n as isize);
    let last = if side == Side::Low { 0 } else { cells[d] - 1 };
    let layer = std::array::from_fn(|e| if e == d { last..last + 1 } else { 0..cells[e] });
    each_cell(layer).filter(|&cell| !solids.contains(cell))
}

/// Area in m2 of the face of a cell across a direction.
fn area(d: usize, grid: &Grid) -> f64 {
    let spacing = grid.spacing();
    spacing.iter().product::<f64>() / spacing[d]
}

#[cfg(test)]
mod tests {
    use crate::case::Case;

    /// A box of 6 x 4 cells; what flows through both ends of x, and a solid before the high one.
    fn case(low: &str, high: &str, solid: &str) -> crate::error::Result<Case> {
        let text = format!(
            "title = 'box'\ngrid = {{ cells = [6, 4, 1], size = [6.0, 4.0, 1.0] }}\n\
             fluid = {{ viscosity = 0.1 }}\nrun = {{ until = 1.0 }}\nsolid = [{solid}]\n[boundary]\n\
             x-low = {{ inflow = {{ velocity = [{low}, 0.0, 0.0] }} }}\n\
             x-high = {{ inflow = {{ velocity = [{high}, 0.0, 0.0] }} }}\n\
             y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n"
        );
        Case::parse(&text, "box")
    }

    #[test]
    fn what_cells_let_out_too_much_or_too_little_is_spread_evenly() {
        // The mean of 1 + 1e-5 and one; both ends are formulas and take half of the rest each.
        let case = case("'1 + 0*y'", "'1.00001 + 0*y'", "").expect("a case");
        let flow = case.boundaries.prescribed_flow(&case.grid, &case.solids());
        assert!((flow.enters - 4.00002).abs() < 1e-14, "{flow:?}");
        assert!(flow.excess().abs() < 1e-15, "{flow:?}");
        let corrected = case.boundaries.0[0][1].velocity_at([6.0, 1.0, 0.5]).expect("given");
        assert!((corrected[0] - 1.000005).abs() < 1e-15 && corrected[1] == 0.0, "{corrected:?}");
    }

    #[test]
    fn one_end_may_let_in_and_out_and_numbers_are_kept() {
        let both = case("'y - 2'", "'2 - y'", "").expect("a case");
        let flow = both.boundaries.prescribed_flow(&both.grid, &both.solids());
        assert!((flow.enters - 4.0).abs() < 1e-14 && (flow.leaves - 4.0).abs() < 1e-14, "{flow:?}");
        let number = case("1.0", "'1.00001 + 0*y'", "").expect("a case");
        let flow = number.boundaries.prescribed_flow(&number.grid, &number.solids());
        assert!(flow.enters == 4.0 && flow.excess().abs() < 1e-15, "{flow:?}");
    }

    #[test]
    fn what_solids_close_does_not_count() {
        let solid = "{ low = [5.0, 0.0, 0.0], high = [6.0, 1.0, 1.0] }";
        assert!(case("1.0", "'4/3 + 0*y'", solid).is_ok());
        let error = case("1.0", "'1 + 0*y'", solid).expect_err("a quarter stays");
        let said = "4 m3/s are prescribed into the box and 3 m3/s out of it, 25.0 % less";
        assert!(error.to_string().contains(said), "{error}");
        assert!(error.to_string().contains("boundary.x-low"), "{error}");
        let error = case("1.0", "'1 + t'", "").expect_err("it changes");
        assert!(error.to_string().contains("changes with time"), "{error}");
        assert!(
            case("1.0", "-1.0", "").expect_err("no way out").to_string().contains("nowhere out")
        );
    }
}
