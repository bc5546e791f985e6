//! From the text of a formula or a condition to its operations. A condition is a number too: below zero where it holds.
//!
//! ```text
//! either  = both { "or" both }
//! both    = than { "and" than }
//! than    = sum [ ("<" | ">") sum ]
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = ("-" | "+") signed | power
//! power   = atom [ "^" signed ]
//! atom    = number | name | function "(" sum { "," sum } ")" | "(" either ")"
//! ```

use std::f64::consts::PI;

use super::functions::{Binary, Function, Unary};
use super::operation::{DEPTH, Op};
use crate::suggest::{did_you_mean, list};

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Misspelt {
    /// What is wrong; ends a sentence that names the formula.
    pub(crate) problem: String,
    pub(crate) remedy: String,
}

/// Names that are values.
const VALUES: [&str; 5] = ["x", "y", "z", "t", "pi"];

/// What a value that waits is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Number,
    Condition,
}

/// How deep signs, powers and brackets may lie in each other.
const NESTING: usize = 40;

/// The operations of a formula.
///
/// # Errors
/// If it is none.
pub(super) fn parse(text: &str) -> Result<Vec<Op>, Misspelt> {
    whole(text, Kind::Number)
}

/// The operations of a condition: below zero where it holds.
///
/// # Errors
/// If it is none.
pub(super) fn parse_condition(text: &str) -> Result<Vec<Op>, Misspelt> {
    whole(text, Kind::Condition)
}

