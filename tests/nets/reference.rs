//! Values computed by YaneuraOu.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use hien::eval::nnue::{Net, NnueState, scaled};
use hien::shogi::Position;
use serde_json::Value;

use crate::synthetic::{Dialect, Random, spec};
use crate::{all_kernels, load, synthetic_net};

/// The lines of a data file, as maps.
fn lines(name: &str) -> Vec<serde_json::Map<String, Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = fs::read_to_string(&path).expect("the data file is there");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line of the data is a JSON object"))
        .collect()
}

fn number(line: &serde_json::Map<String, Value>, field: &str) -> i32 {
    let number = line[field].as_i64().expect("the field is a number");
    number.try_into().expect("the number has 32 bits")
}

fn position(line: &serde_json::Map<String, Value>) -> Position {
    let sfen = line["sfen"].as_str().expect("a line has a position");
    // One position has pieces that could never move: tolerated, as in the USI command.
    Position::from_sfen_tolerant(sfen)
        .unwrap_or_else(|error| panic!("{sfen}: {error}"))
        .0
}

/// Compares every value of `name` in the reference data, on every path: from scratch and with one worker for all.
fn check(name: &str, net: &Net) {
    let reference: Vec<_> = lines("nnue_reference.jsonl")
        .into_iter()
        .filter(|line| line["net"] == name)
        .collect();
    assert_eq!(reference.len(), 150, "{name}");
    for kernels in all_kernels() {
        let mut worker = NnueState::new(net);
        for line in &reference {
            let position = position(line);
            let raw = net
                .evaluate(kernels, &position)
                .expect("both kings are there");
            assert_eq!(
                raw,
                number(line, "raw"),
                "{name} {kernels:?} {}",
                line["sfen"]
            );
            assert_eq!(
                worker.evaluate(net, kernels, &position),
                Some(raw),
                "{name} {kernels:?} {}",
                line["sfen"]
            );
            for scale in [1, 16, 24] {
                assert_eq!(
                    scaled(raw, scale),
                    number(line, &format!("value_fv{scale}")),
                    "{name} {}",
                    line["sfen"]
                );
            }
            if let Some(stack) = line.get("bucket") {
                assert_eq!(
                    net.stack(&position).map(|stack| stack as u64),
                    stack.as_u64(),
                    "{name} {}",
                    line["sfen"]
                );
            }
        }
    }
}

macro_rules! reference_nets {
    ($($test:ident: $name:literal, $shape:literal;)*) => { $(
        #[test]
        fn $test() {
            let net = synthetic_net($name);
            assert_eq!(net.architecture().to_string(), $shape);
            assert!(net.info().hashes_agree());
            check($name, &net);
        }
    )* };
}

reference_nets! {
    halfkp_256: "halfkp_256x2-32-32", "HalfKP 256x2-32-32";
    halfkp_512: "halfkp_512x2-16-32", "HalfKP 512x2-16-32";
    halfkahm2_256: "halfkahm2_256x2-32-32", "HalfKA_hm2 256x2-32-32";
    sfnn_1536: "sfnn_halfkahm2_1536-15-32-k3k3", "SFNN HalfKA_hm2 1536-15-32 k3k3 (9 stacks)";
    halfkpvm: "halfkpvm_64x2-8-32", "HalfKP_vm 64x2-8-32";
    halfkpe9: "halfkpe9_32x2-8-32", "HalfKPE9 32x2-8-32";
    halfka1: "halfka1_64x2-16-32", "HalfKA1 64x2-16-32";
    halfka2: "halfka2_64x2-8-64", "HalfKA2 64x2-8-64";
    halfkahm1: "halfkahm1_64x2-8-96", "HalfKA_hm1 64x2-8-96";
    ka2: "ka2_64x2-32-32", "K+A2 64x2-32-32";
    sfnn_halfka2: "sfnn_halfka2_128-7-64", "SFNN HalfKA2 128-7-64 none (1 stack)";
    sfnn_progress: "sfnn_ka2_128-8-32-hand16_k3k3_progress4", "SFNN K+A2 128-8-32 hand16_k3k3_progress4 (576 stacks)";
    sfnn_shards: "sfnn_ka2_640-7-64-c128_s64x8-k9k9z", "SFNN K+A2 640-7-64 c128_s64x8 k9k9z (81 stacks)";
}

