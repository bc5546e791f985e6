//! Red-black sweeps over regions of a plane flow: few launches, which read what they need once.

use vortice_core::Result;
use vortice_gpu::{Buffer, value};
use vortice_linear::gpu::Layout;

use super::program::Kernels;

/// Sweeps of a launch on grids of up to so many cells: the more, the more cells are read for each that is written, but on small
/// grids a launch takes longer than what blocks do in it.
const MOST: [(usize, u32); 3] = [(1 << 14, 5), (1 << 17, 4), (usize::MAX, 2)];

/// Equations with one matrix, for `sweep_regions.cu`.
pub(super) struct Equations<'a> {
    /// Unknowns of a cell.
    pub(super) components: i32,
    /// Coefficients, one over the diagonal and right-hand sides.
    pub(super) a: &'a Buffer<f64>,
    pub(super) inverse: &'a Buffer<f64>,
    pub(super) inverse_is_in_halves: bool,
    pub(super) b: &'a Buffer<f64>,
    /// The unknowns, whose halo is read.
    pub(super) x: &'a mut Buffer<f64>,
    /// As many numbers, whatever they are.
    pub(super) spare: &'a mut Buffer<f64>,
}

impl Equations<'_> {
    /// So many red-black sweeps.
    pub(super) fn sweep(self, kernels: &Kernels, layout: &Layout, sweeps: u32) -> Result<()> {
        let Self { components, a, inverse, inverse_is_in_halves, b, x, spare } = self;
        for (launch, sweeps) in of_launches(sweeps, layout.own_cells()).enumerate() {
            let half_sweeps = 2 * sweeps as usize;
            let is_back = launch % 2 == 1;
            kernels.sweep_regions.launch(
                layout.regions(half_sweeps, [1; 2], components as usize),
                &[
                    value("layout", layout),
                    value("components", &components),
                    value("half_sweeps", &(half_sweeps as i32)),
                    value("inverse_is_in_halves", &i32::from(inverse_is_in_halves)),
                    value("is_back", &i32::from(is_back)),
                    a.input("a"),
                    inverse.input("inverse"),
                    b.input("b"),
                    x.output("x"),
                    spare.output("spare"),
                ],
            )?;
        }
        Ok(())
    }
}

/// Sweeps of each launch. Every second launch leads back to the array of the first.
fn of_launches(sweeps: u32, cells: usize) -> impl Iterator<Item = u32> {
    let suitable = MOST.iter().find(|(largest, _)| cells <= *largest);
    let most = suitable.map_or(1, |(_, most)| *most);
    let launches = sweeps.div_ceil(most).next_multiple_of(2);
    (0..launches).map(move |n| sweeps * (n + 1) / launches - sweeps * n / launches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_do_all_sweeps_and_come_in_pairs() {
        for cells in [1, 1 << 16, 1 << 20] {
            for sweeps in 0..50 {
                let each: Vec<_> = of_launches(sweeps, cells).collect();
                assert_eq!(each.iter().sum::<u32>(), sweeps, "{each:?}");
                assert!(each.len().is_multiple_of(2) && each.iter().all(|&n| n <= 5), "{each:?}");
            }
        }
        assert_eq!(of_launches(20, 1 << 16).collect::<Vec<_>>(), [3, 3, 4, 3, 3, 4]);
    }
}
