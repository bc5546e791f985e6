//! The keys of a case file, and the remedies of errors in them.

use super::key_meanings::{KEYS, meaning};
use crate::boundary::{Side, face_name};
use crate::suggest::{did_you_mean, list};

/// Keys of [`KEYS`] that stand within a face, and not at the top of a case file.
const WITHIN_FACES: [&str; 8] =
    ["wall", "inflow", "outflow", "along", "from", "to", "file", "repeat"];

/// The keys that stand at the top of a case file, those of methods' tables left out.
pub(super) fn own() -> impl Iterator<Item = &'static str> {
    let keys = KEYS.iter().map(|(key, ..)| *key).filter(|key| !key.contains('.'));
    keys.filter(|key| !WITHIN_FACES.contains(key))
}

/// Whether a key stands at the top of every kind of case file.
pub(super) fn is_own(key: &str) -> bool {
    own().any(|known| known == key)
}

/// The keys that every case can have, by their paths; methods have tables of their own.
pub fn known_keys() -> Vec<String> {
    let inside = |key: &str| {
        let starts = |start: &str| key == start || key.starts_with(&format!("{start}."));
        key.contains("[]") || ["wall", "inflow", "outflow"].into_iter().any(starts)
    };
    let of_tables = KEYS.iter().map(|(key, ..)| *key).filter(|key| key.contains('.'));
    let own = of_tables.filter(|key| !inside(key)).map(str::to_owned);
    let faces = (0..3).flat_map(|direction| Side::BOTH.map(|side| face_name(direction, side)));
    let faces = faces.map(|face| format!("boundary.{face}"));
    ["title", "references", "scalar", "solid", "body"]
        .map(str::to_owned)
        .into_iter()
        .chain(own)
        .chain(faces)
        .collect()
}

/// What a plane flow lacks: nothing may act on its faces in z.
pub(super) fn how_to_write_in_a_plane(key: &str) -> String {
    if !matches!(key, "boundary.z-low" | "boundary.z-high") {
        return how_to_write(key);
    }
    format!(
        "write `{key} = \"periodic\"`, or \"symmetry\", the same for z-low and z-high: with one cell in z \
         the flow is plane"
    )
}

/// "write `fluid.viscosity = 1e-3`: the kinematic viscosity in m2/s".
pub(super) fn how_to_write(key: &str) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    if key.starts_with("boundary.") && is_face(last) {
        return format!(
            "write `{key} = \"wall\"`, or \"periodic\", \"symmetry\", \"outflow\", \
             {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }} or \
             {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}"
        );
    }
    match meaning(key) {
        Some((meaning, example)) => format!("write `{last} = {example}`: {meaning}"),
        None => format!("give `{key}` a value of the right type"),
    }
}

fn is_face(name: &str) -> bool {
    matches!(name, "x-low" | "x-high" | "y-low" | "y-high" | "z-low" | "z-high")
}

/// What to write instead of an unknown key.
pub(super) fn instead_of_key(parent: &str, name: &str, known: &[String]) -> String {
    let elsewhere = KEYS.iter().map(|(key, ..)| *key).find(|key| {
        !key.starts_with(['i', 'w']) && key.rsplit_once('.').is_some_and(|(_, last)| last == name)
    });
    match (did_you_mean(name, known), elsewhere) {
        (Some(question), _) => format!("{question} Known here: {}", list(known)),
        (None, Some(key)) if !parent.starts_with("boundary") => {
            format!("it belongs to `{key}`; known here: {}", list(known))
        }
        _ if known.is_empty() => "remove it: there are no keys here".into(),
        _ => format!("remove it, or use one of those known here: {}", list(known)),
    }
}

/// What to write instead of an unknown word.
pub(super) fn instead_of_word(word: &str, known: &[String]) -> String {
    match did_you_mean(word, known) {
        Some(question) => format!("{question} Known: {}", list(known)),
        None => format!("use one of {}", list(known)),
    }
}

/// The same for a key that may also take a number beside one word.
pub(super) fn instead_of_value(key: &str, word: &str, known: &[String]) -> String {
    match meaning(key) {
        Some((meaning, _)) if meaning.contains(", or the word ") => match did_you_mean(word, known)
        {
            Some(question) => format!("{question} It takes {meaning}"),
            None => format!("give {meaning}"),
        },
        _ => instead_of_word(word, known),
    }
}
