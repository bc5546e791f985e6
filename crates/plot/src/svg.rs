//! A drawing as SVG.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};
use vortice_core::{Result, write_beside};

use crate::drawing::{Drawing, Mark, Pixels, Place};

/// What the reader's system has.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, \
                     'DejaVu Sans', sans-serif";

impl Drawing {
    /// The drawing as one `<svg>` element without identifiers, so that many can stand in one page.
    pub fn svg(&self) -> String {
        svg(self)
    }

    /// Writes the drawing as an SVG file.
    ///
    /// # Errors
    /// If the file cannot be written; an older file of this name is then still there.
    pub fn write_svg(&self, path: impl AsRef<Path>) -> Result<()> {
        write_beside(path.as_ref(), |file| file.write_all(self.svg().as_bytes()))
    }
}

/// One `<svg>` element without identifiers.
fn svg(drawing: &Drawing) -> String {
    let (width, height) = drawing.size;
    let (w, h) = (number(width), number(height));
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(w) height=(h) viewBox={ "0 0 " (w) " " (h) }
            role="img" font-family=(FONTS) {
            title { (clean(&drawing.title)) }
            rect width=(w) height=(h) fill="white" {}
            @for mark in &drawing.marks { (element(mark)) }
        }
    };
    drawn.into_string()
}

fn element(mark: &Mark) -> Markup {
    match mark {
        Mark::Line { points, colour, width, dashes } => html! {
            polyline points=(list(points)) fill="none" stroke=(colour) stroke-width=(number(*width))
                stroke-linejoin="round" stroke-dasharray=[(!dashes.is_empty()).then_some(dashes)] {}
        },
        Mark::Shape { corners, colour, filled } => html! {
            polygon points=(list(corners)) fill=(fill(colour, *filled)) stroke=(colour)
                stroke-width="1.4" {}
        },
        Mark::Spot { centre: (x, y), radius, colour, filled } => html! {
            circle cx=(number(*x)) cy=(number(*y)) r=(number(*radius)) fill=(fill(colour, *filled))
                stroke=(colour) stroke-width="1.4" {}
        },
        Mark::Text { text, at: (x, y), size, place, colour } => {
            let (x, y) = (number(*x), number(*y));
            let turn = (*place == Place::Climbing).then(|| format!("rotate(-90 {x} {y})"));
            html! {
                text x=(x) y=(y) font-size=(number(*size)) text-anchor=(anchor(*place)) fill=(colour)
                    transform=[turn] { (clean(text)) }
            }
        }
        Mark::Pixels { pixels, at: (x, y), size: (width, height) } => html! {
            image x=(number(*x)) y=(number(*y)) width=(number(*width)) height=(number(*height))
                preserveAspectRatio="none" href=(address(pixels)) {}
        },
    }
}

fn anchor(place: Place) -> &'static str {
    match place {
        Place::Start => "start",
        Place::Middle | Place::Climbing => "middle",
        Place::End => "end",
    }
}

fn fill(colour: &str, filled: bool) -> &str {
    if filled { colour } else { "white" }
}

fn list(points: &[(f64, f64)]) -> String {
    let pairs: Vec<_> = points.iter().map(|&(x, y)| number(x) + "," + &number(y)).collect();
    pairs.join(" ")
}

/// A tenth of a pixel is as fine as can be seen, and many drawings stand in one page.
fn number(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Text without the characters that XML forbids even where they are escaped.
fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The pixels as a PNG file within an address.
fn address(pixels: &Pixels) -> String {
    format!(
        "data:image/png;base64,{}",
        STANDARD.encode(super::pixels::png(pixels, png::Compression::Balanced))
    )
}
