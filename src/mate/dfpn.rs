//! Depth-first proof-number search (df-pn, Nagai 1999).
//!
//! An attacker's node (OR node) is proved by one of its checks, a defender's node (AND node) only by all its answers.
//! Proof and disproof numbers estimate how much work is missing; the search goes where the least is missing, and stays
//! in a subtree until its numbers exceed the thresholds at which another subtree looks better.
//!
//! A node asks for a mate within some length, or of any length. Results hold for that length, so one search serves
//! to find a mate and to shorten it.
//!
//! What differs from the textbook:
//!
//! - Positions are reached in many ways, so that sums of numbers count the same work more than once. The disproof
//!   numbers of checks are therefore not added: the greatest counts, plus one for each other check that is open (weak
//!   proof numbers, Ueda et al. 2008). Checks that lead to positions already met no deeper than the node, from where
//!   the search may come back to it, count only if their number is the greatest of all.
//! - Thresholds leave half as much room again (the 1 + epsilon trick, Pawlewicz and Lew 2007), so that the search does
//!   not keep jumping between subtrees.
//! - Moves that hardly differ are searched one after the other, see `expand`.
//! - Repetitions: see `path`. Hands: see `hands`.

use super::expand::{self, Child, NONE};
use super::limits::Watch;
use super::path::{PathTable, SearchPath};
use super::proof_number::{GREATEST, INFINITE, Len, NEVER, PnValue};
use super::table::{Known, Table};
use crate::shogi::{Color, Position};

/// The longest path that is followed, in plies, unless told otherwise.
const MAX_PLIES: usize = 4000;

/// The depth noted for failures that are no disproofs: the path became too long.
const CUT_OFF: u16 = 0;

/// The depth of the root, in plies from [`CUT_OFF`].
const ROOT: usize = 1;

/// The thresholds up to which a subtree is searched.
#[derive(Clone, Copy)]
struct Threshold {
    pn: u32,
    dn: u32,
}

/// A visit to a node: what is asked, and up to which thresholds.
#[derive(Clone, Copy)]
struct Visit {
    /// Whether the attacker is to move.
    attacks: bool,
    /// The place of the node on the path.
    depth: usize,
    threshold: Threshold,
    len: Len,
}

/// What a node's children add up to.
struct Summary {
    pn: u32,
    dn: u32,
    /// The most promising child.
    best: usize,
    /// The number by which children are chosen, of the second best child.
    second: u32,
}

/// A search with its memory.
pub(super) struct Search<'a> {
    pub position: Position,
    pub attacker: Color,
    pub table: &'a mut Table,
    pub path_table: &'a mut PathTable,
    pub path: SearchPath,
    pub watch: Watch<'a>,
    /// The longest path that is followed.
    pub max_plies: usize,
    /// Children of the nodes on the path, kept to be used again.
    frames: Vec<Vec<Child>>,
}

impl<'a> Search<'a> {
    pub fn new(
        position: Position,
        table: &'a mut Table,
        path_table: &'a mut PathTable,
        watch: Watch<'a>,
    ) -> Self {
        Self {
            attacker: position.side_to_move(),
            position,
            table,
            path_table,
            path: SearchPath::new(),
            watch,
            max_plies: MAX_PLIES,
            frames: Vec::new(),
        }
    }

    /// Decides whether the attacker, to move, mates within `len`. The value is open if the search was halted, or
    /// if paths had to be cut off.
    pub fn solve(&mut self, len: Len) -> PnValue {
        let board = self.position.board_key();
        let hand = self.position.hand(self.attacker);
        if let Known::Result(value) = self.table.look_up(board, hand, len) {
            return value;
        }
        self.search(len)
    }

    /// As [`Search::solve`], but not content with a result that the table holds: the table shall know afterwards what
    /// the result is made of.
    pub fn search(&mut self, len: Len) -> PnValue {
        let root = Visit {
            attacks: true,
            depth: ROOT,
            threshold: Threshold {
                pn: INFINITE,
                dn: INFINITE,
            },
            len,
        };
        self.path.start(ROOT);
        self.path
            .push(self.position.board_key(), self.position.hand(self.attacker));
        let value = self.visit(root);
        self.path.pop();
        if value.dn == 0 && value.since != NEVER {
            return PnValue::open(1, 1);
        }
        value
    }

