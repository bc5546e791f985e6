//! A panel of the flow: speed in colours, or a temperature or scalar with lines of equal values, under streamlines, or
//! vorticity; with axes of equal scale and a colour bar.

use kuva::plot::{ColorMap, LinePlot};
use kuva::render::color::Color;
use kuva::render::layout::Layout;
use kuva::render::render::{Primitive, Scene, TextAnchor, render_multiple};

use vortice_core::Quantity;

use crate::canvas::{Canvas, PIXEL, on_lattice};
use crate::map::quantile;
use crate::plane::Plane;
use crate::streamlines::{Point, streamlines};

/// Longest and shortest side of the flow on the page.
const LONGEST: f64 = 1180.0;
const HIGHEST: f64 = 560.0;

/// Wider than this many heights, a box gets the whole width of the page.
const LONG: f64 = 1.8;

/// Space around the flow: left, right, top, bottom.
const MARGIN: [f64; 4] = [75.0, 105.0, 35.0, 56.25];

const SOLID: &str = "#b8b8b8";

/// Shades that the speed is drawn in.
const SHADES: usize = 256;

/// Lines of equal temperature between the coldest and the warmest.
const ISOTHERMS: usize = 19;

/// Share of the cells whose vorticity has a colour of its own: at a body it grows far beyond that of a wake.
const COLOURED: f64 = 0.97;

/// What colours tell.
pub(crate) enum Shows {
    /// The speed in m/s.
    Speed,
    /// A temperature or another scalar, with lines of equal values.
    Scalar(Quantity, Plane),
    /// The vorticity across the plane in 1/s, white where there is none.
    Vorticity(Plane),
}

/// The flow, ready to be drawn.
pub(crate) struct FlowPanel {
    plane: Plane,
    shows: Shows,
    /// What the ends of the colour bar stand for, in m/s, 1/s or the scalar's unit.
    ends: [f64; 2],
    /// Width and height of the box on the page.
    width: f64,
    height: f64,
}

impl FlowPanel {
    /// As large as the page allows, at equal scales.
    pub(crate) fn new(plane: Plane, shows: Shows) -> Self {
        let [x, y] = plane.size();
        let longest = if x > LONG * y { LONGEST } else { HIGHEST };
        let scale = (longest / x).min(HIGHEST / y);
        let [width, height] = [x, y].map(|length| on_lattice(scale * length).max(2.0 * PIXEL));
        let ends = match &shows {
            Shows::Speed => [0.0, plane.fastest()],
            Shows::Scalar(_, values) => values.extremes(),
            Shows::Vorticity(values) => {
                let limit = quantile(values.values().map(|[omega, ..]| omega.abs()), COLOURED);
                [-limit, limit]
            }
        };
        Self { plane, shows, ends, width, height }
    }

    /// Whether the profiles go below.
    pub(crate) fn is_long(&self) -> bool {
        self.width > LONG * self.height
    }

    /// Width and height of the panel with its margins.
    pub(crate) fn size(&self) -> (f64, f64) {
        let [left, right, top, bottom] = MARGIN;
        (left + self.width + right, top + self.height + bottom)
    }

    /// The whole panel.
    pub(crate) fn draw(&self) -> Scene {
        let (width, height) = self.size();
        let mut canvas = Canvas::new(width, height);
        self.draw_colours(&mut canvas);
        // Lines as far apart as a fifteenth of the box, or as ten times across a channel.
        let [x, y] = self.plane.size();
        let distance = ((x * y).sqrt() / 26.0).min(x.min(y) / 7.0);
        if !matches!(self.shows, Shows::Vorticity(_)) {
            for line in streamlines(&self.plane, distance) {
                self.draw_streamline(&mut canvas, &line);
            }
        }
        self.draw_colour_bar(&mut canvas);
        canvas.place(self.axes(), 0.0, 0.0);
        let place =
            self.plane.place.map_or(String::new(), |place| format!(" in the plane {place}"));
        let title = match &self.shows {
            Shows::Scalar(Quantity::Temperature, _) => {
                format!("Temperature in K, isotherms and streamlines{place}")
            }
            Shows::Scalar(scalar, _) => {
                format!("{}, lines of equal values and streamlines{place}", scalar.name())
            }
            Shows::Speed => format!("Speed in m/s and streamlines{place}"),
            Shows::Vorticity(_) => format!("Vorticity in 1/s{place}"),
        };
        let middle = MARGIN[0] + 0.5 * self.width;
        canvas.text(&title, (middle, MARGIN[2] - 12.0), 14, TextAnchor::Middle);
        canvas.scene
    }

    /// Place on the page of a point in m.
    fn place(&self, [x, y]: Point) -> (f64, f64) {
        let [ax, ay] = self.plane.axes;
        let right = (x - ax.low()) / ax.length() * self.width;
        let up = (y - ay.low()) / ay.length() * self.height;
        (MARGIN[0] + right, MARGIN[2] + self.height - up)
    }

