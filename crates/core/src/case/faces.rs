//! Checks of the six faces, alone and together.

use super::face::{Along, FaceFile, InflowFile, IntervalFile, OutflowFile, ProfileFile};
use super::file::{BoundaryFile, UntilFile};
use super::formulas::{Vector, check_plane_formulas, vector_of};
use super::numbers::{finite, vector};
use super::text::CaseText;
use super::velocity_table::{VelocityFile, velocity_of_table};
use crate::boundary::{Boundaries, Boundary, Interval, Profile, Side, face_name};
use crate::error::Result;
use crate::expression::Expression;
use crate::grid::Grid;
use crate::velocity_formula::{NOT_EVERYWHERE, VelocityFormula};

/// The meaning of the six faces of a run that ends at `until`.
///
/// # Errors
/// If one makes no sense, or if they do not fit together.
pub(super) fn boundaries(
    file: &BoundaryFile,
    grid: &Grid,
    until: UntilFile,
    text: &CaseText,
) -> Result<Boundaries> {
    let pairs =
        [[&file.x_low, &file.x_high], [&file.y_low, &file.y_high], [&file.z_low, &file.z_high]];
    let periodic = pairs.map(|pair| pair.iter().all(|face| matches!(face, FaceFile::Periodic)));
    let read = |face, d, side| Face { d, side, grid, periodic, until, text }.read(face);
    let boundaries = Boundaries([
        [read(&file.x_low, 0, Side::Low)?, read(&file.x_high, 0, Side::High)?],
        [read(&file.y_low, 1, Side::Low)?, read(&file.y_high, 1, Side::High)?],
        [read(&file.z_low, 2, Side::Low)?, read(&file.z_high, 2, Side::High)?],
    ]);
    check_pairs(&boundaries, text)?;
    check_plane(&boundaries, grid, text)?;
    check_convective(&boundaries, text)?;
    Ok(boundaries)
}

/// The key of a face.
pub(super) fn key(d: usize, side: Side) -> String {
    format!("boundary.{}", face_name(d, side))
}

/// Periodic faces come in pairs.
fn check_pairs(boundaries: &Boundaries, text: &CaseText) -> Result<()> {
    for d in 0..3 {
        for (side, other) in [(Side::Low, Side::High), (Side::High, Side::Low)] {
            let periodic = |side| *boundaries.at(d, side) == Boundary::Periodic;
            if periodic(side) && !periodic(other) {
                let problem = format!("is periodic, but {} is not", face_name(d, other));
                let remedy = "make both faces periodic, or neither";
                return Err(text.error(&key(d, side), problem, remedy));
            }
        }
    }
    Ok(())
}

/// Nothing may vary in z in a plane flow.
fn check_plane(boundaries: &Boundaries, grid: &Grid, text: &CaseText) -> Result<()> {
    let nothing = [Boundary::Periodic, Boundary::Symmetry];
    let z = &boundaries.0[2];
    if !grid.is_plane() || nothing.iter().any(|face| z == &[face.clone(), face.clone()]) {
        return Ok(());
    }
    let side = if nothing.contains(&z[0]) { Side::High } else { Side::Low };
    let problem = "a flow with one cell in z is plane, and nothing may act on its z faces";
    let remedy = "write \"periodic\" for z-low and z-high, or give grid.cells more cells in z";
    Err(text.error(&key(2, side), problem, remedy))
}

/// A convective outflow lets out what comes in, so it is the only one; and its speed must be known.
fn check_convective(boundaries: &Boundaries, text: &CaseText) -> Result<()> {
    let convective = |face: &Boundary| matches!(face, Boundary::ConvectiveOutflow { .. });
    let Some((d, side, face)) = boundaries.iter().find(|(.., face)| convective(face)) else {
        return Ok(());
    };
    let is_other =
        |(e, end, face): &(usize, Side, &Boundary)| face.is_outflow() && (*e, *end) != (d, side);
    if let Some((e, end, _)) = boundaries.iter().find(is_other) {
        let other = face_name(e, end);
        let problem = format!("is convective, and the flow leaves through {other}, too");
        let remedy =
            "write \"outflow\" for both: what leaves through each is then found by the pressure";
        return Err(text.error(&key(d, side), problem, remedy));
    }
    if let Some((e, end, _)) =
        boundaries.iter().find(|(.., face)| face.is_inflow() && face.changes())
    {
        let other = face_name(e, end);
        let problem = format!("is convective, and what flows in through {other} changes with time");
        let remedy = "write \"outflow\": a convective one lets out the same at all times";
        return Err(text.error(&key(d, side), problem, remedy));
    }
    let flows_in = boundaries.iter().any(|(.., face)| face.is_inflow());
    if *face == (Boundary::ConvectiveOutflow { speed: None }) && !flows_in {
        let problem = "nothing flows in here that would tell the speed of a convective outflow";
        let remedy = "give it one, { outflow = { convective = true, speed = 1.0 } }, in m/s, or make \
                      another face an inflow";
        return Err(text.error(&key(d, side), problem, remedy));
    }
    Ok(())
}

