//! Where the rounds of Anderson's acceleration lie: in numbered places, beside the flow that is mixed.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::state::Values;

/// What a round led to, or how much farther one led than that before it.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// The fields that are mixed, by their names in a state.
    pub fields: BTreeMap<String, Values>,
    /// How far the round went: in each own cell, components of the velocity and scalars, as shares of their scales.
    pub change: Vec<f64>,
}

/// A flow of one rank that can be mixed with what earlier rounds led to, wherever it lies. Largest magnitudes and sums are
/// of this rank's own cells.
///
/// # Errors
/// All of it fails if a rank has stopped or a device fails.
pub trait Rounds {
    /// The next round begins with the flow as it is; the largest magnitude of the change since the last one began, zero
    /// before the first.
    fn begin(&mut self) -> Result<f64>;
    /// Puts the flow and its change since the round began at a place; the largest magnitude of the change.
    fn keep(&mut self, place: usize) -> Result<f64>;
    /// What is at a place becomes the difference from it to what is at another; the largest magnitude of its change.
    fn subtract(&mut self, place: usize, later: usize) -> Result<f64>;
    /// Sums of products of the change at each of some places with that at another one, both times a number that makes them
    /// one at most, in whole units of 2^-62.
    fn products(&mut self, of: &[(usize, f64)], with: (usize, f64)) -> Result<Vec<i128>>;
    /// Takes so much of what is at each of some places from the flow, one after the other.
    fn take(&mut self, shares: &[(usize, f64)]) -> Result<()>;
    /// The velocity and scalars with which the round began, as [`Round::change`].
    fn begun(&mut self) -> Result<Vec<f64>>;
    /// The reverse.
    fn set_begun(&mut self, begun: &[f64]) -> Result<()>;
    /// A copy of what is at a place.
    fn round(&mut self, place: usize) -> Result<Round>;
    /// The reverse; the largest magnitude of its change.
    fn set_round(&mut self, place: usize, round: Round) -> Result<f64>;
}
