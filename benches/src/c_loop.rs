//! Red-black SOR as a plain C loop over one array; see `c/sor.c`.

unsafe extern "C" {
    fn sor_f32(
        p: *mut f32,
        b: *const f32,
        d: *const f32,
        n: *const i64,
        a: *const f32,
        omega: f32,
        iterations: i32,
    );
    fn sor_f64(
        p: *mut f64,
        b: *const f64,
        d: *const f64,
        n: *const i64,
        a: *const f64,
        omega: f64,
        iterations: i32,
    );
}

/// A box with walls all around and something to relax.
pub struct CLoop<T> {
    n: [i64; 3],
    p: Vec<T>,
    b: Vec<T>,
    d: Vec<T>,
}

macro_rules! c_loop {
    ($t:ty, $sweep:ident) => {
        impl CLoop<$t> {
            /// A box of `cells` cells.
            pub fn new(cells: [usize; 3]) -> Self {
                let halo_z = if cells[2] == 1 { 0 } else { 2 };
                let len = (cells[0] + 2) * (cells[1] + 2) * (cells[2] + halo_z);
                let b = (0..len).map(|i| (i * 7919 % 101) as $t / 101.0 - 0.5).collect();
                let n = cells.map(|n| n as i64);
                Self { n, p: vec![0.0; len], b, d: vec![0.25; len] }
            }

            /// Iterations of both colours.
            pub fn relax(&mut self, omega: $t, iterations: i32) {
                let a: [$t; 3] = [1.0; 3];
                // SAFETY: the arrays have the padded size that the loop derives from `n`, which is
                // what `new` made them, and they do not overlap.
                unsafe {
                    $sweep(
                        self.p.as_mut_ptr(),
                        self.b.as_ptr(),
                        self.d.as_ptr(),
                        self.n.as_ptr(),
                        a.as_ptr(),
                        omega,
                        iterations,
                    );
                }
            }
        }
    };
}
c_loop!(f32, sor_f32);
c_loop!(f64, sor_f64);
