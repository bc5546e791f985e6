//! What each key of a case file means, for the remedies of errors.

use crate::boundary::{Side, face_name};
use crate::suggest::{did_you_mean, list};

/// Key, meaning with its unit, and an example of a value.
const KEYS: &[(&str, &str, &str)] = &[
    (
        "title",
        "one line of text, `{reynolds}` in it the Reynolds number",
        r#""Lid-driven cavity, Re = {reynolds}""#,
    ),
    ("references", "the names of reference tables", r#"["ghia-1982-re{reynolds}-u"]"#),
    ("grid", "the box and its cells", "{ cells = [128, 128, 1], size = [1.0, 1.0, 0.01] }"),
    (
        "grid.cells",
        "whole numbers of cells in x, y and z; a plane flow has 1 in z",
        "[128, 128, 1]",
    ),
    ("grid.size", "the edges of the box in m", "[1.0, 1.0, 0.01]"),
    ("grid.origin", "the low corner of the box in m", "[0.0, 0.0, 0.0]"),
    ("fluid", "the fluid", "{ density = 1.0, viscosity = 1e-3 }"),
    ("fluid.density", "the density in kg/m3", "1.0"),
    ("fluid.viscosity", "the kinematic viscosity in m2/s", "1e-3"),
    ("fluid.force", "the body force per unit mass in m/s2", "[0.0, 0.0, 0.0]"),
    ("heat", "the heat that the flow carries", "{ prandtl = 0.71 }"),
    ("heat.diffusivity", "the thermal diffusivity in m2/s", "2e-5"),
    ("heat.prandtl", "viscosity over thermal diffusivity", "0.71"),
    ("heat.expansion", "the volume expansion in 1/K", "3.4e-3"),
    ("heat.gravity", "gravity in m/s2", "[0.0, -9.81, 0.0]"),
    ("heat.reference", "the temperature in K without buoyancy", "300.0"),
    ("scale", "length and velocity of the Reynolds number", "{ length = 1.0, velocity = 1.0 }"),
    ("scale.length", "the length of the Reynolds number in m", "1.0"),
    ("scale.velocity", "the velocity of the Reynolds number in m/s", "1.0"),
    ("initial", "the flow at t = 0", "{ velocity = [1.0, 0.0, 0.0] }"),
    ("initial.velocity", "the velocity at t = 0 in m/s", "[1.0, 0.0, 0.0]"),
    ("initial.temperature", "the temperature at t = 0 in K", "300.0"),
    ("initial.flow", "the name of an exact flow", r#""taylor-green""#),
    (
        "initial.box",
        "boxes with another velocity at t = 0, by name",
        "{ above = { low = [0.0, 0.5, 0.0], high = [4.0, 1.0, 0.1], velocity = [1.0, 0.0, 0.0] } }",
    ),
    ("initial.box[].low", "the low corner in m", "[0.0, 0.5, 0.0]"),
    ("initial.box[].high", "the high corner in m", "[4.0, 1.0, 0.1]"),
    ("initial.box[].velocity", "the velocity in it at t = 0 in m/s", "[1.0, 0.0, 0.0]"),
    (
        "initial.file",
        "the fields of another run, a path from the case's folder",
        r#""fields.vtkhdf""#,
    ),
    ("initial.step", "the number of a step in the file, 0 or more", "1000"),
    ("initial.time", "the flow time of a step in the file in s", "2.0"),
    (
        "initial.perturbation",
        "a small random velocity laid over the flow at t = 0",
        "{ amplitude = 0.01, seed = 1 }",
    ),
    ("initial.perturbation.amplitude", "the root mean square of its speed in m/s, above 0", "0.01"),
    ("initial.perturbation.seed", "a whole number, 0 or more: another one, another velocity", "1"),
    ("exact", "the exact flow, by formulas", r#"{ velocity = ["4*y*(1 - y)", 0.0, 0.0] }"#),
    ("exact.velocity", "its velocity in m/s", r#"["4*y*(1 - y)", 0.0, 0.0]"#),
    ("run", "how to run", r#"{ until = "steady" }"#),
    ("run.method", "the name of a method", r#""fdm""#),
    ("run.until", "a flow time in s, or the word \"steady\"", r#""steady""#),
    ("run.steady", "how near its end, as a share of the velocity scale, a flow is steady", "1e-5"),
    ("run.device", "\"auto\", \"cpu\", \"cuda\", \"cuda:1\" or a list of these", r#""cuda:0,1""#),
    ("run.precision", "\"f64\" or \"f32\"", r#""f64""#),
    ("run.max-steps", "the number of steps after which a run stops in any case", "1000000"),
    (
        "run.wall-limit",
        "the wall-clock time in s within which a run ends, or \"auto\": that of the batch system",
        "3600.0",
    ),
    ("gpu", "how kernels are compiled for a GPU", "{ fused-multiply-add = false }"),
    (
        "gpu.fused-multiply-add",
        "whether a multiplication and an addition may be one operation, rounded once",
        "false",
    ),
    ("ranks", "how ranks work together", "{ transport = \"auto\" }"),
    (
        "ranks.balance",
        "\"auto\", \"equal\", \"measured\", or one positive number a rank",
        "[20, 1]",
    ),
    ("ranks.transport", "how GPUs send each other halos", r#""auto""#),
    ("output", "what to write", "{ history = 10 }"),
    (
        "output.fields",
        "the flow time in s between fields, or the word \"none\", \"last\" or \"ends\"",
        "1.0",
    ),
    ("output.fields-steps", "the number of steps between fields", "1000"),
    ("output.quantities", "a list of what fields are written of", r#"["velocity", "pressure"]"#),
    ("output.coarsen", "the cells along each edge of the blocks whose means are written", "2"),
    ("output.precision", "the number type that fields are written in", "\"f32\""),
    ("output.history", "the number of steps between lines of the history", "10"),
    (
        "output.forces",
        "the flow time in s between lines of the forces on bodies, or \"none\"",
        "0.01",
    ),
    ("output.checkpoint", "the wall-clock time in s between checkpoints, or \"none\"", "600.0"),
    ("output.checkpoint-steps", "the number of steps between checkpoints", "1000"),
    ("output.compression", "a level from 0 (none) to 9", "0"),
    ("output.plane", "the plane of a flow in space that pictures show, in m", r#""y = 0.5""#),
    (
        "output.planes",
        "planes of cells that are recorded, by name",
        r#"{ middle = { at = "z = 0.5", fields = 0.1 } }"#,
    ),
    (
        "output.boxes",
        "boxes of cells that are recorded, by name, with corners in m",
        "{ wake = { low = [1.0, 0.0, 0.0], high = [2.0, 1.0, 1.0], fields = 0.1 } }",
    ),
    ("output.planes[].at", "where the plane lies, in m", r#""z = 0.5""#),
    ("output.boxes[].low", "the low corner in m", "[0.0, 0.0, 0.0]"),
    ("output.boxes[].high", "the high corner in m", "[1.0, 1.0, 1.0]"),
    ("output.statistics", "what is averaged over time", "{ from = 10.0, steps = 10 }"),
    ("output.statistics.from", "the flow time in s after which samples are taken", "10.0"),
    ("output.statistics.steps", "the number of steps between samples", "10"),
    (
        "output.statistics.fields",
        "the flow time in s between averages that are written, or the word \"none\", \"last\" or \"ends\"",
        "\"last\"",
    ),
    (
        "output.statistics.fields-steps",
        "the number of steps between averages that are written",
        "1000",
    ),
    (
        "output.statistics.quantities",
        "a list of the averages that are written",
        r#"["mean_velocity", "rms_velocity"]"#,
    ),
    (
        "output.statistics.coarsen",
        "the cells along each edge of the blocks whose means are written",
        "2",
    ),
    (
        "output.probes",
        "what is written at points",
        "{ steps = 10, points = { wake = [2.0, 0.5, 0.0] } }",
    ),
    ("output.probes.steps", "the number of steps between lines of the probes", "10"),
    ("output.probes.seconds", "the flow time in s between lines of the probes", "0.01"),
    (
        "output.probes.quantities",
        "a list of what is written at points",
        r#"["velocity", "pressure"]"#,
    ),
    ("output.probes.points", "points in m, by name", "{ wake = [2.0, 0.5, 0.0] }"),
    (
        "output.probes.lines",
        "straight lines of points, by name, with their ends in m",
        "{ centre = { from = [0.0, 0.5, 0.0], to = [4.0, 0.5, 0.0], points = 50 } }",
    ),
    ("output.probes.lines[].from", "the first point in m", "[0.0, 0.5, 0.0]"),
    ("output.probes.lines[].to", "the last point in m", "[4.0, 0.5, 0.0]"),
    ("output.probes.lines[].points", "the number of points, both ends among them", "50"),
    ("output.film", "a film of the flow in a plane", "{ shows = \"speed\", steps = 100 }"),
    (
        "output.film.shows",
        "what is shown: \"speed\", \"vorticity\" or \"pressure\"",
        "\"vorticity\"",
    ),
    ("output.film.steps", "the number of steps between frames", "100"),
    ("output.film.seconds", "the flow time in s between frames", "0.05"),
    ("output.film.plane", "the plane of a flow in space that is shown, in m", r#""y = 0.5""#),
    ("output.film.range", "the numbers of the first and the last colour", "[0.0, 1.5]"),
    ("output.film.frames-per-second", "how many frames are shown in a second", "20"),
    ("solid", "a list of boxes", "[{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0] }]"),
    ("solid[].low", "the low corner in m", "[0.0, 0.0, 0.0]"),
    ("solid[].high", "the high corner in m", "[1.0, 1.0, 1.0]"),
    (
        "body",
        "bodies by name, each of one shape: circle, cylinder, sphere, box, polygon, inside or stl",
        "{ ball = { circle = { centre = [1.0, 1.0], radius = 0.25 } } }",
    ),
    ("body[].circle", "a circle, endless along z", "{ centre = [1.0, 1.0], radius = 0.25 }"),
    ("body[].circle.centre", "its middle in m, two numbers", "[1.0, 1.0]"),
    ("body[].circle.radius", "half its diameter in m", "0.25"),
    (
        "body[].cylinder",
        "an endless cylinder",
        r#"{ centre = [1.0, 1.0, 0.0], radius = 0.25, along = "z" }"#,
    ),
    ("body[].cylinder.centre", "a point of its axis in m", "[1.0, 1.0, 0.0]"),
    ("body[].cylinder.radius", "half its diameter in m", "0.25"),
    ("body[].cylinder.along", "the direction of its axis, \"x\", \"y\" or \"z\"", r#""z""#),
    ("body[].sphere", "a sphere", "{ centre = [1.0, 1.0, 1.0], radius = 0.25 }"),
    ("body[].sphere.centre", "its middle in m", "[1.0, 1.0, 1.0]"),
    ("body[].sphere.radius", "half its diameter in m", "0.25"),
    ("body[].box", "a box", "{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 1.0] }"),
    ("body[].box.low", "the low corner in m", "[0.0, 0.0, 0.0]"),
    ("body[].box.high", "the high corner in m", "[1.0, 1.0, 1.0]"),
    (
        "body[].polygon",
        "a polygon, endless along z",
        "{ corners = [[1.0, 0.5], [2.0, 0.5], [2.0, 1.0]] }",
    ),
    (
        "body[].polygon.corners",
        "its corners in x and y in m, in their order around it",
        "[[1.0, 0.5], [2.0, 0.5], [2.0, 1.0]]",
    ),
    (
        "body[].inside",
        "a condition in x, y and z in m that holds inside of it",
        r#""x^2 + y^2 < 0.25""#,
    ),
    (
        "body[].stl",
        "a closed surface of triangles in an STL file",
        r#"{ file = "wing.stl", scale = 1e-3 }"#,
    ),
    ("body[].stl.file", "the file, by its path from the folder of the case", r#""wing.stl""#),
    ("body[].stl.scale", "the length in m of the file's unit: 1e-3 for mm", "1e-3"),
    (
        "body[].stl.rotate",
        "angles in degrees by which it is turned about x, then y, then z",
        "[0.0, 0.0, 90.0]",
    ),
    ("body[].stl.move", "the way in m by which it is then moved", "[1.0, 0.5, 0.5]"),
    ("body[].hollow", "whether the flow is inside of the shape, and all outside solid", "true"),
    ("body[].rotation", "the angular velocity about z in rad/s, from x to y", "2.0"),
    ("body[].walls", "\"exact\", or \"stairs\": the faces of whole cells", r#""exact""#),
    (
        "body[].area",
        "the area in m2 that coefficients refer to, of a plane flow the width in m",
        "0.1",
    ),
    ("boundary", "a table of the six faces, x-low to z-high", r#"{ x-low = "wall", ... }"#),
    ("wall", "a wall that may move", "{ velocity = [1.0, 0.0, 0.0] }"),
    ("wall.velocity", "the velocity of the wall in m/s", "[1.0, 0.0, 0.0]"),
    ("wall.temperature", "the temperature of the wall in K", "300.0"),
    ("wall.heat-flux", "the heat that enters through the wall in K m/s", "0.1"),
    ("inflow", "an inflow", "{ velocity = [1.0, 0.0, 0.0] }"),
    ("inflow.velocity", "the mean velocity of the inflow in m/s", "[1.0, 0.0, 0.0]"),
    (
        "inflow.profile",
        "\"uniform\", or a shape over an interval",
        r#"{ parabolic = { along = "y", from = 0.0, to = 1.0 } }"#,
    ),
    ("inflow.temperature", "the temperature of what flows in, in K", "300.0"),
    ("along", "the direction of the interval, \"x\", \"y\" or \"z\"", r#""y""#),
    ("from", "the lower end of the interval in m", "0.0"),
    ("to", "the upper end of the interval in m", "1.0"),
    ("file", "a table over time, its path from the case's folder", r#""inflow.csv""#),
    ("repeat", "whether the table begins anew at its end", "true"),
    ("outflow", "an outflow", "{ pressure = 0.0 }"),
    ("outflow.pressure", "the pressure at the outflow in Pa", "0.0"),
    ("outflow.convective", "whether vortices leave as the flow carries them", "true"),
    (
        "outflow.speed",
        "the speed in m/s that a convective outflow carries them at, by default the mean one",
        "1.0",
    ),
];

/// Keys of [`KEYS`] that stand within a face, and not at the top of a case file.
const WITHIN_FACES: [&str; 8] =
    ["wall", "inflow", "outflow", "along", "from", "to", "file", "repeat"];

/// The keys that stand at the top of a case file, those of methods' tables left out.
pub(super) fn own() -> impl Iterator<Item = &'static str> {
    let keys = KEYS.iter().map(|(key, ..)| *key).filter(|key| !key.contains('.'));
    keys.filter(|key| !WITHIN_FACES.contains(key))
}

/// Whether a key stands at the top of every kind of case file.
pub(super) fn is_own(key: &str) -> bool {
    own().any(|known| known == key)
}

/// The keys that every case can have, by their paths; methods have tables of their own.
pub fn known_keys() -> Vec<String> {
    let inside = |key: &str| {
        let starts = |start: &str| key == start || key.starts_with(&format!("{start}."));
        key.contains("[]") || ["wall", "inflow", "outflow"].into_iter().any(starts)
    };
    let of_tables = KEYS.iter().map(|(key, ..)| *key).filter(|key| key.contains('.'));
    let own = of_tables.filter(|key| !inside(key)).map(str::to_owned);
    let faces = (0..3).flat_map(|direction| Side::BOTH.map(|side| face_name(direction, side)));
    let faces = faces.map(|face| format!("boundary.{face}"));
    ["title", "references", "solid", "body"]
        .map(str::to_owned)
        .into_iter()
        .chain(own)
        .chain(faces)
        .collect()
}

/// What a plane flow lacks: nothing may act on its faces in z.
pub(super) fn how_to_write_in_a_plane(key: &str) -> String {
    if !matches!(key, "boundary.z-low" | "boundary.z-high") {
        return how_to_write(key);
    }
    format!(
        "write `{key} = \"periodic\"`, or \"symmetry\", the same for z-low and z-high: with one cell in z \
         the flow is plane"
    )
}

/// "write `fluid.viscosity = 1e-3`: the kinematic viscosity in m2/s".
pub(super) fn how_to_write(key: &str) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    if key.starts_with("boundary.") && is_face(last) {
        return format!(
            "write `{key} = \"wall\"`, or \"periodic\", \"symmetry\", \"outflow\", \
             {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }} or \
             {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}"
        );
    }
    match meaning(key) {
        Some((meaning, example)) => format!("write `{last} = {example}`: {meaning}"),
        None => format!("give `{key}` a value of the right type"),
    }
}

fn meaning(key: &str) -> Option<(&'static str, &'static str)> {
    let in_a_part = || {
        let (table, last) =
            ["output.planes", "output.boxes", "output.probes.lines", "initial.box", "body"]
                .iter()
                .find_map(|table| {
                    let (_name, last) =
                        key.strip_prefix(table)?.strip_prefix('.')?.split_once('.')?;
                    Some((table, last))
                })?;
        let known = |path: String| KEYS.iter().find(|(known, ..)| *known == path);
        known(format!("{table}[].{last}")).or_else(|| known(format!("output.{last}")))
    };
    let plain: String = key.chars().filter(|c| !c.is_ascii_digit()).collect();
    let exact = KEYS.iter().find(|(known, ..)| *known == plain);
    let in_a_face = || {
        let matches = |known: &str| key.ends_with(&format!(".{known}"));
        KEYS.iter().filter(|(known, ..)| matches(known)).max_by_key(|(known, ..)| known.len())
    };
    let face = key.starts_with("boundary.");
    let found = exact.or_else(|| if face { in_a_face() } else { in_a_part() });
    found.map(|(_, meaning, example)| (*meaning, *example))
}

fn is_face(name: &str) -> bool {
    matches!(name, "x-low" | "x-high" | "y-low" | "y-high" | "z-low" | "z-high")
}

/// What to write instead of an unknown key.
pub(super) fn instead_of_key(parent: &str, name: &str, known: &[String]) -> String {
    let elsewhere = KEYS.iter().map(|(key, ..)| *key).find(|key| {
        !key.starts_with(['i', 'w']) && key.rsplit_once('.').is_some_and(|(_, last)| last == name)
    });
    match (did_you_mean(name, known), elsewhere) {
        (Some(question), _) => format!("{question} Known here: {}", list(known)),
        (None, Some(key)) if !parent.starts_with("boundary") => {
            format!("it belongs to `{key}`; known here: {}", list(known))
        }
        _ if known.is_empty() => "remove it: there are no keys here".into(),
        _ => format!("remove it, or use one of those known here: {}", list(known)),
    }
}

/// What to write instead of an unknown word.
pub(super) fn instead_of_word(word: &str, known: &[String]) -> String {
    match did_you_mean(word, known) {
        Some(question) => format!("{question} Known: {}", list(known)),
        None => format!("use one of {}", list(known)),
    }
}

/// The same for a key that may also take a number beside one word.
pub(super) fn instead_of_value(key: &str, word: &str, known: &[String]) -> String {
    match meaning(key) {
        Some((meaning, _)) if meaning.contains(", or the word ") => match did_you_mean(word, known)
        {
            Some(question) => format!("{question} It takes {meaning}"),
            None => format!("give {meaning}"),
        },
        _ => instead_of_word(word, known),
    }
}
