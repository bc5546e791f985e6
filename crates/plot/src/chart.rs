//! A chart: lines and points over two axes, linear or logarithmic.

mod draw;
mod guide;
mod legend;
mod look;

/// Lines and points over two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// What is drawn, in this order, so that later ones lie over earlier ones.
    pub series: Vec<Series>,
    /// Thin dashed lines of a constant slope, to compare with.
    pub guides: Vec<Guide>,
    /// Twice as wide, for a chart that has a row of the page to itself.
    pub wide: bool,
}

/// One axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartAxis {
    /// Name and unit.
    pub label: String,
    /// Whether equal factors are equally far apart; numbers that are not above zero are then left
    /// out.
    pub log: bool,
    /// Numbers that get ticks: the grids of a study, for example. If there are none, round ones.
    pub ticks: Vec<f64>,
    /// Numbers that the axis must reach, besides those of the series.
    pub reach: Vec<f64>,
}

impl ChartAxis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self { label: label.into(), log: true, ..Self::default() }
    }
}

/// One line, or one set of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend; without one it is not in the legend.
    pub name: String,
    /// Points in the order that a line joins them; those that are not finite break the line.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub look: LineStyle,
    /// Colour, marker and dashes.
    pub ink: Ink,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineStyle {
    /// Joined by a line.
    #[default]
    Line,
    /// A marker at each.
    Points,
    /// Both.
    LineAndPoints,
}

/// Which colour, marker and dashes a series has. All can be told apart without colours too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The first, second ... of six colours, which the colour-blind tell apart too; a method keeps
    /// its number in all charts of a page.
    Colour(usize),
    /// Colour and marker of a number, with the dashes of another: a variant of the same method.
    Variant(usize, usize),
    /// Black, with open markers: the first, second ... published reference.
    Reference(usize),
}

impl Default for Ink {
    fn default() -> Self {
        Self::Colour(0)
    }
}

/// A line of constant slope from the upper left end of the series, on two logarithmic axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guide {
    /// What stands beside it, such as `order 2`.
    pub label: String,
    /// Powers of y per power of x: -1 for errors that fall as 1 / cells.
    pub slope: f64,
}
