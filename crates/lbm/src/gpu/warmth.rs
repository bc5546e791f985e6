//! Heat or another scalar on a device: a lattice beside that of the flow, and what a step does with it as launches. A flow
//! that carries nothing has empty arrays in its place.

use vortice_core::{Communicator, Halo, Real, Result, Scalar, Subdomain};
use vortice_gpu::{Buffer, DeviceHalo, Gpu, Launch, value};

use super::lists::{AdditionList, OutletList, expect_distinct};
use super::numbers::{HeatRates, Layout, Rates, each_entry};
use super::program::Kernels;
use super::region::Region;
use crate::boundary::Site;
use crate::exchange::exchange;
use crate::heat::came::{Came, FACES, counted};
use crate::heat::links::{Fixed, HeatLinks};
use crate::heat::{self, VELOCITIES, sources};
use crate::layout;
use crate::links::{BodyLink, Outlet};
use crate::number::Packed;
use crate::options::THREADS;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;

/// Populations of heat of one subdomain on a device, and the lists that they meet.
pub(crate) struct Warmth<T, P> {
    pub(crate) rates: HeatRates<T>,
    /// In places as those of the flow.
    pub(crate) h: Buffer<P>,
    /// What comes into cells by place, or nothing.
    pub(crate) sources: Buffer<P>,
    /// The exchange after a step of each parity.
    halos: [DeviceHalo; 2],
    fixed: FixedList<T>,
    /// What given fluxes bring in a step.
    fluxes: AdditionList<T>,
    /// What both are made of.
    links: HeatLinks,
    solids: SolidList<T>,
    /// Of each cell before an outlet, bit q: the population along q meets the outlet.
    leaves: Buffer<u32>,
    /// Temperatures that cells before outlets had in the last step.
    pub(crate) felt: Buffer<T>,
    /// What came in the last step of parity 0 and of parity 1: of each face low 32 bits and higher bits.
    came: [Buffer<i64>; 2],
}

/// Links that meet faces whose temperature is given: `return_heat.cu`.
struct FixedList<T> {
    /// Own links of one face after those of the other.
    places: Buffer<i64>,
    /// Where those of each face begin, and where the last end.
    begins: Buffer<i64>,
    /// What comes back and what left, together, of each link.
    sums: Buffer<T>,
    /// Number of each face.
    faces: Buffer<i32>,
    /// Most links of a face.
    most: usize,
}

/// Links that solid boxes and bodies meet: `return_from_solids.cu`.
struct SolidList<T> {
    /// Places as in [`BodyLink::places`], those of one surface after those of the other.
    places: [Buffer<i64>; 4],
    /// Where those of each surface begin, and where the last end.
    begins: Buffer<i64>,
    /// Number of each surface.
    surfaces: Buffer<i32>,
    /// Weights as in [`Weights::of`](crate::links::Weights::of).
    of: [Buffer<T>; 3],
    terms: Buffer<T>,
    /// Most links of a surface.
    most: usize,
}

impl<T: Real> SolidList<T> {
    /// Links that are sorted by their surfaces.
    fn new(gpu: &Gpu, links: &[(usize, BodyLink)]) -> Result<Self> {
        expect_distinct(links.iter().flat_map(|(_, link)| link.places[..2].to_vec()).collect())?;
        let (mut begins, mut surfaces, mut most) = (vec![0_i64], Vec::new(), 0);
        for links in links.chunk_by(|one, other| one.0 == other.0) {
            begins.push(begins[begins.len() - 1] + links.len() as i64);
            surfaces.push((FACES + links[0].0) as i32);
            most = most.max(links.len());
        }
        let places = |number: usize| {
            let all: Vec<_> = links.iter().map(|(_, link)| link.places[number] as i64).collect();
            gpu.upload(&all)
        };
        let numbers = |number: &dyn Fn(&BodyLink) -> f64| {
            let all: Vec<T> = links.iter().map(|(_, link)| T::from_f64(number(link))).collect();
            gpu.upload(&all)
        };
        let of = |number: usize| numbers(&|link| link.weights.of[number]);
        Ok(Self {
            places: [places(0)?, places(1)?, places(2)?, places(3)?],
            begins: gpu.upload(&begins)?,
            surfaces: gpu.upload(&surfaces)?,
            of: [of(0)?, of(1)?, of(2)?],
            terms: numbers(&|link| link.weights.add)?,
            most,
        })
    }

    /// Sends back what met a surface, and counts what comes in; eqs. (H24), (H25).
    fn send_back<P: bytemuck::Pod>(
        &self,
        kernels: &Kernels,
        parity: usize,
        h: &mut Buffer<P>,
        came: &mut Buffer<i64>,
    ) -> Result<()> {
        let Self { places: [towards, back, behind, away], begins, surfaces, of, terms, most } =
            self;
        if towards.is_empty() {
            return Ok(());
        }
        let parity = parity as i32;
        kernels.return_from_solids.launch(
            Launch::over([*most, surfaces.len(), 1], [THREADS, 1, 1]),
            &[
                value("parity", &parity),
                begins.input("begins"),
                surfaces.input("surfaces"),
                towards.input("towards"),
                back.input("back"),
                behind.input("behind"),
                away.input("away"),
                of[0].input("of_towards"),
                of[1].input("of_behind"),
                of[2].input("of_away"),
                terms.input("terms"),
                h.output("warm"),
                came.output("came"),
            ],
        )
    }
}

