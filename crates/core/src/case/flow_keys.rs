//! The keys of a case that decide how its flow goes on, for telling one case from another.

use toml_edit::{Item, Value};

use super::initial_flow::{Initial, InitialBox};
use super::meaning::{Case, Precision};
use super::methods::told_options;
use super::text::CaseText;
use crate::body::{Body, Geometry, Walls};
use crate::boundary::{Boundary, Interval, Profile, face_name};
use crate::expression::Expression;
use crate::heat::Heat;
use crate::quantity::Quantity;
use crate::scalar::{Scalar, ScalarBoundary};
use crate::wetted::Surface;

/// The keys that decide how a flow goes on, each with its value as in a case file: method, precision,
/// grid, fluid, boundaries, solid boxes, initial flow, scales, and what is set in the method's own
/// table, defaults that are written out and what only changes the speed left out. Two cases with the same keys and values compute the same flow, whatever their end, outputs,
/// ranks and devices.
pub fn flow_keys(case: &Case) -> Vec<(String, String)> {
    let precision = match case.run.precision {
        Precision::F32 => "\"f32\"",
        Precision::F64 => "\"f64\"",
    };
    let axes = &case.grid.axes;
    let mut keys = vec![
        ("run.method", format!("{:?}", case.run.method)),
        ("run.precision", precision.to_owned()),
        ("grid.cells", format!("{:?}", case.grid.cells())),
        ("grid.size", three(std::array::from_fn(|d| axes[d].high() - axes[d].low()))),
        ("grid.origin", three(std::array::from_fn(|d| axes[d].low()))),
        ("fluid.density", number(case.density)),
        ("fluid.viscosity", number(case.viscosity)),
        ("fluid.force", force(case)),
        ("solid", solids(case)),
        ("scale.length", number(case.scale.length)),
        ("scale.velocity", number(case.scale.velocity)),
    ];
    keys.extend(of_initial(&case.initial));
    keys.extend(case.heat.iter().flat_map(of_heat));
    let mut keys: Vec<(String, String)> =
        keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let faces = case.boundaries.iter();
    keys.extend(
        faces.map(|(d, side, face)| (format!("boundary.{}", face_name(d, side)), of(face))),
    );
    keys.extend(of_scalars(&case.scalars));
    keys.extend(case.carried().flat_map(|scalar| of_ends(case, scalar)));
    keys.extend(case.bodies.iter().map(|body| (format!("body.{}", body.name), of_body(body))));
    keys.extend(of_table(case));
    keys
}

/// The table `heat`, and the temperature at t = 0.
fn of_heat(heat: &Heat) -> Vec<(&'static str, String)> {
    vec![
        ("heat.diffusivity", number(heat.diffusivity)),
        ("heat.expansion", number(heat.expansion)),
        ("heat.gravity", three(heat.gravity)),
        ("heat.reference", number(heat.reference)),
        ("heat.source", of_formula(&heat.source)),
        ("initial.temperature", of_formula(&heat.initial)),
    ]
}

/// The list of scalars, and each at t = 0.
fn of_scalars(scalars: &[Scalar]) -> Vec<(String, String)> {
    if scalars.is_empty() {
        return Vec::new();
    }
    let table = |scalar: &Scalar| {
        let (name, diffusivity) = (scalar.quantity.name(), number(scalar.diffusivity));
        let source = match scalar.has_source() {
            true => format!(", source = {}", of_formula(&scalar.source)),
            false => String::new(),
        };
        format!("{{ name = {name:?}, diffusivity = {diffusivity}{source} }}")
    };
    let tables: Vec<_> = scalars.iter().map(table).collect();
    let at_first = scalars.iter().map(|scalar| {
        let name = scalar.quantity.name();
        (format!("initial.scalars.{name}"), of_formula(&scalar.initial))
    });
    let list = ("scalar".to_owned(), format!("[{}]", tables.join(", ")));
    std::iter::once(list).chain(at_first).collect()
}

