//! Averages over time of a signal that is known.

use std::f64::consts::{PI, SQRT_2};
use std::sync::{Arc, Mutex};

use vortice_core::{
    Case, Context, Cost, Every, Field, Location, Method, Monitor, Outcome, Quantity, Result, Shape,
    Simulation, Snapshot, Solver, State, StateReader, StateWriter, Step, Subdomain, Threads,
    Verdict,
};

/// Flow time between the steps of a signal.
type Lengths = fn(u64) -> f64;

/// A flow made of formulas on a rank's own cells.
struct Signal {
    step: Step,
    part: Subdomain,
    length: Lengths,
}

/// Velocity and pressure at a time in a global cell; the period is one second.
fn value(quantity: Quantity, c: usize, [i, j, k]: [usize; 3], time: f64) -> f64 {
    let (here, wave) = ((i + 10 * j + 100 * k) as f64, 2.0 * PI * time);
    match (quantity, c) {
        (Quantity::Pressure, _) => 1e5 + here * wave.cos(),
        (_, 0) => 1.0 + here * wave.sin(),
        (_, 1) => wave.cos(),
        _ => 3.0 * wave.sin(),
    }
}

impl Solver for Signal {
    fn now(&self) -> Step {
        self.step
    }
    fn step(&mut self, latest: f64) -> Result<Step> {
        let Step { number, time, .. } = self.step;
        let end = (time + (self.length)(number)).min(latest);
        self.step = Step { number: number + 1, time: end, dt: end - time, ..self.step };
        Ok(self.step)
    }
    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let shape = Shape { cells: self.part.n(), halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, quantity.components());
        for cell in field.own_cells() {
            let global = std::array::from_fn(|d| cell[d] as usize + self.part.offset()[d]);
            for c in 0..field.components {
                *field.at_mut(c, cell) = value(quantity, c, global, self.step.time);
            }
        }
        Ok(field)
    }
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.step.save(state);
        Ok(())
    }
    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.step = Step::saved(state)?;
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost { bytes_per_cell: 0.0, bytes_per_step: 0.0, bytes_per_iteration: 0.0 }
    }
}

fn build(case: &Case, context: &Context, length: Lengths) -> Result<Box<dyn Solver>> {
    Ok(Box::new(Signal { step: Step::default(), part: context.subdomain(case)?, length }))
}

/// Steps of 1/64 s.
const EVEN: Method = Method {
    name: "even",
    about: "tells a signal",
    when_it_diverges: |_| "nothing".into(),
    build: |case, context| build(case, context, |_| 1.0 / 64.0),
    ..Method::PLAIN
};

/// Steps of three lengths.
const UNEVEN: Method = Method {
    build: |case, context| {
        build(case, context, |number| [0.011, 0.017, 0.029][(number % 3) as usize])
    },
    ..EVEN
};

const CELLS: [usize; 3] = [5, 4, 3];

fn case(until: f64, statistics: &str) -> Case {
    let text = format!(
        "title = 'signal'\ngrid = {{ cells = {CELLS:?}, size = [5.0, 4.0, 3.0] }}\n\
         fluid = {{ viscosity = 1.0 }}\nrun = {{ until = {until:?} }}\n\
         output.statistics = {{ {statistics} }}\n[boundary]\nx-low = 'wall'\nx-high = 'wall'\n\
         y-low = 'wall'\ny-high = 'wall'\nz-low = 'wall'\nz-high = 'wall'\n"
    );
    Case::parse(&text, "signal").expect("a case")
}

/// Keeps the averages of the whole grid, and the last state.
#[derive(Clone, Default)]
struct Keep(Arc<Mutex<Kept>>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Kept {
    averages: Vec<Field>,
    state: State,
}

impl Monitor for Keep {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }
    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mut kept = self.0.lock().unwrap();
        for quantity in Quantity::STATISTICS {
            if now.has(quantity) {
                kept.averages.extend(now.whole(quantity)?.map(|field| (*field).clone()));
            }
        }
        kept.state = State::default();
        now.save(&mut kept.state)?;
        Ok(())
    }
}

