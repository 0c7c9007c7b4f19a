//! Judgements of moves, by the winning chances before and after them.

use serde::Serialize;

use crate::score::{Score, win_probability};

/// The judgement of a move by the winning chances it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The engine's own choice.
    Best,
    /// Less than 5 % lost.
    Good,
    /// At least 5 % lost.
    Inaccuracy,
    /// At least 10 % lost.
    Mistake,
    /// At least 20 % lost.
    Blunder,
}

impl Judgement {
    /// All judgements.
    pub const ALL: [Self; 5] = [
        Self::Best,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
    ];

    /// Judges by the chances lost, from 0 to 1, and whether the move is the engine's own.
    pub fn of(loss: f64, is_choice: bool) -> Self {
        match loss {
            _ if is_choice => Self::Best,
            _ if loss >= 0.20 => Self::Blunder,
            _ if loss >= 0.10 => Self::Mistake,
            _ if loss >= 0.05 => Self::Inaccuracy,
            _ => Self::Good,
        }
    }

    /// The name in English.
    pub const fn english(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The name in Japanese, as ShogiHome has it.
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::Best => "最善手",
            Self::Good => "良手",
            Self::Inaccuracy => "緩手",
            Self::Mistake => "疑問手",
            Self::Blunder => "悪手",
        }
    }
}

/// The chances of winning, from 0 to 1, at a score.
pub fn chances(score: Score) -> f64 {
    match score {
        Score::Cp(cp) => win_probability(cp.into()),
        Score::Mate(plies) if plies > 0 => 1.0,
        Score::Mate(_) => 0.0,
    }
}

/// The same score for the other side.
pub fn turned(score: Score) -> Score {
    match score {
        Score::Cp(cp) => Score::Cp(-cp),
        Score::Mate(plies) => Score::Mate(-plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_that_guis_show() {
        assert!((chances(Score::Cp(600)) - 0.731).abs() < 0.001);
        assert!((chances(Score::Cp(-600)) - 0.269).abs() < 0.001);
        assert_eq!(chances(Score::Cp(0)), 0.5);
        assert_eq!(chances(Score::Mate(3)), 1.0);
        assert_eq!(chances(Score::Mate(0)), 0.0);
        assert_eq!(chances(turned(Score::Mate(-2))), 1.0);
    }

    #[test]
    fn losses_are_judged_unless_the_move_is_the_choice() {
        for (loss, judgement) in [
            (0.0, Judgement::Good),
            (0.049, Judgement::Good),
            (0.05, Judgement::Inaccuracy),
            (0.1, Judgement::Mistake),
            (0.5, Judgement::Blunder),
        ] {
            assert_eq!(Judgement::of(loss, false), judgement, "{loss}");
            assert_eq!(Judgement::of(loss, true), Judgement::Best);
        }
    }
}
