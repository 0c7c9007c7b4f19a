//! Activations of other trainers' nets, for which there are no reference values, against a plain evaluator written
//! from their descriptions; and sizes that fill no register.

use hien::eval::nnue::NnueState;
use hien::shogi::{Color, HandPiece, PieceType, Position, Square};

use crate::synthetic::{Activation, Random, Spec, spec};
use crate::{all_kernels, load};

/// The inputs of K+P nets: pieces in hand, pieces on the board, kings; absent pieces are number 0.
fn active(position: &Position, perspective: Color) -> Vec<usize> {
    const HAND: [[usize; 2]; 7] = [
        [1, 20],
        [39, 44],
        [49, 54],
        [59, 64],
        [79, 82],
        [85, 88],
        [69, 74],
    ];
    let mut numbers = Vec::new();
    for color in Color::ALL {
        let side = usize::from(color != perspective);
        for kind in HandPiece::ALL {
            let first = HAND[kind.index()][side];
            numbers.extend(first..first + position.hand(color).count(kind) as usize);
        }
    }
    for square in Square::all() {
        let Some(piece) = position.piece_on(square) else {
            continue;
        };
        let side = usize::from(piece.color() != perspective);
        let plane = match piece.kind() {
            PieceType::Pawn => 0,
            PieceType::Lance => 1,
            PieceType::Knight => 2,
            PieceType::Silver => 3,
            PieceType::Bishop => 5,
            PieceType::Horse => 6,
            PieceType::Rook => 7,
            PieceType::Dragon => 8,
            PieceType::King => 9,
            _ => 4,
        };
        let seen = if perspective == Color::Black {
            square
        } else {
            square.flip()
        };
        numbers.push(90 + 162 * plane + 81 * side + seen.index());
    }
    numbers.resize(numbers.len().max(40), 0);
    numbers
}

/// The numbers of a file behind its header, one after another.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let (number, rest) = self.0.split_first_chunk().expect("the file is long enough");
        self.0 = rest;
        *number
    }

    fn i16(&mut self) -> i64 {
        i16::from_le_bytes(self.next()).into()
    }

    /// A layer's outputs for an input; rows have a padded length.
    fn layer(&mut self, input: &[i64], outputs: usize) -> Vec<i64> {
        let bias: Vec<i64> = (0..outputs)
            .map(|_| i32::from_le_bytes(self.next()).into())
            .collect();
        let sum = |bias: i64| {
            let row: Vec<i64> = (0..input.len().div_ceil(32) * 32)
                .map(|_| i8::from_le_bytes(self.next()).into())
                .collect();
            bias + row.iter().zip(input).map(|(w, x)| w * x).sum::<i64>()
        };
        bias.into_iter().map(sum).collect()
    }
}

/// The raw output of a classic K+P net, straight from the file.
fn evaluate(bytes: &[u8], spec: &Spec, position: &Position) -> i64 {
    let description = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
    let mut numbers = Numbers(&bytes[12 + description as usize + 4..]);
    let rows: Vec<Vec<i64>> = (0..1711)
        .map(|_| (0..spec.width).map(|_| numbers.i16()).collect())
        .collect();
    let _hash: [u8; 4] = numbers.next();
    let us = position.side_to_move();
    let mut input = Vec::new();
    for perspective in [us, !us] {
        let mut acc = rows[0].clone();
        for number in active(position, perspective) {
            acc.iter_mut()
                .zip(&rows[number + 1])
                .for_each(|(a, w)| *a += w);
        }
        let half = spec.width / 2;
        let clipped = |limit: i64| acc.iter().map(move |a| (*a).clamp(0, limit));
        let pairs = |limit| clipped(limit).take(half).zip(clipped(limit).skip(half));
        match spec.activation {
            Activation::Clip => input.extend(clipped(127)),
            Activation::Square127 => input.extend(clipped(127).map(|c| (c * c) >> 7)),
            Activation::Square255 => input.extend(clipped(255).map(|c| ((c * c) >> 9).min(127))),
            Activation::Pair127 => input.extend(pairs(127).map(|(a, b)| (a * b) >> 7)),
            Activation::Pair255 => input.extend(pairs(255).map(|(a, b)| (a * b) >> 9)),
        }
    }
    for outputs in spec.hidden {
        let clipped = numbers
            .layer(&input, outputs)
            .into_iter()
            .map(|y| (y >> 6).clamp(0, 127));
        input = match spec.activation {
            Activation::Square127 | Activation::Square255 => clipped.map(|c| c * c / 127).collect(),
            _ => clipped.collect(),
        };
    }
    numbers.layer(&input, 1)[0]
}

fn check(spec: &Spec, shape: &str) {
    let bytes = spec.file();
    let net = load(&bytes);
    assert_eq!(net.architecture().to_string(), shape);
    let mut random = Random::new(11);
    let mut values = std::collections::HashSet::new();
    for kernels in all_kernels() {
        let mut worker = NnueState::new(&net);
        let mut position = Position::startpos();
        for _ in 0..60 {
            let moves = position.legal_moves();
            position.do_move(moves[random.below(moves.len())]);
            let expected = evaluate(&bytes, spec, &position);
            values.insert(expected);
            let found = worker.evaluate(&net, kernels, &position).map(i64::from);
            assert_eq!(
                found,
                Some(expected),
                "{shape} {kernels:?} {}",
                position.sfen()
            );
        }
    }
    assert!(values.len() > 100, "{shape}: the net tells positions apart");
}

#[test]
fn activations_follow_their_descriptions() {
    let net = |activation| Spec {
        activation,
        ..spec("kp_256x2-32-32")
    };
    check(&net(Activation::Clip), "K+P 256x2-32-32");
    check(&net(Activation::Square127), "K+P 256x2-32-32 SCReLU 127");
    check(&net(Activation::Square255), "K+P 256x2-32-32 SCReLU 255");
    check(&net(Activation::Pair127), "K+P 256x2-32-32 pairwise 127");
    check(&net(Activation::Pair255), "K+P 256x2-32-32 pairwise 255");
}

#[test]
fn sizes_that_fill_no_register_are_right() {
    for (width, hidden) in [
        (72, [24, 10]),
        (96, [8, 96]),
        (33, [13, 19]),
        (130, [33, 65]),
        (320, [64, 128]),
    ] {
        let spec = Spec {
            width,
            hidden,
            ..spec("kp_72x2-24-10")
        };
        check(&spec, &format!("K+P {width}x2-{}-{}", hidden[0], hidden[1]));
    }
}
