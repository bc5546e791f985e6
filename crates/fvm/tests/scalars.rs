//! Scalars with names: the same as a temperature that moves nothing, a moving pulse, and the same bits on any ranks and
//! after a restart.

use crate::carried;
use vortice_fvm::METHOD;

fn channel(layers: usize, until: &str) -> String {
    carried::channel(layers, "symmetry", &format!("method = \"fvm\"\nuntil = {until}"))
}

#[test]
fn a_scalar_is_a_temperature_that_moves_nothing() {
    for until in ["1e9", "\"steady\""] {
        carried::assert_scalar_is_a_temperature(&METHOD, &channel(1, until), "");
    }
}

#[test]
fn any_ranks_threads_and_restarts_give_the_same_bits() {
    for until in ["1e9", "\"steady\""] {
        let text = carried::with_scalars(&channel(4, until));
        carried::assert_same_bits(&METHOD, &text, (8, 5), &[([3, 1, 2], 1), ([1, 1, 1], 3)]);
        for walls in ["exact", "stairs"] {
            let text = carried::with_bodies(&text, walls);
            carried::assert_same_bits(&METHOD, &text, (8, 5), &[([3, 1, 2], 1)]);
        }
    }
}

#[test]
fn a_moving_pulse_converges_with_second_order_and_loses_nothing() {
    let fine = carried::assert_second_order("pulse, central", [32, 64], |n| {
        let more =
            "[fvm]\nscalar-convection = \"central\"\ncourant = 0.25\nconvection = \"central\"\n";
        let [error, lost] = carried::run_pulse(&METHOD, &carried::pulse("fvm", n, more));
        println!("pulse, central, {n} x {n}: sum changes by {lost:.1e}");
        assert!(lost < 1e-9, "{lost}");
        error
    });
    assert!(fine < 0.05, "{fine}");
}

#[test]
fn a_slab_with_a_source_is_exact_and_a_closed_box_keeps_what_comes_in() {
    for source in ["4.0", "\"4 + 0*x\""] {
        let case = carried::slab("fvm", source, "");
        let error = carried::slab_error(&METHOD, &case, 4.0 / 256.0 / (8.0 * 0.5));
        println!("slab with a source of {source}: {error:.1e} off");
        assert!(error < 1e-10, "{error}");
    }
    let case = carried::sourced_cavity(
        "fvm",
        "\"x^2 + y\"",
        "[fvm]\npressure = { multigrid-cg = { retol = 1e-10 } }\nouter-iterations = 20\n",
    );
    let lost = carried::kept_of_source(&METHOD, &case, 100);
    println!("closed box: {lost:.1e} of what came in is lost");
    assert!(lost < 1e-9, "{lost}");
}

#[test]
fn a_source_by_formula_is_of_second_order() {
    carried::assert_second_order("source by formula", [16, 32], |n| {
        let more = "[fvm]\nscalar-convection = \"central\"\n";
        carried::sourced_error(&METHOD, &carried::sourced_channel("fvm", n, more))
    });
}

#[test]
fn a_scalar_that_follows_stream_lines_converges_with_second_order() {
    carried::assert_second_order("scalar in vortices", [16, 32], |n| {
        let more =
            "[fvm]\nconvection = \"central\"\nscalar-convection = \"central\"\ncourant = 0.5\n";
        let case = carried::scalar_in_vortices("fvm", n, more);
        carried::error_in_vortices(&METHOD, &case)
    });
}
