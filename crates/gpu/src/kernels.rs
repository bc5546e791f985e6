//! The kernels of a program, listed once: their names become fields, sources and look-ups.

/// Makes a structure of the kernels of a folder below the crate's `kernels/`, one for each `.cu` of the same name.
///
/// ```
/// vortice_gpu::kernels! {
///     /// What moves halos.
///     pub struct Halo in "halo" { pack, unpack, wrap }
/// }
/// assert_eq!(Halo::SOURCES[1].0, "halo/unpack.cu");
/// ```
#[macro_export]
macro_rules! kernels {
    (
        $(#[$about:meta])* $visible:vis struct $name:ident in $folder:literal {
            $($kernel:ident),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[allow(missing_docs)]
        $visible struct $name { $($visible $kernel: $crate::Kernel,)* }

        impl $name {
            /// Their sources, for a [`Program`]($crate::Program).
            $visible const SOURCES: &'static [$crate::Source] = $crate::sources![
                $(concat!($folder, "/", stringify!($kernel), ".cu")),*
            ];

            /// Looks them up in the loaded program; it is an error if one is missing.
            $visible fn of(module: &$crate::Module) -> $crate::Result<Self> {
                Ok(Self { $($kernel: module.kernel(stringify!($kernel))?,)* })
            }
        }
    };
}

/// Files below the folder `kernels/` of the crate that says so: each its name and its text. In the crates of this house it is a link to
/// the one `kernels/`, which packages follow.
#[macro_export]
macro_rules! sources {
    ($($file:expr),* $(,)?) => {
        &[$((
            $file,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/", $file)),
        )),*]
    };
}
