//! The commands that the pages print, typed into a shell block by block, with fewer steps.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::how_to::blocks;

/// What stands in the place of the program: the same words with few steps, small grids where it computes, and no GPU. A run that
/// stops early is fine. Of checks of validation one is made, once on each page; what serves a page is stopped after a while.
const SHORT: &str = r#"#!/bin/bash
verb=$1 stop=() words=()
while [ $# -gt 0 ]; do
    case $verb:$1 in
    validate:--only | validate:--methods) shift ;;
    validate:--quick | validate:--full) ;;
    *:--device) words+=(--device cpu) && shift ;;
    bench:--cells) words+=(--cells "$(sed 's/[0-9]*[0-9]/8/g' <<<"$2")") && shift ;;
    bench:--repeats) shift ;;
    compare:--grids) words+=(--grids 8) && shift ;;
    *:--watch) stop=(timeout --preserve-status -s INT 3) && words+=("$1") ;;
    *) words+=("$1") ;;
    esac
    shift
done
case $verb in
run) words+=(--set run.max-steps=3 --set output.picture=false --quiet)
    [[ ${words[1]} != cavity-3d || " ${words[*]} " == *" --cells "* ]] || words+=(--cells 12x12x12) ;;
compare) words+=(--set run.max-steps=1 --set output.picture=false --quiet)
    [[ " ${words[*]} " == *" --grids "* ]] || words+=(--grids 8) ;;
bench) words+=(--repeats 1 --seconds 0.01)
    # So few cells at Re 1000 diverge after a thousand steps: a fast machine takes as many.
    [[ ${words[1]} != cavity-3d ]] || words+=(--set fluid.viscosity=0.01)
    [[ " ${words[*]} " == *" --cells "* ]] || words+=(--set "grid.cells=[8,8,$([[ ${words[1]} == *3d* ]] && echo 8 || echo 1)]") ;;
validate) words+=(--quick --only couette --methods fdm)
    [ -e "$VORTICE_SEEN" ] && stop=(:)
    touch "$VORTICE_SEEN" ;;
view) stop=(timeout --preserve-status -s INT 1) ;;
esac
"${stop[@]}" "$VORTICE" "${words[@]}"
code=$?
[ $code = 1 ] && [[ $verb == run || $verb == compare ]] && code=0
[ $code = 0 ] || echo "exit code $code of: vortice ${words[*]}" >&2
exit $code
"#;

/// `mpiexec -n N vortice ...` as N threads: its processes have tests of their own.
const MPIEXEC: &str = "#!/bin/bash\nranks=$2\nshift 3\nexec vortice \"$@\" --ranks $ranks\n";

/// What these lines begin with is not of the program: builds, benchmarks, and what installs.
const OTHERS: [&str; 8] =
    ["cargo ", "apt-get ", "pip ", "benches/", "crates/", "MPICC=", "VORTICE_", "./test"];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The pages of the book and the first one, in order.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![top().join("docs/src")];
    let mut pages = vec![top().join("README.md")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "md" => pages.push(path),
                _ => {}
            }
        }
    }
    pages.sort();
    pages
}

/// Lines of the shell blocks of a page that are of the program, or of the shell.
fn own_blocks(page: &str) -> Vec<String> {
    let own = |line: &&str| !OTHERS.iter().any(|other| line.trim_start().starts_with(other));
    let of_block = |block: &String| block.lines().filter(own).collect::<Vec<_>>().join("\n");
    blocks(page, "sh").iter().map(of_block).collect()
}

/// Types the blocks of a page one after the other, in an empty folder with the built-in cases; returns how many lines there were.
fn type_page(path: &Path) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let script = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        let path = at.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("executable");
    };
    script("bin/vortice", SHORT);
    script("bin/mpiexec", MPIEXEC);
    script("bin/mpiexec.mpich", MPIEXEC);
    script("run", "#!/bin/bash\nexec vortice run \"$@\"\n");
    std::os::unix::fs::symlink(top().join("cases"), at.join("cases")).expect("a link");
    let before = std::env::var("PATH").unwrap_or_default();
    let mut lines = 0;
    for block in own_blocks(&std::fs::read_to_string(path).expect("a page")) {
        lines += block.lines().filter(|line| !line.trim().is_empty()).count();
        let typed = Command::new("bash")
            .args(["-e", "-c", &block])
            .current_dir(at)
            .env("PATH", format!("{}:{before}", at.join("bin").display()))
            .env("VORTICE", env!("CARGO_BIN_EXE_vortice"))
            .env("VORTICE_SEEN", at.join("bin/seen"))
            .env("NO_COLOR", "1")
            .env("CUDA_VISIBLE_DEVICES", "")
            .output()
            .expect("bash");
        let said = String::from_utf8_lossy(&typed.stderr);
        assert!(typed.status.success(), "{}:\n{block}\n\n{said}", path.display());
    }
    lines
}

/// Every second page, from this one on; returns how many lines there were.
fn type_pages(first: usize) -> usize {
    pages().iter().skip(first).step_by(2).map(|path| type_page(path)).sum()
}

// Two tests, so that two cores have something to do.
#[test]
fn every_command_of_the_pages_works() {
    let lines = type_pages(0);
    println!("{lines} lines were typed");
    assert!(lines > 20);
}

#[test]
fn every_command_of_the_other_pages_works() {
    let lines = type_pages(1);
    println!("{lines} lines were typed");
    assert!(lines > 20);
}
