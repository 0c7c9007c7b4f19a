//! Which of a book's moves to play: the filters in their order, and the choice among the moves that pass. The filters
//! are YaneuraOu's options of the same names.

use std::fmt;

use fastrand::Rng;

use crate::shogi::{Color, Move, Position};

use super::entry::{Candidate, sort};
use super::options::BookOptions;

/// `NarrowBook` drops moves played in less than one game in this many.
const NARROW_SHARE: u64 = 10;

/// Why a book gives no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The game is longer than `BookMoves`.
    TooLate(u32),
    /// `BookIgnoreRate` decided so.
    Skipped,
    /// The position is in no book.
    Unknown,
    /// The position is there under other move numbers only.
    OtherPly(Vec<u32>),
    /// None of the moves is possible.
    NothingLegal,
    /// A filter left nothing.
    Filtered {
        /// The filter.
        filter: Filter,
        /// What is wrong with the best that was left before.
        shortfall: Shortfall,
    },
    /// The book cannot be read any more, for the reason stated.
    Unreadable(String),
}

/// A filter: an option and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// `NarrowBook`.
    Narrow,
    /// `BookDepthLimit`.
    Depth(u32),
    /// `BookEvalDiff`.
    Difference(i32),
    /// `BookEvalBlackLimit` or `BookEvalWhiteLimit`.
    Value(Color, i32),
}

impl Filter {
    /// The name of the option.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Narrow => "NarrowBook",
            Self::Depth(_) => "BookDepthLimit",
            Self::Difference(_) => "BookEvalDiff",
            Self::Value(Color::Black, _) => "BookEvalBlackLimit",
            Self::Value(Color::White, _) => "BookEvalWhiteLimit",
        }
    }

    /// Its value as text.
    pub fn value(self) -> String {
        match self {
            Self::Narrow => true.to_string(),
            Self::Depth(depth) => depth.to_string(),
            Self::Difference(value) | Self::Value(_, value) => value.to_string(),
        }
    }
}

/// Why a move did not pass a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortfall {
    /// The move.
    pub mv: Move,
    /// What it has.
    pub has: Amount,
}

/// The quantity that a filter tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Games, of all with a move of the position.
    Games(u64, u64),
    /// Plies of the search that valued it.
    Depth(u32),
    /// Its score in centipawns.
    Value(i32),
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv;
        match self.has {
            Amount::Games(games, total) => write!(f, "{mv} has {games} of {total} games"),
            Amount::Depth(depth) => write!(f, "{mv} has depth {depth}"),
            Amount::Value(value) => write!(f, "{mv} has {value}"),
        }
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLate(moves) => write!(f, "not used after move {moves} (BookMoves)"),
            Self::Skipped => f.write_str("skipped at random (BookIgnoreRate)"),
            Self::Unknown => f.write_str("the position is not in the book"),
            Self::OtherPly(plies) => {
                let plies: Vec<_> = plies.iter().take(5).map(u32::to_string).collect();
                write!(
                    f,
                    "the position is in the book at move {} only (IgnoreBookPly is false)",
                    plies.join(", ")
                )
            }
            Self::NothingLegal => f.write_str("none of the book's moves is legal here"),
            Self::Filtered { filter, shortfall } => {
                let (option, limit) = (filter.option(), filter.value());
                write!(
                    f,
                    "no move passed {option}: {shortfall}, the limit is {limit}"
                )
            }
            Self::Unreadable(reason) => write!(f, "cannot be read: {reason}"),
        }
    }
}

/// What the filters make of a book's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The legal moves, the best first.
    pub legal: Vec<Candidate>,
    /// Those that may be played, the best first.
    pub playable: Vec<Candidate>,
    /// The filters that took moves away, with how many they left.
    pub filters: Vec<(Filter, usize)>,
    /// Moves of the book that are not legal.
    pub illegal: usize,
}

