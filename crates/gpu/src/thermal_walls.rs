//! Solid boxes and bodies as scalars see them, on a device; lists of `kernels/thermal_walls.cuh`.

use vortice_core::{Real, Result, Shape, ThermalWalls, WalledCell, WalledSide};

use crate::argument::{Argument, value};
use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;

/// Threads of a block.
const THREADS: u32 = 128;

/// The cells beside solid boxes and bodies of one subdomain.
pub struct DeviceThermalWalls<T> {
    count: i32,
    places: Buffer<i64>,
    /// Their places in arrays of velocities.
    faces: Buffer<i64>,
    kinds: Buffer<u32>,
    numbers: Buffer<T>,
    /// Cells that the lists do, and solid ones, in the places of the scalar; empty if there are none.
    marks: Buffer<u8>,
    has_marks: i32,
}

/// Where the wall on each side is, two bits each.
fn kinds<T>(walled: &WalledCell<T>) -> u32 {
    walled.sides.iter().rev().fold(0, |bits, side| bits << 2 | side.place as u32)
}

impl<T: Real> DeviceThermalWalls<T> {
    /// Those of a subdomain, for scalars and velocities of these shapes.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub fn new(
        gpu: &Gpu,
        [shape, of_velocity]: [&Shape; 2],
        of: &ThermalWalls<T>,
        marks: &[u8],
    ) -> Result<Self> {
        let places = |shape: &Shape| -> Vec<i64> {
            of.cells.iter().map(|walled| shape.index(walled.cell) as i64).collect()
        };
        let parts: [fn(&WalledSide<T>) -> T; 4] =
            [|side| side.constant, |side| side.of_here, |side| side.of_behind, |side| side.again];
        let sides = (0..6).flat_map(|side| parts.map(|part| (side, part)));
        let numbers = sides
            .flat_map(|(side, part)| of.cells.iter().map(move |walled| part(&walled.sides[side])));
        Ok(Self {
            count: of.cells.len() as i32,
            places: gpu.upload(&places(shape))?,
            faces: gpu.upload(&places(of_velocity))?,
            kinds: gpu.upload(&of.cells.iter().map(kinds).collect::<Vec<_>>())?,
            numbers: gpu.upload(&numbers.collect::<Vec<_>>())?,
            marks: gpu.upload(marks)?,
            has_marks: i32::from(!marks.is_empty()),
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One thread for each cell of the lists.
    pub fn launch(&self) -> Launch {
        Launch::over([self.count as usize, 1, 1], [THREADS, 1, 1])
    }

    /// The arguments `has_marks` and `marks`.
    pub fn marks(&self) -> [Argument<'_>; 2] {
        [value("has_marks", &self.has_marks), self.marks.input("marks")]
    }

    /// The arguments `count`, `places`, `faces`, `kinds` and `numbers`.
    pub fn lists(&self) -> [Argument<'_>; 5] {
        [
            value("count", &self.count),
            self.places.input("places"),
            self.faces.input("faces"),
            self.kinds.input("walls"),
            self.numbers.input("numbers"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::WallPlace;

    #[test]
    fn kinds_have_two_bits_for_each_side() {
        let mut walled = WalledCell { cell: [0; 3], sides: [WalledSide::<f32>::default(); 6] };
        assert_eq!(kinds(&walled), 0);
        walled.sides[1].place = WallPlace::Here;
        walled.sides[5].place = WallPlace::Beyond;
        assert_eq!(kinds(&walled), 1 << 2 | 2 << 10);
        let [(_, header)] = crate::sources!["thermal_walls.cuh"];
        assert!(header.contains("WALL_HERE = 1, WALL_BEYOND = 2"));
    }
}
