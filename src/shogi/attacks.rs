//! Attacks of pieces: steps, sliders, and the lines between squares. Knows no `Position`.
//!
//! All tables are constants, so nothing is set up at start. Sliders: a bishop is looked up by a magic
//! multiplication (`magic.rs`); a rook is the union of its file, whose nine squares are neighbouring
//! bits and index a table directly, and its rank, gathered by one magic multiplication. Two small tables
//! that stay in the first-level cache beat one magic table of 8 MB for whole rooks.
//!
//! ```
//! use hien::shogi::{Bitboard, Square, attacks};
//!
//! let square = |text: &str| text.parse::<Square>().unwrap();
//! let occupied: Bitboard = [square("7c"), square("7g")].into_iter().collect();
//! assert_eq!(format!("{:?}", attacks::bishop(square("5e"), occupied)), "
//!  . . . . . . . . #
//!  . . . . . . . # .
//!  . . # . . . # . .
//!  . . . # . # . . .
//!  . . . . . . . . .
//!  . . . # . # . . .
//!  . . # . . . # . .
//!  . . . . . . . # .
//!  . . . . . . . . #");
//! ```

use super::bitboard::Bitboard;
use super::color::Color;
use super::lines::{DIRECTIONS, offset, slide};
use super::magic;
use super::piece::{Piece, PieceType};
use super::square::Square;

/// A table with one entry a square.
type PerSquare<T> = [T; Square::COUNT];

/// The number used for "no direction"; itself and its opposite have empty rays.
const NO_DIRECTION: u8 = 8;

