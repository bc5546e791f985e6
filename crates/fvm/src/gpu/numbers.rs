//! Numbers that kernels are given; twins of structures in `kernels/fvm`.

use crate::fluid;
use crate::scalar::Conductor;
use crate::settings;

vortice_gpu::mirrored! {
    /// Numbers of a case, in `fluid.cuh`.
    pub(crate) struct Fluid<T> {
        /// nu / h2 in 1/s.
        diffusion: [T; 3],
        /// 1 / h in 1/m.
        inverse_h: [T; 3],
        /// Acceleration in m/s2 by each kelvin, zero without heat.
        lift: [T; 3],
        /// Kinematic pressure at outlets in m2/s2.
        outlet_pressure: [[T; 2]; 3],
        /// Share of the scheme above upwind.
        blend: T,
        /// One, or zero without Rhie and Chow's interpolation.
        rhie_chow: T,
        /// Units of summed residuals in s2/m.
        units: T,
        /// Of convection.
        scheme: i64,
    }
}

vortice_gpu::mirrored! {
    /// Factors of the relaxation and of the time step, in `fluid.cuh`.
    pub(crate) struct Factors<T> {
        /// 1 / alpha_u.
        over_alpha: T,
        /// 1 - alpha_u.
        one_minus_alpha: T,
        /// Of the relaxed diagonal.
        share: T,
        /// In 1/s.
        storage: T,
        /// alpha_p.
        relax_pressure: T,
        /// Of the new velocity, in 1/s.
        latest: T,
        /// Of the last one, in 1/s.
        last: T,
        /// Of the one before, in 1/s.
        before: T,
        /// In m/s2.
        force: [T; 3],
    }
}

vortice_gpu::mirrored! {
    /// Numbers of a flow with heat, in `heat.cuh`.
    pub(crate) struct Heat<T> {
        /// alpha / h2 in 1/s.
        diffusion: [T; 3],
        /// alpha / h in m/s.
        conduction: [T; 3],
        /// 1 / h in 1/m.
        inverse_h: [T; 3],
        /// One where the end of a direction has a temperature, else zero.
        fixed: [[T; 2]; 3],
        /// 1 / alpha_T of a steady flow.
        over_alpha: T,
        /// Of convection.
        scheme: i64,
    }
}

/// Slots of what launches find, in `reductions.cuh`.
pub(crate) const MOMENTUM: usize = 0;
pub(crate) const MASS: usize = 1;
pub(crate) const SUM_LOW: usize = 2;
pub(crate) const SUM_HIGH: usize = 3;
pub(crate) const HEAT: usize = 4;
pub(crate) const SLOTS: usize = 5;

/// A number from its bits.
pub(crate) fn number(bits: i64) -> f64 {
    f64::from_bits(bits as u64)
}

impl Fluid<f64> {
    /// The twin of a case's numbers.
    pub(crate) fn new(of: &fluid::Fluid) -> Self {
        Self {
            diffusion: of.diffusion,
            inverse_h: of.inverse_h,
            lift: of.lift,
            outlet_pressure: of.outlet_pressure,
            blend: of.blend,
            rhie_chow: of.rhie_chow,
            units: of.units,
            scheme: of.scheme.into(),
        }
    }
}

impl Heat<f64> {
    /// The twin of what conducts and carries heat.
    pub(crate) fn new(of: &Conductor) -> Self {
        Self {
            diffusion: of.diffusion,
            conduction: of.conduction,
            inverse_h: of.inverse_h,
            fixed: of.fixed,
            over_alpha: 1.0 / of.alpha,
            scheme: of.scheme.into(),
        }
    }
}

impl Factors<f64> {
    /// The twin of a step's factors.
    pub(crate) fn new(of: &settings::Factors) -> Self {
        Self {
            over_alpha: of.over_alpha,
            one_minus_alpha: of.one_minus_alpha,
            share: of.share,
            storage: of.storage,
            relax_pressure: of.relax_pressure,
            latest: of.latest,
            last: of.last,
            before: of.before,
            force: of.force,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body_faces::{BodyCell, BodyFace};
    use crate::forces::ForceFace;
    use crate::stencil;
    use vortice_gpu::differences;

    fn source(name: &str) -> &'static str {
        let program = &super::super::program::PROGRAM;
        let mut texts = program.headers.iter().chain(program.kernels);
        texts.find(|(file, _)| *file == name).expect("a source").1
    }

    #[test]
    fn structures_and_constants_equal_their_twins() {
        let structures = [
            ("fvm/fluid.cuh", "Fluid", Fluid::<f64>::FIELDS),
            ("fvm/fluid.cuh", "Factors", Factors::<f64>::FIELDS),
            ("fvm/heat.cuh", "Heat", Heat::<f64>::FIELDS),
            ("fvm/body_face.cuh", "BodyFace", BodyFace::<f64>::FIELDS),
            ("fvm/body_face.cuh", "BodyCell", BodyCell::FIELDS),
            ("fvm/force_on_faces.cu", "ForceFace", ForceFace::FIELDS),
        ];
        for (file, name, fields) in structures {
            assert_eq!(differences(source(file), name, fields), [""; 0], "{file}");
        }
        let slots = format!(
            "enum Slot {{ MOMENTUM = {MOMENTUM}, MASS = {MASS}, SUM_LOW = {SUM_LOW}, \
             SUM_HIGH = {SUM_HIGH}, HEAT = {HEAT}, SLOTS = {SLOTS} }};"
        );
        assert!(source("fvm/reductions.cuh").contains(&slots), "{slots}");
        let [open, fixed, outlet, mirror] =
            [stencil::OPEN, stencil::FIXED, stencil::OUTLET, stencil::MIRROR];
        let [upwind, central, quick, van_leer] =
            [stencil::UPWIND, stencil::CENTRAL, stencil::QUICK, stencil::VAN_LEER];
        assert_eq!([crate::boundary::SOLID, crate::boundary::BESIDE_BODY], [1 << 6, 1 << 7]);
        for line in [
            format!("OPEN = {open}, FIXED = {fixed}, OUTLET = {outlet}, MIRROR = {mirror};"),
            format!(
                "UPWIND = {upwind}, CENTRAL = {central}, QUICK = {quick}, VAN_LEER = {van_leer};"
            ),
            "SOLID = 1 << 6;".into(),
            "BESIDE_BODY = 1 << 7;".into(),
        ] {
            let line = format!("constexpr int {line}");
            assert!(source("fvm/stencil.cuh").contains(&line), "{line}");
        }
    }
}
