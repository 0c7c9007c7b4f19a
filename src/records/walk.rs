//! A walk through the tree in the order in which files have it, with the position before each step.

use crate::shogi::{Color, Position};

use super::record::{Lines, Node, NodeId, Record, Step};

/// A node on the way.
#[derive(Clone, Copy)]
pub(super) struct Visit<'a> {
    pub id: NodeId,
    pub node: &'a Node,
    /// The number of the step, 0 for the root.
    pub number: usize,
    /// Whether a branch begins here.
    pub starts_branch: bool,
    /// Whether another branch follows at the same position.
    pub has_more: bool,
}

/// The walk. It begins at the root.
pub(super) struct Walk<'a> {
    record: &'a Record,
    lines: Lines<'a>,
    /// The nodes from the root to the one before the current.
    path: Vec<NodeId>,
    position: Position,
    current: Option<NodeId>,
}

impl<'a> Walk<'a> {
    pub fn new(record: &'a Record) -> Self {
        Self {
            record,
            lines: record.lines(),
            path: Vec::new(),
            position: record.start().clone(),
            current: None,
        }
    }

    /// The position before the current step.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The player to move before the current step, also after a move that broke a rule.
    pub fn side(&self) -> Color {
        let side = self.position.side_to_move();
        match self.path.last().and_then(|&id| self.record[id].step()) {
            Some(Step::Foul(_)) => !side,
            _ => side,
        }
    }

    /// The next node.
    pub fn next(&mut self) -> Option<Visit<'a>> {
        let record = self.record;
        if let Some(id) = self.current {
            self.path.push(id);
            if let Some(mv) = record[id].mv() {
                self.position.do_move(mv);
            }
        }
        let next = self.current.and_then(|id| record[id].children().first());
        let (id, starts_branch) = match next {
            Some(&id) => (id, false),
            None => {
                let first = self.lines.next()?;
                self.unwind(record[first].parent());
                (first, first != record.root())
            }
        };
        self.current = Some(id);
        let node = &record[id];
        let siblings = node.parent().map(|parent| record[parent].children());
        Some(Visit {
            id,
            node,
            number: self.path.len(),
            starts_branch,
            has_more: siblings.is_some_and(|siblings| siblings.last() != Some(&id)),
        })
    }

    /// Goes back until a node is the last of the path.
    fn unwind(&mut self, to: Option<NodeId>) {
        while let Some(&id) = self.path.last().filter(|&&id| Some(id) != to) {
            if self.record[id].mv().is_some() {
                self.position.undo_move();
            }
            self.path.pop();
        }
    }
}

/// The seconds that the players have used on the way to a step.
#[derive(Default)]
pub(super) struct Used(Vec<[u64; 2]>);

impl Used {
    /// Adds the time of step `number` to what was used before it; returns the player's sum. Called for every step.
    pub fn add(&mut self, number: usize, side: Color, seconds: u64) -> u64 {
        self.0.truncate(number.saturating_sub(1));
        let mut used = self.0.last().copied().unwrap_or_default();
        let sum = &mut used[side.index()];
        *sum = sum.saturating_add(seconds);
        let sum = *sum;
        self.0.push(used);
        sum
    }
}
