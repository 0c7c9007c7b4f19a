//! The active features of samples: those of the engine, plus factors (virtual features) that several of them share in
//! training.

use crate::eval::nnue::features::{FeatureSet, View};
use crate::shogi::{Color, HandPiece, Piece, PieceType, Square};

use super::sample::{MEN, Man, Sample};

/// Numbers features for training. Rows below [`Inputs::real`] are the engine's; those behind are factors: one for each
/// feature per king square, active whatever the square. When a net is written their weights are added to those of every
/// king square, so they cost nothing in play and hold what is true wherever the king is. Such a factorizer is common in
/// the trainers of Stockfish and YaneuraOu.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    set: FeatureSet,
    /// Per perspective, plain and mirrored: each man's features, counted from the first of the king's square.
    numbers: [[Box<[Numbers]>; 2]; 2],
    /// Per perspective: what each square of its king means.
    kings: [[King; Square::COUNT]; 2],
    factorised: bool,
}

/// The features of a man. A king may have none, or two.
type Numbers = [u32; 2];

/// Stands for "no feature".
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct King {
    /// The first feature of this square.
    first: u32,
    /// Whether the board is seen mirrored.
    mirrored: bool,
}

/// Features of one perspective at most: 38 pieces and two kings that count twice, each with a factor.
pub(super) const MOST: usize = 2 * (MEN + 2);

impl Inputs {
    /// The inputs of a set without attack counts. Only sets that depend on the king's square have something to share.
    pub fn new(set: FeatureSet, factorised: bool) -> Self {
        let kings = Color::ALL.map(|color| {
            std::array::from_fn(|square| {
                let view = set.view(color, square_of(square));
                King {
                    first: view.absent(),
                    mirrored: view.is_mirrored(),
                }
            })
        });
        Self {
            set,
            numbers: Color::ALL
                .map(|color| [false, true].map(|mirrored| numbers(set, color, mirrored))),
            kings,
            factorised: factorised && set.is_king_relative(),
        }
    }

    /// The engine's features.
    pub fn real(&self) -> usize {
        self.set.inputs()
    }

    /// All rows, factors included.
    pub fn rows(&self) -> usize {
        self.real()
            + if self.factorised {
                self.set.stride() as usize
            } else {
                0
            }
    }

    /// Features per king square; the first of them stands for absent pieces.
    pub fn stride(&self) -> usize {
        self.set.stride() as usize
    }

    /// The factor that belongs to a feature of the engine, if there are factors.
    pub fn factor(&self, feature: usize) -> Option<usize> {
        let stride = self.set.stride() as usize;
        self.factorised.then(|| self.real() + feature % stride)
    }

    /// Passes the active rows of a sample, or of its mirror image, to `tell`, for a perspective; the side to move is
    /// Black.
    #[inline]
    pub fn tell(&self, sample: &Sample, side: Color, mirror: bool, mut tell: impl FnMut(u32)) {
        let square = sample.kings()[side.index()];
        let square = if mirror { mirrored(square) } else { square };
        let king = self.kings[side.index()][square];
        let numbers = &self.numbers[side.index()][usize::from(mirror != king.mirrored)];
        let factors = self.factorised.then(|| self.real() as u32);
        let mut both = |number: u32| {
            tell(king.first + number);
            if let Some(first) = factors {
                tell(first + number);
            }
        };
        for man in sample.men() {
            let [first, second] = numbers[man.index()];
            if first != NONE {
                both(first);
            }
            if second != NONE {
                both(second);
            }
        }
        // What a set lacks counts as the first feature, once per piece.
        (sample.men().len()..MEN).for_each(|_| both(0));
    }
}

pub(super) fn square_of(index: usize) -> Square {
    Square::try_new(index as u8).expect("an index below 81")
}

fn mirrored(square: usize) -> usize {
    square_of(square).mirror().index()
}

/// The features of all men in a perspective's view, as it is or mirrored.
fn numbers(set: FeatureSet, side: Color, mirrored: bool) -> Box<[Numbers]> {
    // A square on the middle file: no set mirrors its view.
    let view = set.view(side, square_of(Square::COUNT / 2));
    let mut table = vec![[NONE; 2]; Man::COUNT].into_boxed_slice();
    for color in Color::ALL {
        for kind in PieceType::ALL {
            for square in Square::all() {
                let seen = if mirrored { square.mirror() } else { square };
                let man = Man::on_board(Piece::new(color, kind), square);
                table[man.index()] = on_board(&view, Piece::new(color, kind), seen);
            }
        }
        for kind in HandPiece::ALL {
            for nth in 0..kind.set_size() {
                let number = view.hand(color, kind, nth) - view.absent();
                table[Man::in_hand(color, kind, nth as usize).index()][0] = number;
            }
        }
    }
    table
}

fn on_board(view: &View, piece: Piece, square: Square) -> Numbers {
    let mut numbers = [NONE; 2];
    let mut free = numbers.iter_mut();
    view.piece(piece, square, |feature| {
        if let Some(number) = free.next() {
            *number = feature - view.absent();
        }
    });
    numbers
}
