//! Circles and spheres. Only operations that are rounded alike everywhere: sums, products, quotients, roots.

/// Distance of a point from a circle or sphere, negative inside.
pub(super) fn distance<const D: usize>(point: [f64; D], centre: [f64; D], radius: f64) -> f64 {
    let from_centre = minus(point, centre);
    dot(from_centre, from_centre).sqrt() - radius
}

/// Where a straight line first meets a circle or sphere, as a share of its length: the least root in [0, 1] of
/// `a t^2 + 2 b t + c`.
pub(super) fn crossing<const D: usize>(
    from: [f64; D],
    to: [f64; D],
    centre: [f64; D],
    radius: f64,
) -> Option<f64> {
    let (line, from_centre) = (minus(to, from), minus(from, centre));
    let a = dot(line, line);
    let b = dot(line, from_centre);
    let c = dot(from_centre, from_centre) - radius * radius;
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || a == 0.0 {
        return None;
    }
    // The root of larger size without a difference of like numbers, the other by their product.
    let sum = -b - discriminant.sqrt().copysign(b);
    let roots = if sum == 0.0 { [0.0; 2] } else { [sum / a, c / sum] };
    let [first, second] = if roots[0] <= roots[1] { roots } else { [roots[1], roots[0]] };
    [first, second].into_iter().find(|t| (0.0..=1.0).contains(t))
}

fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|d| a[d] - b[d])
}

fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, d| sum + a[d] * b[d])
}