    /// Searches the current position, the last of the path, until it is decided or a number reaches its threshold.
    fn visit(&mut self, visit: Visit) -> PnValue {
        let nodes_before = self.watch.nodes;
        self.watch.count_node(visit.depth - ROOT, self.table);
        if self.frames.len() <= visit.depth {
            self.frames.resize_with(visit.depth + 1, Vec::new);
        }
        let mut children = std::mem::take(&mut self.frames[visit.depth]);
        self.expand(visit, &mut children);
        let value = self.search_children(visit, &mut children);
        self.frames[visit.depth] = children;
        if !self.watch.is_halted() {
            self.store(visit.depth, &value, self.watch.nodes - nodes_before);
        }
        value
    }

    /// Lists the moves and what is known of them, up to a move that decides.
    fn expand(&mut self, visit: Visit, children: &mut Vec<Child>) {
        if visit.attacks {
            expand::attacks(&self.position, children);
        } else {
            expand::defences(&self.position, children);
        }
        for child in children.iter_mut() {
            child.locate(&self.position, self.attacker);
            self.table.prefetch(child.board);
        }
        for i in 0..children.len() {
            if !children[i].is_active {
                continue;
            }
            self.assess(visit, &mut children[i]);
            self.follow_up(visit, children, i);
            let value = &children[i].value;
            let decides = if visit.attacks {
                value.pn == 0
            } else {
                value.dn == 0 && value.since == NEVER
            };
            if decides {
                break;
            }
        }
    }

    fn search_children(&mut self, visit: Visit, children: &mut [Child]) -> PnValue {
        loop {
            let now = summarize(children, visit.attacks);
            if now.pn == 0 {
                return self.proof(children, visit.attacks);
            }
            if now.dn == 0 {
                return self.disproof(children, visit.attacks, visit.depth);
            }
            let Threshold { pn, dn } = visit.threshold;
            if now.pn >= pn || now.dn >= dn || self.watch.is_halted() {
                return PnValue::open(now.pn, now.dn);
            }
            children[now.best].value = self.descend(visit, &children[now.best], &now);
            self.follow_up(visit, children, now.best);
        }
    }

    /// Searches the most promising child.
    fn descend(&mut self, visit: Visit, child: &Child, now: &Summary) -> PnValue {
        let len = visit.len.shorter();
        // The searches of its siblings may have decided it meanwhile.
        if let Known::Result(value) = self.table.look_up(child.board, child.hand, len) {
            return value;
        }
        let depth = visit.depth + 1;
        if depth > ROOT + self.max_plies {
            return PnValue {
                since: CUT_OFF,
                ..PnValue::disproof(len, child.hand)
            };
        }
        let inner = Visit {
            attacks: !visit.attacks,
            depth,
            threshold: inner_threshold(visit, &child.value, now),
            len,
        };
        self.position.do_move(child.mv);
        self.path.push(child.board, child.hand);
        let value = self.visit(inner);
        self.path.pop();
        self.position.undo_move();
        value
    }

    /// Once a move is settled the next one of its group becomes active.
    fn follow_up(&mut self, visit: Visit, children: &mut [Child], mut i: usize) {
        loop {
            let Child { value, next, .. } = children[i];
            let is_settled = if visit.attacks {
                value.dn == 0
            } else {
                value.pn == 0
            };
            if !is_settled || next == NONE {
                return;
            }
            i = usize::from(next);
            if children[i].is_active {
                return;
            }
            children[i].is_active = true;
            self.assess(visit, &mut children[i]);
        }
    }

