//! Compiled programs, and what the compiler said of them, on disk, shared by all runs of a user.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use vortice_core::Result;

/// What every file begins with; another number for another layout.
const MAGIC: &[u8; 8] = b"vortice1";
/// Length of the check that follows.
const CHECK: usize = 32;

/// A folder of compiled programs. Where it cannot be read or written, everything is compiled anew.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

/// Everything that a compiled program depends on, as one hash.
#[derive(Clone)]
pub(crate) struct Key(Sha256);

impl Key {
    pub(crate) fn new() -> Self {
        let mut key = Self(Sha256::new());
        key.add("vortice-gpu", env!("CARGO_PKG_VERSION"));
        key
    }

    /// Adds an ingredient; lengths keep neighbours apart.
    pub(crate) fn add(&mut self, name: &str, text: &str) {
        for part in [name, text] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// The hash in hexadecimal digits.
    pub(crate) fn name(&self) -> String {
        let hash = self.0.clone().finalize();
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Cache {
    /// The user's: `$VORTICE_CACHE`, or `vortice` in the folder for caches.
    pub(crate) fn of_user() -> Self {
        Self { folder: folder(|name| std::env::var_os(name)) }
    }

    #[cfg(test)]
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// What compiling gives of a kind (the end of its file's name) for a key, compiled if it is not there or damaged.
    ///
    /// # Errors
    /// Those of `compile`.
    pub(crate) fn fetch(
        &self,
        key: &Key,
        kind: &str,
        compile: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let path = self.folder.as_ref().map(|folder| folder.join(format!("{}.{kind}", key.name())));
        if let Some(code) = path.as_deref().and_then(read) {
            return Ok(code);
        }
        let code = compile()?;
        if let Some(path) = path {
            // A cache that cannot be written costs the next run its time, and nothing else.
            let _ = write(&path, &code);
        }
        Ok(code)
    }
}

/// The folder for compiled programs, from the environment.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("VORTICE_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME").filter(|path| path.is_absolute())?.join("vortice")))
        .or_else(|| Some(set("HOME")?.join(".cache/vortice")))
}

/// The content of a file that is there and whole.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = std::fs::read(path).ok()?;
    let content = MAGIC.len() + CHECK;
    let check = bytes.strip_prefix(MAGIC)?.get(..CHECK)?;
    let whole = Sha256::digest(bytes.get(content..)?)[..] == *check;
    whole.then(|| bytes.split_off(content))
}

/// Writes beside the place under a name of its own, then renames: others see the whole file or
/// none.
fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(&Sha256::digest(content))?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn key(text: &str) -> Key {
        let mut key = Key::new();
        key.add("main", text);
        key
    }

    /// Fetches and tells whether it had to be compiled.
    fn fetch(cache: &Cache, text: &str) -> bool {
        let compiled = Cell::new(false);
        let code = cache.fetch(&key(text), "cubin", || {
            compiled.set(true);
            Ok(text.as_bytes().repeat(1000))
        });
        assert_eq!(code.unwrap(), text.as_bytes().repeat(1000));
        compiled.get()
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn what_was_compiled_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(&folder.path().join("made/on/demand"));
        assert!(fetch(&cache, "a") && !fetch(&cache, "a") && fetch(&cache, "b"));
        assert_eq!(files(&folder.path().join("made/on/demand")).len(), 2);
    }

    #[test]
    fn names_and_texts_are_kept_apart() {
        let of = |parts: &[(&str, &str)]| {
            let mut key = Key::new();
            parts.iter().for_each(|(name, text)| key.add(name, text));
            key.name()
        };
        assert_ne!(of(&[("ab", "c")]), of(&[("a", "bc")]));
        assert_ne!(of(&[("a", ""), ("b", "")]), of(&[("a", "b")]));
        assert_eq!(of(&[("a", "b")]).len(), 64);
    }

    #[test]
    fn damaged_files_are_compiled_anew() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        fetch(&cache, "a");
        let path = &files(folder.path())[0];
        let whole = std::fs::read(path).unwrap();
        let mut flipped = whole.clone();
        flipped[500] ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() - 1], &whole[..20], &[], b"vortice0"] {
            std::fs::write(path, damaged).unwrap();
            assert!(fetch(&cache, "a"), "{} bytes were believed", damaged.len());
            assert!(!fetch(&cache, "a"), "not mended");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_only_costs_time() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let inside_a_file = Cache::in_folder(&file.path().join("folder"));
        let nowhere = Cache { folder: None };
        for cache in [inside_a_file, nowhere] {
            assert!(fetch(&cache, "a") && fetch(&cache, "a"));
        }
    }

    #[test]
    fn many_at_once_see_whole_files() {
        let folder = tempfile::tempdir().unwrap();
        let compiled = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let cache = Cache::in_folder(folder.path());
                    for round in 0..20 {
                        let again = fetch(&cache, &format!("text {round}"));
                        compiled.fetch_add(again.into(), Ordering::Relaxed);
                    }
                });
            }
        });
        assert!((20..=160).contains(&compiled.into_inner()));
        assert_eq!(files(folder.path()).len(), 20, "something else was left behind");
    }

    #[test]
    fn the_folder_comes_from_the_environment() {
        let found = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(known, _)| *known == name);
            folder(|name| value(name).map(|(_, value)| OsString::from(value)))
        };
        let all = [("VORTICE_CACHE", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")];
        assert_eq!(found(&all), Some("/a".into()));
        assert_eq!(found(&all[1..]), Some("/b/vortice".into()));
        assert_eq!(found(&all[2..]), Some("/c/.cache/vortice".into()));
        assert_eq!(found(&[("XDG_CACHE_HOME", "relative"), all[2]]), found(&all[2..]));
        assert_eq!(found(&[]), None);
    }
}
