use super::mrt::collide_mrt;
use super::rates::Force;
use super::*;
use crate::view::at_equilibrium;

/// Populations near equilibrium, different in every direction.
fn some<const Q: usize>(seed: f64) -> [f64; Q] {
    std::array::from_fn(|q| 0.02 * (seed + 1.7 * (q as f64) * (q as f64 + 0.3)).sin())
}

fn rates(force: [f64; 3]) -> Rates<f64> {
    Rates {
        omega_plus: 1.3,
        omega_minus: 0.9,
        energy: 1.19,
        energy_square: 1.4,
        even: 1.45,
        flux: 1.2,
        odd: 1.98,
        force,
        is_forced: u32::from(force != [0.0; 3]),
    }
}

fn moment<const Q: usize>(h: &[f64; Q], powers: [i32; 3]) -> f64 {
    let c = Lattice::<Q>::C;
    let term = |q: usize| (0..3).map(|d| f64::from(c[q][d]).powi(powers[d])).product::<f64>();
    (0..Q).map(|q| h[q] * term(q)).sum()
}

/// What a collision did.
fn change<const Q: usize>(before: &[f64; Q], after: &[f64; Q]) -> [f64; Q] {
    std::array::from_fn(|q| after[q] - before[q])
}

fn near(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 2e-15, "{what}: {a} and {b}");
}

