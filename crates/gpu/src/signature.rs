//! The parameters of a kernel, read from its source, so that a launcher that no longer fits its
//! kernel is refused.

use vortice_core::{Error, Result};

use crate::argument::{Argument, Kind};
use crate::c_text::{plain, words};
use crate::driver::Definition;

/// A kernel's name and parameters.
#[derive(Debug)]
pub(crate) struct Signature {
    kernel: String,
    parameters: Vec<Parameter>,
}

/// Bytes of the types that a program's definitions choose, as in `device.cuh`; unknown without them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    real: Option<usize>,
    stored: Option<usize>,
}

impl Sizes {
    pub(crate) fn of(definitions: &[Definition]) -> Self {
        let size = |wanted: &str| {
            let given = definitions.iter().find(|(name, _)| *name == wanted);
            given.map(|(_, word)| size_of_type(word, Self::default()))
        };
        let real = size("REAL").flatten();
        Self { real, stored: size("STORED").unwrap_or(real) }
    }
}

#[derive(Debug, PartialEq)]
struct Parameter {
    name: String,
    pass: Pass,
    /// Bytes of an element or value; unknown for structures.
    size: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Value,
    Input,
    Output,
}

impl Pass {
    fn name(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::Input => "an input array",
            Self::Output => "an output array",
        }
    }
}

impl Signature {
    /// Finds `KERNEL name(...)` in sources.
    pub(crate) fn find<'a>(
        mut texts: impl Iterator<Item = &'a str>,
        name: &str,
        sizes: Sizes,
    ) -> Option<Self> {
        let parameters = texts.find_map(|text| parameters_of(text, name))?;
        let parameters = parameters.split(',').map(str::trim).filter(|text| !text.is_empty());
        let parameters = parameters.map(|text| Parameter::read(text, sizes)).collect();
        Some(Self { kernel: name.to_owned(), parameters })
    }

    /// Compares a launch's arguments with the parameters.
    pub(crate) fn check(&self, arguments: &[Argument<'_>]) -> Result<()> {
        let (given, wanted) = (arguments.len(), self.parameters.len());
        if given != wanted {
            return Err(self.error(&format!("has {wanted} parameters but was given {given}")));
        }
        for (place, (argument, parameter)) in arguments.iter().zip(&self.parameters).enumerate() {
            if let Some(complaint) = parameter.differs(argument) {
                return Err(self.error(&format!("{complaint} as argument {}", place + 1)));
            }
        }
        Ok(())
    }

    pub(crate) fn error(&self, problem: &str) -> Error {
        Error::Device {
            problem: format!("kernel `{}` {problem}", self.kernel),
            remedy: "this is a mistake in the program: make its launcher fit the kernel".into(),
        }
    }
}

/// What may stand before a kernel's name: how large its blocks are at most.
const BLOCKS: [&str; 5] =
    ["FULL_BLOCK", "HALF_BLOCK", "SMALL_BLOCK", "MARCHING_BLOCK", "PAIR_BLOCK"];

/// The text between the parentheses of a kernel.
fn parameters_of(text: &str, name: &str) -> Option<String> {
    let text = plain(text);
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once("KERNEL") {
        let after = after.trim_start();
        let bound = BLOCKS.iter().find_map(|word| after.strip_prefix(word));
        let after = bound.unwrap_or(after).trim_start();
        let after_name = after.strip_prefix(name).map(str::trim_start);
        if let Some(list) = after_name.and_then(|list| list.strip_prefix('(')) {
            return list.split_once(')').map(|(list, _)| list.to_owned());
        }
        rest = after;
    }
    None
}

impl Parameter {
    fn read(text: &str, sizes: Sizes) -> Self {
        let is_array = text.contains('*');
        let mut words = words(text);
        let name = words.pop().unwrap_or_default().to_owned();
        let is_const = words.contains(&"const");
        words.retain(|word| !["const", "__restrict__"].contains(word));
        let pass = match (is_array, is_const) {
            (false, _) => Pass::Value,
            (true, true) => Pass::Input,
            (true, false) => Pass::Output,
        };
        Self { name, pass, size: size_of_type(&words.join(" "), sizes) }
    }

