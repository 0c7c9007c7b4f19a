//! Every case of the collection that speaks about the rules (the `usi` scripts are run by the other binary).

use std::collections::BTreeSet;

use hien::shogi::perft::{divide, perft};
use hien::shogi::{
    Cycle, Declaration, EnteringKingRule, Move, MoveList, Position, Promotions, Repetition,
    SfenError,
};
use rayon::prelude::*;

use crate::common::cases::{self, Case, texts};
use crate::common::slow::Board;
use crate::mate;

/// The kinds handled here; together with `usi` they must be all there are.
const BOARD_KINDS: [&str; 6] = [
    "drop",
    "promotion",
    "evasion",
    "extreme",
    "repetition",
    "declaration",
];

#[test]
fn the_collection_is_complete() {
    assert_eq!(cases::all().count(), 248);
    let handled: usize = Case::of_kinds(&BOARD_KINDS).len()
        + Case::of_kinds(&["sfen"]).len()
        + Case::of_kinds(&["mate"]).len()
        + Case::of_kinds(&["perft"]).len()
        + Case::of_kinds(&["usi"]).len();
    assert_eq!(handled, 248, "a kind of case that no test reads");
    let ids: BTreeSet<_> = cases::all().map(|case| case.id().to_owned()).collect();
    assert_eq!(ids.len(), 248, "two cases share an id");
}

/// The position a case speaks about, reached through the strict interface.
fn reached(case: &Case) -> Position {
    let id = case.id();
    let mut pos = Position::from_sfen(case.sfen()).unwrap_or_else(|e| panic!("{id}: {e}"));
    for text in case.field("moves").map(texts).unwrap_or_default() {
        let mv: Move = text
            .parse()
            .unwrap_or_else(|_| panic!("{id}: {text} is a move"));
        pos.try_move(mv)
            .unwrap_or_else(|e| panic!("{id}: {text}: {e}"));
    }
    pos
}

fn sorted_texts(pos: &Position) -> Vec<String> {
    let mut moves: Vec<_> = pos.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

#[test]
fn positions_moves_and_checks() {
    let mut fields = 0;
    for case in Case::of_kinds(&BOARD_KINDS) {
        let id = case.id();
        let mut pos = reached(&case);
        let slow = Board::from_sfen(&pos.sfen());
        let legal = sorted_texts(&pos);
        assert_eq!(
            legal,
            slow.legal_moves(),
            "{id}: the slow generator disagrees"
        );
        assert_eq!(pos.count_legal() as usize, legal.len(), "{id}");
        assert_eq!(pos.checkers().count() as usize, slow.checkers(), "{id}");
        if let Some(expected) = case.text("sfen_after") {
            assert_eq!(pos.sfen(), expected, "{id}");
            fields += 1;
        }
        if let Some(expected) = case.field("in_check") {
            assert_eq!(pos.in_check(), expected.as_bool().unwrap(), "{id}");
            fields += 1;
        }
        if let Some(expected) = case.field("checkers") {
            assert_eq!(
                u64::from(pos.checkers().count()),
                expected.as_u64().unwrap(),
                "{id}"
            );
            fields += 1;
        }
        if let Some(expected) = case.field("legal_count") {
            assert_eq!(legal.len() as u64, expected.as_u64().unwrap(), "{id}");
            fields += 1;
        }
        if let Some(expected) = case.field("legal_moves").map(texts) {
            assert_eq!(legal, expected, "{id}");
            fields += 1;
        }
        for text in case.field("legal_includes").map(texts).unwrap_or_default() {
            let mv: Move = text
                .parse()
                .unwrap_or_else(|_| panic!("{id}: {text} is a move"));
            assert!(
                legal.iter().any(|m| m == text) && pos.is_legal(mv),
                "{id}: {text} is legal"
            );
            pos.try_move(mv)
                .unwrap_or_else(|e| panic!("{id}: {text}: {e}"));
            pos.undo_move();
            fields += 1;
        }
        for text in case.field("legal_excludes").map(texts).unwrap_or_default() {
            fields += 1;
            refuses(&mut pos, id, text, &legal);
        }
    }
    assert!(fields > 500, "only {fields} fields were compared");
}

/// A move that must not be possible; some of them cannot even be written down as a move.
fn refuses(pos: &mut Position, id: &str, text: &str, legal: &[String]) {
    assert!(
        !legal.iter().any(|m| m == text),
        "{id}: {text} is not legal"
    );
    if let Ok(mv) = text.parse::<Move>() {
        let before = (pos.sfen(), pos.key());
        assert!(!pos.is_legal(mv), "{id}: {text} is not legal");
        assert!(pos.try_move(mv).is_err(), "{id}: {text} is refused");
        assert_eq!(
            (pos.sfen(), pos.key()),
            before,
            "{id}: a refused move changes nothing"
        );
    }
}

fn verdict_name(verdict: Repetition) -> &'static str {
    match verdict {
        Repetition::None => "none",
        Repetition::Draw => "draw",
        Repetition::Win => "win",
        Repetition::Lose => "lose",
    }
}

