//! The alpha-beta node, a principal variation search: its steps, the loop over the moves, and the root.
//!
//! Values are seen from the side to move, fail-soft, with mates counted from the root. If the search was halted in a
//! child, the value returned is meaningless and must not be stored or used.
//!
//! Values in the mate range are proofs. Three rules keep them so: no move is pruned while the best value is a loss;
//! unpromoted moves are searched, too, before a position is called lost; and no reduction, null move or other pruning
//! returns a mate that was not searched.
//!
//! The order of the steps and many of their conditions are those of Stockfish and YaneuraOu 9.70.

use arrayvec::ArrayVec;

use super::node_type::{NodeType, NonPv, Pv};
use super::pruning::lmp_count;
use super::singular::Singular;
use super::state::{MoveInfo, NodeState};
use crate::score::{self, INFINITE, Value, mate_in, mated_in};
use crate::search::ordering::history::PieceTo;
use crate::search::ordering::movepick::MovePicker;
use crate::search::params;
use crate::search::report::Bound;
use crate::search::tt::TtEntry;
use crate::search::worker::Worker;
use crate::shogi::{Move, Promotions};

/// How many tried moves of each sort get a malus.
const REMEMBERED: usize = 32;

/// How the child of a move is to be searched.
#[derive(Clone, Copy)]
struct ChildPlan {
    depth: i32,
    /// The reduced depth to try first (LMR), if any.
    reduced: Option<i32>,
    /// Which move of the node it is, from 1.
    count: usize,
    /// Whether the node is expected to fail high.
    cut_node: bool,
    /// The best value of the node so far.
    best: Value,
}

/// The moves a node has tried so far, for the history updates.
#[derive(Default)]
pub struct TriedMoves {
    pub quiets: ArrayVec<Move, REMEMBERED>,
    pub captures: ArrayVec<Move, REMEMBERED>,
}

impl TriedMoves {
    fn add(&mut self, info: &MoveInfo) {
        let list = if info.captured.is_some() {
            &mut self.captures
        } else {
            &mut self.quiets
        };
        let _ = list.try_push(info.mv); // the first ones are remembered, it is enough
    }
}

