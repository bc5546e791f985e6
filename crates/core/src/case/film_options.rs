//! What a film of the flow shows.

use super::probe_options::ProbeTimes;
use crate::cut::CutPlane;

/// What is shown in colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Speed in m/s.
    Speed,
    /// Vorticity across the plane in 1/s.
    Vorticity,
    /// Pressure in Pa.
    Pressure,
}

/// A film of the flow in a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOptions {
    /// What is shown.
    pub shows: Shown,
    /// When there is a frame: each so many steps or so many seconds of flow time, and at the start.
    pub times: ProbeTimes,
    /// Where it lies.
    pub plane: CutPlane,
    /// The number that gets the first colour, and the one that gets the last.
    pub range: [f64; 2],
    /// Frames that are shown in a second.
    pub frames_per_second: u16,
}

impl Shown {
    /// All, with their names.
    pub(super) const ALL: [(&'static str, Self); 3] =
        [("speed", Self::Speed), ("vorticity", Self::Vorticity), ("pressure", Self::Pressure)];
}