fn cycle_name(cycle: Option<Cycle>) -> &'static str {
    match cycle {
        None => "none",
        Some(Cycle::Draw) => "draw",
        Some(Cycle::Win) => "win",
        Some(Cycle::Lose) => "lose",
        Some(Cycle::Superior) => "superior",
        Some(Cycle::Inferior) => "inferior",
    }
}

#[test]
fn repetitions() {
    for case in Case::of_kinds(&["repetition"]) {
        let id = case.id();
        let expected = case.field("repetition").unwrap_or_else(|| panic!("{id}"));
        let text = |name: &str| {
            expected[name]
                .as_str()
                .unwrap_or_else(|| panic!("{id}: {name}"))
        };

        // Occurrences are counted by key from a replay, which tests that equal positions have equal keys.
        let moves = texts(case.field("moves").unwrap());
        let mut pos = Position::from_sfen(case.sfen()).unwrap();
        let mut keys = vec![pos.key()];
        for text in &moves {
            pos.try_move(text.parse().unwrap()).unwrap();
            keys.push(pos.key());
        }
        let occurrences = keys.iter().filter(|&&key| key == pos.key()).count();
        assert_eq!(
            occurrences as u64,
            expected["occurrences"].as_u64().unwrap(),
            "{id}"
        );

        assert_eq!(
            verdict_name(pos.repetition()),
            text("verdict"),
            "{id}: fourfold rule"
        );
        assert_eq!(pos.game_len(), moves.len(), "{id}");
        assert_eq!(pos.occurrences(), occurrences, "{id}");
        let whole_game = pos.game_len();
        let last = pos.last_cycle(whole_game).map(|(_, cycle)| cycle);
        assert_eq!(cycle_name(last), text("last_cycle"), "{id}: last cycle");
        let in_tree = pos.search_repetition(whole_game + 1, whole_game);
        assert_eq!(in_tree, last, "{id}: the whole game in the tree");
        // With the root here, only the fourfold rule counts.
        let at_root = pos.search_repetition(0, whole_game);
        assert_eq!(
            cycle_name(at_root),
            text("verdict"),
            "{id}: nothing but the real rule at the root"
        );
    }
}

