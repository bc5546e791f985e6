//! Whether a checkpoint is of the case that goes on from it.

use std::path::Path;

use vortice_core::{Case, Error, Result, flow_keys};

use crate::stored::Stored;

/// A key in which a case differs from that of a checkpoint; values as in a case file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key, `fluid.viscosity`.
    pub key: String,
    /// What the case has; nothing if it leaves the key out.
    pub case: Option<String>,
    /// What the checkpoint has.
    pub checkpoint: Option<String>,
}

impl Difference {
    /// Whether the state belongs to another grid, method or precision, so that nothing can go on from it.
    fn is_hard(&self) -> bool {
        self.key.starts_with("grid.") || ["run.method", "run.precision"].contains(&&*self.key)
    }
}

/// Whether the checkpoint only writes out what the case does by default.
fn is_default(case: &Case, Difference { key, case: asked, checkpoint }: &Difference) -> bool {
    let (None, Some(value)) = (asked, checkpoint) else { return false };
    let written = case.with(&[format!("{key}={value}")]);
    written.is_ok_and(|written| {
        let written = written.method(&case.run.method).precision(case.run.precision);
        flow_keys(&written) == flow_keys(case)
    })
}

/// `fluid.viscosity is 0.02, 0.01 in the checkpoint`.
impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [case, checkpoint] = [&self.case, &self.checkpoint].map(words);
        write!(f, "{} is {case}, {checkpoint} in the checkpoint", self.key)
    }
}

fn words(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("not set")
}

impl Stored {
    /// The keys that decide how the flow goes on and that a case has otherwise than the case of this
    /// state: see [`flow_keys`]. End, outputs, ranks, devices and threads are not among them, nor are defaults that a
    /// checkpoint of an older program writes out.
    pub fn differences(&self, case: &Case) -> Vec<Difference> {
        let asked = flow_keys(case);
        let value = |keys: &[(String, String)], key: &str| {
            keys.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
        };
        let mut keys: Vec<&String> = asked.iter().map(|(key, _)| key).collect();
        keys.extend(
            self.keys.iter().map(|(key, _)| key).filter(|key| value(&asked, key).is_none()),
        );
        let all = keys.into_iter().map(|key| Difference {
            key: key.clone(),
            case: value(&asked, key),
            checkpoint: value(&self.keys, key),
        });
        all.filter(|one| one.case != one.checkpoint && !is_default(case, one)).collect()
    }

    /// Refuses a case that is not the case of this state, which was read from `path`; `changed` allows
    /// all but another method, precision or grid. Returns what differs.
    ///
    /// # Errors
    /// If the state is of another case: all keys that differ, with both values.
    pub fn check_case(&self, path: &Path, case: &Case, changed: bool) -> Result<Vec<Difference>> {
        let all = self.differences(case);
        let is_hard = all.iter().any(Difference::is_hard);
        let Some(first) = all.iter().find(|one| one.is_hard() == is_hard) else { return Ok(all) };
        if changed && !is_hard {
            return Ok(all);
        }
        let [asked, found] = [&first.case, &first.checkpoint].map(words);
        let of = format!("the checkpoint {}, of {:?},", path.display(), self.title);
        let mut problem = format!("is {asked}, but {of} has {found}");
        for other in all.iter().filter(|other| *other != first) {
            problem += &format!("; {other}");
        }
        let sets = all.iter().filter_map(|one| {
            one.checkpoint.as_ref().map(|value| format!("--set '{}={value}'", one.key))
        });
        let sets = sets.collect::<Vec<_>>();
        let left_out = all.iter().filter(|one| one.checkpoint.is_none()).map(|one| &*one.key);
        let left_out = left_out.collect::<Vec<_>>();
        let with = (!sets.is_empty()).then(|| format!("with {}", sets.join(" ")));
        let without = (!left_out.is_empty()).then(|| format!("without {}", left_out.join(", ")));
        let alike = [with, without].into_iter().flatten().collect::<Vec<_>>().join(" and ");
        let remedy = if is_hard {
            format!("restart {alike}, or from a checkpoint of this case")
        } else {
            format!(
                "restart {alike}, or with --restart-changed to go on with another case all the same"
            )
        };
        Err(Error::case(&first.key, problem, remedy))
    }
}