fn whole(text: &str, wanted: Kind) -> Result<Vec<Op>, Misspelt> {
    let mut parser =
        Parser { text, wanted, at: 0, ops: Vec::new(), waiting: Vec::new(), nesting: 0 };
    parser.either()?;
    match parser.next() {
        None if parser.waiting == [wanted] => Ok(parser.ops),
        None => Err(parser.wrong(match wanted {
            Kind::Number => "is a comparison where a number should stand",
            Kind::Condition => "compares nothing",
        })),
        Some(')') => Err(parser.wrong("has a `)` without its `(`")),
        Some(other) => Err(parser.wrong(&format!("goes on with `{other}` where it should end"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    wanted: Kind,
    /// Byte that is read next.
    at: usize,
    ops: Vec<Op>,
    /// What waits after the operations so far.
    waiting: Vec<Kind>,
    nesting: usize,
}

impl Parser<'_> {
    /// The next character that is no blank.
    fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Takes the next character if it is this one.
    fn takes(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// An error at the next character.
    fn wrong(&self, problem: &str) -> Misspelt {
        let column = self.text[..self.at].chars().count() + 1;
        let remedy = match self.wanted {
            Kind::Condition => {
                "compare two formulas by < or >, such as `x^2 + y^2 < 0.25`, and join comparisons by `and` \
                 or `or`"
            }
            Kind::Number => {
                "write numbers, x, y, z, t, pi, + - * / ^, brackets and functions such as sin(x), \
                 with a * in each product"
            }
        };
        let remedy = remedy.into();
        Misspelt { problem: format!("{problem}, at character {column}"), remedy }
    }

    /// Appends an operation that takes values of a kind.
    fn push_of(&mut self, kind: Kind, op: Op) -> Result<(), Misspelt> {
        let taken = match op {
            Op::One(_) => 1,
            Op::Two(_) => 2,
            Op::Number(_) | Op::Coordinate(_) | Op::Time | Op::Series(_) => 0,
        };
        let taken = &self.waiting[self.waiting.len() - taken..];
        if taken.iter().any(|waiting| *waiting != kind) {
            return Err(self.wrong(match kind {
                Kind::Number => "calculates with a comparison",
                Kind::Condition => "joins what is no comparison",
            }));
        }
        self.push(op)
    }

    fn push(&mut self, op: Op) -> Result<(), Misspelt> {
        match op {
            Op::One(function) => {
                if let Some(Op::Number(x)) = self.ops.last_mut() {
                    *x = function.of(*x);
                    return Ok(());
                }
            }
            Op::Two(function) => {
                self.waiting.pop();
                if let [.., Op::Number(x), Op::Number(y)] = self.ops[..] {
                    self.ops.truncate(self.ops.len() - 2);
                    self.ops.push(Op::Number(function.of(x, y)));
                    return Ok(());
                }
            }
            Op::Number(_) | Op::Coordinate(_) | Op::Time | Op::Series(_) => {
                self.waiting.push(Kind::Number);
                if self.waiting.len() > DEPTH {
                    return Err(self.wrong("lies too deep in itself"));
                }
            }
        }
        self.ops.push(op);
        Ok(())
    }

    fn either(&mut self) -> Result<(), Misspelt> {
        self.both()?;
        while self.takes_word("or") {
            self.both()?;
            self.push_of(Kind::Condition, Op::Two(Binary::Min))?;
        }
        Ok(())
    }

    fn both(&mut self) -> Result<(), Misspelt> {
        self.than()?;
        while self.takes_word("and") {
            self.than()?;
            self.push_of(Kind::Condition, Op::Two(Binary::Max))?;
        }
        Ok(())
    }

    fn than(&mut self) -> Result<(), Misspelt> {
        self.sum()?;
        let is_greater = match self.next() {
            Some('<') => false,
            Some('>') => true,
            _ => return Ok(()),
        };
        self.at += 1;
        // On its surface a body makes no difference.
        self.at += usize::from(self.text[self.at..].starts_with('='));
        self.sum()?;
        self.push_of(Kind::Number, Op::Two(Binary::Minus))?;
        if is_greater {
            self.push(Op::One(Unary::Minus))?;
        }
        if let Some(last) = self.waiting.last_mut() {
            *last = Kind::Condition;
        }
        Ok(())
    }

    /// Takes the next word if it is this one.
    fn takes_word(&mut self, wanted: &str) -> bool {
        self.next();
        let is_it = self.word() == wanted;
        self.at += if is_it { wanted.len() } else { 0 };
        is_it
    }

    /// The letters and digits that come next.
    fn word(&self) -> &str {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    }

    fn sum(&mut self) -> Result<(), Misspelt> {
        self.product()?;
        loop {
            let function = match self.next() {
                Some('+') => Binary::Plus,
                Some('-') => Binary::Minus,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.push_of(Kind::Number, Op::Two(function))?;
        }
    }

    fn product(&mut self) -> Result<(), Misspelt> {
        self.signed()?;
        loop {
            let function = match self.next() {
                Some('*') => Binary::Times,
                Some('/') => Binary::Over,
                _ => return Ok(()),
            };
            self.at += 1;
            if self.text[self.at..].starts_with('*') {
                return Err(self.wrong("has `**`, and a power is `^`"));
            }
            self.signed()?;
            self.push_of(Kind::Number, Op::Two(function))?;
        }
    }

    fn signed(&mut self) -> Result<(), Misspelt> {
        self.nesting += 1;
        if self.nesting > NESTING {
            return Err(self.wrong("lies too deep in itself"));
        }
        if self.takes('-') {
            self.signed()?;
            self.push_of(Kind::Number, Op::One(Unary::Minus))?;
        } else if self.takes('+') {
            self.signed()?;
        } else {
            self.power()?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), Misspelt> {
        self.atom()?;
        if self.takes('^') {
            self.signed()?;
            self.push_of(Kind::Number, Op::Two(Binary::Power))?;
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), Misspelt> {
        match self.next() {
            Some('(') => {
                self.at += 1;
                self.either()?;
                self.closes()
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.wrong(&format!("has `{c}` where a value should stand"))),
            None if self.text.trim().is_empty() => Err(self.wrong("is empty")),
            None => Err(self.wrong("ends where a value should stand")),
        }
    }

    fn closes(&mut self) -> Result<(), Misspelt> {
        if self.takes(')') { Ok(()) } else { Err(self.wrong("lacks a `)`")) }
    }

    fn number(&mut self) -> Result<(), Misspelt> {
        let bytes = self.text.as_bytes();
        let digits = |from: usize| {
            let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
            from + bytes[from..].iter().take_while(is_part).count()
        };
        let mut end = digits(self.at);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
                end = digits(end + 1 + sign);
            }
        }
        let word = &self.text[self.at..end];
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.at = end;
                self.push(Op::Number(value))
            }
            _ => Err(self.wrong(&format!("has `{word}`, which is no number"))),
        }
    }

    fn name(&mut self) -> Result<(), Misspelt> {
        let name = self.word().to_owned();
        let name = name.as_str();
        let value = match name {
            "x" => Some(Op::Coordinate(0)),
            "y" => Some(Op::Coordinate(1)),
            "z" => Some(Op::Coordinate(2)),
            "t" => Some(Op::Time),
            "pi" => Some(Op::Number(PI)),
            _ => None,
        };
        if let Some(op) = value {
            self.at += name.len();
            return self.push(op);
        }
        let Some(function) = Function::named(name) else {
            let known: Vec<&str> = VALUES.into_iter().chain(Function::names()).collect();
            let problem = self.wrong(&format!("has the unknown name `{name}`")).problem;
            let known_names = format!("known names: {}", list(&known));
            let remedy = match did_you_mean(name, &known) {
                Some(question) => format!("{question} {known_names}"),
                None => known_names,
            };
            return Err(Misspelt { problem, remedy });
        };
        self.at += name.len();
        if !self.takes('(') {
            return Err(self.wrong(&format!("lacks the `(` after `{name}`")));
        }
        self.sum()?;
        match function {
            Function::One(function) => self.push_of(Kind::Number, Op::One(function))?,
            Function::Two(function) => {
                if self.next() != Some(',') {
                    return Err(self.wrong(&format!("gives `{name}` one value, and it takes two")));
                }
                while self.takes(',') {
                    self.sum()?;
                    self.push_of(Kind::Number, Op::Two(function))?;
                    // The smallest and the largest may be of more.
                    if function == Binary::Atan2 {
                        break;
                    }
                }
            }
        }
        self.closes()
    }
}