/// A run from the beginning or from a state.
fn run(method: &Method, case: &Case, context: &Context, from: Option<&State>) -> (Outcome, Kept) {
    let mut simulation = Simulation::with_method(method, case, context).expect("a simulation");
    if let Some(state) = from {
        simulation.restore(state).expect("a state");
    }
    let keep = Keep::default();
    let outcome = simulation.watch(Every::Ends, keep.clone()).run().expect("a run");
    let kept = keep.0.lock().unwrap().clone();
    (outcome, kept)
}

fn close(name: &str, found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance, "{name}: {found}, not {exact}");
}

#[test]
fn averages_over_whole_periods_are_those_of_sine_and_cosine() {
    let case = case(5.0, "from = 1.0, steps = 2");
    let (outcome, kept) = run(&EVEN, &case, &Context::alone(), None);
    let [mean, rms, stress, mean_pressure, rms_pressure] = &kept.averages[..] else {
        panic!("{} averages", kept.averages.len());
    };
    for cell in mean.own_cells() {
        let [i, j, k] = cell.map(|i| i as f64);
        let here = i + 10.0 * j + 100.0 * k;
        let near = 1e-14 * (1.0 + here);
        for (c, [average, deviation, product]) in
            [[1.0, here / SQRT_2, 0.0], [0.0, 1.0 / SQRT_2, 1.5 * here], [0.0, 3.0 / SQRT_2, 0.0]]
                .into_iter()
                .enumerate()
        {
            close("mean", mean.at(c, cell), average, 4.0 * near);
            close("rms", rms.at(c, cell), deviation, 4.0 * near);
            close("stress", stress.at(c, cell), product, 40.0 * near);
        }
        close("mean pressure", mean_pressure.at(0, cell), 1e5, 1e-9);
        close("rms pressure", rms_pressure.at(0, cell), here / SQRT_2, 1e-9);
    }
    let found = |name: &str| outcome.findings.iter().find(|(one, _)| one == name).unwrap().1;
    assert_eq!((found("samples averaged"), found("seconds averaged")), (128.0, 4.0));
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
}

