//! The program `vortice`.

#[cfg(target_os = "linux")]
mod large_pages;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
#[global_allocator]
static MEMORY: large_pages::LargePages = large_pages::LargePages;

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    large_pages::share_heaps();
    vortice::program(&[])
}
