//! One answer: a number with its unit, or a word.

use crate::spelling::shown;

/// A number and the unit behind it, from `"2.44e-3 s"` or, where no unit is asked for, `0.5`.
///
/// # Errors
/// A remark if it is no such thing.
pub(crate) fn number(value: &toml::Value, unit: &str) -> Result<f64, String> {
    let (number, given) = match value {
        toml::Value::Float(x) => (*x, ""),
        toml::Value::Integer(n) => (*n as f64, ""),
        toml::Value::String(text) => spelt(text)?,
        _ => return Err("is neither a number nor a text".into()),
    };
    if !number.is_finite() {
        return Err("is not finite".into());
    }
    match (given, unit) {
        (given, unit) if given == unit || (given.is_empty() && unit == "1") => Ok(number),
        ("", unit) => Err(format!("has no unit: write \"{number} {unit}\"")),
        (given, "1") => Err(format!("is in `{}`, asked for without a unit", shown(given))),
        (given, unit) => Err(format!("is in `{}`, asked for in `{unit}`", shown(given))),
    }
}

fn spelt(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty".into());
    }
    let (number, unit) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if number.contains(',') {
        return Err("has a comma: write a point".into());
    }
    let number = number.parse().map_err(|_| "is no number".to_owned())?;
    Ok((number, unit.trim()))
}

/// An answer as it is shown.
pub(crate) fn told(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => shown(text),
        other => shown(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    fn of(value: &str, unit: &str) -> Result<f64, String> {
        let table: toml::Table = format!("a = {value}").parse().expect("an answer");
        number(&table["a"], unit)
    }

    #[test]
    fn a_number_has_the_unit_that_is_asked_for() {
        assert_eq!(of("\"2.5e-3 s\"", "s"), Ok(2.5e-3));
        assert_eq!(of("\" -1.5  m/s \"", "m/s"), Ok(-1.5));
        assert_eq!((of("0.5", "1"), of("3", "1"), of("\"3\"", "1")), (Ok(0.5), Ok(3.0), Ok(3.0)));
        for (value, unit, remark) in [
            ("2.5e-3", "s", "has no unit"),
            ("\"2.5 ms\"", "s", "is in `ms`, asked for in `s`"),
            ("\"2.5 m\"", "1", "without a unit"),
            ("\"2,5 s\"", "s", "write a point"),
            ("\"\"", "s", "is empty"),
            ("\"two\"", "1", "is no number"),
            ("nan", "1", "is not finite"),
            ("\"inf s\"", "s", "is not finite"),
            ("[1]", "1", "is neither"),
            ("true", "1", "is neither"),
        ] {
            let found = of(value, unit).expect_err(value);
            assert!(found.contains(remark), "{value}: {found}");
        }
    }
}
