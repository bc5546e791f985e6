//! The keys of cases, for completions.

use vortice_core::Method;

use crate::open_case;
use crate::registry::methods;

/// The keys that a case can have: those of all cases, and those of each method's own table.
pub(crate) fn known_keys() -> Vec<String> {
    let own = methods().iter().flat_map(|method| own_keys(method));
    vortice_core::known_keys().into_iter().chain(own).collect()
}

/// The keys of a method's table. The method itself lists them, when it is given one that it has not.
fn own_keys(method: &Method) -> Vec<String> {
    let sets = [format!("run.method={}", method.name), format!("{}.no-such-key=0", method.name)];
    let Some(error) = open_case("cavity", &sets).and_then(|case| method.report(&case)).err() else {
        return Vec::new();
    };
    let names = error.remedy().split('`').skip(1).step_by(2);
    names.map(|name| format!("{}.{name}", method.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_all_cases_and_of_each_method() {
        let keys = known_keys();
        for key in ["fluid.viscosity", "boundary.x-low", "fdm.gamma", "fvm.convection", "lbm.mach"]
        {
            assert!(keys.iter().any(|known| known == key), "{key} is not in {keys:?}");
        }
        assert!(keys.iter().all(|key| !key.contains(' ')), "{keys:?}");
    }
}
