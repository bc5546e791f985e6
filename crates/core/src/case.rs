//! A flow to be computed: its text, its spelling, its meaning.

mod bodies;
mod carried;
mod check;
mod commented;
mod cut_planes;
mod devices;
mod drive;
mod face;
mod faces;
mod file;
mod film;
mod film_options;
mod flow_keys;
mod force_times;
mod formulas;
mod heat;
mod heat_file;
mod initial;
mod initial_file;
mod initial_flow;
mod key_meanings;
mod keys;
mod mass;
mod meaning;
mod meshes;
mod methods;
mod numbers;
mod obstacles;
mod output;
mod overrides;
mod probe_options;
mod probes;
mod ranks;
mod read;
mod scalar_file;
mod scalar_solids;
mod scalar_walls;
mod scalars;
mod stored_initial;
mod tables;
mod text;
mod three;
mod velocity_table;
mod warnings;

pub use commented::commented_case;
pub use devices::{Device, Devices};
pub use film_options::{FilmOptions, Shown};
pub use flow_keys::flow_keys;
pub use force_times::ForceTimes;
pub use initial_flow::{Initial, InitialBox};
pub use keys::known_keys;
pub use meaning::{
    Case, FlowScale, OutputOptions, OutputPart, OutputTimes, Precision, RunOptions,
    StatisticsOptions, Until, WallLimit,
};
pub(crate) use methods::halvings;
pub use methods::{NamedMethod, name_another_method, name_methods};
pub use overrides::apply_overrides;
pub use probe_options::{Probe, ProbeOptions, ProbeTimes};
pub use ranks::{Balance, RanksOptions, Transport};
