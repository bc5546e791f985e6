//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use vortice_core::Result;

mod changes;
mod course;
mod offer;
mod watch;

pub(crate) use changes::{Changes, Choice};
pub(crate) use course::{Course, New, Whose};
pub(crate) use offer::cases;
pub(crate) use watch::{View, WatchedBy};

/// A multi-method workbench for incompressible flow.
#[derive(Debug, Parser)]
#[command(name = "vortice", version = crate::VERSION, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  vortice run cavity                                the lid-driven cavity, into out/cavity
  vortice run cavity --cells 64x64 --re 400         another grid, another Reynolds number
  vortice run my-flow.toml --ranks 4 --out results  a case file, on four ranks
  vortice run cavity --restart out/cavity/checkpoint.h5
  vortice run cavity-3d --device cuda               on the first GPU
  mpiexec -n 4 vortice run cavity-3d                on four processes, if built with MPI
  vortice compare cavity                            all methods, three grids, one page
  vortice check step-griebel                        derived numbers, nothing run
  vortice bench cavity --repeats 10                 how fast it is, beside the memory

Exit codes: 0 done; 1 diverged or not converged; 2 the case or the command is wrong;
3 device, ranks or files; 130, 143 and 138 stopped by Ctrl-C, SIGTERM and SIGUSR1.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compute a flow and write fields, profiles, a picture and a summary
    Run(Run),
    /// Write a case file: a copy of a built-in case with what its keys mean
    New(New),
    /// Show finished runs on a page with a slider over time, two beside each other with their difference
    View(View),
    /// Compute flows by several methods on several grids and write one page that compares them
    Compare(Compare),
    /// Run the built-in cases by all methods and judge them against their references
    Validate(Validate),
    /// Show what follows from a case: numbers, limits and warnings; nothing is run
    Check(Check),
    /// Measure how fast a method computes a case, and which share of the memory's bandwidth it uses
    Bench(Bench),
    /// Write an operator of the finite volumes as a matrix, in the format Matrix Market
    Matrix(Matrix),
    /// Labs for a class: write them, check answers, mark submissions
    #[command(subcommand)]
    Course(Course),
    /// List the methods
    Methods,
    /// List the built-in cases
    Cases,
    /// Show what there is to compute on: driver, NVRTC and GPUs, and why one cannot be used
    Devices(Devices),
    /// Print a completion script for a shell
    Completions {
        /// The shell to complete commands in
        shell: Shell,
    },
}

