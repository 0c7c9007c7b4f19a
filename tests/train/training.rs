//! Tiny nets trained on the sample.

use std::fs;

use hien::eval::nnue::{Hints, Net};
use hien::train::{Filter, Settings, TrainError, Trainer};

use super::{Folder, sample};

fn tiny(features: &str) -> Settings {
    Settings {
        features: features.to_owned(),
        layers: [64, 8, 8],
        epochs: 12,
        batch: 256,
        learning_rate: 4e-3,
        validation: 0.2,
        filter: Filter {
            in_check: true,
            tactical: true,
            ..Filter::default()
        },
        ..Settings::default()
    }
}

fn trainer(settings: Settings) -> Trainer {
    Trainer::new(settings, &[sample()]).expect("a trainer")
}

fn tiny_stacks(features: &str) -> Settings {
    Settings {
        layers: [128, 15, 8],
        stacks: Some("hand16".to_owned()),
        ..tiny(features)
    }
}

#[test]
fn the_loss_falls_and_the_engine_evaluates_as_the_model() {
    for settings in [tiny("kp"), tiny("halfkazones"), tiny_stacks("kp")] {
        let features = format!("{} {:?}", settings.features, settings.stacks);
        let mut trainer = trainer(settings);
        let before = trainer.measure();
        while trainer.step().expect("a step") {}
        let after = trainer.measure();
        assert!(
            after.validation < before.validation - 0.008,
            "{features}: {before:?} {after:?}"
        );
        assert!(
            after.training < before.validation - 0.05,
            "{features}: {before:?} {after:?}"
        );
        assert!(after.signs > 0.6, "{features}: {after:?}");
        assert_eq!(trainer.curve(), [before, after]);
        // The net learnt with quantized numbers: only the last digits of sums differ.
        let export = trainer.export().expect("a net");
        assert!(export.error.count > 500, "{export:?}");
        assert!(
            export.error.mean < 2.0 && export.error.most < 20.0,
            "{features}: {:?}",
            export.error
        );
        let net = Net::from_bytes(&export.net, &Hints::default()).expect("a net");
        assert!(net.info().hashes_agree());
        assert_eq!(net.info().scale.0, 16);
    }
}

#[test]
fn a_run_can_begin_with_a_net() {
    for settings in [tiny("halfkazones"), tiny_stacks("kp")] {
        let mut first = trainer(Settings {
            epochs: 1,
            ..settings.clone()
        });
        while first.step().expect("a step") {}
        let net = first.export().expect("a net").net;
        let mut second = trainer(Settings {
            seed: 2,
            ..settings
        });
        second.start_from(&net).expect("the same architecture");
        assert!(second.export().expect("a net").net == net);
        let error = trainer(tiny("kp"))
            .start_from(&net)
            .expect_err("another one");
        assert!(matches!(error, TrainError::OtherNet), "{error}");
    }
}

#[test]
fn an_interrupted_run_ends_as_an_uninterrupted_one() {
    let folder = Folder::new("resume");
    let path = folder.0.join("checkpoint.bin");
    // Several fillings of the shuffle buffer, as with data larger than memory, and an odd number of shards.
    let settings = Settings {
        shuffle_buffer: 1500,
        shards: 3,
        epochs: 2,
        ..tiny("kp")
    };
    let mut whole = trainer(settings.clone());
    let mut broken = trainer(settings);
    let mut steps = 0;
    while whole.step().expect("a step") {
        steps += 1;
        broken.step().expect("a step");
        if steps % 9 == 0 {
            broken.measure();
            whole.measure();
            broken.save(&path).expect("saved");
            broken = Trainer::resume(&path, &[sample()]).expect("resumed");
        }
    }
    assert!(steps >= 20, "{steps} steps");
    assert_eq!(whole.curve(), broken.curve());
    assert!(whole.export().expect("a net").net == broken.export().expect("a net").net);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let net = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut trainer = trainer(Settings {
                epochs: 1,
                ..tiny("kp")
            });
            while trainer.step().expect("a step") {}
            trainer.export().expect("a net").net
        })
    };
    assert!(net(1) == net(3));
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = Folder::new("damaged-checkpoint");
    let path = folder.0.join("checkpoint.bin");
    let run = trainer(tiny("kp"));
    run.save(&path).expect("saved");
    let bytes = fs::read(&path).expect("a checkpoint");
    for damaged in [
        &bytes[..bytes.len() - 1],
        &bytes[..20],
        &[&bytes[..], &[0]].concat(),
        b"HIENTRN0....",
        b"",
    ] {
        fs::write(&path, damaged).expect("a file");
        let error = Trainer::resume(&path, &[sample()]).err().expect("refused");
        assert!(matches!(error, TrainError::Checkpoint { .. }), "{error}");
    }
    fs::write(&path, &bytes).expect("a file");
    let other = folder.0.join("other.sbinpack");
    fs::copy(sample(), &other).expect("a copy");
    let error = Trainer::resume(&path, &[other]).err().expect("refused");
    assert!(matches!(error, TrainError::OtherFiles), "{error}");
}

#[test]
fn senseless_settings_are_refused() {
    let refused = |settings: Settings| {
        let error = Trainer::new(settings, &[sample()]).err().expect("refused");
        error.to_string()
    };
    let default = || tiny("kp");
    assert!(
        refused(Settings {
            features: "kqp".into(),
            ..default()
        })
        .contains("kqp")
    );
    assert!(
        refused(Settings {
            features: "halfkpe9".into(),
            ..default()
        })
        .contains("attack")
    );
    assert!(
        refused(Settings {
            layers: [100, 8, 8],
            ..default()
        })
        .contains("multiple of 64")
    );
    assert!(
        refused(Settings {
            lambda: 1.5,
            ..default()
        })
        .contains("lambda")
    );
    let nothing = Filter {
        min_ply: 1000,
        ..Filter::default()
    };
    assert!(
        refused(Settings {
            filter: nothing,
            ..default()
        })
        .contains("filter")
    );
}
