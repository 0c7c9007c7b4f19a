//! A mate search for the root of a game search: df-pn in small portions, between iterations.

use super::answer::Mate;
use super::dfpn::Search;
use super::hands;
use super::limits::{MateLimits, Watch};
use super::path::PathTable;
use super::proof_number::Len;
use super::solver::shorten;
use super::table::Table;
use crate::shogi::{Hand, HandPiece, Position};

/// The longest path that is followed. Longer mates do not matter in play.
const MAX_PLIES: usize = 63;
/// Memory in bytes, and the part of it for disproofs that hold on one path only.
const MEMORY: usize = 8 << 20;
const PATH_MEMORY: usize = 1 << 19;

/// A df-pn search for a mate from one position that works in portions and keeps its table from move to move.
pub struct RootMateSearch {
    table: Table,
    path_table: PathTable,
    root: Position,
    /// Whether more work would bring nothing new.
    is_over: bool,
}

impl RootMateSearch {
    /// A search with 8 MiB of memory and no position yet.
    pub fn new() -> Self {
        let mut search = Self {
            table: Table::new(MEMORY - PATH_MEMORY),
            path_table: PathTable::new(PATH_MEMORY),
            root: Position::startpos(),
            is_over: true,
        };
        search.table.fetch_memory();
        search.path_table.reset();
        search
    }

    /// Forgets everything, and has nothing to look for.
    pub fn clear(&mut self) {
        self.table.clear();
        self.path_table.reset();
        self.root = Position::startpos();
        self.is_over = true;
    }

    /// Begins to look for a mate by the side to move. What is known from earlier moves of the same player in the
    /// same game is kept: a mate that was announced is not lost from sight when the defender leaves the line.
    pub fn start(&mut self, root: &Position) {
        let task = |position: &Position| (position.side_to_move(), set(position));
        if task(root) != task(&self.root) {
            self.table.clear();
        }
        self.path_table.clear();
        self.root = root.clone();
        self.is_over = false;
    }

    /// Whether more work would bring nothing new.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Continues, for at most `nodes` nodes or until `must_end`, which is asked every few hundred nodes, returns true.
    /// Returns the nodes visited, and the mate as far as it could be shortened once one is found.
    pub fn work(&mut self, nodes: u64, must_end: &mut dyn FnMut() -> bool) -> (u64, Option<Mate>) {
        if self.is_over {
            return (0, None);
        }
        let limits = MateLimits {
            nodes: Some(nodes),
            ..MateLimits::default()
        };
        let watch = Watch::new(limits, must_end, &|_| {});
        let root = self.root.clone();
        let mut search = Search::new(root, &mut self.table, &mut self.path_table, watch);
        search.max_plies = MAX_PLIES;
        let value = search.solve(Len::UNBOUNDED);
        let mate = match value.pn {
            0 => shorten(&mut search, value.len, &|_, _| {}),
            _ => None,
        };
        self.is_over = match &mate {
            Some(mate) => mate.is_shortest,
            // An open value without a halt: paths were too long.
            None => value.dn == 0 || !search.watch.is_halted(),
        };
        (search.watch.nodes, mate)
    }
}

/// All pieces but the kings, on the board and in hands. Results in the table hold only while this set is the same.
fn set(position: &Position) -> Hand {
    let in_hands = hands::total(position);
    let on_board = position.occupied().squares();
    on_board
        .filter_map(|square| HandPiece::from_captured(position.piece_on(square)?.kind()))
        .fold(in_hands, |mut set, kind| {
            set.add(kind);
            set
        })
}

impl Default for RootMateSearch {
    fn default() -> Self {
        Self::new()
    }
}
