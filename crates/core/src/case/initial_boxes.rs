//! Boxes in which a flow begins with another velocity.

/// A box with the velocity in it at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialBox {
    /// Its name in the case.
    pub name: String,
    /// Low corner in m.
    pub low: [f64; 3],
    /// High corner in m.
    pub high: [f64; 3],
    /// In m/s.
    pub velocity: [f64; 3],
}

impl InitialBox {
    /// Whether a point (m) lies in it; its low faces belong to it, its high ones do not.
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|d| self.low[d] <= point[d] && point[d] < self.high[d])
    }
}
