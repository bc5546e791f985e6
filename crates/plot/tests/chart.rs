//! Charts and maps are drawn for any numbers, as SVG and PNG; look at them with
//! `VORTICE_PICTURES=FOLDER`.

use std::path::PathBuf;

use crate::common::sampled;
use vortice_core::Case;
use vortice_plot::{
    Chart, ChartAxis, Drawing, Guide, LineStyle, Series, SpeedMap, vorticity_limit,
};

/// The SVG file's text; the PNG file must be one too.
fn written(name: &str, drawing: &Drawing) -> String {
    let temporary = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("VORTICE_PICTURES").map(PathBuf::from);
    let path = kept.unwrap_or(temporary.path().to_owned()).join(name);
    drawing.write_svg(path.with_extension("svg")).unwrap();
    drawing.write_png(path.with_extension("png")).unwrap();
    let png = std::fs::read(path.with_extension("png")).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let svg = std::fs::read_to_string(path.with_extension("svg")).unwrap();
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    svg
}

fn chart(log: [bool; 2], points: &[(f64, f64)]) -> Chart {
    let axis = |log| ChartAxis { label: "x".into(), log, ..ChartAxis::default() };
    let series = Series { name: "computed".into(), points: points.into(), ..Series::default() };
    Chart {
        title: "A chart".into(),
        x: axis(log[0]),
        y: axis(log[1]),
        series: vec![Series { look: LineStyle::LineAndPoints, ..series }],
        guides: vec![Guide { label: "order 1".into(), slope: -1.0 }],
        ..Chart::default()
    }
}

/// The words of a drawing, in order.
fn words(svg: &str) -> Vec<&str> {
    let texts = svg.split("<text ").skip(1).filter_map(|text| text.split_once('>'));
    texts.filter_map(|(_, text)| text.split('<').next()).collect()
}

#[test]
fn ticks_are_round_numbers_even_within_a_decade() {
    let labels = |log, low, high| -> Vec<String> {
        let drawn = written("ticks", &chart([log, false], &[(low, 0.0), (high, 1.0)]).draw());
        let words = words(&drawn);
        // The title and the legend come before the labels of x, its name after those of both.
        let end = words.iter().position(|word| *word == "x").unwrap();
        words[2..end].iter().map(ToString::to_string).collect()
    };
    let holds = |labels: Vec<String>, wanted: &[&str]| {
        assert!(wanted.iter().all(|tick| labels.contains(&(*tick).into())), "{labels:?}");
    };
    holds(labels(false, -0.4, 1.0), &["−0.4", "0", "0.6", "1.0"]);
    holds(labels(false, 0.0, 2e-5), &["0", "10⁻⁵", "2·10⁻⁵"]);
    holds(labels(true, 1e-6, 1e3), &["10⁻⁶", "1"]);
    holds(labels(true, 30.0, 300.0), &["50", "100", "200"]);
    holds(labels(true, 2.1, 4.4), &["2", "3", "4"]);
    holds(labels(true, 0.01, 0.12), &["0.01", "0.10"]);
}

#[test]
fn strange_numbers_are_drawn_too() {
    let strange = [
        vec![],
        vec![(1.0, 1.0)],
        vec![(0.0, 0.0), (0.0, 0.0)],
        vec![(f64::NAN, 1.0), (1.0, f64::INFINITY), (-1.0, -2.0)],
        vec![(1e-300, 1e300), (1e300, 1e-300)],
        vec![(1.0, 1.0), (2.0, 1.0 + 1e-15), (3.0, f64::NAN), (4.0, 1.0)],
        vec![(-1e300, -1e300), (1e300, 1e300)],
    ];
    for (n, points) in strange.iter().enumerate() {
        for log in [[false, false], [true, false], [false, true], [true, true]] {
            let svg = written(&format!("strange-{n}"), &chart(log, points).draw());
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        }
    }
    let empty = written("empty", &chart([false; 2], &[]).draw());
    assert!(words(&empty).contains(&"nothing to show"));
}

#[test]
fn a_long_line_costs_little() {
    let points: Vec<_> =
        (0..50_000).map(|n| f64::from(n) * 1e-3).map(|x| (x, (3.0 * x).sin())).collect();
    let svg = chart([false; 2], &points).draw().svg();
    let line = Chart { series: vec![Series { points, ..Series::default() }], ..Chart::default() };
    assert!(line.draw().svg().len() < 60_000, "{}", line.draw().svg().len());
    assert!(svg.matches("<circle").count() > 49_000, "markers are all drawn");
}

#[test]
fn maps_of_rest_and_of_broken_numbers() {
    let text = "title = 'A box'\ngrid = { cells = [4, 3, 1], size = [1.0, 1.0, 1.0] }\n\
                fluid = { viscosity = 0.01 }\nrun = { until = 1.0 }\n[boundary]\nx-low = 'wall'\n\
                x-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\n\
                z-high = 'periodic'\n";
    let case = Case::parse(text, "map").unwrap();
    for (name, u) in [("rest", 0.0), ("broken", f64::NAN), ("uniform", 1.0)] {
        let velocity = sampled(&case, |_| [u, 0.0, 0.0]);
        let limit = vorticity_limit(&case, &velocity, 0.95);
        assert!(limit > 0.0);
        let map = SpeedMap { title: name, case: &case, velocity: &velocity, limit: 1.0 }.draw();
        assert_eq!(map.stretch(), None);
        assert!(written(name, &map).contains("data:image/png;base64,iVBOR"));
    }
}
