//! The principal variation of a proved mate, read from the table.

use super::dfpn::Search;
use super::hands;
use super::proof_number::{Len, PnValue};
use super::table::Known;
use crate::shogi::{Move, MoveList, Promotions};

/// Which answers the line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defence {
    /// Those that hold out longest, as far as is known.
    Known,
    /// Those that hold out longest. The length of the mate must be the shortest.
    Longest,
}

impl Search<'_> {
    /// The line of the mate within `len` that was proved for the current position. What garbage collection dropped from
    /// the table is searched again; `None` if there is no time for that.
    pub fn line(&mut self, len: Len, defence: Defence) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let complete = self.follow(len, defence, &mut line);
        for _ in 0..line.len() {
            self.position.undo_move();
        }
        complete.then_some(line)
    }

    /// Plays the line; false if it breaks off.
    fn follow(&mut self, mut len: Len, defence: Defence, line: &mut Vec<Move>) -> bool {
        loop {
            let Some((check, rest)) = self.best_check(len) else {
                return false;
            };
            self.position.do_move(check);
            line.push(check);
            if rest == Len::ZERO && self.position.count_legal() == 0 {
                return true;
            }
            let answer = match defence {
                Defence::Known => self.known_defence(rest),
                Defence::Longest => self.longest_defence(rest),
            };
            let Some((answer, rest)) = answer else {
                return false;
            };
            self.position.do_move(answer);
            line.push(answer);
            len = rest;
        }
    }

    /// The check with the shortest proved mate.
    fn best_check(&mut self, len: Len) -> Option<(Move, Len)> {
        self.known_check(len).or_else(|| {
            self.search(len);
            self.known_check(len)
        })
    }

    fn known_check(&mut self, len: Len) -> Option<(Move, Len)> {
        let mut moves = MoveList::new();
        self.position.checks(&mut moves, Promotions::All);
        let mut best: Option<(Move, Len)> = None;
        for &mv in &moves {
            let Some(found) = self.mate_after_check(mv, len) else {
                continue;
            };
            if best.is_none_or(|(_, least)| found < least) {
                best = Some((mv, found));
            }
        }
        best
    }

    fn mate_after_check(&mut self, mv: Move, len: Len) -> Option<Len> {
        let hand = hands::after_attack(&self.position, mv);
        self.position.do_move(mv);
        let board = self.position.board_key();
        let is_mate = self.position.count_legal() == 0;
        self.position.undo_move();
        if is_mate {
            return Some(Len::ZERO);
        }
        match self.table.look_up(board, hand, len.shorter()) {
            Known::Result(PnValue { pn: 0, len, .. }) => Some(len),
            _ => None,
        }
    }

    /// The answer with the longest proved mate.
    fn known_defence(&mut self, len: Len) -> Option<(Move, Len)> {
        let mut best: Option<(Move, Len)> = None;
        for mv in self.position.legal_moves() {
            let value = self.solve_after(mv, len.shorter());
            if value.pn != 0 {
                return None;
            }
            if best.is_none_or(|(_, longest)| value.len > longest) {
                best = Some((mv, value.len));
            }
        }
        best
    }

    /// An answer after which the mate really takes all of `len`.
    fn longest_defence(&mut self, len: Len) -> Option<(Move, Len)> {
        let rest = len.plies()?.checked_sub(1)?;
        for mv in self.position.legal_moves() {
            let value = self.solve_after(mv, Len::new(rest));
            if value.pn != 0 {
                return None;
            }
            // The proof may be longer than necessary.
            let is_longest = value.len == Len::new(rest)
                && (rest < 3 || self.solve_after(mv, Len::new(rest - 2)).dn == 0);
            if is_longest {
                return Some((mv, value.len));
            }
        }
        None
    }

    fn solve_after(&mut self, mv: Move, len: Len) -> PnValue {
        self.position.do_move(mv);
        let value = self.solve(len);
        self.position.undo_move();
        value
    }
}
