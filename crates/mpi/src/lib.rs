//! Ranks as processes that an MPI's `mpiexec` starts, on one machine or many.
//!
//! The only crate that names rsmpi, and only with its feature `mpi`, which needs an MPI and
//! libclang to build. Without the feature there is the same [`Session`], but no process can join one: a
//! process that was started as one of several is told how to get it.

#[cfg(not(feature = "mpi"))]
mod absent;
#[cfg(feature = "mpi")]
mod gather;
mod launch;
#[cfg(feature = "mpi")]
mod notices;
#[cfg(feature = "mpi")]
mod ranks;
#[cfg(feature = "mpi")]
mod session;
#[cfg(all(test, feature = "mpi"))]
mod tests;
#[cfg(feature = "mpi")]
mod waiting;
#[cfg(feature = "mpi")]
mod wire;

#[cfg(not(feature = "mpi"))]
pub use absent::Session;
pub use launch::Launch;
#[cfg(feature = "mpi")]
pub use ranks::Mpi;
#[cfg(feature = "mpi")]
pub use session::Session;
