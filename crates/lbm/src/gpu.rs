//! The engine for CUDA: the verbs of the method as launches, with the bits of the processor's engine.

mod cycles;
mod device;
mod lists;
mod march;
mod numbers;
mod operation;
mod performed;
mod program;
mod reach;
mod region;
mod room;
mod rounds;
mod sampled;
mod saved;
mod seen;
mod slabs;
mod visit;
mod warmth;

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Case, Context, Error, FaceFluxes, Field, FieldLater, Quantity, Result, Rounds, RowBlock,
    StateReader, StateWriter, Subdomain, SurfaceForce,
};
use vortice_gpu::{
    Buffer, DelayedNumber, DeviceForces, DeviceHalo, DeviceRounds, Gpu, Recorder, Sender, value,
};

use crate::boundary::Site;
use crate::collide::Rates;
use crate::engine::{Cycled, Engine, MassAndChange};
use crate::exchange::exchange;
use crate::forces::{ForceLink, force_links, force_unit, places};
use crate::heat::VELOCITIES;
use crate::initial;
use crate::layout::Layout;
use crate::links::{Links, within_reach};
use crate::moments::{no_forces, places::Places};
use crate::number::Packed;
use crate::options::{NAME, Storage, THREADS};
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::view::{self, Shown};
use crate::watch::{Watched, flows, solid_cells};

use device::Device;
use lists::{AdditionList, BodyList, OutletList, SwapList};
use march::Moments;
use operation::Operation;
use program::{Kept, Kernels};
use region::{Regions, takes_two};
use room::expect_room;
use sampled::Sampled;
use slabs::Slabs;
use warmth::Warmth;

/// Populations of one subdomain on a device and what works on them.
pub(crate) struct OnGpu<const Q: usize, T, P> {
    settings: Settings,
    layout: Layout,
    rates: Rates<T>,
    device: Device<T, P>,
    sampled: Sampled<T>,
    slabs: Slabs<T>,
    /// Which own cells are solid, x fastest; empty if none is.
    solid: Arc<[u8]>,
    /// What changes with time at the boundaries.
    links: Links,
    recorder: Recorder<Operation>,
    part: Subdomain,
    /// Once forces have been asked for.
    forces: Option<DeviceForces<ForceLink>>,
    sender: Sender,
    /// The next coarser grid of cycles.
    coarser: Option<Box<Self>>,
    rounds: DeviceRounds<T>,
    /// What rounds mix, once there are any.
    mixed: Option<Buffer<T>>,
}

/// Steps that are asked for before they are launched: of lattices whose steps take microseconds, larger
/// ones, and the largest. As many more may be under way when it is noticed that the flow is not finite.
const BATCHES: [u64; 3] = [64, 16, 4];

/// Cells from which on a step takes ten microseconds and more.
const SOME_CELLS: usize = 1 << 17;

/// Steps of a graph.
const LONGEST: usize = 16;

impl<const Q: usize, T: Packed, P: Population<T>> OnGpu<Q, T, P> {
    /// The engine of one rank on a device, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid, or the device or its memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        case: &Case,
        context: &Context,
        settings: &Settings,
    ) -> Result<Self> {
        let part = context.subdomain(case)?;
        let part = settings.part(&part);
        let site = Site::new(settings);
        let layout = Layout::new(&part, &site).on_gpu();
        let watched = Watched::new(&site, &part, settings.case.grid.cells());
        let stores_moments = settings.storage == Storage::Moments;
        let stored = if stores_moments { Places::new(&part, &site).len() } else { layout.len(Q) };
        expect_room::<T, P>(gpu, case, settings, (&layout, stored), &watched, &site)?;
        // What walls return is not on lists where moments are stored.
        let links = match stores_moments {
            true => Links::default(),
            false => Links::new::<Q>(settings, &site, &layout, &part),
        };
        within_reach(&links)?;
        let solid = solid_cells(&site, &part, &layout);
        let places = (&site, &layout);
        let mut engine = Self {
            device: device::<Q, T, P>(gpu, context, settings, places, &links, &part)?,
            sampled: Sampled::new(gpu, watched, &solid, settings.scalars.len())?,
            slabs: Slabs::new(gpu, part.n(), settings.refinement, !settings.scalars.is_empty())?,
            settings: settings.clone(),
            layout,
            rates: settings.rates.rounded(),
            solid: solid.into(),
            links,
            recorder: Recorder::new(LONGEST),
            forces: None,
            sender: Sender::new(gpu),
            coarser: None,
            rounds: DeviceRounds::new(gpu),
            mixed: None,
            part,
        };
        engine.set_initial(engine.part.offset())?;
        Ok(engine)
    }

    /// The case's flow at t = 0. If it is the same everywhere solid cells have it as well, which
    /// no output shows.
    fn set_initial(&mut self, offset: [usize; 3]) -> Result<()> {
        if self.device.moments.is_some() {
            return self.set_initial_moments(offset);
        }
        let site = Site::new(&self.settings);
        for (scalar, lattice) in self.settings.case.carried().zip(self.device.scalars_mut()) {
            let mut slots = Slots::new(vec![P::zeroed(); self.layout.len(VELOCITIES)]);
            initial::set_heat::<T, P>(
                &slots,
                (&self.settings, scalar),
                (&site, &self.layout),
                offset,
            );
            lattice.h.write(slots.all_mut())?;
        }
        match initial::everywhere::<Q, T, P>(&self.settings, &self.rates) {
            Some(same) => {
                // Slots 2 p + 1 and 2 p + 2 hold each other's populations.
                let of_slot = |slot| same[crate::lattice::opposite(slot)];
                self.device.fill(&std::array::from_fn::<P, Q, _>(of_slot))
            }
            None => {
                let mut slots = Slots::new(vec![P::zeroed(); self.links.places(&self.layout, Q)]);
                let Self { settings, rates, layout, solid, .. } = &*self;
                let flows = |cell| flows(solid, layout, cell);
                initial::set::<Q, T, P>(&slots, settings, rates, layout, offset, flows);
                self.device.f.write(slots.all_mut())
            }
        }
    }
}

