use super::*;
use crate::layout::Layout;
use crate::links::Links;
use vortice_core::{Case, Context};

const IN: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0] } }";
const SLANTED: &str = "{ inflow = { velocity = [0.8, 0.5, 0.0] } }";
const UP: &str = "{ inflow = { velocity = [0.0, 0.4, 0.0] } }";
const PARABOLA: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0], \
                        profile = { parabolic = { along = 'y', from = 0.13, to = 0.71 } } } }";
const PART: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0], \
                    profile = { uniform = { along = 'y', from = 0.13, to = 0.71 } } } }";
const WALL: &str = "'wall'";
const MIRROR: &str = "'symmetry'";
const PERIODIC: &str = "'periodic'";
const OUT: &str = "'outflow'";

/// Lowest and highest corner, in cells.
type Solid = [[i32; 3]; 2];

/// A box of 6 x 8 x 7 cells, or one cell in z.
fn case(faces: [&str; 6], solid: &[Solid], lattice: &str) -> Case {
    let nz = if faces[4] == PERIODIC && lattice == "d2q9" { 1 } else { 7 };
    let solid: String = solid
        .iter()
        .map(|[low, high]| {
            let depth = if nz == 1 { [0, 1] } else { [low[2], high[2]] };
            let [a, b] = [[low[0], low[1], depth[0]], [high[0], high[1], depth[1]]]
                .map(|corner| corner.map(|i| f64::from(i) / 8.0));
            format!("{{ low = {a:?}, high = {b:?} }},")
        })
        .collect();
    let text = format!(
        "title = 'box'\ngrid = {{ cells = [6, 8, {nz}], size = [0.75, 1.0, {}] }}\n\
         fluid = {{ viscosity = 0.1 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ until = 1.0, device = 'cpu' }}\nsolid = [{solid}]\n[boundary]\nx-low = {}\n\
         x-high = {}\ny-low = {}\ny-high = {}\nz-low = {}\nz-high = {}\n\
         [lbm]\nlattice = '{lattice}'\n",
        f64::from(nz) / 8.0,
        faces[0],
        faces[1],
        faces[2],
        faces[3],
        faces[4],
        faces[5]
    );
    Case::parse(&text, "box").unwrap_or_else(|error| panic!("{text}{error}: {}", error.remedy()))
}

/// What enters in a step by the links of the lattice, over what is prescribed before cells of the flow.
fn ratio<const Q: usize>(case: &Case) -> f64 {
    let settings = Settings::of(case).expect("settings");
    let part = Context::alone().decomposition(case).expect("a rank").subdomain(0);
    let site = Site::new(&settings);
    let layout = Layout::new(&part, &site);
    let links = Links::new::<Q>(&settings, &site, &layout, &part);
    let enters: f64 = links.additions.iter().map(|&(_, add)| add).sum();

    let (grid, mut prescribed) = (&case.grid, 0.0);
    let n = grid.cells().map(|n| n as isize);
    for (d, side, face) in case.boundaries.iter() {
        let Boundary::Inflow { .. } = face else { continue };
        let (a, b) = ((d + 1) % 3, (d + 2) % 3);
        for (i, j) in (0..n[a]).flat_map(|i| (0..n[b]).map(move |j| (i, j))) {
            let mut cell = [0; 3];
            (cell[a], cell[b]) = (i, j);
            cell[d] = if side == Side::Low { 0 } else { n[d] - 1 };
            if site.surfaces.is_solid(cell) {
                continue;
            }
            let corner =
                |end: f64| std::array::from_fn(|e| grid.axes[e].centre(cell[e]) + end * 0.125);
            let u = face.velocity(corner(-0.5), corner(0.5)).expect("an inflow")[d];
            prescribed += if side == Side::Low { u } else { -u };
        }
    }
    enters / (prescribed / settings.velocity_unit())
}

/// The same for each lattice that can.
fn ratios(faces: [&str; 6], solid: &[Solid]) -> Vec<(&'static str, f64)> {
    let mut found = vec![
        ("d3q15", ratio::<15>(&case(faces, solid, "d3q15"))),
        ("d3q19", ratio::<19>(&case(faces, solid, "d3q19"))),
        ("d3q27", ratio::<27>(&case(faces, solid, "d3q27"))),
    ];
    if faces[4] == PERIODIC {
        found.push(("d2q9", ratio::<9>(&case(faces, solid, "d2q9"))));
    }
    found
}

/// Every profile beside every boundary enters as it is prescribed; eq. (L13b).
#[test]
fn what_enters_is_what_is_prescribed() {
    let solids: [&[Solid]; 4] = [
        &[],
        &[[[0, 0, 0], [2, 3, 7]]],                         // a step
        &[[[0, 2, 2], [2, 4, 4]], [[0, 4, 4], [2, 6, 6]]], // that meet at an edge
        &[[[1, 2, 2], [3, 4, 4]]],                         // behind the face
    ];
    let sides = [
        [WALL, WALL, WALL, WALL],
        [WALL, MIRROR, PERIODIC, PERIODIC],
        [WALL, MIRROR, MIRROR, WALL],
        [PERIODIC, PERIODIC, WALL, WALL],
        [PERIODIC, PERIODIC, PERIODIC, PERIODIC],
        [UP, OUT, PERIODIC, PERIODIC],
        [UP, OUT, MIRROR, WALL],
        [WALL, WALL, PERIODIC, PERIODIC],
    ];
    for inflow in [IN, SLANTED, PARABOLA, PART] {
        for [a, b, c, d] in sides {
            for solid in solids {
                for (lattice, ratio) in ratios([inflow, OUT, a, b, c, d], solid) {
                    let what = format!("{inflow} {a} {b} {c} {d} {solid:?} {lattice}");
                    assert!((ratio - 1.0).abs() < 1e-12, "{what}: {ratio}");
                }
            }
        }
    }
}

/// From either side, and two inflows that meet at an edge.
#[test]
fn inflows_add_up_where_they_meet() {
    let left = "{ inflow = { velocity = [-1.0, 0.3, 0.0] } }";
    for faces in [
        [OUT, left, WALL, WALL, WALL, WALL],
        [OUT, left, UP, WALL, WALL, MIRROR],
        [IN, OUT, UP, "{ inflow = { velocity = [0.0, -0.7, 0.0] } }", PERIODIC, PERIODIC],
    ] {
        for (lattice, ratio) in ratios(faces, &[]) {
            assert!((ratio - 1.0).abs() < 1e-12, "{faces:?} {lattice}: {ratio}");
        }
    }
}