/// The two real nets of the reference data may not be passed on. Who has them names their folder in HIEN_TEST_NETS.
#[test]
fn real_nets_if_there() {
    let Some(folder) = env::var_os("HIEN_TEST_NETS").map(PathBuf::from) else {
        return;
    };
    for (name, scale) in [("kp256-2019", 16), ("kp256-suisho-petite", 24)] {
        let bytes =
            fs::read(folder.join(format!("{name}.nn.bin"))).expect("HIEN_TEST_NETS holds the nets");
        let net = load(&bytes);
        assert_eq!(net.architecture().to_string(), "K+P 256x2-32-32");
        assert_eq!(net.info().scale.0, scale);
        check(name, &net);
    }
}

/// Every rule for choosing a layer stack, and the progress of the one net that has weights for it.
#[test]
fn layer_stacks_are_chosen_alike() {
    let progress = synthetic_net("sfnn_ka2_128-8-32-hand16_k3k3_progress4");
    let mut compared = BTreeMap::<String, u32>::new();
    for line in lines("nnue_buckets.jsonl") {
        let position = position(&line);
        for (field, expected) in &line {
            let found = match field.as_str() {
                "sfen" => continue,
                "progress255_of_sfnn_ka2_128" => progress.progress(&position).map(usize::from),
                rule => {
                    let rule: hien::eval::nnue::StackRule =
                        rule.parse().expect("a field is a rule");
                    let kings = hien::shogi::Color::ALL
                        .map(|color| position.king(color).expect("both kings"));
                    let stack = rule.stack(&position, kings, || {
                        unreachable!("no rule of the data needs progress")
                    });
                    assert!(stack < rule.stacks());
                    Some(stack)
                }
            };
            assert_eq!(
                found.map(|found| found as u64),
                expected.as_u64(),
                "{field} {}",
                line["sfen"]
            );
            *compared.entry(field.clone()).or_default() += 1;
        }
    }
    assert_eq!(compared.len(), 13);
    assert!(compared.values().all(|&count| count == 150));
}

/// What other tools write evaluates like YaneuraOu's file.
#[test]
fn dialects_are_read() {
    use Dialect::{Bullet, Old, OneBlock, Plain, Pytorch, Tanuki, Underscore, ZeroHash};
    let classic = ["kp_256x2-32-32", "ka2_64x2-32-32", "halfkahm1_64x2-8-96"];
    for name in classic {
        for dialect in [Plain, Old, Pytorch, Tanuki, ZeroHash, Bullet] {
            same_values(name, dialect);
        }
    }
    for dialect in [
        Plain, Pytorch, Tanuki, ZeroHash, Bullet, Underscore, OneBlock,
    ] {
        same_values("sfnn_ka2_128-15-32-k3k3", dialect);
    }
}

/// Version words of layer-stack files of other trainers; one of them states the number of stacks.
#[test]
fn other_versions_are_read() {
    let name = "sfnn_ka2_128-15-32-k3k3";
    let mut bytes = spec(name).file();
    let description = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
    bytes[..4].copy_from_slice(&0x7AF3_2F20_u32.to_le_bytes());
    same_net(name, &bytes);
    let stacks_at = 12 + description as usize;
    bytes[..4].copy_from_slice(&0x7AF3_2F21_u32.to_le_bytes());
    bytes.splice(stacks_at..stacks_at, 9u32.to_le_bytes());
    same_net(name, &bytes);
}

fn same_values(name: &str, dialect: Dialect) {
    same_net(name, &spec(name).file_in(dialect));
}

/// Compares a file with the synthetic net of a name: shape, and values along a random game.
fn same_net(name: &str, bytes: &[u8]) {
    let (net, other) = (load(bytes), synthetic_net(name));
    let info = net.info();
    assert_eq!(net.architecture(), other.architecture(), "{info:?}");
    let kernels = hien::eval::simd::Kernels::best();
    let mut random = Random::new(7);
    let mut position = Position::startpos();
    for _ in 0..50 {
        let moves = position.legal_moves();
        position.do_move(moves[random.below(moves.len())]);
        assert_eq!(
            net.evaluate(kernels, &position),
            other.evaluate(kernels, &position),
            "{info:?}"
        );
    }
}
