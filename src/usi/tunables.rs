//! The search's tunable numbers as options, for SPSA; only in builds with the feature `tune`. They are not part of the
//! settings: they hold for the whole process, and no file can set them.

use serde::Serialize;

use crate::search::params::{self, Param};

use crate::settings::options::parse_number;

/// The lines that declare the tunables.
pub fn declarations() -> impl Iterator<Item = String> {
    params::ALL.iter().map(|param| {
        let Param {
            name,
            default,
            min,
            max,
            ..
        } = param;
        format!("option name {name} type spin default {default} min {min} max {max}")
    })
}

/// Sets the tunable of this name, if there is one, and returns whether there is. The value is clamped; what is no
/// number is ignored.
pub fn set(name: &str, value: Option<&str>) -> bool {
    let is_known = params::ALL.iter().any(|param| param.name == name);
    if let Some(number) = value.and_then(parse_number) {
        let number = number.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        params::set(name, number as i32);
    }
    is_known
}

/// What ShogiArena's SPSA reads to learn which options it may tune.
#[derive(Serialize)]
struct Manifest {
    schema_version: &'static str,
    tunables: Vec<Tunable>,
}

#[derive(Serialize)]
struct Tunable {
    id: &'static str,
    option: &'static str,
    value_type: &'static str,
    encoding: &'static str,
    default: i32,
    min: i32,
    max: i32,
    schedule: Schedule,
}

/// How SPSA moves a number: by about `c_end` up and down in its last steps, which change it by the share `r_end`.
#[derive(Serialize)]
struct Schedule {
    c_end: i32,
    r_end: f64,
}

/// The answer to `usi_tunables`.
pub fn manifest() -> String {
    let tunables = params::ALL.iter().map(|param| Tunable {
        id: param.name,
        option: param.name,
        value_type: "int",
        encoding: "integer",
        default: param.default,
        min: param.min,
        max: param.max,
        schedule: Schedule {
            c_end: ((param.max - param.min) / 20).max(1),
            r_end: 0.002,
        },
    });
    let manifest = Manifest {
        schema_version: "shogiarena.usi_tunables.v1",
        tunables: tunables.collect(),
    };
    let json = serde_json::to_string(&manifest).unwrap_or_default(); // numbers and names, cannot fail
    format!("info string shogiarena_tunables_json {json}\nusi_tunablesok")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tunable_is_declared_described_and_settable() {
        let declared: Vec<_> = declarations().collect();
        let manifest = manifest();
        for (param, line) in params::ALL.iter().zip(&declared) {
            assert!(line.starts_with(&format!("option name {} type spin", param.name)));
            assert!(manifest.contains(&format!("\"option\":\"{}\"", param.name)));
            assert!(set(param.name, Some(&param.default.to_string())));
        }
        assert_eq!(declared.len(), params::ALL.len());
        assert!(manifest.ends_with("\nusi_tunablesok"));
        assert!(!set("no_such_number", Some("1")));
    }
}
