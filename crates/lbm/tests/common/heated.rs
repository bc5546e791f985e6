//! Small flows with heat that have every end between them.

use vortice_core::Case;

/// A small flow with heat.
pub struct Heated {
    pub name: &'static str,
    cells: [usize; 3],
    size: [f64; 3],
    faces: [&'static str; 6],
    /// Tables `fluid`, `heat` and `initial`.
    tables: &'static str,
    /// Whether it carries two scalars beside its heat.
    with_scalars: bool,
    /// Bodies and solid boxes, or nothing.
    solids: &'static str,
}

/// A warm body and one that lets heat in, whose walls are exact, and a solid box that does so too, for the channels.
const BODIES: &str = "body.ball = { cylinder = { centre = [0.74, 0.57, 0.4], radius = 0.24, along = 'z' }, temperature = '0.5 + 0.2*y' }\n\
    body.small = { cylinder = { centre = [1.6, 0.6, 0.4], radius = 0.14, along = 'z' }, heat-flux = '0.3*x' }\n\
    solid = [{ low = [1.25, 0.0, 0.0], high = [1.5, 0.25, DEPTH], heat-flux = 0.3 }]\n";
/// A warm body in stairs.
const STAIRS: &str = "body.ball = { cylinder = { centre = [0.74, 0.57, 0.4], radius = 0.24, along = 'z' }, \
    walls = 'stairs', heat-flux = 0.3 }\n\
    solid = [{ low = [1.25, 0.0, 0.0], high = [1.5, 0.25, DEPTH], temperature = 0.5 }]\n";

const WALL: &str = "'wall'";
const HOT: &str = "{ wall = { temperature = 0.5 } }";
const COLD: &str = "{ wall = { temperature = -0.5 } }";
const FLUX: &str = "{ wall = { heat-flux = 0.3 } }";
const LID: &str = "{ wall = { velocity = [1.0, 0.0, 0.0], temperature = 0.25 } }";
const INFLOW: &str = "{ inflow = { velocity = ['1 + 0.1*sin(9*t)', 0, 0], temperature = 0.1 } }";
const STEADY: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0], temperature = 0.1 } }";
const CONVECTIVE: &str = "{ outflow = { convective = true } }";
const PERIODIC: &str = "'periodic'";
const MIRROR: &str = "'symmetry'";
const SWAYING_INFLOW: &str =
    "{ inflow = { velocity = [1.0, 0.0, 0.0], temperature = '0.1 + 0.2*y*sin(9*t)' } }";
const SWAYING: &str = "{ wall = { temperature = '0.5 + 0.2*x*sin(9*t)' } }";
const SWAYING_FLUX: &str = "{ wall = { heat-flux = '0.3*cos(7*t) + 0.1*x' } }";

/// What falls in a fluid that begins warm in some places.
const BUOYANT: &str = "fluid = { viscosity = 0.02 }\n\
    heat = { prandtl = 0.7, expansion = 1.0, gravity = [0.3, -1.0, 0.0], reference = 0.1 }\n\
    initial = { velocity = [0.5, 0.1, 0.0], temperature = '0.3*sin(5*x) + 0.1*y*z' }\n";

/// The same from rest, with a force that changes.
const SHAKEN: &str = "fluid = { viscosity = 0.02, force = ['cos(7*t)', 0.2, 0] }\n\
    heat = { diffusivity = 0.005, expansion = 1.0, gravity = [0.0, -1.0, 0.0] }\n\
    initial = { temperature = '0.5 - y + 0.2*sin(3*x)' }\n";

/// Heat that is only carried, by a flow that a force drives.
const CARRIED: &str = "fluid = { viscosity = 0.02, force = [0.4, 0.1, 0.0] }\n\
    heat = { diffusivity = 0.2 }\n\
    initial = { velocity = [0.5, 0.0, 0.0], temperature = 'sin(5*x)*y' }\n";

