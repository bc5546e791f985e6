//! Where a flow is looked at: the lines and the plane that its references speak of.

use vortice_core::{Case, CutPlane};

use super::values::{Reference, Values};
use crate::flow::{Line, Variable};

/// Lines with the variable that is looked at: those of profiles, else those of extremes, else the centre
/// lines of the plane that is shown, each once.
pub fn lines(case: &Case, references: &[Reference]) -> Vec<(Variable, Line)> {
    let profiles = of_all(references, of_profile);
    let of_references = if profiles.is_empty() { of_all(references, of_extrema) } else { profiles };
    if !of_references.is_empty() {
        return of_references;
    }
    let (axes, plane) = (&case.grid.axes, case.plane_shown());
    let mut at = axes.map(|axis| 0.5 * axis.length() / case.scale.length);
    at[plane.normal] = (plane.position - axes[plane.normal].low()) / case.scale.length;
    let [right, up] = plane.directions();
    [(right, up), (up, right)]
        .map(|(component, along)| (Variable::Velocity(component), Line { along, at }))
        .to_vec()
}

/// All lines that values are read along: those that a flow is looked at along, and those of its references.
pub(crate) fn all_lines(case: &Case, references: &[Reference]) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    for (_, line) in lines(case, references).into_iter().chain(of_all(references, of_any)) {
        if !all.contains(&line) {
            all.push(line);
        }
    }
    all
}

/// What is published on a line, and by which reference: positions and values of profiles, else of
/// extremes.
pub fn published(
    references: &[Reference],
    variable: Variable,
    line: Line,
) -> Vec<(&str, Vec<(f64, f64)>)> {
    let of_all = |on_line: &dyn Fn(&Values) -> Vec<(f64, f64)>| -> Vec<_> {
        let all = references.iter().map(|one| (&*one.name, on_line(&one.values)));
        all.filter(|(_, points)| !points.is_empty()).collect()
    };
    let profiles = of_all(&|values| match values {
        Values::Profile { variable: v, line: l, points } if (*v, *l) == (variable, line) => {
            points.clone()
        }
        _ => Vec::new(),
    });
    if !profiles.is_empty() {
        return profiles;
    }
    of_all(&|values| match values {
        Values::Extrema(rows) => {
            let here = rows.iter().filter(|row| (row.variable, row.line) == (variable, line));
            let known = here.filter(|row| row.position.is_finite());
            known.map(|row| (row.position, row.value)).collect()
        }
        _ => Vec::new(),
    })
}

/// The plane across a flow in space that holds all lines of its references: nothing for a plane flow, if
/// there are no lines, or if no plane holds them all.
pub fn plane(case: &Case, references: &[Reference]) -> Option<CutPlane> {
    let all = of_all(references, of_any);
    let ((_, first), others) = all.split_first().filter(|_| !case.grid.is_plane())?;
    let holds = |normal: &usize| {
        let is_in = |line: &Line| line.along != *normal && line.at[*normal] == first.at[*normal];
        is_in(first) && others.iter().all(|(_, line)| is_in(line))
    };
    let normal = (0..3).rev().find(holds)?;
    let position = case.grid.axes[normal].low() + first.at[normal] * case.scale.length;
    Some(CutPlane { normal, position })
}

fn of_any(values: &Values) -> Vec<(Variable, Line)> {
    of_profile(values).into_iter().chain(of_extrema(values)).collect()
}

fn of_profile(values: &Values) -> Vec<(Variable, Line)> {
    match values {
        Values::Profile { variable, line, .. } => vec![(*variable, *line)],
        _ => Vec::new(),
    }
}

fn of_extrema(values: &Values) -> Vec<(Variable, Line)> {
    match values {
        Values::Extrema(rows) => rows.iter().map(|row| (row.variable, row.line)).collect(),
        _ => Vec::new(),
    }
}

/// The lines of all references, each once.
fn of_all(
    references: &[Reference],
    of: impl Fn(&Values) -> Vec<(Variable, Line)>,
) -> Vec<(Variable, Line)> {
    let mut lines = Vec::new();
    for line in references.iter().flat_map(|reference| of(&reference.values)) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::case;

    #[test]
    fn a_cube_is_looked_at_where_its_table_is() {
        let lid = "boundary.z-high={ wall = { velocity = [1.0, 0.0, 0.0] } }";
        let table = r#"references=["albensoeder-2005-cube-re1000-extrema"]"#;
        let sets =
            ["grid.size=[1.0,1.0,1.0]", "fluid.viscosity=1e-3", "boundary.z-low=wall", lid, table];
        let cube = case("grid.cells=[4,4,4]", &sets.map(String::from));
        let references = Reference::of(&cube).unwrap();
        assert_eq!(plane(&cube, &references), Some(CutPlane { normal: 1, position: 0.5 }));
        let lines = lines(&cube, &references);
        let upwards = (Variable::Velocity(0), Line { along: 2, at: [0.5, 0.5, 0.0] });
        let along = (Variable::Velocity(2), Line { along: 0, at: [0.0, 0.5, 0.5] });
        assert_eq!(lines, [upwards, along]);
        let published = published(&references, along.0, along.1);
        let points = vec![(0.90957, -0.4350186), (0.10913, 0.2466511)];
        assert_eq!(published, [("albensoeder-2005-cube-re1000-extrema", points)]);
    }

    #[test]
    fn without_references_the_lines_lie_in_the_plane_that_is_shown() {
        let sets = ["grid.size=[2.0,1.0,1.0]", "output.plane=\"y = 0.25\""].map(String::from);
        let in_space = case("grid.cells=[4,4,4]", &sets);
        assert_eq!(plane(&in_space, &[]), None);
        let lines = lines(&in_space, &[]);
        let at = [1.0, 0.25, 0.5];
        let expected =
            [(0, 2), (2, 0)].map(|(c, along)| (Variable::Velocity(c), Line { along, at }));
        assert_eq!(lines, expected);
    }
}
