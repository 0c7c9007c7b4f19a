//! Nodes per second of the mate solver (df-pn), and the cost of a search for a mate in one.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hien::mate::{Answer, MateLimits, Solver, mate_in_one};
use hien::shogi::Position;

/// A mate in 17 plies with much in hand, and a middlegame without a mate in one.
const PROBLEM: &str = "l6n1/b+R4glK/n4s1p1/p5kl1/2sp2n2/P1p1P3P/1P3P3/2P1G4/2+b6 b R2G2SNL7Pp 1";
const MIDDLEGAME: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn solver(criterion: &mut Criterion) {
    const NODES: u64 = 20_000;
    let position = Position::from_sfen(PROBLEM).expect("a position");
    let mut solver = Solver::new(64);
    let mut group = criterion.benchmark_group("mate");
    group
        .throughput(Throughput::Elements(NODES))
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    group.bench_function("solver", |bencher| {
        bencher.iter(|| {
            let limits = MateLimits {
                nodes: Some(NODES),
                ..MateLimits::default()
            };
            let report = solver.solve(&position, limits, &());
            assert!(matches!(report.answer, Answer::Mate(_) | Answer::Unknown));
            assert!(report.progress.nodes >= NODES);
        });
    });
    group.throughput(Throughput::Elements(1));
    let mut position = Position::from_sfen(MIDDLEGAME).expect("a position");
    group.bench_function("one_ply", |bencher| {
        bencher.iter(|| assert_eq!(mate_in_one(black_box(&mut position)), None));
    });
    group.finish();
}

criterion_group!(benches, solver);
criterion_main!(benches);
