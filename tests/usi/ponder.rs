//! Thinking on the opponent's time, and the end of a game.

use std::time::Duration;

use crate::answer::Best;
use crate::boards::{DECL, MATE1, MATED, ONE, root, sfen};
use crate::common::random::Random;
use crate::driver::{Engine, HANG, starts_with_phrase};
use crate::load::{at_least, timed, together};

const PONDERED: &str = "startpos moves 7g7f 3c3d";

/// Ponders for a while in silence.
fn ponder(engine: &mut Engine, position: &str, go: &str, for_ms: u64) {
    engine.send(&format!("position {position}\n{go}"));
    engine.forbid("bestmove", Duration::from_millis(for_ms));
}

#[test]
fn a_ponder_hit_with_the_clocks_of_go() {
    timed(|watch| {
        let mut engine = Engine::start();
        ponder(
            &mut engine,
            PONDERED,
            "go ponder btime 10000 wtime 10000 byoyomi 1000",
            1000,
        );
        engine.send("ponderhit");
        let answer = engine.answer(&root(PONDERED));
        answer.best_move();
        // Main time and byoyomi less the default delay.
        watch.at_most("ponderhit", answer.elapsed, 11_000 - 1120);
        engine.quit_timed(watch);
    });
}

#[test]
fn a_ponder_hit_with_its_own_clocks() {
    timed(|watch| {
        let mut engine = Engine::start();
        ponder(&mut engine, PONDERED, "go ponder", 500);
        engine.send("ponderhit btime 0 wtime 0 byoyomi 2000");
        let answer = engine.answer(&root(PONDERED));
        at_least("ponderhit byoyomi 2000", answer.elapsed, 300);
        watch.at_most("ponderhit byoyomi 2000", answer.elapsed, 1999);

        ponder(
            &mut engine,
            PONDERED,
            "go ponder btime 600000 wtime 600000",
            300,
        );
        engine.send("ponderhit btime 0 wtime 0 byoyomi 400");
        let answer = engine.answer(&root(PONDERED));
        watch.at_most("the clocks of ponderhit win", answer.elapsed, 400);
        engine.quit_timed(watch);

        let mut engine = Engine::start();
        ponder(&mut engine, PONDERED, "go ponder", 500);
        engine.send("ponderhit");
        let answer = engine.answer(&root(PONDERED));
        watch.at_most("no clocks at all", answer.elapsed, 1500);
        engine.quit_timed(watch);
    });
}

#[test]
fn a_finished_search_waits() {
    timed(|watch| {
        let mut engine = Engine::start();
        ponder(&mut engine, PONDERED, "go ponder depth 1", 300);
        engine.send("ponderhit");
        let answer = engine.answer(&root(PONDERED));
        watch.at_most("ponderhit after depth 1", answer.elapsed, 50);
        for (position, best) in [
            (MATE1, None),
            (ONE, None),
            (MATED, Some(Best::Resign)),
            (DECL, Some(Best::Win)),
        ] {
            ponder(
                &mut engine,
                &sfen(position),
                "go ponder btime 0 wtime 0 byoyomi 400",
                300,
            );
            engine.send("ponderhit");
            let answer = engine.answer(&root(&sfen(position)));
            assert!(
                best.is_none_or(|best| best == answer.best),
                "{position}: {:?}",
                answer.best
            );
            watch.at_most(position, answer.elapsed, 400);
        }
        engine.quit_timed(watch);
    });
}

#[test]
fn ponder_misses() {
    timed(|watch| {
        let mut engine = Engine::start();
        for end in [
            "stop",
            "gameover lose",
            "gameover",
            "stop\nstop",
            "stop\ngameover win",
        ] {
            ponder(
                &mut engine,
                PONDERED,
                "go ponder btime 10000 wtime 10000",
                150,
            );
            engine.send(end);
            let answer = engine.answer(&root(PONDERED));
            answer.best_move();
            watch.at_most(end, answer.elapsed, 50);
            engine.expect_silence();
        }
        ponder(&mut engine, PONDERED, "go ponder", 100);
        engine.quit_timed(watch);
    });
}

#[test]
fn ponder_infinite_is_infinite() {
    let _guard = together();
    let mut engine = Engine::start();
    ponder(&mut engine, PONDERED, "go ponder infinite", 150);
    engine.send("ponderhit");
    engine.forbid("bestmove", Duration::from_millis(500));
    engine.send("stop");
    engine.answer(&root(PONDERED)).best_move();
    engine.quit();
}

#[test]
fn a_fixed_time_starts_at_the_hit() {
    timed(|watch| {
        let mut engine = Engine::start();
        ponder(&mut engine, PONDERED, "go ponder movetime 400", 700);
        engine.send("ponderhit");
        let answer = engine.answer(&root(PONDERED));
        at_least("movetime 400", answer.elapsed, 300);
        watch.at_most("movetime 400", answer.elapsed, 460);
        // `time` goes on counting from `go ponder`.
        let time = answer.final_best_line().time;
        assert!(time >= 900, "time {time}");
        engine.quit_timed(watch);
    });
}

