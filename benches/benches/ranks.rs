//! Several GPUs of one machine: how long halos take, by direction and transport, as in the communication
//! table of Carvalho (2016), and how methods scale.
//! `cargo bench -p vortice-benches --bench ranks -- exchange|lattice|volumes|differences [N] [CELLS ...]` on N GPUs, with
//! CELLS like 1024x1024x1024 in place of the usual sizes of strong scaling.
#![allow(clippy::print_stdout)] // this is its output

use std::sync::Arc;
use std::time::Instant;

use vortice_benches::cavity_by;
use vortice_core::{
    Case, Communicator, Context, Decomposition, Device, Halo, HaloSide, Method, Result, Shape,
    Threads, Transport,
};
use vortice_gpu::{DeviceHalo, Gpu, Options};

fn words() -> Vec<String> {
    std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect()
}

fn gpus() -> usize {
    let wanted = words().iter().find_map(|word| word.parse().ok());
    wanted.unwrap_or_else(|| Gpu::count().unwrap_or(0))
}

/// The sizes that the command line asks for, else these.
fn sizes_or(usual: &[[usize; 3]]) -> Vec<[usize; 3]> {
    let cells = |word: &String| {
        let numbers: Option<Vec<usize>> = word.split('x').map(|n| n.parse().ok()).collect();
        numbers?.try_into().ok()
    };
    let asked: Vec<_> = words().iter().filter_map(cells).collect();
    if asked.is_empty() { usual.to_vec() } else { asked }
}

/// Slots of D3Q19, and of them those whose populations cross a face.
const SLOTS: usize = 19;
const CROSSING: usize = 5;

/// A face of the lattice: as many places as its populations have that cross it.
fn face(shape: &Shape, direction: usize, at: isize, first: usize) -> Vec<usize> {
    let range = |d: usize| if d == direction { at..at + 1 } else { shape.own(d) };
    let [x, y, z] = [range(0), range(1), range(2)];
    let mut places = Vec::new();
    for slot in first..first + CROSSING {
        for k in z.clone() {
            for j in y.clone() {
                for i in x.clone() {
                    places.push(slot * shape.len() + shape.index([i, j, k]));
                }
            }
        }
    }
    places
}

/// Seconds of an exchange across a cut in a direction, cells of a side of each rank, on two GPUs.
fn exchange_time<T: vortice_core::Real>(
    n: usize,
    direction: usize,
    transport: Transport,
) -> Result<f64> {
    const TIMES: u32 = 50;
    let mut layout = [1; 3];
    layout[direction] = 2;
    let mut cells = [n; 3];
    cells[direction] = 2 * n;
    let cut = Decomposition::new(cells, layout, [false; 3])?;
    let times = Threads::run(2, |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let gpu = Gpu::open(ranks.rank(), Options::default())?;
        let gpu = gpu.clone().linked(Gpu::agree_on_links(Some(&gpu), ranks.clone(), transport)?);
        let part = cut.subdomain(ranks.rank());
        let shape = Shape { cells: part.n(), halo: std::array::from_fn(|d| layout[d] - 1) };
        let n = n as isize;
        let side = |side: usize| {
            let [own, beyond] = [[0, -1], [n - 1, n]][side];
            part.neighbours[direction][side].map(|peer| HaloSide {
                peer,
                within: false,
                send: face(&shape, direction, own, 1),
                receive: face(&shape, direction, beyond, 1 + CROSSING),
            })
        };
        let halo = Halo::of(vec![[side(0), side(1)]]);
        let mut halo = DeviceHalo::new(&gpu, &halo, size_of::<T>())?;
        let mut array = gpu.zeros::<T>(SLOTS * shape.len())?;
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            ranks.agree(Ok(()))?;
            halo.exchange(&*ranks, &mut [&mut array])?;
            let begin = gpu.event()?;
            for _ in 0..TIMES {
                halo.exchange(&*ranks, &mut [&mut array])?;
            }
            best = best.min(gpu.event()?.seconds_since(&*begin)? / f64::from(TIMES));
        }
        ranks.agree(Ok(()))?;
        Ok(best)
    })?;
    Ok(times.into_iter().fold(0.0, f64::max))
}

