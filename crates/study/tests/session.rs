//! A run that is driven from outside: the same bits as one that is not, changed while it goes on, and repeated.

use std::time::{Duration, Instant};

use vortice_core::{Case, Context, Every, Field, Method, Precision, Quantity, Simulation, Values};
use vortice_study::{Change, Goal, Keep, Session, Simulate, open_case, read_changes, registry};

fn case(method: &str, more: &[&str]) -> Case {
    let mut sets = vec!["grid.cells=[12,10,1]".to_owned(), format!("run.method={method}")];
    sets.extend(["run.max-steps=40", "run.device=cpu"].map(String::from));
    sets.extend(more.iter().map(ToString::to_string));
    open_case("cavity", &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn begin(case: Case) -> Session {
    Session::begin(case, 1, |simulation, _| Ok(simulation)).unwrap_or_else(|e| panic!("{e}"))
}

fn go(session: &Session, goal: Goal) {
    session.go(goal).and_then(|way| way.wait()).unwrap_or_else(|error| panic!("{error}"));
}

fn velocity(session: &Session) -> Field {
    session.field(Quantity::Velocity).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_run_that_is_stopped_and_looked_at_has_the_bits_of_one_that_is_not() {
    for method in ["fdm", "fvm", "lbm"] {
        let keep = Keep::new();
        let context = Context { threads: 1, ..Context::alone() };
        let simulation = Simulation::new(&case(method, &[]), &context).expect("a simulation");
        let outcome = simulation.watch(Every::Ends, keep.clone()).run().expect("an outcome");
        let session = begin(case(method, &[]));
        for _ in 0..3 {
            go(&session, Goal::Steps(7));
            velocity(&session);
        }
        assert_eq!(session.status().step.number, 21);
        go(&session, Goal::End);
        assert!(session.status().has_ended && !session.status().is_going);
        let (last, ended) = (velocity(&session), session.finish().expect("an outcome"));
        assert_eq!((ended.step, ended.steps), (outcome.step, 40));
        assert_eq!(last, *keep.take().expect("fields").velocity, "{method}");
        assert!(session.finish().is_err());
    }
}

#[test]
fn values_are_those_of_fields_in_the_number_type_of_the_run() {
    let large = ["grid.cells=[1100,1000,1]", "run.max-steps=1"];
    let small = ["run.max-steps=3"];
    for (method, sets) in [("fdm", &large[..]), ("fvm", &small), ("lbm", &small)] {
        for precision in ["f32", "f64"].iter().filter(|one| method != "fvm" || **one == "f64") {
            let typed = format!("run.precision={precision}");
            let session = begin(case(method, &[sets, &[typed.as_str()]].concat()));
            go(&session, Goal::End);
            for quantity in [Quantity::Velocity, Quantity::Pressure, Quantity::Vorticity] {
                let field = session.field(quantity).expect("a field");
                let values = session.values(quantity).expect("values");
                let outline = values.outline();
                assert_eq!((outline.shape, outline.components), (field.shape, field.components));
                match values {
                    Values::F32(values) => {
                        let rounded: Vec<f32> = field.values.iter().map(|&x| x as f32).collect();
                        assert!(*precision == "f32" && values.values == rounded, "{method}");
                        assert_eq!(Values::of(field, Precision::F32), Values::F32(values));
                    }
                    Values::F64(values) => {
                        assert!(*precision == "f64" && values == field, "{method}")
                    }
                }
            }
        }
    }
}

#[test]
fn steps_end_at_the_time_that_was_asked_for() {
    let session = begin(case("fdm", &["run.until=1.0", "run.max-steps=10000"]));
    for n in 1..4 {
        go(&session, Goal::Time(0.1 * f64::from(n)));
        assert_eq!(session.status().step.time, 0.1 * f64::from(n));
    }
    go(&session, Goal::Time(5.0));
    assert!(session.status().has_ended && session.status().step.time == 1.0);
}

#[test]
fn a_change_goes_on_from_where_the_flow_is_and_can_be_repeated() {
    for method in ["fdm", "fvm", "lbm"] {
        let session = begin(case(method, &[]));
        go(&session, Goal::Steps(10));
        let before = velocity(&session);
        session.set(&["fluid.viscosity=0.004".into()]).unwrap_or_else(|e| panic!("{method}: {e}"));
        assert_eq!((velocity(&session), session.case().unwrap().viscosity), (before, 0.004));
        go(&session, Goal::Steps(10));
        let (changes, last) = (session.status().changes, velocity(&session));
        assert_eq!((changes.len(), changes[0].step), (1, 10));
        let again = begin(case(method, &[]));
        again.repeat(&changes).unwrap();
        go(&again, Goal::Steps(20));
        assert_eq!((again.status().changes, velocity(&again)), (changes, last.clone()));
        let unchanged = begin(case(method, &[]));
        go(&unchanged, Goal::Steps(20));
        assert_ne!(velocity(&unchanged), last, "{method}");
    }
}

#[test]
fn a_change_that_cannot_be_is_refused_and_the_run_goes_on() {
    let session = begin(case("fdm", &[]));
    go(&session, Goal::Steps(3));
    let refused = |set: &str| session.set(&[set.into()]).expect_err(set).to_string();
    assert!(refused("fluid.viscosity=-1").starts_with("fluid.viscosity: "));
    assert!(refused("grid.cells=[8,8,1]").starts_with("grid: cannot be changed"));
    assert!(refused("run.method=fvm").starts_with("run.method: cannot be changed"));
    assert!(refused("run.device=cuda").starts_with("run.device: cannot be changed"));
    assert!(refused("fluid.viscositi=1").contains("viscositi"));
    let late = Change { step: 1, time: 0.0, sets: vec!["fluid.viscosity=1".into()] };
    assert!(session.repeat(&[late]).expect_err("late").to_string().contains("after step 1"));
    go(&session, Goal::Steps(2));
    assert_eq!((session.status().step.number, session.status().changes.len()), (5, 0));
}

#[test]
fn a_session_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint.h5");
    let session = begin(case("fvm", &[]));
    go(&session, Goal::Steps(8));
    session.checkpoint(&path).expect("a checkpoint");
    go(&session, Goal::Steps(4));
    let later = begin(case("fvm", &[]));
    later.restart(&path, false).expect("a restart");
    assert_eq!(later.status().step.number, 8);
    go(&later, Goal::Steps(4));
    assert_eq!(velocity(&later), velocity(&session));
}

#[test]
fn a_run_can_be_paused_asked_and_left() {
    let session = begin(case("fdm", &["run.steady=1e-12", "run.max-steps=100000000"]));
    let way = session.go(Goal::End).expect("on its way");
    assert!(way.wait_for(Duration::from_millis(50)).is_none());
    let looked = session.look(|now| Ok(now.step.number)).expect("a look");
    assert!(looked > 0 && session.status().is_going);
    session.pause().expect("a pause");
    assert!(way.wait().is_ok() && !session.status().is_going);
    let begin = Instant::now();
    let _on_its_way = session.go(Goal::End).expect("on its way");
    drop(session);
    assert!(begin.elapsed() < Duration::from_secs(5), "leaving a run waits for nothing");
}

#[test]
fn what_cannot_be_run_is_no_session() {
    let wrong = case("fdm", &["run.device=cuda:9"]);
    assert!(Session::begin(wrong, 1, |simulation, _| Ok(simulation)).is_err());
}

#[test]
fn a_method_may_be_added_while_a_program_runs() {
    static LATER: Method = Method { name: "later", ..vortice_fdm::METHOD };
    static GRID: Method = Method { name: "grid", ..vortice_fdm::METHOD };
    let opened = case("fdm", &[]);
    for _ in 0..2 {
        registry::add_another(&LATER).expect("a new name");
    }
    assert!(registry::methods().iter().filter(|method| method.name == "later").count() == 1);
    let session = begin(opened.with(&["run.method=later".into()]).expect("a case"));
    go(&session, Goal::Steps(3));
    let with_table = opened.with(&["later.safety=0.5".into()]);
    assert!(with_table.is_ok_and(|case| case.check_tables().is_ok()));
    let refused = |method| registry::add_another(method).expect_err("it is refused").to_string();
    assert_eq!(refused(&vortice_lbm::METHOD), "method `lbm`: is there already");
    assert_eq!(refused(&GRID), "grid: is a key of all cases");
}

#[test]
fn a_run_that_is_held_waits_on_its_way_and_steps_as_far_as_it_is_let() {
    let session = begin(case("fdm", &["run.max-steps=1000"]));
    session.hold(Some(0)).expect("held");
    let way = session.go(Goal::Steps(30)).expect("a way");
    assert!(way.wait_for(Duration::from_millis(100)).is_none());
    let status = session.status();
    assert!(status.is_held && status.is_going && status.step.number == 0);
    session.hold(Some(4)).expect("held");
    assert!(way.wait_for(Duration::from_millis(200)).is_none());
    assert_eq!((session.status().step.number, session.status().is_held), (4, true));
    velocity(&session);
    session.hold(None).expect("free");
    way.wait().expect("there");
    assert_eq!((session.status().step.number, session.status().is_held), (30, false));
    // What is held can be told to pause, and to end.
    session.hold(Some(0)).expect("held");
    let way = session.go(Goal::End).expect("a way");
    session.pause().expect("paused");
    way.wait().expect("there");
    assert_eq!(session.finish().expect("an outcome").steps, 30);
}

#[test]
fn changes_are_written_before_the_steps_that_are_made_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("changes.csv");
    let session = begin(case("fdm", &["run.max-steps=1000"]));
    session.mark(&table).expect("a table");
    session.set(&["fluid.viscosity=0.02".into()]).expect("changed");
    assert!(!table.exists(), "what an earlier run has left goes first");
    go(&session, Goal::Steps(5));
    session.set(&["fluid.viscosity=0.03".into(), "fluid.density=1.5".into()]).expect("changed");
    go(&session, Goal::Steps(1));
    assert_eq!(read_changes(&table).expect("a table"), session.status().changes);
    session.set(&["fluid.viscosity=0.04".into()]).expect("changed");
    let (changes, last) = (session.status().changes, velocity(&session));
    session.finish().expect("an outcome");
    let written = read_changes(&table).expect("a table");
    assert_eq!((&written, written.len()), (&changes, 3));
    // So the run can be made again.
    let again = begin(case("fdm", &["run.max-steps=1000"]));
    again.repeat(&written).expect("planned");
    go(&again, Goal::Steps(6));
    assert_eq!(velocity(&again), last);
}
