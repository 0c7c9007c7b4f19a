//! What a search is asked to do: clocks, limits, options. Plain data; reads no text.

use std::time::Instant;

use crate::score::Value;
use crate::shogi::color::Color;
use crate::shogi::declaration::EnteringKingRule;
use crate::shogi::moves::Move;

/// The clocks as the game's host gave them, in milliseconds. `None` = not given; no value is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Black's remaining time.
    pub black_ms: Option<i64>,
    /// White's remaining time.
    pub white_ms: Option<i64>,
    /// Time per move once the remaining time is used up (秒読み), the same for both.
    pub byoyomi_ms: Option<i64>,
    /// What Black gains per move (Fischer).
    pub black_inc_ms: Option<i64>,
    /// What White gains per move.
    pub white_inc_ms: Option<i64>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Whether any time is known.
    pub fn is_given(&self) -> bool {
        self.times().iter().any(Option::is_some)
    }

    /// The five time values.
    pub(super) fn times(&self) -> [Option<i64>; 5] {
        [
            self.black_ms,
            self.white_ms,
            self.byoyomi_ms,
            self.black_inc_ms,
            self.white_inc_ms,
        ]
    }

    /// The clock of one side with the gaps filled: a missing clock is 0 if byoyomi or increment exist,
    /// else what the opponent has.
    pub(super) fn of(&self, side: Color) -> SideClock {
        let (own, other, inc) = match side {
            Color::Black => (self.black_ms, self.white_ms, self.black_inc_ms),
            Color::White => (self.white_ms, self.black_ms, self.white_inc_ms),
        };
        let byoyomi = self.byoyomi_ms.unwrap_or(0);
        let inc = inc.unwrap_or(0);
        let spare = if byoyomi > 0 || inc > 0 { None } else { other };
        SideClock {
            time: own.or(spare).unwrap_or(0).max(0),
            byoyomi: byoyomi.max(0),
            inc: inc.max(0),
        }
    }

    /// The expected clock of `side` at its next move if this one took `used` ms.
    pub(super) fn after_move(mut self, side: Color, used: i64) -> Self {
        let own = self.of(side);
        let rest = own.time - (used - own.byoyomi).max(0) + own.inc;
        let time = match side {
            Color::Black => &mut self.black_ms,
            Color::White => &mut self.white_ms,
        };
        *time = Some(rest.max(0));
        self
    }
}

/// What one side has on its clock, in milliseconds, each at least 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideClock {
    pub time: i64,
    pub byoyomi: i64,
    pub inc: i64,
}

/// The limits of one search. All given ones hold together; the first one reached ends the search.
/// With none at all the search takes one second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks.
    pub clock: Clock,
    /// Take about this long, in milliseconds, and stop early for a forced result only.
    pub movetime: Option<u64>,
    /// Plies to search. 0 counts as 1.
    pub depth: Option<u32>,
    /// Nodes to search, over all threads. 0 counts as depth 1.
    pub nodes: Option<u64>,
    /// Answer only after [`Searcher::stop`](super::Searcher::stop).
    pub infinite: bool,
    /// The opponent is still thinking: answer only after a stop or
    /// [`Searcher::ponderhit`](super::Searcher::ponderhit), from which on the clock runs.
    pub ponder: bool,
    /// Search only these moves at the root; ignored if none of them is legal.
    pub searchmoves: Vec<Move>,
    /// When the request arrived: the zero of all times. `None` for the moment when the search is started.
    pub start: Option<Instant>,
}

impl Limits {
    /// Whether only the clock (or no limit at all) ends this search, so that it may end early when more thinking is
    /// useless.
    pub(super) fn is_timed(&self) -> bool {
        !self.infinite && self.movetime.is_none() && self.depth.is_none() && self.nodes.is_none()
    }

    /// The last iteration to search.
    pub(super) fn max_depth(&self) -> u32 {
        let zero = self.nodes == Some(0) || self.movetime == Some(0);
        let depth = if zero { Some(1) } else { self.depth };
        depth.map_or(super::MAX_DEPTH, |d| d.clamp(1, super::MAX_DEPTH))
    }

    /// The node limit, if there is one.
    pub(super) fn max_nodes(&self) -> Option<u64> {
        self.nodes.filter(|&nodes| nodes > 0)
    }
}

