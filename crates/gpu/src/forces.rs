//! The forces on surfaces, added up on a device; twin of `kernels/forces.cuh`.

use bytemuck::Pod;
use vortice_core::{Case, FORCE_SUMS, ForceSums, Result, SurfaceParts, force_units};

use crate::argument::Argument;
use crate::buffer::Buffer;
use crate::driver::Launch;
use crate::gpu::Gpu;
use crate::kernel::Kernel;

/// Threads of a block.
const THREADS: u32 = 128;
/// Blocks that add up for one surface: each of their warps adds to its sums once.
const MOST_BLOCKS: usize = 64;

/// Limbs of 32 bits of each number.
const LIMBS: usize = 4;
/// Numbers of a surface: the limbs of force and torque, and how many shares were no numbers.
const SUMS: usize = (FORCE_SUMS - 1) * LIMBS + 1;

/// What parts of surfaces feel, added up by a kernel.
pub struct DeviceForces<P> {
    first: Buffer<i64>,
    units: Buffer<f64>,
    parts: Buffer<P>,
    sums: Buffer<i64>,
    launch: Launch,
}

impl<P: Pod> DeviceForces<P> {
    /// Of the parts of one subdomain.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub fn new(gpu: &Gpu, case: &Case, parts: &SurfaceParts<P>) -> Result<Self> {
        let first: Vec<i64> = parts.first.iter().map(|&part| part as i64).collect();
        let units = force_units(case);
        let surfaces = units.len();
        let most = parts.first.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        let across = most.min(MOST_BLOCKS * THREADS as usize);
        Ok(Self {
            first: gpu.upload(&first)?,
            units: gpu.upload(units.as_flattened())?,
            parts: gpu.upload(&parts.parts)?,
            sums: gpu.zeros(surfaces * SUMS)?,
            launch: Launch::over([across, surfaces, 1], [THREADS, 1, 1]),
        })
    }

    /// Sums of what they feel, by a kernel of the method, which is given `first`, `units`, `parts`, `sums` and the rest.
    pub fn sums(
        &mut self,
        case: &Case,
        kernel: &Kernel,
        rest: Vec<Argument<'_>>,
    ) -> Result<ForceSums> {
        let mut all = ForceSums::new(case);
        if self.parts.is_empty() {
            return Ok(all);
        }
        self.sums.clear()?;
        let mut arguments = vec![
            self.first.input("first"),
            self.units.input("units"),
            self.parts.input("parts"),
            self.sums.output("sums"),
        ];
        arguments.extend(rest);
        kernel.launch(self.launch, &arguments)?;
        for (number, limbs) in self.sums.to_vec()?.chunks_exact(SUMS).enumerate() {
            let mut numbers = limbs.chunks(LIMBS).map(|limbs| {
                let limbs = limbs.iter().enumerate();
                limbs.map(|(place, &limb)| i128::from(limb) << (32 * place)).sum::<i128>()
            });
            all.add_sums(number, std::array::from_fn(|_| numbers.next().unwrap_or_default()));
        }
        Ok(all)
    }
}
