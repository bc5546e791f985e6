//! The arithmetic of the method on single values: twin of kernels/fvm/stencil.cuh, with the same names
//! and order of operations, so that both give the same bits. Equations: docs/src/theory/fvm.md.

/// A face between two cells of the flow.
pub(crate) const OPEN: u8 = 0;
/// A face with prescribed velocity: a wall, a solid, an inflow.
pub(crate) const FIXED: u8 = 1;
/// A face with prescribed pressure, through which the flow leaves.
pub(crate) const OUTLET: u8 = 2;
/// A face in a plane of symmetry.
pub(crate) const MIRROR: u8 = 3;

/// Schemes of convection; the numbers are those of the kernels.
pub(crate) const UPWIND: u8 = 0;
pub(crate) const CENTRAL: u8 = 1;
pub(crate) const QUICK: u8 = 2;
pub(crate) const VAN_LEER: u8 = 3;

/// The larger of a number and zero.
#[inline(always)]
pub(crate) fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}

/// Coefficient of the neighbour across a face, in 1/s: diffusion, and what flows in from there; eq.
/// (V4). `inward` is the velocity into the cell divided by the spacing.
#[inline(always)]
pub(crate) fn coefficient(kind: u8, diffusion: f64, inward: f64) -> f64 {
    let convection = positive(inward);
    if kind == OPEN {
        diffusion + convection
    } else if kind == FIXED {
        2.0 * diffusion + convection
    } else if kind == MIRROR {
        2.0 * diffusion
    } else {
        0.0
    }
}

/// Velocity at a convective outlet: `inner` is carried to it at this rate, in 1/s, and `known` is what the last
/// time steps leave, whose latest weight is `latest`; eq. (V20).
#[inline(always)]
pub(crate) fn carried(known: f64, inner: f64, rate: f64, latest: f64) -> f64 {
    (known + rate * inner) / (latest + rate)
}

/// A flux in m/s in whole units, of which so many are 1 m/s; eq. (V21). What no unit can be counted of is none.
#[inline(always)]
pub(crate) fn flux_in_units(flux: f64, units: f64) -> i64 {
    let whole = flux * units;
    if whole.abs() < 4e18 { whole as i64 } else { 0 }
}

/// How far a face's value is from that of the cell upstream; eq. (V5). `after` is the difference from
/// there to the cell downstream, `before` to it from the next one upstream, or at a wall from the
/// wall's value, half as far away.
#[inline(always)]
pub(crate) fn beyond_upwind<const SCHEME: u8>(after: f64, before: f64, at_wall: bool) -> f64 {
    if SCHEME == CENTRAL {
        0.5 * after
    } else if SCHEME == QUICK {
        if at_wall { (after + before) / 3.0 } else { 0.375 * after + 0.125 * before }
    } else if SCHEME == VAN_LEER {
        let before = if at_wall { 2.0 * before } else { before };
        let product = before * after;
        if product > 0.0 { product / (before + after) } else { 0.0 }
    } else {
        0.0
    }
}

/// Velocities in four cells across a face, two on each side, and what lies beyond the inner two.
#[derive(Clone, Copy)]
pub(crate) struct Across {
    /// From low to high.
    pub(crate) u: [f64; 4],
    /// Kind of the face itself.
    pub(crate) kind: u8,
    /// Kinds of the faces below and above it.
    pub(crate) beside: [u8; 2],
}

