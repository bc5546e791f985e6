//! The numbers of a run in lattice units, derived once from the case.

use vortice_core::{Case, ConvectiveOutlet, Error, Real, Result, Scalar, Subdomain};

use crate::collide::{Collision, Rates};
use crate::foresee;
use crate::heat::{self, HeatRates};
use crate::options::{Interpolation, NAME, Options, Pace, Storage, Streaming};
use crate::stability::Lattice;

/// The numbers of a run. A length of one is the spacing of the lattice, a time of one a step, a
/// density of one that of the fluid.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The case on the lattice's own grid, whose cells are cubes.
    pub(crate) case: Case,
    /// Cells of the lattice in one of the case's, per direction.
    pub(crate) refinement: [usize; 3],
    /// Number of velocities.
    pub(crate) velocities: usize,
    pub(crate) collision: Collision,
    /// Whether steps are cycles over coarser grids.
    pub(crate) has_cycles: bool,
    /// Rounds of Anderson's acceleration that lie where the flow does.
    pub(crate) rounds: usize,
    /// What comes back from bodies.
    pub(crate) interpolation: Interpolation,
    pub(crate) streaming: Streaming,
    pub(crate) storage: Storage,
    /// Of a block that streams and collides on a GPU.
    pub(crate) threads: Option<u32>,
    /// Of such a thread, if anything is said.
    pub(crate) cells_per_thread: Option<u32>,
    /// Of a collision.
    pub(crate) rates: Rates<f64>,
    /// Of the lattices of all that the flow carries.
    pub(crate) scalars: Vec<HeatRates<f64>>,
    /// Relaxation time in steps.
    pub(crate) tau: f64,
    /// Spacing of the lattice in m.
    pub(crate) spacing: f64,
    /// Length of a step in s.
    pub(crate) dt: f64,
    /// The fastest velocity that can be foreseen, in m/s.
    pub(crate) fastest: f64,
    /// Steps between looks at how much the flow changes: one convective time.
    pub(crate) interval: u64,
    /// The same in s.
    pub(crate) convective: f64,
    /// Pressure in Pa where the density is one.
    pub(crate) pressure: f64,
    /// How fast an outlet forgets, per step; eqs. (L16), (L16a).
    pub(crate) forget: f64,
    /// Cells that a convective outlet carries the flow on by in a step, zero at others; eq. (L16a).
    pub(crate) carry: f64,
}

/// Speed of sound in cells per step, squared; eq. (L3).
pub(crate) const SOUND_SQUARED: f64 = 1.0 / 3.0;

/// The least viscosity on coarser grids of cycles, in lattice units: with less, waves of few cells stay.
const LEAST_VISCOSITY: f64 = 0.02;

/// In steps; eq. (L3).
fn relaxation_time(case: &Case, spacing: f64, dt: f64) -> f64 {
    0.5 + case.viscosity * dt / (spacing * spacing) / SOUND_SQUARED
}

/// How fast an outlet forgets, and how fast a convective one carries the flow on, per step.
fn outlet_rates(case: &Case, dt: f64) -> [f64; 2] {
    let outlet = case.boundaries.iter().find(|(.., face)| face.is_outflow());
    let Some((d, ..)) = outlet else { return [0.0; 2] };
    // The time that sound takes to cross the box.
    let forget = SOUND_SQUARED.sqrt() / case.grid.axes[d].len() as f64;
    let carry = ConvectiveOutlet::of(case).map(|outlet| outlet.speed * dt / case.grid.spacing()[d]);
    [forget, carry.unwrap_or(0.0)]
}

/// Finest subdivision of a cell.
const FINEST: usize = 16;

