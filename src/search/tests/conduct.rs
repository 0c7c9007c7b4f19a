//! How the search behaves: limits, clocks, stops, failures.

use std::collections::BTreeSet;

use super::*;

#[test]
fn one_thread_searches_the_same_tree_again() {
    let searcher = Searcher::new();
    let mut results = Vec::new();
    for _ in 0..2 {
        searcher.clear();
        for sfen in [STARTPOS, MIDDLEGAME] {
            let root = position(sfen, "");
            let (answer, infos) = run_with(&searcher, &root, depth(8), SearchOptions::default());
            let last = infos.last().unwrap();
            results.push((answer, searcher.nodes(), last.score, last.pv.clone()));
            assert_eq!(last.nodes, searcher.nodes());
        }
    }
    assert_eq!(results[..2], results[2..]);
}

#[test]
fn node_limits_are_exact_with_one_thread() {
    let searcher = Searcher::new();
    for limit in [1, 2, 10, 500, 513, 1000, 12_345] {
        let root = position(MIDDLEGAME, "");
        run_with(&searcher, &root, nodes(limit), SearchOptions::default());
        let searched = searcher.nodes();
        assert!(
            searched <= limit + 1 && searched >= limit,
            "{searched} of {limit}"
        );
    }
    searcher.configure(3, 1, Duration::MAX);
    let root = position(MIDDLEGAME, "");
    run_with(&searcher, &root, nodes(20_000), SearchOptions::default());
    let searched = searcher.nodes();
    assert!((20_000..=21_400).contains(&searched), "{searched}");
}

#[test]
fn several_lines_come_in_sorted_blocks() {
    let options = SearchOptions {
        multi_pv: 5,
        ..SearchOptions::default()
    };
    let value = |score: Score| match score {
        Score::Cp(cp) => cp,
        Score::Mate(plies) => plies.signum() * 100_000 - plies,
    };
    for (sfen, limits, lines) in [
        (STARTPOS, depth(6), 5),
        (MIDDLEGAME, nodes(30_000), 5),
        (MATE_IN_1, depth(4), 5),
        (MIDDLEGAME, nodes(3), 5),
        (ONE_MOVE, depth(4), 1),
    ] {
        let (_, infos) = run(&position(sfen, ""), limits, options.clone());
        assert_eq!(infos.len() % lines, 0);
        for block in infos.chunks(lines) {
            for (i, info) in block.iter().enumerate() {
                let number = (lines > 1).then_some(i as u32 + 1);
                assert_eq!((info.multipv, info.depth), (number, block[0].depth));
                assert_eq!(info.bound, Bound::Exact);
            }
            assert!(
                block.is_sorted_by(|a, b| value(a.score) >= value(b.score)),
                "{block:#?}"
            );
            let mut moves: Vec<Move> = block.iter().map(|info| info.pv[0]).collect();
            moves.sort();
            moves.dedup();
            assert_eq!(moves.len(), lines);
        }
    }
}

#[test]
fn a_weak_level_looks_at_little_and_varies_its_moves() {
    let root = position(STARTPOS, "7g7f 3c3d");
    let options = SearchOptions {
        skill_level: 0,
        ..SearchOptions::default()
    };
    let searcher = Searcher::new();
    let mut played = BTreeSet::new();
    for _ in 0..30 {
        let limits = Limits {
            clock: Clock {
                byoyomi_ms: Some(60_000),
                ..Clock::default()
            },
            ..Limits::default()
        };
        let (answer, infos) = run_with(&searcher, &root, limits, options.clone());
        assert!(infos.iter().all(|info| info.multipv.is_none()));
        let most = 40 * u64::from(root.count_legal());
        assert!(searcher.nodes() <= most, "{}", searcher.nodes());
        let BestMove::Move { best, .. } = answer else {
            panic!("{answer:?}");
        };
        played.insert(best.to_string());
    }
    assert!(played.len() >= 4, "{played:?}");

    // Analysis knows no levels.
    let analysis = SearchOptions {
        analysis: true,
        ..options
    };
    run_with(&searcher, &root, nodes(3000), analysis);
    assert!(searcher.nodes() >= 3000);
}

#[test]
fn only_the_moves_asked_for_are_played() {
    let limits = Limits {
        searchmoves: ["1g1f", "9g9f"].map(|mv| mv.parse().unwrap()).to_vec(),
        ..depth(5)
    };
    let (answer, infos) = run(&position(STARTPOS, ""), limits, SearchOptions::default());
    assert!(["1g1f", "9g9f"].contains(&best_move(answer).as_str()));
    assert!(
        infos
            .iter()
            .all(|info| ["1g1f", "9g9f"].contains(&info.pv[0].to_string().as_str()))
    );
}

