//! The page holds what it is given, and nothing in a text becomes markup; look at it with
//! `VORTICE_PICTURES=FOLDER`.

use std::path::PathBuf;

use crate::sample::{figure, full, section};
use vortice_plot::{
    Cell, Chart, ChartAxis, Column, Link, Page, Part, Section, Series, Table, Tone, write_page,
};

/// A text with all that HTML, SVG and the plotting crate could take for their own.
const WILD: &str = "</script><script>alert(1)</script> & \"'$x$ < > \u{1} ]]>";

fn written(name: &str, page: &Page) -> String {
    let temporary = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("VORTICE_PICTURES").map(PathBuf::from);
    let path = kept.unwrap_or(temporary.path().to_owned()).join(name).with_extension("html");
    write_page(&path, page).unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_page_holds_one_of_everything_and_loads_nothing() {
    let text = written("full", &full());
    assert!(text.len() < 1_500_000, "{} bytes", text.len());
    assert_eq!(text.matches("<figure ").count(), 8);
    assert_eq!(text.matches("<svg ").count(), 8);
    assert_eq!(text.matches("<tr>").count(), 13);
    assert_eq!(text.matches("<nav").count(), 1);
    assert_eq!(text.matches("class=\"number ").count(), 7 * 13);
    let addresses = text.matches("http").count() - text.matches("http-equiv").count();
    assert_eq!(addresses, text.matches("http://www.w3.org/2000/svg").count());
    assert!(text.contains("href=\"./fields/a%20b%23%3F.vtkhdf\""));
}

#[test]
fn folded_parts_stand_under_a_line_of_text() {
    let inside = vec![Part::Text("within".into()), Part::Code("a < b".into())];
    let page = Page {
        sections: vec![section("Results", Part::Folded("more".into(), inside))],
        ..Page::default()
    };
    let text = written("folded", &page);
    assert!(text.contains("<details><summary>more</summary><p>within</p>"), "{text}");
    assert!(text.contains("a &lt; b</code></pre></details>"), "{text}");
}

#[test]
fn names_of_places_are_unique() {
    let sections = ["Results", "Results", "results?", "Ärger & <b>"];
    let page = Page {
        sections: sections.map(|title| section(title, Part::Heading("x".into()))).into(),
        ..full()
    };
    let text = written("names", &page);
    let mut names: Vec<&str> =
        text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let n = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n, "{names:?}");
    assert_eq!(n, 8);
    for link in text.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(names.contains(&link), "{link}");
    }
}

#[test]
fn wild_texts_stay_texts() {
    let wild = || WILD.to_owned();
    let axis = || ChartAxis::linear(WILD);
    let series = Series { name: wild(), points: vec![(0.0, 1.0), (1.0, 2.0)], ..Series::default() };
    let chart =
        Chart { title: wild(), x: axis(), y: axis(), series: vec![series], ..Chart::default() };
    let mut figure = figure(WILD, chart.draw());
    (figure.caption, figure.alternative) = (wild(), wild());
    let table = Table {
        caption: wild(),
        columns: vec![Column::numbers(WILD, WILD)],
        rows: vec![vec![Cell::number(f64::NAN, WILD)], vec![]],
    };
    let parts = vec![
        Part::Text(wild()),
        Part::Note(Tone::Good, wild()),
        Part::Heading(wild()),
        Part::Facts(vec![(wild(), wild())]),
        Part::Table(table),
        Part::Figures { figures: vec![figure], wide: true },
        Part::Code(wild()),
        Part::Files(vec![Link { path: "javascript:alert(1)".into(), about: wild() }]),
    ];
    let sections = vec![Section { title: wild(), parts }];
    let text = written("wild", &Page { title: wild(), lead: wild(), sections, foot: wild() });
    // The page's own script is the only one.
    assert_eq!(text.matches("<script").count(), 1);
    assert_eq!(text.matches("</script").count(), 1);
    assert!(!text.contains("href=\"javascript"));
    assert!(!text.contains("NaN"));
    let words = text.matches("&lt;/script&gt;&lt;script&gt;alert(1)").count();
    assert!(words >= 16, "the texts themselves are there {words} times");
}
