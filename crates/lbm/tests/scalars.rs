//! Scalars with names: the same as a temperature that moves nothing, a moving pulse, and the same bits on any ranks and
//! after a restart.

use crate::carried;
use vortice_core::Precision;
use vortice_lbm::METHOD;

fn channel(layers: usize) -> String {
    carried::channel(layers, "periodic", "method = \"lbm\"\nuntil = 1e9")
}

#[test]
fn a_scalar_is_a_temperature_that_moves_nothing() {
    for collision in ["trt", "mrt", "regularised"] {
        let table = format!("[lbm]\nlattice = \"d2q9\"\ncollision = \"{collision}\"\nmach = 0.1\n");
        carried::assert_scalar_is_a_temperature(&METHOD, &channel(1), &table);
    }
}

#[test]
fn any_ranks_threads_and_restarts_give_the_same_bits() {
    for (layers, layouts) in
        [(1, [([3, 2, 1], 1), ([1, 1, 1], 3)]), (4, [([2, 1, 2], 1), ([3, 2, 1], 2)])]
    {
        let text = carried::with_scalars(&channel(layers));
        carried::assert_same_bits(&METHOD, &text, (12, 7), &layouts);
        for walls in ["exact", "stairs"] {
            let text = carried::with_bodies(&text, walls);
            carried::assert_same_bits(&METHOD, &text, (12, 7), &layouts[..1]);
        }
    }
}

#[test]
fn a_moving_pulse_converges_with_second_order_and_loses_nothing() {
    let fine = carried::assert_second_order("pulse", [32, 64], |n| {
        // Errors of compressibility fall with the square of the Mach number.
        let more = format!("[lbm]\nlattice = \"d2q9\"\nmach = {}\n", 3.2 / n as f64);
        let [error, lost] = carried::run_pulse(&METHOD, &carried::pulse("lbm", n, &more));
        println!("pulse, {n} x {n}: sum changes by {lost:.1e}");
        assert!(lost < 1e-12, "{lost}");
        error
    });
    assert!(fine < 0.03, "{fine}");
}

#[test]
fn a_slab_with_a_source_is_exact_and_a_closed_box_keeps_what_comes_in() {
    for source in ["4.0", "\"4 + 0*x\""] {
        let error = carried::slab_error(&METHOD, &carried::slab("lbm", source, ""), 0.0);
        println!("slab with a source of {source}: {error:.1e} off");
        assert!(error < 1e-10, "{error}");
    }
    for source in ["2.0", "\"x^2 + y\""] {
        let case = carried::sourced_cavity("lbm", source, "");
        let lost = carried::kept_of_source(&METHOD, &case, 100);
        println!("closed box: {lost:.1e} of what came in is lost");
        assert!(lost < 1e-12, "{lost}");
    }
}

#[test]
fn a_source_by_formula_is_of_second_order() {
    carried::assert_second_order("source by formula", [16, 32], |n| {
        // Errors of compressibility fall with the square of the Mach number.
        let more = format!("[lbm]\nlattice = \"d2q9\"\nmach = {}\n", 1.6 / n as f64);
        carried::sourced_error(&METHOD, &carried::sourced_channel("lbm", n, &more))
    });
}

#[test]
fn what_cannot_be_computed_is_refused() {
    let table = "[lbm]\nlattice = \"d2q9\"\nstorage = \"f16\"\n";
    let case = carried::slab("lbm", "1.0", table).precision(Precision::F32);
    let error = (METHOD.check)(&case).expect_err("16 bits").to_string();
    assert!(error.starts_with("lbm.storage: ") && error.contains("heat and scalars"), "{error}");
}

#[test]
fn a_scalar_that_follows_stream_lines_converges_with_second_order() {
    carried::assert_second_order("scalar in vortices", [16, 32], |n| {
        let more = &format!("[lbm]\nlattice = \"d2q9\"\nmach = {}\n", 1.6 / n as f64);
        let case = carried::scalar_in_vortices("lbm", n, more);
        carried::error_in_vortices(&METHOD, &case)
    });
}
