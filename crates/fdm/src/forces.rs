//! The forces on bodies, solid boxes and walls: the momentum that cells of velocities of the flow hand to velocities that
//! these give; eq. (F22).

use vortice_core::{
    Case, Communicator, FaceKind, ForceSums, Result, Shape, Side, Subdomain, Surface, SurfaceForce,
    SurfaceParts, Surfaces, arm, parts_near_surfaces, torque_of,
};

use crate::colours::Colours;
use crate::stencil::flux;

vortice_gpu::mirrored! {
    /// A side of the cell around an open face of a velocity component, beyond which a surface gives the velocity,
    /// in `force_on_sides.cu`.
    pub(crate) struct ForceSide {
        component: i64,
        /// Across the side.
        direction: i64,
        /// Places of the component inside and beyond, and of two across whose mean crosses the side.
        velocity: [i64; 4],
        /// Place of the pressure there if the component pushes on it, else -1; on a device 2 place + colour.
        pressure: i64,
        /// 1 on the high side, -1 on the low one.
        outward: f64,
        /// What counts of its area: a half beside an end of the box, and less than nothing of what that end takes up.
        share: f64,
        /// 1 if the torque is that of the whole friction, `mu (du/dn + grad u_n)`, else 0.
        turns: f64,
        /// Of the torque in m.
        arm: [f64; 2],
    }
}

vortice_gpu::mirrored! {
    /// Numbers of a case, in `force_on_sides.cu`.
    pub(crate) struct ForceScales {
        /// m2/s.
        viscosity: f64,
        /// m.
        spacing: [f64; 3],
        /// Density times the area of a face across each direction.
        mass: [f64; 3],
        /// By how much the body force raises the kinematic pressure over half a cell along each direction, in m2/s2.
        rise: [f64; 3],
    }
}

/// The sides of one subdomain at which surfaces stand.
pub(crate) struct ForceSides {
    pub(crate) case: Case,
    pub(crate) sides: SurfaceParts<ForceSide>,
    /// Body force in m/s2.
    pub(crate) push: [f64; 3],
}

impl ForceSides {
    /// Those of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape) -> Self {
        Self { case: case.clone(), sides: sides(case, part, shape), push: case.force }
    }

    /// Of the numbers of a case.
    pub(crate) fn scales(&self) -> ForceScales {
        let Case { viscosity, density, grid, .. } = &self.case;
        let mass = std::array::from_fn(|d| density * grid.face_area(d));
        let spacing = grid.spacing();
        let rise = std::array::from_fn(|d| 0.5 * spacing[d] * self.push[d]);
        ForceScales { viscosity: *viscosity, spacing, mass, rise }
    }

    /// The forces of all ranks on the case's surfaces, from the velocity in m/s of a component at a place and the kinematic
    /// pressure in m2/s2; `gamma` is the share of the donor cell. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn forces(
        &self,
        velocity: impl Fn(usize, usize) -> f64,
        pressure: impl Fn(usize) -> f64,
        gamma: f64,
        ranks: &dyn Communicator,
    ) -> Result<Vec<SurfaceForce>> {
        let ForceScales { viscosity, spacing: h, mass, rise } = self.scales();
        let mut sums = ForceSums::new(&self.case);
        for (number, side) in self.sides.iter() {
            let [a, d] = [side.component, side.direction].map(|axis| axis as usize);
            let [along, across] = [a, d].map(|axis| {
                let velocity = &velocity;
                move |n: usize| velocity(axis, side.velocity[n] as usize)
            });
            let [here, beyond] = [along(0), along(1)];
            let (low, high) = if side.outward > 0.0 { (here, beyond) } else { (beyond, here) };
            let carried = flux(0.5 * (across(2) + across(3)), low, high, gamma, 0.5);
            let diffused = viscosity * (high - low) / h[d];
            let pressure = usize::try_from(side.pressure)
                .map_or(0.0, |place| pressure(place) + side.outward * rise[d]);
            let turned = side.turns * viscosity * (across(3) - across(2)) / h[a];
            let all = carried - diffused + pressure;
            let [momentum, turning] = [all, all - turned].map(|all| side.outward * all);
            let [mut force, mut twist] = [[0.0; 3]; 2];
            force[a] = side.share * mass[d] * momentum;
            twist[a] = side.share * mass[d] * turning;
            sums.add_part(number, force, torque_of(side.arm, twist));
        }
        sums.of_all(ranks)
    }

    /// The sides for a device, where pressures lie by colour.
    pub(crate) fn by_colours(&self, shape: &Shape, colours: &Colours) -> SurfaceParts<ForceSide> {
        let coloured = |place: usize| {
            let (colour, place) = colours.place(shape.cell(place));
            (2 * place + colour) as i64
        };
        let of_device = |side: &ForceSide| ForceSide {
            pressure: usize::try_from(side.pressure).map_or(-1, coloured),
            ..*side
        };
        SurfaceParts {
            first: self.sides.first.clone(),
            parts: self.sides.parts.iter().map(of_device).collect(),
        }
    }
}

