//! The methods there are: one line each.

use vortice_core::{Error, Method, Result, suggest};

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
    fn a_misspelt_name_is_suggested_and_all_are_listed() {
        let error = method("fdn").err().expect("there is no such method");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("`fdn`"));
        assert!(error.remedy().contains("did you mean `fdm`"), "{}", error.remedy());
    }
}
