//! Scalars with names in case files: what the keys mean, and what wrong ones are answered with.

use vortice_core::{Case, Quantity, ScalarBoundary, Side, flow_keys, known_keys};

/// A channel with an inflow, an outflow and two walls, whose scalars can be spoilt.
const GOOD: &str = r#"title = "Channel with dye and salt"
grid = { cells = [8, 4, 1], size = [2.0, 1.0, 0.1] }
fluid = { viscosity = 1e-3 }
initial = { scalars = { dye = "x + 1" } }
run = { until = 1.0 }
[boundary]
x-low = { inflow = { velocity = [1.0, 0.0, 0.0], scalars = { dye = 1.0, salt = 35.0 } } }
x-high = "outflow"
y-low = { wall = { scalars = { dye = 3.0 } } }
y-high = { wall = { scalar-fluxes = { salt = 0.5 } } }
z-low = "periodic"
z-high = "periodic"
[[scalar]]
name = "dye"
diffusivity = 2e-3
[[scalar]]
name = "salt"
diffusivity = 1e-5
"#;

const Y_HIGH: &str = "y-high = { wall = { scalar-fluxes = { salt = 0.5 } } }";

/// What is replaced by what, the key of the error, a part of the problem, a part of the remedy.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const WRONG: &[Row] = &[
    ("name = \"dye\"", "name = \"salt\"", "scalar[1].name", "two scalars are called `salt`", "its own name"),
    ("name = \"dye\"", "name = \"red dye\"", "scalar[0].name", "`red dye` is no name", "letters, digits and `-`"),
    ("name = \"dye\"", "name = \"\"", "scalar[0].name", "`` is no name", "letters, digits and `-`"),
    ("name = \"dye\"", "name = \"temperature\"", "scalar[0].name", "something else", "the table `heat`"),
    ("name = \"dye\"", "name = \"p\"", "scalar[0].name", "something else", "another name"),
    ("name = \"dye\"", "", "scalar[0].name", "is missing", "name = \"dye\""),
    ("diffusivity = 2e-3", "", "scalar[0].diffusivity", "is missing", "in m2/s"),
    ("diffusivity = 2e-3", "diffusivity = 0.0", "scalar[0].diffusivity", "0 is not a positive", "in m2/s"),
    ("diffusivity = 1e-5", "diffusivity = nan", "scalar[1].diffusivity", "NaN", "in m2/s"),
    ("diffusivity = 2e-3", "diffusivity = 2e-3\nsource = \"t\"", "scalar[0].source", "has the time t", "x, y and z"),
    ("diffusivity = 2e-3", "diffusivity = 2e-3\nsource = \"1/(x - 0.125)\"", "scalar[0].source", "inf at x", "number everywhere"),
    ("diffusivity = 2e-3", "diffusivity = 2e-3\nsource = nan", "scalar[0].source", "NaN is not a finite", "comes in inside"),
    ("diffusivity = 1e-5", "alpha = 1e-5", "scalar[1].alpha", "no key `alpha`", "diffusivity"),
    ("name = \"dye\"", "name = \"die\"", "initial.scalars.dye", "no scalar `dye`", "`die`"),
    ("{ dye = \"x + 1\" }", "{ dye = \"t\" }", "initial.scalars.dye", "has the time t", "t = 0"),
    ("{ dye = \"x + 1\" }", "{ dye = \"ln(x - 1)\" }", "initial.scalars.dye", "NaN at x", "number everywhere"),
    ("{ dye = \"x + 1\" }", "{ dye = [1.0] }", "initial.scalars.dye", "number, or a formula", "at t = 0"),
    (", salt = 35.0", "", "boundary.x-low.inflow.scalars.salt", "is missing", "in what flows in"),
    (", salt = 35.0", ", salt = inf", "boundary.x-low.inflow.scalars.salt", "inf is not a finite", "in what flows in"),
    (", salt = 35.0", ", salt = 35.0, sand = 1.0", "boundary.x-low.inflow.scalars.sand", "no scalar `sand`", "`salt`"),
    ("scalars = { dye = 1.0, salt = 35.0 }", "scalar-fluxes = { dye = 1.0 }", "boundary.x-low.inflow.scalar-fluxes", "no key `scalar-fluxes`", "scalars"),
    (Y_HIGH, "y-high = { wall = { scalars = { salt = 1.0 }, scalar-fluxes = { salt = 0.5 } } }", "boundary.y-high.wall", "both given", "keep one"),
    (Y_HIGH, "y-high = { wall = { scalar-fluxes = { salt = \"much\" } } }", "boundary.y-high.wall.scalar-fluxes.salt", "much", "known names"),
    (Y_HIGH, "y-high = { wall = { scalar-fluxes = { sand = 1.0 } } }", "boundary.y-high.wall.scalar-fluxes.sand", "no scalar `sand`", "`salt`"),
];

