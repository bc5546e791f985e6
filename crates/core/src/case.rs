//! A flow to be computed: its text, its spelling, its meaning.

mod bodies;
mod check;
mod devices;
mod face;
mod faces;
mod file;
mod flow_keys;
mod formulas;
mod initial_boxes;
mod keys;
mod meaning;
mod meshes;
mod numbers;
mod obstacles;
mod output;
mod overrides;
mod probe_options;
mod probes;
mod ranks;
mod read;
mod tables;
mod text;
mod three;
mod warnings;

pub use devices::{Device, Devices};
pub use flow_keys::flow_keys;
pub use initial_boxes::InitialBox;
pub use keys::known_keys;
pub use meaning::{
    Case, FlowScale, Initial, OutputOptions, OutputPart, OutputTimes, Precision, RunOptions,
    StatisticsOptions, Until, WallLimit,
};
pub use overrides::apply_overrides;
pub use probe_options::{Probe, ProbeOptions, ProbeTimes};
pub use ranks::{Balance, RanksOptions, Transport};
pub use tables::name_methods;
