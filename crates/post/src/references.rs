//! Published tables and exact solutions that a flow is judged against.

mod coefficients;
mod compare;
mod exact_flow;
mod find;
mod left_out;
mod lines;
mod nusselt;
mod table;
mod validity;
mod values;

pub use compare::{Comparison, Sample, comparison_table};
pub use left_out::LeftOut;
pub(crate) use lines::all_lines;
pub use lines::{lines, plane, published};
pub use nusselt::published_extremes;
pub use validity::{Lid, Step, Validity};
pub use values::{
    Bound, Coefficient, CoefficientValue, Component, Extremum, FlowShare, Length, NusseltQuantity,
    NusseltValue, Reference, Values, VortexQuantity, VortexValue,
};