/// One face while it is read.
struct Face<'a> {
    d: usize,
    side: Side,
    grid: &'a Grid,
    periodic: [bool; 3],
    until: UntilFile,
    text: &'a CaseText<'a>,
}

impl Face<'_> {
    fn read(&self, file: &FaceFile) -> Result<Boundary> {
        match file {
            FaceFile::Periodic => Ok(Boundary::Periodic),
            FaceFile::Symmetry => Ok(Boundary::Symmetry),
            FaceFile::Wall(wall) => self.wall(&wall.velocity),
            FaceFile::Inflow(inflow) => self.inflow(inflow),
            FaceFile::Outflow(outflow) => self.outflow(outflow),
        }
    }

    fn key(&self, rest: &str) -> String {
        format!("{}.{rest}", key(self.d, self.side))
    }

    fn letter(&self) -> &'static str {
        ["x", "y", "z"][self.d]
    }

    /// The velocity under a key: numbers, formulas, or a table.
    fn velocity(&self, key: &str, file: &VelocityFile) -> Result<Vector> {
        match file {
            VelocityFile::Components(components) => {
                vector_of(key, components, self.grid, self.text)
            }
            VelocityFile::Table(table) => {
                let until = match self.until {
                    UntilFile::Time(time) => Some(time),
                    UntilFile::Steady => None,
                };
                let formulas = velocity_of_table(key, table, until, self.text)?;
                check_plane_formulas(key, &formulas, self.grid, self.text)?;
                Ok(Vector::Formulas(formulas))
            }
        }
    }

    fn wall(&self, velocity: &VelocityFile) -> Result<Boundary> {
        let key = self.key("wall.velocity");
        let (velocity, normal) = match self.velocity(&key, velocity)? {
            Vector::Numbers(velocity) => {
                vector(&key, velocity, self.grid, self.text)?;
                (Boundary::Wall { velocity }, Expression::number(velocity[self.d]))
            }
            Vector::Formulas(formulas) => {
                let normal = formulas[self.d].clone();
                let velocity = self.formula(&key, formulas)?;
                (Boundary::Formula { wall: true, velocity }, normal)
            }
        };
        if normal.as_number() != Some(0.0) {
            let letter = self.letter();
            let normal = match normal.as_number() {
                Some(number) => format!("{number} m/s"),
                None if normal.is_of_a_table() => "a table".into(),
                None => "a formula".into(),
            };
            let problem = format!("{normal} in {letter}, out of the wall's own plane");
            let remedy = format!("set its {letter} component to 0.0: a wall moves in its plane");
            return Err(self.text.error(&key, problem, remedy));
        }
        Ok(velocity)
    }

    fn inflow(&self, file: &InflowFile) -> Result<Boundary> {
        let key = self.key("inflow.velocity");
        let velocity = match self.velocity(&key, &file.velocity)? {
            Vector::Numbers(velocity) => velocity,
            Vector::Formulas(formulas) => {
                if file.profile.is_some() {
                    let key = self.key("inflow.profile");
                    let table = formulas.iter().any(Expression::is_of_a_table);
                    let (problem, remedy) = if table {
                        let problem = "a profile stands beside a velocity that a table gives";
                        (problem, "leave it out: a table is of the whole face")
                    } else {
                        let problem = "a profile stands beside a velocity that is a formula";
                        (problem, "leave it out, and write the profile as a part of the formula")
                    };
                    return Err(self.text.error(&key, problem, remedy));
                }
                if let Some(normal) = formulas[self.d].as_number() {
                    self.check_enters(&key, normal)?;
                }
                let velocity = self.formula(&key, formulas)?;
                return Ok(Boundary::Formula { wall: false, velocity });
            }
        };
        vector(&key, velocity, self.grid, self.text)?;
        self.check_enters(&key, velocity[self.d])?;
        let profile = match &file.profile {
            None | Some(ProfileFile::Everywhere) => Profile::Uniform(None),
            Some(ProfileFile::Uniform(file)) => {
                Profile::Uniform(Some(self.interval(file, "uniform")?))
            }
            Some(ProfileFile::Parabolic(file)) => {
                Profile::Parabolic(self.interval(file, "parabolic")?)
            }
        };
        Ok(Boundary::Inflow { velocity, profile })
    }

    /// A normal velocity that is the same everywhere points into the box.
    fn check_enters(&self, key: &str, normal: f64) -> Result<()> {
        let inwards = if self.side == Side::Low { 1.0 } else { -1.0 };
        if normal * inwards > 0.0 {
            return Ok(());
        }
        let sign = if self.side == Side::Low { "positive" } else { "negative" };
        let letter = self.letter();
        let problem = format!("{normal} m/s in {letter} does not point into the box");
        let remedy = format!("give it a {sign} {letter} component, or write \"outflow\"");
        Err(self.text.error(key, problem, remedy))
    }

    fn formula(&self, key: &str, formulas: [Expression; 3]) -> Result<VelocityFormula> {
        let until = self.until.time();
        if let Some(formula) = formulas.iter().find(|formula| formula.changes())
            && matches!(self.until, UntilFile::Steady)
        {
            let problem = format!(
                "`{}` changes with time, and the run waits for a steady flow",
                formula.text()
            );
            let remedy = "set run.until to a time in s, or give a velocity that stays";
            return Err(self.text.error(key, problem, remedy));
        }
        let axis = &self.grid.axes[self.d];
        let at = if self.side == Side::Low { axis.low() } else { axis.high() };
        VelocityFormula::new(formulas, key, (self.d, at), self.grid, self.periodic, until)
            .map_err(|(_, problem)| self.text.error(key, problem, NOT_EVERYWHERE))
    }

    fn outflow(&self, file: &OutflowFile) -> Result<Boundary> {
        let pressure = file.pressure.unwrap_or(0.0);
        finite(&self.key("outflow.pressure"), [pressure; 3], self.text)?;
        let wrong = |name: &str, problem: String, remedy: &str| {
            Err(self.text.error(&self.key(name), problem, remedy))
        };
        match *file {
            OutflowFile { pressure: Some(_), convective: true, .. } => {
                let problem = "a convective outflow holds no pressure".into();
                wrong("outflow.pressure", problem, "remove the pressure, or convective = true")
            }
            OutflowFile { speed: Some(speed), convective: true, .. }
                if !(speed > 0.0 && speed.is_finite()) =>
            {
                let problem = format!("{speed} m/s carries nothing out of the box");
                wrong(
                    "outflow.speed",
                    problem,
                    "give a positive speed in m/s, or none: the mean one",
                )
            }
            OutflowFile { speed: Some(_), convective: false, .. } => {
                let problem = "only a convective outflow has a speed".into();
                wrong("outflow.speed", problem, "add convective = true, or remove the speed")
            }
            OutflowFile { speed, convective: true, .. } => {
                Ok(Boundary::ConvectiveOutflow { speed })
            }
            OutflowFile { convective: false, .. } => Ok(Boundary::Outflow { pressure }),
        }
    }

    fn interval(&self, file: &IntervalFile, shape: &str) -> Result<Interval> {
        let key = |name: &str| self.key(&format!("inflow.profile.{shape}.{name}"));
        let wrong = |name: &str, problem: String, remedy: String| {
            Err(self.text.error(&key(name), problem, remedy))
        };
        let (along, letter) = match file.along {
            Along::X => (0, "x"),
            Along::Y => (1, "y"),
            Along::Z => (2, "z"),
        };
        if along == self.d {
            let problem = format!("{letter} is perpendicular to the face");
            return wrong("along", problem, "name a direction in the plane of the face".into());
        }
        if along == 2 && self.grid.is_plane() {
            let problem = "z has one cell: the flow is plane".into();
            return wrong("along", problem, "name a direction that the flow varies in".into());
        }
        let (from, to) = (file.from, file.to);
        finite(&key("from"), [from; 3], self.text)?;
        finite(&key("to"), [to; 3], self.text)?;
        if from >= to {
            let problem = format!("{to} is not above from = {from}");
            return wrong("to", problem, "give the lower end first".into());
        }
        let axis = &self.grid.axes[along];
        let slack = 1e-9 * axis.length();
        let (low, high) = (axis.low(), axis.high());
        for (name, end) in [("from", from), ("to", to)] {
            if end < low - slack || end > high + slack {
                let problem = format!("{end} is outside the box");
                let remedy = format!("the box reaches from {low} to {high} m in {letter}");
                return wrong(name, problem, remedy);
            }
        }
        Ok(Interval { along, from, to })
    }
}
