//! The `[fvm]` table of a case file.

use serde::Deserialize;
use vortice_core::{Case, Result, Shortcuts, Until, at_least_one, within};
use vortice_linear::{Criterion, PressureSolver};

/// Name of the method and of its table.
pub(crate) const NAME: &str = "fvm";

/// Outer iterations after which a coarser grid's flow is taken as it is.
const MOST_ITERATIONS: u64 = 4000;

/// Outer iterations that Anderson's acceleration takes together.
const ROUND: u64 = 5;

/// The largest change of a cycle that is mixed with others: what still crosses the box says nothing of the end.
const MIXED_BELOW: f64 = 0.03;

/// The `[fvm]` table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options {
    /// How velocities at faces are made from those of cells; eq. (V5).
    pub convection: Convection,
    /// Share of the scheme above upwind: 1 is the scheme, 0 upwind.
    pub blend: f64,
    /// Convection of scalars: `"van-leer"` or `"central"`; eqs. (V5), (H12).
    pub scalar_convection: ScalarConvection,
    /// How velocity corrections follow pressure corrections; eq. (V10).
    pub coupling: Coupling,
    /// Relaxation of the velocity, alpha_u; eq. (V8). Steady flows only.
    pub relax_velocity: Option<f64>,
    /// Relaxation of the pressure, alpha_p; eq. (V13).
    pub relax_pressure: Option<f64>,
    /// Relaxation of heat and scalars, alpha_T; eq. (H12). Steady flows only.
    pub relax_scalars: Option<f64>,
    /// How the momentum equations are solved: by 20 sweeps where nothing is said, by 8 with `multigrid`.
    pub momentum: Option<Momentum>,
    /// How the pressure correction is solved.
    pub pressure: PressureSolver,
    /// What a steady run's residual is.
    pub measure: Measure,
    /// Outer iterations between looks at the residual: 10, or 1 with `multigrid`.
    pub look_every: Option<u64>,
    /// Solves coarser grids first and begins where they end; so it is where nothing is said, but not with `multigrid`.
    /// Steady flows only.
    pub sequence: Option<bool>,
    /// An outer iteration is a V-cycle of the full approximation scheme on coarser grids; eqs. (V23) to (V26). Where nothing
    /// is said, so it is if there are coarser grids that can be told the flow. Steady flows only.
    pub multigrid: Option<bool>,
    /// Earlier rounds that Anderson's acceleration mixes, at most; 0 without it, which is usual, 10 with `multigrid`; eq.
    /// (N13). Steady flows only.
    pub anderson: Option<usize>,
    /// Length of the time step in s, or `"auto"` from `courant`.
    pub dt: Choice,
    /// Courant number of automatic steps.
    pub courant: f64,
    /// How the rate of change is discretised; eq. (V3).
    pub time_scheme: TimeScheme,
    /// Outer iterations in each time step.
    pub outer_iterations: u32,
    /// Rhie and Chow's interpolation of face velocities; without it the pressure is a checkerboard.
    pub rhie_chow: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            convection: Convection::Quick,
            blend: 1.0,
            scalar_convection: ScalarConvection::VanLeer,
            coupling: Coupling::Simplec,
            relax_velocity: None,
            relax_pressure: None,
            relax_scalars: None,
            momentum: None,
            pressure: PressureSolver::Cycles(1),
            measure: Measure::Rate,
            look_every: None,
            sequence: None,
            multigrid: None,
            anderson: None,
            dt: Choice::Word(Auto::Auto),
            courant: 1.0,
            time_scheme: TimeScheme::Bdf2,
            outer_iterations: 4,
            rhie_chow: true,
        }
    }
}

/// Schemes of convection.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Convection {
    /// Upwind differences (UDS), first order.
    #[serde(alias = "uds")]
    Upwind,
    /// Central differences (CDS), second order.
    #[serde(alias = "cds")]
    Central,
    /// Quadratic upstream interpolation (Leonard 1979).
    Quick,
    /// Second order where the flow is smooth, without new extremes (van Leer 1974).
    VanLeer,
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

/// How velocity corrections follow pressure corrections.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Coupling {
    /// Patankar and Spalding (1972): neighbours' corrections are neglected.
    Simple,
    /// Van Doormaal and Raithby (1984): neighbours are corrected as the cell is.
    Simplec,
}

/// How the momentum equations are solved in each outer iteration.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Momentum {
    /// So many red-black Gauss-Seidel sweeps.
    Sweeps(u32),
    /// BiCGSTAB (van der Vorst 1992) with Jacobi's preconditioner.
    Bicgstab(Criterion),
}

/// What a steady run's residual is; eq. (V15).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The largest rate of change that the equations ask for, over the velocity scale, in 1/s.
    Rate,
    /// The sum of the magnitudes of all cells' residuals, as a share of its largest value so far.
    Drop,
}

/// Differences in time.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum TimeScheme {
    /// Implicit Euler, first order.
    Euler,
    /// Backward differences over two steps, second order.
    Bdf2,
}

