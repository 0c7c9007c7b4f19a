use super::*;
use crate::shogi::EnteringKingRule;

/// Sets an option as clients do.
fn set(
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<Option<Button>, OptionError> {
    let option = find(name).ok_or_else(|| unknown(name))?;
    option.store(settings, value, Range::Clamp)
}

fn set_ok(settings: &mut Settings, name: &str, value: &str) {
    assert_eq!(
        set(settings, name, Some(value)),
        Ok(None),
        "{name} = {value}"
    );
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

#[test]
fn numbers_are_read_tolerantly() {
    for (text, number) in [
        ("0", Some(0)),
        ("+5", Some(5)),
        ("-200", Some(-200)),
        ("1000.0", Some(1000)),
        ("7.", Some(7)),
        ("99999999999999999999", Some(i64::MAX)),
        ("-99999999999999999999", Some(-i64::MAX)),
        ("", None),
        ("-", None),
        (".5", None),
        ("1e3", None),
        ("1.x", None),
        ("1.2.3", None),
        ("abc", None),
        ("１", None),
    ] {
        assert_eq!(parse_number(text), number, "{text:?}");
    }
}
