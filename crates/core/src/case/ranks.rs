//! How ranks work together: the table `[ranks]`.

use serde::Deserialize;
use serde::de::{self, SeqAccess, Visitor};

use super::keys;
use super::text::CaseText;
use crate::error::Result;

/// How ranks work together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RanksOptions {
    /// How GPUs send each other what their neighbours need.
    pub transport: Transport,
    /// How many cells each rank gets.
    pub balance: Balance,
}

/// How many cells each rank gets. The results do not depend on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Balance {
    /// Equally many if all compute on the same kind of device, else as was measured.
    #[default]
    Auto,
    /// Equally many.
    Equal,
    /// In proportion to the speed of each, measured by [`crate::balanced`] before the run begins; equally
    /// many until then.
    Measured,
    /// In proportion to one positive number a rank.
    Weights(Vec<f64>),
}

/// How GPUs send each other what their neighbours need. The results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// The fastest that the two GPUs have.
    #[default]
    Auto,
    /// Each writes into the other's memory.
    Peer,
    /// Through NVIDIA's library NCCL.
    Nccl,
    /// Through the host's memory and the ranks' messages.
    Host,
}

impl Transport {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Peer, Self::Nccl, Self::Host];

    /// Its word in a case file: `auto`, `peer`, `nccl`, `host`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Peer => "peer",
            Self::Nccl => "nccl",
            Self::Host => "host",
        }
    }
}

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
