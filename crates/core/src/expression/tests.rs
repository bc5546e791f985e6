use super::*;

fn value(text: &str) -> f64 {
    let formula = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    formula.value([2.0, 3.0, 5.0], 7.0)
}

#[test]
fn formulas_have_the_values_of_mathematics() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("-x^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(1 - 3)*x/4", -1.0),
        ("1/2/2", 0.25),
        ("1 - 2 - 3", -4.0),
        ("1/2", 0.5),
        ("2*-3", -6.0),
        ("--1", 1.0),
        ("+x", 2.0),
        ("x + y*z - t", 10.0),
        ("1e-3*1.5E+3 + .5", 2.0),
        ("cos(pi)", -1.0),
        ("max(1, x, y) - min(x, y)", 1.0),
        ("atan2(0, 1) + sqrt(4) + abs(-1)", 3.0),
        ("step(x - 2) + step(-1)", 1.0),
        ("exp(ln(3)) - tanh(0)", 3.0_f64.ln().exp()),
        ("4*1.5*y*(0.41-y)/0.41^2", 4.0 * 1.5 * 3.0 * (0.41 - 3.0) / 0.41_f64.powf(2.0)),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    assert!(value("min(sqrt(-x), 1)").is_nan() && value("step(0/0)").is_nan());
}

#[test]
fn what_a_formula_depends_on_is_known() {
    let of = |text| Expression::parse(text).expect("a formula");
    assert!(of("sin(t)").changes() && !of("sin(t)").varies());
    assert!(!of("x*y").changes() && of("x*y").varies());
    assert_eq!(of("2*(3 - 1)/4").as_number(), Some(1.0));
    assert_eq!(of("2*x").as_number(), None);
}

#[test]
fn what_is_no_formula_is_refused_with_the_place() {
    let deep = format!("{}1{}", "(".repeat(500), ")".repeat(500));
    let right = format!("{}1{}", "1+(".repeat(500), ")".repeat(500));
    for (text, problem) in [
        ("", "is empty, at character 1"),
        ("  ", "is empty, at character 3"),
        ("1 +", "ends where a value should stand, at character 4"),
        ("2y", "goes on with `y` where it should end, at character 2"),
        ("(1", "lacks a `)`, at character 3"),
        ("1)", "has a `)` without its `(`, at character 2"),
        ("1.2.3", "has `1.2.3`, which is no number, at character 1"),
        ("1e999", "has `1e999`, which is no number, at character 1"),
        ("x**2", "has `**`, and a power is `^`, at character 3"),
        ("sin x", "lacks the `(` after `sin`, at character 5"),
        ("sin(1, 2)", "lacks a `)`, at character 6"),
        ("min(1)", "gives `min` one value, and it takes two, at character 6"),
        ("atan2(1, 2, 3)", "lacks a `)`, at character 11"),
        ("1 + \u{e9}t\u{e9}", "has the unknown name `\u{e9}t\u{e9}`, at character 5"),
        ("1 & 2", "goes on with `&` where it should end, at character 3"),
        ("$", "has `$` where a value should stand, at character 1"),
        (deep.as_str(), "lies too deep in itself, at character 41"),
        (right.as_str(), "lies too deep in itself, at character 121"),
    ] {
        let error = Expression::parse(text).expect_err(text);
        assert_eq!(error.problem, problem, "{text}");
    }
    let error = Expression::parse("sine(x)").expect_err("no such function");
    assert!(error.remedy.starts_with("did you mean `sin`?"), "{}", error.remedy);
}

#[test]
fn conditions_are_below_zero_where_they_hold() {
    for (text, holds) in [
        ("x^2 + y^2 < 13.1", true),
        ("x^2 + y^2 <= 12.9", false),
        ("x > 1 and y > 4", false),
        ("x > 1 or y > 4", true),
        ("x > 3 or y > 2 and z > 4", true),
        ("(x > 3 or y > 2) and z > 6", false),
        ("((x - 1)*2 >= 1)", true),
        ("min(x, y) < 2.5", true),
    ] {
        let condition = Expression::parse_condition(text).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(condition.value([2.0, 3.0, 5.0], 0.0) < 0.0, holds, "{text}");
    }
    for (text, problem) in [
        ("x", "compares nothing, at character 2"),
        ("", "is empty, at character 1"),
        ("x < 1 < y", "goes on with `<` where it should end, at character 7"),
        ("x < 1 and y", "joins what is no comparison, at character 12"),
        ("1 + (x < 1)", "calculates with a comparison, at character 12"),
        ("-(x < 1) < 2", "calculates with a comparison, at character 10"),
        ("max((x < 1), 2) < 3", "calculates with a comparison, at character 15"),
        ("x < 1 andy", "goes on with `a` where it should end, at character 7"),
        ("x < ", "ends where a value should stand, at character 5"),
    ] {
        let error = Expression::parse_condition(text).expect_err(text);
        assert_eq!(error.problem, problem, "{text}");
        assert!(error.remedy.contains("compare two formulas"), "{text}");
    }
    let error = Expression::parse("x < 1").expect_err("no number");
    assert_eq!(error.problem, "is a comparison where a number should stand, at character 6");
}

/// Texts of pieces of formulas in any order are read or refused, and what is read has a value.
#[test]
fn no_text_makes_the_reader_panic() {
    let pieces = [
        "x", "t", "1", ".", "e", "(", ")", "+", "-", "*", "/", "^", ",", "min(", "sin", " ",
        "\u{b5}", "<", ">=", " and ", " or ",
    ];
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        for read in [Expression::parse, Expression::parse_condition] {
            if let Ok(formula) = read(&text) {
                let _ = formula.value([0.5; 3], 0.5);
            }
        }
    }
}
