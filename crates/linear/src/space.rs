//! What an iteration needs of the place where its vectors and scalars live.

use vortice_core::Result;

use crate::scalars::{Formula, Slot, Status};

/// When an iteration stops: at `||r|| <= relative * ||b|| + absolute`, in Euclidean norms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Part of the right-hand side's norm.
    pub relative: f64,
    /// What is added to that.
    pub absolute: f64,
    /// Most iterations.
    pub most: usize,
    /// Iterations between two looks at the status, which on a device cost a round trip; at least 1.
    /// The result does not depend on it.
    pub look_every: usize,
}

/// What stands for the inverse of the matrix. All of them are symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preconditioner {
    /// Nothing.
    None,
    /// The inverse diagonal.
    Jacobi,
    /// One V-cycle with so many sweeps before and after the coarse correction.
    Multigrid(usize),
}

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The residual is as small as wanted.
    Converged,
    /// Not after the most iterations.
    NotConverged,
    /// The method cannot go on with this system.
    Breakdown,
}

/// The end of an iteration, as values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// Iterations done.
    pub iterations: usize,
    /// Euclidean norm of the residual, as the iteration has followed it.
    pub residual: f64,
    /// Euclidean norm of the right-hand side, without its mean if the system is singular.
    pub right_hand_side: f64,
}

/// What can be read of a running iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Whether it runs.
    pub status: Status,
    /// Iterations done.
    pub iterations: usize,
    /// Euclidean norm of the residual.
    pub residual: f64,
    /// Euclidean norm of the right-hand side.
    pub right_hand_side: f64,
}

/// Vectors, scalars and a matrix. Scalars live in numbered slots. Once an iteration has ended, no
/// verb but [`Space::begin`] and [`Space::copy_if`] changes a vector or a slot, so that a device may
/// be told to go on before anybody has looked.
pub trait Space {
    /// One value per cell.
    type Vector;
    /// A new iteration: sets all slots.
    fn begin(&mut self, stop: &Stop) -> Result<()>;

    /// A vector of zeros.
    fn zeros(&mut self) -> Result<Self::Vector>;

    /// y = x.
    fn copy(&mut self, x: &Self::Vector, y: &mut Self::Vector) -> Result<()>;

    /// y = x if a slot is not 0, whether an iteration has ended or not.
    fn copy_if(&mut self, flag: Slot, x: &Self::Vector, y: &mut Self::Vector) -> Result<()>;

    /// r = b - q.
    fn subtract(&mut self, b: &Self::Vector, q: &Self::Vector, r: &mut Self::Vector) -> Result<()>;

    /// y = A x; the halo of x is filled.
    fn apply(&mut self, x: &mut Self::Vector, y: &mut Self::Vector) -> Result<()>;

    /// z = M r, near to the solution of A z = r.
    fn precondition(&mut self, r: &Self::Vector, z: &mut Self::Vector) -> Result<()>;

    /// Inner products, at most [`crate::sums::MOST_PAIRS`], over all ranks, as in [`crate::sums`].
    fn dot(&mut self, pairs: &[(&Self::Vector, &Self::Vector)], into: &[Slot]) -> Result<()>;

    /// y = y + sign a x.
    fn axpy(&mut self, a: Slot, sign: f64, x: &Self::Vector, y: &mut Self::Vector) -> Result<()>;

    /// y = x + b y.
    fn xpby(&mut self, x: &Self::Vector, b: Slot, y: &mut Self::Vector) -> Result<()>;

    /// x = x + a p and r = r - a q.
    fn step(
        &mut self,
        a: Slot,
        p: &Self::Vector,
        q: &Self::Vector,
        x: &mut Self::Vector,
        r: &mut Self::Vector,
    ) -> Result<()>;

    /// p = r + beta (p - omega v).
    fn direction(&mut self, r: &Self::Vector, v: &Self::Vector, p: &mut Self::Vector)
    -> Result<()>;

    /// x = (x + alpha y) + omega z and r = r - omega t.
    fn advance(
        &mut self,
        y: &Self::Vector,
        z: &Self::Vector,
        t: &Self::Vector,
        x: &mut Self::Vector,
        r: &mut Self::Vector,
    ) -> Result<()>;

    /// Takes the mean from a vector if the matrix has the constants for a null space, else nothing.
    fn remove_mean(&mut self, x: &mut Self::Vector) -> Result<()>;

    /// Computes a formula on the slots.
    fn evaluate(&mut self, formula: Formula) -> Result<()>;

    /// Reads how the iteration stands: a round trip if the slots are on a device.
    fn progress(&mut self) -> Result<Progress>;
}

/// r = b - A x without its mean, and whether that is small enough already; q and r are overwritten.
pub(crate) fn start<S: Space>(
    space: &mut S,
    stop: &Stop,
    b: &S::Vector,
    x: &mut S::Vector,
    q: &mut S::Vector,
    r: &mut S::Vector,
) -> Result<()> {
    space.begin(stop)?;
    space.remove_mean(x)?;
    space.copy(b, r)?;
    space.remove_mean(r)?;
    space.dot(&[(r, r)], &[Slot::Bb])?;
    space.apply(x, q)?;
    space.subtract(b, q, r)?;
    space.remove_mean(r)?;
    space.dot(&[(r, r)], &[Slot::Rr])?;
    space.evaluate(Formula::Start)
}

/// Whether an iteration goes on; looked up only now and then.
pub(crate) fn goes_on<S: Space>(space: &mut S, stop: &Stop, iteration: usize) -> Result<bool> {
    let look = iteration > 0 && iteration.is_multiple_of(stop.look_every.max(1));
    Ok(!look || space.progress()?.status == Status::Running)
}

/// The end.
pub(crate) fn outcome<S: Space>(space: &mut S) -> Result<Outcome> {
    let Progress { status, iterations, residual, right_hand_side } = space.progress()?;
    let ended = match status {
        Status::Running => Ended::NotConverged,
        Status::Converged => Ended::Converged,
        Status::Breakdown => Ended::Breakdown,
    };
    Ok(Outcome { ended, iterations, residual, right_hand_side })
}

/// The end, where the mean is taken from the solution of a singular system.
pub(crate) fn centred<S: Space>(space: &mut S, stop: &Stop, x: &mut S::Vector) -> Result<Outcome> {
    let outcome = outcome(space)?;
    // What has ended changes nothing any more.
    space.begin(stop)?;
    space.remove_mean(x)?;
    Ok(outcome)
}
