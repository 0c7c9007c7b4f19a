use std::collections::HashSet;

use super::*;

fn set_ok(settings: &mut Settings, name: &str, value: &str) {
    assert_eq!(
        set(settings, name, Some(value)),
        Ok(None),
        "{name} = {value}"
    );
}

#[test]
fn declarations_are_what_clients_can_read() {
    let defaults = Settings::default();
    let mut names = HashSet::new();
    for option in OPTIONS {
        let line = option.declaration(&defaults);
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
fn setting_every_default_changes_nothing() {
    let defaults = Settings::default();
    let mut settings = defaults.clone();
    for option in OPTIONS {
        match option.value(&defaults) {
            Some(value) => set_ok(&mut settings, option.name, &value),
            None => assert!(matches!(set(&mut settings, option.name, None), Ok(Some(_)))),
        }
    }
    assert_eq!(settings, defaults);
}

#[test]
fn every_option_stores_what_it_shows() {
    for option in OPTIONS {
        let mut settings = Settings::default();
        let value = match &option.kind {
            Kind::Check { get, .. } => (!get(&settings)).to_string(),
            Kind::Spin { min, max, get, .. } if get(&settings) == *max => min.to_string(),
            Kind::Spin { max, .. } => max.to_string(),
            Kind::Combo { choices, .. } => choices()[1].to_owned(),
            Kind::Text { .. } => "a value with words".to_owned(),
            Kind::Button(_) => continue,
        };
        set_ok(&mut settings, &option.name.to_ascii_uppercase(), &value);
        assert_eq!(option.value(&settings), Some(value), "{}", option.name);
        assert_ne!(settings, Settings::default(), "{}", option.name);
        if let Kind::Spin { min, .. } = option.kind {
            set_ok(&mut settings, option.name, "-99999999999999999999");
            assert_eq!(
                option.value(&settings),
                Some(min.to_string()),
                "{}",
                option.name
            );
        }
    }
}

#[test]
fn numbers_are_clamped_and_truncated() {
    let mut settings = Settings::default();
    for (value, threads) in [
        ("8", 8),
        ("-5", 1),
        ("99999999999", 1024),
        (" 3.9 ", 3),
        ("", 3),
    ] {
        set_ok(&mut settings, "threads", value);
        assert_eq!(settings.threads, threads, "{value}");
    }
    let error = set(&mut settings, "Threads", Some("abc")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "option Threads: 'abc' is not a number from 1 to 1024"
    );
    assert_eq!(settings.threads, 3);
}

#[test]
fn truth_values_in_any_spelling() {
    let mut settings = Settings::default();
    for (value, expected) in [
        ("1", true),
        ("OFF", false),
        ("Yes", true),
        ("0", false),
        ("true", true),
        ("", true),
    ] {
        set_ok(&mut settings, "USI_Ponder", value);
        assert_eq!(settings.search.ponder, expected, "{value}");
    }
    assert!(set(&mut settings, "USI_Ponder", Some("maybe")).is_err());
    assert_eq!(set(&mut settings, "USI_Ponder", None), Ok(None));
    assert!(settings.search.ponder);
}

#[test]
fn choices_in_any_case() {
    let mut settings = Settings::default();
    set_ok(&mut settings, "EnteringKingRule", "tryrule");
    assert_eq!(
        settings.search.entering_king_rule,
        EnteringKingRule::TryRule
    );
    assert!(set(&mut settings, "EnteringKingRule", Some("mine")).is_err());
    assert_eq!(
        settings.search.entering_king_rule,
        EnteringKingRule::TryRule
    );
}

#[test]
fn texts_are_taken_verbatim() {
    let mut settings = Settings::default();
    for (value, text) in [
        (r"C:\nets\value 1.bin", r"C:\nets\value 1.bin"),
        ("\"a b\"", "a b"),
        ("\"", "\""),
        ("<empty>", ""),
        ("", ""),
    ] {
        set_ok(&mut settings, "EvalFile", value);
        assert_eq!(settings.eval_file, text);
    }
    set_ok(&mut settings, "DebugLogFile", "x");
    assert_eq!(set(&mut settings, "DebugLogFile", None), Ok(None));
    assert_eq!(settings.debug_log_file, "");
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
        set_ok(&mut settings, name, value);
    }
    assert_eq!(settings, Settings::default());
    set_ok(&mut settings, "USI_MultiPV", "2");
    assert_eq!(settings.search.multi_pv, 2);
    assert_eq!(
        set(&mut settings, "Clear Hash", Some("none")),
        Ok(Some(Button::ClearHash))
    );
    assert!(set(&mut settings, "UCI_Variant", Some("chess")).is_err());
    assert_eq!(
        set(&mut settings, "Nope", Some("a b")),
        Err(OptionError::Unknown("Nope".into(), None))
    );
    assert_eq!(set(&mut settings, "", None), Err(OptionError::NoName));
}

#[test]
fn slips_are_recognised() {
    let mut settings = Settings::default();
    for (slip, meant) in [
        ("Treads", "Threads"),
        ("EvalFiles", "EvalFile"),
        ("Book File Name", "BookFile"),
        ("EnterlngKingRule", "EnteringKingRule"),
        ("NetworkDelay3", "NetworkDelay"),
    ] {
        let error = set(&mut settings, slip, Some("1")).unwrap_err();
        let text = error.to_string();
        assert_eq!(
            text,
            format!("unknown option: {slip}; did you mean {meant}?")
        );
    }
    for other in [
        "Style",
        "Contempt",
        "UCI_Chess960",
        &"BookFile".repeat(1000),
    ] {
        let error = set(&mut settings, other, Some("1")).unwrap_err();
        assert_eq!(error.to_string(), format!("unknown option: {other}"));
    }
}

#[test]
fn aliases_lead_to_options() {
    for (alias, name) in ALIASES {
        assert!(OPTIONS.iter().any(|option| option.name == *name), "{alias}");
        assert!(
            OPTIONS.iter().all(|option| option.name != *alias),
            "{alias}"
        );
    }
}

#[test]
fn a_configuration_is_read_strictly() {
    let mut settings = Settings::default();
    let config = Config::parse("[options]\nThreads = 0\nUSI_Hash = 64\nNope = 1\nSlowMover = true");
    let errors = apply_config(&mut settings, &config);
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert_eq!(settings.hash_mib, 64);
    assert_eq!(settings.threads, Settings::default().threads);
}

/// The repository's `engine.toml` shows every option, commented out, with its help and default.
#[test]
fn the_sample_configuration_documents_every_option() {
    let sample = include_str!("../../../engine.toml");
    assert_eq!(Config::parse(sample), Config::default());
    let uncommented: String = sample
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(setting) if setting.contains(" = ") && !setting.starts_with(' ') => {
                format!("{setting}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let config = Config::parse(&uncommented);
    assert_eq!(config.complaints, Vec::<String>::new());
    assert!(config.name.is_some() && config.author.is_some());
    let defaults = Settings::default();
    let mut settings = defaults.clone();
    assert_eq!(apply_config(&mut settings, &config), []);
    assert_eq!(settings, defaults);
    for option in OPTIONS
        .iter()
        .filter(|option| option.value(&defaults).is_some())
    {
        let documented = format!("\n# {}\n#{} = ", option.help, option.name);
        assert!(sample.contains(&documented), "{documented}");
    }
}
