//! Walls that lie across the grid: how soon the flow beside them is right, and what the end of a run says of the force on them.

use vortice::references::Reference;
use vortice::registry::methods;
use vortice::{Energy, Forces, MomentumBalance, Ran, open_case};
use vortice_core::{Case, Context, Surface, Walls};

/// A built-in case by a method on so many cells, as a program has it in the end.
fn ran(case: &str, method: &str, [x, y]: [usize; 2], sets: &[&str]) -> Ran {
    let own = [format!("run.method={method}"), format!("grid.cells=[{x},{y},1]")];
    let sets: Vec<String> = own.into_iter().chain(sets.iter().map(|set| set.to_string())).collect();
    let case = open_case(case, &sets).unwrap_or_else(|error| panic!("{error}: {}", error.remedy()));
    done(case, method)
}

/// The same of another case.
fn done(case: Case, method: &str) -> Ran {
    Ran::of(case, &Context::alone(), |simulation, _| Ok(simulation))
        .unwrap_or_else(|error| panic!("{method}: {error}"))
}

/// Force and torque on bodies at the end.
fn forces(ran: &Ran) -> Vec<([f64; 3], f64)> {
    let all = Forces::of(&ran.flow()).surfaces;
    let bodies = all.iter().filter(|force| matches!(force.surface, Surface::Body(_)));
    bodies.map(|force| (force.force, force.torque)).collect()
}

/// The largest error as a share of the velocity scale.
fn largest(ran: &Ran) -> f64 {
    let references = Reference::of(&ran.case).expect("its own flow");
    ran.compare(&references[0]).max_error
}

/// The order of what falls from the first to the last grid, each half as coarse as the one before.
fn order(errors: &[f64]) -> f64 {
    (errors[0] / errors[errors.len() - 1]).log2() / (errors.len() - 1) as f64
}

/// In stairs the channel is as wide as the cells that it has.
#[test]
fn a_tilted_channel_is_of_second_order_and_its_plates_feel_what_drives_it() {
    for method in methods() {
        let by = |walls: &str| {
            let walls = format!("body.plates.walls='{walls}'");
            let grids =
                [20, 40, 80].map(|n| ran("channel-tilted", method.name, [n, n / 2], &[&walls]));
            let energies = grids.each_ref().map(|ran| Energy::of(&ran.case, &ran.fields.velocity));
            for ran in grids.iter().filter(|ran| ran.case.bodies[0].walls == Walls::Exact) {
                let rate = MomentumBalance::of(&ran.flow()).rate;
                assert!(rate.iter().all(|rate| rate.abs() < 1e-5), "{}: {rate:?}", method.name);
            }
            (grids.each_ref().map(largest), grids.each_ref().map(forces), energies)
        };
        let ((exact, forces, energies), (stairs, ..)) = (by("exact"), by("stairs"));
        let orders = [order(&exact), order(&stairs)];
        println!(
            "{}: largest errors {exact:?}, stairs {stairs:?}, orders {orders:.2?}",
            method.name
        );
        assert!(orders[0] > 1.8 && orders[1] < 1.4, "{}: {orders:?}", method.name);
        // What turns into heat is what the force does; a mean over the cells of the flow, half of the box.
        let heat = energies.map(|energy| (energy.dissipation / (0.8 * 2.0 / 3.0) - 1.0).abs());
        println!("{}: dissipation off by {heat:?}", method.name);
        assert!(heat[2] < 5e-3 && order(&heat) > 1.6, "{}: {heat:?}", method.name);
        for (force, _) in forces.iter().flatten() {
            let off = [force[0] / 0.715_541_752_8 - 1.0, force[1] / 0.357_770_876_4 - 1.0];
            assert!(off.iter().all(|off| off.abs() < 1e-5), "{}: {off:?}", method.name);
        }
    }
}

/// The torque of a cylinder that turns has the part that friction `mu du/dn` lacks; the one around it feels as much.
#[test]
fn the_torque_at_the_end_is_that_of_the_flow_between_cylinders() {
    let [a, b] = [0.16, 0.81];
    let exact = 4.0 * std::f64::consts::PI * 0.04 * 2.5 * a * b / (b - a);
    for method in methods() {
        let errors = [20, 40, 80].map(|n| {
            let ran = ran("couette-taylor", method.name, [n, n], &[]);
            let (torques, energy) = (forces(&ran), Energy::of(&ran.case, &ran.fields.velocity));
            // Twice A everywhere, u = A r + B/r.
            let turned = energy.enstrophy / (2.0 * (2.5 * a / (b - a)).powi(2)) - 1.0;
            assert!(turned.abs() < 10.0 / (n * n) as f64, "{}: {turned}", method.name);
            let [(_, inner), (_, outer)] = torques[..] else { panic!("two bodies") };
            // What one gives to a lattice's flow the other takes, to the rounding of f32.
            let net = (inner + outer).abs() / exact;
            assert!(method.name != "lbm" || net < 1e-6, "{net}");
            (inner / exact + 1.0).abs().max((outer / exact - 1.0).abs())
        });
        let order = order(&errors);
        println!("{}: torques off by {errors:?}, order {order:.2}", method.name);
        assert!(errors[0] < 0.01 && errors[2] < 0.0015, "{}: {errors:?}", method.name);
        // On a lattice chance of where walls lie is larger: its order is that of many places (its own tests).
        assert!(order > 1.8 || method.name == "lbm", "{}: {errors:?}", method.name);
    }
}

/// In space: the torques on a sphere that turns and on one around it are one, near that of Landau and Lifshitz, Fluid Mechanics,
/// section 20.
#[test]
fn the_torques_between_spheres_are_one() {
    let [a, b] = [0.22_f64, 0.45].map(|radius| radius.powi(3));
    let exact = 8.0 * std::f64::consts::PI * a * b / (b - a);
    for method in methods() {
        let text = format!(
            "title = 'spheres'\ngrid = {{ cells = [20, 20, 20], size = [1.0, 1.0, 1.0], origin = [-0.5, -0.5, -0.5] }}\n\
             fluid = {{ viscosity = 1.0 }}\nscale = {{ length = 0.25, velocity = 0.25 }}\n\
             run = {{ method = '{}', until = 'steady', steady = 1e-6, device = 'cpu' }}\n[body]\n\
             inner = {{ sphere = {{ centre = [0.007, -0.004, 0.003], radius = 0.22 }}, rotation = 1.0 }}\n\
             outer = {{ sphere = {{ centre = [0.007, -0.004, 0.003], radius = 0.45 }}, hollow = true }}\n\
             [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'wall'\n\
             z-high = 'wall'\n[lbm]\nrelaxation-time = 0.8\n",
            method.name
        );
        let case = Case::parse(&text, "spheres").unwrap_or_else(|error| panic!("{error}"));
        let torques = forces(&done(case, method.name));
        let [(_, inner), (_, outer)] = torques[..] else { panic!("two bodies") };
        println!(
            "{}: torques {} and {} of what is exact",
            method.name,
            inner / exact,
            outer / exact
        );
        let net = (inner + outer).abs() / exact;
        assert!(net < if method.name == "lbm" { 1e-9 } else { 1e-3 }, "{}: {net}", method.name);
        assert!((outer / exact - 1.0).abs() < 0.04, "{}: {outer} {exact}", method.name);
    }
}