/// An exchange in each direction, by each transport.
fn exchanges() -> Result<()> {
    println!("An exchange of the 5 populations that cross a face, between two GPUs, in us:\n");
    println!("| cells of a rank | bits | transport | MB | x | y | z | x / max(y, z) |");
    println!("|---|---|---|---|---|---|---|---|");
    for n in [64, 128, 256, 512] {
        for bits in [32, 64] {
            for transport in [Transport::Peer, Transport::Nccl, Transport::Host] {
                let mut us = [0.0; 3];
                for (d, us) in us.iter_mut().enumerate() {
                    let seconds = match bits {
                        32 => exchange_time::<f32>(n, d, transport),
                        _ => exchange_time::<f64>(n, d, transport),
                    };
                    *us = seconds.unwrap_or(f64::NAN) * 1e6;
                }
                let megabytes = (CROSSING * n * n * bits / 8) as f64 / 1e6;
                let [x, y, z] = us;
                println!(
                    "| {n}^3 | {bits} | {} | {megabytes:.2} | {x:.1} | {y:.1} | {z:.1} | {:.2} |",
                    transport.name(),
                    x / y.max(z)
                );
            }
        }
    }
    println!();
    Ok(())
}

/// Seconds of a step on ranks of a layout: the slowest rank's, best of some tries.
fn step_time(method: &Method, case: &Case, layout: [usize; 3], least: f64) -> Result<f64> {
    let times = Threads::run(layout.iter().product(), |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context =
            Context { layout: Some(layout), threads: 2, ..Context::new(Arc::clone(&ranks)) };
        let mut solver = ranks.agree((method.build)(case, &context))?;
        let mut steps = 4;
        let mut best = f64::INFINITY;
        let mut tries = 0;
        while tries < 5 {
            solver.finish()?;
            ranks.agree(Ok(()))?;
            let begin = Instant::now();
            for _ in 0..steps {
                solver.step(f64::INFINITY)?;
            }
            solver.finish()?;
            let mut seconds = [begin.elapsed().as_secs_f64()];
            ranks.max(&mut seconds)?;
            if seconds[0] < least {
                steps *= 2;
            } else {
                tries += 1;
                best = best.min(seconds[0] / steps as f64);
            }
        }
        Ok(best)
    })?;
    Ok(times.into_iter().fold(0.0, f64::max))
}

fn text(layout: [usize; 3]) -> String {
    layout.map(|n| n.to_string()).join("x")
}

/// Layouts of so many ranks that are worth a row: cuts along each direction, and mixed ones.
fn layouts(ranks: usize) -> Vec<[usize; 3]> {
    match ranks {
        2 => vec![[2, 1, 1], [1, 2, 1], [1, 1, 2]],
        4 => vec![[4, 1, 1], [1, 4, 1], [1, 1, 4], [1, 2, 2], [2, 2, 1]],
        8 => vec![[8, 1, 1], [1, 8, 1], [1, 1, 8], [1, 2, 4], [2, 2, 2]],
        _ => vec![[1, 1, ranks]],
    }
}

