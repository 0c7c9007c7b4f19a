//! The tree of a record, and its builder.

use std::ops::{Index, IndexMut};
use std::time::Duration;

use crate::shogi::{Color, Move, Position};

use super::end::End;
use super::error::{BuildError, Foul};
use super::headers::Headers;

/// The most branches at one position: more than the legal moves and named ends together.
pub(super) const MAX_BRANCHES: usize = 1000;

/// A node of a [`Record`], valid for the record that it was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// Less than [`Record::len`].
    pub(super) const fn index(self) -> usize {
        self.0
    }
}

/// What leads to a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A legal move.
    Move(Move),
    /// A move that breaks a rule. It is not played: what may follow is the end that says so.
    Foul(Move),
    /// The end of a line.
    End(End),
}

/// A node: a step, what is said about it, and where the game goes from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    step: Option<Step>,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    /// The lines of the comment.
    pub comments: Vec<String>,
    /// The bookmarks (しおり).
    pub bookmarks: Vec<String>,
    /// The time used for the step.
    pub time: Option<Duration>,
}

impl Node {
    /// What leads here; `None` for the root.
    pub const fn step(&self) -> Option<&Step> {
        self.step.as_ref()
    }

    /// The legal move that leads here.
    pub const fn mv(&self) -> Option<Move> {
        match self.step {
            Some(Step::Move(mv)) => Some(mv),
            _ => None,
        }
    }

    /// The end that stands here.
    pub const fn end(&self) -> Option<&End> {
        match &self.step {
            Some(Step::End(end)) => Some(end),
            _ => None,
        }
    }

    /// The node before; `None` for the root.
    pub const fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes after: the line goes on with the first, the others are branches.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// Adds text to the comment, line by line. An empty text is a blank line.
    pub fn comment(&mut self, text: &str) {
        let blank = text.is_empty().then_some("");
        let lines = text.lines().chain(blank);
        self.comments.extend(lines.map(str::to_owned));
    }
}

/// A game record: headers, a start position, and a tree of moves with comments, bookmarks, times and ends.
///
/// Records are equal if everything in them is, whatever the order in which they were built.
///
/// ```
/// use hien::records::{Builder, End};
/// use hien::shogi::Position;
///
/// let mut builder = Builder::new(Position::startpos());
/// builder.play("7g7f".parse()?)?;
/// builder.play("3c3d".parse()?)?;
/// builder.end(End::Resignation)?;
/// builder.back_to(1);
/// builder.play("8c8d".parse()?)?;
/// builder.node().comment("the other way");
/// let record = builder.finish();
///
/// let moves: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
/// assert_eq!(moves, ["7g7f", "3c3d"]);
/// assert_eq!(record.end(), Some(&End::Resignation));
/// assert_eq!(record.lines().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    /// What is said about the game.
    pub headers: Headers,
    start: Position,
    nodes: Vec<Node>,
}

impl Record {
    /// A record without moves.
    pub fn new(start: Position) -> Self {
        Self {
            headers: Headers::default(),
            start,
            nodes: vec![Node::default()],
        }
    }

    /// Where the game begins.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The node before the first move. Its comments are those on the start position.
    pub const fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but a start position.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The nodes of the main line, the root left out.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line(self.root()).skip(1)
    }

    /// The legal moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|id| self[id].mv())
    }

    /// How the main line ends.
    pub fn end(&self) -> Option<&End> {
        self.main_line().find_map(|id| self[id].end())
    }

    /// The move at the end of the main line that breaks a rule.
    pub fn foul(&self) -> Option<Move> {
        self.main_line().find_map(|id| match self[id].step {
            Some(Step::Foul(mv)) => Some(mv),
            _ => None,
        })
    }

    /// A node and those that follow it, by the first child each.
    pub fn line(&self, from: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(from), |&id| self[id].children.first().copied())
    }

    /// The lines of the tree, each from the node with which it leaves an earlier one: first the main line, which begins
    /// with the root, then the branches, of each line those that leave it last coming first. KIF files have this order.
    pub fn lines(&self) -> Lines<'_> {
        Lines {
            record: self,
            waiting: vec![self.root()],
        }
    }

    /// The position at a node; a move that breaks a rule is not played.
    pub fn position_at(&self, id: NodeId) -> Position {
        let path = std::iter::successors(Some(id), |&id| self[id].parent);
        let mut moves: Vec<_> = path.filter_map(|id| self[id].mv()).collect();
        moves.reverse();
        let mut position = self.start.clone();
        moves.into_iter().for_each(|mv| position.do_move(mv));
        position
    }

    /// The child of a node with a step, added if it is not there.
    fn child(&mut self, parent: NodeId, step: Step) -> Result<NodeId, BuildError> {
        let children = &self[parent].children;
        let is_it = |&id: &NodeId| self[id].step.as_ref() == Some(&step);
        if let Some(known) = children.iter().copied().find(is_it) {
            return Ok(known);
        }
        if children.len() >= MAX_BRANCHES {
            return Err(BuildError::TooManyBranches);
        }
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node {
            step: Some(step),
            parent: Some(parent),
            ..Node::default()
        });
        self[parent].children.push(id);
        Ok(id)
    }
}

