//! Nets as users meet them: options of the engine, and the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hien::engine::Engine;
use hien::eval::simd;
use hien::search::{BestMove, Limits};
use hien::shogi::Position;

use crate::folder::Folder;
use crate::synthetic::{Spec, Stacks, spec};

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.settings_mut().hash_mib = 1;
    engine.settings_mut().eval_dir = String::new();
    engine
}

/// What the engine remarks on its settings.
fn remarks(engine: &mut Engine) -> Vec<String> {
    let remarks = engine.prepare();
    remarks.iter().map(ToString::to_string).collect()
}

#[test]
fn a_net_is_loaded_described_and_used() {
    let folder = Folder::new("used");
    let bytes = spec("ka2_64x2-32-32").file();
    let net = folder.write("nn.bin", &bytes);
    let mut engine = engine();
    engine.settings_mut().eval_file.clone_from(&net);
    engine.settings_mut().cpu = Some(simd::CpuPath::Scalar);
    assert!(engine.prepare().is_empty());
    // The second number of a net file, after its version.
    let hash = u32::from_le_bytes(bytes[4..8].try_into().expect("4 bytes"));
    let expected = format!(
        "K+A2 64x2-32-32, FV_SCALE 16 (default), CPU path scalar, {net} (234984 bytes, hash {hash:08x})"
    );
    let net = engine.net_in_use().expect("a net is in use");
    assert_eq!(net.to_string(), expected);
    let evaluation = engine.evaluate();
    assert_eq!(evaluation.value, evaluation.raw / 16);

    engine.settings_mut().cpu = None;
    engine.settings_mut().fv_scale = 7;
    assert!(engine.prepare().is_empty());
    assert_eq!(engine.evaluate().raw, evaluation.raw);
    assert_eq!(engine.evaluate().value, evaluation.raw / 7);
    let text = engine.net_in_use().expect("a net is in use").to_string();
    assert!(text.contains("FV_SCALE 7 (as set)"), "{text}");

    let best = engine.search(Limits {
        depth: Some(4),
        ..Limits::default()
    });
    assert!(matches!(best, BestMove::Move { best, .. } if engine.position().is_legal(best)));
}

#[test]
fn without_a_file_the_own_net_evaluates() {
    let mut engine = engine();
    engine.settings_mut().cpu = Some(simd::CpuPath::Scalar);
    assert!(engine.prepare().is_empty());
    let text = engine.net_in_use().expect("a net is in use").to_string();
    assert!(text.contains("CPU path scalar, <internal> ("), "{text}");
    // A rook ahead is ahead, for either side, and the start position is about even.
    let values = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    ]
    .map(|sfen| {
        engine.set_position(Position::from_sfen(sfen).expect("a position"));
        engine.evaluate().value
    });
    assert!(values[0].abs() < 250, "{values:?}");
    assert!(values[1] > 500 && values[2] < -500, "{values:?}");
}

#[test]
fn a_bad_file_leaves_the_evaluation_in_use() {
    let folder = Folder::new("kept");
    let bytes = spec("kp_72x2-24-10").file();
    let good = folder.write("good.bin", &bytes);
    let bad = folder.write("bad.bin", &bytes[..bytes.len() - 5]);
    let mut engine = engine();
    engine.settings_mut().eval_file = good;
    assert!(engine.prepare().is_empty());
    let value = engine.evaluate();
    engine.settings_mut().eval_file.clone_from(&bad);
    let notes = remarks(&mut engine);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(
        notes[0].starts_with(&format!("{bad}: no known architecture has ")),
        "{notes:?}"
    );
    assert!(
        notes[0].ends_with("Playing with the evaluation in use."),
        "{notes:?}"
    );
    assert_eq!(engine.evaluate(), value);
    assert!(engine.prepare().is_empty(), "it is said once");
    engine.settings_mut().eval_file = "material".to_owned();
    assert!(engine.prepare().is_empty());
    assert_eq!(engine.net_in_use(), None);
}

