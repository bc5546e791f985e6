//! The `[fdm]` table of a case file.

use serde::Deserialize;
use vortice_core::{Case, Error, Result, Shortcuts, Until, within};
use vortice_linear::{Criterion, PressureSolver};

/// Name of the method and of its table.
pub(crate) const NAME: &str = "fdm";

/// The largest change of a cycle that is mixed with others, as a share of the velocity scale.
const MIXED_BELOW: f64 = 0.03;

/// The `[fdm]` table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options {
    /// Share of the donor cell in the convective terms: 0 central, 1 upwind, or `"auto"` from the
    /// Courant number; eq. (F10).
    pub gamma: Choice<Auto>,
    /// How steps follow the flow in time: `"euler"` (F1), `"adams-bashforth"` (F15), or `"auto"`.
    pub time_scheme: TimeScheme,
    /// Length of the time step in s, or `"auto"` from the stability limits; eqs. (F9), (F16).
    pub dt: Choice<Auto>,
    /// Share of the stability limit that an automatic step uses.
    pub safety: f64,
    /// How the pressure is solved: `"sor"`, which is usual, or as the pressure correction of `fvm`; by one cycle with
    /// `multigrid`.
    pub pressure: Option<Pressure>,
    /// Factor of the over-relaxation between 0 and 2, or `"optimal"`; eq. (F7).
    pub over_relaxation: Choice<Optimal>,
    /// When the pressure iteration stops; eq. (F13).
    pub stop: Stop,
    /// Iterations between tests of the stopping rule.
    pub test_every: u32,
    /// Iterations after which the pressure is taken as it is.
    pub max_iterations: u32,
    /// Differences of the convection of scalars: `"van-leer"` or `"central"`; eq. (H6).
    pub scalar_convection: ScalarConvection,
    /// Order of the sweeps: the same numbers in another order of work.
    pub kernel: Kernel,
    /// Solves coarser grids first and begins where they end. Steady flows only.
    pub sequence: bool,
    /// A step is two V-cycles of the full approximation scheme on coarser grids; eqs. (F23) to (F25). Steady flows only.
    pub multigrid: bool,
    /// Earlier rounds that Anderson's acceleration mixes, at most; 0 without it, which is usual, 10 with `multigrid`; eq.
    /// (N13). Steady flows only.
    pub anderson: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            gamma: Choice::Number(0.0),
            time_scheme: TimeScheme::Auto,
            dt: Choice::Word(Auto::Auto),
            safety: 0.9,
            pressure: None,
            over_relaxation: Choice::Word(Optimal::Optimal),
            stop: Stop::Residual(1e-4),
            test_every: 5,
            max_iterations: 1000,
            scalar_convection: ScalarConvection::VanLeer,
            kernel: Kernel::Auto,
            sequence: false,
            multigrid: false,
            anderson: None,
        }
    }
}

/// A number, or a word that stands for a computed one.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub enum Choice<W> {
    /// As given.
    Number(f64),
    /// To be computed.
    Word(W),
}

/// The word `"auto"`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Auto {
    /// From the flow.
    Auto,
}

/// The word `"optimal"`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Optimal {
    /// From the grid and its boundaries.
    Optimal,
}

/// Differences in time.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum TimeScheme {
    /// Adams and Bashforth where the flow is followed to a time, Euler on the way to a steady flow or
    /// with an automatic share of the donor cell, which makes every step first order.
    Auto,
    /// Explicit Euler, first order.
    Euler,
    /// Extrapolation from two steps, second order.
    AdamsBashforth,
}

/// Differences of the convection of scalars.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ScalarConvection {
    /// Second order where the scalar is smooth, without new extremes (van Leer 1974).
    VanLeer,
    /// Second order everywhere, with waves behind what is not resolved.
    Central,
}

/// How the pressure is solved.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Pressure {
    /// By red-black SOR; eq. (F6).
    Sor,
    /// By so many multigrid cycles.
    Cycles(u32),
    /// By conjugate gradients preconditioned by a multigrid cycle.
    MultigridCg(Tight),
    /// By conjugate gradients with Jacobi's preconditioner.
    JacobiCg(Tight),
    /// By conjugate gradients as they are.
    Cg(Tight),
}

