//! Feature sets (K+P, HalfKP, HalfKA and relatives): which rows of the weight table a position activates, and which a
//! move changes.
//!
//! A feature is a number below [`FeatureSet::inputs`]. Each perspective (a player's view of the board) has features of
//! its own; "own" and "enemy" below are relative to it. The numbering is YaneuraOu's (`evaluate_bona_piece.cpp` and
//! `source/eval/nnue/features`). Knows no weights.

mod effects;
mod snapshot;

use arrayvec::ArrayVec;

use crate::shogi::{Color, Diff, Hand, HandPiece, Piece, PieceType, Position, Square};

pub use effects::EffectMap;
pub use snapshot::Snapshot;

use effects::Effect;

/// The first number of a piece on the board; pieces in hand have those below.
const BOARD: u32 = 90;
/// The end of the numbers of all pieces but kings, where the own king's squares begin.
const OWN_KING: u32 = 1548;
/// Where the enemy king's squares begin.
const ENEMY_KING: u32 = OWN_KING + SQUARES;
const SQUARES: u32 = 81;
/// Pieces of a full set without the kings. What a position lacks counts as feature 0 of the set, once per piece.
const FULL_SET: u32 = 38;
/// Stands for "no feature" among the piece numbers.
const NONE: u16 = u16::MAX;

/// A feature set: the inputs of the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSet {
    /// Pieces, and kings as pieces, whatever the kings' squares.
    Kp,
    /// As `Kp` with merged king planes, and the kings once more.
    Ka2,
    /// Own king's square x pieces.
    HalfKp,
    /// As `HalfKp`, mirrored so that the own king is on files 1 to 5.
    HalfKpVm,
    /// As `HalfKp`, x number of attacks on the piece's square by either player (0, 1, 2 and more).
    HalfKpE9,
    /// Own king's square x pieces and both kings.
    HalfKa1,
    /// As `HalfKa1` with one plane for both kings.
    HalfKa2,
    /// As `HalfKa1`, mirrored.
    HalfKaHm1,
    /// As `HalfKa2`, mirrored.
    HalfKaHm2,
    /// As `HalfKaHm1`, but king squares of a zone (king bucket) share their numbers. Hien's own.
    HalfKaZones,
}

/// What distinguishes one set from another.
#[derive(Debug)]
struct Traits {
    set: FeatureSet,
    /// The name YaneuraOu writes into files, without "(Friend)".
    name: &'static str,
    /// Names other tools write or that architecture names use, lower case.
    aliases: &'static [&'static str],
    /// The set's hash in files.
    hash: u32,
    king: KingUse,
    planes: KingPlanes,
    /// Whether the kings are active a second time, at the end.
    kings_twice: bool,
    /// Whether attack counts multiply the features.
    effects: bool,
}

/// How the own king's square enters the feature numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KingUse {
    Unused,
    Square,
    /// The board is mirrored if the king is on files 6 to 9.
    Mirrored,
    /// Mirrored, and only the zone of the king matters.
    Zone,
}

/// The zone of each king square on files 1 to 5: files from the right, ranks from the far side. The first ranks are
/// where a king enters; at home nearly every square is its own.
#[rustfmt::skip]
const KING_ZONES: [u8; 45] = [
    10, 10, 10, 9, 9, 9, 8, 5, 0,
    10, 10, 10, 9, 9, 9, 8, 5, 1,
    10, 10, 10, 9, 9, 9, 8, 6, 2,
    10, 10, 10, 9, 9, 9, 8, 7, 3,
    10, 10, 10, 9, 9, 9, 8, 7, 4,
];
const ZONES: usize = 11;

/// Whether the kings are features like other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KingPlanes {
    Absent,
    Two,
    Merged,
}

