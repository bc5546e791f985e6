//! Predictions that can be made by hand.

use vortice_core::Devices;

use super::*;

fn case(cells: &str, device: &str) -> Case {
    let devices: Devices = device.parse().expect("devices");
    let sets = [format!("grid.cells={cells}"), "grid.size=[1.0,1.0,1.0]".into()];
    crate::open_case("cavity-3d", &sets).expect("a built-in case").device(devices)
}

/// Lattice Boltzmann, D3Q19 in single precision.
const LBM: Traffic = Traffic {
    moved: 152.0,
    reached: 1.0,
    sent: 20.0,
    exchanges: 1.0,
    reductions: 0.0,
    iterations: 0.0,
};

fn foresee(case: Case, ranks: usize, traffic: Traffic) -> Prediction {
    let machine = Machine::of(&case, ranks);
    Prediction::new(case, traffic, machine)
}

#[test]
fn large_grids_on_gpus_are_computed_well_and_small_ones_are_not() {
    let times = |cells, ranks| {
        let case = case(cells, "cuda");
        let cut = case.decomposition(None, ranks).unwrap();
        foresee(case, ranks, LBM).times(&cut)
    };
    let large = times("[512,512,512]", 4);
    // 2 x 2 parts of 512 x 256 x 256 cells: 33.5 million, 2 faces of 131072 cells.
    assert_eq!(large.compute, 512.0_f64.powi(3) / 4.0 * 152.0 / 4e12);
    let sent = 2.0 * 512.0 * 256.0 * 20.0;
    assert!((large.exchange - (sent / 350e9 + 2.0 * 5e-6)).abs() < 1e-12, "{large:?}");
    assert!(large.efficiency > 0.95 && times("[32,32,32]", 4).efficiency < 0.3);
    assert_eq!(times("[32,32,32]", 1).efficiency, 1.0);
}

#[test]
fn ranks_that_do_not_pay_are_told() {
    let warning = |cells, ranks, traffic| {
        let case = case(cells, "cuda");
        let cut = case.decomposition(None, ranks).unwrap();
        foresee(case, ranks, traffic).warning(&cut)
    };
    assert_eq!(warning("[512,512,512]", 8, LBM), None);
    let said = warning("[32,32,32]", 8, LBM).expect("far too small");
    assert!(said.starts_with("8 ranks do not pay: 1 is about as fast"), "{said}");
    let doubled = Traffic { moved: 2.0 * LBM.moved, sent: 2.0 * LBM.sent, ..LBM };
    let said = warning("[64,64,64]", 8, doubled).expect("too small");
    assert!(said.starts_with("8 ranks hardly pay: together they do what 1.5 could"), "{said}");
}

#[test]
fn the_table_lists_other_layouts_and_marks_the_chosen() {
    let case = case("[64,64,64]", "cpu");
    let prediction = foresee(case.clone(), 4, LBM);
    let table = prediction.alternatives(&case.decomposition(None, 4).unwrap()).unwrap();
    assert!(table.contains("1 x 2 x 2 *") && table.contains("2 x 1 x 2 "), "{table}");
    assert_eq!(table.lines().count(), 3 + MOST_LAYOUTS);
    let one = case.decomposition(None, 1).unwrap();
    assert_eq!(prediction.alternatives(&one).unwrap(), "");
}

#[test]
fn a_star_below_another_layout_says_so() {
    for cells in ["[16,16,16]", "[32,32,32]", "[64,64,64]", "[128,128,128]", "[256,32,32]"] {
        for ranks in [2, 4, 6, 8] {
            let case = case(cells, "cpu");
            let cut = case.decomposition(None, ranks).unwrap();
            let table = foresee(case, ranks, LBM).alternatives(&cut).unwrap();
            let first = table.lines().nth(2).unwrap();
            let [x, y, z] = cut.ranks;
            let said =
                table.contains("should be") && !table.contains(&format!("--ranks {x}x{y}x{z} "));
            assert!(
                first.contains('*') || said || table.ends_with("* taken\n"),
                "{cells}: {table}"
            );
        }
    }
}

#[test]
fn ranks_on_processors_bring_cores() {
    let case = case("[64,64,64]", "cpu");
    let prediction = foresee(case.clone(), 4, LBM);
    assert_eq!(prediction.warning(&case.decomposition(None, 4).unwrap()), None);
}

#[test]
fn unlike_ranks_get_what_their_memory_promises() {
    let mixed = case("[16,16,16]", "cuda:0,cpu").balance(Balance::Weights(vec![3.0, 1.0]));
    let prediction = foresee(mixed.clone(), 2, LBM);
    let cut = prediction.cut(Ranks { size: 2, layout: None }).unwrap();
    let facts = prediction.facts(&cut);
    let told = |name: &str| facts.iter().find(|fact| fact.0 == name).unwrap().1.clone();
    assert_eq!(
        (told("ranks"), told("cells per rank")),
        ("2 as 1 x 1 x 2".into(), "1024 to 3072".into())
    );
    assert!(told("prediction assumes").contains("for a GPU, 8 GB/s of memory for a thread"));
    let expected = foresee(mixed.balance(Balance::Auto), 2, LBM);
    let cut = expected.cut(Ranks { size: 2, layout: None }).unwrap();
    assert_eq!(cut.subdomain(0).n(), [16, 16, 14], "as much as a GPU may have beside another");
}
