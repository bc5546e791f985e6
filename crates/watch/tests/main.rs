//! Runs that are watched: what is served, refused and steered, and what it costs.
#![allow(clippy::print_stdout)] // what was seen is part of the answer

mod bits;
mod browser;
#[path = "page/client.rs"]
mod client;
mod replay;
mod serving;
