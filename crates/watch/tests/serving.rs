//! A run that is served: what a page sees and steers, and what is refused.

use crate::client::{Client, Reply, endless, until, watched};
use serde_json::json;
use vortice_core::{Monitor, Result, Snapshot, Verdict};
use vortice_study::open_case;
use vortice_watch::STOPPED;

struct Nothing;

impl Monitor for Nothing {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }
}

fn step(words: &serde_json::Value) -> u64 {
    words["step"].as_u64().expect("a step")
}

#[test]
fn images_change_while_it_goes_and_stay_while_it_pauses() {
    let (ended, ()) = watched(endless("fdm", 24, &[]), Nothing, |page| {
        until("motion", || page.moment()["image"]["step"].as_u64() > Some(20));
        let first = page.get("/image");
        let (words, bytes) = first.image();
        assert_eq!((words["image"]["size"].clone(), bytes.len()), (json!([24, 24]), 24 * 24));
        let colours: std::collections::BTreeSet<_> = bytes.iter().collect();
        assert!(colours.len() > 30 && !colours.contains(&255), "{colours:?}");
        let known = words["image"]["step"].as_u64().expect("a step");
        let next = page.get(&format!("/image?known={known}"));
        let (next_words, next_bytes) = next.image();
        assert!(next_words["image"]["step"].as_u64() > Some(known) && next_bytes != bytes);
        let paused = page.order("{\"pause\":true}");
        assert_eq!(paused["is_going"], false);
        let at = step(&paused);
        let still = page.get(&format!("/image?known={at}"));
        assert!(still.image().0["image"].is_null() || still.image().0["image"]["step"] == at);
        assert_eq!(step(&page.moment()), at);
        page.order("{\"step\":3}");
        until("three steps", || step(&page.moment()) == at + 3);
        assert_eq!(page.moment()["is_going"], false);
        page.order("{\"go\":true}");
        until("more steps", || step(&page.moment()) > at + 3);
    });
    assert_eq!((ended.outcome.converged, &*ended.outcome.reason), (false, STOPPED));
    assert!(ended.changes.is_empty());
}

#[test]
fn all_quantities_numbers_and_curves_can_be_asked_for() {
    let sets = ["grid.cells=[20,16,12]", "run.method=fdm", "run.max-steps=100000000"];
    let space = open_case("cavity-3d", &sets.map(String::from)).expect("a case");
    watched(space, Nothing, |page| {
        let about = page.get("/about").json();
        assert_eq!((&about["is_plane"], &about["axes"][0]["cells"]), (&json!(false), &json!(20)));
        page.order("{\"pause\":true}");
        for (normal, size) in [(0, [16, 12]), (1, [20, 12]), (2, [20, 16])] {
            for shown in ["speed", "vorticity", "pressure"] {
                let view = format!("shown={shown}&normal={normal}&position=0.31");
                let image = page.get(&format!("/image?{view}"));
                let (words, bytes) = image.image();
                assert_eq!(words["image"]["size"], json!(size), "{view}");
                assert_eq!(bytes.len(), size[0] * size[1]);
                let number = page.get(&format!("/number?{view}&i=3&j=4")).json();
                assert!(number["number"].is_number(), "{view}: {number}");
                let [low, high] =
                    [0, 1].map(|n| words["image"]["range"][n].as_f64().expect("a number"));
                assert!((low..=high).contains(&number["number"].as_f64().expect("a number")));
                assert!(page.get(&format!("/number?{view}&i=99&j=0")).json()["number"].is_null());
            }
        }
        let pinned = page.get("/image?low=-1&high=3");
        assert_eq!(pinned.image().0["image"]["colours"], json!([-1.0, 3.0]));
    });
    let heat =
        open_case("heated-cavity-ra1e3", &["run.max-steps=100000000".into()]).expect("a case");
    watched(heat, Nothing, |page| {
        until("a step", || step(&page.moment()) > 0);
        let image = page.get("/image?shown=temperature");
        let range = &image.image().0["image"]["range"];
        assert!(range[1].as_f64() > range[0].as_f64(), "{range}");
    });
}

