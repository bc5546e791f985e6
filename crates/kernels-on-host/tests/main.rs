//! What the CUDA kernels compute on the processor, and that it has the bits of the engines for processors.
#![allow(clippy::print_stdout)] // tests print what they compared
#![allow(clippy::duplicate_mod)] // flows of two methods bring the same words about states

mod agreement;
#[path = "../../core/tests/carried/mod.rs"]
mod carried;
mod fdm_agrees;
mod fdm_cycles;
#[path = "../../fdm/tests/common/mod.rs"]
mod fdm_flows;
#[path = "../../fvm/tests/flows/mod.rs"]
mod flows;
mod fvm_agrees;
mod halo;
mod krylov_agrees;
mod lbm_agrees;
mod lbm_cycles;
#[path = "../../lbm/tests/common/mod.rs"]
mod lbm_flows;
mod mixed;
mod moments_agree;
mod planes;
mod resident;
mod shim;
mod tiles;
