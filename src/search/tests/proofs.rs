//! Values in the mate range are proofs, and what the table says is never believed blindly.

use super::*;
use crate::eval::Evaluator;
use crate::search::job::{NodeCounter, SearchJob};
use crate::search::root::root_moves;
use crate::search::smp::control::Control;
use crate::search::tt::{TranspositionTable, TtEntry};
use crate::search::worker::{Worker, WorkerState};
use crate::shogi::SplitMix64;

/// Problems, most with a short mate, some without any.
const PROBLEMS: &str = include_str!("../../../tests/data/tsume.jsonl");

/// Whether the side to move can force mate within `plies`, by whatever moves. Nothing is left out.
fn can_mate(position: &mut Position, plies: i32) -> bool {
    let mut moves = position.legal_moves();
    if plies == 1 {
        moves.retain(|mv| position.gives_check(*mv));
    }
    moves.sort_by_key(|&mv| !position.gives_check(mv)); // most mates begin with a check
    moves
        .iter()
        .any(|&mv| after(position, mv, |next| is_mated(next, plies - 1)))
}

/// Whether every move of the side to move allows mate within `plies`, if there is any move.
fn is_mated(position: &mut Position, plies: i32) -> bool {
    let moves = position.legal_moves();
    (plies > 0 || moves.is_empty())
        && moves
            .iter()
            .all(|&mv| after(position, mv, |next| can_mate(next, plies - 1)))
}

fn after(position: &mut Position, mv: Move, ask: impl FnOnce(&mut Position) -> bool) -> bool {
    position.do_move(mv);
    let answer = ask(position);
    position.undo_move();
    answer
}

#[test]
fn claimed_mates_are_true() {
    let searcher = Searcher::new();
    let options = SearchOptions {
        entering_king_rule: EnteringKingRule::NoEnteringKing,
        ..SearchOptions::default()
    };
    let mut verified = 0;
    for line in PROBLEMS.lines().step_by(3) {
        let sfen = line.split("\"sfen\": \"").nth(1).unwrap();
        let sfen = sfen.split('"').next().unwrap();
        let Ok(mut root) = Position::from_sfen(sfen) else {
            continue; // one king only
        };
        searcher.clear();
        let (_, infos) = run_with(&searcher, &root, nodes(3000), options.clone());
        match last_score(&infos) {
            Score::Mate(plies @ 1..=5) => assert!(can_mate(&mut root, plies), "{plies} {sfen}"),
            Score::Mate(plies @ -4..=-1) => assert!(is_mated(&mut root, -plies), "{plies} {sfen}"),
            _ => continue,
        }
        verified += 1;
    }
    assert!(verified > 10, "{verified}");
}

#[test]
fn false_entries_in_the_table_do_no_harm() {
    // What a collision of keys or a torn write could leave: anything.
    let mut numbers = SplitMix64::new(1);
    let mut random = |below: u64| numbers.next_u64() % below;
    for sfen in [STARTPOS, MIDDLEGAME, MATE_IN_3, ONE_MOVE] {
        let root = position(sfen, "");
        let (table, _) = TranspositionTable::new(1);
        let mut lie = |position: &Position| {
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][random(3) as usize];
            let entry = TtEntry {
                mv: Move::from_raw(random(1 << 16) as u16),
                value: random(65_536) as i32 - 32_768,
                eval: Some(random(60_000) as i32 - 30_000),
                depth: random(40) as i32,
                bound: Some(bound),
                pv: random(2) == 0,
            };
            table.store(position.key(), entry);
        };
        let mut position = root.clone();
        for mv in root.legal_moves() {
            position.do_move(mv);
            lie(&position);
            for reply in position.legal_moves() {
                position.do_move(reply);
                lie(&position);
                position.undo_move();
            }
            position.undo_move();
        }
        lie(&root);
        let limits = nodes(30_000);
        let job = SearchJob {
            root_moves: root_moves(&root, &limits),
            unpromoted: Vec::new(),
            root: root.clone(),
            start: Instant::now(),
            limits,
            options: SearchOptions::default(),
            level: None,
            control: Arc::new(Control::default()),
            tt: Arc::new(table),
            evaluator: Evaluator::material(),
            listener: Arc::new(Ear::default()),
            counters: Arc::new([NodeCounter::default()]),
            clock_estimate: None,
            answer_lag: Duration::ZERO,
            previous_value: None,
        };
        let outcome = Worker::new(&job, 0, &mut WorkerState::new()).run();
        assert!(outcome.completed > 0);
        for root_move in &outcome.root_moves {
            assert!(root.is_legal(root_move.mv));
            assert_eq!(root_move.line.first(), Some(&root_move.mv));
        }
    }
}
