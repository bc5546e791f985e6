//! Heat in case files: what the keys mean, and what wrong ones are answered with.

use vortice_core::{Case, Quantity, ScalarBoundary, Side, flow_keys};

/// A channel with an inflow, an outflow and two walls, whose heat can be spoilt.
const GOOD: &str = r#"title = "Warm channel"
grid = { cells = [8, 4, 1], size = [2.0, 1.0, 0.1] }
fluid = { viscosity = 1e-3 }
heat = { prandtl = 0.5, expansion = 1e-3, gravity = [-10.0, 0.0, 0.0] }
initial = { temperature = "300 + x" }
run = { until = 1.0 }
[boundary]
x-low = { inflow = { velocity = [1.0, 0.0, 0.0], temperature = 300.0 } }
x-high = "outflow"
y-low = { wall = { temperature = 310.0 } }
y-high = { wall = { heat-flux = 0.5 } }
z-low = "periodic"
z-high = "periodic"
"#;

const HEAT: &str = "heat = { prandtl = 0.5, expansion = 1e-3, gravity = [-10.0, 0.0, 0.0] }";
const Y_HIGH: &str = "y-high = { wall = { heat-flux = 0.5 } }";

const RUN: &str = "run = { until = 1.0 }";

/// The same with a body and a solid box.
const WITH_SOLIDS: &str = "run = { until = 1.0 }\n\
    solid = [{ low = [1, 0, 0], high = [1.5, 0.5, 0.1], temperature = 301.0 }]\n\
    body.ball = { circle = { centre = [1, 0.7], radius = 0.2 }, heat-flux = 'y' }";

/// What is replaced by what, the key of the error, a part of the problem, a part of the remedy.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const WRONG: &[Row] = &[
    (HEAT, "heat = {}", "heat", "neither diffusivity nor prandtl", "`prandtl = 0.71`"),
    (HEAT, "heat = { prandtl = 1.0, diffusivity = 1.0 }", "heat", "both given", "one of them"),
    (HEAT, "heat = { prandtl = 0.0 }", "heat.prandtl", "0 is not a positive", "prandtl = 0.71"),
    (HEAT, "heat = { prandtl = 1e-320 }", "heat.prandtl", "inf is not a positive", "prandtl = 0.71"),
    (HEAT, "heat = { diffusivity = -1.0 }", "heat.diffusivity", "-1 is not a positive", "m2/s"),
    (HEAT, "heat = { diffusivity = nan }", "heat.diffusivity", "NaN", "m2/s"),
    (HEAT, "heat = { prandtl = 1.0, expansion = inf }", "heat.expansion", "inf is not a finite", "1/K"),
    (HEAT, "heat = { prandtl = 1.0, expansion = 1e-3 }", "heat.expansion", "heat.gravity is zero", "[0.0, -9.81, 0.0]"),
    (HEAT, "heat = { prandtl = 1.0, gravity = [0.0, -9.81, 0.0] }", "heat.gravity", "heat.expansion is zero", "3.4e-3"),
    (HEAT, "heat = { prandtl = 1.0, expansion = 1e-3, gravity = [0.0, 0.0, -9.81] }", "heat.gravity", "-9.81 in z", "third number"),
    (HEAT, "heat = { prandtl = 1.0, gravity = [0.0, -9.81] }", "heat.gravity", "three numbers", "gravity in m/s2"),
    (HEAT, "heat = { prandtl = 1.0, reference = nan }", "heat.reference", "NaN is not a finite", "without buoyancy"),
    (HEAT, "heat = { prandtl = 1.0, alpha = 2.0 }", "heat.alpha", "no key `alpha`", "diffusivity"),
    (HEAT, "heat = 1.0", "heat", "expected a table", "{ prandtl = 0.71 }"),
    (HEAT, "", "initial.temperature", "no table `heat`", "diffusivity = 2e-5"),
    ("\"300 + x\"", "\"300 + t\"", "initial.temperature", "has the time t", "t = 0"),
    ("\"300 + x\"", "\"300 + q\"", "initial.temperature", "q", ""),
    ("\"300 + x\"", "\"ln(x - 1)\"", "initial.temperature", "NaN at x", "number everywhere"),
    ("\"300 + x\"", "inf", "initial.temperature", "inf is not a finite", "at t = 0 in K"),
    (", temperature = 300.0", "", "boundary.x-low.inflow.temperature", "is missing", "temperature = 300.0"),
    (", temperature = 300.0", ", temperature = nan", "boundary.x-low.inflow.temperature", "NaN", "flows in"),
    (", temperature = 300.0", ", heat-flux = 1.0", "boundary.x-low.inflow.heat-flux", "no key `heat-flux`", "temperature"),
    (Y_HIGH, "y-high = { wall = { temperature = 1.0, heat-flux = 0.5 } }", "boundary.y-high.wall", "both given", "keep one"),
    (Y_HIGH, "y-high = { wall = { temperature = \"hot\" } }", "boundary.y-high.wall.temperature", "hot", ""),
    (Y_HIGH, "y-high = { wall = { temperature = \"ln(x - 1)\" } }", "boundary.y-high.wall.temperature", "is NaN at x", "all over the face"),
    (Y_HIGH, "y-high = { wall = { heat-flux = \"1/(t - 0.5)\" } }", "boundary.y-high.wall.heat-flux", "t = 0.5 s", "end of the run"),
    (RUN, "run = { until = 1.0 }\nsolid = [{ low = [1, 0, 0], high = [1.5, 0.5, 0.1], temperature = 1.0, heat-flux = 2.0 }]", "solid[0]", "both given", "keep one"),
    (RUN, "run = { until = 1.0 }\nsolid = [{ low = [1, 0, 0], high = [1.5, 0.5, 0.1], temperature = nan }]", "solid[0].temperature", "NaN", "its temperature in K"),
    (RUN, "run = { until = 1.0 }\nsolid = [{ low = [1, 0, 0], high = [1.5, 0.5, 0.1], temperature = 'x*t' }]", "solid[0].temperature", "has the time t in it", "leave t out"),
    (RUN, "run = { until = 1.0 }\nbody.ball = { circle = { centre = [1, 0.5], radius = 0.3 }, heat-flux = 'ln(x - 1)' }", "body.ball.heat-flux", "is NaN at x", "all over the surface"),
    (RUN, "run = { until = 1.0 }\nbody.ball = { circle = { centre = [1, 0.5], radius = 0.3 }, scalars = { dye = 2.0 } }", "body.ball.scalars.dye", "no scalar `dye`", "[[scalar]]"),
    (RUN, "run = { until = 1.0 }\nbody.ball = { circle = { centre = [1, 0.5], radius = 0.3 }, heat = 2.0 }", "body.ball.heat", "no key `heat`", ""),
    (Y_HIGH, "y-high = { wall = { heat-flux = inf } }", "boundary.y-high.wall.heat-flux", "inf is not a finite", "K m/s"),
    (Y_HIGH, "y-high = { outflow = { temperature = 1.0 } }", "boundary.y-high.outflow.temperature", "no key `temperature`", "pressure"),
];

