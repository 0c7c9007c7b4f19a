//! Writing KIF and KI2 as Kifu for Windows does.

use std::fmt::Write;

use crate::shogi::{Color, Move, MoveKind, Position};

use super::super::end::End;
use super::super::handicap::Handicap;
use super::super::notation::{self, Relation, japanese, moved, resolve};
use super::super::record::{Node, Record, Step};
use super::super::walk::{Used, Visit, Walk};
use super::super::words::piece_text;
use super::super::write::{Losses, Written};
use super::board;
use super::body::is_end_word;
use super::line::Line;
use super::summary;

/// The title of the moves.
const TITLE: &str = "手数----指手---------消費時間--\n";

/// Columns for a move in KIF, and in KI2.
const MOVE_WIDTH: usize = 13;
const KI2_WIDTH: usize = 12;

/// Moves in a line of KI2.
const KI2_MOVES: usize = 6;

/// A record as KIF.
pub fn write_kif(record: &Record) -> Written {
    let mut losses = Losses::default();
    let names = names(record);
    let mut text = preface(record, &mut losses) + TITLE;
    let mut used = Used::default();
    let mut walk = Walk::new(record);
    while let Some(visit) = walk.next() {
        let Visit { node, number, .. } = visit;
        if visit.starts_branch {
            text += &format!("\n変化：{number}手\n");
        }
        let end = node.end().map(|end| kif_end(end, &mut losses));
        let step = match (node.step(), &end) {
            (Some(Step::Move(mv) | Step::Foul(mv)), _) => kif_move(walk.position(), *mv),
            (_, Some(end)) => end.japanese().to_owned(),
            _ => String::new(),
        };
        if number > 0 {
            let seconds = node.time.map(|time| losses.seconds(time));
            let total = used.add(number, walk.side(), seconds.unwrap_or(0));
            let time = seconds.map_or(String::new(), |seconds| time_text(seconds, total));
            let more = if visit.has_more { "+" } else { "" };
            let line = format!("{number:4} {}{time}{more}", padded(&step, MOVE_WIDTH));
            text += line.trim_end();
            text.push('\n');
        }
        if let Some(end) = end {
            text += &summary::text(&end, number - 1, in_order(names, walk.side()));
            text.push('\n');
        }
        notes(&mut text, node);
    }
    losses.written(text)
}

/// A record as KI2.
pub fn write_ki2(record: &Record) -> Written {
    let mut losses = Losses::default();
    let names = names(record);
    let mut text = preface(record, &mut losses) + "\n";
    let mut row = Row::default();
    let mut walk = Walk::new(record);
    while let Some(visit) = walk.next() {
        let Visit { node, number, .. } = visit;
        losses.count(node, false, false, true);
        if visit.starts_branch {
            row.flush(&mut text);
            text += &format!("\n変化：{number}手\n");
        }
        match node.step() {
            None => {}
            Some(Step::Move(mv)) => row.add(&mut text, japanese(walk.position(), *mv)),
            Some(Step::Foul(mv)) if is_found_again(walk.position(), *mv) => {
                row.add(&mut text, japanese(walk.position(), *mv));
            }
            Some(Step::Foul(_)) => losses.fouls += 1,
            Some(Step::End(end)) => {
                row.flush(&mut text);
                text += &ki2_end(end, number - 1, names, walk.side(), &mut losses);
                text.push('\n');
            }
        }
        if !(node.comments.is_empty() && node.bookmarks.is_empty()) {
            row.flush(&mut text);
            notes(&mut text, node);
        }
    }
    row.flush(&mut text);
    losses.written(text)
}

/// Headers and start position.
fn preface(record: &Record, losses: &mut Losses) -> String {
    let mut text = String::new();
    for (key, value) in record.headers.iter() {
        let flat: Vec<_> = value.lines().collect();
        if flat.len() > 1 {
            losses.header_lines.push(key.to_owned());
        }
        let line = format!("{key}：{}", flat.join(" "));
        // A header that would be read as something else is left out.
        match Line::of(&line) {
            Line::Header(found, _) if found == key => text += &format!("{line}\n"),
            _ => losses.headers.push(key.to_owned()),
        }
    }
    text += &match Handicap::of(record.start()) {
        Some(handicap) => format!("手合割：{}\n", handicap.name),
        None => board::draw(record.start()),
    };
    text
}

