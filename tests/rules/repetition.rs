//! Repetitions in games that go in circles, against a referee that writes down every position as text.

use hien::shogi::{Cycle, Hand, HandPiece, Move, MoveKind, Position, Repetition};
use rayon::prelude::*;

use crate::common::random::Random;
use crate::positions::{self, Flavour};

/// What happened so far: each position as text without its move number, and whether the move into it gave
/// check (unknown for the root, where a check is part of the position, not of a move).
struct Record {
    positions: Vec<String>,
    /// Of the side to move.
    hands: Vec<Hand>,
    checks: Vec<bool>,
}

fn without_ply(pos: &Position) -> String {
    let sfen = pos.sfen();
    sfen[..sfen.rfind(' ').expect("four fields")].to_owned()
}

impl Record {
    fn start(pos: &Position) -> Self {
        Self {
            positions: vec![without_ply(pos)],
            hands: vec![pos.hand(pos.side_to_move())],
            checks: vec![false],
        }
    }

    fn push(&mut self, pos: &Position) {
        self.positions.push(without_ply(pos));
        self.hands.push(pos.hand(pos.side_to_move()));
        self.checks.push(pos.in_check());
    }

    /// Indices of earlier occurrences of the current position, oldest first.
    fn earlier(&self) -> Vec<usize> {
        let now = self.positions.len() - 1;
        (0..now)
            .filter(|&i| self.positions[i] == self.positions[now])
            .collect()
    }

    /// Whether the side to move now (`own`), or its opponent, gave check with every move after index `from`.
    fn checked_throughout(&self, from: usize, own: bool) -> bool {
        let now = self.positions.len() - 1;
        (from + 1..=now)
            .filter(|i| (now - i).is_multiple_of(2) != own)
            .all(|i| self.checks[i])
    }

    /// What a return from index `from` to the same position means for the side to move; `None` if both
    /// sides checked all the way, which no rule covers.
    fn cycle(&self, from: usize) -> Option<Cycle> {
        match (
            self.checked_throughout(from, true),
            self.checked_throughout(from, false),
        ) {
            (true, true) => None,
            (true, false) => Some(Cycle::Lose),
            (false, true) => Some(Cycle::Win),
            (false, false) => Some(Cycle::Draw),
        }
    }

    /// The nearest earlier position with this board and side to move whose hands can be compared: how many
    /// moves ago, and what that means.
    fn last_cycle(&self) -> Option<(usize, Option<Cycle>)> {
        let now = self.positions.len() - 1;
        let board = |i: usize| self.positions[i].rsplit_once(' ').expect("three fields").0;
        let at_least = |a: Hand, b: Hand| {
            HandPiece::ALL
                .iter()
                .all(|&kind| a.count(kind) >= b.count(kind))
        };
        (0..now)
            .rev()
            .filter(|&i| board(i) == board(now))
            .find_map(|i| {
                let cycle = if self.positions[i] == self.positions[now] {
                    self.cycle(i)
                } else if at_least(self.hands[now], self.hands[i]) {
                    Some(Cycle::Superior)
                } else if at_least(self.hands[i], self.hands[now]) {
                    Some(Cycle::Inferior)
                } else {
                    return None;
                };
                Some((now - i, cycle))
            })
    }

    /// The fourfold rule, from the first to this, the fourth or later, occurrence; `None` where no rule
    /// covers what happened.
    fn fourfold(&self) -> Option<Repetition> {
        let earlier = self.earlier();
        if earlier.len() < 3 {
            return Some(Repetition::None);
        }
        self.cycle(earlier[0]).map(|cycle| match cycle {
            Cycle::Win => Repetition::Win,
            Cycle::Lose => Repetition::Lose,
            _ => Repetition::Draw,
        })
    }
}

/// The way back for the move played two plies ago, if it was a plain board move.
fn way_back(last_own: Option<Move>) -> Option<Move> {
    match last_own?.kind() {
        MoveKind::Board {
            from,
            promote: false,
        } => Some(Move::board(last_own?.to(), from, false)),
        _ => None,
    }
}

