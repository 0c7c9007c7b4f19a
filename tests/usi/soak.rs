//! Many fast games between two processes whose GUIs have random habits: they ponder or not, stop at any moment, ask
//! `isready` and change options in mid-game, forget `usinewgame`, give up games, and use every kind of clock. Nothing
//! may come of it: no illegal move, no hang, no loss on time, no missing or additional answer, nothing on standard
//! error, no memory that is lost. A short run is an ordinary test; for a long one:
//!
//! ```sh
//! cargo test --release --test usi -- --ignored --nocapture soak
//! ```

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use rsshogi::types::Move;

use crate::common::random::Random;
use crate::driver::{Engine, HANG};
use crate::load::alone;
use crate::referee::{Clock, Control, Decision, End, Game, Lateness};

/// Values that a GUI changes between games.
const OPTIONS: [(&str, &[&str]); 10] = [
    ("Threads", &["1", "1", "2", "3", "4"]),
    ("USI_Hash", &["1", "2", "16"]),
    ("USI_Ponder", &["true", "false"]),
    ("Stochastic_Ponder", &["true", "false", "false"]),
    ("MultiPV", &["1", "1", "1", "3"]),
    ("SkillLevel", &["20", "20", "20", "4"]),
    ("NetworkDelay", &["0", "5", "120"]),
    ("NetworkDelay2", &["0", "5", "1120"]),
    ("ConsiderationMode", &["true", "false", "false"]),
    ("GenerateAllLegalMoves", &["true", "false", "false"]),
];

/// What a GUI may send while the engine thinks, without any effect on the answer.
const CHATTER: [&str; 8] = [
    "isready",
    "usi",
    "",
    "ponderhit",
    "usinewgame",
    "setoption name USI_Hash value 2",
    "setoption name Threads value 2",
    "setoption name NoSuchOption value 1",
];

/// A player, and what its GUI does with it.
struct Player {
    engine: Engine,
    random: Random,
    /// The game with the move that the engine expects, while it thinks about that.
    pondering: Option<Game>,
    /// Searches so far, each of which owes an answer.
    searches: usize,
    /// `isready` so far.
    questions: usize,
}

impl Player {
    fn new(seed: u64) -> Self {
        Self {
            engine: Engine::with_options(&[("USI_Hash", "1")]),
            random: Random::new(seed),
            pondering: None,
            searches: 0,
            questions: 1,
        }
    }

    fn send(&mut self, line: &str) {
        self.questions += usize::from(line == "isready");
        self.engine.send(line);
    }

    /// What comes before a game, in any order and number, or not at all.
    fn prepare(&mut self) {
        for _ in 0..self.random.below(6) {
            let (name, values) = self.random.pick(&OPTIONS);
            let value = self.random.pick(values);
            self.send(&format!("setoption name {name} value {value}"));
        }
        for line in ["isready", "usinewgame", "setoption name ClearHash"] {
            if self.random.percent(40) {
                self.send(line);
            }
        }
    }

    /// Thinks about the game, and answers for it.
    fn decide(&mut self, game: &Game, clock: &mut Clock, lateness: &mut Lateness) -> Decision {
        let starved = self.engine.starved();
        let is_hit = self.meet_expectation(game);
        let start = Instant::now();
        if is_hit {
            self.send("ponderhit");
        } else {
            self.go(game, &clock.command());
        }
        if self.random.percent(10) {
            let line = self.random.pick(&CHATTER);
            self.send(line);
        }
        match clock.control {
            Control::Infinite(ms) => self.stop_after(ms),
            _ if self.random.percent(5) => {
                let ms = self.random.below(4) as u64;
                self.stop_after(ms);
            }
            _ => {}
        }
        let line = self.engine.expect_within("bestmove", HANG);
        let over = clock.book(game.side(), line.at.duration_since(start));
        let over = over.saturating_sub(self.engine.starved().saturating_sub(starved));
        let judged = lateness.note(over).and_then(|()| game.judge(&line.text));
        judged.unwrap_or_else(|complaint| self.complain(clock.control, &complaint))
    }

    /// Tells whether the engine thinks about just this game already. If about another one, that ends here.
    fn meet_expectation(&mut self, game: &Game) -> bool {
        let Some(expected) = &self.pondering else {
            return false;
        };
        // Some GUIs do not care whether the expected move was played.
        let is_hit = expected.command == game.command && !self.random.percent(10);
        if is_hit {
            self.pondering = None;
        } else {
            self.end_pondering("stop");
        }
        is_hit
    }

