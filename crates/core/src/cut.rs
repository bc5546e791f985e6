//! A plane across a box, to be looked at.

use crate::grid::Grid;

/// A plane across one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutPlane {
    /// The direction of its normal, 0 to 2.
    pub normal: usize,
    /// Where it lies in that direction, in m.
    pub position: f64,
}

impl CutPlane {
    /// The plane half way between the ends of a direction.
    pub fn middle(grid: &Grid, normal: usize) -> Self {
        let axis = grid.axes[normal];
        Self { normal, position: 0.5 * (axis.low() + axis.high()) }
    }

    /// From `y = 0.5`, the position in m; or from `y`, the middle of that direction. Nothing if it is
    /// neither, or outside the box.
    pub fn parse(words: &str, grid: &Grid) -> Option<Self> {
        let (letter, position) = words.split_once('=').unwrap_or((words, ""));
        let normal = ["x", "y", "z"].iter().position(|known| *known == letter.trim())?;
        if !words.contains('=') {
            return Some(Self::middle(grid, normal));
        }
        let (position, axis) = (position.trim().parse().ok()?, grid.axes[normal]);
        (axis.low()..=axis.high()).contains(&position).then_some(Self { normal, position })
    }

    /// The layers of cells on both sides of it and their weights, linear between their centres; beyond the
    /// outermost centres that layer alone.
    pub fn layers(self, grid: &Grid) -> [(isize, f64); 2] {
        let across = grid.axes[self.normal];
        let last = across.len() as isize - 1;
        let from_centre = (self.position - across.low()) / across.spacing() - 0.5;
        let below = from_centre.floor();
        [(below, 1.0 - (from_centre - below)), (below + 1.0, from_centre - below)]
            .map(|(layer, weight)| ((layer as isize).clamp(0, last), weight))
    }

    /// The two directions in it, the one drawn to the right first.
    pub fn directions(self) -> [usize; 2] {
        [[1, 2], [0, 2], [0, 1]][self.normal]
    }
}

impl std::fmt::Display for CutPlane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {} m", ["x", "y", "z"][self.normal], self.position as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_a_letter_and_perhaps_a_place_in_the_box() {
        let grid = Grid::uniform([4, 4, 4], [1.0, 2.0, 3.0], [0.0, -1.0, 0.0]);
        let plane = |words| CutPlane::parse(words, &grid);
        assert_eq!(plane("y = 0.5"), Some(CutPlane { normal: 1, position: 0.5 }));
        assert_eq!(plane("z"), Some(CutPlane { normal: 2, position: 1.5 }));
        assert_eq!(plane("y"), Some(CutPlane { normal: 1, position: 0.0 }));
        for wrong in ["", "t", "y = 1.5", "x = ", "x = nan", "0.5", "x = 0.5, y = 0.5"] {
            assert_eq!(plane(wrong), None, "{wrong}");
        }
        assert_eq!(plane("y = 0.5").unwrap().to_string(), "y = 0.5 m");
    }
}
