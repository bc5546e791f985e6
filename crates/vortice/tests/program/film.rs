//! A film of the flow: the same frames by any ranks, after a restart and after a kill.

use std::path::Path;

use crate::killed::{kill, start};
use crate::{ends_with, program, stderr, stdout, tiny, vortice};

const FILM: &str =
    "output.film={ shows = \"vorticity\", steps = 2, range = [-9.0, 9.0], frames-per-second = 5 }";

/// Runs the cavity to an end with such a code; its frames by name.
fn run(folder: &Path, sets: &[&str], more: &[&str], code: i32) -> Vec<(String, Vec<u8>)> {
    let all = [&[FILM, "output.checkpoint-steps=3", "references=[]", "run.until=0.3"], sets];
    let more = [&["--quiet", "--out", "out"], more].concat();
    ends_with(&vortice(folder, &tiny(&all.concat(), &more)), code);
    frames(folder)
}

fn frames(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder.join("out/film")).unwrap();
    let mut all: Vec<_> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// How many frames the film says that it has.
fn of_film(folder: &Path) -> (u32, Vec<u8>) {
    let film = std::fs::read(folder.join("out/film.png")).unwrap();
    let place = film.windows(4).position(|four| four == b"acTL").expect("it is animated");
    let count = film[place + 4..place + 8].try_into().map(u32::from_be_bytes).unwrap();
    assert_eq!(film.windows(4).filter(|four| *four == b"fcTL").count(), count as usize);
    (count, film)
}

/// Runs it by several ranks, and in two parts.
fn is_the_same(method: &[&str]) {
    let [long, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let whole = run(long.path(), method, &[], 0);
    assert!(whole.len() > 3, "{}", whole.len());
    assert_eq!([&*whole[0].0, &*whole[1].0], ["step-0000000000.png", "step-0000000002.png"]);
    assert!(whole[0].1 != whole[1].1 && whole[1].1 != whole[2].1);
    let (count, film) = of_film(long.path());
    assert_eq!(count as usize, whole.len());
    let poster = std::fs::read(long.path().join("out/film-poster.png")).unwrap();
    assert!(poster == whole[whole.len() - 1].1, "the last frame is the poster");
    assert!(run(parts.path(), method, &["--ranks", "2"], 0) == whole, "{method:?}, two ranks");
    // Stopped between two frames, it has those until then, and goes on with them.
    let begun = run(parts.path(), &[method, &["run.max-steps=5"]].concat(), &[], 1);
    assert_eq!((begun.len(), of_film(parts.path()).0), (3, 3));
    let both = run(parts.path(), method, &["--restart", "out/checkpoint.h5"], 0);
    assert!(both == whole && of_film(parts.path()).1 == film, "{method:?}, restarted");
    // A run without a film leaves none of another.
    let none: Vec<&str> = tiny(&[], &["--quiet", "--out", "out"]);
    ends_with(&vortice(parts.path(), &none), 0);
    assert_eq!(frames(parts.path()), []);
    assert!(!parts.path().join("out/film.png").exists());
}

#[test]
fn films_by_lbm_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=lbm", "run.until=0.1"]);
}

#[test]
fn films_by_fdm_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=fdm"]);
}

#[test]
fn films_by_fvm_are_the_same_by_any_ranks_and_after_a_restart() {
    is_the_same(&["run.method=fvm", "run.until=0.6"]);
}

/// A flow in space, in a plane across y, in pressure.
#[test]
fn frames_of_a_plane_in_space_are_the_same_by_any_ranks() {
    let sets = [
        "grid={cells=[12,10,8],size=[1.2,1.0,0.8]}",
        "boundary.z-low=wall",
        "boundary.z-high=wall",
        "output.film={shows=\"pressure\",plane=\"y = 0.8\",seconds=0.05}",
        "run.until=0.1",
    ];
    let [one, four] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    for method in ["run.method=fdm", "run.method=lbm"] {
        let sets = [&[method][..], &sets].concat();
        let whole = run(one.path(), &sets, &[], 0);
        assert_eq!(whole.len(), 3, "{method}");
        assert!(run(four.path(), &sets, &["--ranks", "4"], 0) == whole, "{method}");
    }
}

#[test]
fn a_film_of_a_run_that_was_killed_goes_on_without_a_seam() {
    let [straight, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let sets = ["run.method=fdm", "run.until=1.0"];
    let whole = run(straight.path(), &sets, &[], 0);
    let all = [&[FILM, "output.checkpoint-steps=3", "references=[]"], &sets[..]].concat();
    let child = start(killed.path(), &tiny(&all, &["--quiet", "--out", "out"]));
    while !killed.path().join("out/checkpoint.h5").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    kill(child);
    assert!(!killed.path().join("out/film.png").exists(), "it was killed too late");
    let both = run(killed.path(), &sets, &["--restart", "out/checkpoint.h5"], 0);
    assert!(both == whole && of_film(killed.path()) == of_film(straight.path()));
}

#[test]
fn what_is_no_folder_for_frames_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    std::fs::write(folder.path().join("out/film"), "precious").unwrap();
    let refused = vortice(folder.path(), &tiny(&[FILM], &["--quiet", "--out", "out"]));
    ends_with(&refused, 3);
    assert!(stderr(&refused).contains("frames cannot be kept here"), "{}", stderr(&refused));
}

/// Runs the cavity where `ffmpeg` is this script, or none; what it says.
fn with_ffmpeg(folder: &Path, script: Option<&str>) -> String {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    if let Some(script) = script {
        let path = programs.join("ffmpeg");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let ran = program(folder)
        .env("PATH", &programs)
        .args(tiny(&[FILM, "references=[]"], &["--out", "out"]))
        .output()
        .expect("the program starts");
    ends_with(&ran, 0);
    stdout(&ran) + &stderr(&ran)
}

#[test]
fn a_film_is_an_mp4_too_where_there_is_ffmpeg_and_else_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mp4 = folder.path().join("out/film.mp4");
    let said = with_ffmpeg(folder.path(), None);
    assert!(said.contains("film.mp4: is not written: there is no program `ffmpeg`"), "{said}");
    assert!(!mp4.exists() && folder.path().join("out/film.png").exists());
    // It is given all frames one after the other, and where to write.
    let said = with_ffmpeg(folder.path(), Some("for last; do :; done; exec /bin/cat > \"$last\""));
    let frames: Vec<u8> = frames(folder.path()).into_iter().flat_map(|(_, frame)| frame).collect();
    assert!(std::fs::read(&mp4).unwrap() == frames && said.contains("out/film.mp4"), "{said}");
    let said = with_ffmpeg(folder.path(), Some("echo 'no encoder for it' >&2; exit 1"));
    assert!(said.contains("`ffmpeg` says: no encoder for it"), "{said}");
    let left = std::fs::read_dir(folder.path().join("out")).unwrap();
    let names = left.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    assert!(!names.into_iter().any(|name| name.contains("mp4")), "of the earlier run");
}