/// When conjugate gradients stop: as [`Criterion`], but usually at 1e-4 of the right-hand side, since what
/// is left here is the flow's divergence.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Tight {
    /// Share of the right-hand side's 2-norm.
    pub retol: f64,
    /// In 1/s2.
    pub abstol: f64,
    /// Most iterations.
    pub max: u32,
}

impl Default for Tight {
    fn default() -> Self {
        Self { retol: 1e-4, abstol: 0.0, max: 1000 }
    }
}

impl Pressure {
    /// In the words of the linear algebra; none for SOR.
    pub(crate) fn linear(self) -> Option<PressureSolver> {
        let criterion = |Tight { retol, abstol, max }| Criterion { retol, abstol, max };
        match self {
            Self::Sor => None,
            Self::Cycles(count) => Some(PressureSolver::Cycles(count)),
            Self::MultigridCg(tight) => Some(PressureSolver::MultigridCg(criterion(tight))),
            Self::JacobiCg(tight) => Some(PressureSolver::JacobiCg(criterion(tight))),
            Self::Cg(tight) => Some(PressureSolver::Cg(criterion(tight))),
        }
    }
}

/// When the pressure iteration stops.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After a number of iterations.
    Iterations(Count),
    /// When no pressure changes by more than this share of U2 (U the velocity scale) in one
    /// iteration.
    Change(f64),
    /// When the largest residual is below this share of the largest right-hand side.
    Residual(f64),
    /// When the root mean square residual is below this share of the right-hand side's.
    ResidualRms(f64),
}

/// A number of iterations, the same in every step or another in the first ones.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Count {
    /// The same in every step.
    Always(u32),
    /// `{ first = 100, steps = 100, then = 5 }`: Menenguci et al. (2011).
    Phased(Phases),
}

/// Iterations in the first steps and in the later ones.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Phases {
    /// Iterations in each of the first steps.
    pub first: u32,
    /// Number of first steps.
    pub steps: u64,
    /// Iterations in each later step.
    pub then: u32,
}

/// Order of work. All give the same bits.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// The fastest for the size.
    Auto,
    /// One colour after the other over the whole grid.
    Plain,
    /// On the processor: several iterations follow each other row by row through the cache.
    Fused,
    /// On a GPU: several iterations on each tile of a plane grid in one launch.
    Tiled,
    /// On a GPU: whole time steps of a plane flow in one launch that keeps the flow on the chip.
    Resident,
}

impl Count {
    /// Iterations in a step; the first step is 1.
    pub fn in_step(self, step: u64) -> u32 {
        match self {
            Self::Always(n) => n,
            Self::Phased(Phases { first, steps, .. }) if step <= steps => first,
            Self::Phased(Phases { then, .. }) => then,
        }
    }
}

impl Options {
    /// The options of a case.
    ///
    /// # Errors
    /// If a key is unknown or a value cannot be.
    pub fn of(case: &Case) -> Result<Self> {
        let options: Self = case.options(NAME)?;
        options.check(case)?;
        Ok(options)
    }

    /// Whether the case's steps are those of Adams and Bashforth.
    pub(crate) fn is_second_order(&self, case: &Case) -> bool {
        match self.time_scheme {
            TimeScheme::Euler => false,
            TimeScheme::AdamsBashforth => !self.has_cycles(case),
            TimeScheme::Auto => {
                let followed = matches!(case.run.until, Until::Time(_));
                followed && matches!(self.gamma, Choice::Number(_))
            }
        }
    }

    /// Whether the case's steps are V-cycles over coarser grids.
    pub(crate) fn has_cycles(&self, case: &Case) -> bool {
        self.multigrid && matches!(case.run.until, Until::Steady(_))
    }

    /// How the pressure of a case is solved.
    pub(crate) fn pressure(&self, case: &Case) -> Pressure {
        let usual = if self.has_cycles(case) { Pressure::Cycles(1) } else { Pressure::Sor };
        self.pressure.unwrap_or(usual)
    }

