//! The `usi` scripts of the case collection.

use std::time::Duration;

use serde_json::Value;

use crate::answer::{Best, read_bestmove};
use crate::boards::{Root, root, sfen};
use crate::common::cases::{Case, texts};
use crate::driver::{Engine, HANG};
use crate::load::{Stopwatch, timed, together};

/// The words a pattern stands for: `^word word` with `\b` at the end. No script uses more.
fn phrase(pattern: &str) -> &str {
    let text = pattern
        .strip_prefix('^')
        .unwrap_or_else(|| panic!("pattern {pattern}"));
    let text = text.strip_suffix("\\b").unwrap_or(text);
    assert!(
        text.chars().all(|c| c.is_ascii_alphanumeric() || c == ' '),
        "pattern {pattern}"
    );
    text
}

fn millis(step: &Value, name: &str) -> u64 {
    step[name]
        .as_u64()
        .unwrap_or_else(|| panic!("{name} in {step}"))
}

/// Waits for the next answer; returns it and its time.
fn next_answer(engine: &mut Engine, step: &Value, watch: &mut Stopwatch) -> (Best, Option<String>) {
    let line = engine.expect_within("bestmove", HANG);
    watch.at_most(
        &step.to_string(),
        engine.since_sent(&line),
        millis(step, "within_ms"),
    );
    read_bestmove(&line.text).unwrap_or_else(|complaint| engine.fail(&complaint))
}

fn legal_root(place: &Value) -> Root {
    let moves = texts(&place["moves"]).join(" ");
    root(&format!(
        "{} moves {moves}",
        sfen(place["sfen"].as_str().expect("a position"))
    ))
}

fn step(engine: &mut Engine, id: &str, step: &Value, watch: &mut Stopwatch) {
    if let Some(line) = step.get("send") {
        engine.send(line.as_str().expect("a line"));
    } else if let Some(bytes) = step.get("send_raw") {
        engine.send_bytes(bytes.as_str().expect("text").as_bytes());
    } else if let Some(pattern) = step.get("expect") {
        let line = engine.expect_within(phrase(pattern.as_str().expect("a pattern")), HANG);
        watch.at_most(id, engine.since_sent(&line), millis(step, "within_ms"));
    } else if let Some(pattern) = step.get("forbid") {
        engine.forbid(
            phrase(pattern.as_str().expect("a pattern")),
            Duration::from_millis(millis(step, "for_ms")),
        );
    } else if let Some(allowed) = step.get("bestmove_in") {
        let (best, ponder) = next_answer(engine, step, watch);
        let allowed = texts(allowed);
        assert!(
            matches!(&best, Best::Move(text) if allowed.contains(&text.as_str())),
            "{id}: {best:?}"
        );
        if step["ponder"] == "absent" {
            assert_eq!(ponder, None, "{id}");
        }
    } else if let Some(place) = step.get("bestmove_legal_in") {
        let (best, ponder) = next_answer(engine, step, watch);
        match best {
            Best::Move(text) => {
                let mut line = legal_root(place);
                assert!(line.board.is_legal(&text), "{id}: {text}");
                line.play(&text);
                assert!(
                    ponder.is_none_or(|ponder| line.board.is_legal(&ponder)),
                    "{id}"
                );
            }
            Best::Resign => assert_eq!(step["or"], "resign", "{id}"),
            Best::Win => panic!("{id}: a claim"),
        }
    } else if step.get("alive").is_some() {
        assert!(engine.is_alive(), "{id}");
    } else if step.get("exit_within_ms").is_some() {
        let limit = millis(step, "exit_within_ms");
        let (status, elapsed) = engine.exit(HANG);
        assert!(status.success(), "{id}: {status}");
        watch.at_most(id, elapsed, limit);
    } else {
        panic!("{id}: unknown step {step}");
    }
}

fn run(case: &Case, watch: &mut Stopwatch) {
    let mut engine = Engine::start();
    engine.send("usinewgame");
    for entry in case
        .field("script")
        .and_then(Value::as_array)
        .expect("a script")
    {
        step(&mut engine, case.id(), entry, watch);
    }
    if engine.is_alive() {
        engine.send("stop\nquit");
    }
    engine.finish();
}

#[test]
fn all_scripts() {
    let cases = Case::of_kinds(&["usi"]);
    assert_eq!(cases.len(), 19);
    for case in &cases {
        timed(|watch| run(case, watch));
    }
}

/// The strings of the collection through the `position` command: accepted or refused as it says.
#[test]
fn tolerant_readings() {
    let _guard = together();
    let mut engine = Engine::start();
    for case in Case::of_kinds(&["sfen"]) {
        engine.send(&format!("position sfen {}", case.sfen()));
        let notes = engine.expect_only_notes();
        let is_refused = notes
            .iter()
            .any(|note| note.starts_with("info string position rejected: "));
        assert_eq!(
            is_refused,
            case.text("usi_verdict") == Some("reject"),
            "{}: {notes:?}",
            case.id()
        );
        assert!(notes.len() <= 1, "{}: {notes:?}", case.id());
        if let Some(canonical) = case.text("canonical") {
            let lines = engine.ask("d", "declaration:");
            assert!(
                lines.contains(&format!("sfen: {canonical}")),
                "{}: {lines:?}",
                case.id()
            );
        }
        engine.send("go depth 1");
        let line = engine.expect("bestmove");
        assert!(
            !is_refused || line.text == "bestmove resign",
            "{}: {}",
            case.id(),
            line.text
        );
    }
    engine.quit();
}
