//! Whole games between two processes: every move legal, every move in time, and the right end.

use std::collections::HashMap;

use crate::common::random::Random;
use crate::driver::{Engine, HANG};
use crate::load::alone;
use crate::referee::{Clock, Control, End, Game, Lateness};

/// How many moves of a game may be late by more than the usual allowance, which is the fault of a busy machine, in
/// percent.
const LATE_PERCENT: usize = 3;

/// Longest game in plies; then it is a draw.
const MAX_PLIES: usize = 160;

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
        let side = game.side();
        let player = &mut players[side];
        let starved = player.starved();
        player.send(&format!(
            "position {}\ngo {}",
            game.command,
            clock.command()
        ));
        let line = player.expect_within("bestmove", HANG);
        let over = clock.book(side, player.since_sent(&line));
        // Nobody can think without a processor: that is the fault of the machine.
        let over = over.saturating_sub(player.starved().saturating_sub(starved));
        let judged = lateness.note(over).and_then(|()| game.judge(&line.text));
        match judged
            .unwrap_or_else(|complaint| player.fail(&complaint))
            .choice
        {
            Ok(mv) => game.play(mv),
            Err(end) => return end,
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
        let mut game = Game::start(&mut random, 6, MAX_PLIES);
        let end = play(&mut players, control, &mut game, &mut lateness);
        *ends.entry(end).or_default() += 1;
        for player in &mut players {
            player.send("gameover draw");
            player.expect_silence();
        }
    }
    println!("{control:?}: {games} games, ends {ends:?}, {lateness:?}");
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
