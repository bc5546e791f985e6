//! The table `output`: what it means, and what makes no sense in it.

use crate::{Case, Extent, ForceTimes, OutputTimes, Quantity};

fn case(output: &str) -> crate::Result<Case> {
    let text = include_str!("../../../../../cases/cavity-3d.toml");
    Case::parse(text, "cavity-3d")?.with(&["grid.cells=[8,8,8]".into(), output.into()])
}

#[test]
fn planes_and_boxes_have_cells_times_and_quantities() {
    let plane =
        "output.planes={middle={at='z = 0.5',fields-steps=50},lid={at='y=1',fields='last'}}";
    let found = case(plane).expect("planes").output.parts;
    assert_eq!([&*found[0].name, &*found[1].name], ["lid", "middle"]);
    assert_eq!(found[0].extent, Extent { cells: [0..8, 7..8, 0..8] });
    assert_eq!((found[0].times, found[0].quantities.len()), (OutputTimes::Last, 3));
    assert_eq!(found[1].extent, Extent { cells: [0..8, 0..8, 4..5] });
    assert_eq!(found[1].times, OutputTimes::Steps(50));
    let wake = "output.boxes={wake={low=[0.5,0,0.26],high=[1,0.5,1],quantities=['pressure']}}";
    let found = case(wake).expect("a box").output.parts;
    assert_eq!(found[0].extent, Extent { cells: [4..8, 0..4, 2..8] });
    assert_eq!(found[0].quantities, [Quantity::Pressure]);
}

#[test]
fn averages_have_a_beginning_steps_times_and_quantities() {
    let found = |keys: &str| {
        let until = case("run.until=10.0").expect("a case");
        until.with(&[format!("output.statistics={{{keys}}}")]).expect("averages")
    };
    let averages = found("").output.statistics.expect("averages");
    assert_eq!((averages.from, averages.steps), (0.0, 10));
    assert_eq!(averages.part.times, OutputTimes::Last);
    assert_eq!(averages.part.quantities, Quantity::STATISTICS);
    let few = found("from=2,steps=3,fields-steps=30,quantities=['mean_pressure']");
    let names: Vec<String> = few.recorded().map(|part| part.name).collect();
    assert_eq!(names, ["", "statistics"]);
    let averages = few.statistics().expect("averages");
    assert_eq!((averages.from, averages.steps), (2.0, 3));
    assert_eq!(averages.part.times, OutputTimes::Steps(30));
    assert_eq!(averages.sampled().collect::<Vec<_>>(), [Quantity::Pressure]);
    let steady = few.until(crate::Until::Steady(1e-5));
    assert!(steady.statistics().is_none() && steady.statistics_bytes() == 0.0);
}

#[test]
fn averages_that_make_no_sense_are_told_with_their_key() {
    for (keys, words) in [
        ("from=-1", ["output.statistics.from", "-1 is not zero or a positive number"]),
        ("from=10", ["output.statistics.from", "not before the end of the run at 10 s"]),
        ("from='now'", ["output.statistics.from", "the flow time in s after which"]),
        ("steps=0", ["output.statistics.steps", "0 is less than one"]),
        ("fields='never'", ["output.statistics.fields", "`never`"]),
        ("fields=-1", ["output.statistics.fields", "not a positive number"]),
        ("fields=1,fields-steps=1", ["output.statistics:", "both given"]),
        ("quantities=['velocity']", ["output.statistics.quantities", "mean_velocity"]),
        ("quantities=[]", ["output.statistics.quantities", "is empty"]),
        ("coarsen=3", ["output.statistics.coarsen", "do not fill"]),
        ("form=1", ["output.statistics.form", "`from`"]),
    ] {
        let until = case("run.until=10.0").expect("a case");
        let error = until.with(&[format!("output.statistics={{{keys}}}")]).expect_err(keys);
        let said = format!("{error} {}", error.remedy());
        words.iter().for_each(|word| assert!(said.contains(word), "{keys}: {said}"));
    }
    let steady = case("run.until='steady'").expect("a case");
    let error = steady.with(&["output.statistics={}".into()]).expect_err("a steady flow");
    let said = format!("{error} {}", error.remedy());
    assert!(said.contains("output.statistics") && said.contains("run.until"), "{said}");
    let plane = case("output.planes={statistics={at='z'}}").expect_err("a taken name");
    assert!(plane.to_string().contains("what averages over time are called"), "{plane}");
}

#[test]
fn what_makes_no_sense_is_told_with_its_key() {
    for (output, words) in [
        ("output.planes={a={at='z = 2'}}", ["output.planes.a.at", "no plane across the box"]),
        ("output.planes={a={}}", ["output.planes.a", "at"]),
        ("output.planes={'a/b'={at='z'}}", ["output.planes.a/b", "no name for a file"]),
        ("output.boxes={a={low=[0,0,0],high=[2,1,1]}}", ["output.boxes.a.high", "outside"]),
        (
            "output.planes={a={at='z',fields=-1}}",
            ["output.planes.a.fields", "not a positive number"],
        ),
        ("output.coarsen=3", ["output.coarsen", "do not fill 8 in x"]),
        ("output.planes={a={at='z',fields=1.0,fields-steps=2}}", ["output.planes.a", "both given"]),
        (
            "output.planes={a={at='z',quantities=['speed']}}",
            ["output.planes.a.quantities", "no `speed`"],
        ),
    ] {
        let error = case(output).expect_err(output);
        let said = format!("{error} {}", error.remedy());
        words.iter().for_each(|word| assert!(said.contains(word), "{output}: {said}"));
    }
}

#[test]
fn forces_are_of_bodies_and_of_flows_in_time() {
    let with = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|&set| set.into()).collect();
        case("output.history=5").expect("a case").with(&sets)
    };
    let body = "body.ball={sphere={centre=[0.5,0.5,0.5],radius=0.2}}";
    let found = with(&[body, "run.until=2.0", "output.forces=0.25"]).expect("forces");
    assert_eq!((found.forces(), found.output.forces), (Some(0.25), ForceTimes::Every(0.25)));
    assert_eq!(found.until(crate::Until::Steady(1e-3)).forces(), None);
    let none = with(&[body, "run.until=2.0", "output.forces='none'"]).expect("none");
    assert_eq!((none.forces(), none.output.forces), (None, ForceTimes::Never));
    let unsaid = with(&[body, "run.until=2.0"]).expect("a case");
    assert_eq!((unsaid.forces(), unsaid.output.forces), (None, ForceTimes::Unsaid));
    let faces =
        ["x", "y", "z"].map(|d| ["low", "high"].map(|end| format!("boundary.{d}-{end}=periodic")));
    let mut endless = vec!["run.until=2.0", "output.forces=0.25"];
    endless.extend(faces.as_flattened().iter().map(String::as_str));
    assert!(with(&endless[..2]).is_ok(), "walls feel forces");
    for (sets, words) in [
        (endless, ["output.forces", "no body, solid box or wall"]),
        (vec![body, "run.until='steady'", "output.forces=0.25"], ["output.forces", "run.until"]),
        (vec![body, "run.until=2.0", "output.forces=0"], ["output.forces", "not a positive"]),
        (vec![body, "run.until=2.0", "output.forces='often'"], ["output.forces", "one of `none`"]),
    ] {
        let error = with(&sets).expect_err("no sense");
        let said = format!("{error} {}", error.remedy());
        words.iter().for_each(|word| assert!(said.contains(word), "{sets:?}: {said}"));
    }
}
