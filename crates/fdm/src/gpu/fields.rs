//! What lies in the device's memory.

use std::ops::Range;

use bytemuck::Pod;
use rayon::prelude::*;
use vortice_core::{
    Case, Context, Error, Real, Result, Shape, check_device_memory, fill_rows, zeros,
};
use vortice_gpu::{Argument, Buffer, Gpu};

use super::margins::{Margins, Wide};
use super::numbers::{Interval, SLOTS, SUMS, TABLE};
use crate::colours::Colours;
use crate::cost::{kept, solver_bytes};
use crate::initial::InitialState;
use crate::scalar;
use crate::settings::Settings;

/// Fields of one subdomain, in the layout of the processor's engine: velocities and predictions sit
/// at low faces, in padded rows; what belongs to the pressure equation is split by colour, in rows
/// that begin where a device likes to begin reading.
pub(crate) struct Fields<T> {
    pub(crate) u: [Buffer<T>; 3],
    pub(crate) f: [Buffer<T>; 3],
    /// Rates of change in the step before, of the components whose rates are kept.
    pub(crate) rates: [Buffer<T>; 3],
    /// Components of which there are rates of change; zero if steps are Euler's.
    pub(crate) keeps_rates: usize,
    /// Which faces are open or have prescribed velocities, see `layout.cuh`.
    pub(crate) faces: Buffer<u8>,
    pub(crate) p: [Buffer<T>; 2],
    pub(crate) right_hand_side: [Buffer<T>; 2],
    /// What a cell is: a place in `inverse_diagonals`.
    pub(crate) kinds: [Buffer<u8>; 2],
    /// Where these three lie.
    pub(crate) wide: Wide<T>,
    pub(crate) inverse_diagonals: Buffer<T>,
    pub(crate) interval: Buffer<Interval<T>>,
    /// What launches find.
    pub(crate) reductions: Buffer<T>,
    pub(crate) sums: Buffer<u64>,
}