/// Values and fluxes of a scalar at faces, bodies and solid boxes.
fn of_ends(case: &Case, scalar: &Scalar) -> Vec<(String, String)> {
    let [of_value, of_flux] = match scalar.quantity {
        Quantity::Temperature => ["temperature", "heat-flux"].map(str::to_owned),
        named => ["scalars", "scalar-fluxes"].map(|table| format!("{table}.{}", named.name())),
    };
    let faces = scalar.iter().map(|(d, side, _)| Surface::Face(d, side));
    let of = |surface: Surface| {
        let table = match surface {
            Surface::Face(d, side) => {
                let inflow = case.boundaries.at(d, side).is_inflow();
                format!(
                    "boundary.{}.{}",
                    face_name(d, side),
                    if inflow { "inflow" } else { "wall" }
                )
            }
            Surface::Solid(number) => format!("solid[{number}]"),
            Surface::Body(number) => format!("body.{}", case.bodies[number].name),
        };
        let (name, value) = match scalar.on(Some(surface)) {
            ScalarBoundary::Value(value) => (&of_value, value),
            ScalarBoundary::Flux(flux) => (&of_flux, flux),
            ScalarBoundary::Periodic | ScalarBoundary::Outflow => return None,
        };
        let told = match scalar.formula_on(surface) {
            Some(formula) => of_formula(formula),
            None if name == &of_flux && value == 0.0 => return None,
            None => number(value),
        };
        Some((format!("{table}.{name}"), told))
    };
    faces.chain(Surface::inner(case)).filter_map(of).collect()
}

/// The flow at t = 0.
fn of_initial(initial: &Initial) -> Vec<(&'static str, String)> {
    match initial {
        Initial::Uniform(velocity) => vec![("initial.velocity", three(*velocity))],
        Initial::Formula(formulas) => vec![("initial.velocity", of_formulas(formulas))],
        Initial::Exact(flow) => vec![("initial.flow", format!("{:?}", flow.name()))],
        Initial::Stored(flow) => vec![("initial.file", format!("{:?}", flow.told()))],
        Initial::Refined { given, .. } => of_initial(given),
        Initial::Boxes { elsewhere, boxes } => {
            let all = boxes.iter().map(of_initial_box).collect::<Vec<_>>().join(", ");
            let boxes = ("initial.box", format!("{{ {all} }}"));
            of_initial(elsewhere).into_iter().chain([boxes]).collect()
        }
        Initial::Perturbed { flow, perturbation } => {
            let (amplitude, seed) = (number(perturbation.amplitude), perturbation.seed);
            let value = format!("{{ amplitude = {amplitude}, seed = {seed} }}");
            of_initial(flow).into_iter().chain([("initial.perturbation", value)]).collect()
        }
    }
}

fn of_initial_box(InitialBox { name, low, high, velocity }: &InitialBox) -> String {
    let [low, high, velocity] = [low, high, velocity].map(|vector| three(*vector));
    format!("{name} = {{ low = {low}, high = {high}, velocity = {velocity} }}")
}

/// A body as in a case file, what does not change the flow left out.
fn of_body(body: &Body) -> String {
    let two = |[x, y]: [f64; 2]| format!("[{x:?}, {y:?}]");
    let geometry = match &body.geometry {
        Geometry::Cylinder { along, centre, radius } => format!(
            "cylinder = {{ centre = {}, radius = {}, along = {:?} }}",
            three(*centre),
            number(*radius),
            ["x", "y", "z"][*along]
        ),
        Geometry::Sphere { centre, radius } => {
            format!("sphere = {{ centre = {}, radius = {} }}", three(*centre), number(*radius))
        }
        Geometry::Box { low, high } => {
            format!("box = {{ low = {}, high = {} }}", three(*low), three(*high))
        }
        Geometry::Polygon(polygon) => {
            let corners: Vec<_> = polygon.corners().iter().map(|&corner| two(corner)).collect();
            format!("polygon = {{ corners = [{}] }}", corners.join(", "))
        }
        Geometry::Mesh(mesh) => mesh.facts().as_key(),
        Geometry::LevelSet(level_set) => format!("inside = {:?}", level_set.text()),
    };
    let walls = Walls::NAMES.iter().find(|(_, walls)| *walls == body.walls);
    let walls = walls.map_or("", |(name, _)| name);
    let (hollow, rotation) = (body.hollow, number(body.rotation));
    format!("{{ {geometry}, hollow = {hollow}, rotation = {rotation}, walls = {walls:?} }}")
}

