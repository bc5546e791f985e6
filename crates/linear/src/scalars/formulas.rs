//! The formulas themselves.

use super::{Slot, Slots, Status};

/// (r^, r) or (r^, v) below this part of the product of norms is rounding only.
const ROUNDING: f64 = 1e-14;

/// Least cosine between t and s with which omega is trusted; Sleijpen and van der Vorst 1995.
const LEAST_COSINE: f64 = 0.7;

/// How often BiCGSTAB may begin anew.
const MOST_RESTARTS: f64 = 3.0;

impl Slots {
    fn end(&mut self, status: Status) {
        self[Slot::Status] = status as u8 as f64;
        self[Slot::Flag] = 0.0;
    }

    pub(super) fn start(&mut self) {
        self[Slot::Target] = self[Slot::Relative] * self[Slot::Bb].sqrt() + self[Slot::Absolute];
        self[Slot::RrStart] = self[Slot::Rr];
        self[Slot::Rho] = self[Slot::Rr];
        self[Slot::HatHat] = self[Slot::Rr];
        self.look();
    }

    pub(super) fn look(&mut self) {
        let (rr, target) = (self[Slot::Rr], self[Slot::Target]);
        if !(rr.is_finite() && target.is_finite()) {
            self.end(Status::Breakdown);
        } else if rr.sqrt() <= target {
            self.end(Status::Converged);
        }
    }

    pub(super) fn next(&mut self) {
        self[Slot::Iterations] += 1.0;
        self.look();
    }

    pub(super) fn cg_direction(&mut self) {
        let (zr, old) = (self[Slot::Zr], self[Slot::ZrOld]);
        self[Slot::Beta] = if old == 0.0 { 0.0 } else { zr / old };
        self[Slot::ZrOld] = zr;
        self.must_be_positive(zr, self[Slot::Beta]);
    }

    pub(super) fn cg_step(&mut self) {
        self[Slot::Alpha] = self[Slot::Zr] / self[Slot::Pq];
        self.must_be_positive(self[Slot::Pq], self[Slot::Alpha]);
    }

    pub(super) fn cg_both(&mut self) {
        self.look();
        if self.status() != Status::Running {
            return;
        }
        let (zr, old, alpha_old) = (self[Slot::Zr], self[Slot::ZrOld], self[Slot::Alpha]);
        let first = old == 0.0;
        let beta = if first { 0.0 } else { zr / old };
        let shared = if first { 0.0 } else { beta * zr / alpha_old };
        let curvature = self[Slot::Pq] - shared;
        self[Slot::Beta] = beta;
        self[Slot::Alpha] = zr / curvature;
        self[Slot::ZrOld] = zr;
        self.must_be_positive(zr, beta);
        self.must_be_positive(curvature, self[Slot::Alpha]);
        if self.status() == Status::Running {
            self[Slot::Iterations] += 1.0;
        }
    }

    /// Products with positive definite matrices are, and quotients of them are finite.
    fn must_be_positive(&mut self, product: f64, quotient: f64) {
        if !(product > 0.0 && quotient.is_finite()) {
            self.end(Status::Breakdown);
        }
    }

    pub(super) fn bi_step(&mut self) {
        let least = ROUNDING * (self[Slot::HatHat] * self[Slot::Vv]).sqrt();
        let product = self[Slot::HatV];
        // Without a step along the direction there is still one along the residual.
        let alpha = if product.abs() <= least { 0.0 } else { self[Slot::Rho] / product };
        self[Slot::Alpha] = alpha;
        if !(alpha.is_finite() && least.is_finite()) {
            self.end(Status::Breakdown);
        }
    }

    pub(super) fn bi_omega(&mut self) {
        let (ts, tt, ss) = (self[Slot::Ts], self[Slot::Tt], self[Slot::Ss]);
        let mut omega = if tt == 0.0 { 0.0 } else { ts / tt };
        let cosine = ts.abs() / (tt.sqrt() * ss.sqrt());
        if cosine > 0.0 && cosine < LEAST_COSINE {
            omega *= LEAST_COSINE / cosine;
        }
        self[Slot::Omega] = omega;
        if !(omega.is_finite() && ss.is_finite()) {
            self.end(Status::Breakdown);
        }
    }

    pub(super) fn bi_next(&mut self) {
        self[Slot::Flag] = 0.0;
        self.next();
        if self.status() != Status::Running {
            return;
        }
        let (rr, next) = (self[Slot::Rr], self[Slot::RhoNext]);
        let beta = (next / self[Slot::Rho]) * (self[Slot::Alpha] / self[Slot::Omega]);
        let least = ROUNDING * (self[Slot::HatHat] * rr).sqrt();
        if self[Slot::Alpha] != 0.0 && next.abs() > least && beta.is_finite() {
            self[Slot::Beta] = beta;
            self[Slot::Rho] = next;
        } else if self[Slot::Restarts] < MOST_RESTARTS {
            self[Slot::Restarts] += 1.0;
            self[Slot::Beta] = 0.0;
            self[Slot::Rho] = rr;
            self[Slot::HatHat] = rr;
            self[Slot::Flag] = 1.0;
        } else {
            self.end(Status::Breakdown);
        }
    }

    pub(super) fn finish(&mut self) {
        let worse = self[Slot::Rr].is_nan() || self[Slot::Rr] > self[Slot::RrStart];
        self[Slot::Flag] = f64::from(u8::from(worse));
        if worse {
            self[Slot::Rr] = self[Slot::RrStart];
        }
    }
}
