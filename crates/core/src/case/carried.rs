//! What the flow of a case carries, and what is known of it.

use super::meaning::Case;
use crate::quantity::Quantity;
use crate::scalar::Scalar;

impl Case {
    /// All that the flow carries: the temperature, if it has one, and the scalars with names.
    pub fn carried(&self) -> impl Iterator<Item = &Scalar> {
        self.heat.iter().map(|heat| &heat.temperature).chain(&self.scalars)
    }

    /// The scalar that it carries under this name.
    pub fn carried_as(&self, quantity: Quantity) -> Option<&Scalar> {
        self.carried().find(|scalar| scalar.quantity == quantity)
    }

    /// What a solver computes of the flow; the rest is derived of it.
    pub fn computed(&self) -> impl Iterator<Item = Quantity> {
        let carried: Vec<_> = self.carried().map(|scalar| scalar.quantity).collect();
        Quantity::computed(&carried).collect::<Vec<_>>().into_iter()
    }

    /// All that there is of the flow, averages over time left out.
    pub fn quantities(&self) -> Vec<Quantity> {
        let carried: Vec<_> = self.carried().map(|scalar| scalar.quantity).collect();
        Quantity::of(&self.grid, &carried).collect()
    }
}
