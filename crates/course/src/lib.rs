//! Labs for a class: handouts and questions, what students answer, and marks.
//!
//! A [`Lab`] has [`Question`]s. Students write their answers into `answers.toml`; [`Sheet`] reads that
//! file and trusts nothing in it. [`Lab::mark`] judges one sheet, [`Class`] all submissions of a class. The
//! labs themselves are files in this library, which [`write_course`] lays out.

mod answer;
mod class;
mod column;
mod course;
mod kit;
mod lab;
mod mark;
mod question;
mod sheet;
mod small_file;
mod spelling;
mod submission;
mod table;

pub use class::{Class, Row};
pub use column::{Column, Of};
pub use course::{For, write_course};
pub use kit::{commands, kit_names};
pub use lab::Lab;
pub use mark::Mark;
pub use question::{Kind, Question, Tolerance};
pub use sheet::Sheet;
pub use table::mark_table;
