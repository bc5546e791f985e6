//! A device with its fields: the operations as launches.

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Real, Result, SplitRows, Subdomain};
use vortice_gpu::{Buffer, Gpu, Perform};
use vortice_linear::PressureSolver;

use super::boundary::{PressureList, fixed, outlets};
use super::carried::CarriedList;
use super::cycles::Cycles;
use super::exchange::Exchange;
use super::fields::Fields;
use super::forced::ForcedList;
use super::margins::Margins;
use super::numbers::{Fluid, Layout};
use super::operation::Operation;
use super::program::{Kernels, PROGRAM, definitions};
use super::relax_tile::{Plan, Tiles};
use super::solver::Solver;
use super::transported::Transported;
use crate::boundary::{Fixed, Ghost, Outlet};
use crate::colours::Colours;
use crate::initial::InitialState;
use crate::settings::Settings;

/// Cells from which on rows beside other ranks go first: before, fewer would be done before a message
/// has left.
const SPLIT_FROM: usize = 1 << 17;

/// One subdomain on a device. Its verbs launch and do not wait.
pub(crate) struct Device<T> {
    pub(crate) gpu: Gpu,
    pub(super) kernels: Kernels,
    pub(super) layout: Layout,
    pub(super) fluid: Fluid<T>,
    pub(super) spacing: [f64; 3],
    pub(super) directions: usize,
    pub(crate) fields: Fields<T>,
    /// If iterations are done on tiles.
    pub(super) tiles: Option<Tiles<T>>,
    /// What solves the pressure, unless SOR does.
    pub(super) solver: Option<Solver>,
    pub(super) cycles: Cycles<T>,
    pub(super) outlets: Buffer<Outlet<T>>,
    pub(super) pressures: PressureList<T>,
    /// Whether prescribed velocities change with time.
    pub(super) changes: bool,
    pub(crate) fixed: Buffer<Fixed<T>>,
    pub(crate) ghosts: Buffer<Ghost<T>>,
    pub(crate) forced: ForcedList<T>,
    /// If the case has a convective outlet.
    pub(crate) outlet: Option<CarriedList<T>>,
    /// All that the flow carries.
    pub(super) scalars: Vec<Transported<T>>,
    pub(super) exchange: Exchange,
    /// What a half-sweep does first, and what then.
    pub(super) rows: SplitRows,
    pub(crate) ranks: Arc<dyn Communicator>,
}

impl<T: Real> Device<T> {
    /// The initial flow of a subdomain, whose iterations are done on tiles if there is a plan.
    ///
    /// # Errors
    /// If the device's memory or compiler will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        case: &Case,
        context: &Context,
        settings: &Settings,
        colours: &Colours,
        mut initial_state: InitialState<T>,
        plan: Option<Plan>,
    ) -> Result<Self> {
        let Settings { spacing, directions, viscosity, .. } = *settings;
        let Subdomain { neighbours, .. } = initial_state.part;
        let exchanged = case.grid.directions().any(|d| neighbours[d] != [None, None]);
        let module = gpu.load(&PROGRAM, &definitions::<T>(directions))?;
        let kernels = Kernels::of(&module)?;
        let none = Margins::none(&initial_state.part);
        let margins = plan.as_ref().map_or(&none, |plan| &plan.margins);
        let of = (case, context, settings);
        let fields = Fields::new(gpu, of, (colours, margins), &mut initial_state)?;
        let InitialState { part, shape, walls, forced, outlet, scalars, .. } = &initial_state;
        Ok(Self {
            layout: Layout::new(shape, colours),
            fluid: Fluid::new(spacing, viscosity),
            spacing,
            directions,
            tiles: (plan.as_ref())
                .map(|plan| Tiles::new(gpu, &kernels.relax_tile, (plan, colours)))
                .transpose()?,
            kernels,
            fields,
            solver: Solver::new(gpu, case, context, settings, shape)?,
            cycles: match settings.has_cycles {
                true => Cycles::new(gpu, [directions, shape.len(), colours.len()])?,
                false => Cycles::new(gpu, [0, 0, 1])?,
            },
            outlets: outlets(gpu, shape, colours, walls)?,
            pressures: PressureList::new(gpu, shape, colours, walls)?,
            changes: case.boundaries.change(),
            fixed: match case.boundaries.change() {
                true => gpu.upload(&walls.fixed)?,
                false => fixed(gpu, walls, exchanged)?,
            },
            ghosts: gpu.upload(&walls.ghosts)?,
            forced: ForcedList::new(gpu, forced)?,
            outlet: CarriedList::new(gpu, outlet)?,
            scalars: (case.carried().zip(scalars))
                .map(|(of, scalar)| Transported::new(gpu, (case, of), settings, (scalar, shape)))
                .collect::<Result<_>>()?,
            exchange: Exchange::new::<T>(gpu, (part, shape), (colours, margins))?,
            rows: SplitRows::new(part, SPLIT_FROM),
            ranks: context.ranks.clone(),
            gpu: gpu.clone(),
        })
    }
}

impl<T: Real> Perform<Operation> for Device<T> {
    fn perform(&mut self, operation: Operation) -> Result<()> {
        match operation {
            Operation::GatherSources => self.gather_sources(),
            Operation::ForceFaces => self.force_faces(),
            Operation::RemoveLeaks => self.remove_leaks(),
            Operation::CarryScalars => self.carry_scalars(),
            Operation::Predict { keeps_rates } => self.predict(keeps_rates),
            Operation::AddAsked => self.add_asked(),
            Operation::CarryOut => self.carry_out(),
            Operation::BalanceOutlet => self.balance_outlet(),
            Operation::Divergence => self.divergence(),
            Operation::Relax { omega, iterations } => self.relax(f64::from_bits(omega), iterations),
            Operation::RelaxAndMeasure { omega } => {
                self.fields.reductions.clear()?;
                self.relax_and_measure(f64::from_bits(omega))
            }
            Operation::Cycles { count } => self.solve(PressureSolver::Cycles(count)).map(drop),
            Operation::Residual => {
                self.fields.reductions.clear()?;
                self.residual()
            }
            Operation::Squares => self.squares(),
            Operation::Project => {
                self.fields.reductions.clear()?;
                self.project()
            }
        }
    }

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn can_be_captured(&self) -> bool {
        self.exchange.stays_on_device()
    }

    fn parity(&self) -> usize {
        usize::from(self.tiles.as_ref().is_some_and(|tiles| tiles.swapped))
    }

    fn set_parity(&mut self, parity: usize) {
        if self.parity() != parity
            && let Some(tiles) = &mut self.tiles
        {
            tiles.swap(&mut self.fields);
        }
    }
}
