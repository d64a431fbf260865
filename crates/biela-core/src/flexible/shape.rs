//! Reference shapes of beams: nodes along a line or a smooth curve through points.

use super::quadrature::gauss;

/// A node of a shape: position and unit tangent.
pub type ShapeNode<const D: usize> = [[f64; D]; 2];

/// Returns nodes at fractions of the length of the line through two points, or of the curve through more, and that length. `None` if two adjacent points
/// coincide or there are fewer than two points.
///
/// The curve is a cubic spline parametrised by chord length. Its end slopes are those of parabolas through the first and last three points.
pub fn along<const D: usize>(
    points: &[[f64; D]],
    shares: &[f64],
) -> Option<(Vec<ShapeNode<D>>, f64)> {
    match points {
        [from, to] => along_line(*from, *to, shares),
        _ => along_spline(points, shares),
    }
}

/// Fractions of the length for equal elements.
fn even(elements: usize) -> Vec<f64> {
    let share = |k: usize| k as f64 / elements as f64;
    (0..=elements).map(share).collect()
}

/// Returns nodes on the line from one point to another, and the length of each element; `None` if the points coincide.
pub fn straight<const D: usize>(
    from: [f64; D],
    to: [f64; D],
    elements: usize,
) -> Option<(Vec<ShapeNode<D>>, f64)> {
    if elements == 0 {
        return None;
    }
    let (nodes, length) = along_line(from, to, &even(elements))?;
    Some((nodes, length / elements as f64))
}

fn along_line<const D: usize>(
    from: [f64; D],
    to: [f64; D],
    shares: &[f64],
) -> Option<(Vec<ShapeNode<D>>, f64)> {
    let way: [f64; D] = std::array::from_fn(|i| to[i] - from[i]);
    let length = size(way);
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let direction = way.map(|x| x / length);
    let node = |share: &f64| [std::array::from_fn(|i| from[i] + share * way[i]), direction];
    Some((shares.iter().map(node).collect(), length))
}

/// Length of a vector.
fn size<const D: usize>(x: [f64; D]) -> f64 {
    x.into_iter().fold(0.0, f64::hypot)
}

/// Returns nodes at equal distances along a curve through three or more points, see [`along`], and the length of each element.
pub fn along_curve<const D: usize>(
    points: &[[f64; D]],
    elements: usize,
) -> Option<(Vec<ShapeNode<D>>, f64)> {
    if elements == 0 {
        return None;
    }
    let (nodes, length) = along_spline(points, &even(elements))?;
    Some((nodes, length / elements as f64))
}

fn along_spline<const D: usize>(
    points: &[[f64; D]],
    shares: &[f64],
) -> Option<(Vec<ShapeNode<D>>, f64)> {
    let n = points.len();
    if n < 3 {
        return None;
    }
    let chord = |k: usize| {
        let way: [f64; D] = std::array::from_fn(|i| points[k + 1][i] - points[k][i]);
        size(way)
    };
    let steps: Vec<f64> = (0..n - 1).map(chord).collect();
    if !steps.iter().all(|h| *h > 0.0 && h.is_finite()) {
        return None;
    }
    let slopes: [Vec<f64>; D] = std::array::from_fn(|axis| {
        let values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
        spline_slopes(&steps, &values)
    });
    let piece = |k: usize, xi: f64| {
        let (s, d) = (
            super::hermite::shape(steps[k], xi),
            super::hermite::slope(steps[k], xi),
        );
        let value = |c: &[f64; 4], axis: usize| {
            c[0] * points[k][axis]
                + c[1] * slopes[axis][k]
                + c[2] * points[k + 1][axis]
                + c[3] * slopes[axis][k + 1]
        };
        let all = |c: &[f64; 4]| -> [f64; D] { std::array::from_fn(|axis| value(c, axis)) };
        [all(&s), all(&d)]
    };
    let speed = |k: usize, xi: f64| size(piece(k, xi)[1]);
    let arc = |k: usize, to: f64| {
        // four parts, so that the length of strongly curved pieces is accurate too
        let part = |q: f64| {
            let width = to / 4.0;
            let sum = gauss(5)
                .iter()
                .map(|(xi, w)| w * speed(k, (q + xi) * width));
            sum.sum::<f64>() * width
        };
        steps[k] * (part(0.0) + part(1.0) + part(2.0) + part(3.0))
    };
    let lengths: Vec<f64> = (0..n - 1).map(|k| arc(k, 1.0)).collect();
    let total: f64 = lengths.iter().sum();
    let mut nodes = Vec::with_capacity(shares.len());
    let (mut k, mut before) = (0, 0.0);
    for share in shares {
        let wanted = total * share;
        while k + 2 < n && before + lengths[k] < wanted {
            before += lengths[k];
            k += 1;
        }
        // Newton's method on the arc length, which increases with ξ
        let mut xi = ((wanted - before) / lengths[k]).clamp(0.0, 1.0);
        for _ in 0..20 {
            let off = before + arc(k, xi) - wanted;
            xi = (xi - off / (steps[k] * speed(k, xi))).clamp(0.0, 1.0);
        }
        let [position, direction] = piece(k, xi);
        let size = size(direction);
        nodes.push([position, direction.map(|x| x / size)]);
    }
    let sound = nodes.iter().flatten().flatten().all(|x| x.is_finite());
    sound.then_some((nodes, total))
}

