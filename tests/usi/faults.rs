//! What goes wrong around the engine: files that change under it, a full disk, signals, a system that gives no more
//! memory or threads. It says so once, and plays on.

use std::fs;

use crate::common::folder::Folder;
use crate::driver::Engine;
use crate::load::together;

/// The remarks of a search with this `go`, whose move is legal.
fn remarks(engine: &mut Engine, go: &str) -> Vec<String> {
    let answer = engine.search("startpos", go);
    answer.best_move();
    answer.notes
}

/// The only remark of a search; there is none the next time.
fn remark(engine: &mut Engine, go: &str) -> String {
    let mut notes = remarks(engine, go);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(remarks(engine, go), [""; 0]);
    notes.remove(0)
}

#[test]
fn an_evaluation_file_that_changes_during_a_game() {
    const GO: &str = "go depth 3";
    let _guard = together();
    let folder = Folder::new("fault-net");
    let net = include_bytes!("../../src/eval/net/nn.bin");
    let path = folder.write("mine.bin", net);
    let mut engine = Engine::raw();
    engine.send(&format!("setoption name EvalFile value {path}"));
    let loaded = engine.expect_only_notes();
    assert!(loaded[0].contains(&path), "{loaded:?}");
    assert_eq!(remarks(&mut engine, GO), [""; 0]);

    folder.write("mine.bin", &net[..net.len() / 2]);
    let note = remark(&mut engine, GO);
    assert!(
        note.contains(&path) && note.contains("evaluation in use"),
        "{note}"
    );
    fs::remove_file(&path).expect("the file just written");
    let note = remark(&mut engine, GO);
    assert!(
        note.contains("no such file") && note.contains("evaluation in use"),
        "{note}"
    );
    folder.write("mine.bin", b"something else");
    let note = remark(&mut engine, GO);
    assert!(
        note.contains(&path) && note.contains("evaluation in use"),
        "{note}"
    );
    folder.write("mine.bin", net);
    assert_eq!(engine.expect_only_notes(), loaded);
    assert_eq!(remarks(&mut engine, GO), [""; 0]);
    engine.quit();
}

#[test]
fn a_book_that_goes_away_during_a_game() {
    const GO: &str = "go btime 0 wtime 0 byoyomi 100";
    let _guard = together();
    let book = include_bytes!("../data/book/a.db");
    for on_the_fly in ["false", "true"] {
        let folder = Folder::new(&format!("fault-book-{on_the_fly}"));
        let path = folder.write("mine.db", book);
        let mut engine = Engine::with_options(&[("BookFile", &path), ("BookOnTheFly", on_the_fly)]);
        assert!(remarks(&mut engine, GO)[0].starts_with("book: "));
        fs::remove_file(&path).expect("the file just written");
        let note = remark(&mut engine, GO);
        assert!(
            note.contains("no such file") && note.contains("without a book"),
            "{note}"
        );
        folder.write("mine.db", b"\0\0\0\0");
        let note = remark(&mut engine, GO);
        assert!(note.contains("not a book"), "{note}");
        folder.write("mine.db", book);
        assert!(remarks(&mut engine, GO)[0].starts_with("book: "));
        engine.quit();
    }
}

#[test]
fn a_configuration_that_cannot_be_read() {
    let _guard = together();
    let folder = Folder::new("fault-config");
    folder.write("engine.toml", b"name = '\xff\xfe'");
    folder.write("folder.toml/file", "");
    for arguments in [&[][..], &["--config", "folder.toml"]] {
        let mut engine = Engine::raw_in(&folder.0, arguments);
        let notes = engine.expect_only_notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains(".toml"), "{notes:?}");
        assert_eq!(remarks(&mut engine, "go depth 2"), [""; 0]);
        engine.quit();
    }
}

/// Every write to this file fails as if the disk were full.
#[test]
#[cfg(target_os = "linux")]
fn a_protocol_log_on_a_full_disk() {
    let _guard = together();
    let mut engine = Engine::start();
    engine.send("setoption name DebugLogFile value /dev/full");
    let notes = engine.expect_only_notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("log ends here"), "{notes:?}");
    assert_eq!(remarks(&mut engine, "go depth 2"), [""; 0]);
    engine.quit();
}

