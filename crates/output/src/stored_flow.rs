//! Reading a recorded flow with which another run begins, of any grid.

use std::path::Path;

use hdf5::File;
use vortice_core::{Grid, Quantity, StoredFlow, StoredStep};

use crate::recorded::{Steps, open_fields, read_field};

/// The flow of a step in a file that a [`crate::Recorder`] wrote; its pressure, if the file has it.
///
/// # Errors
/// If the file cannot be read, is no such file, or has no such step, as the rest of a sentence.
pub fn read_stored_flow(path: &Path, step: StoredStep) -> Result<StoredFlow, String> {
    let file = open_fields(path)?;
    let grid = grid(&file)?;
    let place = place(&file, step)?;
    let velocity = read_field(&file, grid.cells(), Quantity::Velocity, place)?;
    let has_pressure = file.link_exists("VTKHDF/CellData/pressure");
    let pressure = has_pressure.then(|| read_field(&file, grid.cells(), Quantity::Pressure, place));
    Ok(StoredFlow::new(grid, velocity, pressure.transpose()?))
}

/// The grid of the arrays.
pub(crate) fn grid(file: &File) -> Result<Grid, String> {
    let root = file.group("VTKHDF").map_err(|_| "is no VTKHDF file".to_owned())?;
    let three = |name: &str| -> Option<[f64; 3]> {
        root.attr(name).ok()?.read_raw::<f64>().ok()?.try_into().ok()
    };
    let extent = || -> Option<[usize; 3]> {
        let ends = root.attr("WholeExtent").ok()?.read_raw::<i64>().ok()?;
        let [0, x, 0, y, 0, z] = ends[..] else { return None };
        let cells = [x, y, z].map(|n| usize::try_from(n).ok().filter(|&n| n > 0));
        cells.iter().all(Option::is_some).then(|| cells.map(Option::unwrap_or_default))
    };
    let (Some(cells), Some(low), Some(spacing)) = (extent(), three("Origin"), three("Spacing"))
    else {
        return Err("is no VTKHDF file of a grid of equal cells".into());
    };
    let size: [f64; 3] = std::array::from_fn(|d| spacing[d] * cells[d] as f64);
    let makes_sense = |d: usize| low[d].is_finite() && size[d].is_finite() && size[d] > 0.0;
    if !(0..3).all(makes_sense) {
        return Err(format!("has cells of {spacing:?} m at {low:?} m"));
    }
    Ok(Grid::uniform(cells, size, low))
}

/// Where in the arrays a step lies.
fn place(file: &File, step: StoredStep) -> Result<usize, String> {
    let steps = Steps::of(file)?;
    match step {
        StoredStep::Last => steps.last().map(|(place, _)| place),
        StoredStep::Number(number) => {
            let numbers = file.dataset("steps").and_then(|numbers| numbers.read_1d::<u64>());
            let numbers = numbers.map(|numbers| numbers.to_vec()).unwrap_or_default();
            let known = &numbers[..numbers.len().min(steps.times.len())];
            let index = known.iter().position(|&known| known == number);
            let index = index.ok_or_else(|| {
                let near = known.iter().min_by_key(|known| known.abs_diff(number));
                let near = near.map_or(String::new(), |near| format!("; the nearest is {near}"));
                format!("has no step {number}{near}")
            })?;
            Ok(steps.place(index))
        }
        StoredStep::Time(time) => {
            let times = (0..).zip(&steps.times);
            let near =
                times.min_by(|(_, a), (_, b)| (*a - time).abs().total_cmp(&(*b - time).abs()));
            let (index, near) = near.ok_or_else(|| "holds no step yet".to_owned())?;
            if (near - time).abs() > SAME_TIME * time.abs().max(*near) {
                return Err(format!("has no step at {time} s; the nearest is at {near} s"));
            }
            Ok(steps.place(index))
        }
    }
}

/// Share of a time by which two may differ and be the same.
const SAME_TIME: f64 = 1e-6;