#[test]
fn wrong_heat_is_refused_with_key_and_remedy() {
    for (old, new, key, problem, remedy) in WRONG {
        assert!(GOOD.contains(old), "{old}");
        let error = Case::parse(&GOOD.replace(old, new), "warm").expect_err(new);
        let words = error.to_string();
        assert!(words.starts_with(&format!("{key}: ")), "{new}: {words}");
        assert!(words.contains(problem), "{new}: {words}");
        assert!(error.remedy().contains(remedy), "{new}: {}", error.remedy());
    }
    // Without the table each temperature of a face is one too many.
    let cold = GOOD.replace(HEAT, "").replace("initial = { temperature = \"300 + x\" }", "");
    for key in ["x-low.inflow.temperature", "y-low.wall.temperature", "y-high.wall.heat-flux"] {
        let others =
            cold.lines().filter(|line| !line.contains("wall = {") && !line.contains("inflow"));
        let face = key.split('.').next().expect("a face");
        let lines = others.map(String::from).chain(["x-low", "y-low", "y-high"].map(|name| {
            let line = cold.lines().find(|line| line.starts_with(name)).expect("a face");
            if name == face { line.to_owned() } else { format!("{name} = \"wall\"") }
        }));
        let text = lines.collect::<Vec<_>>().join("\n");
        let words = Case::parse(&text, "cold").expect_err(key).to_string();
        assert!(words.starts_with(&format!("boundary.{key}: there is no table")), "{words}");
    }
}

#[test]
fn formulas_of_walls_are_taken_at_their_places_and_times() {
    let wave = "y-high = { wall = { temperature = \"300 + x + 10*t\" } }";
    let case = Case::parse(&GOOD.replace(Y_HIGH, wave), "warm").expect("a case");
    let heat = case.heat.as_ref().expect("heat");
    assert!(heat.changes() && case.changes());
    assert_eq!(heat.given_at(1, Side::High, [0.5, 1.0, 0.0], 2.0), 320.5);
    // The mean of the wall at t = 0; the largest difference is that of all times.
    assert_eq!(heat.at(1, Side::High), ScalarBoundary::Value(301.0));
    assert_eq!(heat.difference, 11.875);
    let steady = GOOD.replace(Y_HIGH, wave).replace("until = 1.0", "until = 'steady'");
    let error = Case::parse(&steady, "warm").expect_err("it changes");
    assert!(error.to_string().starts_with("boundary.y-high.wall.temperature: "), "{error}");
    assert!(error.remedy().contains("leave t out"), "{}", error.remedy());
}

