//! The kernels of this method, as they are compiled into the program.

use vortice_core::Real;
use vortice_gpu::{Definition, Program, real_name, sources};

use crate::collide::Collision;

vortice_gpu::kernels! {
    /// One for each `.cu` of `kernels/lbm`.
    pub(crate) struct Kernels in "lbm" {
        stream_collide, stream_collide_two, outlet, carry_outlet, swap_links, interpolate_links, spread_leak, add_to_links, fill_slots,
        mass_and_change, flow_of_cells, force_on_bodies, stream_collide_warm, release_heat, return_heat, return_from_solids,
        carry_scalar, release_scalar, advance_moments, tell_coarser, begin_with, ask_of_step, add_to_step, change_of_coarser,
        correct_by_coarser, look_at_populations, put_populations,
    }
}

/// The program.
pub(crate) const PROGRAM: Program = Program {
    name: "lbm",
    kernels: Kernels::SOURCES,
    headers: sources![
        "device.cuh",
        "forces.cuh",
        "lbm/lattice.cuh",
        "lbm/layout.cuh",
        "lbm/population.cuh",
        "lbm/two_cells.cuh",
        "lbm/collide.cuh",
        "lbm/interpolated.cuh",
        "lbm/mrt.cuh",
        "lbm/collisions.cuh",
        "lbm/heat.cuh",
        "lbm/moments.cuh",
        "lbm/tile_of_moments.cuh",
        "lbm/flow.cuh",
        "lbm/coarser.cuh",
        "lbm/outlet.cuh",
        "lbm/units_of_heat.cuh",
    ],
};

/// What a variant is for beside its numbers and its lattice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Populations in rows.
    Rows,
    /// Populations in rows, and in columns what crosses x to other ranks.
    Columns,
    /// Moments.
    Moments,
}

/// The variant for a number type, populations stored as `P`, a lattice and a collision.
pub(crate) fn definitions<const Q: usize, T: Real, P>(
    collision: Collision,
    kept: Kept,
) -> [Definition; 6] {
    let real = real_name::<T>();
    let stored = if size_of::<P>() == 2 { "half16" } else { real };
    let lattice = match Q {
        9 => "D2Q9",
        15 => "D3Q15",
        19 => "D3Q19",
        _ => "D3Q27",
    };
    let collision = match collision {
        Collision::Srt => "srt",
        Collision::Trt => "trt",
        Collision::Mrt => "mrt",
        Collision::Regularised => "regularised",
    };
    [
        ("REAL", real.into()),
        ("STORED", stored.into()),
        ("LATTICE", lattice.into()),
        ("COLLISION", collision.into()),
        ("STORES_MOMENTS", u32::from(kept == Kept::Moments).to_string()),
        ("COLUMNS", u32::from(kept == Kept::Columns).to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::Half;
    use vortice_gpu::{is_long_suite, resources};

    const COLLISIONS: [Collision; 4] =
        [Collision::Srt, Collision::Trt, Collision::Mrt, Collision::Regularised];

    fn of_lattice<const Q: usize>(collision: Collision) -> [[Definition; 6]; 4] {
        [
            definitions::<Q, f32, f32>(collision, Kept::Rows),
            definitions::<Q, f64, f64>(collision, Kept::Rows),
            definitions::<Q, f32, Half>(collision, Kept::Rows),
            definitions::<Q, f32, Half>(collision, Kept::Columns),
        ]
    }

    /// Every variant of one lattice, and those of the others that need most registers; without a
    /// GPU.
    fn variants() -> impl Iterator<Item = [Definition; 6]> {
        let others = [Collision::Trt, Collision::Mrt, Collision::Regularised].into_iter();
        let others = others.flat_map(|collision| {
            [
                definitions::<9, f32, f32>(collision, Kept::Rows),
                definitions::<15, f32, f32>(collision, Kept::Columns),
                definitions::<27, f64, f64>(collision, Kept::Columns),
            ]
        });
        let moments = [
            definitions::<19, f32, f32>(Collision::Regularised, Kept::Moments),
            definitions::<19, f64, f64>(Collision::Regularised, Kept::Moments),
        ];
        COLLISIONS.into_iter().flat_map(of_lattice::<19>).chain(others).chain(moments)
    }

    /// Every second of these, but in the long suite.
    #[test]
    fn kernels_compile_for_every_architecture() {
        let [single, double, half, columns] = of_lattice::<19>(Collision::Trt);
        let variants = [
            ([8, 0], single),
            ([8, 0], half),
            ([8, 0], definitions::<27, f64, f64>(Collision::Mrt, Kept::Columns)),
            ([10, 0], double),
            ([10, 0], columns),
        ];
        let some = variants.into_iter().enumerate();
        for (_, (architecture, definitions)) in some.filter(|(n, _)| is_long_suite() || n % 2 == 1)
        {
            let compiled = resources(&PROGRAM, &definitions, architecture, false);
            let words = compiled.unwrap_or_else(|error| {
                panic!("{definitions:?} {architecture:?}: {error}; {}", error.remedy())
            });
            assert_eq!(words.matches("registers").count(), PROGRAM.kernels.len(), "{words}");
        }
    }

    /// Tables and the arrays of a cell are resolved: nothing lies in memory that a thread has for
    /// itself. Every fifth variant and that with most registers for moments, but in the long suite.
    #[test]
    fn no_kernel_needs_local_memory() {
        let all = variants().enumerate();
        let doubles_of_moments = definitions::<19, f64, f64>(Collision::Regularised, Kept::Moments);
        let some = |(number, of): &(usize, [Definition; 6])| {
            is_long_suite() || number % 5 == 3 || *of == doubles_of_moments
        };
        for (_, definitions) in all.filter(some) {
            let words = resources(&PROGRAM, &definitions, [9, 0], false).expect("compiled");
            println!("{definitions:?}\n{words}");
            let frames = words.lines().filter(|line| line.contains("stack frame"));
            let frames = frames.inspect(|line| {
                let nothing = " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";
                assert!(line.contains(nothing), "{definitions:?}: {line}");
            });
            assert_eq!(frames.count(), PROGRAM.kernels.len());
        }
    }
}
