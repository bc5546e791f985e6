//! References that a case names and that do not hold for it.

use vortice_core::{Case, Result};

use super::find::known_names;
use super::values::Reference;

/// What stands for a number in the names that a case gives, and what that number is called.
const NUMBERS: [(&str, &str); 2] = [("{reynolds}", "Re"), ("{rayleigh}", "Ra")];

/// Names of references that a flow is not judged by, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Their names.
    pub names: Vec<String>,
    /// Why, in a few words: `for Re = 1000, not 100`.
    pub why: String,
}

impl Reference {
    /// The references that a case names and that hold for it, in its order; of the others
    /// [`LeftOut::of`] says why they do not.
    ///
    /// Tables are looked for in `references/` beside the case file, then among the built-in ones.
    ///
    /// # Errors
    /// If a name is unknown or a table cannot be read.
    pub fn of(case: &Case) -> Result<Vec<Reference>> {
        Ok(sorted(case)?.0)
    }
}

impl LeftOut {
    /// The references that a case names and that do not hold for it, those of one reason together.
    ///
    /// # Errors
    /// As [`Reference::of`].
    pub fn of(case: &Case) -> Result<Vec<LeftOut>> {
        Ok(sorted(case)?.1)
    }
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not judged by {}: {}", self.names.join(", "), self.why)
    }
}

/// The references that a case names: those that hold, and the others.
pub(super) fn sorted(case: &Case) -> Result<(Vec<Reference>, Vec<LeftOut>)> {
    let (mut hold, mut left_out): (_, Vec<LeftOut>) = (Vec::new(), Vec::new());
    for pattern in &case.references {
        let name = case.with_numbers(pattern);
        let objection = match Reference::open(case, &name) {
            Ok(reference) => {
                let objection = reference.objection(case);
                if objection.is_none() {
                    hold.push(reference);
                }
                objection
            }
            Err(error) => Some(others(case, pattern, &name).ok_or(error)?),
        };
        let Some(why) = objection else { continue };
        match left_out.iter_mut().find(|known| known.why == why) {
            Some(known) => known.names.push(name),
            None => left_out.push(LeftOut { names: vec![name], why }),
        }
    }
    Ok((hold, left_out))
}

/// For which Reynolds or Rayleigh numbers there are tables of a name that has none for the case's; nothing if there
/// are none, or if the name is there and something else is wrong with it.
fn others(case: &Case, pattern: &str, name: &str) -> Option<String> {
    let split = |(word, called)| pattern.split_once(word).map(|parts| (parts, called));
    let ((before, behind), called) = NUMBERS.into_iter().find_map(split)?;
    let known = known_names(case);
    if known.iter().any(|known| known == name) {
        return None;
    }
    let number = |known: &String| {
        known.strip_prefix(before)?.strip_suffix(behind)?.parse().ok().filter(|re: &f64| *re > 0.0)
    };
    let mut numbers: Vec<f64> = known.iter().filter_map(number).collect();
    numbers.sort_by(f64::total_cmp);
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    (!words.is_empty()).then(|| format!("there is none but for {called} = {}", words.join(", ")))
}
