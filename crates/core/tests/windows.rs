//! What is looked at of a flow in part has the bits of the whole, on any ranks.

use std::ops::Range;

use vortice_core::{
    Case, Communicator, Cost, Decomposition, Energy, Extent, Field, Location, Quantity, Result,
    Shape, Snapshot, Solver, StateReader, StateWriter, Step, Subdomain, Threads, Window,
};

/// A flow of numbers without order.
struct Noise(Subdomain);

impl Solver for Noise {
    fn now(&self) -> Step {
        Step::default()
    }
    fn step(&mut self, _: f64) -> Result<Step> {
        Ok(Step::default())
    }
    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let [_, ny, nz] = self.0.n();
        let mut field = self.rows(quantity, 0..ny * nz)?;
        field.shape.cells = self.0.n();
        Ok(field)
    }
    fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let [nx, ny, _] = self.0.n();
        let shape = Shape { cells: [nx, rows.len(), 1], halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, quantity.components());
        let places = (0..field.components).flat_map(|c| rows.clone().map(move |row| (c, row)));
        for (values, (c, row)) in field.values.chunks_exact_mut(nx).zip(places) {
            let [x, y, z] = self.0.offset();
            let [y, z] = [y + row % ny, z + row / ny].map(|i| i as f64);
            for (i, value) in values.iter_mut().enumerate() {
                *value = (3.1 * (x + i) as f64 + 7.7 * y + 1.3 * z + 17.0 * c as f64).sin();
            }
        }
        Ok(field)
    }
    fn save(&mut self, _: &mut dyn StateWriter) -> Result<()> {
        Ok(())
    }
    fn restore(&mut self, _: &dyn StateReader) -> Result<()> {
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost { bytes_per_cell: 0.0, bytes_per_step: 0.0, bytes_per_iteration: 0.0 }
    }
}

fn case(cells: [usize; 3], faces: [&str; 6]) -> Case {
    let [a, b, c, d, e, f] = faces;
    let text = format!(
        "title = 'noise'\ngrid = {{ cells = {cells:?}, size = [7.0, 6.0, 5.0] }}\n\
         fluid = {{ viscosity = 0.1 }}\nrun = {{ until = 1.0 }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         solid = [{{ low = [2.0, 1.0, 0.0], high = [3.0, 3.0, 5.0] }}]\n[boundary]\nx-low = {a}\n\
         x-high = {b}\ny-low = {c}\ny-high = {d}\nz-low = {e}\nz-high = {f}\n"
    );
    Case::parse(&text, "noise").expect("a case")
}

