//! The legal moves of hundreds of thousands of positions, against `rsshogi` and against the slow generator. Of millions
//! by `cargo test --release --test rules -- --ignored --nocapture differential`.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::common::random::Random;
use crate::common::slow::Board;
use crate::laws;
use crate::positions::{self, Flavour};
use crate::walk::{Walk, difference, sorted_bits};

/// Longest random game.
const MAX_PLIES: usize = 250;

/// What `rsshogi` says of a position, and the laws that hold in any; returns the legal moves as sorted bits.
fn compare_with_referee(walk: &mut Walk, seed: u64) -> Vec<u16> {
    let expected = walk.referee_moves();
    let in_check = walk.referee.is_in_check();
    let Walk { pos, line, .. } = walk;
    let context = || format!("seed {seed}, {line}");
    let found = sorted_bits(&pos.legal_moves(), context);
    assert!(
        found == expected,
        "{}: {}",
        difference(&found, &expected),
        context()
    );
    assert_eq!(pos.in_check(), in_check, "{}", context());
    laws::cheap(pos, &found, context);
    found
}

/// Plays one random game and compares at each position; returns the number of positions.
fn game(root: &str, seed: u64, law_every: usize) -> usize {
    let mut random = Random::new(seed);
    let mut walk = Walk::from(root);
    let mut positions = 0;
    for ply in 0..MAX_PLIES {
        let found = compare_with_referee(&mut walk, seed);
        if (ply + seed as usize).is_multiple_of(law_every) {
            laws::thorough(&mut walk.pos, &found, || {
                format!("seed {seed}, {}", walk.line)
            });
        }
        positions += 1;
        let Some(mv) = walk.choose(&mut random) else {
            break;
        };
        walk.play(mv);
    }
    laws::whole_game(&mut walk.pos, root, || {
        format!("seed {seed}, {}", walk.line)
    });
    positions
}

/// Games from all `roots` in turn until `target` positions have been compared.
fn compare(roots: &[String], target: usize, seed: u64, law_every: usize) {
    let mut positions = 0;
    let mut round = 0;
    while positions < target {
        positions += (0..roots.len().max(64))
            .into_par_iter()
            .map(|i| {
                game(
                    &roots[i % roots.len()],
                    seed + (round * 10_000 + i) as u64,
                    law_every,
                )
            })
            .sum::<usize>();
        round += 1;
    }
    println!("{positions} positions compared");
}

fn games_from_starts(target: usize) {
    let roots: Vec<_> = positions::STARTS
        .iter()
        .map(|&sfen| sfen.to_owned())
        .collect();
    compare(&roots, target, 1_000_000, 250);
}

fn games_from_cases(target: usize) {
    compare(&positions::from_cases(), target, 2_000_000, 250);
}

/// From about a hundredth as many boards as positions are wanted.
fn games_from_sketches(target: usize) {
    let mut random = Random::new(3);
    let roots: Vec<_> = (0..target / 100)
        .map(|i| positions::made_up(&mut random, Flavour::ALL[i % Flavour::ALL.len()]))
        .collect();
    compare(&roots, target, 3_000_000, 250);
}

#[test]
fn games_from_the_start_positions() {
    games_from_starts(100_000);
}

#[test]
fn games_from_the_case_positions() {
    games_from_cases(80_000);
}

#[test]
fn games_from_made_up_positions() {
    games_from_sketches(80_000);
}

#[test]
#[ignore = "some minutes"]
fn two_million_positions_of_games() {
    games_from_starts(1_000_000);
    games_from_cases(500_000);
    games_from_sketches(500_000);
}

/// What the made-up positions below must have contained, so that the comparison means something.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    checks: usize,
    several_checkers: usize,
    one_king: usize,
    no_moves: usize,
    pawn_drop_mates: usize,
    more_than_300_moves: usize,
}

