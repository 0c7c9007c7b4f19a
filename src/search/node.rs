//! The alpha-beta node: what is tried before its moves are searched, the loop over the moves, and the root.
//!
//! Values are seen from the side to move, fail-soft, with mates counted from the root. After every call of a
//! child the search may have been halted: the value is meaningless then, and must not be stored or used.
//!
//! Values in the mate range are proofs. Three rules keep them so: no move is skipped while the best value is a
//! loss; promotions that are declined without reason are searched, too, before a position is called lost; and
//! no reduction, null move or other shortcut returns a mate that was not searched.

use arrayvec::ArrayVec;

use super::history::PieceTo;
use super::movepick::{Context, MovePicker};
use super::params;
use super::reductions::reduction;
use super::report::Bound;
use super::worker::Worker;
use crate::score::{self, INFINITE, Value, mate_in, mated_in};
use crate::shogi::{Move, PieceType, Promotions};

/// How many tried moves of each sort are remembered to be punished.
const REMEMBERED: usize = 32;
/// Depth of the entry for a position without legal moves: deep enough to be used anywhere near.
const TERMINAL_BONUS: i32 = 6;

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
    /// Whether it is the first move of the node.
    first: bool,
    /// Whether the node is expected to fail high.
    cut_node: bool,
}

/// The moves a node has tried so far, to learn from.
#[derive(Default)]
pub(super) struct Tried {
    pub quiets: ArrayVec<Move, REMEMBERED>,
    pub captures: ArrayVec<Move, REMEMBERED>,
}

/// What shallow pruning needs to know of a move.
struct Candidate {
    mv: Move,
    moved: PieceTo,
    victim: Option<PieceType>,
    gives_check: bool,
    /// Experience with the move.
    history: i32,
}

/// What pruning and reductions need to know of a node.
pub(super) struct Situation {
    pub depth: i32,
    pub ply: usize,
    pub eval: Value,
    pub in_check: bool,
    pub improving: bool,
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
        if let Some(value) = self.end_of_game(ply) {
            return value;
        }

        // Step 2. No mate found from here on is shorter than one in the next ply.
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 3. The table.
        let known = self.look_up(ply);
        if !N::PV
            && known.depth >= depth
            && let Some(value) = known.verdict(beta)
        {
            return value;
        }

        // Step 4. Static evaluation.
        let in_check = self.position.in_check();
        let static_eval = self.static_eval(&known, ply);
        let improving = !in_check && static_eval > self.frame_before(ply, 2).eval;
        // The table may know better.
        let eval = match known.verdict(static_eval) {
            Some(value) if !in_check && !score::is_decisive(value) => value,
            _ => static_eval,
        };
        let mut situation = Situation {
            depth,
            ply,
            eval: static_eval,
            in_check,
            improving,
        };

        // Step 5. Shortcuts for nodes that look decided.
        if !N::PV && !in_check {
            if let Some(value) = self.razor(&situation, eval, alpha) {
                return value;
            }
            if let Some(value) = self.reverse_futility(&situation, &known, eval, beta) {
                return value;
            }
            if cut_node && let Some(value) = self.null_move(&situation, eval, beta) {
                return value;
            }
        }

        // Step 6. Without a table move the node is searched less deeply: it is cheaper to come back.
        let table_move = known.mv.filter(|&mv| self.position.is_legal(mv));
        if (N::PV || cut_node) && table_move.is_none() && depth >= params::iir_depth() {
            situation.depth -= 1;
        }

