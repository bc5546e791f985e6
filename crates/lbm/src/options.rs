//! The `[lbm]` table of a case file.

use serde::Deserialize;
use vortice_core::{Case, Error, Precision, Result, Shortcuts, Until, within};

/// Name of the method and of its table.
pub(crate) const NAME: &str = "lbm";

/// The `[lbm]` table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options {
    /// The velocities.
    pub lattice: LatticeName,
    /// How populations relax.
    pub collision: CollisionName,
    /// Mach number of the fastest prescribed velocity, from which the time step follows; eq. (L3).
    pub mach: Option<f64>,
    /// Relaxation time in time steps, instead of a Mach number; eq. (L3).
    pub relaxation_time: Option<f64>,
    /// The product of TRT's two relaxation times less one half each; eq. (L7).
    pub lambda: f64,
    /// Relaxation rates of MRT, beside that of the viscosity.
    pub rates: MomentRates,
    /// What comes back from bodies whose walls are exact.
    pub interpolation: Interpolation,
    /// One lattice, updated in place, or two.
    pub streaming: Streaming,
    /// How populations are stored.
    pub storage: Storage,
    /// Threads of a block that streams and collides on a GPU, if not as many as are fastest.
    pub threads: Option<u32>,
    /// Cells of a thread that streams and collides on a GPU, one or two, if not as many as are fastest.
    pub cells_per_thread: Option<u32>,
    /// Solves coarser grids first and begins where they end. Steady flows only.
    pub sequence: bool,
    /// Takes V-cycles over coarser grids in place of steps; eqs. (L23) to (L25). Steady flows only.
    pub multigrid: bool,
    /// Earlier rounds that Anderson's acceleration mixes, at most; 0 without it, which is usual, 10 with `multigrid`; eq.
    /// (N13). Steady flows only.
    pub anderson: Option<usize>,
}

/// Threads of a block of most kernels.
pub(crate) const THREADS: u32 = 128;

/// Mach number if neither it nor a relaxation time is given.
const MACH: f64 = 0.1;

/// The same with cycles, if no force acts: then what they lead to does not depend on it.
const MACH_OF_CYCLES: f64 = 0.5;

impl Default for Options {
    fn default() -> Self {
        Self {
            lattice: LatticeName::D3q19,
            collision: CollisionName::Auto,
            mach: None,
            relaxation_time: None,
            lambda: 3.0 / 16.0,
            rates: MomentRates::default(),
            interpolation: Interpolation::Linear,
            streaming: Streaming::InPlace,
            storage: Storage::Precision,
            threads: None,
            cells_per_thread: None,
            sequence: false,
            multigrid: false,
            anderson: None,
        }
    }
}

/// A set of velocities.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LatticeName {
    /// Nine velocities in the plane.
    D2q9,
    /// Fifteen in space.
    D3q15,
    /// Nineteen in space.
    D3q19,
    /// Twenty-seven in space.
    D3q27,
}

impl LatticeName {
    /// Number of velocities.
    pub fn velocities(self) -> usize {
        match self {
            Self::D2q9 => 9,
            Self::D3q15 => 15,
            Self::D3q19 => 19,
            Self::D3q27 => 27,
        }
    }

    /// `"D3Q19"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::D2q9 => "D2Q9",
            Self::D3q15 => "D3Q15",
            Self::D3q19 => "D3Q19",
            Self::D3q27 => "D3Q27",
        }
    }
}

/// How populations relax towards equilibrium; eqs. (L7) to (L12).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum CollisionName {
    /// TRT where the lattice is fine enough for it, else a collision that stands coarser ones.
    Auto,
    /// One relaxation time.
    Srt,
    /// Two relaxation times.
    Trt,
    /// One for each kind of moment.
    Mrt,
    /// Only viscous stress survives.
    Regularised,
}

impl CollisionName {
    /// `"trt"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Srt => "srt",
            Self::Trt => "trt",
            Self::Mrt => "mrt",
            Self::Regularised => "regularised",
        }
    }
}

/// Relaxation rates per time step of the moments that carry no viscosity; the defaults are those of
/// d'Humieres et al. (2002).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct MomentRates {
    /// Energy.
    pub energy: f64,
    /// Square of the energy.
    pub energy_square: f64,
    /// The other even moments.
    pub even: f64,
    /// Flux of energy.
    pub flux: f64,
    /// The other odd moments.
    pub odd: f64,
}

