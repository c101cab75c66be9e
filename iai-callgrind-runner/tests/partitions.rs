//! Whatever the benchmarks are called: all parts are everything, and no two share a benchmark.

use iai_callgrind::protocol::Partition;
use proptest::prelude::*;

proptest! {
    #[test]
    fn parts_are_disjoint_and_complete(
        paths in prop::collection::vec(".{0,40}", 0..60),
        parts in 1..20_u64,
        kind in prop::sample::select(vec!["hash", "count"]),
    ) {
        let partitions: Vec<Partition> = (1..=parts)
            .map(|part| format!("{kind}:{part}/{parts}").parse().unwrap())
            .collect();
        for (number, path) in paths.iter().enumerate() {
            let takers = partitions.iter().filter(|part| part.takes(number, path));
            prop_assert_eq!(takers.count(), 1, "{}", path);
        }
        if kind == "count" {
            let size = |part: &Partition| (0..paths.len()).filter(|n| part.takes(*n, "")).count();
            let sizes: Vec<usize> = partitions.iter().map(size).collect();
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            prop_assert!(most - least <= 1, "{:?}", sizes);
        }
    }

    #[test]
    fn a_hash_does_not_depend_on_the_others(path in ".{0,40}", parts in 1..20_u64, number in 0..99_usize) {
        for part in 1..=parts {
            let partition: Partition = format!("hash:{part}/{parts}").parse().unwrap();
            prop_assert_eq!(partition.takes(0, &path), partition.takes(number, &path));
        }
    }
}
