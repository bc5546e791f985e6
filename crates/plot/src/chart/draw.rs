//! Putting a chart together.

use super::legend::Legend;
use super::look::Style;
use super::{Chart, ChartAxis, LineStyle, Series, guide};
use crate::drawing::{Drawing, Mark, Place};
use crate::frame::{BELOW, Frame, Ticks};
use crate::scale::{Scale, can_show};
use crate::thin::thinned;

const SIZE: (f64, f64) = (480.0, 360.0);
const WIDE: (f64, f64) = (980.0, 380.0);

/// Space at the left and right edge of the drawing.
const EDGE: f64 = 8.0;

impl Chart {
    /// Draws the chart; one without points has its axes and says so.
    pub fn draw(&self) -> Drawing {
        draw(self)
    }
}

/// The whole drawing.
fn draw(chart: &Chart) -> Drawing {
    let (width, height) = if chart.wide { WIDE } else { SIZE };
    let legend = Legend::new(chart, width - 2.0 * EDGE);
    // The legend takes no room from the chart.
    let head = 32.0 + legend.height() + 6.0;
    let mut drawing = Drawing::new(&chart.title, width, height + legend.height());
    drawing.heading(EDGE);
    legend.draw(&mut drawing, (EDGE, 30.0));

    let [x, y] = [scale(chart, &chart.x, |p| p.0), scale(chart, &chart.y, |p| p.1)];
    let bottom = drawing.size.1 - BELOW;
    let mut ticks = Ticks::new(&x, &y, (width - 70.0, bottom - head));
    ticks.choose(&chart.x.ticks, &chart.y.ticks);
    let left = EDGE + ticks.left();
    let size = (width - left - 2.0 * EDGE - guide::room(chart), bottom - head);
    let frame = Frame { low: (left, bottom), size, x, y };
    frame.draw_lattice(&mut drawing, &ticks);
    guide::draw(&mut drawing, &frame, chart);
    chart.series.iter().for_each(|series| draw_series(&mut drawing, &frame, series));
    frame.draw_axes(&mut drawing, &ticks, [&chart.x.label, &chart.y.label]);
    if !chart.series.iter().flat_map(|series| &series.points).any(|p| shown(&frame, p)) {
        let middle = (left + 0.5 * size.0, bottom - 0.5 * size.1);
        drawing.text("nothing to show", middle, 14.0, Place::Middle);
    }
    drawing
}

/// Around all points and what the axis must reach besides.
fn scale(chart: &Chart, axis: &ChartAxis, pick: fn(&(f64, f64)) -> f64) -> Scale {
    let points = chart.series.iter().flat_map(|series| &series.points);
    // A point that the other axis cannot show does not widen this one.
    let shown = |(x, y): &&(f64, f64)| can_show(*x, chart.x.log) && can_show(*y, chart.y.log);
    let numbers = points.filter(shown).map(pick).chain(axis.reach.iter().copied());
    Scale::around(numbers, axis.log)
}

fn shown(frame: &Frame, (x, y): &(f64, f64)) -> bool {
    frame.x.shows(*x) && frame.y.shows(*y)
}

fn draw_series(drawing: &mut Drawing, frame: &Frame, series: &Series) {
    let style = Style::new(series.ink);
    if series.look != LineStyle::Points {
        // What cannot be shown breaks the line.
        for part in series.points.split(|point| !shown(frame, point)) {
            let points: Vec<_> = part.iter().map(|&point| frame.place(point)).collect();
            if points.len() > 1 {
                let (points, colour, dashes) = (thinned(&points, 0.15), style.colour, style.dashes);
                drawing.add(Mark::Line { points, colour, width: 2.0, dashes });
            }
        }
    }
    if series.look != LineStyle::Line {
        for &point in series.points.iter().filter(|point| shown(frame, point)) {
            drawing.add(style.marker(frame.place(point)));
        }
    }
}
