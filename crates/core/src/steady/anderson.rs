//! Anderson's acceleration of rounds that are repeated until they change nothing (Anderson 1965; Walker and Ni 2011):
//! docs/src/theory/equations.md.

use std::collections::{BTreeMap, VecDeque};

use rayon::prelude::*;

use crate::communicator::Communicator;
use crate::error::Result;
use crate::state::{State, Values};

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
            let [now, before] = [size(&round.change, ranks)?, size(&last.change, ranks)?];
            if now > GROWTH * GROWTH * before {
                self.differences.clear();
                self.products.clear();
            } else {
                self.keep(last.to(&round), ranks)?;
            }
        }
        let shares = self.shares(&round.change, ranks)?;
        for (difference, share) in self.differences.iter().zip(shares) {
            for (values, other) in state.fields.values_mut().zip(difference.fields.values()) {
                add(values, -share, other);
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
        let row = all.map(|other| product(&latest.change, &other.change, ranks));
        self.products.push_back(row.collect::<Result<_>>()?);
        Ok(())
    }

    /// What of each difference is taken away, so that the change that is left is the smallest; eq. (N12).
    fn shares(&self, change: &[f64], ranks: &dyn Communicator) -> Result<Vec<f64>> {
        let n = self.differences.len();
        let sides = self.differences.iter().map(|one| product(&one.change, change, ranks));
        let sides = sides.collect::<Result<Vec<_>>>()?;
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
            subtract_from(values, later);
        }
        self.change
            .par_iter_mut()
            .zip(&later.change)
            .with_min_len(TOGETHER)
            .for_each(|(x, y)| *x = y - *x);
        self
    }
}

/// x = y - x.
fn subtract_from(x: &mut Values, y: &Values) {
    match (x, y) {
        (Values::F64(x), Values::F64(y)) => {
            let all = x.values.par_iter_mut().zip(&y.values).with_min_len(TOGETHER);
            all.for_each(|(x, y)| *x = y - *x);
        }
        (Values::F32(x), Values::F32(y)) => {
            let all = x.values.par_iter_mut().zip(&y.values).with_min_len(TOGETHER);
            all.for_each(|(x, y)| *x = y - *x);
        }
        _ => unreachable!("fields of a run stay of one number type"),
    }
}

/// x = x + a y.
fn add(x: &mut Values, a: f64, y: &Values) {
    match (x, y) {
        (Values::F64(x), Values::F64(y)) => {
            let all = x.values.par_iter_mut().zip(&y.values).with_min_len(TOGETHER);
            all.for_each(|(x, y)| *x += a * y);
        }
        (Values::F32(x), Values::F32(y)) => {
            let all = x.values.par_iter_mut().zip(&y.values).with_min_len(TOGETHER);
            all.for_each(|(x, y)| *x = (f64::from(*x) + a * f64::from(*y)) as f32);
        }
        _ => unreachable!("fields of a run stay of one number type"),
    }
}

fn size(x: &[f64], ranks: &dyn Communicator) -> Result<f64> {
    product(x, x, ranks)
}

/// The inner product over all ranks, by whole numbers: the same bits for any number of threads and ranks.
fn product(x: &[f64], y: &[f64], ranks: &dyn Communicator) -> Result<f64> {
    let largest =
        |x: &[f64]| x.par_iter().with_min_len(TOGETHER).map(|x| x.abs()).reduce(|| 0.0, f64::max);
    let mut scales = [largest(x), largest(y)];
    ranks.max(&mut scales)?;
    let [of_x, of_y] = scales.map(|scale| if scale > 0.0 { 1.0 / scale } else { 0.0 });
    let units = |(x, y): (&f64, &f64)| i128::from((x * of_x * (y * of_y) * UNIT) as i64);
    let sum = x.par_iter().zip(y).with_min_len(TOGETHER).map(units).sum();
    Ok(ranks.sum_exact(sum)? as f64 / UNIT * scales[0] * scales[1])
}
