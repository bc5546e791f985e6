//! The lists of boundary values as kernels read them.

use vortice_core::{Real, Result, Shape};
use vortice_gpu::{Buffer, Gpu};

use crate::boundary::{Fixed, Ghost, Outlet, Places, Walls};
use crate::colours::Colours;

/// Outlet pressures that are not zero: `prescribe_pressures.cu`.
pub(crate) struct PressureList<T> {
    pub(crate) places: Buffer<i64>,
    pub(crate) values: Buffer<T>,
}

/// Colour and place of a cell in one number.
fn coloured(colours: &Colours, cell: [isize; 3]) -> i64 {
    let (colour, place) = colours.place(cell);
    (2 * place + colour) as i64
}

/// The outlets of a subdomain: `predict_outlets.cu`, `project_outlets.cu`.
pub(crate) fn outlets<T: Real>(
    gpu: &Gpu,
    shape: &Shape,
    colours: &Colours,
    walls: &Walls<T>,
) -> Result<Buffer<Outlet<T>>> {
    let cell = |at: &Outlet<T>| coloured(colours, shape.cell(at.cell as usize));
    let outlets: Vec<_> = walls.outlets.iter().map(|at| Outlet { cell: cell(at), ..*at }).collect();
    gpu.upload(&outlets)
}

impl<T: Real> PressureList<T> {
    /// The prescribed pressures of a subdomain's own cells.
    pub(crate) fn new(
        gpu: &Gpu,
        shape: &Shape,
        colours: &Colours,
        walls: &Walls<T>,
    ) -> Result<Self> {
        let is_own = |cell: &[isize; 3]| (0..3).all(|d| shape.own(d).contains(&cell[d]));
        let mut entries: Vec<(i64, T)> = walls
            .loads()
            .map(|(place, load)| (shape.cell(place), load))
            .filter(|(cell, _)| is_own(cell))
            .map(|(cell, load)| (coloured(colours, cell), load))
            .collect();
        entries.sort_by_key(|(place, _)| *place);
        let (places, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        Ok(Self { places: gpu.upload(&places)?, values: gpu.upload(&values)? })
    }
}

/// The prescribed velocities that ghost values are put over and that are read before, by another rank if
/// halos are exchanged, or for another ghost value: `fix.cu`.
pub(crate) fn fixed<T: Real>(
    gpu: &Gpu,
    walls: &Walls<T>,
    exchanged: bool,
) -> Result<Buffer<Fixed<T>>> {
    let lost = overwritten(&walls.ghosts, exchanged);
    let is_lost = |fixed: &&Fixed<T>| lost[fixed.component as usize].contains(fixed.target);
    gpu.upload(&walls.fixed.iter().filter(is_lost).copied().collect::<Vec<_>>())
}

/// Places of each component that ghost values are put to; unless `all` only those that are read before.
fn overwritten<T>(ghosts: &[Ghost<T>], all: bool) -> [Places; 3] {
    let [mut targets, mut written, mut read]: [[Places; 3]; 3] = Default::default();
    for ghost in ghosts {
        targets[ghost.component as usize].insert(ghost.target);
    }
    if all {
        return targets;
    }
    for &Ghost { component, target, first, second, .. } in ghosts {
        let c = component as usize;
        for source in [first, second] {
            if targets[c].contains(source) && !written[c].contains(source) {
                read[c].insert(source);
            }
        }
        written[c].insert(target);
    }
    read
}
