//! A device with its fields: the verbs of the outer iteration as launches.

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Halo, Result, Shape, Subdomain};
use vortice_gpu::{DeviceHalo, Gpu, Perform, value};
use vortice_linear::Levels;
use vortice_linear::gpu::{Layout, PressureEquation, definitions, each_entry, is_swept_by_regions};

use super::body_faces::Bodies;
use super::carried::Outlet;
use super::fields::{Fields, Given};
use super::numbers::Fluid;
use super::operation::Operation;
use super::program::{Kernels, PROGRAM};
use super::regions::Equations;
use super::transported::{Transported, thermal_inputs};
use crate::body_faces::BodyFaces;
use crate::boundary::Faces;
use crate::fluid;
use crate::state::Flow;

/// One subdomain on a device. Its verbs launch and do not wait.
pub(crate) struct Device {
    pub(crate) gpu: Gpu,
    pub(super) kernels: Kernels,
    pub(super) directions: usize,
    pub(super) layout: Layout,
    /// Whether blocks sweep over regions of the flow.
    pub(super) by_regions: bool,
    pub(super) fluid: Fluid<f64>,
    pub(crate) fields: Fields,
    /// Bodies that are met at their surface, if the case has any.
    pub(super) bodies: Option<Bodies>,
    /// If the case has a convective outlet.
    pub(super) outlet: Option<Outlet>,
    /// All that the flow carries.
    pub(super) transported: Vec<Transported>,
    /// The pressure correction.
    pub(super) correction: PressureEquation,
    /// Exchanges of velocities and of scalars.
    pub(super) velocities: DeviceHalo,
    pub(super) scalars: DeviceHalo,
    /// The same of arrays in halves.
    pub(super) halves: [DeviceHalo; 2],
    pub(crate) ranks: Arc<dyn Communicator>,
}

impl Perform<Operation> for Device {
    fn perform(&mut self, operation: Operation) -> Result<()> {
        match operation {
            Operation::BeginStep => {
                self.complete_velocity()?;
                self.transported.iter_mut().try_for_each(Transported::remember)?;
                self.fields.remember()
            }
            Operation::Prescribe => self.prescribe(),
            Operation::PrescribeScalars => self.fill_thermal_ends(),
            Operation::CarryOut => self.carry_out(),
            Operation::Assemble => self.assemble(),
            Operation::Sweeps { count } => self.relax(count),
            Operation::InterpolateBodyFaces => self.interpolate_body_faces(),
            Operation::Interpolate => self.interpolate(),
            Operation::Cycles { count, from_zero } => self.correction.cycles(count, from_zero),
            Operation::Correct => self.correct(),
            Operation::CarryScalars => self.carry_scalars(),
            Operation::Change => self.find_change(),
            Operation::ScalarChange => self.find_scalar_changes(),
        }
    }

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn can_be_captured(&self) -> bool {
        self.stays_on_device()
    }
}

impl Device {
    /// The flow and the equations of a subdomain.
    pub(super) fn new(
        gpu: &Gpu,
        case: &Case,
        context: &Context,
        part: &Subdomain,
        levels: &Levels,
        fluid: &fluid::Fluid,
        faces: &Faces,
        body_faces: &BodyFaces,
        flow: &Flow,
        shape: Shape,
    ) -> Result<Self> {
        let directions = fluid.directions;
        let module = gpu.load(&PROGRAM, &definitions(directions))?;
        let ranks = context.ranks.clone();
        let length = shape.len();
        let halo =
            |of: &Halo, components| DeviceHalo::of_components::<f64>(gpu, of, [length, components]);
        let layout = Layout::new(&levels.levels[0], 0);
        let whole = Halo::new(&shape, part);
        let in_halves =
            Halo::mapped(&shape, part, |cell| Some(layout.place_in_halves(shape.index(cell))));
        Ok(Self {
            kernels: Kernels::of(&module)?,
            directions,
            layout,
            by_regions: is_swept_by_regions(&levels.levels[0], gpu.properties().shared_memory),
            fluid: Fluid::new(fluid),
            fields: Fields::new(gpu, directions, &shape, (faces, &case.boundaries), flow)?,
            bodies: Bodies::new(gpu, body_faces, &ranks)?,
            outlet: None,
            transported: Vec::new(),
            correction: PressureEquation::new(gpu, ranks.clone(), levels)?,
            velocities: halo(&whole, directions)?,
            scalars: halo(&whole, 1)?,
            halves: [halo(&in_halves, directions)?, halo(&in_halves, 1)?],
            ranks,
            gpu: gpu.clone(),
        })
    }

