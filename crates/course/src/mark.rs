//! What an answer is worth.

use vortice_core::suggest;

use crate::answer;
use crate::lab::Lab;
use crate::question::{Kind, Question};
use crate::sheet::Sheet;
use crate::spelling::shown;

/// An answer beside what is allowed.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The question.
    pub id: String,
    /// The answer as it was given.
    pub given: String,
    /// What is allowed; empty where there is no answer.
    pub allowed: String,
    /// What it is worth; nothing where a person has to say.
    pub points: Option<f64>,
    /// What a right answer is worth.
    pub of: f64,
    /// Why it is worth less, or is not marked here.
    pub remark: String,
}

/// More answers to what is not asked are counted only.
const MOST_REMARKS: usize = 5;

/// Why there are not all points, and whether a person may give them.
enum Lost {
    Wrong(String),
    Unmarked(&'static str),
}

impl Lab {
    /// Marks all answers of a sheet, in the order of the questions.
    pub fn mark(&self, sheet: &Sheet) -> Vec<Mark> {
        self.questions.iter().map(|question| question.mark(sheet)).collect()
    }

    /// Marks of a sheet that there is not.
    pub(crate) fn no_marks(&self) -> Vec<Mark> {
        self.mark(&Sheet::default())
    }

    /// Remarks on answers to what is not asked.
    pub(crate) fn not_asked(&self, sheet: &Sheet) -> Vec<String> {
        let known: Vec<&str> = self.questions.iter().map(|question| question.id.as_str()).collect();
        let unknown: Vec<&String> =
            sheet.answers.keys().filter(|key| !known.contains(&key.as_str())).collect();
        let more = unknown.len().saturating_sub(MOST_REMARKS);
        let remarks = unknown.iter().take(MOST_REMARKS).map(|key| {
            let near = suggest("question", key, &known);
            let near = near.split_once('?').map(|(near, _)| format!(": {near}?"));
            format!("`{}` is no question{}", shown(key), near.unwrap_or_default())
        });
        let more = (more > 0).then(|| format!("nor are {more} others"));
        remarks.chain(more).collect()
    }
}

impl Question {
    fn mark(&self, sheet: &Sheet) -> Mark {
        let answer = sheet.answers.get(&self.id);
        let answer =
            answer.filter(|value| value.as_str().is_none_or(|text| !text.trim().is_empty()));
        let (points, remark) = match answer.map(|value| self.judge(value, sheet)) {
            Some(Ok(())) => (Some(self.points), String::new()),
            Some(Err(Lost::Wrong(remark))) => (Some(0.0), remark),
            Some(Err(Lost::Unmarked(remark))) => (None, remark.to_owned()),
            None => (Some(0.0), "not answered".into()),
        };
        let given = answer.map(answer::told).unwrap_or_default();
        // Who has not answered is not told what is right.
        let allowed = answer.map(|_| self.allowed()).unwrap_or_default();
        let (id, of) = (self.id.clone(), self.points);
        Mark { id, given, allowed, points, of, remark }
    }

    fn judge(&self, value: &toml::Value, sheet: &Sheet) -> Result<(), Lost> {
        match &self.kind {
            Kind::Written => Err(Lost::Unmarked("for a person to read")),
            Kind::Choice { choices, expected } => {
                let word = value.as_str().map(str::trim);
                let Some(word) = word.filter(|word| choices.iter().any(|choice| choice == word))
                else {
                    let known = choices.join("`, `");
                    return Err(Lost::Wrong(format!("is none of `{known}`")));
                };
                match expected {
                    None => Err(Lost::Unmarked("right or wrong is for the lecturer to say")),
                    Some(right) if right == word => Ok(()),
                    Some(_) => Err(Lost::Wrong("wrong".into())),
                }
            }
            Kind::Number { unit, expected, tolerance, column } => {
                let number = match column {
                    None => answer::number(value, unit),
                    Some(column) => match value.as_str() {
                        Some(file) => column
                            .read(&sheet.folder, file.trim())
                            .map_err(|problem| format!("`{}` {problem}", shown(file))),
                        None => Err("is no name of a file".into()),
                    },
                };
                let number = number.map_err(Lost::Wrong)?;
                let Some(expected) = expected else {
                    return Err(Lost::Unmarked("right or wrong is for the lecturer to say"));
                };
                let [low, high] = tolerance.allowed(*expected);
                match number {
                    x if (low..=high).contains(&x) => Ok(()),
                    x if x.is_nan() => Err(Lost::Wrong("is not finite".into())),
                    x if x < low => Err(Lost::Wrong("too small".into())),
                    _ => Err(Lost::Wrong("too large".into())),
                }
            }
        }
    }
}