/// Rows of a table: so many cells for each rank, or for all together.
fn scale(
    method: &Method,
    name: &str,
    case: impl Fn([usize; 3]) -> Case,
    sizes: &[[usize; 3]],
    weak: bool,
) -> Result<()> {
    let ranks = gpus();
    for &cells in sizes {
        let whole = |layout: [usize; 3]| -> [usize; 3] {
            std::array::from_fn(|d| cells[d] * if weak { layout[d] } else { 1 })
        };
        let one = step_time(method, &case(cells).device(Device::AnyCuda), [1; 3], 0.15);
        match &one {
            Ok(one) => println!("| {name} | {} | 1 | 1x1x1 | {:.4} | |", text(cells), 1e3 * one),
            Err(error) => println!("| {name} | {} | 1 | 1x1x1 | {error} | |", text(cells)),
        }
        let one = one.unwrap_or(f64::NAN);
        for layout in layouts(ranks) {
            if (0..3).any(|d| layout[d] > cells[d]) {
                continue;
            }
            let case = case(whole(layout)).device(Device::AnyCuda);
            match step_time(method, &case, layout, 0.15) {
                Ok(all) => {
                    let ideal = if weak { one } else { one / ranks as f64 };
                    println!(
                        "| {name} | {} | {ranks} | {} | {:.4} | {:.1} % |",
                        text(whole(layout)),
                        text(layout),
                        1e3 * all,
                        100.0 * ideal / all
                    );
                }
                Err(error) => println!(
                    "| {name} | {} | {ranks} | {} | {error} | |",
                    text(cells),
                    text(layout)
                ),
            }
        }
    }
    Ok(())
}

fn heading(what: &str) {
    println!(
        "{what}\n\n| what | cells | GPUs | layout | ms a step | efficiency |\n|---|---|---|---|---|---|"
    );
}

/// The same with cells that are cubes.
fn cubes(case: Case, cells: [usize; 3]) -> Case {
    let size = cells.map(|n| n as f64 / 512.0);
    case.with(&[format!("grid.size={size:?}")]).expect("a box")
}

fn lattice() -> Result<()> {
    let flow = |precision: &'static str| {
        move |cells| {
            let run = format!("precision = \"{precision}\", until = 1e9");
            cubes(cavity_by("lbm", cells, &run, ""), cells)
        }
    };
    if sizes_or(&[]).is_empty() {
        heading("Lattice Boltzmann, weak: 512^3 for each GPU");
        scale(&vortice_lbm::METHOD, "f32", flow("f32"), &[[512; 3]], true)?;
        scale(&vortice_lbm::METHOD, "f64", flow("f64"), &[[512; 3]], true)?;
        println!();
    }
    heading("Lattice Boltzmann, strong");
    let sizes = sizes_or(&[[512; 3], [256; 3], [128; 3]]);
    scale(&vortice_lbm::METHOD, "f32", flow("f32"), &sizes, false)?;
    println!();
    Ok(())
}

fn volumes() -> Result<()> {
    let flow = |cells| {
        let table = "momentum = { sweeps = 4 }\npressure = { cycles = 1 }\nmultigrid = false\nsequence = false\n";
        cavity_by("fvm", cells, "until = \"steady\", steady = 1e-9", table)
    };
    heading("Finite volumes, strong: an outer iteration of SIMPLEC with 4 sweeps and a V-cycle");
    let sizes = sizes_or(&[[256; 3], [128; 3], [4096, 4096, 1], [1024, 1024, 1]]);
    scale(&vortice_fvm::METHOD, "f64", flow, &sizes, false)?;
    println!();
    Ok(())
}

fn differences() -> Result<()> {
    let flow = |cells| {
        let table = "time-scheme = \"euler\"\nstop = { iterations = { first = 100, steps = 0, then = 100 } }\nover-relaxation = 1.7\n";
        cavity_by("fdm", cells, "until = 1e9", table)
    };
    heading("Finite differences, strong: a step with 100 iterations of SOR");
    let sizes = sizes_or(&[[4096, 4096, 1], [512; 3], [1024, 1024, 1], [256; 3]]);
    scale(&vortice_fdm::METHOD, "f64", flow, &sizes, false)?;
    println!();
    Ok(())
}

fn main() {
    for word in words() {
        let done = match word.as_str() {
            "exchange" => exchanges(),
            "lattice" => lattice(),
            "volumes" => volumes(),
            "differences" => differences(),
            _ => Ok(()),
        };
        if let Err(error) = done {
            println!("{word}: {error}; {}", error.remedy());
        }
    }
}
