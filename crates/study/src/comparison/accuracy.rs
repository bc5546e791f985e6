//! What an accuracy costs.

use super::findings::{Findings, Limit};
use super::row::Row;

/// Shares of a limit that costs are told for.
pub(super) const SHARES: [f64; 3] = [1e-2, 1e-3, 1e-4];

impl Findings {
    /// The run of a variant on the coarsest grid from which on all have so small an error; a coarse one may have it by
    /// chance. Runs without an error do not count.
    pub(super) fn reached<'a>(
        &'a self,
        variant: &'a str,
        most: f64,
        error: impl Fn(&Row) -> Option<f64>,
    ) -> Option<&'a Row> {
        let rows: Vec<_> =
            self.rows_of(variant).filter_map(|row| Some((row, error(row)?))).collect();
        let from = rows.iter().rposition(|(_, error)| *error > most).map_or(0, |last| last + 1);
        rows.get(from).map(|(row, _)| *row)
    }

    /// The run with which a value comes so near to its own limit, as a share of that, and stays there on finer grids.
    pub fn near<'a>(&'a self, limit: &'a Limit, share: f64) -> Option<&'a Row> {
        let end = limit.convergence.map(|found| found.limit).filter(|end| *end != 0.0)?;
        let error = |row: &Row| {
            let (_, value) = limit.on.iter().find(|(grid, _)| *grid == row.grid)?;
            row.is_done().then_some(((value - end) / end).abs()).filter(|error| error.is_finite())
        };
        self.reached(&limit.variant, share, error)
    }

    /// The limits that costs are told for: those of the first value that is published and has one, else of the first that
    /// has one.
    pub(super) fn judged(&self) -> Vec<&Limit> {
        let with_limit = || self.agreements.iter().filter(|one| one.variants > 0);
        let published = with_limit().find(|one| one.published.is_some());
        let Some(judged) = published.or_else(|| with_limit().next()) else { return Vec::new() };
        let of_value = self.limits.iter().filter(|limit| limit.value == judged.value);
        of_value.filter(|limit| limit.convergence.is_some()).collect()
    }
}
