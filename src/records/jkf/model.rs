//! The JSON of a record.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// The whole file. Moves are left as text, so that what is wrong in them has a place.
#[derive(Deserialize)]
#[serde(expecting = "a JKF record")]
pub struct RecordText<'a> {
    #[serde(default)]
    pub header: Header,
    #[serde(default)]
    pub initial: Option<Initial>,
    #[serde(borrow)]
    pub moves: Vec<&'a RawValue>,
}

/// The headers in their order.
#[derive(Default)]
pub struct Header(pub Vec<(String, Value)>);

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Header;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object with texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let mut header = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    header.push(entry);
                }
                Ok(Header(header))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

/// The start position.
#[derive(Deserialize, Serialize)]
pub struct Initial {
    pub preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Board>,
}

/// A start position piece by piece.
#[derive(Deserialize, Serialize)]
pub struct Board {
    /// Who is to move: 0 for Black.
    pub color: u8,
    /// By file and rank, from 1a.
    #[serde(default)]
    pub board: Vec<Vec<Option<Cell>>>,
    /// Black's and White's.
    #[serde(default)]
    pub hands: Vec<BTreeMap<String, u32>>,
}

/// A square of the board.
#[derive(Default, Deserialize, Serialize)]
pub struct Cell {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// An entry of a line: a step and what is said about it. `F` is what branches are made of.
#[derive(Deserialize, Serialize)]
pub struct Entry<F> {
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<MoveEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Times>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special: Option<String>,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub forks: Option<Vec<Vec<F>>>,
}

/// No default for the branches' type is needed.
const fn none<T>() -> Option<T> {
    None
}

/// A move.
#[derive(Deserialize, Serialize)]
pub struct MoveEntry {
    /// Whose it is: 0 for Black.
    #[serde(
        default,
        deserialize_with = "color",
        skip_serializing_if = "Option::is_none"
    )]
    pub color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Point>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Point>,
    /// The code of the piece before the move.
    pub piece: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promote: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
}

/// The color of a move; in the first versions of Kifu for JS it was whether it is Black's.
fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "0 or 1")]
    enum Color {
        Number(u8),
        IsBlack(bool),
    }

    let color = Option::<Color>::deserialize(deserializer)?;
    Ok(color.map(|color| match color {
        Color::Number(number) => number,
        Color::IsBlack(is_black) => u8::from(!is_black),
    }))
}

/// A square by file and rank, from 1.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub struct Point {
    pub x: u8,
    pub y: u8,
}

/// The whole file as it is written.
#[derive(Serialize)]
pub struct RecordEntries {
    pub header: Header,
    pub initial: Initial,
    pub moves: Vec<WrittenEntry>,
}

/// An entry with its branches.
#[derive(Serialize)]
#[serde(transparent)]
pub struct WrittenEntry(pub Entry<WrittenEntry>);

/// The time of a move, and of the player so far.
#[derive(Deserialize, Serialize)]
pub struct Times {
    pub now: Clock,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Clock>,
}

/// Hours, minutes and seconds.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub struct Clock {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub h: Option<u64>,
    #[serde(default)]
    pub m: u64,
    #[serde(default)]
    pub s: u64,
}
