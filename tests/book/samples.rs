//! Small books with the answers observed in YaneuraOu.

use hien::book::{BookMove, BookOptions, Miss};

use super::{Folder, answers, open, position, sample, yaneuraou};

const START: &str = "";
const START_AT_7: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7";
const START_FOR_WHITE: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

fn assert_answers(text: &str, options: &BookOptions, expected: &[&str]) {
    assert_eq!(
        answers(text, options).unwrap(),
        expected,
        "'{text}' with {options:?}"
    );
}

/// The book's answer at the start, the same every time.
fn probe(options: &BookOptions, others: usize) -> BookMove {
    let mut book = open(options);
    book.seed(0);
    book.probe(&position(START), options, others).unwrap()
}

fn filtered(text: &str, options: &BookOptions) -> &'static str {
    match answers(text, options) {
        Err(Miss::Filtered { filter, .. }) => filter.option(),
        other => panic!("'{text}' with {options:?}: {other:?}"),
    }
}

#[test]
fn the_filters_act_like_those_of_yaneuraou() {
    let options = yaneuraou("a.db");
    assert_answers(START, &options, &["2g2f/8c8d", "7g7f/3c3d"]);
    let with = |change: fn(&mut BookOptions)| {
        let mut changed = options.clone();
        change(&mut changed);
        changed
    };
    assert_answers(START, &with(|o| o.eval_diff = 0), &["7g7f/3c3d"]);
    assert_answers(
        START,
        &with(|o| o.depth_limit = 24),
        &["2g2f/8c8d", "7g7f/3c3d"],
    );
    assert_eq!(
        filtered(START, &with(|o| o.depth_limit = 30)),
        "BookDepthLimit"
    );
    assert_answers(
        START,
        &with(|o| (o.eval_diff, o.eval_black_limit) = (1000, 39)),
        &["7g7f/3c3d"],
    );
    let wide = with(|o| (o.eval_diff, o.eval_black_limit) = (1000, -1000));
    assert_answers(START, &wide, &["2g2f/8c8d", "5g5f", "7g7f/3c3d"]);
    let narrow = BookOptions {
        narrow: true,
        ..wide
    };
    assert_answers(START, &narrow, &["2g2f/8c8d", "7g7f/3c3d"]);
    assert_eq!(
        answers(START, &with(|o| o.moves = 0)),
        Err(Miss::TooLate(0))
    );
    assert_eq!(
        filtered("7g7f", &with(|o| o.eval_white_limit = -30)),
        "BookEvalWhiteLimit"
    );
}

#[test]
fn counts_are_odds_if_they_are_to_be_considered() {
    let options = BookOptions {
        consider_count: true,
        ..yaneuraou("a.db")
    };
    let mut book = open(&options);
    book.seed(1);
    let tries = 9500;
    let hits = (0..tries)
        .filter(|_| {
            let answer = book.probe(&position(START), &options, 0).unwrap();
            answer.chosen.candidate.mv.to_string() == "7g7f"
        })
        .count();
    // 70 of 95; the standard deviation is 42.
    assert!((6750..=7250).contains(&hits), "{hits} of {tries}");
}

#[test]
fn positions_are_found_by_ply_and_turned_round() {
    for on_the_fly in [false, true] {
        let options = BookOptions {
            on_the_fly,
            ..yaneuraou("a.db")
        };
        assert_eq!(answers(START_AT_7, &options), Err(Miss::OtherPly(vec![1])));
        let any_ply = BookOptions {
            ignore_ply: true,
            ..options.clone()
        };
        assert_answers(START_AT_7, &any_ply, &["2g2f/8c8d", "7g7f/3c3d"]);
        assert_answers("7g7f", &options, &["3c3d/2g2f", "8c8d/2g2f"]);
        assert_answers("7g7f 3c3d", &options, &["2g2f/4c4d"]);
        assert_eq!(answers("7g7f 8c8d", &options), Err(Miss::Unknown));
        assert_answers(START_FOR_WHITE, &options, &["3c3d/7g7f", "8c8d/2g2f"]);
        let as_it_is = BookOptions {
            flipped: false,
            ..options
        };
        assert_eq!(answers(START_FOR_WHITE, &as_it_is), Err(Miss::Unknown));
    }
}

