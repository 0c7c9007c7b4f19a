//! The headers of a record: names, dates, places.

use std::collections::HashMap;

use crate::shogi::Color;

/// The headers of a record in their order. The keys are the Japanese ones of KIF files (先手, 棋戦, 開始日時 ..) whatever the
/// format; what has no Japanese name keeps its own.
///
/// ```
/// use hien::records::Headers;
/// use hien::shogi::Color;
///
/// let mut headers = Headers::default();
/// headers.set("下手", "甲");
/// assert_eq!(headers.player(Color::Black), Some("甲"));
/// assert_eq!(headers.get("棋戦"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    entries: Vec<(String, String)>,
    /// Where the keys are among the entries.
    places: HashMap<String, usize>,
}

impl Headers {
    /// The value of a header.
    pub fn get(&self, key: &str) -> Option<&str> {
        let place = self.places.get(key)?;
        Some(&self.entries[*place].1)
    }

    /// Sets a header, in place if it exists, else at the end. Returns its old value.
    pub fn set(&mut self, key: &str, value: impl Into<String>) -> Option<String> {
        let value = value.into();
        match self.places.get(key) {
            Some(&place) => Some(std::mem::replace(&mut self.entries[place].1, value)),
            None => {
                self.places.insert(key.to_owned(), self.entries.len());
                self.entries.push((key.to_owned(), value));
                None
            }
        }
    }

    /// All headers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The name of a player, whatever it is called: 先手 or 下手 for Black, 後手 or 上手 for White. `None` if it is blank.
    pub fn player(&self, color: Color) -> Option<&str> {
        let keys = match color {
            Color::Black => ["先手", "下手", "先手省略名"],
            Color::White => ["後手", "上手", "後手省略名"],
        };
        let names = keys.iter().filter_map(|key| self.get(key));
        names.map(str::trim).find(|name| !name.is_empty())
    }

    /// What the game was played for: the event (棋戦) or, failing that, the title (表題).
    pub fn event(&self) -> Option<&str> {
        self.get("棋戦").or_else(|| self.get("表題"))
    }

    /// When the game began.
    pub fn date(&self) -> Option<&str> {
        self.get("開始日時").or_else(|| self.get("対局日"))
    }
}
