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
    /// The largest magnitude of these on all ranks, once it was asked for.
    largest: f64,
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
        all.last.iter_mut().try_for_each(|last| last.measure(ranks))?;
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
        let mut round = Round::new(state.fields.clone(), change);
        round.measure(ranks)?;
        if let Some(last) = self.last.take() {
            let size = |round: &Round| products(&[round], round, ranks);
            if size(&round)?[0] > GROWTH * GROWTH * size(&last)?[0] {
                self.differences.clear();
                self.products.clear();
            } else {
                self.keep(last.to(&round), ranks)?;
            }
        }
        let shares = self.shares(&round, ranks)?;
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

    fn keep(&mut self, mut difference: Round, ranks: &dyn Communicator) -> Result<()> {
        difference.measure(ranks)?;
        self.differences.push_back(difference);
        if self.differences.len() > self.most {
            self.differences.pop_front();
            self.products.pop_front();
            self.products.iter_mut().for_each(|row| {
                row.remove(0);
            });
        }
        let Some(latest) = self.differences.back() else { return Ok(()) };
        let all: Vec<_> = self.differences.iter().collect();
        self.products.push_back(products(&all, latest, ranks)?);
        Ok(())
    }

    /// What of each difference is taken away, so that the change that is left is the smallest; eq. (N12).
    fn shares(&self, round: &Round, ranks: &dyn Communicator) -> Result<Vec<f64>> {
        let n = self.differences.len();
        let all: Vec<_> = self.differences.iter().collect();
        let sides = products(&all, round, ranks)?;
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
    pub(super) fn new(fields: BTreeMap<String, Values>, change: Vec<f64>) -> Self {
        Self { fields, change, largest: f64::NAN }
    }

    /// Finds the largest magnitude of its change. Collective.
    fn measure(&mut self, ranks: &dyn Communicator) -> Result<()> {
        let numbers = self.change.par_iter().with_min_len(TOGETHER).map(|x| x.abs());
        let mut largest = [numbers.reduce(|| 0.0, f64::max)];
        ranks.max(&mut largest)?;
        self.largest = largest[0];
        Ok(())
    }

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

/// Inner products of changes with another one over all ranks, by whole numbers: the same bits for any number of threads and
/// ranks. What is multiplied with all of them is read from memory once.
fn products(of: &[&Round], with: &Round, ranks: &dyn Communicator) -> Result<Vec<f64>> {
    let over = |scale: f64| if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let of_with = over(with.largest);
    let none = || vec![0_i128; of.len()];
    let of_chunk = |(number, y): (usize, &[f64])| -> Vec<i128> {
        let of_one = |one: &&Round| {
            let (x, of_x) = (&one.change[number * TOGETHER..][..y.len()], over(one.largest));
            // In two halves, of which so many have room in 64 bits.
            let (mut high, mut low) = (0_i64, 0_i64);
            for (x, y) in x.iter().zip(y) {
                let units = (x * of_x * (y * of_with) * UNIT) as i64;
                high += units >> 32;
                low += units & 0xffff_ffff;
            }
            (i128::from(high) << 32) + i128::from(low)
        };
        of.iter().map(of_one).collect()
    };
    let chunks = with.change.par_chunks(TOGETHER).enumerate();
    let mut sums = chunks.map(of_chunk).reduce(none, |mut all, more| {
        all.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        all
    });
    ranks.sums_exact(&mut sums)?;
    let values = sums.iter().zip(of);
    Ok(values.map(|(sum, one)| *sum as f64 / UNIT * one.largest * with.largest).collect())
}
