//! `vortice compare`

use std::path::Path;

use crate::ForceCourse;
use crate::references::LeftOut;
use crate::study::{Findings, NoLimit, Row, Study, default_folder, write_report};
use vortice_core::format::{digits, percent};
use vortice_core::{Error, Result};

use super::alone::alone;
use super::signals;
use crate::arguments::Compare;
use crate::say;

/// Makes the studies of all cases and writes what they say together; returns the exit code.
pub(crate) fn execute(options: &Compare) -> Result<u8> {
    alone("compare")?;
    let studies =
        options.cases.iter().map(|case| study(options, case)).collect::<Result<Vec<_>>>()?;
    studies.iter().try_for_each(Study::check)?;
    let names: Vec<&str> = studies.iter().map(|study| &*study.name).collect();
    refuse_twins(&names)?;
    let folder = options.out.clone().unwrap_or_else(|| default_folder(&names));
    signals::listen()?;
    let mut all = Vec::new();
    for study in studies {
        if !options.quiet {
            let n = study.n_runs();
            say::remark(&format!("{}: {n} run{}", study.case.title, if n == 1 { "" } else { "s" }));
            let missing = study.left_out().into_iter().chain(study.forces_missing());
            missing.for_each(|one| say::remark(&format!("  {one}")));
            LeftOut::of(&study.case)?.iter().for_each(|one| say::remark(&format!("  {one}")));
        }
        all.push(study.run_telling(&folder, &mut |row| tell(options, row))?);
        if signals::received().is_some() {
            break;
        }
    }
    let written = write_report(&folder, &all)?;
    let mut text = all.iter().map(summary).collect::<Vec<_>>().join("\n");
    text += "\nwritten:\n";
    written.iter().for_each(|path| text += &format!("  {}\n", path.display()));
    say::result(&text)?;
    if let Some(signal) = signals::received() {
        say::remark("interrupted; go on with the same command and --resume");
        return Ok(signals::exit_code(signal));
    }
    Ok(u8::from(!all.iter().all(Findings::are_complete)))
}

/// The study of one case.
fn study(options: &Compare, case: &str) -> Result<Study> {
    let device = options.device.as_ref().map(|device| format!("run.device={device:?}"));
    let mut study = Study::of(case, &options.changes.settings(case, device.as_slice())?)?;
    if !options.methods.is_empty() {
        study = study.methods(&options.methods)?;
    }
    study = study.schemes(&options.schemes)?;
    if !options.grids.is_empty() {
        study = study.grids(&options.grids)?;
    }
    let study = study.resume(options.resume).afresh(options.afresh).progress(!options.quiet);
    let study = study.made_by(command(std::env::args()));
    Ok(study.interrupt(signals::flag()))
}

/// The command that makes the page again, for any shell: what goes on, begins anew or is quiet makes the same page.
fn command(mut arguments: impl Iterator<Item = String>) -> String {
    let program = arguments.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./=,:+@%-".contains(c);
    let quoted = |word: String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let same = |word: &String| !["--resume", "--afresh", "--quiet"].contains(&&**word);
    let words = std::iter::once(program).chain(arguments.filter(same)).map(quoted);
    words.collect::<Vec<_>>().join(" ")
}

/// Two cases of one name would write into one another's runs.
fn refuse_twins(names: &[&str]) -> Result<()> {
    let twin = names.iter().enumerate().find(|(n, name)| names[..*n].contains(name));
    twin.map_or(Ok(()), |(_, name)| {
        Err(Error::Command {
            argument: (*name).to_owned(),
            problem: "is the name of two of the cases".into(),
            remedy: "name each case once, and files of one name in two commands".into(),
        })
    })
}

/// One line for each run that ended.
fn tell(options: &Compare, row: &Row) {
    if options.quiet {
        return;
    }
    let how = match (row.ended.why(), row.reused) {
        ("", true) => "taken over".to_owned(),
        ("", false) => format!("{:.1} s", row.expense.wall_seconds),
        (why, _) => format!("{}: {why}", row.ended.word()),
    };
    say::remark(&format!("  {:20}  {:14}  {how}", row.variant, row.cells_words()));
}

/// The limits of all variants for people.
fn summary(findings: &Findings) -> String {
    let mut text = format!("{}\n", findings.study.case.title);
    findings.sentences().iter().for_each(|one| text += &format!("  {one}\n"));
    let width = findings.study.variants.iter().map(|one| one.name.len()).max().unwrap_or(0);
    for agreement in &findings.agreements {
        text += &format!("  {}", agreement.value);
        if let Some((reference, published)) = &agreement.published {
            text += &format!(": {} in {reference}", digits(*published, 6));
        }
        text.push('\n');
        let limits = findings.limits.iter().filter(|limit| limit.value == agreement.value);
        for limit in limits {
            let finest = limit.on.last().map_or(f64::NAN, |(_, value)| *value);
            text += &format!("    {:width$}  {:>12}", limit.variant, limit.told(finest));
            let told = limit.words();
            if limit.convergence.is_some() {
                let within = format!("{} ± {}", told.limit, told.uncertainty);
                text += &format!("  -> {within:>20}  order {}", told.order);
            } else if limit.no_limit != Some(NoLimit::Zero) {
                text += &format!("  {}", told.limit);
            }
            text.push('\n');
        }
        if let Some(spread) = agreement.spread {
            text += &format!("    limits agree within {}", percent(spread));
            if let Some(error) = agreement.error {
                text += &format!(", with the published value within {}", percent(error));
            }
            text.push('\n');
        }
    }
    for row in findings.finest() {
        for found in row.courses.iter().filter_map(ForceCourse::extremes) {
            let told = format!("{}: {found}", row.variant);
            told.lines().for_each(|line| text += &format!("  {line}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_serves_any_shell() {
        let given = [
            "/usr/bin/vortice",
            "compare",
            "my flow.toml",
            "--set",
            "references=[\"a\"]",
            "--afresh",
            "it's",
        ];
        let told = command(given.into_iter().map(String::from));
        assert_eq!(told, r#"vortice compare 'my flow.toml' --set 'references=["a"]' 'it'\''s'"#);
    }

    #[test]
    fn cases_of_one_name_are_refused() {
        assert!(refuse_twins(&["cavity", "couette"]).is_ok());
        let error = refuse_twins(&["cavity", "couette", "cavity"]).unwrap_err();
        assert!(error.to_string().starts_with("cavity: "), "{error}");
        assert_eq!(default_folder(&["cavity"]), std::path::Path::new("out/compare-cavity"));
    }
}
