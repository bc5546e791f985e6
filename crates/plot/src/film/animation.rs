//! Frames put together as an animated PNG.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use png::{BitDepth, ColorType, Decoder, Encoder, Filter};
use vortice_core::{Error, FilmOptions, Result, write_beside};

use super::frames::Frames;

/// The pixels of a frame, as places in its palette.
struct Image {
    size: (u32, u32),
    palette: Vec<u8>,
    shades: Vec<u8>,
}

/// Writes all frames as one film, which begins again after its end, and the last one as its poster. Frames of another
/// size or other colours than the last one, of a case that was changed, are left out; without a frame there is no film.
///
/// # Errors
/// If the last frame cannot be read or the disk refuses.
pub(super) fn write(
    frames: &Frames,
    options: &FilmOptions,
    film: &Path,
    poster: &Path,
) -> Result<()> {
    let all = frames.all();
    let Some((_, path)) = all.last() else { return Ok(()) };
    let refused = |problem: String| {
        let remedy = "remove this frame; the film is made again at the end of the run";
        Error::file(path, format!("is no frame: {problem}"), remedy)
    };
    let last = read(path).map_err(refused)?;
    let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    write_beside(poster, |file| file.write_all(&bytes))?;
    let is_alike = |path: &Path| {
        let header = header(path).ok();
        header.is_some_and(|(size, palette)| size == last.size && palette == last.palette)
    };
    let alike: Vec<&Path> =
        all.iter().map(|(_, path)| path.as_path()).filter(|path| is_alike(path)).collect();
    write_beside(film, |file| {
        animate(file, &last, &alike, options.frames_per_second).map_err(std::io::Error::other)
    })
}

fn animate(file: &mut dyn Write, last: &Image, all: &[&Path], rate: u16) -> Result<(), String> {
    let words = |error: png::EncodingError| error.to_string();
    let mut encoder = Encoder::new(file, last.size.0, last.size.1);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(&*last.palette);
    encoder.set_filter(Filter::Adaptive);
    encoder.set_animated(all.len() as u32, 0).map_err(words)?;
    encoder.set_frame_delay(1, rate).map_err(words)?;
    let mut writer = encoder.write_header().map_err(words)?;
    for path in all {
        writer.write_image_data(&read(path)?.shades).map_err(words)?;
    }
    writer.finish().map_err(words)
}

/// Size and palette of a frame.
fn header(path: &Path) -> Result<((u32, u32), Vec<u8>), String> {
    let reader = open(path)?;
    let head = reader.info();
    let palette = head.palette.as_deref().ok_or("it has no palette")?;
    Ok((head.size(), palette.to_vec()))
}

/// A whole frame.
fn read(path: &Path) -> Result<Image, String> {
    let mut reader = open(path)?;
    let mut shades = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
    reader.next_frame(&mut shades).map_err(|error| error.to_string())?;
    let head = reader.info();
    let palette = head.palette.as_deref().ok_or("it has no palette")?.to_vec();
    Ok(Image { size: head.size(), palette, shades })
}

fn open(path: &Path) -> Result<png::Reader<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    Decoder::new(BufReader::new(file)).read_info().map_err(|error| error.to_string())
}
