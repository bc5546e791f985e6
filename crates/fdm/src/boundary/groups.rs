//! Which entries of a list of assignments depend on each other.

use std::collections::HashMap;

use super::places::Places;

/// A group's number for each assignment, given as (target, sources): two assignments are in one
/// group if one reads or writes what the other writes. Groups are numbered in the order in which
/// they begin. Done in their order within each group, and all groups at the same time, assignments
/// have the same outcome as one after the other.
pub(super) fn groups(assignments: &[(i64, [i64; 2])]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..assignments.len() as u32).collect();
    // Most places are written once and read by none.
    let [mut targets, mut shared] = [(); 2].map(|()| Places::default());
    for (target, _) in assignments {
        if !targets.insert(*target) {
            shared.insert(*target);
        }
    }
    for source in assignments.iter().flat_map(|(_, sources)| sources) {
        if targets.contains(*source) {
            shared.insert(*source);
        }
    }
    let mut writer: HashMap<i64, u32> = HashMap::new();
    for (number, (target, _)) in (0..).zip(assignments) {
        if shared.contains(*target) {
            let first = *writer.entry(*target).or_insert(number);
            join(&mut parents, first, number);
        }
    }
    for (number, (_, sources)) in (0..).zip(assignments) {
        let shared = sources.iter().filter(|source| shared.contains(**source));
        for other in shared.filter_map(|source| writer.get(source)) {
            join(&mut parents, *other, number);
        }
    }
    (0..parents.len() as u32).map(|number| root(&mut parents, number)).collect()
}

/// The first assignment of a group.
fn root(parents: &mut [u32], mut number: u32) -> u32 {
    while parents[number as usize] != number {
        let above = parents[number as usize];
        parents[number as usize] = parents[above as usize];
        number = above;
    }
    number
}

fn join(parents: &mut [u32], one: u32, other: u32) {
    let (one, other) = (root(parents, one), root(parents, other));
    let (first, second) = (one.min(other), one.max(other));
    parents[second as usize] = first;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_that_depend_on_each_other_are_together() {
        let assignments = [
            (10, [1, 1]),
            (11, [2, 2]),
            // Written twice.
            (12, [3, 3]),
            (12, [4, 4]),
            // Reads what the first writes.
            (13, [5, 10]),
            // Writes what the second reads.
            (2, [6, 6]),
            // Reads itself only.
            (14, [14, 7]),
        ];
        assert_eq!(groups(&assignments), [0, 1, 2, 2, 0, 1, 6]);
        assert_eq!(groups(&[]), [0; 0]);
    }

    #[test]
    fn a_chain_is_one_group() {
        let chain: Vec<_> = (0..50).rev().map(|n| (n + 1, [n, n])).collect();
        assert!(groups(&chain).iter().all(|&group| group == 0));
    }
}