/// Slopes of the cubic spline through values, with end slopes from parabolas.
fn spline_slopes(steps: &[f64], values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let rise = |k: usize| (values[k + 1] - values[k]) / steps[k];
    let parabola = |h: f64, g: f64, near: f64, far: f64| near + (near - far) * h / (h + g);
    let mut slopes = vec![0.0; n];
    slopes[0] = parabola(steps[0], steps[1], rise(0), rise(1));
    slopes[n - 1] = parabola(steps[n - 2], steps[n - 3], rise(n - 2), rise(n - 3));
    // the second derivative is continuous: h₊ m₋ + 2 (h₋ + h₊) m + h₋ m₊ = 3 (h₊ rise₋ + h₋ rise₊)
    let mut upper = vec![0.0; n];
    for k in 1..n - 1 {
        let (h, g) = (steps[k - 1], steps[k]);
        let mut diagonal = 2.0 * (h + g);
        let mut right = 3.0 * (g * rise(k - 1) + h * rise(k));
        right -= g * slopes[k - 1];
        diagonal -= g * upper[k - 1];
        if k + 1 == n - 1 {
            right -= h * slopes[n - 1];
        } else {
            upper[k] = h / diagonal;
        }
        slopes[k] = right / diagonal;
    }
    for k in (1..n - 1).rev() {
        if k + 1 < n - 1 {
            slopes[k] -= upper[k] * slopes[k + 1];
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_through_points_of_a_circle_is_nearly_the_circle() {
        let points: Vec<[f64; 2]> = (0..=24)
            .map(|k| {
                let angle = f64::from(k) * std::f64::consts::PI / 24.0;
                [2.0 * angle.cos(), 2.0 * angle.sin()]
            })
            .collect();
        let (nodes, length) = along_curve(&points, 10).unwrap();
        assert_eq!(nodes.len(), 11);
        assert!((10.0 * length - std::f64::consts::TAU).abs() < 2e-4);
        for (k, [[x, y], [dx, dy]]) in nodes.into_iter().enumerate() {
            let angle = k as f64 * std::f64::consts::PI / 10.0;
            assert!((x - 2.0 * angle.cos()).hypot(y - 2.0 * angle.sin()) < 5e-4);
            assert!((dx + angle.sin()).hypot(dy - angle.cos()) < 1e-2);
            assert!((dx.hypot(dy) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_curve_through_collinear_points_is_the_line_and_coincident_points_define_no_curve() {
        let line: Vec<[f64; 2]> = (0..5).map(|k| [f64::from(k), 2.0 * f64::from(k)]).collect();
        let (nodes, length) = along_curve(&line, 7).unwrap();
        assert!((7.0 * length - 80.0_f64.sqrt()).abs() < 1e-12);
        let (same, _) = straight([0.0, 0.0], [4.0, 8.0], 7).unwrap();
        let all = |nodes: Vec<ShapeNode<2>>| nodes.into_iter().flatten().flatten();
        for (a, b) in all(nodes).zip(all(same)) {
            assert!((a - b).abs() < 1e-12);
        }
        assert!(along_curve(&[[0.0; 2], [0.0; 2], [1.0; 2]], 3).is_none());
        assert!(straight([1.0; 2], [1.0; 2], 3).is_none());
    }
}