#[test]
fn heat_has_its_numbers_and_defaults() {
    let case = Case::parse(GOOD, "warm").unwrap_or_else(|error| panic!("{error}"));
    let heat = case.heat.as_ref().expect("heat");
    assert_eq!((heat.diffusivity, heat.reference, heat.difference), (2e-3, 305.0, 10.0));
    assert_eq!(heat.buoyancy, [1e-2, 0.0, 0.0]);
    assert_eq!(heat.at(0, Side::High), ScalarBoundary::Outflow);
    assert_eq!(heat.at(1, Side::High), ScalarBoundary::Flux(0.5));
    assert_eq!(heat.at(2, Side::Low), ScalarBoundary::Periodic);
    assert_eq!(heat.initial_value([0.25, 0.0, 0.0]), 300.25);
    // |G| beta dT L3 / (nu alpha) of 0.1 m/s2, 1 m, 1e-3 and 2e-3 m2/s.
    assert!((heat.rayleigh(case.viscosity, 1.0) / 5e4 - 1.0).abs() < 1e-12);
    assert_eq!(heat.prandtl(case.viscosity), 0.5);
    let names: Vec<_> = case.whole_recorded().quantities.iter().map(|one| one.name()).collect();
    assert_eq!(names, ["velocity", "pressure", "temperature", "vorticity", "stream_function"]);
    let first = case.carried().next().expect("a temperature");
    assert_eq!((first.quantity, first.peclet(1.0, 1.0)), (Quantity::Temperature, 500.0));
    let of_layer = |warning: &String| warning.contains("lie across the thermal layer");
    assert!(case.warnings().iter().all(of_layer), "{:?}", case.warnings());
    let across = GOOD.replace("[-10.0, 0.0, 0.0]", "[0.0, -10.0, 0.0]");
    let warnings = Case::parse(&across, "warm").expect("a case").warnings();
    let says = |warning: &String| warning.contains("boundary.x-high: gravity acts along");
    assert!(warnings.iter().any(says), "{warnings:?}");
}

#[test]
fn a_flow_at_rest_is_measured_by_what_heat_does_to_it() {
    let of = |heat: &str| {
        let text = GOOD.replace(HEAT, heat).replace(
            "{ inflow = { velocity = [1.0, 0.0, 0.0], temperature = 300.0 } }",
            "{ wall = { temperature = 300.0 } }",
        );
        Case::parse(&text.replace("\"outflow\"", "\"wall\""), "warm").expect("a case")
    };
    assert!((of(HEAT).scale.velocity - 0.1_f64.sqrt()).abs() < 1e-15);
    assert_eq!(of("heat = { diffusivity = 0.25 }").scale.velocity, 0.25);
}

#[test]
fn what_decides_the_temperature_is_a_key_of_the_flow() {
    let keys = |text: &str| flow_keys(&Case::parse(text, "warm").expect("a case"));
    let before = keys(GOOD);
    for (old, new, key) in [
        ("prandtl = 0.5", "prandtl = 0.25", "heat.diffusivity = 0.004"),
        ("expansion = 1e-3", "expansion = 2e-3", "heat.expansion = 0.002"),
        ("\"300 + x\"", "\"300 - x\"", "initial.temperature = \"300 - x\""),
        ("heat-flux = 0.5", "heat-flux = 0.25", "boundary.y-high.wall.heat-flux = 0.25"),
        (
            ", temperature = 300.0",
            ", temperature = 310.0",
            "boundary.x-low.inflow.temperature = 310",
        ),
        (RUN, WITH_SOLIDS, "body.ball.heat-flux = \"y\""),
        (RUN, WITH_SOLIDS, "solid[0].temperature = 301"),
    ] {
        let after = keys(&GOOD.replace(old, new));
        let changed = after.into_iter().filter(|one| !before.contains(one));
        let changed: Vec<_> = changed.map(|(key, value)| format!("{key} = {value}")).collect();
        assert!(changed.iter().any(|one| one == key), "{changed:?}");
    }
    let cold = GOOD.replace(HEAT, "").replace("initial = { temperature = \"300 + x\" }", "");
    let cold = cold.replace(", temperature = 300.0", "").replace("temperature = 310.0", "");
    assert!(
        !keys(&cold.replace("heat-flux = 0.5", "")).iter().any(|(key, _)| key.contains("heat"))
    );
}
