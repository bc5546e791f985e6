//! How a face of the box is spelt: one word, or one table with its numbers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::formulas::Component;
use super::velocity_table::VelocityFile;

/// `"wall"`, or `{ wall = { velocity = [1.0, 0.0, 0.0] } }`, and so on.
pub(super) enum FaceFile {
    Periodic,
    Symmetry,
    Wall(WallFile),
    Inflow(InflowFile),
    Outflow(OutflowFile),
}

#[derive(Default, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WallFile {
    #[serde(default)]
    pub(super) velocity: VelocityFile,
    pub(super) temperature: Option<Component>,
    pub(super) heat_flux: Option<Component>,
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Component>,
    #[serde(default)]
    pub(super) scalar_fluxes: BTreeMap<String, Component>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct InflowFile {
    pub(super) velocity: VelocityFile,
    pub(super) profile: Option<ProfileFile>,
    pub(super) temperature: Option<Component>,
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Component>,
}

#[derive(Default, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct OutflowFile {
    pub(super) pressure: Option<f64>,
    #[serde(default)]
    pub(super) convective: bool,
    pub(super) speed: Option<f64>,
}

/// `"uniform"`, or a shape over an interval.
pub(super) enum ProfileFile {
    Everywhere,
    Uniform(IntervalFile),
    Parabolic(IntervalFile),
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct IntervalFile {
    pub(super) along: Along,
    pub(super) from: f64,
    pub(super) to: f64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Along {
    X,
    Y,
    Z,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct FaceTable {
    wall: Option<WallFile>,
    inflow: Option<InflowFile>,
    outflow: Option<OutflowFile>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct ProfileTable {
    uniform: Option<IntervalFile>,
    parabolic: Option<IntervalFile>,
}

const FACES: &[&str] = &["wall", "periodic", "symmetry", "outflow"];

impl<'de> Deserialize<'de> for FaceFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Face;
        impl<'de> Visitor<'de> for Face {
            type Value = FaceFile;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a boundary")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<FaceFile, E> {
                match word {
                    "wall" => Ok(FaceFile::Wall(WallFile::default())),
                    "periodic" => Ok(FaceFile::Periodic),
                    "symmetry" => Ok(FaceFile::Symmetry),
                    "outflow" => Ok(FaceFile::Outflow(OutflowFile::default())),
                    "inflow" => Err(E::custom(
                        "an inflow needs a velocity; \
                         write { inflow = { velocity = [1.0, 0.0, 0.0] } }, in m/s",
                    )),
                    _ => Err(E::unknown_variant(word, FACES)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FaceFile, A::Error> {
                match FaceTable::deserialize(MapAccessDeserializer::new(map))? {
                    FaceTable { wall: Some(wall), inflow: None, outflow: None } => {
                        Ok(FaceFile::Wall(wall))
                    }
                    FaceTable { wall: None, inflow: Some(inflow), outflow: None } => {
                        Ok(FaceFile::Inflow(inflow))
                    }
                    FaceTable { wall: None, inflow: None, outflow: Some(outflow) } => {
                        Ok(FaceFile::Outflow(outflow))
                    }
                    _ => Err(de::Error::custom(
                        "the table does not hold exactly one boundary; \
                         write one of `wall`, `inflow`, `outflow` in it",
                    )),
                }
            }
        }
        deserializer.deserialize_any(Face)
    }
}

impl<'de> Deserialize<'de> for ProfileFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Profile;
        impl<'de> Visitor<'de> for Profile {
            type Value = ProfileFile;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a profile")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<ProfileFile, E> {
                match word {
                    "uniform" => Ok(ProfileFile::Everywhere),
                    "parabolic" => Err(E::custom(
                        "a parabolic profile needs an interval; \
                         write { parabolic = { along = \"y\", from = 0.0, to = 1.0 } }, in m",
                    )),
                    _ => Err(E::unknown_variant(word, &["uniform", "parabolic"])),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ProfileFile, A::Error> {
                match ProfileTable::deserialize(MapAccessDeserializer::new(map))? {
                    ProfileTable { uniform: Some(interval), parabolic: None } => {
                        Ok(ProfileFile::Uniform(interval))
                    }
                    ProfileTable { uniform: None, parabolic: Some(interval) } => {
                        Ok(ProfileFile::Parabolic(interval))
                    }
                    _ => Err(de::Error::custom(
                        "the table does not hold exactly one profile; \
                         write one of `uniform`, `parabolic` in it",
                    )),
                }
            }
        }
        deserializer.deserialize_any(Profile)
    }
}
