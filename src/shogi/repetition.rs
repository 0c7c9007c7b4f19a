//! Repetition (千日手, sennichite): the fourfold rule of games and what a search may conclude earlier: cycles, and
//! superior and inferior positions (優等局面, 劣等局面), as YaneuraOu tells them apart. Knows no scores.

use super::color::Color;
use super::position::Position;

/// The verdict of the fourfold rule for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The position has occurred less than four times.
    None,
    /// A draw.
    Draw,
    /// The opponent gave check with every move and loses.
    Win,
    /// The side to move gave check with every move and loses.
    Lose,
}

/// What the most recent return to an earlier position means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// The same position, without perpetual check.
    Draw,
    /// The same position, the opponent gave check all the way round.
    Win,
    /// The same position, the side to move gave check all the way round.
    Lose,
    /// The same board, and the side to move holds more than before.
    Superior,
    /// The same board, and the side to move holds less than before.
    Inferior,
}

impl Position {
    /// How often this position has occurred in the line since the root, now included.
    pub fn occurrences(&self) -> usize {
        1 + self.returns().count()
    }

    /// The verdict of the fourfold rule over the whole line since the root.
    ///
    /// ```
    /// use hien::shogi::{Position, Repetition};
    ///
    /// let mut position = Position::startpos();
    /// for _ in 0..3 {
    ///     assert_eq!(position.repetition(), Repetition::None);
    ///     for mv in ["5i5h", "5a5b", "5h5i", "5b5a"] {
    ///         position.do_move(mv.parse().unwrap());
    ///     }
    /// }
    /// assert_eq!(position.repetition(), Repetition::Draw);
    /// ```
    ///
    /// All moves since the first occurrence count: a player loses only if each of its moves gave check.
    pub fn repetition(&self) -> Repetition {
        let mut returns = self.returns();
        match (returns.nth(2), returns.last()) {
            (None, _) => Repetition::None,
            (Some(third), earliest) => match self.cycle_of(earliest.unwrap_or(third)) {
                Cycle::Win => Repetition::Win,
                Cycle::Lose => Repetition::Lose,
                _ => Repetition::Draw,
            },
        }
    }

    /// The most recent return to an earlier position at most `reach` moves ago: how many moves ago, and what it
    /// means. Only moves since the last null move are looked at.
    pub fn last_cycle(&self, reach: usize) -> Option<(usize, Cycle)> {
        let us = self.side.index();
        let reach = reach.min(self.state.since_null as usize);
        for back in (4..=reach).step_by(2) {
            let earlier = &self.history[self.history.len() - back];
            if earlier.board_key != self.state.board_key {
                continue;
            }
            let (now, then) = (self.state.hands[us], earlier.hands[us]);
            let cycle = if earlier.key == self.state.key {
                self.cycle_of(back)
            } else if now.contains(then) {
                Cycle::Superior
            } else if then.contains(now) {
                Cycle::Inferior
            } else {
                continue;
            };
            return Some((back, cycle));
        }
        None
    }

    /// What a search may conclude from repetition at a node `ply` moves below its root.
    ///
    /// One return within the tree is enough; positions at or before the root count only when the fourfold rule
    /// itself decides, since there the game can still leave the cycle. Before the root only the last `reach`
    /// moves are searched for the nearest occurrence.
    pub fn search_repetition(&self, ply: usize, reach: usize) -> Option<Cycle> {
        let (back, cycle) = self.last_cycle(reach.max(ply))?;
        if back < ply {
            return Some(cycle);
        }
        match self.repetition() {
            Repetition::None => None,
            Repetition::Draw => Some(Cycle::Draw),
            Repetition::Win => Some(Cycle::Win),
            Repetition::Lose => Some(Cycle::Lose),
        }
    }

    /// How many moves ago this same position occurred, nearest first.
    fn returns(&self) -> impl Iterator<Item = usize> {
        let played = self.history.len();
        (4..=played)
            .step_by(2)
            .filter(move |back| self.history[played - back].key == self.state.key)
    }

    /// The meaning of a return to the same position `back` moves ago.
    fn cycle_of(&self, back: usize) -> Cycle {
        let checked_all_along =
            |color: Color| self.state.checks_in_row[color.index()] as usize >= back / 2;
        if checked_all_along(!self.side) {
            Cycle::Win
        } else if checked_all_along(self.side) {
            Cycle::Lose
        } else {
            Cycle::Draw
        }
    }
}
