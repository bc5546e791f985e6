//! A film of the flow in a plane: a picture whenever it looks, and all of them as one file in the end.

mod animation;
mod frame;
mod frames;
mod mp4;

use std::path::{Path, PathBuf};

use vortice_core::{
    CutPlane, Error, Extent, FilmOptions, Grid, Monitor, Quantity, Result, Shown, Snapshot,
    Verdict, Window,
};

use frames::Frames;
pub use mp4::write_mp4;

/// Draws the flow in a plane in colours that do not change: a frame of the start and one whenever it looks, each a PNG
/// file in a folder. At the end of the run, and where it is interrupted, all frames become a film, an animated PNG, and the
/// last one its poster. Of the flow only the cells beside the plane are asked for, when there is a frame.
#[derive(Debug)]
pub struct Film {
    options: FilmOptions,
    frames: Frames,
    film: PathBuf,
    poster: PathBuf,
    goes_on: bool,
}

impl Film {
    /// A film and its poster in these files, with its frames in a folder, which is made when the run begins.
    pub fn new(
        options: &FilmOptions,
        frames: impl AsRef<Path>,
        film: impl AsRef<Path>,
        poster: impl AsRef<Path>,
    ) -> Self {
        let [film, poster] = [film.as_ref(), poster.as_ref()].map(Path::to_owned);
        let (options, frames) = (options.clone(), Frames::new(frames.as_ref()));
        Self { options, frames, film, poster, goes_on: false }
    }

    /// The frames that lie in a folder, in the order of steps.
    pub fn frames_in(folder: impl AsRef<Path>) -> Vec<PathBuf> {
        let all = Frames::new(folder.as_ref()).all().into_iter();
        all.map(|(_, path)| path).collect()
    }

    /// Goes on with the frames that an earlier part of the run has left, up to the step that it goes on from.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { goes_on: true, ..self }
    }

    /// Draws a frame on the first rank, unless it is there. Collective.
    fn frame(&self, now: &mut Snapshot<'_>, is_there: bool) -> Result<()> {
        let quantity = match self.options.shows {
            Shown::Speed => Quantity::Velocity,
            Shown::Vorticity => Quantity::Vorticity,
            Shown::Pressure => Quantity::Pressure,
        };
        let mut wanted = vec![None; now.ranks.size()];
        wanted[0] = Some(beside(self.options.plane, &now.case.grid));
        let windows = now.quantities_in(&wanted, &[quantity])?;
        let windows = windows.filter(|_| now.ranks.rank() == 0 && !is_there);
        let drawn = windows.map_or(Ok(()), |windows| self.draw(now, &windows));
        now.ranks.agree(drawn)
    }

    fn draw(&self, now: &Snapshot<'_>, windows: &[Window<'_>]) -> Result<()> {
        let (case, step) = (now.case, now.step);
        let drawn = now.with_threads(|| frame::draw(case, &self.options, windows, &step));
        let frame = drawn.map_err(|error| {
            let remedy = "leave `output.film` out; the fields are complete without it";
            Error::file(&self.film, format!("a frame cannot be drawn: {error}"), remedy)
        })?;
        self.frames.write(now.step.number, &frame)
    }
}

/// The cells that values in a plane are taken from.
fn beside(plane: CutPlane, grid: &Grid) -> Extent {
    let layers = plane.layers(grid).map(|(layer, _)| layer as usize);
    let mut extent = Extent::whole(grid.cells());
    extent.cells[plane.normal] = layers[0].min(layers[1])..layers[0].max(layers[1]) + 1;
    extent
}

impl Monitor for Film {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let kept_to = self.goes_on.then_some(now.step.number);
        let begun = match now.ranks.rank() {
            0 => self.frames.begin(kept_to),
            _ => Ok(false),
        };
        // All ranks look, whether the first one has frames already or not: where a run goes on there is none that one
        // which did not stop would not have.
        let is_there = now.ranks.agree(begun)?;
        self.frame(now, is_there)
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.frame(now, false)?;
        Ok(Verdict::Continue)
    }

    /// The end has no frame of its own: a run that goes on from here would have one that no other has.
    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let joined = match now.ranks.rank() {
            0 => animation::write(&self.frames, &self.options, &self.film, &self.poster),
            _ => Ok(()),
        };
        now.ranks.agree(joined)
    }
}
