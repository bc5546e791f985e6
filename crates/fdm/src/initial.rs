//! The flow that a case begins with, on one rank.

use vortice_core::{
    Case, Communicator, Context, FaceKind, Halo, Initial, Real, Region, Result, Row, Shape, Side,
    Subdomain, Surfaces, ThreadPool, fill_rows,
};

use crate::boundary::{CarriedOut, Forced, Walls, fix, open_faces, share_of_diagonal};
use crate::coarser::Finer;
use crate::colours::Colours;
use crate::scalar::InitialScalar;
use crate::settings::Settings;

/// Values from which on a loop is worth sharing among threads.
pub(crate) const WORTH_SHARING: usize = 30_000;

/// The padded shape of a rank's part of the grid.
pub(crate) fn shape(case: &Case, part: &Subdomain) -> Shape {
    Shape { cells: part.n(), halo: [1, 1, usize::from(!case.grid.is_plane())] }
}

/// Component `a` of the case's velocity at t = 0 in m/s, at own faces that are open; zero elsewhere.
pub(crate) fn velocity<T: Real>(
    case: &Case,
    part: &Subdomain,
    shape: Shape,
    a: usize,
    open: &[T],
    pool: &ThreadPool,
) -> Vec<T> {
    let (mut u, half) = (vec![T::default(); shape.len()], 0.5 * case.grid.spacing()[a]);
    if let Initial::Uniform(velocity) = case.initial {
        // Zeros are there: of a fluid at rest no page need be touched.
        if velocity[a].to_bits() != 0 {
            let same = T::from_f64(velocity[a]);
            pool.each_row(&Region::own(shape), [&mut u], |row, [u]| {
                let open = row.part(open, u.len());
                u.iter_mut().zip(open).for_each(|(u, open)| *u = *open * same);
            });
        }
        return u;
    }
    pool.each_row(&Region::own(shape), [&mut u], |row, [u]| {
        let open = row.part(open, u.len());
        for (i, (u, open)) in (0..).zip(u.iter_mut().zip(open)) {
            let mut point = case.grid.centre(part.global([i, row.j, row.k]));
            point[a] -= half;
            *u = *open * T::from_f64(case.initial_velocity(point)[a]);
        }
    });
    u
}

/// Exchanges the halos of several components at once.
pub(crate) fn exchange<T: Real>(
    halo: &Halo,
    ranks: &dyn Communicator,
    arrays: &mut [Vec<T>],
) -> Result<()> {
    let mut arrays: Vec<&mut [T]> = arrays.iter_mut().map(Vec::as_mut_slice).collect();
    halo.exchange(ranks, &mut arrays)
}

/// Inverse of the sum of the weights of a cell's neighbours in the flow, in m2, in two colours; zero in solids.
pub(crate) fn inverse_diagonal<T: Real>(
    case: &Case,
    part: &Subdomain,
    shape: Shape,
    colours: &Colours,
    pool: &ThreadPool,
) -> [Vec<T>; 2] {
    let surfaces = Surfaces::of_part(case, part);
    let weights = case.grid.spacing().map(|h| 1.0 / (h * h));
    let sum = |share: &dyn Fn(usize, Side) -> f64| {
        let mut sum = 0.0;
        for d in case.grid.directions() {
            for side in Side::BOTH {
                sum += weights[d] * share(d, side);
            }
        }
        sum
    };
    let inverse_of = |cell: [isize; 3]| {
        let sum = sum(&|d, side| share_of_diagonal(surfaces.face(cell, d, side)));
        T::from_f64(if sum > 0.0 && !surfaces.is_solid(cell) { 1.0 / sum } else { 0.0 })
    };
    let inside = T::from_f64(1.0 / sum(&|_, _| share_of_diagonal(FaceKind::Open)));
    [0, 1].map(|colour| {
        let mut values = vec![T::default(); colours.len()];
        let compute = |row: Row, [values]: [&mut [T]; 1]| {
            let start = colours.start(colour, row.j, row.k);
            let inner = surfaces.inner_cells([row.j, row.k], 0..shape.cells[0] as isize);
            let mut inner = inner.into_iter().peekable();
            for m in colours.own(start) {
                let i = 2 * m + start - shape.halo[0];
                while inner.next_if(|range| range.end <= i).is_some() {}
                let is_inner = inner.peek().is_some_and(|range| range.contains(&i));
                values[m] = if is_inner { inside } else { inverse_of([i as isize, row.j, row.k]) };
            }
        };
        let length = colours.row_length();
        pool.reduce_lines(&Region::own(shape), length, [&mut values], (), compute, |(), ()| ());
        values
    })
}

