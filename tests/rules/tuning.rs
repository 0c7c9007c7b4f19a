//! What SPSA tunes (`benches/arena/space.yaml`): numbers that the search has, with room to move.

use std::collections::HashSet;

use hien::search::params::ALL;

const SPACE: &str = include_str!("../../benches/arena/space.yaml");

#[test]
fn names_to_tune_exist_once_and_can_vary() {
    let (_, selected) = SPACE.split_once("\nselect:\n").expect("a list of names");
    let mut names = HashSet::new();
    for line in selected.lines() {
        let name = line.strip_prefix("  - ").expect("a name");
        assert!(names.insert(name), "twice: {name}");
        let param = ALL.iter().find(|param| param.name == name);
        let param = param.unwrap_or_else(|| panic!("no such number: {name}"));
        assert!(
            param.min < param.default && param.default < param.max,
            "at its limit: {name}"
        );
    }
    assert!(!names.is_empty());
}
