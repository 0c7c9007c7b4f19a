//! Where pieces move: steps, sliders, and the lines between squares. Knows no `Position`.
//!
//! All tables are constants, so nothing is set up at start. Sliders: a bishop is looked up by a magic
//! multiplication ([`super::magic`]); a rook is the union of its file, whose nine squares are neighbouring
//! bits and index a table directly, and its rank, gathered by one magic multiplication. Two small tables
//! that stay in the first-level cache beat one magic table of 8 MB for whole rooks.

use super::bitboard::Bitboard;
use super::color::Color;
use super::magic;
use super::piece::PieceType;
use super::square::Square;

/// A table with one entry a square.
type PerSquare<T> = [T; Square::COUNT];

/// The eight directions as (file step, rank step); a direction and its opposite differ in bit 0.
pub(super) const DIRECTIONS: [(i8, i8); 8] = [
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
    (-1, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
];

/// The number used for "no direction"; itself and its opposite have empty rays.
const NO_DIRECTION: u8 = 8;

/// The square `steps` away from the square with index `from`; `None` off the board.
pub(super) const fn offset(from: usize, (files, ranks): (i8, i8)) -> Option<Square> {
    let file = (from / 9) as i8 + files;
    let rank = (from % 9) as i8 + ranks;
    if file < 0 || file > 8 || rank < 0 || rank > 8 {
        return None;
    }
    Square::try_new((file * 9 + rank) as u8)
}

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

/// [`step_table`] for both players.
const fn step_tables(steps: &[(i8, i8)]) -> [PerSquare<Bitboard>; 2] {
    [
        step_table(Color::Black, steps),
        step_table(Color::White, steps),
    ]
}

static PAWN: [PerSquare<Bitboard>; 2] = step_tables(&[(0, -1)]);
static KNIGHT: [PerSquare<Bitboard>; 2] = step_tables(&[(-1, -2), (1, -2)]);
static SILVER: [PerSquare<Bitboard>; 2] =
    step_tables(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]);
