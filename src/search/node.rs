//! The alpha-beta node: what is tried before its moves are searched, the loop over the moves, and the root.
//!
//! Values are seen from the side to move, fail-soft, with mates counted from the root. After every call of a
//! child the search may have been halted: the value is meaningless then, and must not be stored or used.
//!
//! Values in the mate range are proofs. Three rules keep them so: no move is skipped while the best value is a
//! loss; promotions that are declined without reason are searched, too, before a position is called lost; and
//! no reduction, null move or other shortcut returns a mate that was not searched.

use arrayvec::ArrayVec;

use super::corrections::Places;
use super::extensions::Rivalry;
use super::futility::late_move_limit;
use super::history::PieceTo;
use super::knowledge::Known;
use super::movepick::MovePicker;
use super::params;
use super::report::Bound;
use super::worker::Worker;
use crate::score::{self, INFINITE, Value, mate_in, mated_in};
use crate::shogi::{Move, PieceType, Promotions};

/// How many tried moves of each sort are remembered to be punished.
const REMEMBERED: usize = 32;
/// Added to the depth of the entry for a position that is mated or mates: deep enough to be used anywhere near.
pub(super) const TERMINAL_BONUS: i32 = 6;
/// A node that its parent reduced by more plies than this is not reduced again for want of a table move.
const IIR_REDUCTION: i32 = 3;

/// A kind of node, known at compile time.
pub(super) trait Node {
    /// Whether the node lies on the principal variation, with an open window.
    const PV: bool;
}

/// A node on the principal variation.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl Node for Pv {
    const PV: bool = true;
}

impl Node for NonPv {
    const PV: bool = false;
}

/// How the child of a move is to be searched.
#[derive(Clone, Copy)]
struct Plan {
    depth: i32,
    /// The depth to try first, if less.
    reduced: Option<i32>,
    /// Which move of the node it is, from 1.
    count: usize,
    /// Whether the node is expected to fail high.
    cut_node: bool,
    /// The best value of the node so far.
    best: Value,
}

/// The moves a node has tried so far, to learn from.
#[derive(Default)]
pub(super) struct Tried {
    pub quiets: ArrayVec<Move, REMEMBERED>,
    pub captures: ArrayVec<Move, REMEMBERED>,
}

impl Tried {
    fn add(&mut self, candidate: &Candidate) {
        let list = if candidate.victim.is_some() {
            &mut self.captures
        } else {
            &mut self.quiets
        };
        let _ = list.try_push(candidate.mv); // the first ones are remembered, it is enough
    }
}

/// What pruning, reductions and extensions need to know of a move.
pub(super) struct Candidate {
    pub mv: Move,
    pub moved: PieceTo,
    pub victim: Option<PieceType>,
    pub gives_check: bool,
    /// Experience with the move.
    pub history: i32,
}

/// What pruning, reductions and extensions need to know of a node.
pub(super) struct Situation {
    pub depth: i32,
    pub ply: usize,
    /// What the table knows.
    pub known: Known,
    /// Static evaluation, corrected.
    pub eval: Value,
    /// The same as it was computed.
    pub raw_eval: Value,
    /// The best estimate of the value before any search.
    pub estimate: Value,
    /// The size of the correction in `eval`: the less it is to be trusted.
    pub correction: Value,
    /// Where experience with such positions is kept.
    pub places: Places,
    pub in_check: bool,
    pub improving: bool,
    /// Whether the opponent's last move did it no good.
    pub opponent_worsening: bool,
    /// Whether the node is or has been on a principal variation.
    pub pv: bool,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    /// The table's move, verified.
    pub table_move: Option<Move>,
    /// Whether it takes something.
    pub table_capture: bool,
    /// A move that is not to be searched, while the others are compared with it.
    pub excluded: Option<Move>,
}

