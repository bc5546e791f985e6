//! Formulas of place and time in a case file: read once, evaluated on the host, so that all ranks and
//! devices have the same numbers.

mod functions;
mod operation;
mod parse;
mod series;

use std::sync::Arc;

use operation::{DEPTH, Op};

pub(crate) use parse::Misspelt;
pub(crate) use series::Series;

/// A formula of x, y, z and t, or a column of a table over t.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    /// Each takes its operands from those before it.
    ops: Vec<Op>,
}

impl Expression {
    /// Reads a formula.
    ///
    /// # Errors
    /// If it is none; what is wrong with it and what to write instead.
    pub(crate) fn parse(text: &str) -> Result<Self, Misspelt> {
        let ops = parse::parse(text)?;
        Ok(Self { text: text.to_owned(), ops })
    }

    /// Reads a condition, such as `x^2 + y^2 < 0.25`: a formula that is below zero where it holds.
    ///
    /// # Errors
    /// If it is none; what is wrong with it and what to write instead.
    pub(crate) fn parse_condition(text: &str) -> Result<Self, Misspelt> {
        let ops = parse::parse_condition(text)?;
        Ok(Self { text: text.to_owned(), ops })
    }

    /// A number, the same everywhere.
    pub fn number(value: f64) -> Self {
        Self { text: String::new(), ops: vec![Op::Number(value)] }
    }

    /// What a table of the name `table` gives over time.
    pub(crate) fn series(table: &str, series: Series) -> Self {
        Self { text: table.to_owned(), ops: vec![Op::Series(Arc::new(series))] }
    }

    /// The number, if it is the same everywhere at all times.
    pub fn as_number(&self) -> Option<f64> {
        match self.ops[..] {
            [Op::Number(value)] => Some(value),
            _ => None,
        }
    }

    /// As it was written, or the name of its table; empty if it was written as a number.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether its value changes with time.
    pub fn changes(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Time | Op::Series(_)))
    }

    /// The table that it is a column of, if it is one.
    fn table(&self) -> Option<&Series> {
        match &self.ops[..] {
            [Op::Series(series)] => Some(series),
            _ => None,
        }
    }

    /// Whether it is a column of a table.
    pub(crate) fn is_of_a_table(&self) -> bool {
        self.table().is_some()
    }

    /// Times in s from 0 on between which it is straight, of a column of a table.
    pub(crate) fn knots(&self) -> impl Iterator<Item = f64> {
        self.table().into_iter().flat_map(Series::knots)
    }

    /// A text that is another one for another formula or table.
    pub(crate) fn told(&self) -> String {
        self.table().map_or_else(|| self.text.clone(), Series::told)
    }

    /// Whether its value depends on the place.
    pub fn varies(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Coordinate(_)))
    }

    /// Whether its value depends on x, y or z, by its number.
    pub fn varies_along(&self, direction: usize) -> bool {
        self.ops.contains(&Op::Coordinate(direction))
    }

    /// Its value at a place in m and a time in s.
    pub fn value(&self, place: [f64; 3], time: f64) -> f64 {
        let mut stack = [0.0; DEPTH];
        let mut top = 0;
        for op in &self.ops {
            match op {
                Op::One(function) => stack[top - 1] = function.of(stack[top - 1]),
                Op::Two(function) => {
                    top -= 1;
                    stack[top - 1] = function.of(stack[top - 1], stack[top]);
                }
                Op::Number(value) => {
                    stack[top] = *value;
                    top += 1;
                }
                Op::Coordinate(d) => {
                    stack[top] = place[*d];
                    top += 1;
                }
                Op::Time => {
                    stack[top] = time;
                    top += 1;
                }
                Op::Series(series) => {
                    stack[top] = series.value(time);
                    top += 1;
                }
            }
        }
        stack[0]
    }
}

#[cfg(test)]
mod tests;
