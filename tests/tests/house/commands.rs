//! The commands that the pages print: their cases exist, their keys are known, and the method would
//! run them.

use vortice::{open_case, registry};

use crate::tree;

/// The commands of the program in the shell blocks of a page, word by word.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut in_shell = false;
    let mut commands = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            in_shell = line == "```sh";
        } else if in_shell && (line.starts_with("vortice ") || line.starts_with("./run ")) {
            let line = line.split(" #").next().unwrap_or_default();
            let words = line.split_whitespace().map(|word| word.trim_matches('\'').to_string());
            commands.push(words.collect());
        }
    }
    commands
}

/// The case that a command speaks of, with its changes; nothing if it speaks of none that is here.
fn case_and_changes(command: &[String]) -> Option<(&str, Vec<String>)> {
    let rest = match command[0].as_str() {
        "./run" => &command[1..],
        _ if ["run", "check", "bench"].contains(&command[1].as_str()) => &command[2..],
        _ => return None,
    };
    let case = rest.first().filter(|case| !case.ends_with(".toml"))?;
    let change = |pair: &[String]| match pair[0].as_str() {
        "--set" => Some(pair[1].clone()),
        "--method" => Some(format!("run.method={}", pair[1])),
        "--cells" => Some(format!("grid.cells=[{}]", cells(&pair[1]))),
        _ => None,
    };
    Some((case, rest.windows(2).filter_map(change).collect()))
}

/// `64, 64, 1` of `64x64`.
fn cells(word: &str) -> String {
    let plane = if word.matches('x').count() == 1 { ", 1" } else { "" };
    word.replace('x', ", ") + plane
}

#[test]
fn commands_need_no_quotes_that_they_have_not() {
    let mut complaints = Vec::new();
    for path in tree::pages() {
        let page = tree::read(&path);
        let lines =
            page.lines().filter(|line| line.starts_with("vortice ") || line.starts_with("./run "));
        // What zsh takes for a pattern of file names.
        let bare = |word: &str| word.contains(['[', '*', '?']) && !word.starts_with(['\'', '"']);
        for line in lines.filter(|line| line.split_whitespace().any(bare)) {
            complaints.push(format!("{}: {line}", tree::name(&path)));
        }
    }
    tree::expect_none(&complaints, "commands in the pages serve any shell");
}

#[test]
fn scripts_for_everybody_run_in_the_bash_of_macos() {
    let mut complaints = Vec::new();
    for name in ["setup", "run", "test", ".ci/run"] {
        let text = tree::read(&tree::top().join(name));
        for word in
            ["mapfile -", "readarray", "declare -A", "local -n", "|&", "&>>", "wait -n", "${want^"]
        {
            if text.contains(word) {
                complaints.push(format!("{name}: `{word}` is not in bash 3.2"));
            }
        }
    }
    tree::expect_none(&complaints, "scripts run in bash 3.2");
}

#[test]
fn commands_in_the_pages_would_run() {
    let mut complaints = Vec::new();
    let mut n = 0;
    for path in tree::pages() {
        for command in commands(&tree::read(&path)) {
            let Some((case, changes)) = case_and_changes(&command) else { continue };
            n += 1;
            let checked = open_case(case, &changes).and_then(|case| {
                let method = registry::method(&case.run.method)?;
                method.report(&case)
            });
            if let Err(error) = checked {
                complaints.push(format!("{}: {}: {error}", tree::name(&path), command.join(" ")));
            }
        }
    }
    assert!(n > 10, "only {n} commands found");
    tree::expect_none(&complaints, &format!("{n} commands in the pages would run"));
}

/// The case files that a page shows: its blocks of TOML that have a title.
fn case_files(page: &str) -> Vec<String> {
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    let blocks = blocks.map(|(block, _)| block.to_owned());
    blocks.filter(|block| block.contains("title = ")).collect()
}

#[test]
fn case_files_in_the_pages_would_run() {
    let (mut complaints, mut n) = (Vec::new(), 0);
    for path in tree::pages() {
        for text in case_files(&tree::read(&path)) {
            n += 1;
            for method in registry::methods() {
                let settings = [format!("run.method={:?}", method.name)];
                let checked = vortice::parse_case(&text, "page", &settings)
                    .and_then(|case| method.report(&case).map(drop));
                if let Err(error) = checked {
                    let name = tree::name(&path);
                    complaints.push(format!("{name}, by {}: {error}", method.name));
                }
            }
        }
    }
    assert!(n >= 3, "only {n} case files found");
    tree::expect_none(&complaints, &format!("{n} case files in the pages would run"));
}

#[test]
fn the_page_about_the_command_line_lists_every_option() {
    let source = tree::read(&tree::top().join("crates/vortice/src/arguments.rs"));
    let page = tree::read(&tree::top().join("docs/src/command-line.md"));
    let mut options = Vec::new();
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.find(|line| line.starts_with("#[arg(long")) {
        let given = line.strip_prefix("#[arg(long = \"").and_then(|rest| rest.split('"').next());
        let field = || lines.clone().find_map(|line| line.strip_prefix("pub(crate) "));
        let name = given.or_else(|| field().and_then(|field| field.split(':').next()));
        options.push(name.expect("an option has a name").replace('_', "-"));
    }
    assert!(options.len() >= 8, "only {options:?} found");
    let missing: Vec<_> =
        options.iter().filter(|name| !page.contains(&format!("| `--{name}"))).collect();
    assert!(missing.is_empty(), "docs/src/command-line.md does not list {missing:?}");
    println!("{} options are documented", options.len());
}

#[test]
fn commands_are_found_in_pages() {
    let page =
        "```sh\nvortice run a --set 'c=\"d\"' --method e\n```\n```text\nvortice run x\n```\n";
    let found = commands(page);
    assert_eq!(found.len(), 1);
    let (case, changes) = case_and_changes(&found[0]).expect("a case");
    assert_eq!((case, changes), ("a", ["c=\"d\"", "run.method=e"].map(String::from).to_vec()));
}
