//! How a case is spelt: keys as in the file, types, and what may be left out.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Visitor};

use super::bodies::BodyFile;
use super::face::FaceFile;
use super::film::FilmFile;
use super::formulas::Component;
use super::heat_file::HeatFile;
use super::initial_file::{ExactFile, InitialFile};
use super::meaning::{OutputTimes, WallLimit};
use super::probes::ProbesFile;
use super::ranks::RanksFile;
use super::scalar_file::ScalarFile;
use super::text::ForeignTable;
use super::three::three;

/// What all cases have; the tables of methods are taken out before it is read.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CaseFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) references: Vec<String>,
    pub(super) grid: GridFile,
    pub(super) fluid: FluidFile,
    pub(super) heat: Option<HeatFile>,
    #[serde(default)]
    pub(super) scalar: Vec<ScalarFile>,
    #[serde(default)]
    pub(super) scale: ScaleFile,
    #[serde(default)]
    pub(super) initial: InitialFile,
    pub(super) exact: Option<ExactFile>,
    pub(super) run: RunFile,
    #[serde(default)]
    pub(super) solid: Vec<SolidFile>,
    #[serde(default)]
    pub(super) body: BTreeMap<String, BodyFile>,
    #[serde(default)]
    pub(super) output: OutputFile,
    #[serde(default)]
    pub(super) ranks: RanksFile,
    pub(super) boundary: BoundaryFile,
    #[serde(default, rename = "gpu")]
    _gpu: Option<ForeignTable>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct GridFile {
    #[serde(deserialize_with = "three")]
    pub(super) cells: [i64; 3],
    #[serde(deserialize_with = "three")]
    pub(super) size: [f64; 3],
    #[serde(default, deserialize_with = "three")]
    pub(super) origin: [f64; 3],
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct FluidFile {
    #[serde(default = "one")]
    pub(super) density: f64,
    pub(super) viscosity: f64,
    #[serde(default, deserialize_with = "three")]
    pub(super) force: [Component; 3],
}

fn one() -> f64 {
    1.0
}

#[derive(Default, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct ScaleFile {
    pub(super) length: Option<f64>,
    pub(super) velocity: Option<f64>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RunFile {
    #[serde(default = "default_method")]
    pub(super) method: String,
    pub(super) until: UntilFile,
    pub(super) steady: Option<f64>,
    #[serde(default = "default_device")]
    pub(super) device: String,
    #[serde(default = "default_precision")]
    pub(super) precision: String,
    pub(super) max_steps: Option<i64>,
    pub(super) wall_limit: Option<WallLimitFile>,
}

/// A time or a word of [`WallLimit`].
#[derive(Clone, Copy)]
pub(super) struct WallLimitFile(pub(super) WallLimit);

impl NumberOrWord for WallLimitFile {
    const EXPECTED: &'static str = "a time in s or \"auto\"";
    const WORDS: &'static [&'static str] = &["auto"];

    fn of_number(seconds: f64) -> Self {
        Self(WallLimit::Seconds(seconds))
    }

    fn of_word(_: usize) -> Self {
        Self(WallLimit::Auto)
    }
}

impl<'de> Deserialize<'de> for WallLimitFile {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        number_or_word(from)
    }
}

fn default_method() -> String {
    "fdm".into()
}

fn default_device() -> String {
    "auto".into()
}

fn default_precision() -> String {
    "f64".into()
}

/// What is written as a number or as one of some words.
trait NumberOrWord: Sized {
    /// What both are, for errors.
    const EXPECTED: &'static str;
    const WORDS: &'static [&'static str];
    fn of_number(number: f64) -> Self;
    /// Of the word with this number.
    fn of_word(word: usize) -> Self;
}

fn number_or_word<'de, T: NumberOrWord, D: de::Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct Both<T>(PhantomData<T>);
    impl<T: NumberOrWord> Visitor<'_> for Both<T> {
        type Value = T;

        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str(T::EXPECTED)
        }

        fn visit_str<E: de::Error>(self, word: &str) -> Result<T, E> {
            let known = T::WORDS.iter().position(|known| *known == word);
            known.map(T::of_word).ok_or_else(|| E::unknown_variant(word, T::WORDS))
        }

        fn visit_f64<E>(self, number: f64) -> Result<T, E> {
            Ok(T::of_number(number))
        }

        fn visit_i64<E>(self, number: i64) -> Result<T, E> {
            Ok(T::of_number(number as f64))
        }
    }
    from.deserialize_any(Both(PhantomData))
}

/// `"steady"` or a time.
#[derive(Clone, Copy)]
pub(super) enum UntilFile {
    Steady,
    Time(f64),
}

impl UntilFile {
    /// The end in s as far as it is known: zero of a run that waits for a steady flow.
    pub(super) fn time(self) -> f64 {
        match self {
            Self::Time(time) if time.is_finite() => time.max(0.0),
            _ => 0.0,
        }
    }
}

impl NumberOrWord for UntilFile {
    const EXPECTED: &'static str = "a time in s or \"steady\"";
    const WORDS: &'static [&'static str] = &["steady"];

    fn of_number(time: f64) -> Self {
        Self::Time(time)
    }

    fn of_word(_: usize) -> Self {
        Self::Steady
    }
}

impl<'de> Deserialize<'de> for UntilFile {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        number_or_word(from)
    }
}

