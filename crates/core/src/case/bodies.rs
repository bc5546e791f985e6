//! Bodies: how they are spelt, and what they mean.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use super::face::Along;
use super::formulas::Component;
use super::keys;
use super::meshes::{StlFile, mesh};
use super::numbers::{finite, positive};
use super::text::CaseText;
use super::three::{Two, three};
use crate::body::{Body, Geometry, LevelSet, Polygon, Walls};
use crate::boundary::{Boundaries, Side, face_name};
use crate::error::Result;
use crate::expression::Expression;
use crate::grid::Grid;
use crate::solid::{SolidBox, Solids};

/// A body: one shape, and how it is met.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BodyFile {
    circle: Option<CircleFile>,
    cylinder: Option<CylinderFile>,
    sphere: Option<SphereFile>,
    #[serde(rename = "box")]
    cuboid: Option<BoxFile>,
    polygon: Option<PolygonFile>,
    inside: Option<String>,
    stl: Option<StlFile>,
    #[serde(default)]
    hollow: bool,
    #[serde(default)]
    rotation: f64,
    walls: Option<String>,
    area: Option<f64>,
    pub(super) temperature: Option<Component>,
    pub(super) heat_flux: Option<Component>,
    #[serde(default)]
    pub(super) scalars: BTreeMap<String, Component>,
    #[serde(default)]
    pub(super) scalar_fluxes: BTreeMap<String, Component>,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct CircleFile {
    centre: Two,
    radius: f64,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct CylinderFile {
    #[serde(deserialize_with = "three")]
    centre: [f64; 3],
    radius: f64,
    along: Along,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct SphereFile {
    #[serde(deserialize_with = "three")]
    centre: [f64; 3],
    radius: f64,
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct BoxFile {
    #[serde(deserialize_with = "three")]
    low: [f64; 3],
    #[serde(deserialize_with = "three")]
    high: [f64; 3],
}

#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
struct PolygonFile {
    corners: Vec<Two>,
}

/// Cells that a condition is tried in, at most.
const MOST_CELLS: usize = 1 << 31;

/// The meaning of the bodies.
///
/// # Errors
/// If one makes no sense, covers no cell or reaches across a periodic end, or if they and solid boxes leave no fluid.
pub(super) fn bodies(
    files: &BTreeMap<String, BodyFile>,
    boxes: &[SolidBox],
    grid: &Grid,
    boundaries: &Boundaries,
    text: &CaseText,
) -> Result<Vec<Arc<Body>>> {
    let read = |(name, file): (&String, &BodyFile)| {
        Reader { key: format!("body.{name}"), grid, text }.body(name, file)
    };
    let bodies = files.iter().map(read).collect::<Result<Vec<_>>>()?;
    for body in &bodies {
        check_place(body, grid, boundaries, text)?;
    }
    let solids = Solids::new(boxes, &bodies, grid, boundaries.periodic());
    let volume =
        |block: &[Range<usize>; 3]| block.iter().map(|range| range.len()).product::<usize>();
    // Cells are counted only where there may be enough of them.
    let may_fill =
        solids.blocks().map(volume).fold(0_usize, usize::saturating_add) >= grid.n_cells();
    if !bodies.is_empty() && may_fill && solids.count() == grid.n_cells() {
        let remedy = "make the bodies smaller, or the grid larger";
        return Err(text.error("body", "every cell of the grid is solid", remedy));
    }
    Ok(bodies)
}

/// Refuses a body that the grid does not see, or that a periodic end cuts.
fn check_place(
    body: &Arc<Body>,
    grid: &Grid,
    boundaries: &Boundaries,
    text: &CaseText,
) -> Result<()> {
    let key = format!("body.{}", body.name);
    let [low, high] = body.geometry.bounds();
    for d in grid.directions().filter(|&d| boundaries.periodic()[d] && !body.hollow) {
        let axis = &grid.axes[d];
        let crosses = [(Side::Low, low[d] < axis.low()), (Side::High, high[d] > axis.high())];
        let crossed = crosses.into_iter().find(|(_, crosses)| *crosses);
        if let Some((side, _)) = crossed.filter(|_| low[d].is_finite()) {
            let problem = format!("reaches across the periodic end {}", face_name(d, side));
            let remedy = "move it into the box: a periodic flow can begin anywhere";
            return Err(text.error(&key, problem, remedy));
        }
    }
    if let Geometry::LevelSet(level_set) = &body.geometry
        && !body.hollow
    {
        check_repeated(level_set, &key, grid, boundaries, text)?;
    }
    let alone = Solids::new(&[], std::slice::from_ref(body), grid, boundaries.periodic());
    if alone.count() == 0 {
        let beyond = |d: usize| high[d] < grid.axes[d].low() || low[d] > grid.axes[d].high();
        let is_elsewhere = !matches!(body.geometry, Geometry::LevelSet(_)) && (0..3).any(beyond);
        let problem = match is_elsewhere {
            true => "lies outside the box",
            false => "covers the centre of no cell",
        };
        let [x, y, z] = grid.axes.map(|axis| format!("{} to {}", axis.low(), axis.high()));
        let remedy = format!(
            "the box reaches from {x} m in x, {y} in y and {z} in z, in cells {} m wide",
            grid.spacing()[0]
        );
        return Err(text.error(&key, problem, remedy));
    }
    Ok(())
}

/// Refuses a condition that holds on one of two periodic ends alone.
fn check_repeated(
    level_set: &LevelSet,
    key: &str,
    grid: &Grid,
    boundaries: &Boundaries,
    text: &CaseText,
) -> Result<()> {
    let mut directions = grid.directions().filter(|&d| boundaries.periodic()[d]);
    let Some(d) = directions.find(|&d| !level_set.repeats(grid, d)) else { return Ok(()) };
    let problem = format!(
        "`{}` is not the same on both periodic ends across {}",
        level_set.text(),
        ["x", "y", "z"][d]
    );
    let remedy = "move it into the box, or let it repeat itself with the box's length, as by sin(2*pi*x/length)";
    Err(text.error(&format!("{key}.inside"), problem, remedy))
}

/// One body while it is read.
struct Reader<'a> {
    key: String,
    grid: &'a Grid,
    text: &'a CaseText<'a>,
}

impl Reader<'_> {
    fn body(&self, name: &str, file: &BodyFile) -> Result<Arc<Body>> {
        let geometry = self.geometry(file)?;
        let rotation = file.rotation;
        finite(&self.of("rotation"), [rotation, 0.0, 0.0], self.text)?;
        if rotation != 0.0 && !geometry.can_rotate() {
            let problem =
                "only a circle, a cylinder along z and a sphere keep their place when they turn";
            let remedy = "leave rotation out, or choose one of these shapes";
            return Err(self.text.error(&self.of("rotation"), problem, remedy));
        }
        let area = file.area.map(|area| positive(&self.of("area"), area, self.text)).transpose()?;
        let area = area.unwrap_or_else(|| self.shown_area(&geometry));
        let walls = self.walls(file.walls.as_deref())?;
        let name = name.to_owned();
        Ok(Arc::new(Body { name, geometry, hollow: file.hollow, rotation, walls, area }))
    }

    /// The one shape that is given.
    fn geometry(&self, file: &BodyFile) -> Result<Geometry> {
        let circle = |CircleFile { centre: Two([x, y]), radius }: &_| {
            self.cylinder("circle", [*x, *y, 0.0], *radius, 2)
        };
        let cylinder = |CylinderFile { centre, radius, along }: &_| {
            self.cylinder("cylinder", *centre, *radius, *along as usize)
        };
        let sphere = |&SphereFile { centre, radius }: &_| {
            self.round("sphere", centre, radius)?;
            Ok(Geometry::Sphere { centre, radius })
        };
        let given: Vec<_> = [
            file.circle.as_ref().map(circle),
            file.cylinder.as_ref().map(cylinder),
            file.sphere.as_ref().map(sphere),
            file.cuboid.as_ref().map(|BoxFile { low, high }| self.cuboid(*low, *high)),
            file.polygon.as_ref().map(|PolygonFile { corners }| self.polygon(corners)),
            file.inside.as_ref().map(|condition| self.level_set(condition)),
            file.stl.as_ref().map(|stl| mesh(stl, &self.of("stl"), self.grid, self.text)),
        ]
        .into_iter()
        .flatten()
        .collect();
        let one: std::result::Result<[_; 1], _> = given.try_into();
        one.map_or_else(
            |_| {
                let problem = "does not hold exactly one shape";
                Err(self.text.error(&self.key, problem, keys::how_to_write("body")))
            },
            |[geometry]| geometry,
        )
    }

    fn cylinder(
        &self,
        name: &str,
        centre: [f64; 3],
        radius: f64,
        along: usize,
    ) -> Result<Geometry> {
        self.round(name, centre, radius)?;
        if self.grid.is_plane() && along != 2 {
            let problem = "its axis lies in the plane of the flow (one cell in z)";
            let remedy = "write along = \"z\", or give grid.cells more cells in z";
            return Err(self.text.error(&self.of("cylinder.along"), problem, remedy));
        }
        Ok(Geometry::Cylinder { along, centre, radius })
    }

    fn round(&self, name: &str, centre: [f64; 3], radius: f64) -> Result<()> {
        finite(&self.of(&format!("{name}.centre")), centre, self.text)?;
        positive(&self.of(&format!("{name}.radius")), radius, self.text).map(|_| ())
    }

    fn cuboid(&self, low: [f64; 3], high: [f64; 3]) -> Result<Geometry> {
        finite(&self.of("box.low"), low, self.text)?;
        finite(&self.of("box.high"), high, self.text)?;
        if let Some(d) = (0..3).find(|&d| low[d] >= high[d]) {
            let letter = ["x", "y", "z"][d];
            let problem = format!("{} in {letter} is not above low = {}", high[d], low[d]);
            let remedy = "give the lower corner as `low`";
            return Err(self.text.error(&self.of("box.high"), problem, remedy));
        }
        Ok(Geometry::Box { low, high })
    }

    fn polygon(&self, corners: &[Two]) -> Result<Geometry> {
        let key = self.of("polygon.corners");
        for &Two([x, y]) in corners {
            finite(&key, [x, y, 0.0], self.text)?;
        }
        let polygon = Polygon::new(corners.iter().map(|corner| corner.0).collect());
        polygon
            .map(Geometry::Polygon)
            .map_err(|[problem, remedy]| self.text.error(&key, problem, remedy))
    }

    fn level_set(&self, condition: &str) -> Result<Geometry> {
        let wrong = |problem: String, remedy: &str| {
            self.text.error(&self.of("inside"), format!("`{condition}` {problem}"), remedy)
        };
        let formula = Expression::parse_condition(condition)
            .map_err(|error| wrong(error.problem, &error.remedy))?;
        if formula.changes() {
            let remedy = "leave t out: bodies keep their shape and place";
            return Err(wrong("has the time t in it".into(), remedy));
        }
        if self.grid.n_cells() > MOST_CELLS {
            let remedy = "take fewer cells, or one of the shapes with numbers";
            return Err(wrong("would be tried in more than 2^31 cells".into(), remedy));
        }
        let level_set = LevelSet::new(formula, self.grid).map_err(|[x, y, z]| {
            let problem = format!("is no number at x = {x} m, y = {y} m, z = {z} m");
            wrong(problem, "write a condition of numbers everywhere in the box")
        });
        level_set.map(Geometry::LevelSet)
    }

    fn walls(&self, word: Option<&str>) -> Result<Walls> {
        let Some(word) = word else { return Ok(Walls::Exact) };
        let known = Walls::NAMES.into_iter().find(|(name, _)| *name == word);
        known.map(|(_, walls)| walls).ok_or_else(|| {
            let problem = format!("there are no walls `{word}`");
            let names = Walls::NAMES.map(|(name, _)| name.to_owned());
            let remedy = keys::instead_of_word(word, &names);
            self.text.error(&self.of("walls"), problem, remedy)
        })
    }

    /// What a shape shows to a flow along x; of a plane flow its width.
    fn shown_area(&self, geometry: &Geometry) -> f64 {
        let disc = |radius: &f64| std::f64::consts::PI * radius * radius;
        let [low, high] = geometry.bounds();
        let window = [1, 2].map(|d| {
            let axis = &self.grid.axes[d];
            [low[d].max(axis.low()), high[d].min(axis.high())]
        });
        let [width, height] = window.map(|[low, high]| high - low);
        match geometry {
            Geometry::LevelSet(level_set) => level_set.shadow(self.grid, window),
            _ if self.grid.is_plane() => width,
            Geometry::Sphere { radius, .. } | Geometry::Cylinder { along: 0, radius, .. } => {
                disc(radius)
            }
            Geometry::Mesh(mesh) => mesh.silhouette(window),
            _ => width * height,
        }
    }

    fn of(&self, key: &str) -> String {
        format!("{}.{key}", self.key)
    }
}

#[cfg(test)]
mod tests;
