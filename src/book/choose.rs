//! Which of a book's moves to play: the filters in their order, and the choice among what they leave.

use std::fmt;

use crate::shogi::{Color, Position};

use super::BookOptions;
use super::entry::{Candidate, sort};

/// Moves played in less than one game in this many are narrow.
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
    /// A filter left nothing: its name and value, and what stood against it.
    Filtered {
        /// The option.
        option: &'static str,
        /// What is wrong with the best that was left before.
        reason: String,
    },
    /// The book cannot be read any more.
    Unreadable(String),
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
            Self::Filtered { option, reason } => {
                write!(f, "no move passed {option}: {reason}")
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
    pub filters: Vec<(String, usize)>,
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
        let games: u64 = sum_of_counts(&selection.legal);
        selection.keep("NarrowBook", "true", |candidate| {
            match u128::from(candidate.count) * u128::from(NARROW_SHARE) >= u128::from(games) {
                true => Ok(()),
                false => Err(format!(
                    "{} has {} of {games} games",
                    candidate.mv, candidate.count
                )),
            }
        })?;
    }
    let limit = options.depth_limit;
    selection.keep("BookDepthLimit", &limit.to_string(), |_| {
        match best.depth >= limit {
            true => Ok(()),
            false => Err(format!("{} has depth {}", best.mv, best.depth)),
        }
    })?;
    let least = best.value.saturating_sub(options.eval_diff);
    selection.keep(
        "BookEvalDiff",
        &options.eval_diff.to_string(),
        |candidate| at_least(candidate, least),
    )?;
    let (name, least) = match position.side_to_move() {
        Color::Black => ("BookEvalBlackLimit", options.eval_black_limit),
        Color::White => ("BookEvalWhiteLimit", options.eval_white_limit),
    };
    selection.keep(name, &least.to_string(), |candidate| {
        at_least(candidate, least)
    })?;
    Ok(selection)
}

fn at_least(candidate: &Candidate, least: i32) -> Result<(), String> {
    match candidate.value >= least {
        true => Ok(()),
        false => Err(format!("{} has {}", candidate.mv, candidate.value)),
    }
}

impl Selection {
    /// Leaves what passes `test`, which tells what is wrong with the rest.
    fn keep(
        &mut self,
        option: &'static str,
        value: &str,
        test: impl Fn(&Candidate) -> Result<(), String>,
    ) -> Result<(), Miss> {
        let before = self.playable.len();
        let mut reason = String::new();
        self.playable.retain(|candidate| match test(candidate) {
            Ok(()) => true,
            Err(fault) => {
                if reason.is_empty() {
                    reason = fault;
                }
                false
            }
        });
        match self.playable.len() {
            0 => Err(Miss::Filtered {
                option,
                reason: format!("{reason}, the limit is {value}"),
            }),
            left => {
                if left < before {
                    self.filters.push((format!("{option} {value}"), left));
                }
                Ok(())
            }
        }
    }

    /// Picks one of the playable moves: by their counts, or each as likely as the others.
    pub fn pick(&self, by_count: bool, random: &mut fastrand::Rng) -> Candidate {
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

/// The games in which any of the moves was played.
pub(super) fn sum_of_counts(moves: &[Candidate]) -> u64 {
    let sum = |sum: u64, candidate: &Candidate| sum.saturating_add(candidate.count);
    moves.iter().fold(0, sum)
}
