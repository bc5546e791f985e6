//! A class of thirty hands in: right, wrong, broken and hostile.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{ends_with, stdout, vortice};

/// Answers to the lab of [`LAB`], all right.
const RIGHT: &str = "lab = \"mine\"\nspeed = \"2.0 m/s\"\nsteps = 12\nscheme = \"upwind\"\n\
                     residual = \"h.csv\"\nwhy = \"Because it is stable.\"\n";

const LAB: &str = r#"
title = "A lab for this test"

[[question]]
id = "speed"
text = "How fast?"
points = 2
unit = "m/s"
expected = 2.0
relative = 0.01

[[question]]
id = "steps"
text = "How many steps?"
points = 1
expected = 12

[[question]]
id = "scheme"
text = "Which scheme?"
points = 1.5
choices = ["upwind", "central"]

[[question]]
id = "residual"
text = "The history of your run."
points = 1
column = { name = "residual", of = "last" }
expected = 1e-6
relative = 0.1

[[question]]
id = "why"
text = "Why?"
points = 3
written = true
"#;

/// Whose, the points without those of a person, and words of the remarks.
type Expected = (&'static str, f64, &'static [&'static str]);

/// What the class must get, by names.
const CLASS: [Expected; 30] = [
    ("=cmd()|calc", 5.5, &[]),
    ("all-wrong", 0.0, &["for a person"]),
    ("another-lab", 0.0, &["is of the lab `lab1`, not `mine`"]),
    ("binary", 0.0, &["not text in UTF-8"]),
    ("comma", 3.5, &["speed: has a comma"]),
    ("copy", 5.5, &["word for word that of", "right"]),
    ("deep", 0.0, &["not TOML"]),
    ("duplicate-key", 0.0, &["not TOML", "line 3"]),
    ("empty-folder", 0.0, &["answers.toml is missing"]),
    ("empty-sheet", 0.0, &[]),
    ("fifo", 0.0, &["answers.toml is not a file"]),
    ("file.toml", 4.5, &["residual: `h.csv` is missing"]),
    ("folder-as-sheet", 0.0, &["answers.toml is not a file"]),
    ("foreign-files", 5.5, &["not opened: run.sh"]),
    ("huge", 0.0, &["larger than 64 KiB"]),
    ("inf", 3.5, &["speed: is not finite"]),
    ("link-out", 4.5, &["residual: `h.csv` is a link"]),
    ("link-sheet", 0.0, &["is a link"]),
    ("linked-folder", 0.0, &["is a link"]),
    ("nan", 4.5, &["steps: is not finite"]),
    ("nested", 5.5, &[]),
    ("no-unit", 3.5, &["speed: has no unit"]),
    ("not-toml", 0.0, &["not TOML"]),
    ("outside", 4.5, &["residual: `../right/h.csv` lies outside"]),
    ("right", 5.5, &["why: for a person to read", "word for word that of"]),
    ("twice", 5.5, &["handed in more than once"]),
    ("twice.toml", 4.5, &["handed in more than once"]),
    ("unknown-key", 5.5, &["`sped` is no question: did you mean `speed`?"]),
    ("wrong-unit", 3.5, &["speed: is in `km/h`, asked for in `m/s`"]),
    ("zip.zip", 0.0, &["unpack it"]),
];

/// A submission with answers and the history that they name.
fn hand_in(class: &Path, name: &str, answers: &str) {
    let folder = class.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("answers.toml"), answers).expect("answers");
    fs::write(folder.join("h.csv"), "step,residual\n1,0.5\n2,1.04e-6\n").expect("a history");
}

/// A sheet like no other: copies are remarked.
fn right(changes: &[(&str, &str)], by: &str) -> String {
    let text = changes.iter().fold(RIGHT.to_owned(), |text, (from, to)| text.replace(from, to));
    format!("# {by}\n{text}")
}

fn hand_in_all(class: &Path) {
    let like = |name: &str, changes: &[(&str, &str)]| hand_in(class, name, &right(changes, name));
    let raw = |name: &str, answers: &[u8]| {
        hand_in(class, name, "");
        fs::write(class.join(name).join("answers.toml"), answers).expect("answers");
    };
    hand_in(class, "right", RIGHT);
    hand_in(class, "copy", RIGHT);
    for name in ["=cmd()|calc", "foreign-files", "twice", "nested/mine"] {
        like(name, &[]);
    }
    like("all-wrong", &[("2.0", "3"), ("12", "13"), ("upwind", "central"), ("h.csv", "i.csv")]);
    fs::write(class.join("all-wrong/i.csv"), "residual\n1\n").expect("a history");
    like("another-lab", &[("\"mine\"", "\"lab1\"")]);
    like("comma", &[("2.0", "2,0")]);
    like("inf", &[("2.0", "inf")]);
    like("nan", &[("12", "nan")]);
    like("no-unit", &[("\"2.0 m/s\"", "2.0")]);
    like("wrong-unit", &[("m/s", "km/h")]);
    like("outside", &[("h.csv", "../right/h.csv")]);
    like("unknown-key", &[("why =", "sped = 2\nwhy =")]);
    like("link-out", &[]);
    raw("binary", &[0xff, 0x00, 0xfe]);
    raw("deep", format!("a = {}{}", "[".repeat(20_000), "]".repeat(20_000)).as_bytes());
    raw("duplicate-key", b"lab = \"mine\"\nsteps = 12\nsteps = 13\n");
    raw("empty-sheet", b"");
    raw("not-toml", b"\x1b[2J = = 12");
    raw("huge", &[b'#'; 100_000]);
    for name in ["file.toml", "twice.toml"] {
        fs::write(class.join(name), right(&[], name)).expect("answers");
    }
    fs::write(class.join("zip.zip"), "PK").expect("an archive");
    fs::write(class.join(".DS_Store"), "hidden").expect("a file");
    for name in ["empty-folder", "folder-as-sheet/answers.toml", "fifo", "link-sheet"] {
        fs::create_dir_all(class.join(name)).expect("a folder");
    }
    let pipe = std::process::Command::new("mkfifo").arg(class.join("fifo/answers.toml")).status();
    assert!(pipe.expect("mkfifo runs").success());
    symlink("../right/answers.toml", class.join("link-sheet/answers.toml")).expect("a link");
    symlink("right", class.join("linked-folder")).expect("a link");
    fs::remove_file(class.join("link-out/h.csv")).expect("a file");
    symlink("/etc/passwd", class.join("link-out/h.csv")).expect("a link");
    let script = class.join("foreign-files/run.sh");
    fs::write(&script, "#!/bin/sh\ntouch executed\n").expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
}

#[test]
fn a_class_of_thirty_is_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (lab, class) = (folder.path().join("mine"), folder.path().join("submissions"));
    fs::create_dir_all(lab.join("solution")).expect("a folder");
    fs::write(lab.join("lab.toml"), LAB).expect("a lab");
    fs::write(lab.join("solution/answers.toml"), RIGHT).expect("a solution");
    hand_in_all(&class);
    let began = Instant::now();
    let arguments = ["course", "grade", "submissions", "--lab", "mine", "--out", "marks.csv"];
    let grade = vortice(folder.path(), &arguments);
    ends_with(&grade, 0);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(!stdout(&grade).contains('\u{1b}'), "{}", stdout(&grade));
    let first = fs::read(folder.path().join("marks.csv")).expect("marks");
    let mut table = csv::Reader::from_reader(first.as_slice());
    let head =
        ["submission", "speed", "steps", "scheme", "residual", "why", "total", "of", "remarks"];
    assert_eq!(table.headers().expect("headings"), head.as_slice());
    let rows: Vec<_> = table.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), CLASS.len());
    for (row, (name, points, remarks)) in rows.iter().zip(CLASS) {
        assert_eq!(row[0].trim_start_matches('\''), name);
        assert_eq!(row[6].parse(), Ok(points), "{row:?}");
        assert!(remarks.iter().all(|words| row[8].contains(words)), "{row:?}");
        assert!(&row[7] == "8.5" && !row[0].starts_with('='), "{row:?}");
    }
    let executed = [folder.path(), &class, &class.join("foreign-files")];
    assert!(executed.iter().all(|folder| !folder.join("executed").exists()));
    // Marked again, and into the folder itself, they are the same.
    let again =
        ["course", "grade", "submissions", "--lab", "mine", "--out", "submissions/marks.csv"];
    for _ in 0..2 {
        ends_with(&vortice(folder.path(), &again), 0);
        assert_eq!(fs::read(class.join("marks.csv")).expect("marks"), first);
    }
}

