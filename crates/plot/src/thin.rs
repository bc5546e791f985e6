//! Fewer points for the same line, after Douglas and Peucker (1973).

type Point = (f64, f64);

/// The points of a line that it cannot do without if no other may be further than `tolerance` from
/// it.
pub(crate) fn thinned(points: &[Point], tolerance: f64) -> Vec<Point> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let mut kept = vec![false; points.len()];
    let last = points.len() - 1;
    (kept[0], kept[last]) = (true, true);
    let mut parts = vec![(0, last)];
    while let Some((from, to)) = parts.pop() {
        let far = |n: &usize| distance(points[*n], points[from], points[to]);
        let farthest = (from + 1..to).max_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(n) = farthest.filter(|n| far(n) > tolerance) {
            kept[n] = true;
            parts.extend([(from, n), (n, to)]);
        }
    }
    points.iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

/// How far a point is from the line between two others.
fn distance((x, y): Point, (ax, ay): Point, (bx, by): Point) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let square = dx * dx + dy * dy;
    let share = ((x - ax) * dx + (y - ay) * dy) / square;
    let share = if square > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
    (x - ax - share * dx).hypot(y - ay - share * dy)
}
