//! Slabs of a step that a rank writes where the first rank has made room for them.

use std::io::Error;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::prelude::*;
use vortice_core::{Extent, OutputPart, Precision, Quantity, Solids, ThreadPool, Window};

use crate::chunks::{Chunks, Piece};
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

    /// Writes slabs as they come, a window for each quantity, until no more do or one cannot be written. The threads of a
    /// pool make the values of a slab while those of the one before are written; a file lets one thread in at a time, so one
    /// writes. The disk begins to take them in the background.
    pub(crate) fn write_all(
        &mut self,
        slabs: Receiver<(Extent, Vec<Window<'_>>)>,
        pool: Option<&ThreadPool>,
    ) -> std::io::Result<()> {
        match self.precision {
            Precision::F32 => self.write_as(slabs, pool, |x| x as f32),
            Precision::F64 => self.write_as(slabs, pool, |x| x),
        }
    }

    fn write_as<T: Copy + Default + bytemuck::Pod + Send>(
        &mut self,
        slabs: Receiver<(Extent, Vec<Window<'_>>)>,
        pool: Option<&ThreadPool>,
        number: impl Fn(f64) -> T + Sync,
    ) -> std::io::Result<()> {
        let Self { raw, sample, arrays, places, background, .. } = self;
        let (raw, arrays) = (&*raw, arrays.iter().zip(&*places));
        let made = |(window, x, piece): &(&Window<'_>, Range<usize>, Piece)| {
            let Piece { place, planes, rows } = piece;
            let values = sample.values(window, [x.clone(), rows.clone(), planes.clone()], &number);
            (*place, values)
        };
        let mut write = |pieces: Vec<(u64, Vec<T>)>| {
            let mut bytes = 0;
            for (place, values) in &pieces {
                raw.write_all_at(bytemuck::cast_slice(values), *place)?;
                bytes += size_of_val(&**values);
            }
            background.take(raw, bytes)
        };
        std::thread::scope(|scope| {
            let (give, taken) = sync_channel(0);
            let writer = scope.spawn(move || taken.into_iter().try_for_each(&mut write));
            'slabs: for (slab, windows) in slabs {
                let [x, y, z] = sample.cells(&slab);
                let of_array = |((chunks, places), window): ((&Chunks, &Vec<u64>), _)| {
                    let pieces = chunks.pieces(places, [&z, &y], size_of::<T>()).into_iter();
                    pieces.map(|piece| (window, x.clone(), piece)).collect::<Vec<_>>()
                };
                let pieces: Vec<_> = arrays.clone().zip(&windows).flat_map(of_array).collect();
                // A thread a piece, so that few are in memory at a time.
                for some in pieces.chunks(pool.map_or(1, ThreadPool::threads)) {
                    let some = match pool {
                        Some(pool) => pool.install(|| some.par_iter().map(made).collect()),
                        None => some.iter().map(made).collect(),
                    };
                    if give.send(some).is_err() {
                        break 'slabs;
                    }
                }
            }
            drop(give);
            writer.join().unwrap_or_else(|_| Err(Error::other("what writes fields has stopped")))
        })
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