/// Applies the filters in their order: legality, `NarrowBook`, `BookDepthLimit`, `BookEvalDiff`, `BookEvalBlackLimit`
/// or `BookEvalWhiteLimit`. Depth and difference are measured by the move with the best score.
///
/// # Errors
///
/// [`Miss`] says what left no move.
pub fn select(
    moves: Vec<Candidate>,
    position: &Position,
    options: &BookOptions,
) -> Result<Selection, Miss> {
    let total = moves.len();
    let mut legal: Vec<_> = moves
        .into_iter()
        .filter(|candidate| position.is_legal(candidate.mv))
        .collect();
    sort(&mut legal);
    let Some(best) = legal.first().copied() else {
        return Err(Miss::NothingLegal);
    };
    let mut selection = Selection {
        illegal: total - legal.len(),
        playable: legal.clone(),
        legal,
        filters: Vec::new(),
    };
    if options.narrow {
        let games = sum_of_counts(&selection.legal);
        let is_played = |known: &Candidate| {
            u128::from(known.count) * u128::from(NARROW_SHARE) >= u128::from(games)
        };
        let has = |known: &Candidate| Amount::Games(known.count, games);
        selection.keep(Filter::Narrow, is_played, has)?;
    }
    let depth = options.depth_limit;
    // The depth of the best move stands for all.
    selection.keep(
        Filter::Depth(depth),
        |_| best.depth >= depth,
        |_| Amount::Depth(best.depth),
    )?;
    let value = |known: &Candidate| Amount::Value(known.value);
    let least = best.value.saturating_sub(options.eval_diff);
    let difference = Filter::Difference(options.eval_diff);
    selection.keep(difference, |known| known.value >= least, value)?;
    let player = position.side_to_move();
    let least = match player {
        Color::Black => options.eval_black_limit,
        Color::White => options.eval_white_limit,
    };
    selection.keep(
        Filter::Value(player, least),
        |known| known.value >= least,
        value,
    )?;
    Ok(selection)
}

impl Selection {
    /// Leaves what passes `test`; `has` is what a move has of what the filter asks for.
    fn keep(
        &mut self,
        filter: Filter,
        test: impl Fn(&Candidate) -> bool,
        has: impl Fn(&Candidate) -> Amount,
    ) -> Result<(), Miss> {
        let best = self.playable[0];
        let before = self.playable.len();
        self.playable.retain(test);
        let left = self.playable.len();
        if left == 0 {
            let shortfall = Shortfall {
                mv: best.mv,
                has: has(&best),
            };
            return Err(Miss::Filtered { filter, shortfall });
        }
        if left < before {
            self.filters.push((filter, left));
        }
        Ok(())
    }

    /// Picks one of the playable moves: by their counts, or each as likely as the others.
    pub(super) fn pick(&self, by_count: bool, random: &mut Rng) -> Candidate {
        let games = sum_of_counts(&self.playable);
        if !by_count || games == 0 {
            return self.playable[random.usize(..self.playable.len())];
        }
        let mut game = random.u64(..games);
        for candidate in &self.playable {
            match game.checked_sub(candidate.count) {
                Some(rest) => game = rest,
                None => return *candidate,
            }
        }
        unreachable!("the game is one of those counted")
    }
}

/// The moves with their shares of the games, and what the filters removed.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = sum_of_counts(&self.legal).max(1) as f64;
        let share = |known: &Candidate| {
            let share = 100.0 * known.count as f64 / games;
            format!("{} {share:.0}%", known.mv)
        };
        let shares: Vec<_> = self.legal.iter().map(share).collect();
        f.write_str(&shares.join(" "))?;
        let total = self.legal.len();
        for (filter, left) in &self.filters {
            let (option, value) = (filter.option(), filter.value());
            write!(f, ", {option} {value} leaves {left} of {total}")?;
        }
        match self.illegal {
            0 => Ok(()),
            illegal => write!(f, ", {illegal} illegal moves left out"),
        }
    }
}

/// The games in which any of the moves was played.
fn sum_of_counts(moves: &[Candidate]) -> u64 {
    let sum = |sum: u64, candidate: &Candidate| sum.saturating_add(candidate.count);
    moves.iter().fold(0, sum)
}
