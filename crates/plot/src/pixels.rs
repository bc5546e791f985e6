//! Coloured pixels as a PNG file of 256 colours.

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use crate::drawing::Pixels;

/// The file's bytes; none of the pixels are lost.
pub(crate) fn png(pixels: &Pixels, compression: Compression) -> Vec<u8> {
    let height = pixels.shades.len() / pixels.width.max(1);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, pixels.width as u32, height as u32);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(pixels.palette.concat());
    encoder.set_compression(compression);
    // Shades next to each other differ little: their differences are what compresses.
    encoder.set_filter(Filter::Adaptive);
    let written = encoder.write_header().and_then(|mut file| file.write_image_data(&pixels.shades));
    // Memory takes every byte, so that only sizes of zero can be refused: then nothing is drawn.
    written.map_or_else(|_| Vec::new(), |()| bytes)
}
