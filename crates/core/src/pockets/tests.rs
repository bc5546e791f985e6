use crate::Case;

/// A plane box of 2 m x 1 m in cells of 0.1 m: lines before its faces, and the six faces.
fn case(more: &str, faces: [&str; 4]) -> Case {
    let text = format!(
        "title = 'pockets'\ngrid = {{ cells = [20, 10, 1], size = [2.0, 1.0, 0.1] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\nrun = {{ until = 1.0 }}\n{more}\n[boundary]\n\
         x-low = {}\nx-high = {}\ny-low = {}\ny-high = {}\nz-low = 'periodic'\nz-high = 'periodic'\n",
        faces[0], faces[1], faces[2], faces[3]
    );
    Case::parse(&text, "pockets").unwrap_or_else(|error| panic!("{error}"))
}

const STILL: &str = "fluid = { viscosity = 0.01 }\n";
const WALL: &str = "'wall'";
const LID: &str = "{ wall = { velocity = [1, 0, 0] } }";
const PERIODIC: &str = "'periodic'";
const INFLOW: &str = "{ inflow = { velocity = [1, 0, 0] } }";
/// A wall from y-low to y-high.
const ACROSS: &str = "solid = [{ low = [0.5, 0, 0], high = [0.7, 1, 0.1] }]\n";
/// A wall from x-low to x-high.
const ALONG: &str = "solid = [{ low = [0, 0.3, 0], high = [2, 0.5, 0.1] }]\n";

/// How many cells pockets have, each found by asking for it; by the number of solid cells too.
fn closed(case: &Case) -> usize {
    let with = case.solids();
    let mut without = case.clone();
    without.pockets = super::Pockets::default();
    let of_solids = without.solids();
    let cells = || (0..200_isize).map(|n| [n % 20, n / 20, 0]);
    let closed = cells().filter(|&cell| with.contains(cell) && !of_solids.contains(cell)).count();
    assert_eq!(with.count(), of_solids.count() + closed);
    let surfaces = crate::Surfaces::new(case);
    for j in 0..10 {
        for i in surfaces.inner_cells([j, 0], 0..20).into_iter().flatten() {
            assert!(!with.contains([i as isize, j, 0]), "{i} {j}");
        }
    }
    let warned = case.warnings().iter().any(|warning| warning.contains("close in"));
    assert_eq!(warned, closed > 0);
    closed
}

#[test]
fn a_part_that_nothing_drives_is_a_pocket() {
    let of = |more: &str, faces| closed(&case(&format!("{STILL}{more}"), faces));
    // The larger part has no lid either, and is none.
    assert_eq!(of(ACROSS, [WALL; 4]), 50);
    assert_eq!(of(ALONG, [WALL, WALL, WALL, LID]), 60);
    // The smaller part is driven, the larger not.
    assert_eq!(of(ALONG, [WALL, WALL, LID, WALL]), 100);
    // A lid above both.
    assert_eq!(of(ACROSS, [WALL, WALL, WALL, LID]), 0);
    // Before and behind, an inflow and an outflow.
    assert_eq!(of(ACROSS, ["'outflow'", "'outflow'", WALL, WALL]), 0);
    assert_eq!(of(ALONG, [INFLOW, "'outflow'", WALL, WALL]), 0);
    // Across a periodic end both parts are one.
    assert_eq!(of(ACROSS, [PERIODIC, PERIODIC, WALL, WALL]), 0);
    assert_eq!(of(ALONG, [WALL, WALL, PERIODIC, PERIODIC]), 0);
    assert_eq!(of("", [WALL, WALL, WALL, LID]), 0);
}

#[test]
fn a_force_drives_what_goes_on_across_a_periodic_end() {
    let of = |force: &str, more: &str, faces| {
        closed(&case(&format!("fluid = {{ viscosity = 0.01, force = {force} }}\n{more}"), faces))
    };
    let along_x = [PERIODIC, PERIODIC, WALL, WALL];
    assert_eq!(of("[1, 0, 0]", ALONG, along_x), 0);
    assert_eq!(of("[0, 1, 0]", ALONG, along_x), 60);
    let along_y = [WALL, WALL, PERIODIC, PERIODIC];
    assert_eq!(of("[0, 1, 0]", ACROSS, along_y), 0);
    assert_eq!(of("[1, 0, 0]", ACROSS, along_y), 50);
    // What moves at the start goes on for a while.
    let begins = format!("{ALONG}initial = {{ velocity = [1, 0, 0] }}\n");
    assert_eq!(of("[0, 0, 0]", &begins, along_x), 0);
    assert_eq!(of("[0, 0, 0]", ALONG, along_x), 60);
    // A hole in a body is closed, whatever acts on it.
    let ring = "body.ring = { inside = '(x - 1)^2 + (y - 0.5)^2 < 0.16 and (x - 1)^2 + (y - 0.5)^2 > 0.04' }\n";
    assert_eq!(of("[1, 0, 0]", ring, along_x), 12);
}

