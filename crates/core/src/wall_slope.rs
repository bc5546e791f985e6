//! The slope of the velocity at a wall, as a method's own equations have it.

/// What a method's cells hold beside a wall, and with it the slope of the velocity there, eq. (P4).
///
/// Where the flow beside a wall is `u_w + s y + c y^2/2`, the cells of a method of the second order
/// hold `u_w + s y + c (y^2/2 - beta h^2)`. The number `beta` follows from how the method closes its
/// equations at walls. Leaving it out costs the slope an order: it is then off by about `h c`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallSlope {
    /// `beta` in x, y and z.
    offset: [f64; 3],
}

impl WallSlope {
    /// Of cells that hold the flow's own values.
    pub const EXACT: Self = Self { offset: [0.0; 3] };

    /// Of a method that mirrors the cell beside a wall about the wall's velocity, so that its friction
    /// is that of a straight line: `beta = 1/8`.
    pub const MIRRORED: Self = Self { offset: [0.125; 3] };

    /// Of `beta` in x, y and z; more than -3/8.
    pub fn of(offset: [f64; 3]) -> Self {
        Self { offset }
    }

    /// `beta` in a direction.
    pub fn offset(&self, direction: usize) -> f64 {
        self.offset[direction]
    }

    /// The slope in 1/s at a wall across a direction: of a component of the velocity in m/s, towards
    /// the fluid. `wall` is that of the wall, `near` and `next` are those of the two nearest cells, if
    /// there are two; `h` is the spacing in m.
    pub fn at(&self, direction: usize, h: f64, wall: f64, near: f64, next: Option<f64>) -> f64 {
        let beta = self.offset[direction];
        match next {
            Some(next) if beta != 0.125 => {
                let (one, other) = (1.125 - beta, 0.125 - beta);
                (one * (near - wall) - other * (next - wall)) / ((0.375 + beta) * h)
            }
            _ => 2.0 * (near - wall) / h,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_shifted_parabola_is_exact() {
        let (wall, slope, bend, h) = (0.7, -1.3, 2.9, 0.05);
        for beta in [-0.12, 0.0, 0.03, 0.125, 1.4] {
            let rule = WallSlope::of([0.0, beta, 0.0]);
            let cell = |y: f64| wall + slope * y + bend * (0.5 * y * y - beta * h * h);
            let found = rule.at(1, h, wall, cell(0.5 * h), Some(cell(1.5 * h)));
            assert!((found - slope).abs() < 1e-12, "{beta}: {found}");
        }
    }

    #[test]
    fn a_mirrored_cell_and_a_cell_alone_make_a_straight_line() {
        let line = |rule: WallSlope, next| rule.at(0, 0.5, 1.0, 1.25, next);
        assert_eq!(line(WallSlope::MIRRORED, Some(7.0)), 1.0);
        assert_eq!(line(WallSlope::EXACT, None), 1.0);
        assert_eq!(line(WallSlope::EXACT, Some(1.75)), 1.0);
    }
}