#[test]
fn curves_have_residuals_profiles_and_forces() {
    watched(endless("fdm", 24, &["fluid.viscosity=0.01"]), Nothing, |page| {
        until("motion", || step(&page.moment()) > 20);
        let all = page.get("/course?profiles=1&forces=1").json();
        let residuals = all["residuals"].as_array().expect("a list");
        assert!(residuals.len() >= 20 && residuals[5][2].as_f64() > Some(0.0));
        assert_eq!(all["forces"], json!([]));
        let profiles = all["profiles"].as_array().expect("a list");
        let u = profiles.iter().find(|one| one["variable"] == "u").expect("u");
        assert_eq!(u["computed"].as_array().map(Vec::len), Some(24));
        assert_eq!(u["published"][0][0], "ghia-1982-re100-u");
        assert!(u["published"][0][1].as_array().map(Vec::len) > Some(10));
    });
    let sets = [
        "run.method=fdm",
        "run.max-steps=100000000",
        "grid.cells=[80,64,1]",
        "body.cylinder={ circle = { centre = [15.0, 16.0], radius = 2.0 } }",
    ];
    let cylinder = open_case("cylinder-re20", &sets.map(String::from)).expect("a case");
    watched(cylinder, Nothing, |page| {
        until("two looks", || {
            let all = page.get("/course?forces=1").json();
            all["forces"].as_array().is_some_and(|forces| forces.len() > 1)
        });
        let all = page.get("/course?forces=1").json();
        assert!(all["forces"][1][1][0][0].as_f64() > Some(0.0), "drag: {}", all["forces"][1]);
        assert!(page.get("/image").image().1.contains(&255), "the cylinder");
    });
}

#[test]
fn sliders_change_the_flow_or_say_why_not() {
    let (ended, ()) = watched(endless("fdm", 16, &[]), Nothing, |page| {
        until("motion", || step(&page.moment()) > 5);
        let set = |key: &str, value: &str| {
            page.ask(
                "POST",
                "/command",
                &format!("{{\"set\":{{\"key\":\"{key}\",\"value\":{value}}}}}"),
            )
        };
        let lid = set("boundary.y-high.wall.velocity", "-0.5").json();
        assert_eq!(lid["sliders"]["boundary.y-high.wall.velocity"], -0.5);
        let thick = set("fluid.viscosity", "0.02").json();
        assert_eq!(
            (&thick["sliders"]["fluid.viscosity"], &thick["refused"]),
            (&json!(0.02), &json!(null))
        );
        let refused = set("fluid.viscosity", "-1.0").json();
        let problem = refused["refused"]["problem"].as_str().expect("a problem");
        assert!(problem.starts_with("fluid.viscosity") && !refused["refused"]["remedy"].is_null());
        assert_eq!(refused["sliders"]["fluid.viscosity"], 0.02);
        for wrong in ["grid.cells", "output.fields", "run.method", "fluid.viscosity=1\\nx"] {
            assert_eq!(set(wrong, "1.0").status, 400, "{wrong}");
        }
        assert_eq!(set("fluid.viscosity", "\"1; rm\"").status, 400);
    });
    let sets: Vec<&str> =
        ended.changes.iter().flat_map(|one| &one.sets).map(|set| &**set).collect();
    assert_eq!(sets, ["boundary.y-high.wall.velocity=[-0.5, 0.0, 0.0]", "fluid.viscosity=0.02"]);
    assert_eq!(ended.case.viscosity, 0.02);
}

#[test]
fn the_page_comes_with_what_keeps_it_safe() {
    watched(endless("fdm", 8, &[]), Nothing, |page| {
        let host = format!("Host: {}", page.host);
        let path = format!("/?token={}", page.token);
        let served = page.send("GET", &path, &[&host], "").expect("a page");
        assert_eq!(served.status, 200);
        for line in
            ["default-src 'none'", "frame-ancestors 'none'", "nosniff", "no-referrer", "no-store"]
        {
            assert!(served.head.contains(line), "{line}\n{}", served.head);
        }
        assert!(!String::from_utf8_lossy(&served.body).contains(&page.token));
        let other = page.send("GET", &path, &[&host], "").expect("a page");
        assert_ne!(served.body, other.body, "a word of its own for each");
    });
}