impl Worker<'_> {
    /// The value of the position, searched to `depth` plies.
    pub(super) fn search<N: Node>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.quiesce::<N>(alpha, beta, true, ply);
        }

        // Step 1. The end of the search, and of the game.
        if self.must_end() {
            return 0;
        }
        if N::PV {
            self.lines[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        let is_whole = self.frame(ply).excluded.is_none();
        if is_whole && let Some(value) = self.end_of_game(ply) {
            return value;
        }

        // Step 2. No mate found from here on is shorter than one in the next ply.
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 3. The table. Near the leaves only what agrees with the expectation is believed.
        let known = self.look_up(ply);
        if !N::PV
            && is_whole
            && let Some(value) = known.verdict(beta)
            && known.depth >= depth + i32::from(value >= beta)
            && (cut_node == (value >= beta) || depth > 5)
        {
            if value >= beta {
                self.learn_from_table(&known, depth, ply);
            }
            return value;
        }

        // Step 4. Static evaluation.
        let mut node = self.assess(depth, ply, known, N::PV, cut_node);
        if is_whole {
            self.learn_from_swing(&node);
            node.depth += self.second_thought(&node);
        }

        // Step 5. Shortcuts for nodes that look decided.
        let may_shorten = !N::PV && is_whole && !node.in_check;
        if may_shorten && let Some(value) = self.shortcut(&node, alpha, beta) {
            return value;
        }
        node.improving |= !node.in_check && node.eval >= beta;

        node.table_move = known.mv.filter(|&mv| self.position.is_legal(mv));
        node.table_capture = node.table_move.is_some_and(|mv| self.victim(mv).is_some());

        // Step 6. Without a table move the node is searched less deeply: it is cheaper to come back.
        if (N::PV || cut_node)
            && is_whole
            && node.table_move.is_none()
            && node.depth >= params::iir_depth()
            && self.frame_before(ply, 1).reduction <= IIR_REDUCTION
        {
            node.depth -= 1;
        }

        // Step 7. A capture that refutes even a higher bound.
        if !N::PV
            && is_whole
            && let Some(value) = self.prob_cut(&node, beta)
        {
            return value;
        }

        // Step 8. The moves.
        self.search_moves::<N>(alpha, beta, &node)
    }

    /// How to change the depth of a node that was reduced, in the light of what the last move led to.
    fn second_thought(&self, node: &Situation) -> i32 {
        let parent = self.frame_before(node.ply, 1);
        if parent.reduction >= 3 && !node.opponent_worsening {
            return 1;
        }
        let calm = !node.in_check && !parent.in_check;
        let is_good = calm && node.eval + parent.eval > params::hindsight_margin();
        if parent.reduction >= 2 && node.depth >= 2 && is_good {
            return -1;
        }
        0
    }

    /// The loop over the moves of a node, and what is learnt from it.
    fn search_moves<N: Node>(&mut self, mut alpha: Value, beta: Value, node: &Situation) -> Value {
        let Situation { mut depth, ply, .. } = *node;
        let checks = self.position.check_info();
        let previous = self.previous_moves(ply);
        let mut picker = MovePicker::new(node.table_move, self.promotions());
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;

        loop {
            let context = self.context(&checks, previous, node.places.structure(), ply);
            let Some(mv) = picker.next(&context) else {
                // A node that seems lost gets the moves that were thought useless.
                if score::is_mated(best) && picker.recall_declined(&context) {
                    continue;
                }
                break;
            };
            if Some(mv) == node.excluded {
                continue;
            }
            count += 1;
            self.fetch_entry_after(mv);
            let candidate = self.candidate(mv, checks.gives_check(&self.position, mv), ply);

            // Step 9. Late moves of shallow nodes that promise nothing are skipped.
            let mut reduction = node.rough_reduction(&candidate, depth, count);
            if !score::is_loss(best) {
                if count >= late_move_limit(node) {
                    picker.skip_quiets();
                }
                let depth = node.depth - 1 - reduction / 1024;
                let nothing_found = best_move.is_none();
                if let Some(promise) = self.futility(node, &candidate, alpha, depth, nothing_found)
                {
                    best = best.max(promise);
                    continue;
                }
            }

            // Step 10. A table move without rivals is searched more deeply.
            let mut new_depth = depth - 1;
            if Some(mv) == node.table_move && node.excluded.is_none() {
                match self.rivalry::<N>(node, &candidate, beta) {
                    Rivalry::Extend(plies) => {
                        new_depth += plies;
                        depth += i32::from(plies > 0);
                    }
                    Rivalry::Cut(value) => return value,
                }
                if self.is_halted() {
                    return 0;
                }
            }

            // Step 11. Late moves are searched with less depth first.
            reduction += node.further_reduction(&candidate, alpha, self.frame(ply + 1).cutoffs);
            let plan = Plan {
                depth: new_depth,
                reduced: (depth >= 2 && count > 1 + usize::from(N::PV))
                    .then(|| (new_depth - reduction / 1024).clamp(1, new_depth.max(0) + 1)),
                count,
                cut_node: node.cut_node,
                best,
            };
            let value = self.search_child::<N>(&candidate, alpha, beta, plan, ply);
            if self.is_halted() {
                return 0;
            }

            // Step 12. A new best move? Then what is left has a harder task.
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(candidate.mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    if depth > 2 && depth < 14 && !score::is_decisive(value) {
                        depth -= 2;
                    }
                }
            }
            if best_move != Some(mv) {
                tried.add(&candidate);
            }
        }

        // Step 13. No move: mated. Stalemate does not exist in shogi, it loses as well.
        if count == 0 {
            if node.excluded.is_some() {
                return alpha;
            }
            let value = mated_in(ply);
            self.remember(
                None,
                value,
                Bound::Exact,
                depth + TERMINAL_BONUS,
                node,
                N::PV,
            );
            return value;
        }

        // Step 14. Learning, and the table.
        match best_move {
            Some(mv) => self.learn(mv, &tried, node, depth),
            None => self.learn_from_failure(node, best, depth),
        }
        if best >= beta && !score::is_decisive(best) && !score::is_decisive(beta) {
            best = (best * depth + beta) / (depth + 1);
        }
        let bound = match best_move {
            _ if best >= beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        if node.excluded.is_none() {
            self.remember(best_move, best, bound, depth, node, node.pv);
            self.learn_correction(node, best_move, best, depth);
        }
        best
    }

    /// The value of the root, from the best of the moves that have no place yet.
    pub(super) fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32) -> Value {
        let ply = 0;
        self.lines[ply].clear();
        let known = self.look_up(ply);
        let mut node = self.assess(depth, ply, known, true, false);
        node.improving = true;
        let checks = self.position.check_info();
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;

        for i in self.first..self.root_moves.len() {
            let count = i - self.first + 1;
            let mv = self.root_moves[i].mv;
            let nodes_before = self.nodes;
            let candidate = self.candidate(mv, checks.gives_check(&self.position, mv), ply);
            let reduction = node.rough_reduction(&candidate, depth, count)
                + node.further_reduction(&candidate, alpha, 0);
            let new_depth = depth - 1;
            let plan = Plan {
                depth: new_depth,
                reduced: (depth >= 2 && count > 3)
                    .then(|| (new_depth - reduction / 1024).clamp(1, new_depth.max(1))),
                count,
                cut_node: false,
                best,
            };
            let value = self.search_child::<Pv>(&candidate, alpha, beta, plan, ply);
            if self.is_halted() {
                return 0;
            }
            let (depth_now, seldepth) = (self.root_depth, self.seldepth as u32);
            let root_move = &mut self.root_moves[i];
            root_move.nodes += self.nodes - nodes_before;
            if count == 1 || value > alpha {
                let bound = match value {
                    _ if value <= alpha => Bound::Upper,
                    _ if value >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                root_move.set(value, bound, depth_now, seldepth, &self.lines[1]);
            } else {
                root_move.value = -INFINITE;
            }
            best = best.max(value);
            if value > alpha {
                best_move = Some(mv);
                alpha = value;
                if value >= beta {
                    break;
                }
            } else {
                tried.add(&candidate);
            }
        }
        if let Some(mv) = best_move {
            self.learn(mv, &tried, &node, depth);
        }
        if self.first == 0 {
            let bound = match best_move {
                _ if best >= beta => Bound::Lower,
                Some(_) => Bound::Exact,
                None => Bound::Upper,
            };
            self.remember(best_move, best, bound, depth, &node, true);
            self.learn_correction(&node, best_move, best, depth);
        }
        best
    }

    /// Makes a move, searches what follows as planned, and takes it back.
    fn search_child<N: Node>(
        &mut self,
        candidate: &Candidate,
        alpha: Value,
        beta: Value,
        plan: Plan,
        ply: usize,
    ) -> Value {
        let first = plan.count == 1;
        let frame = self.frame_mut(ply);
        frame.history = candidate.history;
        frame.count = plan.count;
        frame.quiet = candidate.victim.is_none();
        self.make(candidate.mv, candidate.moved, ply);
        let mut depth = plan.depth;
        let mut value = alpha;
        let mut searched = false;
        if let Some(reduced) = plan.reduced {
            self.frame_mut(ply).reduction = depth - reduced;
            value = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame_mut(ply).reduction = 0;
            if value > alpha && reduced < depth && !self.is_halted() {
                // How well the move did tells how deeply to look at it again.
                depth += i32::from(value > plan.best + 48) - i32::from(value < plan.best + 9);
                if candidate.victim.is_none() {
                    self.learn_surprise(candidate.moved, ply);
                }
            }
            searched = value <= alpha || reduced >= depth;
        } else if first && N::PV {
            searched = true;
        }
        if !searched && !self.is_halted() {
            let cut_node = !plan.cut_node;
            value = -self.search::<NonPv>(-alpha - 1, -alpha, depth, ply + 1, cut_node);
        }
        if N::PV && (first || value > alpha) && !self.is_halted() {
            value = -self.search::<Pv>(-beta, -alpha, depth, ply + 1, false);
        }
        self.position.undo_move();
        value
    }

    /// Begins to load what the table knows of the position after a move. To be called as early as it is likely that
    /// the move will be made: memory is slow.
    #[inline]
    pub(super) fn fetch_entry_after(&self, mv: Move) {
        self.job.table.prefetch(self.position.key_after(mv));
    }

    /// Plays a move of the tree.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, moved: PieceTo, ply: usize) {
        let frame = self.frame_mut(ply);
        frame.moved = moved;
        frame.mv = Some(mv);
        self.nodes += 1;
        self.position.do_move(mv);
    }

    /// Which promotions may be declined.
    pub(super) fn promotions(&self) -> Promotions {
        if self.job.options.generate_all_legal_moves {
            Promotions::All
        } else {
            Promotions::Sensible
        }
    }

    /// The kind of piece that a move takes.
    #[inline]
    pub(super) fn victim(&self, mv: Move) -> Option<PieceType> {
        self.position.piece_on(mv.to()).map(|piece| piece.kind())
    }

    fn candidate(&self, mv: Move, gives_check: bool, ply: usize) -> Candidate {
        let moved = PieceTo::of(&self.position, mv);
        let victim = self.victim(mv);
        let history = match victim {
            Some(kind) => self.history.capture(moved, kind),
            None => {
                2 * self.history.quiet(self.position.side_to_move(), mv)
                    + self
                        .history
                        .continuation(self.frame_before(ply, 1).moved, moved)
                    + self
                        .history
                        .continuation(self.frame_before(ply, 2).moved, moved)
            }
        };
        Candidate {
            mv,
            moved,
            victim,
            gives_check,
            history,
        }
    }
}