/// The sides of each surface.
fn sides(case: &Case, part: &Subdomain, shape: Shape) -> SurfaceParts<ForceSide> {
    let (surfaces, wetted) = (Surfaces::of_part(case, part), Surface::wetted(case));
    let number_at = |cell: [isize; 3]| {
        let surface = surfaces.surface_at(cell)?;
        wetted.iter().position(|one| *one == surface)
    };
    let centre = |cell: [isize; 3], [a, d]: [usize; 2], side: Side| {
        let mut centre = case.grid.low_face(a, surfaces.wrapped(cell));
        centre[d] += 0.5 * side.outward() as f64 * case.grid.spacing()[d];
        centre
    };
    // Beyond a side is a low face, of which a surface may have the cell before.
    parts_near_surfaces(case, part, 2, |cell, sides| {
        for a in case.grid.directions() {
            for end in Side::BOTH {
                if !matches!(surfaces.face(cell, a, end), FaceKind::End(..)) {
                    continue;
                }
                let face = if end == Side::Low { cell } else { end.next(cell, a) };
                let across = case.grid.directions().filter(|&d| d != a);
                for (d, side) in across.flat_map(|d| Side::BOTH.map(|side| (d, side))) {
                    let Some(number) = number_at(side.next(cell, d)) else { continue };
                    let given = [(Some(number), 0.5), (number_at(end.next(cell, a)), -0.5)];
                    for (number, share) in given {
                        let Some(number) = number else { continue };
                        let arm = arm(case, wetted[number], centre(face, [a, d], side));
                        let whole = ForceSide::new(shape, face, [a, d], side, arm);
                        sides.push((number, ForceSide { share, ..whole }));
                    }
                }
            }
            if surfaces.face(cell, a, Side::Low) != FaceKind::Open {
                continue;
            }
            for d in case.grid.directions() {
                for side in Side::BOTH {
                    let beyond = side.next(cell, d);
                    let both = [Side::Low.next(beyond, a), beyond];
                    if let Some(number) = both.iter().find_map(|&cell| number_at(cell)) {
                        let is_body = matches!(wetted[number], Surface::Body(_));
                        // Where the wall runs on no velocity across it is open, and the stress beside the edge is one component's alone.
                        let is_alone = a != d && both.iter().all(|&cell| !surfaces.flows(cell));
                        let at = match is_body && is_alone {
                            true => case.grid.low_face(a, surfaces.wrapped(cell)),
                            false => centre(cell, [a, d], side),
                        };
                        let arm = arm(case, wetted[number], at);
                        let whole = ForceSide::new(shape, cell, [a, d], side, arm);
                        sides.push((number, ForceSide { turns: f64::from(is_body), ..whole }));
                    }
                }
            }
        }
    })
}

impl ForceSide {
    /// A side across `d` of the cell around the low face across `a` of a cell.
    fn new(shape: Shape, cell: [isize; 3], [a, d]: [usize; 2], side: Side, arm: [f64; 2]) -> Self {
        let (here, strides) = (shape.index(cell), shape.strides());
        let beyond = shape.index(side.next(cell, d));
        // The velocity across a side is that of the two low faces before and behind it.
        let across = if side == Side::High { here + strides[d] } else { here };
        let pressure = if side == Side::High { here } else { here - strides[a] };
        Self {
            component: a as i64,
            direction: d as i64,
            velocity: [here, beyond, across - strides[a], across].map(|place| place as i64),
            pressure: if a == d { pressure as i64 } else { -1 },
            outward: side.outward() as f64,
            share: 1.0,
            turns: 0.0,
            arm,
        }
    }
}
