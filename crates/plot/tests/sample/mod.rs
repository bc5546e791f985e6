//! A page with one of everything: realistic contents made of formulas.

#![allow(dead_code)] // each test uses its part

use vortice_core::Case;
use vortice_plot::{
    Cell, Chart, ChartAxis, Column, DifferenceMap, Drawing, Figure, Guide, Ink, LineStyle, Link,
    Page, Part, Section, Series, Table, Tone, VorticityMap, largest_difference, vorticity_limit,
};

use crate::common::sampled;

pub(crate) fn section(title: &str, part: Part) -> Section {
    Section { title: title.into(), parts: vec![part] }
}

pub(crate) fn figure(name: &str, drawing: Drawing) -> Figure {
    let text =
        |what: &str| format!("{what} of {name}, which says in a sentence what is to be seen.");
    Figure { name: name.into(), caption: text("Caption"), alternative: text("Picture"), drawing }
}

fn table(rows: usize) -> Table {
    let names =
        ["u min", "error, %", "v max", "v min", "error of v min, %", "vortex x", "vortex y"];
    let columns = names.map(|name| Column::numbers(name, "What the column means in one sentence."));
    let row = |n: usize| {
        let number =
            |c: usize| Cell::number((n * 7 + c) as f64 % 5.0, format!("{}.0{c}", (n * 7 + c) % 5));
        let tone = [Tone::Good, Tone::Bad, Tone::Plain, Tone::Muted][n % 4];
        let words = [Cell::word(["fdm", "fvm quick", "lbm"][n % 3])];
        words.into_iter().chain((0..7).map(|c| number(c).with_tone(tone))).collect()
    };
    Table {
        caption: "Every run against its references, a row per run".into(),
        columns: [Column::words("Method")].into_iter().chain(columns).collect(),
        rows: (0..rows).map(row).collect(),
    }
}

/// Errors of methods that fall with orders 1 and 2, over a range that has few round numbers.
fn errors() -> Chart {
    let series = (0..6).map(|n| Series {
        name: ["fdm", "fvm", "lbm"][n % 3].to_owned() + ["", ", quick"][n / 3],
        points: [32.0, 64.0, 128.0, 256.0]
            .map(|x: f64| (x, (n + 2) as f64 * 300.0 / x.powi(2)))
            .into(),
        look: LineStyle::LineAndPoints,
        ink: Ink::Variant(n % 3, n / 3),
    });
    Chart {
        title: "Error of u min over cells".into(),
        x: ChartAxis { ticks: vec![32.0, 64.0, 128.0, 256.0], ..ChartAxis::log("cells along x") },
        y: ChartAxis::log("error in %"),
        series: series.collect(),
        guides: [1, 2].map(|n| Guide { label: format!("order {n}"), slope: f64::from(-n) }).into(),
        ..Chart::default()
    }
}

fn profiles() -> Chart {
    let curve = |n: usize, shift: f64| -> Vec<_> {
        let heights = (0..=n).map(|i| i as f64 / n as f64);
        heights.map(|y| (y * (3.0 * y - 2.0) + shift * y * (1.0 - y), y)).collect()
    };
    let names = ["fdm", "fvm", "lbm"].into_iter().enumerate();
    let mut series: Vec<Series> = names
        .map(|(n, name)| Series {
            name: name.into(),
            points: curve(200, 0.02 * n as f64),
            look: LineStyle::Line,
            ink: Ink::Variant(n, n),
        })
        .collect();
    series.extend(["Ghia et al. (1982)", "Botella, Peyret (1998)"].into_iter().enumerate().map(
        |(n, name)| Series {
            name: name.into(),
            points: curve(15 + n, 0.0),
            look: LineStyle::Points,
            ink: Ink::Reference(n),
        },
    ));
    let [x, y] = ["u / U", "y / L"].map(ChartAxis::linear);
    Chart { title: "u on the line x = 0.5".into(), x, y, series, ..Chart::default() }
}

fn history() -> Chart {
    let points = |rate: f64| -> Vec<_> {
        let times = (0..20_000).map(|n| 1e-3 * f64::from(n));
        times.map(|t| (t, 30.0 * (-rate * t).exp() * (1.1 + (9.0 * t).sin()))).collect()
    };
    let series = ["fdm", "fvm", "lbm"].into_iter().enumerate().map(|(n, name)| Series {
        name: name.into(),
        points: points(0.6 + 0.3 * n as f64),
        ink: Ink::Variant(n, n),
        ..Series::default()
    });
    let [x, y] = [ChartAxis::linear("time in s"), ChartAxis::log("change per second")];
    let (title, series) = ("How the runs converge".into(), series.collect());
    Chart { title, x, y, series, wide: true, ..Chart::default() }
}

