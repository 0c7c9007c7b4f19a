//! Memory comes before the search needs it: what the system says of page faults, not of time.

use std::fs;
use std::time::Duration;

use crate::driver::Engine;
use crate::load::together;

/// How often the process had to wait for memory so far, minor page faults as /proc counts them.
fn faults(engine: &Engine) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", engine.id())).ok()?;
    // The name of the program, in parentheses, may hold blanks.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(7)?.parse().ok()
}

/// Page faults of a search of the start position from its start to its answer.
fn faults_of_search(engine: &mut Engine, nodes: u64) -> u64 {
    let before = faults(engine).expect("a number");
    engine
        .search("startpos", &format!("go nodes {nodes}"))
        .best_move();
    faults(engine).expect("a number") - before
}

/// Reports, the last nodes of the table's own bookkeeping, rarely used stack: 4 KiB pages. A table of 64 MiB alone
/// would be 16384 of them, or 32 large ones, each as slow as 100 small ones.
const FEW: u64 = 200;

#[test]
fn the_first_search_after_readyok_waits_for_no_memory() {
    let _guard = together();
    for (hash, threads) in [("64", "1"), ("256", "2")] {
        let mut engine = Engine::with_options(&[("USI_Hash", hash), ("Threads", threads)]);
        if faults(&engine).is_none() {
            return; // the system does not tell
        }
        let kib = engine.memory().expect("a number");
        let wanted = hash.parse::<u64>().unwrap() << 10;
        assert!(kib > wanted, "{kib} KiB with a hash of {wanted}");
        let first = faults_of_search(&mut engine, 100_000);
        let second = faults_of_search(&mut engine, 100_000);
        println!("hash {hash}, {threads} threads: {first} page faults, then {second}");
        assert!(first <= second + FEW, "{first}, then {second}");
        // A new game clears what is there, and gives nothing back.
        engine.new_game();
        engine.send("setoption name ClearHash");
        engine.get_ready();
        assert!(engine.memory().expect("a number") + (1 << 10) > kib);
        let again = faults_of_search(&mut engine, 100_000);
        assert!(again <= second + FEW, "{again}, {second} before");
        engine.quit();
    }
}

#[test]
fn a_change_of_hash_or_threads_is_paid_for_at_isready() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("USI_Hash", "16")]);
    if faults(&engine).is_none() {
        return; // the system does not tell
    }
    faults_of_search(&mut engine, 50_000);
    for (name, value) in [("USI_Hash", "128"), ("Threads", "2"), ("USI_Hash", "32")] {
        engine.send(&format!("setoption name {name} value {value}"));
        engine.get_ready();
        let first = faults_of_search(&mut engine, 50_000);
        let second = faults_of_search(&mut engine, 50_000);
        assert!(
            first <= second + FEW,
            "{name} {value}: {first}, then {second}"
        );
    }
    engine.quit();
}

/// The clock may be running already: a search begins with what memory there is.
#[test]
fn a_search_without_isready_does_not_wait_for_a_large_table() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("setoption name USI_Hash value 512");
    engine.search("startpos", "go nodes 1000").best_move();
    engine.new_game();
    engine.get_ready();
    engine.search("startpos", "go nodes 1000").best_move();
    engine.quit();
}

/// How often a thread of the process had to wait for memory; `None` if it is not there.
fn faults_of_thread(engine: &Engine, name: &str) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{}/task", engine.id())).ok()?;
    let stats =
        threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("stat")).ok());
    let of_name = stats
        .filter_map(|stat| {
            let (head, fields) = stat.rsplit_once(')')?;
            let (_, found) = head.split_once('(')?;
            (found == name).then(|| fields.split_ascii_whitespace().nth(7)?.parse().ok())?
        })
        .collect::<Vec<u64>>();
    of_name.first().copied()
}

/// The table grows to 225 MiB, that is 112 large pages or 57 000 small ones. The solver's own thread takes some 100
/// pages for its stack and its lists of moves.
#[test]
fn the_mate_solver_waits_for_no_memory_while_its_table_grows() {
    /// Everything in hand, hence more positions than a solver sees.
    const ENDLESS: &str = "9/9/9/9/4k4/9/9/9/9 b RB4G4S4N4L9Prb9p 1";
    let _guard = together();
    let mut engine = Engine::with_options(&[("USI_Hash", "256")]);
    if faults(&engine).is_none() {
        return; // the system does not tell
    }
    engine.send(&format!("position sfen {ENDLESS}"));
    engine.send("go mate infinite");
    // A table of 16 MiB would be full with 62 thousandths of what the largest holds.
    let mut permille = 0;
    while permille < 66 {
        let report = engine.next_line(Duration::from_secs(60));
        let line = report.unwrap_or_else(|| engine.fail("no report"));
        let words: Vec<_> = line.text.split(' ').collect();
        let place = words.iter().position(|word| *word == "hashfull");
        permille = place.map_or(permille, |i| words[i + 1].parse().expect("a number"));
    }
    let kib = engine.memory().expect("a number");
    let faults = faults_of_thread(&engine, "hien-mate").expect("a thread");
    println!("{kib} KiB: {faults} page faults");
    engine.send("stop");
    engine.expect("checkmate");
    engine.quit();
    assert!(kib > (256 + 225) << 10, "{kib}");
    assert!(faults < FEW, "{faults}");
}
