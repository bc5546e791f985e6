//! `vortice check`

mod machine;
mod prediction;
mod speeds;

use std::fmt::Write as _;
use std::path::Path;

use crate::references::{LeftOut, Reference};
use crate::registry;
use vortice_core::format::{bytes, digits, significant};
use vortice_core::{
    Case, Decomposition, Error, FlowScale, Geometry, Grid, Heat, MeshFacts, Report, Result, Scalar,
    StatisticsOptions, ThermalLayer, Walls, host_memory,
};
use vortice_output::Amount;
use vortice_plot::GeometryMap;

use super::cases::cells;
use crate::arguments::Check;
use crate::say;
use machine::Machine;
use prediction::Prediction;
use speeds::Speeds;
use vortice_study::DevicePlacement;

/// Shows what follows from a case.
pub(crate) fn execute(options: &Check) -> Result<()> {
    let case = options.choice.open_on(options.device.as_deref())?;
    let ranks = options.ranks;
    let method = registry::method(&case.run.method)?;
    let report = method.report(&case)?;
    let (references, left_out) = (Reference::of(&case)?, LeftOut::of(&case)?);
    let place = DevicePlacement::of(&case, ranks.size);
    let settled = place.as_ref().map_or_else(|_| case.clone(), |place| place.settle(case.clone()));
    let memory = host_memory(&settled, &report, ranks.size);
    let machine = machine(options, &case, &settled, &report)?;
    let prediction = Prediction::new(settled, report.traffic, machine);
    let cut = prediction.cut(ranks)?;

    if let Some(path) = &options.picture {
        draw(path, &case)?;
    }
    let mut facts = general(&case, method.about, method.name);
    facts.extend(report.facts.iter().cloned());
    facts.push(("memory".into(), bytes(memory)));
    facts.extend(averages(&case));
    facts.extend(device(place, &report, &cut)?);
    facts.push(("files".into(), Amount::of(&case, &report).words()));
    facts.extend(prediction.facts(&cut));
    let mut text = format!("{}\n\n{}", case.title, columns(&facts));
    text += &prediction.alternatives(&cut)?;
    text += &prediction.cluster(&cut)?;
    text += &list(&references);
    left_out.iter().for_each(|one| text += &format!("\n{one}\n"));
    text += &warnings(&case, &report, prediction.warning(&cut));
    say::result(&text)
}

/// The machine that ranks are foreseen on: as machines usually are, or as measured.
fn machine(options: &Check, case: &Case, settled: &Case, report: &Report) -> Result<Machine> {
    let machine = Machine::of(settled, options.ranks.size);
    let Some(path) = &options.measured else { return Ok(machine) };
    let method = registry::method(&case.run.method)?;
    let traffic = |cells: [usize; 3]| {
        if cells == case.grid.cells() {
            return Ok(report.traffic);
        }
        let case = case.with(&[format!("grid.cells={cells:?}")])?;
        Ok(method.report(&case)?.traffic)
    };
    let speeds = Speeds::read(path, case, machine.is_of_gpus())?;
    let cells = case.grid.n_cells() as f64;
    Ok(machine.clone().measured(speeds.fit(cells, machine.link(), traffic)?))
}

/// Draws what the case looks like, as the ending of the file says.
fn draw(path: &Path, case: &Case) -> Result<()> {
    let drawing = GeometryMap { case }.draw();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => drawing.write_svg(path),
        Some("png") => drawing.write_png(path),
        _ => {
            let problem = "is neither an SVG nor a PNG file".into();
            let remedy = "name it *.svg or *.png".into();
            let argument = format!("--picture {}", path.display());
            Err(Error::Command { argument, problem, remedy })
        }
    }
}

fn columns(facts: &[(String, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    facts.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:width$}  {value}");
        text
    })
}

/// What does not depend on the method.
fn general(case: &Case, about: &str, name: &str) -> Vec<(String, String)> {
    let grid = &case.grid;
    let directions = grid.directions();
    let lengths = |all: [f64; 3]| {
        let words: Vec<_> = directions.clone().map(|d| significant(all[d])).collect();
        words.join(" x ") + " m"
    };
    let size = grid.axes.map(|axis| axis.length());
    let solid = case.solids().count();
    let mut facts = vec![
        ("method".into(), format!("{name}: {about}")),
        ("cells".into(), format!("{} = {}", cells(grid.cells()), grid.n_cells())),
        ("box".into(), lengths(size)),
        ("spacing".into(), lengths(grid.spacing())),
        ("Reynolds number".into(), significant(case.reynolds())),
    ];
    facts.extend(case.heat.iter().flat_map(|heat| of_heat(case, heat)));
    facts.extend(case.scalars.iter().map(|scalar| of_scalar(case, scalar)));
    if solid > 0 {
        facts.push(("solid cells".into(), solid.to_string()));
    }
    facts.extend(case.bodies.iter().flat_map(|body| {
        let walls = Walls::NAMES.iter().find(|(_, walls)| *walls == body.walls);
        let walls = walls.map_or("", |(name, _)| name);
        let across = significant(body.cells_across(grid));
        let words = format!("{across} cells across, walls {walls}");
        let words = std::iter::once((format!("body {}", body.name), words));
        words.chain(match &body.geometry {
            Geometry::Mesh(mesh) => of_mesh(mesh.facts(), grid),
            _ => Vec::new(),
        })
    }));
    if case.bodies.len() > 1 {
        let across = case.bodies.iter().map(|body| (body.cells_across(grid), &body.name));
        let smallest = across.min_by(|one, other| one.0.total_cmp(&other.0));
        facts.extend(smallest.map(|(across, name)| {
            ("smallest body".into(), format!("{name}, {} cells across", significant(across)))
        }));
    }
    facts
}

