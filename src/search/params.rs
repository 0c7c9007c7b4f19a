//! The numbers to tune, each with its range. All margins are in eval units, depths in plies.
//!
//! Most started from the values of Stockfish (development version of August 2026) and YaneuraOu 9.70, and were tuned by
//! SPSA since.
//!
//! Constants that are not for tuning stand where they are used: sizes of tables, bounds of their entries, and what
//! defines a technique, such as the zero window or the half depth of a singular search.
//!
//! Every entry becomes a `const fn` of its name, and all are listed in [`ALL`]. In builds with the feature `tune`
//! the functions read values that `set` can change; the feature is for tuning only and costs speed.

/// One tunable number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name of the function that returns it.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// The value in use.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal, $min:literal..=$max:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )+

        /// All tunables in the order of the source.
        pub const ALL: &[Param] = &[$(Param {
            name: stringify!($name),
            doc: concat!($($doc),+),
            default: $default,
            min: $min,
            max: $max,
        }),+];

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)] // named like their functions
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($default);)+
        }

        /// Changes a tunable from now on, within its range. Whether there is one of that name.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => {
                    let value = value.clamp($min, $max);
                    values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                })+
                _ => return false,
            }
            true
        }
    };
}

params! {
    /// Half width of the first aspiration window.
    aspiration_delta = 31, 5..=100;
    /// Growth of the window after a miss, in percent.
    aspiration_growth = 50, 10..=200;
    /// The first aspiration window is wider by one unit per this much of the expected value.
    aspiration_value_divisor = 64, 8..=1000;
    /// The first aspiration window: the most that a large expected value adds.
    aspiration_value_max = 200, 0..=1000;
    /// Depth from which on aspiration windows are used.
    aspiration_depth = 4, 1..=12;

    /// Transposition table cutoff: up to this depth only if the value agrees with the expected kind of node (cut or
    /// all).
    tt_cut_depth = 5, 0..=12;
    /// Added to the depth of the table entry for a mate: deep enough to be used anywhere near.
    tt_terminal_bonus = 6, 0..=20;

    /// Razoring: margin below alpha, constant part.
    razor_base = 233, 50..=800;
    /// Razoring: margin per squared ply.
    razor_slope = 255, 50..=500;

    /// Reverse futility: greatest depth.
    reverse_futility_depth = 9, 4..=16;
    /// Reverse futility: margin per ply.
    reverse_futility_slope = 69, 40..=200;
    /// Reverse futility: taken off the margin if the position is improving.
    reverse_futility_improving = 32, 0..=200;
    /// Reverse futility: taken off the margin if the opponent is worsening.
    reverse_futility_worsening = 10, 0..=100;
    /// Reverse futility: part of the correction that is added to the margin, in 1024ths.
    reverse_futility_correction = 512, 0..=2048;
    /// Reverse futility: weight of beta in the value returned, where that of the evaluation is 1.
    reverse_futility_beta = 2, 0..=8;

    /// Null move: least depth.
    nmp_depth = 3, 2..=6;

    /// Mate in three: least depth at which it is looked for.
    mate_in_three_depth = 7, 1..=20;
    /// Null move: constant part of the reduction.
    nmp_reduction = 4, 2..=8;
    /// Null move: one ply more reduction per this many plies of depth.
    nmp_depth_divisor = 4, 2..=8;
    /// Null move: one ply more reduction per this much above beta.
    nmp_eval_divisor = 220, 80..=500;
    /// Null move: greatest reduction for being above beta.
    nmp_eval_max = 3, 0..=8;
    /// Null move: the static evaluation may lie below beta by this per ply ..
    nmp_margin_slope = 20, 0..=60;
    /// .. less this.
    nmp_margin_base = 150, 0..=500;
    /// Null move: part of the verification search's depth, in 1024ths, in which no further null move is tried.
    nmp_verification_span = 768, 256..=1024;
    /// Null move: verify from this depth on.
    nmp_verification_depth = 14, 8..=24;

    /// Small ProbCut: margin above beta.
    tt_cut_margin = 482, 100..=800;
    /// Small ProbCut: plies by which the table entry may be shallower.
    tt_cut_depth_gap = 4, 1..=8;
    /// ProbCut: least depth.
    prob_cut_depth = 3, 1..=8;
    /// ProbCut: the raised bound above beta.
    prob_cut_margin = 156, 50..=500;
    /// ProbCut: taken off if the position improves.
    prob_cut_improving = 61, 0..=200;
    /// ProbCut: plies less than the node.
    prob_cut_reduction = 4, 2..=6;

    /// Internal iterative reduction (IIR): least depth.
    iir_depth = 5, 2..=10;
    /// Internal iterative reduction (IIR): not where the parent reduced the node by more plies than this.
    iir_prior_reduction = 3, 0..=8;
    /// Hindsight: a ply deeper if the node was reduced by this many plies and the opponent is not worsening.
    hindsight_deeper = 3, 1..=8;
    /// Hindsight: a ply shallower, if at all, for nodes reduced by this many plies.
    hindsight_shallower = 2, 1..=8;
    /// Hindsight: a reduced node whose evaluation is this much better than its parent's is searched one ply less.
    hindsight_margin = 152, 0..=500;

    /// Late move pruning: constant part of the count, in tenths.
    lmp_base = 64, 0..=100;
    /// Late move pruning: part per squared ply, in tenths.
    lmp_slope = 17, 3..=30;

    /// Futility of quiet moves: greatest reduced depth.
    futility_depth = 8, 4..=14;
    /// Futility of quiet moves: constant part of the margin.
    futility_base = 115, 20..=300;
    /// Futility of quiet moves: margin per ply.
    futility_slope = 114, 40..=250;
    /// Futility of quiet moves: added to the margin while no move has raised alpha.
    futility_nothing_found = 115, 0..=300;
    /// Futility of quiet moves: one ply more depth per this much history.
    futility_history = 6280, 1000..=20000;

    /// Futility of captures: tried below this reduced depth.
    capture_futility_depth = 7, 0..=20;
    /// Futility of captures: constant part of the margin.
    capture_futility_base = 204, 0..=500;
    /// Futility of captures: margin per ply.
    capture_futility_slope = 240, 0..=500;
    /// Futility of captures: part of the capture history in the margin, in 1024ths.
    capture_futility_history = 128, 0..=1024;

    /// History pruning: quiet moves whose history lies below minus this per ply are pruned.
    history_pruning = 2691, 1000..=8000;

    /// SEE pruning of quiet moves: loss allowed per squared ply.
    see_quiet_slope = 30, 5..=100;
    /// SEE pruning of captures and checks: loss allowed per ply.
    see_capture_slope = 164, 50..=300;

    /// Singular extension: least depth.
    singular_depth = 6, 4..=12;
    /// Singular extension: plies by which the table entry may be shallower.
    singular_depth_gap = 3, 0..=6;
    /// Singular extension: not below this multiple of the root depth.
    singular_ply_limit = 2, 1..=4;
    /// Singular extension: margin below the table value per ply, in 64ths.
    singular_margin = 55, 10..=200;
    /// Singular extension: added to that in ttPv nodes off the principal variation.
    singular_margin_pv = 66, 0..=200;
    /// Negative extension of the TT move that is not singular, with a table value above beta, in plies.
    singular_negative = 3, 0..=4;
    /// Negative extension of the TT move that is not singular in a cut node, in plies.
    singular_negative_cut = 2, 0..=4;

    /// Late move reductions: divisor of the product of logarithms, in hundredths.
    lmr_divisor = 176, 120..=400;
    /// Late move reductions: constant part, in 1024ths of a ply.
    lmr_offset = 939, -500..=2000;
    /// LMR: more if the position is not improving, in 1024ths of a ply.
    lmr_not_improving = 799, 0..=2000;
    /// LMR: more in cut nodes, in 1024ths of a ply.
    lmr_cut_node = 2318, 0..=4000;
    /// LMR: less in nodes that are or were on a principal variation (ttPv), in 1024ths of a ply.
    lmr_pv = 1130, 0..=3000;
    /// LMR: more if the TT move is a capture, in 1024ths of a ply.
    lmr_tt_capture = 700, 0..=2000;
    /// LMR: less for checks, in 1024ths of a ply.
    lmr_check = 1221, 0..=3000;
    /// LMR: one ply less per this much history.
    lmr_history = 9327, 3000..=20000;
    /// LMR: less for captures, in 1024ths of a ply.
    lmr_capture = 1128, 0..=3000;
    /// LMR: more in cut nodes without a TT move, in 1024ths of a ply.
    lmr_no_tt_move = 793, 0..=2000;
    /// LMR: less in ttPv nodes if the table value is above alpha, in 1024ths of a ply.
    lmr_tt_above = 681, 0..=2000;
    /// LMR: less in ttPv nodes if the table entry is as deep as the node, in 1024ths of a ply.
    lmr_tt_deep = 900, 0..=2000;
    /// LMR: less for the TT move, in 1024ths of a ply.
    lmr_tt_move = 2200, 0..=4000;
    /// LMR: more after several beta cutoffs in the children, in 1024ths of a ply.
    lmr_cutoffs = 1036, 0..=3000;
    /// LMR: less per unit of correction of static evaluation, in 1024ths of a ply.
    lmr_uncertainty = 4, 0..=20;

    /// LMR: a re-search goes a ply deeper if the reduced search beat the best value by this ..
    lmr_deeper = 48, 0..=200;
    /// .. and a ply shallower if by less than this.
    lmr_shallower = 9, 0..=100;
    /// LMR: least number of beta cutoffs in the children, see `lmr_cutoffs`.
    lmr_cutoffs_count = 3, 1..=8;

    /// After a new best move the other moves are searched this much less deeply ..
    alpha_raise_reduction = 2, 0..=4;
    /// .. at depths below this.
    alpha_raise_depth = 14, 3..=30;

    /// Quiescence: after this many moves only recaptures and checks are tried.
    quiescence_moves = 3, 1..=10;
    /// Quiescence: margin of futility (delta) pruning.
    quiescence_futility = 221, 50..=500;
    /// Quiescence: loss allowed in an exchange.
    quiescence_see = 59, 0..=200;

    /// Weight of the main history, where that of a continuation history is 1, when pruning and LMR look at a quiet
    /// move.
    history_main = 2, 0..=8;
    /// What is left of the main history in the next search, in 1024ths.
    history_age = 768, 0..=1024;
    /// History bonus: slope per ply.
    history_bonus_slope = 180, 50..=400;
    /// History bonus: constant taken off.
    history_bonus_offset = 60, 0..=300;
    /// History bonus: greatest.
    history_bonus_max = 1700, 500..=4000;
    /// History malus: slope per ply.
    history_malus_slope = 232, 50..=900;
    /// History malus: constant taken off.
    history_malus_offset = 90, 0..=300;
    /// History malus: greatest.
    history_malus_max = 1700, 500..=4000;
    /// History bonus: added for the TT move.
    history_bonus_tt_move = 440, 0..=1000;
    /// History malus: how much less each further move gets, in 1024ths.
    history_malus_fade = 39, 0..=300;
    /// History malus of the opponent's first choice when refuted, in 1024ths.
    history_refuted = 651, 0..=1024;
    /// History bonus and malus: part for the low-ply history, in 1024ths.
    history_low_ply = 768, 0..=2048;
    /// History bonus and malus: part for the pawn history, in 1024ths.
    history_pawn = 768, 0..=2048;
    /// Weight of the continuation history one ply ago, in 1024ths.
    continuation_1 = 1100, 0..=2048;
    /// Weight of the continuation history two plies ago, in 1024ths.
    continuation_2 = 700, 0..=2048;
    /// Weight of the continuation history three plies ago, in 1024ths.
    continuation_3 = 300, 0..=2048;
    /// Weight of the continuation history four plies ago, in 1024ths.
    continuation_4 = 550, 0..=2048;
    /// Weight of the continuation history five plies ago, in 1024ths.
    continuation_5 = 140, 0..=2048;
    /// Weight of the continuation history six plies ago, in 1024ths.
    continuation_6 = 440, 0..=2048;
    /// Bonus for a move whose reduced search (LMR) beat alpha.
    lmr_success_bonus = 1400, 0..=4000;

    /// Prior move: bonus for a capture.
    prior_capture_bonus = 1000, 0..=4000;
    /// Prior quiet move: scale per ply of depth.
    prior_depth_slope = 59, 0..=200;
    /// Prior quiet move: greatest scale by depth.
    prior_depth_max = 450, 0..=1000;
    /// Prior quiet move: constant taken off the scale.
    prior_offset = 230, 0..=1000;
    /// Prior quiet move: the scale falls by one per this much history of it.
    prior_history_divisor = 106, 20..=1000;
    /// Prior quiet move: added to the scale for late moves ..
    prior_late = 170, 0..=500;
    /// .. with at least this number.
    prior_late_count = 9, 2..=30;
    /// Prior quiet move: added to the scale if the value lies this far below the static evaluation ..
    prior_below_eval = 145, 0..=500;
    /// .. the margin for that.
    prior_below_eval_margin = 110, 0..=400;
    /// Prior quiet move: added to the scale if the value lies below that of the parent ..
    prior_below_parent = 155, 0..=500;
    /// .. the margin for that.
    prior_below_parent_margin = 75, 0..=400;
    /// Prior quiet move: bonus per ply.
    prior_bonus_slope = 135, 0..=400;
    /// Prior quiet move: constant taken off the bonus.
    prior_bonus_offset = 80, 0..=400;
    /// Prior quiet move: greatest bonus.
    prior_bonus_max = 1400, 0..=4000;
    /// Prior quiet move: divisor of bonus times scale for the continuation histories.
    prior_continuation_divisor = 74, 20..=500;
    /// Prior quiet move: divisor of bonus times scale for the main history.
    prior_main_divisor = 139, 20..=500;

    /// Change of the static evaluation by a quiet move: least that counts.
    eval_diff_min = -214, -1000..=0;
    /// Change of the static evaluation by a quiet move: most that counts.
    eval_diff_max = 171, 0..=1000;
    /// Change of the static evaluation by a quiet move: added.
    eval_diff_offset = 60, -200..=400;
    /// Change of the static evaluation by a quiet move: weight in the main history.
    eval_diff_weight = 10, 0..=40;

    /// Table cutoff: bonus of the quiet TT move per ply.
    tt_cutoff_bonus_slope = 130, 0..=400;
    /// Table cutoff: constant taken off that bonus.
    tt_cutoff_bonus_offset = 70, 0..=400;
    /// Table cutoff: greatest bonus.
    tt_cutoff_bonus_max = 1000, 0..=4000;
    /// Table cutoff: malus of the opponent's early quiet move ..
    tt_cutoff_malus = 2100, 0..=4000;
    /// .. among this many first moves.
    tt_cutoff_malus_count = 3, 1..=8;

    /// Correction history: divisor of an update with a best move.
    correction_divisor = 10, 2..=40;
    /// Correction history: divisor of an update without a best move.
    correction_divisor_fail_low = 7, 2..=40;

    /// Correction history: greatest update, in 1024ths of the greatest value.
    correction_update_max = 256, 16..=1024;

    /// Correction history: greatest correction by the pawns.
    correction_pawns = 80, 0..=300;
    /// Correction history: greatest correction by kings, golds and silvers.
    correction_generals = 70, 0..=300;
    /// Correction history: greatest correction by one player's pieces.
    correction_pieces = 90, 0..=300;
    /// Correction history: greatest correction by the hands.
    correction_hands = 48, 0..=300;
    /// Correction history: greatest correction by the last two moves.
    correction_last_move = 73, 0..=300;
    /// Correction history: greatest correction by the last move and the third before it.
    correction_earlier_move = 48, 0..=300;

    /// Move order: quiet moves that score less come after the bad captures.
    order_good_quiet = -14_000, -30000..=0;
    /// Move order: a check whose exchange (SEE) loses more than this earns no bonus.
    order_check_see = 75, 0..=300;
    /// Move order: weight of the captured piece's value (MVV) relative to the capture history.
    order_victim = 7, 1..=16;
    /// Move order: weight of the main history relative to the continuation histories.
    order_main = 2, 0..=4;
    /// Move order: bonus for a direct check among quiet moves.
    order_check = 7558, 0..=20000;
    /// Move order: an exchange may lose 1 unit per this much capture score before the capture is bad.
    order_see_divisor = 18, 4..=64;
    /// Move order: weight of the pawn history.
    order_pawn_history = 2, 0..=4;
    /// Move order: weight of the low-ply history.
    order_low_ply = 8, 0..=16;

    /// Mate search at the root: nodes of the search for each of its own, which cost two or three times as much.
    mate_search_share = 64, 4..=1024;
    /// Mate search at the root: nodes beyond that share, enough to recall what an earlier search found, and for most
    /// mates in three.
    mate_search_free = 64, 0..=4096;
    /// Mate search at the root: the least portion of work that is worth beginning, in nodes.
    mate_search_portion = 64, 1..=1024;

    /// Time: constant part of the factor for a falling score, in thousandths of the planned time ..
    time_falling_base = 978, 300..=2000;
    /// .. per unit below the previous search's value, in hundred-thousandths ..
    time_falling_previous = 1955, 0..=10_000;
    /// .. per unit below the value a few iterations ago, in hundred-thousandths ..
    time_falling_earlier = 935, 0..=10_000;
    /// .. the greatest difference that counts ..
    time_falling_difference = 200, 50..=1000;
    /// .. the least factor, in thousandths ..
    time_falling_min = 600, 100..=1000;
    /// .. and the greatest.
    time_falling_max = 1700, 1000..=4000;
    /// Time: factor while the best move changes, in thousandths ..
    time_stability_base = 1350, 500..=3000;
    /// .. less this for each iteration that it has stood ..
    time_stability_slope = 60, 0..=200;
    /// .. up to this number.
    time_stability_count = 10, 1..=20;
    /// Time: constant part of the factor for the best move's share of the nodes, in thousandths ..
    time_effort_base = 1550, 500..=3000;
    /// .. less this for all nodes ..
    time_effort_slope = 850, 0..=2000;
    /// .. the least factor ..
    time_effort_min = 700, 100..=1000;
    /// .. and the greatest.
    time_effort_max = 1400, 1000..=4000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_ranges_and_names_are_unique() {
        for (i, param) in ALL.iter().enumerate() {
            assert!(
                (param.min..=param.max).contains(&param.default),
                "{}",
                param.name
            );
            assert!(!param.doc.trim().is_empty());
            assert!(
                ALL[..i].iter().all(|other| other.name != param.name),
                "{}",
                param.name
            );
        }
        let listed = ALL.iter().find(|p| p.name == "futility_base").unwrap();
        assert_eq!(listed.default, futility_base());
    }
}
