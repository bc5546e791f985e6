//! When a run looks, and when it ends.

use std::sync::{Arc, Mutex};

use vortice_core::{
    Case, Context, Cost, Error, Every, Field, Location, Method, Monitor, Quantity, Result, Shape,
    Simulation, Snapshot, Solver, State, StateReader, StateWriter, SteadyState, Step, Values,
    Verdict,
};

/// Steps of 0.3 s whose residual halves each time; what it "computes" is its flow time.
struct Clock(Step);

impl Solver for Clock {
    fn now(&self) -> Step {
        self.0
    }
    fn step(&mut self, latest: f64) -> Result<Step> {
        let Step { number, time, residual, iteration_error, .. } = self.0;
        let end = (time + 0.3).min(latest);
        self.0 = Step {
            number: number + 1,
            time: end,
            dt: end - time,
            iterations: 2,
            residual: if number == 0 { 1.0 } else { residual / 2.0 },
            iteration_error: if number == 0 { 1.0 } else { iteration_error / 2.0 },
            ..self.0
        };
        Ok(self.0)
    }
    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let shape = Shape { cells: [2, 2, 1], halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, quantity.components());
        field.values.fill(self.0.time);
        Ok(field)
    }
    fn save(&mut self, _: &mut dyn StateWriter) -> Result<()> {
        Ok(())
    }
    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        // As a method does, it looks at all.
        State::read(state)?;
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost { bytes_per_cell: 0.0, bytes_per_step: 0.0, bytes_per_iteration: 0.0 }
    }
}

const CLOCK: Method = Method {
    name: "clock",
    about: "tells the time",
    when_it_diverges: |_| "the clock slower".into(),
    build: |_, _| Ok(Box::new(Clock(Step::default()))),
    ..Method::PLAIN
};

fn case(run: &str) -> Case {
    let text = format!(
        "title = 'clock'\ngrid = {{ cells = [2, 2, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 1.0 }}\nrun = {{ {run} }}\n[boundary]\nx-low = 'wall'\n\
         x-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n"
    );
    Case::parse(&text, "clock").expect("a case")
}

/// Writes down when it is asked, and stops at a step.
#[derive(Clone, Default)]
struct Diary {
    times: Arc<Mutex<Vec<f64>>>,
    stop_at: Option<u64>,
}

impl Monitor for Diary {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        self.times.lock().unwrap().push(now.step.time);
        Ok(())
    }
    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.times.lock().unwrap().push(now.step.time);
        let stops = self.stop_at == Some(now.step.number);
        Ok(if stops { Verdict::Stop("enough".into()) } else { Verdict::Continue })
    }
    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        self.times.lock().unwrap().push(-now.step.time);
        Ok(())
    }
}

#[test]
fn steps_end_exactly_at_output_times_and_at_the_end() {
    let (case, context, diary) = (case("until = 2.0"), Context::alone(), Diary::default());
    let last = Simulation::with_method(&CLOCK, &case, &context)
        .expect("a simulation")
        .watch(Every::Seconds(0.5), diary.clone())
        .run()
        .expect("a run");
    assert_eq!(*diary.times.lock().unwrap(), [0.0, 0.5, 1.0, 1.5, 2.0, -2.0]);
    assert_eq!((last.step.time, last.converged, last.steps, last.iterations), (2.0, true, 8, 16));
}

#[test]
fn a_monitor_looks_every_so_many_steps_and_at_both_ends() {
    let (case, context) = (case("until = 1e9, max-steps = 7"), Context::alone());
    let [thirds, ends] = [Diary::default(), Diary::default()];
    let last = Simulation::with_method(&CLOCK, &case, &context)
        .expect("a simulation")
        .watch(Every::Steps(3), thirds.clone())
        .watch(Every::Ends, ends.clone())
        .run()
        .expect("a run");
    let rounded: Vec<i64> =
        thirds.times.lock().unwrap().iter().map(|t| (t * 10.0).round() as i64).collect();
    assert_eq!(rounded, [0, 9, 18, -21]);
    assert_eq!(ends.times.lock().unwrap().len(), 2);
    assert!(!last.converged && last.reason.contains("run.max-steps = 7"), "{}", last.reason);
}

