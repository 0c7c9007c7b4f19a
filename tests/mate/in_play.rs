//! Mates that a search announces: the line leads to them in as many plies as the score says.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hien::score::Score;
use hien::search::{BestMove, Info, Limits, Listener, SearchOptions, Searcher};
use hien::shogi::{EnteringKingRule, Move, Position};

use crate::collection::problems;
use crate::referee::mates;

/// Keeps the last report.
#[derive(Default)]
struct Last(Mutex<Option<Info>>);

impl Listener for Last {
    fn info(&self, info: &Info) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.clone());
    }

    fn note(&self, text: &str) {
        panic!("{text}");
    }

    fn done(&self, _: BestMove) {}
}

/// The plies to mate by the last report of a search, after a look at its line, and the first move of that.
fn announced(searcher: &Searcher, position: &Position) -> Option<(i32, Move)> {
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let options = SearchOptions {
        entering_king_rule: EnteringKingRule::NoEnteringKing,
        ..SearchOptions::default()
    };
    let last = Arc::new(Last::default());
    searcher.start(position.clone(), limits, options, last.clone());
    searcher.wait();
    let last = last.0.lock().unwrap_or_else(PoisonError::into_inner);
    let info = last.as_ref().expect("a report");
    let Score::Mate(plies) = info.score else {
        return None;
    };
    let sfen = position.sfen();
    assert_eq!(info.pv.len(), plies.unsigned_abs() as usize, "{sfen}");
    assert!(mates(&sfen, &info.pv), "{sfen}: {:?}", info.pv);
    Some((plies, info.pv[0]))
}

#[test]
fn announced_mates_are_shown_to_their_end() {
    let searcher = Searcher::new();
    searcher.configure(1, 16, Duration::MAX);
    let (mut given, mut suffered) = (0, 0);
    // Positions with one king only are no game.
    let mut problems = problems(&["short", "medium"]);
    problems.retain(|problem| problem.sfen.contains('K') && problem.sfen.contains('k'));
    for problem in &problems {
        let mut position = problem.position();
        let Some((plies, first)) = announced(&searcher, &position) else {
            continue;
        };
        assert!(plies > 0, "{}", problem.id);
        given += 1;
        if plies > 1 {
            position.do_move(first);
            suffered += usize::from(announced(&searcher, &position).is_some_and(|(n, _)| n < 0));
        }
    }
    assert!(
        given * 2 > problems.len() && suffered * 4 > given,
        "{given} mates given, {suffered} suffered, of {}",
        problems.len()
    );
}
