//! Values at points, from the cells around them.

use std::collections::BTreeMap;

use vortice_core::{
    Case, Cells, Extent, ProbeOptions, Quantity, Result, Sampler, Snapshot, Solids,
};
use vortice_core::{Window, cells_read};

/// Reads the values at the points of a case.
#[derive(Debug)]
pub(super) struct Reader {
    solids: Solids,
    groups: Vec<Group>,
}

/// Points beside each other, with the cells that their values are made of.
#[derive(Debug)]
struct Group {
    points: Vec<[f64; 3]>,
    extents: Vec<Extent>,
}

impl Group {
    fn new(case: &Case, points: Vec<[f64; 3]>) -> Self {
        let end = |d: usize, pick: fn(f64, f64) -> f64| {
            points.iter().map(|point| point[d]).reduce(pick).unwrap_or_default()
        };
        let [low, high]: [[f64; 3]; 2] =
            [f64::min, f64::max].map(|pick| std::array::from_fn(|d| end(d, pick)));
        let mut extents: Vec<Extent> = Vec::new();
        // Across periodic ends a small box has cells that come again.
        for extent in cells_read(case, low, high) {
            if !extents.contains(&extent) {
                extents.push(extent);
            }
        }
        Self { points, extents }
    }

    fn n_cells(&self) -> usize {
        self.extents.iter().map(Extent::n_cells).sum()
    }
}

impl Reader {
    pub(super) fn new(case: &Case, options: &ProbeOptions) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for probe in &options.probes {
            let alone = Group::new(case, vec![probe.point]);
            // Points share their cells as long as that makes them fewer.
            if let Some(last) = groups.last_mut() {
                let both = Group::new(case, [&last.points[..], &alone.points].concat());
                if both.n_cells() <= last.n_cells() + alone.n_cells() {
                    *last = both;
                    continue;
                }
            }
            groups.push(alone);
        }
        Self { solids: case.solids(), groups }
    }

    /// The values of all points, of each one after another: on rank 0, nothing on the others. Collective.
    pub(super) fn values(
        &self,
        now: &mut Snapshot<'_>,
        options: &ProbeOptions,
    ) -> Result<Vec<f64>> {
        let extents: Vec<Extent> =
            self.groups.iter().flat_map(|group| group.extents.clone()).collect();
        let mut windows = BTreeMap::new();
        for &quantity in &options.quantities {
            windows.insert(quantity.name(), now.in_extents(quantity, &extents)?);
        }
        if now.ranks.rank() > 0 {
            return Ok(Vec::new());
        }
        let (case, variables) = (now.case, options.variables(&now.case.grid));
        let mut values = Vec::with_capacity(options.probes.len() * variables.len());
        let mut first = 0;
        for Group { points, extents } in &self.groups {
            let sampler = |quantity: Quantity| {
                let of_group: &[Window<'_>] = &windows[quantity.name()][first..][..extents.len()];
                Sampler::beside(case, &self.solids, Cells::Parts(of_group), quantity)
            };
            for &point in points {
                let value = |&(quantity, component, _): &(Quantity, usize, _)| {
                    sampler(quantity).value(component, point)
                };
                values.extend(variables.iter().map(value));
            }
            first += extents.len();
        }
        Ok(values)
    }
}