#[test]
fn declarations() {
    for case in Case::of_kinds(&["declaration"]) {
        let id = case.id();
        let pos = reached(&case);
        let rules = case
            .field("declaration")
            .and_then(|rules| rules.as_object())
            .unwrap();
        for (name, verdict) in rules {
            let rule: EnteringKingRule = name.parse().unwrap_or_else(|_| panic!("{id}: {name}"));
            assert_eq!(rule.to_string(), *name, "{id}");
            let found = match pos.declaration(rule) {
                Declaration::None => "none",
                Declaration::Win => "win",
                Declaration::Draw => "draw",
            };
            assert_eq!(found, verdict.as_str().unwrap(), "{id}: {name}");
            if name == "TryRule" {
                assert_eq!(pos.try_rule_move().is_some(), found == "win", "{id}");
                assert!(
                    pos.try_rule_move().is_none_or(|mv| pos.is_legal(mv)),
                    "{id}"
                );
            }
        }
        assert_eq!(
            pos.declaration(EnteringKingRule::NoEnteringKing),
            Declaration::None,
            "{id}"
        );
        let count = Board::from_sfen(&pos.sfen()).camp();
        assert_eq!(count.points, pos.declaration_points(), "{id}");
        assert_eq!(
            (count.pieces, count.king),
            (pos.pieces_in_zone(), pos.is_king_in_zone()),
            "{id}"
        );
        assert_eq!(
            u64::from(count.points),
            case.field("points").unwrap().as_u64().unwrap(),
            "{id}"
        );
        let pieces = case.field("pieces_in_zone").unwrap().as_u64().unwrap();
        assert_eq!(u64::from(count.pieces), pieces, "{id}");
        assert_eq!(
            count.king,
            case.field("king_in_zone").unwrap().as_bool().unwrap(),
            "{id}"
        );
    }
}

/// Whether the error of the strict reading is the one that the collection names.
fn is_reason(error: &SfenError, reason: &str) -> bool {
    match error {
        SfenError::MoveNumber => reason == "move number",
        SfenError::MissingSide | SfenError::MissingHands => reason == "field count",
        SfenError::UnknownSide => reason == "side",
        SfenError::StrayPlus => ["dangling +", "double +", "promoted gold/king"].contains(&reason),
        SfenError::SquareCount(_) => ["rank sum", "rank too long"].contains(&reason),
        SfenError::RankCount(_) => reason == "rank count",
        SfenError::TooMany { letter, .. } => reason == format!("too many {letter}"),
        SfenError::TwoKings => reason == "two kings",
        SfenError::NoKing => reason == "no king",
        SfenError::KingInHand | SfenError::MalformedHands => reason == "hand syntax",
        SfenError::OpponentInCheck => reason == "side not to move in check",
        SfenError::DeadPiece(_) => reason == "dead square",
        SfenError::TwoPawns(_) => reason == "nifu",
        SfenError::UnknownPiece(letter) => reason == format!("bad char {letter}"),
    }
}

#[test]
fn sfen_readings() {
    for case in Case::of_kinds(&["sfen"]) {
        let id = case.id();
        let strict = Position::from_sfen(case.sfen());
        match case.text("sfen_verdict").unwrap() {
            "accept" => {
                let pos = strict.unwrap_or_else(|e| panic!("{id}: {e}"));
                let canonical = case.text("canonical").unwrap();
                assert_eq!(pos.sfen(), canonical, "{id}");
                let again = Position::from_sfen(canonical).unwrap();
                assert_eq!((again.sfen(), again.key()), (pos.sfen(), pos.key()), "{id}");
                let count = case.field("legal_count").unwrap().as_u64().unwrap();
                assert_eq!(u64::from(pos.count_legal()), count, "{id}");
                assert_eq!(pos.legal_moves().len() as u64, count, "{id}");
            }
            _ => {
                let error = strict.map(|pos| pos.sfen()).expect_err(id);
                let reason = case.text("reason").unwrap();
                assert!(
                    is_reason(&error, reason),
                    "{id}: {error}, but the reason is {reason}"
                );
            }
        }
        let tolerant = Position::from_sfen_tolerant(case.sfen());
        let accepted = case.text("usi_verdict").unwrap() == "accept";
        match tolerant {
            Ok((pos, _)) => {
                assert!(
                    accepted,
                    "{id}: the tolerant reading refuses this, but it read {}",
                    pos.sfen()
                );
                assert_eq!(pos.legal_moves().len(), pos.count_legal() as usize, "{id}");
            }
            Err(e) => {
                assert!(
                    !accepted,
                    "{id}: the tolerant reading accepts this, but: {e}"
                );
                assert!(
                    !e.to_string().is_empty() && e.to_string().is_ascii(),
                    "{id}"
                );
            }
        }
    }
}

