//! A run of self-play: many games, on many threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Builder};

use super::guard::{StopAtEnd, StopIfFailed};
use super::player::{Game, Player};
use super::settings::Settings;
use super::store::{Store, Tally};
use crate::data::DataError;
use crate::eval::Evaluator;
use crate::search::Solo;
use crate::shogi::Position;

/// A run of self-play.
pub struct Run<'a> {
    /// How games are played.
    pub settings: &'a Settings,
    /// Positions games begin from; empty for the usual start position. Each must have both kings and no piece too many.
    pub starts: &'a [Position],
    /// The evaluation of both players.
    pub evaluator: &'a Evaluator,
    /// Games played at the same time.
    pub threads: usize,
    /// The run ends after the game that brings the file to this many positions.
    pub positions: Option<u64>,
}

/// Plays games and stores them until there are enough or `stop` is set. Games still being played then are discarded;
/// `stop` is always set at the end. `progress` is called after each game.
///
/// # Errors
///
/// [`DataError`] if the games cannot be stored.
///
/// # Panics
///
/// If a search panics, a thread cannot be started, or a start position cannot be packed.
pub fn generate(
    run: &Run,
    mut store: Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Tally),
) -> Result<Tally, DataError> {
    let next = AtomicU64::new(store.tally().games);
    let (sender, games) = mpsc::channel();
    thread::scope(|scope| {
        let _stop = StopAtEnd(stop);
        for i in 0..run.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            Builder::new()
                .name(format!("hien-selfplay-{i}"))
                .stack_size(Solo::STACK)
                .spawn_scoped(scope, move || play(run, next, stop, &sender))
                .expect("the system starts a thread");
        }
        drop(sender);
        collect(run, &mut store, &games, progress)
    })?;
    store.finish()
}

/// Plays one game after the other.
fn play(run: &Run, next: &AtomicU64, stop: &AtomicBool, sender: &Sender<(u64, Game)>) {
    let _stop = StopIfFailed(stop);
    let mut player = Player::new(run.settings, run.starts, run.evaluator.clone());
    loop {
        let number = next.fetch_add(1, Relaxed);
        let Some(game) = player.play(number, stop) else {
            return;
        };
        if sender.send((number, game)).is_err() {
            return; // there are enough
        }
    }
}

/// Stores games in the order of their numbers.
fn collect(
    run: &Run,
    store: &mut Store,
    games: &Receiver<(u64, Game)>,
    progress: &mut dyn FnMut(&Tally),
) -> Result<(), DataError> {
    let is_enough = |tally: &Tally| run.positions.is_some_and(|most| tally.positions >= most);
    // Games that ended before an earlier one.
    let mut early = BTreeMap::new();
    while !is_enough(store.tally()) {
        match early.remove(&store.tally().games) {
            Some(game) => {
                store.add(&game)?;
                progress(store.tally());
            }
            None => match games.recv() {
                Ok((number, game)) => drop(early.insert(number, game)),
                Err(_) => break, // stopped
            },
        }
    }
    Ok(())
}
