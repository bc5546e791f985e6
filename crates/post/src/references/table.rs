//! Reading a reference table: lines `# key: value`, then CSV.

use std::collections::BTreeMap;

use vortice_core::{Error, Result, Side, face_name};

use super::validity::{Lid, Step, Validity};
use super::values::{Extremum, Length, Reference, Values, VortexQuantity, VortexValue};
use crate::flow::{Line, Variable};

mod on_surfaces;

/// A table's header and rows, and how to complain about them.
struct Table<'a> {
    name: &'a str,
    header: BTreeMap<&'a str, &'a str>,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Reads a table.
pub(super) fn read(name: &str, text: &str) -> Result<Reference> {
    let table = Table::parse(name, text)?;
    let values = match table.key("kind")? {
        "profile" => table.profile()?,
        "extrema" => table.extrema()?,
        "lengths" => table.lengths()?,
        "vortices" => table.vortices()?,
        "coefficients" => table.coefficients()?,
        "nusselt" => table.nusselt()?,
        "flows" => table.flows()?,
        other => return Err(table.wrong(format!("unknown kind `{other}`"))),
    };
    let or_empty = |key| table.header.get(key).copied().unwrap_or_default().to_string();
    Ok(Reference {
        name: name.to_string(),
        citation: table.key("citation")?.to_string(),
        accuracy: or_empty("accuracy"),
        accuracies: table.accuracies()?,
        validity: table.validity()?,
        values,
    })
}

impl<'a> Table<'a> {
    fn parse(name: &'a str, text: &'a str) -> Result<Self> {
        let header = text
            .lines()
            .filter_map(|line| line.strip_prefix('#')?.split_once(':'))
            .map(|(key, value)| (key.trim(), value.trim()))
            .collect();
        let mut table = Table { name, header, columns: Vec::new(), rows: Vec::new() };
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let words = |record: &csv::StringRecord| record.iter().map(str::to_string).collect();
        table.columns = words(reader.headers().map_err(|error| table.wrong(error.to_string()))?);
        for record in reader.records() {
            table.rows.push(words(&record.map_err(|error| table.wrong(error.to_string()))?));
        }
        if table.rows.is_empty() {
            return Err(table.wrong("it has no rows".into()));
        }
        Ok(table)
    }

    fn wrong(&self, problem: String) -> Error {
        Error::case(
            "references",
            format!("table `{}`: {problem}", self.name),
            "write `# kind:`, `# citation:`, then what the other tables of this kind have",
        )
    }

