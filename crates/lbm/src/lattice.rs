//! Velocity sets, derived from their shells: the lattice with `Q` velocities has all velocities of
//! certain lengths with components -1, 0 and 1; eqs. (L1) and (L2), and (H14) of the lattice of heat. Twin of kernels/lbm/lattice.cuh.

/// The lattice with `Q` velocities: 9 (in the plane), 15, 19 or 27 of a flow, 7 of its heat.
pub(crate) struct Lattice<const Q: usize>;

/// Weights are whole numbers in these units.
const UNITS: i32 = 216;

impl<const Q: usize> Lattice<Q> {
    /// Directions in which there are velocities.
    pub(crate) const D: usize = if Q == 9 { 2 } else { 3 };
    /// Pairs of opposite velocities: 2 p + 1 and 2 p + 2.
    pub(crate) const PAIRS: usize = (Q - 1) / 2;
    /// Velocities. The first is zero; the first component of 2 p + 1 that is not zero is positive.
    pub(crate) const C: [[i8; 3]; Q] = velocities();
    /// Weights.
    pub(crate) const W: [f64; Q] = weights(&Self::C);

    /// The velocity with which pair `p` is numbered.
    #[inline(always)]
    pub(crate) const fn c(p: usize) -> [i8; 3] {
        Self::C[2 * p + 1]
    }

    /// The weight of a pair.
    #[inline(always)]
    pub(crate) const fn w(p: usize) -> f64 {
        Self::W[2 * p + 1]
    }
}

/// The number of the opposite velocity.
#[inline(always)]
pub(crate) const fn opposite(q: usize) -> usize {
    if q == 0 { 0 } else { ((q - 1) ^ 1) + 1 }
}

/// Squared length.
pub(crate) const fn square(c: [i8; 3]) -> i32 {
    let [x, y, z] = [c[0] as i32, c[1] as i32, c[2] as i32];
    x * x + y * y + z * z
}

/// Whether the lattice has the velocities of this squared length.
const fn has_shell(q: usize, square: i32) -> bool {
    match square {
        0 | 1 => true,
        2 => q != 15 && q != 7,
        _ => q == 15 || q == 27,
    }
}

const fn velocities<const Q: usize>() -> [[i8; 3]; Q] {
    let flat = Q == 9;
    let mut c = [[0; 3]; Q];
    let mut q = 1;
    let mut shell = 1;
    while shell <= 3 {
        // All 27 velocities, from (1, 1, 1) down to (-1, -1, -1); the first half is positive.
        let mut number = 0;
        while number < 13 {
            let v = [1 - number / 9, 1 - number / 3 % 3, 1 - number % 3];
            if square(v) == shell && has_shell(Q, shell) && !(flat && v[2] != 0) {
                c[q] = v;
                c[q + 1] = [-v[0], -v[1], -v[2]];
                q += 2;
            }
            number += 1;
        }
        shell += 1;
    }
    assert!(q == Q, "a lattice has 7, 9, 15, 19 or 27 velocities");
    c
}

/// Weights from the isotropy of the second, fourth and (D3Q27) sixth moments; eq. (L2).
const fn weights<const Q: usize>(c: &[[i8; 3]; Q]) -> [f64; Q] {
    // How many velocities of each shell have a component in x, and how many in x and y.
    let mut x = [0; 4];
    let mut xy = [0; 4];
    let mut q = 1;
    while q < Q {
        let shell = square(c[q]) as usize;
        x[shell] += (c[q][0] != 0) as i32;
        xy[shell] += (c[q][0] != 0 && c[q][1] != 0) as i32;
        q += 1;
    }
    let mut w = [0; 4];
    w[3] = if Q == 27 {
        UNITS / 27 / xy[3]
    } else if Q == 15 {
        UNITS / 9 / xy[3]
    } else {
        0
    };
    w[2] = if xy[2] > 0 { (UNITS / 9 - xy[3] * w[3]) / xy[2] } else { 0 };
    // That of heat is isotropic to the second order only, and has the variance 1/4.
    let variance = if Q == 7 { UNITS / 4 } else { UNITS / 3 };
    w[1] = (variance - x[2] * w[2] - x[3] * w[3]) / x[1];
    let mut all = [0.0; Q];
    let mut rest = UNITS;
    let mut q = 1;
    while q < Q {
        let units = w[square(c[q]) as usize];
        rest -= units;
        all[q] = units as f64 / UNITS as f64;
        q += 1;
    }
    all[0] = rest as f64 / UNITS as f64;
    all
}

/// Calls `work` with the number of each pair of a lattice with `Q` velocities, unrolled: what follows
/// from a number is known when the program is compiled.
#[inline(always)]
pub(crate) fn each_pair<const Q: usize>(mut work: impl FnMut(usize)) {
    // The conditions are constants: calls that never happen are not compiled.
    macro_rules! calls {
        ($($p:literal)*) => { $( if const { 2 * $p + 1 < Q } { work($p) } )* };
    }
    calls!(0 1 2 3 4 5 6 7 8 9 10 11 12);
}

/// The same for the three directions.
#[inline(always)]
pub(crate) fn each_direction(mut work: impl FnMut(usize)) {
    work(0);
    work(1);
    work(2);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments up to the fifth order are those of a Gaussian with variance 1/3; eq. (L1).
    fn isotropic<const Q: usize>(published: &[(i32, f64)]) {
        let (c, w) = (Lattice::<Q>::C, Lattice::<Q>::W);
        let moment = |powers: [i32; 3]| -> f64 {
            let term =
                |q: usize| (0..3).map(|d| f64::from(c[q][d]).powi(powers[d])).product::<f64>();
            (0..Q).map(|q| w[q] * term(q)).sum()
        };
        let gaussian = |power: i32| match power {
            0 => 1.0,
            2 | 4 => 1.0 / 3.0, // the fourth moment is 3 (1/3)^2
            _ => 0.0,
        };
        for x in 0..=5 {
            for y in 0..=5 - x {
                for z in 0..=5 - x - y {
                    let flat = Lattice::<Q>::D == 2 && z > 0;
                    let expected =
                        if flat { 0.0 } else { [x, y, z].map(gaussian).iter().product() };
                    let found = moment([x, y, z]);
                    assert!((found - expected).abs() < 1e-15, "D?Q{Q} {x} {y} {z}: {found}");
                }
            }
        }
        for q in 0..Q {
            assert_eq!(c[opposite(q)], c[q].map(|x| -x));
            let (_, weight) = published.iter().find(|(n2, _)| *n2 == square(c[q])).expect("shell");
            assert!((w[q] - weight).abs() < 1e-16);
            assert!((0..q).all(|other| c[other] != c[q]));
        }
    }

    #[test]
    fn weights_are_isotropic_and_those_of_qian_1992() {
        isotropic::<9>(&[(0, 4.0 / 9.0), (1, 1.0 / 9.0), (2, 1.0 / 36.0)]);
        isotropic::<15>(&[(0, 2.0 / 9.0), (1, 1.0 / 9.0), (3, 1.0 / 72.0)]);
        isotropic::<19>(&[(0, 1.0 / 3.0), (1, 1.0 / 18.0), (2, 1.0 / 36.0)]);
        isotropic::<27>(&[(0, 8.0 / 27.0), (1, 2.0 / 27.0), (2, 1.0 / 54.0), (3, 1.0 / 216.0)]);
    }

    #[test]
    fn the_first_of_a_pair_is_positive() {
        for c in Lattice::<27>::C.iter().skip(1).step_by(2) {
            assert!(c.iter().find(|x| **x != 0).is_some_and(|x| *x > 0), "{c:?}");
        }
    }
}
