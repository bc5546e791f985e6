//! The table `output.film`.

use serde::Deserialize;

use super::cut_planes::plane_of;
use super::film_options::{FilmOptions, Shown};
use super::keys;
use super::meaning::Case;
use super::numbers::{at_least_one, positive};
use super::probe_options::ProbeTimes;
use super::text::CaseText;
use crate::error::Result;

/// Frames in a second: unless the case says how many, and at most.
const USUAL: i64 = 20;
const MOST: u64 = 100;

/// Speeds go up to this share of the largest that the case gives: beside bodies a flow is faster.
const FASTER: f64 = 1.5;

/// Vorticity goes up to this many velocities over lengths of the scale.
const TURNS: f64 = 5.0;

/// The table `output.film`.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FilmFile {
    shows: Option<String>,
    steps: Option<i64>,
    seconds: Option<f64>,
    plane: Option<String>,
    range: Option<[f64; 2]>,
    frames_per_second: Option<i64>,
}

/// The meaning of the table `output.film` in a case that is otherwise known.
///
/// # Errors
/// If a key makes no sense.
pub(super) fn film_options(file: &FilmFile, case: &Case, text: &CaseText) -> Result<FilmOptions> {
    let shows = shows(file, text)?;
    let plane = file.plane.as_ref();
    let plane = plane.map(|words| plane_of("output.film.plane", words, &case.grid, text));
    let key = "output.film.frames-per-second";
    let frames = at_least_one(key, file.frames_per_second.unwrap_or(USUAL), text)?;
    if frames > MOST {
        let problem = format!("{frames} frames are more than anybody sees in a second");
        return Err(text.error(key, problem, format!("give at most {MOST}")));
    }
    Ok(FilmOptions {
        shows,
        times: times(file, case, text)?,
        plane: plane.transpose()?.unwrap_or(case.plane_shown()),
        range: range(file, shows, case, text)?,
        frames_per_second: frames as u16,
    })
}

fn shows(file: &FilmFile, text: &CaseText) -> Result<Shown> {
    let Some(word) = &file.shows else { return Ok(Shown::Speed) };
    let found = Shown::ALL.iter().find(|(name, _)| name == word);
    found.map(|(_, shows)| *shows).ok_or_else(|| {
        let known = Shown::ALL.map(|(name, _)| name.to_owned());
        let problem = format!("`{word}` cannot be shown");
        text.error("output.film.shows", problem, keys::instead_of_word(word, &known))
    })
}

fn times(file: &FilmFile, case: &Case, text: &CaseText) -> Result<ProbeTimes> {
    match (file.seconds, file.steps) {
        (Some(_), Some(_)) => {
            let problem = "a time and a number of steps between frames are both given";
            Err(text.error("output.film.seconds", problem, "keep one of `seconds` and `steps`"))
        }
        (Some(_), None) if !case.is_followed() => {
            let problem = "a flow that is to become steady is not followed in time";
            Err(text.error("output.film.seconds", problem, "give `steps` in its place"))
        }
        (Some(seconds), None) => {
            positive("output.film.seconds", seconds, text).map(ProbeTimes::Seconds)
        }
        (None, Some(steps)) => {
            at_least_one("output.film.steps", steps, text).map(ProbeTimes::Steps)
        }
        (None, None) => {
            let problem = "says neither how much flow time nor how many steps are between frames";
            Err(text.error("output.film", problem, keys::how_to_write("output.film")))
        }
    }
}

/// What is given, or what is foreseen from the speeds that the case gives.
fn range(file: &FilmFile, shows: Shown, case: &Case, text: &CaseText) -> Result<[f64; 2]> {
    if let Some([low, high]) = file.range {
        if low.is_finite() && high.is_finite() && low < high {
            return Ok([low, high]);
        }
        let key = "output.film.range";
        let problem = format!("{low} and {high} are not two numbers, the smaller one first");
        return Err(text.error(key, problem, keys::how_to_write(key)));
    }
    let speed = case.scale.velocity.max(case.prescribed_speed());
    Ok(match shows {
        Shown::Speed => [0.0, FASTER * speed],
        Shown::Vorticity => [-1.0, 1.0].map(|sign| sign * TURNS * speed / case.scale.length),
        Shown::Pressure => [-1.0, 1.0].map(|sign| sign * case.density * speed * speed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CutPlane;

    fn film(film: &str) -> Result<FilmOptions> {
        let text = include_str!("../../../../cases/cavity-3d.toml");
        let sets = ["grid.cells=[8,8,8]".into(), format!("output.film={film}")];
        let case = Case::parse(text, "cavity-3d")?.with(&sets)?;
        Ok(case.output.film.expect("a film"))
    }

    #[test]
    fn a_film_has_a_plane_times_and_colours_that_are_foreseen_or_given() {
        let found = film("{ steps = 5 }").expect("a film");
        let middle = CutPlane { normal: 2, position: 0.5 };
        assert_eq!((found.shows, found.plane), (Shown::Speed, middle));
        assert_eq!((found.range, found.frames_per_second), ([0.0, 1.5], 20));
        assert_eq!(found.times, ProbeTimes::Steps(5));
        let words = "{ shows = \"vorticity\", plane = \"x = 0.25\", steps = 1, \
                      range = [-3.0, 4.5], frames-per-second = 10 }";
        let found = film(words).expect("a film");
        assert_eq!((found.shows, found.range), (Shown::Vorticity, [-3.0, 4.5]));
        assert_eq!(found.plane, CutPlane { normal: 0, position: 0.25 });
        assert_eq!(found.frames_per_second, 10);
    }

    #[test]
    fn what_makes_no_film_is_refused_with_its_key() {
        for (words, expected) in [
            ("{}", ["output.film", "neither"]),
            ("{ steps = 0 }", ["output.film.steps", "less than one"]),
            ("{ steps = 1, seconds = 0.1 }", ["output.film.seconds", "both given"]),
            ("{ seconds = 0.1 }", ["output.film.seconds", "steady"]),
            ("{ steps = 1, shows = \"spede\" }", ["output.film.shows", "did you mean `speed`"]),
            ("{ steps = 1, plane = \"x = 7\" }", ["output.film.plane", "no plane across"]),
            ("{ steps = 1, range = [1.0, 1.0] }", ["output.film.range", "smaller one first"]),
            ("{ steps = 1, range = [0.0, nan] }", ["output.film.range", "smaller one first"]),
            ("{ steps = 1, range = [0.0] }", ["output.film.range", "2"]),
            ("{ steps = 1, frames-per-second = 1000 }", ["frames-per-second", "at most 100"]),
            ("{ steps = 1, fps = 10 }", ["output.film.fps", "known here"]),
        ] {
            let error = film(words).expect_err(words);
            let told = format!("{error} {}", error.remedy());
            expected.iter().for_each(|part| assert!(told.contains(part), "{told}"));
        }
    }
}
