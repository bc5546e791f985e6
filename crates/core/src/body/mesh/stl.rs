//! STL files, binary and text: triangles as they are written.

use super::triangle::Corners;

/// Bytes before the number of triangles, and of a triangle: normal, three corners, two bytes of attributes.
const HEADER: usize = 80;
const FACET: usize = 50;

/// What is wrong with a file and what to do about it; the first ends a sentence that names the file.
pub(super) type Wrong = [String; 2];

const REMEDY: &str = "write the file anew as binary STL";

fn wrong<T>(problem: impl Into<String>) -> Result<T, Wrong> {
    Err([problem.into(), REMEDY.into()])
}

/// The triangles of a file.
///
/// # Errors
/// If it is no STL file, is cut off, or has a number that is none.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Corners>, Wrong> {
    if bytes.is_empty() {
        return wrong("is empty");
    }
    let triangles = match declared(bytes) {
        // Many binary files begin with `solid` too: the length decides.
        Some(n) if length_of(n) == bytes.len() as u64 => binary(bytes),
        said if is_text(bytes) => text(bytes, said.is_some())?,
        said => return not_binary(bytes, said),
    };
    if triangles.is_empty() {
        return wrong("has no triangle");
    }
    let is_finite = |corners: &Corners| corners.iter().flatten().all(|x| x.is_finite());
    match triangles.iter().position(|corners| !is_finite(corners)) {
        Some(n) => wrong(format!("has a corner of triangle {} that is no finite number", n + 1)),
        None => Ok(triangles),
    }
}

/// The number of triangles that a binary file says it has.
fn declared(bytes: &[u8]) -> Option<u32> {
    let four = bytes.get(HEADER..HEADER + 4)?;
    four.try_into().ok().map(u32::from_le_bytes)
}

fn length_of(triangles: u32) -> u64 {
    (HEADER + 4) as u64 + FACET as u64 * u64::from(triangles)
}

fn is_text(bytes: &[u8]) -> bool {
    let begins =
        bytes.trim_ascii_start().get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid"));
    begins && !bytes.contains(&0)
}

fn not_binary<T>(bytes: &[u8], said: Option<u32>) -> Result<T, Wrong> {
    match said {
        Some(n) if bytes.contains(&0) => wrong(format!(
            "says that it has {n} triangles, {} bytes, and has {} bytes: it is cut off, or the number is wrong",
            length_of(n),
            bytes.len()
        )),
        _ => wrong(
            "is no STL file: it neither begins with `solid` nor has the length of a binary one",
        ),
    }
}

fn binary(bytes: &[u8]) -> Vec<Corners> {
    let number = |four: &[u8]| f64::from(f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    let facet = |facet: &[u8]| {
        // Behind the normal, which may be zero or wrong.
        let at = |corner: usize, d: usize| number(&facet[12 * (corner + 1) + 4 * d..]);
        std::array::from_fn(|corner| std::array::from_fn(|d| at(corner, d)))
    };
    bytes[HEADER + 4..].chunks_exact(FACET).map(facet).collect()
}

/// A file of lines, with any ends, any case of letters and several solids.
fn text(bytes: &[u8], is_long: bool) -> Result<Vec<Corners>, Wrong> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return if is_long {
            not_binary(bytes, declared(bytes))
        } else {
            wrong("is neither text nor binary STL")
        };
    };
    let (mut triangles, mut corners) = (Vec::new(), Vec::new());
    let (mut in_solid, mut in_facet) = (false, false);
    let end = if text.contains('\n') { '\n' } else { '\r' };
    for (n, line) in text.split(end).enumerate() {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        let at = |problem: String| wrong(format!("{problem}, in line {}", n + 1));
        match first.to_ascii_lowercase().as_str() {
            "solid" if !in_solid => in_solid = true,
            "endsolid" if in_solid && !in_facet => in_solid = false,
            "facet" if in_solid && !in_facet => in_facet = true,
            "outer" | "endloop" if in_facet => {}
            "vertex" if in_facet => match numbers(words) {
                Some(corner) => corners.push(corner),
                None => return at("has a vertex without its three numbers".into()),
            },
            "endfacet" if in_facet => {
                in_facet = false;
                let n = corners.len();
                let Ok(three) = <Corners>::try_from(std::mem::take(&mut corners)) else {
                    return at(format!("has a facet of {n} corners, and not three"));
                };
                triangles.push(three);
            }
            _ => return at(format!("has `{}` where it does not belong", shortened(first))),
        }
    }
    if in_solid {
        return wrong("is cut off: it ends before `endsolid`");
    }
    Ok(triangles)
}

fn numbers<'a>(words: impl Iterator<Item = &'a str>) -> Option<[f64; 3]> {
    let all: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
    all?.try_into().ok()
}

fn shortened(word: &str) -> String {
    word.chars().take(20).collect()
}