    /// Whether everything happens on the device, so that it can be captured.
    pub(crate) fn stays_on_device(&self) -> bool {
        let bodies = self.bodies.as_ref().is_none_or(Bodies::stays_on_device);
        let outlet = self.outlet.as_ref().is_none_or(Outlet::stays_on_device);
        bodies && outlet && self.velocities.stays_on_device() && self.correction.stays_on_device()
    }

    /// Gives the velocity its halos and ghost values.
    pub(crate) fn complete_velocity(&mut self) -> Result<()> {
        self.velocities.exchange(&*self.ranks, &mut [&mut self.fields.u])?;
        let ghosts = &self.fields.ghosts;
        if ghosts.targets.is_empty() {
            return Ok(());
        }
        let count = ghosts.targets.len() as i32;
        self.kernels.copy_ghosts.launch(
            each_entry(ghosts.targets.len()),
            &[
                value("count", &count),
                ghosts.sources.input("sources"),
                ghosts.targets.input("targets"),
                self.fields.u.output("u"),
            ],
        )
    }

    /// Velocities that change with time, beyond faces and through them.
    fn prescribe(&mut self) -> Result<()> {
        let Self { kernels, fields, .. } = self;
        let [beyond, through] = &fields.prescribed;
        let targets = [(beyond, &mut fields.u), (through, &mut fields.face_velocity)];
        for (Given { places, values }, u) in targets {
            if places.is_empty() {
                continue;
            }
            let count = places.len() as i32;
            kernels.put_velocities.launch(
                each_entry(places.len()),
                &[
                    value("count", &count),
                    places.input("places"),
                    values.input("values"),
                    u.output("u"),
                ],
            )?;
        }
        Ok(())
    }

    /// Velocities at a convective outlet; eqs. (V20), (V21).
    fn carry_out(&mut self) -> Result<()> {
        let Self { kernels, layout, fields, outlet, .. } = self;
        outlet.as_mut().map_or(Ok(()), |outlet| outlet.carry(kernels, layout, fields))
    }

    /// Coefficients and right-hand sides of the momentum equations; eqs. (V3) to (V8), (V17).
    fn assemble(&mut self) -> Result<()> {
        self.complete_velocity()?;
        self.scalars.exchange(&*self.ranks, &mut [&mut self.fields.p])?;
        let fields = &mut self.fields;
        fields.reductions.clear()?;
        let [_, buoyancy] = thermal_inputs(&self.transported, &fields.u_last);
        self.kernels.assemble.launch(
            self.layout.cells_in_turn(),
            &[
                value("layout", &self.layout),
                value("fluid", &self.fluid),
                fields.factors.input("factors"),
                fields.kinds.input("kinds"),
                fields.u.input("u"),
                fields.p.input("p"),
                fields.face_velocity.input("face_velocity"),
                fields.u_last.input("u_last"),
                fields.u_before.input("u_before"),
                buoyancy,
                fields.a.output("a"),
                fields.diagonal.output("diagonal"),
                fields.inverse.output("inverse"),
                fields.b.output("b"),
                fields.above.output("above"),
                fields.reductions.output("reductions"),
            ],
        )?;
        if let Some(bodies) = &self.bodies {
            let case = (&self.layout, &self.fluid);
            bodies.complete_equations(&self.kernels, case, &mut self.fields)?;
        }
        self.scalars.exchange(&*self.ranks, &mut [&mut self.fields.diagonal])
    }

    /// Red-black sweeps over all momentum equations; eq. (V8).
    fn relax(&mut self, sweeps: u32) -> Result<()> {
        if self.by_regions {
            self.relax_by_regions(sweeps)?;
        } else {
            self.relax_by_colours(sweeps)?;
        }
        self.velocities.exchange(&*self.ranks, &mut [&mut self.fields.u])
    }