/// Every part of a flow that is looked at, against the whole.
fn expect_bits_of_the_whole(case: &Case, ranks: usize) {
    let cells = case.grid.cells();
    let cut = Decomposition::choose(cells, ranks, case.boundaries.periodic()).expect("a cut");
    let quantities: Vec<_> = case.quantities();
    let thin = |d: usize, i: usize| {
        let mut extent = Extent::whole(cells);
        extent.cells[d] = i..i + 1;
        extent
    };
    let parts: Vec<Extent> = (0..3)
        .flat_map(|d| [0, cells[d] / 2, cells[d] - 1].map(|i| thin(d, i)))
        .chain([Extent { cells: cells.map(|n| n / 3..n - n / 4) }, Extent::whole(cells)])
        .collect();
    Threads::run(ranks, |rank| {
        // Each rank wants another part, the first all of them.
        let look = |solver: &mut Noise, number: usize| {
            let mut now = Snapshot::new(Step::default(), case, &rank, &cut, solver);
            let wanted =
                |rank: usize| (rank != 2).then(|| parts[(number + rank) % parts.len()].clone());
            let wanted: Vec<_> = (0..ranks).map(wanted).collect();
            let quantities: Vec<_> = quantities
                .iter()
                .copied()
                .filter(|&quantity| ranks == 1 || quantity != Quantity::StreamFunction)
                .collect();
            let found = now.quantities_in(&wanted, &quantities)?;
            Ok((wanted[rank.rank()].clone(), found, quantities))
        };
        let solver = &mut Noise(cut.subdomain(rank.rank()));
        let mut whole = Snapshot::new(Step::default(), case, &rank, &cut, solver);
        let whole: Vec<_> =
            quantities.iter().map(|&quantity| whole.whole(quantity)).collect::<Result<_>>()?;
        // What the first rank has, on all.
        let on_all = |field: Option<std::sync::Arc<Field>>| -> Result<Field> {
            let values = field.as_ref().map_or(&[][..], |field| &field.values[..]);
            let bytes = rank.broadcast(bytemuck::cast_slice(values).to_vec())?;
            let values: Vec<f64> =
                bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            let shape = Shape { cells, halo: [0; 3] };
            let components = values.len() / shape.len();
            Ok(Field { location: Location::Centre, shape, components, values })
        };
        let whole = whole.into_iter().map(on_all).collect::<Result<Vec<_>>>()?;
        let solver = &mut Noise(cut.subdomain(rank.rank()));
        for number in 0..parts.len() {
            let (part, windows, quantities): (Option<Extent>, _, Vec<Quantity>) =
                look(solver, number)?;
            let (Some(part), Some(windows)) = (part, windows) else {
                assert_eq!(rank.rank(), 2, "each other rank wants a part");
                continue;
            };
            assert_eq!(windows.len(), quantities.len());
            for ((window, whole), quantity) in windows.iter().zip(&whole).zip(&quantities) {
                let cells: [Range<isize>; 3] =
                    part.cells.each_ref().map(|r| r.start as isize..r.end as isize);
                let found = window.cut(&cells);
                for cell in found.own_cells() {
                    let global = std::array::from_fn(|d| cell[d] + cells[d].start);
                    for c in 0..found.components {
                        let (one, other) = (found.at(c, cell), whole.at(c, global));
                        let name = quantity.name();
                        assert_eq!(one.to_bits(), other.to_bits(), "{name} {part:?} {global:?}");
                    }
                }
            }
        }
        let mut now = Snapshot::new(Step::default(), case, &rank, &cut, solver);
        assert_eq!(now.energy()?, Energy::of(case, &whole[0]), "on all ranks");
        let in_boxes = now.in_boxes(&parts)?;
        assert_eq!(in_boxes.len(), if rank.rank() == 0 { 2 } else { 0 });
        for ((quantity, windows), whole) in in_boxes.iter().zip(&whole) {
            assert_eq!(windows.len(), parts.len());
            for (window, part) in windows.iter().zip(&parts) {
                let cells = part.cells.each_ref().map(|r| r.start as isize..r.end as isize);
                let name = quantity.name();
                assert_eq!(window.field(), &Window::whole(whole).cut(&cells), "{name} {part:?}");
            }
        }
        Ok(())
    })
    .expect("no error");
}

#[test]
fn parts_have_the_bits_of_the_whole_on_any_ranks() {
    const WALL: &str = "'wall'";
    const PERIODIC: &str = "'periodic'";
    const IN: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0] } }";
    const OUT: &str = "{ outflow = { pressure = 0.0 } }";
    for (cells, faces) in [
        ([14, 12, 10], [WALL, WALL, WALL, "{ wall = { velocity = [1.0, 0.0, 0.0] } }", WALL, WALL]),
        ([14, 12, 10], [PERIODIC; 6]),
        ([14, 12, 10], [IN, OUT, WALL, "'symmetry'", PERIODIC, PERIODIC]),
        ([14, 12, 1], [IN, OUT, WALL, "'symmetry'", PERIODIC, PERIODIC]),
    ] {
        for ranks in [1, 3, 4] {
            expect_bits_of_the_whole(&case(cells, faces), ranks);
        }
    }
}

#[test]
fn energies_of_many_slabs_have_the_same_bits_on_any_ranks() {
    let [wall, periodic] = ["'wall'", "'periodic'"];
    expect_energies_of_one_rank(&case(
        [1024, 2100, 1],
        [wall, wall, wall, wall, periodic, periodic],
    ));
    expect_energies_of_one_rank(&case([530, 500, 11], [periodic; 6]));
}

fn expect_energies_of_one_rank(case: &Case) {
    let energy = |ranks| {
        let periodic = case.boundaries.periodic();
        let cut = Decomposition::choose(case.grid.cells(), ranks, periodic).expect("a cut");
        let found = Threads::run(ranks, |rank| {
            let solver = &mut Noise(cut.subdomain(rank.rank()));
            let mut now = Snapshot::new(Step::default(), case, &rank, &cut, solver);
            now.energy()
        });
        let found = found.expect("no error");
        assert!(found.iter().all(|one| *one == found[0]), "all ranks have the same");
        found[0]
    };
    let one = energy(1);
    assert!(one.kinetic_energy > 0.0 && one.dissipation > 0.0, "{one:?}");
    for ranks in [2, 5] {
        assert_eq!(energy(ranks), one, "{ranks} ranks");
    }
}
