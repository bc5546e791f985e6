//! Where ranks compute.

use std::fmt;
use std::str::FromStr;

/// Where a rank computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The best there is.
    Auto,
    /// The processor.
    Cpu,
    /// A GPU; the ranks of a machine take them in turn, from the first.
    AnyCuda,
    /// A GPU, by number.
    Cuda(usize),
}

/// Where the ranks of each machine compute: the first takes the first of the list, and after the last
/// it begins again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Devices(Vec<Device>);

impl Devices {
    /// The device of a rank, by its number on its machine.
    pub fn of(&self, local_rank: usize) -> Device {
        self.0[local_rank % self.0.len()]
    }

    /// How many ranks of the same machine take a GPU in turn before this one does.
    pub fn turn(&self, local_rank: usize) -> usize {
        (0..local_rank).filter(|&before| self.of(before) == Device::AnyCuda).count()
    }

    /// Whether a GPU is asked for by name, for all ranks or some.
    pub fn name_a_gpu(&self) -> bool {
        self.0.iter().any(|device| device.is_gpu())
    }

    /// Whether all ranks compute on processors, or all on GPUs.
    pub fn are_alike(&self) -> bool {
        self.0.iter().all(|device| device.is_gpu() == self.0[0].is_gpu())
    }

    /// Whether all ranks compute on GPUs.
    pub fn are_gpus(&self) -> bool {
        self.0.iter().all(|device| device.is_gpu())
    }

    /// Whether the choice is left open.
    pub fn are_open(&self) -> bool {
        self.0 == [Device::Auto]
    }

    /// Threads of a rank when so many cores are shared by so many ranks of a machine: those on GPUs
    /// need one each and leave the rest to the others, if there are others.
    pub fn threads(&self, local_rank: usize, ranks: usize, cores: usize) -> usize {
        let on_gpus = (0..ranks).filter(|&rank| self.of(rank).is_gpu()).count();
        let share = match self.of(local_rank).is_gpu() {
            _ if on_gpus == ranks => cores / ranks,
            true => 1,
            false => cores.saturating_sub(on_gpus) / (ranks - on_gpus),
        };
        share.max(1)
    }

    /// The devices in their order.
    pub fn list(&self) -> &[Device] {
        &self.0
    }
}

impl Device {
    /// Whether it is a GPU.
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::AnyCuda | Self::Cuda(_))
    }
}

impl From<Device> for Devices {
    fn from(device: Device) -> Self {
        Self(vec![device])
    }
}

impl PartialEq<Device> for Devices {
    fn eq(&self, device: &Device) -> bool {
        self.0 == [*device]
    }
}

impl FromStr for Devices {
    /// What is wrong with the words.
    type Err = String;

    /// `auto`, `cpu`, `cuda` or `cuda:1`; several, and numbers of more GPUs, with commas:
    /// `cuda:0,cpu` and `cuda:0,1`.
    fn from_str(words: &str) -> Result<Self, String> {
        let mut list: Vec<Device> = Vec::new();
        for word in words.split(',').map(str::trim) {
            let after_a_gpu = matches!(list.last(), Some(Device::Cuda(_)));
            let device = match number(word).filter(|_| after_a_gpu) {
                Some(number) => Some(Device::Cuda(number)),
                None => device(word),
            };
            list.push(device.ok_or_else(|| format!("there is no device `{word}`"))?);
        }
        if list.len() > 1 && list.contains(&Device::Auto) {
            return Err("`auto` chooses for all ranks and stands alone".into());
        }
        Ok(Self(list))
    }
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&words.join(","))
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::AnyCuda => f.write_str("cuda"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

fn device(word: &str) -> Option<Device> {
    match word {
        "auto" => Some(Device::Auto),
        "cpu" => Some(Device::Cpu),
        "cuda" => Some(Device::AnyCuda),
        _ => word.strip_prefix("cuda:").and_then(number).map(Device::Cuda),
    }
}

fn number(word: &str) -> Option<usize> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    if plain { word.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices(words: &str) -> Devices {
        words.parse().expect("devices that exist")
    }

    #[test]
    fn words_are_read_and_written() {
        for words in ["auto", "cpu", "cuda", "cuda:3", "cuda:0,cpu", "cpu,cuda", "cuda:0,cuda:1"] {
            assert_eq!(devices(words).to_string(), words);
        }
        assert_eq!(devices("cuda:0,1"), devices("cuda:0,cuda:1"));
        assert_eq!(devices("cuda:2, 0, cpu"), devices("cuda:2,cuda:0,cpu"));
        assert_eq!(devices("cuda"), Device::AnyCuda);
    }

    #[test]
    fn words_that_are_no_devices_are_told() {
        for (words, wrong) in [
            ("gpu", "`gpu`"),
            ("cuda:", "`cuda:`"),
            ("cuda:+1", "`cuda:+1`"),
            ("1", "`1`"),
            ("cpu,1", "`1`"),
            ("cuda:0,", "``"),
            ("", "``"),
            ("auto,cpu", "`auto`"),
        ] {
            let said = words.parse::<Devices>().unwrap_err();
            assert!(said.contains(wrong), "{words}: {said}");
        }
    }

    #[test]
    fn ranks_on_gpus_leave_the_cores_to_the_others() {
        let threads = |words: &str, ranks, cores| {
            let devices = devices(words);
            (0..ranks).map(|rank| devices.threads(rank, ranks, cores)).collect::<Vec<_>>()
        };
        assert_eq!(threads("cpu", 3, 8), [2, 2, 2]);
        assert_eq!(threads("cuda:0,cpu", 2, 8), [1, 7]);
        assert_eq!(threads("cuda:0,cpu,cpu", 3, 8), [1, 3, 3]);
        assert_eq!(threads("cuda", 4, 8), [2, 2, 2, 2]);
        assert_eq!(threads("cuda:0,cpu", 2, 1), [1, 1]);
    }

    #[test]
    fn ranks_take_the_list_in_turn() {
        let list = devices("cuda:0,cpu");
        let taken: Vec<_> = (0..4).map(|rank| list.of(rank)).collect();
        assert_eq!(taken, [Device::Cuda(0), Device::Cpu, Device::Cuda(0), Device::Cpu]);
        assert_eq!([0, 1, 2, 3].map(|rank| devices("cuda").turn(rank)), [0, 1, 2, 3]);
        assert_eq!([1, 3, 5].map(|rank| devices("cpu,cuda").turn(rank)), [0, 1, 2]);
    }
}
