//! Accumulators along random games against accumulators computed from scratch.

use hien::eval::nnue::NnueState;
use hien::eval::simd::Kernels;
use hien::shogi::Position;

use crate::damage::allocated;
use crate::synthetic::Random;
use crate::synthetic_net;

/// Start positions: the usual one, a handicap, many pieces in hand, kings in the middle.
const STARTS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "9/9/3R5/3k5/4p4/5K3/9/9/9 w 2b4g4s4n4l17pr 1",
];

/// Plays about `moves` random moves, taking some back and passing now and then, and compares after most of them. Not
/// after all: accumulators that were never asked for must be caught up with.
fn walk(name: &str, moves: usize) {
    let net = synthetic_net(name);
    let kernels = Kernels::best();
    let mut worker = NnueState::new(&net);
    let mut random = Random::new(moves as u64);
    let mut done = 0;
    while done < moves {
        let mut position =
            Position::from_sfen(STARTS[random.below(STARTS.len())]).expect("a start position");
        // What was played: whether each step was a move (or else a pass).
        let mut line = Vec::new();
        while done < moves && line.len() < 300 {
            let legal = position.legal_moves();
            match random.below(100) {
                0..10 => match line.pop() {
                    Some(true) => position.undo_move(),
                    Some(false) => position.undo_null_move(),
                    None => {}
                },
                10..14 if !position.in_check() => {
                    position.do_null_move();
                    line.push(false);
                }
                _ if legal.is_empty() => break,
                _ => {
                    position.do_move(legal[random.below(legal.len())]);
                    line.push(true);
                    done += 1;
                }
            }
            if random.below(100) < 70 {
                let expected = net.evaluate(kernels, &position);
                assert_eq!(
                    worker.evaluate(&net, kernels, &position),
                    expected,
                    "{name} {}",
                    position.sfen()
                );
            }
        }
    }
}

macro_rules! walks {
    ($($test:ident: $name:literal;)*) => { $(
        #[test]
        fn $test() {
            walk($name, 100_000);
        }
    )* };
}

walks! {
    kp: "kp_72x2-24-10";
    ka2: "ka2_64x2-32-32";
    halfkp: "halfkp_256x2-32-32";
    halfkpvm: "halfkpvm_64x2-8-32";
    halfkpe9: "halfkpe9_32x2-8-32";
    halfka1: "halfka1_64x2-16-32";
    halfka2: "halfka2_64x2-8-64";
    halfkahm1: "halfkahm1_64x2-8-96";
    halfkahm2: "halfkahm2_256x2-32-32";
    halfkazones: "halfkazones_64x2-16-32";
    sfnn_progress: "sfnn_ka2_128-8-32-hand16_k3k3_progress4";
}

/// What a search does all the time takes no memory.
#[test]
fn evaluating_allocates_nothing() {
    for name in [
        "kp_72x2-24-10",
        "halfkahm1_64x2-8-96",
        "halfkpe9_32x2-8-32",
        "sfnn_ka2_128-8-32-hand16_k3k3_progress4",
    ] {
        let net = synthetic_net(name);
        let kernels = Kernels::best();
        let mut worker = NnueState::new(&net);
        let mut random = Random::new(5);
        let mut position = Position::startpos();
        for _ in 0..200 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.do_move(legal[random.below(legal.len())]);
            let before = allocated();
            worker.evaluate(&net, kernels, &position);
            // Debug builds compare with an accumulator from scratch, for which they need room.
            assert!(cfg!(debug_assertions) || allocated() == before, "{name}");
        }
    }
}

/// A search goes deep and comes back; lines longer than the stack of accumulators are still right.
#[test]
fn long_lines_are_right() {
    let net = synthetic_net("ka2_64x2-32-32");
    let kernels = Kernels::best();
    let mut worker = NnueState::new(&net);
    let mut position = Position::startpos();
    let cycle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    for i in 0..1000 {
        position.do_move(cycle[i % 4].parse().expect("a move"));
        if i % 37 < 3 {
            assert_eq!(
                worker.evaluate(&net, kernels, &position),
                net.evaluate(kernels, &position),
                "move {i}"
            );
        }
    }
    for i in (0..1000).rev() {
        position.undo_move();
        assert_eq!(
            worker.evaluate(&net, kernels, &position),
            net.evaluate(kernels, &position),
            "back to {i}"
        );
    }
}
