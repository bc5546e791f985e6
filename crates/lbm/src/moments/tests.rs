//! What is stored comes to a state and back in pieces of any size.

use vortice_core::{Case, Context, State};

use super::*;

/// So many planes at a time, noting where each piece was.
struct Pieces {
    values: Vec<f64>,
    planes: usize,
    seen: Vec<Range<usize>>,
}

impl Stored<f64> for Pieces {
    fn planes(&self) -> usize {
        self.planes
    }

    fn piece(&mut self, places: Range<usize>) -> Result<&mut [f64]> {
        self.seen.push(places.clone());
        Ok(&mut self.values[places])
    }
}

/// Of cells that are cut in y and z to make cubes.
fn settings() -> Settings {
    let text = "title = 'box'\ngrid = { cells = [9, 3, 5], size = [1.125, 0.75, 1.25] }\n\
                fluid = { viscosity = 0.1 }\nscale = { length = 1.0, velocity = 1.0 }\n\
                run = { until = 1.0, device = 'cpu', method = 'lbm' }\n[boundary]\nx-low = 'wall'\n\
                x-high = 'wall'\ny-low = 'periodic'\ny-high = 'periodic'\nz-low = 'periodic'\n\
                z-high = 'periodic'\n[lbm]\nstorage = 'moments'\n";
    Settings::of(&Case::parse(text, "box").expect("a case")).expect("settings")
}

#[test]
fn a_state_is_the_same_in_pieces_of_any_size() {
    let settings = settings();
    assert_eq!(settings.refinement, [1, 2, 2]);
    let part = Context::alone().subdomain(&settings.case).expect("one rank");
    let places = Places::new(&part, &crate::boundary::Site::new(&settings));
    assert_eq!(places.cells, [9, 6, 10]);
    let values: Vec<f64> = (0..places.len()).map(|place| place as f64).collect();
    let saved = |planes| {
        let (mut state, values) = (State::default(), values.clone());
        let mut stored = Pieces { values, planes, seen: Vec::new() };
        save::<f64, f64>(&mut state, &settings, (&places, 1), &mut stored).expect("a state");
        (state, stored.seen.len())
    };
    let (expected, once) = saved(usize::MAX);
    for planes in [1, 2, 4, 7] {
        let (state, pieces) = saved(planes);
        assert!(pieces > once, "{planes}");
        assert_eq!(state, expected, "{planes}");
        let mut stored = Pieces { values: vec![0.0; places.len()], planes, seen: Vec::new() };
        restore::<f64, f64>(&state, &settings, &places, &mut stored).expect("its own state");
        for cell in places.own_cells() {
            for n in 0..NUMBERS {
                let [from, to] = [1, 0].map(|parity| places.cell(parity, cell) + n * LANES);
                assert_eq!(stored.values[to], values[from], "{planes} {cell:?} {n}");
            }
        }
    }
}
