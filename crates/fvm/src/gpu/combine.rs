//! Verbs that combine vectors cell by cell.

use vortice_core::Result;
use vortice_gpu::value;

use super::device::Device;
use super::vectors::Named::{Read, Written};
use super::verbs::Verb;

impl Device {
    /// Launches such a verb; no other one.
    pub(super) fn combine(&mut self, verb: Verb) -> Result<()> {
        let vectors = &mut self.vectors;
        match verb {
            Verb::Copy { flag, x, y } => {
                let flag = flag.map_or(-1, |flag| flag as i32);
                let named = [Read("x", x), Written("y", y)];
                vectors.launch(|known| &known.copy_cells, [value("flag", &flag)], named)
            }
            Verb::Subtract { b, q, r } => {
                let named = [Read("b", b), Read("q", q), Written("r", r)];
                vectors.launch(|known| &known.subtract_cells, [], named)
            }
            Verb::Axpy { a, sign, x, y } => {
                let a = a as i32;
                let numbers = [value("a", &a), value("sign", &sign)];
                let named = [Read("x", x), Written("y", y)];
                vectors.launch(|known| &known.add_multiple, numbers, named)
            }
            Verb::Xpby { x, b, y } => {
                let b = b as i32;
                let named = [Read("x", x), Written("y", y)];
                vectors.launch(|known| &known.multiply_and_add, [value("b", &b)], named)
            }
            Verb::Step { a, p, q, x, r } => {
                let a = a as i32;
                let named = [Read("p", p), Read("q", q), Written("x", x), Written("r", r)];
                vectors.launch(|known| &known.step_along, [value("a", &a)], named)
            }
            Verb::Direction { r, v, p } => {
                let named = [Read("r", r), Read("v", v), Written("p", p)];
                vectors.launch(|known| &known.next_direction, [], named)
            }
            Verb::Advance { y, z, t, x, r } => {
                let named =
                    [Read("y", y), Read("z", z), Read("t", t), Written("x", x), Written("r", r)];
                vectors.launch(|known| &known.advance_solution, [], named)
            }
            _ => Ok(()),
        }
    }
}
