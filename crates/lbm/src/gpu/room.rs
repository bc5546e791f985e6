//! The memory of a device that a subdomain needs.

use vortice_core::{Case, Result, check_device_memory};
use vortice_gpu::Gpu;

use super::slabs;
use crate::boundary::Site;
use crate::heat::VELOCITIES;
use crate::layout::Layout;
use crate::settings::Settings;
use crate::watch::Watched;

/// Refuses a subdomain that needs more memory than the device has free; so many numbers of its flow are stored.
pub(super) fn expect_room<T, P>(
    gpu: &Gpu,
    case: &Case,
    settings: &Settings,
    (layout, stored): (&Layout, usize),
    watched: &Watched,
    site: &Site<'_>,
) -> Result<()> {
    let cells = layout.shape.cells;
    let has_heat = !settings.scalars.is_empty();
    let by_place = case.carried().filter(|scalar| scalar.source.as_number().is_none());
    let mask = if site.surfaces.has_no_solids() { 0 } else { cells.iter().product() };
    let needed = stored * size_of::<P>()
        + 3 * watched.len() * size_of::<T>()
        + slabs::bytes::<T>(cells, settings.refinement, has_heat)
        + settings.scalars.len()
            * (layout.len(VELOCITIES) * size_of::<P>() + watched.len() * size_of::<T>())
        + usize::from(settings.scalars.len() > 1) * 3 * watched.len() * size_of::<T>()
        + by_place.count() * layout.slot * size_of::<P>()
        + mask;
    check_device_memory(case, &gpu.properties().name, needed as f64, gpu.free_memory()? as f64)
}
