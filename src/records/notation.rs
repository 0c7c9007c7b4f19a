//! Moves as Japanese books write them: `▲７六歩`, `△同　銀右`. Such a move names its origin only where several pieces
//! could make it, by words seen from the player: where the piece comes from (左, 直, 右) and how it moves (上, 寄, 引).

use winnow::Parser;
use winnow::combinator::opt;
use winnow::token::any;

use crate::shogi::{Bitboard, Color, HandPiece, Move, MoveKind, PieceType, Position, Square};

use super::error::Fault;
use super::words::{self, Parse};

/// On which side of the target a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    /// On the same file, moving forwards.
    Straight,
    Right,
}

/// How a piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Up,
    Sideways,
    Down,
}

/// What a move says about its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relation {
    pub side: Option<Side>,
    pub motion: Option<Motion>,
    pub is_drop: bool,
}

/// The words, and the letters of JKF.
const SIDES: [(Side, char, char); 3] = [
    (Side::Left, '左', 'L'),
    (Side::Straight, '直', 'C'),
    (Side::Right, '右', 'R'),
];
const MOTIONS: [(Motion, char, char); 3] = [
    (Motion::Up, '上', 'U'),
    (Motion::Sideways, '寄', 'M'),
    (Motion::Down, '引', 'D'),
];

impl Relation {
    /// Nothing is said.
    pub const NONE: Self = Self {
        side: None,
        motion: None,
        is_drop: false,
    };

    /// What a move must say about its origin to be unambiguous.
    pub fn of(position: &Position, mv: Move) -> Self {
        let MoveKind::Board { from, .. } = mv.kind() else {
            let has_rival = |kind| !origins(position, kind, mv.to()).is_empty();
            return Self {
                // A drop that cannot be made, as a foul, is always marked.
                is_drop: !position.is_playable(mv) || moved(position, mv).is_some_and(has_rival),
                ..Self::NONE
            };
        };
        let Some(kind) = moved(position, mv) else {
            return Self::NONE;
        };
        let us = position.side_to_move();
        let view = |from| View::new(us, from, mv.to());
        let own = view(from);
        let others = origins(position, kind, mv.to()).without(from);
        let others: Vec<_> = others.squares().map(view).collect();
        let rivals = || others.iter().filter(|other| other.motion == own.motion);
        if others.is_empty() {
            return Self::NONE;
        }
        let motion = Some(own.motion);
        let Some(rival) = rivals().next() else {
            return Self {
                motion,
                ..Self::NONE
            };
        };
        // There are only two horses and two dragons, so they are left and right of each other, never straight.
        let side = match kind {
            PieceType::Horse | PieceType::Dragon if own.offset > rival.offset => Side::Left,
            PieceType::Horse | PieceType::Dragon => Side::Right,
            _ => own.side(),
        };
        let is_alone = side == Side::Straight || others.iter().all(|other| other.side() != side);
        let is_pair = matches!(kind, PieceType::Horse | PieceType::Dragon);
        Self {
            side: Some(side),
            motion: motion.filter(|_| !is_alone && !is_pair),
            is_drop: false,
        }
    }

    /// The words: `左上`, `打`.
    pub fn japanese(self) -> String {
        let drop = self.is_drop.then_some('打');
        let side = self.side.map(|side| SIDES[side as usize].1);
        let motion = self.motion.map(|motion| MOTIONS[motion as usize].1);
        side.into_iter().chain(motion).chain(drop).collect()
    }

    /// The letters of JKF: `LU`, `H`.
    pub fn letters(self) -> String {
        let drop = self.is_drop.then_some('H');
        let side = self.side.map(|side| SIDES[side as usize].2);
        let motion = self.motion.map(|motion| MOTIONS[motion as usize].2);
        side.into_iter().chain(motion).chain(drop).collect()
    }

    /// From letters of JKF; `None` if one is unknown.
    pub fn from_letters(letters: &str) -> Option<Self> {
        let mut relation = Self::NONE;
        for letter in letters.chars() {
            let side = SIDES.iter().find(|side| side.2 == letter);
            let motion = MOTIONS.iter().find(|motion| motion.2 == letter);
            match (side, motion, letter) {
                (Some(side), ..) => relation.side = Some(side.0),
                (_, Some(motion), _) => relation.motion = Some(motion.0),
                (.., 'H') => relation.is_drop = true,
                _ => return None,
            }
        }
        Some(relation)
    }
}

