//! Which sources this is.

/// Version of the library and, if it was built from a git repository, the hash of its sources.
pub const VERSION: &str = env!("VORTICE_VERSION");
