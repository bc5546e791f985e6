//! Tables hold for their own flow and for no other.

use crate::examples::case;
use crate::references::{LeftOut, Reference};

const LID: &str = "boundary.y-high={ wall = { velocity = [1.0, 0.0, 0.0] } }";

/// Which of some references hold for a box with a lid at Re = 1000 and changes, and why the others do
/// not.
fn judged(references: &str, changes: &[&str]) -> (Vec<String>, Vec<LeftOut>) {
    let sets = [LID, "fluid.viscosity=1e-3", references].into_iter().chain(changes.iter().copied());
    let case = case("grid.cells=[8,8,1]", &sets.map(String::from).collect::<Vec<_>>());
    let hold = Reference::of(&case).unwrap_or_else(|error| panic!("{error}"));
    (hold.into_iter().map(|one| one.name).collect(), LeftOut::of(&case).unwrap())
}

const BOTELLA: &str = r#"references=["botella-1998-re1000-u", "botella-1998-re1000-v"]"#;

#[test]
fn a_table_of_another_reynolds_number_is_left_out() {
    assert_eq!(judged(BOTELLA, &[]).0.len(), 2);
    let (hold, left_out) = judged(BOTELLA, &["fluid.viscosity=0.01"]);
    assert_eq!((hold.len(), left_out.len()), (0, 1));
    let said = left_out[0].to_string();
    let names = "botella-1998-re1000-u, botella-1998-re1000-v";
    assert_eq!(said, format!("not judged by {names}: for Re = 1000, not 100"));
}

#[test]
fn a_table_of_another_box_or_of_other_walls_is_left_out() {
    for (change, why) in [
        ("grid.size=[1.0,2.0,1.0]", "for a box of 1 x 1 lengths, not 1 x 2"),
        (
            "boundary.y-low={ wall = { velocity = [1.0, 0.0, 0.0] } }",
            "one moving wall is y-high, in x",
        ),
        (
            "boundary.y-high={ wall = { velocity = [-1.0, 0.0, 0.0] } }",
            "one moving wall is y-high, in x",
        ),
        ("boundary.x-low=symmetry", "one moving wall is y-high, in x"),
        ("solid=[{ low = [0.0, 0.0, 0.0], high = [0.5, 0.5, 0.1] }]", "for an empty box"),
        ("fluid.force=[0.0, 1.0, 0.0]", "without a body force"),
    ] {
        let (hold, left_out) = judged(BOTELLA, &[change]);
        assert!(hold.is_empty() && left_out[0].why.contains(why), "{change}: {left_out:?}");
    }
    // Twice as large and as slow in a fluid as thick: the same flow.
    let larger = "boundary.y-high={ wall = { velocity = [0.5, 0.0, 0.0] } }";
    let scale = "scale={ length = 2.0, velocity = 0.5 }";
    assert_eq!(judged(BOTELLA, &["grid.size=[2.0,2.0,1.0]", larger, scale]).0.len(), 2);
}

#[test]
fn a_table_of_a_flow_in_space_is_for_walls_in_z() {
    let cells = "grid={ cells = [4, 4, 4], size = [1.0, 1.0, 1.0] }";
    assert_eq!(judged(BOTELLA, &[cells]).0.len(), 2, "the same for all z");
    let walls = ["boundary.z-low=wall", "boundary.z-high=wall"];
    let (hold, left_out) = judged(BOTELLA, &[cells, walls[0], walls[1]]);
    assert!(hold.is_empty() && left_out[0].why.contains("the same for all z"), "{left_out:?}");
    let cube = r#"references=["albensoeder-2005-cube-re1000-extrema"]"#;
    let (hold, left_out) = judged(cube, &[cells]);
    assert!(hold.is_empty() && left_out[0].why.contains("walls in z"), "{left_out:?}");
    let lid = "boundary.z-high={ wall = { velocity = [1.0, 0.0, 0.0] } }";
    assert_eq!(judged(cube, &[cells, walls[0], lid, "boundary.y-high=wall"]).0.len(), 1);
}

#[test]
fn a_name_can_hold_the_reynolds_number() {
    let names = r#"references=["botella-1998-re{reynolds}-u", "ghia-1982-re{reynolds}-u"]"#;
    assert_eq!(judged(names, &[]).0, ["botella-1998-re1000-u", "ghia-1982-re1000-u"]);
    let (hold, left_out) = judged(names, &["fluid.viscosity=2.5e-3"]);
    assert_eq!(hold, ["ghia-1982-re400-u"]);
    let said = left_out[0].to_string();
    assert_eq!(said, "not judged by botella-1998-re400-u: there is none but for Re = 1000");
    let wrong = case("grid.cells=[8,8,1]", &[r#"references=["gia-re{reynolds}-u"]"#.into()]);
    assert!(Reference::of(&wrong).unwrap_err().to_string().contains("`gia-re100-u`"));
}

#[test]
fn a_name_can_hold_the_rayleigh_number() {
    let name = r#"references=["rayleigh-benard-ra{rayleigh}-nusselt"]"#;
    let said = |more: &[&str]| {
        let sets = [name, "boundary.y-low={ wall = { temperature = 1.0 } }"].into_iter();
        let sets = sets.chain(more.iter().copied()).map(String::from).collect::<Vec<_>>();
        LeftOut::of(&case("grid.cells=[8,8,1]", &sets)).unwrap()[0].to_string()
    };
    // nu^2 Ra / Pr, with a difference of one kelvin.
    let gravity = 4000.0 * 1e-4 / 0.71;
    let heat =
        format!("heat={{ prandtl = 0.71, expansion = 1.0, gravity = [0.0, -{gravity}, 0.0] }}");
    let words = said(&[&heat, "boundary.y-high={ wall = { temperature = 0.0 } }"]);
    let tables = "Ra = 2000, 2500, 3000, 5000, 10000, 20000, 30000, 50000";
    let none = format!("ra4000-nusselt: there is none but for {tables}");
    assert!(words.ends_with(&none), "{words}");
}

#[test]
fn a_table_of_a_step_is_for_a_step_of_its_height() {
    let step = |changes: &[&str]| {
        let inflow = "boundary.x-low={ inflow = { velocity = [1.0, 0.0, 0.0], profile = \
                      { parabolic = { along = \"y\", from = 0.5, to = 1.0 } } } }";
        let table = r#"references=["erturk-2008-re100-lengths"]"#;
        let solid = "solid=[{ low = [0.0, 0.0, 0.0], high = [1.0, 0.5, 0.1] }]";
        let sets = ["grid.size=[4.0,1.0,0.1]", inflow, "boundary.x-high=outflow", table, solid];
        let sets = sets.into_iter().chain(changes.iter().copied()).map(String::from);
        LeftOut::of(&case("grid.cells=[32,8,1]", &sets.collect::<Vec<_>>())).unwrap()
    };
    assert_eq!(step(&[]), []);
    for change in [
        "solid=[]",
        "solid=[{ low = [0.0, 0.0, 0.0], high = [1.0, 0.25, 0.1] }]",
        "boundary.x-low.inflow.velocity=[2.0, 0.0, 0.0]",
        "boundary.x-low.inflow.profile.parabolic.from=0.25",
        "boundary.y-high=symmetry",
    ] {
        let why = &step(&[change])[0].why;
        assert_eq!(why, "for a step of 0.5 lengths behind an inlet channel", "{change}");
    }
}
