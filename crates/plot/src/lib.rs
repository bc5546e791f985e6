//! Pictures of flows, charts, and pages that work offline, on a phone, printed and projected.
//!
//! The only crate that names the plotting crate.

mod canvas;
mod chart;
mod drawing;
mod film;
mod flow;
mod frame;
mod geometry;
mod map;
mod page;
mod picture;
mod pixels;
mod plane;
mod profile;
mod raster;
mod scale;
mod streamlines;
mod svg;
mod thin;

pub use chart::{Chart, ChartAxis, Guide, Ink, LineStyle, Series};
pub use drawing::Drawing;
pub use film::{Film, write_mp4};
pub use geometry::GeometryMap;
pub use map::{DifferenceMap, SpeedMap, VorticityMap, largest_difference, vorticity_limit};
pub use page::markup::write_page;
pub use page::{Cell, Column, Figure, Link, Page, Part, Section, Table, Tone};
pub use picture::draw;
pub use profile::ProfilePlot;
