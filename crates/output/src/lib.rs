//! What a run leaves behind: fields for ParaView, checkpoints, tables and a picture.
//!
//! The only crate that names HDF5 and the plotting crate. Nothing here overwrites a good file with
//! a half one: files are written beside and renamed, or stay readable by flushes.

mod beside;
mod checkpoint;
mod energies;
mod history;
#[cfg(feature = "picture")]
mod picture;
mod recorder;
mod seal;
mod share;
mod stored;
mod table;
mod vtkhdf;
mod xdmf;

pub use beside::write_beside;
pub use checkpoint::{Checkpoint, read_checkpoint};
pub use energies::Energies;
pub use history::History;
#[cfg(feature = "picture")]
pub use picture::{ProfilePlot, draw};
pub use recorder::Recorder;
pub use stored::Stored;
pub use table::write_csv;