impl Settings {
    /// The settings of a case.
    ///
    /// # Errors
    /// If an option of the `[lbm]` table cannot be, or the cells cannot be divided into cubes.
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let options = Options::of(case)?;
        let refinement = refinement(case)?;
        let case = refined(case, refinement);
        let spacing = case.grid.spacing()[0];
        let fastest = foresee::fastest(&case);
        let dt = match options.pace(&case) {
            Pace::Mach(mach) => {
                let dt = mach * SOUND_SQUARED.sqrt() * spacing / fastest;
                if options.mach.is_none() { dt.min(longest_relaxed(&case, spacing)) } else { dt }
            }
            Pace::RelaxationTime(tau) => {
                SOUND_SQUARED * (tau - 0.5) * spacing * spacing / case.viscosity
            }
        };
        // A convective time is a whole number of steps.
        let convective = case.scale.length / case.scale.velocity;
        let interval = (convective / dt - 1e-9).ceil().clamp(1.0, 1e15);
        // What bounces between walls for ever, to and fro, a look after an even number of steps does not see: heat, and
        // what is left of a flow that begins between the cells of a coarser grid.
        let bounces = case.carried().next().is_some() || options.shortcuts().coarser > 0;
        let interval = if bounces { 2.0 * (0.5 * interval).ceil() } else { interval };
        let dt = convective / interval;
        let tau = relaxation_time(&case, spacing, dt);
        let has_cycles = options.has_cycles(&case);
        let are_there = has_cycles && refinement == [1; 3];
        let rounds = if are_there { options.shortcuts().rounds(&case) } else { 0 };
        let outlets = case.boundaries.iter().find_map(|(d, _, face)| Some((d, face.pressure()?)));
        let [forget, carry] = outlet_rates(&case, dt);
        let velocities = options.lattice.velocities();
        let collision = match options.storage {
            Storage::Moments => Collision::Regularised,
            _ if has_cycles => Collision::Trt,
            _ => Lattice::new(&case, spacing, velocities).choose(options.collision),
        };
        Ok(Self {
            refinement,
            velocities,
            collision,
            has_cycles,
            rounds,
            interpolation: options.interpolation,
            streaming: options.streaming,
            storage: options.storage,
            threads: options.threads,
            cells_per_thread: options.cells_per_thread,
            rates: rates(&case, &options, collision, tau, dt * dt / spacing),
            scalars: case.carried().map(|scalar| HeatRates::new(scalar, spacing, dt)).collect(),
            tau,
            spacing,
            dt,
            fastest,
            interval: interval as u64,
            convective,
            pressure: outlets.map_or(0.0, |(_, pressure)| pressure),
            forget,
            carry,
            case,
        })
    }

    /// The same on half as many cells in each direction and with steps twice as long, if cells can be halved; the fluid may be
    /// more viscous there.
    ///
    /// # Errors
    /// If an option of the `[lbm]` table cannot be.
    pub(crate) fn coarser(&self) -> Result<Option<Self>> {
        let Some(case) = self.case.coarser() else { return Ok(None) };
        let (spacing, dt) = (2.0 * self.spacing, 2.0 * self.dt);
        let least = 0.5 + LEAST_VISCOSITY / SOUND_SQUARED;
        let tau = relaxation_time(&case, spacing, dt).max(least);
        let rates = rates(&case, &Options::of(&case)?, self.collision, tau, dt * dt / spacing);
        Ok(Some(Self {
            case,
            refinement: [1; 3],
            rates,
            rounds: 0,
            tau,
            spacing,
            dt,
            ..self.clone()
        }))
    }

    /// The part of the lattice that belongs to a part of the case's grid.
    pub(crate) fn part(&self, part: &Subdomain) -> Subdomain {
        let cells = std::array::from_fn(|d| {
            let (own, cuts) = (&part.cells[d], self.refinement[d]);
            own.start * cuts..own.end * cuts
        });
        Subdomain { cells, ..part.clone() }
    }

    /// Numbers that an outlet remembers for each cell before it, on a lattice of so many velocities.
    pub(crate) fn outlet_numbers(&self, velocities: usize) -> usize {
        if self.carry > 0.0 { velocities } else { 1 }
    }

    /// m/s of one cell per step.
    pub(crate) fn velocity_unit(&self) -> f64 {
        self.spacing / self.dt
    }

    /// Pa of a density of one more; eq. (L3).
    pub(crate) fn pressure_unit(&self) -> f64 {
        self.case.density * SOUND_SQUARED * self.velocity_unit().powi(2)
    }

    /// Mach number of the fastest velocity.
    pub(crate) fn mach(&self) -> f64 {
        self.fastest / self.velocity_unit() / SOUND_SQUARED.sqrt()
    }

    /// Relaxation time in steps of all that the flow carries, and whose it is.
    pub(crate) fn taus_of_scalars(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let of = |scalar| heat::relaxation_time(scalar, self.spacing, self.dt);
        self.case.carried().map(move |scalar| (of(scalar), format!(" of {}", scalar.key())))
    }

    /// Whether the flow depends on the length of steps: steady ones by TRT do not, if no force acts.
    pub(crate) fn depends_on_steps(&self) -> bool {
        !self.has_cycles || self.rates.is_forced == 1
    }

    /// What decides which collisions are stable.
    pub(crate) fn lattice(&self) -> Lattice {
        Lattice::new(&self.case, self.spacing, self.velocities)
    }

    /// A force in m/s2 in cells per squared step.
    pub(crate) fn force(&self, force: [f64; 3]) -> [f64; 3] {
        force.map(|x| x * (self.dt * self.dt / self.spacing))
    }

    /// Flow time in s after so many steps.
    pub(crate) fn time(&self, steps: u64) -> f64 {
        steps as f64 * self.convective / self.interval as f64
    }
}

