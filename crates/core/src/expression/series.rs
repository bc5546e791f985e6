//! A number that a table gives over time.

use std::sync::Arc;

use crate::checksum::checksum;

/// A number over time, straight between the rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// In s, each later than the one before; two at least.
    pub(crate) times: Arc<[f64]>,
    /// One for each time; if it repeats itself, the last one is the first.
    pub(crate) values: Vec<f64>,
    /// Whether it begins anew at its last time.
    pub(crate) repeat: bool,
}

impl Series {
    /// Its first and last time in s.
    fn ends(&self) -> [f64; 2] {
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// Its value at a time in s; beyond its ends that of the end.
    pub(super) fn value(&self, time: f64) -> f64 {
        let [first, last] = self.ends();
        let time = if self.repeat { first + (time - first).rem_euclid(last - first) } else { time };
        let later = self.times.partition_point(|&row| row <= time);
        let Some(before) = later.checked_sub(1) else { return self.values[0] };
        if later == self.times.len() {
            return self.values[before];
        }
        let share = (time - self.times[before]) / (self.times[later] - self.times[before]);
        self.values[before] + share * (self.values[later] - self.values[before])
    }

    /// Times in s from 0 on at which its slope changes; if it repeats itself, those of one turn.
    pub(super) fn knots(&self) -> impl Iterator<Item = f64> {
        let [first, last] = self.ends();
        let turned = move |time: f64| match self.repeat {
            true => time.rem_euclid(last - first),
            false => time,
        };
        self.times.iter().map(move |&time| turned(time)).filter(|&time| time >= 0.0)
    }

    /// A text that is another one for another series, however it is called: rows, end and a checksum.
    pub(super) fn told(&self) -> String {
        let checksum = checksum(self.times.iter().chain(&self.values).copied());
        let repeated = if self.repeat { ", repeated" } else { "" };
        let [first, last] = self.ends();
        let rows = self.times.len();
        format!("{rows} rows from {first} to {last} s{repeated}, checksum {checksum:016x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(repeat: bool) -> Series {
        Series { times: [-1.0, 0.1, 2.0].into(), values: vec![3.0, 5.0, 3.0], repeat }
    }

    #[test]
    fn it_is_straight_between_rows_and_has_their_very_values() {
        let of = series(false);
        for (time, value) in [(-5.0, 3.0), (-1.0, 3.0), (0.1, 5.0), (2.0, 3.0), (9.0, 3.0)] {
            assert_eq!(of.value(time), value, "at {time}");
        }
        assert!((of.value(0.575) - 4.5).abs() < 1e-15 && (of.value(-0.45) - 4.0).abs() < 1e-15);
        assert_eq!(of.knots().collect::<Vec<_>>(), [0.1, 2.0]);
    }

    #[test]
    fn it_repeats_itself() {
        let of = series(true);
        for turn in [0.0, 1.0, 7.0] {
            for time in [-0.9, 0.1, 0.7, 1.9] {
                let difference = of.value(time + 3.0 * turn) - series(false).value(time);
                assert!(difference.abs() < 1e-13, "at {time}, turn {turn}: {difference}");
            }
        }
        assert_eq!(of.knots().collect::<Vec<_>>(), [2.0, 0.1, 2.0]);
    }

    #[test]
    fn another_series_is_told_otherwise() {
        let mut other = series(false);
        other.values[1] = 5.000_000_000_000_001;
        assert_ne!(other.told(), series(false).told());
        assert_ne!(series(true).told(), series(false).told());
        assert!(series(true).told().starts_with("3 rows from -1 to 2 s, repeated, checksum "));
    }
}
