//! The equation of a scalar in a cell beside solid boxes and bodies; eq. (H23).

use vortice_core::{WallPlace, WalledCell};

use super::CellRows;
use crate::boundary::kind_of;
use crate::scalar::Conductor;
use crate::stencil::{heat_flux, thermal_coefficient};

/// Coefficients, diagonal and residual of a cell.
pub(super) struct ThermalBalance {
    pub(super) a: [f64; 6],
    pub(super) diagonal: f64,
    pub(super) residual: f64,
}

impl CellRows<'_> {
    /// The equation of a cell beside walls; eqs. (H12), (H23). Twin of assemble_walled.cu.
    pub(super) fn balance<const SCHEME: u8>(
        &self,
        place: usize,
        WalledCell { sides, .. }: &WalledCell<f64>,
    ) -> ThermalBalance {
        let (factors, theta) = (self.factors, self.theta);
        let here = theta[place];
        let past = factors.last * self.past[0][place] - factors.before * self.past[1][place];
        let mut balance = ThermalBalance {
            a: [0.0; 6],
            diagonal: factors.latest,
            residual: past - factors.latest * here,
        };
        if !self.source.is_empty() {
            balance.residual += self.source[place];
        }
        for d in 0..self.directions {
            let at = |shift: isize| theta[place.wrapping_add_signed(shift * self.strides[d])];
            let (low, high) = ([at(-1), at(-2)], [at(1), at(2)]);
            let [below, above] = [&sides[2 * d], &sides[2 * d + 1]];
            let [low, low2] = below.beside(here, low, high[0]);
            let [high, high2] = above.beside(here, high, at(-1));
            let next = place.wrapping_add_signed(self.strides[d]);
            let (u, kinds) = (&self.flow.face_velocity[d], self.kinds);
            let is_wall = [below, above].map(|side| side.place == WallPlace::Here);
            // What walls that are exact let pass has the value of the cell, and is left out of its divergence as well.
            let u_low = if is_wall[0] { 0.0 } else { u[place] };
            let u_high = if is_wall[1] { 0.0 } else { u[next] };
            let Conductor { diffusion, conduction, inverse_h, fixed, .. } = self.conductor;
            let (diffusion, conduction) = (diffusion[d], conduction[d]);
            let (inverse_h, fixed) = (inverse_h[d], fixed[d]);
            let of_side = |side: usize, place: usize, inward: f64| match is_wall[side] {
                true => 0.0,
                false => {
                    let kind = kind_of(kinds[place], d);
                    thermal_coefficient(kind, diffusion, fixed[side], inward)
                }
            };
            let mut a =
                [of_side(0, place, u_low * inverse_h), of_side(1, next, -u_high * inverse_h)];
            balance.diagonal += a[0] + a[1];
            if is_wall[0] {
                balance.diagonal -= diffusion * below.of_here;
                a[1] += diffusion * below.of_behind;
            }
            if is_wall[1] {
                balance.diagonal -= diffusion * above.of_here;
                a[0] += diffusion * above.of_behind;
            }
            (balance.a[2 * d], balance.a[2 * d + 1]) = (a[0], a[1]);
            let through = |is_wall: bool, v: f64, q: [f64; 4]| match is_wall {
                true => -conduction * (q[2] - q[1]),
                false => heat_flux::<SCHEME>(v, q, conduction),
            };
            let enters = through(is_wall[0], u_low, [low2, low, here, high]);
            let leaves = through(is_wall[1], u_high, [low, here, high, high2]);
            balance.residual += inverse_h * ((enters - leaves) + here * (u_high - u_low));
        }
        balance
    }
}
