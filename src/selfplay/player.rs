//! One game of the engine against itself.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::adjudicator::{Adjudicator, ENTERING_KING, End};
use super::opening::{Opening, random_move};
use super::settings::{Choice, Effort, Settings};
use crate::data::{Label, Outcome, Psv};
use crate::eval::Evaluator;
use crate::score::{self, Score, Value, is_decisive};
use crate::search::{Found, Limits, SearchOptions, Solo};
use crate::shogi::{Color, Move, Position, SplitMix64};

/// What is kept of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Game {
    /// The positions that were searched, in order, with the game's result; those with mate scores are left out.
    pub records: Vec<Psv>,
    /// How it ended; `None` if it was dropped because the opening left it lopsided.
    pub end: Option<End>,
}

/// Plays games, one after the other. Each depends on the settings and its number only.
pub struct Player<'a> {
    settings: &'a Settings,
    starts: &'a [Position],
    solo: Solo,
}

impl<'a> Player<'a> {
    /// A player of both sides. Games begin from one of `starts`, or from the usual start position if there are none.
    pub fn new(settings: &'a Settings, starts: &'a [Position], evaluator: Evaluator) -> Self {
        let options = SearchOptions {
            max_moves_to_draw: settings.adjudication.max_ply,
            entering_king_rule: ENTERING_KING,
            ..SearchOptions::default()
        };
        Self {
            settings,
            starts,
            solo: Solo::new(evaluator, settings.hash_mib, options),
        }
    }

    /// Plays a game. `None` if it was interrupted by `stop`.
    ///
    /// # Panics
    ///
    /// If a start position cannot be packed, see [`Psv::of`].
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Game> {
        let mut random = SplitMix64::stream(self.settings.seed, number);
        let start = random.choose(self.starts).cloned();
        let mut position = start.unwrap_or_else(Position::startpos);
        let opening = Opening::draw(&self.settings.openings, &mut random);
        let mut adjudicator = Adjudicator::new(&self.settings.adjudication);
        let mut searched = Vec::new();
        self.solo.clear();
        while !stop.load(Relaxed) {
            if let Some(end) = adjudicator.by_rules(&position) {
                return Some(finished(searched, end));
            }
            let played = position.game_len();
            if opening.is_random(played) {
                let mv = self.random_move(&position, &mut random)?;
                position.do_move(mv);
                continue;
            }
            let limits = limits(self.settings.effort, &mut random);
            let found = self.solo.search(&position, limits)?;
            if played == opening.end() && is_lopsided(found.value, self.settings.openings.imbalance)
            {
                return Some(Game::default());
            }
            searched.extend(record(&position, &found));
            if let Some(end) = adjudicator.by_score(position.side_to_move(), found.value) {
                return Some(finished(searched, end));
            }
            position.do_move(found.best);
        }
        None
    }

    /// A move of the opening; `None` if there is none.
    fn random_move(&mut self, position: &Position, random: &mut SplitMix64) -> Option<Move> {
        match self.settings.openings.choice {
            Choice::Legal => random_move(position, random),
            Choice::Best { lines, margin } => {
                let limits = limits(self.settings.effort, random);
                let found = self.solo.search_lines(position, limits, lines);
                let least = found.first()?.value - score::from_cp(margin);
                let near = found.partition_point(|line| line.value >= least);
                random.choose(&found[..near]).map(|line| line.best)
            }
        }
    }
}

fn limits(effort: Effort, random: &mut SplitMix64) -> Limits {
    let (nodes, depth) = match effort {
        Effort::Nodes(nodes) => (Some(nodes), None),
        Effort::NodesAbout(nodes) => {
            let least = nodes * 6 / 10;
            let range = usize::try_from(nodes * 16 / 10 - least + 1).unwrap_or(usize::MAX);
            (Some(least + random.below(range) as u64), None)
        }
        Effort::Depth(depth) => (None, Some(depth)),
    };
    Limits {
        nodes,
        depth,
        ..Limits::default()
    }
}

fn is_lopsided(value: Value, imbalance: i32) -> bool {
    match Score::from_value(value) {
        Score::Cp(score) => score.abs() > imbalance,
        Score::Mate(_) => true,
    }
}

/// The record of a position, still without the game's result, and the side to move. `None` for a mate score, which is
/// no evaluation.
fn record(position: &Position, found: &Found) -> Option<(Color, Psv)> {
    let Score::Cp(score) = Score::from_value(found.value) else {
        return None;
    };
    let label = Label {
        score: i16::try_from(score).expect("scores fit"),
        best: Some(found.best),
        ply: u16::try_from(position.ply()).unwrap_or(u16::MAX),
        outcome: None,
    };
    let record =
        || Psv::of(position, label).expect("games begin with both kings and no piece too many");
    (!is_decisive(found.value)).then(|| (position.side_to_move(), record()))
}

/// Adds the game's result to the records.
fn finished(searched: Vec<(Color, Psv)>, end: End) -> Game {
    let outcome = |player| match end.winner {
        None => Outcome::Draw,
        Some(winner) if winner == player => Outcome::Win,
        Some(_) => Outcome::Loss,
    };
    let records = searched.into_iter().map(|(player, mut record)| {
        record.label.outcome = Some(outcome(player));
        record
    });
    Game {
        records: records.collect(),
        end: Some(end),
    }
}
