//! The rules of the house that the compiler does not check: who imports whom, names, file sizes,
//! and that the documents say what is there.

#![allow(clippy::print_stdout)] // what was looked at is part of the answer

mod arrows;
mod commands;
mod documents;
mod equations;
mod kernels;
mod keys;
mod names;
mod packages;
mod picture;
mod tree;
mod words;