/// The squares one step away in each of `steps`, written for Black and turned round for White.
const fn step_table(color: Color, steps: &[(i8, i8)]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let sign = match color {
        Color::Black => 1,
        Color::White => -1,
    };
    let mut from = 0;
    while from < Square::COUNT {
        let mut i = 0;
        while i < steps.len() {
            let (files, ranks) = steps[i];
            if let Some(to) = offset(from, (files, ranks * sign)) {
                table[from] = table[from].with(to);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The rows of [`STEPS`].
const PAWN: usize = 0;
const KNIGHT: usize = 1;
const SILVER: usize = 2;
const GOLD: usize = 3;
const KING: usize = 4;
const NO_STEPS: usize = 5;

/// The row of [`STEPS`] for each kind, by its number.
const STEP_ROW: [u8; 16] = {
    let mut rows = [NO_STEPS as u8; 16];
    let mut i = 0;
    while i < PieceType::COUNT {
        let kind = PieceType::ALL[i];
        rows[kind as usize] = match kind {
            PieceType::Pawn => PAWN,
            PieceType::Knight => KNIGHT,
            PieceType::Silver => SILVER,
            PieceType::King | PieceType::Horse | PieceType::Dragon => KING,
            PieceType::Lance | PieceType::Bishop | PieceType::Rook => NO_STEPS,
            _ => GOLD,
        } as u8;
        i += 1;
    }
    rows
};

/// Steps by player, way of stepping and square.
static STEPS: [[PerSquare<Bitboard>; 6]; 2] = [steps_of(Color::Black), steps_of(Color::White)];

const fn steps_of(color: Color) -> [PerSquare<Bitboard>; 6] {
    [
        step_table(color, &[(0, -1)]),
        step_table(color, &[(-1, -2), (1, -2)]),
        step_table(color, &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]),
        step_table(
            color,
            &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
        ),
        step_table(color, &DIRECTIONS),
        step_table(color, &[]),
    ]
}

/// For each direction the squares beyond a square, up to the edge.
static RAYS: [PerSquare<Bitboard>; 10] = {
    let mut rays = [[Bitboard::EMPTY; Square::COUNT]; 10];
    let mut direction = 0;
    while direction < 8 {
        let mut from = 0;
        while from < Square::COUNT {
            rays[direction][from] = slide(from, DIRECTIONS[direction], Bitboard::EMPTY);
            from += 1;
        }
        direction += 1;
    }
    rays
};

/// The direction from one square to another, [`NO_DIRECTION`] if they are on no common line.
static DIRECTION: PerSquare<PerSquare<u8>> = {
    let mut table = [[NO_DIRECTION; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut direction = 0;
        while direction < 8 {
            let mut at = offset(from, DIRECTIONS[direction]);
            while let Some(square) = at {
                table[from][square.index()] = direction as u8;
                at = offset(square.index(), DIRECTIONS[direction]);
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// The union of the rays in `directions`: a slider's reach on an empty board.
const fn union_of_rays(directions: &[usize]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut i = 0;
        while i < directions.len() {
            let ray = slide(from, DIRECTIONS[directions[i]], Bitboard::EMPTY);
            table[from] = Bitboard::from_bits(table[from].bits() | ray.bits());
            i += 1;
        }
        from += 1;
    }
    table
}

static LANCE_REACH: [PerSquare<Bitboard>; 2] = [union_of_rays(&[0]), union_of_rays(&[1])];
static ROOK_REACH: PerSquare<Bitboard> = union_of_rays(&[0, 1, 2, 3]);
static BISHOP_REACH: PerSquare<Bitboard> = union_of_rays(&[4, 5, 6, 7]);

/// The states of the seven inner squares of a line of nine.
const LINE_STATES: usize = 128;

/// Slides on a line of nine squares: `[position][inner occupancy]` gives nine bits.
const LINE_SLIDES: [[u16; LINE_STATES]; 9] = {
    let mut table = [[0; LINE_STATES]; 9];
    let mut position = 0;
    while position < 9 {
        let mut inner = 0;
        while inner < LINE_STATES {
            // File 1 serves as the line: its bits are the nine lowest.
            let occupied = Bitboard::from_bits((inner as u128) << 1);
            let up = slide(position, DIRECTIONS[0], occupied).bits();
            let down = slide(position, DIRECTIONS[1], occupied).bits();
            table[position][inner] = (up | down) as u16;
            inner += 1;
        }
        position += 1;
    }
    table
};

/// Slides along a file: `[rank][inner occupancy]`, bits counted from rank a.
static FILE_SLIDES: [[u16; LINE_STATES]; 9] = LINE_SLIDES;

/// Slides along rank a: `[file][inner occupancy]`; other ranks are shifts of it.
static RANK_SLIDES: [[Bitboard; LINE_STATES]; 9] = {
    let mut table = [[Bitboard::EMPTY; LINE_STATES]; 9];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < LINE_STATES {
            let mut bits = 0u128;
            let mut i = 0;
            while i < 9 {
                bits |= (LINE_SLIDES[file][inner] as u128 >> i & 1) << (9 * i);
                i += 1;
            }
            table[file][inner] = Bitboard::from_bits(bits);
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Squares a pawn of `color` attacks.
#[inline]
pub fn pawn(color: Color, from: Square) -> Bitboard {
    STEPS[color.index()][PAWN][from.index()]
}

/// Squares a knight of `color` attacks.
#[inline]
pub fn knight(color: Color, from: Square) -> Bitboard {
    STEPS[color.index()][KNIGHT][from.index()]
}

/// Squares a silver general of `color` attacks.
#[inline]
pub fn silver(color: Color, from: Square) -> Bitboard {
    STEPS[color.index()][SILVER][from.index()]
}

/// Squares a gold general of `color`, or a piece that moves like it, attacks.
#[inline]
pub fn gold(color: Color, from: Square) -> Bitboard {
    STEPS[color.index()][GOLD][from.index()]
}

/// Squares a king attacks.
#[inline]
pub fn king(from: Square) -> Bitboard {
    STEPS[0][KING][from.index()]
}

/// Squares a piece attacks by single steps: all it attacks if it does not slide, the steps of a horse or dragon,
/// nothing for lance, bishop and rook.
#[inline]
pub(super) fn steps(piece: Piece, from: Square) -> Bitboard {
    let row = usize::from(STEP_ROW[piece.kind() as usize & 15]);
    STEPS[piece.color().index()][row][from.index()]
}

/// Squares on the file that a slider reaches, blockers included.
#[inline]
fn along_file(from: Square, occupied: Bitboard) -> Bitboard {
    let (file, rank) = (from.file(), from.rank().index());
    let [low, high] = occupied.words();
    // The inner squares of files 1 to 7 are in the low word, those of 8 and 9 in the high one.
    let inner = match file.index() {
        index @ 0..7 => low >> (9 * index + 1),
        7 => high,
        _ => high >> 9,
    };
    let slides = u64::from(FILE_SLIDES[rank][inner as usize & (LINE_STATES - 1)]);
    // The nine bits are repeated on all files, then the other files are masked out.
    let on_all_files = slides.wrapping_mul(0x8040_2010_0804_0201);
    Bitboard::from_words([on_all_files, slides >> 1 | slides << 8]) & Bitboard::file(file)
}

/// What gathers the inner squares of a rank into an index.
struct RankMagic {
    mask: [u64; 2],
    magic: u64,
}

/// For each rank the magic numbers. Square 9f + r of the low word (files 2 to 7) goes to bit 56 + f; the square of
/// file 8 is bit 63 or, folded from the high word, bit r - 1, and goes to bit 63. All other products miss the
/// upper seven bits and each other, so the index is exact. These numbers are constructed, not searched.
static RANK_MAGICS: [RankMagic; 9] = {
    const NONE: RankMagic = RankMagic {
        mask: [0; 2],
        magic: 0,
    };
    let mut magics = [NONE; 9];
    let mut rank = 0;
    while rank < 9 {
        let mut mask = 0u128;
        let mut magic = 0u64;
        let mut file = 1;
        while file < 8 {
            mask |= 1 << (9 * file + rank);
            if file < 7 {
                magic |= 1 << (56 - 8 * file - rank);
            }
            file += 1;
        }
        magic |= if rank == 0 { 1 } else { 1 << (64 - rank) };
        magics[rank] = RankMagic {
            mask: [mask as u64, (mask >> 64) as u64],
            magic,
        };
        rank += 1;
    }
    magics
};

/// Squares on the rank that a slider reaches, blockers included.
#[inline]
fn along_rank(from: Square, occupied: Bitboard) -> Bitboard {
    let rank = from.rank().index();
    let RankMagic { mask, magic } = &RANK_MAGICS[rank];
    let [low, high] = occupied.words();
    let inner = ((low & mask[0]) | (high & mask[1])).wrapping_mul(*magic) >> 57;
    let [low, high] = RANK_SLIDES[from.file().index()][inner as usize].words();
    // Of the low word only the bit of file 8 can cross to the high word.
    let crossing = (low >> 63 << rank) >> 1;
    Bitboard::from_words([low << rank, high << rank | crossing])
}

/// Squares a lance of `color` attacks.
#[inline]
pub fn lance(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    along_file(from, occupied) & LANCE_REACH[color.index()][from.index()]
}

/// Squares a bishop attacks.
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    magic::bishop(from, occupied)
}

/// Squares a rook attacks.
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    along_file(from, occupied) | along_rank(from, occupied)
}

/// Squares a horse (promoted bishop) attacks.
#[inline]
pub fn horse(from: Square, occupied: Bitboard) -> Bitboard {
    bishop(from, occupied) | king(from)
}

/// Squares a dragon (promoted rook) attacks.
#[inline]
pub fn dragon(from: Square, occupied: Bitboard) -> Bitboard {
    rook(from, occupied) | king(from)
}

/// Squares a lance of `color` would attack on an empty board.
#[inline]
pub fn lance_reach(color: Color, from: Square) -> Bitboard {
    LANCE_REACH[color.index()][from.index()]
}

/// Squares a bishop would attack on an empty board.
#[inline]
pub fn bishop_reach(from: Square) -> Bitboard {
    BISHOP_REACH[from.index()]
}

/// Squares a rook would attack on an empty board.
#[inline]
pub fn rook_reach(from: Square) -> Bitboard {
    ROOK_REACH[from.index()]
}

/// Squares a piece of `kind` and `color` attacks; `occupied` squares stop sliders, which reach the first of them.
///
/// ```
/// use hien::shogi::{Bitboard, Color, PieceType, Square, attacks};
///
/// let from: Square = "5e".parse().unwrap();
/// assert_eq!(format!("{:?}", attacks::attacks(PieceType::Gold, Color::Black, from, Bitboard::EMPTY)), "
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . # # # . . .
///  . . . # . # . . .
///  . . . . # . . . .
///  . . . . . . . . .
///  . . . . . . . . .
///  . . . . . . . . .");
/// ```
#[inline(always)] // most callers know the kind
pub fn attacks(kind: PieceType, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn(color, from),
        PieceType::Lance => lance(color, from, occupied),
        PieceType::Knight => knight(color, from),
        PieceType::Silver => silver(color, from),
        PieceType::Bishop => bishop(from, occupied),
        PieceType::Rook => rook(from, occupied),
        PieceType::King => king(from),
        PieceType::Horse => horse(from, occupied),
        PieceType::Dragon => dragon(from, occupied),
        PieceType::Gold
        | PieceType::ProPawn
        | PieceType::ProLance
        | PieceType::ProKnight
        | PieceType::ProSilver => gold(color, from),
    }
}

/// As [`attacks`] on an empty board. Cheaper: nothing has to be looked up by what stands on the lines.
#[inline(always)]
pub fn reach(kind: PieceType, color: Color, from: Square) -> Bitboard {
    match kind {
        PieceType::Lance => lance_reach(color, from),
        PieceType::Bishop => bishop_reach(from),
        PieceType::Rook => rook_reach(from),
        PieceType::Horse => bishop_reach(from) | king(from),
        PieceType::Dragon => rook_reach(from) | king(from),
        _ => attacks(kind, color, from, Bitboard::EMPTY),
    }
}

/// The squares strictly between two squares of one line; empty if they share none.
///
/// ```
/// use hien::shogi::{Square, attacks};
///
/// let square = |text: &str| text.parse::<Square>().unwrap();
/// let between = attacks::between(square("8h"), square("5e"));
/// assert_eq!(between, [square("7g"), square("6f")].into_iter().collect());
/// assert!(attacks::between(square("8h"), square("5f")).is_empty());
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    let direction = usize::from(DIRECTION[a.index()][b.index()]);
    RAYS[direction][a.index()] & RAYS[direction ^ 1][b.index()]
}

/// The ray that starts beyond `from` and runs through `through` to the edge; empty if no line joins them.
///
/// ```
/// use hien::shogi::{Square, attacks};
///
/// let square = |text: &str| text.parse::<Square>().unwrap();
/// let ray = attacks::ray(square("5i"), square("5d"));
/// assert_eq!(ray.count(), 8);
/// assert!(ray.contains(square("5a")) && !ray.contains(square("5i")));
/// ```
#[inline]
pub fn ray(from: Square, through: Square) -> Bitboard {
    RAYS[usize::from(DIRECTION[from.index()][through.index()])][from.index()]
}

/// From where pieces can reach the neighbours of a square, on an empty board.
pub(super) struct Vicinity {
    /// Where pieces that step must stand, knights of both players included.
    pub steppers: Bitboard,
    /// Where lances must stand: the files of the neighbours.
    pub lances: Bitboard,
    /// Where bishops and horses must stand.
    pub bishops: Bitboard,
    /// Where rooks and dragons must stand.
    pub rooks: Bitboard,
}

/// From where pieces can reach the neighbours of `center`.
#[inline]
pub(super) fn vicinity(center: Square) -> &'static Vicinity {
    static VICINITIES: PerSquare<Vicinity> = vicinities();
    &VICINITIES[center.index()]
}

const fn vicinities() -> PerSquare<Vicinity> {
    const NOWHERE: Vicinity = Vicinity {
        steppers: Bitboard::EMPTY,
        lances: Bitboard::EMPTY,
        bishops: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
    };
    const fn union(a: Bitboard, b: Bitboard) -> Bitboard {
        Bitboard::from_bits(a.bits() | b.bits())
    }
    let mut table = [NOWHERE; Square::COUNT];
    let mut center = 0;
    while center < Square::COUNT {
        let mut near = NOWHERE;
        let mut direction = 0;
        while direction < 8 {
            if let Some(neighbour) = offset(center, DIRECTIONS[direction]) {
                let i = neighbour.index();
                let knights = union(STEPS[0][KNIGHT][i], STEPS[1][KNIGHT][i]);
                let steppers = union(STEPS[0][KING][i], knights);
                near.steppers = union(near.steppers, steppers);
                near.lances = union(near.lances, Bitboard::file(neighbour.file()));
                near.bishops = union(near.bishops, BISHOP_REACH[i]);
                near.rooks = union(near.rooks, ROOK_REACH[i]);
            }
            direction += 1;
        }
        table[center] = near;
        center += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reproducible occupancies of all densities.
    pub(crate) fn occupancies(count: usize) -> impl Iterator<Item = Bitboard> {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            u128::from(seed) << 60 ^ u128::from(seed.rotate_left(23))
        };
        (0..count).map(move |i| {
            let bits = match i % 4 {
                0 => next(),
                1 => next() & next(),
                2 => next() & next() & next(),
                _ => next() | next(),
            };
            Bitboard::from_bits(bits)
        })
    }

    fn walk(from: Square, directions: std::ops::Range<usize>, occupied: Bitboard) -> Bitboard {
        directions
            .map(|d| slide(from.index(), DIRECTIONS[d], occupied))
            .fold(Bitboard::EMPTY, |a, b| a | b)
    }

    #[test]
    fn sliders_agree_with_walking_for_every_square() {
        for occupied in occupancies(2000).chain([Bitboard::EMPTY, Bitboard::ALL]) {
            for from in Square::all() {
                assert_eq!(rook(from, occupied), walk(from, 0..4, occupied), "{from}");
                assert_eq!(bishop(from, occupied), walk(from, 4..8, occupied), "{from}");
                let forward = [walk(from, 0..1, occupied), walk(from, 1..2, occupied)];
                for color in Color::ALL {
                    assert_eq!(lance(color, from, occupied), forward[color.index()]);
                }
            }
        }
    }

    #[test]
    fn every_rook_and_bishop_occupancy_of_some_squares_is_right() {
        for text in ["1a", "5e", "9i", "1e", "4h", "9a"] {
            let from: Square = text.parse().unwrap();
            for (reach, directions) in [(rook_reach(from), 0..4), (bishop_reach(from), 4..8)] {
                let mask = reach.bits();
                let mut subset = 0u128;
                loop {
                    let occupied = Bitboard::from_bits(subset);
                    let expected = walk(from, directions.clone(), occupied);
                    let found = if directions.start == 0 {
                        rook(from, occupied)
                    } else {
                        bishop(from, occupied)
                    };
                    assert_eq!(found, expected, "{from}");
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn steps_of_a_centre_piece_are_those_of_the_rules() {
        let e5: Square = "5e".parse().unwrap();
        let set = |texts: &[&str]| -> Bitboard {
            texts.iter().map(|t| t.parse::<Square>().unwrap()).collect()
        };
        assert_eq!(pawn(Color::Black, e5), set(&["5d"]));
        assert_eq!(pawn(Color::White, e5), set(&["5f"]));
        assert_eq!(knight(Color::Black, e5), set(&["4c", "6c"]));
        assert_eq!(knight(Color::White, e5), set(&["4g", "6g"]));
        let silver_squares = set(&["4d", "5d", "6d", "4f", "6f"]);
        assert_eq!(silver(Color::Black, e5), silver_squares);
        let gold_squares = set(&["4d", "5d", "6d", "4e", "6e", "5f"]);
        assert_eq!(gold(Color::Black, e5), gold_squares);
        assert_eq!(king(e5).count(), 8);
        for from in Square::all() {
            for kind in PieceType::ALL {
                let black = attacks(kind, Color::Black, from, Bitboard::EMPTY);
                let white = attacks(kind, Color::White, from.flip(), Bitboard::EMPTY);
                assert_eq!(
                    black.squares().map(Square::flip).collect::<Bitboard>(),
                    white
                );
            }
        }
    }

    #[test]
    fn between_and_ray_follow_common_lines() {
        for a in Square::all() {
            for b in Square::all() {
                let line =
                    (0..8).find(|&d| slide(a.index(), DIRECTIONS[d], Bitboard::EMPTY).contains(b));
                let (inner, outer) = match line {
                    Some(d) => {
                        let to_b = slide(a.index(), DIRECTIONS[d], Bitboard::from_square(b));
                        let to_edge = slide(a.index(), DIRECTIONS[d], Bitboard::EMPTY);
                        (to_b.without(b), to_edge)
                    }
                    None => (Bitboard::EMPTY, Bitboard::EMPTY),
                };
                assert_eq!(between(a, b), inner, "{a} {b}");
                assert_eq!(ray(a, b), outer, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_vicinity_holds_every_square_from_which_a_neighbour_is_reached() {
        let reaches = |kind, from, center| {
            Color::ALL
                .iter()
                .any(|&color| attacks(kind, color, from, Bitboard::EMPTY).intersects(king(center)))
        };
        for center in Square::all() {
            let near = vicinity(center);
            for from in Square::all() {
                for (kind, squares) in [
                    (PieceType::King, near.steppers),
                    (PieceType::Knight, near.steppers),
                    (PieceType::Lance, near.lances),
                    (PieceType::Bishop, near.bishops),
                    (PieceType::Rook, near.rooks),
                ] {
                    let needed = reaches(kind, from, center);
                    assert!(
                        squares.contains(from) || !needed,
                        "{kind:?} {from} {center}"
                    );
                }
                let stepper = [PieceType::Silver, PieceType::Gold, PieceType::Pawn]
                    .iter()
                    .any(|&kind| reaches(kind, from, center));
                assert!(near.steppers.contains(from) || !stepper);
            }
        }
    }
}