/// The numbers of a flow with heat.
fn of_heat(case: &Case, heat: &Heat) -> Vec<(String, String)> {
    let (length, difference) = (case.scale.length, heat.difference);
    let mut facts = vec![("Prandtl number".into(), significant(heat.prandtl(case.viscosity)))];
    if heat.is_buoyant() {
        let rayleigh = significant(heat.rayleigh(case.viscosity, length));
        let of = format!("over {} m and {} K", significant(length), significant(difference));
        facts.push(("Rayleigh number".into(), format!("{rayleigh} {of}")));
        let speed = significant(heat.free_fall_speed(length));
        facts.push(("free-fall velocity".into(), format!("{speed} m/s")));
    }
    facts.extend(ThermalLayer::of(case).map(|ThermalLayer { nusselt, thickness, cells }| {
        let [cells, thickness, nusselt] = [cells, thickness, nusselt].map(|x| digits(x, 2));
        let words =
            format!("{cells} cells, {thickness} m by an expected Nusselt number of {nusselt}");
        ("thermal layer".into(), words)
    }));
    facts
}

/// The numbers of a scalar.
fn of_scalar(case: &Case, scalar: &Scalar) -> (String, String) {
    let FlowScale { length, velocity } = case.scale;
    let schmidt = significant(scalar.schmidt(case.viscosity));
    let peclet = significant(scalar.peclet(velocity, length));
    (scalar.key(), format!("Schmidt number {schmidt}, Peclet number {peclet}"))
}

/// What a surface of triangles is, and where it lies.
fn of_mesh(facts: &MeshFacts, grid: &Grid) -> Vec<(String, String)> {
    let MeshFacts { triangles, bounds: [low, high], volume, area, .. } = facts;
    let (volume, area) = (significant(*volume), significant(*area));
    let [x, y, z] =
        [0, 1, 2].map(|d| format!("{} to {}", significant(low[d]), significant(high[d])));
    let spacing = grid.spacing();
    let cells: Vec<String> =
        grid.directions().map(|d| significant((high[d] - low[d]) / spacing[d])).collect();
    vec![
        ("  triangles".into(), format!("{triangles}, volume {volume} m3, area {area} m2")),
        ("  reaches".into(), format!("x {x}, y {y}, z {z} m: {} cells", cells.join(" x "))),
    ]
}

/// What is averaged over time.
fn averages(case: &Case) -> Option<(String, String)> {
    let StatisticsOptions { from, steps, .. } = case.statistics()?;
    let memory = bytes(case.statistics_bytes());
    let steps = if *steps == 1 { "step".into() } else { format!("{steps} steps") };
    let words = format!("of every {steps} after t = {from} s; {memory} of the memory");
    Some(("averages".into(), words))
}

/// Where the case would run, with the memory of a GPU. A GPU that cannot be used is a fact like
/// others.
fn device(
    place: Result<DevicePlacement>,
    report: &Report,
    cut: &Decomposition,
) -> Result<Vec<(String, String)>> {
    let place = match place {
        Err(Error::Device { problem, remedy }) => {
            return Ok(vec![("device".into(), format!("cannot be used: {problem}; {remedy}"))]);
        }
        place => place?,
    };
    let mut facts = vec![("device".into(), place.words(None))];
    if let Some([needed, free]) = place.memory(report, cut)? {
        let words = format!("{} needed, {} free", bytes(needed), bytes(free));
        facts.push(("device memory".into(), words));
    }
    Ok(facts)
}

fn list(references: &[Reference]) -> String {
    references.iter().fold(String::new(), |mut text, reference| {
        let _ = write!(text, "\nreference {}\n  {}\n", reference.name, reference.citation);
        if !reference.accuracy.is_empty() {
            let _ = writeln!(text, "  accuracy: {}", reference.accuracy);
        }
        text
    })
}

fn warnings(case: &Case, report: &Report, prediction: Option<String>) -> String {
    let all = case.warnings().into_iter().chain(report.warnings.iter().cloned()).chain(prediction);
    all.fold(String::new(), |text, warning| text + "\nwarning: " + &warning + "\n")
}