fn status(reply: Option<Reply>) -> u16 {
    reply.map_or(0, |reply| reply.status)
}

/// Requests that are to be refused, each with the number that it is refused by.
fn rude(page: &Client) -> Vec<(u16, Option<Reply>)> {
    let host = format!("Host: {}", page.host);
    let token = format!("Authorization: Bearer {}", page.token);
    let wrong = format!("Authorization: Bearer {}", "0".repeat(32));
    let long = format!("X: {}", "y".repeat(9000));
    let body = "x".repeat(5000);
    let get = |path: &str, lines: &[&str]| page.send("GET", path, lines, "");
    let many: Vec<String> = (0..60).map(|n| format!("X-{n}: 1")).collect();
    let many: Vec<&str> = many.iter().map(|line| &**line).collect();
    vec![
        (401, get("/", &[&host])),
        (401, get("/image", &[&host])),
        (401, get("/image", &[&host, &wrong])),
        (401, get(&format!("/image?token={}", page.token), &[&host])),
        (401, get("/?token=", &[&host])),
        (403, get("/image", &[&token])),
        (403, get("/image", &["Host: evil.example", &token])),
        (403, get("/image", &["Host: 127.0.0.1.evil.example:80", &token])),
        (403, get("/image", &[&host, &token, "Origin: http://evil.example"])),
        (403, get("/image", &[&host, &token, "Origin: null"])),
        (404, get("/../../etc/passwd", &[&host, &token])),
        (404, get("/page.html", &[&host, &token])),
        (404, get("//", &[&host, &token])),
        (405, page.send("DELETE", "/image", &[&host, &token], "")),
        (405, get("/command", &[&host, &token])),
        (400, page.send("POST", "/command", &[&host, &token], "{}")),
        (400, page.send("POST", "/command", &[&host, &token], "{\"quit\":1}")),
        (400, page.send("POST", "/command", &[&host, &token], "{\"step\":-1}")),
        (400, page.send("POST", "/command", &[&host, &token], "[[[[[[")),
        (400, get("/image", &[&host, &host, &token])),
        (400, get("/image", &many)),
        (431, get("/image", &[&host, &token, &long])),
        (413, page.send("POST", "/command", &[&host, &token], &body)),
        (411, get("/image", &[&host, &token, "Transfer-Encoding: chunked"])),
        (400, page.raw(b"\r\n\r\n")),
        (400, page.raw(b"GET / HTTP/9.9\r\n\r\n")),
        (400, page.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")),
    ]
}

#[test]
fn what_is_rude_is_refused() {
    watched(endless("fdm", 8, &[]), Nothing, |page| {
        for (n, (wanted, reply)) in rude(page).into_iter().enumerate() {
            assert_eq!(status(reply), wanted, "request {n}");
        }
        let local = page.host.replace("127.0.0.1", "localhost");
        let token = format!("Authorization: Bearer {}", page.token);
        for host in [&*local, "localhost:9999"] {
            let lines = [&*format!("Host: {host}"), &token, &*format!("Origin: http://{host}")];
            assert_eq!(status(page.send("GET", "/about", &lines, "")), 200, "{host}");
        }
    });
}

#[test]
fn more_connections_than_a_few_are_turned_away_and_the_rest_serves_on() {
    watched(endless("fdm", 8, &[]), Nothing, |page| {
        let idle: Vec<_> = (0..16).map(|_| std::net::TcpStream::connect(&page.host)).collect();
        until("a refusal", || status(page.send("GET", "/", &["Host: x"], "")) == 503);
        drop(idle);
        until("room", || status(page.send("GET", "/", &["Host: x"], "")) == 403);
    });
}
