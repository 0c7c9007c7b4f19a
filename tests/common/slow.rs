//! A referee that is slow and plain on purpose: a board of 81 cells, no tables, no bitboards, nothing
//! shared with the crate under test. Lines are walked square by square, a move is legal if the king is safe
//! after playing it, and a pawn drop mates if playing every answer shows that there is none.

use std::fmt::Write;

/// A man on the board: owner, SFEN letter in upper case, and whether it is promoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Man {
    pub white: bool,
    pub letter: u8,
    pub promoted: bool,
}

/// File and rank, both 0 to 8: (0, 0) is 1a, (8, 8) is 9i.
pub type Cell = (i8, i8);

/// The letters of the kinds that can be held in hand, in SFEN order.
pub const HAND_LETTERS: [u8; 7] = *b"RBGSNLP";

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    cells: [[Option<Man>; 9]; 9],
    /// `[owner][kind]`, kinds in the order of [`HAND_LETTERS`].
    hands: [[u8; 7]; 2],
    white_to_move: bool,
}

const ORTHOGONAL: [Cell; 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
const DIAGONAL: [Cell; 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

impl Man {
    /// Single steps and lines, as Black's man moves: forward is towards rank a, a smaller rank.
    fn reach(self) -> (&'static [Cell], &'static [Cell]) {
        const GOLD: [Cell; 6] = [(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
        const SILVER: [Cell; 5] = [(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
        const KNIGHT: [Cell; 2] = [(-1, -2), (1, -2)];
        const KING: [Cell; 8] = [
            (0, -1),
            (0, 1),
            (-1, 0),
            (1, 0),
            (-1, -1),
            (1, -1),
            (-1, 1),
            (1, 1),
        ];
        match (self.letter, self.promoted) {
            (b'P', false) => (&[(0, -1)], &[]),
            (b'L', false) => (&[], &[(0, -1)]),
            (b'N', false) => (&KNIGHT, &[]),
            (b'S', false) => (&SILVER, &[]),
            (b'G', false) | (b'P' | b'L' | b'N' | b'S', true) => (&GOLD, &[]),
            (b'B', false) => (&[], &DIAGONAL),
            (b'R', false) => (&[], &ORTHOGONAL),
            (b'B', true) => (&ORTHOGONAL, &DIAGONAL),
            (b'R', true) => (&DIAGONAL, &ORTHOGONAL),
            (b'K', false) => (&KING, &[]),
            other => panic!("no such man: {other:?}"),
        }
    }

    fn can_promote(self) -> bool {
        !self.promoted && !matches!(self.letter, b'G' | b'K')
    }

    /// Whether the man, unpromoted, could never move again from this rank.
    fn is_dead_on(self, rank: i8) -> bool {
        let ranks_ahead = if self.white { 8 - rank } else { rank };
        match self.letter {
            _ if self.promoted => false,
            b'P' | b'L' => ranks_ahead < 1,
            b'N' => ranks_ahead < 2,
            _ => false,
        }
    }
}

fn in_zone(white: bool, rank: i8) -> bool {
    if white { rank > 5 } else { rank < 3 }
}

fn cell_name((file, rank): Cell) -> String {
    format!("{}{}", file + 1, char::from(b'a' + rank as u8))
}

/// A cell by its name, like `7g`.
pub fn cell_from_name(name: &str) -> Cell {
    let bytes = name.as_bytes();
    ((bytes[0] - b'1') as i8, (bytes[1] - b'a') as i8)
}

/// All cells, 1a first, down the files.
pub fn cells() -> impl Iterator<Item = Cell> {
    (0..9).flat_map(|file| (0..9).map(move |rank| (file, rank)))
}

impl Board {
    /// An empty board with empty hands.
    pub fn empty() -> Self {
        Self {
            cells: [[None; 9]; 9],
            hands: [[0; 7]; 2],
            white_to_move: false,
        }
    }

    /// Reads a well-formed SFEN; panics on anything else.
    pub fn from_sfen(sfen: &str) -> Self {
        let mut board = Self::empty();
        let fields: Vec<_> = sfen.split_whitespace().collect();
        let rows: Vec<_> = fields[0].split('/').collect();
        assert_eq!(rows.len(), 9, "{sfen}");
        for (rank, row) in rows.into_iter().enumerate() {
            let mut file = 8i8;
            let mut promoted = false;
            for c in row.bytes() {
                match c {
                    b'1'..=b'9' => file -= (c - b'0') as i8,
                    b'+' => promoted = true,
                    _ => {
                        let man = Man {
                            white: c.is_ascii_lowercase(),
                            letter: c.to_ascii_uppercase(),
                            promoted,
                        };
                        board.put((file, rank as i8), Some(man));
                        promoted = false;
                        file -= 1;
                    }
                }
            }
            assert_eq!(file, -1, "{sfen}");
        }
        board.white_to_move = fields[1] == "w";
        let mut count = 0;
        for c in fields[2].bytes().filter(|&c| c != b'-') {
            if c.is_ascii_digit() {
                count = count * 10 + (c - b'0');
            } else {
                board.add_to_hand(c.is_ascii_lowercase(), c.to_ascii_uppercase(), count.max(1));
                count = 0;
            }
        }
        board
    }

    /// The normal form with the given move number.
    pub fn sfen(&self, ply: u32) -> String {
        let mut text = String::new();
        for rank in 0..9 {
            let mut gap = 0;
            for file in (0..9).rev() {
                let Some(man) = self.at((file, rank)) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(text, "{gap}").unwrap();
                    gap = 0;
                }
                let letter = if man.white {
                    man.letter.to_ascii_lowercase()
                } else {
                    man.letter
                };
                text.push_str(if man.promoted { "+" } else { "" });
                text.push(char::from(letter));
            }
            if gap > 0 {
                write!(text, "{gap}").unwrap();
            }
            text.push_str(if rank < 8 { "/" } else { "" });
        }
        text.push_str(if self.white_to_move { " w " } else { " b " });
        let mark = text.len();
        for white in [false, true] {
            for (kind, &letter) in HAND_LETTERS.iter().enumerate() {
                let letter = if white {
                    letter.to_ascii_lowercase()
                } else {
                    letter
                };
                match self.hands[usize::from(white)][kind] {
                    0 => {}
                    1 => text.push(char::from(letter)),
                    n => write!(text, "{n}{}", char::from(letter)).unwrap(),
                }
            }
        }
        if text.len() == mark {
            text.push('-');
        }
        write!(text, " {ply}").unwrap();
        text
    }

    pub fn at(&self, (file, rank): Cell) -> Option<Man> {
        self.cells[file as usize][rank as usize]
    }

    pub fn put(&mut self, (file, rank): Cell, man: Option<Man>) {
        self.cells[file as usize][rank as usize] = man;
    }

    pub fn set_white_to_move(&mut self, white: bool) {
        self.white_to_move = white;
    }

    pub fn add_to_hand(&mut self, white: bool, letter: u8, count: u8) {
        let kind = HAND_LETTERS
            .iter()
            .position(|&l| l == letter)
            .expect("a kind that can be held");
        self.hands[usize::from(white)][kind] += count;
    }

    fn king(&self, white: bool) -> Option<Cell> {
        cells().find(|&cell| {
            self.at(cell)
                .is_some_and(|man| man.white == white && man.letter == b'K')
        })
    }

    fn kings_of(&self, white: bool) -> usize {
        let is_king = |man: Man| man.white == white && man.letter == b'K';
        cells()
            .filter(|&cell| self.at(cell).is_some_and(is_king))
            .count()
    }

    /// The number of kings on the board.
    pub fn kings(&self) -> usize {
        self.kings_of(false) + self.kings_of(true)
    }

    /// All cells that the man on `from` attacks, own men included.
    fn attacked_from(&self, from: Cell) -> Vec<Cell> {
        let Some(man) = self.at(from) else {
            return Vec::new();
        };
        let turn = if man.white { -1 } else { 1 };
        let next = |cell: Cell, step: Cell| {
            let to = (cell.0 + step.0, cell.1 + step.1 * turn);
            ((0..9).contains(&to.0) && (0..9).contains(&to.1)).then_some(to)
        };
        let (steps, lines) = man.reach();
        let mut attacked: Vec<_> = steps.iter().filter_map(|&step| next(from, step)).collect();
        for &step in lines {
            let mut cell = from;
            while let Some(to) = next(cell, step) {
                attacked.push(to);
                if self.at(to).is_some() {
                    break;
                }
                cell = to;
            }
        }
        attacked
    }

    /// How many men of the other side attack the king of this side; 0 without a king.
    pub fn checkers_against(&self, white: bool) -> usize {
        let Some(king) = self.king(white) else {
            return 0;
        };
        cells()
            .filter(|&cell| self.at(cell).is_some_and(|man| man.white != white))
            .filter(|&cell| self.attacked_from(cell).contains(&king))
            .count()
    }

    /// The cells of one side's men that attack a cell, whatever stands on it.
    pub fn attackers(&self, target: Cell, white: bool) -> Vec<Cell> {
        cells()
            .filter(|&cell| self.at(cell).is_some_and(|man| man.white == white))
            .filter(|&cell| self.attacked_from(cell).contains(&target))
            .collect()
    }

    /// Whether taking the man off the board would open an attack on the king of this side.
    pub fn shields_king_of(&self, white: bool, cell: Cell) -> bool {
        let Some(king) = self.king(white).filter(|&king| king != cell) else {
            return false;
        };
        let mut without = self.clone();
        without.put(cell, None);
        let before = self.attackers(king, !white);
        without
            .attackers(king, !white)
            .iter()
            .any(|attacker| !before.contains(attacker))
    }

    /// Whether the king of this side, a man and a target lie on one line, the latter two on the same side of it.
    pub fn is_on_ray_from_king(&self, white: bool, man: Cell, target: Cell) -> bool {
        let Some(king) = self.king(white) else {
            return false;
        };
        let (a, b) = (
            (man.0 - king.0, man.1 - king.1),
            (target.0 - king.0, target.1 - king.1),
        );
        a.0 * b.1 == a.1 * b.0 && a.0 * b.0 >= 0 && a.1 * b.1 >= 0 && (b.0 != 0 || b.1 != 0)
    }

    /// How many men give check to the side to move.
    pub fn checkers(&self) -> usize {
        self.checkers_against(self.white_to_move)
    }

    /// Whether a game or a problem could stand so: nobody hangs with the opponent to move, no dead men, no
    /// two pawns on a file, at least one king and at most one each.
    pub fn is_sound(&self) -> bool {
        let kings = [false, true].map(|white| self.kings_of(white));
        matches!(kings, [1, 0] | [0, 1] | [1, 1])
            && cells().all(|cell| self.is_placed_well(cell))
            && self.checkers_against(!self.white_to_move) == 0
    }

    /// Whether the man on `cell` is alive there and, if a pawn, alone on its file.
    pub fn is_placed_well(&self, cell: Cell) -> bool {
        let Some(man) = self.at(cell) else {
            return true;
        };
        let pawn = Man {
            letter: b'P',
            promoted: false,
            ..man
        };
        let twins = (0..9)
            .filter(|&rank| self.at((cell.0, rank)) == Some(pawn))
            .count();
        !man.is_dead_on(cell.1) && (man != pawn || twins == 1)
    }

    /// Plays a move given as USI text, without asking whether it is legal.
    pub fn play(&mut self, text: &str) {
        let to = cell_from_name(&text[2..4]);
        let white = self.white_to_move;
        if text.as_bytes()[1] == b'*' {
            let letter = text.as_bytes()[0];
            let kind = HAND_LETTERS
                .iter()
                .position(|&l| l == letter)
                .expect("a kind that can be held");
            self.hands[usize::from(white)][kind] -= 1;
            self.put(
                to,
                Some(Man {
                    white,
                    letter,
                    promoted: false,
                }),
            );
        } else {
            let from = cell_from_name(&text[0..2]);
            let mut man = self.at(from).expect("a man moves");
            man.promoted |= text.ends_with('+');
            if let Some(captured) = self.at(to) {
                self.add_to_hand(white, captured.letter, 1);
            }
            self.put(from, None);
            self.put(to, Some(man));
        }
        self.white_to_move = !white;
    }

    fn after(&self, text: &str) -> Self {
        let mut board = self.clone();
        board.play(text);
        board
    }

    /// Moves by the way men move, whatever becomes of the own king.
    fn moves_by_the_way_of_moving(&self) -> Vec<String> {
        let white = self.white_to_move;
        let mut moves = Vec::new();
        for from in cells() {
            let Some(man) = self.at(from).filter(|man| man.white == white) else {
                continue;
            };
            for to in self.attacked_from(from) {
                if self
                    .at(to)
                    .is_some_and(|target| target.white == white || target.letter == b'K')
                {
                    continue;
                }
                let text = format!("{}{}", cell_name(from), cell_name(to));
                if man.can_promote() && (in_zone(white, from.1) || in_zone(white, to.1)) {
                    moves.push(format!("{text}+"));
                }
                if !man.is_dead_on(to.1) {
                    moves.push(text);
                }
            }
        }
        moves
    }

    /// Whether the move can be carried out on the board at all, whatever the rules say of the result: a man of
    /// the side to move gets there by its way of moving, or is in hand and drops on an empty cell. The target
    /// holds neither an own man nor a king. A man that cannot promote there does not.
    pub fn is_playable(&self, text: &str) -> bool {
        let white = self.white_to_move;
        let to = cell_from_name(&text[2..4]);
        if text.as_bytes()[1] == b'*' {
            let kind = HAND_LETTERS.iter().position(|&l| l == text.as_bytes()[0]);
            return kind.is_some_and(|kind| self.hands[usize::from(white)][kind] > 0)
                && self.at(to).is_none();
        }
        let from = cell_from_name(&text[0..2]);
        let Some(man) = self.at(from).filter(|man| man.white == white) else {
            return false;
        };
        let promotes = text.ends_with('+');
        self.attacked_from(from).contains(&to)
            && self
                .at(to)
                .is_none_or(|target| target.white != white && target.letter != b'K')
            && (!promotes || man.can_promote() && (in_zone(white, from.1) || in_zone(white, to.1)))
    }

    fn drops_by_place(&self) -> Vec<String> {
        let white = self.white_to_move;
        let mut drops = Vec::new();
        for (kind, &letter) in HAND_LETTERS.iter().enumerate() {
            if self.hands[usize::from(white)][kind] == 0 {
                continue;
            }
            let man = Man {
                white,
                letter,
                promoted: false,
            };
            for to in cells() {
                let second_pawn =
                    letter == b'P' && (0..9).any(|rank| self.at((to.0, rank)) == Some(man));
                if self.at(to).is_none() && !man.is_dead_on(to.1) && !second_pawn {
                    drops.push(format!("{}*{}", char::from(letter), cell_name(to)));
                }
            }
        }
        drops
    }

    /// All legal moves in ASCII order.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = self.moves_by_the_way_of_moving();
        moves.append(&mut self.drops_by_place());
        moves.retain(|text| {
            let after = self.after(text);
            after.checkers_against(self.white_to_move) == 0
                && !(text.starts_with("P*") && after.is_mate())
        });
        moves.sort();
        moves
    }

    /// Whether a text is a legal move here, in the one form that a program may print.
    pub fn is_legal(&self, text: &str) -> bool {
        let is_square =
            |t: &str| t.len() == 2 && matches!(t.as_bytes(), [b'1'..=b'9', b'a'..=b'i']);
        let well_formed = match text.as_bytes() {
            [letter, b'*', ..] => HAND_LETTERS.contains(letter) && is_square(&text[2..]),
            _ => {
                let plain = text.strip_suffix('+').unwrap_or(text);
                plain.len() == 4
                    && plain.is_ascii()
                    && is_square(&plain[..2])
                    && is_square(&plain[2..])
            }
        };
        if !well_formed || !self.is_playable(text) {
            return false;
        }
        let after = self.after(text);
        after.checkers_against(self.white_to_move) == 0
            && after.is_placed_well(cell_from_name(&text[2..4]))
            && !(text.starts_with("P*") && after.is_mate())
    }

    /// Turns the move over to the other side.
    pub fn pass(&mut self) {
        self.white_to_move = !self.white_to_move;
    }

    /// Whether the side to move has a legal move.
    pub fn has_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// Whether the side to move is in check and has no move.
    pub fn is_mate(&self) -> bool {
        self.checkers() > 0 && self.legal_moves().is_empty()
    }

    /// For each pawn drop that gives check and leaves the own king safe, the number of answers; 0 is a mate.
    fn answers_to_pawn_drops(&self) -> impl Iterator<Item = usize> {
        self.drops_by_place()
            .into_iter()
            .filter(|text| text.starts_with("P*"))
            .map(|text| self.after(&text))
            .filter(|after| after.checkers() > 0 && after.checkers_against(self.white_to_move) == 0)
            .map(|after| after.legal_moves().len())
    }

    /// The pawn drops that would be legal if they did not mate.
    pub fn pawn_drop_mates(&self) -> usize {
        self.answers_to_pawn_drops()
            .filter(|&answers| answers == 0)
            .count()
    }

    /// The smallest number of answers to a pawn drop that gives check.
    pub fn fewest_answers_to_a_pawn_drop(&self) -> usize {
        self.answers_to_pawn_drops().min().unwrap_or(usize::MAX)
    }

    /// Whether the move checks the opponent.
    pub fn gives_check(&self, text: &str) -> bool {
        self.after(text).checkers() > 0
    }
}

/// What counts for a declaration, for the side to move.
pub struct Camp {
    /// Own men in the enemy camp without the king, and the hand: five for rook and bishop, one for others.
    pub points: u32,
    /// Own men in the enemy camp without the king.
    pub pieces: u32,
    /// Whether the king is there.
    pub king: bool,
}

fn points_of(letter: u8) -> u32 {
    match letter {
        b'R' | b'B' => 5,
        b'K' => 0,
        _ => 1,
    }
}

impl Board {
    fn hand_points(&self, white: bool) -> u32 {
        let hand = self.hands[usize::from(white)];
        HAND_LETTERS
            .iter()
            .zip(hand)
            .map(|(&letter, count)| points_of(letter) * u32::from(count))
            .sum()
    }

    /// The count for a declaration by the side to move.
    pub fn camp(&self) -> Camp {
        let white = self.white_to_move;
        let mut camp = Camp {
            points: self.hand_points(white),
            pieces: 0,
            king: false,
        };
        for cell in cells().filter(|cell| in_zone(white, cell.1)) {
            match self.at(cell).filter(|man| man.white == white) {
                Some(man) if man.letter == b'K' => camp.king = true,
                Some(man) => {
                    camp.pieces += 1;
                    camp.points += points_of(man.letter);
                }
                None => {}
            }
        }
        camp
    }

    /// What a full set has more than this board and both hands, in points.
    pub fn missing_points(&self) -> u32 {
        let on_board: u32 = cells()
            .filter_map(|cell| self.at(cell))
            .map(|man| points_of(man.letter))
            .sum();
        54 - on_board - self.hand_points(false) - self.hand_points(true)
    }

    /// The verdict on a declaration under a named rule: `win`, `draw` or `none`.
    pub fn declaration(&self, rule: &str) -> &'static str {
        let white = self.white_to_move;
        if rule == "TryRule" {
            let goal = if white { "5i" } else { "5a" };
            let king = self.king(white).map(cell_name);
            let tries =
                king.is_some_and(|king| self.legal_moves().contains(&format!("{king}{goal}")));
            return if tries { "win" } else { "none" };
        }
        let camp = self.camp();
        if rule == "NoEnteringKing" || !camp.king || camp.pieces < 10 || self.checkers() > 0 {
            return "none";
        }
        let credit = if white && rule.ends_with('H') {
            self.missing_points()
        } else {
            0
        };
        let needed = match rule {
            "CSARule24" | "CSARule24H" => 31,
            _ if white => 27,
            _ => 28,
        };
        if camp.points + credit >= needed {
            "win"
        } else if rule == "CSARule24" && camp.points >= 24 {
            "draw"
        } else {
            "none"
        }
    }
}
