//! Evaluation files. An input is a list of edits to a sound file, since nobody finds a whole net by chance.

use std::sync::LazyLock;

use hien::eval::nnue::convert::{Form, convert};
use hien::eval::nnue::{Hints, Net};
use hien::eval::simd::{CpuPath, Kernels};
use hien::shogi::Position;

#[path = "../../nets/synthetic.rs"]
#[allow(dead_code, reason = "only the files are needed")]
mod synthetic;
use synthetic::Spec;

/// Sound files of every kind, as small as they can be, for speed.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let small = |name, width| Spec {
        width,
        ..synthetic::spec(name)
    };
    let stacks = small("sfnn_ka2_128-15-32-k3k3", 64).file();
    let plain = convert(&stacks, Form::Plain).expect("a stacked net has a plain form");
    let files = vec![
        small("kp_72x2-24-10", 32).file(),
        small("ka2_64x2-32-32", 32).file(),
        stacks,
        plain,
        Vec::new(),
    ];
    for file in files.iter().filter(|file| !file.is_empty()) {
        Net::from_bytes(file, &Hints::default()).expect("a sound file");
    }
    files
});

/// Whatever the file, it is refused with a reason, or all kernels compute the same value with it.
pub fn net(data: &[u8]) {
    let file = edited(data);
    let net = match Net::from_bytes(&file, &Hints::default()) {
        Ok(net) => net,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let position = Position::startpos();
    let scalar = Kernels::of(CpuPath::Scalar).and_then(|kernels| net.evaluate(kernels, &position));
    assert!(scalar.is_some());
    for kernels in CpuPath::available().filter_map(Kernels::of) {
        assert_eq!(
            net.evaluate(kernels, &position),
            scalar,
            "{}",
            kernels.path()
        );
    }
    for form in [Form::Plain, Form::Compressed] {
        if let Ok(converted) = convert(&file, form) {
            Net::from_bytes(&converted, &Hints::default()).expect("a rewritten net");
        }
    }
}

/// The file that the input describes: which file to begin with, then edits of four bytes and more.
fn edited(data: &[u8]) -> Vec<u8> {
    let Some((&choice, mut rest)) = data.split_first() else {
        return Vec::new();
    };
    let mut file = FILES[usize::from(choice) % FILES.len()].clone();
    while let Some((&[kind, place, low, high], after)) = rest.split_first_chunk::<4>() {
        let count = usize::from(low);
        // A small place is counted from the start, a large one lies anywhere.
        let at = match kind & 0x80 {
            0 => usize::from(place) + (usize::from(high) << 8),
            _ => (usize::from(place) << 16) + (usize::from(high) << 8),
        };
        let at = at.min(file.len());
        let (bytes, after) = after.split_at(count.min(after.len()));
        match kind % 4 {
            0 => {
                let end = (at + bytes.len()).min(file.len());
                file[at..end].copy_from_slice(&bytes[..end - at]);
            }
            1 => drop(file.splice(at..at, bytes.iter().copied())),
            2 => drop(file.drain(at..(at + count).min(file.len()))),
            _ => file.truncate(at),
        }
        rest = after;
    }
    file
}
