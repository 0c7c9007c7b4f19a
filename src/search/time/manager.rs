//! Time management: reads the clock during one search and compares it with its [`budget`]. Only the main thread owns a
//! time manager.
//!
//! The planned time is scaled by three factors: a falling score, the stability of the best move, and its share of the
//! nodes (effort, by which an easy move is played early). They have the shape of those in Stockfish's time management.

use std::time::{Duration, Instant};

use super::budget::{self, Budget, GameStage};
use super::lateness::Lateness;
use crate::score::{self, Value};
use crate::search::limits::{Clock, Limits, SearchOptions};
use crate::search::params;
use crate::search::smp::control::{Control, PonderHit};
use crate::shogi::{Color, Position};

/// Time for a search without any limit, in milliseconds.
const DEFAULT_MOVETIME: i64 = 1000;
/// Time for an only move, in milliseconds.
const ONLY_MOVE_TIME: i64 = 20;

/// The results of the latest iteration that tell how long to think.
#[derive(Clone, Copy, Debug)]
pub struct IterationStats {
    /// The depth completed.
    pub depth: u32,
    /// The value of the best move.
    pub value: Value,
    /// The average value at the end of the previous search of this game, if there was one.
    pub previous_value: Option<Value>,
    /// The value a few iterations ago.
    pub earlier_value: Value,
    /// For how many iterations the best move has been the same.
    pub stable_for: u32,
    /// The share of all nodes that was spent on the best move, 0 to 1.
    pub effort: f64,
}

impl IterationStats {
    /// A mate that deeper iterations will hardly shorten.
    fn is_settled(&self) -> bool {
        let plies = score::MATE - self.value.abs();
        self.value.abs() >= score::MATE_IN_MAX_PLY && self.depth as Value * 2 > plies * 5
    }

    /// How much of the planned time the position deserves: more while the score falls or the best move changes,
    /// less while one move takes all the effort.
    fn factor(&self) -> f64 {
        let thousandths = |number: i32| f64::from(number) / 1000.0;
        let most = params::time_falling_difference();
        let fall = |from: Value| (from - self.value).clamp(-most, most);
        let falling = thousandths(params::time_falling_base())
            + f64::from(
                params::time_falling_previous() * fall(self.previous_value.unwrap_or(self.value))
                    + params::time_falling_earlier() * fall(self.earlier_value),
            ) / 100_000.0;
        let falling = falling.clamp(
            thousandths(params::time_falling_min()),
            thousandths(params::time_falling_max()),
        );
        let stable_for = (self.stable_for as i32).min(params::time_stability_count());
        let stability = thousandths(
            params::time_stability_base() - params::time_stability_slope() * stable_for,
        );
        let effort = thousandths(params::time_effort_base())
            - thousandths(params::time_effort_slope()) * self.effort;
        let effort = effort.clamp(
            thousandths(params::time_effort_min()),
            thousandths(params::time_effort_max()),
        );
        falling * stability * effort
    }
}

/// Kept back from the limit in any case, whatever was measured.
const MARGIN: Duration = Duration::from_millis(2);
/// Measured lag counts up to this share of the limit, or up to this long: a machine that slept once must not use up all
/// time.
const MOST_SHARE: u32 = 10;
const MOST: Duration = Duration::from_millis(5);

/// How late the engine itself is.
pub struct OwnLag<'a> {
    /// The pauses between two looks at the clock.
    pub pauses: &'a mut Lateness,
    /// From the decision to answer until the host has the answer.
    pub answer: Duration,
}

impl OwnLag<'_> {
    /// How long before `limit` to stop, so that the answer is there in time.
    fn reserve(&self, limit: Duration) -> Duration {
        let measured = self.pauses.reserve() + self.answer;
        MARGIN + measured.min(MOST.max(limit / MOST_SHARE))
    }
}

/// The time manager of one search.
pub struct TimeManager<'a> {
    /// Arrival of the request: the zero of the reported time.
    start: Instant,
    /// When the engine's own clock began to run: the start, or the ponderhit.
    origin: Instant,
    pondering: bool,
    infinite: bool,
    movetime: Option<i64>,
    has_depth_limit: bool,
    /// Nothing but the clock ends this search.
    is_timed: bool,
    only_move: bool,
    clock: Option<Clock>,
    side: Color,
    stage: GameStage,
    options: SearchOptions,
    budget: Option<Budget>,
    /// The moment to stop, in ms from `origin`.
    deadline: Option<i64>,
    /// The share of the planned time to use, by the latest iteration.
    factor: f64,
    lag: OwnLag<'a>,
    last_look: Option<Instant>,
    /// When the time was up.
    over_since: Option<Instant>,
}

