//! Moves and times as KIF and KI2 files write them.

use std::time::Duration;

use winnow::Parser;
use winnow::combinator::{alt, delimited, opt, preceded, separated_pair};
use winnow::token::{one_of, take_while};

use crate::shogi::{Color, Move, PieceType, Position, Square};

use super::super::error::{Fault, Foul};
use super::super::notation::{self, Relation};
use super::super::words::{self, Parse, blanks, digit, fraction, is_blank, mark, number, square};

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    /// The player by the sign before it. ▼ is used for both.
    pub color: Option<Color>,
    /// Where it goes; `None` for 同.
    to: Option<Square>,
    kind: PieceType,
    relation: Relation,
    promote: bool,
    from: Option<Square>,
}

/// A move: `７六歩(77)`, `▲同　銀右不成`, `５五角打`.
pub fn written_move(input: &mut &str) -> Parse<WrittenMove> {
    let sign = opt(mark).parse_next(input)?;
    blanks.parse_next(input)?;
    let to = alt(('同'.value(None), square.map(Some)))
        .context("a square")
        .parse_next(input)?;
    blanks.parse_next(input)?;
    let kind = words::piece.parse_next(input)?;
    let relation = notation::relation.parse_next(input)?;
    let promote = opt(alt((
        "不成".value(false),
        '生'.value(false),
        '成'.value(true),
    )))
    .parse_next(input)?;
    let drop = opt('打').parse_next(input)?;
    let from = opt(one_of(['(', '（'])).parse_next(input)?;
    let from = match from {
        Some(_) => Some(origin.parse_next(input)?),
        None => None,
    };
    Ok(WrittenMove {
        color: sign.and_then(color),
        to,
        kind,
        relation: Relation {
            is_drop: drop.is_some() || from == Some(None),
            ..relation
        },
        promote: promote.unwrap_or(false),
        from: from.flatten(),
    })
}

/// What follows the bracket of an origin: `77)`, or `00)` for a drop.
fn origin(input: &mut &str) -> Parse<Option<Square>> {
    let close = || one_of([')', '）']).context("')'");
    let zeros = (digit.verify(|&d| d == 0), digit.verify(|&d| d == 0));
    match opt(zeros).parse_next(input)? {
        Some(_) => close().value(None).parse_next(input),
        None => (square.map(Some), close())
            .map(|(from, _)| from)
            .parse_next(input),
    }
}

const fn color(sign: char) -> Option<Color> {
    match sign {
        '▲' | '☗' => Some(Color::Black),
        '△' | '☖' | '▽' => Some(Color::White),
        _ => None,
    }
}

impl WrittenMove {
    /// Whether it tells where it comes from: from a square, or from the hand.
    pub const fn has_origin(&self) -> bool {
        self.from.is_some() || self.relation.is_drop
    }

    /// The move in the position in which it is played; `text` is how it was written.
    ///
    /// # Errors
    ///
    /// That there is no such move, or several, or that a different piece stands where it comes from.
    pub fn find(self, position: &Position, text: &str) -> Result<Move, Fault> {
        let illegal = |foul| Fault::Illegal {
            text: text.to_owned(),
            foul,
        };
        if self
            .color
            .is_some_and(|color| color != position.side_to_move())
        {
            return Err(illegal(Foul::WrongSide));
        }
        let last = position.last_move().map(Move::to);
        let to = self.to.or(last);
        let to =
            to.ok_or_else(|| Fault::expected("a square, as there is no move before,", text))?;
        let Some(from) = self.from else {
            return notation::resolve(position, self.kind, to, self.relation, self.promote, text);
        };
        let kind = position.piece_on(from).map(|piece| piece.kind());
        if kind != Some(self.kind) || from == to || self.relation.is_drop {
            return Err(illegal(Foul::Impossible));
        }
        Ok(Move::board(from, to, self.promote))
    }
}

