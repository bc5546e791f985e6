//! What a page costs a run, and how many images it gets: in one run, with and without it in turn.
#![allow(clippy::print_stdout)] // what was measured is the answer

#[path = "page/client.rs"]
mod client;

use std::time::{Duration, Instant};

use client::{Client, endless, watched};
use vortice_core::lock;
use vortice_core::{Monitor, Result, Snapshot, Verdict};

use std::sync::{Arc, Mutex};

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
const TURNS: usize = 20;

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

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

#[test]
#[ignore = "long suite"]
fn a_page_costs_little_and_gets_ten_images_a_second() {
    for (method, shown) in
        [("lbm", "speed"), ("lbm", "vorticity"), ("fdm", "speed"), ("fvm", "pressure")]
    {
        let count = Count::default();
        let (_, (ratio, rate, steps)) = watched(endless(method, 512, &[]), count.clone(), |page| {
            let mut spent = Vec::new();
            let mut rates = Vec::new();
            let rate_of = |work: &dyn Fn() -> usize| {
                let (begin, before) = (Instant::now(), *lock(&count.0));
                let images = work();
                let seconds = begin.elapsed().as_secs_f64();
                ((*lock(&count.0) - before) as f64 / seconds, images as f64 / seconds)
            };
            let idle = || {
                std::thread::sleep(TURN);
                0
            };
            rate_of(&|| look(page, shown));
            let mut all = Vec::new();
            for _ in 0..TURNS {
                let (with, images) = rate_of(&|| look(page, shown));
                let (without, _) = rate_of(&idle);
                spent.push(without / with);
                rates.push(images);
                all.push(without);
            }
            (median(spent), median(rates), median(all))
        });
        println!(
            "{method}, {shown}: {rate:.1} images a second, {steps:.1} steps a second, {ratio:.3} times as long"
        );
        assert!(ratio < 1.10, "{method}: {ratio}");
        assert!(rate > 4.0_f64.min(0.5 * steps), "{method}: {rate}");
    }
}

#[test]
#[ignore = "long suite"]
fn a_look_at_a_plane_takes_less_than_a_step() {
    for method in ["lbm", "fdm", "fvm"] {
        let session =
            vortice_study::Session::begin(endless(method, 512, &[]), 1, |simulation, _| {
                Ok(simulation)
            });
        let session = session.unwrap_or_else(|error| panic!("{error}"));
        let least = |work: &dyn Fn()| {
            let times = (0..20).map(|_| {
                let begin = Instant::now();
                work();
                begin.elapsed().as_secs_f64()
            });
            1e3 * times.fold(f64::INFINITY, f64::min)
        };
        let step = || {
            session.go(vortice_study::Goal::Steps(1)).and_then(|way| way.wait()).expect("a step")
        };
        step();
        let steps = least(&step);
        for quantity in [vortice_core::Quantity::Velocity, vortice_core::Quantity::Pressure] {
            let look = || drop(session.field(quantity).expect("a field"));
            step();
            println!("{method}: a step {steps:.1} ms, {} {:.1} ms", quantity.name(), least(&look));
        }
    }
}
