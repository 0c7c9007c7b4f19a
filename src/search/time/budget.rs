//! Time management: from clocks to a time budget, as a pure function. All times are in milliseconds and count from the
//! arrival of the request. Knows no position and reads no clock: see [`manager`](super::manager) for that.
//!
//! The guiding ideas:
//! - a reserve for lag is kept back from the last possible moment, but a fifth of the time is enough: default settings
//!   must play well at a tenth of a second per move, too;
//! - whole seconds matter only on hosts that count whole seconds, and such hosts send nothing else;
//! - unused byoyomi is lost, unused main time is not.
//!
//! Sources: the two lags, the minimum thinking time, rounding up to full seconds, and using up main time
//! that is less than 1.2 times the byoyomi are YaneuraOu's (9.70); thinking a quarter longer with pondering is
//! Stockfish's. The other numbers are Hien's own.

use crate::search::limits::{Clock, SearchOptions};
use crate::shogi::color::Color;

/// No plan looks further than ten hours.
const LONGEST: i64 = 36_000_000;
/// The earliest moment for which an answer is planned.
const SHORTEST: i64 = 10;

/// The stage of the game, for the time budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStage {
    /// The number of the move to be played, from 1.
    pub ply: u32,
    /// Whether the side to move has not moved before.
    pub first_move: bool,
}

/// How long one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The planned time.
    pub soft: i64,
    /// The search ends at this moment, whatever happens.
    pub hard: i64,
    /// From this moment on the answer is late, however short the lag.
    pub limit: i64,
    /// Use `soft` in full, since unused time would be lost.
    pub use_all: bool,
    /// The host counts whole seconds: a stop is delayed to the end of the second, less this lag.
    pub full_seconds: Option<i64>,
}

impl Budget {
    /// When to stop if the search may end after `elapsed`.
    pub fn stop_at(&self, elapsed: i64) -> i64 {
        let stop = match self.full_seconds {
            Some(lag) => (elapsed + lag + 999) / 1000 * 1000 - lag,
            None => elapsed,
        };
        stop.min(self.hard)
    }
}

/// The budget of `side` for its next move.
pub fn budget(clock: &Clock, side: Color, stage: GameStage, options: &SearchOptions) -> Budget {
    let own = clock.of(side);
    let (time, byoyomi, inc) = (
        own.time.min(LONGEST),
        own.byoyomi.min(LONGEST),
        own.inc.min(LONGEST),
    );

    // Some hosts have added the increment already, others add it only after the move. Except at the first move, only
    // the latter can show less time than one increment.
    let inc_is_extra = if stage.first_move {
        time == 0
    } else {
        time < inc
    };
    let available = time + byoyomi + if inc_is_extra { inc } else { 0 };
    let hard = last_moment(available, options);

    if byoyomi > 0 && time * 5 < byoyomi * 6 {
        return Budget {
            soft: hard,
            hard,
            limit: available,
            use_all: true,
            full_seconds: None,
        };
    }

    let share = time / expected_moves(clock, stage, options);
    let own_time = share + inc * 3 / 4;
    let planned = own_time * i64::from(options.slow_mover) / 100;
    let planned = if options.ponder && !options.stochastic_ponder {
        planned * 5 / 4
    } else {
        planned
    };
    let whole = options.use_full_seconds && is_in_whole_seconds(clock);
    let least = if whole {
        (options.min_think_ms as i64).min(available / 30 + byoyomi)
    } else {
        0
    };
    let soft = (planned + byoyomi).max(least).clamp(SHORTEST, hard);
    let most = (own_time * 5).min(time * 3 / 10 + inc) + byoyomi;
    Budget {
        soft,
        hard: most.clamp(soft, hard),
        limit: available,
        use_all: false,
        full_seconds: whole.then_some(options.lag_ms as i64),
    }
}

