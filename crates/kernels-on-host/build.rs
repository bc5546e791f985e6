//! Compiles all kernels of `kernels/` as C++, once for each choice of constants, and the shim on
//! which they run. The feature `sanitize` compiles with AddressSanitizer and UBSan, and
//! `HOST_KERNELS_FOLDERS=fvm,linear,halo` these folders alone, for who works on them: tests of the
//! others then fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Constants given to the compiler: names and values.
type Definitions = Vec<(&'static str, &'static str)>;

/// What numbers are calculated with, and what they are stored as.
const NUMBERS: [[&str; 2]; 3] = [["float", "float"], ["double", "double"], ["float", "half16"]];

const DIRECTIONS: [&str; 2] = ["2", "3"];
const LATTICES: [&str; 4] = ["D2Q9", "D3Q15", "D3Q19", "D3Q27"];
const COLLISIONS: [&str; 4] = ["srt", "trt", "mrt", "regularised"];

/// Whether moments are stored instead of populations.
const MOMENTS: &str = "STORES_MOMENTS";

/// The folder with kernels of the tests, in `tests/`.
const TESTS: &str = "kernels";

/// Kernels with this word in their name collide; the others of the lattice need not be compiled for each collision.
const COLLIDE: &str = "collide";

/// A folder of kernels or those of it that are compiled alike, which are one translation unit.
struct Folder {
    /// Name relative to where includes are looked for.
    name: String,
    /// The kernels' names, sorted.
    kernels: Vec<String>,
}

impl Folder {
    /// What is compiled alike.
    fn parts(self) -> [Self; 2] {
        let (collide, others) = self.kernels.into_iter().partition(|name| name.contains(COLLIDE));
        [others, collide].map(|kernels| Self { name: self.name.clone(), kernels })
    }

    /// The definitions that the folder is compiled with, once each.
    fn variants(&self) -> Vec<Definitions> {
        let numbers: Vec<_> = NUMBERS.map(|[x, y]| vec![("REAL", x), ("STORED", y)]).into();
        let (whole, halves) = numbers.split_at(2);
        match self.name.as_str() {
            // What only moves values asks for nothing else.
            "halo" => numbers,
            "rounds" => whole.to_vec(),
            // Halves on one lattice only: there are many variants without them.
            "lbm" => {
                let lattices =
                    [with(whole, "LATTICE", &LATTICES), with(halves, "LATTICE", &["D3Q19"])];
                let lattices = lattices.concat();
                if self.kernels.iter().any(|name| name.contains(COLLIDE)) {
                    return with(&lattices, "COLLISION", &COLLISIONS);
                }
                let moments = with(whole, "LATTICE", &["D3Q19"]);
                let stores = |variants: &[Definitions], value| with(variants, MOMENTS, &[value]);
                [stores(&lattices, "0"), stores(&moments, "1")].concat()
            }
            TESTS => with(&numbers, "DIRECTIONS", &DIRECTIONS),
            // In double precision only.
            "fvm" | "linear" => with(&whole[1..], "DIRECTIONS", &DIRECTIONS),
            _ => with(whole, "DIRECTIONS", &DIRECTIONS),
        }
    }

    /// The folder as C++ for one variant, with a table named `table`.
    fn unit(&self, table: &str, definitions: &Definitions) -> String {
        let mut text = String::new();
        for (name, value) in definitions {
            let _ = writeln!(text, "#define {name} {value}");
        }
        text.push_str("#include \"host.h\"\n#include \"table.h\"\nnamespace {\n");
        for kernel in &self.kernels {
            let _ = writeln!(text, "#include \"{}/{kernel}.cu\"", self.name);
        }
        text.push_str("const host::Definition definitions[] = {\n");
        for (name, value) in definitions {
            let _ = writeln!(text, "    {{\"{name}\", \"{value}\"}},");
        }
        text.push_str("};\nconst host::Kernel kernels[] = {\n");
        for kernel in &self.kernels {
            let _ = writeln!(text, "    HOST_KERNEL(\"{}/{kernel}.cu\", {kernel}),", self.name);
        }
        let _ = write!(
            text,
            "}};\n}}\nextern const host::Table {table};\nconst host::Table {table} = \
             {{definitions, {}, kernels, {}}};\n",
            definitions.len(),
            self.kernels.len()
        );
        text
    }
}

