//! Blocks that wait for each other.

use kernels_on_host::{Host, Order};
use vortice_core::Result;
use vortice_gpu::{Launch, value};

use super::{ORDERS, complaint, kernel, row};

/// The word at the end of the ring, after so many rounds through so many blocks.
fn ring(order: Order, blocks: u32, rounds: i32, cooperative: bool) -> Result<i64> {
    let host = Host::new().order(order).multiprocessors(6);
    let (_, gpu, kernel) = kernel::<f32>(host, "ring");
    let mut flags = gpu.zeros::<u32>(blocks as usize)?;
    let mut words = gpu.zeros::<i64>(blocks as usize)?;
    let arguments = [value("rounds", &rounds), flags.output("flags"), words.output("words")];
    kernel.launch(Launch { cooperative, ..row(blocks, 4) }, &arguments)?;
    Ok(*words.to_vec()?.last().expect("a block"))
}

#[test]
fn a_word_goes_around_blocks_that_wait_for_each_other() {
    for order in ORDERS {
        for blocks in [1, 2, 5, 6] {
            let once = i64::from(blocks * (blocks + 1) / 2);
            assert_eq!(ring(order, blocks, 7, true).unwrap(), 7 * once, "{blocks}, {order:?}");
        }
    }
}

#[test]
fn waiting_without_a_cooperative_launch_is_an_error() {
    let stuck = complaint(ring(Order::Ascending, 3, 2, false));
    assert!(stuck.contains("kernel `ring` is stuck"), "{stuck}");
    assert!(stuck.contains("of the 4 threads of block (0, 0, 0) 3 wait at a barrier"), "{stuck}");
    assert!(stuck.contains("1 await a flag") && stuck.contains("cooperative"), "{stuck}");
}

/// How many of 3 blocks go on when they await `stamp` on a flag that shows `flag`.
fn going_on(order: Order, flag: u32, stamp: u32) -> Result<i32> {
    let (_, gpu, kernel) = kernel::<f64>(Host::new().order(order), "await_flag");
    let flag = gpu.upload(&[flag])?;
    let mut went_on = gpu.zeros::<i32>(3)?;
    let arguments = [value("stamp", &stamp), flag.input("flag"), went_on.output("went_on")];
    kernel.launch(Launch { cooperative: true, ..row(3, 2) }, &arguments)?;
    Ok(went_on.to_vec()?.iter().sum())
}

#[test]
fn a_flag_that_nobody_raises_is_an_error() {
    for order in ORDERS {
        assert_eq!(going_on(order, 7, 7).unwrap(), 3);
        assert_eq!(going_on(order, 9, 7).unwrap(), 3);
        // Stamps go around: 2 comes after the largest number.
        assert_eq!(going_on(order, 2, u32::MAX).unwrap(), 3);
        for (flag, stamp) in [(6, 7), (u32::MAX, 2)] {
            let stuck = complaint(going_on(order, flag, stamp));
            assert!(stuck.contains("kernel `await_flag` is stuck"), "{stuck}");
            assert!(stuck.contains("3 threads of all blocks await a flag"), "{stuck}");
        }
    }
}

#[test]
fn more_blocks_than_run_at_once_cannot_wait_for_each_other() {
    let refused = complaint(ring(Order::Ascending, 7, 1, true));
    assert!(refused.contains("7 blocks that wait for each other; 6 run at once"), "{refused}");
}
