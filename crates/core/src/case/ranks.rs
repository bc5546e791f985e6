//! How ranks work together: the table `[ranks]`.

use serde::Deserialize;
use serde::de::{self, SeqAccess, Visitor};

use super::text::CaseText;
use super::{Balance, RanksOptions, Transport, keys};
use crate::error::Result;

#[derive(Default, Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RanksFile {
    transport: Option<String>,
    balance: Option<BalanceFile>,
}

/// A word or a list of weights.
enum BalanceFile {
    Word(String),
    Weights(Vec<f64>),
}

impl<'de> Deserialize<'de> for BalanceFile {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrWeights;
        impl<'de> Visitor<'de> for WordOrWeights {
            type Value = BalanceFile;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a word or a list of numbers")
            }

            fn visit_str<E>(self, word: &str) -> Result<BalanceFile, E> {
                Ok(BalanceFile::Word(word.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<BalanceFile, A::Error> {
                let mut weights = Vec::new();
                while let Some(weight) = list.next_element()? {
                    weights.push(weight);
                }
                Ok(BalanceFile::Weights(weights))
            }
        }
        deserializer.deserialize_any(WordOrWeights)
    }
}

/// The meaning of the table.
///
/// # Errors
/// If a value makes no sense; the error points at it.
pub(super) fn ranks_options(file: &RanksFile, text: &CaseText) -> Result<RanksOptions> {
    let word = file.transport.as_deref().unwrap_or(Transport::default().name());
    let known = Transport::ALL.into_iter().find(|transport| transport.name() == word);
    let transport = known.ok_or_else(|| {
        let names = Transport::ALL.map(|transport| transport.name().to_owned());
        let problem = format!("there is no transport `{word}`");
        text.error("ranks.transport", problem, keys::instead_of_word(word, &names))
    })?;
    let balance = file.balance.as_ref().map(|balance| balance_of(balance, text)).transpose()?;
    Ok(RanksOptions { transport, balance: balance.unwrap_or_default() })
}

fn balance_of(file: &BalanceFile, text: &CaseText) -> Result<Balance> {
    const KEY: &str = "ranks.balance";
    match file {
        BalanceFile::Word(word) => match word.as_str() {
            "auto" => Ok(Balance::Auto),
            "equal" => Ok(Balance::Equal),
            "measured" => Ok(Balance::Measured),
            _ => {
                let names = ["auto", "equal", "measured"].map(str::to_owned);
                let problem = format!("there is no balance `{word}`");
                let remedy = keys::instead_of_word(word, &names) + ", or one number a rank";
                Err(text.error(KEY, problem, remedy))
            }
        },
        BalanceFile::Weights(weights) => {
            let wrong = |weight: &&f64| !(weight.is_finite() && **weight > 0.0);
            match weights.iter().find(wrong) {
                Some(weight) => {
                    let problem = format!("{weight} is not a positive number");
                    Err(text.error(KEY, problem, keys::how_to_write(KEY)))
                }
                None if weights.is_empty() => {
                    let problem = "there is no number in the list";
                    Err(text.error(KEY, problem, keys::how_to_write(KEY)))
                }
                None => Ok(Balance::Weights(weights.clone())),
            }
        }
    }
}