#[rustfmt::skip]
static TRAITS: [Traits; 10] = {
    use FeatureSet::*;
    use KingPlanes::{Absent, Merged, Two};
    use KingUse::{Mirrored, Square, Unused, Zone};
    const fn row(
        set: FeatureSet, name: &'static str, aliases: &'static [&'static str], hash: u32, king: KingUse, planes: KingPlanes,
    ) -> Traits {
        Traits { set, name, aliases, hash, king, planes, kings_twice: matches!(set, Ka2), effects: matches!(set, HalfKpE9) }
    }
    [
        row(Kp,        "K+P",        &["kp", "k-p"],                         0x3F57_17FF, Unused,   Two),
        row(Ka2,       "K+A2",       &["ka2", "k-a2"],                       0x97D5_765E, Unused,   Merged),
        row(HalfKp,    "HalfKP",     &[],                                    0x5D69_D5B8, Square,   Absent),
        row(HalfKpVm,  "HalfKP_vm",  &["halfkpvm"],                          0x0B6B_1D9A, Mirrored, Absent),
        row(HalfKpE9,  "HalfKPE9",   &[],                                    0x5D69_D5B8, Square,   Absent),
        row(HalfKa1,   "HalfKA1",    &["halfka", "halfkasplit"],             0x5F13_4CB8, Square,   Two),
        row(HalfKa2,   "HalfKA2",    &["halfkamerged"],                      0x5F23_4CB8, Square,   Merged),
        row(HalfKaHm1, "HalfKA_hm1", &["halfkahm1", "halfkahmsplit"],        0x7F13_4CB8, Mirrored, Two),
        row(HalfKaHm2, "HalfKA_hm2", &["halfkahm2", "halfka_hm", "halfkahm", "halfkahmmerged"],
                                                                             0x7F23_4CB8, Mirrored, Merged),
        row(HalfKaZones, "HalfKA_zones", &["halfkazones"],                   0x7F13_5A4E, Zone,     Two),
    ]
};

impl FeatureSet {
    /// All sets.
    pub const ALL: [Self; 10] = [
        Self::Kp,
        Self::Ka2,
        Self::HalfKp,
        Self::HalfKpVm,
        Self::HalfKpE9,
        Self::HalfKa1,
        Self::HalfKa2,
        Self::HalfKaHm1,
        Self::HalfKaHm2,
        Self::HalfKaZones,
    ];

    const fn traits(self) -> &'static Traits {
        &TRAITS[self as usize]
    }

    /// The name, as in YaneuraOu's descriptions without "(Friend)".
    pub const fn name(self) -> &'static str {
        self.traits().name
    }

    /// The set of this name or alias, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let traits = TRAITS
            .iter()
            .find(|t| t.name.eq_ignore_ascii_case(&name) || t.aliases.contains(&&*name))?;
        Some(traits.set)
    }

    /// The set's hash in files. `HalfKp` and `HalfKpE9` have the same.
    pub const fn hash(self) -> u32 {
        self.traits().hash
    }

    /// Rows of the weight table: the number of different features of one perspective.
    pub const fn inputs(self) -> usize {
        let traits = self.traits();
        let kings = match traits.king {
            KingUse::Unused => 1,
            KingUse::Square => 81,
            KingUse::Mirrored => 45,
            KingUse::Zone => ZONES,
        };
        let effects = if traits.effects { 9 } else { 1 };
        let twice = if traits.kings_twice { 2 * 81 } else { 0 };
        kings * self.stride() as usize * effects + twice
    }

    /// Numbers per king square: features of different squares differ by a multiple of this.
    pub const fn stride(self) -> u32 {
        match self.traits().planes {
            KingPlanes::Absent => OWN_KING,
            KingPlanes::Merged => ENEMY_KING,
            KingPlanes::Two => ENEMY_KING + SQUARES,
        }
    }

    /// Whether the features depend on attack counts, so that a move changes more than its own squares.
    pub const fn uses_effects(self) -> bool {
        self.traits().effects
    }

    /// Whether all features of a perspective change when its king moves.
    pub const fn is_king_relative(self) -> bool {
        !matches!(self.traits().king, KingUse::Unused)
    }

    /// How a perspective numbers the features with its own king on `king`.
    #[inline]
    pub fn view(self, perspective: Color, king: Square) -> View {
        let traits = self.traits();
        let seen = match perspective {
            Color::Black => king,
            Color::White => king.flip(),
        };
        let mirrors = matches!(traits.king, KingUse::Mirrored | KingUse::Zone);
        let mirrored = mirrors && seen.index() >= 45;
        let seen = if mirrored { seen.mirror() } else { seen };
        let bucket = match traits.king {
            KingUse::Unused => 0,
            KingUse::Square | KingUse::Mirrored => seen.index() as u32,
            KingUse::Zone => u32::from(KING_ZONES[seen.index()]),
        };
        View {
            perspective,
            mirrored,
            offset: bucket * self.stride(),
            squares: &SQUARE_VIEWS[perspective.index()][usize::from(mirrored)],
            board: &BOARD_NUMBERS[traits.planes as usize],
            kings_twice: traits.kings_twice,
            effects: traits.effects,
        }
    }
}

