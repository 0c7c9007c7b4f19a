//! Self-play and relabelling through the library as its users see them: games, labels, and the files that grow.

mod files;
#[path = "../common/folder.rs"]
mod folder;
mod games;
mod relabel;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use hien::eval::Evaluator;
use hien::selfplay::{Effort, Run, Settings, Store, Tally, generate};
use hien::shogi::Position;

use folder::Folder;

/// Quick games.
fn settings() -> Settings {
    Settings {
        effort: Effort::NodesAbout(40),
        hash_mib: 1,
        ..Settings::default()
    }
}

fn open(path: &Path, settings: &Settings) -> Result<Store, String> {
    let store = Store::open(path, settings, &[], &Evaluator::material());
    store.map_err(|error| error.to_string())
}

/// Plays until the file has so many positions.
fn play(path: &Path, settings: &Settings, threads: usize, positions: u64) -> Tally {
    play_from(path, settings, &[], threads, positions)
}

fn play_from(
    path: &Path,
    settings: &Settings,
    starts: &[Position],
    threads: usize,
    positions: u64,
) -> Tally {
    let evaluator = Evaluator::material();
    let run = Run {
        settings,
        starts,
        evaluator: &evaluator,
        threads,
        positions: Some(positions),
    };
    let store = Store::open(path, settings, starts, &evaluator).expect("a file to write");
    generate(&run, store, &AtomicBool::new(false), &mut |_| ()).expect("written")
}