impl Worker<'_> {
    /// The value of the position, searched to `depth` plies. At the root only the root moves from `pv_index` on are
    /// searched (MultiPV).
    pub fn search<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.qsearch::<N>(alpha, beta, ply);
        }

        // Step 1. End of the search or of the game.
        if self.must_end() {
            return 0;
        }
        if N::PV {
            self.pv_table[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        let is_whole = self.stack(ply).excluded.is_none();
        if !N::ROOT
            && is_whole
            && let Some(value) = self.end_of_game(ply)
        {
            return value;
        }

        // Step 2. Mate distance pruning: no mate from here on is shorter than one in the next ply.
        let (alpha, beta) = if N::ROOT {
            (alpha, beta)
        } else {
            (alpha.max(mated_in(ply)), beta.min(mate_in(ply + 1)))
        };
        if alpha >= beta {
            return alpha;
        }

        // Step 3. Transposition table cutoff. Near the leaves only if the value agrees with the expected kind of node
        // (cut or all).
        let tt = self.probe_tt(ply);
        if !N::PV
            && is_whole
            && let Some(value) = tt.bound_for(beta)
            && tt.depth >= depth + i32::from(value >= beta)
            && (cut_node == (value >= beta) || depth > params::tt_cut_depth())
        {
            if value >= beta {
                self.update_on_tt_cutoff(&tt, depth, ply);
            }
            return value;
        }

        // Step 4. Static evaluation with correction history, and hindsight adjustment of the depth.
        let mut node = self.evaluate_node(depth, ply, tt, N::PV, cut_node);
        if let Some(raw) = node.raw_eval
            && tt.eval.is_none()
        {
            self.store_tt(ply, TtEntry::evaluation(raw)); // whatever ends this node
        }
        if is_whole {
            self.update_by_eval_diff(&node);
            node.depth += self.hindsight_adjustment(&node);
        }

        // Step 5. Whole-node pruning: mate in one and three, razoring, reverse futility, null move with verification
        // search.
        let may_shorten = !N::PV && is_whole && !node.in_check;
        if may_shorten && let Some(value) = self.prune_node(&node, alpha, beta) {
            return value;
        }
        node.improving |= N::ROOT || (!node.in_check && node.static_eval >= beta);

        node.tt_move = tt.mv.filter(|&mv| self.is_playable(mv));
        node.tt_capture = node
            .tt_move
            .is_some_and(|mv| self.position.captured_by(mv).is_some());

        // Step 6. Internal iterative reduction (IIR): a PV or cut node without a TT move is searched one ply less
        // deeply.
        if (N::PV || cut_node)
            && is_whole
            && node.tt_move.is_none()
            && node.depth >= params::iir_depth()
            && self.stack_before(ply, 1).reduction <= params::iir_prior_reduction()
        {
            node.depth -= 1;
        }

        // Step 7. ProbCut: a capture that refutes even a raised beta; small ProbCut: the table's value that does.
        if !N::PV
            && is_whole
            && let Some(value) = self.prob_cut(&node, beta)
        {
            return value;
        }

        // Step 8. Move ordering: the loop over the moves that the move picker hands out.
        self.search_moves::<N>(alpha, beta, &node)
    }

    /// Hindsight adjustment: a node that was reduced (LMR) is searched a ply deeper or shallower, now that the
    /// evaluation after the last move is known.
    fn hindsight_adjustment(&self, node: &NodeState) -> i32 {
        let parent = self.stack_before(node.ply, 1);
        if parent.reduction >= params::hindsight_deeper() && !node.opponent_worsening {
            return 1;
        }
        let calm = !node.in_check && !parent.in_check;
        let is_good = calm && node.static_eval + parent.static_eval > params::hindsight_margin();
        if parent.reduction >= params::hindsight_shallower() && node.depth >= 2 && is_good {
            return -1;
        }
        0
    }

    /// The loop over the moves of a node, and the updates after it.
    fn search_moves<N: NodeType>(
        &mut self,
        mut alpha: Value,
        beta: Value,
        node: &NodeState,
    ) -> Value {
        let NodeState { mut depth, ply, .. } = *node;
        let mut picker = MovePicker::new(node.tt_move, self.promotions());
        let mut tried = TriedMoves::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;

        while let Some(mv) = self.next_move::<N>(&mut picker, node, count, best) {
            if Some(mv) == node.excluded {
                continue;
            }
            count += 1;
            let info = self.move_info(mv, node);

            // Step 9. Late move pruning (LMP), futility pruning, history pruning and SEE pruning of the move.
            let mut reduction = node.lmr_base(&info, depth, count);
            if !N::ROOT && !score::is_loss(best) {
                if count >= lmp_count(node) {
                    picker.skip_quiets();
                }
                let depth = node.depth - 1 - reduction / 1024;
                let nothing_found = best_move.is_none();
                if let Some(promise) = self.prune_move(node, &info, alpha, depth, nothing_found) {
                    best = best.max(promise);
                    continue;
                }
            }

            self.fetch_entry_after(mv);

            // Step 10. Singular extensions, multi-cut and negative extensions of the TT move.
            let mut new_depth = depth - 1;
            if !N::ROOT && Some(mv) == node.tt_move && node.excluded.is_none() {
                match self.singular_extension::<N>(node, &info, beta) {
                    Singular::Extension(plies) => {
                        new_depth += plies;
                        depth += i32::from(plies > 0);
                    }
                    Singular::MultiCut(value) => return value,
                }
                if self.is_halted() {
                    return 0;
                }
            }

            // Step 11. Late move reductions (LMR), and the search of the move.
            let cutoffs = if N::ROOT {
                0
            } else {
                self.stack(ply + 1).cutoffs
            };
            reduction += node.lmr_adjust(&info, alpha, cutoffs);
            let plan = ChildPlan {
                depth: new_depth,
                reduced: (depth >= 2 && count > 1 + usize::from(N::PV) + usize::from(N::ROOT))
                    .then(|| (new_depth - reduction / 1024).clamp(1, new_depth.max(0) + 1)),
                count,
                cut_node: node.cut_node,
                best,
            };
            let nodes_before = self.nodes;
            let value = self.search_child::<N>(&info, alpha, beta, plan, ply);
            if self.is_halted() {
                return 0;
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.record_root_move(count, value, alpha, beta, nodes);
            }

            // Step 12. Beta cutoff, or a new best move, after which the others are searched less deeply.
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(info.mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        self.stack_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    let less = params::alpha_raise_reduction();
                    if !N::ROOT
                        && depth > less
                        && depth < params::alpha_raise_depth()
                        && !score::is_decisive(value)
                    {
                        depth -= less;
                    }
                }
            }
            if best_move != Some(mv) {
                tried.add(&info);
            }
        }

        // Step 13. Checkmate. Stalemate is a loss, too, in shogi.
        if count == 0 {
            if node.excluded.is_some() {
                return alpha;
            }
            let value = mated_in(ply);
            self.store_tt(
                ply,
                TtEntry {
                    mv: None,
                    value,
                    eval: node.raw_eval,
                    depth: depth + params::tt_terminal_bonus(),
                    bound: Some(Bound::Exact),
                    pv: N::PV,
                },
            );
            return value;
        }

        // Step 14. History updates, transposition table, and correction history.
        match best_move {
            Some(mv) => self.update_histories(mv, &tried, node, depth),
            None => self.reward_prior_move(node, best, depth),
        }
        if best >= beta && !score::is_decisive(best) && !score::is_decisive(beta) {
            best = (best * depth + beta) / (depth + 1);
        }
        let bound = match best_move {
            _ if best >= beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        let is_best_line = !N::ROOT || self.pv_index == 0;
        if node.excluded.is_none() && is_best_line {
            self.store_tt(
                ply,
                TtEntry {
                    mv: best_move,
                    value: best,
                    eval: node.raw_eval,
                    depth,
                    bound: Some(bound),
                    pv: node.tt_pv,
                },
            );
            self.update_correction_history(node, best_move, best, depth);
        }
        best
    }

    /// The next move to try after `count` moves. At the root the moves come in the order of the last iteration; if the
    /// position seems lost, those that were set aside for declining a promotion follow.
    fn next_move<N: NodeType>(
        &mut self,
        picker: &mut MovePicker,
        node: &NodeState,
        count: usize,
        best: Value,
    ) -> Option<Move> {
        if N::ROOT {
            let i = self.pv_index + count;
            if i == self.root_moves.len() && self.pv_index == 0 && score::is_mated(best) {
                self.root_moves.append(&mut self.unpromoted);
            }
            return Some(self.root_moves.get(i)?.mv);
        }
        self.pick(picker, node, best)
    }

    /// The next move of a picker. In a node that seems lost the unpromoted moves that were left out at first follow.
    #[inline]
    pub fn pick(&self, picker: &mut MovePicker, node: &NodeState, best: Value) -> Option<Move> {
        let next =
            |picker: &mut MovePicker| picker.next(&self.position, self.history, &node.context);
        next(picker).or_else(|| {
            let adds = score::is_mated(best) && picker.add_unpromoted(&self.position);
            adds.then(|| next(picker))?
        })
    }

    /// Records the result of the root move that was searched as the `count`-th, in a window from `alpha` to `beta`.
    fn record_root_move(
        &mut self,
        count: usize,
        value: Value,
        alpha: Value,
        beta: Value,
        nodes: u64,
    ) {
        let (depth, seldepth) = (self.root_depth, self.seldepth as u32);
        let root_move = &mut self.root_moves[self.pv_index + count - 1];
        root_move.nodes += nodes;
        if count == 1 || value > alpha {
            let bound = match value {
                _ if value <= alpha => Bound::Upper,
                _ if value >= beta => Bound::Lower,
                _ => Bound::Exact,
            };
            root_move.set(value, bound, depth, seldepth, &self.pv_table[1]);
        } else {
            root_move.value = -INFINITE;
        }
    }

    /// Makes a move, searches what follows (LMR, null window, full window), and takes it back.
    fn search_child<N: NodeType>(
        &mut self,
        info: &MoveInfo,
        alpha: Value,
        beta: Value,
        plan: ChildPlan,
        ply: usize,
    ) -> Value {
        let first = plan.count == 1;
        let entry = self.stack_mut(ply);
        entry.history = info.history;
        entry.count = plan.count;
        entry.quiet = info.captured.is_none();
        self.make(info.mv, info.moved, ply);
        let mut depth = plan.depth;
        let mut value = alpha;
        let mut searched = false;
        if let Some(reduced) = plan.reduced {
            self.stack_mut(ply).reduction = depth - reduced;
            value = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.stack_mut(ply).reduction = 0;
            if value > alpha && reduced < depth && !self.is_halted() {
                // The better the move did, the deeper the re-search.
                depth += i32::from(value > plan.best + params::lmr_deeper())
                    - i32::from(value < plan.best + params::lmr_shallower());
                if info.captured.is_none() {
                    self.update_after_lmr(info.moved, ply);
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

    /// Prefetches the table entry of the position after a move. To be called as soon as the move will probably be made:
    /// memory is slow.
    #[inline]
    pub fn fetch_entry_after(&self, mv: Move) {
        self.job.tt.prefetch(self.position.key_after(mv));
    }

    /// Makes a move in the tree.
    #[inline]
    pub fn make(&mut self, mv: Move, moved: PieceTo, ply: usize) {
        let entry = self.stack_mut(ply);
        entry.moved = moved;
        entry.mv = Some(mv);
        self.nodes += 1;
        self.position.do_move(mv);
    }

    /// Whether the move generators list all unpromoted moves.
    pub fn promotions(&self) -> Promotions {
        if self.job.options.all_promotions {
            Promotions::All
        } else {
            Promotions::Sensible
        }
    }

    /// Whether a move from the table can be searched: it is legal, and one that the search does not leave out.
    pub fn is_playable(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
            && (self.job.options.all_promotions || !self.position.declines_promotion(mv))
    }

    #[inline]
    fn move_info(&self, mv: Move, node: &NodeState) -> MoveInfo {
        let moved = PieceTo::of(&self.position, mv);
        let captured = self.position.captured_by(mv);
        let [last, second, ..] = node.context.previous;
        let history = match captured {
            Some(kind) => self.history.capture(moved, kind),
            None => {
                params::history_main() * self.history.main(self.position.side_to_move(), mv)
                    + self.history.continuation(last, moved)
                    + self.history.continuation(second, moved)
            }
        };
        let checks = node.context.checks(&self.position);
        MoveInfo {
            mv,
            moved,
            captured,
            gives_check: checks.gives_check(&self.position, mv),
            history,
        }
    }
}