#[test]
fn a_body_that_turns_drives_what_it_touches() {
    let ring = "inside = '(x - 1)^2 + (y - 0.5)^2 < 0.16 and (x - 1)^2 + (y - 0.5)^2 > 0.09'";
    let of = |rotation: f64, faces| {
        let wheel =
            format!("circle = {{ centre = [1, 0.5], radius = 0.12 }}, rotation = {rotation}");
        let case = case(
            &format!("{STILL}body = {{ ring = {{ {ring} }}, wheel = {{ {wheel} }} }}\n"),
            faces,
        );
        let solids = case.solids();
        (closed(&case), solids.contains([0, 0, 0]), solids.contains([11, 6, 0]))
    };
    // At rest the outside is the larger one; it is not driven if the wheel turns.
    let (inside, ..) = of(0.0, [WALL; 4]);
    assert!(inside > 0 && of(0.0, [WALL; 4]) == (inside, false, true));
    let (outside, outside_is_solid, _) = of(2.0, [WALL; 4]);
    assert!(outside > inside && outside_is_solid);
    assert_eq!(of(2.0, [INFLOW, "'outflow'", WALL, WALL]).0, 0);
}

#[test]
fn pockets_belong_to_the_grid_and_the_solids_that_they_were_found_in() {
    let mut case = case(&format!("{STILL}{ALONG}"), [WALL, WALL, WALL, LID]);
    assert!(case.solids().contains([3, 1, 0]));
    let text = case.warnings().join("\n");
    let said = "solids close in 60 cells of fluid that nothing drives, in 1 pocket, the largest at x = 0.05 m, \
                y = 0.05 m, z = 0.05 m";
    assert!(text.contains(said), "{text}");
    let finer = crate::Grid::uniform([40, 20, 1], [2.0, 1.0, 0.1], [0.0; 3]);
    case.grid = finer;
    assert!(!case.solids().contains([3, 1, 0]));
    case.close_pockets();
    assert!(case.solids().contains([3, 1, 0]) && case.solids().count() == 40 * 10);
    case.solid.clear();
    assert!(case.solids().count() == 0);
}

#[test]
fn in_space_pockets_are_found_cell_by_cell() {
    // A hollow box of solids, and a notch in the wall that is open.
    let text = "title = 'pockets'\ngrid = { cells = [9, 8, 7], size = [9.0, 8.0, 7.0] }\n\
        fluid = { viscosity = 0.01 }\nscale = { length = 1.0, velocity = 1.0 }\nrun = { until = 1.0 }\n\
        solid = [{ low = [1, 1, 1], high = [7, 6, 2] }, { low = [1, 1, 4], high = [7, 6, 5] },\n\
        { low = [1, 1, 2], high = [2, 6, 4] }, { low = [6, 1, 2], high = [7, 6, 4] },\n\
        { low = [2, 1, 2], high = [6, 2, 4] }, { low = [2, 5, 2], high = [6, 6, 4] }]\n[boundary]\n\
        x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'wall'\n\
        z-high = { wall = { velocity = [1, 0, 0] } }\n";
    let case = Case::parse(text, "pockets").unwrap();
    assert_eq!(case.solids().count(), 6 * 5 * 4);
    assert!(case.solids().contains([3, 3, 2]) && !case.solids().contains([3, 3, 0]));
    let open = text
        .replace("{ low = [6, 1, 2], high = [7, 6, 4] }", "{ low = [6, 1, 2], high = [7, 5, 3] }");
    let case = Case::parse(&open, "pockets").unwrap();
    assert!(!case.solids().contains([3, 3, 2]) && case.warnings().is_empty());
}