#[test]
fn mates() {
    let cases = Case::of_kinds(&["mate"]);
    let solved: usize = cases
        .par_iter()
        .map(|case| {
            let id = case.id();
            let mut pos = reached(case);
            for text in case.field("legal_excludes").map(texts).unwrap_or_default() {
                let legal = sorted_texts(&pos);
                refuses(&mut pos, id, text, &legal);
            }
            if let Some(plies) = case.field("mate_in") {
                let plies = plies.as_u64().unwrap() as usize;
                let mut expected = texts(case.field("mate_first").unwrap());
                expected.sort_unstable();
                if plies > 1 {
                    assert_eq!(
                        mate::first_moves(&mut pos, plies - 2),
                        [""; 0],
                        "{id}: no shorter mate"
                    );
                }
                assert_eq!(
                    mate::first_moves(&mut pos, plies),
                    expected,
                    "{id}: mate in {plies}"
                );
                if let Some(fewer) = case.field("mate_at_most_with_quiet_moves") {
                    let fewer = fewer.as_u64().unwrap() as usize;
                    assert!(
                        mate::is_mate_with_quiet_move(&mut pos, fewer),
                        "{id}: mate in {fewer}"
                    );
                }
            } else if let Some(plies) = case.field("no_mate_within") {
                let plies = plies.as_u64().unwrap() as usize;
                assert_eq!(
                    mate::first_moves(&mut pos, plies),
                    [""; 0],
                    "{id}: no mate in {plies}"
                );
            } else {
                assert!(case.field("no_mate").unwrap().as_bool().unwrap(), "{id}");
                assert_eq!(
                    mate::has_refuge(&mut pos),
                    Some(true),
                    "{id}: no mate by checks"
                );
            }
            1
        })
        .sum();
    assert_eq!(solved, cases.len());
}

/// Largest perft of the collection that is counted one by one.
const NODE_LIMIT: u64 = 20_000_000;

#[test]
fn perft_counts() {
    let jobs: Vec<_> = Case::of_kinds(&["perft"])
        .into_iter()
        .flat_map(|case| {
            let depths = case
                .field("perft")
                .and_then(|d| d.as_object())
                .unwrap()
                .clone();
            depths.into_iter().map(move |(depth, nodes)| {
                let depth: u32 = depth.parse().unwrap();
                (
                    case.id().to_owned(),
                    case.sfen().to_owned(),
                    depth,
                    nodes.as_u64().unwrap(),
                )
            })
        })
        .collect();
    let done: u64 = jobs
        .par_iter()
        .filter(|&&(_, _, _, nodes)| nodes <= NODE_LIMIT)
        .map(|(id, sfen, depth, nodes)| {
            let mut pos = Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{id}: {e}"));
            let before = (pos.sfen(), pos.key());
            assert_eq!(perft(&mut pos, *depth), *nodes, "{id}: depth {depth}");
            assert_eq!((pos.sfen(), pos.key()), before, "{id}");
            let divided = divide(&mut pos, *depth);
            assert_eq!(
                divided.iter().map(|(_, n)| n).sum::<u64>(),
                *nodes,
                "{id}: depth {depth}, divided"
            );
            if *nodes < NODE_LIMIT / 10 {
                assert_eq!(
                    one_by_one(&mut pos, *depth),
                    *nodes,
                    "{id}: depth {depth}, listed"
                );
            }
            *nodes
        })
        .sum();
    assert!(done > 100_000_000, "only {done} nodes were counted");
}

/// Perft without any counting short cut, and through the staged generators.
fn one_by_one(pos: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    if pos.in_check() {
        pos.evasions(&mut moves, Promotions::All);
    } else {
        pos.captures(&mut moves, Promotions::All);
        pos.quiets(&mut moves, Promotions::All);
    }
    let mut nodes = 0;
    for mv in moves {
        pos.do_move(mv);
        nodes += one_by_one(pos, depth - 1);
        pos.undo_move();
    }
    nodes
}
