//! The methods there are: one line each, and those that a program brings.

use std::sync::Mutex;

use vortice_core::{
    Case, Device, Error, Method, Result, WallSlope, lock, name_another_method, name_methods,
    suggest,
};

/// The methods of this house, in the order in which they are listed.
static BUILT_IN: [&Method; 3] = [&vortice_fdm::METHOD, &vortice_fvm::METHOD, &vortice_lbm::METHOD];

static METHODS: Mutex<Option<&'static [&'static Method]>> = Mutex::new(None);

/// All methods, in the order in which they are listed.
pub fn methods() -> &'static [&'static Method] {
    lock(&METHODS).get_or_insert_with(|| {
        // Without methods of others there is nothing to refuse.
        let _ = name_methods(&BUILT_IN.map(Method::named));
        &BUILT_IN
    })
}

/// Adds a program's own methods, before anything asks for [`methods`].
///
/// # Errors
/// If a name is used twice or is a key of all cases, or the methods were asked for already.
pub fn add(own: &[&'static Method]) -> Result<()> {
    let all: Vec<&'static Method> = BUILT_IN.iter().chain(own).copied().collect();
    let names: Vec<&'static str> = all.iter().map(|method| method.name).collect();
    let refuse = |name: &str, problem: &str, remedy: &str| {
        let (argument, problem) = (format!("method `{name}`"), problem.into());
        Err(Error::Command { argument, problem, remedy: remedy.into() })
    };
    let twice = |&(n, name): &(usize, &&str)| names[..n].contains(name);
    if let Some((_, name)) = names.iter().enumerate().find(twice) {
        return refuse(name, "is there already", "give each method a name of its own");
    }
    name_methods(&all.iter().copied().map(Method::named).collect::<Vec<_>>())?;
    let mut known = lock(&METHODS);
    if known.is_some() && !own.is_empty() {
        return refuse(own[0].name, "comes too late", "add it before the first case is opened");
    }
    known.get_or_insert_with(|| all.leak());
    Ok(())
}

/// Adds a method at any time, for programs in which methods are made while they run: cases that were opened before know
/// it too. One of the same name that was added before stays, so that what it is made of may be changed behind its name.
///
/// # Errors
/// If it has the name of a method of this house, or of a key of all cases.
pub fn add_another(method: &'static Method) -> Result<()> {
    if BUILT_IN.iter().any(|known| known.name == method.name) {
        return Err(Error::Command {
            argument: format!("method `{}`", method.name),
            problem: "is there already".into(),
            remedy: "give each method a name of its own".into(),
        });
    }
    let before = methods();
    name_another_method(method.named())?;
    if before.iter().all(|known| known.name != method.name) {
        let all: Vec<_> = before.iter().copied().chain([method]).collect();
        *lock(&METHODS) = Some(all.leak());
    }
    Ok(())
}

/// The method of a name.
///
/// # Errors
/// If there is none; the error lists those there are.
pub fn method(name: &str) -> Result<&'static Method> {
    methods().iter().copied().find(|method| method.name == name).ok_or_else(|| {
        let names: Vec<&str> = methods().iter().map(|method| method.name).collect();
        Error::case(
            "run.method",
            format!("no method is called `{name}`"),
            suggest("method", name, &names),
        )
    })
}

/// Whether the method of a case computes on GPUs: one that does not refuses the key `run.device` there.
pub fn computes_on_gpus(case: &Case) -> bool {
    let on_gpu = case.clone().device(Device::AnyCuda);
    let answer = method(&case.run.method).and_then(|method| method.report(&on_gpu));
    !matches!(answer, Err(Error::Unsupported { key, .. }) if key == "run.device")
}

/// The same case, on the processor if the choice is left open and its method does not compute on GPUs.
pub fn on_possible_devices(case: &Case) -> Case {
    let on_processor = case.run.device.are_open() && !computes_on_gpus(case);
    if on_processor { case.clone().device(Device::Cpu) } else { case.clone() }
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
    use crate::open_case;

    #[test]
    fn names_are_unique_and_found() {
        for (i, one) in methods().iter().enumerate() {
            assert!(methods()[..i].iter().all(|other| other.name != one.name));
            assert!(std::ptr::eq(method(one.name).unwrap(), *one));
            assert!(!one.about.is_empty());
        }
    }

    #[test]
    fn a_name_is_used_once_and_no_method_comes_late() {
        let refused = |method| add(&[method]).expect_err("it is refused").to_string();
        assert_eq!(refused(&vortice_lbm::METHOD), "method `lbm`: is there already");
        assert_eq!(methods().len(), 3);
        static LATE: Method = Method { name: "late", ..vortice_fdm::METHOD };
        assert!(refused(&LATE).contains("other methods were named before"));
        static GRID: Method = Method { name: "grid", ..vortice_fdm::METHOD };
        assert_eq!(refused(&GRID), "grid: is a key of all cases");
    }

    #[test]
    fn auto_is_the_processor_for_a_method_without_gpus() {
        let case = open_case("cavity", &[]).unwrap();
        assert!(case.run.device.are_open() && computes_on_gpus(&case));
        assert!(on_possible_devices(&case).run.device.are_open());
    }

    #[test]
    fn a_misspelt_name_is_suggested_and_all_are_listed() {
        let error = method("fdn").err().expect("there is no such method");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("`fdn`"));
        assert!(error.remedy().contains("did you mean `fdm`"), "{}", error.remedy());
    }
}