#[test]
fn stopping_at_any_moment_gives_a_legal_move() {
    let searcher = Searcher::new();
    searcher.configure(2, 1, Duration::MAX);
    for (i, sfen) in [STARTPOS, MIDDLEGAME, MATE_IN_3, ONE_MOVE]
        .iter()
        .cycle()
        .take(40)
        .enumerate()
    {
        let root = position(sfen, "");
        let ear = Arc::new(Ear::default());
        let limits = Limits {
            infinite: true,
            ..Limits::default()
        };
        searcher.start(root.clone(), limits, SearchOptions::default(), ear.clone());
        std::thread::sleep(Duration::from_micros((i * i * 40) as u64));
        assert!(ear.heard.lock().unwrap().answers.is_empty(), "too early");
        assert!(searcher.is_running());
        let asked = Instant::now();
        searcher.stop();
        let answer = ear.answer();
        assert!(
            asked.elapsed() < Duration::from_millis(500),
            "{:?}",
            asked.elapsed()
        );
        check_laws(&root, &ear.infos(), answer);
        assert!(matches!(answer, BestMove::Move { .. }));
        searcher.wait();
        assert!(!searcher.is_running());
    }
}

#[test]
fn infinite_and_pondering_searches_wait_to_be_asked() {
    let searcher = Searcher::new();
    for sfen in [MATE_IN_1, MATED, ONE_MOVE, DECLARABLE] {
        for ponder in [false, true] {
            let ear = Arc::new(Ear::default());
            let limits = Limits {
                infinite: !ponder,
                ponder,
                depth: Some(3),
                ..Limits::default()
            };
            searcher.start(
                position(sfen, ""),
                limits,
                SearchOptions::default(),
                ear.clone(),
            );
            ear.wait_for(|heard| !heard.infos.is_empty());
            std::thread::sleep(Duration::from_millis(60));
            assert!(ear.heard.lock().unwrap().answers.is_empty(), "{sfen}");
            if ponder {
                searcher.ponderhit(None, Instant::now());
            } else {
                searcher.stop();
            }
            ear.answer();
        }
    }
}

#[test]
fn a_ponderhit_starts_the_clock() {
    let searcher = Searcher::new();
    let clock = Clock {
        byoyomi_ms: Some(300),
        ..Clock::default()
    };
    for (before, at_hit) in [(clock, None), (Clock::default(), Some(clock))] {
        within(100, 290, || {
            let ear = Arc::new(Ear::default());
            let limits = Limits {
                ponder: true,
                clock: before,
                ..Limits::default()
            };
            searcher.start(
                position(STARTPOS, ""),
                limits,
                SearchOptions::default(),
                ear.clone(),
            );
            std::thread::sleep(Duration::from_millis(400));
            assert!(ear.heard.lock().unwrap().answers.is_empty());
            let hit = Instant::now();
            searcher.ponderhit(at_hit, hit);
            ear.answer();
            hit.elapsed()
        });
    }
}

#[test]
fn time_is_kept() {
    let searcher = Searcher::new();
    let byoyomi = |ms| Limits {
        clock: Clock {
            byoyomi_ms: Some(ms),
            ..Clock::default()
        },
        ..Limits::default()
    };
    for (limits, least, most) in [
        (
            Limits {
                movetime: Some(200),
                ..Limits::default()
            },
            195,
            240,
        ),
        (byoyomi(100), 50, 100),
        (byoyomi(300), 140, 300),
        (
            Limits {
                clock: Clock {
                    black_ms: Some(0),
                    ..Clock::default()
                },
                ..Limits::default()
            },
            0,
            50,
        ),
        (Limits::default(), 990, 1100),
    ] {
        within(least, most, || {
            let start = Instant::now();
            let limits = Limits {
                start: Some(start),
                ..limits.clone()
            };
            let root = position(STARTPOS, "");
            run_with(&searcher, &root, limits, SearchOptions::default());
            start.elapsed()
        });
    }
}

/// Requires that a search takes some time, in ms. A busy machine may delay it, so not every attempt must be in time.
fn within(least: u128, most: u128, search: impl Fn() -> Duration) {
    let mut attempts = Vec::new();
    while attempts.len() < 10 && attempts.last().is_none_or(|&used| used > most) {
        attempts.push(search().as_millis());
    }
    let in_time = attempts.last().is_some_and(|&used| used <= most);
    assert!(in_time, "{attempts:?} ms, expected {least} to {most}");
    assert!(attempts.iter().all(|&used| used >= least), "{attempts:?}");
}

