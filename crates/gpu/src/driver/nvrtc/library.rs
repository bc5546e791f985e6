//! Where NVRTC is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cudarc::nvrtc::sys;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use vortice_core::{Error, Result};

/// The folder of NVRTC's libraries, if they are not where the system looks for libraries.
const FOLDER: &str = "VORTICE_NVRTC";

/// NVRTC's version, major and minor.
///
/// # Errors
/// One sentence if it cannot be loaded.
pub(crate) fn version() -> Result<[u32; 2]> {
    static FOUND: OnceLock<Result<[u32; 2]>> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

#[allow(unsafe_code)]
fn find() -> Result<[u32; 2]> {
    if let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) {
        preload(&folder)?;
    }
    // SAFETY: loading NVRTC runs its initialisers, which ask nothing of us.
    if !unsafe { sys::is_culib_present() } {
        return Err(missing());
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library is there; two numbers are written to locals.
    let code = unsafe { sys::nvrtcVersion(&mut major, &mut minor) };
    match (code, u32::try_from(major), u32::try_from(minor)) {
        (sys::nvrtcResult::NVRTC_SUCCESS, Ok(major), Ok(minor)) => Ok([major, minor]),
        _ => Err(missing()),
    }
}

fn missing() -> Error {
    Error::Device {
        problem: "NVRTC, CUDA's run-time compiler, was not found (libnvrtc.so)".into(),
        remedy: format!(
            "install the CUDA toolkit 13, or `pip install nvidia-cuda-nvrtc` and name the folder \
             of its libraries in {FOLDER}; or use the processor: `--device cpu`"
        ),
    }
}

/// Loads the libraries of a folder, so that they are found by their names afterwards. NVRTC loads
/// its built-in functions from a second library, which must be there too.
fn preload(folder: &Path) -> Result<()> {
    let wrong = |problem: String| Error::Device {
        problem: format!("{FOLDER} names {}, {problem}", folder.display()),
        remedy: "name the folder that holds libnvrtc.so.13 and libnvrtc-builtins.so.13.0".into(),
    };
    let entries = std::fs::read_dir(folder).map_err(|error| wrong(error.to_string()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| is_nvrtc(path));
    paths.sort();
    if paths.is_empty() {
        return Err(wrong("which holds no library of NVRTC".into()));
    }
    paths.iter().try_for_each(|path| load_for_ever(path)).map_err(|error| wrong(error.to_string()))
}

/// Whether a file is one of NVRTC's libraries. Those called `alt` are a second copy of the same.
fn is_nvrtc(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains("nvrtc") && name.contains(".so") && !name.contains(".alt.")
}

#[allow(unsafe_code)]
fn load_for_ever(path: &Path) -> Result<(), libloading::Error> {
    // SAFETY: loading NVRTC runs its initialisers, which ask nothing of us.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }?;
    std::mem::forget(library);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_folder_is_named() {
        let error = preload(Path::new("/no/such/folder")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
        let empty = tempfile::tempdir().unwrap();
        let error = preload(empty.path()).unwrap_err();
        assert!(error.to_string().contains("no library of NVRTC"), "{error}");
        std::fs::write(empty.path().join("libnvrtc.so.13"), "not a library").unwrap();
        assert!(preload(empty.path()).is_err());
    }

    #[test]
    fn the_second_copy_is_left_alone() {
        let taken = ["libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvrtc.so"];
        assert!(taken.iter().all(|name| is_nvrtc(Path::new(name))));
        assert!(!is_nvrtc(Path::new("libnvrtc.alt.so.13")) && !is_nvrtc(Path::new("nvrtc.h")));
    }
}
