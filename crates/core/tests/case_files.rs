//! Case files that are right: what they mean, and what settings do to them.

use std::path::PathBuf;

use vortice_core::{
    Boundary, Case, Device, Error, ExactFlow, Initial, Interval, OutputTimes, Precision, Profile,
    Side, Until, apply_overrides,
};

fn cases() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

fn read(name: &str) -> Case {
    Case::read(cases().join(name)).unwrap()
}

fn cavity_with(sets: &[&str]) -> Result<Case, Error> {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    Case::read_with(cases().join("cavity.toml"), &sets)
}

#[test]
fn every_case_can_be_read_and_its_references_exist() {
    let files = std::fs::read_dir(cases()).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    assert!(files.len() >= 11);
    for file in files {
        let case = Case::read(&file).unwrap_or_else(|e| panic!("{e}: {}", e.remedy()));
        assert!(!case.references.is_empty(), "{}", file.display());
        for name in case.references.iter().map(|name| case.with_numbers(name)) {
            let table = cases().join("references").join(format!("{name}.csv"));
            let is_known = match ExactFlow::of_reference(&name) {
                Some(ExactFlow::Formula) => case.exact.is_some(),
                Some(_) => true,
                None => table.exists(),
            };
            assert!(is_known, "{}", table.display());
        }
        let stretched = ["step-griebel.toml", "step-menenguci.toml"];
        let warned = usize::from(stretched.iter().any(|name| file.ends_with(name)));
        assert_eq!(case.warnings().len(), warned, "{:?}", case.warnings());
    }
}

#[test]
fn the_cavity_means_what_it_says() {
    let case = read("cavity.toml");
    assert_eq!(case.grid.cells(), [128, 128, 1]);
    assert_eq!(*case.boundaries.at(1, Side::High), Boundary::Wall { velocity: [1.0, 0.0, 0.0] });
    assert_eq!(case.boundaries.periodic(), [false, false, true]);
    assert!((case.reynolds() - 1000.0).abs() < 1e-9);
    assert_eq!(case.run.until, Until::Steady(1e-5));
    assert_eq!(case.folder, Some(cases()));
}

#[test]
fn reynolds_numbers_are_those_of_the_titles() {
    for (name, reynolds) in [
        ("cavity-re100.toml", 100.0),
        ("cavity-re400.toml", 400.0),
        ("cavity-re3200.toml", 3200.0),
        ("cavity-3d.toml", 1000.0),
        ("step-griebel.toml", 100.0),
        ("step-menenguci.toml", 100.0),
        ("step-erturk.toml", 100.0),
        ("kovasznay.toml", 40.0),
        ("duct-3d.toml", 10.0),
        ("cylinder-re20.toml", 20.0),
        ("cylinder-re40.toml", 40.0),
        ("cylinder-rotating.toml", 20.0),
        ("t-junction.toml", 300.0),
        ("mixing-t-junction.toml", 40.0),
        ("hill.toml", 50.0),
        ("cylinder-re100.toml", 100.0),
        ("sphere-re100.toml", 100.0),
        ("cylinder-schaefer-turek-3d1.toml", 20.0),
        ("square-re100.toml", 100.0),
        ("step-gartling.toml", 800.0),
        ("cylinder-schaefer-turek-2d1.toml", 20.0),
        ("taylor-green.toml", 100.0),
        ("poiseuille.toml", 10.0),
        ("couette.toml", 10.0),
    ] {
        let case = read(name);
        assert!((case.reynolds() / reynolds - 1.0).abs() < 1e-12, "{name}: {}", case.reynolds());
        assert!(case.title.ends_with(&format!("Re = {reynolds}")), "{name}");
    }
    let thicker = cavity_with(&["fluid.viscosity=0.003"]).unwrap();
    assert_eq!(thicker.title, "Lid-driven cavity, Re = 333.333");
    assert_eq!(thicker.with_numbers("ghia-re{reynolds}-{rayleigh}"), "ghia-re333.333-{rayleigh}");
    assert_eq!(read("rayleigh-benard.toml").with_numbers("ra{rayleigh}"), "ra10000");
}

#[test]
fn the_steps_are_where_they_should_be() {
    let griebel = read("step-griebel.toml");
    assert_eq!(griebel.solid[0].cells(&griebel.grid), [0..128, 0..64, 0..1]);
    assert!(griebel.solid[0].misfit(&griebel.grid) < 1e-9);
    let gartling = read("step-gartling.toml");
    let parabola = Profile::Parabolic(Interval { along: 1, from: 0.5, to: 1.0 });
    let inflow = Boundary::Inflow { velocity: [1.0, 0.0, 0.0], profile: parabola };
    assert_eq!(*gartling.boundaries.at(0, Side::Low), inflow);
}