/// What is set in the table of the case's method and changes anything.
fn of_table(case: &Case) -> Vec<(String, String)> {
    let mut keys = Vec::new();
    if let Ok(text) = CaseText::parse(&case.source, &case.name)
        && let Some(table) = text.find(&case.run.method)
    {
        collect(&case.run.method, table, &mut keys);
    }
    if let Some(told) = told_options(case) {
        let changes = |key: &str| {
            case.without_option(key)
                .ok()
                .and_then(|less| told_options(&less))
                .is_none_or(|less| less != told)
        };
        keys.retain(|(key, _)| changes(key));
    }
    // The order of keys in a file means nothing.
    keys.sort();
    keys
}

fn collect(key: &str, item: &Item, keys: &mut Vec<(String, String)>) {
    if let Some(table) = item.as_table_like() {
        table.iter().for_each(|(name, item)| collect(&format!("{key}.{name}"), item, keys));
    } else if let Some(value) = item.as_value() {
        keys.push((key.to_owned(), spelt(value)));
    }
}

/// A value without its comments; `1` and `1.0` are the same.
fn spelt(value: &Value) -> String {
    match value {
        Value::Integer(n) => number(*n.value() as f64),
        Value::Float(x) => number(*x.value()),
        Value::String(text) => format!("{:?}", text.value()),
        Value::Array(all) => format!("[{}]", all.iter().map(spelt).collect::<Vec<_>>().join(", ")),
        other => other.to_string().trim().to_owned(),
    }
}

/// As few digits as give the same number back.
fn number(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e15).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

fn three(vector: [f64; 3]) -> String {
    format!("[{}]", vector.map(|x| format!("{x:?}")).join(", "))
}

fn solids(case: &Case) -> String {
    let one = |low, high| format!("{{ low = {}, high = {} }}", three(low), three(high));
    let all = case.solid.iter().map(|solid| one(solid.low, solid.high));
    format!("[{}]", all.collect::<Vec<_>>().join(", "))
}

fn of(face: &Boundary) -> String {
    match face {
        Boundary::Periodic => "\"periodic\"".into(),
        Boundary::Symmetry => "\"symmetry\"".into(),
        Boundary::Outflow { pressure: 0.0 } => "\"outflow\"".into(),
        Boundary::Outflow { pressure } => {
            format!("{{ outflow = {{ pressure = {} }} }}", number(*pressure))
        }
        Boundary::ConvectiveOutflow { speed: None } => "{ outflow = { convective = true } }".into(),
        Boundary::ConvectiveOutflow { speed: Some(speed) } => {
            format!("{{ outflow = {{ convective = true, speed = {} }} }}", number(*speed))
        }
        face if *face == Boundary::WALL => "\"wall\"".into(),
        Boundary::Wall { velocity } => {
            format!("{{ wall = {{ velocity = {} }} }}", three(*velocity))
        }
        Boundary::Formula { wall, velocity } => {
            let name = if *wall { "wall" } else { "inflow" };
            format!("{{ {name} = {{ velocity = {} }} }}", of_formulas(velocity.components()))
        }
        Boundary::Inflow { velocity, profile } => {
            let profile = of_profile(profile);
            format!("{{ inflow = {{ velocity = {}{profile} }} }}", three(*velocity))
        }
    }
}