static GOLD: [PerSquare<Bitboard>; 2] =
    step_tables(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
static KING: PerSquare<Bitboard> = step_table(Color::Black, &DIRECTIONS);

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
const fn reach(directions: &[usize]) -> PerSquare<Bitboard> {
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

static LANCE_REACH: [PerSquare<Bitboard>; 2] = [reach(&[0]), reach(&[1])];
static ROOK_REACH: PerSquare<Bitboard> = reach(&[0, 1, 2, 3]);
static BISHOP_REACH: PerSquare<Bitboard> = reach(&[4, 5, 6, 7]);

/// Walks from a square until the edge or the first occupied square, which is included.
///
/// The slow, obvious definition of sliding: it fills the tables and judges them in tests.
pub(super) const fn slide(from: usize, direction: (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut at = offset(from, direction);
    while let Some(square) = at {
        reached = reached.with(square);
        if occupied.contains(square) {
            break;
        }
        at = offset(square.index(), direction);
    }
    reached
}

/// The seven inner squares of a line of nine, as an index.
const LINE_STATES: usize = 128;

/// Slides on a line of nine squares: `[position][inner occupancy]` gives nine bits.
const fn line_slides() -> [[u16; LINE_STATES]; 9] {
    let mut table = [[0; LINE_STATES]; 9];
    let mut position = 0;
    while position < 9 {
        let mut inner = 0;
        while inner < LINE_STATES {
            let occupied = (inner as u128) << 1;
            // File 1 serves as the line: its bits are the nine lowest.
            let occupied = Bitboard::from_bits(occupied);
            let up = slide(position, DIRECTIONS[0], occupied).bits();
            let down = slide(position, DIRECTIONS[1], occupied).bits();
            table[position][inner] = (up | down) as u16;
            inner += 1;
        }
        position += 1;
    }
    table
}

/// Slides along a file: `[rank][inner occupancy]`, bits counted from rank a.
static FILE_SLIDES: [[u16; LINE_STATES]; 9] = line_slides();

/// Slides along rank a: `[file][inner occupancy]`; other ranks are shifts of it.
static RANK_SLIDES: [[Bitboard; LINE_STATES]; 9] = {
    let lines = line_slides();
    let mut table = [[Bitboard::EMPTY; LINE_STATES]; 9];
    let mut file = 0;
    while file < 9 {
        let mut inner = 0;
        while inner < LINE_STATES {
            let mut bits = 0u128;
            let mut i = 0;
            while i < 9 {
                bits |= (lines[file][inner] as u128 >> i & 1) << (9 * i);
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
    PAWN[color.index()][from.index()]
}

/// Squares a knight of `color` attacks.
#[inline]
pub fn knight(color: Color, from: Square) -> Bitboard {
    KNIGHT[color.index()][from.index()]
}

/// Squares a silver general of `color` attacks.
#[inline]
pub fn silver(color: Color, from: Square) -> Bitboard {
    SILVER[color.index()][from.index()]
}

/// Squares a gold general of `color`, or a piece that moves like it, attacks.
#[inline]
pub fn gold(color: Color, from: Square) -> Bitboard {
    GOLD[color.index()][from.index()]
}

/// Squares a king attacks.
#[inline]
pub fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// Squares on the file that a slider reaches, blockers included.
#[inline]
fn along_file(from: Square, occupied: Bitboard) -> Bitboard {
    let lane = 9 * from.file().index();
    let inner = (occupied.bits() >> (lane + 1)) as usize & (LINE_STATES - 1);
    Bitboard::from_bits(u128::from(FILE_SLIDES[from.rank().index()][inner]) << lane)
}

/// Squares on the rank that a slider reaches, blockers included.
///
/// Shifted down by the rank, the seven inner squares are the bits 9, 18, .. 63. The multiplication brings
/// bit 9f to bit 56 + f; all other products land outside bits 57 to 63 and never collide.
#[inline]
fn along_rank(from: Square, occupied: Bitboard) -> Bitboard {
    const INNER: u64 = 0x8040_2010_0804_0200;
    const MAGIC: u64 = 0x0001_0101_0101_0101;
    let rank = from.rank().index();
    let inner = ((occupied.bits() >> rank) as u64 & INNER).wrapping_mul(MAGIC) >> 57;
    let slides = RANK_SLIDES[from.file().index()][inner as usize];
    Bitboard::from_bits(slides.bits() << rank)
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

/// Squares a piece of `kind` and `color` attacks.
#[inline]
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

/// The squares strictly between two squares of one line; empty if they share none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    let direction = usize::from(DIRECTION[a.index()][b.index()]);
    RAYS[direction][a.index()] & RAYS[direction ^ 1][b.index()]
}

/// The ray that starts beyond `from` and runs through `through` to the edge; empty if no line joins them.
#[inline]
pub fn ray(from: Square, through: Square) -> Bitboard {
    RAYS[usize::from(DIRECTION[from.index()][through.index()])][from.index()]
}

/// The squares at most two king's steps away: all from which a stepping piece can reach a neighbour.
#[inline]
pub(super) fn vicinity(center: Square) -> Bitboard {
    static VICINITY: PerSquare<Bitboard> = {
        let mut table = [Bitboard::EMPTY; Square::COUNT];
        let mut from = 0;
        while from < Square::COUNT {
            let (mut files, mut ranks) = (-2, -2);
            while files <= 2 {
                if let Some(square) = offset(from, (files, ranks)) {
                    table[from] = table[from].with(square);
                }
                ranks += 1;
                if ranks > 2 {
                    ranks = -2;
                    files += 1;
                }
            }
            from += 1;
        }
        table
    };
    VICINITY[center.index()]
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
    fn the_vicinity_is_two_steps_wide() {
        for center in Square::all() {
            let two_steps = king(center)
                .squares()
                .fold(king(center).with(center), |all, square| all | king(square));
            assert_eq!(vicinity(center), two_steps);
        }
    }
}