/// What comes back and what left at each link of some faces.
fn sums<'a, T: Real>(fixed: impl Iterator<Item = &'a Fixed>) -> Vec<T> {
    fixed.flat_map(|face| face.sums.iter().map(|&sum| T::from_f64(sum))).collect()
}

impl<T: Real> FixedList<T> {
    fn new(gpu: &Gpu, fixed: &[Fixed]) -> Result<Self> {
        let fixed: Vec<_> = fixed.iter().filter(|face| !face.places.is_empty()).collect();
        expect_distinct(fixed.iter().flat_map(|face| face.places.iter().copied()).collect())?;
        let places = fixed.iter().flat_map(|face| face.places.iter().map(|&place| place as i64));
        let mut begins = vec![0];
        for face in &fixed {
            begins.push(begins[begins.len() - 1] + face.places.len() as i64);
        }
        let sums = sums(fixed.iter().copied());
        let number = |face: &&Fixed| 2 * face.direction as i32 + face.side as i32;
        Ok(Self {
            places: gpu.upload(&places.collect::<Vec<_>>())?,
            begins: gpu.upload(&begins)?,
            sums: gpu.upload(&sums)?,
            faces: gpu.upload(&fixed.iter().map(number).collect::<Vec<_>>())?,
            most: fixed.iter().map(|face| face.places.len()).max().unwrap_or(0),
        })
    }
}

impl<T: Packed, P: Population<T>> Warmth<T, P> {
    /// A scalar of a case, with its numbers, still without populations, or nothing; `outlets` are the flow's.
    pub(crate) fn new(
        gpu: &Gpu,
        settings: &Settings,
        carried: Option<(&Scalar, &heat::HeatRates<f64>)>,
        (site, layout): (&Site<'_>, &layout::Layout),
        part: &Subdomain,
        outlets: &[Outlet],
    ) -> Result<Self> {
        let new = |(scalar, _)| HeatLinks::new((settings, scalar), site, layout, part, outlets);
        let links = carried.map(new).unwrap_or_default();
        let by_place = |(scalar, _)| {
            sources::by_place::<T, P>((settings, scalar), (site, layout), part.offset())
        };
        let sources = carried.map(by_place);
        let sources = sources.as_ref().map_or(&[][..], Slots::all);
        let halo = |parity: usize| {
            let halo = match carried {
                Some(_) => exchange::<VELOCITIES>(layout, site, part, &[], parity),
                None => Halo::of(Vec::new()),
            };
            DeviceHalo::new(gpu, &halo, size_of::<P>())
        };
        let bits = |leaving: &Vec<usize>| leaving.iter().fold(0, |bits, q| bits | 1_u32 << q);
        let came = || -> Result<Buffer<i64>> {
            let mut none = gpu.zeros(2 * counted(&settings.case))?;
            none.clear()?;
            Ok(none)
        };
        Ok(Self {
            rates: HeatRates::new(carried.map(|(_, rates)| rates.rounded()), !sources.is_empty()),
            h: gpu.zeros(if carried.is_some() { layout.len(VELOCITIES) } else { 0 })?,
            sources: gpu.upload(sources)?,
            halos: [halo(0)?, halo(1)?],
            fixed: FixedList::new(gpu, &links.fixed)?,
            fluxes: AdditionList::new(gpu, &links.fluxes)?,
            solids: SolidList::new(gpu, &links.bodies)?,
            leaves: gpu.upload(&links.outlets.iter().map(bits).collect::<Vec<_>>())?,
            felt: gpu.zeros(links.outlets.len())?,
            links,
            came: [came()?, came()?],
        })
    }
}

impl<T: Real, P: bytemuck::Pod> Warmth<T, P> {
    /// Whether the flow has heat.
    pub(crate) fn is_there(&self) -> bool {
        self.rates.is_there == 1
    }

    /// What is given at faces at a time in s.
    pub(crate) fn prescribe(&mut self, time: f64) -> Result<()> {
        if self.links.follow(time) {
            self.fixed.sums.write(&sums(self.links.fixed.iter()))?;
            self.fluxes.write(&self.links.fluxes)?;
        }
        Ok(())
    }

    /// Whether nothing leaves the device in a step.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.halos.iter().all(DeviceHalo::stays_on_device)
    }

    /// Gives other ranks the populations that cross to them.
    pub(crate) fn exchange(&mut self, parity: usize, ranks: &dyn Communicator) -> Result<()> {
        let halo = &mut self.halos[parity];
        if halo.is_empty() {
            return Ok(());
        }
        halo.exchange(ranks, &mut [&mut self.h])
    }