#[test]
fn a_sample_counts_for_the_flow_time_since_the_one_before() {
    let (from, case) = (0.25, case(1.0, "from = 0.25, steps = 4"));
    let (_, kept) = run(&UNEVEN, &case, &Context::alone(), None);
    let (mut time, mut last, mut samples) = (0.0_f64, 0.0, Vec::new());
    for number in 0.. {
        time = (time + [0.011, 0.017, 0.029][number % 3]).min(1.0);
        if (number + 1) % 4 == 0 && time > from {
            samples.push((time, time - f64::max(last, from)));
            last = time;
        }
        if time >= 1.0 {
            break;
        }
    }
    let whole: f64 = samples.iter().map(|sample| sample.1).sum();
    let mean = |f: &dyn Fn(f64) -> f64| {
        samples.iter().map(|&(time, weight)| weight * f(time)).sum::<f64>() / whole
    };
    let cell = [4, 3, 2];
    let u = |c: usize, time: f64| value(Quantity::Velocity, c, cell.map(|i| i as usize), time);
    let means = [0, 1, 2].map(|c| mean(&|time| u(c, time)));
    let product =
        |a: usize, b: usize| mean(&|time| (u(a, time) - means[a]) * (u(b, time) - means[b]));
    for c in 0..3 {
        close("mean", kept.averages[0].at(c, cell), means[c], 1e-12);
        close("rms", kept.averages[1].at(c, cell), product(c, c).sqrt(), 1e-12);
    }
    for (c, [a, b]) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
        close("stress", kept.averages[2].at(c, cell), product(a, b), 1e-10);
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_bits() {
    let context = Context::alone();
    for stop in [4, 17, 24, 40] {
        let case = case(1.0, "from = 0.3, steps = 3");
        let (_, whole) = run(&UNEVEN, &case, &context, None);
        let (_, first) = run(&UNEVEN, &case.clone().max_steps(stop), &context, None);
        let (outcome, second) = run(&UNEVEN, &case, &context, Some(&first.state));
        assert!(second == whole, "after {stop} steps");
        assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    }
}

#[test]
fn averages_are_the_same_bits_on_any_number_of_ranks() {
    let case = case(1.0, "from = 0.3, steps = 3");
    let (_, alone) = run(&UNEVEN, &case, &Context::alone(), None);
    for size in [2, 3, 4] {
        let all = Threads::run(size, |ranks| {
            let (_, kept) = run(&UNEVEN, &case, &Context::new(Arc::new(ranks)), None);
            Ok(kept.averages)
        });
        assert!(all.expect("ranks")[0] == alone.averages, "{size} ranks");
    }
}

#[test]
fn a_run_says_what_it_could_not_sample() {
    let context = Context::alone();
    let late = case(2.0, "from = 0.5");
    let (outcome, kept) = run(&EVEN, &late.clone().max_steps(20), &context, None);
    assert!(kept.averages.is_empty());
    let said = outcome.warnings.join("\n");
    assert!(said.contains("nothing was sampled") && said.contains("t = 0.5 s"), "{said}");
    // From a state without averages, or with those from another time on, they begin where the run goes on.
    let plain = late.with(&["output.statistics.from=0.25".into()]).expect("a case");
    let (_, other) = run(&EVEN, &plain.max_steps(64), &context, None);
    let mut none = other.state.clone();
    none.fields.clear();
    for (state, case, warns) in [
        (&other.state, &late, true),
        (&none, &late, true),
        (&other.state, &case(2.0, "from = 1.0"), false),
    ] {
        let (outcome, kept) = run(&EVEN, case, &context, Some(state));
        let said = outcome.warnings.join("\n");
        assert_eq!(said.contains("samples are of t > 1 s and not of t > 0.5 s"), warns, "{said}");
        let found = outcome.findings.iter().find(|(name, _)| name == "seconds averaged");
        close("seconds", found.unwrap().1, 120.0 / 64.0 - 1.0, 1e-12);
        assert_eq!(kept.averages.len(), 5);
    }
}

#[test]
fn only_what_is_written_is_sampled() {
    let case = case(1.0, "quantities = ['rms_pressure']");
    assert_eq!(case.statistics_bytes(), 16.0 * 60.0);
    let (_, kept) = run(&EVEN, &case, &Context::alone(), None);
    let fields: Vec<&String> = kept.state.fields.keys().collect();
    assert_eq!(fields, ["statistics_pressure"]);
    assert_eq!(kept.averages.len(), 2);
}

#[test]
fn what_the_flow_carries_has_averages_too() {
    let text = case(1.0, "from = 0.5").source;
    let text = text.replace(
        "run =",
        "heat = { diffusivity = 1.0 }\nscalar = [{ name = 'dye', diffusivity = 1.0 }]\nrun =",
    );
    let of = |text: &str| Case::parse(text, "signal").expect("a case");
    let all = of(&text);
    let statistics = all.statistics().expect("a table");
    let names: Vec<_> = statistics.part.quantities.iter().map(|one| one.name()).collect();
    assert_eq!(names[5..], ["mean_temperature", "rms_temperature", "mean_dye", "rms_dye"]);
    let dye = Quantity::scalar("dye");
    let sampled = [Quantity::Velocity, Quantity::Pressure, Quantity::Temperature, dye];
    assert_eq!(statistics.sampled().collect::<Vec<_>>(), sampled);
    let some = of(&text.replace("from = 0.5", "quantities = ['rms_dye', 'mean_temperature']"));
    let sampled = some.statistics().expect("a table").sampled().collect::<Vec<_>>();
    assert_eq!(sampled, [Quantity::Temperature, dye]);
    assert!(
        Case::parse(&text.replace("from = 0.5", "quantities = ['rms_salt']"), "signal").is_err()
    );
}
