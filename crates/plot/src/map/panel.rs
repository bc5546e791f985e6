//! A plane in colours with axes, streamlines and a colour bar.

use vortice_core::fill_rows;
use vortice_core::format::digits;

use super::paint::Paint;
use crate::drawing::{Drawing, INK, Mark, Pixels, Place, width_of};
use crate::frame::{BELOW, Frame, SMALL, Ticks};
use crate::plane::Plane;
use crate::scale::{Scale, Tick};
use crate::streamlines::{Point, streamlines};
use crate::thin::thinned;

/// The number at a point, if the flow has one there.
pub(crate) type Number<'a> = dyn Fn(Point) -> Option<f64> + Sync + 'a;

/// Width of a drawing, and of one of a long channel.
const WIDTH: f64 = 480.0;
const LONG: f64 = 980.0;

/// Largest and smallest height of the plane; one that would be lower is stretched.
const HIGHEST: f64 = 420.0;
const LOWEST: f64 = 170.0;

/// Space above the plane.
const HEAD: f64 = 34.0;

/// From the plane to the labels of the colour bar, and the width of its name.
const TO_LABELS: f64 = 33.0;
const NAME: f64 = 28.0;

/// Height of a tip on the colour bar.
const TIP: f64 = 9.0;

/// Pixels of the colours per unit of the drawing: they are smooth, and there are many maps.
const FINENESS: f64 = 1.5;

/// A place for a plane on a drawing.
pub(crate) struct Panel<'a> {
    title: &'a str,
    velocity: &'a Plane,
    paint: &'a Paint,
    frame: Frame,
    ticks: Ticks,
    stretch: f64,
    size: (f64, f64),
}

impl<'a> Panel<'a> {
    /// At equal scales, unless that would be a stroke or a tower.
    pub(crate) fn new(title: &'a str, velocity: &'a Plane, paint: &'a Paint) -> Self {
        let [x, y] = velocity.axes.map(|axis| Scale::exactly(axis.low(), axis.high()));
        let ratio = (y.high - y.low) / (x.high - x.low);
        let full = if ratio < 1.0 / 2.5 { LONG } else { WIDTH };
        // The labels at the left decide the width, which hardly changes how many there are.
        let bar = TO_LABELS + label_width(paint, HIGHEST) + NAME;
        let room = full - bar - 60.0;
        let first = Ticks::new(&x, &y, (room, (room * ratio).clamp(LOWEST, HIGHEST)));
        let left = 8.0 + first.left();
        let width = (full - bar - left).min(HIGHEST / ratio).max(80.0);
        let height = (width * ratio).clamp(LOWEST, HIGHEST);
        let ticks = Ticks::new(&x, &y, (width, height));
        let stretch = height / (width * ratio);
        let frame = Frame { low: (left, HEAD + height), size: (width, height), x, y };
        Self { title, velocity, paint, frame, ticks, stretch, size: (full, HEAD + height + BELOW) }
    }

    /// The whole drawing, a number per point in colours, with streamlines if wanted.
    pub(crate) fn draw(&self, number: &Number<'_>, lines: bool) -> Drawing {
        let mut drawing = Drawing::new(self.title, self.size.0, self.size.1);
        drawing.heading(8.0);
        drawing.add(self.colours(number));
        if lines {
            self.draw_streamlines(&mut drawing);
        }
        let stretched = (self.stretch > 1.01 || self.stretch < 0.99).then_some(self.stretch);
        let [right, up] = self.velocity.letters.map(|letter| format!("{letter} in m"));
        let up = stretched.map_or(up.clone(), |s| format!("{up} (× {s:.1})"));
        self.frame.draw_axes(&mut drawing, &self.ticks, [&right, &up]);
        self.draw_bar(&mut drawing);
        drawing.stretch = stretched;
        drawing
    }

    fn colours(&self, number: &Number<'_>) -> Mark {
        let (frame, (width, height)) = (&self.frame, self.frame.size);
        let [nx, ny] = [width, height].map(|length| (FINENESS * length).ceil() as usize);
        let between = |scale: &Scale, n: usize, of: usize| {
            scale.low + (n as f64 + 0.5) / of as f64 * (scale.high - scale.low)
        };
        let mut shades = vec![0; nx * ny];
        fill_rows([&mut shades], nx.max(1), |row, [to]| {
            let y = between(&frame.y, ny - 1 - row, ny);
            for (i, shade) in to.iter_mut().enumerate() {
                *shade = self.paint.shade(number([between(&frame.x, i, nx), y]));
            }
        });
        let pixels = Pixels { width: nx, palette: self.paint.palette.clone(), shades };
        Mark::Pixels { pixels, at: (frame.low.0, frame.low.1 - height), size: frame.size }
    }

