//! `vortice cases`

use vortice_core::Result;

use crate::say;

/// Lists the built-in cases: name, cells and title.
pub(crate) fn execute() -> Result<()> {
    let names = crate::built_in_cases().iter().map(|(name, _)| *name);
    let width = names.clone().map(str::len).max().unwrap_or(0);
    let lines: Result<String> = names
        .map(|name| {
            let case = crate::open_case(name, &[])?;
            let cells = cells(case.grid.cells());
            Ok(format!("{name:width$}  {cells:14}  {}\n", case.title))
        })
        .collect();
    say::result(&lines?)
}

/// `128 x 128` or `64 x 64 x 64`.
pub(super) fn cells([x, y, z]: [usize; 3]) -> String {
    if z == 1 { format!("{x} x {y}") } else { format!("{x} x {y} x {z}") }
}
