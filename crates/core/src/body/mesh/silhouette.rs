//! What a surface of triangles shows to a flow along x.

use rayon::prelude::*;

use super::Mesh;

/// Strips across z that its outline is cut into.
const STRIPS: usize = 1024;

impl Mesh {
    /// Area in m2 of its shadow along x on a window in y and z.
    pub(crate) fn silhouette(&self, [y, z]: [[f64; 2]; 2]) -> f64 {
        let [low, high] = self.bounds;
        let [bottom, top] = [low[2].max(z[0]), high[2].min(z[1])];
        let thickness = (top - bottom) / STRIPS as f64;
        if !(thickness > 0.0 && thickness.is_finite()) {
            return 0.0;
        }
        let width = |n: usize| self.width(y, bottom + (n as f64 + 0.5) * thickness);
        // Added up in their order, whichever thread has found them.
        let widths: Vec<f64> = (0..STRIPS).into_par_iter().map(width).collect();
        widths.iter().sum::<f64>() * thickness
    }

    /// How wide its shadow is at a height.
    fn width(&self, [least, most]: [f64; 2], z: f64) -> f64 {
        let mut covered: Vec<[f64; 2]> = Vec::new();
        self.tree.each(
            |low, high| low[2] <= z && high[2] >= z,
            |t| {
                let corners = &self.corners[t as usize];
                let edges = (0..3).map(|k| [corners[k], corners[(k + 1) % 3]]);
                let met = edges.filter(|[p, q]| (p[2] > z) != (q[2] > z));
                let places = met.map(|[p, q]| p[1] + (z - p[2]) / (q[2] - p[2]) * (q[1] - p[1]));
                let (first, last) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, y| {
                    (y.min(ends.0), y.max(ends.1))
                });
                covered.push([first.max(least), last.min(most)]);
            },
        );
        covered.retain(|[first, last]| first < last);
        covered.sort_unstable_by(|one, other| one[0].total_cmp(&other[0]));
        let (mut width, mut end) = (0.0, f64::NEG_INFINITY);
        for [first, last] in covered {
            width += (last - first.max(end)).max(0.0);
            end = end.max(last);
        }
        width
    }
}
