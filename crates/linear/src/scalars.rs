//! The scalars of an iteration and what is computed from them: pure functions, so that they may live
//! on a device, where an iteration needs no look from the host.

mod formulas;

use std::ops::{Index, IndexMut};

/// A numbered place of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Slot {
    /// A [`Status`] as a number.
    Status,
    /// Iterations done.
    Iterations,
    /// Part of the right-hand side's norm to which the residual's shall fall.
    Relative,
    /// What is added to that.
    Absolute,
    /// The norm to which the residual's shall fall.
    Target,
    /// (b, b).
    Bb,
    /// (r, r).
    Rr,
    /// (r, r) at the start.
    RrStart,
    /// (z, r), z = M r.
    Zr,
    /// The one before.
    ZrOld,
    /// (p, q), q = A p.
    Pq,
    /// Step along a direction.
    Alpha,
    /// Part of the old direction in the new one.
    Beta,
    /// Step along the residual in BiCGSTAB.
    Omega,
    /// (r^, r) of BiCGSTAB, with the residual r^ of the start.
    Rho,
    /// The one after.
    RhoNext,
    /// (r^, v), v = A M p.
    HatV,
    /// (v, v).
    Vv,
    /// (r^, r^).
    HatHat,
    /// (t, s), t = A M s.
    Ts,
    /// (t, t).
    Tt,
    /// (s, s).
    Ss,
    /// Times that BiCGSTAB began anew.
    Restarts,
    /// Not 0 if what follows shall be done.
    Flag,
    /// Sum of a vector.
    Sum,
    /// Cells that it was taken over.
    Count,
    /// Their mean.
    Mean,
}

/// Number of slots.
pub const SLOTS: usize = Slot::Mean as usize + 1;

/// All scalars of an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slots(pub [f64; SLOTS]);

/// How an iteration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Running = 0,
    /// The residual is as small as wanted.
    Converged = 1,
    /// It cannot go on: a division by zero, or something that is not a number.
    Breakdown = 2,
}

/// Scalars from scalars. None but [`Formula::Finish`] does anything once an iteration has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Formula {
    /// The target, and whether the start meets it; from Bb and Rr.
    Start,
    /// Beta of conjugate gradients; from Zr.
    CgDirection,
    /// Alpha of conjugate gradients; from Pq.
    CgStep,
    /// Alpha and Beta of conjugate gradients with a single reduction; from Rr, Zr and
    /// Pq = (w, u), w = A u, u = M r.
    CgBoth,
    /// One more iteration is done, and whether its Rr meets the target.
    Next,
    /// Whether Rr meets the target.
    Look,
    /// Alpha of BiCGSTAB; from HatV and Vv.
    BiStep,
    /// Omega of BiCGSTAB; from Ts, Tt and Ss.
    BiOmega,
    /// One more iteration of BiCGSTAB is done, whether its Rr meets the target, and Beta; or that
    /// it shall begin anew, and Flag; from Rr and RhoNext.
    BiNext,
    /// Mean, from Sum and Count.
    Mean,
    /// Flag: whether the residual is larger than at the start; and then it is that again.
    Finish,
}

impl Slots {
    /// At the beginning of an iteration that shall stop at `relative * ||b|| + absolute`.
    pub fn begin(relative: f64, absolute: f64) -> Self {
        let mut slots = Self([0.0; SLOTS]);
        slots[Slot::Relative] = relative;
        slots[Slot::Absolute] = absolute;
        slots
    }

    /// Status.
    pub fn status(&self) -> Status {
        match self[Slot::Status] {
            0.0 => Status::Running,
            1.0 => Status::Converged,
            _ => Status::Breakdown,
        }
    }

    /// Computes a formula.
    pub fn evaluate(&mut self, formula: Formula) {
        if formula == Formula::Finish {
            return self.finish();
        }
        if self.status() != Status::Running {
            return;
        }
        match formula {
            Formula::Start => self.start(),
            Formula::CgDirection => self.cg_direction(),
            Formula::CgStep => self.cg_step(),
            Formula::CgBoth => self.cg_both(),
            Formula::Next => self.next(),
            Formula::Look => self.look(),
            Formula::BiStep => self.bi_step(),
            Formula::BiOmega => self.bi_omega(),
            Formula::BiNext => self.bi_next(),
            Formula::Mean => {
                let empty = self[Slot::Count] == 0.0;
                self[Slot::Mean] = if empty { 0.0 } else { self[Slot::Sum] / self[Slot::Count] };
            }
            Formula::Finish => {}
        }
    }
}

impl Index<Slot> for Slots {
    type Output = f64;

    fn index(&self, slot: Slot) -> &f64 {
        &self.0[slot as usize]
    }
}

impl IndexMut<Slot> for Slots {
    fn index_mut(&mut self, slot: Slot) -> &mut f64 {
        &mut self.0[slot as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(bb: f64, rr: f64) -> Slots {
        let mut slots = Slots::begin(1e-2, 0.0);
        (slots[Slot::Bb], slots[Slot::Rr]) = (bb, rr);
        slots.evaluate(Formula::Start);
        slots
    }

    #[test]
    fn an_iteration_ends_once() {
        let mut slots = started(4.0, 4.0);
        assert_eq!((slots.status(), slots[Slot::Target]), (Status::Running, 0.02));
        slots[Slot::Rr] = 3e-4;
        slots.evaluate(Formula::Next);
        assert_eq!((slots.status(), slots[Slot::Iterations]), (Status::Converged, 1.0));
        let ended = slots;
        for formula in [Formula::CgDirection, Formula::CgStep, Formula::Next, Formula::BiNext] {
            slots.evaluate(formula);
            assert_eq!(slots, ended, "{formula:?}");
        }
        assert_eq!(started(0.0, 0.0).status(), Status::Converged);
        assert_eq!(started(f64::NAN, 1.0).status(), Status::Breakdown);
        assert_eq!(started(1.0, f64::INFINITY).status(), Status::Breakdown);
    }

    #[test]
    fn a_matrix_that_is_not_positive_is_seen() {
        for pq in [0.0, -1.0, f64::NAN] {
            let mut slots = started(1.0, 1.0);
            (slots[Slot::Zr], slots[Slot::Pq]) = (1.0, pq);
            slots.evaluate(Formula::CgStep);
            assert_eq!(slots.status(), Status::Breakdown, "{pq}");
        }
    }

    #[test]
    fn stabilised_gradients_begin_anew_three_times() {
        let mut slots = started(1.0, 1.0);
        for restart in 1..=4 {
            (slots[Slot::Alpha], slots[Slot::Omega]) = (0.5, 0.5);
            (slots[Slot::Rr], slots[Slot::RhoNext]) = (0.25, 1e-16);
            slots.evaluate(Formula::BiNext);
            let flag = if restart < 4 { 1.0 } else { 0.0 };
            assert_eq!(slots[Slot::Flag], flag);
            assert_eq!(slots[Slot::Beta], 0.0);
        }
        assert_eq!(slots.status(), Status::Breakdown);
    }

    #[test]
    fn a_result_is_not_worse_than_the_start() {
        let mut slots = started(1.0, 1.0);
        slots[Slot::Rr] = f64::NAN;
        slots.evaluate(Formula::Next);
        slots.evaluate(Formula::Finish);
        assert_eq!((slots[Slot::Flag], slots[Slot::Rr]), (1.0, 1.0));
    }
}