/// The options of `run`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  vortice run cavity
  vortice run cavity --re 400 --out out/re-400
  vortice run cavity-3d --ranks 2x2x1 --threads 1 --quiet
  vortice run cavity-3d --method lbm --ranks 2 --device cuda:0,cpu
  vortice run cylinder-re100 --watch
  vortice run cavity --restart out/cavity/checkpoint.h5 --set run.steady=1e-8")]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// Where to compute: auto, cpu, cuda, cuda:N, or a list for the ranks such as cuda:0,1 or cuda:0,cpu;
    /// instead of the case's `run.device`
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Number of ranks, or ranks in x, y and z: 4 or 2x2x1 [default: 1, or the processes of mpiexec]
    #[arg(long, value_name = "RANKS", value_parser = ranks)]
    pub(crate) ranks: Option<Ranks>,
    /// Threads of each rank [default: its share of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Folder for the results [default: out/<case>, or out/<case>-from-<step> with --restart]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Go on from a checkpoint of the same case; end, outputs, ranks and devices may be others
    #[arg(long, value_name = "FILE")]
    pub(crate) restart: Option<PathBuf>,
    /// With --restart: go on though viscosity, boundaries or other keys of the case were changed
    #[arg(long, requires = "restart")]
    pub(crate) restart_changed: bool,
    /// Serve a page on this machine that shows the flow while it is computed, and steers it: at a free port, or at one
    /// that is given; `terminal` draws in the terminal instead. One rank
    #[arg(long, value_name = "PORT|terminal", num_args = 0..=1, require_equals = true,
          default_missing_value = "page", value_parser = watch::watched_by)]
    pub(crate) watch: Option<WatchedBy>,
    /// Make the changes of an earlier run again, each before the step that it was made before: the `changes.csv` of its
    /// folder. One rank
    #[arg(long, value_name = "FILE")]
    pub(crate) repeat: Option<PathBuf>,
    /// Show no progress and no warnings
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The options of `compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice compare cavity                             all methods on three grids
  vortice compare cavity-re100 cavity-re400 cavity --grids 64,128,256
  vortice compare cavity --methods fvm --schemes fvm.convection=upwind,central,quick
  vortice compare step-gartling --methods fvm,lbm --grids 16,32,64 --device cuda
  vortice compare my-flow.toml --set run.steady=1e-4 --resume

Runs that are in the folder already and would be the same are not made again. A run that fails or
diverges is a row with its reason. Exit codes: 0 all runs reached their goal; 1 some did not.")]
pub(crate) struct Compare {
    /// Case files, or names of built-in cases
    #[arg(value_name = "CASE", required = true, value_parser = offer::CASES, hide_possible_values = true)]
    pub(crate) cases: Vec<String>,
    /// The methods to compare [default: all]
    #[arg(long, value_name = "METHOD", value_delimiter = ',', value_parser = offer::METHODS,
          hide_possible_values = true)]
    pub(crate) methods: Vec<String>,
    /// Cells along the shortest side of the grid, with bodies across scale.length [default: a quarter, half and all of the case's; in space half, three quarters and all]
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub(crate) grids: Vec<usize>,
    /// Vary a setting: each value is a variant of the methods that know the key; may be given many times
    #[arg(long, value_name = "KEY=VALUE,VALUE")]
    pub(crate) schemes: Vec<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// Where to compute: auto, cpu, cuda or cuda:N; instead of the case's `run.device`
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Folder for the page and the runs [default: out/compare-<case>, or out/compare for several]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Let a run that was stopped go on from its checkpoint
    #[arg(long)]
    pub(crate) resume: bool,
    /// Make all runs again, also those that are in the folder already
    #[arg(long, conflicts_with = "resume")]
    pub(crate) afresh: bool,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The options of `validate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice validate --quick                          every case by every method on coarse grids
  vortice validate --only step --methods fvm,lbm
  vortice validate --full --out validation          with grid convergence and the long cases
  vortice validate --checks mine.toml               other checks than the built-in ones

The exit code is 0 if every check passes, else 1.")]
pub(crate) struct Validate {
    /// Only the coarse grids: some two minutes on two cores
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,
    /// The long cases and the grid convergence too: hours on two cores
    #[arg(long)]
    pub(crate) full: bool,
    /// Where to compute, one after the other: cpu, cuda, cuda:N or a list such as cpu,cuda:1
    /// [default: the processor, and the first GPU if there is one]
    #[arg(long, value_name = "DEVICES", default_value = "auto", hide_default_value = true)]
    pub(crate) device: String,
    /// Only these methods, such as fdm,lbm
    #[arg(long, value_name = "METHODS", value_delimiter = ',', value_parser = offer::METHODS,
          hide_possible_values = true)]
    pub(crate) methods: Vec<String>,
    /// Only checks with this word in the case, the method or a reference
    #[arg(long, value_name = "WORD")]
    pub(crate) only: Option<String>,
    /// A file of checks, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub(crate) checks: Option<PathBuf>,
    /// Write the errors into the file of --checks as what was measured: 1.5 times that will pass
    #[arg(long, requires = "checks")]
    pub(crate) measure: bool,
    /// Folder for validation.csv, validation.json and validation.md
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// The options of `check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice check step-griebel
  vortice check cavity-3d --method lbm --ranks 8 --device cuda
  vortice check cavity-3d --method lbm --ranks 8 --device cuda --measured speeds.jsonl")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// Where to compute: auto, cpu, cuda, cuda:N, or a list for the ranks such as cuda:0,1 or cuda:0,cpu;
    /// instead of the case's `run.device`
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Number of ranks, or ranks in x, y and z: 4 or 2x2x1
    #[arg(long, value_name = "RANKS", default_value = "1", value_parser = ranks)]
    pub(crate) ranks: Ranks,
    /// Foresee ranks by what `vortice bench --json` measured of this method, a line for each run: on one
    /// rank, and on two
    #[arg(long, value_name = "FILE")]
    pub(crate) measured: Option<PathBuf>,
    /// Draws bodies, solid cells and the ends of the box into a file, *.svg or *.png
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
}

