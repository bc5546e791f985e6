//! Whole states of a run, and where two of them differ: for the tests of every method.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use vortice_core::{Communicator, Decomposition, Result, State, Values, gather};

/// The state of the whole grid on rank 0, from every rank's own; on the others only its numbers.
pub fn whole(mine: &State, ranks: &dyn Communicator, cut: &Decomposition) -> Result<State> {
    let mut whole = State { numbers: mine.numbers.clone(), ..State::default() };
    for (name, values) in &mine.fields {
        let all = match values {
            Values::F32(field) => gather(ranks, cut, field)?.map(Values::F32),
            Values::F64(field) => gather(ranks, cut, field)?.map(Values::F64),
        };
        whole.fields.extend(all.map(|all| (name.clone(), all)));
    }
    Ok(whole)
}

/// A number as bits; what is not a number has many, which differ between devices.
fn number(x: f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

/// All of a state as bits.
pub fn bits(state: &State) -> Vec<(String, Vec<u64>)> {
    let field = |values: &Values| match values {
        Values::F32(field) => field.values.iter().map(|x| number(f64::from(*x))).collect(),
        Values::F64(field) => field.values.iter().map(|x| number(*x)).collect(),
    };
    let numbers = state.numbers.iter().map(|(name, x)| (name.clone(), vec![number(*x)]));
    numbers.chain(state.fields.iter().map(|(name, values)| (name.clone(), field(values)))).collect()
}

/// Where two states differ first, if they do.
pub fn difference(name: &str, one: &State, other: &State) -> Option<String> {
    let (one, other) = (bits(one), bits(other));
    let names = |bits: &[(String, Vec<u64>)]| -> Vec<String> {
        bits.iter().map(|(name, _)| name.clone()).collect()
    };
    if names(&one) != names(&other) {
        return Some(format!("{name}: {:?} and {:?}", names(&one), names(&other)));
    }
    for ((field, a), (_, b)) in one.iter().zip(&other) {
        if let Some(at) = (0..a.len().max(b.len())).find(|&at| a.get(at) != b.get(at)) {
            let differ = a.iter().zip(b).filter(|(a, b)| a != b).count();
            let value = |bits: &[u64]| bits.get(at).map(|&bits| f64::from_bits(bits));
            return Some(format!(
                "{name}: {field} differs at {at}, {:?} and {:?}, and at {differ} of {} places",
                value(a),
                value(b),
                a.len()
            ));
        }
    }
    None
}

/// Fails where two states differ first.
pub fn expect_same(name: &str, one: &State, other: &State) {
    let different = difference(name, one, other);
    assert!(different.is_none(), "{}", different.unwrap_or_default());
}