    /// Lets heat out through outlets, before these answer the flow; eq. (H17).
    pub(crate) fn release(
        &mut self,
        kernels: &Kernels,
        (layout, rates, parity): (&Layout, &Rates<T>, usize),
        outlets: &OutletList<T>,
        f: &Buffer<P>,
    ) -> Result<()> {
        if !self.is_there() || outlets.own.is_empty() {
            return Ok(());
        }
        let (parity, count) = (parity as i32, outlets.own.len() as i32);
        kernels.release_heat.launch(
            each_entry(outlets.own.len()),
            &[
                value("layout", layout),
                value("rates", rates),
                value("heat", &self.rates),
                value("parity", &parity),
                value("count", &count),
                outlets.cells.input("cells"),
                self.leaves.input("leaves"),
                self.sources.input("sources"),
                f.input("f"),
                self.h.output("warm"),
                self.felt.output("felt"),
            ],
        )
    }

    /// Carries it, of a flow that moves with `heat`, before that flow's populations are taken; eqs. (H14), (H15).
    pub(crate) fn carry(
        &mut self,
        kernels: &Kernels,
        (layout, region, rates, parity): (&Layout, &Region, &Rates<T>, usize),
        (heat, f): (&Self, &Buffer<P>),
        broken: &mut Buffer<i32>,
    ) -> Result<()> {
        let parity = parity as i32;
        kernels.carry_scalar.launch(
            layout.each_cell(region.size(), THREADS),
            &[
                value("layout", layout),
                value("region", region),
                value("rates", rates),
                value("heat", &heat.rates),
                value("scalar", &self.rates),
                value("parity", &parity),
                self.sources.input("sources"),
                f.input("f"),
                heat.h.input("warm"),
                self.h.output("carried"),
                broken.output("broken"),
            ],
        )
    }

    /// Lets it out through outlets of a flow that moves with `heat`, before that is let out; eq. (H17).
    pub(crate) fn release_beside(
        &mut self,
        kernels: &Kernels,
        (layout, rates, parity): (&Layout, &Rates<T>, usize),
        outlets: &OutletList<T>,
        (heat, f): (&Self, &Buffer<P>),
    ) -> Result<()> {
        if outlets.own.is_empty() {
            return Ok(());
        }
        let (parity, count) = (parity as i32, outlets.own.len() as i32);
        kernels.release_scalar.launch(
            each_entry(outlets.own.len()),
            &[
                value("layout", layout),
                value("rates", rates),
                value("heat", &heat.rates),
                value("scalar", &self.rates),
                value("parity", &parity),
                value("count", &count),
                outlets.cells.input("cells"),
                self.leaves.input("leaves"),
                heat.sources.input("heat_sources"),
                self.sources.input("sources"),
                f.input("f"),
                heat.h.input("warm"),
                self.h.output("carried"),
            ],
        )
    }

    /// Sends back what met a face, and counts what comes in; eqs. (H17) and (H18).
    pub(crate) fn apply_boundaries(&mut self, kernels: &Kernels, parity: usize) -> Result<()> {
        if !self.is_there() {
            return Ok(());
        }
        let came = &mut self.came[parity];
        came.clear()?;
        let FixedList { places, begins, sums, faces, most } = &self.fixed;
        if !places.is_empty() {
            kernels.return_heat.launch(
                Launch::over([*most, faces.len(), 1], [THREADS, 1, 1]),
                &[
                    places.input("places"),
                    begins.input("begins"),
                    sums.input("sums"),
                    faces.input("faces"),
                    self.h.output("warm"),
                    came.output("came"),
                ],
            )?;
        }
        self.fluxes.add(kernels, &mut self.h)?;
        self.solids.send_back(kernels, parity, &mut self.h, came)
    }

    /// What came in the last two steps of this rank, before a step of this parity.
    pub(crate) fn came(&self, parity: usize) -> Result<Came> {
        let of_step = |parity: usize| -> Result<Vec<i128>> {
            let sums = self.came[parity].to_vec()?;
            // Both sums are those of numbers with a sign, the low one of none below zero.
            let whole = |face| i128::from(sums[2 * face]) + (i128::from(sums[2 * face + 1]) << 32);
            Ok((0..sums.len() / 2).map(whole).collect())
        };
        Ok(Came::of([of_step(1 - parity)?, of_step(parity)?]))
    }

    /// The reverse of `came`, before a step of parity 0.
    pub(crate) fn set_came(&mut self, came: &Came) -> Result<()> {
        let [last, before] = came.steps();
        for (to, sums) in [(1, last), (0, before)] {
            let halves = sums.iter().map(|sum| [(sum & 0xffff_ffff) as i64, (sum >> 32) as i64]);
            self.came[to].write(&halves.flatten().collect::<Vec<_>>())?;
        }
        Ok(())
    }
}
