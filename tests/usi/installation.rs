//! What lies around the program: `engine.toml`, `--config`, the protocol log.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::folder::Folder;
use crate::driver::{Engine, HANG};
use crate::load::together;
use crate::options::declared;

/// The default of an option as declared by an engine.
fn default_of(engine: &mut Engine, name: &str) -> String {
    let option = declared(engine)
        .into_iter()
        .find(|option| option.name == name);
    option
        .and_then(|option| option.default)
        .unwrap_or_else(|| panic!("{name}"))
}

fn identity(engine: &mut Engine) -> Vec<String> {
    engine.send("usi");
    let lines = engine.lines_to("usiok", HANG);
    lines
        .into_iter()
        .map(|line| line.text)
        .filter(|text| text.starts_with("id "))
        .collect()
}

const CONFIG: &str = "name = 'Swallow'\nauthor = 'Somebody'\n\n[options]\nUSI_Hash = 32\nUSI_Ponder = true\n\
                      EnteringKingRule = 'CSARule24'\nDrawValueBlack = -50\n";

fn uses_config(engine: &mut Engine) {
    assert_eq!(identity(engine), ["id name Swallow", "id author Somebody"]);
    for (name, value) in [
        ("USI_Hash", "32"),
        ("USI_Ponder", "true"),
        ("EnteringKingRule", "CSARule24"),
        ("DrawValueBlack", "-50"),
    ] {
        assert_eq!(default_of(engine, name), value);
    }
    assert_eq!(default_of(engine, "MultiPV"), "1");
    engine.expect_silence();
    engine.search("startpos", "go depth 2").best_move();
}

#[test]
fn a_configuration_in_the_working_directory() {
    let _guard = together();
    let folder = Folder::new("config-cwd");
    folder.write("engine.toml", CONFIG);
    let mut engine = Engine::raw_in(&folder.0, &[]);
    uses_config(&mut engine);
    engine.quit();
}

#[test]
fn a_configuration_by_argument_comes_first() {
    let _guard = together();
    let folder = Folder::new("config-argument");
    folder.write("engine.toml", "name = 'Wrong'\n[options]\nUSI_Hash = 64\n");
    let file = folder.write("mine.toml", CONFIG);
    let mut engine = Engine::raw_in(&folder.0, &["--config", &file]);
    uses_config(&mut engine);
    engine.quit();
}

#[test]
fn a_configuration_beside_the_program_comes_before_the_working_directory() {
    let _guard = together();
    let folder = Folder::new("config-beside");
    let other = Folder::new("config-beside-cwd");
    folder.write("engine.toml", CONFIG);
    other.write("engine.toml", "name = 'Wrong'\n");
    let mut command = std::process::Command::new(folder.program());
    command.current_dir(&other.0);
    let mut engine = Engine::spawn(command);
    uses_config(&mut engine);
    engine.quit();
}

/// What `isready` says of the evaluation in use.
fn evaluation(engine: &mut Engine) -> String {
    engine.send("isready");
    let lines = engine.lines_to("readyok", HANG);
    let mut texts = lines.into_iter().map(|line| line.text);
    let found = texts.find(|text| text.starts_with("info string evaluation: "));
    found.expect("a net that is worth a word")
}

#[test]
fn an_evaluation_beside_the_program_comes_before_the_working_directory() {
    let _guard = together();
    let folder = Folder::new("eval-beside");
    let other = Folder::new("eval-beside-cwd");
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/net/nn.bin");
    let net = fs::read(net).unwrap_or_else(|e| panic!("{net}: {e}"));
    let program = folder.program();
    let start = || {
        let mut command = std::process::Command::new(&program);
        command.current_dir(&other.0);
        Engine::spawn(command)
    };
    let here = other.write("eval/nn.bin", &net);
    let mut engine = start();
    assert!(evaluation(&mut engine).contains(&here));
    engine.quit();
    let beside = folder.write("eval/nn.bin", &net);
    let mut engine = start();
    assert!(evaluation(&mut engine).contains(&beside));
    engine.quit();
}

#[test]
fn without_a_configuration_all_works() {
    let _guard = together();
    let folder = Folder::new("config-none");
    let mut engine = Engine::raw_in(&folder.0, &[]);
    let names = identity(&mut engine);
    assert!(names[0].starts_with("id name Hien "), "{names:?}");
    engine.expect_silence();
    engine.search("startpos", "go depth 2").best_move();
    engine.quit();
}

#[test]
fn what_is_wrong_in_a_configuration_is_said_and_ignored() {
    let _guard = together();
    let folder = Folder::new("config-wrong");
    for (text, key) in [
        ("[options]\nNoSuchOption = 1\n", "NoSuchOption"),
        ("[options]\nUSI_Hash = 'many'\n", "USI_Hash"),
        ("[options]\nUSI_Hash = 0\n", "USI_Hash"),
        ("[options]\nThreads = [1, 2]\n", "Threads"),
        (
            "[options]\nEnteringKingRule = 'Nonsense'\n",
            "EnteringKingRule",
        ),
        ("colour = 'blue'\n", "colour"),
        ("name = 7\n", "name"),
        ("this is no toml", ""),
        ("name = 'caf\u{e9}'\n", "name"),
    ] {
        let file = folder.write("engine.toml", format!("{text}\n"));
        let mut engine = Engine::raw_in(&folder.0, &[]);
        let hash = default_of(&mut engine, "USI_Hash");
        assert_eq!(hash, "256", "{text}");
        let notes = engine.expect_only_notes();
        assert!((1..=2).contains(&notes.len()), "{text}: {notes:?}");
        assert!(notes[0].contains(key), "{text}: {notes:?}");
        engine.expect_silence();
        engine.search("startpos", "go depth 1").best_move();
        engine.quit();
        fs::remove_file(file).expect("the file just written");
    }
    let mut engine = Engine::raw_in(&folder.0, &["--config", "missing.toml"]);
    engine.send("usi");
    engine.expect("usiok");
    let notes = engine.expect_only_notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("missing.toml"), "{notes:?}");
    engine.quit();
}