#[test]
fn what_is_left_out_has_its_default() {
    let case = Case::parse(
        "title = \"x\"
        grid.cells = [4, 6, 8]
        grid.size = [2, 3, 4]
        fluid.viscosity = 1
        run.until = 3
        boundary.x-low = { inflow = { velocity = [3, 0, 4], profile = \"uniform\" } }
        boundary.x-high = \"outflow\"
        boundary.y-low = \"symmetry\"
        boundary.y-high = { wall = {} }
        boundary.z-low = \"wall\"
        boundary.z-high = { wall = { velocity = [1.0, 0.0, 0.0] } }",
        "x",
    )
    .unwrap();
    assert_eq!((case.density, case.force), (1.0, [0.0; 3]));
    assert_eq!((case.scale.length, case.scale.velocity), (3.0, 5.0));
    assert_eq!(case.initial, Initial::Uniform([0.0; 3]));
    assert_eq!(case.run.until, Until::Time(3.0));
    assert_eq!(case.run.device, Device::Auto);
    assert_eq!(case.run.precision, Precision::F64);
    assert_eq!((case.run.method.as_str(), case.run.max_steps), ("fdm", 10_000_000));
    assert_eq!((case.output.fields, case.output.history), (OutputTimes::Ends, 10));
    assert_eq!(*case.boundaries.at(1, Side::High), Boundary::WALL);
    assert!(case.solid.is_empty() && case.references.is_empty());
}

#[test]
fn settings_change_the_case_and_keep_the_layout() {
    let case = cavity_with(&[
        "grid.cells=[256, 256, 1]",
        "run.until=steady",
        "run.device=cuda:1",
        "fdm.kernel=plain",
        "boundary.y-high.wall.velocity=[2.0, 0.0, 0.0]",
        "scale={ velocity = 2.0 }",
        "run.precision = f32",
    ])
    .unwrap();
    assert_eq!(case.grid.cells(), [256, 256, 1]);
    assert_eq!(case.run.device, Device::Cuda(1));
    assert_eq!(case.run.precision, Precision::F32);
    assert!((case.reynolds() - 2000.0).abs() < 1e-9);
    assert!(case.source.contains("[fdm]\nkernel = \"plain\""), "{}", case.source);
    assert!(case.source.starts_with("# A square cavity"));
    assert!(case.source.contains("# kg/m3, m2/s\n"));
    #[derive(serde::Deserialize)]
    struct Options {
        kernel: String,
    }
    assert_eq!(case.options::<Options>("fdm").unwrap().kernel, "plain");
    assert_eq!(apply_overrides("# a\nx = 1\n", "x", &[]).unwrap(), "# a\nx = 1\n");
}

#[test]
fn settings_can_follow_one_another() {
    let fine = read("cavity.toml").with(&["grid.cells=[8, 8, 1]".into()]).unwrap();
    let finer = fine.with(&["grid.size=[2.0, 1.0, 0.1]".into(), "run.until=2".into()]).unwrap();
    assert_eq!(finer.grid.cells(), [8, 8, 1]);
    assert_eq!(finer.grid.axes[0].length(), 2.0);
    assert_eq!(finer.folder, Some(cases()));
    // The steady tolerance of the file has nothing to do, and cells are no squares.
    assert_eq!(finer.warnings().len(), 2, "{:?}", finer.warnings());
}

#[test]
fn wrong_settings_are_answered() {
    for (set, part, remedy) in [
        ("grid.cells", "no `=`", "key=value"),
        ("=3", "not a key", "dots"),
        ("grid..cells=3", "not a key", "dots"),
        ("run.until=", "no value", "quote"),
        ("grid.cells=[1, 2", "no value", "[256, 256, 1]"),
        ("title=two words", "no value", "quote"),
        ("title.short=x", "`title`", "--set 'title={ ... }'"),
    ] {
        let error = cavity_with(&[set]).unwrap_err();
        assert!(matches!(error, Error::Command { .. }), "{set}: {error:?}");
        assert!(error.to_string().contains(part), "{set}: {error}");
        assert!(error.remedy().contains(remedy), "{set}: {}", error.remedy());
    }
    let error = cavity_with(&["grid.cell=[1, 1, 1]"]).unwrap_err();
    assert!(error.to_string().starts_with("grid.cell:"), "{error}");
    assert!(error.remedy().contains("`cells`"), "{}", error.remedy());
    assert!(error.place().unwrap().text.contains("cell = [1, 1, 1]"));
    let error = cavity_with(&["fluid.viscosity=-1"]).unwrap_err();
    let at = error.place().unwrap();
    assert_eq!(&at.text[at.start..at.start + at.length], "-1");
}

#[test]
fn choices_in_a_program_change_the_run() {
    let case = read("cavity.toml")
        .method("lbm")
        .device(Device::Cpu)
        .precision(Precision::F32)
        .until(Until::Time(2.0))
        .max_steps(7);
    assert_eq!(case.run.method, "lbm");
    assert_eq!(case.run.device, Device::Cpu);
    assert_eq!((case.run.until, case.run.max_steps), (Until::Time(2.0), 7));
    assert_eq!(case.run.precision, Precision::F32);
}

#[test]
fn warnings_say_what_is_probably_not_meant() {
    let warnings = |sets: &[&str]| cavity_with(sets).unwrap().warnings().join("\n");
    assert!(warnings(&["boundary.y-high=wall"]).starts_with("nothing drives the flow"));
    assert_eq!(warnings(&["boundary.y-high=wall", "fluid.force=[0.0, 1.0, 0.0]"]), "");
    assert!(warnings(&["grid.cells=[128, 64, 1]"]).contains("0.007812 m to 0.015625 m"));
    let solid = "solid=[{ low = [0.0, 0.0, 0.0], high = [0.0195, 0.5, 1.0] }]";
    let warnings = warnings(&["grid.size=[1.0, 1.0, 1.0]", solid]);
    assert!(warnings.contains("solid[0]") && warnings.contains("0.50 of a cell"), "{warnings}");
}