/// What the players are called, Black first.
type Names = [&'static str; 2];

fn names(record: &Record) -> Names {
    let is_handicap = Handicap::of(record.start()).is_some_and(|handicap| !handicap.is_even());
    match is_handicap || record.headers.get("上手").is_some() {
        true => ["下手", "上手"],
        false => ["先手", "後手"],
    }
}

/// The names of the player to move and of the other.
const fn in_order([black, white]: Names, side: Color) -> Names {
    match side {
        Color::Black => [black, white],
        Color::White => [white, black],
    }
}

/// Comments and bookmarks.
fn notes(text: &mut String, node: &Node) {
    for comment in &node.comments {
        // A comment that was put together by hand may have several lines.
        for line in comment.split('\n') {
            text.push('*');
            text.push_str(line);
            text.push('\n');
        }
    }
    for bookmark in &node.bookmarks {
        let flat: Vec<_> = bookmark.lines().collect();
        text.push('&');
        text.push_str(&flat.join(" "));
        text.push('\n');
    }
}

fn kif_move(position: &Position, mv: Move) -> String {
    let target = notation::target(position, mv);
    let piece = moved(position, mv).map_or("", piece_text);
    match mv.kind() {
        MoveKind::Drop(_) => format!("{target}{piece}打"),
        MoveKind::Board { from, promote } => {
            let promotion = if promote { "成" } else { "" };
            let (file, rank) = (from.file().index() + 1, from.rank().index() + 1);
            format!("{target}{piece}{promotion}({file}{rank})")
        }
    }
}

/// The end as KIF has it: with one word for all agreed draws, and no words that are read as something else.
fn kif_end(end: &End, losses: &mut Losses) -> End {
    let (written, word) = match end {
        End::MaxMoves | End::Draw => (End::Impasse, "持将棋"),
        End::Other(word) if !is_end_word(word) => (End::Interrupted, "中断"),
        end => return end.clone(),
    };
    losses.ends.push((end.clone(), Some(word)));
    written
}

/// The last line of a line in KI2.
fn ki2_end(end: &End, moves: usize, names: Names, side: Color, losses: &mut Losses) -> String {
    let text = summary::text(end, moves, in_order(names, side));
    if summary::of(&text).is_some_and(|summary| summary.end(side) == *end) {
        return text;
    }
    losses.ends.push((end.clone(), Some("中断")));
    summary::text(&End::Interrupted, moves, in_order(names, side))
}

fn time_text(seconds: u64, total: u64) -> String {
    let (minutes, hours) = (total / 60 % 60, total / 3600);
    format!(
        "({:2}:{:02}/{hours:02}:{minutes:02}:{:02})",
        seconds / 60,
        seconds % 60,
        total % 60
    )
}

/// A text filled up with blanks; other characters than ASCII take two columns.
fn padded(text: &str, width: usize) -> String {
    let used: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let mut padded = text.to_owned();
    // One blank at least, so that what follows stands apart.
    let _ = write!(padded, "{:1$}", "", width.saturating_sub(used).max(1));
    padded
}

/// Whether a move that breaks a rule is read as itself.
fn is_found_again(position: &Position, mv: Move) -> bool {
    let relation = Relation::of(position, mv);
    let kind = moved(position, mv);
    let find = |kind| resolve(position, kind, mv.to(), relation, mv.is_promotion(), "");
    kind.is_some_and(|kind| find(kind) == Ok(mv))
}

/// A line of moves in KI2.
#[derive(Default)]
struct Row(Vec<String>);

impl Row {
    fn add(&mut self, text: &mut String, mv: String) {
        self.0.push(mv);
        if self.0.len() == KI2_MOVES {
            self.flush(text);
        }
    }

    fn flush(&mut self, text: &mut String) {
        let moves = self.0.drain(..).map(|mv| padded(&mv, KI2_WIDTH));
        let line: String = moves.collect();
        if !line.is_empty() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}
