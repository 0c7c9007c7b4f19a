//! The declared options: their form, their default values, and what the documentation says of them.

use std::collections::BTreeMap;

use crate::driver::{Engine, HANG};
use crate::load::together;

/// A declared option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub kind: String,
    /// `None` for a button.
    pub default: Option<String>,
}

/// Reads an option line; the complaint says what is against the grammar.
fn read(line: &str) -> Result<Declared, String> {
    let words: Vec<_> = line.split(' ').collect();
    let ["option", "name", name, "type", kind, rest @ ..] = &words[..] else {
        return Err("not 'option name <Name> type <type> ...'".into());
    };
    let kind = *kind;
    let number = |text: &str| -> Result<i64, String> {
        let number = text
            .parse::<i64>()
            .map_err(|_| format!("'{text}' is no number"))?;
        i32::try_from(number).map_err(|_| format!("{number} does not fit 32 bits"))?;
        Ok(number)
    };
    let default = match (kind, rest) {
        ("button", []) => None,
        ("check", ["default", value @ ("true" | "false")]) => Some(*value),
        ("spin", ["default", value, "min", min, "max", max]) => {
            let (value, min, max) = (number(value)?, number(min)?, number(max)?);
            if !(min..=max).contains(&value) {
                return Err(format!("default {value} is not in {min}..={max}"));
            }
            Some(rest[1])
        }
        ("combo", ["default", value, choices @ ..]) => {
            let pairs: Vec<_> = choices.chunks(2).collect();
            if pairs.is_empty() || !pairs.iter().all(|pair| matches!(pair, ["var", _])) {
                return Err("not 'var <x> var <y> ...'".into());
            }
            if !pairs.iter().any(|pair| pair[1] == *value) {
                return Err(format!("default {value} is no var"));
            }
            Some(*value)
        }
        ("string" | "filename", ["default", value]) if !value.is_empty() => Some(*value),
        _ => return Err(format!("not the form of a {kind}")),
    };
    if name.is_empty() {
        return Err("no name".into());
    }
    Ok(Declared {
        name: (*name).into(),
        kind: kind.into(),
        default: default.map(str::to_owned),
    })
}

/// The option list of a fresh process.
pub fn declared(engine: &mut Engine) -> Vec<Declared> {
    engine.send("usi");
    let lines = engine.lines_to("usiok", HANG);
    let options = lines
        .iter()
        .map(|line| line.text.as_str())
        .filter(|text| text.starts_with("option "));
    options
        .map(|text| read(text).unwrap_or_else(|complaint| panic!("{complaint}: {text}")))
        .collect()
}

#[test]
fn option_lines_follow_the_grammar() {
    let _guard = together();
    let mut engine = Engine::raw();
    let options = declared(&mut engine);
    let mut names: Vec<_> = options
        .iter()
        .map(|option| option.name.to_ascii_lowercase())
        .collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), options.len(), "two options share a name");
    for name in [
        "USI_Hash",
        "Threads",
        "USI_Ponder",
        "MultiPV",
        "EnteringKingRule",
        "NetworkDelay",
        "NetworkDelay2",
    ] {
        assert!(
            options.iter().any(|option| option.name == name),
            "{name} is missing"
        );
    }
    engine.quit();
}

#[test]
fn the_recommended_defaults() {
    let _guard = together();
    let mut engine = Engine::raw();
    let options: BTreeMap<_, _> = declared(&mut engine)
        .into_iter()
        .map(|option| (option.name, (option.kind, option.default)))
        .collect();
    for (name, kind, default) in [
        ("USI_Hash", "spin", "256"),
        ("Threads", "spin", "1"),
        ("USI_Ponder", "check", "false"),
        ("Stochastic_Ponder", "check", "false"),
        ("MultiPV", "spin", "1"),
        ("SkillLevel", "spin", "20"),
        ("NetworkDelay", "spin", "120"),
        ("NetworkDelay2", "spin", "1120"),
        ("MinimumThinkingTime", "spin", "2000"),
        ("SlowMover", "spin", "100"),
        ("RoundUpToFullSecond", "check", "true"),
        ("MaxMovesToDraw", "spin", "0"),
        ("DrawValueBlack", "spin", "-2"),
        ("DrawValueWhite", "spin", "-2"),
        ("EnteringKingRule", "combo", "CSARule27"),
        ("ResignValue", "spin", "99999"),
        ("DepthLimit", "spin", "0"),
        ("NodesLimit", "spin", "0"),
        ("PvInterval", "spin", "300"),
        ("ConsiderationMode", "check", "false"),
        ("OutputFailLHPV", "check", "true"),
        ("GenerateAllLegalMoves", "check", "false"),
        ("DebugLogFile", "string", "<empty>"),
    ] {
        let expected = (kind.to_owned(), Some(default.to_owned()));
        assert_eq!(options.get(name), Some(&expected), "{name}");
    }
    assert_eq!(options.get("ClearHash"), Some(&("button".to_owned(), None)));
    engine.quit();
}

#[test]
fn echoed_defaults_change_nothing() {
    let _guard = together();
    let mut engine = Engine::raw();
    let before = declared(&mut engine);
    for option in &before {
        match option.default.as_deref() {
            Some("<empty>") => engine.send(&format!("setoption name {} value ", option.name)),
            Some(value) => engine.send(&format!("setoption name {} value {value}", option.name)),
            None => engine.send(&format!("setoption name {}", option.name)),
        }
    }
    engine.expect_silence();
    assert_eq!(declared(&mut engine), before);
    engine.quit();
}

/// The rows of the table in `docs/options.md`: name, type, default.
fn documented() -> Vec<Declared> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/options.md");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let is_header = |line: &&str| {
        line.replace(' ', "")
            .starts_with("|name|type|default|meaning|")
    };
    let rows: Vec<_> = text
        .lines()
        .skip_while(|line| !is_header(line))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<_> = line
                .split('|')
                .map(|cell| cell.trim().trim_matches('`'))
                .collect();
            assert!(
                cells.len() >= 6 && !cells[4].is_empty(),
                "no meaning: {line}"
            );
            let default = Some(cells[3]).filter(|cell| !["", "-"].contains(cell));
            Declared {
                name: cells[1].into(),
                kind: cells[2].into(),
                default: default.map(str::to_owned),
            }
        })
        .collect();
    assert!(
        !rows.is_empty(),
        "{path} has no table '| name | type | default | meaning |'"
    );
    rows
}

#[test]
fn the_documentation_lists_every_option() {
    let _guard = together();
    let mut engine = Engine::raw();
    assert_eq!(documented(), declared(&mut engine));
    engine.quit();
}
