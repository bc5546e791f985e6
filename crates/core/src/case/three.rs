//! Vectors in a case file. Serde's own arrays take the first numbers of a list that is too long.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// Exactly three numbers.
pub(super) fn three<'de, D, T>(deserializer: D) -> Result<[T; 3], D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list = Vec::<T>::deserialize(deserializer)?;
    let n = list.len();
    list.try_into().map_err(|_| D::Error::invalid_length(n, &"three numbers, for x, y and z"))
}

/// Exactly three numbers, where the key is given at all.
pub(super) fn maybe_three<'de, D, T>(deserializer: D) -> Result<Option<[T; 3]>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    three(deserializer).map(Some)
}

/// Exactly two numbers, a point of a plane.
pub(super) struct Two(pub(super) [f64; 2]);

impl<'de> Deserialize<'de> for Two {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<f64>::deserialize(deserializer)?;
        let n = list.len();
        let two = list.try_into().map(Self);
        two.map_err(|_| D::Error::invalid_length(n, &"two numbers, for x and y"))
    }
}