/// A time or a word of [`OutputTimes`].
#[derive(Clone, Copy)]
pub(super) struct OutputTimesFile(pub(super) OutputTimes);

impl NumberOrWord for OutputTimesFile {
    const EXPECTED: &'static str = "a time in s, \"none\", \"last\" or \"ends\"";
    const WORDS: &'static [&'static str] = &["none", "last", "ends"];

    fn of_number(seconds: f64) -> Self {
        Self(OutputTimes::Every(seconds))
    }

    fn of_word(word: usize) -> Self {
        Self([OutputTimes::Never, OutputTimes::Last, OutputTimes::Ends][word])
    }
}

impl<'de> Deserialize<'de> for OutputTimesFile {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        number_or_word(from)
    }
}

/// A time in s, or never.
#[derive(Clone, Copy)]
pub(super) struct CheckpointFile(pub(super) Option<f64>);

impl NumberOrWord for CheckpointFile {
    const EXPECTED: &'static str = "a wall-clock time in s or \"none\"";
    const WORDS: &'static [&'static str] = &["none"];

    fn of_number(seconds: f64) -> Self {
        Self(Some(seconds))
    }

    fn of_word(_: usize) -> Self {
        Self(None)
    }
}

impl<'de> Deserialize<'de> for CheckpointFile {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        number_or_word(from)
    }
}

/// Flow time in s between looks, or never.
#[derive(Clone, Copy)]
pub(super) struct ForcesFile(pub(super) Option<f64>);

impl NumberOrWord for ForcesFile {
    const EXPECTED: &'static str = "a flow time in s or \"none\"";
    const WORDS: &'static [&'static str] = &["none"];

    fn of_number(seconds: f64) -> Self {
        Self(Some(seconds))
    }

    fn of_word(_: usize) -> Self {
        Self(None)
    }
}

impl<'de> Deserialize<'de> for ForcesFile {
    fn deserialize<D: de::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        number_or_word(from)
    }
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SolidFile {
    #[serde(deserialize_with = "three")]
    pub(super) low: [f64; 3],
    #[serde(deserialize_with = "three")]
    pub(super) high: [f64; 3],
    pub(super) temperature: Option<Component>,
    pub(super) heat_flux: Option<Component>,
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Component>,
    #[serde(default)]
    pub(super) scalar_fluxes: BTreeMap<String, Component>,
}

#[derive(Default, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct OutputFile {
    pub(super) fields: Option<OutputTimesFile>,
    pub(super) fields_steps: Option<i64>,
    pub(super) quantities: Option<Vec<String>>,
    pub(super) coarsen: Option<i64>,
    pub(super) precision: Option<String>,
    pub(super) history: Option<i64>,
    pub(super) forces: Option<ForcesFile>,
    pub(super) checkpoint: Option<CheckpointFile>,
    pub(super) checkpoint_steps: Option<i64>,
    pub(super) compression: Option<i64>,
    pub(super) picture: Option<bool>,
    pub(super) plane: Option<String>,
    #[serde(default)]
    pub(super) planes: BTreeMap<String, PlaneFile>,
    #[serde(default)]
    pub(super) boxes: BTreeMap<String, BoxFile>,
    pub(super) statistics: Option<StatisticsFile>,
    pub(super) probes: Option<ProbesFile>,
    pub(super) film: Option<FilmFile>,
}

/// A plane of cells that is recorded.
#[derive(Deserialize)]
#[serde(expecting = "a table", rename_all = "kebab-case")]
pub(super) struct PlaneFile {
    pub(super) at: String,
    #[serde(flatten)]
    pub(super) when: PartFile,
}

/// A box of cells that is recorded.
#[derive(Deserialize)]
#[serde(expecting = "a table", rename_all = "kebab-case")]
pub(super) struct BoxFile {
    #[serde(deserialize_with = "three")]
    pub(super) low: [f64; 3],
    #[serde(deserialize_with = "three")]
    pub(super) high: [f64; 3],
    #[serde(flatten)]
    pub(super) when: PartFile,
}

/// What is averaged over time.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct StatisticsFile {
    #[serde(default)]
    pub(super) from: f64,
    pub(super) steps: Option<i64>,
    pub(super) fields: Option<OutputTimesFile>,
    pub(super) fields_steps: Option<i64>,
    pub(super) quantities: Option<Vec<String>>,
    pub(super) coarsen: Option<i64>,
}

/// When something is recorded, and what of it.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PartFile {
    pub(super) fields: Option<OutputTimesFile>,
    pub(super) fields_steps: Option<i64>,
    pub(super) quantities: Option<Vec<String>>,
    pub(super) coarsen: Option<i64>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BoundaryFile {
    pub(super) x_low: FaceFile,
    pub(super) x_high: FaceFile,
    pub(super) y_low: FaceFile,
    pub(super) y_high: FaceFile,
    pub(super) z_low: FaceFile,
    pub(super) z_high: FaceFile,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::keys;

    #[test]
    fn keys_at_the_top_are_those_that_have_a_meaning() {
        let error = toml_edit::de::from_str::<CaseFile>("zzz = 1").err().expect("no such key");
        let known = error.message().split('`').skip(3).step_by(2);
        let mut known: Vec<&str> = known.collect();
        let mut own: Vec<&str> = keys::own().collect();
        known.sort_unstable();
        own.sort_unstable();
        assert_eq!(known, own);
    }
}
