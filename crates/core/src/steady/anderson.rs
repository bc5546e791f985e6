//! Anderson's acceleration of rounds that are repeated until they change nothing (Anderson 1965; Walker and Ni 2011):
//! docs/src/theory/equations.md.

use std::collections::{BTreeMap, VecDeque};

use rayon::prelude::*;

use crate::communicator::Communicator;
use crate::error::Result;
use crate::field::Field;
use crate::real::Real;
use crate::state::{State, Storable, Values};

/// Earlier rounds whose change is so nearly a mixture of that of later ones are left out: the share of its square that is not.
const INDEPENDENT: f64 = 1e-8;

/// How many times the change of the last round that of the next may be; more, and all before it is forgotten.
const GROWTH: f64 = 4.0;

/// Numbers that a thread takes at least.
const TOGETHER: usize = 1 << 14;

/// One in a product of two numbers of at most one.
const UNIT: f64 = (1_u64 << 62) as f64;

/// What a round led to, and how far it went.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) fields: BTreeMap<String, Values>,
    /// In each own cell, components of the velocity and scalars, as shares of their scales.
    pub(super) change: Vec<f64>,
}

/// The last rounds.
#[derive(Debug)]
pub(super) struct Anderson {
    /// Differences between rounds that are kept at most.
    most: usize,
    pub(super) last: Option<Round>,
    /// Of a round to the one before it, the latest last.
    pub(super) differences: VecDeque<Round>,
    /// Products of their changes with those of the same and earlier differences; the latest last.
    products: VecDeque<Vec<f64>>,
}

impl Anderson {
    pub(super) fn new(most: usize) -> Self {
        let (differences, products) = (VecDeque::new(), VecDeque::new());
        Self { most, last: None, differences, products }
    }

    /// Of rounds that were kept.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(super) fn of(
        most: usize,
        last: Option<Round>,
        differences: VecDeque<Round>,
        ranks: &dyn Communicator,
    ) -> Result<Self> {
        let mut all = Self { last, ..Self::new(most) };
        for difference in differences {
            all.keep(difference, ranks)?;
        }
        Ok(all)
    }

    /// Makes of the state that a round led to the one with which the next begins; eq. (N13). Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(super) fn mix(
        &mut self,
        state: &mut State,
        change: Vec<f64>,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let round = Round { fields: state.fields.clone(), change };
        if let Some(last) = self.last.take() {
            let size = |round: &Round| product(&[(&round.change, &round.change)], ranks);
            if size(&round)?[0] > GROWTH * GROWTH * size(&last)?[0] {
                self.differences.clear();
                self.products.clear();
            } else {
                self.keep(last.to(&round), ranks)?;
            }
        }
        let shares = self.shares(&round.change, ranks)?;
        for (name, values) in &mut state.fields {
            let others = self.differences.iter().filter_map(|one| one.fields.get(name));
            match values {
                Values::F64(field) => {
                    add(&mut field.values, others.filter_map(f64::field), &shares)
                }
                Values::F32(field) => {
                    add(&mut field.values, others.filter_map(f32::field), &shares)
                }
            }
        }
        self.last = Some(round);
        Ok(())
    }

    fn keep(&mut self, difference: Round, ranks: &dyn Communicator) -> Result<()> {
        self.differences.push_back(difference);
        if self.differences.len() > self.most {
            self.differences.pop_front();
            self.products.pop_front();
            self.products.iter_mut().for_each(|row| {
                row.remove(0);
            });
        }
        let Some(latest) = self.differences.back() else { return Ok(()) };
        let all = self.differences.iter();
        let pairs: Vec<Pair<'_>> = all.map(|other| (&*latest.change, &*other.change)).collect();
        self.products.push_back(product(&pairs, ranks)?);
        Ok(())
    }

    /// What of each difference is taken away, so that the change that is left is the smallest; eq. (N12).
    fn shares(&self, change: &[f64], ranks: &dyn Communicator) -> Result<Vec<f64>> {
        let n = self.differences.len();
        let pairs: Vec<Pair<'_>> =
            self.differences.iter().map(|one| (&*one.change, change)).collect();
        let sides = product(&pairs, ranks)?;
        let between = |i: usize, j: usize| self.products[i.max(j)][i.min(j)];
        // Cholesky's factors, the latest first: what hardly differs from these is left out.
        let (mut taken, mut factors): (Vec<usize>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for i in (0..n).rev() {
            let mut row: Vec<f64> = Vec::new();
            for (k, &j) in taken.iter().enumerate() {
                let done: f64 = row.iter().zip(&factors[k]).map(|(a, b)| a * b).sum();
                row.push((between(i, j) - done) / factors[k][k]);
            }
            let rest = between(i, i) - row.iter().map(|a| a * a).sum::<f64>();
            if rest > INDEPENDENT * between(i, i) {
                row.push(rest.sqrt());
                factors.push(row);
                taken.push(i);
            }
        }
        let m = taken.len();
        let mut found = vec![0.0; m];
        for k in 0..m {
            let done: f64 = found[..k].iter().zip(&factors[k]).map(|(a, b)| a * b).sum();
            found[k] = (sides[taken[k]] - done) / factors[k][k];
        }
        for k in (0..m).rev() {
            let done: f64 = (k + 1..m).map(|l| factors[l][k] * found[l]).sum();
            found[k] = (found[k] - done) / factors[k][k];
        }
        let mut shares = vec![0.0; n];
        taken.iter().zip(found).for_each(|(&i, share)| shares[i] = share);
        Ok(shares)
    }
}