    /// What cycles cannot do: its key, and why.
    pub(crate) fn untold(&self, case: &Case) -> Option<(String, &'static str)> {
        if let Some(told) = case.untold() {
            return Some(told);
        }
        let changes = case.boundaries.change().then_some("boundary");
        if let Some(key) = changes.or(case.changing_force.is_some().then_some("fluid.force")) {
            let problem =
                "has values that change with time, which cycles over coarser grids do not follow";
            return Some((key.into(), problem));
        }
        let problem = "leaves more of the pressure by SOR than what cycles over coarser grids still change at their end";
        (self.pressure(case) == Pressure::Sor).then(|| ("fdm.pressure".into(), problem))
    }

    /// What brings a steady flow to its end sooner.
    pub(crate) fn shortcuts(&self) -> Shortcuts {
        let coarser = if self.sequence { u64::MAX } else { 0 };
        let usual = if self.multigrid { 10 } else { 0 };
        let mixed_below = self.multigrid.then_some(MIXED_BELOW);
        Shortcuts { coarser, mixed: self.anderson.unwrap_or(usual), round: 1, mixed_below }
    }

    fn check(&self, case: &Case) -> Result<()> {
        let number = |choice: &Choice<Auto>| match choice {
            Choice::Number(x) => Some(*x),
            Choice::Word(_) => None,
        };
        if let Some(gamma) = number(&self.gamma) {
            within("fdm.gamma", gamma, 0.0..=1.0, "or \"auto\"")?;
        }
        if self.time_scheme == TimeScheme::AdamsBashforth && number(&self.gamma).is_none() {
            let problem = "\"adams-bashforth\" and fdm.gamma = \"auto\" exclude each other: that \
                           share of the donor cell grows with dt, so the order is one";
            let remedy = "set fdm.gamma = 0, or fdm.time-scheme = \"euler\"";
            return Err(Error::case("fdm.time-scheme", problem, remedy));
        }
        if let Some(dt) = number(&self.dt) {
            within("fdm.dt", dt, f64::MIN_POSITIVE..=f64::MAX, "or \"auto\"")?;
        }
        self.check_pressure(case)?;
        within("fdm.safety", self.safety, 1e-6..=1.0, "0.9 is usual")?;
        if let Choice::Number(omega) = self.over_relaxation {
            let sense = "or \"optimal\"; SOR converges only below 2";
            within("fdm.over-relaxation", omega, f64::MIN_POSITIVE..=1.999_999, sense)?;
        }
        let positive = f64::MIN_POSITIVE..=f64::MAX;
        match &self.stop {
            Stop::Change(x) => within("fdm.stop.change", *x, positive, "1e-4 is usual")?,
            Stop::Residual(x) => within("fdm.stop.residual", *x, positive, "1e-4 is usual")?,
            Stop::ResidualRms(x) => {
                within("fdm.stop.residual-rms", *x, positive, "1e-3 is usual")?;
            }
            Stop::Iterations(count) => {
                let least = count.in_step(1).min(count.in_step(u64::MAX));
                within("fdm.stop.iterations", least.into(), 1.0..=f64::MAX, "5 is usual")?;
            }
        }
        within("fdm.test-every", self.test_every.into(), 1.0..=f64::MAX, "5 is usual")?;
        within("fdm.max-iterations", self.max_iterations.into(), 1.0..=f64::MAX, "1000 is usual")
    }

    /// Refuses a way of solving the pressure that cannot be, and a kernel of another one.
    fn check_pressure(&self, case: &Case) -> Result<()> {
        let Some(solver) = self.pressure(case).linear() else { return Ok(()) };
        solver.check("fdm.pressure")?;
        if matches!(self.kernel, Kernel::Auto | Kernel::Plain) {
            return Ok(());
        }
        let problem = "is an order of the sweeps of SOR, and fdm.pressure asks for another solver";
        Err(Error::case(
            "fdm.kernel",
            problem,
            "set fdm.kernel = \"auto\", or fdm.pressure = \"sor\"",
        ))
    }
}