#[test]
fn one_position_may_stand_at_two_plies() {
    for on_the_fly in [false, true] {
        let options = BookOptions {
            on_the_fly,
            ..yaneuraou("two-plies.db")
        };
        let at = |ply: u32| START_AT_7.replace(" 7", &format!(" {ply}"));
        assert_answers(&at(1), &options, &["7g7f/3c3d"]);
        assert_answers(&at(5), &options, &["2g2f/3c3d"]);
        assert_eq!(answers(&at(3), &options), Err(Miss::OtherPly(vec![1, 5])));
        let any_ply = BookOptions {
            ignore_ply: true,
            ..options
        };
        assert_answers(&at(3), &any_ply, &["2g2f/3c3d", "7g7f/3c3d"]);
    }
}

#[test]
fn binary_books_are_read() {
    for on_the_fly in [false, true] {
        let options = BookOptions {
            on_the_fly,
            ..yaneuraou("s.ybb")
        };
        assert_answers(START, &options, &["2g2f", "7g7f"]);
        assert_eq!(answers(START_AT_7, &options), Err(Miss::OtherPly(vec![1])));
        assert_answers(START_FOR_WHITE, &options, &["3c3d", "8c8d"]);
    }
}

#[test]
fn books_of_shogigui_are_read() {
    use rsshogi::book::{
        BookCandidate, BookDatabase, BookDatabaseEntry, BookPosition, SbkWriteOptions,
    };
    use rsshogi::types::Move;

    let entry = |sfen: &str, moves: &[(&str, i32)]| {
        let candidate = |&(mv, weight): &(&str, i32)| {
            let mv = Move::from_usi(mv).unwrap();
            BookCandidate::new(mv, None, None, None, Some(weight), None, Default::default())
        };
        let moves = moves.iter().map(candidate).collect();
        BookDatabaseEntry::new(
            BookPosition::from_sfen(sfen, None).unwrap(),
            moves,
            Default::default(),
        )
    };
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let start = START_AT_7.replace(" 7", " 1");
    let entries = vec![
        entry(&start, &[("7g7f", 30), ("2g2f", 10)]),
        entry(after, &[("3c3d", 5)]),
    ];
    let database = BookDatabase::try_from_entries(entries).unwrap();
    let folder = Folder::new("book-sbk");
    let path = folder.write(
        "book.sbk",
        database.to_sbk_bytes(&SbkWriteOptions::new()).unwrap(),
    );
    let options = BookOptions {
        file: path,
        ..BookOptions::default()
    };
    let answer = probe(&options, 0);
    assert_eq!(answer.selection.to_string(), "7g7f 75% 2g2f 25%");
    assert_answers("7g7f", &options, &["3c3d"]);
}

#[test]
fn the_defaults_switch_no_ordinary_book_off() {
    let options = BookOptions {
        file: sample("a.db").display().to_string(),
        ..BookOptions::default()
    };
    assert_answers(START_AT_7, &options, &["2g2f/8c8d", "7g7f/3c3d"]);
}

#[test]
fn lines_follow_the_book() {
    let mut options = BookOptions {
        eval_diff: 0,
        ..yaneuraou("a.db")
    };
    let mut line = |pv_moves: usize| {
        options.pv_moves = pv_moves;
        let answer = probe(&options, 0);
        let pv: Vec<_> = answer.chosen.pv.iter().map(ToString::to_string).collect();
        pv.join(" ")
    };
    assert_eq!(line(8), "7g7f 3c3d 2g2f 4c4d");
    assert_eq!(line(2), "7g7f 3c3d");
    assert_eq!(line(1), "7g7f");
}

#[test]
fn other_moves_are_given_as_far_as_asked_for() {
    let options = yaneuraou("a.db");
    let others = |count: usize| {
        let answer = probe(&options, count);
        let moves = answer
            .others
            .iter()
            .map(|line| line.candidate.mv.to_string());
        let mut moves: Vec<_> = moves.collect();
        moves.push(answer.chosen.candidate.mv.to_string());
        moves.sort_unstable();
        moves
    };
    assert_eq!(others(9), ["2g2f", "5g5f", "7g7f"]);
    assert_eq!(others(1), ["2g2f", "7g7f"]);
}

#[test]
fn remarks_tell_shares_and_filters() {
    let options = yaneuraou("a.db");
    let answer = probe(&options, 0);
    assert_eq!(
        answer.selection.to_string(),
        "7g7f 70% 2g2f 25% 5g5f 5%, BookEvalDiff 30 leaves 2 of 3"
    );
    let all = BookOptions {
        ignore_rate: 100,
        ..options
    };
    assert_eq!(answers(START, &all), Err(Miss::Skipped));
}