/// A collision with its name.
type Named<const Q: usize> = (&'static str, fn(&mut [f64; Q], &Rates<f64>, Force<f64>));

fn all<const Q: usize>() -> [Named<Q>; 4] {
    [
        ("srt", collide_srt::<Q, f64, f64>),
        ("trt", collide_trt::<Q, f64, f64>),
        ("mrt", collide_mrt::<Q, f64, f64>),
        ("regularised", collide_regularised::<Q, f64, f64>),
    ]
}

/// Mass is kept and momentum grows by the force; what is at equilibrium stays so; viscous stress
/// relaxes with its rate.
fn conserves<const Q: usize>() {
    let force = [3e-3, -2e-3, if Q == 9 { 0.0 } else { 1e-3 }];
    for (name, collide) in all::<Q>() {
        for (force, rates) in [[0.0; 3], force].map(|force| (force, rates(force))) {
            let mut h = some::<Q>(0.4);
            let before = h;
            collide(&mut h, &rates, rates.force_on(0.0));
            let change = change(&before, &h);
            near(moment(&change, [0; 3]), 0.0, name);
            near(moment(&change, [1, 0, 0]), force[0], name);
            near(moment(&change, [0, 1, 0]), force[1], name);
            near(moment(&change, [0, 0, 1]), force[2], name);
        }
        let rates = rates([0.0; 3]);
        let u = [0.05, -0.03, if Q == 9 { 0.0 } else { 0.02 }];
        let rest = at_equilibrium::<Q, f64>(0.01, u, rates.force_on(0.0));
        let mut h = rest;
        collide(&mut h, &rates, rates.force_on(0.0));
        for q in 0..Q {
            near(h[q], rest[q], name);
        }
        // The departure of xy from equilibrium shrinks by 1 - s.
        let mut h = some::<Q>(1.1);
        let found = moments::<_, f64, f64>(&h, rates.force_on(0.0));
        let equilibrium =
            at_equilibrium::<Q, f64>(found.density_deviation, found.u, rates.force_on(0.0));
        let before = moment(&change_of(&equilibrium, &h), [1, 1, 0]);
        collide(&mut h, &rates, rates.force_on(0.0));
        let after = moment(&change_of(&equilibrium, &h), [1, 1, 0]);
        near(after, (1.0 - rates.omega_plus) * before, name);
    }
}

fn change_of<const Q: usize>(from: &[f64; Q], to: &[f64; Q]) -> [f64; Q] {
    change(from, to)
}

#[test]
fn collisions_conserve_and_relax() {
    conserves::<9>();
    conserves::<15>();
    conserves::<19>();
    conserves::<27>();
}

/// Zeroth moment of the source 0, first F, second uF + Fu; eq. (L6).
#[test]
fn the_force_has_the_moments_of_guo_et_al() {
    let rates = rates([3e-3, -2e-3, 1e-3]);
    let u = [0.05, -0.03, 0.02];
    let source = Source::new::<f64>(u, rates.force);
    let mut s = [source.rest::<19, f64>(); 19];
    for p in 0..9 {
        let (even, odd) = (source.even::<19, f64>(p), source.odd::<19, f64>(p));
        s[2 * p + 1] = even + odd;
        s[2 * p + 2] = even - odd;
    }
    near(moment(&s, [0; 3]), 0.0, "mass");
    let f = rates.force;
    for a in 0..3 {
        let mut powers = [0; 3];
        powers[a] += 1;
        near(moment(&s, powers), f[a], "momentum");
        for b in 0..3 {
            let mut powers = powers;
            powers[b] += 1;
            near(moment(&s, powers), u[a] * f[b] + u[b] * f[a], "stress");
        }
    }
}

#[test]
fn mrt_with_equal_rates_is_srt_and_with_two_rates_trt() {
    fn compare<const Q: usize>() {
        let force = [3e-3, -2e-3, 0.0];
        let mut equal = rates(force);
        let omega_plus = equal.omega_plus;
        (equal.omega_minus, equal.energy, equal.energy_square) =
            (omega_plus, omega_plus, omega_plus);
        (equal.even, equal.flux, equal.odd) = (omega_plus, omega_plus, omega_plus);
        let (mut one, mut other) = (some::<Q>(0.1), some::<Q>(0.1));
        collide_srt(&mut one, &equal, equal.force_on(0.0));
        collide_mrt(&mut other, &equal, equal.force_on(0.0));
        assert_eq!(one, other, "SRT");

        let mut two = equal;
        (two.omega_minus, two.flux, two.odd) = (0.7, 0.7, 0.7);
        let (mut one, mut other) = (some::<Q>(0.1), some::<Q>(0.1));
        collide_trt(&mut one, &two, two.force_on(0.0));
        collide_mrt(&mut other, &two, two.force_on(0.0));
        assert_eq!(one, other, "TRT");
    }
    compare::<9>();
    compare::<15>();
    compare::<19>();
    compare::<27>();
}

/// A rate and a polynomial of the velocity.
type Row = (f64, fn(f64, f64, f64) -> f64);

/// The rows of the published matrix as polynomials of the velocity, with their rates.
fn rows(rates: &Rates<f64>) -> Vec<Row> {
    fn n2(x: f64, y: f64, z: f64) -> f64 {
        x * x + y * y + z * z
    }
    let Rates { omega_plus, energy, energy_square, even, flux, odd, .. } = *rates;
    vec![
        (0.0, |_, _, _| 1.0),
        (energy, |x, y, z| 19.0 * n2(x, y, z) - 30.0),
        (energy_square, |x, y, z| (21.0 * n2(x, y, z).powi(2) - 53.0 * n2(x, y, z) + 24.0) / 2.0),
        (0.0, |x, _, _| x),
        (flux, |x, y, z| (5.0 * n2(x, y, z) - 9.0) * x),
        (0.0, |_, y, _| y),
        (flux, |x, y, z| (5.0 * n2(x, y, z) - 9.0) * y),
        (0.0, |_, _, z| z),
        (flux, |x, y, z| (5.0 * n2(x, y, z) - 9.0) * z),
        (omega_plus, |x, y, z| 3.0 * x * x - n2(x, y, z)),
        (even, |x, y, z| (3.0 * n2(x, y, z) - 5.0) * (3.0 * x * x - n2(x, y, z))),
        (omega_plus, |_, y, z| y * y - z * z),
        (even, |x, y, z| (3.0 * n2(x, y, z) - 5.0) * (y * y - z * z)),
        (omega_plus, |x, y, _| x * y),
        (omega_plus, |_, y, z| y * z),
        (omega_plus, |x, _, z| x * z),
        (odd, |x, y, z| (y * y - z * z) * x),
        (odd, |x, y, z| (z * z - x * x) * y),
        (odd, |x, y, z| (x * x - y * y) * z),
    ]
}

/// The factorised collision is that with the matrix of d'Humieres et al. (2002), multiplied out.
#[test]
fn mrt_is_that_of_dhumieres_2002() {
    let rates = rates([0.0; 3]);
    let before = some::<19>(2.3);
    let mut h = before;
    collide_mrt(&mut h, &rates, rates.force_on(0.0));

    let found = moments::<_, f64, f64>(&before, rates.force_on(0.0));
    let equilibrium =
        at_equilibrium::<19, f64>(found.density_deviation, found.u, rates.force_on(0.0));
    let left = change(&equilibrium, &before);
    let mut expected = before;
    for (rate, row) in rows(&rates) {
        let row: [f64; 19] = std::array::from_fn(|q| {
            let [x, y, z] = Lattice::<19>::C[q].map(f64::from);
            row(x, y, z)
        });
        let norm: f64 = row.iter().map(|x| x * x).sum();
        let moment: f64 = (0..19).map(|q| row[q] * left[q]).sum();
        for q in 0..19 {
            expected[q] -= rate * row[q] * moment / norm;
        }
    }
    for q in 0..19 {
        near(h[q], expected[q], "population");
    }
    assert!((0..19).any(|q| (h[q] - before[q]).abs() > 1e-3));
}