#[test]
fn a_folder_gives_its_net_and_scale() {
    let folder = Folder::new("folder");
    let net = folder.write("eval/nn.bin", spec("sfnn_ka2_128-15-32-k3k3").file());
    folder.write("eval/eval_options.txt", b"FV_SCALE 28\n");
    let mut engine = engine();
    engine.settings_mut().eval_dir = folder.path("eval");
    assert!(engine.prepare().is_empty());
    let text = engine.net_in_use().expect("a net is in use").to_string();
    assert!(
        text.contains("SFNN K+A2 128-15-32 k3k3 (9 stacks), FV_SCALE 28 (from eval_options.txt)"),
        "{text}"
    );
    assert!(text.contains(&net), "{text}");

    engine.settings_mut().layer_stack_rule = "k9k9".to_owned();
    let notes = remarks(&mut engine);
    assert!(
        notes[0].contains("the file has 9 layer stacks, but the rule k9k9 needs 81"),
        "{notes:?}"
    );
    engine.settings_mut().layer_stack_rule = "what".to_owned();
    let notes = remarks(&mut engine);
    assert!(
        notes[0].starts_with("LayerStackRule: 'what' is no layer-stack rule"),
        "{notes:?}"
    );
    engine.settings_mut().eval_dir = folder.path("none");
    let notes = remarks(&mut engine);
    assert!(notes[0].contains("no nn.bin; tried "), "{notes:?}");
}

/// Nets with eight stacks do not say how one is chosen; some take the game's progress from another file.
#[test]
fn a_rule_and_progress_weights_can_be_added() {
    let folder = Folder::new("progress");
    let eight = Spec {
        stacks: Some(Stacks(8, false, "SFNN_KA2_128_15_32")),
        ..spec("sfnn_ka2_128-15-32-k3k3")
    };
    let mut engine = engine();
    engine.settings_mut().eval_file = folder.write("nn.bin", eight.file());
    let notes = remarks(&mut engine);
    assert!(
        notes[0].contains("does not say how one is chosen"),
        "{notes:?}"
    );
    engine.settings_mut().layer_stack_rule = "progress8".to_owned();
    let notes = remarks(&mut engine);
    assert!(notes[0].contains("put progress.bin beside it"), "{notes:?}");

    let weights = (0..81 * 1548).map(|i: i32| f64::from(i % 97 - 48) / 300.0);
    let weights: Vec<u8> = weights.flat_map(f64::to_le_bytes).collect();
    folder.write("progress.bin", &weights);
    engine.settings_mut().fv_scale = 16;
    assert!(engine.prepare().is_empty());
    let text = engine.net_in_use().expect("a net is in use").to_string();
    assert!(text.contains("progress8 (8 stacks)"), "{text}");
}

fn hien(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hien"))
        .args(arguments)
        .output();
    let Output {
        status,
        stdout,
        stderr,
    } = output.expect("the program starts");
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (status.success(), text.concat())
}

#[test]
fn the_command_line_describes_a_net() {
    let folder = Folder::new("described");
    let net = folder.write("nn.bin", spec("sfnn_ka2_640-7-64-c128_s64x8-k9k9z").file());
    let (ok, text) = hien(&["net", &net]);
    assert!(ok, "{text}");
    for line in [
        "architecture  SFNN K+A2 640-7-64 c128_s64x8 k9k9z (81 stacks)",
        "format        layer stacks, compressed, version 7AF32F16, 1760536 bytes",
        "layers        640x2 > 640-8 > 14-64 > 64-1",
        "stacks        81, chosen by k9k9z",
        "hashes        file 3C203B32, transformer 5F134AB8, network 6333718A",
        "FV_SCALE      16 (default)",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line}\nin\n{text}"
        );
    }
    assert!(text.contains("all agree"), "{text}");
    let (ok, text) = hien(&["net", &folder.path("none")]);
    assert!(!ok && text.contains("it cannot be read"), "{text}");
}

#[test]
fn the_command_line_converts_a_net() {
    let folder = Folder::new("converted");
    let bytes = spec("sfnn_ka2_128-15-32-k3k3").file();
    let net = folder.write("nn.bin", &bytes);
    let path = |name: &str| folder.path(name);
    let (plain, back) = (path("plain.bin"), path("back.bin"));
    let (ok, text) = hien(&["net", "convert", &net, &plain, "--form", "plain"]);
    assert!(ok, "{text}");
    let (ok, text) = hien(&["net", "convert", &plain, &back, "--form", "compressed"]);
    assert!(ok, "{text}");
    assert!(fs::read(Path::new(&back)).expect("it was written") == bytes);
    let (ok, text) = hien(&["net", "convert", &net, &back, "--form", "plain"]);
    assert!(
        !ok && text.contains("back.bin"),
        "nothing is overwritten: {text}"
    );
}
