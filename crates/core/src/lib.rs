//! The words of Vortice: grid, field, boundary, ranks, case, solver and monitor.
//!
//! This crate holds what every method shares and nothing that one method owns: no discretisation,
//! no device, no file format. It depends on no other crate of the workspace.

mod balance;
mod beside;
mod body;
mod body_cells;
mod boundary;
mod case;
mod cells;
mod changing_force;
mod checksum;
mod coarsening;
mod communicator;
mod context;
mod cut;
mod decomposition;
mod derived;
mod each_cell;
mod error;
mod exact;
mod exact_sum;
mod expression;
mod extent;
mod field;
mod field_later;
mod fill_rows;
mod finite;
pub mod format;
mod gather;
mod grid;
mod halo;
mod heat;
mod heat_through_bodies;
pub mod interpolation;
mod lock;
mod look;
mod memory;
mod moments;
mod monitor;
mod monitors;
mod near_surfaces;
mod outcome;
mod outlet;
mod perturbation;
mod pocket_cells;
mod pockets;
mod prescribed_flow;
mod quantity;
mod range;
mod real;
mod registers;
mod rounds;
mod row_block;
mod sampling;
mod scalar;
mod scalar_at_wall;
mod settling;
mod shared_loop;
mod sight;
mod simulation;
mod solid;
mod solver;
mod stages;
mod state;
mod statistics;
mod steady;
mod step;
mod stored_flow;
mod suggest;
mod surface;
mod surface_fluxes;
mod surface_force;
mod sweep;
mod thermal_ends;
mod thermal_layer;
mod thermal_walls;
mod thread_limit;
mod thread_pool;
mod threads;
mod threads_here;
mod timed_ranks;
mod vectorised;
mod velocity_formula;
mod wall_points;
mod wall_slope;
mod wetted;
mod wetted_area;
mod wetted_surfaces;
mod window;
mod windows;

pub use balance::{balanced, measured_speeds};
pub use beside::{
    beside, cannot_write, check_place, check_regular, clear, create_beside, write_beside,
};
pub use body::{Body, Geometry, LevelSet, Mesh, MeshFacts, Placement, Polygon, Walls};
pub use boundary::{Boundaries, Boundary, Condition, Interval, Profile, Side, face_name};
pub use case::{
    Balance, Case, Device, Devices, FilmOptions, FlowScale, ForceTimes, Initial, InitialBox,
    NamedMethod, OutputOptions, OutputPart, OutputTimes, Precision, Probe, ProbeOptions,
    ProbeTimes, RanksOptions, RunOptions, Shown, StatisticsOptions, Transport, Until, WallLimit,
    apply_overrides, commented_case, flow_keys, known_keys, name_another_method, name_methods,
};
pub use cells::Cells;
pub use changing_force::ChangingForce;
pub use coarsening::Children;
pub use communicator::{Communicator, Message, Solo};
pub use context::Context;
pub use cut::CutPlane;
pub use decomposition::rows::{Rows, SplitRows};
pub use decomposition::{Decomposition, Subdomain};
pub use derived::{Energy, q_criterion, stream_function, vorticity};
pub use each_cell::{each_cell, each_cell_of_grid};
pub use error::{Error, Place, Result};
pub use exact::ExactFlow;
pub use expression::Expression;
pub use extent::Extent;
pub use field::{Field, Location, Shape};
pub use field_later::FieldLater;
pub use fill_rows::{fill_rows, zeros};
pub use gather::{gather, gather_rows, scatter};
pub use grid::{Axis, Grid};
pub use halo::{Halo, HaloSide};
pub use heat::Heat;
pub use lock::lock;
pub use memory::{
    available_memory, check_device_memory, check_host_memory, check_memory, host_memory,
};
pub use monitor::{Every, InBoxes, Monitor, Snapshot, Verdict};
pub use monitors::{Finite, SteadyState};
pub use near_surfaces::{around, cells_near_surfaces, parts_near_surfaces};
pub use outcome::Outcome;
pub use outlet::ConvectiveOutlet;
pub use perturbation::Perturbation;
pub use pockets::Pockets;
pub use prescribed_flow::PrescribedFlow;
pub use quantity::{Quantity, ScalarName};
pub use range::{at_least_one, within};
pub use real::Real;
pub use registers::ALL_REGISTERS;
pub use rounds::{Round, Rounds};
pub use row_block::{RowBlock, by_layers};
pub use sampling::{Sampler, cells_read};
pub use scalar::{FaceFormulas, Scalar, ScalarBoundary};
pub use settling::Settling;
pub use shared_loop::{share, share_each};
pub use sight::{BESIDE_SURFACE, Sight};
pub use simulation::Simulation;
pub use solid::{SolidBox, Solids};
pub use solver::{Cost, Method, Report, Solver, Traffic};
pub use stages::{Stage, Stages};
pub use state::{Outline, State, StateReader, StateWriter, Storable, Values};
pub use steady::Shortcuts;
pub use step::Step;
pub use stored_flow::{FlowReader, StoredFlow, StoredStep, read_stored_flows_with};
pub use suggest::suggest;
pub use surface::{BodyWall, FaceKind, Surfaces};
pub use surface_fluxes::{FaceFluxes, SurfaceFluxes};
pub use surface_force::{
    FORCE_SUMS, ForceSums, SurfaceForce, SurfaceParts, arm, force_units, torque_of,
};
pub use thermal_ends::{ThermalEnd, ThermalEnds};
pub use thermal_layer::ThermalLayer;
pub use thermal_walls::{SOLID_CELL, ThermalWalls, WALLED_CELL, WallPlace, WalledCell, WalledSide};
pub use thread_limit::check_threads;
pub use thread_pool::{Region, Row, ThreadPool};
pub use threads::Threads;
pub use velocity_formula::VelocityFormula;
pub use wall_points::WallPoint;
pub use wall_slope::WallSlope;
pub use wetted::Surface;
pub use window::Window;