/// Any words about the origin, 行 and 入 as variants of 上, 下 of 引.
pub(super) fn relation(input: &mut &str) -> Parse<Relation> {
    let mut relation = Relation::NONE;
    let mut word = opt(any.verify_map(|c: char| {
        let side = SIDES.iter().find(|side| side.1 == c);
        let c = match c {
            '行' | '入' => '上',
            '下' => '引',
            c => c,
        };
        let motion = MOTIONS.iter().find(|motion| motion.1 == c);
        let found = (side.map(|side| side.0), motion.map(|motion| motion.0));
        (found != (None, None)).then_some(found)
    }));
    while let Some((side, motion)) = word.parse_next(input)? {
        relation.side = side.or(relation.side);
        relation.motion = motion.or(relation.motion);
    }
    Ok(relation)
}

/// A piece that goes to a square, as its player sees it.
#[derive(Clone, Copy)]
struct View {
    motion: Motion,
    /// Files between origin and target, positive on the left.
    offset: i32,
}

impl View {
    fn new(us: Color, from: Square, to: Square) -> Self {
        let (from, to) = match us {
            Color::Black => (from, to),
            Color::White => (from.flip(), to.flip()),
        };
        let index = |square: Square| (square.file().index() as i32, square.rank().index() as i32);
        let ((from_file, from_rank), (to_file, to_rank)) = (index(from), index(to));
        let motion = match from_rank - to_rank {
            1.. => Motion::Up,
            0 => Motion::Sideways,
            _ => Motion::Down,
        };
        Self {
            motion,
            offset: from_file - to_file,
        }
    }

    const fn side(self) -> Side {
        match self.offset {
            1.. => Side::Left,
            0 => Side::Straight,
            _ => Side::Right,
        }
    }

    fn fits(self, side: Side) -> bool {
        self.side() == side && (side != Side::Straight || self.motion == Motion::Up)
    }
}

/// The kind of piece that moves.
pub(super) fn moved(position: &Position, mv: Move) -> Option<PieceType> {
    match mv.kind() {
        MoveKind::Drop(kind) => Some(kind.kind()),
        MoveKind::Board { from, .. } => position.piece_on(from).map(|piece| piece.kind()),
    }
}

/// Where pieces of a kind stand that can go to a square, if the rules about checks are not looked at.
fn origins(position: &Position, kind: PieceType, to: Square) -> Bitboard {
    let us = position.side_to_move();
    position.attackers_of(to, us, position.occupied()) & position.pieces_of(us, kind)
}

/// The move of a piece of some kind to a square; of several pieces that could make it, the one that fits what is said
/// and that the rules allow.
///
/// # Errors
///
/// That there is no such move, or more than one. `text` is how it was written.
pub(super) fn resolve(
    position: &Position,
    kind: PieceType,
    to: Square,
    relation: Relation,
    promote: bool,
    text: &str,
) -> Result<Move, Fault> {
    let no_origin = || Fault::NoOrigin(text.to_owned());
    let drop = HandPiece::from_captured(kind)
        .filter(|hand| hand.kind() == kind && !promote)
        .map(|kind| Move::drop(kind, to));
    if relation.is_drop {
        return drop.ok_or_else(no_origin);
    }
    let drop = drop.filter(|&drop| relation == Relation::NONE && position.is_playable(drop));
    let view = |from| View::new(position.side_to_move(), from, to);
    let all = origins(position, kind, to);
    let mut fitting: Vec<Square> = all
        .squares()
        .filter(|&from| {
            relation
                .motion
                .is_none_or(|motion| view(from).motion == motion)
        })
        .collect();
    if let Some(side) = relation.side {
        let strict = |from: &Square| view(*from).fits(side);
        let strict: Vec<_> = fitting.iter().copied().filter(strict).collect();
        if strict.len() == 1 {
            fitting = strict;
        } else {
            // Left and right of each other.
            let rank = |from: &Square| match side {
                Side::Left => -view(*from).offset,
                _ => view(*from).offset,
            };
            let best = fitting.iter().map(rank).min();
            fitting.retain(|from| side != Side::Straight && Some(rank(from)) == best);
        }
    }
    let mv = |&from: &Square| Move::board(from, to, promote);
    let legal: Vec<_> = fitting
        .iter()
        .map(mv)
        .filter(|&mv| position.is_legal(mv))
        .collect();
    match (legal.as_slice(), fitting.as_slice()) {
        ([mv], _) => Ok(*mv),
        ([_, ..], _) => Err(Fault::Ambiguous(text.to_owned())),
        ([], [from]) => Ok(drop
            .filter(|&drop| position.is_legal(drop))
            .unwrap_or_else(|| mv(from))),
        ([], []) => drop.ok_or_else(no_origin),
        ([], _) => Err(no_origin()),
    }
}