    /// Coloured squares as small as can be seen; neighbours of one colour are drawn as one.
    fn draw_colours(&self, canvas: &mut Canvas) {
        let [nx, ny] = [self.width, self.height].map(|length| (length / PIXEL).round() as usize);
        let [ax, ay] = self.plane.axes;
        let shades = self.shades();
        let share_at = |i: usize, j: usize| {
            let (a, b) = ((i as f64 + 0.5) / nx as f64, (j as f64 + 0.5) / ny as f64);
            self.share([ax.low() + a * ax.length(), ay.low() + b * ay.length()])
        };
        let crosses = |share: Option<f64>, next: Option<f64>| {
            let bands = (ISOTHERMS + 1) as f64;
            let band = |share: f64| (share * bands).floor().min(bands - 1.0);
            share.zip(next).is_some_and(|(one, other)| band(one) != band(other))
        };
        let shade_at = |i: usize, j: usize| {
            let here = share_at(i, j);
            let is_line = || crosses(here, share_at(i + 1, j)) || crosses(here, share_at(i, j + 1));
            let has_lines = matches!(self.shows, Shows::Scalar(..));
            if has_lines && is_line() { ISOTHERM } else { shade(here) }
        };
        let (mut x, mut y, mut w, mut fills) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for j in 0..ny {
            let row: Vec<usize> = (0..nx).map(|i| shade_at(i, j)).collect();
            let mut i = 0;
            for run in row.chunk_by(|a, b| a == b) {
                x.push(MARGIN[0] + i as f64 * PIXEL);
                y.push(MARGIN[2] + self.height - (j + 1) as f64 * PIXEL);
                w.push(run.len() as f64 * PIXEL);
                fills.push(shades[run[0]].clone());
                i += run.len();
            }
        }
        let h = vec![PIXEL; x.len()];
        canvas.scene.add(Primitive::RectBatch { x, y, w, h, fills });
    }

    /// What the colour at a point (m) tells, as a share of the colour bar; nothing outside and in solids.
    fn share(&self, point: Point) -> Option<f64> {
        let [low, high] = self.ends;
        let value = match &self.shows {
            Shows::Scalar(_, values) | Shows::Vorticity(values) => {
                values.beside_solids(point).map(|[value, ..]| value)
            }
            Shows::Speed => self.plane.speed(point),
        };
        value.map(|value| (value - low) / (high - low))
    }

    /// A thin white line with an arrow head half way.
    fn draw_streamline(&self, canvas: &mut Canvas, line: &[Point]) {
        let points: Vec<_> = line.iter().map(|&point| self.place(point)).collect();
        let middle = points.len() / 2;
        if points.len() > 12 {
            let ((x0, y0), (x1, y1)) = (points[middle - 1], points[middle]);
            let length = (x1 - x0).hypot(y1 - y0).max(1e-9);
            let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
            let barb =
                |side: f64| (x1 - 5.0 * dx - side * 2.6 * dy, y1 - 5.0 * dy + side * 2.6 * dx);
            canvas.line(vec![barb(1.0), (x1, y1), barb(-1.0)], "white", 1.1);
        }
        canvas.line(points, "white", 0.8);
    }

    fn draw_colour_bar(&self, canvas: &mut Canvas) {
        let ([low, high], slices) = (self.ends, 128);
        let height = self.height.max(60.0);
        let (x, top) = (MARGIN[0] + self.width + 22.0, MARGIN[2]);
        let slice = height / slices as f64;
        for n in 0..slices {
            canvas.scene.add(Primitive::Rect {
                x,
                y: top + height - (n + 1) as f64 * slice,
                width: 16.0,
                height: slice + 0.4,
                fill: self.colour((n as f64 + 0.5) / slices as f64),
                stroke: None,
                stroke_width: None,
                opacity: None,
            });
        }
        canvas.frame((x, top), (16.0, height));
        let parts = match self.shows {
            // Its middle is the number that counts.
            Shows::Vorticity(_) if height > 200.0 => 4,
            _ if height > 200.0 => 5,
            _ => 2,
        };
        for n in 0..=parts {
            let share = n as f64 / parts as f64;
            let y = top + height * (1.0 - share);
            canvas.line(vec![(x + 16.0, y), (x + 20.0, y)], "#333333", 1.0);
            let number = low + share * (high - low);
            // The middle between two opposite numbers is none of their roundings.
            let number = if number.abs() < 1e-12 * high.abs() { 0.0 } else { number };
            let label = short(number, high - low);
            canvas.text(&label, (x + 24.0, y + 4.0), 11, TextAnchor::Start);
        }
    }

    /// The colour of a share of the bar; of vorticity from blue through white to red, without the darkest ends.
    fn colour(&self, share: f64) -> Color {
        let share = share.clamp(0.0, 1.0);
        match self.shows {
            Shows::Vorticity(_) => ColorMap::RedBlue.map(0.9 - 0.8 * share).into(),
            Shows::Speed | Shows::Scalar(..) => ColorMap::Viridis.map(share).into(),
        }
    }