/// How far a face's value is beyond the upwind one if `v` flows through it; eq. (V5). `inside_high` tells
/// on which side the cell is that asks: a prescribed value counts where the flow leaves the cell. `normal`
/// tells that the component is that across the face.
#[inline(always)]
pub(crate) fn beyond_upwind_at<const SCHEME: u8>(
    across: Across,
    v: f64,
    inside_high: bool,
    normal: bool,
) -> f64 {
    let Across { u: [next_low, low, high, next_high], kind, beside } = across;
    let forward = v >= 0.0;
    let (up, down) = if forward { (low, high) } else { (high, low) };
    let next = if forward { next_low } else { next_high };
    let there = if forward { beside[0] } else { beside[1] };
    let at_wall = (there == FIXED) | ((there == MIRROR) & normal);
    let between = beyond_upwind::<SCHEME>(down - up, up - next, at_wall);
    let leaves = if inside_high { v < 0.0 } else { v > 0.0 };
    let prescribed = if inside_high { low - high } else { high - low };
    if kind == OPEN {
        between
    } else if (kind == FIXED) & leaves {
        prescribed
    } else {
        0.0
    }
}

/// Pressure at a face of a cell with pressure `p`, in m2/s2; eq. (V7): the mean of two cells, what an
/// outlet prescribes, the same as in the cell at a mirror, and at a wall along the line through the
/// cell and what lies on its other side.
#[inline(always)]
pub(crate) fn pressure_at(kind: u8, p: f64, next: f64, outlet_pressure: f64, other: Other) -> f64 {
    let drop = if other.kind == OPEN {
        0.5 * (p - other.next)
    } else if other.kind == OUTLET {
        p - other.outlet_pressure
    } else {
        0.0
    };
    if kind == OPEN {
        0.5 * (p + next)
    } else if kind == OUTLET {
        outlet_pressure
    } else if kind == MIRROR {
        p
    } else {
        p + drop
    }
}

/// The other side of a cell in the same direction.
#[derive(Clone, Copy)]
pub(crate) struct Other {
    pub(crate) kind: u8,
    /// Pressure in the next cell there.
    pub(crate) next: f64,
    /// Pressure that an outlet there prescribes.
    pub(crate) outlet_pressure: f64,
}

/// Pressure gradient in a cell in one direction; eq. (V6). Pressures `low`, `p`, `high` of the cells in
/// a row, kinds of the faces between them, and pressures of outlets there.
#[inline(always)]
pub(crate) fn gradient(
    [low, p, high]: [f64; 3],
    kinds: [u8; 2],
    outlet_pressure: [f64; 2],
    inverse_h: f64,
) -> f64 {
    let below = Other { kind: kinds[0], next: low, outlet_pressure: outlet_pressure[0] };
    let above = Other { kind: kinds[1], next: high, outlet_pressure: outlet_pressure[1] };
    let at_low = pressure_at(kinds[0], p, low, outlet_pressure[0], above);
    let at_high = pressure_at(kinds[1], p, high, outlet_pressure[1], below);
    (at_high - at_low) * inverse_h
}

