//! The search on top of nets.

use std::io;
use std::sync::Arc;

use hien::eval::Evaluator;
use hien::tools::bench::Bench;

use crate::{all_kernels, synthetic_net};

#[test]
fn every_cpu_path_searches_the_same_tree() {
    let net = Arc::new(synthetic_net("kp_72x2-24-10"));
    let counts: Vec<u64> = all_kernels()
        .into_iter()
        .map(|kernels| {
            let bench = Bench {
                depth: Some(3),
                hash_mib: 1,
                evaluator: Evaluator::net(net.clone(), kernels, 16),
                ..Bench::default()
            };
            bench.run(&mut io::sink()).expect("a sink takes all")
        })
        .collect();
    assert!(counts[0] > 2000, "{counts:?}");
    assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}
