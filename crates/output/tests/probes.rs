//! What is written at points is what the field is there.

use crate::common::{Ask, ask, case, fake_field, on_ranks};
use vortice_core::{Case, Every, Quantity, Result, Sampler};
use vortice_output::ProbeHistory;

/// The fake case with points near a wall, a solid and a moving lid, across periodic ends, and a slanted line.
fn with_probes(plane: bool) -> Case {
    let sets = match plane {
        true => vec![
            "output.probes={steps=2,points={a=[1.15,0.05,0.0],lid=[2.0,1.0,0.0]},\
             lines={l={from=[0.6,0.5,0.0],to=[2.6,0.95,0.0],points=9}}}",
        ],
        false => vec![
            "output.probes={seconds=0.5,quantities=['pressure','velocity'],\
             points={a=[0.51,0.5,0.01],b=[2.1,0.9,0.29]}}",
            "boundary.z-low=periodic",
            "boundary.z-high=periodic",
        ],
    };
    case(plane, "f64").with(&sets.iter().map(|&set| set.into()).collect::<Vec<_>>()).unwrap()
}

#[test]
fn values_at_points_are_those_of_the_whole_field_on_any_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("probes.csv");
    for plane in [true, false] {
        let case = with_probes(plane);
        let options = case.output.probes.as_ref().unwrap();
        for ranks in [1, 3] {
            on_ranks(ranks, |context| -> Result<()> {
                let mut probes = ProbeHistory::create(&path, options)?;
                [(Ask::Begin, 0, 0.0), (Ask::Step, 2, 0.5), (Ask::Finish, 3, 0.1)]
                    .into_iter()
                    .try_for_each(|what| ask(&mut probes, &case, &*context.ranks, what))
            })
            .unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split(',').collect()).collect();
            assert_eq!(rows.len(), 3, "{text}");
            let lid = rows[0].iter().position(|name| *name == "lid.u");
            lid.into_iter().for_each(|at| assert_eq!(rows[2][at], "1e0"));
            for (row, step) in rows[1..].iter().zip([0, 2]) {
                let fields = [Quantity::Velocity, Quantity::Pressure]
                    .map(|quantity| fake_field(&case, quantity, step));
                let mut expected = vec![step.to_string(), (0.5 * step as f64).to_string()];
                for probe in &options.probes {
                    for (quantity, component, _) in options.variables(&case.grid) {
                        let field = &fields[usize::from(quantity == Quantity::Pressure)];
                        let sampler = Sampler::new(&case, field, quantity);
                        expected.push(format!("{:e}", sampler.value(component, probe.point)));
                    }
                }
                assert_eq!(row, &expected);
            }
        }
    }
}

#[test]
fn lines_are_written_when_the_case_says() {
    let times = |plane| Every::from(with_probes(plane).output.probes.unwrap().times);
    assert_eq!([times(true), times(false)], [Every::Steps(2), Every::Seconds(0.5)]);
}