impl<T: Real> Fields<T> {
    /// The initial flow on a device.
    ///
    /// # Errors
    /// If its memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        (case, context, settings): (&Case, &Context, &Settings),
        (colours, margins): (&Colours, &Margins),
        initial_state: &mut InitialState<T>,
    ) -> Result<Self> {
        let Settings { directions, second_order, .. } = *settings;
        let u = std::mem::take(&mut initial_state.u);
        // Kernels for the plane are given a third component and do not touch it.
        let velocity = || each(|a| u.get(a).map_or_else(|| gpu.zeros(1), |u| gpu.upload(u)));
        let (velocity, prediction) = (velocity()?, velocity()?);
        let length = initial_state.shape.len();
        drop(u);
        let halves = || each(|_| gpu.zeros(margins.len(colours)));
        let inverse_diagonal = initial_state.inverse_diagonal(case, colours);
        let inverse_diagonal = margins.widened(colours, &*context.ranks, inverse_diagonal)?;
        let (kinds, inverse_diagonals) = kinds(&inverse_diagonal, colours.row_length())?;
        let rates = |a| gpu.zeros(if second_order && a < directions { length } else { 1 });
        let mut rates = each(rates)?;
        let mut wide = Wide {
            p: halves()?,
            right_hand_side: halves()?,
            kinds: each(|colour| gpu.upload(&kinds[colour]))?,
        };
        // Also beyond walls, where they stay zero.
        wide.p.iter_mut().chain(&mut rates).try_for_each(Buffer::clear)?;
        Ok(Self {
            u: velocity,
            f: prediction,
            rates,
            keeps_rates: if second_order { directions } else { 0 },
            faces: gpu.upload(&faces(initial_state))?,
            p: margins.part_of(colours, &wide.p),
            right_hand_side: margins.part_of(colours, &wide.right_hand_side),
            kinds: margins.part_of(colours, &wide.kinds),
            wide,
            inverse_diagonals: gpu.upload(&inverse_diagonals)?,
            interval: gpu.zeros(1)?,
            reductions: gpu.zeros(SLOTS)?,
            sums: gpu.zeros(SUMS)?,
        })
    }

    /// Sends the whole pressure to the device, halos included.
    pub(crate) fn write_pressure(&mut self, colours: &Colours, whole: &[T]) -> Result<()> {
        let halves = halves(colours, whole);
        self.p.iter_mut().zip(&halves).try_for_each(|(p, values)| p.write(values))
    }

    /// The whole pressure, halos included.
    pub(crate) fn read_pressure(&self, colours: &Colours, shape: &Shape) -> Result<Vec<T>> {
        whole(colours, shape, &self.p)
    }

    /// The pressure of some rows of own cells with their halos, and the place of the first cell.
    pub(crate) fn read_pressure_of(
        &self,
        colours: &Colours,
        shape: &Shape,
        rows: &Range<usize>,
    ) -> Result<(Vec<T>, usize)> {
        let padded = shape.padded()[0];
        let hull = shape.hull(rows.clone());
        let padded_rows = hull.start / padded..hull.end.div_ceil(padded);
        let half = colours.row_length();
        let places = padded_rows.start * half..padded_rows.end * half;
        let halves = each(|colour| self.p[colour].slice_to_vec(places.clone()))?;
        let mut values = zeros(padded_rows.len() * padded);
        colours.merge(padded_rows.start, &halves, &mut values);
        Ok((values, hull.start - padded_rows.start * padded))
    }

    /// The velocity on the faces of the cells from the first of some rows of own cells to their last one: its components,
    /// and which of their places.
    pub(crate) fn velocity_of(
        &self,
        directions: usize,
        shape: &Shape,
        rows: &Range<usize>,
    ) -> Vec<(&Buffer<T>, Range<usize>)> {
        let hull = shape.hull(rows.clone());
        let high = |a: usize| if hull.is_empty() { 0 } else { shape.strides()[a] };
        (0..directions).map(|a| (&self.u[a], hull.start..hull.end + high(a))).collect()
    }

    /// The same, on its way to this program's memory.
    pub(crate) fn read_velocity_of(
        &self,
        directions: usize,
        shape: &Shape,
        rows: &Range<usize>,
    ) -> Result<Vec<Vec<T>>> {
        let pieces = self.velocity_of(directions, shape, rows).into_iter();
        pieces.map(|(u, places)| u.slice_to_vec(places)).collect()
    }

    /// The velocity, halos included.
    pub(crate) fn read_velocity(&self, directions: usize) -> Result<Vec<Vec<T>>> {
        self.u[..directions].iter().map(Buffer::to_vec).collect()
    }

    /// The rates of change that are kept; none if steps are Euler's.
    pub(crate) fn kept_rates(&mut self) -> &mut [Buffer<T>] {
        &mut self.rates[..self.keeps_rates]
    }
}

/// A pressure by colour.
pub(super) fn halves<T: Real>(colours: &Colours, whole: &[T]) -> [Vec<T>; 2] {
    let mut halves = [vec![T::default(); colours.len()], vec![T::default(); colours.len()]];
    colours.split(whole, &mut halves);
    halves
}

/// The reverse of one that lies on a device.
pub(super) fn whole<T: Real>(colours: &Colours, shape: &Shape, p: &[Buffer<T>]) -> Result<Vec<T>> {
    let mut whole = vec![T::default(); shape.len()];
    colours.merge(0, &[p[0].to_vec()?, p[1].to_vec()?], &mut whole);
    Ok(whole)
}

/// Refuses a subdomain that needs more memory than a device has free; tiles have the pressure twice.
///
/// # Errors
/// If it will not do, with the bytes that are needed and free.
pub(crate) fn expect_room<T>(
    gpu: &Gpu,
    case: &Case,
    settings: &Settings,
    shape: &Shape,
    tiled: bool,
) -> Result<()> {
    let vectors = 2 + usize::from(settings.second_order);
    let numbers = vectors * settings.directions + 2 + usize::from(tiled) + kept(settings);
    let mixed = settings.rounds * (settings.directions + 1) * size_of::<T>();
    let changes = settings.rounds * settings.directions * size_of::<f64>();
    let bytes = numbers * size_of::<T>() + 2 + mixed + changes;
    let bytes_per_cell = bytes as f64 + solver_bytes(settings);
    let arrays: usize = settings.scalars.iter().map(|one| 2 + usize::from(one.has_source())).sum();
    let scalars = arrays * scalar::shape(shape).len() * size_of::<T>();
    let needed = shape.len() as f64 * bytes_per_cell + scalars as f64;
    check_device_memory(case, &gpu.properties().name, needed, gpu.free_memory()? as f64)
}

