//! The text of a case with what its keys mean.

use std::collections::BTreeMap;

use toml_edit::{Document, Item, Key, Table, TableLike, Value};

use super::key_meanings::meaning;
use super::text::syntax_error;
use crate::error::Result;

/// The text of a case with a comment above each line: what the keys in it mean. Layout and values stay. Keys of the
/// methods' own tables have none.
///
/// # Errors
/// If the text is not TOML.
pub fn commented_case(text: &str, name: &str) -> Result<String> {
    let document = Document::parse(text).map_err(|error| syntax_error(text, name, &error))?;
    let mut found = Found { text, of_lines: BTreeMap::new(), told: Vec::new() };
    found.table(document.as_table(), "", 0);
    let mut commented = String::with_capacity(2 * text.len());
    for (n, line) in text.lines().enumerate() {
        for comment in found.of_lines.get(&n).into_iter().flatten() {
            commented.push_str(comment);
        }
        commented.push_str(line);
        commented.push('\n');
    }
    Ok(commented)
}

/// Comments by the lines that they stand above.
struct Found<'a> {
    text: &'a str,
    of_lines: BTreeMap<usize, Vec<String>>,
    /// Meanings that stand above already.
    told: Vec<&'static str>,
}

impl Found<'_> {
    /// The keys of a table; what has no place of its own stands in the line of the table.
    fn table(&mut self, table: &dyn TableLike, path: &str, line: usize) {
        for (name, item) in table.iter() {
            let line = table.key(name).and_then(|key| self.line(key)).unwrap_or(line);
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            self.item(item, &path, line);
        }
    }

    fn item(&mut self, item: &Item, path: &str, line: usize) {
        match item {
            Item::Value(Value::Array(array)) if array.iter().any(Value::is_inline_table) => {
                for one in array.iter().filter_map(Value::as_inline_table) {
                    self.table(one, &format!("{path}[]"), line);
                }
            }
            Item::ArrayOfTables(tables) => {
                tables.iter().for_each(|one| self.table(one, &format!("{path}[]"), line));
            }
            item => match item.as_table_like() {
                Some(table) if item.as_table().is_some_and(has_heading) => {
                    self.tell(path, line);
                    self.table(table, path, line);
                }
                Some(table) => self.table(table, path, line),
                None => self.tell(path, line),
            },
        }
    }

    fn tell(&mut self, path: &str, line: usize) {
        let Some((meaning, _)) = meaning(path).filter(|(one, _)| !self.told.contains(one)) else {
            return;
        };
        self.told.push(meaning);
        self.of_lines.entry(line).or_default().push(format!("# {path}: {meaning}\n"));
    }

    fn line(&self, key: &Key) -> Option<usize> {
        let start = key.span()?.start.min(self.text.len());
        Some(self.text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count())
    }
}

/// Whether a table begins with a line of its own, `[boundary]`.
fn has_heading(table: &Table) -> bool {
    !table.is_implicit() && !table.is_dotted()
}

#[cfg(test)]
mod tests {
    use super::commented_case;

    #[test]
    fn each_meaning_stands_above_its_first_line() {
        let text = "# a flow\ntitle = \"a\"\ngrid = { cells = [2, 2, 1],\n  size = [1.0, 1.0, 1.0] }\n\
                    solid = [{ low = [0.0, 0.0, 0.0] }]\n\n[boundary]\nx-low = \"wall\"\n\
                    x-high.wall.velocity = [1.0, 0.0, 0.0]\n[fdm]\ngamma = 0\n";
        let commented = commented_case(text, "a").expect("TOML");
        let lines: Vec<&str> = commented.lines().filter(|line| line.starts_with('#')).collect();
        let starts = [
            "# a flow",
            "# title: one line",
            "# grid.cells: whole",
            "# grid.size: the edges",
            "# solid[].low: the low corner",
            "# boundary: a table of the six faces",
            "# boundary.x-high.wall.velocity: the velocity of the wall",
        ];
        assert_eq!(lines.len(), starts.len(), "{commented}");
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
        let kept: String = commented
            .lines()
            .filter(|line| !line.starts_with("# ") || *line == "# a flow")
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(kept, text);
        assert!(commented_case("a = [", "a").is_err());
    }
}
