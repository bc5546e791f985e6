//! A simulation goes to another thread and back, and computes the same flow.

use vortice::prelude::*;
use vortice_tests::open;

/// As many steps as are asked for.
fn steps(simulation: &mut Simulation<'_>, count: usize) {
    for _ in 0..count {
        assert!(simulation.step().unwrap_or_else(|error| panic!("{error}")), "it has ended");
    }
}

/// The bits of velocity and pressure.
fn bits(mut simulation: Simulation<'_>) -> Vec<u64> {
    let mut now = simulation.now();
    let fields = [Quantity::Velocity, Quantity::Pressure]
        .map(|quantity| now.whole(quantity).unwrap().expect("one rank"));
    fields.iter().flat_map(|field| field.values.iter().map(|value| value.to_bits())).collect()
}

#[test]
fn a_simulation_computes_the_same_on_another_thread() {
    for method in ["fdm", "fvm", "lbm"] {
        let sets = ["grid.cells=[24,24,1]", &format!("run.method={method:?}")];
        let case = open("cavity", &sets);
        let begin = || Simulation::new(&case, &Context::alone()).unwrap();
        let mut here = begin();
        steps(&mut here, 9);
        let mut goes = begin();
        steps(&mut goes, 3);
        let mut back = std::thread::scope(|scope| {
            let there = scope.spawn(move || {
                steps(&mut goes, 3);
                goes
            });
            there.join().expect("the thread ends well")
        });
        steps(&mut back, 3);
        assert_eq!(bits(here), bits(back), "{method}");
        println!("{method}: nine steps on two threads have the bits of nine steps on one");
    }
}