impl Round {
    /// The difference to a later one.
    fn to(mut self, later: &Self) -> Self {
        for (values, later) in self.fields.values_mut().zip(later.fields.values()) {
            match (values, later) {
                (Values::F64(x), Values::F64(y)) => subtract_from(&mut x.values, &y.values),
                (Values::F32(x), Values::F32(y)) => subtract_from(&mut x.values, &y.values),
                _ => unreachable!("fields of a run stay of one number type"),
            }
        }
        subtract_from(&mut self.change, &later.change);
        self
    }
}

/// x = y - x.
fn subtract_from<T: Real>(x: &mut [T], y: &[T]) {
    x.par_iter_mut().zip(y).with_min_len(TOGETHER).for_each(|(x, y)| *x = *y - *x);
}

/// x = x - the sum of so much of each of the others, in one pass over all.
fn add<'a, T: Storable>(x: &mut [T], others: impl Iterator<Item = &'a Field<T>>, shares: &[f64]) {
    let others: Vec<&[T]> = others.map(|other| &*other.values).collect();
    x.par_chunks_mut(TOGETHER).enumerate().for_each(|(number, x)| {
        for (other, share) in others.iter().zip(shares) {
            let other = &other[number * TOGETHER..][..x.len()];
            x.iter_mut()
                .zip(other)
                .for_each(|(x, y)| *x = T::from_f64(x.to_f64() - share * y.to_f64()));
        }
    });
}

/// What an inner product is of.
type Pair<'a> = (&'a [f64], &'a [f64]);

/// Inner products over all ranks, by whole numbers: the same bits for any number of threads and ranks.
fn product(pairs: &[Pair<'_>], ranks: &dyn Communicator) -> Result<Vec<f64>> {
    let largest =
        |x: &[f64]| x.par_iter().with_min_len(TOGETHER).map(|x| x.abs()).reduce(|| 0.0, f64::max);
    let mut scales: Vec<f64> = pairs.iter().flat_map(|(x, y)| [largest(x), largest(y)]).collect();
    ranks.max(&mut scales)?;
    let over = |scale: f64| if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let sum = |((x, y), scales): (&Pair<'_>, &[f64])| {
        let [of_x, of_y] = [over(scales[0]), over(scales[1])];
        let units = |(x, y): (&f64, &f64)| i128::from((x * of_x * (y * of_y) * UNIT) as i64);
        x.par_iter().zip(*y).with_min_len(TOGETHER).map(units).sum::<i128>()
    };
    let mut sums: Vec<i128> = pairs.iter().zip(scales.chunks(2)).map(sum).collect();
    ranks.sums_exact(&mut sums)?;
    let values = sums.iter().zip(scales.chunks(2));
    Ok(values.map(|(sum, scales)| *sum as f64 / UNIT * scales[0] * scales[1]).collect())
}
