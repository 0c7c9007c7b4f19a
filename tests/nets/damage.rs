//! Damaged files: an error or a usable net, never a panic, and no more memory than the file justifies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use hien::eval::nnue::convert::{Form, convert};
use hien::eval::nnue::{Hints, Net, NetError};
use hien::shogi::Position;

use crate::synthetic::{Random, spec};
use crate::{all_kernels, load};

/// What this thread has allocated so far, in bytes.
pub fn allocated() -> usize {
    ALLOCATED.get()
}

/// Counts what each thread allocates.
struct Counting;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator; counting neither allocates nor fails.
#[allow(unsafe_code, reason = "only an allocator sees allocations")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Reads a file that may be damaged. Whatever it is, memory must stay within a small multiple of its size.
fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let before = allocated();
    let result = Net::from_bytes(bytes, &Hints::default());
    let used = allocated() - before;
    assert!(
        used <= 16 * bytes.len() + (1 << 18),
        "{used} bytes for a file of {}",
        bytes.len()
    );
    for form in [Form::Plain, Form::Compressed] {
        // A net that is read can be rewritten, and stays the same net.
        if let (Ok(net), Ok(converted)) = (&result, convert(bytes, form)) {
            let again = Net::from_bytes(&converted, &Hints::default()).expect("a rewritten net");
            assert_eq!(again.architecture(), net.architecture());
        }
    }
    if let Ok(net) = &result {
        let position = Position::startpos();
        let values = all_kernels()
            .into_iter()
            .map(|kernels| net.evaluate(kernels, &position));
        let values: Vec<_> = values.collect();
        assert!(
            values
                .iter()
                .all(|value| *value == values[0] && value.is_some())
        );
    }
    result
}

/// Files of every kind, small enough to be read thousands of times.
fn victims() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = ["kp_72x2-24-10", "ka2_64x2-32-32", "sfnn_ka2_128-15-32-k3k3"]
        .map(|name| spec(name).file())
        .to_vec();
    files.push(convert(&files[2], Form::Plain).expect("a stacked net has a plain form"));
    files
}

/// One way of damaging a file.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    // Half of the damage is in the header and the first section.
    let place = |random: &mut Random, len: usize| {
        let limit = if random.below(2) == 0 {
            len.min(400)
        } else {
            len
        };
        random.below(limit.max(1))
    };
    let at = place(random, bytes.len());
    match random.below(7) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << random.below(8),
        2 => {
            let word = [
                0,
                1,
                0x7FFF_FFFF,
                0x8000_0000,
                u32::MAX,
                random.draw() as u32,
            ][random.below(6)];
            let at = at.min(bytes.len().saturating_sub(4));
            if let Some(place) = bytes[at..].first_chunk_mut() {
                *place = word.to_le_bytes();
            }
        }
        3 => {
            let count = 1 + random.below(70);
            bytes.extend((0..count).map(|_| random.draw() as u8));
        }
        4 => {
            let end = (at + 1 + random.below(64)).min(bytes.len());
            bytes.drain(at..end);
        }
        5 => {
            let piece: Vec<u8> = (0..=random.below(64))
                .map(|_| random.draw() as u8)
                .collect();
            bytes.splice(at..at, piece);
        }
        _ => {
            // Digits of the description: other sizes.
            let digits: Vec<usize> = (12..bytes.len().min(300))
                .filter(|&i| bytes[i].is_ascii_digit())
                .collect();
            if !digits.is_empty() {
                bytes[digits[random.below(digits.len())]] = b'0' + random.below(10) as u8;
            }
        }
    }
}

#[test]
fn damaged_files_are_refused_or_usable() {
    let mut random = Random::new(2024);
    let (mut refused, mut usable) = (0, 0);
    for original in victims() {
        for _ in 0..400 {
            let mut bytes = original.clone();
            for _ in 0..=random.below(3) {
                if !bytes.is_empty() {
                    damage(&mut bytes, &mut random);
                }
            }
            match read(&bytes) {
                Ok(_) => usable += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(
        refused > 400 && usable > 100,
        "{refused} refused, {usable} usable"
    );
}

#[test]
fn files_cut_anywhere_are_refused() {
    for original in victims() {
        let mut lengths: Vec<usize> = (0..300)
            .chain((300..original.len()).step_by(1999))
            .collect();
        lengths.extend(original.len() - 70..original.len());
        for length in lengths {
            assert!(
                read(&original[..length]).is_err(),
                "{length} of {} bytes",
                original.len()
            );
        }
    }
}

#[test]
fn anything_added_is_refused() {
    for original in victims() {
        for count in [1, 4, 31, 64, 1000] {
            let mut bytes = original.clone();
            bytes.resize(original.len() + count, 0);
            assert!(read(&bytes).is_err(), "{count} bytes added");
        }
    }
}

#[test]
fn messages_say_what_is_wrong() {
    let original = spec("kp_72x2-24-10").file();
    let error = |bytes: &[u8]| {
        Net::from_bytes(bytes, &Hints::default())
            .expect_err("damaged")
            .to_string()
    };
    assert_eq!(
        error(b""),
        "the file is cut short: header at byte 0 takes 4 bytes, 0 are left"
    );
    assert_eq!(
        error(b"PK\x03\x04rest"),
        "this is no NNUE file: it begins with 04034B50, expected 7AF32F16"
    );
    let mut long = original.clone();
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(
        error(&long),
        "the header is damaged: it announces a description of 4294967295 bytes"
    );
    let cut = error(&original[..original.len() - 1]);
    assert!(cut.starts_with("no known architecture has "), "{cut}");
    assert!(cut.ends_with("its description says K+P 72-24-10"), "{cut}");
    let mut stacked = spec("sfnn_ka2_128-15-32-k3k3").file();
    stacked.pop();
    assert!(error(&stacked).contains("no whole number of known layer stacks"));
}

#[test]
fn a_rule_the_file_does_not_fit_is_refused() {
    let bytes = spec("sfnn_ka2_128-15-32-k3k3").file();
    let with = |rule: &str| Hints {
        rule: Some(rule.parse().expect("a rule")),
        progress: None,
    };
    let error = Net::from_bytes(&bytes, &with("k9k9")).expect_err("81 stacks needed");
    assert_eq!(
        error.to_string(),
        "the file has 9 layer stacks, but the rule k9k9 needs 81"
    );
    let error = Net::from_bytes(&bytes, &with("progress8")).expect_err("no weights");
    assert!(matches!(error, NetError::NoProgress { .. }), "{error}");
    Net::from_bytes(&bytes, &with("k3k3")).expect("nine stacks");
}

/// Plain to compressed and back changes no byte, and both evaluate alike.
#[test]
fn forms_are_converted_without_loss() {
    let compressed = spec("sfnn_ka2_640-7-64-c128_s64x8-k9k9z").file();
    let plain = convert(&compressed, Form::Plain).expect("to plain");
    assert_ne!(plain.len(), compressed.len());
    assert!(convert(&plain, Form::Compressed).expect("to compressed") == compressed);
    assert!(convert(&plain, Form::Plain).expect("plain stays") == plain);
    let (a, b) = (load(&compressed), load(&plain));
    assert_eq!(a.architecture(), b.architecture());
    let position = Position::startpos();
    for kernels in all_kernels() {
        assert_eq!(
            a.evaluate(kernels, &position),
            b.evaluate(kernels, &position)
        );
    }
    let classic = spec("kp_72x2-24-10").file();
    assert!(convert(&classic, Form::Plain).expect("plain stays") == classic);
    assert!(convert(&classic, Form::Compressed).is_err());
}
