//! From numbers to places on an axis, and the ticks beside it.

/// Shares of the span that an axis goes beyond the numbers it shows.
const AIR: f64 = 0.04;

/// No flow has numbers beyond this; on an axis they would leave no room for others.
const LARGEST: f64 = 1e100;

/// Whether an axis can show a number.
pub(crate) fn can_show(x: f64, log: bool) -> bool {
    x.abs() < LARGEST && (!log || x > 1.0 / LARGEST)
}

/// An axis from its low end to its high end, linear or logarithmic.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) log: bool,
}

/// A number and how it is written.
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

impl Scale {
    /// From one number to another.
    pub(crate) fn exactly(low: f64, high: f64) -> Self {
        Self { low, high, log: false }
    }

    /// Around numbers, with some air; those that the axis cannot show are passed over.
    pub(crate) fn around(numbers: impl Iterator<Item = f64>, log: bool) -> Self {
        let shown = numbers.filter(|x| can_show(*x, log));
        let ends = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
        if low > high {
            return Self { low: if log { 0.1 } else { 0.0 }, high: 1.0, log };
        }
        if log {
            let air = (high / low).powf(AIR).max(1.12);
            return Self { low: low / air, high: high * air, log };
        }
        let span = if high - low > 1e-12 * high.abs().max(low.abs()) {
            high - low
        } else {
            high.abs().max(1.0)
        };
        Self { low: low - AIR * span, high: high + AIR * span, log }
    }

    /// Place between the low end (0) and the high end (1).
    pub(crate) fn share(&self, x: f64) -> f64 {
        let (low, high, x) = if self.log {
            (self.low.ln(), self.high.ln(), x.ln())
        } else {
            (self.low, self.high, x)
        };
        (x - low) / (high - low)
    }

    /// Whether a number can be shown.
    pub(crate) fn shows(&self, x: f64) -> bool {
        can_show(x, self.log)
    }

    /// Round numbers, about as many as wanted and at least two.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<Tick> {
        let wanted = wanted.max(2);
        let decades = self.decades();
        if decades.len() >= 3 {
            let every = decades.len().div_ceil(wanted);
            // Counted from one, so that 10⁰ is kept whatever the ends.
            let kept = decades.into_iter().filter(|n| n.rem_euclid(every as i32) == 0);
            return kept.map(|n| Tick { at: 10f64.powi(n), label: power(n) }).collect();
        }
        if self.log {
            for digits in [&[1, 2, 5][..], &[1, 2, 3, 4, 6, 8]] {
                let at = self.multiples(digits);
                if (3..=wanted + 3).contains(&at.len()) {
                    return labelled(at);
                }
            }
        }
        labelled(self.steps(wanted))
    }

    /// Numbers between the ticks of a logarithmic axis.
    pub(crate) fn minor(&self) -> Vec<f64> {
        if self.log && (self.high / self.low) < 1e7 {
            self.multiples(&[1, 2, 3, 4, 5, 6, 7, 8, 9])
        } else {
            Vec::new()
        }
    }

    /// Powers of ten on a logarithmic axis.
    fn decades(&self) -> Vec<i32> {
        if !self.log {
            return Vec::new();
        }
        (self.low.log10().ceil() as i32..=self.high.log10().floor() as i32).collect()
    }

    fn multiples(&self, digits: &[u32]) -> Vec<f64> {
        let powers = self.low.log10().floor() as i32..=self.high.log10().floor() as i32;
        let all = powers.flat_map(|n| digits.iter().map(move |d| f64::from(*d) * 10f64.powi(n)));
        all.filter(|x| (self.low..=self.high).contains(x)).collect()
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn steps(&self, wanted: usize) -> Vec<f64> {
        let span = self.high - self.low;
        let rough = span / wanted as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
        let step = step.into_iter().find(|step| *step >= 0.75 * rough).unwrap_or(rough);
        // A little tolerance, or rounding would lose the ends.
        let (first, last) = (self.low / step - 1e-9, self.high / step + 1e-9);
        (first.ceil() as i64..=last.floor() as i64).map(|n| n as f64 * step).collect()
    }
}

/// The numbers with labels of one kind.
pub(crate) fn labelled(numbers: Vec<f64>) -> Vec<Tick> {
    let largest = numbers.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let smallest = numbers.iter().filter(|x| **x != 0.0).fold(f64::INFINITY, |s, x| s.min(x.abs()));
    let plain = largest < 1e5 && smallest.min(largest) >= 9.9e-4;
    let decimals = (0..7).find(|n| {
        let scale = 10f64.powi(*n);
        numbers.iter().all(|x| (x * scale - (x * scale).round()).abs() < 1e-6 * (largest * scale))
    });
    let label = |x: f64| match decimals {
        _ if x == 0.0 => "0".into(),
        Some(decimals) if plain => format!("{x:.0$}", decimals as usize).replace('-', "−"),
        _ => scientific(x),
    };
    numbers.into_iter().map(|at| Tick { at, label: label(at) }).collect()
}

/// A number as a multiple of a power of ten.
fn scientific(x: f64) -> String {
    let text = format!("{x:.1e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.strip_suffix(".0").unwrap_or(digits).replace('-', "−");
    let ten = power(exponent.parse().unwrap_or(0));
    if digits == "1" { ten } else { format!("{digits}·{ten}") }
}

/// A power of ten.
fn power(exponent: i32) -> String {
    let raised = exponent
        .to_string()
        .chars()
        .map(|letter| match letter {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or('⁰'),
        })
        .collect::<String>();
    match exponent {
        0 => "1".into(),
        1 => "10".into(),
        2 => "100".into(),
        _ => format!("10{raised}"),
    }
}
