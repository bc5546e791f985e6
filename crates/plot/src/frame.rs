//! The axes that charts and maps have around them.

use crate::drawing::{Drawing, INK, Mark, Place, width_of};
use crate::scale::{Scale, Tick, labelled};

/// Size of the letters at ticks and of the names of axes.
pub(crate) const SMALL: f64 = 13.5;

const LINES: &str = "#e3e6ea";
const EDGE: &str = "#5b6570";

/// A rectangle of a drawing with an axis along each side.
pub(crate) struct Frame {
    pub(crate) low: (f64, f64),
    pub(crate) size: (f64, f64),
    pub(crate) x: Scale,
    pub(crate) y: Scale,
}

/// Ticks to be drawn.
pub(crate) struct Ticks {
    x: Vec<Tick>,
    y: Vec<Tick>,
}

impl Ticks {
    /// As many as there is room for along sides of these lengths.
    pub(crate) fn new(x: &Scale, y: &Scale, (width, height): (f64, f64)) -> Self {
        let across = if x.log { 75.0 } else { 64.0 };
        Self { x: x.ticks((width / across) as usize), y: y.ticks((height / 44.0) as usize) }
    }

    /// Takes other ticks where any are given.
    pub(crate) fn choose(&mut self, x: &[f64], y: &[f64]) {
        for (ticks, chosen) in [(&mut self.x, x), (&mut self.y, y)] {
            if !chosen.is_empty() {
                *ticks = labelled(chosen.to_vec());
            }
        }
    }

    /// Room that the labels at the left take, with the name of the axis.
    pub(crate) fn left(&self) -> f64 {
        let widths = self.y.iter().map(|tick| width_of(&tick.label, SMALL));
        widths.fold(0.0, f64::max) + 9.0 + 22.0
    }
}

/// Room below a frame for labels and the name of the axis.
pub(crate) const BELOW: f64 = 44.0;

impl Frame {
    /// Place on the drawing.
    pub(crate) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (left, bottom) = self.low;
        (left + self.x.share(x) * self.size.0, bottom - self.y.share(y) * self.size.1)
    }

    /// Fine lines through the ticks, behind everything.
    pub(crate) fn draw_lattice(&self, drawing: &mut Drawing, ticks: &Ticks) {
        for tick in &ticks.x {
            let ends = [(tick.at, self.y.low), (tick.at, self.y.high)];
            drawing.line(ends.map(|end| self.place(end)).into(), LINES, 1.0);
        }
        for tick in &ticks.y {
            let ends = [(self.x.low, tick.at), (self.x.high, tick.at)];
            drawing.line(ends.map(|end| self.place(end)).into(), LINES, 1.0);
        }
    }

    /// The edge, ticks, labels and names.
    pub(crate) fn draw_axes(&self, drawing: &mut Drawing, ticks: &Ticks, names: [&str; 2]) {
        let ((left, bottom), (width, height)) = (self.low, self.size);
        let (right, top) = (left + width, bottom - height);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        drawing.line(corners.into(), EDGE, 1.0);
        for tick in &ticks.x {
            let (x, _) = self.place((tick.at, self.y.low));
            drawing.line(vec![(x, bottom), (x, bottom + 5.0)], EDGE, 1.0);
            drawing.text(&tick.label, (x, bottom + 18.0), SMALL, Place::Middle);
        }
        for tick in &ticks.y {
            let (_, y) = self.place((self.x.low, tick.at));
            drawing.line(vec![(left - 5.0, y), (left, y)], EDGE, 1.0);
            drawing.text(&tick.label, (left - 8.0, y + 0.35 * SMALL), SMALL, Place::End);
        }
        self.draw_minor(drawing);
        drawing.text(names[0], (left + 0.5 * width, bottom + 37.0), SMALL, Place::Middle);
        // A climbing word stands with its base line at the right of its letters.
        let x = left - ticks.left() + 14.0;
        drawing.add(Mark::Text {
            text: names[1].into(),
            at: (x, bottom - 0.5 * height),
            size: SMALL,
            place: Place::Climbing,
            colour: INK,
        });
    }

    /// Short ticks between those that have labels.
    fn draw_minor(&self, drawing: &mut Drawing) {
        let (left, bottom) = self.low;
        for x in self.x.minor() {
            let (x, _) = self.place((x, self.y.low));
            drawing.line(vec![(x, bottom), (x, bottom + 2.5)], EDGE, 1.0);
        }
        for y in self.y.minor() {
            let (_, y) = self.place((self.x.low, y));
            drawing.line(vec![(left - 2.5, y), (left, y)], EDGE, 1.0);
        }
    }
}
