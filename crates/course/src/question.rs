//! What is asked, and what is allowed.

use serde::Deserialize;
use vortice_core::format::significant;

use crate::answer;
use crate::column::Column;

/// A question of a lab.
#[derive(Clone, Debug)]
pub struct Question {
    /// The key of its answer.
    pub id: String,
    /// The question itself.
    pub text: String,
    /// What a right answer is worth.
    pub points: f64,
    /// What kind of answer it has.
    pub kind: Kind,
}

/// What kind of answer a question has. What is expected may be told by the solution alone.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A number.
    Number {
        /// Its unit, `1` for none.
        unit: String,
        /// The number itself.
        expected: Option<f64>,
        /// How far off an answer may be.
        tolerance: Tolerance,
        /// If it stands in a file that is handed in, where.
        column: Option<Column>,
    },
    /// One of some words.
    Choice {
        /// The words.
        choices: Vec<String>,
        /// The right one.
        expected: Option<String>,
    },
    /// A text that a person reads.
    Written,
}

/// How far off a number may be: the larger one of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// As a share of the number expected.
    pub relative: f64,
    /// In the number's unit.
    pub absolute: f64,
}

/// A question as `lab.toml` spells it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    id: String,
    text: String,
    points: f64,
    unit: Option<String>,
    expected: Option<toml::Value>,
    #[serde(default)]
    relative: f64,
    #[serde(default)]
    absolute: f64,
    choices: Option<Vec<String>>,
    column: Option<Column>,
    #[serde(default)]
    written: bool,
}

impl Tolerance {
    /// The lowest and the highest number that is right.
    pub fn allowed(&self, expected: f64) -> [f64; 2] {
        let off = (self.relative * expected.abs()).max(self.absolute);
        [expected - off, expected + off]
    }
}

impl Asked {
    /// The question, with what the solution has as its answer.
    ///
    /// # Errors
    /// What is wrong with it, as the rest of a sentence.
    pub(crate) fn question(self, solution: &toml::Table) -> Result<Question, String> {
        let is_key = |id: &str| {
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            !id.is_empty() && id != "lab" && id.chars().all(fits)
        };
        if !is_key(&self.id) {
            return Err("has an id that is not made of a-z, 0-9 and `-`".into());
        }
        if !(self.points.is_finite() && self.points > 0.0) {
            return Err("has no points".into());
        }
        let tolerance = Tolerance { relative: self.relative, absolute: self.absolute };
        if !(tolerance.relative >= 0.0 && tolerance.absolute >= 0.0) {
            return Err("has a tolerance below 0".into());
        }
        let expected = self.expected.as_ref().or_else(|| solution.get(&self.id));
        let kind = match (self.written, self.choices) {
            (true, None) => Kind::Written,
            (false, Some(choices)) => Kind::Choice { expected: word(expected, &choices)?, choices },
            (true, Some(_)) => return Err("is both written and a choice".into()),
            (false, None) => {
                let unit = self.unit.unwrap_or_else(|| "1".into());
                let of_column = self.column.is_some() && self.expected.is_none();
                let expected = expected.filter(|_| !of_column);
                let expected = expected.map(|value| expected_number(value, &unit)).transpose()?;
                Kind::Number { unit, expected, tolerance, column: self.column }
            }
        };
        Ok(Question { id: self.id, text: self.text, points: self.points, kind })
    }
}

/// A number of `lab.toml` needs no unit, one of the solution has it.
fn expected_number(value: &toml::Value, unit: &str) -> Result<f64, String> {
    let unit = if value.is_str() { unit } else { "1" };
    answer::number(value, unit).map_err(|problem| format!("expects what {problem}"))
}

fn word(expected: Option<&toml::Value>, choices: &[String]) -> Result<Option<String>, String> {
    let Some(value) = expected else { return Ok(None) };
    let word = value.as_str().filter(|word| choices.iter().any(|choice| choice == word));
    word.map(|word| Some(word.to_owned())).ok_or("expects what is no choice".into())
}

impl Question {
    /// What is allowed, for people: `0.12 to 0.13 s`.
    pub fn allowed(&self) -> String {
        match &self.kind {
            Kind::Number { expected: None, .. } | Kind::Choice { expected: None, .. } => {
                "not told".into()
            }
            Kind::Number { expected: Some(expected), unit, tolerance, .. } => {
                let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
                let [low, high] = tolerance.allowed(*expected).map(significant);
                if low == high { format!("{low}{unit}") } else { format!("{low} to {high}{unit}") }
            }
            Kind::Choice { expected: Some(word), .. } => word.clone(),
            Kind::Written => "read by a person".into(),
        }
    }

    /// What an answer looks like, for the template: a comment, and the empty answer.
    pub(crate) fn template(&self) -> String {
        let how = match &self.kind {
            Kind::Number { column: Some(_), .. } => "the name of the file".into(),
            Kind::Number { unit, .. } if unit == "1" => "a number".into(),
            Kind::Number { unit, .. } => format!("a number with its unit, \"1.5 {unit}\""),
            Kind::Choice { choices, .. } => format!("one of \"{}\"", choices.join("\", \"")),
            Kind::Written => "a few sentences".into(),
        };
        let text = self.text.trim().replace('\n', "\n# ");
        let points = significant(self.points);
        format!("# {text}\n# {how}; {points} points\n{} = \"\"\n", self.id)
    }
}