/// A move in Japanese notation, in the position in which it is played. `同` stands for the square of the move before.
///
/// ```
/// use hien::records::japanese;
/// use hien::shogi::Position;
///
/// let mut position = Position::startpos();
/// for (mv, text) in [("7g7f", "▲７六歩"), ("3c3d", "△３四歩"), ("8h2b+", "▲２二角成"), ("3a2b", "△同　銀")] {
///     let mv = mv.parse()?;
///     assert_eq!(japanese(&position, mv), text);
///     position.do_move(mv);
/// }
/// # Ok::<(), hien::shogi::moves::ParseMoveError>(())
/// ```
pub fn japanese(position: &Position, mv: Move) -> String {
    let mark = match position.side_to_move() {
        Color::Black => '▲',
        Color::White => '△',
    };
    let piece = moved(position, mv).map_or("", words::piece_text);
    let relation = Relation::of(position, mv).japanese();
    let promotion = match can_promote(position, mv) {
        true if mv.is_promotion() => "成",
        true => "不成",
        false => "",
    };
    format!("{mark}{}{piece}{relation}{promotion}", target(position, mv))
}

/// Moves that follow each other, in Japanese notation.
pub fn japanese_line(position: &Position, moves: &[Move]) -> Vec<String> {
    line_texts(position, moves, japanese)
}

/// Moves that follow each other, each written by `text` in its position.
pub fn line_texts(
    position: &Position,
    moves: &[Move],
    text: impl Fn(&Position, Move) -> String,
) -> Vec<String> {
    let mut position = position.clone();
    let write = |&mv: &Move| {
        let text = text(&position, mv);
        position.do_move(mv);
        text
    };
    moves.iter().map(write).collect()
}

/// The square that a move goes to: `７六`, or `同　`.
pub(super) fn target(position: &Position, mv: Move) -> String {
    let is_same = position
        .last_move()
        .is_some_and(|last| last.to() == mv.to());
    match is_same {
        true => "同\u{3000}".to_owned(),
        false => words::square_text(mv.to()),
    }
}

