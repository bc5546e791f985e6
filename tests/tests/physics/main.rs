//! Flows against exact solutions and published tables, with the errors printed. What takes more than
//! a minute is in the long suite: `./test --long`.

mod agreement;
mod balance;
mod checks;
mod collocation;
mod convection;
mod exact;
mod heated_bodies;
mod heated_faces;
mod lattice;
mod mixing;
mod shortcuts;
mod steady;
mod tables_of_heat;
mod threads;
mod volumes;