    /// A line of the header.
    fn key(&self, key: &str) -> Result<&'a str> {
        let words = self.header.get(key).copied().filter(|words| !words.is_empty());
        words.ok_or_else(|| self.wrong(format!("`# {key}:` is missing")))
    }

    /// How far off each value may be: a column of the table, else what the header says of all.
    fn accuracies(&self) -> Result<Vec<f64>> {
        let of_all = self.header.get("accuracy").and_then(|words| words.parse().ok());
        let of_row = |row: &Vec<String>| match self.word(row, "accuracy") {
            Ok("") => Ok(f64::NAN),
            Ok(word) => self.number(word),
            Err(_) => Ok(of_all.unwrap_or(f64::NAN)),
        };
        self.rows.iter().map(of_row).collect()
    }

    /// For which flows the header says that the table holds.
    fn validity(&self) -> Result<Validity> {
        let key = |key| self.header.get(key).copied();
        let edge = |word: &str| match word.trim() {
            "any" => Ok(None),
            word => self.number(word).map(Some),
        };
        let edges: Vec<Option<f64>> =
            key("box").map_or(Ok(Vec::new()), |edges| edges.split('x').map(edge).collect())?;
        if !matches!(edges.len(), 0 | 2 | 3) {
            return Err(self.wrong("`# box:` is not of the form `1 x 1` or `any x 1 x 1`".into()));
        }
        Ok(Validity {
            reynolds: key("reynolds").map(|word| self.number(word)).transpose()?,
            rayleigh: key("rayleigh").map(|word| self.number(word)).transpose()?,
            prandtl: key("prandtl").map(|word| self.number(word)).transpose()?,
            edges,
            lid: key("lid").map(|words| self.lid(words)).transpose()?,
            step: key("step").map(|words| self.step(words)).transpose()?,
        })
    }

    /// A moving wall from `y-high in x`.
    fn lid(&self, words: &str) -> Result<Lid> {
        let wrong = || self.wrong(format!("`# lid: {words}` is not of the form `y-high in x`"));
        let (face, letter) = words.split_once(" in ").ok_or_else(wrong)?;
        let faces = (0..3).flat_map(|normal| Side::BOTH.map(|side| (normal, side)));
        let known = faces.into_iter().find(|(normal, side)| face_name(*normal, *side) == face);
        let ((normal, side), towards) = (known.ok_or_else(wrong)?, self.direction(letter)?);
        Ok(Lid { normal, side, towards })
    }

    /// A step from `0.5 behind a channel` and `0.5 without a channel`.
    fn step(&self, words: &str) -> Result<Step> {
        let (height, inlet) = words.split_once(' ').unwrap_or((words, ""));
        let channel = match inlet {
            "behind a channel" => true,
            "without a channel" => false,
            _ => {
                let problem =
                    format!("`# step: {words}` is not of the form `0.5 behind a channel`");
                return Err(self.wrong(problem));
            }
        };
        Ok(Step { height: self.number(height)?, channel })
    }

    /// A word of a row by the name of its column.
    fn word<'r>(&self, row: &'r [String], column: &str) -> Result<&'r str> {
        let at = self.columns.iter().position(|known| known == column);
        at.and_then(|at| row.get(at))
            .map(String::as_str)
            .ok_or_else(|| self.wrong(format!("column `{column}` is missing")))
    }

    fn number(&self, word: &str) -> Result<f64> {
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.wrong(format!("`{word}` is not a number")))
    }

    fn variable(&self, name: &str) -> Result<Variable> {
        let unknown = || self.wrong(format!("`{name}` is none of u, v, w, p"));
        Variable::named(name).ok_or_else(unknown)
    }

    fn direction(&self, name: &str) -> Result<usize> {
        let found = ["x", "y", "z"].iter().position(|known| *known == name);
        found.ok_or_else(|| self.wrong(format!("`{name}` is none of x, y, z")))
    }

    /// A line from `y` and `x = 0.5, z = 0.5`.
    fn line(&self, along: &str, at: &str) -> Result<Line> {
        let mut line = Line { along: self.direction(along)?, at: [0.0; 3] };
        for part in at.split([',', ';']) {
            let Some((direction, position)) = part.split_once('=') else {
                return Err(self.wrong(format!("`{at}` is not of the form `x = 0.5`")));
            };
            line.at[self.direction(direction.trim())?] = self.number(position.trim())?;
        }
        Ok(line)
    }

    fn profile(&self) -> Result<Values> {
        let (along, quantity) = (self.key("along")?, self.key("quantity")?);
        let (variable, line) = (self.variable(quantity)?, self.line(along, self.key("at")?)?);
        let point = |row: &Vec<String>| {
            let position = self.number(self.word(row, along)?)?;
            Ok((position, self.number(self.word(row, quantity)?)?))
        };
        let points = self.rows.iter().map(point).collect::<Result<_>>()?;
        Ok(Values::Profile { variable, line, points })
    }

    fn extrema(&self) -> Result<Values> {
        let extremum = |row: &Vec<String>| {
            let word = |column| self.word(row, column);
            let sign = match word("extremum")? {
                "min" => -1.0,
                "max" => 1.0,
                other => return Err(self.wrong(format!("`{other}` is neither min nor max"))),
            };
            let position = word("position")?;
            Ok(Extremum {
                variable: self.variable(word("quantity")?)?,
                sign,
                line: self.line(word("along")?, word("at")?)?,
                value: self.number(word("value")?)?,
                position: if position.is_empty() { f64::NAN } else { self.number(position)? },
            })
        };
        Ok(Values::Extrema(self.rows.iter().map(extremum).collect::<Result<_>>()?))
    }

    fn lengths(&self) -> Result<Values> {
        let length = |row: &Vec<String>| {
            let name = self.word(row, "quantity")?;
            let known = Length::ALL.into_iter().find(|length| length.name() == name);
            let known = known.ok_or_else(|| self.wrong(format!("unknown length `{name}`")))?;
            Ok((known, self.number(self.word(row, "value")?)?))
        };
        let unit = self.header.get("length").map_or(Ok(1.0), |unit| self.number(unit))?;
        let lengths = self.rows.iter().map(length).collect::<Result<_>>()?;
        Ok(Values::Lengths { unit, lengths })
    }

    fn vortices(&self) -> Result<Values> {
        let value = |row: &Vec<String>| {
            let name = self.word(row, "quantity")?;
            let known = VortexQuantity::ALL.into_iter().find(|quantity| quantity.name() == name);
            let unknown = || self.wrong(format!("`{name}` is none of x, y, psi, omega"));
            let vortex = self.word(row, "vortex")?.to_string();
            let value = self.number(self.word(row, "value")?)?;
            Ok(VortexValue { vortex, quantity: known.ok_or_else(unknown)?, value })
        };
        Ok(Values::Vortices(self.rows.iter().map(value).collect::<Result<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::{Coefficient, FlowShare, NusseltQuantity, NusseltValue};
    use super::*;

    const PROFILE: &str = "# citation: somebody (1900)\n# kind: profile\n# quantity: u\n\
        # along: y\n# at: x = 0.5, z = 0.25\n# accuracy: good\ny,u\n0.0, 0\n0.5,-0.2\n";

    #[test]
    fn a_profile_is_read() {
        let reference = read("name", PROFILE).unwrap();
        assert_eq!((&*reference.citation, &*reference.accuracy), ("somebody (1900)", "good"));
        let Values::Profile { variable, line, points } = reference.values else { panic!() };
        assert_eq!(variable, Variable::Velocity(0));
        assert_eq!(line, Line { along: 1, at: [0.5, 0.0, 0.25] });
        assert_eq!(points, [(0.0, 0.0), (0.5, -0.2)]);
    }

    #[test]
    fn each_value_has_its_accuracy() {
        let of_all = read("name", &PROFILE.replace("good", "0.018")).unwrap();
        assert_eq!((&*of_all.accuracy, &*of_all.accuracies), ("0.018", &[0.018, 0.018][..]));
        assert!(read("name", PROFILE).unwrap().accuracies[0].is_nan(), "words are no number");
        let own = "# citation: x\n# kind: vortices\n# accuracy: 1\nvortex,quantity,value,accuracy\n\
                   primary,psi,-0.1,1e-4\nprimary,x,0.5,\n";
        let own = read("name", own).unwrap().accuracies;
        assert!(own[0] == 1e-4 && own[1].is_nan(), "{own:?}");
    }

    #[test]
    fn what_flow_it_is_for_is_read() {
        let header =
            "# reynolds: 400\n# box: any x 1\n# lid: z-high in y\n# step: 0.5 without a channel\n";
        let validity = read("name", &format!("{header}{PROFILE}")).unwrap().validity;
        let lid = Lid { normal: 2, side: Side::High, towards: 1 };
        let step = Step { height: 0.5, channel: false };
        let (reynolds, edges) = (Some(400.0), vec![None, Some(1.0)]);
        let flow =
            Validity { reynolds, edges, lid: Some(lid), step: Some(step), ..Validity::default() };
        assert_eq!(validity, flow);
        assert_eq!(read("name", PROFILE).unwrap().validity, Validity::default());
    }

    #[test]
    fn extrema_and_lengths_are_read() {
        let text = "# citation: x\n# kind: extrema\nquantity,extremum,along,at,value,position\n\
            v,min,x,y = 0.5,-0.5,0.9\nu,max,y,\"x = 0.5, z = 0.5\",0.1,\n";
        let Values::Extrema(rows) = read("name", text).unwrap().values else { panic!() };
        assert_eq!((rows[0].sign, rows[0].value, rows[0].position), (-1.0, -0.5, 0.9));
        assert!(rows[1].position.is_nan() && rows[1].line.at == [0.5, 0.0, 0.5]);
        let text = "# citation: x\n# kind: lengths\n# length: 0.5\nquantity,value\n\
            reattachment,2.9\n";
        let Values::Lengths { unit, lengths } = read("name", text).unwrap().values else {
            panic!()
        };
        assert_eq!((unit, &*lengths), (0.5, &[(Length::Reattachment, 2.9)][..]));
    }

    #[test]
    fn vortices_are_read() {
        let text = "# citation: x\n# kind: vortices\nvortex,quantity,value\n\
            primary,psi,-0.1\nbottom_left,y,0.2\n";
        let Values::Vortices(rows) = read("name", text).unwrap().values else { panic!() };
        assert_eq!((&*rows[0].vortex, rows[0].value), ("primary", -0.1));
        assert_eq!((&*rows[1].vortex, rows[1].quantity), ("bottom_left", VortexQuantity::Y));
        let error = read("name", &text.replace("psi", "phi")).expect_err("no such quantity");
        assert!(error.to_string().contains("`phi`"), "{error}");
    }

    #[test]
    fn coefficients_are_read() {
        let text = "# citation: x\n# kind: coefficients\nbody,quantity,value\ncylinder,drag,5.58\n";
        let Values::Coefficients(rows) = read("name", text).unwrap().values else { panic!() };
        assert_eq!((&*rows[0].body, rows[0].coefficient), ("cylinder", Coefficient::Drag));
        let error = read("name", &text.replace("drag", "drift")).expect_err("no such quantity");
        assert!(error.to_string().contains("`drift`"), "{error}");
    }

    #[test]
    fn nusselt_numbers_are_read() {
        let text = "# citation: x\n# kind: nusselt\n# rayleigh: 1e3\n# prandtl: 0.71\nface,value\n\
            x-low,1.12\nx-high,-1.12\n";
        let reference = read("name", text).unwrap();
        assert_eq!(
            (reference.validity.rayleigh, reference.validity.prandtl),
            (Some(1e3), Some(0.71))
        );
        let Values::Nusselt(rows) = reference.values else { panic!() };
        let quantity = NusseltQuantity::Mean;
        assert_eq!(rows[1], NusseltValue { face: "x-high".into(), quantity, value: -1.12 });
        let extremes = text.replace("face,", "face,quantity,").replace("low,", "low,max_at,");
        let extremes = extremes.replace("high,", "high,min,");
        let local = read("name", &extremes).unwrap();
        let Values::Nusselt(rows) = local.values else { panic!() };
        assert_eq!([rows[0].words(), rows[1].words()], ["x-low Nu max at", "x-high Nu min"]);
        let error = read("name", &extremes.replace("max_at", "top")).expect_err("no such quantity");
        assert!(error.to_string().contains("none of mean, max, min"), "{error}");
        let error = read("name", &text.replace("x-low", "left")).expect_err("no such face");
        assert!(error.to_string().contains("`left`"), "{error}");
    }

    #[test]
    fn shares_of_outflows_are_read() {
        let text = "# citation: x\n# kind: flows\nface,share\nx-high,0.75\ny-high,0.25\n";
        let Values::Flows(rows) = read("name", text).unwrap().values else { panic!() };
        assert_eq!(rows[1], FlowShare { face: "y-high", share: 0.25 });
        let error = read("name", &text.replace("y-high", "branch")).expect_err("no such face");
        assert!(error.to_string().contains("`branch`"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (from, to, word) in [
            ("# kind: profile\n", "", "kind"),
            ("kind: profile", "kind: guess", "guess"),
            ("quantity: u", "quantity: q", "`q`"),
            ("along: y", "along: t", "`t`"),
            ("x = 0.5,", "x 0.5,", "x 0.5"),
            ("y,u\n", "y,v\n", "column `u`"),
            ("-0.2", "nan", "`nan`"),
            ("-0.2", "", "``"),
            ("0.0, 0\n0.5,-0.2\n", "", "no rows"),
            ("# citation: somebody (1900)\n", "", "citation"),
            ("# citation: somebody (1900)\n", "# citation: \n", "citation"),
            ("# accuracy: good", "# reynolds: high", "`high`"),
            ("# accuracy: good", "# box: 1", "# box"),
            ("# accuracy: good", "# lid: top in x", "y-high in x"),
            ("# accuracy: good", "# step: 0.5 high", "behind a channel"),
        ] {
            assert!(PROFILE.contains(from));
            let error = read("a-table", &PROFILE.replace(from, to)).expect_err(word);
            let text = error.to_string();
            assert!(text.contains("a-table") && text.contains(word), "{text}");
        }
    }
}