/// The longest step in s of a flow with heat or scalars in which neither its viscosity nor a diffusivity asks for a relaxation
/// time above one step; eq. (H19).
fn longest_relaxed(case: &Case, spacing: f64) -> f64 {
    let flow = 0.5 * SOUND_SQUARED / case.viscosity;
    let of_scalar = |scalar: &Scalar| 0.5 * heat::SPEED_SQUARED / scalar.diffusivity;
    let shortest = case.carried().map(of_scalar).min_by(f64::total_cmp);
    shortest.map_or(f64::INFINITY, |scalar| spacing * spacing * flow.min(scalar))
}

impl Rates<f64> {
    /// The same in another number type.
    pub(crate) fn rounded<T: Real>(&self) -> Rates<T> {
        Rates {
            omega_plus: T::from_f64(self.omega_plus),
            omega_minus: T::from_f64(self.omega_minus),
            energy: T::from_f64(self.energy),
            energy_square: T::from_f64(self.energy_square),
            even: T::from_f64(self.even),
            flux: T::from_f64(self.flux),
            odd: T::from_f64(self.odd),
            force: self.force.map(T::from_f64),
            is_forced: self.is_forced,
        }
    }
}

/// Relaxation rates; eqs. (L3), (L7) and (L9). `acceleration` is that of one lattice unit, in s2/m.
fn rates(
    case: &Case,
    options: &Options,
    collision: Collision,
    tau: f64,
    acceleration: f64,
) -> Rates<f64> {
    let of_mrt = options.rates;
    let omega_plus = 1.0 / tau;
    Rates {
        omega_plus,
        omega_minus: match collision {
            Collision::Srt => omega_plus,
            _ => 1.0 / (options.lambda / (tau - 0.5) + 0.5),
        },
        energy: of_mrt.energy,
        energy_square: of_mrt.energy_square,
        even: of_mrt.even,
        flux: of_mrt.flux,
        odd: of_mrt.odd,
        force: case.force.map(|x| x * acceleration),
        is_forced: u32::from(case.pushes().contains(&true)),
    }
}

/// How often each edge of a cell must be cut to make cubes.
fn refinement(case: &Case) -> Result<[usize; 3]> {
    let spacing = case.grid.spacing();
    let directions = case.grid.directions();
    let smallest = directions.clone().map(|d| spacing[d]).fold(f64::INFINITY, f64::min);
    let cuts = |parts: usize| {
        let mut cuts = [1; 3];
        for d in directions.clone() {
            let ratio = spacing[d] / smallest * parts as f64;
            if (ratio - ratio.round()).abs() > 1e-6 * ratio || ratio.round() > FINEST as f64 {
                return None;
            }
            cuts[d] = ratio.round() as usize;
        }
        Some(cuts)
    };
    (1..=FINEST).find_map(cuts).ok_or_else(|| {
        let n = case.grid.cells();
        let fit: Vec<String> = (0..3)
            .map(|d| match directions.contains(&d) {
                true => format!("{}", (case.grid.axes[d].length() / smallest).round()),
                false => n[d].to_string(),
            })
            .collect();
        let [x, y, z] = spacing.map(|h| format!("{h:.6}"));
        Error::Unsupported {
            method: NAME,
            key: "grid.cells".into(),
            problem: format!("needs cells that can be cut into cubes, not {x} x {y} x {z} m"),
            remedy: format!("set grid.cells = [{}], or another grid.size", fit.join(", ")),
        }
    })
}

/// The case on the grid of the lattice. Solid boxes stay where the case's own cells put them.
fn refined(case: &Case, refinement: [usize; 3]) -> Case {
    let mut fine = case.clone();
    let grid = &case.grid;
    let n = grid.cells();
    fine.grid = vortice_core::Grid::uniform(
        std::array::from_fn(|d| n[d] * refinement[d]),
        grid.axes.map(|axis| axis.length()),
        grid.axes.map(|axis| axis.low()),
    );
    for solid in &mut fine.solid {
        let cells = solid.cells(grid);
        for d in 0..3 {
            solid.low[d] = grid.axes[d].face(cells[d].start as isize);
            solid.high[d] = grid.axes[d].face(cells[d].end as isize);
        }
    }
    fine.close_pockets();
    if fine.boundaries.prescribe_all() {
        let solids = fine.solids();
        fine.boundaries.balance(&fine.grid, &solids);
    }
    fine
}