/// A number, or `"auto"`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub enum Choice {
    /// As given.
    Number(f64),
    /// To be computed.
    Word(Auto),
}

/// The word `"auto"`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Auto {
    /// From the flow.
    Auto,
}

impl Options {
    /// The options of a case.
    ///
    /// # Errors
    /// If a key is unknown or a value cannot be.
    pub fn of(case: &Case) -> Result<Self> {
        let mut options: Self = case.options(NAME)?;
        let is_steady = matches!(case.run.until, Until::Steady(_));
        let is_usual = || case.halvings() > 0 && options.untold(case).is_none();
        options.multigrid = Some(is_steady && options.multigrid.unwrap_or_else(is_usual));
        options.check()?;
        Ok(options)
    }

    /// Whether outer iterations are V-cycles.
    pub(crate) fn has_cycles(&self) -> bool {
        self.multigrid == Some(true)
    }

    /// What coarser grids cannot be told: its key, and why.
    pub(crate) fn untold(&self, case: &Case) -> Option<(String, &'static str)> {
        if let Some(told) = case.untold() {
            return Some(told);
        }
        let problem = "needs Rhie and Chow's interpolation on its coarser grids";
        (!self.rhie_chow).then(|| ("fvm.rhie-chow".into(), problem))
    }

    /// Vectors that BiCGSTAB and conjugate gradients work with, on a processor and on a GPU, where both
    /// systems share them.
    pub(crate) fn vectors(&self) -> [usize; 2] {
        let momentum = match self.momentum() {
            Momentum::Sweeps(_) => 0,
            Momentum::Bicgstab(_) => 10,
        };
        let pressure = self.pressure.vectors();
        [momentum + pressure, momentum.max(pressure)]
    }

    /// alpha_u: as given, or what suits the coupling.
    pub(crate) fn alpha_u(&self) -> f64 {
        self.relax_velocity.unwrap_or(match self.coupling {
            Coupling::Simple => 0.8,
            Coupling::Simplec if self.has_cycles() => 0.85,
            Coupling::Simplec => 0.95,
        })
    }

    /// How the momentum equations are solved.
    pub(crate) fn momentum(&self) -> Momentum {
        self.momentum.unwrap_or(Momentum::Sweeps(if self.has_cycles() { 8 } else { 20 }))
    }

    /// Outer iterations between looks.
    pub(crate) fn look_every(&self) -> u64 {
        self.look_every.unwrap_or(if self.has_cycles() { 1 } else { 10 })
    }

    /// alpha_p: as given, or what suits the coupling.
    pub(crate) fn alpha_p(&self) -> f64 {
        self.relax_pressure.unwrap_or(match self.coupling {
            Coupling::Simple => 0.2,
            Coupling::Simplec => 1.0,
        })
    }

    /// What brings a steady flow to its end sooner.
    pub(crate) fn shortcuts(&self) -> Shortcuts {
        // A residual that is a share of its largest begins with the flow of the case.
        let is_begun_elsewhere =
            self.sequence.unwrap_or(!self.has_cycles()) && self.measure == Measure::Rate;
        let coarser = if is_begun_elsewhere { MOST_ITERATIONS } else { 0 };
        let (usual, round) = if self.has_cycles() { (10, 1) } else { (0, ROUND) };
        let mixed_below = self.has_cycles().then_some(MIXED_BELOW);
        Shortcuts { coarser, mixed: self.anderson.unwrap_or(usual), round, mixed_below }
    }

    fn check(&self) -> Result<()> {
        within("fvm.blend", self.blend, 0.0..=1.0, "1 is the scheme itself")?;
        let most = if self.coupling == Coupling::Simplec { 0.999 } else { 1.0 };
        within(
            "fvm.relax-velocity",
            self.alpha_u(),
            0.01..=most,
            "0.8 for SIMPLE, 0.95 for SIMPLEC",
        )?;
        within("fvm.relax-pressure", self.alpha_p(), 0.01..=1.0, "0.2 for SIMPLE, 1 for SIMPLEC")?;
        if let Some(alpha) = self.relax_scalars {
            within("fvm.relax-scalars", alpha, 0.01..=1.0, "0.95 is usual")?;
        }
        at_least_one("fvm.look-every", self.look_every())?;
        at_least_one("fvm.outer-iterations", self.outer_iterations.into())?;
        within("fvm.courant", self.courant, 1e-6..=1e6, "1 is usual")?;
        if let Choice::Number(dt) = self.dt {
            within("fvm.dt", dt, f64::MIN_POSITIVE..=f64::MAX, "or \"auto\"")?;
        }
        match self.momentum() {
            Momentum::Sweeps(sweeps) => at_least_one("fvm.momentum.sweeps", sweeps.into())?,
            Momentum::Bicgstab(stop) => stop.check("fvm.momentum.bicgstab")?,
        }
        self.pressure.check("fvm.pressure")
    }
}