#[test]
fn wrong_scalars_are_refused_with_key_and_remedy() {
    for (old, new, key, problem, remedy) in WRONG {
        assert!(GOOD.contains(old), "{old}");
        let error = Case::parse(&GOOD.replacen(old, new, 1), "dyed").expect_err(new);
        let words = error.to_string();
        assert!(words.starts_with(&format!("{key}: ")), "{new}: {words}");
        assert!(words.contains(problem), "{new}: {words}");
        assert!(error.remedy().contains(remedy), "{new}: {}", error.remedy());
    }
    let without = &GOOD[..GOOD.find("[[scalar]]").expect("a table")];
    let error = Case::parse(without, "dyed").expect_err("no tables");
    assert!(error.to_string().starts_with("initial.scalars.dye: there is no scalar `dye`"));
    assert!(error.remedy().contains("[[scalar]], name = \"dye\""), "{}", error.remedy());
    assert!(known_keys().iter().any(|key| key == "scalar"));
}

#[test]
fn scalars_have_their_numbers_and_defaults() {
    let case = Case::parse(GOOD, "dyed").unwrap_or_else(|error| panic!("{error}"));
    let [dye, salt] = &case.scalars[..] else { panic!("two scalars") };
    assert_eq!((dye.quantity, dye.diffusivity), (Quantity::scalar("dye"), 2e-3));
    // The mean and the spread of 1 and 3; one value alone differs from what is there at first.
    assert_eq!((dye.reference, dye.difference), (2.0, 2.0));
    assert_eq!((salt.reference, salt.difference), (35.0, 0.5 * 1.0 / 1e-5));
    assert_eq!((dye.schmidt(case.viscosity), dye.peclet(1.0, 1.0)), (0.5, 500.0));
    assert!(!dye.is_buoyant() && case.heat.is_none());
    assert_eq!(dye.at(0, Side::High), ScalarBoundary::Outflow);
    assert_eq!(dye.at(1, Side::High), ScalarBoundary::Flux(0.0));
    assert_eq!(salt.at(1, Side::High), ScalarBoundary::Flux(0.5));
    assert_eq!(dye.at(2, Side::Low), ScalarBoundary::Periodic);
    assert_eq!([dye, salt].map(|one| one.initial_value([0.25, 0.0, 0.0])), [1.25, 0.0]);
    let names: Vec<_> = case.whole_recorded().quantities.iter().map(|one| one.name()).collect();
    assert_eq!(names, ["velocity", "pressure", "dye", "salt", "vorticity", "stream_function"]);
    let alone = GOOD.replace(Y_HIGH, "y-high = \"wall\"");
    let alone = Case::parse(&alone, "dyed").expect("a case");
    assert_eq!(alone.scalars[1].difference, 35.0);
    let heated = GOOD.replace("fluid =", "heat = { prandtl = 1.0 }\nfluid =");
    let heated =
        heated.replace("scalars = { dye = 1.0", "temperature = 300.0, scalars = { dye = 1.0");
    let heated = Case::parse(&heated, "dyed").unwrap_or_else(|error| panic!("{error}"));
    let carried: Vec<_> = heated.carried().map(|one| one.quantity.name()).collect();
    assert_eq!(carried, ["temperature", "dye", "salt"]);
}

#[test]
fn probes_and_fields_know_scalars_by_their_names() {
    let text = format!(
        "{GOOD}[output]\nquantities = [\"dye\"]\n[output.probes]\npoints = {{ one = [0.5, 0.5, 0.0] }}\n"
    );
    let case = Case::parse(&text, "dyed").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(case.output.quantities, Some(vec![Quantity::scalar("dye")]));
    let probes = case.output.probes.as_ref().expect("probes");
    let columns: Vec<_> = probes.variables(&case.grid).iter().map(|one| one.2).collect();
    assert_eq!(columns, ["u", "v", "p", "dye", "salt"]);
    let error = Case::parse(&text.replace("[\"dye\"]", "[\"sand\"]"), "dyed").expect_err("no sand");
    assert!(error.to_string().contains("no `sand` of this flow"), "{error}");
}

#[test]
fn what_decides_a_scalar_is_a_key_of_the_flow() {
    let keys = |text: &str| flow_keys(&Case::parse(text, "dyed").expect("a case"));
    let before = keys(GOOD);
    for (old, new, key) in [
        (
            "diffusivity = 2e-3",
            "diffusivity = 1e-3",
            "scalar = [{ name = \"dye\", diffusivity = 0.001 }, { name = \"salt\", diffusivity = 1e-5 }]",
        ),
        (
            "diffusivity = 2e-3",
            "diffusivity = 2e-3\nsource = \"2*x\"",
            "scalar = [{ name = \"dye\", diffusivity = 0.002, source = \"2*x\" }, { name = \"salt\", diffusivity = 1e-5 }]",
        ),
        ("\"x + 1\"", "\"x + 2\"", "initial.scalars.dye = \"x + 2\""),
        ("salt = 35.0", "salt = 36.0", "boundary.x-low.inflow.scalars.salt = 36"),
        ("dye = 3.0", "dye = 4.0", "boundary.y-low.wall.scalars.dye = 4"),
        ("{ salt = 0.5 }", "{ salt = 0.25 }", "boundary.y-high.wall.scalar-fluxes.salt = 0.25"),
    ] {
        let after = keys(&GOOD.replace(old, new));
        let changed = after.into_iter().filter(|one| !before.contains(one));
        let changed: Vec<_> = changed.map(|(key, value)| format!("{key} = {value}")).collect();
        assert!(changed.iter().any(|one| one == key), "{changed:?}");
    }
}
