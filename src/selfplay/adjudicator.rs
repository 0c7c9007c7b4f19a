//! Adjudication: how games end, by the rules or because there is nothing left to play for.

use serde::{Deserialize, Serialize};

use super::settings::{Adjudication, Streak};
use crate::score::{self, Score, Value};
use crate::shogi::{Color, Declaration, EnteringKingRule, Position, Repetition};

/// The rule for declarations, for the adjudicator and for the search.
pub(super) const ENTERING_KING: EnteringKingRule = EnteringKingRule::CSARule27;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// Mate on the board, or proved by the search.
    Mate,
    /// One player was far behind for many positions in a row.
    Resignation,
    /// Fourfold repetition: a draw, or a loss by perpetual check.
    Repetition,
    /// An entered king's declaration.
    Declaration,
    /// Too many moves.
    Length,
    /// The score was even for many positions in a row.
    EvenScore,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

/// Decides when a game is over.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// For how many positions Black has been far ahead, and White.
    ahead: [u32; 2],
    /// For how many positions the score has been even.
    even: u32,
}

impl Adjudicator {
    /// For a new game.
    pub fn new(rules: &Adjudication) -> Self {
        Self {
            rules: rules.clone(),
            ahead: [0, 0],
            even: 0,
        }
    }

    /// Whether the game ends before the next move, by the rules or by its length.
    pub fn by_rules(&self, position: &Position) -> Option<End> {
        let us = position.side_to_move();
        let won_by = |winner, reason| {
            Some(End {
                winner: Some(winner),
                reason,
            })
        };
        let drawn = |reason| {
            Some(End {
                winner: None,
                reason,
            })
        };
        if position.count_legal() == 0 {
            return won_by(!us, Reason::Mate);
        }
        match position.repetition() {
            Repetition::Win => return won_by(us, Reason::Repetition),
            Repetition::Lose => return won_by(!us, Reason::Repetition),
            Repetition::Draw => return drawn(Reason::Repetition),
            Repetition::None => {}
        }
        if position.declaration(ENTERING_KING) == Declaration::Win {
            return won_by(us, Reason::Declaration);
        }
        if position.ply() > self.rules.max_ply {
            drawn(Reason::Length)
        } else {
            None
        }
    }

    /// Whether the game ends because of a search's value, seen by the player `us` to move. To be called once for each
    /// position searched.
    pub fn by_score(&mut self, us: Color, value: Value) -> Option<End> {
        if score::is_mate(value) || score::is_mated(value) {
            let winner = if value > 0 { us } else { !us };
            return Some(End {
                winner: Some(winner),
                reason: Reason::Mate,
            });
        }
        let Score::Cp(score) = Score::from_value(value) else {
            return None;
        };
        let Adjudication { resign, draw, .. } = self.rules;
        for (player, score) in [(us, score), (!us, -score)] {
            let far_ahead = &mut self.ahead[player.index()];
            if lasts(resign, far_ahead, score >= resign.score) {
                return Some(End {
                    winner: Some(player),
                    reason: Reason::Resignation,
                });
            }
        }
        lasts(draw, &mut self.even, score.abs() <= draw.score).then_some(End {
            winner: None,
            reason: Reason::EvenScore,
        })
    }
}

