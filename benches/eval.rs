//! Speed of evaluation by nets. `cargo bench --bench eval`, or `.. -- halfkp_256` for one architecture.
//!
//! For each architecture and CPU path: an evaluation from scratch, and evaluations along a line of play after a quiet
//! move, a capture and a king move. The moves of a kind take turns, so that nothing is found ready-made; playing and
//! taking back the move is part of the time (some 30 ns).
//!
//! # The arithmetic floor
//!
//! What an evaluation must at least touch and multiply, with W outputs of the transformer per perspective, hidden
//! layers H1 and H2, and 2-byte rows:
//!
//! | step | bytes | operations |
//! |---|---|---|
//! | accumulator after a quiet move, per perspective | 4 rows: old, new, one added, one removed: 8 W | 2 W additions |
//! | after a capture, per perspective | 6 rows: 12 W | 4 W additions |
//! | from scratch, per perspective | 40 rows: 80 W | 40 W additions |
//! | accumulators to input bytes | 4 W read, 2 W (classic) or W (stacked) written | 2 W clamps, or W products |
//! | first affine layer, with a share s of the input not zero | s x 2 W x H1 (classic), s x W x H1 (stacked) | as many multiply-adds |
//! | the others | H1 x H2 (twice for stacked) + H2 | as many multiply-adds |
//!
//! So a quiet move with a 256x2-32-32 net touches 4 KiB of rows and at most 17 KiB of layer weights, does 1024
//! additions and at most 17 440 multiply-adds; with 1536-15-32 stacks it is 24 KiB of rows, 25 KiB of weights, 6144
//! additions and 25 600 multiply-adds. The kernels are bound by loads: one per 64, 32 or 16 bytes above, one more for
//! each block of four input bytes (to spread it over a register), and the accumulators once again on their way to
//! input bytes. A core that loads 64 bytes a cycle and does not wait for memory would need the first number; the
//! others were measured on one (Zen 4, 3.7 GHz), moves taken off, both in ns per evaluation after a quiet move:
//!
//! | net | share s | floor | avx512vnni | avx512 | avx2 | sse41 | scalar |
//! |---|---|---|---|---|---|---|---|
//! | K+P 256x2-32-32 of 2019 and 2021 | 0.67 | 95 | 195 | 220 | 220 | 390 | 5300 |
//! | HalfKP 256x2-32-32, synthetic | 0.95 | 125 | 230 | 265 | 260 | 495 | 7400 |
//! | HalfKP 512x2-16-32, synthetic | 0.91 | 170 | 270 | 285 | 305 | 540 | 7200 |
//! | SFNN 1536-15-32, synthetic | 0.75 | 275 | 540 | 550 | 605 | 905 | 12400 |
//!
//! About 50 ns are the choice of rows, 60 the latency of three small layers one after the other; accumulators of 6 KiB
//! come from the second-level cache, which doubles their cost. From scratch the same nets take 0.9, 0.9, 1.3 and 3 us,
//! a capture 45 to 135 ns more than a quiet move.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use hien::eval::nnue::{Hints, Net, NnueState};
use hien::eval::simd::{CpuPath, Kernels};
use hien::shogi::{Move, PieceType, Position};

#[path = "../tests/nets/synthetic.rs"]
mod synthetic;

/// A middlegame position with quiet moves, captures and king moves.
const POSITION: &str =
    "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42";

const NETS: [&str; 7] = [
    "kp_256x2-32-32",
    "halfkp_256x2-32-32",
    "halfkp_512x2-16-32",
    "halfkahm2_256x2-32-32",
    "halfkpe9_32x2-8-32",
    "sfnn_halfkahm2_1536-15-32-k3k3",
    "sfnn_ka2_640-7-64-c128_s64x8-k9k9z",
];

/// Whether a move is of a kind.
type OfKind = fn(&Position, Move) -> bool;

/// Kinds of moves, and which moves are of the kind.
const KINDS: [(&str, OfKind); 3] = [
    ("quiet", |position, mv| {
        !is_capture(position, mv) && !is_king_move(position, mv)
    }),
    ("capture", |position, mv| {
        is_capture(position, mv) && !is_king_move(position, mv)
    }),
    ("king", is_king_move),
];

fn is_capture(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_some()
}

fn is_king_move(position: &Position, mv: Move) -> bool {
    let piece = mv.from().and_then(|from| position.piece_on(from));
    piece.is_some_and(|piece| piece.kind() == PieceType::King)
}

fn bench_net(group: &mut BenchmarkGroup<'_, WallTime>, net: &Net, kernels: &Kernels) {
    let path = kernels.path();
    let mut position = Position::from_sfen(POSITION).expect("the bench position is well formed");
    let mut worker = NnueState::new(net);
    group.bench_function(format!("scratch/{path}"), |bencher| {
        bencher.iter(|| worker.evaluate_from_scratch(net, kernels, black_box(&position)));
    });
    for (kind, is_of_kind) in KINDS {
        let moves: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| is_of_kind(&position, mv))
            .collect();
        assert!(moves.len() > 1, "moves of a kind must take turns");
        let mut turn = moves.iter().cycle();
        worker.evaluate(net, kernels, &position);
        group.bench_function(format!("{kind}/{path}"), |bencher| {
            bencher.iter(|| {
                position.do_move(*turn.next().expect("a cycle goes on"));
                let value = worker.evaluate(net, kernels, &position);
                position.undo_move();
                value
            });
        });
        for &mv in &moves {
            position.do_move(mv);
            assert_eq!(
                worker.evaluate(net, kernels, &position),
                net.evaluate(kernels, &position)
            );
            position.undo_move();
        }
    }
}

fn bench(criterion: &mut Criterion) {
    for name in NETS {
        let net = Net::from_bytes(&synthetic::spec(name).file(), &Hints::default())
            .expect("a synthetic net is whole");
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        group.warm_up_time(Duration::from_millis(200));
        group.measurement_time(Duration::from_millis(600));
        for kernels in CpuPath::available().filter_map(Kernels::of) {
            bench_net(&mut group, &net, kernels);
        }
    }
}

criterion_group!(eval, bench);
criterion_main!(eval);
