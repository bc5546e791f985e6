//! Lines of constant slope on two logarithmic axes.

use super::{Chart, Guide};
use crate::picture::drawing::{Drawing, Mark, Place, width_of};
use crate::picture::frame::{Frame, SMALL};
use crate::picture::scale::can_show;

const COLOUR: &str = "#8a939c";

/// How far above the series the guides begin.
const ABOVE: f64 = 1.25;

/// Draws all guides, if the axes let a power be a straight line.
pub(super) fn draw(drawing: &mut Drawing, frame: &Frame, chart: &Chart) {
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

/// From the corner to the edge of the frame that it meets first.
fn draw_one(drawing: &mut Drawing, frame: &Frame, guide: &Guide, (x, y): (f64, f64)) {
    let begin = y.clamp(frame.y.low, frame.y.high);
    let edge = if guide.slope < 0.0 { frame.y.low } else { frame.y.high };
    let to_edge = x * (edge / begin).powf(1.0 / guide.slope);
    let end = to_edge.min(frame.x.high / 1.04);
    let ends = [(x, begin), (end, begin * (end / x).powf(guide.slope))];
    let points: Vec<_> = ends.iter().map(|&end| frame.place(end)).collect();
    let (across, up) = points[1];
    drawing.add(Mark::Line { points, colour: COLOUR, width: 1.2, dashes: "4 4" });
    let above = if to_edge > end { up - 6.0 } else { up - 8.0 };
    let right = frame.low.0 + frame.size.0 - 4.0;
    let at = ((across + 0.5 * width_of(&guide.label, SMALL)).min(right), above);
    let (text, size, place, colour) = (guide.label.clone(), SMALL - 0.5, Place::End, "#6b747d");
    drawing.add(Mark::Text { text, at, size, place, colour });
}