/// Settings that outlive a single search. Times in milliseconds, scores in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many lines to search and show.
    pub multi_pv: u32,
    /// Playing strength, from 0 (a beginner's) to 20 (the best). Levels below 20 search few nodes, whatever the
    /// clock; they do not apply to analysis.
    pub skill_level: u32,
    /// Expected lag between engine and clock; taken off planned stopping times.
    pub lag_ms: u64,
    /// Worst lag; taken off the last possible stopping time, unless that is short.
    pub max_lag_ms: u64,
    /// Minimum thinking time, where clocks count whole seconds.
    pub min_think_ms: u64,
    /// Percentage of the planned time that is used.
    pub slow_mover: u32,
    /// Round the thinking time up to a full second, where clocks count whole seconds.
    pub use_full_seconds: bool,
    /// A position whose move number is greater than this is a draw; 0 = no limit.
    pub max_moves_to_draw: u32,
    /// The value of a draw when Black is to move at the root; below 0 it is contempt.
    pub draw_value_black: i32,
    /// The value of a draw when White is to move at the root.
    pub draw_value_white: i32,
    /// Resign when two own moves in a row are worth no more than minus this; 99999 = never.
    pub resign_value: i32,
    /// When an entered king may declare a win.
    pub entering_king_rule: EnteringKingRule,
    /// Least time between two reports during a game.
    pub report_interval_ms: u64,
    /// Analysis: report everything.
    pub analysis: bool,
    /// Also report results outside the aspiration window.
    pub report_bounds: bool,
    /// Also search unpromoted moves that are never better than promoting.
    pub all_promotions: bool,
    /// The host lets the engine think on the opponent's time.
    pub ponder: bool,
    /// Pondering starts from the position before the expected move.
    pub stochastic_ponder: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            skill_level: 20,
            lag_ms: 120,
            max_lag_ms: 1120,
            min_think_ms: 2000,
            slow_mover: 100,
            use_full_seconds: true,
            max_moves_to_draw: 0,
            draw_value_black: -2,
            draw_value_white: -2,
            resign_value: 99_999,
            entering_king_rule: EnteringKingRule::CSARule27,
            report_interval_ms: 300,
            analysis: false,
            report_bounds: true,
            all_promotions: false,
            ponder: false,
            stochastic_ponder: false,
        }
    }
}

impl SearchOptions {
    /// What a draw is worth to Black and to White, in eval units, when `root` is to move at the root.
    pub(super) fn draw_values(&self, root: Color) -> [Value; 2] {
        let own = match root {
            Color::Black => self.draw_value_black,
            Color::White => self.draw_value_white,
        };
        let own = crate::score::from_cp(own.clamp(-30_000, 30_000))
            .clamp(-crate::score::EVAL_MAX, crate::score::EVAL_MAX);
        match root {
            Color::Black => [own, -own],
            Color::White => [-own, own],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_in_the_clock_are_filled() {
        let clock = Clock {
            black_ms: Some(5000),
            ..Clock::default()
        };
        assert_eq!(clock.of(Color::White).time, 5000);
        let clock = Clock {
            byoyomi_ms: Some(1000),
            ..clock
        };
        assert_eq!(clock.of(Color::White).time, 0);
        assert_eq!(clock.of(Color::White).byoyomi, 1000);
        assert!(clock.is_given() && !Clock::default().is_given());
    }

    #[test]
    fn the_next_clock_is_estimated_from_the_last_move() {
        let clock = Clock {
            black_ms: Some(5000),
            white_ms: Some(7000),
            byoyomi_ms: Some(1000),
            ..Clock::default()
        };
        assert_eq!(clock.after_move(Color::Black, 900).black_ms, Some(5000));
        assert_eq!(clock.after_move(Color::Black, 3000).black_ms, Some(3000));
        assert_eq!(clock.after_move(Color::Black, 9000).black_ms, Some(0));
        let clock = Clock {
            white_inc_ms: Some(2000),
            byoyomi_ms: None,
            ..clock
        };
        assert_eq!(clock.after_move(Color::White, 3000).white_ms, Some(6000));
    }

    #[test]
    fn draws_are_seen_from_the_side_at_the_root() {
        let options = SearchOptions {
            draw_value_black: -100,
            draw_value_white: 50,
            ..SearchOptions::default()
        };
        assert_eq!(options.draw_values(Color::Black), [-90, 90]);
        assert_eq!(options.draw_values(Color::White), [-45, 45]);
    }

    #[test]
    fn zero_limits_mean_one_ply() {
        for limits in [
            Limits {
                depth: Some(0),
                ..Limits::default()
            },
            Limits {
                nodes: Some(0),
                ..Limits::default()
            },
            Limits {
                movetime: Some(0),
                ..Limits::default()
            },
        ] {
            assert_eq!(limits.max_depth(), 1);
            assert_eq!(limits.max_nodes(), None);
        }
        assert_eq!(Limits::default().max_depth(), super::super::MAX_DEPTH);
    }
}
