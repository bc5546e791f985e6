//! A panel with a computed profile over the points of a reference.

use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LinePlot, ScatterPlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};

use super::ProfilePlot;

const LINE: &str = "#3b528b";
const POINTS: &str = "#d1495b";

/// Draws a profile into a panel of a size; numbers that are not finite are left out.
pub(super) fn draw(profile: &ProfilePlot, width: f64, height: f64) -> Scene {
    let finite = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect()
    };
    let (computed, reference) = (finite(&profile.computed), finite(&profile.reference));
    let mut plots: Vec<Plot> = Vec::new();
    if !computed.is_empty() {
        let line = LinePlot::new().with_data(computed).with_color(LINE).with_stroke_width(2.0);
        plots.push(line.with_legend("computed").into());
    }
    if !reference.is_empty() {
        let points = ScatterPlot::new().with_data(reference).with_color(POINTS).with_size(4.0);
        let points = points.with_marker(MarkerShape::Circle);
        plots.push(points.with_legend(profile.reference_name.as_str()).into());
    }
    if plots.is_empty() {
        plots.push(
            LinePlot::new().with_data([(0.0, 0.0), (1.0, 1.0)]).with_stroke_width(0.0).into(),
        );
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_width(width)
        .with_height(height)
        .with_title(profile.title.as_str())
        .with_title_size(14)
        .with_x_label(profile.x_label.as_str())
        .with_y_label(profile.y_label.as_str())
        .with_legend_position(kuva::plot::legend::LegendPosition::OutsideBottomColumns);
    render_multiple(plots, layout)
}
