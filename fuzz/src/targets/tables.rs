//! Any text is read as a reference table, or refused with an error that says why; what is read can be asked.

use std::sync::OnceLock;

use tempfile::TempDir;
use vortice_core::Case;
use vortice_post::references::{Reference, lines, plane};

/// A folder with a case, and its folder of tables.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        std::fs::create_dir(folder.path().join("references")).expect("a folder inside");
        for name in
            ["cavity", "heated-cavity-ra1e4", "step-gartling", "cylinder-schaefer-turek-2d1"]
        {
            let text = include_cases(name);
            std::fs::write(folder.path().join(format!("{name}.toml")), text)
                .expect("a case is written");
        }
        folder
    })
}

fn include_cases(name: &str) -> &'static str {
    match name {
        "cavity" => include_str!("../../../cases/cavity.toml"),
        "heated-cavity-ra1e4" => include_str!("../../../cases/heated-cavity-ra1e4.toml"),
        "step-gartling" => include_str!("../../../cases/step-gartling.toml"),
        _ => include_str!("../../../cases/cylinder-schaefer-turek-2d1.toml"),
    }
}

/// Cases that have what tables speak of: a lid, temperatures, a step, a body.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let files = std::fs::read_dir(folder().path()).expect("the folder").flatten();
        let paths = files.map(|entry| entry.path()).filter(|path| path.is_file());
        paths.map(|path| Case::read(path).expect("a good case")).collect()
    })
}

/// One input.
pub(crate) fn target(input: &[u8]) {
    let cases = cases();
    std::fs::write(folder().path().join("references/fuzzed.csv"), input)
        .expect("a table is written");
    for case in cases {
        match Reference::find(case, "fuzzed") {
            Ok(reference) => {
                assert!(!reference.citation.is_empty());
                let told = reference.objection(case);
                assert!(told.is_none_or(|why| !why.is_empty()));
                let all = [reference];
                drop((lines(case, &all), plane(case, &all)));
            }
            Err(error) => assert!(!error.to_string().is_empty() && !error.remedy().is_empty()),
        }
    }
}
