//! Numbers for people.

/// A share in percent, with three digits.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", digits(100.0 * share, 3))
}

/// A number with so many digits that count; powers of ten for very large and very small ones.
pub(super) fn digits(x: f64, count: i32) -> String {
    if !x.is_finite() {
        return "not found".into();
    }
    if x == 0.0 {
        return "0".into();
    }
    let first = x.abs().log10().floor() as i32;
    if !(-4..7).contains(&first) {
        return format!("{x:.0$e}", (count - 1).max(0) as usize);
    }
    format!("{x:.0$}", (count - 1 - first).max(0) as usize)
}

/// Seconds in the unit that fits.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        x if x < 60.0 => format!("{} s", digits(x, 2)),
        x if x < 3600.0 => format!("{:.0} min {:02.0} s", (x / 60.0).floor(), (x % 60.0).floor()),
        x => format!("{:.0} h {:02.0} min", (x / 3600.0).floor(), (x / 60.0 % 60.0).floor()),
    }
}

/// Bytes in the unit that fits.
pub(super) fn bytes(bytes: f64) -> String {
    match bytes {
        x if x < 1e6 => format!("{} kB", digits(x / 1e3, 3)),
        x if x < 1e9 => format!("{} MB", digits(x / 1e6, 3)),
        x => format!("{} GB", digits(x / 1e9, 3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_count() {
        let cases = [
            (0.388_569_8, "0.3886"),
            (-12.345_6, "-12.35"),
            (123_456.0, "123456"),
            (1.5e-7, "1.500e-7"),
            (0.0, "0"),
            (f64::NAN, "not found"),
        ];
        for (x, words) in cases {
            assert_eq!(digits(x, 4), words);
        }
        assert_eq!((&*percent(0.001_234_5), &*duration(3725.0)), ("0.123 %", "1 h 02 min"));
        assert_eq!((&*duration(0.3), &*duration(61.0)), ("0.30 s", "1 min 01 s"));
        assert_eq!((&*bytes(1234.0), &*bytes(2.5e9)), ("1.23 kB", "2.50 GB"));
    }
}
