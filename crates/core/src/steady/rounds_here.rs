//! Rounds of a method that does not keep them itself: in this program's memory, as states.

use rayon::prelude::*;

use super::anderson::{TOGETHER, UNIT};
use crate::error::Result;
use crate::field::Field;
use crate::quantity::Quantity;
use crate::real::Real;
use crate::rounds::{Round, Rounds};
use crate::solver::Solver;
use crate::state::{State, Storable, Values};

/// Rounds in this program's memory.
#[derive(Debug, Default)]
pub(super) struct KeptHere {
    rounds: Vec<Round>,
    begun: Vec<f64>,
    /// The state that the last round led to.
    state: State,
}

/// The same with the flow that they are of: any method's.
pub(super) struct RoundsHere<'a> {
    pub(super) kept: &'a mut KeptHere,
    pub(super) solver: &'a mut dyn Solver,
    /// What is looked at, and the scale of each.
    pub(super) looked_at: &'a [(Quantity, f64)],
}

impl RoundsHere<'_> {
    /// The flow of own cells, in shares of its scales.
    fn look(&mut self) -> Result<Vec<f64>> {
        let mut all = Vec::new();
        for &(quantity, scale) in self.looked_at {
            let field = self.solver.field(quantity)?;
            all.extend(field.values.iter().map(|value| value / scale));
        }
        Ok(all)
    }
}

impl KeptHere {
    /// The place, which is made if it is not there.
    fn at(&mut self, place: usize) -> &mut Round {
        if self.rounds.len() <= place {
            self.rounds.resize_with(place + 1, Round::default);
        }
        &mut self.rounds[place]
    }
}

impl Rounds for RoundsHere<'_> {
    fn begin(&mut self) -> Result<f64> {
        let begun = self.look()?;
        let way = begun.iter().zip(&self.kept.begun).map(|(now, before)| (now - before).abs());
        let way = way.fold(0.0, f64::max);
        self.kept.begun = begun;
        Ok(way)
    }

    fn keep(&mut self, place: usize) -> Result<f64> {
        let (state, mut change) = (self.solver.state()?, self.look()?);
        change.iter_mut().zip(&self.kept.begun).for_each(|(now, begun)| *now -= begun);
        let mixed = state.fields.iter().filter(|(name, _)| self.solver.is_mixed(name));
        let fields = mixed.map(|(name, values)| (name.clone(), values.clone())).collect();
        self.kept.state = state;
        self.set_round(place, Round { fields, change })
    }

    fn subtract(&mut self, place: usize, later: usize) -> Result<f64> {
        let mut round = std::mem::take(self.kept.at(place));
        let later = self.kept.at(later);
        for (values, later) in round.fields.values_mut().zip(later.fields.values()) {
            match (values, later) {
                (Values::F64(x), Values::F64(y)) => subtract_from(&mut x.values, &y.values),
                (Values::F32(x), Values::F32(y)) => subtract_from(&mut x.values, &y.values),
                _ => unreachable!("fields of a run stay of one number type"),
            }
        }
        subtract_from(&mut round.change, &later.change);
        self.set_round(place, round)
    }

    fn products(
        &mut self,
        of: &[(usize, f64)],
        (with, of_with): (usize, f64),
    ) -> Result<Vec<i128>> {
        // What is multiplied with all of them is read from memory once.
        let rounds = &self.kept.rounds;
        let of_chunk = |(number, y): (usize, &[f64])| -> Vec<i128> {
            let of_one = |&(place, of_x): &(usize, f64)| {
                let x = &rounds[place].change[number * TOGETHER..][..y.len()];
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
        let chunks = rounds[with].change.par_chunks(TOGETHER).enumerate();
        let none = || vec![0_i128; of.len()];
        Ok(chunks.map(of_chunk).reduce(none, |mut all, more| {
            all.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            all
        }))
    }

    fn take(&mut self, shares: &[(usize, f64)]) -> Result<()> {
        let mut state = std::mem::take(&mut self.kept.state);
        for (name, values) in &mut state.fields {
            let others = shares.iter().filter_map(|&(place, share)| {
                self.kept.rounds[place].fields.get(name).map(|values| (values, share))
            });
            match values {
                Values::F64(field) => add(&mut field.values, others),
                Values::F32(field) => add(&mut field.values, others),
            }
        }
        self.solver.restore(&state)
    }

    fn begun(&mut self) -> Result<Vec<f64>> {
        Ok(self.kept.begun.clone())
    }

    fn set_begun(&mut self, begun: &[f64]) -> Result<()> {
        self.kept.begun = begun.to_vec();
        Ok(())
    }

    fn round(&mut self, place: usize) -> Result<Round> {
        Ok(self.kept.at(place).clone())
    }

    fn set_round(&mut self, place: usize, round: Round) -> Result<f64> {
        let numbers = round.change.par_iter().with_min_len(TOGETHER).map(|x| x.abs());
        let largest = numbers.reduce(|| 0.0, f64::max);
        *self.kept.at(place) = round;
        Ok(largest)
    }
}

/// x = y - x.
fn subtract_from<T: Real>(x: &mut [T], y: &[T]) {
    x.par_iter_mut().zip(y).with_min_len(TOGETHER).for_each(|(x, y)| *x = *y - *x);
}

/// x = x - the sum of so much of each of the others, in one pass over all.
fn add<'a, T: Storable>(x: &mut [T], others: impl Iterator<Item = (&'a Values, f64)>) {
    let others: Vec<(&Field<T>, f64)> =
        others.filter_map(|(values, share)| T::field(values).map(|field| (field, share))).collect();
    x.par_chunks_mut(TOGETHER).enumerate().for_each(|(number, x)| {
        for (other, share) in &others {
            let other = &other.values[number * TOGETHER..][..x.len()];
            x.iter_mut()
                .zip(other)
                .for_each(|(x, y)| *x = T::from_f64(x.to_f64() - share * y.to_f64()));
        }
    });
}
