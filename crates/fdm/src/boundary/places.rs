//! Sets of places in memory.

/// Places of an array: a bit for each up to the last one that is in.
#[derive(Default)]
pub(crate) struct Places(Vec<u64>);

impl Places {
    /// Puts a place in, which is not negative; whether it was not in before.
    pub(crate) fn insert(&mut self, place: i64) -> bool {
        let (word, bit) = (place as usize / 64, 1 << (place % 64));
        if self.0.len() <= word {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Whether a place is in.
    pub(crate) fn contains(&self, place: i64) -> bool {
        self.0.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}