fn force(case: &Case) -> String {
    let changing = case.changing_force.as_ref();
    changing.map_or_else(|| three(case.force), |force| of_formulas(force.components()))
}

fn of_formulas(formulas: &[Expression; 3]) -> String {
    format!("[{}]", formulas.each_ref().map(of_formula).join(", "))
}

fn of_formula(formula: &Expression) -> String {
    match formula.as_number() {
        Some(number) => format!("{number:?}"),
        None => format!("{:?}", formula.told()),
    }
}

fn of_profile(profile: &Profile) -> String {
    let (name, Interval { along, from, to }) = match profile {
        Profile::Uniform(None) => return String::new(),
        Profile::Uniform(Some(interval)) => ("uniform", interval),
        Profile::Parabolic(interval) => ("parabolic", interval),
    };
    let (along, from, to) = (["x", "y", "z"][*along], number(*from), number(*to));
    format!(", profile = {{ {name} = {{ along = {along:?}, from = {from}, to = {to} }} }}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cavity(sets: &[&str]) -> Case {
        let text = include_str!("../../../../cases/cavity.toml");
        let case = Case::parse(text, "cavity").expect("a built-in case");
        case.with(&sets.iter().map(|set| (*set).to_owned()).collect::<Vec<_>>()).expect("a case")
    }

    /// The keys that differ from the cavity's.
    fn changed(sets: &[&str]) -> Vec<String> {
        let (before, after) = (flow_keys(&cavity(&[])), flow_keys(&cavity(sets)));
        let new = after.into_iter().filter(|key| !before.contains(key));
        new.map(|(key, value)| format!("{key} = {value}")).collect()
    }

    #[test]
    fn a_force_that_changes_is_told_by_its_formulas() {
        let found = changed(&["run.until=1.0", "fluid.force=['cos(t)',0,0]"]);
        let force = "fluid.force = [\"cos(t)\", 0.0, 0.0]";
        assert!(found.iter().any(|key| key == force), "{found:?}");
    }

    #[test]
    fn what_decides_the_flow_is_seen() {
        for (set, expected) in [
            ("fluid.viscosity=0.02", "fluid.viscosity = 0.02"),
            ("fluid.density=2", "fluid.density = 2"),
            ("fluid.force=[1.0,0,0]", "fluid.force = [1.0, 0.0, 0.0]"),
            ("grid.cells=[64,64,1]", "grid.cells = [64, 64, 1]"),
            ("fdm.safety=0.25", "fdm.safety = 0.25"),
            (
                "initial.perturbation={amplitude=0.01,seed=3}",
                "initial.perturbation = { amplitude = 0.01, seed = 3 }",
            ),
            ("boundary.x-low=symmetry", "boundary.x-low = \"symmetry\""),
            (
                "solid=[{low=[0.0,0,0],high=[0.5,0.5,0.005]}]",
                "solid = [{ low = [0.0, 0.0, 0.0], high = [0.5, 0.5, 0.005] }]",
            ),
            (
                "body.ball={circle={centre=[0.5,0.5],radius=0.25},area=3}",
                "body.ball = { cylinder = { centre = [0.5, 0.5, 0.0], radius = 0.25, along = \"z\" }, \
                 hollow = false, rotation = 0, walls = \"exact\" }",
            ),
        ] {
            assert_eq!(changed(&[set]), [expected]);
        }
    }

    #[test]
    fn what_does_not_is_not() {
        let free = [
            "run.until=3.0",
            "run.max-steps=7",
            "run.device=cpu",
            "output.checkpoint-steps=3",
            "ranks.balance=equal",
            "title=another",
            "references=[]",
            "gpu.fused-multiply-add=true",
            "lbm.mach=0.05",
            "fluid.density=1",
        ];
        assert_eq!(changed(&free), Vec::<String>::new());
    }
}
