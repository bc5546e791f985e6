//! A run that is looked at, and one that is bothered, have the bits of one that is not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::client::{Client, endless, watched};
use vortice_core::{
    Context, Every, Field, Monitor, Quantity, Result, Simulation, Snapshot, Verdict, lock,
};
use vortice_study::Simulate;

/// Residuals, and velocities.
type Kept = (Vec<f64>, Vec<Arc<Field>>);

/// Keeps the residual of each step, and the velocity at some steps.
#[derive(Clone, Default)]
struct History {
    kept: Arc<Mutex<Kept>>,
    /// Waits after each step, so that there is time for many requests.
    wait: Duration,
}

/// Between steps whose velocity is kept.
const EVERY: u64 = 50;

/// Steps after which a run goes no further by itself.
const STEPS: u64 = 400;

impl Monitor for History {
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        let mut kept = lock(&self.kept);
        kept.0.push(now.step.residual);
        if now.step.number.is_multiple_of(EVERY) {
            kept.1.extend(now.whole(Quantity::Velocity)?);
        }
        std::thread::sleep(self.wait);
        Ok(Verdict::Continue)
    }
}

fn case(method: &str) -> vortice_core::Case {
    endless(method, 24, &[&format!("run.max-steps={STEPS}"), "run.device=cpu"])
}

/// What a run that is left alone has.
fn alone(method: &str) -> Kept {
    let history = History::default();
    let context = Context { threads: 1, ..Context::alone() };
    let simulation = Simulation::new(&case(method), &context).expect("a simulation");
    simulation.watch(Every::Steps(1), history.clone()).run().expect("an outcome");
    std::mem::take(&mut *lock(&history.kept))
}

/// What one has that is watched by someone who does this again and again.
fn bothered(method: &str, bother: impl Fn(&Client, usize)) -> Kept {
    let history = History { wait: Duration::from_millis(2), ..History::default() };
    watched(case(method), history.clone(), |page| {
        let mut n = 0;
        while page.moment()["has_ended"] == false || n < 20 {
            bother(page, n);
            n += 1;
        }
    });
    std::mem::take(&mut *lock(&history.kept))
}

#[test]
fn a_run_that_is_looked_at_has_the_bits_of_one_that_is_not() {
    for method in ["fdm", "fvm", "lbm"] {
        let expected = alone(method);
        assert_eq!((expected.0.len() as u64, expected.1.len() as u64), (STEPS, STEPS / EVERY));
        let seen = bothered(method, |page, n| {
            page.get(
                ["/image?shown=vorticity", "/image?shown=pressure", "/course?profiles=1"][n % 3],
            );
            if n.is_multiple_of(4) {
                page.order("{\"pause\":true}");
                page.order("{\"step\":7}");
                page.order("{\"go\":true}");
            }
        });
        assert!(seen == expected, "{method}");
    }
}

#[test]
fn a_thousand_rude_requests_leave_a_run_as_it_is() {
    let expected = alone("fdm");
    let wrong = "Authorization: Bearer 00000000000000000000000000000000";
    let mut sent = 0;
    let counted = std::cell::RefCell::new(&mut sent);
    let seen = bothered("fdm", |page, _| {
        let host = format!("Host: {}", page.host);
        for n in 0..50 {
            match n % 5 {
                0 => drop(page.send("GET", "/image", &["Host: evil.example", wrong], "")),
                1 => drop(page.send("GET", "/image", &[&host, wrong], "")),
                2 => drop(page.raw(b"\x00\xff\r\n\r\n")),
                3 => drop(page.send("POST", "/command", &[&host, wrong], "{\"stop\":true}")),
                // It goes before it has said all.
                _ => drop(std::net::TcpStream::connect(&page.host)),
            }
        }
        **counted.borrow_mut() += 50;
    });
    assert!(sent >= 1000, "{sent}");
    assert!(seen == expected);
}
