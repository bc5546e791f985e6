//! RowBlock of cells along x.

use std::ops::Range;

use crate::error::Result;
use crate::field::Field;
use crate::window::joined;

/// Some rows along x of a layer of own cells, by their numbers j + n_y k, and the same rows of the layers that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowBlock {
    /// Those of the first layer.
    pub of_layer: Range<usize>,
    /// How many layers.
    pub layers: usize,
    /// RowBlock of all of a layer.
    pub stride: usize,
}

impl From<Range<usize>> for RowBlock {
    fn from(rows: Range<usize>) -> Self {
        let stride = rows.len();
        Self { of_layer: rows, layers: 1, stride }
    }
}

impl RowBlock {
    /// How many rows.
    pub fn count(&self) -> usize {
        self.of_layer.len() * self.layers
    }

    /// The number of one of them, from the first on.
    pub fn number(&self, nth: usize) -> usize {
        let per_layer = self.of_layer.len().max(1);
        self.of_layer.start + nth % per_layer + nth / per_layer * self.stride
    }

    /// All of them, if they follow each other.
    pub fn in_one(&self) -> Option<Range<usize>> {
        let Self { of_layer, layers, stride } = self;
        let one = *layers == 1 || of_layer.len() == *stride;
        one.then(|| of_layer.start..of_layer.start + self.count())
    }

    /// Parts of at most so many rows, one after the other: some layers, or some rows of one.
    pub fn pieces(&self, most: usize) -> Vec<Self> {
        let most = most.max(1);
        if let Some(all) = self.in_one() {
            let piece = |first: usize| Self::from(first..all.end.min(first + most));
            return all.clone().step_by(most).map(piece).collect();
        }
        let Self { of_layer, layers, stride } = self;
        let layer = |k: usize| of_layer.start + k * stride..of_layer.end + k * stride;
        if of_layer.len() > most {
            return (0..*layers).flat_map(|k| Self::from(layer(k)).pieces(most)).collect();
        }
        let some = most / of_layer.len().max(1);
        let piece = |k: usize| Self { of_layer: layer(k), layers: some.min(layers - k), ..*self };
        (0..*layers).step_by(some).map(piece).collect()
    }
}

/// A quantity in rows of several layers, from what is told of the rows of each.
///
/// # Errors
/// If that fails.
pub fn by_layers(
    rows: &RowBlock,
    mut tell: impl FnMut(Range<usize>) -> Result<Field>,
) -> Result<Field> {
    let (per_layer, layers) = (rows.of_layer.len(), rows.layers);
    let shaped = |field: Field| {
        let n = field.shape.cells[0];
        field.with_cells([n, per_layer, layers])
    };
    if let Some(all) = rows.in_one() {
        return tell(all).map(shaped);
    }
    let mut parts = Vec::with_capacity(layers);
    for k in 0..layers {
        let first = rows.of_layer.start + k * rows.stride;
        let field = tell(first..first + per_layer)?;
        let n = field.shape.cells[0];
        parts.push(([0, 0, k as isize], field.with_cells([n, per_layer, 1])));
    }
    let n = parts.first().map_or(0, |(_, field)| field.shape.cells[0]);
    Ok(joined([0; 3], [n, per_layer, layers], parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_rows_in_their_order() {
        let block = RowBlock { of_layer: 12..17, layers: 7, stride: 10 };
        let all: Vec<usize> = (0..block.count()).map(|nth| block.number(nth)).collect();
        assert_eq!((all[0], all[4], all[5], all.len()), (12, 16, 22, 35));
        for most in [0, 1, 3, 5, 9, 10, 11, 100] {
            let pieces = block.pieces(most);
            let found = pieces.iter().flat_map(|one| (0..one.count()).map(|nth| one.number(nth)));
            assert!(found.eq(all.iter().copied()), "{most}");
            assert!(pieces.iter().all(|one| one.count() <= most.max(1)), "{most}");
        }
        let plain = RowBlock::from(3..20);
        assert_eq!(plain.pieces(8), [3..11, 11..19, 19..20].map(RowBlock::from));
        assert_eq!(RowBlock { of_layer: 10..20, layers: 3, stride: 10 }.in_one(), Some(10..40));
        assert_eq!(block.in_one(), None);
    }
}
