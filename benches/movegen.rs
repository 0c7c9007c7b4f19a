//! Speed of the rules: perft, generating moves, playing them, exchanges. `cargo bench --bench movegen`.
//!
//! The crate `haitaka` is measured in the same run, so that figures of different machines can be compared by
//! their ratio. It counts some pawn-drop mates and non-promotions differently, which is why its throughput is
//! given in positions of its own tree; both trees are within 6 %.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hien::shogi::perft::perft;
use hien::shogi::{Move, MoveList, Position, Promotions, sfen};
use std::hint::black_box;

/// A middlegame position with many pieces in hand, long used to compare shogi engines.
const MIDDLEGAME: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

/// Name, SFEN, depth and the known number of leaves.
const PERFTS: [(&str, &str, u32, u64); 2] = [
    ("startpos", sfen::STARTPOS, 5, 19_861_490),
    ("middlegame", MIDDLEGAME, 4, 516_925_165),
];

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("the bench positions are well formed")
}

/// Haitaka's perft, with its last ply counted in bulk as well.
fn haitaka_perft(board: &haitaka::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    let mut count = |moves: haitaka::PieceMoves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += haitaka_perft(&child, depth - 1);
            }
        }
        false
    };
    board.generate_board_moves(&mut count);
    board.generate_drops(&mut count);
    nodes
}

fn perfts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, sfen, depth, leaves) in PERFTS {
        group.throughput(Throughput::Elements(leaves));
        let mut root = position(sfen);
        assert_eq!(perft(&mut root, depth), leaves);
        group.bench_function(format!("hien/{name}"), |b| {
            b.iter(|| perft(&mut root, black_box(depth)));
        });
        let board = haitaka::Board::from_sfen(sfen).expect("haitaka reads the position");
        group.throughput(Throughput::Elements(haitaka_perft(&board, depth)));
        group.bench_function(format!("haitaka/{name}"), |b| {
            b.iter(|| haitaka_perft(&board, black_box(depth)));
        });
    }
    group.finish();
}

fn generation(criterion: &mut Criterion) {
    let root = position(MIDDLEGAME);
    let mut group = criterion.benchmark_group("generate");
    let mut bench = |name: &str, generate: &dyn Fn(&mut MoveList)| {
        let mut moves = MoveList::new();
        generate(&mut moves);
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                moves.clear();
                generate(&mut moves);
                moves.len()
            });
        });
    };
    bench("captures", &|moves| {
        root.captures(moves, Promotions::Sensible)
    });
    bench("quiets", &|moves| root.quiets(moves, Promotions::Sensible));
    bench("quiet checks", &|moves| {
        root.quiet_checks(moves, Promotions::Sensible)
    });
    bench("all", &|moves| root.evasions(moves, Promotions::All));
    group.bench_function("count", |b| b.iter(|| black_box(&root).count_legal()));
    group.finish();
}

fn make_and_undo(criterion: &mut Criterion) {
    let root = position(MIDDLEGAME);
    let moves = root.legal_moves();
    let mut group = criterion.benchmark_group("make");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("do_move and undo_move", |b| {
        b.iter_batched_ref(
            || root.clone(),
            |position| {
                for &mv in &moves {
                    position.do_move(mv);
                    position.undo_move();
                }
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("legality of each move", |b| {
        b.iter(|| moves.iter().filter(|&&mv| root.is_legal(mv)).count());
    });
    group.finish();
}

fn exchanges(criterion: &mut Criterion) {
    let root = position(MIDDLEGAME);
    let moves: Vec<Move> = root.legal_moves().into_iter().collect();
    let mut group = criterion.benchmark_group("see");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("every move against 0", |b| {
        b.iter(|| moves.iter().filter(|&&mv| root.see_ge(mv, 0)).count());
    });
    group.finish();
}

criterion_group!(benches, perfts, generation, make_and_undo, exchanges);
criterion_main!(benches);
