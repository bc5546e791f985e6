//! Whether this process was started as one of several.

use vortice_core::Error;

/// Environment variables in which a launcher says which process this is, and of how many: OpenMPI's
/// `mpiexec`; that of MPICH and Intel MPI, and `srun --mpi=pmi2`; `srun --mpi=pmix`; `srun`. A
/// batch script itself has `SLURM_PROCID` but no step, so that a program in it is alone unless
/// `srun` starts it.
const LAUNCHERS: [[&str; 2]; 4] = [
    ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"],
    ["PMI_RANK", "PMI_SIZE"],
    ["PMIX_RANK", "SLURM_STEP_NUM_TASKS"],
    ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS"],
];

/// What a launcher says of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Which process this is, counted from 0.
    pub rank: usize,
    /// Of how many.
    pub size: usize,
}

impl Launch {
    /// Of a process that was started as one of several; nothing if it was started alone.
    pub fn found() -> Option<Self> {
        Self::from(|name| std::env::var(name).ok())
    }

    /// Whether this process is to speak when all have the same to say.
    pub fn speaks() -> bool {
        Self::found().is_none_or(|launch| launch.rank == 0)
    }

    fn from(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name| variable(name)?.parse().ok();
        let found = LAUNCHERS
            .iter()
            .find_map(|[rank, size]| Some(Self { rank: number(rank)?, size: number(size)? }));
        found.filter(|launch| launch.size > 1)
    }

    /// That this program cannot be one of several processes.
    #[cfg_attr(feature = "mpi", allow(dead_code))]
    pub(crate) fn without_mpi(self) -> Error {
        let started = self.size;
        Error::Ranks {
            problem: format!("{started} processes were started, but this program has no MPI"),
            remedy: "build it with `cargo build --release --features mpi`, or start it once, \
                     without mpiexec: `--ranks N` makes N ranks of one process"
                .into(),
        }
    }

    /// That the launcher belongs to another MPI than the program.
    #[cfg_attr(not(feature = "mpi"), allow(dead_code))]
    pub(crate) fn of_another_mpi(self, seen: usize) -> Error {
        let started = self.size;
        Error::Ranks {
            problem: format!(
                "{started} processes were started, but this program's MPI sees {seen}"
            ),
            remedy: "use the mpiexec of the MPI that the program was built with, or build it for \
                     the other one: cargo clean -p mpi-sys, MPICC=mpicc cargo build ..."
                .into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<(usize, usize)> {
        let value = |name: &str| variables.iter().find(|v| v.0 == name).map(|v| v.1.to_string());
        Launch::from(value).map(|launch| (launch.rank, launch.size))
    }

    #[test]
    fn launchers_are_known_by_what_they_set() {
        assert_eq!(found(&[]), None);
        assert_eq!(
            found(&[("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")]),
            Some((1, 2))
        );
        assert_eq!(found(&[("PMI_RANK", "0"), ("PMI_SIZE", "8")]), Some((0, 8)));
        assert_eq!(found(&[("PMIX_RANK", "2"), ("SLURM_STEP_NUM_TASKS", "3")]), Some((2, 3)));
        assert_eq!(found(&[("SLURM_PROCID", "2"), ("SLURM_STEP_NUM_TASKS", "3")]), Some((2, 3)));
    }

    #[test]
    fn one_rank_is_alone_and_so_is_a_batch_script() {
        assert_eq!(found(&[("PMI_RANK", "0"), ("PMI_SIZE", "1")]), None);
        assert_eq!(found(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4")]), None);
        assert_eq!(found(&[("PMI_RANK", "many"), ("PMI_SIZE", "few")]), None);
    }

    #[test]
    fn refusals_name_the_number_and_the_remedy() {
        let launch = Launch { rank: 1, size: 4 };
        let [absent, other] = [launch.without_mpi(), launch.of_another_mpi(1)];
        assert!(
            absent.to_string().contains("4 processes")
                && absent.remedy().contains("--features mpi")
        );
        assert!(other.to_string().contains("sees 1") && other.remedy().contains("mpiexec"));
    }
}
