//! Scalars with names: the same as a temperature that moves nothing, a moving pulse, and the same bits on any ranks and
//! after a restart.

use crate::carried;
use vortice_fdm::METHOD;

fn channel(layers: usize) -> String {
    carried::channel(layers, "periodic", "method = \"fdm\"\nuntil = 1e9")
}

#[test]
fn a_scalar_is_a_temperature_that_moves_nothing() {
    carried::assert_scalar_is_a_temperature(&METHOD, &channel(1), "[fdm]\ndt = 1e-3\n");
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
    for (scheme, grids) in [("central", [32, 64]), ("van-leer", [32, 64])] {
        let fine = carried::assert_second_order(&format!("pulse, {scheme}"), grids, |n| {
            let more = format!("[fdm]\nscalar-convection = \"{scheme}\"\n");
            let [error, lost] = carried::run_pulse(&METHOD, &carried::pulse("fdm", n, &more));
            println!("pulse, {scheme}, {n} x {n}: sum changes by {lost:.1e}");
            assert!(lost < 1e-13, "{lost}");
            error
        });
        assert!(fine < 0.03, "{fine}");
    }
}

#[test]
fn a_slab_with_a_source_is_exact_and_a_closed_box_keeps_what_comes_in() {
    for source in ["4.0", "\"4 + 0*x\""] {
        let case = carried::slab("fdm", source, "");
        let error = carried::slab_error(&METHOD, &case, 4.0 / 256.0 / (8.0 * 0.5));
        println!("slab with a source of {source}: {error:.1e} off");
        assert!(error < 1e-10, "{error}");
    }
    let case = carried::sourced_cavity(
        "fdm",
        "\"x^2 + y\"",
        "[fdm]\nstop = { residual = 1e-12 }\nmax-iterations = 20000\n",
    );
    let lost = carried::kept_of_source(&METHOD, &case, 100);
    println!("closed box: {lost:.1e} of what came in is lost");
    assert!(lost < 1e-12, "{lost}");
}

#[test]
fn a_source_by_formula_is_of_second_order() {
    carried::assert_second_order("source by formula", [16, 32], |n| {
        let more = "[fdm]\nscalar-convection = \"central\"\n";
        carried::sourced_error(&METHOD, &carried::sourced_channel("fdm", n, more))
    });
}

#[test]
fn a_scalar_that_follows_stream_lines_converges_with_second_order() {
    carried::assert_second_order("scalar in vortices", [16, 32], |n| {
        let more = "[fdm]\nscalar-convection = \"central\"\n";
        let case = carried::scalar_in_vortices("fdm", n, more);
        carried::error_in_vortices(&METHOD, &case)
    });
}
