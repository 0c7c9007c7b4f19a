//! The settings of the opening book.

/// The name of the book inside the program.
pub const INTERNAL: &str = "<internal>";

/// The name that stands for no book.
pub const NO_BOOK: &str = "no_book";

/// What a user can set about books. Scores in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOptions {
    /// Whether a book is used at all.
    pub own_book: bool,
    /// The book's file name, or [`INTERNAL`]; empty or [`NO_BOOK`] = none.
    pub file: String,
    /// The folder in which it is looked for.
    pub dir: String,
    /// Read the file at each lookup instead of loading it.
    pub on_the_fly: bool,
    /// Positions are found whatever the move number.
    pub ignore_ply: bool,
    /// Positions are also looked up with sides exchanged (the board turned by 180 degrees).
    pub flipped: bool,
    /// Percentage of moves at which the book is skipped.
    pub ignore_rate: u32,
    /// The last move number at which the book is used.
    pub moves: u32,
    /// Leave out moves played in less than a tenth of the games.
    pub narrow: bool,
    /// Depth that the best move must have.
    pub depth_limit: u32,
    /// How much worse than the best a move may be.
    pub eval_diff: i32,
    /// The least score of a move for Black.
    pub eval_black_limit: i32,
    /// The least score of a move for White.
    pub eval_white_limit: i32,
    /// Choose by how often moves were played.
    pub consider_count: bool,
    /// Length of the lines shown.
    pub pv_moves: usize,
}

impl Default for BookOptions {
    /// YaneuraOu's defaults, except those that silently make ordinary books useless: move numbers are ignored, no depth
    /// is asked for, and Black may be as much behind as White.
    fn default() -> Self {
        Self {
            own_book: true,
            file: NO_BOOK.to_owned(),
            dir: "book".to_owned(),
            on_the_fly: false,
            ignore_ply: true,
            flipped: true,
            ignore_rate: 0,
            moves: 16,
            narrow: false,
            depth_limit: 0,
            eval_diff: 30,
            eval_black_limit: -140,
            eval_white_limit: -140,
            consider_count: false,
            pv_moves: 8,
        }
    }
}

impl BookOptions {
    /// Whether a book is asked for.
    pub fn wants_book(&self) -> bool {
        self.own_book && !self.file.is_empty() && !self.file.eq_ignore_ascii_case(NO_BOOK)
    }
}