#[test]
fn a_run_ends_when_it_is_steady_by_the_case_or_by_a_monitor() {
    let context = Context::alone();
    let case_says = case("until = 'steady', steady = 0.1");
    let simulation = Simulation::with_method(&CLOCK, &case_says, &context).expect("a simulation");
    let last = simulation.run().expect("a run");
    assert_eq!((last.step.number, last.converged), (5, true));

    let monitor_says = case("until = 1e9");
    let simulation =
        Simulation::with_method(&CLOCK, &monitor_says, &context).expect("a simulation");
    let last = simulation.watch(Every::Steps(4), SteadyState::below(0.1)).run().expect("a run");
    assert_eq!((last.step.number, last.converged), (8, true));

    // A monitor has its way where the case would end sooner, and where it would go on.
    for (tolerance, steps) in [(0.01, 8), (0.3, 4)] {
        let simulation = Simulation::with_method(&CLOCK, &case_says, &context).expect("built");
        let steady = SteadyState::below(tolerance);
        let last = simulation.watch(Every::Steps(4), steady).run().expect("a run");
        assert_eq!((last.step.number, last.converged), (steps, true));
    }
}

#[test]
fn a_monitor_may_stop_the_run_and_all_are_told_of_the_end() {
    let (case, context) = (case("until = 1e9"), Context::alone());
    let [first, second] = [Diary { stop_at: Some(2), ..Diary::default() }, Diary::default()];
    let last = Simulation::with_method(&CLOCK, &case, &context)
        .expect("a simulation")
        .watch(Every::Steps(1), first)
        .watch(Every::Steps(1), second.clone())
        .run()
        .expect("a run");
    assert_eq!((last.converged, last.reason.as_str()), (false, "enough"));
    assert_eq!(*second.times.lock().unwrap(), [0.0, 0.3, 0.6, -0.6]);
}

/// A notebook or a live view takes steps one by one, and has the flow after each.
#[test]
fn a_run_by_steps_is_the_run() {
    let built = |diary: &Diary| {
        let (case, context) = (case("until = 2.0"), Context::alone());
        Simulation::with_method(&CLOCK, &case, &context)
            .expect("a simulation")
            .watch(Every::Seconds(0.5), diary.clone())
    };
    let [whole, stepped] = [Diary::default(), Diary::default()];
    let last = built(&whole).run().expect("a run");
    let (mut by_steps, mut steps) = (built(&stepped), 0);
    while by_steps.step().expect("a step") {
        steps += 1;
        let mut now = by_steps.now();
        assert_eq!(now.step.number, steps);
        assert!(now.whole(Quantity::Pressure).expect("a field").is_some());
    }
    assert!(!by_steps.step().expect("no step"), "it has ended");
    let ended = by_steps.finish().expect("an end");
    assert_eq!((ended.step, ended.converged, ended.reason), (last.step, true, last.reason));
    assert_eq!((ended.steps, ended.iterations), (last.steps, last.iterations));
    assert_eq!(*stepped.times.lock().unwrap(), *whole.times.lock().unwrap());

    let early = Diary::default();
    let mut simulation = built(&early);
    simulation.step().expect("a step");
    let ended = simulation.finish().expect("an end");
    assert!(!ended.converged && ended.reason.contains("before its end"), "{}", ended.reason);
    assert_eq!(*early.times.lock().unwrap(), [0.0, -0.3]);
}

/// A clock whose fields break at a time, which its residual does not tell.
struct Broken(Clock, f64);