#[cfg(unix)]
fn signal(engine: &Engine, name: &str) {
    let mut kill = std::process::Command::new("kill");
    let status = kill.args([name, &engine.id().to_string()]).status();
    assert!(status.expect("a system with kill").success());
}

#[test]
#[cfg(unix)]
fn a_signal_to_end_is_obeyed() {
    use std::os::unix::process::ExitStatusExt;

    let _guard = together();
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    engine.send("go infinite");
    engine.expect("info");
    // Not SIGINT: what shells start in the background ignores it.
    signal(&engine, "-TERM");
    let (status, _) = engine.exit(crate::driver::HANG);
    assert_eq!(status.signal(), Some(15), "{status}");
}

/// A machine that sleeps in mid-search; the clock jumps for all that can be seen from inside.
#[test]
#[cfg(unix)]
fn a_halt_of_the_whole_process_is_survived() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    for go in ["go btime 0 wtime 0 byoyomi 1000", "go infinite"] {
        engine.send(&format!("position startpos\n{go}"));
        engine.expect("info");
        signal(&engine, "-STOP");
        std::thread::sleep(std::time::Duration::from_millis(1200));
        signal(&engine, "-CONT");
        if go == "go infinite" {
            engine.send("stop");
        }
        engine.answer(&crate::boards::root("startpos")).best_move();
    }
    engine.quit();
}

/// The process gets little memory here, so that the test takes little from the machine.
#[cfg(target_os = "linux")]
fn with_little_memory() -> Engine {
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "ulimit -v 1200000; exec \"$0\""])
        .arg(crate::driver::binary().get_program());
    let mut engine = Engine::spawn(command);
    engine.shake_hands();
    engine
}

/// A table that does not fit is made smaller until it does.
#[test]
#[cfg(target_os = "linux")]
fn a_hash_beyond_memory_is_halved() {
    let _guard = together();
    let mut engine = with_little_memory();
    engine.send("setoption name USI_Hash value 8192");
    let notes = engine.expect_only_notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(remarks(&mut engine, "go depth 5"), [""; 0]);
    // The next size is not affected.
    engine.send("setoption name USI_Hash value 16");
    engine.expect_silence();
    assert_eq!(remarks(&mut engine, "go depth 5"), [""; 0]);
    engine.quit();
}

/// Fewer threads search where the system does not give as many as asked for.
#[test]
#[cfg(target_os = "linux")]
fn threads_beyond_memory_are_left_out() {
    let _guard = together();
    let mut engine = with_little_memory();
    engine.send("setoption name Threads value 1024");
    let notes = engine.expect_only_notes();
    assert!(notes[0].ends_with("of 1024 threads started"), "{notes:?}");
    assert_eq!(remarks(&mut engine, "go nodes 20000"), [""; 0]);
    engine.send("setoption name Threads value 2");
    engine.expect_silence();
    assert_eq!(remarks(&mut engine, "go depth 5"), [""; 0]);
    engine.quit();
}

/// A system that gives only a few threads, however many processors there are. It takes the superuser to become somebody
/// without other processes, so that they can be counted; others skip this.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_the_system_refuses_are_left_out() {
    let _guard = together();
    let limited = |script: &str| {
        let mut command = std::process::Command::new("setpriv");
        command
            .args(["--reuid=54321", "--clear-groups", "bash", "-c", script])
            .arg(crate::driver::binary().get_program());
        command
    };
    if !limited("exec \"$0\" --version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        return;
    }
    for (threads, expected) in [
        (5, "no search thread started"),
        (7, "of 64 threads started"),
        (12, "of 64 threads started"),
    ] {
        let mut engine = Engine::spawn(limited(&format!("ulimit -u {threads}; exec \"$0\"")));
        engine.send("setoption name Threads value 64");
        let notes = engine.expect_only_notes();
        assert!(notes.len() == 1 && notes[0].contains(expected), "{notes:?}");
        remarks(&mut engine, "go depth 3");
        engine.quit();
    }
}