/// The populations and links of a subdomain on a device.
fn device<const Q: usize, T: Packed, P: Population<T>>(
    gpu: &Gpu,
    context: &Context,
    settings: &Settings,
    (site, layout): (&Site<'_>, &Layout),
    links: &Links,
    part: &Subdomain,
) -> Result<Device<T, P>> {
    let stores_moments = settings.storage == Storage::Moments;
    let kept = match (stores_moments, layout.columns) {
        (true, _) => Kept::Moments,
        (false, Some(_)) => Kept::Columns,
        (false, None) => Kept::Rows,
    };
    let definitions = program::definitions::<Q, T, P>(settings.collision, kept);
    let module = gpu.load(&program::PROGRAM, &definitions)?;
    let moments = stores_moments.then(|| Moments::new(gpu, settings, site, part)).transpose()?;
    let halo = |parity: usize| {
        let halo = match &moments {
            Some(moments) => moments.exchange(part, parity),
            None => exchange::<Q>(layout, site, part, &links.shared, parity),
        };
        DeviceHalo::new(gpu, &halo, size_of::<P>())
    };
    let halos = [halo(0)?, halo(1)?];
    let stored = moments.as_ref().map_or(links.places(layout, Q), |moments| moments.places.len());
    let rates = settings.rates.rounded();
    let memory = initial::memory::<Q, T>(settings, &rates, &links.outlets, part.offset());
    let numbers = numbers::Layout::new(layout)?;
    let mut carried = settings.case.carried().zip(&settings.scalars);
    let of = |carried| Warmth::new(gpu, settings, carried, (site, layout), part, &links.outlets);
    let kernels = Kernels::of(&module)?;
    let has_heat = !settings.scalars.is_empty();
    let collides = if has_heat { &kernels.stream_collide_warm } else { &kernels.stream_collide };
    // Larger blocks read longer pieces of memory one after the other, where there is room for two: benches/blocks.
    let are_small = size_of::<P>() == 2 || has_heat || collides.blocks_at_once(2 * THREADS, 0)? < 2;
    let threads = settings.threads.unwrap_or(if are_small { THREADS } else { 2 * THREADS });
    if collides.blocks_at_once(threads, 0)? == 0 {
        let problem = format!("a block of {threads} threads needs more registers than there are");
        return Err(Error::case("lbm.threads", problem, "take fewer"));
    }
    let takes_two = !stores_moments && takes_two::<Q, P>(settings, &numbers)?;
    let regions = if stores_moments { Regions::default() } else { Regions::new(part) };
    Ok(Device {
        kernels,
        threads,
        regions: if takes_two { regions.with_two::<Q>(&numbers) } else { regions },
        layout: numbers,
        reaches: [0, 1].map(|parity| reach::Reach::new::<Q>(layout, parity, size_of::<P>())),
        rates: numbers::Rates::new(&rates),
        parity: 0,
        f: gpu.zeros(stored)?,
        halos,
        moments,
        outlets: OutletList::new(gpu, &links.outlets, &memory)?,
        visit: None,
        force_changes: settings.case.changing_force.is_some(),
        forget: T::from_f64(settings.forget),
        carry: T::from_f64(settings.carry),
        swaps: SwapList::new(gpu, &links.swaps)?,
        bodies: BodyList::new(gpu, &settings.case, links)?,
        additions: AdditionList::new(gpu, &links.additions)?,
        heat: of(carried.next())?,
        others: carried.map(|one| of(Some(one))).collect::<Result<_>>()?,
        broken: DelayedNumber::new(gpu)?,
        ranks: context.ranks.clone(),
        gpu: gpu.clone(),
    })
}

impl<const Q: usize, T: Packed, P: Population<T>> Engine for OnGpu<Q, T, P> {
    fn stream_and_collide(&mut self) -> Result<()> {
        self.device.stream_and_collide()
    }

    fn exchange(&mut self) -> Result<()> {
        self.device.exchange()
    }

    fn apply_boundaries(&mut self) -> Result<()> {
        self.device.apply_boundaries()
    }

    fn batch(&self) -> u64 {
        // A rank that must not put its steps off would wait for one that does.
        match self.device.layout.n_cells() {
            _ if !self.device.stays_on_device() => 1,
            _ if !self.device.is_captured() => BATCHES[2],
            SOME_CELLS.. => BATCHES[1],
            _ => BATCHES[0],
        }
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        self.device.scalars_mut().try_for_each(|scalar| scalar.prescribe(time))?;
        self.settings.case.boundaries.set_time(time);
        if let Some(moments) = &mut self.device.moments {
            return moments.follow(&self.settings);
        }
        self.links.follow::<Q>(&self.settings.case.boundaries)?;
        self.device.additions.write(&self.links.additions)
    }

    fn push(&mut self, force: [f64; 3]) {
        self.rates.force = force.map(T::from_f64);
        self.device.rates = numbers::Rates::new(&self.rates);
    }

    fn run(&mut self, steps: u64) -> Result<()> {
        self.record(steps, &[Operation::Advance])?;
        // The device always has something to do: what arrives is what the steps before these left.
        if steps > 0 { self.device.broken.exchange() } else { Ok(()) }
    }

    fn is_finite(&mut self) -> Result<bool> {
        Ok(self.device.broken.latest() == 0)
    }

    fn mass_and_change(&mut self) -> Result<MassAndChange> {
        self.sampled.mass_and_change(&self.device)
    }

    fn fields(&mut self, rows: &RowBlock) -> Result<[Field; 2]> {
        self.fetched(rows)
    }

    fn velocity_later(&mut self, rows: &RowBlock) -> Result<FieldLater> {
        self.sent(rows)
    }

    fn scalar(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let Self { settings, layout, slabs, device, solid, .. } = self;
        let mut carried = settings.case.carried().enumerate();
        let scalar = carried.find(|(_, scalar)| scalar.quantity == quantity);
        let (number, scalar) = scalar.ok_or_else(|| quantity.is_derived(NAME))?;
        let own = layout.shape.cells;
        let nothing = Shown { own, rows: (rows.start..rows.start).into() };
        let mut field = view::scalar(settings, scalar, &nothing, |_| 0.0);
        let mut fetched = slabs.room();
        for rows in slabs.pieces(&rows.clone().into()) {
            slabs.fetch((device, number), &rows, &mut fetched)?;
            let some = view::scalar(settings, scalar, &Shown { own, rows }, |cell| {
                if flows(solid, layout, cell) { fetched.temperature(cell).to_f64() } else { 0.0 }
            });
            field.values.extend(some.values);
        }
        slabs.give_back(fetched);
        field.shape.cells[1] = rows.len();
        Ok(field)
    }

    fn wall_heat(&mut self) -> Result<Option<FaceFluxes>> {
        let Self { settings, device, .. } = self;
        let Some(heat) = &settings.case.heat else { return Ok(None) };
        let came = device.heat.came(device.parity)?;
        came.fluxes((settings, heat), &*device.ranks).map(Some)
    }

    fn body_heat(&mut self) -> Result<Vec<f64>> {
        let Self { settings, device, .. } = self;
        let Some(heat) = &settings.case.heat else { return Ok(Vec::new()) };
        let came = device.heat.came(device.parity)?;
        came.of_surfaces((settings, heat), &*device.ranks)
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        let Self { settings, part, layout, device, forces, .. } = self;
        if device.moments.is_some() {
            return Err(no_forces());
        }
        let case = &settings.case;
        let forces = match forces {
            // The velocity that a wall which changes had in the last step is in the list.
            Some(forces) if !case.boundaries.change() => forces,
            _ => {
                let places = |cell, q| places::<Q>(layout, cell, q);
                let links = force_links::<Q>(settings, part, P::ROUNDING, places);
                forces.insert(DeviceForces::new(&device.gpu, case, &links)?)
            }
        };
        let (parity, unit) = (device.parity as i32, force_unit(settings));
        let rest = vec![value("parity", &parity), value("unit", &unit), device.f.input("f")];
        forces.sums(case, &device.kernels.force_on_bodies, rest)?.of_all(&*device.ranks)
    }

    fn cycled(&mut self) -> Option<&mut dyn Cycled> {
        Some(self)
    }

    fn rounds(&mut self) -> Option<Box<dyn Rounds + '_>> {
        self.rounds_on_device()
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.save_all(state)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.restore_all(state)
    }

    fn finish(&mut self) -> Result<()> {
        self.device.gpu.wait()
    }
}