    fn end_pondering(&mut self, command: &str) {
        if let Some(game) = self.pondering.take() {
            self.send(command);
            let line = self.engine.expect_within("bestmove", HANG);
            if let Err(complaint) = game.judge(&line.text) {
                self.engine.fail(&complaint);
            }
        }
    }

    fn go(&mut self, game: &Game, limits: &str) {
        self.searches += 1;
        self.send(&format!("position {}\ngo {limits}", game.command));
    }

    fn stop_after(&mut self, ms: u64) {
        thread::sleep(Duration::from_millis(ms));
        self.send("stop");
    }

    /// Lets the engine think about the reply it expects, where the GUI does so.
    fn ponder(&mut self, game: &Game, reply: Option<Move>, clock: &Clock) {
        let Some(reply) = reply else {
            return;
        };
        if self.random.percent(60) && !matches!(clock.control, Control::Infinite(_)) {
            let game = game.after(reply);
            self.go(&game, &format!("ponder {}", clock.command()));
            self.pondering = Some(game);
        }
    }

    /// Ends a game in one of the ways of GUIs; then every answer that was owed has come.
    fn finish(&mut self) {
        let end = self.random.pick(&["stop", "gameover lose", "gameover win"]);
        self.end_pondering(end);
        if self.random.percent(60) {
            self.send("gameover draw");
        }
        self.send("isready");
        while self.engine.count("readyok") < self.questions {
            self.engine.expect_within("readyok", HANG);
        }
        if self.engine.count("bestmove") != self.searches {
            self.engine.fail("an answer too many or too few");
        }
    }

    /// The memory of the process in KiB, with the same settings each time.
    fn memory(&mut self) -> Option<u64> {
        for (name, value) in [("Threads", "1"), ("USI_Hash", "1")] {
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.send("usinewgame");
        self.finish();
        self.engine.memory()
    }

    fn complain(&self, control: Control, complaint: &str) -> ! {
        self.engine.fail(&format!("{control:?}: {complaint}"))
    }
}

fn any_control(random: &mut Random) -> Control {
    let ms = 5 + random.below(16) as u64;
    match random.below(10) {
        0..3 => Control::Byoyomi(ms),
        3..5 => Control::Increment(20 * ms, ms),
        5..6 => Control::Movetime(ms),
        6..8 => Control::Nodes(1 + random.below(3000) as u64),
        _ => Control::Infinite(ms / 2),
    }
}

/// Plays a game to its end, or to where the GUI gives it up.
fn play(players: &mut [Player; 2], random: &mut Random, lateness: &mut Lateness) -> End {
    let mut clock = Clock::new(any_control(random));
    let max_plies = if random.percent(20) {
        10 + random.below(40)
    } else {
        160
    };
    let random_plies = random.below(12);
    let mut game = Game::start(random, random_plies, max_plies);
    loop {
        if let Some(end) = game.end() {
            return end;
        }
        let player = &mut players[game.side()];
        match player.decide(&game, &mut clock, lateness) {
            Decision {
                choice: Err(end), ..
            } => return end,
            Decision {
                choice: Ok(mv),
                ponder,
            } => {
                game.play(mv);
                player.ponder(&game, ponder, &clock);
            }
        }
    }
}

/// Plays games and checks everything about them.
fn soak(games: usize) {
    /// How much more memory than early on a process may have at the end, beside a tenth.
    const SPARE_KIB: u64 = 8192;
    let mut random = Random::new(games as u64);
    let mut players = [Player::new(1), Player::new(2)];
    let mut lateness = Lateness::default();
    let mut ends: HashMap<End, usize> = HashMap::new();
    let mut memory = Vec::new();
    for number in 1..=games {
        players.iter_mut().for_each(Player::prepare);
        let end = play(&mut players, &mut random, &mut lateness);
        *ends.entry(end).or_default() += 1;
        players.iter_mut().for_each(Player::finish);
        if number.is_multiple_of(games.div_ceil(10)) {
            let now: Option<Vec<u64>> = players.iter_mut().map(Player::memory).collect();
            memory.extend(now);
            println!(
                "{number} games, ends {ends:?}, {lateness:?}, KiB {:?}",
                memory.last()
            );
        }
    }
    // It takes a while until every thread of the allocator has its share.
    if games >= 100
        && let (Some(early), Some(late)) = (memory.first(), memory.last())
    {
        for (early, late) in early.iter().zip(late) {
            assert!(*late < early + early / 10 + SPARE_KIB, "{memory:?}");
        }
    }
    for player in players {
        player.engine.quit();
    }
}

#[test]
fn a_few_games_with_any_habits() {
    alone(|| soak(6));
}

#[test]
#[ignore = "half an hour and more"]
fn two_thousand_games_with_any_habits() {
    soak(2000);
}