    /// Finds out what is known of a child, or initialises it.
    fn assess(&mut self, visit: Visit, child: &mut Child) {
        let len = visit.len.shorter();
        let (board, hand) = (child.board, child.hand);
        if visit.attacks && len == Len::ZERO {
            // The last check allowed mates or does not: nothing is left to search.
            child.value = self.init_defence(child.mv, len);
            return;
        }
        if let Some(earlier) = self.path.earlier(board, hand) {
            child.value = PnValue {
                since: earlier as u16,
                ..PnValue::disproof(Len::UNBOUNDED, hand)
            };
            return;
        }
        child.value = match self.table.look_up(board, hand, len) {
            Known::Result(value) => value,
            Known::Open {
                value,
                depth,
                is_on_path,
            } => {
                child.is_old = usize::from(depth) <= visit.depth;
                let signature = self.path.signature_with(board, hand);
                let here = is_on_path.then(|| self.path_table.look_up(signature, len));
                here.flatten().unwrap_or(value)
            }
            Known::New { pn, dn } => {
                let init = if visit.attacks {
                    self.init_defence(child.mv, len)
                } else {
                    self.init_attack(child.mv)
                };
                init.at_least(pn, dn)
            }
        };
    }

    fn store(&mut self, depth: usize, value: &PnValue, work: u64) {
        let board = self.position.board_key();
        let hand = self.position.hand(self.attacker);
        if value.is_open() {
            self.table.store_open(board, hand, value, depth, work);
        } else if value.since == NEVER {
            self.table.store_result(board, value, work);
        } else {
            self.path_table.store(self.path.signature(), value);
            self.table.store_on_path(board, hand, depth, work);
        }
    }
}

/// How far the best child is searched: until the second best is better by some margin, or until the node's own
/// thresholds are reached.
fn inner_threshold(visit: Visit, child: &PnValue, now: &Summary) -> Threshold {
    let second = (now.second + now.second / 2 + 1).min(INFINITE);
    let Threshold { pn, dn } = visit.threshold;
    if visit.attacks {
        Threshold {
            pn: pn.min(second),
            dn: share(dn, now.dn, child.dn),
        }
    } else {
        Threshold {
            pn: share(pn, now.pn, child.pn),
            dn: dn.min(second),
        }
    }
}

/// The threshold of a child for the number that adds up over the children.
fn share(threshold: u32, sum: u32, own: u32) -> u32 {
    if threshold == INFINITE {
        return INFINITE;
    }
    threshold.saturating_sub(sum.saturating_sub(own))
}

fn summarize(children: &[Child], attacks: bool) -> Summary {
    let (mut least, mut second, mut best) = (INFINITE, INFINITE, 0);
    let mut added = Added::default();
    let mut added_of_best = INFINITE;
    for (i, child) in children.iter().enumerate().filter(|(_, c)| c.is_active) {
        let PnValue { pn, dn, .. } = child.value;
        let (chosen, summand) = if attacks { (pn, dn) } else { (dn, pn) };
        added.add(summand, attacks && child.is_old);
        if chosen < least || (chosen == least && summand < added_of_best) {
            second = least;
            (least, best, added_of_best) = (chosen, i, summand);
        } else {
            second = second.min(chosen);
        }
    }
    let (pn, dn) = if attacks {
        (least, added.weakly())
    } else {
        (added.sum, least)
    };
    Summary {
        pn,
        dn,
        best,
        second,
    }
}

/// The number to which all children contribute: disproof numbers at an attacker's node, proof numbers at a defender's.
#[derive(Default)]
struct Added {
    sum: u32,
    greatest: u32,
    /// Children that are not settled.
    open: u32,
    /// The greatest number of an old child, see [`Child::is_old`].
    greatest_old: u32,
}

impl Added {
    fn add(&mut self, number: u32, is_old: bool) {
        if is_old {
            self.greatest_old = self.greatest_old.max(number);
        } else if number > 0 {
            self.sum = (self.sum + number).min(GREATEST);
            self.greatest = self.greatest.max(number);
            self.open += 1;
        }
    }

    /// Weak proof numbers: the greatest number, and one for each other child that is not old; of old ones only the
    /// greatest number counts, if it is greater.
    fn weakly(&self) -> u32 {
        let weak = (self.greatest + self.open).saturating_sub(1);
        weak.max(self.greatest_old).min(GREATEST)
    }
}
