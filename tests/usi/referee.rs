//! The referee of games between engines: the crate `rsshogi` for the rules, and a clock.

use std::collections::HashMap;
use std::time::Duration;

use rsshogi::board::{Position, movegen};
use rsshogi::types::{EnteringKingRule, MOVE_WIN, Move, RepetitionState};

use crate::answer::{Best, read_bestmove};
use crate::common::random::Random;
use crate::load::HOST_ALLOWANCE;

/// What a move may take beyond its clock before it counts as a loss on time: the margin that match runners grant
/// by default. The time in which a busy machine did not let the engine run is taken off before.
const FLAG_MARGIN: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    Mate,
    Declaration,
    Repetition,
    PerpetualCheck,
    TooLong,
}

/// A game as the referee sees it.
#[derive(Clone)]
pub struct Game {
    referee: Position,
    /// What follows the word `position`.
    pub command: String,
    /// How often each position has occurred, by text without move number.
    seen: HashMap<String, usize>,
    plies: usize,
    /// Longest game in plies; then it is a draw.
    max_plies: usize,
}

/// What a player may do.
pub struct Decision {
    /// The move, or how the game ends.
    pub choice: Result<Move, End>,
    /// The reply that the player expects.
    pub ponder: Option<Move>,
}

impl Game {
    /// A game whose first moves are random, so that no two games are alike.
    pub fn start(random: &mut Random, random_plies: usize, max_plies: usize) -> Self {
        let mut referee = rsshogi::board::hirate_position();
        referee.init_stack();
        referee.set_entering_king_rule(EnteringKingRule::Point27);
        let seen = HashMap::from([(referee.to_sfen(None), 1)]);
        let mut game = Self {
            referee,
            command: "startpos moves".to_owned(),
            seen,
            plies: 0,
            max_plies,
        };
        for _ in 0..random_plies {
            let moves = game.legal_moves();
            game.play(random.pick(&moves));
        }
        game
    }

    /// 0 if Black is to move, 1 if White is.
    pub fn side(&self) -> usize {
        self.plies % 2
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut list = rsshogi::board::MoveList::new();
        movegen::generate_legal_all(&self.referee, &mut list);
        list.iter().copied().collect()
    }

    fn legal_move(&self, text: &str) -> Option<Move> {
        Move::from_usi(text).filter(|mv| self.legal_moves().contains(mv))
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.command.push_str(&format!(" {}", mv.to_usi()));
        self.referee.apply_move(mv);
        *self.seen.entry(self.referee.to_sfen(None)).or_default() += 1;
        self.plies += 1;
    }

    /// The game after one more legal move.
    pub fn after(&self, mv: Move) -> Self {
        let mut game = self.clone();
        game.play(mv);
        game
    }

    /// Whether the rules have ended the game, mate aside: that is for the player to say.
    pub fn end(&self) -> Option<End> {
        let occurrences = self.seen[&self.referee.to_sfen(None)];
        let state = self.referee.repetition_state();
        match state {
            _ if occurrences < 4 => (self.plies >= self.max_plies).then_some(End::TooLong),
            RepetitionState::Draw => Some(End::Repetition),
            RepetitionState::Win | RepetitionState::Lose => Some(End::PerpetualCheck),
            _ => panic!(
                "four times the same, but the referee says {state:?}: {}",
                self.command
            ),
        }
    }

    /// What a `bestmove` line means here; the error is a complaint about it.
    pub fn judge(&self, line: &str) -> Result<Decision, String> {
        let (best, ponder) = read_bestmove(line)?;
        let can_declare = self.referee.declaration_win_move() == MOVE_WIN;
        let choice = match best {
            Best::Resign if self.referee.is_mated() => Err(End::Mate),
            Best::Resign => return Err("resigned with legal moves".to_owned()),
            Best::Win if can_declare => Err(End::Declaration),
            Best::Win => return Err("a wrong claim".to_owned()),
            Best::Move(_) if can_declare => return Err("a declaration was missed".to_owned()),
            Best::Move(text) => Ok(self
                .legal_move(&text)
                .ok_or_else(|| format!("illegal move {text}"))?),
        };
        let ponder = match (choice, ponder) {
            (Ok(mv), Some(text)) => Some(
                self.after(mv)
                    .legal_move(&text)
                    .ok_or_else(|| format!("illegal ponder move {text}"))?,
            ),
            _ => None,
        };
        Ok(Decision { choice, ponder })
    }
}

/// How long players may think.
#[derive(Clone, Copy, Debug)]
pub enum Control {
    /// Milliseconds for each move.
    Byoyomi(u64),
    /// Milliseconds for the game and for each move.
    Increment(u64, u64),
    /// Milliseconds for exactly each move.
    Movetime(u64),
    /// Nodes for each move, no clock.
    Nodes(u64),
    /// Milliseconds until `stop`.
    Infinite(u64),
}

/// Both players' clocks.
pub struct Clock {
    pub control: Control,
    left: [u64; 2],
}

impl Clock {
    pub fn new(control: Control) -> Self {
        let main = if let Control::Increment(main, _) = control {
            main
        } else {
            0
        };
        Self {
            control,
            left: [main; 2],
        }
    }

    /// What follows the word `go`.
    pub fn command(&self) -> String {
        let [black, white] = self.left;
        match self.control {
            Control::Byoyomi(ms) => format!("btime 0 wtime 0 byoyomi {ms}"),
            Control::Increment(_, ms) => {
                format!("btime {black} wtime {white} binc {ms} winc {ms}")
            }
            Control::Movetime(ms) => format!("movetime {ms}"),
            Control::Nodes(nodes) => format!("nodes {nodes}"),
            Control::Infinite(_) => "infinite".to_owned(),
        }
    }

    /// Books the time of a move; returns what it took too long.
    pub fn book(&mut self, side: usize, used: Duration) -> Duration {
        let allowed = match self.control {
            Control::Byoyomi(ms) | Control::Movetime(ms) | Control::Infinite(ms) => ms,
            Control::Increment(_, ms) => {
                // The increment can be used for the move it belongs to, and is not part of the time sent.
                let allowed = self.left[side] + ms;
                self.left[side] = allowed.saturating_sub(used.as_millis() as u64);
                allowed
            }
            Control::Nodes(_) => return Duration::ZERO,
        };
        used.saturating_sub(Duration::from_millis(allowed))
    }
}

/// Time used beyond the clock, for the whole test.
#[derive(Debug, Default)]
pub struct Lateness {
    pub moves: usize,
    /// Moves later than the usual allowance.
    pub late: usize,
    pub worst: Duration,
}

impl Lateness {
    /// Notes what a move took beyond its clock.
    ///
    /// # Errors
    ///
    /// A complaint if the game is lost by that.
    pub fn note(&mut self, over: Duration) -> Result<(), String> {
        self.moves += 1;
        self.late += usize::from(over > HOST_ALLOWANCE);
        self.worst = self.worst.max(over);
        match over > FLAG_MARGIN {
            true => Err(format!("lost on time by {} ms", over.as_millis())),
            false => Ok(()),
        }
    }
}
