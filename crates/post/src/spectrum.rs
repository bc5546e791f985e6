//! How much of what swings swings at each frequency: eq. (P16).

use std::f64::consts::TAU;

use crate::component::Component;
use crate::forces_in_time::ForceCourse;
use crate::oscillation::{between, integral};
use crate::series::{ForceSeries, Series};

/// Frequencies of whole periods: as far as this many times the first.
const HARMONICS: usize = 8;

/// Frequencies of what does not repeat itself: as many.
const FREQUENCIES: usize = 200;

/// Looks that a swing must have in one period to be seen.
const LOOKS: f64 = 4.0;

/// How much the moments of a series count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    /// All alike: of whole periods.
    Alike,
    /// Hann's: least at the ends, where the series does not go on as it began.
    Hann,
}

impl Window {
    /// What the forces on a body ask for.
    fn of(course: &ForceCourse) -> Self {
        match course {
            ForceCourse::Repeats(_) => Self::Alike,
            ForceCourse::Once(_) => Self::Hann,
        }
    }

    /// At a share of the time.
    fn weight(self, share: f64) -> f64 {
        match self {
            Self::Alike => 1.0,
            Self::Hann => 1.0 - (TAU * share).cos(),
        }
    }
}

/// Frequencies in Hz and amplitudes of a coefficient: over the whole periods of forces that repeat themselves, else
/// over the time that counts, in Hann's window.
pub fn force_spectrum(series: &ForceSeries, course: &ForceCourse, of: Component) -> Series {
    let all = series.of(of);
    let Some(&(last, _)) = all.last() else { return Series::new() };
    let (from, to, count) = match course {
        ForceCourse::Repeats(found) => (found.from, found.to, HARMONICS * found.periods),
        ForceCourse::Once(found) => (found.from, last, FREQUENCIES),
    };
    spectrum(&between(all, from, to), Window::of(course), count)
}

/// Frequencies, which are multiples of one over the length of a series, and the amplitudes there; as many as asked for
/// if they are seen. Nothing of less than three moments.
fn spectrum(series: &[(f64, f64)], window: Window, count: usize) -> Series {
    let [(begin, _), _, .., (end, _)] = series[..] else { return Series::new() };
    let longest = series.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0.0, f64::max);
    let highest = ((end - begin) / (LOOKS * longest)).floor() as usize;
    let weight = |t: f64| window.weight((t - begin) / (end - begin));
    let total = integral(series, |t, _| weight(t));
    let mean = integral(series, |t, c| weight(t) * c) / total;
    let amplitude = |frequency: f64| {
        let part = |turned: fn(f64) -> f64| {
            let of =
                |t: f64, c: f64| weight(t) * (c - mean) * turned(TAU * frequency * (t - begin));
            integral(series, of)
        };
        2.0 * part(f64::cos).hypot(part(f64::sin)) / total
    };
    let frequencies = (1..=count.min(highest)).map(|k| k as f64 / (end - begin));
    frequencies.map(|frequency| (frequency, amplitude(frequency))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments that are not equally far apart.
    fn of(swings: &[(f64, f64)], end: f64) -> Series {
        let looks = (0..=2000).map(|n| {
            let s = f64::from(n) / 2000.0;
            let t = end * (s + 0.01 * (TAU * s).sin());
            let swing =
                |(frequency, amplitude): &(f64, f64)| amplitude * (TAU * frequency * t + 0.3).sin();
            (t, 3.0 + swings.iter().map(swing).sum::<f64>())
        });
        looks.collect()
    }

    fn at(spectrum: &Series, frequency: f64) -> f64 {
        let near = |one: &&(f64, f64)| (one.0 - frequency).abs() < 1e-9;
        spectrum.iter().find(near).expect("a frequency").1
    }

    #[test]
    fn a_sum_of_sines_has_its_amplitudes_at_their_frequencies_and_no_others() {
        let found = spectrum(&of(&[(1.5, 0.8), (3.0, 0.05), (4.5, 0.2)], 4.0), Window::Alike, 40);
        assert_eq!(found.len(), 40);
        for (frequency, amplitude) in &found {
            let expected = match frequency {
                1.5 => 0.8,
                3.0 => 0.05,
                4.5 => 0.2,
                _ => 0.0,
            };
            assert!((amplitude - expected).abs() < 2e-5, "{frequency} {amplitude}");
        }
    }

    #[test]
    fn the_window_keeps_what_is_not_whole_from_the_frequencies_around() {
        let swings = of(&[(2.62, 1.0)], 4.0);
        let [alike, hann] = [Window::Alike, Window::Hann].map(|one| spectrum(&swings, one, 80));
        // Between two frequencies a swing is seen as up to 15 % less.
        let top = at(&hann, 2.5).max(at(&hann, 2.75));
        assert!((0.84..1.0).contains(&top), "{top}");
        let [far, leaked] = [at(&hann, 5.0), at(&alike, 5.0)];
        assert!(far < 1e-3 && leaked > 1e-2, "{far} {leaked}");
        let whole = spectrum(&of(&[(2.5, 1.0)], 4.0), Window::Hann, 80);
        assert!((at(&whole, 2.5) - 1.0).abs() < 1e-4, "{}", at(&whole, 2.5));
    }

    #[test]
    fn what_is_not_seen_has_no_amplitude() {
        let few: Series = of(&[(1.5, 0.8)], 4.0).into_iter().step_by(100).collect();
        let found = spectrum(&few, Window::Alike, 80);
        assert!(found.len() < 6 && found.len() > 2, "{found:?}");
        assert_eq!(spectrum(&few[..1], Window::Hann, 80), []);
        assert_eq!(spectrum(&[], Window::Hann, 80), []);
    }
}
