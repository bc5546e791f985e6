//! What each key of a case file means, with an example of a value.

/// Key, meaning with its unit, and an example of a value.
pub(super) const KEYS: &[(&str, &str, &str)] = &[
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
    (
        "heat.source",
        "what heats it inside, over density and heat capacity, in K/s",
        r#""exp(-x^2)""#,
    ),
    ("heat.reference", "the temperature in K without buoyancy", "300.0"),
    (
        "scalar",
        "a list of scalars that the flow carries",
        r#"[{ name = "dye", diffusivity = 1e-5 }]"#,
    ),
    ("scalar[].name", "its name, of letters, digits and `-`", r#""dye""#),
    ("scalar[].diffusivity", "its diffusivity in m2/s", "1e-5"),
    ("scalar[].source", "what comes in inside, in its unit over s", r#""exp(-x^2)""#),
    ("scale", "length and velocity of the Reynolds number", "{ length = 1.0, velocity = 1.0 }"),
    ("scale.length", "the length of the Reynolds number in m", "1.0"),
    ("scale.velocity", "the velocity of the Reynolds number in m/s", "1.0"),
    ("initial", "the flow at t = 0", "{ velocity = [1.0, 0.0, 0.0] }"),
    ("initial.velocity", "the velocity at t = 0 in m/s", "[1.0, 0.0, 0.0]"),
    ("initial.temperature", "the temperature at t = 0 in K", "300.0"),
    ("initial.scalars", "values of scalars at t = 0, by name", "{ dye = 0.0 }"),
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
    ("exact.scalars", "values of scalars, by name", r#"{ dye = "exp(-t)*sin(x)" }"#),
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
    (
        "output.picture",
        "whether the end of a run draws a picture, and a study its own as PNG too",
        "false",
    ),
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
    ("solid[].temperature", "its temperature in K", "300.0"),
    ("solid[].heat-flux", "the heat that enters the flow through it in K m/s", "0.1"),
    ("solid[].scalars", "values of scalars at it, by name", "{ dye = 1.0 }"),
    (
        "solid[].scalar-fluxes",
        "what enters the flow through it of scalars, by name, in their unit times m/s",
        "{ dye = 0.1 }",
    ),
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
    ("body[].temperature", "its temperature in K", "300.0"),
    ("body[].heat-flux", "the heat that enters the flow through its surface in K m/s", "0.1"),
    ("body[].scalars", "values of scalars at it, by name", "{ dye = 1.0 }"),
    (
        "body[].scalar-fluxes",
        "what enters the flow through its surface of scalars, by name, in their unit times m/s",
        "{ dye = 0.1 }",
    ),
    ("boundary", "a table of the six faces, x-low to z-high", r#"{ x-low = "wall", ... }"#),
    ("wall", "a wall that may move", "{ velocity = [1.0, 0.0, 0.0] }"),
    ("wall.velocity", "the velocity of the wall in m/s", "[1.0, 0.0, 0.0]"),
    ("wall.temperature", "the temperature of the wall in K", "300.0"),
    ("wall.heat-flux", "the heat that enters through the wall in K m/s", "0.1"),
    ("wall.scalars", "values of scalars at the wall, by name", "{ dye = 1.0 }"),
    (
        "wall.scalar-fluxes",
        "what enters through the wall of scalars, by name, in their unit times m/s",
        "{ dye = 0.1 }",
    ),
    ("inflow", "an inflow", "{ velocity = [1.0, 0.0, 0.0] }"),
    ("inflow.velocity", "the mean velocity of the inflow in m/s", "[1.0, 0.0, 0.0]"),
    (
        "inflow.profile",
        "\"uniform\", or a shape over an interval",
        r#"{ parabolic = { along = "y", from = 0.0, to = 1.0 } }"#,
    ),
    ("inflow.temperature", "the temperature of what flows in, in K", "300.0"),
    ("inflow.scalars", "values of scalars in what flows in, by name", "{ dye = 1.0 }"),
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

/// The meaning of a key by its path, and an example.
pub(super) fn meaning(key: &str) -> Option<(&'static str, &'static str)> {
    // Names of scalars have the meaning of the table that they stand in.
    let named = ["scalars", "scalar-fluxes"].iter().find_map(|table| {
        let end = key.find(&format!(".{table}."))? + 1 + table.len();
        Some(&key[..end])
    });
    let key = named.unwrap_or(key);
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
