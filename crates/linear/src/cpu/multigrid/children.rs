//! Sums over the fine cells, or faces, that make a coarse one: along x first, then y, then z, in
//! pairs. A child that does not exist counts as 0.

/// What is summed along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// Each pair of neighbours.
    Pairs,
    /// The first of each pair alone.
    Firsts,
    /// All values for themselves: x is not coarsened.
    Singles,
}

/// The sums over 1, 2 or 4 rows of children, one for each value of `out`. Rows begin with the first
/// child; that has no partner before it if there is a `head`, nor has the last one behind it if rows
/// end there.
#[inline(always)]
pub(super) fn sum(along: Along, head: bool, rows: &[&[f64]], mut out: &mut [f64]) {
    let mut all: [&[f64]; 4] = [&[]; 4];
    all[..rows.len()].copy_from_slice(rows);
    let rows = &mut all[..rows.len()];
    if along == Along::Singles {
        return across(rows, out, |child| child);
    }
    let both = along == Along::Pairs;
    if head {
        let (first, others) = out.split_at_mut(1);
        across(rows, first, |child| if both { 0.0 + child } else { child });
        rows.iter_mut().for_each(|row| *row = &row[1..]);
        out = others;
    }
    let (whole, tail) = out.split_at_mut(out.len().min(rows[0].len() / 2));
    let mut pairs: [&[[f64; 2]]; 4] = [&[]; 4];
    pairs.iter_mut().zip(rows.iter()).for_each(|(pairs, row)| *pairs = row.as_chunks().0);
    let pairs = &pairs[..rows.len()];
    if both {
        across(pairs, whole, |[a, b]| a + b);
    } else {
        across(pairs, whole, |[a, _]| a);
    }
    rows.iter_mut().for_each(|row| *row = &row[2 * whole.len()..]);
    across(rows, tail, |child| if both { child + 0.0 } else { child });
}

/// Rows of y in pairs, then those of z.
#[inline(always)]
fn across<T: Copy>(rows: &[&[T]], out: &mut [f64], value: impl Fn(T) -> f64) {
    let n = out.len();
    match *rows {
        [a] => {
            let a = &a[..n];
            for i in 0..n {
                out[i] = value(a[i]);
            }
        }
        [a, b] => {
            let (a, b) = (&a[..n], &b[..n]);
            for i in 0..n {
                out[i] = value(a[i]) + value(b[i]);
            }
        }
        [a, b, c, d] => {
            let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &d[..n]);
            for i in 0..n {
                out[i] = (value(a[i]) + value(b[i])) + (value(c[i]) + value(d[i]));
            }
        }
        _ => unreachable!("directions are halved once"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_summed_in_pairs() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0], [10.0, 20.0, 30.0, 40.0, 50.0]);
        let mut out = [0.0; 3];
        sum(Along::Pairs, false, &[&a, &b], &mut out);
        assert_eq!(out, [33.0, 77.0, 55.0]);
        sum(Along::Firsts, false, &[&a, &b, &a, &b], &mut out);
        assert_eq!(out, [22.0, 66.0, 110.0]);
        sum(Along::Singles, false, &[&a[..3]], &mut out);
        assert_eq!(out, [1.0, 2.0, 3.0]);
        sum(Along::Pairs, true, &[&a], &mut out);
        assert_eq!(out, [1.0, 5.0, 9.0]);
        sum(Along::Firsts, true, &[&a], &mut out);
        assert_eq!(out, [1.0, 2.0, 4.0]);
        sum(Along::Pairs, false, &[&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], &mut out);
        assert_eq!(out, [3.0, 7.0, 11.0]);
    }
}
