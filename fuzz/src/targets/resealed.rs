//! A checkpoint whose contents were changed before it was sealed is refused, or gone on from by two steps: no panic.

use std::path::PathBuf;
use std::sync::OnceLock;

use tempfile::TempDir;
use vortice_core::{Context, Error, Result, Simulation, State, Values};
use vortice_output::Stored;
use vortice_study::{Simulate, open_case};

const METHODS: [&str; 3] = ["fdm", "fvm", "lbm"];

/// A folder, and a good checkpoint of each method.
struct Good {
    folder: TempDir,
    stored: Vec<Stored>,
}

fn simulation(method: &str) -> Result<Simulation<'static>> {
    let sets = ["grid.cells=[6,6,1]", "run.until=1e9", "run.device=\"cpu\"", "references=[]"]
        .map(String::from);
    let case = open_case("cavity", &[&sets[..], &[format!("run.method=\"{method}\"")]].concat())?;
    Simulation::new(&case, &Context::alone())
}

fn stored(method: &str) -> Result<Stored> {
    let mut simulation = simulation(method)?;
    simulation.step()?;
    let case = simulation.case().clone();
    let mut now = simulation.now();
    let step = now.step;
    let mut state = State::default();
    now.save(&mut state)?;
    Ok(Stored::new(&case, step, state))
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| Good {
        folder: tempfile::tempdir().expect("a folder for temporary files"),
        stored: METHODS.map(|method| stored(method).expect("a good run")).into(),
    })
}

/// One change: what, which of them, and eight bytes for it.
fn change(stored: &mut Stored, change: &[u8; 10]) {
    let [what, which, bytes @ ..] = *change;
    let (which, number) = (usize::from(which), f64::from_le_bytes(bytes));
    let state = &mut stored.state;
    let name =
        |names: Vec<&String>| names.get(which % names.len().max(1)).map(|name| name.to_string());
    match what % 10 {
        0 => stored.step.time = number,
        1 => stored.step.dt = number,
        2 => stored.step.number = u64::from_le_bytes(bytes),
        3 => stored.step.residual = number,
        4 => {
            if let Some(name) = name(state.numbers.keys().collect()) {
                state.numbers.insert(name, number);
            }
        }
        5 => {
            if let Some(name) = name(state.numbers.keys().collect()) {
                state.numbers.remove(&name);
            }
        }
        6 => {
            if let Some(name) = name(state.fields.keys().collect()) {
                state.fields.remove(&name);
            }
        }
        7 => {
            let field = state.fields.values_mut().nth(which % 4);
            if let Some(Values::F64(field)) = field {
                field.values.fill(number);
            }
        }
        8 => {
            let names: Vec<String> = state.fields.keys().cloned().collect();
            let [one, other] = [which, usize::from(bytes[0])].map(|n| &names[n % names.len()]);
            let field = state.fields[one].clone();
            state.fields.insert(other.clone(), field);
        }
        _ => stored.method = METHODS[which % 3].into(),
    }
}

fn go_on(path: &PathBuf, method: &str) -> Result<()> {
    let read = Stored::read(path)?;
    let mut simulation = simulation(method)?;
    simulation.restore(&read.state)?;
    simulation.step()?;
    simulation.step()?;
    Ok(())
}

/// One input.
pub(crate) fn target(input: &[u8]) {
    let [method, changes @ ..] = input else { return };
    let number = usize::from(*method) % 3;
    let mut stored = good().stored[number].clone();
    let (changes, _) = changes.as_chunks::<10>();
    for one in changes.iter().take(4) {
        if stored.state.fields.is_empty() {
            break;
        }
        change(&mut stored, one);
    }
    let path = good().folder.path().join("resealed.h5");
    let result = stored.write(&path).and_then(|()| go_on(&path, METHODS[number]));
    if let Err(error) = result {
        assert!(!error.to_string().is_empty() && !error.remedy().is_empty(), "{error}");
        assert!(!matches!(error, Error::Command { .. }), "{error}");
    }
}