#[test]
fn the_lab_is_the_one_that_most_submissions_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, lab) in [("a", "lab2"), ("b", "lab2"), ("c", "lab1")] {
        hand_in(
            folder.path(),
            &format!("class/{name}"),
            &format!("lab = \"{lab}\"\nentries = 288\n"),
        );
    }
    let grade = vortice(folder.path(), &["course", "grade", "class"]);
    ends_with(&grade, 0);
    let marks = fs::read_to_string(folder.path().join("marks.csv")).expect("marks");
    assert!(marks.starts_with("submission,entries,"), "{marks}");
    assert!(marks.contains("is of the lab `lab1`, not `lab2`"), "{marks}");
    fs::create_dir(folder.path().join("none")).expect("a folder");
    ends_with(&vortice(folder.path(), &["course", "grade", "none"]), 3);
    ends_with(&vortice(folder.path(), &["course", "grade", "class", "--lab", "lab9"]), 2);
}

#[test]
fn sheets_that_are_too_much_stop_no_class() {
    let folder = tempfile::tempdir().expect("a folder");
    let hand = |name: &str, text: String| {
        hand_in(folder.path(), &format!("class/{name}"), &format!("lab = \"lab1\"\n{text}"));
    };
    hand("dots", format!("limit{} = 1\n", ".a".repeat(30_000)));
    hand("headings", format!("[{}]\n", vec!["limit"; 10_000].join(".")));
    hand("keys", (0..5000).map(|n| format!("k{n} = 1\n")).collect());
    hand("table", "limit = { value = 1 }\nlongest = \"euler\"\n".into());
    hand("terminal", "wave = \"\\u001b[2J\"\nlongest = \"euler\"\r\n".into());
    let grade = vortice(folder.path(), &["course", "grade", "class"]);
    ends_with(&grade, 0);
    let marks = fs::read_to_string(folder.path().join("marks.csv")).expect("marks");
    assert_eq!(marks.matches("recursion limit").count(), 2, "{marks}");
    for words in
        ["nor are 4995 others", "limit: is neither a number nor a text", "wave: is none of"]
    {
        assert!(marks.contains(words), "{words}: {marks}");
    }
    assert!(!marks.contains('\u{1b}') && !stdout(&grade).contains('\u{1b}'), "{marks}");
}
