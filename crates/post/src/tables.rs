//! The reference tables inside the library, so that an installed program needs no files.

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Names and texts of the built-in reference tables, by name.
pub fn built_in_tables() -> &'static [(&'static str, &'static str)] {
    TABLES
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn every_table_of_the_folder_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/references");
        let entries = std::fs::read_dir(folder).unwrap();
        let paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        let tables = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "csv"));
        let mut stems: Vec<&str> =
            tables.map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
        stems.sort_unstable();
        let names: Vec<&str> = built_in_tables().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, stems);
    }
}
