//! `vortice view`

use std::time::Duration;

use vortice_core::Result;
use vortice_watch::{Door, Replay, Replayed};

use super::{address, signals};
use crate::arguments::View;
use crate::say;

/// How often it is looked whether the page is still wanted.
const OFTEN: Duration = Duration::from_millis(100);

/// Serves finished runs until Ctrl-C; returns the exit code.
pub(crate) fn execute(options: &View) -> Result<u8> {
    signals::listen()?;
    let door = Door::at(options.port)?;
    address::tell("view", &door);
    let _replay = Replay::open(door, options.runs.iter().cloned().map(Replayed::Folder).collect())?;
    say::remark("Ctrl-C ends it");
    while signals::received().is_none() {
        std::thread::sleep(OFTEN);
    }
    Ok(0)
}