/// Counts for how many positions something `holds`; returns whether the streak is long enough.
fn lasts(streak: Streak, count: &mut u32, holds: bool) -> bool {
    *count = if holds { *count + 1 } else { 0 };
    streak.plies > 0 && *count >= streak.plies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{REPETITION_WIN, from_cp, mate_in, mated_in};
    use crate::shogi::Color::{Black, White};

    fn rules() -> Adjudication {
        Adjudication {
            resign: Streak {
                score: 2000,
                plies: 3,
            },
            draw: Streak {
                score: 10,
                plies: 4,
            },
            max_ply: 100,
        }
    }

    fn played(sfen: &str, moves: &str) -> Position {
        let mut position = Position::from_sfen(sfen).unwrap();
        for mv in moves.split_whitespace() {
            position.try_move(mv.parse().unwrap()).unwrap();
        }
        position
    }

    fn verdict(sfen: &str, moves: &str) -> Option<(Option<Color>, Reason)> {
        let end = Adjudicator::new(&rules()).by_rules(&played(sfen, moves));
        end.map(|end| (end.winner, end.reason))
    }

    #[test]
    fn the_rules_end_games() {
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 100";
        assert_eq!(verdict(mated, ""), Some((Some(Black), Reason::Mate)));
        // Mate counts, even beyond the last move.
        let late = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 101";
        assert_eq!(verdict(late, ""), Some((Some(Black), Reason::Mate)));
        let kings = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
        assert_eq!(verdict(kings, ""), None);
        let circle = "5i4i 5a4a 4i5i 4a5a ";
        assert_eq!(verdict(kings, &circle.repeat(2)), None);
        assert_eq!(
            verdict(kings, &circle.repeat(3)),
            Some((None, Reason::Repetition))
        );
        let checks = "4k4/9/9/9/9/9/9/9/K3R4 w - 1";
        let circle = "5a4a 5i4i 4a5a 4i5i ";
        assert_eq!(
            verdict(checks, &circle.repeat(3)),
            Some((Some(White), Reason::Repetition))
        );
        let kings = "4k4/9/9/9/9/9/9/9/4K4 b - ";
        assert_eq!(verdict(&format!("{kings}100"), ""), None);
        assert_eq!(
            verdict(&format!("{kings}101"), ""),
            Some((None, Reason::Length))
        );
        let entered = "4K4/+R+RGGGGSSS/2S6/9/9/9/9/9/4k4 b 2B4N4L18P 1";
        assert_eq!(
            verdict(entered, ""),
            Some((Some(Black), Reason::Declaration))
        );
    }

    /// The first end that a game with these scores has, each in centipawns for the player to move, Black first.
    fn judged(scores: &[i32]) -> Option<(usize, Option<Color>, Reason)> {
        let mut adjudicator = Adjudicator::new(&rules());
        scores.iter().enumerate().find_map(|(i, &cp)| {
            let us = if i % 2 == 0 { Black } else { White };
            let end = adjudicator.by_score(us, from_cp(cp))?;
            Some((i, end.winner, end.reason))
        })
    }

    #[test]
    fn long_streaks_end_games() {
        let white_won = Some((3, Some(White), Reason::Resignation));
        assert_eq!(judged(&[100, 2500, -2500, 2500]), white_won);
        assert_eq!(judged(&[2500, -2500, 1900, -2500, 2500]), None);
        assert_eq!(judged(&[2500, 2500, -2500, 2500]), white_won);
        assert_eq!(judged(&[0, 10, -10, 5]), Some((3, None, Reason::EvenScore)));
        assert_eq!(judged(&[0, 10, 20, 5, 0]), None);
    }

    #[test]
    fn proved_mates_end_games_at_once() {
        for (value, winner) in [(mate_in(5), White), (mated_in(4), Black)] {
            let end = Adjudicator::new(&rules()).by_score(White, value);
            assert_eq!(
                end,
                Some(End {
                    winner: Some(winner),
                    reason: Reason::Mate
                })
            );
        }
        assert_eq!(
            Adjudicator::new(&rules()).by_score(White, REPETITION_WIN - 3),
            None
        );
    }

    #[test]
    fn streaks_without_length_never_end_a_game() {
        let rules = Adjudication {
            resign: Streak { score: 0, plies: 0 },
            draw: Streak { score: 0, plies: 0 },
            ..rules()
        };
        let mut adjudicator = Adjudicator::new(&rules);
        assert!((0..100).all(|_| adjudicator.by_score(Black, 0).is_none()));
    }
}
