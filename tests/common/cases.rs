//! The case collection `tests/data/rules.jsonl`: one JSON object a line, see the fields there.

use serde_json::Value;

const TEXT: &str = include_str!("../data/rules.jsonl");

/// One line of the collection.
pub struct Case(Value);

impl Case {
    /// All cases of the given kinds.
    pub fn of_kinds(kinds: &[&str]) -> Vec<Self> {
        let cases: Vec<_> = all().filter(|case| kinds.contains(&case.kind())).collect();
        assert!(!cases.is_empty(), "no case of kinds {kinds:?}");
        cases
    }

    pub fn id(&self) -> &str {
        self.text("id").expect("every case has an id")
    }

    pub fn kind(&self) -> &str {
        self.text("kind").expect("every case has a kind")
    }

    pub fn sfen(&self) -> &str {
        self.text("sfen").expect("every case has a position")
    }

    /// A field of any type; `None` where the case has none.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name).map(|value| {
            value
                .as_str()
                .unwrap_or_else(|| panic!("{name} is no text"))
        })
    }
}

/// Every case, in the order of the file.
pub fn all() -> impl Iterator<Item = Case> {
    TEXT.lines()
        .map(|line| Case(serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))))
}

/// The texts in a JSON list.
pub fn texts(value: &Value) -> Vec<&str> {
    let list = value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"));
    list.iter()
        .map(|item| item.as_str().unwrap_or_else(|| panic!("no text: {item}")))
        .collect()
}
