//! What the forces on bodies are made of: the values beside them, fetched from the device; eq. (F22).

use vortice_core::{Real, Result, Shape};
use vortice_gpu::{Buffer, Gpu, PlaceReader};

use super::fields::Fields;
use crate::colours::Colours;
use crate::forces::{Places, Values};

/// What brings values, and where each belongs.
pub(super) struct Beside<T> {
    velocity: Vec<Part<T>>,
    pressure: Vec<Part<T>>,
}

/// Values of one array, and their numbers among all.
struct Part<T> {
    reader: PlaceReader<T>,
    numbers: Vec<usize>,
}

impl<T: Real> Part<T> {
    /// Those of the array `of`, from all with the arrays that they lie in.
    fn new(gpu: &Gpu, all: &[(usize, usize)], of: usize) -> Result<Self> {
        let own = || all.iter().enumerate().filter(move |(_, (array, _))| *array == of);
        let places: Vec<usize> = own().map(|(_, (_, place))| *place).collect();
        let numbers = own().map(|(number, _)| number).collect();
        Ok(Self { reader: PlaceReader::new(gpu, &places)?, numbers })
    }

    fn put(&mut self, from: &Buffer<T>, to: &mut [f64]) -> Result<()> {
        let values = self.reader.read(from)?;
        self.numbers.iter().zip(values).for_each(|(number, value)| to[*number] = value.to_f64());
        Ok(())
    }
}

impl<T: Real> Beside<T> {
    pub(super) fn new(
        gpu: &Gpu,
        places: &Places,
        directions: usize,
        shape: &Shape,
        colours: &Colours,
    ) -> Result<Self> {
        let coloured = |&place: &usize| colours.place(shape.cell(place));
        let pressure: Vec<_> = places.pressure.iter().map(coloured).collect();
        let velocity = (0..directions).map(|a| Part::new(gpu, &places.velocity, a));
        Ok(Self {
            velocity: velocity.collect::<Result<_>>()?,
            pressure: [0, 1]
                .into_iter()
                .map(|c| Part::new(gpu, &pressure, c))
                .collect::<Result<_>>()?,
        })
    }

    pub(super) fn values(&mut self, fields: &Fields<T>, places: &Places) -> Result<Values> {
        let mut values = Values {
            velocity: vec![0.0; places.velocity.len()],
            pressure: vec![0.0; places.pressure.len()],
        };
        for (part, u) in self.velocity.iter_mut().zip(&fields.u) {
            part.put(u, &mut values.velocity)?;
        }
        for (part, p) in self.pressure.iter_mut().zip(&fields.p) {
            part.put(p, &mut values.pressure)?;
        }
        Ok(values)
    }
}