/// Each variant with one definition more, once for each of its values.
fn with(variants: &[Definitions], name: &'static str, values: &[&'static str]) -> Vec<Definitions> {
    let extended =
        |value| variants.iter().map(move |variant| [&variant[..], &[(name, value)]].concat());
    values.iter().copied().flat_map(extended).collect()
}

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    let kernels = here.join("../../kernels").canonicalize().expect("the folder kernels/");
    let tests = here.join("tests");
    for watched in [&kernels, &here.join("shim"), &tests.join("kernels")] {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    let mut folders = folders(&kernels);
    folders.push(folder(&tests, TESTS));
    expect_unique(&folders);
    keep_wanted(&mut folders);

    let sanitize = sanitize();
    let mut compiler = compiler(sanitize);
    compiler.include(here.join("shim")).include(&kernels).include(&tests);
    for part in ["context", "fiber", "launch"] {
        compiler.file(here.join(format!("shim/{part}.cpp")));
    }
    for source in generate(&folders, &out) {
        compiler.file(source);
    }
    if sanitize {
        // Before the standard libraries: its allocator must be found first.
        println!("cargo::rustc-link-lib=dylib=asan");
        println!("cargo::rustc-link-lib=dylib=ubsan");
    }
    compiler.compile("kernels_on_host");
}

/// Leaves out what is not in the list of wanted folders, if there is one.
fn keep_wanted(folders: &mut Vec<Folder>) {
    println!("cargo::rerun-if-env-changed=HOST_KERNELS_FOLDERS");
    if let Ok(wanted) = env::var("HOST_KERNELS_FOLDERS") {
        folders.retain(|folder| wanted.split(',').any(|name| name == folder.name));
    }
}

/// Whether the kernels are to be sanitized.
fn sanitize() -> bool {
    env::var_os("CARGO_FEATURE_SANITIZE").is_some()
}

/// The C++ compiler with the arithmetic of a GPU: no contraction, nothing reordered.
fn compiler(sanitize: bool) -> cc::Build {
    let mut compiler = cc::Build::new();
    compiler.cpp(true).std("c++17").warnings(true).extra_warnings(true);
    for flag in ["-ffp-contract=off", "-fno-fast-math", "-fno-strict-aliasing"] {
        compiler.flag(flag);
    }
    // Pragmas are for the compiler of a GPU, whose threads have unsigned numbers; conditions are joined without branches.
    for warning in ["unknown-pragmas", "sign-compare", "parentheses"] {
        compiler.flag(format!("-Wno-{warning}"));
    }
    if sanitize {
        compiler.opt_level(1).debug(true);
        compiler.flag("-fsanitize=address,undefined").flag("-fno-sanitize-recover=all");
        compiler.flag("-fno-omit-frame-pointer");
    } else {
        compiler.opt_level(2);
    }
    compiler
}

/// All folders with kernels below `root`.
fn folders(root: &Path) -> Vec<Folder> {
    let entries = fs::read_dir(root).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut names: Vec<String> = paths.filter(|path| path.is_dir()).map(|p| stem(&p)).collect();
    names.sort();
    let folders = names.iter().flat_map(|name| folder(root, name).parts());
    folders.filter(|folder| !folder.kernels.is_empty()).collect()
}

fn folder(root: &Path, name: &str) -> Folder {
    let entries = fs::read_dir(root.join(name)).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let is_kernel = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "cu");
    let mut kernels: Vec<String> = paths.filter(is_kernel).map(|path| stem(&path)).collect();
    kernels.sort();
    Folder { name: name.to_string(), kernels }
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// A kernel is found by its name alone.
fn expect_unique(folders: &[Folder]) {
    let mut homes = BTreeMap::new();
    for folder in folders {
        for kernel in &folder.kernels {
            if let Some(other) = homes.insert(kernel, &folder.name) {
                panic!("kernel `{kernel}` is in {other} and in {}: rename one", folder.name);
            }
        }
    }
}

/// Writes the translation units, and one that lists their tables.
fn generate(folders: &[Folder], out: &Path) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    let mut tables = Vec::new();
    for folder in folders {
        for definitions in folder.variants() {
            let values: Vec<&str> = definitions.iter().map(|(_, value)| *value).collect();
            let table = format!("table_{}_{}", folder.name, values.join("_"));
            sources.push(out.join(format!("{table}.cpp")));
            write(&sources[sources.len() - 1], &folder.unit(&table, &definitions));
            tables.push(table);
        }
    }
    sources.push(out.join("tables.cpp"));
    write(&sources[sources.len() - 1], &list(&tables));
    sources
}

fn list(tables: &[String]) -> String {
    let mut text = String::from("#include \"table.h\"\n");
    for table in tables {
        let _ = writeln!(text, "extern const host::Table {table};");
    }
    let addresses: Vec<String> = tables.iter().map(|table| format!("&{table}")).collect();
    let _ = writeln!(
        text,
        "static const host::Table* const tables[] = {{{}}};\n\
         extern \"C\" const host::Table* const* host_tables(size_t* count) {{\n\
         \x20   *count = {};\n    return tables;\n}}",
        addresses.join(", "),
        tables.len()
    );
    text
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