    fn differs(&self, argument: &Argument<'_>) -> Option<String> {
        let given = match argument.kind {
            Kind::Value { .. } => Pass::Value,
            Kind::Array { written: false, .. } => Pass::Input,
            Kind::Array { written: true, .. } | Kind::Elsewhere { .. } => Pass::Output,
        };
        let (name, wanted) = (&self.name, self.pass);
        if argument.name != name {
            return Some(format!("wants `{name}` but was given `{}`", argument.name));
        }
        if given != wanted {
            let (given, wanted) = (given.name(), wanted.name());
            return Some(format!("wants {wanted} `{name}` but was given {given}"));
        }
        let size = self.size.filter(|size| *size != argument.size)?;
        let given = argument.size;
        Some(format!("wants `{name}` of {size} bytes but was given {given} bytes"))
    }
}

/// Bytes of a C type; nothing for a structure.
fn size_of_type(name: &str, sizes: Sizes) -> Option<usize> {
    match name {
        "Real" | "Bits" => sizes.real,
        "Stored" => sizes.stored,
        "half16" => Some(2),
        "unsigned char" | "uchar" | "char" | "bool" => Some(1),
        "int" | "unsigned" | "unsigned int" | "uint32" | "float" => Some(4),
        "int64" | "uint64" | "long long" | "unsigned long long" | "double" => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(definitions: &[(&'static str, &str)]) -> Sizes {
        let definitions: Vec<Definition> =
            definitions.iter().map(|(name, value)| (*name, value.to_string())).collect();
        Sizes::of(&definitions)
    }

    fn signature(text: &str, real: &str) -> Signature {
        let sizes = sizes(&[("DIRECTIONS", "3"), ("REAL", real)]);
        Signature::find([text].into_iter(), "relax", sizes).expect("the kernel is there")
    }

    #[test]
    fn parameters_are_read_from_the_source() {
        let text =
            "// KERNEL relax(int no)\nKERNEL relax_all(int n) {}\nKERNEL relax(const Sweep sweep,
            Real* mine, const Real* __restrict__ other, /* int* old, */ unsigned char *kinds,
            const int64 n, Bits* slot) { f(a, b); }";
        let found: Vec<_> = signature(text, "float")
            .parameters
            .into_iter()
            .map(|parameter| (parameter.name, parameter.pass, parameter.size))
            .collect();
        let wanted = [
            ("sweep", Pass::Value, None),
            ("mine", Pass::Output, Some(4)),
            ("other", Pass::Input, Some(4)),
            ("kinds", Pass::Output, Some(1)),
            ("n", Pass::Value, Some(8)),
            ("slot", Pass::Output, Some(4)),
        ];
        assert_eq!(found, wanted.map(|(name, pass, size)| (name.to_owned(), pass, size)));
    }

    #[test]
    fn a_kernel_without_parameters_takes_none() {
        assert!(signature("KERNEL relax() {}", "double").check(&[]).is_ok());
        assert!(
            Signature::find(["KERNEL other() {}"].into_iter(), "relax", Sizes::default()).is_none()
        );
    }

    #[test]
    fn definitions_tell_the_sizes_of_numbers() {
        let found = |definitions: &[(&'static str, &str)]| {
            let text = "KERNEL relax(const Stored* old, Real* new, const half16 x)";
            let found = Signature::find([text].into_iter(), "relax", sizes(definitions));
            let parameters = found.expect("the kernel is there").parameters;
            parameters.into_iter().map(|parameter| parameter.size).collect::<Vec<_>>()
        };
        assert_eq!(found(&[("REAL", "float")]), [Some(4), Some(4), Some(2)]);
        assert_eq!(found(&[("REAL", "double")]), [Some(8), Some(8), Some(2)]);
        assert_eq!(found(&[("STORED", "half16"), ("REAL", "float")])[..2], [Some(2), Some(4)]);
        assert_eq!(found(&[("REAL", "double"), ("STORED", "float")])[..2], [Some(4), Some(8)]);
        assert_eq!(found(&[]), [None, None, Some(2)]);
    }

    #[test]
    fn values_of_another_name_or_size_are_refused() {
        let text = "KERNEL relax(const int n, const Real x)";
        let check = |n: &'static str, x: &dyn Fn() -> Argument<'static>| {
            signature(text, "double").check(&[crate::value(n, &3i32), x()])
        };
        assert!(check("n", &|| crate::value("x", &1.0f64)).is_ok());
        let name = check("m", &|| crate::value("x", &1.0f64)).unwrap_err().to_string();
        assert!(name.contains("`n`") && name.contains("`m`"), "{name}");
        let size = check("n", &|| crate::value("x", &1.0f32)).unwrap_err().to_string();
        assert!(size.contains("8 bytes") && size.contains("argument 2"), "{size}");
    }
}
