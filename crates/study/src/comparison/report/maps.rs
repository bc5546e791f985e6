//! Maps of the flows on the finest grids, and of what they differ by.

use vortice_core::Field;
use vortice_plot::{
    DifferenceMap, Drawing, SpeedMap, VorticityMap, largest_difference, vorticity_limit,
};

use super::finest::Seen;
use vortice_core::format::percent;

/// Share of the cells that colours tell apart: corners of a cavity are singular.
const SHOWN: f64 = 0.95;

/// More variants than these are compared with the first one only.
const ALL_PAIRS: usize = 4;

/// A map with its title, and its name among the pictures.
pub(super) struct Map {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) drawing: Drawing,
}

/// Speed and streamlines of the first flow that came to its goal, else of the first.
pub(super) fn speed(seen: &[Seen<'_>]) -> Vec<Map> {
    let one = seen.iter().find(|one| one.row.is_done()).or(seen.first());
    let map = |one: &Seen<'_>| {
        let title = format!("Speed in m/s, {} on {}", one.row.variant, one.row.grid);
        let (case, velocity, limit) = (&one.case, one.velocity(), fastest(one.velocity()));
        let drawing = SpeedMap { title: &title, case, velocity, limit }.draw();
        Map { name: "flow".into(), title, drawing }
    };
    one.map(map).into_iter().collect()
}

/// The largest speed, above zero.
fn fastest(velocity: &Field) -> f64 {
    let square = |cell| (0..3).map(|d| velocity.at(d, cell) * velocity.at(d, cell)).sum::<f64>();
    let most = velocity.own_cells().map(square).filter(|x| x.is_finite()).fold(0.0, f64::max);
    most.sqrt().max(f64::MIN_POSITIVE)
}

/// Vorticity and streamlines of each flow in the same colours.
pub(super) fn vorticity(seen: &[Seen<'_>]) -> Vec<Map> {
    let limits = seen.iter().map(|one| vorticity_limit(&one.case, one.velocity(), SHOWN));
    let limit = limits.fold(0.0, f64::max);
    let map = |one: &Seen<'_>| {
        let title = format!("{} on {}", one.row.variant, one.row.grid);
        let map = VorticityMap { title: &title, case: &one.case, velocity: one.velocity(), limit };
        Map { name: format!("vorticity-{}", one.plain_name), drawing: map.draw(), title }
    };
    seen.iter().map(map).collect()
}

/// What pairs of flows on the same grid differ by, each with its own colours.
pub(super) fn differences(seen: &[Seen<'_>]) -> Vec<Map> {
    let pairs = (0..seen.len()).flat_map(|i| (i + 1..seen.len()).map(move |j| (i, j)));
    let chosen = pairs.filter(|&(i, _)| i == 0 || seen.len() <= ALL_PAIRS);
    let map = |(i, j): (usize, usize)| {
        let (one, other) = (&seen[i], &seen[j]);
        let (case, velocities) = (&one.case, [one.velocity(), other.velocity()]);
        let scale = case.scale.velocity;
        let [limit, largest] =
            [SHOWN, 1.0].map(|share| largest_difference(case, velocities, scale, share));
        let title = format!(
            "{} and {} on {}: at most {}",
            one.row.variant,
            other.row.variant,
            one.row.grid,
            percent(largest)
        );
        let map = DifferenceMap { title: &title, case, velocities, scale, limit };
        let name = format!("difference-{}-{}", one.plain_name, other.plain_name);
        Map { name, drawing: map.draw(), title }
    };
    chosen.map(map).collect()
}
