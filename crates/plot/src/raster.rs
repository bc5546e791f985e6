//! A drawing as PNG, by the plotting crate.

use std::path::Path;

use kuva::backend::raster::RasterBackend;
use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};
use vortice_core::{Error, write_beside};

use crate::drawing::{Drawing, Mark, Pixels, Place};

/// Pixels of the file per unit of the drawing.
const SCALE: f32 = 2.0;

impl Drawing {
    /// Writes the drawing as a PNG file, two pixels per unit.
    ///
    /// # Errors
    /// If the drawing is too large for memory, or the file cannot be written; an older file of
    /// this name is then still there.
    pub fn write_png(&self, path: impl AsRef<Path>) -> vortice_core::Result<()> {
        let bytes = png(self, SCALE).map_err(|error| {
            let remedy = "use the SVG file; it shows the same";
            Error::file(&path, format!("cannot be drawn: {error}"), remedy)
        })?;
        write_beside(path.as_ref(), |file| file.write_all(&bytes))
    }
}

/// The file's bytes.
fn png(drawing: &Drawing, scale: f32) -> Result<Vec<u8>, String> {
    let (width, height) = drawing.size;
    let mut scene = Scene::new(width, height);
    drawing.marks.iter().for_each(|mark| scene.add(primitive(mark)));
    RasterBackend::new().with_scale(scale).render_scene(&scene)
}

/// Pixels in a row, and the colours of all rows from the top.
///
/// # Errors
/// If the drawing is too large for memory.
pub(crate) fn raster(drawing: &Drawing, scale: f32) -> Result<(usize, Vec<[u8; 3]>), String> {
    let words = |error: png::DecodingError| error.to_string();
    let file = std::io::Cursor::new(png(drawing, scale)?);
    let mut reader = png::Decoder::new(file).read_info().map_err(words)?;
    let mut all = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
    let image = reader.next_frame(&mut all).map_err(words)?;
    let colours = all.chunks_exact(image.color_type.samples());
    let colours = colours.map(|colour| [colour[0], colour[1], colour[2]]).collect();
    Ok((image.width as usize, colours))
}

fn primitive(mark: &Mark) -> Primitive {
    match mark {
        Mark::Line { points, colour, width, dashes } => Primitive::PolyLine {
            points: points.clone(),
            stroke: (*colour).into(),
            stroke_width: *width,
            stroke_dasharray: (!dashes.is_empty()).then(|| (*dashes).into()),
        },
        Mark::Shape { corners, colour, filled } => Primitive::Path(Box::new(PathData {
            d: path(corners),
            fill: Some(fill(colour, *filled)),
            stroke: (*colour).into(),
            stroke_width: 1.4,
            opacity: None,
            stroke_dasharray: None,
        })),
        Mark::Spot { centre: (cx, cy), radius, colour, filled } => Primitive::Circle {
            cx: *cx,
            cy: *cy,
            r: *radius,
            fill: fill(colour, *filled),
            fill_opacity: None,
            stroke: Some((*colour).into()),
            stroke_width: Some(1.4),
        },
        Mark::Text { text, at: (x, y), size, place, colour } => Primitive::Text {
            x: *x,
            y: *y,
            // Between dollar signs the plotting crate would look for formulas.
            content: text.replace('$', "\\$"),
            size: size.round() as u32,
            anchor: anchor(*place),
            rotate: (*place == Place::Climbing).then_some(-90.0),
            bold: false,
            color: Some((*colour).into()),
        },
        Mark::Pixels { pixels, at, size } => squares(pixels, *at, *size),
    }
}

fn anchor(place: Place) -> TextAnchor {
    match place {
        Place::Start => TextAnchor::Start,
        Place::Middle | Place::Climbing => TextAnchor::Middle,
        Place::End => TextAnchor::End,
    }
}

fn fill(colour: &str, filled: bool) -> Color {
    if filled { colour.into() } else { "white".into() }
}

fn path(corners: &[(f64, f64)]) -> String {
    let steps = corners.iter().enumerate();
    let steps = steps.map(|(n, (x, y))| format!("{}{x:.2} {y:.2}", if n == 0 { "M" } else { "L" }));
    steps.collect::<String>() + "Z"
}

/// Runs of equal shades as rectangles; they overlap a little, or their seams would show.
fn squares(pixels: &Pixels, at: (f64, f64), size: (f64, f64)) -> Primitive {
    let rows = pixels.shades.len() / pixels.width.max(1);
    let (dx, dy) = (size.0 / pixels.width as f64, size.1 / rows as f64);
    let (mut x, mut y, mut w, mut h, mut fills) = (vec![], vec![], vec![], vec![], vec![]);
    for (j, row) in pixels.shades.chunks(pixels.width.max(1)).enumerate() {
        let mut i = 0;
        for run in row.chunk_by(|a, b| a == b) {
            let [red, green, blue] = pixels.palette[run[0] as usize];
            let last = i + run.len() == row.len();
            x.push(at.0 + i as f64 * dx);
            y.push(at.1 + j as f64 * dy);
            w.push((run.len() as f64 + if last { 0.0 } else { 0.5 }) * dx);
            h.push(if j + 1 == rows { dy } else { 1.5 * dy });
            fills.push(Color::Rgb(red, green, blue));
            i += run.len();
        }
    }
    Primitive::RectBatch { x, y, w, h, fills }
}