/// The time of a move: `( 0:16/00:00:16)`, also `(1:02:03)` or `(00:01 / 00:00:01)`. The total is not looked at.
pub fn time(input: &mut &str) -> Parse<Duration> {
    let total = (blanks, '/', take_while(0.., |c| c != ')'));
    delimited(('(', blanks), clock, (blanks, opt(total), ')')).parse_next(input)
}

/// Hours, minutes and seconds, the hours and fractions of seconds only where they are written.
fn clock(input: &mut &str) -> Parse<Duration> {
    let (first, second) =
        separated_pair(number, (blanks, ':', blanks), number).parse_next(input)?;
    let third = opt(preceded((blanks, ':', blanks), number)).parse_next(input)?;
    let millis = opt(preceded('.', fraction)).parse_next(input)?.unwrap_or(0);
    let (hours, minutes, seconds) = match third {
        Some(seconds) => (first, second, seconds),
        None => (0, first, second),
    };
    let minutes = hours.saturating_mul(60).saturating_add(minutes);
    let seconds = minutes.saturating_mul(60).saturating_add(seconds);
    Ok(Duration::from_secs(seconds).saturating_add(Duration::from_millis(millis)))
}

/// A word: what stands before the next blank or bracket.
pub fn word<'a>(input: &mut &'a str) -> Parse<&'a str> {
    take_while(1.., |c| !is_blank(c) && c != '(')
        .context("a move")
        .parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(position: &Position, text: &str) -> Result<String, String> {
        let (rest, written) = written_move
            .parse_peek(text)
            .map_err(|e| format!("{e:?}"))?;
        assert_eq!(rest, "", "{text}");
        let mv = written.find(position, text).map_err(|e| e.to_string())?;
        Ok(mv.to_string())
    }

    #[test]
    fn moves_are_read_in_every_way_they_are_written() {
        let start = Position::startpos();
        for text in [
            "７六歩(77)",
            "▲７六歩(77)",
            "▲７六歩",
            "☗76歩",
            "７６歩",
            "７六歩（７７）",
            "▼７六歩",
        ] {
            assert_eq!(read(&start, text), Ok("7g7f".to_owned()), "{text}");
        }
        for (text, error) in [
            ("△７六歩(77)", "the other player is to move"),
            ("７六銀(77)", "no piece can move like that"),
            ("７六歩(76)", "no piece can move like that"),
            ("同　歩(77)", "there is no move before"),
            ("７六歩打(77)", "no piece can move like that"),
            ("５五歩", "no piece can make this move"),
        ] {
            let found = read(&start, text).unwrap_err();
            assert!(found.contains(error), "{text}: {found}");
        }
        let exchange = Position::from_sfen("4k4/9/9/9/9/9/9/4r4/4K4 b B 1").unwrap();
        assert_eq!(read(&exchange, "５五角打(00)"), Ok("B*5e".to_owned()));
        assert_eq!(read(&exchange, "５五角"), Ok("B*5e".to_owned()));
        let mut taken = exchange;
        taken.do_move("5i5h".parse().unwrap());
        taken.do_move("5a5b".parse().unwrap());
        assert_eq!(read(&taken, "同　飛打"), Ok("R*5b".to_owned()));
    }

    #[test]
    fn times_are_read_in_every_way_they_are_written() {
        let ms = Duration::from_millis;
        for (text, expected) in [
            ("( 0:16/00:00:16)", ms(16_000)),
            ("(0:3/0:0:3)", ms(3000)),
            ("(00:01 / 00:00:01)", ms(1000)),
            ("(1:02:03)", ms(3_723_000)),
            ("( 0:01.25/ )", ms(1250)),
            ("(99999999:00/..)", ms(5_999_999_940_000)),
        ] {
            assert_eq!(time.parse_peek(text), Ok(("", expected)), "{text}");
        }
        let endless = format!("({}:00)", "9".repeat(30));
        assert_eq!(
            time.parse_peek(endless.as_str()).unwrap().1,
            Duration::from_secs(u64::MAX)
        );
        assert!(time.parse_peek("( 0:16").is_err() && time.parse_peek("()").is_err());
    }
}
