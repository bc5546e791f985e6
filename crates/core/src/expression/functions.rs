//! The functions that a formula may use.

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unary {
    Minus,
    Abs,
    Acos,
    Asin,
    Atan,
    Cos,
    Cosh,
    Exp,
    Ln,
    Log10,
    Sin,
    Sinh,
    Sqrt,
    Step,
    Tan,
    Tanh,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binary {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Atan2,
    Max,
    Min,
}

/// Their names in formulas.
const UNARY: [(&str, Unary); 15] = [
    ("abs", Unary::Abs),
    ("acos", Unary::Acos),
    ("asin", Unary::Asin),
    ("atan", Unary::Atan),
    ("cos", Unary::Cos),
    ("cosh", Unary::Cosh),
    ("exp", Unary::Exp),
    ("ln", Unary::Ln),
    ("log10", Unary::Log10),
    ("sin", Unary::Sin),
    ("sinh", Unary::Sinh),
    ("sqrt", Unary::Sqrt),
    ("step", Unary::Step),
    ("tan", Unary::Tan),
    ("tanh", Unary::Tanh),
];

const BINARY: [(&str, Binary); 3] =
    [("atan2", Binary::Atan2), ("max", Binary::Max), ("min", Binary::Min)];

/// A function by its name.
pub(super) enum Function {
    One(Unary),
    Two(Binary),
}

impl Function {
    /// The one of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let one = UNARY.iter().find(|(known, _)| *known == name).map(|(_, it)| Self::One(*it));
        let two = || BINARY.iter().find(|(known, _)| *known == name).map(|(_, it)| Self::Two(*it));
        one.or_else(two)
    }

    /// The names of all.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        UNARY.iter().map(|(name, _)| *name).chain(BINARY.iter().map(|(name, _)| *name))
    }
}

impl Unary {
    pub(super) fn of(self, x: f64) -> f64 {
        match self {
            Self::Minus => -x,
            Self::Abs => x.abs(),
            Self::Acos => x.acos(),
            Self::Asin => x.asin(),
            Self::Atan => x.atan(),
            Self::Cos => x.cos(),
            Self::Cosh => x.cosh(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Log10 => x.log10(),
            Self::Sin => x.sin(),
            Self::Sinh => x.sinh(),
            Self::Sqrt => x.sqrt(),
            // One from zero on; what is no number stays none.
            Self::Step if x.is_nan() => x,
            Self::Step => f64::from(u8::from(x >= 0.0)),
            Self::Tan => x.tan(),
            Self::Tanh => x.tanh(),
        }
    }
}

impl Binary {
    pub(super) fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Plus => x + y,
            Self::Minus => x - y,
            Self::Times => x * y,
            Self::Over => x / y,
            Self::Power => x.powf(y),
            Self::Atan2 => x.atan2(y),
            // Those of the language take the number of a number and none.
            Self::Max | Self::Min if x.is_nan() || y.is_nan() => f64::NAN,
            Self::Max => x.max(y),
            Self::Min => x.min(y),
        }
    }
}
