//! Levels that every rank has as a whole, put together from what each computes.

use vortice_core::{Communicator, Result, Shape};
use vortice_gpu::{Buffer, DeviceGather, Gpu, Module};
use vortice_linear::{Cut, Level, Levels, Part};

use super::numbers::Layout;

/// The cells of a level that this rank computes before all ranks have all of them.
pub(crate) struct Gathered {
    /// Where they lie.
    pub(crate) layout: Layout,
    /// Their values: as many arrays as there are directions.
    pub(crate) own: Buffer<f64>,
    shape: Shape,
    whole: Shape,
    cells: [usize; 3],
    cut: Cut,
    /// Of right-hand sides and of the coefficients of each direction, if devices do it alone.
    on_devices: Option<Vec<DeviceGather>>,
}

/// What is put together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// The right-hand side, the first array.
    RightHandSide,
    /// The coefficients of a direction, with the high faces at the end of the box.
    Coefficients(usize),
}

impl What {
    /// Which of the arrays, and in which direction it has faces.
    fn component(self) -> (usize, Option<usize>) {
        match self {
            Self::RightHandSide => (0, None),
            Self::Coefficients(d) => (d, Some(d)),
        }
    }
}

impl Gathered {
    /// The cells of a level; none if ranks do not put it together.
    ///
    /// # Errors
    /// If the device's memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        module: &Module,
        levels: &Levels,
        number: usize,
    ) -> Result<Option<Self>> {
        let level = &levels.levels[number];
        if number == 0 || !level.whole || levels.levels[number - 1].whole {
            return Ok(None);
        }
        let cut = levels.cuts[number].clone();
        let halo = level.layout.halo;
        let own = vortice_linear::Layout { cells: cut.part().cells, halo };
        let layout =
            Layout::new(&Level { layout: own, part: cut.part(), whole: false, ..*level }, 0);
        let mut gathered = Self {
            own: gpu.zeros(level.directions * layout.len())?,
            layout,
            shape: Shape { cells: own.cells, halo },
            whole: Shape { cells: level.cells, halo },
            cells: level.cells,
            cut,
            on_devices: None,
        };
        let coefficients = (0..level.directions).map(What::Coefficients);
        let all = std::iter::once(What::RightHandSide).chain(coefficients);
        let on_devices: Result<Option<Vec<_>>> =
            all.map(|what| gathered.on_devices(gpu, module, what)).collect();
        gathered.on_devices = on_devices?;
        Ok(Some(gathered))
    }

    fn on_devices(&self, gpu: &Gpu, module: &Module, what: What) -> Result<Option<DeviceGather>> {
        let (component, faces) = what.component();
        let mine = self.extent(&self.cut.part(), faces);
        let from = places(self.shape, [0; 3], mine).map(|at| component * self.shape.len() + at);
        let to = |part: Part| {
            let places = places(self.whole, part.start, self.extent(&part, faces));
            places.map(|at| component * self.whole.len() + at).collect()
        };
        let theirs: Vec<Vec<usize>> = self.cut.parts().map(to).collect();
        DeviceGather::new(gpu, module, &from.collect::<Vec<_>>(), &theirs)
    }

    /// The first cell that this rank computes.
    pub(crate) fn start(&self) -> [usize; 3] {
        self.cut.part().start
    }

    /// Whether devices do it alone, so that it can be captured.
    pub(crate) fn stays_on_device(&self) -> bool {
        self.on_devices.is_some()
    }

    /// Fills an array of the whole level, or one that begins with it, from `own` of each rank.
    ///
    /// # Errors
    /// If the device or another rank fails.
    pub(crate) fn put_together(
        &mut self,
        ranks: &dyn Communicator,
        what: What,
        to: &mut Buffer<f64>,
    ) -> Result<()> {
        let (component, faces) = what.component();
        if let Some(gathers) = &self.on_devices {
            let gather = match what {
                What::RightHandSide => &gathers[0],
                What::Coefficients(d) => &gathers[1 + d],
            };
            return gather.gather(&mut self.own, to);
        }
        let array = self.through_the_host(ranks, component, faces)?;
        to.write_at(component * self.whole.len(), &array)
    }

    /// An array of the whole level, from a component of `own` of each rank.
    fn through_the_host(
        &self,
        ranks: &dyn Communicator,
        component: usize,
        faces: Option<usize>,
    ) -> Result<Vec<f64>> {
        let own = &self.own.to_vec()?[component * self.shape.len()..];
        let mine = self.extent(&self.cut.part(), faces);
        let values: Vec<f64> = places(self.shape, [0; 3], mine).map(|place| own[place]).collect();
        let pieces = ranks.all_gather(bytemuck::cast_slice(&values))?;
        let mut array = vec![0.0; self.whole.len()];
        for (part, bytes) in self.cut.parts().zip(pieces) {
            let numbers = bytes.chunks_exact(size_of::<f64>()).map(bytemuck::pod_read_unaligned);
            let places = places(self.whole, part.start, self.extent(&part, faces));
            places.zip(numbers).for_each(|(place, number)| array[place] = number);
        }
        Ok(array)
    }

    /// Cells of a part, and one more for the faces at the end of the box.
    fn extent(&self, part: &Part, faces: Option<usize>) -> [usize; 3] {
        std::array::from_fn(|d| {
            let ends = part.start[d] + part.cells[d] == self.cells[d];
            part.cells[d] + usize::from(faces == Some(d) && ends)
        })
    }
}

/// Places in memory of a box of cells, x fastest.
fn places(shape: Shape, start: [usize; 3], cells: [usize; 3]) -> impl Iterator<Item = usize> {
    let range = move |d: usize| start[d] as isize..(start[d] + cells[d]) as isize;
    range(2).flat_map(move |k| {
        range(1).flat_map(move |j| range(0).map(move |i| shape.index([i, j, k])))
    })
}
