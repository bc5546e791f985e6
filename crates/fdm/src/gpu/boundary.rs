//! The lists of boundary values as kernels read them.

use std::collections::{HashMap, HashSet};

use vortice_core::{Real, Result, Shape};
use vortice_gpu::{Buffer, Gpu};

use super::groups::groups;
use crate::colours::Colours;
use crate::walls::{Ghost, Outlet, Walls};

/// Faces through which the flow leaves: `predict_outlets.cu`, `project_outlets.cu`.
pub(crate) struct OutletList<T> {
    pub(crate) components: Buffer<u8>,
    pub(crate) targets: Buffer<i64>,
    pub(crate) sources: Buffer<i64>,
    pub(crate) cells: Buffer<i64>,
    pub(crate) pressures: Buffer<T>,
    pub(crate) gradients: Buffer<T>,
}

/// Outlet pressures that are not zero: `prescribe_pressures.cu`.
pub(crate) struct PressureList<T> {
    pub(crate) places: Buffer<i64>,
    pub(crate) values: Buffer<T>,
}

/// Prescribed velocities that have to be written again and again: `fix.cu`.
pub(crate) struct FixedList<T> {
    pub(crate) components: Buffer<u8>,
    pub(crate) targets: Buffer<i64>,
    pub(crate) values: Buffer<T>,
}

/// Values outside the flow: `mirror.cu`.
pub(crate) struct GhostList<T> {
    pub(crate) groups: Buffer<u32>,
    pub(crate) components: Buffer<u8>,
    pub(crate) targets: Buffer<i64>,
    pub(crate) firsts: Buffer<i64>,
    pub(crate) seconds: Buffer<i64>,
    pub(crate) signs: Buffer<T>,
    pub(crate) adds: Buffer<T>,
}

/// Colour and place of a cell in one number.
fn coloured(colours: &Colours, cell: [isize; 3]) -> i64 {
    let (colour, place) = colours.place(cell);
    (2 * place + colour) as i64
}

impl<T: Real> OutletList<T> {
    /// The outlets of a subdomain.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, colours: &Colours, walls: &Walls<T>) -> Result<Self> {
        let all =
            || walls.outlets.iter().flat_map(|side| side.outlets.iter().map(move |at| (side, at)));
        // On a grid one cell wide the next face inside is that of the outlet across, which was
        // written just before.
        let mut written = HashMap::new();
        let mut sources = Vec::new();
        for (side, outlet) in all() {
            let inner = (side.direction, outlet.inner);
            let source = written.get(&inner).copied().unwrap_or(outlet.inner);
            written.insert((side.direction, outlet.face), source);
            sources.push(source as i64);
        }
        let places = |place: fn(&Outlet) -> i64| -> Vec<i64> {
            all().map(|(_, outlet)| place(outlet)).collect()
        };
        let cells: Vec<_> = all().map(|(_, outlet)| coloured(colours, outlet.cell)).collect();
        Ok(Self {
            components: gpu
                .upload(&all().map(|(side, _)| side.direction as u8).collect::<Vec<_>>())?,
            targets: gpu.upload(&places(|outlet| outlet.face as i64))?,
            sources: gpu.upload(&sources)?,
            cells: gpu.upload(&cells)?,
            pressures: gpu.upload(&all().map(|(side, _)| side.pressure).collect::<Vec<_>>())?,
            gradients: gpu.upload(&all().map(|(side, _)| side.gradient).collect::<Vec<_>>())?,
        })
    }
}

impl<T: Real> PressureList<T> {
    /// The prescribed pressures of a subdomain's own cells.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        shape: &Shape,
        colours: &Colours,
        walls: &Walls<T>,
    ) -> Result<Self> {
        let is_own = |cell: &[isize; 3]| (0..3).all(|d| shape.own(d).contains(&cell[d]));
        let mut entries: Vec<(i64, T)> = walls
            .prescribed_pressures()
            .filter(|(cell, value)| is_own(cell) && *value != T::default())
            .map(|(cell, value)| (coloured(colours, cell), value))
            .collect();
        entries.sort_by_key(|(place, _)| *place);
        let (places, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        Ok(Self { places: gpu.upload(&places)?, values: gpu.upload(&values)? })
    }
}

impl<T: Real> FixedList<T> {
    /// The prescribed velocities that ghost values are put over and that somebody reads before:
    /// another rank if halos are exchanged, or another ghost value.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, walls: &Walls<T>, exchanged: bool) -> Result<Self> {
        let (mut components, mut targets, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (a, fixed) in walls.fixed.iter().enumerate() {
            let lost = overwritten(&walls.ghosts[a], exchanged);
            for (target, value) in fixed.iter().filter(|(target, _)| lost.contains(target)) {
                components.push(a as u8);
                targets.push(*target as i64);
                values.push(*value);
            }
        }
        Ok(Self {
            components: gpu.upload(&components)?,
            targets: gpu.upload(&targets)?,
            values: gpu.upload(&values)?,
        })
    }
}

/// Places that ghost values are put to; unless `all` only those that are read before.
fn overwritten<T>(ghosts: &[Ghost<T>], all: bool) -> HashSet<usize> {
    let targets: HashSet<usize> = ghosts.iter().map(|ghost| ghost.target).collect();
    if all {
        return targets;
    }
    let mut written = HashSet::new();
    let mut read = HashSet::new();
    for ghost in ghosts {
        read.extend(
            ghost.sources.iter().filter(|&at| targets.contains(at) && !written.contains(at)),
        );
        written.insert(ghost.target);
    }
    read
}

impl<T: Real> GhostList<T> {
    /// The ghost values of a subdomain, sorted by groups that can be done at the same time.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(gpu: &Gpu, walls: &Walls<T>) -> Result<Self> {
        let mut entries = Vec::new();
        for (a, ghosts) in walls.ghosts.iter().enumerate() {
            let before = entries.len() as u32;
            let assignments: Vec<_> = ghosts.iter().map(|at| (at.target, at.sources)).collect();
            let groups = groups(&assignments).into_iter().map(|group| before + group);
            entries.extend(groups.zip(ghosts).map(|(group, ghost)| (group, a as u8, *ghost)));
        }
        entries.sort_by_key(|(group, ..)| *group);
        let source = |n: usize| entries.iter().map(move |(.., ghost)| ghost.sources[n] as i64);
        let targets = entries.iter().map(|(.., ghost)| ghost.target as i64);
        Ok(Self {
            groups: gpu.upload(&entries.iter().map(|entry| entry.0).collect::<Vec<_>>())?,
            components: gpu.upload(&entries.iter().map(|entry| entry.1).collect::<Vec<_>>())?,
            targets: gpu.upload(&targets.collect::<Vec<_>>())?,
            firsts: gpu.upload(&source(0).collect::<Vec<_>>())?,
            seconds: gpu.upload(&source(1).collect::<Vec<_>>())?,
            signs: gpu.upload(&entries.iter().map(|(.., at)| at.sign).collect::<Vec<_>>())?,
            adds: gpu.upload(&entries.iter().map(|(.., at)| at.add).collect::<Vec<_>>())?,
        })
    }
}
