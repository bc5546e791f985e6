//! Bytes for people.

/// Bytes in a fitting unit.
pub(crate) fn memory(bytes: f64) -> String {
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        1e6..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.2} GB", bytes / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_a_fitting_unit() {
        assert_eq!(memory(1.7e6), "1.7 MB");
        assert_eq!(memory(2.5e10), "25.00 GB");
        assert_eq!(memory(1500.0), "2 kB");
    }
}