    /// A launch for a few sweeps of all regions.
    fn relax_by_regions(&mut self, sweeps: u32) -> Result<()> {
        let Fields { a, inverse, b, u, halves, .. } = &mut self.fields;
        let components = self.directions as i32;
        let equations = Equations {
            components,
            a,
            inverse,
            inverse_is_in_halves: false,
            b,
            x: u,
            spare: halves,
        };
        equations.sweep(&self.kernels, &self.layout, sweeps)
    }

    /// A launch for each colour of each sweep, on velocities in halves.
    fn relax_by_colours(&mut self, sweeps: u32) -> Result<()> {
        let Self { kernels, layout, fields, halves: [halo, _], ranks, .. } = self;
        let layout = &*layout;
        kernels.halve_rows.launch(
            each_entry(fields.kinds.len()),
            &[
                value("layout", layout),
                fields.u.input("u"),
                fields.inverse.input("inverse"),
                fields.halves.output("halves"),
            ],
        )?;
        let half_sweeps = 2 * sweeps;
        for half_sweep in 0..half_sweeps {
            let colour = (half_sweep % 2) as i32;
            kernels.relax_momentum.launch(
                layout.each_of_colour(),
                &[
                    value("layout", layout),
                    value("colour", &colour),
                    fields.a.input("a"),
                    fields.b.input("b"),
                    fields.halves.output("halves"),
                ],
            )?;
            // What is written with the cells is all that the next one reads.
            if layout.wraps == 0 && half_sweep + 1 < half_sweeps {
                halo.exchange(&**ranks, &mut [&mut fields.halves])?;
            }
        }
        let joined = [value("layout", layout), fields.halves.input("halves"), fields.u.output("u")];
        kernels.join_rows.launch(layout.each_cell(), &joined)
    }

    /// Velocities through the faces of bodies; eqs. (V18), (V19).
    fn interpolate_body_faces(&mut self) -> Result<()> {
        let Self { kernels, layout, fluid, fields, bodies, .. } = self;
        let bodies = bodies.as_mut();
        bodies.map_or(Ok(()), |bodies| bodies.interpolate(kernels, (layout, fluid), fields))
    }

    /// Face velocities, and the pressure correction's equation; eqs. (V9) to (V11).
    fn interpolate(&mut self) -> Result<()> {
        let Self { fields, correction, transported, .. } = self;
        let finest = correction.grids.finest();
        let [theta, buoyancy] = thermal_inputs(transported, &fields.u_last);
        self.kernels.interpolate.launch(
            self.layout.cells_in_turn(),
            &[
                value("layout", &self.layout),
                value("fluid", &self.fluid),
                fields.factors.input("factors"),
                fields.kinds.input("kinds"),
                fields.u.input("u"),
                fields.p.input("p"),
                fields.diagonal.input("diagonal"),
                fields.above.input("above"),
                fields.u_last.input("u_last"),
                fields.u_before.input("u_before"),
                fields.face_velocity_last.input("face_velocity_last"),
                fields.face_velocity_before.input("face_velocity_before"),
                theta,
                buoyancy,
                fields.face_velocity.output("face_velocity"),
                finest.c.output("coefficients"),
                finest.b.output("b"),
                fields.reductions.output("reductions"),
            ],
        )?;
        correction.grids.prepare()
    }

    /// Corrects face velocities, velocity and pressure; eqs. (V12), (V13).
    fn correct(&mut self) -> Result<()> {
        let Self { fields, correction, .. } = self;
        let finest = correction.grids.finest();
        self.kernels.correct.launch(
            self.layout.each_cell(),
            &[
                value("layout", &self.layout),
                value("fluid", &self.fluid),
                fields.factors.input("factors"),
                fields.kinds.input("kinds"),
                fields.diagonal.input("diagonal"),
                finest.c.input("coefficients"),
                finest.x.input("x"),
                fields.face_velocity.output("face_velocity"),
                fields.u.output("u"),
                fields.p.output("p"),
            ],
        )
    }

    /// The largest change of the velocity since the last time step.
    fn find_change(&mut self) -> Result<()> {
        let fields = &mut self.fields;
        fields.largest_change.clear()?;
        self.kernels.change.launch(
            self.layout.cells_in_turn(),
            &[
                value("layout", &self.layout),
                fields.u.input("u"),
                fields.u_last.input("u_last"),
                fields.largest_change.output("largest"),
            ],
        )
    }
}
