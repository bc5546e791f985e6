//! What a page costs a run on 512 x 512 cells, and how many images it gets: in one run, with and without it in turn.
//! `cargo bench -p vortice-benches --bench watching`
#![allow(clippy::print_stdout)] // this is its output

#[path = "../../crates/watch/tests/page/client.rs"]
mod client;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::{Client, endless, watched};
use vortice_core::{Monitor, Result, Snapshot, Verdict, lock};

/// Counts steps.
#[derive(Clone, Default)]
struct Count(Arc<Mutex<u64>>);

impl Monitor for Count {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        *lock(&self.0) += 1;
        Ok(Verdict::Continue)
    }
}

/// How long it is looked at, and then not.
const TURN: Duration = Duration::from_millis(1000);
const TURNS: usize = 12;

/// Images that come in a turn.
fn look(page: &Client, shown: &str) -> usize {
    let (begin, mut images, mut known) = (Instant::now(), 0, 0);
    while begin.elapsed() < TURN {
        let reply = page.get(&format!("/image?shown={shown}&known={known}"));
        if let Some(step) = reply.image().0["image"]["step"].as_u64() {
            (images, known) = (images + 1, step);
        }
    }
    images
}

/// Seconds that all threads of this program have computed.
fn computed() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("a Linux");
    let rest = text.rsplit(')').next().unwrap_or_default();
    let ticks = rest.split_whitespace().skip(11).take(2);
    // A hundredth of a second each.
    ticks.map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

/// Steps, images, seconds and seconds of computing.
#[derive(Clone, Copy, Default)]
struct Spent {
    steps: f64,
    images: f64,
    seconds: f64,
    computed: f64,
}

impl Spent {
    /// Adds what some work takes.
    fn add(&mut self, count: &Count, work: impl FnOnce() -> usize) {
        let (begin, cpu, before) = (Instant::now(), computed(), *lock(&count.0));
        self.images += work() as f64;
        self.steps += (*lock(&count.0) - before) as f64;
        self.seconds += begin.elapsed().as_secs_f64();
        self.computed += computed() - cpu;
    }
}

fn main() {
    for (method, shown, sets) in [
        ("lbm", "speed", &["lbm.lattice=d2q9"][..]),
        ("lbm", "vorticity", &["lbm.lattice=d2q9"]),
        ("fdm", "speed", &[]),
        ("fdm", "vorticity", &[]),
    ] {
        let count = Count::default();
        let (_, [with, without]) = watched(endless(method, 512, sets), count.clone(), |page| {
            look(page, shown);
            let mut all = [Spent::default(); 2];
            for _ in 0..TURNS {
                all[0].add(&count, || look(page, shown));
                all[1].add(&count, || {
                    std::thread::sleep(TURN);
                    0
                });
            }
            all
        });
        let longer = (with.seconds / with.steps) / (without.seconds / without.steps);
        let more = (with.computed / with.steps) / (without.computed / without.steps);
        println!(
            "{method}, {shown}: {:.1} images and {:.1} steps a second; a step took {longer:.3} times as long, \
             and all threads together computed {more:.3} times as much for it",
            with.images / with.seconds,
            with.steps / with.seconds
        );
    }
}
