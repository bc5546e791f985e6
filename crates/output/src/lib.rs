//! What a run leaves behind: fields for ParaView, checkpoints and tables.
//!
//! The only crate that names HDF5. Nothing here overwrites a good file with
//! a half one: files are written beside and renamed, or stay readable by flushes.

mod amount;
mod arrays;
mod checkpoint;
mod chunks;
mod collection;
mod companion;
mod container;
mod differences;
mod energies;
mod folder_lock;
mod forces;
mod history;
mod lines;
mod probes;
mod published;
mod raw;
mod recorded;
mod recorded_steps;
mod recorder;
mod sample;
mod seal;
mod seen;
mod slabs;
mod stored;
mod stored_flow;
mod table;
mod underway;
mod vtkhdf;
mod xdmf;

pub use amount::Amount;
pub use checkpoint::{Checkpoint, SavedState, open_checkpoint, read_checkpoint};
pub use collection::{Block, write_collection};
pub use differences::Difference;
pub use energies::Energies;
pub use folder_lock::FolderLock;
pub use forces::ForceHistory;
pub use history::History;
pub use probes::ProbeHistory;
pub use recorded::{Recorded, read_fields};
pub use recorded_steps::{RecordedSteps, StepValues};
pub use recorder::Recorder;
pub use stored::Stored;
pub use stored_flow::read_stored_flow;
pub use table::{plain_cell, write_csv};