/// The arguments for three components, or two of two colours.
pub(crate) fn inputs<'a, T: Pod, const N: usize>(
    arrays: &'a [Buffer<T>; N],
    names: [&'static str; N],
) -> [Argument<'a>; N] {
    std::array::from_fn(|n| arrays[n].input(names[n]))
}

/// The same for arrays that are written.
pub(crate) fn outputs<'a, T: Pod, const N: usize>(
    arrays: &'a mut [Buffer<T>; N],
    names: [&'static str; N],
) -> [Argument<'a>; N] {
    let mut names = names.into_iter();
    arrays.each_mut().map(|array| array.output(names.next().expect("as many names")))
}

/// The pressure equation of both colours as the arguments that kernels have in common.
pub(super) fn both_colours<'a, T: Real>(
    p: &'a [Buffer<T>; 2],
    right_hand_side: &'a [Buffer<T>; 2],
    kinds: &'a [Buffer<u8>; 2],
    inverse_diagonals: &'a Buffer<T>,
) -> [Argument<'a>; 7] {
    let [red, black] = inputs(p, ["red", "black"]);
    let [b_red, b_black] = inputs(right_hand_side, ["b_red", "b_black"]);
    let [kinds_red, kinds_black] = inputs(kinds, ["kinds_red", "kinds_black"]);
    let inverse_diagonals = inverse_diagonals.input("inverse_diagonals");
    [red, black, b_red, b_black, kinds_red, kinds_black, inverse_diagonals]
}

fn each<B, const N: usize>(make: impl Fn(usize) -> Result<B>) -> Result<[B; N]> {
    let made: Vec<B> = (0..N).map(make).collect::<Result<_>>()?;
    Ok(made.try_into().unwrap_or_else(|_| unreachable!("N were made")))
}

/// What faces are.
fn faces<T>(initial_state: &mut InitialState<T>) -> Vec<u8> {
    let mut faces = std::mem::take(&mut initial_state.faces);
    let InitialState { walls, forced, .. } = initial_state;
    let fixed = walls.fixed.iter().map(|fixed| (fixed.target, fixed.component));
    let forced = forced.faces.iter().map(|face| (face.target, face.component));
    for (target, component) in fixed.chain(forced) {
        faces[target as usize] |= 1 << (4 + component);
    }
    faces
}

/// The different inverse diagonals, zero first, and each cell's place among them; rows have so many values.
///
/// There are few: a direction gives the neighbours on its two sides 0, 1 or (at an outlet) 2 shares
/// of the diagonal, in at most 6 ways on one grid, so three directions give 216.
fn kinds<T: Real>(inverse_diagonal: &[Vec<T>; 2], length: usize) -> Result<([Vec<u8>; 2], Vec<T>)> {
    let of_rows = inverse_diagonal.par_iter().flat_map(|values| {
        values.par_chunks_exact(length).map(|row| {
            let mut different: Vec<T> = Vec::new();
            let mut see = |value| {
                if !different.contains(&value) {
                    different.push(value);
                }
            };
            row.chunk_by(|a, b| a == b).for_each(|same| see(same[0]));
            different
        })
    });
    let mut different = vec![T::default()];
    for value in of_rows.collect::<Vec<_>>().into_iter().flatten() {
        if !different.contains(&value) {
            different.push(value);
        }
    }
    if different.len() > 1 + usize::from(u8::MAX) {
        return Err(Error::Device {
            problem: "the pressure equation has more than 256 different diagonals".into(),
            remedy: "this is a mistake in the program: use `--device cpu` and report it".into(),
        });
    }
    let mut kinds = inverse_diagonal.each_ref().map(|values| vec![0; values.len()]);
    for (kinds, values) in kinds.iter_mut().zip(inverse_diagonal) {
        fill_rows([kinds], length, |number, [kinds]| {
            let mut last = 0;
            for (kind, value) in kinds.iter_mut().zip(&values[number * length..][..length]) {
                if different[last] != *value {
                    last = different.iter().position(|seen| seen == value).unwrap_or_default();
                }
                *kind = last as u8;
            }
        });
    }
    // Blocks that keep the table load all of it.
    different.resize(different.len().max(TABLE), T::default());
    Ok((kinds, different))
}
