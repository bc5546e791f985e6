//! Tables of methods: any before it is said which methods there are, and those of methods after it. One
//! test, because it is said once in a program.

use vortice_core::{Case, NamedMethod, Result, flow_keys, name_methods};

const CASE: &str = include_str!("../../../cases/cavity.toml");

/// Chorin's method has two options; the speed of its sound is one by default.
fn name(names: &[&'static str]) -> Result<()> {
    let told = |case: &Case| {
        let keys: std::collections::BTreeMap<String, f64> = case.options(&case.run.method)?;
        Ok(format!("{:?} {:?}", keys.get("delta").unwrap_or(&1.0), keys.get("safety")))
    };
    let named = |&name| NamedMethod { name, told_options: told, halvings: Case::halvings };
    name_methods(&names.iter().map(named).collect::<Vec<_>>())
}

fn with(lines: &str) -> vortice_core::Result<Case> {
    Case::parse(&format!("{CASE}\n{lines}"), "cavity")
}

#[test]
fn a_table_is_that_of_a_method() {
    let early = with("[chorinn]\ndelta = 1.0").expect("it may be a method's");
    assert!(early.check_tables().is_ok());
    let rows = |case: &Case| case.decomposition(None, 3).expect("three ranks").starts[1].clone();
    assert_eq!(rows(&early), [0, 43, 86, 128]);

    let error = name(&["grid"]).unwrap_err();
    assert!(error.to_string().contains("grid: is a key of all cases"), "{error}");
    name(&["fdm", "chorin"]).expect("these are the methods");
    name(&["fdm", "chorin"]).expect("the same again");
    let error = name(&["fdm"]).unwrap_err();
    assert!(error.to_string().contains("other methods were named before"), "{error}");

    let case = with("[chorin]\ndelta = 1.0").expect("a method's table");
    let set = case.with(&["chorin.delta=2.0".into()]).expect("a key of the table");
    let keys: std::collections::BTreeMap<String, f64> = set.options("chorin").unwrap();
    assert_eq!(keys["delta"], 2.0);
    // Its coarsest grid has 16 x 16 cells.
    assert_eq!(rows(&set.method("chorin")), [0, 48, 88, 128]);

    // A default that is written out is no other case.
    let keys = |table: &str| flow_keys(&with(table).expect("a case").method("chorin"));
    assert_eq!(keys("[chorin]\ndelta = 1.0"), keys(""));
    assert_eq!(keys("[chorin]\ndelta = 1\nsafety = 0.5"), keys("[chorin]\nsafety = 0.5"));
    let told = keys("[chorin]\ndelta = 2.0");
    assert!(told.contains(&("chorin.delta".into(), "2".into())), "{told:?}");

    for error in [early.check_tables().unwrap_err(), with("[chorinn]").unwrap_err()] {
        assert!(error.to_string().contains("there is no key `chorinn` here"), "{error}");
        assert!(error.remedy().starts_with("did you mean `chorin`?"), "{}", error.remedy());
        let at = error.place().expect("it stands in the text");
        assert_eq!(&at.text[at.start..at.start + at.length], "chorinn");
    }
    let text = format!("chorin = 3\n{CASE}");
    let error = Case::parse(&text, "cavity").unwrap_err();
    assert!(error.to_string().contains("integer `3`"), "{error}");
}
