//! Slabs of a step that a rank writes where the first rank has made room for them.

use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::Receiver;

use vortice_core::{Extent, OutputPart, Precision, Quantity, Solids, ThreadPool, Window};

use crate::chunks::Chunks;
use crate::raw::Background;
use crate::sample::Sample;

/// A rank's own way into a VTKHDF file.
pub(crate) struct SlabWriter {
    raw: std::fs::File,
    sample: Sample,
    arrays: Vec<Chunks>,
    precision: Precision,
    /// Where the chunks of each array lie in the present step.
    places: Vec<Vec<u64>>,
    background: Background,
}

impl SlabWriter {
    /// Into a file, of quantities in the order in which the file has them.
    pub(crate) fn new(
        raw: std::fs::File,
        (part, solids): (&OutputPart, Solids),
        quantities: &[Quantity],
        precision: Precision,
    ) -> Self {
        let sample = Sample::new(part, solids);
        let chunks = |&quantity: &Quantity| Chunks::new(quantity, sample.n(), precision.bytes());
        let arrays = quantities.iter().map(chunks).collect();
        let (places, background) = (Vec::new(), Background::default());
        Self { raw, sample, arrays, precision, places, background }
    }

    /// The next step lies in these places.
    pub(crate) fn begin_step(&mut self, places: Vec<Vec<u64>>) {
        self.places = places;
    }

    /// Writes a slab: a window for each quantity. The disk begins to take it in the background.
    fn write(&mut self, slab: &Extent, windows: &[Window<'_>]) -> std::io::Result<()> {
        match self.precision {
            Precision::F32 => self.write_as(slab, windows, |x| x as f32)?,
            Precision::F64 => self.write_as(slab, windows, |x| x)?,
        }
        let cells: usize = self.sample.cells(slab).map(|range| range.len()).iter().product();
        let numbers: usize = windows.iter().map(|window| window.field().components).sum();
        self.background.take(&self.raw, cells * numbers * self.precision.bytes())
    }

    /// Writes slabs as they come, by the threads of a pool, until no more do or one cannot be written.
    pub(crate) fn write_all(
        &mut self,
        slabs: Receiver<(Extent, Vec<Window<'_>>)>,
        pool: Option<&ThreadPool>,
    ) -> std::io::Result<()> {
        slabs.into_iter().try_for_each(|(slab, windows)| match pool {
            Some(pool) => pool.install(|| self.write(&slab, &windows)),
            None => self.write(&slab, &windows),
        })
    }

    fn write_as<T: Copy + Default + bytemuck::Pod>(
        &self,
        slab: &Extent,
        windows: &[Window<'_>],
        number: impl Fn(f64) -> T + Sync,
    ) -> std::io::Result<()> {
        let [x, y, z] = self.sample.cells(slab);
        for ((chunks, places), window) in self.arrays.iter().zip(&self.places).zip(windows) {
            let values = |planes: Range<usize>, rows: Range<usize>| {
                self.sample.values(window, [x.clone(), rows, planes], &number)
            };
            chunks.write(&self.raw, places, [&z, &y], values)?;
        }
        Ok(())
    }

    /// Waits until the disk has what was written.
    pub(crate) fn sync(&self) -> std::io::Result<()> {
        self.raw.sync_data()
    }

    /// Asks the disk to take all of the finished file.
    pub(crate) fn finish(&mut self, path: &Path) -> std::io::Result<()> {
        self.background.take_all(path)
    }

    /// Waits until the disk has what it was asked to take.
    pub(crate) fn wait(&mut self) -> std::io::Result<()> {
        self.background.wait()
    }
}
