//! The picture at the end of a run: speed with streamlines, or temperature with isotherms, beside profiles over references;
//! of a flow past bodies that is followed in time vorticity too.

use std::path::Path;

use kuva::backend::raster::RasterBackend;
use vortice_core::{Case, Cells, Error, Result, write_beside};

use crate::canvas::{Canvas, SCALE, on_lattice};
use crate::flow::{FlowPanel, Shows};
use crate::plane::Plane;
use crate::profile::{self, ProfilePlot};

/// Space between panels.
const GAP: f64 = 15.0;

/// Height kept for the title of the page.
const TITLE_HEIGHT: f64 = 45.0;

/// Size of a profile's panel where nothing else decides.
const PROFILE_SIZE: (f64, f64) = (440.0, 330.0);

/// Draws the speed with streamlines, and the profiles beside or below it, into a PNG file; of a flow with heat the
/// temperature with isotherms in place of the speed, and of a flow past bodies that is followed in time the vorticity
/// beside it. The velocity is that at cell centres in m/s, the temperature in K; of a flow in space the plane that the case shows is drawn, and no other cell is asked for.
///
/// # Errors
/// If the file cannot be written; an older file of this name is then still there.
pub fn draw<'a>(
    path: impl AsRef<Path>,
    case: &Case,
    velocity: impl Into<Cells<'a>>,
    temperature: Option<Cells<'a>>,
    profiles: &[ProfilePlot],
) -> Result<()> {
    let page = page(case, velocity.into(), temperature, profiles);
    let image =
        RasterBackend::new().with_scale(SCALE).render_scene(&page.scene).map_err(|error| {
            let remedy = "run on without the picture; the fields are complete without it";
            Error::file(&path, format!("cannot be drawn: {error}"), remedy)
        })?;
    write_beside(path.as_ref(), |file| file.write_all(&image))
}

fn page(
    case: &Case,
    velocity: Cells<'_>,
    temperature: Option<Cells<'_>>,
    profiles: &[ProfilePlot],
) -> Canvas {
    let flows = panels(case, velocity, temperature);
    let (is_long, (one_width, one_height)) = (flows[0].is_long(), flows[0].size());
    // Long ones lie one below the other.
    let step = if is_long { (0.0, one_height + GAP) } else { (one_width + GAP, 0.0) };
    let more = (flows.len() - 1) as f64;
    let (flow_width, flow_height) = (one_width + more * step.0, one_height + more * step.1);
    let beside = !is_long && flows.len() == 1;
    let columns = if beside { profiles.len().div_ceil(2) } else { profiles.len().clamp(1, 3) };
    let rows = profiles.len().div_ceil(columns.max(1));
    let (width, height) = profile_size((flow_width, flow_height), beside, columns, rows);
    let block = |n: usize, size: f64| if n == 0 { 0.0 } else { n as f64 * (size + GAP) };
    let (right, below) =
        if beside { (block(columns, width), 0.0) } else { (0.0, block(rows, height)) };
    let tall = if beside { flow_height.max(block(rows, height) - GAP) } else { flow_height };

    let mut page = Canvas::new(flow_width + right + 2.0 * GAP, TITLE_HEIGHT + tall + below + GAP);
    page.title(&case.title, TITLE_HEIGHT);
    let lower = if beside { on_lattice(0.5 * (tall - flow_height)) } else { 0.0 };
    for (n, flow) in flows.iter().enumerate() {
        let (x, y) = (n as f64 * step.0, n as f64 * step.1);
        page.place(flow.draw(), GAP + x, TITLE_HEIGHT + lower + y);
    }
    for (n, profile) in profiles.iter().enumerate() {
        // Beside the flow the panels fill columns, below it they fill rows.
        let (column, row) = if beside { (n / rows, n % rows) } else { (n % columns, n / columns) };
        let x = GAP + column as f64 * (width + GAP) + if beside { flow_width + GAP } else { 0.0 };
        let y = TITLE_HEIGHT
            + row as f64 * (height + GAP)
            + if beside { 0.0 } else { flow_height + GAP };
        page.place(profile::draw(profile, width, height), x, y);
    }
    page
}

/// The panels of the flow.
fn panels(case: &Case, velocity: Cells<'_>, temperature: Option<Cells<'_>>) -> Vec<FlowPanel> {
    let plane = || Plane::shown(case, velocity);
    if let Some((of, field)) = case.carried().next().zip(temperature) {
        let values = Plane::of_numbers(case, |cell| field.at(0, cell));
        return vec![FlowPanel::new(plane(), Shows::Scalar(of.quantity, values))];
    }
    let mut all = vec![FlowPanel::new(plane(), Shows::Speed)];
    if case.is_followed() && !case.bodies.is_empty() {
        all.push(FlowPanel::new(plane(), Shows::Vorticity(plane().turning())));
    }
    all
}

/// Size of each profile's panel: as high as the flow allows, or as wide as the page.
fn profile_size(flow: (f64, f64), beside: bool, columns: usize, rows: usize) -> (f64, f64) {
    let (width, height) = PROFILE_SIZE;
    if beside {
        let share = (flow.1 - GAP * (rows.max(1) - 1) as f64) / rows.max(1) as f64;
        (width, share.clamp(height, 1.4 * height))
    } else {
        let share = (flow.0 - GAP * (columns - 1) as f64) / columns as f64;
        (share.min(1.6 * width), height)
    }
}