/// What a device begins with. The pressure and the rates of change are zero.
pub(crate) struct InitialState<T> {
    pub(crate) part: Subdomain,
    pub(crate) shape: Shape,
    /// Boundary values; of open faces [`Self::faces`] tells.
    pub(crate) walls: Walls<T>,
    pub(crate) forced: Forced<T>,
    pub(crate) outlet: CarriedOut<T>,
    /// All that the flow carries.
    pub(crate) scalars: Vec<InitialScalar<T>>,
    /// Bit a is set where a face of component a is open.
    pub(crate) faces: Vec<u8>,
    /// Velocity with its prescribed values, in m/s, of each direction of the grid; without ghost values. The prediction
    /// begins with the same.
    pub(crate) u: Vec<Vec<T>>,
    pool: ThreadPool,
}

impl<T: Real> InitialState<T> {
    /// The geometry and initial flow of one rank, with the boundary values of a finer grid if there is one. Collective.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn new(
        case: &Case,
        context: &Context,
        settings: &Settings,
        finer: Option<&Finer<'_, T>>,
    ) -> Result<Self> {
        let (cut, pool) =
            (context.decomposition(case)?, ThreadPool::new(context.threads, WORTH_SHARING)?);
        let part = cut.subdomain(context.ranks.rank());
        let shape = shape(case, &part);
        let walls =
            Walls::new(case, &part, shape, &pool).following(finer, shape, settings.directions);
        let forced = Forced::new(case, &cut, &*context.ranks, shape, &pool)?;
        let outlet = CarriedOut::new(case, &part, &*context.ranks, shape, &walls.fixed)?;
        let scalars = case.carried().map(|scalar| {
            let place = (&cut, &part, &shape);
            InitialScalar::new((case, scalar), place, &*context.ranks, &pool)
        });
        let scalars = scalars.collect::<Result<_>>()?;
        let (mut faces, mut u) = (vec![0; shape.len()], Vec::new());
        for a in 0..settings.directions {
            let open = open_faces(case, &part, shape, a, &pool);
            u.push(velocity(case, &part, shape, a, &open, &pool));
            pool.install(|| mark(&mut faces, &open, shape.padded()[0], 1 << a));
        }
        let halo = Halo::new(&shape, &part);
        exchange(&halo, &*context.ranks, &mut u)?;
        walls.predict_outlets(&mut u);
        outlet.begin(&mut u);
        fix(&walls.fixed, &mut u);
        exchange(&halo, &*context.ranks, &mut u)?;
        Ok(Self { part, shape, walls, forced, outlet, scalars, faces, u, pool })
    }

    /// Inverse of the diagonal of the pressure equation, in m2, in two colours; zero in solids.
    pub(crate) fn inverse_diagonal(&self, case: &Case, colours: &Colours) -> [Vec<T>; 2] {
        inverse_diagonal(case, &self.part, self.shape, colours, &self.pool)
    }
}

/// Sets a bit of the faces that are open.
fn mark<T: Real>(faces: &mut [u8], open: &[T], length: usize, bit: u8) {
    fill_rows([faces], length, |number, [faces]| {
        for (face, open) in faces.iter_mut().zip(&open[number * length..]) {
            *face |= if *open == T::default() { 0 } else { bit };
        }
    });
}
