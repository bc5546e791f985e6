//! One run of a study in numbers.

use serde::{Deserialize, Serialize};
use vortice_post::ForceCourse;

use super::trace::Look;

/// One run: a method with its settings on a grid.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Short name of the case.
    pub case: String,
    /// Name of the variant: the method and the settings that are varied.
    pub variant: String,
    /// Name of the method.
    pub method: &'static str,
    /// What the method chose by itself on this grid, such as lattice and collision; empty if nothing.
    pub scheme: String,
    /// The grid's number in the study.
    pub grid: usize,
    /// Cells in x, y and z.
    pub cells: [usize; 3],
    /// How it ended.
    pub ended: Ended,
    /// How far it was from its end when it was called steady, as a share of the velocity scale; nothing
    /// of a run that ended at a time.
    pub iteration_error: Option<f64>,
    /// Whether it was taken over from an earlier study.
    pub reused: bool,
    /// What it cost.
    pub expense: Expense,
    /// What enters the box and does not leave it, as a share of what enters; nothing if nothing does.
    pub imbalance: Option<f64>,
    /// Heat that enters and does not leave, as a share; nothing of a flow without heat, or that is not to become steady.
    pub heat_imbalance: Option<f64>,
    /// What makes it worth less than it looks, each with its remedy.
    pub warnings: Vec<String>,
    /// How far it is from each reference; nothing of a run that failed.
    pub deviations: Vec<Deviation>,
    /// What is compared under refinement and between methods; nothing of a run that failed.
    pub values: Vec<Value>,
    /// What the forces on bodies did, of a flow that is followed in time.
    pub courses: Vec<ForceCourse>,
    /// How it approached its end.
    pub looks: Vec<Look>,
    /// Folder of its files, in that of the study.
    pub folder: String,
}

impl Row {
    /// A value by name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|value| value.name == name).map(|value| value.computed)
    }

    /// `128 x 128`, or with the third direction if there is one.
    pub fn cells_words(&self) -> String {
        cells_words(self.cells)
    }

    /// The same, or the grid's number in the study where the case could not be made.
    pub fn grid_words(&self) -> String {
        if self.cells[0] > 0 { self.cells_words() } else { self.grid.to_string() }
    }

    /// Whether it came to its goal.
    pub fn is_done(&self) -> bool {
        self.ended == Ended::Done
    }

    /// Whether there is a flow to look at.
    pub fn has_flow(&self) -> bool {
        self.ended.has_flow()
    }
}

/// Cells of a grid for people, see [`Row::cells_words`].
pub fn cells_words([nx, ny, nz]: [usize; 3]) -> String {
    if nz > 1 { format!("{nx} x {ny} x {nz}") } else { format!("{nx} x {ny}") }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "how", content = "why")]
pub enum Ended {
    /// At its goal: steady, or at its time.
    Done,
    /// With a flow, but before its goal: by `run.max-steps`, or because it never becomes steady.
    Stopped(String),
    /// Without a flow: it diverged.
    Diverged(String),
    /// Not at all: the method cannot do the case, or a device, memory or disk failed.
    Failed(String),
    /// It was interrupted, and can go on from its checkpoint.
    Interrupted,
}

impl Ended {
    /// One word: `done`, `stopped`, `diverged`, `failed` or `interrupted`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Stopped(_) => "stopped",
            Self::Diverged(_) => "diverged",
            Self::Failed(_) => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Why it did not come to its goal; empty if it did.
    pub fn why(&self) -> &str {
        match self {
            Self::Done => "",
            Self::Stopped(why) | Self::Diverged(why) | Self::Failed(why) => why,
            Self::Interrupted => "it was interrupted; `--resume` goes on",
        }
    }

    /// Whether it left a flow to look at.
    pub(super) fn has_flow(&self) -> bool {
        matches!(self, Self::Done | Self::Stopped(_))
    }

    /// Whether the same run would end so again.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Done | Self::Stopped(_) | Self::Diverged(_))
    }
}

/// What a run cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Expense {
    /// Time steps, or outer iterations.
    pub steps: u64,
    /// Inner iterations of the linear solver.
    pub iterations: u64,
    /// Cells times steps.
    pub cell_updates: f64,
    /// Wall-clock seconds of the steps.
    pub wall_seconds: f64,
    /// Memory in bytes that the method asks for, on the processor or the GPU.
    pub memory: f64,
    /// Where it was computed.
    pub device: String,
}

/// How far a run is from a reference; see [`vortice_post::references::Comparison`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Deviation {
    /// Name of the reference.
    pub reference: String,
    /// `profile`, `extrema`, `lengths`, `vortices` or `exact`.
    pub kind: &'static str,
    /// Largest error, a share.
    pub max_error: f64,
    /// Root of the mean squared error, a share.
    pub rms_error: f64,
}

/// A number that is compared under refinement and between methods, in units of the case's scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// What: `u min`, `reattachment`, `primary vortex x`.
    pub name: String,
    /// As computed; not a number if the flow has no such thing.
    pub computed: f64,
    /// As published, and by which reference: the last one of the case that speaks of it.
    pub published: Option<(String, f64)>,
}