/// What is weighed between the two cells of a face; eq. (V9).
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Pair {
    #[inline(always)]
    pub(crate) fn mean(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    #[inline(always)]
    pub(crate) fn rise(self) -> f64 {
        self.high - self.low
    }
}

/// What lifts a face's velocity above the mean of its two cells: the difference between mean and local
/// pressure gradient, the part of the relaxation and that of the time step; eq. (V9). `diagonal` is the
/// mean of the two cells' relaxed diagonals; `before` is how far the face was above the mean in the last
/// iteration, `history` the same for past steps, over their time steps.
#[inline(always)]
pub(crate) fn rhie_chow_correction(
    gradients: Pair,
    pressures: Pair,
    inverse_h: f64,
    diagonal: f64,
    one_minus_alpha: f64,
    before: f64,
    history: f64,
) -> f64 {
    let bracket = gradients.mean() - pressures.rise() * inverse_h;
    (bracket + history) / diagonal + one_minus_alpha * before
}

/// What is missing in the velocity through an open face, times the mean of the two cells' diagonals, which is `diagonal`;
/// eq. (V24). `above` is how far it is above the mean, `asked` what a finer grid asks for.
#[inline(always)]
pub(crate) fn missing_on_face(
    gradients: Pair,
    pressures: Pair,
    inverse_h: f64,
    diagonal: f64,
    above: f64,
    asked: f64,
) -> f64 {
    let bracket = gradients.mean() - pressures.rise() * inverse_h;
    (bracket + asked) - diagonal * above
}

/// A coarse cell's correction as it counts beside it: that of the next cell, or at a face that is not open the negative
/// one where the value is fixed, else the same; eq. (V26).
#[inline(always)]
pub(crate) fn correction_beside(is_open: bool, fixes: bool, own: f64, next: f64) -> f64 {
    if is_open {
        next
    } else if fixes {
        -own
    } else {
        own
    }
}

/// A fine cell's correction, from those of its coarse cell and of the nearest one in each direction, its own in a
/// direction that a plane flow does not have; eq. (V26).
#[inline(always)]
pub(crate) fn prolonged(own: f64, beside: [f64; 3]) -> f64 {
    own + 0.25 * (((beside[0] - own) + (beside[1] - own)) + (beside[2] - own))
}

/// Diagonal of the equation that links velocity to pressure corrections, in 1/s; eq. (V10): the relaxed
/// one itself (SIMPLE), or less its neighbours' coefficients (SIMPLEC).
#[inline(always)]
pub(crate) fn pressure_diagonal(share: f64, storage: f64, diagonal: f64) -> f64 {
    share * diagonal + storage
}

/// Coefficient of the temperature beyond a face, in 1/s; eq. (H12). `fixed` is one where an end of the box has a
/// temperature, else zero; `inward` as in [`coefficient`].
#[inline(always)]
pub(crate) fn thermal_coefficient(kind: u8, diffusion: f64, fixed: f64, inward: f64) -> f64 {
    if kind == OPEN {
        diffusion + positive(inward)
    } else {
        fixed * (2.0 * diffusion + positive(inward))
    }
}

/// Heat that passes a face from its low to its high side with the velocity `v` across it, between temperatures of two
/// cells on each side, over density and heat capacity; eqs. (H5), (V5). `diffusion` is alpha / h in m/s.
#[inline(always)]
pub(crate) fn heat_flux<const SCHEME: u8>(v: f64, theta: [f64; 4], diffusion: f64) -> f64 {
    let [next_low, low, high, next_high] = theta;
    let forward = v >= 0.0;
    let (up, down) = if forward { (low, high) } else { (high, low) };
    let next = if forward { next_low } else { next_high };
    let on_face = up + beyond_upwind::<SCHEME>(down - up, up - next, false);
    v * on_face - diffusion * (high - low)
}

/// Buoyancy in a cell in one direction in m/s2, from temperatures `low`, `theta`, `high` of the cells in a row and the
/// kinds of the faces between them; eq. (H11): the mean of both faces, of which a wall has the value of the other one.
#[inline(always)]
pub(crate) fn buoyancy([low, theta, high]: [f64; 3], kinds: [u8; 2], lift: f64) -> f64 {
    let at_low = buoyancy_on(kinds[0], theta, low, lift);
    let at_high = buoyancy_on(kinds[1], theta, high, lift);
    let below = if kinds[0] == FIXED { at_high } else { at_low };
    let above = if kinds[1] == FIXED { at_low } else { at_high };
    0.5 * (below + above)
}

/// Buoyancy on any face of a cell, in m/s2; a wall has none of its own; eq. (H11).
#[inline(always)]
fn buoyancy_on(kind: u8, theta: f64, next: f64, lift: f64) -> f64 {
    if kind == OPEN {
        buoyancy_at(theta, next, lift)
    } else if kind == OUTLET {
        lift * theta
    } else {
        0.0
    }
}

/// Buoyancy on a face between two cells, in m/s2; eq. (H11).
#[inline(always)]
pub(crate) fn buoyancy_at(theta: f64, next: f64, lift: f64) -> f64 {
    lift * (0.5 * (theta + next))
}

/// A residual's magnitude in whole units, to be summed exactly.
#[inline(always)]
pub(crate) fn in_units(residual: f64, units: f64) -> i64 {
    (residual.abs() * units + 0.5) as i64
}

/// Velocity on the face between a cell of the flow and a body, in m/s; eq. (V18): on the line through the wall, `share`
/// of the way to the next centre, and the cell, or the one opposite if the wall is nearer than the face. Without an
/// open face there it is the wall's.
#[inline(always)]
pub(crate) fn velocity_at_body(
    share: f64,
    wall: f64,
    here: f64,
    opposite: f64,
    is_open: bool,
) -> f64 {
    if share >= 0.5 {
        wall + (here - wall) * ((share - 0.5) / share)
    } else if is_open {
        wall + (opposite - wall) * ((share - 0.5) / (1.0 + share))
    } else {
        wall
    }
}

/// Velocity through such a face after an outer iteration, from those before and as it asks for; eq. (V19).
#[inline(always)]
pub(crate) fn relaxed_at_body(before: f64, now: f64) -> f64 {
    0.7 * before + 0.3 * now
}

/// Least share of the way to the next centre at which a wall is felt. What diffuses to nearer ones would make the
/// diagonals of neighbouring cells so different that a correction of the pressure overshoots in one of them.
pub(crate) const LEAST_SHARE: f64 = 0.1;

/// The share of the way at which a wall is felt; eq. (V17).
#[inline(always)]
pub(crate) fn felt_share(share: f64) -> f64 {
    if share > LEAST_SHARE { share } else { LEAST_SHARE }
}

/// Velocity there in m/s, of a wall that may be nearer; eq. (V17): on the line through the wall and the cell opposite.
#[inline(always)]
pub(crate) fn felt_velocity(share: f64, wall: f64, opposite: f64, is_open: bool) -> f64 {
    let beyond = (felt_share(share) - share) / (1.0 + share);
    if is_open { wall + (wall - opposite) * beyond } else { wall }
}

/// Coefficient of a wall across such a face, in 1/s; eq. (V17). `inward` as in [`coefficient`].
#[inline(always)]
pub(crate) fn coefficient_at_body(share: f64, diffusion: f64, inward: f64) -> f64 {
    diffusion / felt_share(share) + positive(inward)
}

/// What a wall and the velocity on the face before it bring into the cell, in m/s2; eqs. (V17) and (V5). `felt` is the
/// wall's velocity as it is felt, `beyond` the value that stood there for a wall at rest.
#[inline(always)]
pub(crate) fn source_at_body(
    share: f64,
    diffusion: f64,
    inward: f64,
    blend: f64,
    felt: f64,
    at_face: f64,
    beyond: f64,
) -> f64 {
    let diffused = diffusion / felt_share(share) * felt;
    let carried = positive(inward) * at_face - blend * positive(-inward) * (at_face - beyond);
    diffused + carried
}

/// By how much what is carried beyond upwind through the face opposite to a body's grows because the value before that
/// is `at_face` and not `beyond`; eq. (V5). `outward` leaves the cell there, `after` is the difference to the next cell.
#[inline(always)]
pub(crate) fn change_opposite<const SCHEME: u8>(
    outward: f64,
    after: f64,
    here: f64,
    at_face: f64,
    beyond: f64,
) -> f64 {
    let [new, old] =
        [at_face, beyond].map(|wall| beyond_upwind::<SCHEME>(after, here - wall, true));
    positive(outward) * (new - old)
}

/// What flows through a face, in whole units with a sign, to be summed exactly.
#[inline(always)]
pub(crate) fn signed_in_units(flow: f64, units: f64) -> i64 {
    if flow < 0.0 { -in_units(flow, units) } else { in_units(flow, units) }
}

/// The sum of such units from its low 32 bits and the higher ones, in units of 1.
#[inline(always)]
pub(crate) fn sum_of_units(low: i64, high: i64) -> f64 {
    high as f64 * 4_294_967_296.0 + low as f64
}
