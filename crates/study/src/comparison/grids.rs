//! The grids of a study: the case's own, refined or coarsened alike in all directions.

use vortice_core::{Case, Error, Result};

/// Cells along the shortest side of a case's grid, which its study's grids are named by.
pub(super) fn across(case: &Case) -> usize {
    let cells = case.grid.cells();
    case.grid.directions().map(|d| cells[d]).min().unwrap_or(1)
}

/// The setting that gives a case `n` cells along its shortest side, and as many more along the others
/// as it has now.
///
/// # Errors
/// If a direction would not have a whole number of cells.
pub(super) fn refined(case: &Case, n: usize) -> Result<String> {
    let (cells, across) = (case.grid.cells(), across(case));
    let mut new = cells;
    for d in case.grid.directions() {
        if n == 0 || !(cells[d] * n).is_multiple_of(across) {
            let [nx, ny, nz] = cells;
            return Err(Error::Command {
                argument: format!("--grids {n}"),
                problem: format!(
                    "the case has {nx} x {ny} x {nz} cells, which cannot be scaled to {n} cells across"
                ),
                remedy: format!("give multiples or divisors of {across}, such as {}", 2 * across),
            });
        }
        new[d] = cells[d] * n / across;
    }
    Ok(format!("grid.cells=[{}, {}, {}]", new[0], new[1], new[2]))
}

/// The grids of a study that names none: a quarter, half and all of the case's own cells in each
/// direction; in space, where a quarter would be one cell in 64, half, three quarters and all.
pub(super) fn usual(case: &Case) -> Vec<usize> {
    let n = across(case);
    let parts = if case.grid.is_plane() { [n / 4, n / 2, n] } else { [n / 2, 3 * n / 4, n] };
    parts.into_iter().filter(|&n| n > 1 && refined(case, n).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_case;

    #[test]
    fn grids_are_scaled_alike_in_all_directions() {
        let cavity = open_case("cavity", &[]).unwrap();
        assert_eq!((across(&cavity), usual(&cavity)), (128, vec![32, 64, 128]));
        assert_eq!(refined(&cavity, 96).unwrap(), "grid.cells=[96, 96, 1]");
        let step = open_case("step-gartling", &[]).unwrap();
        assert_eq!(refined(&step, 32).unwrap(), "grid.cells=[480, 32, 1]");
        let cube = open_case("cavity-3d", &[]).unwrap();
        assert_eq!(refined(&cube, 24).unwrap(), "grid.cells=[24, 24, 24]");
        assert_eq!(usual(&cube), [32, 48, 64]);
    }

    #[test]
    fn grids_that_do_not_fit_are_refused() {
        let griebel = open_case("step-griebel", &[]).unwrap();
        assert_eq!(refined(&griebel, 32).unwrap(), "grid.cells=[128, 32, 1]");
        let odd = open_case("cavity", &["grid.cells=[30,20,1]".into()]).unwrap();
        let error = refined(&odd, 15).unwrap_err();
        assert!(error.to_string().contains("--grids 15") && error.remedy().contains("20"));
        assert!(refined(&odd, 0).is_err());
    }
}
