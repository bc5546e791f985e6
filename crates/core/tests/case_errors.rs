//! Wrong case files: each gives one error with the key, the value and a remedy, pointing at the
//! right place in the text.

use std::path::Path;

use proptest::prelude::*;
use vortice_core::{Case, Error, NamedMethod, name_methods};

/// A plane channel with a step, in which every key can be spoilt.
const GOOD: &str = r#"title = "Channel"
references = ["somebody-1900"]
grid = { cells = [40, 20, 1], size = [4.0, 2.0, 0.1], origin = [0.0, 0.0, 0.0] }
fluid = { density = 1.0, viscosity = 1e-3, force = [0.0, 0.0, 0.0] }
scale = { length = 1.0, velocity = 1.0 }
initial = { velocity = [0.5, 0.0, 0.0] }
run = { method = "fdm", until = "steady", steady = 1e-6, device = "auto", precision = "f64", max-steps = 100 }
solid = [{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 0.1] }]
output = { fields = 1.0, history = 10, checkpoint = 600.0, checkpoint-steps = 1000, compression = 0 }
[boundary]
x-low = { inflow = { velocity = [1.0, 0.0, 0.0], profile = { parabolic = { along = "y", from = 1.0, to = 2.0 } } } }
x-high = { outflow = { pressure = 0.0 } }
y-low = "wall"
y-high = { wall = { velocity = [0.5, 0.0, 0.0] } }
z-low = "periodic"
z-high = "periodic"
[fdm]
gamma = 0.5
"#;

