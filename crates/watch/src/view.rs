//! What is looked at: a quantity in a plane across the box.

use serde_json::{Value, json};
use vortice_core::{Case, CutPlane, Extent, Grid, Quantity};

/// A number for each cell, made of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    /// The magnitude of the velocity.
    Speed,
    /// What turns from right to up in the plane.
    Vorticity,
    /// A quantity that is a number itself.
    Number(Quantity),
}

impl Shown {
    /// All that a flow has.
    pub(crate) fn all(case: &Case) -> Vec<Self> {
        let carried = case.carried().map(|scalar| Self::Number(scalar.quantity));
        [Self::Speed, Self::Vorticity, Self::Number(Quantity::Pressure)]
            .into_iter()
            .chain(carried)
            .collect()
    }

    /// The quantity that it is made of.
    pub(crate) fn quantity(self) -> Quantity {
        match self {
            Self::Speed => Quantity::Velocity,
            Self::Vorticity => Quantity::Vorticity,
            Self::Number(quantity) => quantity,
        }
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Vorticity => "vorticity",
            Self::Number(quantity) => quantity.name(),
        }
    }

    /// Its unit; a scalar has that which its case means.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Speed => "m/s",
            Self::Vorticity => "1/s",
            Self::Number(Quantity::Pressure) => "Pa",
            Self::Number(Quantity::Temperature) => "K",
            Self::Number(_) => "",
        }
    }

    /// What a page is told of it.
    pub(crate) fn json(self) -> Value {
        json!({ "name": self.name(), "unit": self.unit(), "two_sided": self.is_two_sided() })
    }

    /// Whether its colours are the same on both sides of zero.
    pub(crate) fn is_two_sided(self) -> bool {
        matches!(self, Self::Vorticity | Self::Number(Quantity::Pressure))
    }
}

/// A quantity in a layer of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) shown: Shown,
    /// Across which direction.
    pub(crate) normal: usize,
    /// The layer of cells in that direction.
    pub(crate) layer: usize,
}

impl View {
    /// The first one that a case is shown by.
    pub(crate) fn first(case: &Case) -> Self {
        Self::at(&case.grid, Shown::Speed, case.plane_shown())
    }

    /// In the layer of cells that a plane lies in.
    pub(crate) fn at(grid: &Grid, shown: Shown, plane: CutPlane) -> Self {
        let layer = grid.axes[plane.normal].cell_at(plane.position).start;
        Self { shown, normal: plane.normal, layer }
    }

    /// The number of a cell, of the components that its quantity has there.
    #[inline]
    pub(crate) fn number(&self, component: impl Fn(usize) -> f64) -> f64 {
        match self.shown {
            Shown::Speed => (0..3).map(|c| component(c) * component(c)).sum::<f64>().sqrt(),
            // Seen against y, what turns from right to up points the other way.
            Shown::Vorticity if self.normal == 1 => -component(1),
            Shown::Vorticity => component(self.normal),
            Shown::Number(_) => component(0),
        }
    }

    /// The components to the right and up, of all three.
    pub(crate) fn in_plane(&self, components: [f64; 3]) -> [f32; 2] {
        self.directions().map(|d| components[d] as f32)
    }

    /// The directions to the right and up.
    pub(crate) fn directions(&self) -> [usize; 2] {
        [[1, 2], [0, 2], [0, 1]][self.normal]
    }

    /// Its cells.
    pub(crate) fn extent(&self, case: &Case) -> Extent {
        let mut extent = Extent::whole(case.grid.cells());
        extent.cells[self.normal] = self.layer..self.layer + 1;
        extent
    }
}