    /// All colours: the shades of the bar, that of solids, that of what is not a number, and that of isotherms.
    fn shades(&self) -> Vec<Color> {
        let shades = (0..SHADES).map(|n| self.colour(n as f64 / (SHADES - 1) as f64));
        shades.chain([SOLID.into(), "#ff00ff".into(), "#202020".into()]).collect()
    }

    /// Axes with ticks and names around the flow, which they must not cover.
    fn axes(&self) -> Scene {
        let [ax, ay] = self.plane.axes;
        let [right_name, up_name] = self.plane.letters.map(|letter| format!("{letter} in m"));
        let (width, height) = self.size();
        let [left, right, top, bottom] = MARGIN;
        let nothing = LinePlot::new().with_data([(ax.low(), ay.low())]).with_color("none");
        let layout = Layout::new((ax.low(), ax.high()), (ay.low(), ay.high()))
            .with_width(width)
            .with_height(height)
            .with_force_margins(left, right)
            .with_force_margins_y(top, bottom)
            .with_clamp_axis()
            .with_show_grid(false)
            .with_x_axis_min(ax.low())
            .with_x_axis_max(ax.high())
            .with_y_axis_min(ay.low())
            .with_y_axis_max(ay.high())
            .with_ticks(if self.height < 150.0 { 3 } else { 6 })
            .with_box_axes()
            .with_x_label(right_name)
            .with_x_label_offset(0.0, -10.0)
            .with_y_label(up_name);
        render_multiple(vec![nothing.into()], layout)
    }
}

/// The place among the shades of an isotherm.
const ISOTHERM: usize = SHADES + 2;

/// The place among the shades of a share of the largest speed.
fn shade(share: Option<f64>) -> usize {
    match share {
        None => SHADES,
        Some(share) if share.is_nan() => SHADES + 1,
        Some(share) => (share.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize,
    }
}

/// A number with three digits at the scale of the largest.
fn short(x: f64, largest: f64) -> String {
    let decimals = 2.0 - largest.log10().floor();
    if (0.0..6.0).contains(&decimals) {
        format!("{x:.0$}", decimals as usize)
    } else {
        format!("{x:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::{Case, Field, Location, Shape};

    #[test]
    fn a_fluid_that_turns_as_a_whole_has_one_vorticity_around_a_solid_too() {
        let text = "title = 'turn'\ngrid = { cells = [12, 8, 1], size = [3.0, 2.0, 0.25] }\n\
                    fluid = { viscosity = 1.0 }\nrun = { until = 1.0 }\n\
                    solid = [{ low = [1.0, 0.5, 0.0], high = [1.5, 1.0, 0.25] }]\n[boundary]\n\
                    x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\n\
                    z-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "turn").expect("a case");
        let velocity = |c: usize, cell: [isize; 3]| {
            let [x, y, _] = case.grid.centre(cell);
            [-1.5 * y, 1.5 * x, 0.0][c]
        };
        let plane = Plane::cut(&case, case.plane_shown(), velocity);
        let omega = plane.turning();
        assert_eq!(omega.values().count(), 12 * 8 - 4);
        assert!(omega.values().all(|of| of.iter().all(|one| (one - 3.0).abs() < 1e-12)));
        let panel = FlowPanel::new(plane, Shows::Vorticity(omega));
        assert!((panel.ends[0] + 3.0).abs() < 1e-12 && (panel.ends[1] - 3.0).abs() < 1e-12);
        assert!(panel.share([1.25, 0.75]).is_none() && panel.share([0.1, 0.1]).is_some());
    }

    #[test]
    fn a_temperature_that_rises_along_x_has_upright_isotherms() {
        let text = "title = 'slab'\ngrid = { cells = [40, 20, 1], size = [2.0, 1.0, 0.1] }\n\
                    fluid = { viscosity = 1.0 }\nscale = { length = 1.0, velocity = 1.0 }\n\
                    run = { until = 1.0 }\n[boundary]\nx-low = 'wall'\nx-high = 'wall'\n\
                    y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "slab").expect("a case");
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        let velocity = Field::zeros(Location::Centre, shape, 3);
        let heat = Plane::of_numbers(&case, |cell| 300.0 + case.grid.centre(cell)[0]);
        let heat = Shows::Scalar(Quantity::Temperature, heat);
        let panel = FlowPanel::new(Plane::shown(&case, &velocity), heat);
        assert!((panel.ends[0] - 300.025).abs() < 1e-9 && (panel.ends[1] - 301.975).abs() < 1e-9);
        let mut canvas = Canvas::new(panel.size().0, panel.size().1);
        panel.draw_colours(&mut canvas);
        let batches = canvas.scene.elements.iter().filter_map(|one| match one {
            Primitive::RectBatch { x, y, fills, .. } => Some((x, y, fills)),
            _ => None,
        });
        let (mut lines, mut rows) = (0, std::collections::BTreeSet::new());
        for (_, y, fills) in batches {
            lines +=
                fills.iter().filter(|fill| matches!(fill, Color::Rgb(0x20, 0x20, 0x20))).count();
            rows.extend(y.iter().map(|y| y.to_bits()));
        }
        assert_eq!(lines, ISOTHERMS * rows.len());
    }
}
