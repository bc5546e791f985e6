//! A grid that grows with the ranks: each has the cells of the case.

use vortice_core::{Case, Error, Grid, Result};

use crate::arguments::Ranks;

/// The case with as many boxes of its own size in each direction as there are ranks there, in one
/// grid, and where the ranks are: all in the last direction if it is not said.
///
/// # Errors
/// If a plane flow would be multiplied across its plane.
pub(super) fn multiplied(mut case: Case, ranks: Ranks) -> Result<(Case, Ranks)> {
    let last = if case.grid.is_plane() { 1 } else { 2 };
    let in_a_row = std::array::from_fn(|d| if d == last { ranks.size } else { 1 });
    let layout = ranks.layout.unwrap_or(in_a_row);
    if case.grid.is_plane() && layout[2] > 1 {
        let [x, y, z] = layout;
        return Err(Error::Command {
            argument: format!("--ranks {x}x{y}x{z}"),
            problem: "a plane flow has one cell in z and cannot be multiplied there".into(),
            remedy: "give ranks in x and y only, such as 1x4".into(),
        });
    }
    let (cells, axes) = (case.grid.cells(), case.grid.axes);
    case.grid = Grid::uniform(
        std::array::from_fn(|d| cells[d] * layout[d]),
        std::array::from_fn(|d| axes[d].length() * layout[d] as f64),
        axes.map(|axis| axis.low()),
    );
    case.close_pockets();
    Ok((case, Ranks { layout: Some(layout), ..ranks }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_has_the_cells_of_the_case() {
        let case = |name| crate::open_case(name, &[]).expect("a built-in case");
        let plane = case("cavity");
        let (four, ranks) =
            multiplied(plane.clone(), Ranks { size: 4, layout: None }).expect("four in a row");
        assert_eq!((four.grid.cells(), ranks.layout), ([128, 512, 1], Some([1, 4, 1])));
        assert_eq!(four.grid.spacing(), plane.grid.spacing());
        let cut = four.decomposition(ranks.layout, 4).expect("they fit");
        assert!((0..4).all(|rank| cut.subdomain(rank).n() == [128, 128, 1]));

        let cells = case("cavity-3d").grid.cells();
        let layout = Some([2, 1, 3]);
        let (six, _) = multiplied(case("cavity-3d"), Ranks { size: 6, layout }).expect("in space");
        assert_eq!(six.grid.cells(), [2 * cells[0], cells[1], 3 * cells[2]]);
        let wrong = multiplied(plane, Ranks { size: 2, layout: Some([1, 1, 2]) }).unwrap_err();
        assert!(wrong.to_string().contains("--ranks 1x1x2"), "{wrong}");
    }
}