/// What is replaced by what, the key of the error, what the caret points at, a part of the
/// problem, a part of the remedy.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const WRONG: &[Row] = &[
    // Points.
    ("output = {", "output = { probes = {},", "output.probes", "{}", "neither a point nor a line", "wake"),
    ("output = {", "output = { probes = { points = { a = [1.5, 1.5, 0.0] }, steps = 0 },", "output.probes.steps", "0 }", "less than one", "number of steps"),
    ("output = {", "output = { probes = { points = { a = [1.5, 1.5, 0.0] }, seconds = 0.1 },", "output.probes.seconds", "0.1", "steady", "`steps`"),
    ("output = {", "output = { probes = { points = { a = [1.5, 1.5, 0.0] }, steps = 2, seconds = 0.1 },", "output.probes.seconds", "0.1", "both given", "keep one"),
    ("output = {", "output = { probes = { points = { a = [1.5, 1.5] } },", "output.probes.points.a", "[1.5, 1.5]", "three numbers", ""),
    ("output = {", "output = { probes = { points = { a = [4.5, 1.5, 0.0] } },", "output.probes.points.a", "[4.5", "4.5 in x is outside", "from 0 to 4 m in x"),
    ("output = {", "output = { probes = { points = { a = [nan, 1.5, 0.0] } },", "output.probes.points.a", "[nan", "NaN is not a finite", ""),
    ("output = {", "output = { probes = { points = { a = [0.5, 0.5, 0.0] } },", "output.probes.points.a", "[0.5", "lies inside a solid", "into the flow"),
    ("output = {", "output = { probes = { points = { \"a b\" = [1.5, 1.5, 0.0] } },", "output.probes.points.a b", "[1.5", "no name for columns", "letters"),
    ("output = {", "output = { probes = { quantities = [\"vorticity\"], points = { a = [1.5, 1.5, 0.0] } },", "output.probes.quantities", "[\"vort", "no `vorticity`", "`velocity`"),
    ("output = {", "output = { probes = { lines = { l = { from = [1.5, 1.5, 0.0], to = [2.0, 1.5, 0.0], points = 1 } } },", "output.probes.lines.l.points", "1 }", "two ends", "at least 2"),
    ("output = {", "output = { probes = { lines = { l = { from = [1.5, 1.5, 0.0], to = [2.0, 1.5, 0.0], points = 10001 } } },", "output.probes.lines.l.points", "10001", "10001 points are too many", "plane or a box"),
    ("output = {", "output = { probes = { lines = { l = { from = [1.5, 1.5, 0.0], to = [2.0, 2.5, 0.0], points = 4 } } },", "output.probes.lines.l.to", "[2.0", "2.5 in y is outside", "from 0 to 2 m"),
    ("output = {", "output = { probes = { lines = { l = { from = [1.5, 1.5, 0.0], to = [0.5, 0.5, 0.0], points = 4 } } },", "output.probes.lines.l", "{ from", "`l.3` at", "end beside"),
    ("output = {", "output = { probes = { lines = { l = { from = [1.5, 1.5, 0.0], points = 4 } } },", "output.probes.lines.l.to", "{ from", "missing", "last point"),
    ("output = {", "output = { probes = { points = { l = [1.5, 1.5, 0.0] }, lines = { l = { from = [1.5, 1.5, 0.0], to = [2.0, 1.5, 0.0], points = 4 } } },", "output.probes.lines.l", "{ from", "both called `l`", "own name"),
    // Boxes with a velocity of their own.
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { flow = \"exact\" }", "initial.flow", "\"exact\"", "gives no exact flow", "exact.velocity"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "exact = { velocity = [\"1/y*q\", 0, 0] }", "exact.velocity", "[\"1/y*q", "q", ""),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { flow = \"exact\" }\nexact = { velocity = [\"ln(y - 1)\", 0, 0] }", "exact.velocity", "[\"ln", "NaN at x", "number everywhere"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "exact = {}", "exact.velocity", "{}", "missing", "its velocity"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { flow = \"couette\", box = { a = { low = [0.0, 1.0, 0.0], high = [4.0, 2.0, 0.1], velocity = [1.0, 0.0, 0.0] } } }", "initial.box", "{ a", "beside an exact flow", "leave out"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { box = { a = { low = [0.0, 1.0, 0.0], high = [4.0, 2.0, 0.1] } } }", "initial.box.a.velocity", "{ low", "missing", "the velocity in it"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { box = { a = { low = [0.0, 1.0, 0.0], high = [4.0, 0.5, 0.1], velocity = [1.0, 0.0, 0.0] } } }", "initial.box.a.high", "[4.0", "not above low", "lower corner"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { box = { a = { low = [0.0, 1.0, 0.0], high = [4.5, 2.0, 0.1], velocity = [1.0, 0.0, 0.0] } } }", "initial.box.a.high", "[4.5", "outside the box", "reaches from 0 to 4"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { box = { a = { low = [0.0, 1.0, 0.0], high = [4.0, 2.0, 0.1], velocity = [1.0, 0.0, 0.5] } } }", "initial.box.a.velocity", "[1.0, 0.0, 0.5]", "0.5 in z, but the flow is plane", "third number"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { box = { a = { low = [0.0, 1.0, 0.0], high = [4.0, 2.0, 0.1], velocity = [nan, 0.0, 0.0] } } }", "initial.box.a.velocity", "[nan", "NaN is not a finite", ""),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { box = { a = { low = [0.0, 1.0, 0.0], high = [4.0, 2.0, 0.1], velocity = [1.0, 0.0, 0.0], speed = 1 } } }", "initial.box.a.speed", "speed", "speed", "velocity"),
    // A random velocity.
    ("initial = {", "initial = { perturbation = {},", "initial.perturbation.amplitude", "{}", "missing", "root mean square"),
    ("initial = {", "initial = { perturbation = { amplitude = 0.0 },", "initial.perturbation.amplitude", "0.0", "0 is not a positive", "above 0"),
    ("initial = {", "initial = { perturbation = { amplitude = nan },", "initial.perturbation.amplitude", "nan", "NaN is not a positive", "in m/s"),
    ("initial = {", "initial = { perturbation = { amplitude = 0.1, seed = -1 },", "initial.perturbation.seed", "-1", "-1 is below zero", "0 or more"),
    ("initial = {", "initial = { perturbation = { amplitude = 0.1, seed = 1.5 },", "initial.perturbation.seed", "1.5", "1.5", "whole number"),
    ("initial = {", "initial = { perturbation = { amplitude = 0.1, size = 2 },", "initial.perturbation.size", "size", "size", "seed"),
    ("initial = {", "initial = { perturbation = 0.1,", "initial.perturbation", "0.1", "expected a table", "small random velocity"),
    // The flow of another run.
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { file = \"fields.vtkhdf\" }", "initial.file", "\"fields.vtkhdf\"", "lies beside no case file", "from its folder"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { file = \"fields.vtkhdf\", step = -1 }", "initial.step", "-1", "-1 is below zero", "number of a step"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { file = \"fields.vtkhdf\", step = 1, time = 1.0 }", "initial.time", "1.0", "both given", "keep one"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { file = \"fields.vtkhdf\", time = inf }", "initial.time", "inf", "inf is not a finite", "in s"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { time = 1.0 }", "initial.time", "1.0", "no file", "remove it"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { step = 1 }", "initial.step", "1 }", "no file", "remove it"),
    ("initial = {", "initial = { file = \"fields.vtkhdf\",", "initial", "{ file", "velocity and file are both given", "one of them"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { flow = \"couette\", file = \"fields.vtkhdf\" }", "initial", "{ flow", "flow and file are both given", "one of them"),
    // Missing.
    ("title = \"Channel\"", "", "title", "", "missing", "one line"),
    ("grid = {", "scalle = {", "scalle", "scalle", "scalle", "did you mean `scale`"),
    ("cells = [40, 20, 1], ", "", "grid.cells", "{ size", "missing", "[128, 128, 1]"),
    ("viscosity = 1e-3, ", "", "fluid.viscosity", "{ density", "missing", "m2/s"),
    ("until = \"steady\", ", "", "run.until", "{ method", "missing", "flow time in s"),
    ("z-high = \"periodic\"", "", "boundary.z-high", "boundary]", "missing", "`boundary.z-high = \"periodic\"`, or \"symmetry\""),
    ("y-high = { wall = { velocity = [0.5, 0.0, 0.0] } }", "", "boundary.y-high", "boundary]", "missing", "= \"wall\"`"),
    ("high = [1.0, 1.0, 0.1]", "", "solid[0].high", "{ low", "missing", "high corner"),
    ("inflow = { velocity = [1.0, 0.0, 0.0], ", "inflow = { ", "boundary.x-low.inflow.velocity", "{ profile", "missing", "m/s"),
    (", to = 2.0", "", "boundary.x-low.inflow.profile.parabolic.to", "{ along", "missing", "upper end"),
    ("\"Channel\"", "\"a\\u0000b\"", "title", "\"a\\u0000b\"", "code zero", "leave the character"),
    // Unknown and misspelt.
    ("viscosity", "viscosty", "fluid.viscosty", "viscosty", "viscosty", "did you mean `viscosity`"),
    ("max-steps", "max_steps", "run.max_steps", "max_steps", "max_steps", "did you mean `max-steps`"),
    ("title =", "viscosity = 1.0\ntitle =", "viscosity", "viscosity", "viscosity", "belongs to `fluid.viscosity`"),
    ("[fdm]", "[fem]", "fem", "fem]", "fem", "did you mean `fdm`"),
    ("[fdm]", "[gpus]\n[fdm]", "gpus", "gpus]", "gpus", "did you mean `gpu`"),
    ("title =", "fused-multiply-add = true\ntitle =", "fused-multiply-add", "fused", "fused", "belongs to `gpu.fused-multiply-add`"),
    ("x-high =", "right =", "boundary.right", "right", "right", "`x-high`"),
    ("\"wall\"", "\"walls\"", "boundary.y-low", "\"walls\"", "walls", "did you mean `wall`"),
    ("\"wall\"", "\"no-slip\"", "boundary.y-low", "\"no-slip\"", "no-slip", "`symmetry`"),
    ("outflow = {", "outlet = {", "boundary.x-high.outlet", "outlet", "outlet", "`outflow`"),
    ("{ outflow = { pressure = 0.0 } }", "{ }", "boundary.x-high", "{ }", "exactly one", "`inflow`"),
    ("{ outflow = { pressure = 0.0 } }", "\"inflow\"", "boundary.x-high", "\"inflow\"", "needs a velocity", "velocity ="),
    ("parabolic", "parabola", "boundary.x-low.inflow.profile.parabola", "parabola", "parabola", "did you mean `parabolic`"),
    ("{ parabolic = { along = \"y\", from = 1.0, to = 2.0 } }", "\"parabolic\"", "boundary.x-low.inflow.profile", "\"parabolic\"", "needs an interval", "along"),
    ("{ parabolic = { along = \"y\", from = 1.0, to = 2.0 } }", "\"log\"", "boundary.x-low.inflow.profile", "\"log\"", "log", "`uniform`"),
    ("along = \"y\"", "along = \"r\"", "boundary.x-low.inflow.profile.parabolic.along", "\"r\"", "`r`", "`x`, `y`, `z`"),
    ("\"steady\"", "\"forever\"", "run.until", "\"forever\"", "forever", "a flow time in s, or the word"),
    ("\"steady\"", "\"stead\"", "run.until", "\"stead\"", "stead", "did you mean `steady`"),
    ("initial = { velocity = [0.5, 0.0, 0.0] }", "initial = { flow = \"taylor\" }", "initial.flow", "\"taylor\"", "`taylor`", "`taylor-green`"),
    ("initial = {", "initial = { flow = \"couette\", ", "initial", "{ flow", "both", "one of them"),
    ("\"auto\"", "\"gpu\"", "run.device", "\"gpu\"", "`gpu`", "\"cuda\""),
    ("\"auto\"", "\"cuda:-1\"", "run.device", "\"cuda:-1\"", "`cuda:-1`", "cuda:1"),
    ("\"auto\"", "\"cuda:\"", "run.device", "\"cuda:\"", "`cuda:`", "cuda:1"),
    ("\"auto\"", "\"cuda:+1\"", "run.device", "\"cuda:+1\"", "`cuda:+1`", "cuda:1"),
    ("\"f64\"", "\"f16\"", "run.precision", "\"f16\"", "`f16`", "f32"),
    // Wrong types.
    ("\"Channel\"", "7", "title", "7", "integer `7`", "one line of text"),
    ("[40, 20, 1]", "[40, 20]", "grid.cells", "[40, 20]", "length 2", "x, y and z"),
    ("[40, 20, 1]", "[40, 20, 1, 1]", "grid.cells", "[40, 20, 1, 1]", "length 4", "x, y and z"),
    ("[40, 20, 1]", "[40.5, 20, 1]", "grid.cells", "40.5", "40.5", "whole numbers"),
    ("[0.5, 0.0, 0.0] }\nrun", "[0.5, true, 0.0] }\nrun", "initial.velocity", "true", "boolean", "m/s"),
    ("{ cells = [40, 20, 1], size = [4.0, 2.0, 0.1], origin = [0.0, 0.0, 0.0] }", "4", "grid", "4", "expected a table", "the box"),
    ("{ cells = [40, 20, 1], size = [4.0, 2.0, 0.1], origin = [0.0, 0.0, 0.0] }", "{}", "grid.cells", "{}", "missing", "whole numbers"),
    ("[{ low = [0.0, 0.0, 0.0], high = [1.0, 1.0, 0.1] }]", "[3]", "solid", "3", "integer `3`", "list of boxes"),
    ("low = [0.0, 0.0, 0.0], high", "lo = [0.0, 0.0, 0.0], high", "solid[0].lo", "lo", "lo", "did you mean `low`"),
    ("[\"somebody-1900\"]", "\"somebody-1900\"", "references", "\"somebody", "string", "names of reference tables"),
    ("title =", "fdm = 3\ntitle =", "syntax", "fdm", "duplicate key", "TOML"),
    ("title =", "lbm = 3\ntitle =", "lbm", "3", "integer `3`", "lbm"),
    ("title =", "gpu = 3\ntitle =", "gpu", "3", "integer `3`", "compiled for a GPU"),
    ("1e-3", "\"thin\"", "fluid.viscosity", "\"thin\"", "thin", "m2/s"),
    ("\"wall\"", "3", "boundary.y-low", "3", "integer `3`", "periodic"),
    ("\"steady\"", "true", "run.until", "true", "boolean `true`", "flow time in s"),
    // Numbers that cannot be.
    ("\"Channel\"", "\" \"", "title", "\" \"", "empty", "one line"),
    ("[40, 20, 1]", "[0, 20, 1]", "grid.cells", "[0, 20", "0 cells in x", "at least one"),
    ("[40, 20, 1]", "[40, -20, 1]", "grid.cells", "[40, -20", "-20 cells in y", "at least one"),
    ("[40, 20, 1]", "[1000000, 1000000, 10]", "grid.cells", "[1000000", "2^40", "fewer"),
    ("[40, 20, 1]", "[9223372036854775807, 9223372036854775807, 3]", "grid.cells", "[9", "2^40", "fewer"),
    ("[4.0, 2.0, 0.1]", "[4.0, 0.0, 0.1]", "grid.size", "[4.0", "0 is not a positive", "in m"),
    ("[4.0, 2.0, 0.1]", "[-4.0, 2.0, 0.1]", "grid.size", "[-4.0", "-4 is not", "in m"),
    ("[4.0, 2.0, 0.1]", "[nan, 2.0, 0.1]", "grid.size", "[nan", "NaN", "in m"),
    ("[4.0, 2.0, 0.1]", "[inf, 2.0, 0.1]", "grid.size", "[inf", "inf", "in m"),
    ("origin = [0.0,", "origin = [nan,", "grid.origin", "[nan", "NaN", "low corner"),
    ("origin = [0.0,", "origin = [1e30,", "grid.size", "[4.0", "double precision", "origin"),
    ("1e-3", "0.0", "fluid.viscosity", "0.0", "0 is not", "m2/s"),
    ("1e-3", "-1e-3", "fluid.viscosity", "-1e-3", "-0.001", "m2/s"),
    ("1e-3", "nan", "fluid.viscosity", "nan", "NaN", "m2/s"),
    ("1e-3", "1e-320", "fluid.viscosity", "1e-320", "Reynolds", "units"),
    ("density = 1.0", "density = 0", "fluid.density", "0", "0 is not", "kg/m3"),
    ("force = [0.0,", "force = [inf,", "fluid.force", "[inf", "inf", "m/s2"),
    ("force = [0.0, 0.0, 0.0]", "force = [0.0, 0.0, -9.81]", "fluid.force", "[0.0, 0.0, -9.81]", "-9.81 in z", "third number"),
    ("length = 1.0", "length = 0.0", "scale.length", "0.0", "0 is not", "in m"),
    ("velocity = 1.0 }", "velocity = -1.0 }", "scale.velocity", "-1.0", "-1 is not", "m/s"),
    ("velocity = [0.5, 0.0, 0.0] }\nrun", "velocity = [nan, 0.0, 0.0] }\nrun", "initial.velocity", "[nan", "NaN", "m/s"),
    ("steady = 1e-6", "steady = 0.0", "run.steady", "0.0", "0 is not", "share of the velocity scale"),
    ("\"steady\"", "0", "run.until", "0", "0 is not", "flow time in s"),
    ("\"steady\"", "inf", "run.until", "inf", "inf is not", "flow time in s"),
    ("\"fdm\"", "\"\"", "run.method", "\"\"", "empty", "vortice methods"),
    ("max-steps = 100", "max-steps = 0", "run.max-steps", "0 }", "0 is less", "number of steps"),
    ("fields = 1.0", "fields = -1.0", "output.fields", "-1.0", "-1 is not", "in s"),
    ("history = 10", "history = -3", "output.history", "-3", "-3 is less", "steps"),
    ("checkpoint = 600.0", "checkpoint = nan", "output.checkpoint", "nan", "NaN", "wall-clock"),
    ("checkpoint-steps = 1000", "checkpoint-steps = 0", "output.checkpoint-steps", "0,", "0 is less", "steps"),
    ("compression = 0", "compression = 10", "output.compression", "10", "10", "0 (none) to 9"),
    // Formulas.
    ("[0.5, 0.0, 0.0] }\nrun", "[\"sine(y)\", 0, 0] }\nrun", "initial.velocity", "[\"sine", "unknown name `sine`", "did you mean `sin`"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"1 +\", 0, 0] }\nrun", "initial.velocity", "[\"1 +", "`1 +` ends where", "functions such as sin(x)"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"cos(t)\", 0, 0] }\nrun", "initial.velocity", "[\"cos", "has the time t", "begins at t = 0"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"sqrt(y - 1)\", 0, 0] }\nrun", "initial.velocity", "[\"sqrt", "NaN at x = 0.05 m, y = 0.05 m", "everywhere in the box"),
    ("[0.5, 0.0, 0.0] }\nrun", "[0, 0, \"y\"] }\nrun", "initial.velocity", "[0, 0, \"y", "not zero, but the flow is plane", "more than one cell"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"(1 + y\", 0, 0] }\nrun", "initial.velocity", "[\"(1", "lacks a `)`, at character 7", "brackets"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"1 + y)\", 0, 0] }\nrun", "initial.velocity", "[\"1 +", "has a `)` without its `(`, at character 6", "brackets"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"1/(y - 1.05)\", 0, 0] }\nrun", "initial.velocity", "[\"1/(", "inf at x = 0.05 m, y = 1.05 m", "everywhere in the box"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((x))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\", 0, 0] }\nrun", "initial.velocity", "[\"((", "lies too deep in itself, at character 41", "numbers"),
    ("[0.5, 0.0, 0.0] }\nrun", "[\"\", 0, 0] }\nrun", "initial.velocity", "[\"\",", "is empty, at character 1", "numbers"),
    ("velocity = [0.5, 0.0, 0.0] }\nrun", "velocity = { file = \"a.csv\" } }\nrun", "initial.velocity", "{ file", "invalid type: map", "m/s"),
    ("wall = { velocity = [0.5, 0.0, 0.0] }", "wall = { velocity = [\"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((x))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\", 0, 0] }", "boundary.y-high.wall.velocity", "[\"((", "lies too deep in itself", "functions"),
    ("wall = { velocity = [0.5, 0.0, 0.0] }", "wall = { velocity = [\"sin(x\", 0, 0] }", "boundary.y-high.wall.velocity", "[\"sin", "lacks a `)`, at character 6", "brackets"),
    ("wall = { velocity = [0.5, 0.0, 0.0] }", "wall = { velocity = { file = \"lid.csv\" } }", "boundary.y-high.wall.velocity.file", "\"lid.csv\"", "`lid.csv` lies beside no case file", "the table beside it"),
    ("wall = { velocity = [0.5, 0.0, 0.0] }", "wall = { velocity = { } }", "boundary.y-high.wall.velocity.file", "{ }", "missing", "a table over time"),
    ("wall = { velocity = [0.5, 0.0, 0.0] }", "wall = { velocity = [0.5, 0.0] }", "boundary.y-high.wall.velocity", "[0.5, 0.0] }", "length 2", "m/s"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"2*q\", 0.0,", "boundary.y-high.wall.velocity", "[\"2*q", "unknown name `q`, at character 3", "known names: `x`, `y`, `z`, `t`, `pi`"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"2x\", 0.0,", "boundary.y-high.wall.velocity", "[\"2x", "goes on with `x`", "a * in each product"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"1/(x - 2)\", 0.0,", "boundary.y-high.wall.velocity", "[\"1/", "inf at x = 2 m, y = 2 m, t = 0 s", "whole face"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"sin(t)\", 0.0,", "boundary.y-high.wall.velocity", "[\"sin", "waits for a steady flow", "run.until"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"x\", \"x\",", "boundary.y-high.wall.velocity", "[\"x", "a formula in y, out of", "moves in its plane"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"x\", nan,", "boundary.y-high.wall.velocity", "[\"x", "NaN", "whole face"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [\"1/0\", 0.0,", "boundary.y-high.wall.velocity", "[\"1/0", "inf is not", "m/s"),
    ("[1.0, 0.0, 0.0], profile", "[\"y\", 0.0, 0.0], profile", "boundary.x-low.inflow.profile", "{ parabolic", "beside a velocity that is a formula", "part of the formula"),
    ("velocity = [1.0, 0.0, 0.0], profile = { parabolic = { along = \"y\", from = 1.0, to = 2.0 } }", "velocity = [-1, \"y\", 0]", "boundary.x-low.inflow.velocity", "[-1", "-1 m/s in x", "positive x"),
    ("velocity = [1.0, 0.0, 0.0], profile = { parabolic = { along = \"y\", from = 1.0, to = 2.0 } }", "velocity = [\"ln(y)\", 0, 0]", "boundary.x-low.inflow.velocity", "[\"ln", "-inf at x = 0 m, y = 0 m", "whole face"),
    ("{ outflow = { pressure = 0.0 } }", "{ inflow = { velocity = [\"-y\", 0, 0] } }", "boundary.x-low", "{ inflow", "nowhere out", "outflow"),
    // Faces.
    ("x-high = { outflow = { pressure = 0.0 } }", "x-high = \"periodic\"", "boundary.x-high", "\"periodic\"", "x-low is not", "both"),
    ("z-high = \"periodic\"", "z-high = \"symmetry\"", "boundary.z-low", "\"periodic\"", "z-high is not", "both"),
    ("z-low = \"periodic\"\nz-high = \"periodic\"", "z-low = \"wall\"\nz-high = \"wall\"", "boundary.z-low", "\"wall\"", "one cell in z", "periodic"),
    ("z-low = \"periodic\"\nz-high = \"periodic\"", "z-low = \"symmetry\"\nz-high = \"wall\"", "boundary.z-high", "\"wall\"", "one cell in z", "periodic"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [0.5, 0.1,", "boundary.y-high.wall.velocity", "[0.5, 0.1", "0.1 m/s in y", "plane"),
    ("wall = { velocity = [0.5, 0.0,", "wall = { velocity = [nan, 0.0,", "boundary.y-high.wall.velocity", "[nan", "NaN", "m/s"),
    ("[1.0, 0.0, 0.0], profile", "[0.0, 1.0, 0.0], profile", "boundary.x-low.inflow.velocity", "[0.0, 1.0", "0 m/s in x", "positive x"),
    ("[1.0, 0.0, 0.0], profile", "[-1.0, 0.0, 0.0], profile", "boundary.x-low.inflow.velocity", "[-1.0", "-1 m/s in x", "outflow"),
    ("{ outflow = { pressure = 0.0 } }", "{ outflow = { pressure = inf } }", "boundary.x-high.outflow.pressure", "inf", "inf", "Pa"),
    ("{ outflow = { pressure = 0.0 } }", "{ outflow = { pressure = 0.0, convective = true } }", "boundary.x-high.outflow.pressure", "0.0", "holds no pressure", "remove"),
    ("{ outflow = { pressure = 0.0 } }", "{ outflow = { speed = 1.0 } }", "boundary.x-high.outflow.speed", "1.0", "only a convective", "convective = true"),
    ("{ outflow = { pressure = 0.0 } }", "{ outflow = { convective = true, speed = -1.0 } }", "boundary.x-high.outflow.speed", "-1.0", "carries nothing", "positive"),
    ("{ outflow = { pressure = 0.0 } }", "{ outflow = { convective = 1 } }", "boundary.x-high.outflow.convective", "1", "", ""),
    ("x-high = { outflow = { pressure = 0.0 } }\ny-low = \"wall\"", "x-high = { outflow = { convective = true } }\ny-low = \"outflow\"", "boundary.x-high", "{ outflow", "through y-low", "write \"outflow\" for both"),
    ("{ outflow = { pressure = 0.0 } }", "{ inflow = { velocity = [\"0.25 + 0*y\", 0, 0] } }", "boundary.x-low", "{ inflow", "0.1 m3/s are prescribed into the box and 0.05 m3/s out of it, 50.0 % less", "let out what flows in"),
    ("{ outflow = { pressure = 0.0 } }", "\"wall\"", "boundary.x-low", "{ inflow", "nowhere out", "outflow"),
    ("{ outflow = { pressure = 0.0 } }", "{ inflow = { velocity = [-1.0, 0.0, 0.0] } }", "boundary.x-low", "{ inflow", "nowhere out", "outflow"),
    ("along = \"y\"", "along = \"x\"", "boundary.x-low.inflow.profile.parabolic.along", "\"x\"", "perpendicular", "plane of the face"),
    ("along = \"y\"", "along = \"z\"", "boundary.x-low.inflow.profile.parabolic.along", "\"z\"", "plane", "varies"),
    ("to = 2.0", "to = 1.0", "boundary.x-low.inflow.profile.parabolic.to", "1.0", "not above from = 1", "lower end"),
    ("to = 2.0", "to = 2.1", "boundary.x-low.inflow.profile.parabolic.to", "2.1", "2.1 is outside", "from 0 to 2 m"),
    ("from = 1.0", "from = -1.0", "boundary.x-low.inflow.profile.parabolic.from", "-1.0", "-1 is outside", "from 0 to 2 m"),
    // Solid boxes.
    ("high = [1.0, 1.0, 0.1]", "high = [5.0, 1.0, 0.1]", "solid[0].high", "[5.0", "5 in x is outside", "from 0 to 4 m"),
    ("low = [0.0, 0.0, 0.0], high", "low = [0.0, -1.0, 0.0], high", "solid[0].low", "[0.0, -1.0", "-1 in y is outside", "from 0 to 2 m"),
    ("low = [0.0, 0.0, 0.0], high", "low = [1.0, 0.0, 0.0], high", "solid[0].high", "[1.0", "not above low", "lower corner"),
    ("high = [1.0, 1.0, 0.1]", "high = [0.04, 1.0, 0.1]", "solid[0].high", "[0.04", "thinner than a cell", "0.1 m thick"),
    ("high = [1.0, 1.0, 0.1]", "high = [nan, 1.0, 0.1]", "solid[0].high", "[nan", "NaN", "corner"),
    ("high = [1.0, 1.0, 0.1]", "high = [4.0, 2.0, 0.1]", "solid", "[{", "every cell", "smaller"),
    ("high = [1.0, 1.0, 0.1] }", "high = [2.0, 2.0, 0.1] }, { low = [2.0, 0.0, 0.0], high = [4.0, 2.0, 0.1] }", "solid", "[{", "every cell", "smaller"),
    // Not TOML.
    ("references = [\"somebody-1900\"]", "references = [\"somebody-1900\"", "syntax", "", "line 3, column", "TOML"),
    ("\"Channel\"", "Channel", "syntax", "Channel", "line 1, column 9", "TOML"),
    ("title = \"Channel\"", "title = \"a\"\ntitle = \"b\"", "syntax", "title = \"b\"", "line 2, column 1", "TOML"),
];

fn parse_spoilt((from, to, ..): &Row) -> Result<Case, Error> {
    assert!(GOOD.contains(from), "`{from}` is not in the good case");
    let named = |name| NamedMethod { name, told_options: |_| Ok(String::new()), halvings: |_| 0 };
    name_methods(&["fdm", "fvm", "lbm"].map(named)).expect("the same names each time");
    Case::parse(&GOOD.replacen(from, to, 1), "channel.toml")
}

#[test]
fn the_case_is_good_before_it_is_spoilt() {
    let case = Case::parse(GOOD, "channel.toml").unwrap();
    assert_eq!(case.grid.cells(), [40, 20, 1]);
    assert_eq!(case.solids().count(), 100);
}

#[test]
fn every_wrong_case_is_answered_with_key_value_and_remedy() {
    let mut failures = Vec::new();
    for row in WRONG {
        let (from, to, key, caret, problem, remedy) = row;
        let Err(error) = parse_spoilt(row) else {
            failures.push(format!("`{from}` -> `{to}`: accepted"));
            continue;
        };
        let Error::Case { key: k, problem: p, remedy: r, place } = &error else {
            panic!("`{from}` -> `{to}`: {error:?}");
        };
        let pointed = place.as_ref().map_or("", |at| &at.text[at.start..at.start + at.length]);
        let starts = place.as_ref().map_or("", |at| &at.text[at.start..]);
        let right = k == key
            && p.contains(problem)
            && r.contains(remedy)
            && starts.starts_with(caret)
            && error.exit_code() == 2;
        if !right {
            failures
                .push(format!("`{from}` -> `{to}`:\n    {k}: {p}\n    {r}\n    at `{pointed}`"));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), WRONG.len(), failures.join("\n"));
}

fn file_error(path: &Path) -> (String, String) {
    match Case::read(path).unwrap_err() {
        Error::File { path: named, problem, remedy } => {
            assert_eq!(named, path);
            (problem, remedy)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let none = Case::read(folder.path().join("none.toml")).unwrap_err();
    assert!(none.to_string().ends_with("none.toml: there is no such file"), "{none}");
    assert!(none.exit_code() == 2 && none.remedy().contains("vortice cases"));
    let (problem, remedy) = file_error(folder.path());
    assert!(problem.contains("folder") && remedy.contains("*.toml"));
    let latin = folder.path().join("latin.toml");
    std::fs::write(&latin, b"title = \"Str\xf6mung\"").unwrap();
    let (problem, remedy) = file_error(&latin);
    assert!(problem.contains("byte 12") && remedy.contains("UTF-8"));
}

#[test]
fn options_of_a_method_are_answered_with_their_key() {
    #[derive(Debug, serde::Deserialize)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    struct Options {
        gamma: f64,
        over_relaxation: f64,
    }
    impl Default for Options {
        fn default() -> Self {
            Self { gamma: 0.0, over_relaxation: 1.7 }
        }
    }
    let options = |text: &str| Case::parse(text, "x").unwrap().options::<Options>("fdm");
    let good = options(GOOD).unwrap();
    assert_eq!((good.gamma, good.over_relaxation), (0.5, 1.7));
    assert_eq!(options(&GOOD.replace("[fdm]\ngamma = 0.5", "")).unwrap().over_relaxation, 1.7);
    let with_gpu = GOOD.replace("[fdm]", "[gpu]\nover-relaxation = 1.2\n[fdm]");
    let of_gpu: Options = Case::parse(&with_gpu, "x").unwrap().options("gpu").unwrap();
    assert_eq!((of_gpu.gamma, of_gpu.over_relaxation), (0.0, 1.2));
    let wrong = |line: &str| options(&GOOD.replace("gamma = 0.5", line)).unwrap_err();
    for (line, key, caret, part) in [
        ("gama = 0.5", "fdm.gama", "gama", "did you mean `gamma`"),
        ("gamma = \"auto\"", "fdm.gamma", "\"auto\"", "fdm.gamma"),
    ] {
        let error = wrong(line);
        let at = error.place().unwrap();
        assert!(error.to_string().starts_with(key), "{error}");
        assert_eq!(&at.text[at.start..at.start + at.length], caret);
        assert!(error.remedy().contains(part), "{}", error.remedy());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is typed, there is an answer, and its place is inside the text.
    #[test]
    fn no_text_makes_the_reader_panic(
        edits in prop::collection::vec((0..GOOD.len(), 0..12_usize, "[ -~\u{e9}\n]{0,6}"), 1..5),
    ) {
        let mut text = GOOD.to_owned();
        for (start, length, new) in edits {
            let floor = |byte: usize| {
                (0..=byte.min(text.len())).rev().find(|&b| text.is_char_boundary(b)).unwrap()
            };
            let span = floor(start)..floor(start + length);
            text.replace_range(span, &new);
        }
        check_answer(&text);
    }

    #[test]
    fn random_text_is_refused(text in any::<String>()) {
        prop_assert!(Case::parse(&text, "random").is_err());
        check_answer(&text);
    }

    /// A number replaced by any other is accepted or refused, and what is accepted makes sense.
    #[test]
    fn numbers_of_any_size_are_answered(place in 0..60_usize, number in any::<f64>()) {
        let is_number = |word: &&str| word.parse::<f64>().is_ok();
        let words = || GOOD.split_inclusive([' ', ',', '[', ']', '\n']);
        let trimmed = |word: &'static str| word.trim_end_matches([' ', ',', '[', ']', '\n']);
        let many = words().filter(|word| is_number(&trimmed(word))).count();
        let mut n = 0;
        let text: String = words()
            .map(|word| {
                if !is_number(&trimmed(word)) {
                    return word.to_owned();
                }
                n += 1;
                if n == place % many + 1 {
                    word.replace(trimmed(word), &format!("{number:?}").to_lowercase())
                } else {
                    word.to_owned()
                }
            })
            .collect();
        if let Ok(case) = Case::parse(&text, "x") {
            prop_assert!(case.grid.spacing().iter().all(|h| h.is_finite() && *h > 0.0));
            prop_assert!(case.reynolds().is_finite() && case.reynolds() > 0.0);
        }
        check_answer(&text);
    }
}

fn check_answer(text: &str) {
    match Case::parse(text, "x") {
        Ok(case) => drop(case.warnings()),
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.remedy().is_empty());
            if let Some(at) = error.place() {
                assert!(at.text.get(at.start..at.start + at.length).is_some());
            }
        }
    }
}