impl Solver for Broken {
    fn now(&self) -> Step {
        self.0.now()
    }
    fn step(&mut self, latest: f64) -> Result<Step> {
        self.0.step(latest)
    }
    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let mut field = self.0.field(quantity)?;
        if self.0.now().time >= 0.5 && quantity == Quantity::Pressure {
            *field.at_mut(0, [1, 0, 0]) = self.1;
        }
        Ok(field)
    }
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.0.save(state)
    }
    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.0.restore(state)
    }
    fn cost(&self) -> Cost {
        self.0.cost()
    }
}

#[test]
fn no_run_ends_well_with_a_flow_that_is_not_finite() {
    const NAN: Method =
        Method { build: |_, _| Ok(Box::new(Broken(Clock(Step::default()), f64::NAN))), ..CLOCK };
    const INFINITE: Method = Method {
        build: |_, _| Ok(Box::new(Broken(Clock(Step::default()), f64::INFINITY))),
        ..CLOCK
    };
    let context = Context::alone();
    for run in ["until = 2.0", "until = 'steady', steady = 0.1", "until = 9.0, max-steps = 3"] {
        for method in [&NAN, &INFINITE] {
            let (case, diary) = (case(run), Diary::default());
            let simulation = Simulation::with_method(method, &case, &context).expect("built");
            let error = simulation.watch(Every::Ends, diary.clone()).run().unwrap_err();
            let Error::Diverged { field, cell, ref remedy, .. } = error else {
                panic!("{run}: {error}")
            };
            assert_eq!((field, cell), ("pressure", [1, 0, 0]), "{run}");
            assert!(remedy.contains("the clock slower"), "{remedy}");
            assert!(
                diary.times.lock().unwrap().iter().all(|time| *time >= 0.0),
                "nothing is written"
            );
        }
    }
}

#[test]
fn no_run_begins_from_a_state_that_is_not_finite() {
    let (case, context) = (case("until = 1.0"), Context::alone());
    let shape = Shape { cells: [2, 2, 1], halo: [1, 1, 0] };
    let state = |value: f64, cell: [isize; 3]| {
        let mut field = Field::<f32>::zeros(Location::Centre, shape, 1);
        *field.at_mut(0, cell) = value as f32;
        State { fields: [("p".to_string(), Values::F32(field))].into(), ..State::default() }
    };
    let mut simulation = Simulation::with_method(&CLOCK, &case, &context).expect("built");
    assert!(simulation.restore(&state(1.0, [1, 1, 0])).is_ok());
    // What stands in a halo is not the flow's.
    assert!(simulation.restore(&state(f64::NAN, [-1, 0, 0])).is_ok());
    for value in [f64::NAN, f64::NEG_INFINITY] {
        let error = simulation.restore(&state(value, [1, 1, 0])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("field `p`") && text.contains("[1, 1, 0]"), "{text}");
        assert!(error.remedy().contains("earlier checkpoint"), "{}", error.remedy());
    }
}

/// A residual that is not a number ends a run even if the fields are finite.
#[test]
fn a_run_ends_when_the_residual_is_not_a_number() {
    const BROKEN: Method = Method {
        build: |_, _| {
            Ok(Box::new(Clock(Step { number: 1, residual: f64::NAN, ..Step::default() })))
        },
        ..CLOCK
    };
    let (case, context) = (case("until = 1e9"), Context::alone());
    let last =
        Simulation::with_method(&BROKEN, &case, &context).expect("built").run().expect("ends");
    assert!(!last.converged && last.reason.contains("not a number"));
}

#[test]
fn steps_that_do_not_change_the_flow_time_end_the_run() {
    // Beside this time 0.3 s are nothing.
    const LATE: f64 = 1e300;
    const STUCK: Method = Method {
        build: |_, _| Ok(Box::new(Clock(Step { time: LATE, ..Step::default() }))),
        ..CLOCK
    };
    let case = case("until = 1e301");
    let simulation = Simulation::with_method(&STUCK, &case, &Context::alone()).expect("a clock");
    let outcome = simulation.run().expect("no error");
    assert_eq!((outcome.steps, outcome.converged), (1, false));
    assert!(outcome.reason.contains("does not change the flow time"), "{}", outcome.reason);
}
