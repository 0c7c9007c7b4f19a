//! The analysis of a game: plain data, written as JSON and into the page.

use serde::Serialize;

use crate::records::{Record, japanese, japanese_line, line_texts};
use crate::score::Score;
use crate::shogi::{Color, Declaration, EnteringKingRule, Move, Position, Repetition};
use crate::tools::common::think::{PvLine, Thought};
use crate::tools::games::Game;

use super::judge::{Judgement, chances, turned};
use super::western;

/// A game with its analysis.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// The engine and its version.
    pub engine: String,
    /// How long each position was searched, in words.
    pub limits: String,
    /// What the record says of the game.
    pub game: Headers,
    /// The position before each move, and the last one.
    pub positions: Vec<PositionReport>,
    /// The moves.
    pub moves: Vec<MoveReport>,
    /// Black's and White's totals.
    pub players: [Totals; 2],
}

/// Names and dates.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Headers {
    /// Black's name.
    pub black: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// When the game began.
    pub date: Option<String>,
    /// How the game ended, in English.
    pub end: Option<String>,
}

/// A position and the lines that were found.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// The position.
    pub sfen: String,
    /// How the game could end here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Black's chances from 0 to 1.
    pub black_chances: f64,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used in milliseconds.
    pub time_ms: u64,
    /// The lines, the best first.
    pub lines: Vec<LineReport>,
}

/// How a game can end in a position by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The side to move has no move.
    Mate,
    /// The fourth repetition is a draw.
    Repetition,
    /// The fourth repetition, by checks without a break.
    PerpetualCheck,
    /// The side to move can declare its win.
    Declaration,
}

impl End {
    fn of(position: &Position, rule: EnteringKingRule) -> Option<Self> {
        if position.count_legal() == 0 {
            return Some(Self::Mate);
        }
        match position.repetition() {
            Repetition::Draw => Some(Self::Repetition),
            Repetition::Win | Repetition::Lose => Some(Self::PerpetualCheck),
            Repetition::None if position.declaration(rule) == Declaration::Win => {
                Some(Self::Declaration)
            }
            Repetition::None => None,
        }
    }
}

/// A line. Scores are Black's.
#[derive(Clone, Debug, Serialize)]
pub struct LineReport {
    /// Centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Plies to mate, positive if Black mates. A mate on the board is `mate` 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Plies searched.
    pub depth: u32,
    /// The greatest ply reached.
    pub seldepth: u32,
    /// The moves in USI.
    pub usi: Vec<String>,
    /// The moves in Japanese.
    pub japanese: Vec<String>,
    /// The moves in western letters.
    pub western: Vec<String>,
}

/// A move of the game.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The number, from 1.
    pub number: usize,
    /// The player.
    pub is_black: bool,
    /// The move in USI.
    pub usi: String,
    /// The move in Japanese.
    pub japanese: String,
    /// The move in western letters.
    pub western: String,
    /// The time that the player used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_ms: Option<u64>,
    /// What the move did.
    pub judgement: Judgement,
    /// The player's chances that it lost, from 0 to 1.
    pub loss: f64,
    /// What the record says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// A player's moves in numbers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// Moves.
    pub moves: usize,
    /// How many of each judgement, from best to blunder.
    pub judgements: [usize; Judgement::ALL.len()],
    /// The chances lost by all moves together.
    pub loss: f64,
}

impl GameReport {
    /// Joins a game and what was found in each position: one more than there are moves. `rule` tells when a king that
    /// has entered can win.
    pub fn new(game: &Game, thoughts: &[Thought], limits: String, rule: EnteringKingRule) -> Self {
        let mut report = Self {
            engine: concat!("Hien ", env!("CARGO_PKG_VERSION")).to_owned(),
            limits,
            game: Headers::of(&game.record),
            positions: Vec::new(),
            moves: Vec::new(),
            players: Default::default(),
        };
        let mut position = game.start.clone();
        let ids: Vec<_> = game.record.main_line().collect();
        for (i, thought) in thoughts.iter().enumerate() {
            report
                .positions
                .push(PositionReport::new(&position, thought, rule));
            let (Some(&mv), Some(next)) = (game.moves.get(i), thoughts.get(i + 1)) else {
                break;
            };
            let western = western::text(&position, mv);
            let japanese = japanese(&position, mv);
            let side = position.side_to_move();
            position.do_move(mv);
            let is_choice = choice(thought) == Some(mv);
            // If the next search disagrees with this one, that is not the player's fault.
            let loss = if is_choice { 0.0 } else { loss(thought, next) };
            let judgement = Judgement::of(loss, is_choice);
            let node = &game.record[ids[i]];
            let comment = node.comments.join("\n");
            report.moves.push(MoveReport {
                number: i + 1,
                is_black: side == Color::Black,
                usi: mv.to_string(),
                japanese,
                western,
                used_ms: node
                    .time
                    .map(|time| time.as_millis().try_into().unwrap_or(u64::MAX)),
                judgement,
                loss,
                comment: Some(comment).filter(|comment| !comment.is_empty()),
            });
            report.players[side.index()].add(judgement, loss);
        }
        report
    }
}

/// The player's chances that a move lost, by the searches before and after it.
fn loss(before: &Thought, after: &Thought) -> f64 {
    match (before.lines.first(), after.lines.first()) {
        (Some(before), Some(after)) => {
            (chances(before.score) - chances(turned(after.score))).max(0.0)
        }
        _ => 0.0,
    }
}

fn choice(thought: &Thought) -> Option<Move> {
    thought.lines.first()?.pv.first().copied()
}

impl Totals {
    fn add(&mut self, judgement: Judgement, loss: f64) {
        self.moves += 1;
        self.judgements[judgement as usize] += 1;
        self.loss += loss;
    }
}

impl PositionReport {
    fn new(position: &Position, thought: &Thought, rule: EnteringKingRule) -> Self {
        let side = position.side_to_move();
        let own = thought
            .lines
            .first()
            .map_or(0.5, |line| chances(line.score));
        let report = |line: &PvLine| LineReport::new(position, line);
        Self {
            sfen: position.sfen(),
            end: End::of(position, rule),
            black_chances: if side == Color::Black { own } else { 1.0 - own },
            nodes: thought.nodes,
            time_ms: thought.time_ms,
            lines: thought.lines.iter().map(report).collect(),
        }
    }
}

impl LineReport {
    fn new(position: &Position, line: &PvLine) -> Self {
        let score = match position.side_to_move() {
            Color::Black => line.score,
            Color::White => turned(line.score),
        };
        let (cp, mate) = match score {
            Score::Cp(cp) => (Some(cp), None),
            Score::Mate(plies) => (None, Some(plies)),
        };
        Self {
            cp,
            mate,
            depth: line.depth,
            seldepth: line.seldepth,
            usi: line.pv.iter().map(Move::to_string).collect(),
            japanese: japanese_line(position, &line.pv),
            western: line_texts(position, &line.pv, western::text),
        }
    }
}

impl Headers {
    fn of(record: &Record) -> Self {
        let headers = &record.headers;
        let text = |value: Option<&str>| value.map(str::to_owned);
        Self {
            black: text(headers.player(Color::Black)),
            white: text(headers.player(Color::White)),
            event: text(headers.event()),
            date: text(headers.date()),
            end: record.end().map(ToString::to_string),
        }
    }
}