/// Board squares as a perspective sees them: `[perspective][mirrored][square]`.
static SQUARE_VIEWS: [[[u8; 81]; 2]; 2] = {
    let mut views = [[[0; 81]; 2]; 2];
    let mut square = 0;
    while square < 81 {
        let flipped = 80 - square;
        views[0][0][square as usize] = square;
        views[0][1][square as usize] = mirror(square);
        views[1][0][square as usize] = flipped;
        views[1][1][square as usize] = mirror(flipped);
        square += 1;
    }
    views
};

const fn mirror(square: u8) -> u8 {
    (8 - square / 9) * 9 + square % 9
}

/// The first number of a piece on the board: `[king planes][0 own, 1 enemy][kind]`.
static BOARD_NUMBERS: [[[u16; PieceType::COUNT]; 2]; 3] = {
    let mut numbers = [[[NONE; PieceType::COUNT]; 2]; 3];
    let mut planes = 0;
    while planes < 3 {
        let mut i = 0;
        while i < PieceType::COUNT {
            let kind = PieceType::ALL[i];
            if let Some(plane) = board_plane(kind) {
                numbers[planes][0][i] = (BOARD + 2 * SQUARES * plane) as u16;
                numbers[planes][1][i] = (BOARD + 2 * SQUARES * plane + SQUARES) as u16;
            }
            i += 1;
        }
        planes += 1;
    }
    let king = PieceType::King.index();
    numbers[KingPlanes::Two as usize][0][king] = OWN_KING as u16;
    numbers[KingPlanes::Two as usize][1][king] = ENEMY_KING as u16;
    numbers[KingPlanes::Merged as usize][0][king] = OWN_KING as u16;
    numbers[KingPlanes::Merged as usize][1][king] = OWN_KING as u16;
    numbers
};

/// The order of the kinds on the board; small promoted pieces count as gold.
const fn board_plane(kind: PieceType) -> Option<u32> {
    Some(match kind {
        PieceType::Pawn => 0,
        PieceType::Lance => 1,
        PieceType::Knight => 2,
        PieceType::Silver => 3,
        PieceType::Gold
        | PieceType::ProPawn
        | PieceType::ProLance
        | PieceType::ProKnight
        | PieceType::ProSilver => 4,
        PieceType::Bishop => 5,
        PieceType::Horse => 6,
        PieceType::Rook => 7,
        PieceType::Dragon => 8,
        PieceType::King => return None,
    })
}

/// The number of the first piece of a kind in hand: `[0 own, 1 enemy][kind]`. The n-th piece follows n - 1 later.
const HAND_NUMBERS: [[u32; HandPiece::COUNT]; 2] =
    // Pawn, lance, knight, silver, bishop, rook, gold.
    [[1, 39, 49, 59, 79, 85, 69], [20, 44, 54, 64, 82, 88, 74]];

/// One perspective's numbering of features for one square of its king.
#[derive(Clone, Copy, Debug)]
pub struct View {
    perspective: Color,
    mirrored: bool,
    offset: u32,
    squares: &'static [u8; 81],
    board: &'static [[u16; PieceType::COUNT]; 2],
    kings_twice: bool,
    effects: bool,
}

impl View {
    /// Whose view it is.
    #[inline]
    pub const fn perspective(&self) -> Color {
        self.perspective
    }

    /// Whether the board is mirrored, left to right.
    #[inline]
    pub const fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// The feature that stands for a piece missing from the full set, active once per missing piece. Also the first of
    /// the view's numbers.
    #[inline]
    pub const fn absent(&self) -> u32 {
        self.offset
    }

    /// The feature of a piece in hand: the `nth` of its kind, 0 for the first. All below it are active too.
    #[inline]
    pub const fn hand(&self, owner: Color, kind: HandPiece, nth: u32) -> u32 {
        self.offset + HAND_NUMBERS[self.side(owner)][kind.index()] + nth
    }

