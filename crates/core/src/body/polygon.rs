//! Polygons in the plane of x and y.

/// A closed polygon that does not cross itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    corners: Vec<[f64; 2]>,
}

type Side = [[f64; 2]; 2];

impl Polygon {
    /// Of its corners in m, in either sense of rotation.
    ///
    /// # Errors
    /// If they are fewer than three, if two in a row are the same or if two sides cross: the problem and the remedy.
    pub fn new(corners: Vec<[f64; 2]>) -> Result<Self, [String; 2]> {
        let n = corners.len();
        if n < 3 {
            return Err([
                format!("{n} corners enclose nothing"),
                "give three corners or more".into(),
            ]);
        }
        let polygon = Self { corners };
        let sides: Vec<Side> = polygon.sides().collect();
        if let Some(k) = sides.iter().position(|[from, to]| from == to) {
            let [x, y] = sides[k][0];
            let problem = format!("the corner [{x}, {y}] comes twice in a row");
            return Err([problem, "leave one of them out".into()]);
        }
        for i in 0..n {
            // Neighbours share a corner.
            for j in i + 2..if i == 0 { n - 1 } else { n } {
                if share(sides[i], sides[j]).is_some() {
                    let problem = format!("its sides {} and {} cross", i + 1, j + 1);
                    return Err([problem, "give the corners in their order around it".into()]);
                }
            }
        }
        Ok(polygon)
    }

    /// Its corners in m.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    pub(super) fn bounds(&self) -> [[f64; 2]; 2] {
        let [mut low, mut high] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for corner in &self.corners {
            for d in 0..2 {
                low[d] = low[d].min(corner[d]);
                high[d] = high[d].max(corner[d]);
            }
        }
        [low, high]
    }

    /// Distance of a point, negative inside.
    pub(super) fn distance(&self, point: [f64; 2]) -> f64 {
        let square = self.sides().map(|side| square_distance(point, side));
        let distance = square.fold(f64::INFINITY, f64::min).sqrt();
        if self.holds(point) { -distance } else { distance }
    }

    /// Where a straight line first meets a side, as a share of its length.
    pub(super) fn crossing(&self, from: [f64; 2], to: [f64; 2]) -> Option<f64> {
        let all = self.sides().filter_map(|side| share([from, to], side));
        all.min_by(f64::total_cmp)
    }

    /// Whether a point lies inside: a ray along x leaves through an odd number of sides.
    fn holds(&self, [x, y]: [f64; 2]) -> bool {
        let leaves = |[a, b]: &Side| {
            (a[1] > y) != (b[1] > y) && {
                let there = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
                x < there
            }
        };
        self.sides().filter(leaves).count() % 2 == 1
    }

    fn sides(&self) -> impl Iterator<Item = Side> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(&from, &to)| [from, to])
    }
}

/// Square of the distance of a point from a side.
fn square_distance(point: [f64; 2], [from, to]: Side) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let arm = [point[0] - from[0], point[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let t = ((arm[0] * along[0] + arm[1] * along[1]) / length).clamp(0.0, 1.0);
    let gap = [arm[0] - t * along[0], arm[1] - t * along[1]];
    gap[0] * gap[0] + gap[1] * gap[1]
}

/// Where a line meets another, as a share of its own length.
fn share([a, b]: Side, [c, d]: Side) -> Option<f64> {
    let (line, side, gap) =
        ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]], [c[0] - a[0], c[1] - a[1]]);
    let area = line[0] * side[1] - line[1] * side[0];
    if area == 0.0 {
        return None;
    }
    let t = (gap[0] * side[1] - gap[1] * side[0]) / area;
    let s = (gap[0] * line[1] - gap[1] * line[0]) / area;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then_some(t)
}
