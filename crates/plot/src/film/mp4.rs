//! Frames put together as MP4, by the program ffmpeg where there is one.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use vortice_core::{Error, FilmOptions, Result, clear};

use super::animation::Alike;
use super::frames::Frames;

/// The program that writes it.
const PROGRAM: &str = "ffmpeg";

/// Writes the frames in a folder as an MP4 film by the program `ffmpeg`; without a frame there is none. An older film of
/// this name stays until the new one is whole.
///
/// # Errors
/// If there is no such program, or it cannot write the film.
pub fn write_mp4(
    folder: impl AsRef<Path>,
    options: &FilmOptions,
    film: impl AsRef<Path>,
) -> Result<()> {
    let film = film.as_ref();
    let Some(alike) = Alike::of(&Frames::new(folder.as_ref()))? else { return Ok(()) };
    let new = film.with_extension("mp4.part");
    let refused = |problem: String| {
        // What could not be finished is of no use; that it cannot be removed either adds nothing.
        let _ = clear(&new);
        let remedy = "the same film is `film.png`; `ffmpeg -i film.png film.mp4` tells more";
        Error::file(film, format!("is not written: {problem}"), remedy)
    };
    let mut program = start(&new, options.frames_per_second).map_err(|error| {
        if error.kind() == ErrorKind::NotFound {
            let remedy = "install ffmpeg for an MP4 too; the same film is `film.png`";
            let problem = format!("is not written: there is no program `{PROGRAM}`");
            return Error::file(film, problem, remedy);
        }
        refused(format!("`{PROGRAM}` does not start: {error}"))
    })?;
    // Where it stops reading its own words tell why.
    let sent = send(&mut program, &alike);
    let ended = program.wait_with_output().map_err(|error| refused(error.to_string()))?;
    let words = String::from_utf8_lossy(&ended.stderr);
    let why = words.lines().next().unwrap_or("it gave no reason");
    if !ended.status.success() {
        return Err(refused(format!("`{PROGRAM}` says: {why}")));
    }
    let renamed = sent.and_then(|()| std::fs::rename(&new, film));
    renamed.map_err(|error| refused(error.to_string()))
}

/// The program, which waits for frames. Edges of an odd number of pixels get a white one more, as the format demands.
fn start(film: &Path, rate: u16) -> std::io::Result<Child> {
    let read = ["-f", "image2pipe", "-c:v", "png", "-framerate", &rate.to_string(), "-i", "pipe:0"]
        .map(String::from);
    let even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white";
    let write = ["-vf", even, "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"];
    Command::new(PROGRAM)
        .args(["-y", "-v", "error"])
        .args(read)
        .args(write)
        .arg(film)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

/// Gives it all frames and closes its input.
fn send(program: &mut Child, alike: &Alike) -> std::io::Result<()> {
    let Some(mut input) = program.stdin.take() else { return Ok(()) };
    alike.frames.iter().try_for_each(|path| input.write_all(&std::fs::read(path)?))
}
