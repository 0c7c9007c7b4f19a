//! Forced mates by consecutive checks, found by trying everything. Slow, exact, and only for the tests.

use std::collections::{HashMap, HashSet};

use hien::shogi::{Move, Position};

/// What is known of attacking positions: the largest depth without a mate, and the smallest with one.
type Known = HashMap<u64, (usize, usize)>;

/// All first moves, as sorted texts, that mate in at most `plies` plies with checks only. The length counts
/// every defence, also interpositions that only delay.
pub fn first_moves(pos: &mut Position, plies: usize) -> Vec<String> {
    let mut known = Known::new();
    let mut firsts = Vec::new();
    for mv in checks(pos) {
        pos.do_move(mv);
        if has_no_defence(pos, plies - 1, &mut known) {
            firsts.push(mv.to_string());
        }
        pos.undo_move();
    }
    firsts.sort();
    firsts
}

fn checks(pos: &Position) -> Vec<Move> {
    pos.legal_moves()
        .into_iter()
        .filter(|&mv| pos.gives_check(mv))
        .collect()
}

/// The attacker is to move and has `plies` (odd) plies.
fn is_mate(pos: &mut Position, plies: usize, known: &mut Known) -> bool {
    let &(without, with) = known.get(&pos.key()).unwrap_or(&(0, usize::MAX));
    if plies <= without {
        return false;
    }
    if plies >= with {
        return true;
    }
    let mut found = false;
    for mv in checks(pos) {
        pos.do_move(mv);
        found = has_no_defence(pos, plies - 1, known);
        pos.undo_move();
        if found {
            break;
        }
    }
    let entry = known.entry(pos.key()).or_insert((0, usize::MAX));
    if found {
        entry.1 = entry.1.min(plies);
    } else {
        entry.0 = entry.0.max(plies);
    }
    found
}

/// The defender is to move and `plies` (even) plies are left.
fn has_no_defence(pos: &mut Position, plies: usize, known: &mut Known) -> bool {
    let replies = pos.legal_moves();
    if plies == 0 || replies.is_empty() {
        return replies.is_empty();
    }
    // Short mates first: most defences that hold are seen at once.
    for limit in (1..plies).step_by(2) {
        let last = limit + 1 == plies;
        for &reply in &replies {
            pos.do_move(reply);
            let mate = is_mate(pos, limit, known);
            pos.undo_move();
            if !mate && last {
                return false;
            }
        }
    }
    true
}

/// Whether the attacker can mate in at most `plies` plies with checks and at most one quiet move, which must
/// threaten to mate.
pub fn is_mate_with_quiet_move(pos: &mut Position, plies: usize) -> bool {
    with_quiet_move(pos, plies, &mut Known::new())
}

fn with_quiet_move(pos: &mut Position, plies: usize, known: &mut Known) -> bool {
    if is_mate(pos, plies, known) {
        return true;
    }
    plies > 1
        && pos.legal_moves().into_iter().any(|mv| {
            let quiet = !pos.gives_check(mv);
            pos.do_move(mv);
            let mates = if quiet {
                threatens_mate(pos, plies - 2, known) && has_no_defence(pos, plies - 1, known)
            } else {
                pos.legal_moves().into_iter().all(|reply| {
                    pos.do_move(reply);
                    let mates = with_quiet_move(pos, plies - 2, known);
                    pos.undo_move();
                    mates
                })
            };
            pos.undo_move();
            mates
        })
}

/// Whether the attacker would mate if the defender, who is to move, passed.
fn threatens_mate(pos: &mut Position, plies: usize, known: &mut Known) -> bool {
    pos.do_null_move();
    let mates = is_mate(pos, plies, known);
    pos.undo_null_move();
    mates
}

/// Deepest that [`has_refuge`] looks, in attacking moves.
const REFUGE_DEPTH: usize = 20;

/// Whether the defender escapes all checks, however long they go on; `None` if that stays open.
///
/// Looks for a set of positions in which the defender can stay for ever: whatever check comes, one answer
/// leads to a position without checks or back to one of the line. Repeated checks are therefore no mate.
pub fn has_refuge(pos: &mut Position) -> Option<bool> {
    for depth in 1..=REFUGE_DEPTH {
        let mut refuge = Refuge::default();
        if refuge.is_safe(pos, depth).is_some() {
            return Some(true);
        }
        if !first_moves(pos, 2 * depth - 1).is_empty() {
            return Some(false);
        }
    }
    None
}

#[derive(Default)]
struct Refuge {
    /// Attacking positions of the current line.
    line: Vec<u64>,
    /// Attacking positions that are safe whatever led to them.
    safe: HashSet<u64>,
    /// Attacking positions for which so many attacking moves did not suffice to show it.
    open: HashMap<u64, usize>,
}

impl Refuge {
    /// The attacker is to move. If the defender is safe, the smallest index in `line` that this relies on.
    fn is_safe(&mut self, pos: &mut Position, depth: usize) -> Option<usize> {
        if let Some(index) = self.line.iter().position(|&key| key == pos.key()) {
            return Some(index);
        }
        if self.safe.contains(&pos.key()) {
            return Some(usize::MAX);
        }
        let checks = checks(pos);
        if checks.is_empty() {
            return Some(usize::MAX);
        }
        if depth == 0
            || self
                .open
                .get(&pos.key())
                .is_some_and(|&tried| tried >= depth)
        {
            return None;
        }
        let here = self.line.len();
        self.line.push(pos.key());
        let mut relies_on = Some(usize::MAX);
        for mv in checks {
            pos.do_move(mv);
            let answer = self.answer(pos, depth);
            pos.undo_move();
            relies_on = relies_on.zip(answer).map(|(a, b)| a.min(b));
            if relies_on.is_none() {
                break;
            }
        }
        self.line.pop();
        match relies_on {
            Some(index) if index >= here => {
                self.safe.insert(pos.key());
                return Some(usize::MAX);
            }
            // Another line might help more, so this may be too strict. That only costs depth.
            None => {
                self.open.insert(pos.key(), depth);
            }
            Some(_) => {}
        }
        relies_on
    }

    /// The defender is to move, in check: one answer that is safe.
    fn answer(&mut self, pos: &mut Position, depth: usize) -> Option<usize> {
        let mut replies = pos.legal_moves();
        // Drops in between feed the attacker, so they come last; taking something comes first.
        replies.sort_by_key(|mv| (mv.is_drop(), pos.piece_on(mv.to()).is_none()));
        replies.into_iter().find_map(|reply| {
            pos.do_move(reply);
            let safe = self.is_safe(pos, depth - 1);
            pos.undo_move();
            safe
        })
    }
}
