//! The licences of everything that the program is built from: only those that let anybody use it for anything.

use std::process::Command;

/// Permissive licences, as SPDX names them.
const PERMISSIVE: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` leaves a permissive choice for each part.
fn is_permissive(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        let choices = part.trim_matches(['(', ')']).split(" OR ");
        choices
            .flat_map(|choice| choice.split('/'))
            .any(|choice| PERMISSIVE.contains(&choice))
    })
}

#[test]
fn every_licence_is_permissive() {
    // What is built for this system, from what has been downloaded.
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal,build"])
        .args(["--prefix", "none", "--format", "{l}\t{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let packages: Vec<_> = text
        .lines()
        .map(|line| line.split_once('\t').expect("two columns"))
        .collect();
    assert!(packages.len() > 10, "{text}");
    for (licence, package) in packages {
        assert!(is_permissive(licence), "{package}: {licence}");
    }
}

#[test]
fn expressions_are_understood() {
    for good in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ] {
        assert!(is_permissive(good), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR Zlib) AND LGPL-2.1",
    ] {
        assert!(!is_permissive(bad), "{bad}");
    }
}
