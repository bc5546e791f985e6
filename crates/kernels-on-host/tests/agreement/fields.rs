//! Fields that two solvers have, compared.

use vortice_core::{Field, FieldLater, Quantity, RowBlock, Solver};

/// Compares velocity, pressure, and temperature and scalars, if the flow has some, in all cells and in some rows, heat through faces and
/// the forces on bodies.
pub(crate) fn expect_same_fields(name: &str, one: &mut dyn Solver, other: &mut dyn Solver) {
    let [dye, salt] = ["dye", "salt"].map(Quantity::scalar);
    let [_, n_j, n_k] = one.field(Quantity::Velocity).expect("a velocity").shape.cells;
    let some = [0..n_j * n_k, n_j / 3..n_j - n_j / 4];
    let later = some.map(|rows| {
        let both = [one.velocity_later(rows.clone()), other.velocity_later(rows.clone())];
        (rows, both)
    });
    let all = [Quantity::Velocity, Quantity::Pressure, Quantity::Temperature, dye, salt];
    for quantity in all {
        let is_there = one.field(quantity).is_ok();
        assert_eq!(other.field(quantity).is_ok(), is_there, "{name}");
        if !is_there {
            continue;
        }
        let whole = one.field(quantity).expect("a field");
        assert!(whole.values.iter().all(|x| x.is_finite()), "{name}: not finite");
        let same = other.field(quantity).expect("a field");
        assert!(whole == same, "{name}: {}", quantity.name());
        let cells = whole.shape.cells;
        let all = cells[1] * cells[2];
        let some = [all / 3..all - all / 4, all - 1..all, 0..0];
        let of_layers = (0..cells[2]).map(|k| k * cells[1] + 1..k * cells[1] + 2);
        for rows in some.into_iter().chain(of_layers) {
            let found = [one.rows(quantity, rows.clone()), other.rows(quantity, rows.clone())];
            for some in found.map(|some| some.expect("a field")) {
                assert_eq!(some.shape.cells, [cells[0], rows.len(), 1], "{name}");
                for c in 0..some.components {
                    let places = rows.start * cells[0]..rows.end * cells[0];
                    assert!(some.component(c) == &whole.component(c)[places], "{name}: {rows:?}");
                }
            }
        }
    }
    for quantity in all {
        if one.field(quantity).is_err() {
            continue;
        }
        let whole = one.field(quantity).expect("a field");
        expect_blocks(name, quantity, &whole, [&mut *one, &mut *other]);
    }
    for (rows, both) in later {
        let velocity = one.rows(Quantity::Velocity, rows).expect("a velocity");
        for later in both {
            let received = later.and_then(FieldLater::receive).expect("a velocity");
            assert!(received == velocity, "{name}: received later");
        }
    }
    let [told, same] =
        [one.surface_fluxes(), other.surface_fluxes()].map(|told| told.expect("what faces let in"));
    assert_eq!(told, same, "{name}: heat through faces");
    // Nothing is felt before the first step.
    if one.now().number > 0 {
        let [found, same] = [one.forces(), other.forces()].map(|all| all.expect("forces"));
        assert!(found.iter().all(|body| body.force.iter().all(|f| f.is_finite())), "{name}");
        assert_eq!(found, same, "{name}: forces");
    }
}

/// Rows of several layers at once, against the whole field.
fn expect_blocks(name: &str, quantity: Quantity, whole: &Field, solvers: [&mut dyn Solver; 2]) {
    let [n, n_j, n_k] = whole.shape.cells;
    let block = |of_layer, layers| RowBlock { of_layer, layers, stride: n_j };
    let middle = n_j * (n_k / 2);
    let blocks = [
        block(0..n_j, n_k),
        block(n_j / 3..n_j / 3 + 1, n_k),
        block(middle + n_j / 2..middle + n_j, n_k - n_k / 2),
    ];
    for solver in solvers {
        for rows in &blocks {
            let found = solver.block(quantity, rows).expect("a field");
            assert_eq!(found.shape.cells, [n, rows.of_layer.len(), rows.layers], "{name}");
            for (c, nth) in
                (0..found.components).flat_map(|c| (0..rows.count()).map(move |r| (c, r)))
            {
                let row = &found.component(c)[nth * n..(nth + 1) * n];
                let number = rows.number(nth);
                let same = &whole.component(c)[number * n..(number + 1) * n];
                assert!(row == same, "{name}: {} {rows:?} {nth}", quantity.name());
            }
        }
    }
}
