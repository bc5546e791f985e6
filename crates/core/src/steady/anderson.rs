//! Anderson's acceleration of rounds that are repeated until they change nothing (Anderson 1965; Walker and Ni 2011):
//! docs/src/theory/equations.md.

use std::collections::VecDeque;

use crate::communicator::Communicator;
use crate::error::Result;
use crate::rounds::Rounds;

/// Earlier rounds whose change is so nearly a mixture of that of later ones are left out: the share of its square that is not.
const INDEPENDENT: f64 = 1e-8;

/// How many times the change of the last round that of the next may be; more, and all before it is forgotten.
const GROWTH: f64 = 4.0;

/// Numbers that a thread takes at least.
pub(super) const TOGETHER: usize = 1 << 14;

/// One in a product of two numbers of at most one.
pub(super) const UNIT: f64 = (1_u64 << 62) as f64;

/// A round that is kept, or the difference of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) place: usize,
    /// The largest magnitude of its change on all ranks.
    largest: f64,
}

impl Kept {
    /// What is at a place, whose largest change on this rank is known. Collective.
    fn new(place: usize, largest: f64, ranks: &dyn Communicator) -> Result<Self> {
        let mut largest = [largest];
        ranks.max(&mut largest)?;
        Ok(Self { place, largest: largest[0] })
    }

    /// With what makes its change one at most.
    fn scaled(self) -> (usize, f64) {
        (self.place, if self.largest > 0.0 { 1.0 / self.largest } else { 0.0 })
    }
}

/// The last rounds.
#[derive(Debug)]
pub(super) struct Anderson {
    /// Differences between rounds that are kept at most.
    most: usize,
    /// The largest change of a round that is mixed.
    below: f64,
    pub(super) last: Option<Kept>,
    /// Of a round to the one before it, the latest last.
    pub(super) differences: VecDeque<Kept>,
    /// Products of their changes with those of the same and earlier differences; the latest last.
    products: VecDeque<Vec<f64>>,
}

impl Anderson {
    pub(super) fn new(most: usize, below: Option<f64>) -> Self {
        let (differences, products) = (VecDeque::new(), VecDeque::new());
        Self { most, below: below.unwrap_or(f64::INFINITY), last: None, differences, products }
    }

    /// Forgets all rounds.
    pub(super) fn forget(&mut self) {
        self.last = None;
        self.differences.clear();
        self.products.clear();
    }

    /// Takes a round that was kept, with its largest change on this rank, for the last one. Collective.
    pub(super) fn set_last(
        &mut self,
        place: usize,
        largest: f64,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        self.last = Some(Kept::new(place, largest, ranks)?);
        Ok(())
    }

    /// Makes of the flow that a round led to the one with which the next begins; eq. (N13). Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(super) fn mix(&mut self, rounds: &mut dyn Rounds, ranks: &dyn Communicator) -> Result<()> {
        let place = self.free_place();
        let round = Kept::new(place, rounds.keep(place)?, ranks)?;
        if round.largest > self.below {
            self.forget();
            return Ok(());
        }
        if let Some(last) = self.last.take() {
            let mut size = |round: Kept| products(&[round], round, rounds, ranks);
            if size(round)?[0] > GROWTH * GROWTH * size(last)?[0] {
                self.differences.clear();
                self.products.clear();
            } else {
                let largest = rounds.subtract(last.place, round.place)?;
                self.keep(last.place, largest, rounds, ranks)?;
            }
        }
        let shares = self.shares(round, rounds, ranks)?;
        let places = self.differences.iter().map(|one| one.place);
        rounds.take(&places.zip(shares).collect::<Vec<_>>())?;
        self.last = Some(round);
        Ok(())
    }

    /// The first place where nothing is.
    pub(super) fn free_place(&self) -> usize {
        let is_taken = |place: usize| {
            self.last.iter().chain(&self.differences).any(|kept| kept.place == place)
        };
        (0..).find(|place| !is_taken(*place)).unwrap_or_default()
    }

    /// Takes a difference, with its largest change on this rank, for the latest one. Collective.
    pub(super) fn keep(
        &mut self,
        place: usize,
        largest: f64,
        rounds: &mut dyn Rounds,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let latest = Kept::new(place, largest, ranks)?;
        self.differences.push_back(latest);
        if self.differences.len() > self.most {
            self.differences.pop_front();
            self.products.pop_front();
            self.products.iter_mut().for_each(|row| {
                row.remove(0);
            });
        }
        let all: Vec<_> = self.differences.iter().copied().collect();
        self.products.push_back(products(&all, latest, rounds, ranks)?);
        Ok(())
    }

    /// What of each difference is taken away, so that the change that is left is the smallest; eq. (N12).
    fn shares(
        &self,
        round: Kept,
        rounds: &mut dyn Rounds,
        ranks: &dyn Communicator,
    ) -> Result<Vec<f64>> {
        let n = self.differences.len();
        let all: Vec<_> = self.differences.iter().copied().collect();
        let sides = products(&all, round, rounds, ranks)?;
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

/// Inner products of changes with another one over all ranks, by whole numbers: the same bits for any number of threads and
/// ranks.
fn products(
    of: &[Kept],
    with: Kept,
    rounds: &mut dyn Rounds,
    ranks: &dyn Communicator,
) -> Result<Vec<f64>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let scaled: Vec<_> = of.iter().map(|one| one.scaled()).collect();
    let mut sums = rounds.products(&scaled, with.scaled())?;
    ranks.sums_exact(&mut sums)?;
    let values = sums.iter().zip(of);
    Ok(values.map(|(sum, one)| *sum as f64 / UNIT * one.largest * with.largest).collect())
}
