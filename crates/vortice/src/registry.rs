//! The methods there are: one line each.

use vortice_core::{Case, Error, Method, Result, WallSlope, known_keys, suggest};

use crate::open_case;

/// All methods, in the order in which they are listed.
pub static METHODS: &[&Method] =
    &[&vortice_fdm::METHOD, &vortice_fvm::METHOD, &vortice_lbm::METHOD];

/// The method of a name.
///
/// # Errors
/// If there is none; the error lists those there are.
pub fn method(name: &str) -> Result<&'static Method> {
    METHODS.iter().copied().find(|method| method.name == name).ok_or_else(|| {
        let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        Error::case(
            "run.method",
            format!("no method is called `{name}`"),
            suggest("method", name, &names),
        )
    })
}

/// The keys that a case can have: those of all cases, and those of each method's own table.
pub fn keys() -> Vec<String> {
    let own = METHODS.iter().flat_map(|method| own_keys(method));
    known_keys().into_iter().chain(own).collect()
}

/// The keys of a method's table. The method itself lists them, when it is given one that it has not.
fn own_keys(method: &Method) -> Vec<String> {
    let sets = [format!("run.method={}", method.name), format!("{}.no-such-key=0", method.name)];
    let Some(error) = open_case("cavity", &sets).and_then(|case| (method.check)(&case)).err()
    else {
        return Vec::new();
    };
    let names = error.remedy().split('`').skip(1).step_by(2);
    names.map(|name| format!("{}.{name}", method.name)).collect()
}

/// The slope of the velocity at walls by the method that a case names.
///
/// # Errors
/// If there is no such method, or it cannot do the case.
pub fn wall_slope(case: &Case) -> Result<WallSlope> {
    (method(&case.run.method)?.wall_slope)(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (i, one) in METHODS.iter().enumerate() {
            assert!(METHODS[..i].iter().all(|other| other.name != one.name));
            assert!(std::ptr::eq(method(one.name).unwrap(), *one));
            assert!(!one.about.is_empty());
        }
    }

    #[test]
    fn keys_are_those_of_all_cases_and_of_each_method() {
        let keys = keys();
        for key in ["fluid.viscosity", "boundary.x-low", "fdm.gamma", "fvm.convection", "lbm.mach"]
        {
            assert!(keys.iter().any(|known| known == key), "{key} is not in {keys:?}");
        }
        assert!(keys.iter().all(|key| !key.contains(' ')), "{keys:?}");
    }

    #[test]
    fn a_misspelt_name_is_suggested_and_all_are_listed() {
        let error = method("fdn").err().expect("there is no such method");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("`fdn`"));
        assert!(error.remedy().contains("did you mean `fdm`"), "{}", error.remedy());
    }
}