/// The options of `bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice bench cavity
  vortice bench cavity --cells 1024x1024 --set run.precision=f32 --threads 1
  vortice bench cavity-3d --method fdm --device cuda --repeats 10
  vortice bench cavity-3d --method lbm --device cuda --ranks 1x1x4 --weak
  vortice bench step-griebel --json >> speeds.jsonl

Where the run would end is not asked: steps are made for as long as it takes to measure.")]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// Where to compute: auto, cpu, cuda, cuda:N, or a list for the ranks such as cuda:0,1 or cuda:0,cpu;
    /// instead of the case's `run.device`
    #[arg(long, value_name = "DEVICE")]
    pub(crate) device: Option<String>,
    /// Number of ranks, or ranks in x, y and z: 4 or 2x2x1
    #[arg(long, value_name = "RANKS", default_value = "1", value_parser = ranks)]
    pub(crate) ranks: Ranks,
    /// Give each rank as many cells as the case has: the box grows with the ranks
    #[arg(long)]
    pub(crate) weak: bool,
    /// Threads of each rank on the processor [default: its share of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// How often to measure
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeats: u16,
    /// About how long to measure each time, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub(crate) seconds: f64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// The options of `matrix`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice matrix cavity --cells 16x16 --out pressure.mtx
  vortice matrix step-gartling --equation momentum --out momentum.mtx

The matrix is that of the first outer iteration, a row for each cell, x fastest.")]
pub(crate) struct Matrix {
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// Which equation
    #[arg(long, value_enum, default_value = "pressure")]
    pub(crate) equation: EquationName,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// An equation of the finite volumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EquationName {
    /// A component of the momentum equations, relaxed
    Momentum,
    /// The pressure correction
    Pressure,
}

/// The options of `devices`.
#[derive(Debug, Args)]
pub(crate) struct Devices {
    /// Do not measure how fast memory is copied
    #[arg(long)]
    pub(crate) quick: bool,
}

/// How many ranks, and perhaps how many per direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranks {
    pub(crate) size: usize,
    pub(crate) layout: Option<[usize; 3]>,
}

/// More ranks than this are a slip of the finger: each is a thread.
const MOST_RANKS: usize = 1024;

fn ranks(text: &str) -> Result<Ranks, String> {
    let help =
        format!("give a number from 1 to {MOST_RANKS}, or ranks in x, y and z such as 2x2x1");
    let parts: Option<Vec<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
    let parts = parts.filter(|parts| parts.len() <= 3).ok_or_else(|| help.clone())?;
    let size = parts.iter().try_fold(1_usize, |size, part| size.checked_mul(*part));
    let size = size.filter(|size| (1..=MOST_RANKS).contains(size)).ok_or(help)?;
    let part = |d: usize| parts.get(d).copied().unwrap_or(1);
    let layout = (parts.len() > 1).then(|| std::array::from_fn(part));
    Ok(Ranks { size, layout })
}

/// Longer measurements are a slip of the finger.
const MOST_SECONDS: f64 = 3600.0;

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS);
    seconds.ok_or(format!("give a number above 0 and up to {MOST_SECONDS}, such as 0.5"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn seconds_are_a_positive_number() {
        assert_eq!((seconds("0.25"), seconds("3600")), (Ok(0.25), Ok(3600.0)));
        for wrong in ["0", "-1", "", "soon", "nan", "inf", "3601"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranks_are_a_number_or_a_layout() {
        assert_eq!(ranks("3"), Ok(Ranks { size: 3, layout: None }));
        assert_eq!(ranks("2x3"), Ok(Ranks { size: 6, layout: Some([2, 3, 1]) }));
        assert_eq!(ranks("1x2x4"), Ok(Ranks { size: 8, layout: Some([1, 2, 4]) }));
        for wrong in ["0", "", "-1", "abc", "2x", "x2", "1x2x3x4", "2x0x1", "99999", "1.5"] {
            assert!(ranks(wrong).is_err(), "{wrong}");
        }
        assert!(ranks("9999999999999x9999999999999").is_err());
    }
}
