//! Tables: what they hold, and when it is on disk.

use crate::common::{Ask, ask, case, on_ranks, value};
use vortice_core::{Energy, Error, Field, Location, Quantity, Shape, Solo};
use vortice_output::{Energies, History, write_csv};

#[test]
fn history_counts_the_iterations_between_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("history.csv"), case(true, "f64"));
    for ranks in [1, 3] {
        on_ranks(ranks, |context| {
            let mut history = History::create(&path)?;
            let steps = (1..=5).map(|n| (Ask::Step, n, 0.5 / n as f64));
            std::iter::once((Ask::Begin, 0, 0.0))
                .chain(steps)
                .chain([(Ask::Finish, 5, 0.1)])
                .try_for_each(|what| ask(&mut history, &case, &*context.ranks, what))
        })
        .unwrap();
        // Step n takes 3 + n iterations.
        let expected = "step,time,dt,iterations,residual,iteration_error\n0,0,0.5,0,0e0,inf\n\
                        2,1,0.5,9,2.5e-1,inf\n4,2,0.5,13,1.25e-1,inf\n5,2.5,0.5,8,1e-1,inf\n";
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    }
}

#[test]
fn the_first_line_is_on_disk_at_once_and_an_older_history_until_then() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("history.csv"), case(true, "f64"));
    std::fs::write(&path, "older").unwrap();
    let mut history = History::create(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"older");
    ask(&mut history, &case, &Solo, (Ask::Begin, 0, 0.0)).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("0,0,0.5,0,0e0,inf\n"));
}

#[test]
fn lines_that_wait_are_in_the_file_before_a_line_of_energies_and_when_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let case = case(true, "f64");
    let [path, energy] = ["history.csv", "energy.csv"].map(|name| folder.path().join(name));
    let mut history = History::create(&path).unwrap();
    let mut energies = Energies::create(&energy).unwrap().after(history.sync());
    let sync = history.sync();
    let last = || std::fs::read_to_string(&path).unwrap().lines().last().unwrap().to_owned();
    ask(&mut history, &case, &Solo, (Ask::Begin, 0, 0.0)).unwrap();
    ask(&mut history, &case, &Solo, (Ask::Step, 2, 0.5)).unwrap();
    assert!(last().starts_with("0,"), "the next one waits");
    sync().unwrap();
    assert!(last().starts_with("2,"));
    ask(&mut history, &case, &Solo, (Ask::Step, 4, 0.5)).unwrap();
    assert!(last().starts_with("2,"));
    ask(&mut energies, &case, &Solo, (Ask::Begin, 4, 0.0)).unwrap();
    ask(&mut energies, &case, &Solo, (Ask::Finish, 4, 0.0)).unwrap();
    assert!(last().starts_with("4,"));
}

#[test]
fn energies_are_those_of_the_whole_grid_for_any_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("energy.csv"), case(true, "f64"));
    let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
    let line = |step: u64| {
        let mut velocity = Field::zeros(Location::Centre, shape, 3);
        for cell in velocity.own_cells() {
            let there = cell.map(|i| i as usize);
            (0..3).for_each(|c| {
                *velocity.at_mut(c, cell) = value(Quantity::Velocity, c, there, step);
            });
        }
        let Energy { kinetic_energy, enstrophy, dissipation } = Energy::of(&case, &velocity);
        let time = 0.5 * step as f64;
        format!("{step},{time},{kinetic_energy:e},{enstrophy:e},{dissipation:e}\n")
    };
    let head = "step,time,kinetic_energy,enstrophy,dissipation\n";
    for ranks in [1, 3] {
        on_ranks(ranks, |context| {
            let mut energies = Energies::create(&path)?;
            [(Ask::Begin, 0), (Ask::Step, 2), (Ask::Step, 4), (Ask::Finish, 4)]
                .into_iter()
                .try_for_each(|(what, n)| {
                    ask(&mut energies, &case, &*context.ranks, (what, n, 0.5))
                })
        })
        .unwrap();
        // The end is the last step, which has its line.
        let expected = format!("{head}{}{}{}", line(0), line(2), line(4));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "{ranks} ranks");
    }
}

#[test]
fn tables_read_back_the_same_numbers_and_are_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profiles.csv");
    let rows = [vec![0.1, 1.0 / 3.0], vec![-1e-300, f64::MAX]];
    write_csv(&path, &["y", "u"], rows.clone().into_iter()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("y,u"));
    for (row, line) in rows.iter().zip(lines) {
        let back: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(&back, row);
    }
    let error = write_csv(folder.path(), &["y"], std::iter::empty()).unwrap_err();
    assert!(matches!(error, Error::File { .. }) && !error.remedy().is_empty());
    // Rows of unequal length are refused half way; the older table is still whole.
    assert!(write_csv(&path, &["y", "u"], [vec![1.0, 2.0], vec![1.0]].into_iter()).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}
