//! How fast a flow will be, from its case alone.

use vortice_core::{Case, Initial, Side};

/// Points at which an initial flow is asked, at most, per direction.
const POINTS: usize = 64;

/// The fastest velocity in m/s that can be foreseen: of the scale, the boundaries, the initial flow, free fall, and
/// the mean one where solids leave the flow little room.
pub(crate) fn fastest(case: &Case) -> f64 {
    let narrowest = narrowest(case).map_or(0.0, |(_, speed)| speed);
    let prescribed = case.prescribed_speed().max(case.scale.velocity);
    prescribed.max(initial(case)).max(narrowest).max(free_fall(case))
}

/// The velocity of free fall in m/s, of a flow that heat moves; eq. (H3).
pub(crate) fn free_fall(case: &Case) -> f64 {
    case.heat.as_ref().map_or(0.0, |heat| heat.free_fall_speed(case.scale.length))
}

/// The fastest velocity at t = 0.
fn initial(case: &Case) -> f64 {
    let norm = |u: [f64; 3]| u.iter().map(|u| u * u).sum::<f64>().sqrt();
    match case.initial.given() {
        Initial::Uniform(velocity) => norm(*velocity),
        _ => {
            let speed = |point| norm(case.initial_velocity(point));
            case.grid.sampled_centres(POINTS).map(speed).fold(0.0, f64::max)
        }
    }
}

/// Where solids leave the least room to a flow that enters at one end of a direction and leaves at
/// the other: the coordinate in m, and the mean velocity there in m/s, by continuity.
pub(crate) fn narrowest(case: &Case) -> Option<(f64, f64)> {
    // The low side of a direction comes before its high side.
    let open: Vec<(usize, bool)> = (case.boundaries.iter())
        .filter(|(.., face)| face.is_open())
        .map(|(d, _, face)| (d, !face.is_outflow()))
        .collect();
    let [(d, enters), (other, leaves)] = open[..] else { return None };
    if d != other || enters == leaves {
        return None;
    }
    let flow = entering(case, d, if enters { Side::Low } else { Side::High });
    let (grid, solids) = (&case.grid, case.solids());
    let room = |i: isize| {
        let free = section(case, d, i).filter(|&cell| !solids.contains(cell)).count();
        free as f64 * grid.spacing().iter().product::<f64>() / grid.spacing()[d]
    };
    // A section is as wide as the last one unless a box begins in it; a body may grow wider in each.
    let (boxes, blocks): (Vec<_>, Vec<_>) = solids
        .blocks()
        .map(|block| block[d].clone())
        .enumerate()
        .partition(|(n, _)| *n < case.solid.len());
    let begins = boxes.into_iter().map(|(_, range)| range.start);
    let within = blocks.into_iter().flat_map(|(_, range)| range);
    let sections = begins.chain(within).map(|i| i as isize);
    let (at, room) = sections
        .map(|i| (i, room(i)))
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .filter(|(_, room)| *room > 0.0)?;
    Some((grid.axes[d].centre(at), flow / room))
}

/// The cells of a section across a direction.
fn section(case: &Case, d: usize, i: isize) -> impl Iterator<Item = [isize; 3]> + use<> {
    let n = case.grid.cells();
    let (a, b) = ((d + 1) % 3, (d + 2) % 3);
    (0..n[a] * n[b]).map(move |number| {
        let mut cell = [0; 3];
        (cell[d], cell[a], cell[b]) = (i, (number % n[a]) as isize, (number / n[a]) as isize);
        cell
    })
}

/// What enters by the inflow at an end of a direction before cells of the flow, in m3/s.
fn entering(case: &Case, d: usize, side: Side) -> f64 {
    let (grid, solids) = (&case.grid, case.solids());
    let (i, sign) = match side {
        Side::Low => (0, 1.0),
        Side::High => (grid.cells()[d] as isize - 1, -1.0),
    };
    let flow = |cell: [isize; 3]| {
        let corner = |end: f64| {
            let at = |e: usize| grid.axes[e].centre(cell[e]) + end * grid.spacing()[e];
            std::array::from_fn(at)
        };
        let velocity = case.boundaries.at(d, side).velocity(corner(-0.5), corner(0.5));
        velocity.map_or(0.0, |velocity| sign * velocity[d])
    };
    let sum: f64 = section(case, d, i).filter(|&cell| !solids.contains(cell)).map(flow).sum();
    sum * grid.spacing().iter().product::<f64>() / grid.spacing()[d]
}
