//! Writing CSA.

use std::time::Duration;

use crate::shogi::{Color, HandPiece, Move, Piece, Position, Rank, Square};

use super::super::end::End;
use super::super::handicap::Handicap;
use super::super::notation::moved;
use super::super::record::{Record, Step};
use super::super::walk::{Visit, Walk};
use super::super::write::{Losses, Written};
use super::statement::squares_of;
use super::words::{KEYWORDS, Keyword, is_own_name, kind_code, square_code};

/// A record's main line as CSA.
pub fn write(record: &Record) -> Written {
    let mut losses = Losses::default();
    losses.all_branches(record);
    let is_fraction = |time: Duration| time.subsec_millis() > 0;
    let times = || record.main_line().filter_map(|id| record[id].time);
    let mut is_new = times().any(is_fraction);
    let headers = headers(record, &mut is_new, &mut losses);
    let mut text = match is_new {
        true => "'CSA encoding=UTF-8\nV3.0\n".to_owned(),
        false => "V2.2\n".to_owned(),
    };
    text += &headers;
    text += &start(record.start());
    if record.start().ply() > 1 {
        losses.move_number = Some(record.start().ply());
    }
    let mut walk = Walk::new(record);
    while let Some(visit) = walk.next().filter(|visit| !visit.starts_branch) {
        let Visit { node, .. } = visit;
        losses.count(node, false, true, false);
        let side = walk.side();
        match node.step() {
            Some(Step::Move(mv) | Step::Foul(mv)) => text += &move_text(walk.position(), *mv),
            Some(Step::End(end)) => text += &end_text(end, side, &mut losses),
            None => {}
        }
        if let Some(time) = node.time {
            text += &format!("T{}\n", seconds(time, &mut losses));
        }
        for line in node.comments.iter().flat_map(|comment| comment.split('\n')) {
            text += &format!("'*{line}\n");
        }
    }
    losses.written(text)
}

/// The names and the headers that have a keyword; tells whether one needs version 3.0.
fn headers(record: &Record, is_new: &mut bool, losses: &mut Losses) -> String {
    let mut text = String::new();
    for (color, sign) in Color::ALL.into_iter().zip(['+', '-']) {
        if let Some(name) = record.headers.player(color) {
            text += &format!("N{sign}{}\n", flat(name));
        }
    }
    for (key, value) in record.headers.iter() {
        if value.lines().count() > 1 {
            losses.header_lines.push(key.to_owned());
        }
        let value = flat(value);
        let fits = |keyword: &&Keyword| keyword.key == key && keyword.can_hold(&value);
        match KEYWORDS.iter().find(fits) {
            Some(keyword) => {
                *is_new |= keyword.is_new;
                text += &format!("${}:{value}\n", keyword.csa);
            }
            None if is_written_as_name(record, key) || value.is_empty() => {}
            None if is_own_name(key) => text += &format!("${key}:{value}\n"),
            None => losses.headers.push(key.to_owned()),
        }
    }
    text
}

/// Whether the value of a header is a player's name that is written after `N+` or `N-`.
fn is_written_as_name(record: &Record, key: &str) -> bool {
    let is_name = |color| record.headers.player(color) == record.headers.get(key).map(str::trim);
    match key {
        "先手" | "下手" => is_name(Color::Black),
        "後手" | "上手" => is_name(Color::White),
        _ => false,
    }
}

fn flat(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

/// The start position and who is to move.
fn start(position: &Position) -> String {
    let side = match position.side_to_move() {
        Color::Black => "+\n",
        Color::White => "-\n",
    };
    if Handicap::of(position).is_some() {
        let even = Position::startpos();
        let missing = |square: &Square| position.piece_on(*square).is_none();
        let pieces = Square::all().filter(missing).filter_map(|square| {
            let piece = even.piece_on(square)?;
            Some(square_code(square) + kind_code(piece.kind()))
        });
        return format!("PI{}\n{side}", pieces.collect::<String>());
    }
    let mut text = String::new();
    for rank in Rank::all() {
        let cells: String = squares_of(rank)
            .map(|square| {
                position
                    .piece_on(square)
                    .map_or_else(|| " * ".to_owned(), cell)
            })
            .collect();
        text += &format!("P{}{cells}\n", rank.index() + 1);
    }
    for (color, sign) in Color::ALL.into_iter().zip(['+', '-']) {
        let hand = position.hand(color);
        if hand.is_empty() {
            continue;
        }
        let piece = |kind: HandPiece| format!("00{}", kind_code(kind.kind()));
        let pieces = hand
            .iter()
            .map(|(kind, count)| piece(kind).repeat(count as usize));
        text += &format!("P{sign}{}\n", pieces.collect::<String>());
    }
    text + side
}

fn cell(piece: Piece) -> String {
    format!("{}{}", sign(piece.color()), kind_code(piece.kind()))
}

const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

fn move_text(position: &Position, mv: Move) -> String {
    let before = moved(position, mv);
    let after = before.map(|kind| match kind.promoted() {
        Some(promoted) if mv.is_promotion() => promoted,
        _ => kind,
    });
    format!(
        "{}{}{}{}\n",
        sign(position.side_to_move()),
        mv.from().map_or_else(|| "00".to_owned(), square_code),
        square_code(mv.to()),
        after.map_or("", kind_code)
    )
}

fn end_text(end: &End, side: Color, losses: &mut Losses) -> String {
    match end.csa(side) {
        Some(word) => format!("%{word}\n"),
        None => {
            losses.ends.push((end.clone(), None));
            String::new()
        }
    }
}

/// Seconds, with three digits behind the point where there is a fraction.
fn seconds(time: Duration, losses: &mut Losses) -> String {
    let millis = time.subsec_millis();
    losses.fractions += usize::from(!time.subsec_nanos().is_multiple_of(1_000_000));
    match millis {
        0 => time.as_secs().to_string(),
        _ => format!("{}.{millis:03}", time.as_secs()),
    }
}
