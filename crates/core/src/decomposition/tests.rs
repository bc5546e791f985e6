//! Every cell has one owner, whatever the cut.

use super::*;

#[test]
fn every_cell_has_one_owner_and_neighbours_agree() {
    for size in 1..=12 {
        for periodic in [[false; 3], [true, false, true]] {
            let Ok(cut) = Decomposition::choose([13, 8, 5], size, periodic) else {
                panic!("{size} ranks fit 13 x 8 x 5 cells");
            };
            let mut owners = vec![0; 13 * 8 * 5];
            for rank in 0..size {
                let part = cut.subdomain(rank);
                for k in part.cells[2].clone() {
                    for j in part.cells[1].clone() {
                        for i in part.cells[0].clone() {
                            owners[i + 13 * (j + 8 * k)] += 1;
                        }
                    }
                }
                for d in 0..3 {
                    if let Some(there) = part.neighbours[d][1] {
                        assert_eq!(cut.subdomain(there).neighbours[d][0], Some(rank));
                    } else {
                        assert_eq!(part.cells[d].end, cut.cells[d]);
                    }
                }
            }
            assert!(owners.iter().all(|&n| n == 1));
        }
    }
}

#[test]
fn choice_cuts_little_surface_in_few_directions_and_spares_x() {
    let choose = |cells, size| Decomposition::choose(cells, size, [false; 3]).unwrap().ranks;
    assert_eq!(choose([128, 128, 1], 2), [1, 2, 1]);
    assert_eq!(choose([128, 128, 1], 4), [1, 4, 1]);
    assert_eq!(choose([4096, 4096, 1], 4), [1, 4, 1]);
    assert_eq!(choose([512, 128, 1], 2), [1, 2, 1]);
    assert_eq!(choose([2200, 41, 1], 8), [8, 1, 1]);
    assert_eq!(choose([64, 64, 64], 8), [1, 2, 4]);
    assert_eq!(choose([512, 512, 512], 4), [1, 2, 2]);
    assert_eq!(choose([512, 512, 512], 8), [1, 2, 4]);
    assert_eq!(choose([8, 8, 64], 4), [1, 1, 4]);
}

/// Weights that differ by up to a factor of a hundred, different for each seed.
pub(super) fn weights(n: usize, mut seed: u64) -> Vec<f64> {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        10.0_f64.powf((seed >> 40) as f64 / f64::from(1 << 23))
    };
    (0..n).map(|_| next()).collect()
}

#[test]
fn weighted_parts_own_every_cell_once_and_neighbours_agree() {
    for (seed, cells) in [[13, 8, 5], [40, 1, 1], [9, 30, 1], [6, 7, 50]].into_iter().enumerate() {
        for size in 1..=12 {
            let weights = weights(size, (seed * 100 + size) as u64);
            let cut =
                Decomposition::choose_weighted((cells, [1; 3]), [true, false, true], &weights);
            let cut = cut.expect("ranks that fit");
            let parts: Vec<_> = (0..size).map(|rank| cut.subdomain(rank)).collect();
            let cells_of = |part: &Subdomain| part.n_cells();
            assert!(parts.iter().all(|part| cells_of(part) > 0));
            assert_eq!(parts.iter().map(cells_of).sum::<usize>(), cells.iter().product());
            for part in &parts {
                for d in 0..3 {
                    let Some(there) = part.neighbours[d][1] else { continue };
                    let other = &parts[there];
                    assert_eq!(other.neighbours[d][0], Some(part.rank));
                    assert_eq!(other.cells[d].start, part.cells[d].end % cells[d]);
                    for e in (0..3).filter(|&e| e != d) {
                        assert_eq!(other.cells[e], part.cells[e], "one face, seen from both");
                    }
                }
            }
        }
    }
}

#[test]
fn a_fast_rank_among_slow_ones_gets_most_of_the_cells() {
    let two = Decomposition::choose_weighted(([64; 3], [1; 3]), [false; 3], &[20.0, 1.0]).unwrap();
    assert_eq!((two.ranks, two.subdomain(0).n()), ([1, 1, 2], [64, 64, 61]));
    // Four in a row fit these weights, two by two do not.
    let four =
        Decomposition::choose_weighted(([64; 3], [1; 3]), [false; 3], &[20.0, 1.0, 1.0, 1.0]);
    assert_eq!(four.unwrap().ranks, [1, 1, 4]);
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let cut = |weights: &[f64]| {
        Decomposition::weighted(([8, 8, 1], [1; 3]), [1, 2, 1], [false; 3], weights).unwrap_err()
    };
    assert!(cut(&[1.0]).to_string().contains("1 weights for 2 ranks"));
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(cut(&[1.0, wrong]).to_string().contains("is not the weight of a rank"));
    }
}

#[test]
fn thin_parts_are_a_last_resort() {
    // Two by three has less surface, but parts one cell thin.
    let cut = Decomposition::choose([6, 5, 1], 6, [false; 3]).unwrap();
    assert_eq!(cut.ranks, [3, 2, 1]);
    assert_eq!(Decomposition::choose([3, 3, 1], 9, [false; 3]).unwrap().ranks, [3, 3, 1]);
}

#[test]
fn too_many_ranks_are_refused() {
    assert!(Decomposition::choose([2, 2, 1], 5, [false; 3]).is_err());
    assert!(Decomposition::new([4, 4, 1], [1, 1, 2], [false; 3]).is_err());
}

#[test]
fn blocks_stay_together() {
    let cells = [128, 40, 1];
    let cut = |block, ranks| Decomposition::weighted((cells, block), ranks, [false; 3], &[1.0; 3]);
    assert_eq!(cut([8, 8, 1], [3, 1, 1]).unwrap().starts[0], [0, 48, 88, 128]);
    assert_eq!(cut([1, 1, 1], [3, 1, 1]).unwrap().starts[0], [0, 43, 86, 128]);
    // Five blocks are not two for each of three ranks, and no others are there to be chosen.
    let chosen = Decomposition::choose_weighted((cells, [8, 8, 1]), [false; 3], &[1.0; 3]);
    assert_eq!(chosen.unwrap().ranks, [3, 1, 1]);
    let error = cut([64, 20, 1], [3, 1, 1]).unwrap_err();
    assert!(error.to_string().contains("blocks of [64, 20, 1] stay together"), "{error}");
    assert!(error.remedy().contains("no more ranks than blocks"), "{}", error.remedy());
}