impl Index<NodeId> for Record {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }
}

impl IndexMut<NodeId> for Record {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        let same_node = |(a, b): (NodeId, NodeId)| {
            let (a, b) = (&self[a], &other[b]);
            a.step == b.step
                && a.children.len() == b.children.len()
                && (&a.comments, &a.bookmarks, a.time) == (&b.comments, &b.bookmarks, b.time)
        };
        let same_line = |(a, b)| self.line(a).zip(other.line(b)).all(same_node);
        self.headers == other.headers
            && self.start.sfen() == other.start.sfen()
            && self.len() == other.len()
            && self.lines().zip(other.lines()).all(same_line)
    }
}

impl Eq for Record {}

/// See [`Record::lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    record: &'a Record,
    waiting: Vec<NodeId>,
}

impl Iterator for Lines<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let first = self.waiting.pop()?;
        for id in self.record.line(first) {
            let branches = self.record[id].children.iter().skip(1);
            self.waiting.extend(branches.rev());
        }
        Some(first)
    }
}

/// Builds a [`Record`] line by line. Steps are added after the builder's current node, which is the root at first.
#[derive(Clone, Debug)]
pub struct Builder {
    record: Record,
    position: Position,
    /// The nodes from the root to where the builder stands.
    path: Vec<NodeId>,
}

impl Builder {
    /// A record without moves.
    pub fn new(start: Position) -> Self {
        let record = Record::new(start.clone());
        Self {
            path: vec![record.root()],
            record,
            position: start,
        }
    }

    /// The position where the builder stands; a move that breaks a rule is not played.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The player to move where the builder stands, also after a move that breaks a rule.
    pub fn side(&self) -> Color {
        let is_foul = |id: &&NodeId| matches!(self.record[**id].step, Some(Step::Foul(_)));
        // One of the last two steps, as only an end can follow.
        let side = self.position.side_to_move();
        match self.path.iter().rev().take(2).find(is_foul) {
            Some(_) => !side,
            None => side,
        }
    }

    /// The number of steps between the start and where the builder stands.
    pub fn steps(&self) -> usize {
        self.path.len() - 1
    }

    /// The headers.
    pub const fn headers(&mut self) -> &mut Headers {
        &mut self.record.headers
    }

    /// The node where the builder stands.
    pub fn node(&mut self) -> &mut Node {
        let id = self.id();
        &mut self.record[id]
    }

    /// What led to where the builder stands.
    pub fn step(&self) -> Option<&Step> {
        self.record[self.id()].step()
    }

    /// Goes on with a move. One that is there already is taken, not added again.
    ///
    /// # Errors
    ///
    /// The rule that the move breaks, or that the line has ended.
    pub fn play(&mut self, mv: Move) -> Result<(), BuildError> {
        if matches!(self.step(), Some(Step::End(_) | Step::Foul(_))) {
            return Err(BuildError::Ended);
        }
        if let Some(foul) = Foul::of(&self.position, mv) {
            return Err(BuildError::Illegal(mv, foul));
        }
        self.add(Step::Move(mv))?;
        self.position.do_move(mv);
        Ok(())
    }

    /// Goes on with a move that breaks a rule. Only an end can follow. A legal move is a move like any other.
    ///
    /// # Errors
    ///
    /// That the move has no piece, or no piece that could do so even against the rules, or that the line has ended.
    pub fn foul(&mut self, mv: Move) -> Result<(), BuildError> {
        let impossible = match self.play(mv) {
            Err(error @ BuildError::Illegal(..)) => error,
            result => return result,
        };
        let can_be_written = mv.from().is_none_or(|from| {
            let piece = self.position.piece_on(from);
            piece.is_some_and(|piece| !mv.is_promotion() || piece.kind().promoted().is_some())
        });
        if !can_be_written {
            return Err(impossible);
        }
        self.add(Step::Foul(mv))
    }

    /// Ends the line.
    ///
    /// # Errors
    ///
    /// That it has ended before.
    pub fn end(&mut self, end: End) -> Result<(), BuildError> {
        if matches!(self.step(), Some(Step::End(_))) {
            return Err(BuildError::Ended);
        }
        self.add(Step::End(end))
    }

    /// Goes back to where the line had `steps` steps; does nothing if it has fewer.
    pub fn back_to(&mut self, steps: usize) {
        while self.steps() > steps {
            if self.record[self.id()].mv().is_some() {
                self.position.undo_move();
            }
            self.path.pop();
        }
    }

    /// The record as it is by now.
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// The record.
    pub fn finish(self) -> Record {
        self.record
    }

    fn id(&self) -> NodeId {
        self.path[self.path.len() - 1]
    }

    fn add(&mut self, step: Step) -> Result<(), BuildError> {
        let id = self.record.child(self.id(), step)?;
        self.path.push(id);
        Ok(())
    }
}
