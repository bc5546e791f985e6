//! The names of the series above the chart.

use super::look::Style;
use super::{Chart, LineStyle, Series};
use crate::drawing::{Drawing, Mark, Place, width_of};
use crate::frame::SMALL;

/// Height of a row, and space kept for the line or marker before a name and after it.
const ROW: f64 = 19.0;
const SAMPLE: f64 = 32.0;
const GAP: f64 = 16.0;

/// Names in rows.
pub(crate) struct Legend<'a> {
    rows: Vec<Vec<(f64, &'a Series)>>,
}

impl<'a> Legend<'a> {
    /// In as many rows as the width needs.
    pub(crate) fn new(chart: &'a Chart, width: f64) -> Self {
        let mut rows: Vec<Vec<(f64, &Series)>> = Vec::new();
        let mut x = f64::INFINITY;
        for series in chart.series.iter().filter(|series| !series.name.is_empty()) {
            let length = SAMPLE + width_of(&series.name, SMALL);
            if x + length > width {
                rows.push(Vec::new());
                x = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.push((x, series));
            }
            x += length + GAP;
        }
        Self { rows }
    }

    pub(crate) fn height(&self) -> f64 {
        self.rows.len() as f64 * ROW
    }

    /// Draws the rows from a corner down.
    pub(crate) fn draw(&self, drawing: &mut Drawing, (left, top): (f64, f64)) {
        for (n, row) in self.rows.iter().enumerate() {
            let y = top + (n as f64 + 0.5) * ROW;
            for (x, series) in row {
                draw_sample(drawing, series, (left + x, y));
                let at = (left + x + SAMPLE, y + 0.35 * SMALL);
                drawing.text(&series.name, at, SMALL, Place::Start);
            }
        }
    }
}

fn draw_sample(drawing: &mut Drawing, series: &Series, (x, y): (f64, f64)) {
    let style = Style::new(series.ink);
    if series.look != LineStyle::Points {
        let (points, colour, dashes) = (vec![(x, y), (x + 26.0, y)], style.colour, style.dashes);
        drawing.add(Mark::Line { points, colour, width: 2.0, dashes });
    }
    if series.look != LineStyle::Line {
        drawing.add(style.marker((x + 13.0, y)));
    }
}
