//! What a case looks like before anything flows: bodies, solid cells and the ends of the box.

use vortice_core::{Body, Boundary, Case, CutPlane, Side, Solids};

use crate::drawing::{Drawing, Mark, Pixels, Place};
use crate::frame::{BELOW, Frame, SMALL, Ticks};
use crate::scale::Scale;

/// Width of a drawing, and the largest and smallest height of its plane; one that would be lower is stretched.
const WIDTH: f64 = 980.0;
const HIGHEST: f64 = 720.0;
const LOWEST: f64 = 170.0;

/// Space above the plane, for the title and what stands at its end, and at its right.
const HEAD: f64 = 58.0;
const RIGHT: f64 = 40.0;

/// Most cells along a direction whose faces are drawn.
const FEW: usize = 160;

/// Pixels per unit of the drawing.
const FINENESS: f64 = 2.0;

/// The flow; cells that are solid; bodies, beside the solid cells and in them.
const FLOW: u8 = 0;
const SOLID: u8 = 1;
const BODY: u8 = 2;
const BOTH: u8 = 3;
const PALETTE: [[u8; 3]; 4] = [[255, 255, 255], [201, 208, 216], [240, 170, 110], [118, 131, 146]];

/// The plane of a flow, or of one in space the one that pictures show, with its bodies at their place, the cells that
/// they make solid, and the kinds of the box's ends.
#[derive(Clone, Copy, Debug)]
pub struct GeometryMap<'a> {
    /// The case.
    pub case: &'a Case,
}

impl GeometryMap<'_> {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        let (case, cut) = (self.case, self.case.plane_shown());
        let axes = cut.directions().map(|d| case.grid.axes[d]);
        let [x, y] = axes.map(|axis| Scale::exactly(axis.low(), axis.high()));
        let ratio = axes[1].length() / axes[0].length();
        let first = Ticks::new(&x, &y, (WIDTH, (WIDTH * ratio).clamp(LOWEST, HIGHEST)));
        let left = 30.0 + first.left();
        let width = (WIDTH - left - RIGHT).min(HIGHEST / ratio).max(80.0);
        let height = (width * ratio).clamp(LOWEST, HIGHEST);
        let stretch = height / (width * ratio);
        let frame = Frame { low: (left, HEAD + height), size: (width, height), x, y };
        let mut drawing = Drawing::new(&case.title, WIDTH, HEAD + height + BELOW + 22.0);
        drawing.heading(8.0);
        drawing.add(self.colours(&frame, cut));
        self.draw_cells(&mut drawing, &frame, cut);
        let stretched = (!(0.99..=1.01).contains(&stretch)).then_some(stretch);
        let [right, up] = cut.directions().map(|d| format!("{} in m", ["x", "y", "z"][d]));
        let up = stretched.map_or(up.clone(), |s| format!("{up} (× {s:.1})"));
        let ticks = Ticks::new(&frame.x, &frame.y, frame.size);
        frame.draw_axes(&mut drawing, &ticks, [&right, &up]);
        self.draw_ends(&mut drawing, &frame, cut);
        drawing.stretch = stretched;
        drawing
    }

    fn colours(&self, frame: &Frame, cut: CutPlane) -> Mark {
        let (case, solids) = (self.case, self.case.solids());
        let (width, height) = frame.size;
        let [nx, ny] = [width, height].map(|length| (FINENESS * length).ceil() as usize);
        let between = |scale: &Scale, n: usize, of: usize| {
            scale.low + (n as f64 + 0.5) / of as f64 * (scale.high - scale.low)
        };
        let rows = (0..ny).rev().flat_map(|j| (0..nx).map(move |i| (i, j)));
        let shades = rows.map(|(i, j)| {
            let place = [between(&frame.x, i, nx), between(&frame.y, j, ny)];
            shade(case, &solids, cut, place)
        });
        let pixels = Pixels { width: nx, palette: PALETTE.into(), shades: shades.collect() };
        Mark::Pixels { pixels, at: (frame.low.0, frame.low.1 - height), size: frame.size }
    }

    /// The faces of cells, if they are not too many to be seen.
    fn draw_cells(&self, drawing: &mut Drawing, frame: &Frame, cut: CutPlane) {
        let axes = cut.directions().map(|d| self.case.grid.axes[d]);
        if axes.iter().any(|axis| axis.len() > FEW) {
            return;
        }
        let ends = |axis: usize| [axes[axis].low(), axes[axis].high()];
        for i in 1..axes[0].len() {
            let x = axes[0].face(i as isize);
            drawing.line(ends(1).map(|y| frame.place((x, y))).into(), "#d3d9e0", 0.4);
        }
        for j in 1..axes[1].len() {
            let y = axes[1].face(j as isize);
            drawing.line(ends(0).map(|x| frame.place((x, y))).into(), "#d3d9e0", 0.4);
        }
    }

    /// A coloured line along each end of the box in the plane, and its kind.
    fn draw_ends(&self, drawing: &mut Drawing, frame: &Frame, cut: CutPlane) {
        let ((left, bottom), (width, height)) = (frame.low, frame.size);
        let (right, top) = (left + width, bottom - height);
        for (across, d) in cut.directions().into_iter().enumerate() {
            for side in Side::BOTH {
                let (words, colour) = kind(self.case.boundaries.at(d, side));
                let (points, at, place) = match (across, side) {
                    (0, Side::Low) => {
                        let at = (left - 5.0, top - 7.0);
                        ([(left, top), (left, bottom)], at, Place::Start)
                    }
                    (0, Side::High) => {
                        let at = (right + 18.0, 0.5 * (top + bottom));
                        ([(right, top), (right, bottom)], at, Place::Climbing)
                    }
                    (_, Side::Low) => {
                        let at = (right, bottom + 37.0);
                        ([(left, bottom), (right, bottom)], at, Place::End)
                    }
                    (_, Side::High) => {
                        let at = (0.5 * (left + right), top - 7.0);
                        ([(left, top), (right, top)], at, Place::Middle)
                    }
                };
                drawing.line(points.into(), colour, 4.0);
                let text = format!("{}: {words}", vortice_core::face_name(d, side));
                drawing.add(Mark::Text { text, at, size: SMALL, place, colour });
            }
        }
    }
}