impl Default for MomentRates {
    fn default() -> Self {
        Self { energy: 1.19, energy_square: 1.4, even: 1.4, flux: 1.2, odd: 1.2 }
    }
}

/// Between which populations that is interpolated which comes back from a body; eq. (L14b).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Interpolation {
    /// Two, on one side of where it left or on the other: Bouzidi, Firdaouss and Lallemand (2001).
    Linear,
    /// Three, alike on both sides: the central linear interpolation of Ginzburg, Verhaeghe and d'Humieres (2008).
    Central,
}

/// Where populations go.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Streaming {
    /// Into the places that others leave: Lehmann (2022).
    InPlace,
    /// From one lattice into another: simple, slow, twice the memory; on the processor only.
    TwoLattice,
}

/// How populations are stored.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// As `run.precision` says.
    Precision,
    /// In 16 bits, with arithmetic in single precision: Lehmann et al. (2022).
    F16,
    /// Ten moments of a cell instead of its populations, as `run.precision` says; eq. (L20).
    Moments,
}

/// What the time step follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pace {
    /// A Mach number.
    Mach(f64),
    /// A relaxation time in time steps.
    RelaxationTime(f64),
}

impl Options {
    /// The options of a case.
    ///
    /// # Errors
    /// If a key is unknown or a value cannot be.
    pub fn of(case: &Case) -> Result<Self> {
        let options: Self = case.options(NAME)?;
        options.check()?;
        if options.storage == Storage::F16 && case.run.precision != Precision::F32 {
            let problem = "16-bit storage goes with arithmetic in single precision";
            let remedy = "set run.precision = \"f32\", or lbm.storage = \"precision\"";
            return Err(Error::case("lbm.storage", problem, remedy));
        }
        if options.storage == Storage::Moments {
            options.check_moments()?;
        }
        Ok(options)
    }

    /// Refuses what moments cannot stand for.
    fn check_moments(&self) -> Result<()> {
        let other = "or lbm.storage = \"precision\"";
        let wrong = |key, problem: String, value: &str| {
            Err(Error::case(key, problem, format!("set it to \"{value}\", {other}")))
        };
        if self.lattice != LatticeName::D3q19 {
            let problem = format!("{} has no stored moments", self.lattice.name());
            return wrong("lbm.lattice", problem, "d3q19");
        }
        if !matches!(self.collision, CollisionName::Auto | CollisionName::Regularised) {
            let problem = format!(
                "\"{}\" needs more of populations than the ten moments that are stored",
                self.collision.name()
            );
            return wrong("lbm.collision", problem, "regularised");
        }
        if self.streaming == Streaming::TwoLattice {
            let problem = "moments are stored in place".to_string();
            return wrong("lbm.streaming", problem, "in-place");
        }
        if let Some(threads) = self.threads {
            let problem = format!(
                "{threads} threads of a block were asked for, and tiles of moments have their own size"
            );
            return Err(Error::case("lbm.threads", problem, format!("leave it out, {other}")));
        }
        if self.cells_per_thread.is_some() {
            let problem = "threads of moments have cells as their tiles do";
            return Err(Error::case(
                "lbm.cells-per-thread",
                problem,
                format!("leave it out, {other}"),
            ));
        }
        Ok(())
    }

    /// What the time step follows from.
    pub(crate) fn pace(&self, case: &Case) -> Pace {
        let is_free = self.has_cycles(case) && !case.pushes().contains(&true);
        let usual = if is_free { MACH_OF_CYCLES } else { MACH };
        match self.relaxation_time {
            Some(tau) => Pace::RelaxationTime(tau),
            None => Pace::Mach(self.mach.unwrap_or(usual)),
        }
    }

    /// Whether the case's steps are V-cycles over coarser grids.
    pub(crate) fn has_cycles(&self, case: &Case) -> bool {
        self.multigrid && matches!(case.run.until, Until::Steady(_))
    }

