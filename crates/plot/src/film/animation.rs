//! Frames put together as an animated PNG.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Decoder, Encoder, Filter};
use vortice_core::{Error, FilmOptions, Result, write_beside};

use super::frames::Frames;

/// The pixels of a frame, as places in its palette.
struct Image {
    size: (u32, u32),
    palette: Vec<u8>,
    shades: Vec<u8>,
}

/// The frames of one film: those of the size and the colours of the last one. Others are of a case that was changed.
pub(super) struct Alike {
    last: Image,
    path: PathBuf,
    /// Their files, in the order of steps.
    pub(super) frames: Vec<PathBuf>,
}

impl Alike {
    /// Those of a folder, if there are any.
    ///
    /// # Errors
    /// If the last frame cannot be read.
    pub(super) fn of(frames: &Frames) -> Result<Option<Self>> {
        let all = frames.all();
        let Some((_, path)) = all.last() else { return Ok(None) };
        let (last, path) = (read(path).map_err(|problem| refused(path, &problem))?, path.clone());
        let is_alike = |path: &PathBuf| {
            let header = header(path).ok();
            header.is_some_and(|(size, palette)| size == last.size && palette == last.palette)
        };
        let frames = all.into_iter().map(|(_, path)| path).filter(is_alike).collect();
        Ok(Some(Self { last, path, frames }))
    }
}

/// That a file is no frame.
fn refused(path: &Path, problem: &str) -> Error {
    let remedy = "remove this frame; the film is made again at the end of the run";
    Error::file(path, format!("is no frame: {problem}"), remedy)
}

/// Writes all frames as one film, which begins again after its end, and the last one as its poster. Without
/// a frame there is no film.
///
/// # Errors
/// If the last frame cannot be read or the disk refuses.
pub(super) fn write(
    frames: &Frames,
    options: &FilmOptions,
    film: &Path,
    poster: &Path,
) -> Result<()> {
    let Some(Alike { last, path, frames }) = Alike::of(frames)? else { return Ok(()) };
    let bytes = std::fs::read(&path).map_err(|error| refused(&path, &error.to_string()))?;
    write_beside(poster, |file| file.write_all(&bytes))?;
    write_beside(film, |file| {
        animate(file, &last, &frames, options.frames_per_second).map_err(std::io::Error::other)
    })
}

fn animate(file: &mut dyn Write, last: &Image, all: &[PathBuf], rate: u16) -> Result<(), String> {
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
