//! The method's operators as assembled matrices, for tests and for students. The solver itself never
//! assembles one.

use sprs::{CsMat, TriMat};
use vortice_core::{Case, Context, Result, check_memory};

use crate::cpu::Cpu;
use crate::engine::Engine;
use crate::equation::{Equation, MatrixRow};
use crate::report;
use crate::settings::Settings;

/// Bytes of an entry while a matrix is put together: as a triplet, in a list that may be twice as long as
/// it need be, and by rows.
const ENTRY_BYTES: f64 = 64.0;

/// The matrix of an equation in the first outer iteration: a row for each cell, x fastest, in 1/s for
/// [`Equation::Momentum`] and in s/m2 for [`Equation::Pressure`]. Rows of solid cells have a one on the
/// diagonal.
///
/// # Errors
/// If the method cannot do the case, or the memory will not do.
pub fn matrix(case: &Case, equation: Equation) -> Result<CsMat<f64>> {
    report::suitable(case)?;
    let of_method = report::cost(case).bytes_per_cell;
    let of_matrix = ENTRY_BYTES * (1.0 + 2.0 * case.grid.directions().len() as f64);
    check_memory(case, (of_method + of_matrix) * case.grid.n_cells() as f64)?;
    let settings = Settings::of(case)?;
    let mut engine = Cpu::new(case, &Context::alone(), &settings)?;
    let factors = if settings.steady {
        settings.steady_factors(case.force)
    } else {
        settings.time_factors(settings.dt, None, case.force_at(settings.dt))
    };
    engine.set_factors(&factors)?;
    engine.begin_step()?;
    engine.assemble()?;
    engine.interpolate_body_faces()?;
    engine.interpolate()?;
    Ok(assembled(case, |cell| engine.row(equation, cell)))
}

fn assembled(case: &Case, row: impl Fn([isize; 3]) -> MatrixRow) -> CsMat<f64> {
    let n = case.grid.cells();
    let cells = case.grid.n_cells();
    let mut entries = TriMat::new((cells, cells));
    let place = |[i, j, k]: [usize; 3]| i + n[0] * (j + n[1] * k);
    for number in 0..cells {
        let cell = [number % n[0], number / n[0] % n[1], number / (n[0] * n[1])];
        let MatrixRow { neighbours, diagonal } = row(cell.map(|i| i as isize));
        // A singular row would belong to a solid.
        entries.add_triplet(number, number, if diagonal == 0.0 { 1.0 } else { diagonal });
        for d in case.grid.directions() {
            for (side, a) in neighbours[d].into_iter().enumerate() {
                if a != 0.0
                    && let Some(next) = beside(case, cell, d, side)
                {
                    entries.add_triplet(number, place(next), -a);
                }
            }
        }
    }
    entries.to_csr()
}

/// The next cell on a side, if the box does not end there.
fn beside(case: &Case, mut cell: [usize; 3], d: usize, side: usize) -> Option<[usize; 3]> {
    let n = case.grid.axes[d].len();
    let ends = cell[d] == if side == 0 { 0 } else { n - 1 };
    if ends && !case.boundaries.periodic()[d] {
        return None;
    }
    cell[d] = (cell[d] + if side == 0 { n - 1 } else { 1 }) % n;
    Some(cell)
}
