//! Lines of constant slope on two logarithmic axes.

use super::{Chart, Guide};
use crate::drawing::{Drawing, Mark, Place, width_of};
use crate::frame::{Frame, SMALL};
use crate::scale::can_show;

const COLOUR: &str = "#8a939c";
const WORDS: &str = "#5b6570";
const SIZE: f64 = SMALL - 1.0;

/// How far above the series the guides begin.
const ABOVE: f64 = 1.25;

/// Draws all guides, if the axes let a power be a straight line.
pub(crate) fn draw(drawing: &mut Drawing, frame: &Frame, chart: &Chart) {
    let Some(from) = corner(chart).filter(|_| frame.x.log && frame.y.log) else { return };
    for guide in &chart.guides {
        draw_one(drawing, frame, guide, from);
    }
}

/// The leftmost x of the series, and the largest y there.
fn corner(chart: &Chart) -> Option<(f64, f64)> {
    let points = chart.series.iter().flat_map(|series| &series.points);
    let shown = points.filter(|(x, y)| can_show(*x, true) && can_show(*y, true));
    let shown: Vec<_> = shown.copied().collect();
    let left = shown.iter().map(|(x, _)| *x).min_by(f64::total_cmp)?;
    let there = shown.iter().filter(|(x, _)| *x <= 1.001 * left).map(|(_, y)| *y);
    there.max_by(f64::total_cmp).map(|y| (left, y * ABOVE))
}

/// Room that the labels take at the right of the frame.
pub(crate) fn room(chart: &Chart) -> f64 {
    let both = chart.x.log && chart.y.log;
    let widths = chart.guides.iter().filter(|_| both).map(|guide| width_of(&guide.label, SIZE));
    widths.fold(0.0, f64::max)
}

/// From the corner to the edge of the frame that it meets first.
fn draw_one(drawing: &mut Drawing, frame: &Frame, guide: &Guide, (x, y): (f64, f64)) {
    let begin = y.clamp(frame.y.low, frame.y.high);
    let edge = if guide.slope < 0.0 { frame.y.low } else { frame.y.high };
    let end = (x * (edge / begin).powf(1.0 / guide.slope)).min(frame.x.high);
    let ends = [(x, begin), (end, begin * (end / x).powf(guide.slope))];
    let points: Vec<_> = ends.iter().map(|&end| frame.place(end)).collect();
    let (across, up) = points[1];
    drawing.add(Mark::Line { points, colour: COLOUR, width: 1.2, dashes: "4 4" });
    // Beyond its end, where no series runs through it.
    let at = (across + 4.0, up.min(frame.low.1 - 10.0) + 0.35 * SIZE);
    let (text, place, colour) = (guide.label.clone(), Place::Start, WORDS);
    drawing.add(Mark::Text { text, at, size: SIZE, place, colour });
}