fn cavity(n: usize) -> Case {
    case(&format!("{{ cells = [{n},{n},1], size = [1.0,1.0,{}] }}", 1.0 / n as f64), "")
}

fn case(grid: &str, solid: &str) -> Case {
    let text = format!(
        "title = 'A box'\ngrid = {grid}\nfluid = {{ viscosity = 0.01 }}\nrun = {{ until = 1.0 }}\n\
         [boundary]\nx-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = 'periodic'\n\
         z-high = 'periodic'\n{solid}"
    );
    Case::parse(&text, "page").unwrap()
}

/// One large eddy with a moving lid, and a slightly different one.
fn eddy([x, y, _]: [f64; 3], shift: f64) -> [f64; 3] {
    let f = [x * x * (1.0 - x).powi(2), 2.0 * x * (1.0 - x) * (1.0 - 2.0 * x)];
    let g = [y * y * (y - 1.0), y * (3.0 * y - 2.0)];
    let ripple = shift * (9.0 * x).sin() * (7.0 * y).sin();
    [16.0 * f[0] * g[1] + ripple, -16.0 * f[1] * g[0], 0.0]
}

fn maps() -> Vec<Figure> {
    let case = cavity(96);
    let [a, b] = [0.0, 1e-3].map(|shift| sampled(&case, |place| eddy(place, shift)));
    let limit = vorticity_limit(&case, &a, 0.95);
    let map = |title| VorticityMap { title, case: &case, velocity: &a, limit }.draw();
    let velocities = [&a, &b];
    let limit = largest_difference(&case, velocities, 1.0, 0.99);
    assert!((1e-4..=1e-3).contains(&limit), "differences of {limit}");
    let difference =
        DifferenceMap { title: "fdm and fvm", case: &case, velocities, scale: 1.0, limit };
    let names = ["vorticity-fdm", "vorticity-fvm", "vorticity-lbm"];
    let figures = names.map(|name| figure(name, map("Vorticity and streamlines")));
    figures.into_iter().chain([figure("difference", difference.draw())]).collect()
}

fn channel() -> Drawing {
    let solid = "[[solid]]\nlow = [0.0, 0.0, 0.0]\nhigh = [3.0, 0.5, 0.1]\n";
    let case = case("{ cells = [300, 20, 1], size = [15.0, 1.0, 0.1] }", solid);
    let velocity = sampled(&case, |[x, y, _]| {
        let low = if x < 3.0 { 0.5 } else { 0.0 };
        let s = ((y - low) / (1.0 - low)).max(0.0);
        [6.0 * s * (1.0 - s) * 0.5 / (1.0 - low), 0.05 * (x - 4.0).sin() * s * (1.0 - s), 0.0]
    });
    let limit = vorticity_limit(&case, &velocity, 0.98);
    VorticityMap { title: "Behind a step", case: &case, velocity: &velocity, limit }.draw()
}

/// One of everything.
pub(crate) fn full() -> Page {
    let figures = |figures, wide| Part::Figures { figures, wide };
    let facts = [
        ("Case", "cavity"),
        ("Machine", "2 cores of a processor with a long name, 8 GiB"),
        ("Version", "0.1.0"),
    ];
    let facts = facts.map(|(name, value)| (name.into(), value.into())).into();
    let link = Link { path: "fields/a b#?.vtkhdf".into(), about: "the finest fields".into() };
    let charts = vec![figure("errors", errors().draw()), figure("profiles", profiles().draw())];
    Page {
        title: "Lid-driven cavity, Re = 1000: three methods on four grids".into(),
        lead: "All methods agree with each other and with what was published.".into(),
        sections: vec![
            Section {
                title: "What was run".into(),
                parts: vec![
                    Part::Facts(facts),
                    Part::Note(Tone::Bad, "One run failed: lbm on 32 x 32 cells diverged.".into()),
                    Part::Code(
                        "title = \"Lid-driven cavity\"\ngrid = { cells = [128, 128, 1] }".into(),
                    ),
                    Part::Files(vec![link]),
                ],
            },
            section("Results", Part::Table(table(12))),
            section("Charts", figures(charts, false)),
            section("Convergence", figures(vec![figure("history", history().draw())], true)),
            section("Fields", figures(maps(), false)),
            section("Channel", figures(vec![figure("channel", channel())], true)),
        ],
        foot: "Vortice 0.1.0".into(),
    }
}
