//! The files of the course that come with the program.

include!(concat!(env!("OUT_DIR"), "/kit.rs"));

/// Paths and texts of all files.
pub(crate) fn files() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// The names of the labs and projects, in their order.
pub fn kit_names() -> Vec<&'static str> {
    let names = FILES.iter().filter_map(|(path, _)| path.strip_suffix("/lab.toml"));
    names.collect()
}

/// The text of a file of the kit.
pub(crate) fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

/// The commands of a handout: the lines of its shell blocks.
pub fn commands(handout: &str) -> Vec<&str> {
    let mut in_shell = false;
    let lines = handout.lines().filter(move |line| {
        let fence = line.starts_with("```");
        if fence {
            in_shell = *line == "```sh";
        }
        in_shell && !fence && !line.trim().is_empty()
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_four_labs_and_two_projects() {
        assert_eq!(kit_names(), ["lab1", "lab2", "lab3", "lab4", "project1", "project2"]);
    }

    #[test]
    fn pages_of_handouts_are_made_of_their_texts() {
        for name in kit_names() {
            let [text, page] =
                ["md", "html"].map(|ending| file(&format!("{name}/handout.{ending}")));
            let sum = crc32fast::hash(text.expect("a handout").as_bytes());
            let made = page.is_some_and(|page| page.contains(&format!("crc32 {sum:08x} ")));
            assert!(made, "{name}/handout.html is older than handout.md: docs/handouts html");
        }
    }

    #[test]
    fn pages_of_handouts_need_no_network_and_show_formulas() {
        for (path, text) in FILES.iter().filter(|(path, _)| path.ends_with(".html")) {
            assert!(!text.contains("src=") && !text.contains("http:"), "{path}");
            assert!(!text.contains("<link") && !text.contains("<script"), "{path}");
            assert!(text.contains("<math") && !text.contains("$$"), "{path}");
        }
    }

    #[test]
    fn commands_stand_in_shell_blocks() {
        let page = "a\n```sh\nvortice cases\n\nvortice methods\n```\n```text\nno\n```\n";
        assert_eq!(commands(page), ["vortice cases", "vortice methods"]);
    }
}
