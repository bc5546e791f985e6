//! `--set key=value`: changes to the text of a case.

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::text::syntax_error;
use crate::error::{Error, Result};

/// The text of a case with `key.path=value` settings applied; its layout and comments stay.
///
/// A value is written as in TOML; a bare word that is no TOML value is text, so that
/// `run.until=steady` needs no quotes. Whether the keys exist is seen when the case is parsed.
///
/// # Errors
/// If the text is not TOML, or if a setting has no key, no value, or goes through a value that
/// is no table.
pub fn apply_overrides(text: &str, name: &str, sets: &[String]) -> Result<String> {
    if sets.is_empty() {
        return Ok(text.to_owned());
    }
    let parsed = text.parse::<DocumentMut>();
    let mut document = parsed.map_err(|error| syntax_error(text, name, &error))?;
    for set in sets {
        apply(&mut document, set)?;
    }
    Ok(document.to_string())
}

/// The text of a case without a key, its path with dots.
///
/// # Errors
/// If the text is not TOML.
pub(super) fn remove_key(text: &str, name: &str, key: &str) -> Result<String> {
    let parsed = text.parse::<DocumentMut>();
    let mut document = parsed.map_err(|error| syntax_error(text, name, &error))?;
    let (parents, last) = key.rsplit_once('.').unwrap_or(("", key));
    let mut table: Option<&mut dyn TableLike> = Some(document.as_table_mut());
    for name in parents.split('.').filter(|name| !name.is_empty()) {
        table = table.and_then(|table| table.get_mut(name)).and_then(Item::as_table_like_mut);
    }
    table.and_then(|table| table.remove(last));
    Ok(document.to_string())
}

fn apply(document: &mut DocumentMut, set: &str) -> Result<()> {
    let Some((path, value)) = set.split_once('=') else {
        return Err(wrong(set, "has no `=`", "write --set key=value, like run.until=10"));
    };
    let names: Vec<&str> = path.trim().split('.').map(str::trim).collect();
    if names.iter().any(|name| name.is_empty()) {
        let problem = format!("`{}` is not a key", path.trim());
        return Err(wrong(set, problem, "write the path of a key with dots, like grid.cells"));
    }
    let value = read_value(value.trim()).map_err(|problem| {
        wrong(set, problem, "write the value as in the file, like [256, 256, 1]; quote text")
    })?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let (last, parents) = names.split_last().expect("split gives at least one name");
    for (depth, name) in parents.iter().enumerate() {
        let item = table.entry(name).or_insert_with(new_table);
        let found = item.type_name();
        table = item.as_table_like_mut().ok_or_else(|| {
            let key = names[..=depth].join(".");
            let problem = format!("`{key}` is one {found} in the file, and has no keys");
            wrong(set, problem, format!("set the whole of it: --set '{key}={{ ... }}'"))
        })?;
    }
    replace(table, last, value);
    Ok(())
}

/// A table that appears in the text only for the keys in it.
fn new_table() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

fn replace(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key) {
        // The comment behind the old value stays.
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            table.remove(key);
            table.insert(key, Item::Value(value));
        }
    }
}

fn read_value(value: &str) -> Result<Value, String> {
    if let Ok(value) = value.parse::<Value>() {
        return Ok(value.decorated(" ", ""));
    }
    let plain = |c: char| c.is_alphanumeric() || "-_:./+".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        return Ok(Value::from(value).decorated(" ", ""));
    }
    Err(if value.is_empty() { "has no value".into() } else { format!("`{value}` is no value") })
}

fn wrong(set: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Error {
    let argument = format!("--set {set}");
    Error::Command { argument, problem: problem.into(), remedy: remedy.into() }
}
