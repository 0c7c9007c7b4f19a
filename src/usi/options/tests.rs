use std::collections::HashSet;

use super::*;
use crate::settings::options::OPTIONS;

#[test]
fn declarations_are_what_clients_can_read() {
    let defaults = Settings::default();
    let mut names = HashSet::new();
    for option in OPTIONS {
        let line = declaration(option, &defaults);
        assert!(names.insert(option.name.to_ascii_lowercase()), "{line}");
        assert!(
            line.is_ascii() && line.len() < 1000 && !line.contains("  "),
            "{line}"
        );
        let words: Vec<_> = line.split(' ').collect();
        let [_, _, _, _, kind, rest @ ..] = &words[..] else {
            panic!("{line}");
        };
        match (*kind, rest) {
            ("check", ["default", "true" | "false"]) | ("button", []) => {}
            ("string" | "filename", ["default", text]) => assert!(!text.is_empty()),
            ("spin", ["default", default, "min", min, "max", max]) => {
                let [default, min, max] =
                    [default, min, max].map(|text| text.parse::<i32>().unwrap());
                assert!((min..=max).contains(&default), "{line}");
            }
            ("combo", ["default", default, vars @ ..]) => {
                assert!(vars.chunks(2).all(|pair| pair[0] == "var"), "{line}");
                assert!(vars.contains(default), "{line}");
            }
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn names_that_clients_send_unasked() {
    let mut settings = Settings::default();
    for (name, value) in [
        ("USI_Variant", "shogi"),
        ("UCI_LimitStrength", "true"),
        ("usi_elo", "2000"),
        ("Book_File", "x.bin"),
    ] {
        assert_eq!(set(&mut settings, name, Some(value)), Ok(None), "{name}");
    }
    assert_eq!(settings, Settings::default());
    assert_eq!(set(&mut settings, "USI_MultiPV", Some("2")), Ok(None));
    assert_eq!(settings.search.multi_pv, 2);
    assert_eq!(
        set(&mut settings, "Clear Hash", Some("none")),
        Ok(Some(Button::ClearHash))
    );
    assert!(set(&mut settings, "UCI_Variant", Some("chess")).is_err());
    assert_eq!(
        set(&mut settings, "Nope", Some("a b")),
        Err(SetOptionError::Option(options::unknown("Nope")))
    );
    assert_eq!(set(&mut settings, "", None), Err(SetOptionError::NoName));
}
