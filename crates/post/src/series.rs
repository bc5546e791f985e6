//! Numbers over time, as files hold them.

use vortice_core::Case;

use crate::component::Component;

/// Times in s and values.
pub type Series = Vec<(f64, f64)>;

/// Share of the time from which on what is followed counts: the flow has come to its rhythm by then, if it has one.
const COUNTED_FROM: f64 = 0.5;

/// A table of numbers over time, from the text of a file.
pub(crate) struct TimeTable<'a> {
    names: Vec<&'a str>,
    rows: Vec<Vec<f64>>,
}

impl<'a> TimeTable<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let names = rows.next().unwrap_or_default();
        let numbers = rows.filter_map(|row| row.iter().map(|cell| cell.parse().ok()).collect());
        Self { names, rows: numbers.collect() }
    }

    /// The column of this name, if there is one.
    pub(crate) fn column(&self, name: &str) -> Option<Series> {
        let at = self.names.iter().position(|one| *one == name)?;
        let time = self.names.iter().position(|one| *one == "time")?;
        self.rows.iter().map(|row| Some((*row.get(time)?, *row.get(at)?))).collect()
    }
}

/// The part of a series from which on it counts.
pub(crate) fn late(series: &[(f64, f64)]) -> &[(f64, f64)] {
    let ends = series.first().zip(series.last());
    let from = ends.map_or(0.0, |((first, _), (last, _))| first + COUNTED_FROM * (last - first));
    &series[series.iter().position(|(time, _)| *time >= from).unwrap_or(series.len())..]
}

/// Coefficients of drag and lift of one body over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceSeries {
    /// Name of the body.
    pub body: String,
    /// Of the force in x.
    pub drag: Series,
    /// Of the force in y.
    pub lift: Series,
}

impl ForceSeries {
    /// Of all bodies of a case, from the text of `forces.csv`.
    pub fn all(case: &Case, forces: &str) -> Vec<Self> {
        let table = TimeTable::of(forces);
        let of_body = |name: &String| {
            let [drag, lift] = ["drag", "lift"].map(|of| table.column(&format!("{name}.{of}")));
            Some(Self { body: name.clone(), drag: drag?, lift: lift? })
        };
        case.bodies.iter().filter_map(|body| of_body(&body.name)).collect()
    }

    /// Drag or lift.
    pub fn of(&self, component: Component) -> &Series {
        match component {
            Component::Drag => &self.drag,
            Component::Lift => &self.lift,
        }
    }

    /// The later part, which counts.
    pub(crate) fn later(&self) -> Self {
        let [drag, lift] = [&self.drag, &self.lift].map(|series| late(series).to_vec());
        Self { body: self.body.clone(), drag, lift }
    }
}
