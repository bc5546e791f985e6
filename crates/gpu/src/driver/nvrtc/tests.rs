use super::*;

const SMALL: Program = Program {
    name: "small",
    kernels: &[
        (
            "small/double.cu",
            "#include \"small/twice.cuh\"\nextern \"C\" __global__ void \
          twofold(REAL* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }",
        ),
        (
            "small/fuse.cu",
            "#include \"small/twice.cuh\"\nextern \"C\" __global__ void \
          fuse(REAL* x) { x[0] = x[1] * x[2] + x[3]; }",
        ),
    ],
    headers: &[(
        "small/twice.cuh",
        "#pragma once\n__device__ REAL twice(REAL x) { return x + x; }",
    )],
};

fn reals(name: &str) -> [Definition; 1] {
    [("REAL", name.into())]
}

/// NVRTC must be there: `./test` installs it.
#[test]
fn a_program_compiles_for_every_architecture() {
    for architecture in [[8, 0], [9, 0], [10, 0]] {
        for real in ["float", "double"] {
            let code = compile(&SMALL, &reals(real), architecture, false).unwrap();
            assert_eq!(code[..4], *b"\x7fELF");
            let holds = |name: &[u8]| code.windows(name.len()).any(|bytes| bytes == name);
            assert!(holds(b"twofold") && holds(b"fuse"));
        }
    }
}

#[test]
fn the_kernel_of_the_benchmarks_compiles() {
    let program = Program {
        name: "bench",
        kernels: &[("bench/copy.cu", include_str!("../../../../../kernels/bench/copy.cu"))],
        headers: &[("device.cuh", include_str!("../../../../../kernels/device.cuh"))],
    };
    for architecture in [[8, 0], [9, 0], [10, 0]] {
        assert!(!compile(&program, &reals("float"), architecture, false).unwrap().is_empty());
    }
}

#[test]
fn contraction_changes_the_code() {
    let code = |fused| compile(&SMALL, &reals("float"), [9, 0], fused).unwrap();
    assert_eq!(code(false), code(false));
    assert_ne!(code(false), code(true));
}

#[test]
fn the_compiler_reports_registers() {
    let report = resources(&SMALL, &reals("double"), [9, 0], false).unwrap();
    assert!(report.contains("twofold") && report.contains("registers"), "{report}");
}

#[test]
fn mistakes_are_reported_with_file_and_line() {
    let kernels = &[("small/wrong.cu", "\n__global__ void wrong() { nonsense; }")];
    let program = Program { kernels, ..SMALL };
    let error = compile(&program, &[], [9, 0], false).unwrap_err().to_string();
    assert!(error.contains("small/wrong.cu(2)") && error.contains("nonsense"), "{error}");
}

#[test]
fn an_unknown_architecture_is_refused() {
    let error = compile(&SMALL, &reals("float"), [3, 0], false).unwrap_err();
    assert!(error.to_string().contains("sm_30"), "{error}");
    assert!(error.remedy().contains("NVRTC"));
}

#[test]
fn every_ingredient_changes_the_key() {
    let key = |program: &Program, real, architecture, fused, version| {
        Job::new(program, &reals(real), architecture, fused).key(version).name()
    };
    let header = &[("small/twice.cuh", "#pragma once")];
    const RENAMED: &[(&str, &str)] = &[("small/other.cuh", SMALL.headers[0].1)];
    let keys = [
        key(&SMALL, "float", [9, 0], false, [13, 0]),
        key(&SMALL, "double", [9, 0], false, [13, 0]),
        key(&SMALL, "float", [8, 0], false, [13, 0]),
        key(&SMALL, "float", [9, 0], true, [13, 0]),
        key(&SMALL, "float", [9, 0], false, [13, 1]),
        key(&Program { headers: header, ..SMALL }, "float", [9, 0], false, [13, 0]),
        key(&Program { headers: RENAMED, ..SMALL }, "float", [9, 0], false, [13, 0]),
        key(&Program { kernels: &SMALL.kernels[..1], ..SMALL }, "float", [9, 0], false, [13, 0]),
    ];
    let different: std::collections::BTreeSet<_> = keys.iter().collect();
    assert_eq!(different.len(), keys.len());
    assert_eq!(keys[0], key(&SMALL, "float", [9, 0], false, [13, 0]));
}

#[test]
fn the_second_compilation_comes_from_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folder(folder.path());
    let once = || compile_once(&cache, &SMALL, &reals("float"), [9, 0], false).unwrap();
    let first = once();
    let files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    let written = std::fs::metadata(&files[0]).unwrap().modified().unwrap();
    assert_eq!(first, once());
    assert_eq!(std::fs::metadata(&files[0]).unwrap().modified().unwrap(), written);
}