    /// What of a case and of these cycles cannot do: its key, and why.
    pub(crate) fn untold(&self, case: &Case) -> Option<(String, &'static str)> {
        if let Some(told) = case.untold() {
            return Some(told);
        }
        let of_case = [
            (
                case.boundaries.change(),
                "boundary",
                "has values that change with time, which cycles do not follow",
            ),
            (
                case.changing_force.is_some(),
                "fluid.force",
                "changes with time, which cycles do not follow",
            ),
            (
                case.boundaries.iter().any(|(.., face)| face.is_open()),
                "boundary",
                "lets fluid in or out, and an outlet remembers more than the flow that coarser grids are told",
            ),
            (
                self.storage != Storage::Precision,
                "lbm.storage",
                "is not \"precision\", and what coarser grids are asked for is told of whole populations",
            ),
            (
                self.streaming == Streaming::TwoLattice,
                "lbm.streaming",
                "is \"two-lattice\", and cycles are in place",
            ),
            (
                !matches!(self.collision, CollisionName::Auto | CollisionName::Trt),
                "lbm.collision",
                "is not \"trt\", with which alone a steady flow does not depend on the length of steps",
            ),
        ];
        let (_, key, problem) = of_case.into_iter().find(|(is_so, ..)| *is_so)?;
        Some((key.into(), problem))
    }

    /// What brings a steady flow to its end sooner.
    pub(crate) fn shortcuts(&self) -> Shortcuts {
        let coarser = if self.sequence { u64::MAX } else { 0 };
        let usual = if self.multigrid { 10 } else { 0 };
        let (mixed, round) = (self.anderson.unwrap_or(usual), u64::from(self.multigrid));
        Shortcuts { coarser, mixed, round, ..Shortcuts::default() }
    }

    fn check(&self) -> Result<()> {
        if let (Some(mach), Some(tau)) = (self.mach, self.relaxation_time) {
            let problem = format!("mach = {mach} and relaxation-time = {tau} are both given");
            let remedy = "keep one of them: the time step follows from either";
            return Err(Error::case("lbm.mach", problem, remedy));
        }
        if let Some(mach) = self.mach {
            within("lbm.mach", mach, f64::MIN_POSITIVE..=1.0, "0.1 is usual")?;
        }
        if let Some(tau) = self.relaxation_time {
            within("lbm.relaxation-time", tau, 0.5 + 1e-9..=100.0, "0.55 to 1 is usual")?;
        }
        let is_none = |n: &u32| !n.is_power_of_two() || !(32..=1024).contains(n);
        if let Some(threads) = self.threads.filter(is_none) {
            let problem = format!("{threads} is no size of a block");
            return Err(Error::case("lbm.threads", problem, "give 32, 64, 128, 256, 512 or 1024"));
        }
        if let Some(cells) = self.cells_per_thread.filter(|cells| !(1..=2).contains(cells)) {
            let problem = format!("{cells} cells are too many for a thread, or too few");
            return Err(Error::case("lbm.cells-per-thread", problem, "give 1 or 2"));
        }
        if let (Some(2), Some(threads)) = (self.cells_per_thread, self.threads) {
            let problem = format!(
                "{threads} threads of a block were asked for, and blocks of two cells a thread have 64"
            );
            return Err(Error::case(
                "lbm.threads",
                problem,
                "leave it out, or set lbm.cells-per-thread = 1",
            ));
        }
        within("lbm.lambda", self.lambda, 1e-6..=100.0, "0.1875 puts walls where they are")?;
        let MomentRates { energy, energy_square, even, flux, odd } = self.rates;
        for (key, rate) in [
            ("lbm.rates.energy", energy),
            ("lbm.rates.energy-square", energy_square),
            ("lbm.rates.even", even),
            ("lbm.rates.flux", flux),
            ("lbm.rates.odd", odd),
        ] {
            within(key, rate, f64::MIN_POSITIVE..=2.0, "a moment relaxes at a rate of 1 to 2")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_sizes_that_are_compared() {
        for threads in [0, 16, 48, 2048] {
            let threads_of = Options { threads: Some(threads), ..Options::default() };
            let wrong = threads_of.check().unwrap_err().to_string();
            assert!(
                wrong.contains("lbm.threads") && wrong.contains(&threads.to_string()),
                "{wrong}"
            );
        }
        assert!(
            [32, 256, 1024]
                .iter()
                .all(|&n| { Options { threads: Some(n), ..Options::default() }.check().is_ok() })
        );
    }
}
