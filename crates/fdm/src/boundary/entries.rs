//! The entries of the lists of boundary values, as the processor applies them and as kernels are given
//! them; twins of those in `kernels/fdm/boundary.cuh`. Places are those of a padded field, components 0
//! to 2 stand for u, v and w.

use vortice_core::Real;

vortice_gpu::mirrored! {
    /// A face with a prescribed velocity, which its prediction has too.
    pub(crate) struct Fixed<T> {
        /// Place of the face.
        target: i64,
        component: i32,
        /// To fill the structure.
        unused: i32,
        /// In m/s.
        value: T,
        /// To fill the structure.
        filler: T,
    }
}

vortice_gpu::mirrored! {
    /// A value outside the flow, made from one or two values inside:
    /// `target = add + sign * (first + second) / 2`.
    pub(crate) struct Ghost<T> {
        target: i64,
        first: i64,
        second: i64,
        /// The same for entries that read or write what others write: these follow each other, and are
        /// to be done in their order.
        group: u32,
        component: i32,
        /// 1 or -1.
        sign: T,
        /// In m/s.
        add: T,
    }
}

vortice_gpu::mirrored! {
    /// A face through which the flow leaves: its velocity follows the inner neighbour's and the
    /// pressure drop over half a cell.
    pub(crate) struct Outlet<T> {
        /// Place of the face.
        face: i64,
        /// Place of the next face inside.
        inner: i64,
        /// Place of the last cell before it; for kernels its colour and twice its place in that.
        cell: i64,
        component: i32,
        /// To fill the structure.
        unused: i32,
        /// Kinematic pressure at the face in m2/s2.
        pressure: T,
        /// Twice the inverse spacing, with the sign of the outward normal, in 1/m.
        gradient: T,
    }
}

vortice_gpu::mirrored! {
    /// A velocity at a convective outlet, which follows the one next to it inside.
    pub(crate) struct Carried {
        target: i64,
        /// Place of the value inside.
        inner: i64,
        component: i32,
        /// 1 for a face of an own cell, whose flux counts, else 0.
        counts: i32,
    }
}

vortice_gpu::mirrored! {
    /// A face beside a body: `target = constant + sum of weight * value` over its entries, less its share of
    /// what leaks into the body.
    pub(crate) struct ForcedFace<T> {
        /// Place of the face.
        target: i64,
        /// Its first entry.
        first: u32,
        /// How many entries.
        count: u32,
        component: i32,
        body: i32,
        /// 1 where a positive velocity leaves the flow, -1 where it enters, 0 inside of the body.
        outward: T,
        /// In m/s.
        constant: T,
    }
}

vortice_gpu::mirrored! {
    /// A face whose velocity others are made of.
    pub(crate) struct Source {
        place: i64,
        component: i32,
        /// To fill the structure.
        unused: i32,
    }
}

impl Source {
    /// A component's face at this place.
    pub(super) fn new(component: usize, place: usize) -> Self {
        Self { place: place as i64, component: component as i32, unused: 0 }
    }
}

impl<T: Real> Fixed<T> {
    /// A component's prescribed value in m/s.
    pub(super) fn new(component: usize, target: usize, value: T) -> Self {
        let (component, target) = (component as i32, target as i64);
        Self { target, component, unused: 0, value, filler: T::default() }
    }
}

impl<T: Real> Outlet<T> {
    /// What the prescribed pressure is in the pressure equation of the last cell: over half the squared
    /// spacing, in 1/s2.
    pub(crate) fn load(&self) -> T {
        self.pressure * self.gradient * self.gradient * T::from_f64(0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_gpu::differences;

    #[test]
    fn structures_equal_their_twins() {
        let header = include_str!("../../../../kernels/fdm/boundary.cuh");
        for (name, fields) in [
            ("Fixed", Fixed::<f32>::FIELDS),
            ("Ghost", Ghost::<f32>::FIELDS),
            ("Outlet", Outlet::<f32>::FIELDS),
            ("Carried", Carried::FIELDS),
            ("ForcedFace", ForcedFace::<f32>::FIELDS),
            ("Source", Source::FIELDS),
        ] {
            assert_eq!(differences(header, name, fields), [""; 0]);
        }
    }
}
