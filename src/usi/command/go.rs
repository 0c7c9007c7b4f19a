//! The arguments of `go`, and how they become the limits of a search.

use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;
use std::time::Instant;

use crate::search::{Clock, Limits};
use crate::shogi::moves::Move;

use super::position::{HistoryMove, parse_move};
use crate::settings::options::parse_number;

/// What a `go` line asks for, as written: negative numbers are 0, unreadable ones are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The clock words.
    pub clock: Clock,
    /// Think about this long, in ms.
    pub movetime: Option<u64>,
    /// Greatest depth, in plies.
    pub depth: Option<u32>,
    /// Greatest number of nodes over all threads.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Look for a forced mate instead.
    pub mate: Option<MateTime>,
    /// Count the legal move tree to this depth instead.
    pub perft: Option<u32>,
    /// Only these root moves; empty = all.
    pub searchmoves: Vec<Move>,
}

/// The time of `go mate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateTime {
    /// Until solved or stopped.
    Unlimited,
    /// At most this long, in ms.
    Millis(u64),
}

type Words<'a> = Peekable<SplitAsciiWhitespace<'a>>;

impl Go {
    /// Reads the words after `go`, in any order; the last occurrence of a keyword wins.
    ///
    /// The moves of `searchmoves` end at the next keyword; words that are neither are skipped.
    pub fn parse(text: &str) -> Self {
        let mut go = Self::default();
        let mut words = text.split_ascii_whitespace().peekable();
        let mut in_searchmoves = false;
        while let Some(word) = words.next() {
            if word == "searchmoves" {
                go.searchmoves.clear();
                in_searchmoves = true;
            } else if go.read_keyword(word, &mut words) {
                in_searchmoves = false;
            } else if in_searchmoves && let Some(HistoryMove::Move(mv)) = parse_move(word) {
                go.searchmoves.push(mv);
            }
        }
        go
    }

    /// Reads the arguments of `word`; returns whether it is a keyword with arguments of its own.
    fn read_keyword(&mut self, word: &str, words: &mut Words) -> bool {
        match word {
            "ponder" => self.ponder = true,
            "infinite" => self.infinite = true,
            "btime" => read(words, &mut self.clock.black_ms, |ms| ms),
            "wtime" => read(words, &mut self.clock.white_ms, |ms| ms),
            "byoyomi" => read(words, &mut self.clock.byoyomi_ms, |ms| ms),
            "binc" => read(words, &mut self.clock.black_inc_ms, |ms| ms),
            "winc" => read(words, &mut self.clock.white_inc_ms, |ms| ms),
            "movestogo" => read(words, &mut self.clock.moves_to_go, saturated),
            "movetime" | "rtime" => read(words, &mut self.movetime, i64::unsigned_abs),
            "depth" => read(words, &mut self.depth, saturated),
            "nodes" => read(words, &mut self.nodes, i64::unsigned_abs),
            "mate" => self.mate = Some(mate_time(words)),
            "perft" => {
                self.perft = Some(1);
                read(words, &mut self.perft, saturated);
            }
            _ => return false,
        }
        true
    }

    /// The limits of the search this asks for; `start` is when the line arrived.
    pub fn limits(&self, start: Instant) -> Limits {
        Limits {
            clock: self.clock,
            movetime: self.movetime,
            depth: self.depth,
            nodes: self.nodes,
            infinite: self.infinite,
            // Pondering without an end is plain endless search: a ponderhit changes nothing.
            ponder: self.ponder && !self.infinite,
            searchmoves: self.searchmoves.clone(),
            start: Some(start),
        }
    }
}

/// Stores the number that follows, if one does. Negative numbers count as 0.
fn read<T>(words: &mut Words, target: &mut Option<T>, convert: fn(i64) -> T) {
    if let Some(number) = words.peek().and_then(|word| parse_number(word)) {
        words.next();
        *target = Some(convert(number.max(0)));
    }
}

fn saturated(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// `infinite`, a number of ms, or nothing.
fn mate_time(words: &mut Words) -> MateTime {
    if words.next_if_eq(&"infinite").is_some() {
        return MateTime::Unlimited;
    }
    let mut millis = None;
    read(words, &mut millis, i64::unsigned_abs);
    millis.map_or(MateTime::Unlimited, MateTime::Millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_all_clients() {
        let clock = Go::parse("btime 60000 wtime 50000 byoyomi 0").clock;
        assert_eq!(
            (clock.black_ms, clock.white_ms, clock.byoyomi_ms),
            (Some(60000), Some(50000), Some(0))
        );
        let clock = Go::parse("ponder btime 1 wtime 2 binc 3 winc 4 movestogo 5").clock;
        assert_eq!(
            (clock.black_inc_ms, clock.white_inc_ms, clock.moves_to_go),
            (Some(3), Some(4), Some(5))
        );
        assert!(!Go::parse("ponder").clock.is_given());
    }

    #[test]
    fn malformed_numbers_are_left_out() {
        let go = Go::parse(
            "btime 99999999999999999999 wtime x byoyomi foo bar depth nodes -3 movetime 500.9",
        );
        assert_eq!(go.clock.black_ms, Some(i64::MAX));
        assert_eq!(go.clock.white_ms, None);
        assert_eq!(go.clock.byoyomi_ms, None);
        assert_eq!(go.depth, None);
        assert_eq!(go.nodes, Some(0));
        assert_eq!(go.movetime, Some(500));
        assert_eq!(Go::parse("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(Go::parse("depth 3 depth 5 depth").depth, Some(5));
    }

    #[test]
    fn negative_times_are_zero() {
        let clock = Go::parse("btime -200 wtime -1").clock;
        assert_eq!((clock.black_ms, clock.white_ms), (Some(0), Some(0)));
    }

    #[test]
    fn searchmoves_end_at_a_keyword() {
        for text in [
            "searchmoves 7g7f 2g2f infinite",
            "infinite searchmoves 7g7f 2g2f",
            "searchmoves 7g7f junk 2g2f 0000 infinite",
            "searchmoves 9g9f searchmoves 7g7f 2g2f infinite 9g9f",
        ] {
            let go = Go::parse(text);
            let moves: Vec<_> = go.searchmoves.iter().map(Move::to_string).collect();
            assert_eq!(moves, ["7g7f", "2g2f"], "{text}");
            assert!(go.infinite, "{text}");
        }
    }

    #[test]
    fn mate_takes_a_time_or_none() {
        for (text, time) in [
            ("mate", MateTime::Unlimited),
            ("mate infinite", MateTime::Unlimited),
            ("mate foo", MateTime::Unlimited),
            ("mate nodes 100", MateTime::Unlimited),
            ("nodes 100 mate 5000", MateTime::Millis(5000)),
        ] {
            assert_eq!(Go::parse(text).mate, Some(time), "{text}");
        }
        assert_eq!(Go::parse("mate nodes 100").nodes, Some(100));
        assert!(!Go::parse("mate infinite").infinite);
    }

    #[test]
    fn perft_has_a_depth() {
        assert_eq!(Go::parse("perft 4").perft, Some(4));
        assert_eq!(Go::parse("perft").perft, Some(1));
    }

    #[test]
    fn infinite_beats_ponder() {
        let limits = Go::parse("ponder infinite").limits(Instant::now());
        assert!(limits.infinite && !limits.ponder);
    }
}
