//! Numbers for people: every message, table and page takes its digits and units from here.

/// Stands where a flow has no such number.
const NONE: &str = "not found";

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

/// A number with so many digits that count; powers of ten for very large and very small ones; `not found`
/// for no number.
pub fn digits(x: f64, count: i32) -> String {
    if x.is_finite() && x != 0.0 { down_to(x, first_place(x) + 1 - count) } else { special(x) }
}

/// A number down to a power of ten; powers of ten as [`digits`] has them.
pub fn down_to(x: f64, last: i32) -> String {
    if !x.is_finite() || x == 0.0 {
        return special(x);
    }
    let first = first_place(x);
    if !(-4..7).contains(&first) {
        return format!("{x:.0$e}", (first - last).max(0) as usize);
    }
    format!("{x:.0$}", (-last).max(0) as usize)
}

/// Power of ten of the first digit.
pub fn first_place(x: f64) -> i32 {
    x.abs().log10().floor() as i32
}

fn special(x: f64) -> String {
    if x == 0.0 { "0".into() } else { NONE.into() }
}

/// A share in percent, with three digits that count; `not found` for no number.
pub fn percent(share: f64) -> String {
    if share.is_finite() { format!("{} %", digits(100.0 * share, 3)) } else { NONE.into() }
}

/// A number with six digits after the point, so that points stand below each other; small ones in powers of
/// ten; `not found` for no number.
pub fn number_in_column(x: f64) -> String {
    match x {
        x if x.is_nan() => NONE.into(),
        x if x != 0.0 && x.abs() < 1e-2 => format!("{x:.5e}"),
        x => format!("{x:.6}"),
    }
}

/// A share in percent with three digits after the point, so that points stand below each other; small ones
/// in powers of ten; `not found` for no number.
pub fn percent_in_column(share: f64) -> String {
    match share {
        x if x.is_nan() => NONE.into(),
        x if x != 0.0 && x.abs() < 1e-4 => format!("{:.1e} %", 100.0 * x),
        x => format!("{:.3} %", 100.0 * x),
    }
}

/// Seconds in the unit that fits.
pub fn duration(seconds: f64) -> String {
    match seconds {
        x if x < 60.0 => format!("{} s", digits(x, 2)),
        x if x < 3600.0 => format!("{:.0} min {:02.0} s", (x / 60.0).floor(), (x % 60.0).floor()),
        x => format!("{:.0} h {:02.0} min", (x / 3600.0).floor(), (x / 60.0 % 60.0).floor()),
    }
}

/// Seconds in milliseconds, to the microsecond.
pub fn milliseconds(seconds: f64) -> String {
    format!("{:.3} ms", 1e3 * seconds)
}

/// Bytes in the unit that fits, with three digits that count.
pub fn bytes(bytes: f64) -> String {
    match bytes {
        x if x < 1e6 => format!("{} kB", digits(x / 1e3, 3)),
        x if x < 1e9 => format!("{} MB", digits(x / 1e6, 3)),
        x => format!("{} GB", digits(x / 1e9, 3)),
    }
}

/// Bytes per second in GB/s, with three digits that count.
pub fn bandwidth(bytes_per_second: f64) -> String {
    format!("{} GB/s", digits(bytes_per_second / 1e9, 3))
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
        assert_eq!((&*bytes(0.0), &*bandwidth(64e9)), ("0 kB", "64.0 GB/s"));
    }

    #[test]
    fn columns_keep_their_points_below_each_other() {
        assert_eq!((&*percent_in_column(0.04), &*percent_in_column(2e-6)), ("4.000 %", "2.0e-4 %"));
        assert_eq!(
            (&*number_in_column(-0.5), &*number_in_column(0.001)),
            ("-0.500000", "1.00000e-3")
        );
        assert_eq!(
            (percent_in_column(f64::NAN), number_in_column(f64::NAN)),
            (NONE.into(), NONE.into())
        );
    }
}