/// The last moment to answer with `available` on the clock. The reserve is the worst lag; if that is more than a fifth
/// of the time, it is a fifth, or the expected lag (at most two fifths) if that is more.
fn last_moment(available: i64, options: &SearchOptions) -> i64 {
    let (lag, worst_lag) = (options.lag_ms as i64, options.max_lag_ms as i64);
    let usual = (available / 5).max(lag.min(available * 2 / 5));
    let reserve = worst_lag.min(usual);
    // With a very short time a fifth of it is more than any lag.
    let margin = (available / 5).clamp(10, 25);
    (available - reserve)
        .max((available - margin).min(100))
        .max(SHORTEST)
}

/// The number of own moves that the remaining time has to last for.
fn expected_moves(clock: &Clock, stage: GameStage, options: &SearchOptions) -> i64 {
    let ply = i64::from(stage.ply);
    let mut moves = 40 + (80 - ply).max(0) / 4;
    if let Some(to_go) = clock.moves_to_go {
        moves = moves.min(i64::from(to_go));
    }
    if options.max_moves_to_draw > 0 {
        moves = moves.min((i64::from(options.max_moves_to_draw) - ply + 2) / 2);
    }
    moves.max(1)
}

/// Whether the host seems to count whole seconds only.
fn is_in_whole_seconds(clock: &Clock) -> bool {
    clock.times().iter().flatten().all(|ms| ms % 1000 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: i64, byoyomi: i64, inc: i64) -> Clock {
        Clock {
            black_ms: Some(time),
            white_ms: Some(time),
            byoyomi_ms: (byoyomi > 0).then_some(byoyomi),
            black_inc_ms: (inc > 0).then_some(inc),
            white_inc_ms: (inc > 0).then_some(inc),
            moves_to_go: None,
        }
    }

    const OPENING: GameStage = GameStage {
        ply: 21,
        first_move: false,
    };

    fn plan(time: i64, byoyomi: i64, inc: i64) -> Budget {
        let options = SearchOptions::default();
        budget(&clock(time, byoyomi, inc), Color::Black, OPENING, &options)
    }

    #[test]
    fn byoyomi_is_used_up_with_a_reserve() {
        // byoyomi, least and greatest acceptable answer
        for (byoyomi, least, most) in [
            (50, 25, 40),
            (100, 80, 80),
            (300, 180, 180),
            (600, 480, 480),
            (1000, 800, 800),
            (3000, 2400, 2400),
            (5600, 4480, 4480),
            (6000, 4880, 4880),
            (10_000, 8880, 8880),
            (60_000, 58_000, 59_000),
        ] {
            let plan = plan(0, byoyomi, 0);
            assert!(plan.use_all && plan.soft == plan.hard);
            assert!((least..=most).contains(&plan.soft), "{byoyomi}: {plan:?}");
        }
    }

    #[test]
    fn the_reserve_follows_the_worst_lag() {
        let options = SearchOptions {
            max_lag_ms: 0,
            ..SearchOptions::default()
        };
        for byoyomi in [300, 1000, 10_000] {
            let plan = budget(&clock(0, byoyomi, 0), Color::White, OPENING, &options);
            assert_eq!(plan.hard, byoyomi);
        }
        assert_eq!(plan(10_000, 0, 0).hard.max(3000), 3000);
        assert_eq!(plan(0, 5600, 0).hard, 4480);
        assert_eq!(plan(0, 7000, 0).hard, 5880);
    }

    #[test]
    fn the_reserve_of_a_short_time_follows_the_expected_lag() {
        for (lag_ms, hard) in [(0, 2400), (600, 2400), (900, 2100), (5000, 1880)] {
            let options = SearchOptions {
                lag_ms,
                ..SearchOptions::default()
            };
            let plan = budget(&clock(0, 3000, 0), Color::White, OPENING, &options);
            assert_eq!((plan.hard, plan.limit), (hard, 3000));
        }
    }

    #[test]
    fn fast_clocks_have_no_hidden_minimum() {
        let plan = plan(1000, 0, 100);
        assert!((60..=150).contains(&plan.soft), "{plan:?}");
        assert!(plan.hard <= 450, "{plan:?}");
        assert_eq!(plan.full_seconds, None);
        assert!(!plan.use_all);
    }

    #[test]
    fn a_fischer_game_never_loses_on_time() {
        for (time, inc) in [(1000, 100), (1000, 50), (60_000, 1000), (300, 20), (0, 100)] {
            for uses_hard in [false, true] {
                let mut left = time;
                for ply in (1..400).step_by(2) {
                    let stage = GameStage {
                        ply,
                        first_move: ply == 1,
                    };
                    // A host that adds the increment before the move but does not send it.
                    let plan = budget(
                        &clock(left, 0, inc),
                        Color::Black,
                        stage,
                        &SearchOptions::default(),
                    );
                    let used = if uses_hard { plan.hard } else { plan.soft } + 2;
                    left += inc - used;
                    assert!(left >= 0, "{time}+{inc}, ply {ply}: {plan:?}, {left} left");
                }
            }
        }
    }

    #[test]
    fn sudden_death_lasts_long() {
        for time in [1000, 10_000, 60_000, 900_000] {
            let mut left = time;
            for ply in (1..161).step_by(2) {
                let stage = GameStage {
                    ply,
                    first_move: ply == 1,
                };
                let plan = budget(
                    &clock(left, 0, 0),
                    Color::Black,
                    stage,
                    &SearchOptions::default(),
                );
                assert!(plan.hard <= (left * 3 / 10).max(100), "{left}: {plan:?}");
                left -= plan.stop_at(plan.soft);
                assert!(left > 0, "{time} gone at ply {ply}: {plan:?}");
            }
            assert!(left >= time / 100, "{left} of {time} left");
        }
    }

    #[test]
    fn whole_seconds_are_filled() {
        let long = plan(600_000, 10_000, 0);
        assert_eq!(long.full_seconds, Some(120));
        assert_eq!(long.stop_at(2100), 2880);
        assert_eq!(long.stop_at(1880), 1880);
        assert_eq!(long.stop_at(1881), 2880);
        assert_eq!(long.stop_at(10_000_000), long.hard);
        assert_eq!(plan(600_001, 0, 0).full_seconds, None);
        let off = SearchOptions {
            use_full_seconds: false,
            ..SearchOptions::default()
        };
        let plan = budget(&clock(600_000, 0, 0), Color::Black, OPENING, &off);
        assert_eq!((plan.full_seconds, plan.stop_at(1234)), (None, 1234));
    }

    #[test]
    fn increments_count_as_time_only_when_they_are_not_in_it() {
        assert_eq!(plan(0, 0, 5000).hard, 4000);
        assert!(plan(2000, 0, 5000).hard > 2000);
        let first = GameStage {
            ply: 1,
            first_move: true,
        };
        let options = SearchOptions::default();
        let plan = budget(&clock(100, 0, 5000), Color::Black, first, &options);
        assert!(plan.hard <= 100, "{plan:?}");
        let plan = budget(&clock(0, 0, 5000), Color::Black, first, &options);
        assert!(plan.hard > 3000, "{plan:?}");
    }

    #[test]
    fn no_time_is_still_a_budget() {
        assert_eq!(plan(0, 0, 0).hard, SHORTEST);
        let huge = plan(i64::MAX, i64::MAX, i64::MAX);
        assert!(huge.hard <= 3 * LONGEST && huge.soft > 0);
    }

    #[test]
    fn options_scale_the_plan() {
        let soft = |options: &SearchOptions| {
            budget(&clock(600_001, 0, 0), Color::Black, OPENING, options).soft
        };
        let normal = soft(&SearchOptions::default());
        let slow = soft(&SearchOptions {
            slow_mover: 200,
            ..SearchOptions::default()
        });
        let ponder = soft(&SearchOptions {
            ponder: true,
            ..SearchOptions::default()
        });
        let late = soft(&SearchOptions {
            max_moves_to_draw: 40,
            ..SearchOptions::default()
        });
        assert_eq!((slow, ponder), (normal * 2, normal * 5 / 4));
        assert!(late > normal * 4);
    }

    #[test]
    fn the_next_control_bounds_the_plan() {
        let control = Clock {
            moves_to_go: Some(5),
            ..clock(10_001, 0, 0)
        };
        let options = SearchOptions::default();
        assert_eq!(budget(&control, Color::Black, OPENING, &options).soft, 2000);
    }
}
