//! Inputs that are changed at random, the same ones each time.

/// What numbers are replaced by.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "1e308",
    "-1e-308",
    "nan",
    "inf",
    "65536",
    "18446744073709551615",
    "0.5",
    "1e999",
    "''",
];

/// Makes inputs of good ones.
pub(crate) struct Mutation<'a> {
    good: &'a [Vec<u8>],
    state: u64,
}

impl<'a> Mutation<'a> {
    pub(crate) fn new(good: &'a [Vec<u8>]) -> Self {
        Self { good, state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Below some number: xorshift (G. Marsaglia: J. Stat. Softw. 8 (2003) 14).
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) as usize % end.max(1)
    }

    /// A good input with one to four changes.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        let which = self.below(self.good.len());
        let mut input = self.good[which].clone();
        for _ in 0..=self.below(4) {
            self.change(&mut input);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let count = self.below(8) + 1;
        let end = (at + count).min(input.len());
        match self.below(7) {
            0 => drop(input.drain(at..end)),
            1 => input[at..end].iter_mut().for_each(|byte| *byte = byte.wrapping_add(count as u8)),
            2 => {
                let byte = self.below(256) as u8;
                input.insert(at, byte);
            }
            // Itself once more, elsewhere.
            3 => {
                let from = self.below(input.len() + 1);
                let piece = input[from..(from + 16 * count).min(input.len())].to_vec();
                drop(input.splice(at..at, piece));
            }
            // A piece of another one.
            4 => {
                let other = &self.good[self.below(self.good.len())];
                let from = self.below(other.len() + 1);
                let piece = other[from..(from + 32 * count).min(other.len())].to_vec();
                drop(input.splice(at..end, piece));
            }
            5 => input.truncate(at),
            _ => self.replace_number(input, at),
        }
    }

    /// The next number behind a place becomes another one.
    fn replace_number(&mut self, input: &mut Vec<u8>, at: usize) {
        let Some(begin) = input[at..].iter().position(u8::is_ascii_digit).map(|n| at + n) else {
            return;
        };
        let is_of_number = |byte: &u8| byte.is_ascii_digit() || b".e_".contains(byte);
        let length = input[begin..].iter().take_while(|byte| is_of_number(byte)).count();
        let number = NUMBERS[self.below(NUMBERS.len())].bytes();
        drop(input.splice(begin..begin + length, number));
    }
}
