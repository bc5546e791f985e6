//! Bodies from STL files: how they are spelt, and what they mean.

use std::sync::Arc;

use serde::Deserialize;

use super::numbers::{finite, positive};
use super::text::CaseText;
use super::three::three;
use crate::beside::check_regular;
use crate::body::{Geometry, Mesh, Placement};
use crate::error::Result;
use crate::grid::Grid;

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct StlFile {
    file: String,
    scale: f64,
    #[serde(default, deserialize_with = "three")]
    rotate: [f64; 3],
    #[serde(default, rename = "move", deserialize_with = "three")]
    shift: [f64; 3],
}

/// The surface in a file.
///
/// # Errors
/// If a number is none, if the file cannot be read, or if it is no closed surface.
pub(super) fn mesh(file: &StlFile, key: &str, grid: &Grid, text: &CaseText) -> Result<Geometry> {
    let of = |name: &str| format!("{key}.{name}");
    positive(&of("scale"), file.scale, text)?;
    finite(&of("rotate"), file.rotate, text)?;
    finite(&of("move"), file.shift, text)?;
    let StlFile { file: name, scale, rotate, shift } = file;
    let wrong = |problem: String, remedy: String| {
        text.error(&of("file"), format!("`{name}` {problem}"), remedy)
    };
    let Some(folder) = text.folder() else {
        let remedy = "save the case as a file beside it, and name that".into();
        return Err(wrong("is named by a case that lies in no folder".into(), remedy));
    };
    let path = folder.join(name);
    check_regular(&path)?;
    let bytes = std::fs::read(&path).map_err(|error| {
        let remedy = format!("check that {} is there and can be read", path.display());
        wrong(format!("cannot be read: {error}"), remedy)
    })?;
    let placement = Placement { scale: *scale, rotate: *rotate, shift: *shift };
    let plane = grid.is_plane().then(|| grid.axes[2].centre(0));
    let mesh = Mesh::new(&bytes, placement, plane);
    mesh.map(|mesh| Geometry::Mesh(Arc::new(mesh)))
        .map_err(|[problem, remedy]| wrong(problem, remedy))
}
