//! Tables of what flows past bodies, walls and the faces of the box.

use vortice_core::{Result, Side, face_name};

use super::super::values::{
    Coefficient, CoefficientValue, FlowShare, NusseltQuantity, NusseltValue, Values,
};
use super::Table;

impl Table<'_> {
    pub(super) fn coefficients(&self) -> Result<Values> {
        let value = |row: &Vec<String>| {
            let name = self.word(row, "quantity")?;
            let known = Coefficient::ALL.into_iter().find(|one| one.name() == name);
            let unknown = || {
                let names = Coefficient::ALL.map(Coefficient::name).join(", ");
                self.wrong(format!("`{name}` is none of {names}"))
            };
            let body = self.word(row, "body")?.to_string();
            let value = self.number(self.word(row, "value")?)?;
            Ok(CoefficientValue { body, coefficient: known.ok_or_else(unknown)?, value })
        };
        Ok(Values::Coefficients(self.rows.iter().map(value).collect::<Result<_>>()?))
    }

    pub(super) fn nusselt(&self) -> Result<Values> {
        let value = |row: &Vec<String>| {
            let face = match self.word(row, "body") {
                Ok(body) => body.to_owned(),
                Err(_) => self.face(row)?.to_owned(),
            };
            // Tables of means alone need no column for that.
            let name = self.word(row, "quantity").unwrap_or("mean");
            let quantity = NusseltQuantity::ALL.into_iter().find(|one| one.name() == name);
            let unknown = || {
                let names = NusseltQuantity::ALL.map(NusseltQuantity::name).join(", ");
                self.wrong(format!("`{name}` is none of {names}"))
            };
            let (quantity, value) = (quantity.ok_or_else(unknown)?, self.word(row, "value")?);
            Ok(NusseltValue { face, quantity, value: self.number(value)? })
        };
        Ok(Values::Nusselt(self.rows.iter().map(value).collect::<Result<_>>()?))
    }

    pub(super) fn flows(&self) -> Result<Values> {
        let share = |row: &Vec<String>| {
            Ok(FlowShare { face: self.face(row)?, share: self.number(self.word(row, "share")?)? })
        };
        Ok(Values::Flows(self.rows.iter().map(share).collect::<Result<_>>()?))
    }

    /// The face of the box that a row is about.
    fn face(&self, row: &[String]) -> Result<&'static str> {
        let name = self.word(row, "face")?;
        let mut known = (0..3).flat_map(|d| Side::BOTH.map(|side| face_name(d, side)));
        let face = known.find(|face| *face == name);
        face.ok_or_else(|| self.wrong(format!("`{name}` is no face like x-low")))
    }
}