#[test]
fn everything_in_one_write() {
    let _guard = together();
    let mut engine = Engine::start();
    for _ in 0..10 {
        engine.send("position startpos\ngo infinite\nstop\ngameover draw\nisready\nusinewgame\nposition startpos\ngo depth 1");
        let mut words = Vec::new();
        while words.iter().filter(|word| *word == "bestmove").count() < 2 {
            let line = engine
                .next_line(HANG)
                .unwrap_or_else(|| engine.fail("no second bestmove"));
            let word = line.text.split(' ').next().unwrap().to_owned();
            if word != "info" && !word.is_empty() {
                words.push(word);
            }
        }
        assert_eq!(words, ["bestmove", "readyok", "bestmove"]);
        engine.expect_silence();
    }
    engine.quit();
}

#[test]
fn forms_of_gameover() {
    let _guard = together();
    let mut engine = Engine::start();
    for line in [
        "gameover",
        "gameover unknown",
        "gameover win",
        "gameover lose",
        "gameover draw",
    ] {
        engine.send(line);
        engine.expect_silence();
        engine.send("position startpos\ngo infinite");
        engine.send(line);
        engine.answer(&root("startpos")).best_move();
        engine.expect_silence();
    }
    engine.quit();
}

#[test]
fn stochastic_ponder() {
    timed(|watch| {
        let mut engine = Engine::with_options(&[("Stochastic_Ponder", "true")]);
        engine.send(&format!(
            "position {PONDERED}\ngo ponder btime 2000 wtime 2000 byoyomi 1000"
        ));
        let lines = engine.forbid("bestmove", Duration::from_millis(1000));
        // The lines speak of the position one ply earlier, where White is to move.
        let pv_of = |text: &str| {
            text.split_once(" pv ")
                .map(|(_, pv)| pv.split(' ').next().unwrap().to_owned())
        };
        let before = root("startpos moves 7g7f");
        let firsts: Vec<_> = lines.iter().filter_map(|line| pv_of(&line.text)).collect();
        assert!(!firsts.is_empty(), "no line in a second");
        assert!(
            firsts.iter().all(|text| before.board.is_legal(text)),
            "{firsts:?}"
        );
        engine.forget_lines();
        engine.send("ponderhit");
        let answer = engine.answer(&root(PONDERED));
        answer.best_move();
        watch.at_most("ponderhit", answer.elapsed, 3000 - 1120);
        engine.expect_silence();

        for end in ["stop", "gameover lose"] {
            engine.send(&format!(
                "position {PONDERED}\ngo ponder btime 2000 wtime 2000 byoyomi 1000"
            ));
            engine.forbid("bestmove", Duration::from_millis(200));
            engine.send(end);
            let line = engine.expect("bestmove");
            watch.at_most(end, engine.since_sent(&line), 50);
            let best = line.text.split(' ').nth(1).unwrap().to_owned();
            assert!(root(PONDERED).board.is_legal(&best), "{best}");
            engine.expect_silence();
        }
        // No move to take back: an ordinary ponder search.
        ponder(&mut engine, "startpos", "go ponder", 200);
        engine.send("stop");
        engine.answer(&root("startpos")).best_move();
        engine.quit_timed(watch);
    });
}

/// One move of the game: perhaps with a ponder search before it that hits or misses.
fn one_move(
    engine: &mut Engine,
    position: &str,
    random: &mut Random,
    searches: &mut usize,
) -> Best {
    const GO: &str = "btime 0 wtime 0 byoyomi 50";
    if random.percent(50) {
        engine.send(&format!("position {position}\ngo ponder {GO}"));
        *searches += 1;
        if random.percent(60) {
            engine.forbid("bestmove", Duration::from_millis(5));
            engine.send("ponderhit");
            return engine.answer(&root(position)).best;
        }
        engine.send("stop");
        engine.answer(&root(position));
    }
    *searches += 1;
    engine.search(position, &format!("go {GO}")).best
}

#[test]
fn twenty_games_in_one_process() {
    let _guard = together();
    let mut engine = Engine::with_options(&[("USI_Hash", "16")]);
    let mut random = Random::new(63);
    let (mut searches, mut early_memory) = (0, None);
    for game in 0..20 {
        engine.send("isready\nusinewgame");
        engine.expect("readyok");
        let mut position = String::from("startpos moves");
        for _ in 0..30 {
            let Best::Move(text) = one_move(&mut engine, &position, &mut random, &mut searches)
            else {
                break;
            };
            position.push_str(&format!(" {text}"));
        }
        // The way of a GUI that ends a game while the engine thinks.
        engine.send(&format!(
            "position {position}\ngo infinite\nstop\ngameover draw"
        ));
        searches += 1;
        engine.answer(&root(&position));
        engine.expect_silence();
        if game == 4 {
            early_memory = engine.memory();
        }
    }
    if let (Some(early), Some(late)) = (early_memory, engine.memory()) {
        println!("{searches} searches, {early} KiB after five games, {late} KiB after twenty");
        assert!(
            late < early + early / 10 + 4096,
            "{early} KiB after five games, {late} KiB after twenty"
        );
    }
    assert_eq!(engine.count("bestmove"), searches);
    engine.quit();
}

/// Nothing printed in an idle moment after a search belongs to it.
#[test]
fn answers_do_not_come_twice() {
    let _guard = together();
    let mut engine = Engine::start();
    for go in [
        "go depth 3",
        "go nodes 2000",
        "go movetime 50",
        "go btime 0 wtime 0 byoyomi 60",
    ] {
        engine.search("startpos", go);
        let lines = engine.forbid("bestmove", Duration::from_millis(200));
        assert!(
            lines
                .iter()
                .all(|line| !starts_with_phrase(&line.text, "info")),
            "{go}: {lines:?}"
        );
    }
    engine.quit();
}
