//! All of a flow looked at once: its energies, whether it is finite, and what is kept of it. Each rank sweeps over its own
//! part, all at the same time.

use bytemuck::{Pod, Zeroable};

use crate::derived::{Energy, EnergySum};
use crate::error::Result;
use crate::extent::Extent;
use crate::finite::is_finite;
use crate::gather::exchange_extents;
use crate::monitor::{InBoxes, Look, Snapshot};
use crate::quantity::Quantity;
use crate::row_block::RowBlock;
use crate::solver::Solver;
use crate::sweep::{Sweep, beside_part, with_rows_beside};
use crate::window::{Window, zeros};

/// What a rank says of its part.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct Part {
    sum: EnergySum,
    /// Not zero if the pressure or a scalar is not finite somewhere.
    broken: u128,
}

/// Velocity and what else is looked at in a slab.
type Slab = Vec<(Quantity, Window<'static>)>;

/// What a rank's own part has of the boxes that are kept: of each quantity the box's number, and its values.
type Kept = Vec<(Quantity, Vec<(usize, Window<'static>)>)>;

/// All that was looked at of a flow after a step: it need not be looked at again.
pub(crate) struct Seen {
    step: u64,
    look: Look,
    boxes: Vec<Extent>,
    in_boxes: Option<InBoxes>,
}

impl Snapshot<'_> {
    /// What is known by now, if all is that will be asked for at the end of a run.
    pub(crate) fn seen(&mut self) -> Option<Seen> {
        let look = self.look.filter(|look| look.is_finite.is_some())?;
        let in_boxes = self.in_boxes.take();
        let is_all = in_boxes.is_some() || self.foreseen.is_empty();
        let boxes = std::mem::take(&mut self.foreseen);
        is_all.then_some(Seen { step: self.step.number, look, boxes, in_boxes })
    }

    /// These boxes will be asked for, of which all may be known already.
    pub(crate) fn foresee_or_know(&mut self, boxes: &[Extent], seen: Option<Seen>) {
        self.foresee(boxes);
        if let Some(seen) = seen.filter(|one| one.step == self.step.number && one.boxes == boxes) {
            (self.look, self.in_boxes) = (Some(seen.look), seen.in_boxes);
        }
    }

    /// The energies of the flow, on all ranks. All of the flow is looked at once for all that ask. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn energy(&mut self) -> Result<Energy> {
        Ok(self.look(false)?.energy)
    }

    /// Velocity, pressure and the first scalar in some boxes of the whole grid: on rank 0, nothing on the others. All of
    /// the flow is looked at for it, once with what else is asked of all of it if the boxes were named before, by
    /// [`Monitor::boxes`](crate::Monitor::boxes). Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn in_boxes(&mut self, boxes: &[Extent]) -> Result<InBoxes> {
        if self.foreseen != boxes || self.in_boxes.is_none() {
            self.foresee(boxes);
            self.look = Some(self.look_at_all(true)?);
        }
        Ok(self.in_boxes.take().unwrap_or_default())
    }

    /// These boxes will be asked for.
    pub(crate) fn foresee(&mut self, boxes: &[Extent]) {
        self.foreseen = boxes.to_vec();
        self.in_boxes = None;
    }

    /// Whether velocity, pressure and scalars seem to be finite in all cells; see [`Look`]. Collective.
    pub(crate) fn is_finite(&mut self) -> Result<bool> {
        Ok(self.look(true)?.is_finite.unwrap_or(false))
    }

    fn look(&mut self, at_pressure: bool) -> Result<Look> {
        match self.look {
            Some(look) if look.is_finite.is_some() || !at_pressure => Ok(look),
            _ => {
                let look = self.look_at_all(at_pressure || !self.foreseen.is_empty())?;
                self.look = Some(look);
                Ok(look)
            }
        }
    }

    /// Each rank looks at its own part; sums are exact, so that no bit depends on how many ranks there are.
    fn look_at_all(&mut self, at_pressure: bool) -> Result<Look> {
        let (ranks, case, cut) = (self.ranks, self.case, self.cut);
        let beside: Vec<_> = (0..ranks.size()).map(|rank| beside_part(case, cut, rank)).collect();
        let wanted: Vec<Vec<Extent>> = (beside.iter())
            .map(|pieces| pieces.iter().map(|piece| piece.extent.clone()).collect())
            .collect();
        let values = self.parts(Quantity::Velocity, &wanted)?;
        let beside = beside[ranks.rank()].iter().zip(values);
        let beside = beside.map(|(piece, field)| Window::at(piece.first, field)).collect();
        let others = case.computed().filter(|&one| at_pressure && one != Quantity::Velocity);
        let others: Vec<Quantity> = others.collect();
        for &quantity in &others {
            // A solver may have to do something for other ranks.
            let begun = self.rows(quantity, 0..0).map(|_| ());
            ranks.agree(begun)?;
        }
        let mut kept = self.to_be_kept();
        let part = self.sweep_over_part(beside, &others, &mut kept);
        let part = ranks.agree(part)?;
        let mut all = Part::default();
        for bytes in ranks.all_gather(bytemuck::bytes_of(&part))? {
            let other: Part = bytemuck::pod_read_unaligned(&bytes);
            all.sum.join(&other.sum);
            all.broken |= other.broken;
        }
        if !self.foreseen.is_empty() {
            self.in_boxes = Some(self.gather_boxes(kept)?);
        }
        let energy = all.sum.mean(case);
        let is_finite = energy.kinetic_energy.is_finite() && all.broken == 0;
        Ok(Look { energy, is_finite: at_pressure.then_some(is_finite) })
    }

    /// Looks at this rank's part, strip by strip and a slab at a time, while the next one comes. Not collective.
    fn sweep_over_part(
        &mut self,
        beside: Vec<Window<'static>>,
        others: &[Quantity],
        kept: &mut Kept,
    ) -> Result<Part> {
        let case = self.case;
        let own = self.cut.subdomain(self.ranks.rank());
        let (n, offset) = (own.n(), own.offset());
        let strips = Extent::whole(n).strips();
        // Of the same cells one after the other: a lattice finds velocity and pressure at once.
        let fetch = |solver: &mut dyn Solver, slab: &Extent| -> Result<Slab> {
            let [_, y, z] = &slab.cells;
            let of_layer = y.start + n[1] * z.start..y.end + n[1] * z.start;
            let rows = RowBlock { of_layer, layers: z.len(), stride: n[1] };
            let fields = std::iter::once(&Quantity::Velocity).chain(others).map(|&quantity| {
                let field = solver.block(quantity, &rows)?;
                Ok((quantity, Window::of(&slab.moved(offset), field)))
            });
            fields.collect()
        };
        // Each slab with the rows beside it that are this rank's, and the number of its strip.
        let slabs_of = |(number, strip): (usize, &Extent)| {
            let mut wide = strip.clone();
            if strips.len() > 1 {
                wide.cells[1] = with_rows_beside(&strip.cells[1], n[1]);
            }
            let slabs = strip.thin_slabs().map(move |mut slab| {
                if wide.cells[1].len() > strip.cells[1].len() {
                    slab.cells[1] = wide.cells[1].clone();
                }
                (number, slab)
            });
            slabs.collect::<Vec<_>>()
        };
        let mut slabs = strips.iter().enumerate().flat_map(slabs_of);
        let mut sweep: Option<(usize, Sweep<'_>)> = None;
        let mut look = |number: usize, slab: Slab, part: &mut Part| {
            for (quantity, window) in slab {
                for (_, boxes) in kept.iter_mut().filter(|(of, _)| *of == quantity) {
                    boxes.iter_mut().for_each(|(_, one)| one.take_over(&window));
                }
                if quantity != Quantity::Velocity {
                    part.broken |= u128::from(!is_finite(window.field()));
                    continue;
                }
                let of_strip = sweep.take().filter(|(of, _)| *of == number);
                let (_, sweep) = sweep.insert(of_strip.unwrap_or_else(|| {
                    (number, Sweep::new(case, strips[number].moved(offset), &beside))
                }));
                part.sum.join(&sweep.go_on(window));
            }
        };
        let mut part = Part::default();
        let mut now = match slabs.next() {
            Some((number, first)) => {
                Some((number, self.beside_work(|solver| fetch(solver, &first), || ()).0?))
            }
            None => None,
        };
        while let Some((number, slab)) = now {
            let next = slabs.next();
            let come = |solver: &mut dyn Solver| -> Result<Option<(usize, Slab)>> {
                next.map(|(number, next)| Ok((number, fetch(solver, &next)?))).transpose()
            };
            now = self.beside_work(come, || look(number, slab, &mut part)).0?;
        }
        Ok(part)
    }

    /// Room for what this rank has of the boxes that are kept.
    fn to_be_kept(&self) -> Kept {
        let own = self.cut.subdomain(self.ranks.rank());
        let common =
            |(number, extent): (usize, &Extent)| Some((number, extent.common(&own.cells)?));
        let parts: Vec<_> = self.foreseen.iter().enumerate().filter_map(common).collect();
        let scalar = self.case.carried().next().map(|scalar| scalar.quantity);
        let quantities = [Quantity::Velocity, Quantity::Pressure].into_iter().chain(scalar);
        let room = |quantity: Quantity| {
            let windows = parts
                .iter()
                .map(|(number, extent)| (*number, Window::unfilled(extent, quantity.components())));
            (quantity, windows.collect())
        };
        quantities.map(room).collect()
    }

    /// What all ranks have of the boxes, on rank 0, one box after the other. Collective.
    fn gather_boxes(&self, kept: Kept) -> Result<InBoxes> {
        let (ranks, cut) = (self.ranks, self.cut);
        let mut all = Vec::new();
        for (quantity, mut windows) in kept {
            let mut whole = Vec::new();
            for (number, extent) in self.foreseen.iter().enumerate() {
                let mut wanted = vec![Vec::new(); ranks.size()];
                wanted[0] = vec![extent.clone()];
                let fields =
                    exchange_extents(ranks, cut, quantity.components(), &wanted, |extent| {
                        let place = windows.iter().position(|(of, _)| *of == number);
                        let window = place.map(|place| windows.swap_remove(place).1);
                        let cells = extent.cells.each_ref();
                        let cells = cells.map(|range| range.start as isize..range.end as isize);
                        Ok(window.map_or_else(
                            || zeros(extent.n(), quantity.components()),
                            |window| window.into_cut(&cells),
                        ))
                    })?;
                whole.extend(fields.into_iter().map(|field| Window::of(extent, field)));
            }
            all.push((quantity, whole));
        }
        Ok(if ranks.rank() == 0 { all } else { Vec::new() })
    }
}