    /// 0 for the perspective's own pieces, 1 for the enemy's.
    #[inline]
    const fn side(&self, owner: Color) -> usize {
        (owner as usize) ^ (self.perspective as usize)
    }

    /// Passes the features of a piece on a square to `tell`: one; none for kings where they are no features; two for
    /// kings where they count twice. `effect` is [`Effect::NONE`] for sets without attack counts.
    #[inline]
    fn board(&self, piece: Piece, square: Square, effect: Effect, mut tell: impl FnMut(u32)) {
        let side = self.side(piece.color());
        let first = self.board[side][piece.kind().index()];
        if first == NONE {
            return;
        }
        let square = u32::from(self.squares[square.index()]);
        let plane = effect.plane(self.perspective) * (SQUARES * OWN_KING);
        tell(self.offset + u32::from(first) + square + plane);
        if self.kings_twice && piece.kind() == PieceType::King {
            tell(ENEMY_KING + SQUARES * side as u32 + square);
        }
    }

    /// Passes the features of a piece on a square, none, one or two, to `tell`. Not for sets with attack counts, which
    /// depend on other pieces too.
    pub fn piece(&self, piece: Piece, square: Square, tell: impl FnMut(u32)) {
        debug_assert!(!self.effects);
        self.board(piece, square, Effect::NONE, tell);
    }

    /// Passes every active feature of a position to `tell`, once for each time it counts.
    #[inline]
    pub fn active(&self, position: &Position, mut tell: impl FnMut(u32)) {
        let effects = if self.effects {
            EffectMap::of(position)
        } else {
            EffectMap::NONE
        };
        for square in position.occupied().squares() {
            if let Some(piece) = position.piece_on(square) {
                self.board(piece, square, effects.at(square), &mut tell);
            }
        }
        for color in Color::ALL {
            for (kind, count) in position.hand(color).iter() {
                (0..count).for_each(|nth| tell(self.hand(color, kind, nth)));
            }
        }
        (0..absent_pieces(position)).for_each(|_| tell(self.absent()));
    }
}

/// Features to add and to remove, at most `N` of each.
#[derive(Clone, Debug, Default)]
pub struct Changes<const N: usize> {
    /// Features that became active.
    pub add: ArrayVec<u32, N>,
    /// Features that no longer are.
    pub sub: ArrayVec<u32, N>,
}

/// The changes of a move: two pieces, or a king that counts twice and a piece.
pub type MoveChanges = Changes<4>;
/// The changes between any two positions: at most 40 pieces, kings twice.
pub type BoardChanges = Changes<42>;

impl MoveChanges {
    /// What a move changed for a perspective whose own king did not move (or whose features do not depend on it).
    /// `hands` are those before the move. Not for sets with attack counts.
    #[inline]
    pub fn of_move(view: &View, diff: &Diff, hands: [Hand; 2]) -> Self {
        debug_assert!(!view.effects);
        let mut changes = Self::default();
        let (add, sub) = (&mut changes.add, &mut changes.sub);
        let mover = diff.before.color();
        let held = |kind| hands[mover.index()].count(kind);
        view.board(diff.after, diff.to, Effect::NONE, |index| add.push(index));
        if let Some(from) = diff.from {
            view.board(diff.before, from, Effect::NONE, |index| sub.push(index));
        } else if let Some(kind) = HandPiece::from_captured(diff.before.kind()) {
            sub.push(view.hand(mover, kind, held(kind).saturating_sub(1)));
        }
        if let Some(captured) = diff.captured {
            view.board(captured, diff.to, Effect::NONE, |index| sub.push(index));
            if let Some(kind) = HandPiece::from_captured(captured.kind()) {
                add.push(view.hand(mover, kind, held(kind)));
            }
        }
        changes
    }
}

/// How many pieces of a full set are neither on the board nor in hand, kings left aside.
pub fn absent_pieces(position: &Position) -> u32 {
    let kings = position.by_kind(PieceType::King).count();
    let on_board = position.occupied().count() - kings;
    let in_hand: u32 = Color::ALL
        .iter()
        .flat_map(|&color| position.hand(color).iter())
        .map(|(_, count)| count)
        .sum();
    FULL_SET.saturating_sub(on_board + in_hand)
}
