//! `vortice new`

use std::fs::File;
use std::io::Write;

use vortice_core::{Error, Result, commented_case, suggest};

use super::alone::alone;
use crate::arguments::New;
use crate::{built_in_cases, open_case, say};

/// Writes a case file that is a copy of a built-in case, with what its keys mean.
pub(crate) fn execute(options: &New) -> Result<()> {
    alone("new")?;
    let path = &options.file;
    if path.extension().is_none_or(|ending| ending != "toml") {
        let problem = "does not end in .toml, by which the program knows a case file";
        return Err(Error::file(path, problem, format!("name it {}.toml", path.display())));
    }
    let (name, others) = meant(&options.like)?;
    let text = built_in_cases().iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    let text = commented_case(text.unwrap_or_default(), name)?;
    let shown = path.display();
    let head = format!(
        "# A copy of the built-in case `{name}`. `vortice check {shown}` tells what follows from it, `vortice run {shown}`\n\
         # computes it. All keys that a case can have: docs/src/case-file.md.\n\n"
    );
    // Not even a file that comes into being now is overwritten.
    let file = File::options().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all((head + &text).as_bytes())).map_err(|error| {
        let remedy = "choose a name that is not there yet, in a folder that you may write to";
        Error::file(path, error, remedy)
    })?;
    let others = if others.is_empty() {
        String::new()
    } else {
        format!("; there are also {}", others.join(", "))
    };
    say::result(&format!("{shown}: like {name}{others}\n"))
}

/// The case of this name, or of those that begin so the one with the fewest cells, and the others.
fn meant(like: &str) -> Result<(&'static str, Vec<&'static str>)> {
    let names: Vec<&'static str> = built_in_cases().iter().map(|(name, _)| *name).collect();
    if let Some(name) = names.iter().find(|name| **name == like) {
        return Ok((name, Vec::new()));
    }
    let begins = |name: &&&str| name.strip_prefix(like).is_some_and(|rest| rest.starts_with('-'));
    let mut family: Vec<&'static str> = names.iter().filter(begins).copied().collect();
    family.sort_by_key(|name| open_case(name, &[]).map_or(usize::MAX, |case| case.grid.n_cells()));
    if family.is_empty() {
        return Err(Error::Command {
            argument: format!("--like {like}"),
            problem: "there is no built-in case of this name".into(),
            remedy: suggest("case", like, &names),
        });
    }
    let others = family.split_off(1);
    Ok((family[0], others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_meant_by_its_name_or_how_it_begins() {
        assert_eq!(meant("cavity").expect("a case"), ("cavity", vec![]));
        let (name, others) = meant("step").expect("a case");
        assert_eq!((name, others.len()), ("step-erturk", 3));
        let error = meant("cavty").expect_err("no case");
        assert!(error.remedy().contains("did you mean `cavity`"), "{}", error.remedy());
        assert!(meant("").is_err() && meant("step-").is_err());
    }

    #[test]
    fn comments_change_no_case() {
        for (name, text) in built_in_cases() {
            let commented = commented_case(text, name).expect("a case");
            let [one, other] =
                [text, commented.as_str()].map(|text| text.parse::<toml::Table>().expect("TOML"));
            assert_eq!(one, other, "{name}");
            assert!(commented.contains("# grid.cells: whole numbers"), "{name}\n{commented}");
        }
    }
}
