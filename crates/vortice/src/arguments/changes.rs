//! What the command line changes in a case: any key, and short forms of two.

use clap::{Args, ValueHint};
use vortice_core::format::significant;
use vortice_core::{Case, Error, Result};

use super::offer;

/// Which case, by which method, and what to change in it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Choice {
    /// A case file, or the name of a built-in case
    #[arg(value_name = "CASE", value_parser = offer::CASES, hide_possible_values = true)]
    pub(crate) case: String,
    /// The method, instead of the case's `run.method`
    #[arg(long, value_name = "METHOD", value_parser = offer::METHODS, hide_possible_values = true)]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
}

/// What to change in a case.
#[derive(Clone, Debug, Args)]
pub(crate) struct Changes {
    /// Cells in x, y and z, instead of the case's `grid.cells`: 64x64 in a plane, or 64x64x64
    #[arg(long, value_name = "CELLS", value_parser = cells)]
    pub(crate) cells: Option<[usize; 3]>,
    /// Reynolds number of the case's `scale`, instead of its `fluid.viscosity`
    #[arg(long = "re", value_name = "RE", value_parser = reynolds)]
    pub(crate) reynolds: Option<f64>,
    /// Change a key of the case; may be given many times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = offer::SETS,
          hide_possible_values = true, value_hint = ValueHint::Other)]
    pub(crate) sets: Vec<String>,
}

impl Choice {
    /// The case with the changes of the command line, and those words of `--device`.
    pub(crate) fn open_on(&self, device: Option<&str>) -> Result<Case> {
        let device = device.map(|device| format!("run.device={device:?}"));
        self.open(device.as_slice())
    }

    /// The case with the changes of the command line and `others`.
    pub(crate) fn open(&self, others: &[String]) -> Result<Case> {
        let method = self.method.as_ref().map(|method| format!("run.method={method:?}"));
        let others: Vec<String> = method.into_iter().chain(others.iter().cloned()).collect();
        crate::open_case(&self.case, &self.changes.settings(&self.case, &others)?)
    }
}

impl Changes {
    /// All changes of a case as `key=value`, and `others` behind them.
    ///
    /// # Errors
    /// If a key is changed twice, or the case cannot be opened to read its scale.
    pub(crate) fn settings(&self, case: &str, others: &[String]) -> Result<Vec<String>> {
        self.refuse_twice("--cells", self.cells.is_some(), "grid.cells")?;
        self.refuse_twice("--re", self.reynolds.is_some(), "fluid.viscosity")?;
        let mut sets = self.sets.clone();
        sets.extend(self.cells.map(|cells| format!("grid.cells={cells:?}")));
        sets.extend_from_slice(others);
        if let Some(reynolds) = self.reynolds {
            // The scale may be one of the things that are changed.
            let scale = crate::open_case(case, &sets)?.scale;
            sets.push(format!("fluid.viscosity={:?}", scale.velocity * scale.length / reynolds));
            let reached = crate::open_case(case, &sets)?.reynolds();
            if (reached / reynolds - 1.0).abs() > 1e-6 {
                return Err(no_velocity(reynolds, reached));
            }
        }
        Ok(sets)
    }

    fn refuse_twice(&self, option: &str, is_given: bool, key: &str) -> Result<()> {
        let of_key = |set: &&String| set.split('=').next().is_some_and(|name| name.trim() == key);
        match self.sets.iter().find(of_key).filter(|_| is_given) {
            None => Ok(()),
            Some(set) => Err(Error::Command {
                argument: option.into(),
                problem: format!("sets `{key}`, and so does `--set {set}`"),
                remedy: "keep one of them".into(),
            }),
        }
    }
}

/// Of a flow whose velocity scale follows from its viscosity.
fn no_velocity(asked: f64, reached: f64) -> Error {
    Error::Command {
        argument: format!("--re {asked}"),
        problem: format!(
            "nothing moves in this case but by its diffusion: its Reynolds number is {} at every viscosity",
            significant(reached)
        ),
        remedy: "set `fluid.viscosity`, or give a velocity by `scale.velocity`".into(),
    }
}

fn cells(text: &str) -> Result<[usize; 3], String> {
    let help = || "give cells in x and y, such as 64x64, or in x, y and z, such as 64x64x64";
    let parts: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
    match parts.as_deref() {
        Some(&[x, y]) => Ok([x, y, 1]),
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(help().into()),
    }
}

fn reynolds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|re: &f64| re.is_finite() && *re > 0.0);
    number.ok_or_else(|| "give a positive number, such as 400".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(cells: Option<[usize; 3]>, reynolds: Option<f64>, sets: &[&str]) -> Changes {
        Changes { cells, reynolds, sets: sets.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn cells_are_two_or_three_numbers() {
        assert_eq!(cells("64x32"), Ok([64, 32, 1]));
        assert_eq!(cells("8x8x4"), Ok([8, 8, 4]));
        for wrong in ["64", "", "64x", "axb", "1x2x3x4", "64 x 64", "-1x2"] {
            assert!(cells(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_viscosity_follows_from_the_reynolds_number_and_the_scale() {
        for wrong in ["0", "-1", "nan", "inf", "fast"] {
            assert!(reynolds(wrong).is_err(), "{wrong}");
        }
        let sets = changes(Some([8, 8, 1]), Some(400.0), &[]).settings("cavity", &[]).unwrap();
        assert_eq!(sets, ["grid.cells=[8, 8, 1]", "fluid.viscosity=0.0025"]);
        let fast = "scale={ length = 1.0, velocity = 2.0 }";
        let sets = changes(None, Some(400.0), &[fast]).settings("cavity", &[]).unwrap();
        assert_eq!(sets[1], "fluid.viscosity=0.005");
    }

    #[test]
    fn a_key_is_changed_once() {
        for (one, key) in [
            (changes(Some([8, 8, 1]), None, &["grid.cells=[4,4,1]"]), "--cells"),
            (changes(None, Some(1.0), &["fluid.viscosity = 1"]), "--re"),
        ] {
            let error = one.settings("cavity", &[]).expect_err("twice");
            assert!(error.to_string().starts_with(key) && error.exit_code() == 2, "{error}");
        }
    }
}
