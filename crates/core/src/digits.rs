//! Numbers for people.

/// Six digits that count, without zeros at the end: `1000`, `0.0078125`, `0.333333`.
pub fn significant(x: f64) -> String {
    let decimals = (5 - x.abs().max(f64::MIN_POSITIVE).log10().floor() as i64).clamp(0, 17);
    let text = format!("{x:.0$}", decimals as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_at_most() {
        for (x, text) in [
            (1000.0, "1000"),
            (0.0078125, "0.0078125"),
            (1.0 / 3.0, "0.333333"),
            (123_456_789.0, "123456789"),
            (30.0, "30"),
            (0.0, "0"),
        ] {
            assert_eq!(significant(x), text);
        }
    }
}
