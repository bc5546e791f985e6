//! The flow of another run that a case begins with, from the file that it names.

use std::sync::Arc;

use super::initial_file::InitialFile;
use super::initial_flow::Initial;
use super::keys;
use super::numbers::finite;
use super::text::CaseText;
use crate::boundary::Boundaries;
use crate::error::Result;
use crate::grid::Grid;
use crate::stored_flow::{StoredFlow, StoredStep, reader};

const KEY: &str = "initial.file";

/// Share of an edge by which boxes may differ and be the same.
const SAME: f64 = 1e-9;

const LETTERS: [char; 3] = ['x', 'y', 'z'];

/// The flow in the file `name`.
///
/// # Errors
/// If it cannot be read, has no such step, or is of another box.
pub(super) fn stored(
    name: &str,
    file: &InitialFile,
    grid: &Grid,
    boundaries: &Boundaries,
    text: &CaseText,
) -> Result<Initial> {
    let wrong =
        |problem: String, remedy: &str| text.error(KEY, format!("`{name}` {problem}"), remedy);
    let step = step(file, text)?;
    let Some(folder) = text.folder() else {
        let remedy = "save the case as a file, and give the path from its folder";
        return Err(wrong("lies beside no case file: this case is a text alone".into(), remedy));
    };
    let Some(read) = reader() else {
        let remedy = "open the case with `vortice::open_case`";
        return Err(wrong("cannot be read: nobody said how".into(), remedy));
    };
    let flow = read(&folder.join(name), step).map_err(|problem| {
        wrong(
            problem,
            "name the fields of another run, such as out/cavity/fields.vtkhdf, and a step in them",
        )
    })?;
    check_box(&flow, grid).map_err(|(problem, remedy)| wrong(problem, remedy))?;
    if let Some((cell, quantity, value)) = flow.not_finite() {
        let problem = format!("holds a {quantity} of {value} in cell {cell:?}");
        return Err(wrong(problem, "choose an earlier step, from before the flow diverged"));
    }
    let flow = flow.in_box(boundaries.periodic(), boundaries.fix_pressure());
    Ok(Initial::Stored(Arc::new(flow)))
}

/// Which step the case asks for.
fn step(file: &InitialFile, text: &CaseText) -> Result<StoredStep> {
    match (file.step, file.time) {
        (None, None) => Ok(StoredStep::Last),
        (Some(step), None) => u64::try_from(step).map(StoredStep::Number).map_err(|_| {
            let key = "initial.step";
            text.error(key, format!("{step} is below zero"), keys::how_to_write(key))
        }),
        (None, Some(time)) => {
            finite("initial.time", [time; 3], text)?;
            Ok(StoredStep::Time(time))
        }
        (Some(_), Some(_)) => {
            Err(text.error("initial.time", "step and time are both given", "keep one of them"))
        }
    }
}

/// That a flow is of the box of a grid.
fn check_box(flow: &StoredFlow, grid: &Grid) -> Result<(), (String, &'static str)> {
    let of = |plane: bool| if plane { "is of a plane flow" } else { "is of a flow in space" };
    if flow.grid().is_plane() != grid.is_plane() {
        let problem =
            format!("{}, and the case {}", of(flow.grid().is_plane()), of(grid.is_plane()));
        return Err((
            problem,
            "choose a file of the same kind, or change the cells in z of grid.cells",
        ));
    }
    for d in grid.directions() {
        let (own, other) = (&grid.axes[d], &flow.grid().axes[d]);
        let differs = |a: f64, b: f64| (a - b).abs() > SAME * own.length();
        if differs(own.low(), other.low()) || differs(own.high(), other.high()) {
            let problem = format!(
                "is of a box from {} to {} m in {}, and the case reaches from {} to {} m",
                other.low(),
                other.high(),
                LETTERS[d],
                own.low(),
                own.high()
            );
            return Err((problem, "choose a file of the same box; it may have other cells"));
        }
    }
    Ok(())
}
