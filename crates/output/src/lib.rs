//! What a run leaves behind: fields for ParaView, checkpoints, tables, pictures and
//! the page of a study.
//!
//! The only crate that names HDF5 and the plotting crate. Nothing here overwrites a good file with
//! a half one: files are written beside and renamed, or stay readable by flushes.

mod arrays;
mod beside;
mod checkpoint;
mod collection;
mod container;
mod differences;
mod energies;
mod history;
#[cfg(feature = "picture")]
mod page;
#[cfg(feature = "picture")]
mod picture;
mod recorded;
mod recorder;
mod seal;
mod share;
mod stored;
mod table;
mod vtkhdf;
mod xdmf;

pub use beside::write_beside;
pub use checkpoint::{Checkpoint, read_changed_checkpoint, read_checkpoint};
pub use collection::{Block, write_collection};
pub use differences::Difference;
pub use energies::Energies;
pub use history::History;
#[cfg(feature = "picture")]
pub use page::{Cell, Column, Figure, Link, Page, Part, Section, Table, Tone, write_page};
#[cfg(feature = "picture")]
pub use picture::{
    Chart, ChartAxis, DifferenceMap, Drawing, Guide, Ink, Look, ProfilePlot, Series, SpeedMap,
    VorticityMap, draw, largest_difference, vorticity_limit,
};
pub use recorded::{Recorded, read_fields};
pub use recorder::Recorder;
pub use stored::Stored;
pub use table::{plain_cell, write_csv};