/// Whether the piece of a move promotes, or could.
pub(super) fn can_promote(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    let is_in_zone = |from: Square| from.is_in_zone(us) || mv.to().is_in_zone(us);
    let kind = moved(position, mv).filter(|_| mv.from().is_some_and(is_in_zone));
    mv.is_promotion() || kind.is_some_and(|kind| kind.promoted().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::from_sfen(sfen).unwrap()
    }

    fn text(position: &Position, mv: &str) -> String {
        japanese(position, mv.parse().unwrap())
    }

    /// The examples of the Japan Shogi Association (https://www.shogi.or.jp/faq/kihuhyouki.html).
    #[test]
    fn words_are_those_of_the_association() {
        let golds = position("7k1/9/G1G1G4/9/9/9/9/9/4K4 b - 1");
        assert_eq!(text(&golds, "9c8b"), "▲８二金左");
        assert_eq!(text(&golds, "7c8b"), "▲８二金右");
        let golds = position("7k1/4G4/5G3/9/5G3/4G4/9/9/4K4 b - 1");
        assert_eq!(text(&golds, "4c5c"), "▲５三金寄");
        assert_eq!(text(&golds, "5b5c"), "▲５三金引");
        assert_eq!(text(&golds, "4e5e"), "▲５五金寄");
        assert_eq!(text(&golds, "5f5e"), "▲５五金上");
        let silvers = position("7k1/9/9/9/9/9/3SSS3/9/K8 b - 1");
        assert_eq!(text(&silvers, "6g5f"), "▲５六銀左");
        assert_eq!(text(&silvers, "5g5f"), "▲５六銀直");
        assert_eq!(text(&silvers, "4g5f"), "▲５六銀右");
        let tokins = position("7k1/9/9/9/9/4+P4/3+P1+P3/3+P+P+P3/K8 b - 1");
        assert_eq!(text(&tokins, "6h5g"), "▲５七と左上");
        assert_eq!(text(&tokins, "5h5g"), "▲５七と直");
        assert_eq!(text(&tokins, "4h5g"), "▲５七と右上");
        assert_eq!(text(&tokins, "6g5g"), "▲５七と左寄");
        assert_eq!(text(&tokins, "5f5g"), "▲５七と引");
        let dragons = position("k8/9/9/9/6+R2/9/9/3+R5/K8 b - 1");
        assert_eq!(text(&dragons, "6h3h"), "▲３八龍寄");
        assert_eq!(text(&dragons, "3e3h"), "▲３八龍引");
        let horses = position("+B+B6k/9/9/9/9/9/9/9/K8 b - 1");
        assert_eq!(text(&horses, "9a8b"), "▲８二馬左");
        assert_eq!(text(&horses, "8a8b"), "▲８二馬右");
        let drops = position("4k4/9/9/9/9/9/9/4G4/4K4 b GN 1");
        assert_eq!(text(&drops, "G*5g"), "▲５七金打");
        assert_eq!(text(&drops, "G*5f"), "▲５六金");
        let white = position("4k4/3g1g3/9/9/9/9/9/9/4K4 w - 1");
        assert_eq!(text(&white, "6b5c"), "△５三金右");
        let knight = position("4k4/9/9/4N4/9/9/9/9/4K4 b - 1");
        assert_eq!(text(&knight, "5d4b"), "▲４二桂不成");
    }

    /// What is written is read as the same move, in positions with many pieces of a kind.
    #[test]
    fn written_moves_are_found_again() {
        for sfen in [
            "7k1/9/9/9/9/4+P4/3+P1+P3/3+P+P+P3/K8 b - 1",
            "7k1/9/2S1S4/9/2S1S4/9/1N1N5/9/K8 b G2N 1",
            "k8/9/1+R7/9/9/9/9/4+R4/K8 b 2B 1",
            "+B+B6k/9/9/9/9/9/9/9/K8 b - 1",
            "4k4/3g1g3/4+p4/3+p1+p3/9/9/9/9/4K4 w 2gl 1",
            "1k7/9/R8/9/4R4/9/9/9/K8 b - 1",
            "9/9/9/4b4/9/9/9/4b3k/K8 w - 1",
        ] {
            let position = position(sfen);
            for mv in position.legal_moves() {
                let relation = Relation::of(&position, mv);
                let kind = moved(&position, mv).unwrap();
                let found = resolve(&position, kind, mv.to(), relation, mv.is_promotion(), "");
                assert_eq!(found, Ok(mv), "{sfen} {mv} {}", japanese(&position, mv));
                let letters = relation.letters();
                assert_eq!(Relation::from_letters(&letters), Some(relation));
                let words = relation.japanese().replace('打', "");
                let read = super::relation.parse_peek(words.as_str()).unwrap().1;
                assert_eq!((read.side, read.motion), (relation.side, relation.motion));
            }
        }
    }

    #[test]
    fn moves_of_no_piece_or_several_are_refused() {
        let golds = position("7k1/9/G1G6/9/9/9/9/9/4K4 b - 1");
        let to: Square = "8b".parse().unwrap();
        let find = |kind, relation| resolve(&golds, kind, to, relation, false, "x");
        let ambiguous = find(PieceType::Gold, Relation::NONE);
        assert_eq!(ambiguous, Err(Fault::Ambiguous("x".into())));
        let straight = Relation {
            side: Some(Side::Straight),
            ..Relation::NONE
        };
        assert_eq!(
            find(PieceType::Gold, straight),
            Err(Fault::NoOrigin("x".into()))
        );
        assert_eq!(
            find(PieceType::Dragon, Relation::NONE),
            Err(Fault::NoOrigin("x".into()))
        );
    }
}