#[test]
fn an_only_move_and_a_mate_need_no_time() {
    let clock = Clock {
        black_ms: Some(600_000),
        white_ms: Some(600_000),
        byoyomi_ms: Some(10_000),
        ..Clock::default()
    };
    for (sfen, mv) in [(ONE_MOVE, "1a2a"), (MATE_IN_1, "G*5b"), (MATE_IN_3, "4c2c")] {
        within(0, 500, || {
            let start = Instant::now();
            let limits = Limits {
                clock,
                start: Some(start),
                ..Limits::default()
            };
            let (answer, _) = run(&position(sfen, ""), limits, SearchOptions::default());
            assert_eq!(best_move(answer), mv);
            start.elapsed()
        });
    }
}

#[test]
fn hopeless_positions_are_resigned_at_the_second_move() {
    let searcher = Searcher::new();
    let options = SearchOptions {
        resign_value: 2000,
        ..SearchOptions::default()
    };
    let hopeless = position("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1", "");
    let mut answers = Vec::new();
    for sfen in [
        hopeless.sfen().as_str(),
        STARTPOS,
        &hopeless.sfen(),
        &hopeless.sfen(),
    ] {
        let (answer, _) = run_with(&searcher, &position(sfen, ""), depth(2), options.clone());
        answers.push(answer == BestMove::Resign);
    }
    assert_eq!(answers, [false, false, false, true]);
    let (answer, _) = run_with(&searcher, &hopeless, depth(2), SearchOptions::default());
    assert_ne!(answer, BestMove::Resign);
}

#[test]
fn a_new_search_replaces_the_old_one_silently() {
    let searcher = Searcher::new();
    let limits = Limits {
        infinite: true,
        ..Limits::default()
    };
    let abandoned: Vec<_> = (0..5)
        .map(|_| {
            let ear = Arc::new(Ear::default());
            searcher.start(
                position(MIDDLEGAME, ""),
                limits.clone(),
                SearchOptions::default(),
                ear.clone(),
            );
            ear
        })
        .collect();
    let (answer, _) = run_with(
        &searcher,
        &position(STARTPOS, ""),
        depth(3),
        SearchOptions::default(),
    );
    assert!(matches!(answer, BestMove::Move { .. }));
    for ear in abandoned {
        assert!(ear.heard.lock().unwrap().answers.is_empty());
    }
    let ear = Arc::new(Ear::default());
    searcher.start(
        position(STARTPOS, ""),
        limits,
        SearchOptions::default(),
        ear.clone(),
    );
    searcher.abandon();
    searcher.wait();
    assert!(ear.heard.lock().unwrap().answers.is_empty());
    searcher.stop();
    searcher.ponderhit(None, Instant::now());
}

#[test]
fn strange_boards_are_searched_without_harm() {
    for sfen in [
        "8k/9/7+RP/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    ] {
        run(&position(sfen, ""), nodes(5000), SearchOptions::default());
    }
    let mut no_kings = Position::from_sfen_tolerant("9/9/9/9/4P4/9/9/9/9 b RB 1")
        .unwrap()
        .0;
    run(&no_kings, nodes(5000), SearchOptions::default());
    no_kings.do_null_move();
    let (answer, _) = run(&no_kings, nodes(5000), SearchOptions::default());
    assert_eq!(answer, BestMove::Resign);
}

/// A listener that fails at the first line, or at each.
struct Broken {
    ear: Ear,
    always: bool,
    failed: Mutex<bool>,
}

impl Listener for Broken {
    fn info(&self, info: &Info) {
        let fails = self.always || !std::mem::replace(&mut *self.failed.lock().unwrap(), true);
        assert!(!fails, "broken on purpose");
        self.ear.info(info);
    }

    fn note(&self, text: &str) {
        self.ear.note(text);
    }

    fn done(&self, best: BestMove) {
        self.ear.done(best);
    }
}

#[test]
fn a_failing_thread_is_reported_and_a_move_still_comes() {
    let searcher = Searcher::new();
    searcher.configure(2, 1, Duration::MAX);
    for always in [false, true] {
        let root = position(MIDDLEGAME, "");
        let broken = Arc::new(Broken {
            ear: Ear::default(),
            always,
            failed: Mutex::new(false),
        });
        let limits = Limits {
            movetime: Some(50_000),
            ..Limits::default()
        };
        searcher.start(
            root.clone(),
            limits,
            SearchOptions::default(),
            broken.clone(),
        );
        let BestMove::Move { best, .. } = broken.ear.answer() else {
            panic!("no move");
        };
        assert!(root.is_legal(best));
        assert!(!broken.ear.heard.lock().unwrap().notes.is_empty());
        searcher.wait();
    }
    // The threads are as good as new.
    let (answer, _) = run_with(
        &searcher,
        &position(STARTPOS, ""),
        depth(4),
        SearchOptions::default(),
    );
    assert!(matches!(answer, BestMove::Move { .. }));
}