/// The file in the repository documents every option, and changes none.
#[test]
fn the_configuration_of_the_repository() {
    let _guard = together();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/engine.toml");
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let folder = Folder::new("config-repository");
    let mut plain = Engine::raw_in(&folder.0, &[]);
    let mut engine = Engine::raw_in(&folder.0, &["--config", path]);
    let options = declared(&mut plain);
    assert_eq!(declared(&mut engine), options);
    engine.expect_silence();
    for option in options.iter().filter(|option| option.kind != "button") {
        assert!(
            text.contains(&format!("{} =", option.name)),
            "engine.toml does not document {}",
            option.name
        );
    }
    for key in ["name =", "author ="] {
        assert!(text.contains(key), "engine.toml does not document {key}");
    }
    plain.quit();
    engine.quit();
}

#[test]
fn the_protocol_log() {
    let _guard = together();
    let folder = Folder::new("log");
    let file = folder.0.join("log with blanks.txt");
    let mut engine = Engine::raw_in(&folder.0, &[]);
    engine.shake_hands();
    engine.send(&format!(
        "setoption name DebugLogFile value {}",
        file.display()
    ));
    engine.expect_silence();
    let answer = engine.search("startpos moves 7g7f", "go depth 2");
    engine.send("setoption name DebugLogFile value ");
    engine.expect_silence();
    engine.quit();
    let text = fs::read_to_string(&file).expect("a log");
    assert!(
        text.contains("position startpos moves 7g7f") && text.contains("go depth 2"),
        "{text}"
    );
    assert!(
        text.contains(&format!("bestmove {}", answer.best_move())),
        "{text}"
    );

    // A place that cannot be written to is said, and nothing else changes.
    let mut engine = Engine::start();
    engine.send("setoption name DebugLogFile value /no/such/folder/log.txt");
    assert_eq!(engine.expect_only_notes().len(), 1);
    engine.search("startpos", "go depth 1").best_move();
    engine.quit();
}

/// What the program writes to standard output up to `readyok` for these lines of input; the empty lines of a busy
/// machine are left out.
fn answers(folder: &Path, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hien"))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    stdin
        .write_all(b"setoption name USI_Hash value 1\n")
        .unwrap();
    stdin.write_all(input).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut answers = Vec::new();
    while !answers.ends_with(b"readyok\n") && stdout.read_until(b'\n', &mut answers).unwrap() > 0 {}
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    let first = answers.iter().position(|&byte| byte != b'\n');
    answers.split_off(first.unwrap_or(0))
}

/// 将棋 in the encodings of GUIs.
const SHOGI: [&[u8]; 2] = ["将棋".as_bytes(), b"\x8f\xab\x8a\xfb"];

#[test]
fn names_are_answered_in_the_encoding_they_came_in() {
    let _guard = together();
    let folder = Folder::new("encodings");
    for name in SHOGI {
        let ask = [b"setoption name EvalFile value ", name, b".bin\nisready\n"].concat();
        let answer = answers(&folder.0, &ask);
        let message = [
            b"info string EvalFile ",
            name,
            b".bin: no such file; tried ",
        ]
        .concat();
        assert!(
            answer.starts_with(&message),
            "{}",
            String::from_utf8_lossy(&answer)
        );
        assert!(
            !answer.contains(&b'?'),
            "{}",
            String::from_utf8_lossy(&answer)
        );
        assert!(answer.ends_with(b"\nreadyok\n"));
    }
}

#[test]
fn the_protocol_log_has_a_japanese_name_and_no_carriage_returns() {
    let _guard = together();
    for name in SHOGI {
        let folder = Folder::new("log-name");
        let ask = [
            b"setoption name DebugLogFile value ",
            name,
            b"\r\nisready\r\n",
        ]
        .concat();
        assert_eq!(answers(&folder.0, &ask), b"readyok\n");
        let log = folder.read("将棋");
        assert!(
            log.contains("> isready\n") && log.ends_with("< readyok\n"),
            "{log:?}"
        );
        assert!(!log.contains('\r'), "{log:?}");
    }
}

/// The two ends of a terminal: the program's, and the user's.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn terminal() -> [std::os::fd::OwnedFd; 2] {
    use std::os::fd::{FromRawFd, OwnedFd};
    use std::ptr::null_mut;

    let (mut user, mut program) = (-1, -1);
    // SAFETY: both places are there to be written to; the rest may be null.
    let opened =
        unsafe { libc::openpty(&mut user, &mut program, null_mut(), null_mut(), null_mut()) };
    assert_eq!(opened, 0);
    // SAFETY: the descriptors are new and belong to nobody else.
    [program, user].map(|end| unsafe { OwnedFd::from_raw_fd(end) })
}

#[cfg(target_os = "linux")]
#[test]
fn only_people_are_told_what_to_type() {
    let _guard = together();
    let said = |stdin: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hien"));
        let mut child = command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdin.take());
        child
    };
    let silent = said(Stdio::piped()).wait_with_output().unwrap();
    assert_eq!((silent.stdout, silent.stderr), (vec![], vec![]));
    let [program, user] = terminal();
    let child = said(program.into());
    fs::File::from(user.try_clone().unwrap())
        .write_all(b"quit\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"");
    assert_eq!(output.stderr, b"USI engine; type usi, or hien --help\n");
}
