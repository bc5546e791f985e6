//! Sources of kernels, embedded in the program.

use vortice_core::Real;

/// A file below `kernels/`: its name, such as "fdm/relax.cu", and its text.
pub type Source = (&'static str, &'static str);

/// The kernels of a method, compiled together. All files of `kernels/` have names relative to it.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Name, such as "fdm".
    pub name: &'static str,
    /// The `.cu` files, one kernel each: name such as "fdm/relax.cu" and text.
    pub kernels: &'static [Source],
    /// The `.cuh` files that they include: name such as "fdm/stencil.cuh" and text.
    pub headers: &'static [Source],
}

/// A constant given to the compiler, such as ("REAL", "float").
pub type Definition = (&'static str, String);

/// What kernels call a number type: what `REAL` is for it.
pub fn real_name<T: Real>() -> &'static str {
    if T::NAME == "f32" { "float" } else { "double" }
}

/// Two lists of files one after the other, `N` in all.
pub const fn joined<const N: usize>(one: &[Source], other: &[Source]) -> [Source; N] {
    let mut all = [("", ""); N];
    let mut n = 0;
    while n < N {
        all[n] = if n < one.len() { one[n] } else { other[n - one.len()] };
        n += 1;
    }
    all
}