    /// As far apart on the drawing in both directions, however it is stretched.
    fn draw_streamlines(&self, drawing: &mut Drawing) {
        let plane = self.velocity.stretched(self.stretch);
        let [x, y] = plane.size();
        let distance = ((x * y).sqrt() / 22.0).min(x.min(y) / 8.0);
        for line in streamlines(&plane, distance) {
            let place = |[x, y]: Point| self.frame.place((x, y / self.stretch));
            let points: Vec<_> = line.into_iter().map(place).collect();
            if let Some(points) = arrow(&points) {
                drawing.line(points, self.paint.lines, 1.0);
            }
            drawing.line(thinned(&points, 0.15), self.paint.lines, 0.7);
        }
    }

    /// The colours with ticks, at the right of the plane.
    fn draw_bar(&self, drawing: &mut Drawing) {
        let paint = self.paint;
        let (right, top) = (self.frame.low.0 + self.frame.size.0 + 14.0, HEAD);
        let height = self.frame.size.1;
        let pixels = Pixels { width: 1, palette: paint.palette.clone(), shades: paint.bar() };
        drawing.add(Mark::Pixels { pixels, at: (right, top), size: (12.0, height) });
        let scale = Scale::exactly(paint.low, paint.high);
        for tick in bar_ticks(paint, height) {
            let y = top + height * (1.0 - scale.share(tick.at));
            drawing.line(vec![(right + 12.0, y), (right + 16.0, y)], "#5b6570", 1.0);
            drawing.text(&tick.label, (right + 19.0, y + 0.35 * SMALL), SMALL, Place::Start);
        }
        self.draw_beyond(drawing, (right, top));
        let x = right - 14.0 + TO_LABELS + label_width(paint, height) + SMALL + 6.0;
        drawing.add(Mark::Text {
            text: paint.label.into(),
            at: (x, top + 0.5 * height),
            size: SMALL,
            place: Place::Climbing,
            colour: INK,
        });
    }
}

impl Panel<'_> {
    /// A tip on the bar where there are numbers beyond its colours, and how far they go.
    fn draw_beyond(&self, drawing: &mut Drawing, (left, top): (f64, f64)) {
        let ends = [(top, -1.0, 2.0), (top + self.frame.size.1, 1.0, SMALL)];
        for (number, (end, outwards, below)) in self.paint.beyond().into_iter().zip(ends) {
            let Some(number) = number else { continue };
            let tip = end + outwards * TIP;
            let corners = vec![(left, end), (left + 6.0, tip), (left + 12.0, end)];
            drawing.add(Mark::Shape { corners, colour: "#5b6570", filled: true });
            let words = format!("to {}", digits(number, 3));
            drawing.text(
                &words,
                (left + 15.0, end + outwards * 4.0 + below * 0.5),
                SMALL,
                Place::Start,
            );
        }
    }
}

fn bar_ticks(paint: &Paint, height: f64) -> Vec<Tick> {
    Scale::exactly(paint.low, paint.high).ticks((height / 50.0) as usize)
}

/// Width of the longest label beside the colour bar.
fn label_width(paint: &Paint, height: f64) -> f64 {
    let widths = bar_ticks(paint, height).into_iter().map(|tick| width_of(&tick.label, SMALL));
    widths.fold(0.0, f64::max)
}

/// A head half way along a line, if that is long enough to carry one.
fn arrow(points: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let middle = points.len() / 2;
    let [&(x0, y0), &(x1, y1)] = [points.get(middle.checked_sub(1)?)?, points.get(middle)?];
    let length = (x1 - x0).hypot(y1 - y0);
    let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
    let barb = |side: f64| (x1 - 5.0 * dx - side * 2.6 * dy, y1 - 5.0 * dy + side * 2.6 * dx);
    (points.len() > 12 && length > 0.0).then(|| vec![barb(1.0), (x1, y1), barb(-1.0)])
}
