use super::*;

fn rates(omega_plus: f64, omega_minus: f64) -> HeatRates<f64> {
    HeatRates { omega_plus, omega_minus, lift: [0.0; 3], is_buoyant: false, source: 0.0 }
}

fn some(seed: f64) -> Populations<f64> {
    std::array::from_fn(|q| 0.1 * (seed + 1.7 * (q as f64) * (q as f64 + 0.3)).sin())
}

fn flux(h: &Populations<f64>, d: usize) -> f64 {
    (0..VELOCITIES).map(|q| f64::from(Velocities::C[q][d]) * h[q]).sum()
}

#[test]
fn weights_have_the_variance_of_the_lattice() {
    assert_eq!(Velocities::W, [0.25, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]);
    for d in 0..3 {
        let squares = (0..VELOCITIES).map(|q| f64::from(Velocities::C[q][d]).powi(2));
        let variance: f64 = squares.zip(Velocities::W).map(|(c, w)| c * w).sum();
        assert!((variance - SPEED_SQUARED).abs() < 1e-16);
    }
}

#[test]
fn a_collision_keeps_heat_and_its_flux_relaxes_towards_what_the_flow_carries() {
    let (u, omega_minus) = ([0.03, -0.02, 0.01], 0.8);
    let before = some(0.4);
    let (mut h, theta) = (before, temperature::<f64, f64>(&before));
    collide(&mut h, theta, u, &rates(1.3, omega_minus), None);
    assert!((temperature::<f64, f64>(&h) - theta).abs() < 1e-16);
    for (d, u) in u.into_iter().enumerate() {
        let relaxed = flux(&before, d) - omega_minus * (flux(&before, d) - u * theta);
        assert!((flux(&h, d) - relaxed).abs() < 1e-16, "{d}");
    }
}

#[test]
fn what_is_at_equilibrium_stays() {
    let u = [0.03, -0.02, 0.01];
    let before = at_equilibrium(0.7, u);
    let mut h = before;
    collide(&mut h, 0.7, u, &rates(1.3, 0.8), None);
    assert!((0..VELOCITIES).all(|q| (h[q] - before[q]).abs() < 1e-16));
    assert!((temperature::<f64, f64>(&before) - 0.7).abs() < 1e-16);
}

#[test]
fn buoyancy_adds_to_the_force_that_acts_everywhere() {
    let mut flow = Rates {
        omega_plus: 1.0,
        omega_minus: 1.0,
        energy: 1.0,
        energy_square: 1.0,
        even: 1.0,
        flux: 1.0,
        odd: 1.0,
        force: [0.0; 3],
        is_forced: 0,
    };
    let heat = HeatRates { lift: [0.0, 2.0, 0.0], is_buoyant: true, ..rates(1.0, 1.0) };
    assert_eq!(force(0.5, &flow, &heat), Some([0.0, 1.0, 0.0]));
    assert_eq!(force(0.5, &flow, &rates(1.0, 1.0)), None);
    (flow.force, flow.is_forced) = ([0.1, 0.0, 0.0], 1);
    assert_eq!(force(0.5, &flow, &heat), Some([0.1, 1.0, 0.0]));
}
