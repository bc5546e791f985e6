//! Looking at the flow on a device: its mass, and how much it changed.

use vortice_core::{Real, Result};
use vortice_gpu::{Buffer, Gpu, value};

use super::device::Device;
use super::numbers::Watch;
use crate::engine::MassAndChange;
use crate::watch::Watched;

/// What a device remembers of the flow at the last look, and where it looks.
pub(crate) struct Sampled<T> {
    watch: Watch,
    cells: Watched,
    /// 1 where an own cell is solid, x fastest; empty if none is.
    solid: Buffer<u8>,
    /// Velocities at the last look, one component after the other, in cells per step.
    seen: Buffer<T>,
    /// Of each scalar its values at the last look; one that is empty of a flow that carries nothing.
    seen_scalars: Vec<Buffer<T>>,
    sums: Sums<T>,
    /// What a look at a scalar but the first one finds of the flow, which is of no use.
    unused: Option<(Buffer<T>, Sums<T>)>,
}

/// What a look finds.
struct Sums<T> {
    /// Largest change, squared speed, density less one, and change of the scalar.
    most: Buffer<T>,
    /// Low 32 bits and higher bits of the sum of density less one.
    density_deviation: Buffer<u64>,
}

impl<T: Real> Sums<T> {
    fn new(gpu: &Gpu) -> Result<Self> {
        Ok(Self { most: gpu.zeros(4)?, density_deviation: gpu.zeros(2)? })
    }

    fn clear(&mut self) -> Result<()> {
        self.most.clear()?;
        self.density_deviation.clear()
    }
}

impl<T: Real> Sampled<T> {
    /// Nothing has been seen, as if the fluid had been at rest.
    pub(crate) fn new(gpu: &Gpu, cells: Watched, solid: &[u8], scalars: usize) -> Result<Self> {
        let nothing = |numbers: usize| {
            let mut seen = gpu.zeros(numbers)?;
            seen.clear()?;
            Ok(seen)
        };
        let of_scalar = if scalars > 0 { cells.len() } else { 0 };
        let seen_scalars =
            (0..scalars.max(1)).map(|_| nothing(of_scalar)).collect::<Result<_>>()?;
        let unused = (scalars > 1).then(|| Ok((nothing(3 * cells.len())?, Sums::new(gpu)?)));
        Ok(Self {
            watch: Watch::new(&cells, !solid.is_empty()),
            solid: gpu.upload(solid)?,
            seen: nothing(3 * cells.len())?,
            seen_scalars,
            sums: Sums::new(gpu)?,
            unused: unused.transpose()?,
            cells,
        })
    }

    /// Looks at the flow before the next step.
    pub(crate) fn mass_and_change<P: bytemuck::Pod>(
        &mut self,
        device: &Device<T, P>,
    ) -> Result<MassAndChange> {
        let Self { watch, solid, seen, seen_scalars, sums, unused, .. } = self;
        let layout = device.layout_now();
        let mut largest = T::default();
        for (number, (seen_warm, warm)) in seen_scalars.iter_mut().zip(device.scalars()).enumerate()
        {
            let (seen, sums) = match (number, &mut *unused) {
                (0, _) | (_, None) => (&mut *seen, &mut *sums),
                (_, Some((seen, sums))) => (seen, sums),
            };
            sums.clear()?;
            let parity = device.parity as i32;
            device.kernels.mass_and_change.launch(
                layout.planes_in_turn(),
                &[
                    value("layout", &layout),
                    value("rates", &device.rates),
                    value("heat", &warm.rates),
                    value("watch", &*watch),
                    value("parity", &parity),
                    solid.input("solid"),
                    device.f.input("f"),
                    warm.h.input("warm"),
                    seen.output("seen"),
                    seen_warm.output("seen_warm"),
                    sums.most.output("most"),
                    sums.density_deviation.output("density_deviation"),
                ],
            )?;
            let mut most = [T::default(); 4];
            sums.most.read(&mut most)?;
            largest = largest.max_magnitude(most[3]);
        }
        let (mut most, mut density_deviation) = ([T::default(); 4], [0; 2]);
        sums.most.read(&mut most)?;
        sums.density_deviation.read(&mut density_deviation)?;
        // The higher bits are those of a number with a sign.
        let density_deviation =
            i128::from(density_deviation[0]) + (i128::from(density_deviation[1] as i64) << 32);
        let [change, square, deviation, _] = most.map(Real::to_f64);
        let scalar_change = largest.to_f64();
        Ok(MassAndChange { density_deviation, change, square, deviation, scalar_change })
    }

    /// 1 where an own cell is solid, x fastest; empty if none is.
    pub(crate) fn solid(&self) -> &Buffer<u8> {
        &self.solid
    }

    /// Whether there are solid cells.
    pub(crate) fn solids(&self) -> i32 {
        self.watch.solids
    }

    /// Cells that are watched.
    pub(crate) fn cells(&self) -> impl Iterator<Item = [isize; 3]> + use<T> {
        self.cells.cells()
    }

    /// Velocities of watched cells at the last look.
    pub(crate) fn seen(&self) -> Result<Vec<[T; 3]>> {
        let (values, count) = (self.seen.to_vec()?, self.cells.len());
        Ok((0..count).map(|n| std::array::from_fn(|d| values[d * count + n])).collect())
    }

    /// Values of a scalar in watched cells at the last look.
    pub(crate) fn seen_scalar(&self, number: usize) -> Result<Vec<T>> {
        self.seen_scalars[number].to_vec()
    }

    /// The reverse of `seen_scalar`.
    pub(crate) fn set_seen_scalar(&mut self, number: usize, seen: &[T]) -> Result<()> {
        self.seen_scalars[number].write(seen)
    }

    /// The reverse of `seen`.
    pub(crate) fn set_seen(&mut self, seen: &[[T; 3]]) -> Result<()> {
        let values: Vec<T> = (0..3).flat_map(|d| seen.iter().map(move |u| u[d])).collect();
        self.seen.write(&values)
    }
}
