//! A run that is watched does all that one does that is not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{ends_with, program, stderr, summary, tiny, vortice};

/// A run with its page.
struct Watched {
    child: Child,
    errors: BufReader<std::process::ChildStderr>,
    first: String,
}

impl Watched {
    fn begin(command: &mut Command, arguments: &[&str]) -> Self {
        let child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
        let mut first = String::new();
        errors.read_line(&mut first).expect("a line");
        Self { child, errors, first }
    }

    /// Sends an order as the page does.
    fn order(&self, body: &str) -> String {
        let rest = self.first.split("http://").nth(1).expect("an address");
        let (host, token) = rest.split_once("/?token=").expect("a token");
        let token: String = token.chars().take_while(char::is_ascii_hexdigit).collect();
        let mut stream = TcpStream::connect(host).expect("the page");
        let length = body.len();
        let head = format!(
            "POST /command HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).expect("a request");
        let mut part = [0; 4096];
        let n = stream.read(&mut part).expect("a reply");
        String::from_utf8_lossy(&part[..n]).into_owned()
    }

    /// What it said, and its exit code.
    fn end(mut self) -> (String, Option<i32>) {
        let mut rest = String::new();
        self.errors.read_to_string(&mut rest).expect("text");
        (rest, self.child.wait().expect("an end").code())
    }
}

fn lines(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("history.csv")).expect("a history")
}

#[test]
fn a_run_with_a_page_that_is_not_opened_writes_what_one_without_writes() {
    let folder = tempfile::tempdir().unwrap();
    ends_with(&vortice(folder.path(), &tiny(&[], &["--out", "alone"])), 0);
    let watched = vortice(folder.path(), &tiny(&[], &["--out", "watched", "--watch"]));
    ends_with(&watched, 0);
    let said = stderr(&watched);
    assert!(said.starts_with("watch at http://127.0.0.1:"), "{said}");
    let [alone, watched] = ["alone", "watched"].map(|name| folder.path().join(name));
    assert_eq!(lines(&alone), lines(&watched));
    let names = |folder: &Path| {
        let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        all.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(names(&alone), names(&watched));
    let [a, b] = [&alone, &watched].map(|folder| summary(folder));
    for key in ["steps", "flow_time", "references", "energy", "converged", "reason"] {
        assert_eq!(a[key], b[key], "{key}");
    }
    assert!(b["changes"].is_null());
    let profiles = |folder: &Path| std::fs::read(folder.join("profiles.csv")).unwrap();
    assert_eq!(profiles(&alone), profiles(&watched));
}

#[test]
fn changes_stand_in_the_summary_and_a_run_that_is_stopped_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["run.until=1e6", "run.max-steps=100000000"];
    let mut command = program(folder.path());
    command.env("SSH_CONNECTION", "10.0.0.1 5000 10.0.0.2 22").env("USER", "ada");
    let run = Watched::begin(&mut command, &tiny(&sets, &["--watch", "--quiet"]));
    assert!(
        run.first.contains("ssh -N -L ") && run.first.contains(" ada@10.0.0.2"),
        "{}",
        run.first
    );
    let begin = Instant::now();
    while run.order("{\"step\":5}").contains("\"step\":0,") {
        assert!(begin.elapsed() < Duration::from_secs(20), "no step");
    }
    assert!(run.order("{\"pause\":true}").contains("\"is_going\":false"));
    let set = "{\"set\":{\"key\":\"fluid.viscosity\",\"value\":0.02}}";
    assert!(run.order(set).contains("\"fluid.viscosity\":0.02"));
    run.order("{\"stop\":true}");
    let (said, code) = run.end();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("stopped by who watched it"), "{said}");
    let remedy = "--restart out/cavity/checkpoint.h5 --set 'fluid.viscosity=0.02'";
    assert!(said.contains(remedy), "{said}");
    let found = summary(&folder.path().join("out/cavity"));
    assert_eq!(found["changes"][0]["sets"][0], "fluid.viscosity=0.02");
    assert_eq!(found["changes"][0]["step"], found["steps"]);
    let restart = ["--restart", "out/cavity/checkpoint.h5", "--set", "fluid.viscosity=0.02"];
    let more = ["run", "cavity", "--set", "grid.cells=[12,12,1]", "--set", "run.until=1e6"];
    let steps = format!("run.max-steps={}", found["steps"].as_u64().unwrap() + 3);
    let arguments = [&more[..], &restart, &["--set", &steps, "--out", "on"]].concat();
    ends_with(&vortice(folder.path(), &arguments), 1);
    let steps =
        [&found, &summary(&folder.path().join("on"))].map(|one| one["steps"].as_u64().unwrap());
    assert_eq!(steps[1], steps[0] + 3);
}

#[test]
fn what_cannot_be_watched_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["--watch", "--ranks", "2"][..], "--watch: is for runs on one rank, not on 2 ranks"),
        (&["--watch=terminal"], "--watch=terminal: standard error is no terminal"),
        (&["--watch=0"], "give a port from 1 to 65535, or `terminal`"),
    ] {
        let run = vortice(folder.path(), &tiny(&[], arguments));
        ends_with(&run, 2);
        let said = stderr(&run).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words), "{said}");
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn changes_of_an_earlier_run_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let table = "change,step,time,setting\n1,3,0.1,fluid.viscosity=0.05\n1,3,0.1,fluid.density=2\n2,5,0.2,\"boundary.y-high.wall.velocity=[0.5, 0.0, 0.0]\"\n";
    std::fs::write(at("given.csv"), table).unwrap();
    let sets = ["run.until=steady", "run.max-steps=8", "references=[]", "output.history=1"];
    let run = |out: &str, more: &[&str]| {
        let arguments = [&["--quiet", "--out", out], more].concat();
        ends_with(&vortice(folder.path(), &tiny(&sets, &arguments)), 1);
    };
    run("as-it-is", &[]);
    run("changed", &["--repeat", "given.csv"]);
    let [as_it_is, changed] = ["as-it-is", "changed"].map(|name| lines(&at(name)));
    let [one, other] = [&as_it_is, &changed].map(|text| text.lines().collect::<Vec<_>>());
    assert_eq!((one.len(), &one[..4]), (other.len(), &other[..4]));
    assert_ne!(one[5..], other[5..]);
    let found = summary(&at("changed"));
    assert_eq!(found["changes"].as_array().map(Vec::len), Some(2), "{}", found["changes"]);
    assert_eq!(found["changes"][1]["step"], 5);
    // Its own table is that of a run that was changed so, also where it takes the place of what it repeats.
    run("changed", &["--repeat", "changed/changes.csv"]);
    assert_eq!(lines(&at("changed")), changed);
    assert_eq!(summary(&at("changed"))["changes"], found["changes"]);
    let refused = vortice(folder.path(), &tiny(&[], &["--repeat", "given.csv", "--ranks", "2"]));
    ends_with(&refused, 2);
    assert!(stderr(&refused).contains("--repeat"), "{}", stderr(&refused));
    let missing = vortice(folder.path(), &tiny(&[], &["--repeat", "nothing.csv"]));
    ends_with(&missing, 3);
    assert!(stderr(&missing).contains("changes.csv"), "{}", stderr(&missing));
}
