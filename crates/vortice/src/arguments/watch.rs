//! Pages that show runs: while they go, and when they have ended.

use std::path::PathBuf;

use clap::Args;

/// Where a run is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WatchedBy {
    /// By a page, at a port or a free one.
    Page(Option<u16>),
    /// In the terminal.
    Terminal,
}

/// From what stands behind `--watch=`.
pub(super) fn watched_by(text: &str) -> Result<WatchedBy, String> {
    match text {
        "page" => Ok(WatchedBy::Page(None)),
        "terminal" => Ok(WatchedBy::Terminal),
        port => match port.parse() {
            Ok(port) if port > 0 => Ok(WatchedBy::Page(Some(port))),
            _ => Err("give a port from 1 to 65535, or `terminal`".into()),
        },
    }
}

/// The options of `view`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice view out/cavity
  vortice view out/re-100 out/re-400 --port 8000")]
pub(crate) struct View {
    /// Folders of runs, or files of fields: one, or two that are shown beside each other
    #[arg(value_name = "DIR", required = true, num_args = 1..=2)]
    pub(crate) runs: Vec<PathBuf>,
    /// The port of the page on this machine [default: a free one]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_watched_by_a_page_or_in_a_terminal() {
        assert_eq!(watched_by("page"), Ok(WatchedBy::Page(None)));
        assert_eq!(watched_by("8000"), Ok(WatchedBy::Page(Some(8000))));
        assert_eq!(watched_by("terminal"), Ok(WatchedBy::Terminal));
        for wrong in ["", "0", "65536", "http", "-1"] {
            assert!(watched_by(wrong).is_err(), "{wrong}");
        }
    }
}
