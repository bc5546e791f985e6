//! A page that panels are placed on.

use kuva::render::render::{Primitive, Scene, TextAnchor};

/// Pixels of the file per unit of length on the page.
pub(crate) const SCALE: f32 = 1.6;

/// Width of the smallest coloured square on the page: two pixels of the file.
pub(crate) const PIXEL: f64 = 2.0 / SCALE as f64;

/// The nearest length that is a whole number of squares, so that they meet without a seam.
pub(crate) fn on_lattice(length: f64) -> f64 {
    (length / PIXEL).round() * PIXEL
}

/// Drawing in units of the page, the origin at the top left.
pub(crate) struct Canvas {
    pub(crate) scene: Scene,
}

impl Canvas {
    /// An empty white page.
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { scene: Scene::new(width, height) }
    }

    /// The title of the page, in the middle of a band at its top; long ones in smaller letters.
    pub(crate) fn title(&mut self, text: &str, band: f64) {
        let fits = self.scene.width / (0.62 * text.chars().count().max(1) as f64);
        let size = fits.clamp(10.0, 22.0);
        let middle = self.scene.width / 2.0;
        self.text(text, (middle, 0.5 * band + 0.4 * size), size as u32, TextAnchor::Middle);
    }

    /// A word, its base line at a point.
    pub(crate) fn text(&mut self, text: &str, (x, y): (f64, f64), size: u32, anchor: TextAnchor) {
        let content = text.to_owned();
        let text =
            Primitive::Text { x, y, content, size, anchor, rotate: None, bold: false, color: None };
        self.scene.add(text);
    }

    /// A line through points.
    pub(crate) fn line(&mut self, points: Vec<(f64, f64)>, colour: &str, width: f64) {
        self.scene.add(Primitive::PolyLine {
            points,
            stroke: colour.into(),
            stroke_width: width,
            stroke_dasharray: None,
        });
    }

    /// A round spot.
    pub(crate) fn spot(&mut self, (cx, cy): (f64, f64), colour: &str, r: f64) {
        let (stroke, stroke_width) = (None, None);
        let fill = colour.into();
        self.scene.add(Primitive::Circle {
            cx,
            cy,
            r,
            fill,
            fill_opacity: None,
            stroke,
            stroke_width,
        });
    }

    /// A rectangle without fill.
    pub(crate) fn frame(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (right, low) = (x + width, y + height);
        let corners = vec![(x, y), (right, y), (right, low), (x, low), (x, y)];
        self.line(corners, "#333333", 1.0);
    }

    /// Another drawing with its top left corner at a point.
    pub(crate) fn place(&mut self, panel: Scene, x: f64, y: f64) {
        self.scene.add(Primitive::GroupStart {
            transform: Some(format!("translate({x},{y})")),
            title: None,
            extra_attrs: None,
        });
        panel.elements.into_iter().for_each(|element| self.scene.add(element));
        self.scene.add(Primitive::GroupEnd);
    }
}
