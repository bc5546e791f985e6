//! Flows and states that are no longer finite: where, for an error that names the cell.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::decomposition::Subdomain;
use crate::error::{Error, Result};
use crate::extent::Extent;
use crate::field::Field;
use crate::fill_rows::worth_sharing;
use crate::monitor::Snapshot;
use crate::quantity::Quantity;
use crate::real::Real;
use crate::state::{Outline, StateReader, Values};

/// Values that a thread looks at together.
const CHUNK: usize = 1 << 14;

/// A value that is not finite: which of the fields that are computed, its global cell, and the value.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Offence {
    quantity: u64,
    cell: [u64; 3],
    value: f64,
}

/// Refuses a flow that is not finite in some cell, on all ranks with the same error, so that the one
/// which writes files knows it; collective.
pub(crate) fn expect_finite(now: &mut Snapshot<'_>, remedy: &str) -> Result<()> {
    if now.is_finite()? {
        return Ok(());
    }
    let mine = now.ranks.agree(offence(now))?;
    let all = now.ranks.all_gather(mine.as_ref().map_or(&[], bytemuck::bytes_of))?;
    let Some(bytes) = all.iter().find(|bytes| !bytes.is_empty()) else { return Ok(()) };
    let Offence { quantity, cell, value } = bytemuck::pod_read_unaligned(bytes);
    Err(Error::Diverged {
        step: now.step.number,
        time: now.step.time,
        field: now.case.computed().nth(quantity as usize).map_or("", Quantity::name),
        cell: cell.map(|index| index as usize),
        value,
        remedy: remedy.into(),
    })
}

/// The first value on this rank that is not finite.
fn offence(now: &mut Snapshot<'_>) -> Result<Option<Offence>> {
    let part = now.cut.subdomain(now.ranks.rank());
    for slab in Extent::whole(part.n()).slabs(1) {
        let rows = slab.rows(part.n()[1]);
        for (number, quantity) in now.case.computed().enumerate() {
            let field = now.rows(quantity, rows.clone())?.with_cells(slab.n());
            let found = now.with_threads(|| first_in(&field, &part));
            if let Some((cell, value)) = found {
                let cell = std::array::from_fn(|d| (cell[d] + slab.offset()[d]) as u64);
                return Ok(Some(Offence { quantity: number as u64, cell, value }));
            }
        }
    }
    Ok(None)
}

/// Whether all values of a field are finite. Threads share the rows.
pub(crate) fn is_finite(field: &Field) -> bool {
    let all = |values: &[f64]| values.iter().all(|x| x.is_finite());
    if worth_sharing(field.values.len()) {
        field.values.par_chunks(CHUNK).all(all)
    } else {
        all(&field.values)
    }
}

/// The first own cell whose value is not finite, by its global indices, and the value.
fn first_in<T: Real>(field: &Field<T>, part: &Subdomain) -> Option<([usize; 3], f64)> {
    // Almost always nothing is to be found: rows are passed over as fast as memory gives them.
    let (shape, offset) = (field.shape, part.offset());
    let [n, n_j, n_k] = shape.cells;
    let at = |number: usize| {
        let (row, component) = (number % (n_j * n_k), number / (n_j * n_k));
        let [j, k] = [row % n_j, row / n_j];
        let first = shape.index([0, j as isize, k as isize]);
        ([j, k], &field.component(component)[first..][..n])
    };
    let broken = |number: &usize| at(*number).1.iter().any(|x| !x.to_f64().is_finite());
    let rows = 0..field.components * n_j * n_k;
    let first = if worth_sharing(field.values.len()) {
        rows.into_par_iter().find_first(broken)
    } else {
        rows.into_iter().find(broken)
    };
    first.map(|number| {
        let ([j, k], row) = at(number);
        let i = row.iter().position(|x| !x.to_f64().is_finite()).unwrap_or(0);
        let cell = [i, j, k];
        (std::array::from_fn(|d| cell[d] + offset[d]), row[i].to_f64())
    })
}

impl Values {
    /// The first value of a rank's own cells that is not finite, with its global cell; halos do not count.
    pub fn not_finite(&self, part: &Subdomain) -> Option<([usize; 3], f64)> {
        match self {
            Self::F32(field) => first_in(field, part),
            Self::F64(field) => first_in(field, part),
        }
    }
}

/// A state that is looked at while it is read: one that is not finite is refused.
pub(crate) struct LookedAt<'a> {
    state: &'a dyn StateReader,
    part: Subdomain,
}

impl<'a> LookedAt<'a> {
    /// The state of a rank's part of the grid.
    ///
    /// # Errors
    /// If a number is not one. An infinite residual is that of a flow whose steps have not begun.
    pub(crate) fn new(state: &'a dyn StateReader, part: Subdomain) -> Result<Self> {
        match state.numbers().iter().find(|(_, value)| value.is_nan()) {
            Some((name, value)) => Err(diverged(&format!("number `{name}` is {value}"))),
            None => Ok(Self { state, part }),
        }
    }
}

impl StateReader for LookedAt<'_> {
    fn numbers(&self) -> &BTreeMap<String, f64> {
        self.state.numbers()
    }

    fn outlines(&self) -> BTreeMap<String, Outline> {
        self.state.outlines()
    }

    fn component(&self, name: &str, c: usize) -> Result<Values> {
        let values = self.state.component(name, c)?;
        match values.not_finite(&self.part) {
            Some((cell, value)) => {
                Err(diverged(&format!("field `{name}` is {value} in cell {cell:?}")))
            }
            None => Ok(values),
        }
    }
}

fn diverged(problem: &str) -> Error {
    let remedy = "restart from an earlier checkpoint, or from the beginning";
    Error::case("restart", format!("{problem}: this flow has diverged"), remedy)
}
