//! Whole games between two processes, with the crate `rsshogi` as referee: every move legal, every move in
//! time, and the right end.

use std::collections::HashMap;
use std::time::Duration;

use rsshogi::board::{Position, movegen};
use rsshogi::types::{EnteringKingRule, MOVE_WIN, Move, RepetitionState};

use crate::answer::{Best, read_bestmove};
use crate::common::random::Random;
use crate::driver::{Engine, HANG};
use crate::load::{HOST_ALLOWANCE, alone};

/// What a move may take beyond its clock before it counts as a loss on time: the margin that match runners grant
/// by default. The time in which a busy machine did not let the engine run is taken off before.
const FLAG_MARGIN: Duration = Duration::from_millis(500);

/// How many moves of a game may be late by more than the usual allowance, for the same reason, in percent.
const LATE_PERCENT: usize = 3;

/// Longest game in plies; then it is a draw.
const MAX_PLIES: usize = 160;

#[derive(Clone, Copy, Debug)]
enum Control {
    /// Milliseconds for each move.
    Byoyomi(u64),
    /// Milliseconds for the game and for each move.
    Increment(u64, u64),
    /// Nodes for each move, no clock.
    Nodes(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum End {
    Mate,
    Declaration,
    Repetition,
    PerpetualCheck,
    TooLong,
}

/// A game as the referee sees it.
struct Game {
    referee: Position,
    command: String,
    /// How often each position has occurred, by text without move number.
    seen: HashMap<String, usize>,
    plies: usize,
}

fn without_ply(position: &Position) -> String {
    position.to_sfen(None)
}

impl Game {
    /// A game whose first moves are random, so that no two games are alike.
    fn start(random: &mut Random, random_plies: usize) -> Self {
        let mut referee = rsshogi::board::hirate_position();
        referee.init_stack();
        referee.set_entering_king_rule(EnteringKingRule::Point27);
        let seen = HashMap::from([(without_ply(&referee), 1)]);
        let mut game = Self {
            referee,
            command: "startpos moves".to_owned(),
            seen,
            plies: 0,
        };
        for _ in 0..random_plies {
            let moves = game.legal_moves();
            game.play(random.pick(&moves));
        }
        game
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut list = rsshogi::board::MoveList::new();
        movegen::generate_legal_all(&self.referee, &mut list);
        list.iter().copied().collect()
    }

    fn play(&mut self, mv: Move) {
        self.command.push_str(&format!(" {}", mv.to_usi()));
        self.referee.apply_move(mv);
        *self.seen.entry(without_ply(&self.referee)).or_default() += 1;
        self.plies += 1;
    }

    /// Whether the rules have ended the game, mate aside: that is for the player to say.
    fn end(&self) -> Option<End> {
        let occurrences = self.seen[&without_ply(&self.referee)];
        let state = self.referee.repetition_state();
        match state {
            _ if occurrences < 4 => (self.plies >= MAX_PLIES).then_some(End::TooLong),
            RepetitionState::Draw => Some(End::Repetition),
            RepetitionState::Win | RepetitionState::Lose => Some(End::PerpetualCheck),
            _ => panic!(
                "four times the same, but the referee says {state:?}: {}",
                self.command
            ),
        }
    }
}

/// Time used beyond the clock, for the whole test.
#[derive(Default)]
struct Lateness {
    moves: usize,
    late: usize,
    worst: Duration,
}

struct Clock {
    control: Control,
    left: [u64; 2],
}

impl Clock {
    fn new(control: Control) -> Self {
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

    fn command(&self) -> String {
        let [black, white] = self.left;
        match self.control {
            Control::Byoyomi(ms) => format!("go btime 0 wtime 0 byoyomi {ms}"),
            Control::Increment(_, ms) => {
                format!("go btime {black} wtime {white} binc {ms} winc {ms}")
            }
            Control::Nodes(nodes) => format!("go nodes {nodes}"),
        }
    }

    /// Books the time of a move; returns what it took too long.
    fn book(&mut self, side: usize, used: Duration) -> Duration {
        let allowed = match self.control {
            Control::Byoyomi(ms) => ms,
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

/// Plays one game; the players have been told of a new one.
fn play(
    players: &mut [Engine; 2],
    control: Control,
    game: &mut Game,
    lateness: &mut Lateness,
) -> End {
    let mut clock = Clock::new(control);
    loop {
        if let Some(end) = game.end() {
            return end;
        }
        let side = game.plies % 2;
        let player = &mut players[side];
        let starved = player.starved();
        player.send(&format!("position {}\n{}", game.command, clock.command()));
        let line = player.expect_within("bestmove", HANG);
        let over = clock.book(side, player.since_sent(&line));
        // Nobody can think without a processor: that is the fault of the machine.
        let over = over.saturating_sub(player.starved().saturating_sub(starved));
        lateness.moves += 1;
        lateness.late += usize::from(over > HOST_ALLOWANCE);
        lateness.worst = lateness.worst.max(over);
        if over > FLAG_MARGIN {
            player.fail(&format!(
                "{control:?}: lost on time by {} ms",
                over.as_millis()
            ));
        }
        let (best, ponder) =
            read_bestmove(&line.text).unwrap_or_else(|complaint| player.fail(&complaint));
        let can_declare = game.referee.declaration_win_move() == MOVE_WIN;
        match best {
            Best::Resign if game.referee.is_mated() => return End::Mate,
            Best::Resign => player.fail("resigned with legal moves"),
            Best::Win if can_declare => return End::Declaration,
            Best::Win => player.fail("a wrong claim"),
            Best::Move(_) if can_declare => player.fail("a declaration was missed"),
            Best::Move(text) => {
                let mv = Move::from_usi(&text).filter(|mv| game.legal_moves().contains(mv));
                game.play(mv.unwrap_or_else(|| player.fail(&format!("illegal move {text}"))));
            }
        }
        if let Some(text) = ponder {
            let is_legal = Move::from_usi(&text).is_some_and(|mv| game.legal_moves().contains(&mv));
            if !is_legal {
                player.fail(&format!("illegal ponder move {text}"));
            }
        }
    }
}

/// Games between two processes under one control.
fn match_of(control: Control, games: usize, seed: u64) -> Lateness {
    let mut random = Random::new(seed);
    let mut players = [
        Engine::with_options(&[("USI_Hash", "16")]),
        Engine::with_options(&[("USI_Hash", "16")]),
    ];
    let mut lateness = Lateness::default();
    let mut ends: HashMap<End, usize> = HashMap::new();
    for _ in 0..games {
        players.iter_mut().for_each(Engine::new_game);
        let mut game = Game::start(&mut random, 6);
        let end = play(&mut players, control, &mut game, &mut lateness);
        *ends.entry(end).or_default() += 1;
        for player in &mut players {
            player.send("gameover draw");
            player.expect_silence();
        }
    }
    println!(
        "{control:?}: {games} games, {} moves, ends {ends:?}; {} late, at worst {} ms over the clock",
        lateness.moves,
        lateness.late,
        lateness.worst.as_millis()
    );
    players.into_iter().for_each(Engine::quit);
    lateness
}

fn in_time(control: Control, lateness: &Lateness) {
    let allowed = lateness.moves * LATE_PERCENT / 100;
    assert!(
        lateness.late <= allowed,
        "{control:?}: {} of {} moves were late",
        lateness.late,
        lateness.moves
    );
}

/// With clocks: one game at a time in each of two threads, as there are at least two cores; only one of two
/// players thinks at a time.
#[test]
fn games_by_the_clock() {
    const BYOYOMI: Control = Control::Byoyomi(100);
    const INCREMENT: Control = Control::Increment(1000, 100);
    alone(|| {
        std::thread::scope(|scope| {
            let byoyomi = scope.spawn(|| match_of(BYOYOMI, 2, 1));
            let increment = scope.spawn(|| match_of(INCREMENT, 2, 2));
            in_time(BYOYOMI, &byoyomi.join().expect("games without a fault"));
            in_time(INCREMENT, &increment.join().expect("games without a fault"));
        });
    });
}

#[test]
fn games_by_nodes() {
    let _guard = crate::load::together();
    match_of(Control::Nodes(2000), 6, 3);
}