fn as_cycle(verdict: Repetition) -> Option<Cycle> {
    match verdict {
        Repetition::None => None,
        Repetition::Draw => Some(Cycle::Draw),
        Repetition::Win => Some(Cycle::Win),
        Repetition::Lose => Some(Cycle::Lose),
    }
}

/// Plays one game that likes to go back and to give check; returns how often each verdict was seen.
fn circle(root: &str, seed: u64) -> [usize; 4] {
    let mut random = Random::new(seed);
    let mut pos = Position::from_sfen(root).unwrap_or_else(|e| panic!("{root}: {e}"));
    let mut record = Record::start(&pos);
    let mut played: Vec<Move> = Vec::new();
    let mut seen = [0; 4];
    // A persistent checker makes perpetual check likely.
    let checker = random.percent(50).then(|| pos.side_to_move());
    for _ in 0..120 {
        let legal = pos.legal_moves();
        if legal.is_empty() {
            break;
        }
        let back = way_back(played.len().checked_sub(2).map(|i| played[i]))
            .filter(|mv| legal.contains(mv));
        let checks: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&mv| pos.gives_check(mv))
            .collect();
        let is_checker = checker == Some(pos.side_to_move());
        let mv = match back {
            Some(back) if random.percent(80) && (!is_checker || pos.gives_check(back)) => back,
            _ if is_checker && !checks.is_empty() && random.percent(95) => random.pick(&checks),
            _ => random.pick(&legal),
        };
        pos.do_move(mv);
        played.push(mv);
        record.push(&pos);
        let context = || {
            let moves: Vec<_> = played.iter().map(Move::to_string).collect();
            format!(
                "seed {seed}, position sfen {root} moves {}",
                moves.join(" ")
            )
        };
        let Some(expected) = record.fourfold() else {
            break;
        };
        assert_eq!(pos.repetition(), expected, "{}", context());
        assert_eq!(
            pos.occurrences(),
            record.earlier().len() + 1,
            "{}",
            context()
        );
        seen[expected as usize] += 1;
        in_search(&pos, &record, &mut random, expected, &context);
        if expected != Repetition::None {
            break;
        }
    }
    seen
}

/// The shortcuts of a search, with the root any number of plies back.
fn in_search(
    pos: &Position,
    record: &Record,
    random: &mut Random,
    fourfold: Repetition,
    context: &impl Fn() -> String,
) {
    let game = pos.game_len();
    let nearest = record.last_cycle();
    if nearest.is_some_and(|(_, cycle)| cycle.is_none()) {
        return;
    }
    let nearest = nearest.map(|(back, cycle)| (back, cycle.expect("just asked")));
    assert_eq!(pos.last_cycle(game), nearest, "{}", context());
    let reach = random.below(game + 2);
    assert_eq!(
        pos.last_cycle(reach),
        nearest.filter(|&(back, _)| back <= reach),
        "{}",
        context()
    );
    for ply in [0, 1, random.below(game + 2), game, game + 1] {
        let expected = match nearest {
            Some((back, cycle)) if back < ply => Some(cycle),
            _ => as_cycle(fourfold),
        };
        assert_eq!(
            pos.search_repetition(ply, game),
            expected,
            "{ply} below the root: {}",
            context()
        );
    }
}

#[test]
fn games_in_circles() {
    let mut random = Random::new(11);
    let mut roots: Vec<_> = positions::STARTS
        .iter()
        .map(|&sfen| sfen.to_owned())
        .collect();
    roots.extend(positions::from_cases());
    roots.extend((0..600).map(|_| positions::made_up(&mut random, Flavour::Sparse)));
    let seen = (0..roots.len() * 6)
        .into_par_iter()
        .map(|i| circle(&roots[i % roots.len()], i as u64))
        .reduce(|| [0; 4], |a, b| std::array::from_fn(|i| a[i] + b[i]));
    println!(
        "none {}, draw {}, win {}, lose {}",
        seen[0], seen[1], seen[2], seen[3]
    );
    assert!(seen.iter().all(|&count| count > 30), "{seen:?}");
}