impl<'a> TimeManager<'a> {
    /// `only_move`: there is no choice at the root. `fallback` is an estimate of the clocks, for pondering
    /// without any.
    pub fn new(
        root: &Position,
        limits: &Limits,
        start: Instant,
        options: &SearchOptions,
        only_move: bool,
        fallback: Option<Clock>,
        lag: OwnLag<'a>,
    ) -> Self {
        let given = limits.clock.is_given().then_some(limits.clock);
        let mut timer = Self {
            start,
            origin: start,
            pondering: limits.ponder,
            infinite: limits.infinite,
            movetime: limits
                .movetime
                .map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)),
            has_depth_limit: limits.depth.is_some(),
            is_timed: limits.is_timed(),
            only_move,
            clock: given.or_else(|| fallback.filter(|_| limits.ponder)),
            side: root.side_to_move(),
            stage: GameStage {
                ply: root.ply(),
                first_move: root.game_len() < 2,
            },
            options: options.clone(),
            budget: None,
            deadline: None,
            factor: 1.0,
            lag,
            last_look: None,
            over_since: None,
        };
        if !limits.ponder {
            timer.plan();
        }
        timer
    }

    /// Sets budget and deadline from the clocks in force.
    fn plan(&mut self) {
        if self.infinite {
            return;
        }
        self.budget = self
            .clock
            .map(|clock| budget::budget(&clock, self.side, self.stage, &self.options));
        let unlimited = self.is_timed && self.clock.is_none();
        let limits = [
            self.budget.map(|budget| budget.hard),
            self.movetime,
            unlimited.then_some(DEFAULT_MOVETIME),
        ];
        self.deadline = limits.into_iter().flatten().min();
        if self.only_move {
            self.deadline = self.deadline.map(|at| at.min(ONLY_MOVE_TIME));
        }
    }

    /// Time since the request.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time on the engine's own clock, in ms.
    fn own_time(&self) -> i64 {
        millis(self.origin.elapsed())
    }

    /// Whether the time is up.
    pub fn is_over(&mut self, control: &Control) -> bool {
        if self.pondering
            && let Some(hit) = control.hit()
        {
            self.ponderhit(hit);
        }
        let now = Instant::now();
        if let Some(last) = self.last_look.replace(now) {
            self.lag.pauses.add(now - last);
        }
        let is_over = self.deadline.is_some_and(|at| self.own_time() >= at) || self.is_late(now);
        if is_over {
            self.over_since.get_or_insert(now);
        }
        is_over
    }

    /// Whether only the time that the engine may need to answer is left.
    fn is_late(&self, now: Instant) -> bool {
        let Some(budget) = self.budget else {
            return false;
        };
        let limit = Duration::from_millis(budget.limit.max(0) as u64);
        let left = limit.saturating_sub(now.saturating_duration_since(self.origin));
        left <= limit / 4 && left <= self.lag.reserve(limit)
    }

    /// When the time was up, if that has ended the search.
    pub fn over_since(&self) -> Option<Instant> {
        self.over_since
    }

    /// The engine's own clock starts to run. The time spent pondering counts, so the planned time may be over already.
    fn ponderhit(&mut self, hit: PonderHit) {
        self.pondering = false;
        self.origin = hit.at;
        self.clock = hit.clock.filter(Clock::is_given).or(self.clock);
        self.plan();
        if let Some(budget) = self.budget
            && !budget.use_all
            && self.planned_time_is_up(&budget)
        {
            self.stop_when_planned(&budget);
        }
    }

    fn planned_time_is_up(&self, budget: &Budget) -> bool {
        millis(self.elapsed()) as f64 >= budget.soft as f64 * self.factor
    }

    fn stop_when_planned(&mut self, budget: &Budget) {
        let stop = budget.stop_at(self.own_time());
        self.deadline = Some(self.deadline.map_or(stop, |at| at.min(stop)));
    }

    /// Records a completed iteration. Returns whether the search must end.
    pub fn iteration_done(&mut self, stats: &IterationStats) -> bool {
        if self.infinite || self.has_depth_limit {
            return false;
        }
        if stats.is_settled() {
            return true;
        }
        self.factor = stats.factor();
        if self.pondering {
            return false;
        }
        if let Some(budget) = self.budget
            && !budget.use_all
            && self.planned_time_is_up(&budget)
        {
            self.stop_when_planned(&budget);
        }
        self.deadline.is_some_and(|at| self.own_time() >= at)
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATS: IterationStats = IterationStats {
        depth: 10,
        value: 0,
        previous_value: None,
        earlier_value: 0,
        stable_for: 0,
        effort: 0.5,
    };

    fn timer(limits: &Limits) -> TimeManager<'static> {
        let options = SearchOptions {
            max_lag_ms: 0,
            ..SearchOptions::default()
        };
        let lag = OwnLag {
            pauses: Box::leak(Box::new(Lateness::new())),
            answer: Duration::ZERO,
        };
        TimeManager::new(
            &Position::startpos(),
            limits,
            limits.start.unwrap_or_else(Instant::now),
            &options,
            false,
            None,
            lag,
        )
    }

    #[test]
    fn the_time_to_answer_is_kept_back() {
        let millis = Duration::from_millis;
        let mut pauses = Lateness::new();
        (0..2000).for_each(|_| pauses.add(Duration::from_micros(500)));
        let lag = |answer| {
            OwnLag {
                pauses: &mut pauses.clone(),
                answer,
            }
            .reserve(millis(1000))
        };
        let usual = lag(millis(1));
        assert!((3500..3700).contains(&usual.as_micros()), "{usual:?}");
        assert_eq!(lag(millis(5000)), MARGIN + millis(100));
        // The last moment has come in any case.
        let start = Instant::now().checked_sub(millis(998)).expect("a time");
        let limits = Limits {
            clock: byoyomi(1000),
            start: Some(start),
            ..Limits::default()
        };
        let mut timer = timer(&limits);
        assert_eq!(timer.deadline, Some(1000));
        assert!(timer.is_over(&Control::default()));
        assert!(timer.over_since().is_some());
    }

    fn byoyomi(ms: i64) -> Clock {
        Clock {
            byoyomi_ms: Some(ms),
            ..Clock::default()
        }
    }

    #[test]
    fn the_earliest_limit_holds() {
        let deadline = |limits: Limits| timer(&limits).deadline;
        let movetime = Some(700);
        assert_eq!(
            deadline(Limits {
                movetime,
                ..Limits::default()
            }),
            Some(700)
        );
        assert_eq!(deadline(Limits::default()), Some(DEFAULT_MOVETIME));
        assert_eq!(
            deadline(Limits {
                depth: Some(3),
                ..Limits::default()
            }),
            None
        );
        assert_eq!(
            deadline(Limits {
                infinite: true,
                movetime,
                ..Limits::default()
            }),
            None
        );
        assert_eq!(
            deadline(Limits {
                ponder: true,
                movetime,
                ..Limits::default()
            }),
            None
        );
        for (ms, expected) in [(500, 500), (2000, 700)] {
            let limits = Limits {
                clock: byoyomi(ms),
                movetime,
                ..Limits::default()
            };
            assert_eq!(deadline(limits), Some(expected));
        }
    }

    #[test]
    fn a_ponderhit_starts_the_clock() {
        for (before, at_hit, expected) in [
            (Clock::default(), Some(byoyomi(400)), 400),
            (byoyomi(300), None, 300),
            (byoyomi(300), Some(Clock::default()), 300),
            (byoyomi(300), Some(byoyomi(800)), 800),
            (Clock::default(), None, DEFAULT_MOVETIME),
        ] {
            let mut timer = timer(&Limits {
                ponder: true,
                clock: before,
                ..Limits::default()
            });
            let control = Control::default();
            assert!(!timer.is_over(&control));
            assert_eq!(timer.deadline, None);
            control.ponderhit(PonderHit {
                clock: at_hit,
                at: Instant::now(),
            });
            assert!(!timer.is_over(&control));
            assert_eq!(timer.deadline, Some(expected));
        }
    }

    #[test]
    fn what_was_pondered_counts_as_thought() {
        let clock = Clock {
            black_ms: Some(60_001),
            ..Clock::default()
        };
        let now = Instant::now();
        let Some(start) = now.checked_sub(Duration::from_secs(20)) else {
            return; // the machine has just been switched on
        };
        let mut timer = timer(&Limits {
            ponder: true,
            clock,
            start: Some(start),
            ..Limits::default()
        });
        let control = Control::default();
        assert!(!timer.is_over(&control));
        control.ponderhit(PonderHit {
            clock: None,
            at: now,
        });
        assert!(timer.is_over(&control));
    }

    #[test]
    fn falling_scores_and_changing_moves_take_more_time() {
        let factor = STATS.factor();
        let falling = IterationStats {
            earlier_value: 150,
            ..STATS
        };
        let worse_game = IterationStats {
            previous_value: Some(100),
            ..STATS
        };
        let stable = IterationStats {
            stable_for: 8,
            ..STATS
        };
        let clear = IterationStats {
            effort: 0.98,
            ..STATS
        };
        assert!(falling.factor() > factor && worse_game.factor() > factor);
        assert!(stable.factor() < factor && clear.factor() < factor);
        for value in [-30_000, 0, 30_000] {
            let factor = IterationStats { value, ..stable }.factor();
            assert!((0.2..4.0).contains(&factor), "{value}: {factor}");
        }
    }

    #[test]
    fn a_mate_found_early_ends_the_search_unless_depth_was_asked_for() {
        let mate = IterationStats {
            value: score::mate_in(3),
            ..STATS
        };
        let long_mate = IterationStats {
            value: score::mated_in(8),
            ..STATS
        };
        let movetime = Some(100_000);
        assert!(
            timer(&Limits {
                movetime,
                ..Limits::default()
            })
            .iteration_done(&mate)
        );
        assert!(
            !timer(&Limits {
                movetime,
                ..Limits::default()
            })
            .iteration_done(&long_mate)
        );
        assert!(
            !timer(&Limits {
                infinite: true,
                ..Limits::default()
            })
            .iteration_done(&mate)
        );
        assert!(
            !timer(&Limits {
                depth: Some(20),
                ..Limits::default()
            })
            .iteration_done(&mate)
        );
    }
}
