//! Where the random tests start: ordinary games, handicaps, every position of the case collection, and
//! boards that no game would reach.

use crate::common::cases;
use crate::common::random::Random;
use crate::common::slow::{Board, HAND_LETTERS, Man};

/// The usual start and the handicaps, White to move in the latter.
pub const STARTS: [&str; 13] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
];

/// Every position of the case collection that the strict reading accepts, tsume positions included.
pub fn from_cases() -> Vec<String> {
    cases::all()
        .filter(|case| case.text("sfen_verdict").unwrap_or("accept") == "accept")
        .map(|case| case.sfen().to_owned())
        .collect()
}

/// What a made-up board should be full of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// A few men, many pieces missing, sometimes only one king.
    Sparse,
    /// Nearly the whole set on the board, many promoted.
    Crowded,
    /// Nearly the whole set in hand.
    FullHands,
    /// A king at the edge surrounded by men: checks and pins.
    Cornered,
    /// The same, and a pawn drop that mates or leaves one answer.
    PawnDrop,
}

impl Flavour {
    pub const ALL: [Self; 5] = [
        Self::Sparse,
        Self::Crowded,
        Self::FullHands,
        Self::Cornered,
        Self::PawnDrop,
    ];
}

/// The whole set but for the kings.
const SET: [(u8, usize); 7] = [
    (b'R', 2),
    (b'B', 2),
    (b'G', 4),
    (b'S', 4),
    (b'N', 4),
    (b'L', 4),
    (b'P', 18),
];

/// A sound made-up position, as SFEN. Sound is what [`Board::is_sound`] says.
pub fn made_up(random: &mut Random, flavour: Flavour) -> String {
    loop {
        let board = match flavour {
            Flavour::PawnDrop => pawn_drop(random),
            _ => sketch(random, flavour),
        };
        let fits = flavour != Flavour::PawnDrop || board.fewest_answers_to_a_pawn_drop() <= 1;
        if fits && board.is_sound() {
            return board.sfen(1);
        }
    }
}

/// A made-up board, sound or not.
pub fn sketch(random: &mut Random, flavour: Flavour) -> Board {
    let mut board = Board::empty();
    board.set_white_to_move(random.percent(50));
    let edge = |random: &mut Random| (random.below(9) as i8, random.pick(&[0, 0, 1, 7, 8, 8]));
    let anywhere = |random: &mut Random| (random.below(9) as i8, random.below(9) as i8);
    let missing_king = random.percent(if flavour == Flavour::Crowded { 5 } else { 20 });
    let mut kings: Vec<bool> = Vec::new();
    for white in [random.percent(50), true] {
        let white = if kings.is_empty() { white } else { !kings[0] };
        if kings.len() == 1 && missing_king {
            break;
        }
        let cell = if flavour == Flavour::Cornered {
            edge(random)
        } else {
            anywhere(random)
        };
        if board.at(cell).is_none() {
            board.put(
                cell,
                Some(Man {
                    white,
                    letter: b'K',
                    promoted: false,
                }),
            );
            kings.push(white);
        }
    }
    let focus = {
        let target = kings[random.below(kings.len())];
        (0..9)
            .flat_map(|file| (0..9).map(move |rank| (file, rank)))
            .find(|&cell| {
                board.at(cell)
                    == Some(Man {
                        white: target,
                        letter: b'K',
                        promoted: false,
                    })
            })
            .expect("the king just placed")
    };
    // Shares in percent: missing, in hand; the rest goes on the board.
    let (missing, in_hand) = match flavour {
        Flavour::Sparse => (60, 15),
        Flavour::Crowded => (2, 8),
        Flavour::FullHands => (5, 85),
        Flavour::Cornered | Flavour::PawnDrop => (35, 30),
    };
    for (letter, number) in SET {
        debug_assert!(HAND_LETTERS.contains(&letter));
        for _ in 0..number {
            let white = random.percent(50);
            let share = random.below(100);
            if share < missing {
                continue;
            }
            if share < missing + in_hand {
                board.add_to_hand(white, letter, 1);
                continue;
            }
            let promoted = letter != b'G' && random.percent(30);
            let cell = if flavour == Flavour::Cornered && random.percent(70) {
                let near = |random: &mut Random, centre: i8| {
                    (centre + random.below(5) as i8 - 2).clamp(0, 8)
                };
                (near(random, focus.0), near(random, focus.1))
            } else {
                anywhere(random)
            };
            let man = Man {
                white,
                letter,
                promoted,
            };
            let mut with_man = board.clone();
            with_man.put(cell, Some(man));
            if board.at(cell).is_none() && with_man.is_placed_well(cell) {
                board = with_man;
            }
        }
    }
    board
}

/// A king with its back to an edge, the men of both sides around it, and a pawn ready to be dropped before it.
fn pawn_drop(random: &mut Random) -> Board {
    let mut board = Board::empty();
    let white = random.percent(50);
    board.set_white_to_move(white);
    // Coordinates as if Black attacked; `place` turns the board for White.
    let king = (
        random.pick(&[0, 0, 1, 4, 7, 8, 8]),
        random.pick(&[0, 0, 0, 1, 2]),
    );
    let mut place = |cell: (i8, i8), own: bool, letter: u8, promoted: bool| {
        let cell = if white {
            (8 - cell.0, 8 - cell.1)
        } else {
            cell
        };
        let man = Man {
            white: white == own,
            letter,
            promoted,
        };
        let mut with_man = board.clone();
        with_man.put(cell, Some(man));
        if board.at(cell).is_none() && with_man.is_placed_well(cell) {
            board = with_man;
        }
    };
    place(king, false, b'K', false);
    let head = (king.0, king.1 + 1);
    let near = |random: &mut Random| {
        let file = (king.0 + random.below(5) as i8 - 2).clamp(0, 8);
        (file, (king.1 + random.below(4) as i8 - 1).clamp(0, 8))
    };
    let far = |random: &mut Random| (random.below(9) as i8, random.below(9) as i8);
    if random.percent(70) {
        place(far(random), true, b'K', false);
    }
    let mut set: Vec<u8> = b"RRBBGGGGSSSSNNNNLLLLPPPPPPPP".to_vec();
    for own in [true, false] {
        for _ in 0..2 + random.below(5) {
            let letter = set.swap_remove(random.below(set.len()));
            let is_slider = matches!(letter, b'R' | b'B' | b'L');
            let cell = if is_slider && random.percent(60) {
                far(random)
            } else {
                near(random)
            };
            if cell != head && (cell.0 != head.0 || letter != b'P' || !own) {
                place(cell, own, letter, letter != b'G' && random.percent(25));
            }
        }
    }
    board.add_to_hand(white, b'P', 1);
    board
}
