//! The forces on bodies over time, and how much of them swings at each frequency.

use vortice_plot::{Chart, ChartAxis, Ink, LineStyle, Series};
use vortice_post::references::Component;
use vortice_post::{ForceCourse, ForceSeries, force_spectrum};

use super::finest::Seen;
use crate::comparison::findings::Findings;

/// Periods that are shown at most of forces that repeat themselves.
const SHOWN: f64 = 6.0;

/// What is swung less of is not drawn, as a share of the largest amplitude: rounding.
const LEAST: f64 = 1e-6;

const COMPONENTS: [(&str, Component); 2] = [("drag", Component::Drag), ("lift", Component::Lift)];

/// The forces on one body by one method.
struct Curve<'a> {
    one: &'a Seen<'a>,
    series: &'a ForceSeries,
    course: &'a ForceCourse,
}

/// The charts of one body.
pub(super) struct BodyCharts {
    /// Of drag and lift over time.
    pub(super) over_time: Vec<(String, Chart)>,
    /// What of the time is shown, in words.
    pub(super) shown: String,
    /// Of their amplitudes over frequency.
    pub(super) spectra: Vec<(String, Chart)>,
    /// Of what moments these are, in words.
    pub(super) window: &'static str,
}

/// The charts of all bodies whose forces are known, by the finest run of each variant.
pub(super) fn bodies(findings: &Findings, seen: &[Seen<'_>]) -> Vec<BodyCharts> {
    let names = findings.study.case.bodies.iter().map(|body| &*body.name);
    let all = names.map(|name| seen.iter().filter_map(|one| curve(one, name)).collect::<Vec<_>>());
    all.filter(|curves| !curves.is_empty()).map(|curves| charts(&curves)).collect()
}

fn curve<'a>(one: &'a Seen<'a>, body: &str) -> Option<Curve<'a>> {
    let series = one.forces.series.iter().find(|series| series.body == body)?;
    let course = one.row.courses.iter().find(|course| course.body() == body)?;
    Some(Curve { one, series, course })
}

fn charts(curves: &[Curve<'_>]) -> BodyCharts {
    let body = curves[0].course.body();
    let ((from, to), shown) = time_shown(curves);
    let over_time = COMPONENTS.map(|(word, component)| {
        let title = format!("{body}: coefficient of {word} over time");
        let inside = |series: &ForceSeries| {
            let all = series.of(component).iter().copied();
            all.filter(|(t, _)| (from..=to).contains(t)).collect()
        };
        let lines = lines(curves, |curve| inside(curve.series));
        let x = ChartAxis::linear("flow time in s");
        let y = ChartAxis::linear(&format!("coefficient of {word}"));
        let chart = Chart { title, x, y, series: lines, wide: true, ..Chart::default() };
        (format!("forces-{body}-{word}"), chart)
    });
    let spectra = COMPONENTS.map(|(word, component)| {
        let title = format!("{body}: amplitudes of {word}");
        let series = lines(curves, |curve| amplitudes(curve, component));
        let x = ChartAxis::linear("Strouhal number: frequency length / velocity");
        let y = ChartAxis::log(&format!("amplitude of the coefficient of {word}"));
        (format!("spectrum-{body}-{word}"), Chart { title, x, y, series, ..Chart::default() })
    });
    let repeats = |curve: &&Curve<'_>| curve.course.oscillation().is_some();
    let window = match curves.iter().filter(repeats).count() {
        0 => "over the time that counts, in Hann's window",
        n if n == curves.len() => "over whole periods",
        _ => {
            "over whole periods, or in Hann's window over the time that counts where there are none"
        }
    };
    let spectra = spectra.into_iter().filter(|(_, chart)| !chart.series.is_empty()).collect();
    BodyCharts { over_time: over_time.into(), shown, spectra, window }
}

/// From when to when all methods are shown, with words for it: the last periods where all have periods, else all that
/// counts of one of them.
fn time_shown(curves: &[Curve<'_>]) -> ((f64, f64), String) {
    let ends = curves.iter().filter_map(|curve| curve.series.lift.last());
    let end = ends.fold(f64::NEG_INFINITY, |end, (t, _)| end.max(*t));
    let counted = curves.iter().map(|curve| match curve.course {
        ForceCourse::Repeats(found) => found.from,
        ForceCourse::Once(found) => found.from,
    });
    let counted = counted.fold(f64::INFINITY, f64::min);
    let periods = curves.iter().map(|curve| {
        let found = curve.course.oscillation()?;
        Some((found.to - found.from) / found.periods as f64)
    });
    if let Some(periods) = periods.collect::<Option<Vec<f64>>>() {
        let longest = periods.into_iter().fold(0.0, f64::max);
        let words = format!("the last periods, {SHOWN} at most, as they were");
        return ((counted.max(end - SHOWN * longest), end), words);
    }
    ((counted, end), "all of the time that counts".into())
}

/// Frequencies in units of velocity over length, and amplitudes above what rounding leaves.
fn amplitudes(curve: &Curve<'_>, component: Component) -> Vec<(f64, f64)> {
    let scale = &curve.one.case.scale;
    let found = force_spectrum(curve.series, curve.course, component);
    let largest = found.iter().map(|(_, amplitude)| *amplitude).fold(0.0, f64::max);
    let kept = found.into_iter().filter(|(_, amplitude)| *amplitude > LEAST * largest);
    kept.map(|(f, amplitude)| (f * scale.length / scale.velocity, amplitude)).collect()
}

/// A line for each method that has points.
fn lines(curves: &[Curve<'_>], points: impl Fn(&Curve<'_>) -> Vec<(f64, f64)>) -> Vec<Series> {
    let line = |curve: &Curve<'_>| Series {
        name: curve.one.name.clone(),
        points: points(curve),
        look: LineStyle::Line,
        ink: Ink::Colour(curve.one.number),
    };
    curves.iter().map(line).filter(|line| !line.points.is_empty()).collect()
}
