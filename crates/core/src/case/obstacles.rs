//! Checks of the solid boxes.

use super::file::SolidFile;
use super::numbers::finite;
use super::text::CaseText;
use crate::error::Result;
use crate::grid::Grid;
use crate::solid::SolidBox;

/// The meaning of the solid boxes.
///
/// # Errors
/// If one is empty, outside the grid or too thin for it, or if they leave no fluid.
pub(super) fn solid_boxes(
    files: &[SolidFile],
    grid: &Grid,
    text: &CaseText,
) -> Result<Vec<SolidBox>> {
    let boxes = files.iter().enumerate().map(|(n, SolidFile { low, high, .. })| {
        box_of_cells(&format!("solid[{n}]"), *low, *high, grid, text)
    });
    let boxes = boxes.collect::<Result<Vec<_>>>()?;
    if !boxes.is_empty() && leave_no_fluid(&boxes, grid) {
        let problem = "every cell of the grid is solid";
        return Err(text.error("solid", problem, "make the boxes smaller, or the grid larger"));
    }
    Ok(boxes)
}

/// A box between two corners in m, keys `low` and `high` of a table.
///
/// # Errors
/// If it is empty, outside the grid or thinner than a cell.
pub(super) fn box_of_cells(
    table: &str,
    low: [f64; 3],
    high: [f64; 3],
    grid: &Grid,
    text: &CaseText,
) -> Result<SolidBox> {
    let key = |corner: &str| format!("{table}.{corner}");
    finite(&key("low"), low, text)?;
    finite(&key("high"), high, text)?;
    let solid = SolidBox { low, high };
    let cells = solid.cells(grid);
    for (d, letter) in ["x", "y", "z"].into_iter().enumerate() {
        let (low, high, axis) = (low[d], high[d], &grid.axes[d]);
        if low >= high {
            let problem = format!("{high} in {letter} is not above low = {low}");
            return Err(text.error(&key("high"), problem, "give the lower corner as `low`"));
        }
        let slack = 1e-9 * axis.length();
        for (corner, x) in [("low", low), ("high", high)] {
            if x < axis.low() - slack || x > axis.high() + slack {
                let problem = format!("{x} in {letter} is outside the box");
                let (low, high) = (axis.low(), axis.high());
                let remedy = format!("the box reaches from {low} to {high} m in {letter}");
                return Err(text.error(&key(corner), problem, remedy));
            }
        }
        if cells[d].is_empty() {
            let spacing = axis.spacing();
            let problem = format!("{low} to {high} in {letter} is thinner than a cell");
            let remedy = format!("make it {spacing} m thick at least, or the cells smaller");
            return Err(text.error(&key("high"), problem, remedy));
        }
    }
    Ok(solid)
}

/// Whether the boxes cover the grid. Looks at the blocks between the boxes' faces, not at cells:
/// a grid may have more cells than can be counted.
fn leave_no_fluid(boxes: &[SolidBox], grid: &Grid) -> bool {
    let boxes: Vec<_> = boxes.iter().map(|solid| solid.cells(grid)).collect();
    let all: Vec<_> = boxes.iter().collect();
    covered(&all, &grid.cells())
}

/// Whether boxes cover the first directions, `cells` long, one direction after the other.
fn covered(boxes: &[&[std::ops::Range<usize>; 3]], cells: &[usize]) -> bool {
    let Some((&n, fewer)) = cells.split_last() else { return !boxes.is_empty() };
    let d = fewer.len();
    let mut starts: Vec<usize> =
        boxes.iter().flat_map(|solid| [solid[d].start, solid[d].end]).collect();
    starts.push(0);
    starts.sort_unstable();
    starts.dedup();
    starts.into_iter().filter(|&start| start < n).all(|start| {
        let here: Vec<_> =
            boxes.iter().copied().filter(|solid| solid[d].contains(&start)).collect();
        covered(&here, fewer)
    })
}