/// Flows in the plane and in space, some of whose cells are cut into cubes.
pub fn heated() -> Vec<Heated> {
    let plane = |name, [n, m]: [usize; 2], f: [&'static str; 4], tables| {
        let (cells, size) = ([n, m, 1], [n as f64 / 8.0, m as f64 / 8.0, 0.125]);
        let faces = [f[0], f[1], f[2], f[3], PERIODIC, PERIODIC];
        Heated { name, cells, size, faces, tables, with_scalars: false, solids: "" }
    };
    let space = |name, cells: [usize; 3], faces, tables| Heated {
        name,
        cells,
        size: cells.map(|n| n as f64 / 8.0),
        faces,
        tables,
        with_scalars: false,
        solids: "",
    };
    let dyed = |flow: Heated| Heated { with_scalars: true, ..flow };
    let past = |solids, flow: Heated| Heated { solids, ..flow };
    vec![
        dyed(plane("dyed channel", [18, 9], [INFLOW, "'outflow'", HOT, FLUX], BUOYANT)),
        dyed(plane("dyed convective", [17, 8], [STEADY, CONVECTIVE, FLUX, MIRROR], BUOYANT)),
        dyed(space(
            "dyed duct",
            [8, 7, 6],
            [INFLOW, "'outflow'", HOT, FLUX, MIRROR, COLD],
            BUOYANT,
        )),
        past(BODIES, dyed(plane("bodies", [18, 9], [INFLOW, "'outflow'", HOT, FLUX], BUOYANT))),
        past(STAIRS, plane("stairs", [17, 9], [STEADY, CONVECTIVE, FLUX, MIRROR], BUOYANT)),
        past(
            BODIES,
            space(
                "bodies in space",
                [14, 9, 6],
                [STEADY, CONVECTIVE, HOT, FLUX, MIRROR, COLD],
                BUOYANT,
            ),
        ),
        plane("heated cavity", [19, 14], [HOT, COLD, WALL, LID], BUOYANT),
        plane(
            "heated channel by formulas",
            [18, 9],
            [SWAYING_INFLOW, "'outflow'", SWAYING, SWAYING_FLUX],
            BUOYANT,
        ),
        plane("heated convective channel", [17, 8], [STEADY, CONVECTIVE, FLUX, MIRROR], BUOYANT),
        plane("shaken rolls", [18, 9], [PERIODIC, PERIODIC, FLUX, COLD], SHAKEN),
        plane("carried heat", [15, 11], [PERIODIC, PERIODIC, LID, WALL], CARRIED),
        space("heated cube", [9, 8, 10], [HOT, COLD, WALL, FLUX, COLD, LID], BUOYANT),
        space("heated duct", [12, 7, 6], [INFLOW, "'outflow'", HOT, FLUX, MIRROR, COLD], BUOYANT),
        space(
            "rolls in space",
            [12, 6, 8],
            [PERIODIC, PERIODIC, FLUX, COLD, MIRROR, MIRROR],
            SHAKEN,
        ),
        Heated {
            name: "heated channel of cut cells",
            cells: [10, 8, 4],
            size: [2.5, 1.0, 1.0],
            faces: [STEADY, CONVECTIVE, HOT, FLUX, PERIODIC, PERIODIC],
            tables: BUOYANT,
            with_scalars: false,
            solids: "",
        },
    ]
}

impl Heated {
    /// With so many cells, of the same size.
    pub fn with_cells(self, cells: [usize; 3]) -> Self {
        Self { cells, size: cells.map(|n| n as f64 / 8.0), ..self }
    }

    pub fn is_plane(&self) -> bool {
        self.cells[2] == 1
    }

    /// Cuts between ranks.
    pub fn layouts(&self) -> Vec<[usize; 3]> {
        let plane = vec![[2, 1, 1], [1, 3, 1], [3, 2, 1]];
        let space = vec![[1, 2, 1], [2, 1, 2], [1, 1, 3]];
        if self.is_plane() { plane } else { space }
    }

    /// The case with these numbers and these lines in the table `[lbm]`.
    pub fn case(&self, precision: &str, lbm: &str) -> Case {
        let Self { name, cells, size, faces: f, tables, with_scalars, solids } = self;
        let tables = if self.is_plane() {
            (*tables).to_owned()
        } else {
            tables.replace("gravity = [0.3, -1.0, 0.0]", "gravity = [0.3, -1.0, 0.2]")
        };
        let solids = solids.replace("DEPTH", if self.is_plane() { "0.125" } else { "0.5" });
        let text = format!(
            "title = '{name}'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n{tables}{solids}\
             scale = {{ length = 1.0, velocity = 1.0 }}\n\
             run = {{ method = 'lbm', until = 1e9, precision = '{precision}', device = 'cpu' }}\n\
             [boundary]\nx-low = {}\nx-high = {}\ny-low = {}\ny-high = {}\n\
             z-low = {}\nz-high = {}\n[lbm]\n{lbm}",
            f[0], f[1], f[2], f[3], f[4], f[5]
        );
        let text = if *with_scalars { dyed(text) } else { text };
        Case::parse(&text, name)
            .unwrap_or_else(|error| panic!("{text}\n{error}: {}", error.remedy()))
    }
}

/// The same flow with a scalar at all of its ends, and one that flows in.
fn dyed(text: String) -> String {
    // By place of one and everywhere of the other, and the reverse past bodies.
    let [of_heat, of_salt] = match text.contains("body.") {
        false => ["'0.4 + x*sin(3*y)'", "0.5"],
        true => ["0.4", "'0.5*x + y'"],
    };
    let text = text
        .replace(
            HOT,
            "{ wall = { temperature = 0.5, scalars = { dye = '0.5*cos(9*t) + 0.1*y' } } }",
        )
        .replace("temperature = 0.5 }", "temperature = 0.5, scalars = { dye = 0.5 } }")
        .replace("temperature = -0.5 }", "temperature = -0.5, scalars = { dye = -0.5 } }")
        .replace("temperature = 0.1 }", "temperature = 0.1, scalars = { dye = 0.1, salt = 1.0 } }")
        .replace("reference = 0.1", &format!("reference = 0.1, source = {of_heat}"))
        .replace("heat-flux = 0.3", "heat-flux = 0.3, scalar-fluxes = { dye = 0.2 }")
        .replace("temperature = '", "scalars = { dye = '0.2*sin(3*x)' }, temperature = '");
    format!(
        "{text}\n[[scalar]]\nname = 'dye'\ndiffusivity = 0.03\n\
         [[scalar]]\nname = 'salt'\ndiffusivity = 0.002\nsource = {of_salt}\n"
    )
}