impl std::iter::Sum for Seen {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            positions: a.positions + b.positions,
            checks: a.checks + b.checks,
            several_checkers: a.several_checkers + b.several_checkers,
            one_king: a.one_king + b.one_king,
            no_moves: a.no_moves + b.no_moves,
            pawn_drop_mates: a.pawn_drop_mates + b.pawn_drop_mates,
            more_than_300_moves: a.more_than_300_moves + b.more_than_300_moves,
        })
    }
}

fn compare_with_slow(walk: &Walk, context: impl Fn() -> String) -> Seen {
    let board = Board::from_sfen(&walk.pos.sfen());
    let found: BTreeSet<_> = walk
        .pos
        .legal_moves()
        .iter()
        .map(|mv| mv.to_string())
        .collect();
    let expected: BTreeSet<_> = board.legal_moves().into_iter().collect();
    assert!(
        found == expected,
        "too many: {:?}, missing: {:?}: {}",
        found.difference(&expected),
        expected.difference(&found),
        context()
    );
    for mv in walk.pos.legal_moves() {
        assert_eq!(
            walk.pos.gives_check(mv),
            board.gives_check(&mv.to_string()),
            "{mv}: {}",
            context()
        );
    }
    assert_eq!(
        walk.pos.checkers().count() as usize,
        board.checkers(),
        "{}",
        context()
    );
    for rule in [
        "NoEnteringKing",
        "CSARule24",
        "CSARule24H",
        "CSARule27",
        "CSARule27H",
        "TryRule",
    ] {
        let found =
            format!("{:?}", walk.pos.declaration(rule.parse().unwrap())).to_ascii_lowercase();
        assert_eq!(found, board.declaration(rule), "{rule}: {}", context());
    }
    Seen {
        positions: 1,
        checks: usize::from(board.checkers() > 0),
        several_checkers: usize::from(board.checkers() > 1),
        one_king: usize::from(board.kings() == 1),
        no_moves: usize::from(expected.is_empty()),
        pawn_drop_mates: board.pawn_drop_mates(),
        more_than_300_moves: usize::from(expected.len() > 300),
    }
}

/// Made-up positions and a few plies from each, against both referees.
fn odd_positions(games: u64) -> Seen {
    let seen: Seen = (0..games)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random::new(seed);
            let flavour = Flavour::ALL[seed as usize % Flavour::ALL.len()];
            let mut walk = Walk::from(&positions::made_up(&mut random, flavour));
            let mut seen = Seen::default();
            for _ in 0..4 {
                compare_with_referee(&mut walk, seed);
                let here = compare_with_slow(&walk, || format!("seed {seed}, {}", walk.line));
                seen = [seen, here].into_iter().sum();
                let Some(mv) = walk.choose(&mut random) else {
                    break;
                };
                walk.play(mv);
            }
            seen
        })
        .sum();
    println!("{seen:?}");
    seen
}

#[test]
fn slow_generator_on_odd_positions() {
    let seen = odd_positions(2500);
    assert!(seen.checks > 500 && seen.several_checkers > 30 && seen.one_king > 300);
    assert!(seen.no_moves > 20 && seen.pawn_drop_mates > 100 && seen.more_than_300_moves > 50);
}

#[test]
#[ignore = "some minutes"]
fn two_hundred_thousand_odd_positions() {
    assert!(odd_positions(52_000).positions > 200_000);
}

/// Ordinary games too, every tenth ply.
#[test]
fn slow_generator_on_ordinary_games() {
    (0..60u64).into_par_iter().for_each(|seed| {
        let mut random = Random::new(seed);
        let mut walk = Walk::from(positions::STARTS[seed as usize % positions::STARTS.len()]);
        for ply in 0..MAX_PLIES {
            if ply % 10 == 0 {
                compare_with_slow(&walk, || format!("seed {seed}, {}", walk.line));
            }
            let Some(mv) = walk.choose(&mut random) else {
                break;
            };
            walk.play(mv);
        }
    });
}