/// What lies at a place of the plane.
fn shade(case: &Case, solids: &Solids, cut: CutPlane, place: [f64; 2]) -> u8 {
    let [right, up] = cut.directions();
    let layers = cut.layers(&case.grid);
    let axis = &case.grid.axes[cut.normal];
    let mut point = [0.0; 3];
    point[cut.normal] = layers.iter().map(|&(k, weight)| weight * axis.centre(k)).sum();
    (point[right], point[up]) = (place[0], place[1]);
    let here = case.grid.cell_at(point);
    let is_solid = layers.iter().any(|&(layer, _)| {
        let mut cell = here;
        cell[cut.normal] = layer;
        solids.contains(cell)
    });
    // What is far from a body needs no distance.
    let is_in = |body: &Body| {
        let [low, high] = body.geometry.bounds();
        let is_near = (0..3).all(|d| low[d] <= point[d] && point[d] <= high[d]);
        (body.hollow || is_near) && body.distance(point) <= 0.0
    };
    match (is_solid, case.bodies.iter().any(|body| is_in(body))) {
        (false, false) => FLOW,
        (true, false) => SOLID,
        (false, true) => BODY,
        (true, true) => BOTH,
    }
}

/// What an end of the box is called, and its colour.
fn kind(boundary: &Boundary) -> (&'static str, &'static str) {
    match boundary {
        Boundary::Periodic => ("periodic", "#8a94a0"),
        Boundary::Symmetry => ("symmetry", "#7a5aa6"),
        Boundary::Outflow { .. } => ("outflow", "#c2571a"),
        Boundary::ConvectiveOutflow { .. } => ("convective outflow", "#c2571a"),
        Boundary::Inflow { .. } | Boundary::Formula { wall: false, .. } => ("inflow", "#1c7c54"),
        wall if *wall == Boundary::WALL => ("wall", "#1f2933"),
        Boundary::Wall { .. } | Boundary::Formula { .. } => ("moving wall", "#1f5fa8"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_bodies_solid_cells_and_the_kinds_of_ends() {
        let text = "title = 'channel'\ngrid = { cells = [40, 20, 1], size = [4.0, 2.0, 0.1] }\n\
            fluid = { viscosity = 0.01 }\nscale = { length = 1.0, velocity = 1.0 }\n\
            run = { until = 1.0 }\nbody = { ball = { inside = '(x - 2)^2 + (y - 1)^2 < 0.25' } }\n[boundary]\n\
            x-low = { inflow = { velocity = [1.0, 0.0, 0.0] } }\nx-high = 'outflow'\n\
            y-low = 'wall'\ny-high = { wall = { velocity = [1.0, 0.0, 0.0] } }\nz-low = 'periodic'\nz-high = 'periodic'\n";
        let case = Case::parse(text, "channel").expect("a case");
        let drawing = GeometryMap { case: &case }.draw();
        let words: Vec<&str> = drawing
            .marks
            .iter()
            .filter_map(
                |mark| if let Mark::Text { text, .. } = mark { Some(&**text) } else { None },
            )
            .collect();
        for word in ["x-low: inflow", "x-high: outflow", "y-low: wall", "y-high: moving wall"] {
            assert!(words.contains(&word), "{words:?}");
        }
        let pixels = drawing.marks.iter().find_map(|mark| match mark {
            Mark::Pixels { pixels, .. } => Some(pixels),
            _ => None,
        });
        let shades = &pixels.expect("colours").shades;
        let share = |of: &[u8]| {
            let count = shades.iter().filter(|shade| of.contains(shade)).count();
            8.0 * count as f64 / shades.len() as f64
        };
        // The circle of 0.5 m, and its cells of 0.1 m.
        assert!((share(&[BODY, BOTH]) - 0.25 * std::f64::consts::PI).abs() < 0.01);
        assert!((share(&[SOLID, BOTH]) - 0.01 * case.solids().count() as f64).abs() < 0.01);
        assert!(share(&[BODY]) > 0.02 && share(&[SOLID]) > 0.02);
        assert!(drawing.svg().contains("x-low: inflow"));
    }
}
