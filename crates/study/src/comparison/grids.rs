//! The grids of a study: the case's own, refined or coarsened alike in all directions.

use vortice_core::{Case, Error, Result};

/// What the numbers of a study's grids count.
pub(super) fn counted(case: &Case) -> &'static str {
    if case.bodies.is_empty() {
        "cells along the shortest side"
    } else {
        "cells a length of the scale"
    }
}

/// Cells that a case has now of those that its study's grids are named by: along its shortest side; with bodies across the
/// length of its scale, along the side that has fewest, which need not be a whole number.
fn across(case: &Case) -> f64 {
    let cells = |d: usize| {
        let axis = &case.grid.axes[d];
        let share = if case.bodies.is_empty() { 1.0 } else { case.scale.length / axis.length() };
        axis.len() as f64 * share
    };
    case.grid.directions().map(cells).fold(f64::INFINITY, f64::min)
}

/// A number that is whole but for rounding.
fn whole(x: f64) -> Option<usize> {
    let near = x.round();
    ((x - near).abs() <= 1e-9 * x && near >= 1.0).then_some(near as usize)
}

/// Cells of a case that is scaled alike in all directions to `n` of [`counted`]; nothing if a direction would not have a
/// whole number of them.
fn scaled(case: &Case, n: usize) -> Option<[usize; 3]> {
    let (mut cells, across) = (case.grid.cells(), across(case));
    for d in case.grid.directions() {
        cells[d] = whole(cells[d] as f64 * n as f64 / across)?;
    }
    Some(cells)
}

/// The setting that gives a case `n` cells along its shortest side, or with bodies across the length of its scale, and as
/// many more along the others as it has now.
///
/// # Errors
/// If a direction would not have a whole number of cells.
pub(super) fn refined(case: &Case, n: usize) -> Result<String> {
    let Some([nx, ny, nz]) = scaled(case, n) else {
        let ([nx, ny, nz], words) = (case.grid.cells(), counted(case));
        return Err(Error::Command {
            argument: format!("--grids {n}"),
            problem: format!(
                "the case has {nx} x {ny} x {nz} cells, which cannot be scaled to {n} {words}"
            ),
            remedy: match step(case) {
                Some(step) => {
                    format!("give multiples of {step}, such as {}", step * (n / step + 1))
                }
                None => "give the case a grid that fits its scale".into(),
            },
        });
    };
    Ok(format!("grid.cells=[{nx}, {ny}, {nz}]"))
}

/// The cells of a case that is scaled alike in all directions, as the grids of a study are.
///
/// # Errors
/// If a direction would not have a whole number of cells.
pub fn cells_of_grid(case: &Case, n: usize) -> Result<[usize; 3]> {
    scaled(case, n).filter(|_| n > 0).ok_or_else(|| match refined(case, n) {
        Err(Error::Command { problem, remedy, .. }) => Error::case("grid.cells", problem, remedy),
        _ => Error::case("grid.cells", format!("is {n}"), "give at least one cell"),
    })
}

/// The smallest number that a case can be scaled to: all others are multiples of it.
fn step(case: &Case) -> Option<usize> {
    let most = 16 * across(case).ceil() as usize;
    (1..=most).find(|&n| scaled(case, n).is_some())
}

/// A number that a case can be scaled to, near what it has now.
pub(super) fn example(case: &Case) -> usize {
    let step = step(case).unwrap_or(1);
    step * (across(case) / step as f64).round().max(1.0) as usize
}

/// The grids of a study that names none: a quarter, half and all of the case's own cells in each
/// direction; in space, where a quarter would be one cell in 64, half, three quarters and all.
pub(super) fn usual(case: &Case) -> Vec<usize> {
    let n = across(case).round() as usize;
    let parts = if case.grid.is_plane() { [n / 4, n / 2, n] } else { [n / 2, 3 * n / 4, n] };
    let fit: Vec<usize> =
        parts.into_iter().filter(|&n| n > 1 && scaled(case, n).is_some()).collect();
    if fit.is_empty() { step(case).into_iter().collect() } else { fit }
}

/// That no grid at all fits the length of the scale.
pub(super) fn none_fits(case: &Case) -> Error {
    let length = case.scale.length;
    Error::case(
        "grid.cells",
        format!("no grid of equal cells has a whole number of them in scale.length = {length} m"),
        "choose the size of the box or the scale so that their ratio is a short fraction",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_case;

    #[test]
    fn grids_are_scaled_alike_in_all_directions() {
        let cavity = open_case("cavity", &[]).unwrap();
        assert_eq!((across(&cavity), usual(&cavity)), (128.0, vec![32, 64, 128]));
        assert_eq!(refined(&cavity, 96).unwrap(), "grid.cells=[96, 96, 1]");
        let step = open_case("step-gartling", &[]).unwrap();
        assert_eq!(refined(&step, 32).unwrap(), "grid.cells=[480, 32, 1]");
        let cube = open_case("cavity-3d", &[]).unwrap();
        assert_eq!(refined(&cube, 24).unwrap(), "grid.cells=[24, 24, 24]");
        assert_eq!(usual(&cube), [32, 48, 64]);
    }

    #[test]
    fn grids_of_cases_with_bodies_count_cells_a_diameter() {
        let cylinder = open_case("cylinder-schaefer-turek-2d1", &[]).unwrap();
        assert_eq!((example(&cylinder), usual(&cylinder)), (20, vec![10, 20]));
        assert_eq!(refined(&cylinder, 10).unwrap(), "grid.cells=[220, 41, 1]");
        assert_eq!(refined(&cylinder, 40).unwrap(), "grid.cells=[880, 164, 1]");
        let error = refined(&cylinder, 15).unwrap_err();
        assert!(error.to_string().contains("to 15 cells a length of the scale"), "{error}");
        assert_eq!(error.remedy(), "give multiples of 10, such as 20");
        // Nothing but 13 cells, or multiples, is squares in a box of which the length is 13 / 40.
        let with = |set: &str| open_case("cylinder-schaefer-turek-2d1", &[set.into()]).unwrap();
        let odd = with("grid={ cells = [40, 20, 1], size = [2.0, 1.0, 0.05] }");
        assert_eq!(
            (usual(&odd), refined(&odd, 3).unwrap()),
            (vec![2], "grid.cells=[60, 30, 1]".into())
        );
        let odd = with("scale.length=0.325");
        assert!(refined(&odd, 10).unwrap_err().remedy().contains("multiples of"));
        assert!(usual(&with("scale.length=0.12345678")).is_empty());
    }

    #[test]
    fn grids_that_do_not_fit_are_refused() {
        let griebel = open_case("step-griebel", &[]).unwrap();
        assert_eq!(refined(&griebel, 32).unwrap(), "grid.cells=[128, 32, 1]");
        let odd = open_case("cavity", &["grid.cells=[30,20,1]".into()]).unwrap();
        let error = refined(&odd, 15).unwrap_err();
        assert!(error.to_string().contains("--grids 15") && error.remedy().contains("16"));
        assert!(refined(&odd, 0).is_err());
    }
}
