//! Writing JKF, with all fields of a move.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shogi::{Color, File, HandPiece, Move, MoveKind, Position, Rank, Square};

use super::super::csa::kind_code;
use super::super::end::End;
use super::super::handicap::Handicap;
use super::super::notation::{Relation, can_promote, moved};
use super::super::record::{NodeId, Record, Step};
use super::super::walk::{Used, Visit, Walk};
use super::super::write::{Losses, Written};
use super::MAX_NESTING;
use super::model::{
    Board, Cell, Clock, Entry, Header, Initial, MoveEntry, Point, RecordEntries, Times,
    WrittenEntry,
};

/// A record as JKF.
pub fn write(record: &Record) -> Written {
    let mut losses = Losses::default();
    if record.start().ply() > 1 {
        losses.move_number = Some(record.start().ply());
    }
    let entries = entries(record, &mut losses);
    let headers = record.headers.iter();
    let written = RecordEntries {
        header: Header(
            headers
                .map(|(key, value)| (key.to_owned(), Value::from(value)))
                .collect(),
        ),
        initial: initial(record.start()),
        moves: nest(record, entries, &mut losses),
    };
    let text = serde_json::to_string(&written).expect("texts and numbers are always JSON");
    losses.written(text + "\n")
}

/// The entries of all nodes, without their branches.
fn entries(record: &Record, losses: &mut Losses) -> Vec<Option<Entry<WrittenEntry>>> {
    let mut entries: Vec<_> = (0..record.len()).map(|_| None).collect();
    let mut used = Used::default();
    let mut walk = Walk::new(record);
    while let Some(Visit {
        id, node, number, ..
    }) = walk.next()
    {
        losses.count(node, false, true, false);
        let seconds = node.time.map(|time| losses.seconds(time));
        let total = match number {
            0 => 0,
            _ => used.add(number, walk.side(), seconds.unwrap_or(0)),
        };
        let lines = node.comments.iter().flat_map(|comment| comment.split('\n'));
        let comments: Vec<_> = lines.map(str::to_owned).collect();
        let (mv, special) = match node.step() {
            Some(Step::Move(mv) | Step::Foul(mv)) => (Some(move_entry(walk.position(), *mv)), None),
            Some(Step::End(end)) => (None, Some(end_word(end, walk.side()))),
            None => (None, None),
        };
        entries[id.index()] = Some(Entry {
            mv,
            comments: Some(comments).filter(|comments| !comments.is_empty()),
            time: seconds.map(|seconds| Times {
                now: clock(seconds, false),
                total: Some(clock(total, true)),
            }),
            special,
            forks: None,
        });
    }
    entries
}

/// Puts the branches into the entries that they are alternatives to.
fn nest(
    record: &Record,
    mut entries: Vec<Option<Entry<WrittenEntry>>>,
    losses: &mut Losses,
) -> Vec<WrittenEntry> {
    // How many branches a node is nested in.
    let mut depths = vec![0; record.len()];
    let lines: Vec<NodeId> = record.lines().collect();
    for &first in &lines {
        let parent = record[first].parent();
        let depth = parent.map_or(0, |parent| depths[parent.index()] + 1);
        record.line(first).for_each(|id| depths[id.index()] = depth);
    }
    // The branches of a line come after it, so in reverse order each line is complete when it is nested.
    for &first in lines.iter().rev() {
        let line: Vec<_> = record
            .line(first)
            .filter_map(|id| entries[id.index()].take())
            .map(|mut entry| {
                entry.forks.iter_mut().for_each(|forks| forks.reverse());
                WrittenEntry(entry)
            })
            .collect();
        let Some(parent) = record[first].parent() else {
            return line;
        };
        if depths[first.index()] > MAX_NESTING {
            losses.deep_branches += 1;
            continue;
        }
        let main = record[parent].children().first();
        if let Some(entry) = main.and_then(|id| entries[id.index()].as_mut()) {
            entry.forks.get_or_insert_default().push(line);
        }
    }
    Vec::new()
}

fn initial(position: &Position) -> Initial {
    if let Some(handicap) = Handicap::of(position) {
        return Initial {
            preset: handicap.preset.to_owned(),
            data: None,
        };
    }
    let cell = |square| match position.piece_on(square) {
        None => Cell::default(),
        Some(piece) => Cell {
            color: Some(piece.color() as u8),
            kind: Some(kind_code(piece.kind()).to_owned()),
        },
    };
    let file = |file| Rank::all().map(move |rank| Some(cell(Square::new(file, rank))));
    let hand = |color| -> BTreeMap<String, u32> {
        let count = |kind: HandPiece| {
            let code = kind_code(kind.kind()).to_owned();
            (code, position.hand(color).count(kind))
        };
        HandPiece::ALL.into_iter().map(count).collect()
    };
    Initial {
        preset: "OTHER".to_owned(),
        data: Some(Board {
            color: position.side_to_move() as u8,
            board: File::all().map(|f| file(f).collect()).collect(),
            hands: Color::ALL.into_iter().map(hand).collect(),
        }),
    }
}

fn move_entry(position: &Position, mv: Move) -> MoveEntry {
    let code = |kind| kind_code(kind).to_owned();
    let captured = position.piece_on(mv.to()).filter(|_| !mv.is_drop());
    let is_same = position
        .last_move()
        .is_some_and(|last| last.to() == mv.to());
    let relative = Relation::of(position, mv).letters();
    MoveEntry {
        color: Some(position.side_to_move() as u8),
        from: match mv.kind() {
            MoveKind::Board { from, .. } => Some(point(from)),
            MoveKind::Drop(_) => None,
        },
        to: Some(point(mv.to())),
        piece: moved(position, mv).map(code).unwrap_or_default(),
        same: is_same.then_some(true),
        promote: can_promote(position, mv).then_some(mv.is_promotion()),
        capture: captured.map(|piece| code(piece.kind())),
        relative: Some(relative).filter(|letters| !letters.is_empty()),
    }
}

/// The word of CSA, or else the Japanese one.
fn end_word(end: &End, side: Color) -> String {
    end.csa(side).unwrap_or(end.japanese()).to_owned()
}

const fn point(square: Square) -> Point {
    Point {
        x: square.file().index() as u8 + 1,
        y: square.rank().index() as u8 + 1,
    }
}

const fn clock(seconds: u64, has_hours: bool) -> Clock {
    let minutes = seconds / 60;
    let s = seconds % 60;
    match has_hours {
        true => Clock {
            h: Some(minutes / 60),
            m: minutes % 60,
            s,
        },
        false => Clock {
            h: None,
            m: minutes,
            s,
        },
    }
}
