//! Single games: legal, reproducible, with the right results.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use hien::data::Outcome;
use hien::eval::Evaluator;
use hien::selfplay::{Choice, Game, Openings, Player, Reason, Settings, Streak};
use hien::shogi::{Color, Move, Position};

use super::settings;

fn games(settings: &Settings, starts: &[Position], count: u64) -> Vec<Game> {
    let mut player = Player::new(settings, starts, Evaluator::material());
    let mut play = |number| player.play(number, &AtomicBool::new(false));
    (0..count)
        .map(|number| play(number).expect("played to its end"))
        .collect()
}

/// The positions of a game's records.
fn positions(game: &Game) -> Vec<Position> {
    let records = game.records.iter();
    records
        .map(|record| record.position().expect("a legal position"))
        .collect()
}

#[test]
fn a_game_depends_on_its_number_only() {
    let all = games(&settings(), &[], 4);
    let evaluator = Evaluator::material();
    let third = Player::new(&settings(), &[], evaluator).play(2, &AtomicBool::new(false));
    assert_eq!(third.as_ref(), Some(&all[2]));
    assert_ne!(all[0], all[1]);
}

#[test]
fn a_stopped_game_is_none() {
    let mut player_settings = settings();
    player_settings.openings.imbalance = i32::MAX;
    let mut player = Player::new(&player_settings, &[], Evaluator::material());
    assert_eq!(player.play(0, &AtomicBool::new(true)), None);
}

/// The recorded moves are legal and lead from record to record, except over random moves and decided scores; every
/// record has the game's result as its player sees it.
#[test]
fn records_are_games() {
    let (mut consecutive, mut all) = (0, 0);
    for game in games(&settings(), &[], 12) {
        let Some(end) = game.end else {
            assert!(game.records.is_empty());
            continue;
        };
        let positions = positions(&game);
        for (i, (record, position)) in game.records.iter().zip(&positions).enumerate() {
            let best: Move = record.label.best.expect("a move");
            let mut next = position.clone();
            next.try_move(best).expect("a legal move");
            let expected = match end.winner {
                None => Outcome::Draw,
                Some(winner) if winner == position.side_to_move() => Outcome::Win,
                Some(_) => Outcome::Loss,
            };
            assert_eq!(record.label.outcome, Some(expected));
            let is_black = position.side_to_move() == Color::Black;
            assert_eq!(record.label.ply % 2 == 1, is_black);
            if let Some(later) = game.records.get(i + 1) {
                assert!(later.label.ply > record.label.ply);
                consecutive += u32::from(positions[i + 1].key() == next.key());
            }
            all += 1;
        }
    }
    assert!(consecutive > all * 8 / 10, "{consecutive} of {all}");
}

#[test]
fn those_who_resign_are_behind() {
    let mut resigned = 0;
    for game in games(&settings(), &[], 20) {
        if game
            .end
            .is_some_and(|end| end.reason == Reason::Resignation)
        {
            resigned += 1;
            let last = &game.records[game.records.len() - 6..];
            for record in last {
                let is_ahead = record.label.score >= 3000;
                assert!(is_ahead || record.label.score <= -3000);
                assert_eq!(is_ahead, record.label.outcome == Some(Outcome::Win));
            }
        }
    }
    assert!(resigned > 0);
}

/// Without resignation games go on up to a proved mate, a repetition, or the last move.
#[test]
fn games_end_without_resignation() {
    let mut settings = settings();
    settings.adjudication.resign = Streak { score: 0, plies: 0 };
    settings.adjudication.max_ply = 90;
    let reasons: Vec<_> = games(&settings, &[], 12)
        .iter()
        .filter_map(|game| {
            let last = game.records.last()?.label.ply;
            let end = game.end?;
            assert!(last <= 90);
            match end.reason {
                Reason::Mate => assert!(end.winner.is_some()),
                Reason::Length => assert!(last == 90 && end.winner.is_none()),
                reason => assert_eq!(reason, Reason::Repetition),
            }
            Some(end.reason)
        })
        .collect();
    assert!(reasons.contains(&Reason::Mate) && reasons.contains(&Reason::Length));
}

#[test]
fn openings_that_decide_the_game_are_dropped() {
    let mut settings = settings();
    settings.openings.imbalance = -1;
    let games = games(&settings, &[], 5);
    assert!(games.iter().all(|game| *game == Game::default()));
}

#[test]
fn games_begin_where_they_are_told_to() {
    let sfen = "4k4/9/9/9/9/9/4P4/4R4/4K4 b r 31";
    let start = Position::from_sfen(sfen).expect("a position");
    let mut settings = settings();
    settings.openings = Openings {
        least: 0,
        most: 0,
        before: 0,
        imbalance: i32::MAX,
        ..Settings::default().openings
    };
    let game = &games(&settings, std::slice::from_ref(&start), 1)[0];
    assert_eq!(game.records[0].label.ply, 31);
    assert_eq!(positions(game)[0].key(), start.key());
}

/// Moves that are drawn from the best ones differ from game to game, and hardly ever give anybody an advantage, for
/// which a game would be dropped.
#[test]
fn openings_of_good_moves_differ_and_are_level() {
    let mut settings = settings();
    settings.openings = Openings {
        least: 6,
        most: 6,
        before: 6,
        choice: Choice::Best {
            lines: 4,
            margin: 50,
        },
        imbalance: 400,
    };
    let games = games(&settings, &[], 8);
    let begins: HashSet<_> = games
        .iter()
        .filter_map(|game| Some(positions(game).first()?.key()))
        .collect();
    assert!(begins.len() >= 6, "{} different", begins.len());
}
