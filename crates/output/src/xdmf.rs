//! The text file that opens the same fields in programs that do not know temporal VTKHDF.

use std::fmt::Write;

use vortice_core::{Grid, Precision, Quantity};

use crate::vtkhdf::{SOLID, step_group};

/// What the text says of a VTKHDF file beside it.
pub(crate) struct Xdmf {
    /// Name of the VTKHDF file, without folder.
    pub(crate) heavy: String,
    pub(crate) grid: Grid,
    pub(crate) quantities: Vec<Quantity>,
    pub(crate) precision: Precision,
    pub(crate) solid: bool,
    pub(crate) times: Vec<f64>,
}

impl Xdmf {
    /// What stands before the steps.
    pub(crate) const BEGIN: &'static str = "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n\
        <Xdmf Version=\"2.0\"><Domain><Grid Name=\"steps\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    /// What stands behind them.
    pub(crate) const END: &'static str = "</Grid></Domain></Xdmf>\n";

    /// All steps.
    pub(crate) fn steps(&self) -> String {
        (0..self.times.len()).map(|step| self.step(step)).collect()
    }

    /// One step. Sizes and positions stand in the order z, y, x, as XDMF wants them.
    pub(crate) fn step(&self, step: usize) -> String {
        let (mut text, time) = (String::new(), self.times[step]);
        let [nx, ny, nz] = self.grid.cells().map(|n| n + 1);
        let [ox, oy, oz] = self.grid.axes.map(|axis| axis.low());
        let [dx, dy, dz] = self.grid.spacing();
        let point = r#"<DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">"#;
        put(
            &mut text,
            format_args!(r#"<Grid Name="step{step}" GridType="Uniform"><Time Value="{time:?}"/>"#),
        );
        put(
            &mut text,
            format_args!(r#"<Topology TopologyType="3DCoRectMesh" Dimensions="{nz} {ny} {nx}"/>"#),
        );
        put(&mut text, format_args!(r#"<Geometry GeometryType="ORIGIN_DXDYDZ">"#));
        put(&mut text, format_args!("{point}{oz:?} {oy:?} {ox:?}</DataItem>"));
        put(&mut text, format_args!("{point}{dz:?} {dy:?} {dx:?}</DataItem>"));
        put(&mut text, format_args!("</Geometry>"));
        for quantity in &self.quantities {
            let bytes = if self.precision == Precision::F32 { 4 } else { 8 };
            let path = format!("{}/{}", step_group(step), quantity.name());
            self.array(&mut text, quantity.name(), quantity.components(), ("Float", bytes), &path);
        }
        if self.solid {
            self.array(&mut text, SOLID, 1, ("UChar", 1), &format!("/XDMF/{SOLID}"));
        }
        put(&mut text, format_args!("</Grid>"));
        text
    }

    fn array(
        &self,
        text: &mut String,
        name: &str,
        components: usize,
        (number, bytes): (&str, usize),
        path: &str,
    ) {
        let [nx, ny, nz] = self.grid.cells();
        let (kind, last) = if components == 1 { ("Scalar", "") } else { ("Vector", " 3") };
        let heavy = escaped(&self.heavy);
        put(
            text,
            format_args!(r#"<Attribute Name="{name}" AttributeType="{kind}" Center="Cell">"#),
        );
        put(
            text,
            format_args!(
                r#"<DataItem Dimensions="{nz} {ny} {nx}{last}" NumberType="{number}" Precision="{bytes}" Format="HDF">{heavy}:{path}</DataItem>"#
            ),
        );
        put(text, format_args!("</Attribute>"));
    }
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes all text");
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_names_its_own_views_in_z_y_x_order() {
        let grid = Grid::uniform([4, 3, 2], [4.0, 1.5, 1.0], [-1.0, 0.0, 0.25]);
        let text = Xdmf {
            heavy: "a & b.vtkhdf".into(),
            grid,
            quantities: vec![Quantity::Velocity],
            precision: Precision::F32,
            solid: true,
            times: vec![0.0, 0.5],
        }
        .steps();
        for expected in [
            "Dimensions=\"3 4 5\"",
            ">0.25 0.0 -1.0<",
            ">0.5 0.5 1.0<",
            "Dimensions=\"2 3 4 3\" NumberType=\"Float\" Precision=\"4\"",
            "a &amp; b.vtkhdf:/XDMF/00/00/step000001/velocity",
            "a &amp; b.vtkhdf:/XDMF/solid",
            "<Time Value=\"0.5\"/>",
        ] {
            assert!(text.contains(expected), "{expected} is not in\n{text}");
        }
    }
}