        // Step 7. The moves.
        self.search_moves::<N>(alpha, beta, &situation, table_move, known.pv, cut_node)
    }

    /// The loop over the moves of a node, and what is learnt from it.
    fn search_moves<N: Node>(
        &mut self,
        mut alpha: Value,
        beta: Value,
        node: &Situation,
        table_move: Option<Move>,
        was_pv: bool,
        cut_node: bool,
    ) -> Value {
        let Situation { depth, ply, .. } = *node;
        let checks = self.position.check_info();
        let previous = self.previous_moves(ply);
        let table_capture = table_move.is_some_and(|mv| self.victim(mv).is_some());
        let mut picker = MovePicker::new(table_move, self.promotions());
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;

        loop {
            let context = Context {
                position: &self.position,
                history: self.history,
                checks: &checks,
                previous,
            };
            let Some(mv) = picker.next(&context) else {
                // A node that seems lost gets the moves that were thought useless.
                if score::is_mated(best) && picker.recall_declined(&context) {
                    continue;
                }
                break;
            };
            count += 1;
            let candidate = self.candidate(mv, checks.gives_check(&self.position, mv), ply);

            // Step 8. Late moves of shallow nodes that promise nothing are skipped.
            let mut reduced_by = reduction(depth, count) + self.adjustment(node, &candidate);
            reduced_by -= if N::PV || was_pv {
                params::reduction_pv()
            } else {
                0
            };
            if !score::is_loss(best) {
                if count >= late_move_limit(node) {
                    picker.skip_quiets();
                }
                if self.is_futile(node, &candidate, alpha, reduced_by) {
                    continue;
                }
            }

            // Step 9. Late moves are searched with less depth first.
            if cut_node {
                reduced_by += params::reduction_cut_node();
            }
            if table_capture {
                reduced_by += params::reduction_table_capture();
            }
            reduced_by -= candidate.history * 1024 / params::reduction_history();
            let new_depth = depth - 1;
            let plan = Plan {
                depth: new_depth,
                reduced: (depth >= 2 && count > 1 + usize::from(N::PV))
                    .then(|| (new_depth - reduced_by / 1024).clamp(1, new_depth.max(1))),
                first: count == 1,
                cut_node,
            };
            let value = self.search_child::<N>(&candidate, alpha, beta, plan, ply);
            if self.is_halted() {
                return 0;
            }

            // Step 10. A new best move?
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(candidate.mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if best_move != Some(mv) {
                let list = if candidate.victim.is_some() {
                    &mut tried.captures
                } else {
                    &mut tried.quiets
                };
                let _ = list.try_push(mv); // the first ones are remembered, it is enough
            }
        }

        // Step 11. No move: mated. Stalemate does not exist in shogi, it loses as well.
        if count == 0 {
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

        // Step 12. Learning, and the table.
        if let Some(mv) = best_move {
            self.learn(mv, &tried, depth, ply);
        }
        if best >= beta && !score::is_decisive(best) {
            best = (best * depth + beta) / (depth + 1);
        }
        let bound = match best_move {
            _ if best >= beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        self.remember(best_move, best, bound, depth, node, N::PV || was_pv);
        best
    }

    /// The value of the root, from the best of the moves that have no place yet.
    pub(super) fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32) -> Value {
        let ply = 0;
        self.lines[ply].clear();
        let known = self.look_up(ply);
        let static_eval = self.static_eval(&known, ply);
        let node = Situation {
            depth,
            ply,
            eval: static_eval,
            in_check: self.position.in_check(),
            improving: true,
        };
        let checks = self.position.check_info();
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;

        for i in self.first..self.root_moves.len() {
            let count = i - self.first + 1;
            let mv = self.root_moves[i].mv;
            let nodes_before = self.nodes;
            let candidate = self.candidate(mv, checks.gives_check(&self.position, mv), ply);
            let reduced_by = reduction(depth, count) + self.adjustment(&node, &candidate)
                - params::reduction_pv()
                - candidate.history * 1024 / params::reduction_history();
            let new_depth = depth - 1;
            let plan = Plan {
                depth: new_depth,
                reduced: (depth >= 2 && count > 3)
                    .then(|| (new_depth - reduced_by / 1024).clamp(1, new_depth.max(1))),
                first: count == 1,
                cut_node: false,
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
                let list = if candidate.victim.is_some() {
                    &mut tried.captures
                } else {
                    &mut tried.quiets
                };
                let _ = list.try_push(mv); // the first ones are remembered, it is enough
            }
        }
        if let Some(mv) = best_move {
            self.learn(mv, &tried, depth, ply);
        }
        if self.first == 0 {
            let bound = match best_move {
                _ if best >= beta => Bound::Lower,
                Some(_) => Bound::Exact,
                None => Bound::Upper,
            };
            self.remember(best_move, best, bound, depth, &node, true);
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
        self.make(candidate.mv, candidate.moved, ply);
        let mut value = alpha;
        let mut searched = false;
        if let Some(reduced) = plan.reduced {
            value = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
            searched = value <= alpha || reduced >= plan.depth;
        } else if plan.first && N::PV {
            searched = true;
        }
        if !searched && !self.is_halted() {
            let cut_node = !plan.cut_node;
            value = -self.search::<NonPv>(-alpha - 1, -alpha, plan.depth, ply + 1, cut_node);
        }
        if N::PV && (plan.first || value > alpha) && !self.is_halted() {
            value = -self.search::<Pv>(-beta, -alpha, plan.depth, ply + 1, false);
        }
        self.position.undo_move();
        value
    }

    /// Plays a move of the tree.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, moved: PieceTo, ply: usize) {
        self.job.table.prefetch(self.position.key_after(mv));
        self.frame_mut(ply).moved = moved;
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

    /// How the reduction of a move differs from that of any late move, in 1024ths of a ply.
    fn adjustment(&self, node: &Situation, candidate: &Candidate) -> i32 {
        let mut adjustment = params::reduction_base();
        if !node.improving {
            adjustment += params::reduction_not_improving();
        }
        if candidate.gives_check {
            adjustment -= params::reduction_check();
        }
        if candidate.victim.is_some() {
            adjustment -= params::reduction_capture();
        }
        adjustment
    }

    /// Whether a move of a node that is not lost promises too little to be searched.
    fn is_futile(
        &self,
        node: &Situation,
        candidate: &Candidate,
        alpha: Value,
        reduced_by: i32,
    ) -> bool {
        let depth = (node.depth - 1 - reduced_by / 1024).max(0);
        if candidate.victim.is_some() || candidate.gives_check {
            let allowed = params::see_capture_slope() * node.depth;
            return !self.position.see_ge(candidate.mv, -allowed);
        }
        if candidate.history < -params::history_pruning() * node.depth {
            return true;
        }
        let margin = params::futility_base() + params::futility_slope() * depth;
        if !node.in_check && depth <= params::futility_depth() && node.eval + margin <= alpha {
            return true;
        }
        let allowed = params::see_quiet_slope() * depth * depth;
        !self.position.see_ge(candidate.mv, -allowed)
    }
}

/// From which move on the quiet moves of a node are not tried any more.
fn late_move_limit(node: &Situation) -> usize {
    let tenths = params::late_move_base() + params::late_move_slope() * node.depth * node.depth;
    let limit = tenths / 10 / if node.improving { 1 } else { 2 };
    limit.max(1) as usize
}
