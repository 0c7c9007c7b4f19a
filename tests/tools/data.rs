//! Training data from the shell.

use super::{Folder, hien, sample};

#[test]
fn relabelled_files_are_described() {
    let folder = Folder::new("relabel");
    let output = folder.path("new.psv");
    let from = sample("train/sample.sbinpack").display().to_string();
    let arguments = [
        "data",
        "relabel",
        "--output",
        &output,
        "--eval",
        "material",
        "--eval",
        "<internal>",
        "--variants",
        "1",
        &from,
    ];
    let (success, text) = hien(&arguments);
    assert!(success);
    assert!(text.contains("8 of 8, 4385 records read"), "{text}");
    // A finished file stays as it is.
    assert_eq!(hien(&arguments), (true, text.clone()));
    let written = text
        .split_once("written     ")
        .and_then(|(_, rest)| rest.split_once(' '));
    let (written, _) = written.expect("a number");
    let (success, text) = hien(&["data", &output]);
    assert!(
        success && text.contains(&format!("records     {written} ")),
        "{text}"
    );
    assert!(text.contains("in check    0.0 %"), "{text}");
}

/// Everything is checked before the work begins: nothing is written.
#[test]
fn relabelling_names_what_is_wrong() {
    let folder = Folder::new("relabel-wrong");
    let output = folder.path("new.psv");
    let from = sample("train/sample.sbinpack").display().to_string();
    let nowhere = folder.path("no/folder/new.psv");
    for (arguments, complaint) in [
        (
            vec!["--output", &output, "--format", "sbinpack", &from],
            "--nodes or --depth",
        ),
        (
            vec!["--output", &output, "--eval", "no-net.bin", &from],
            "no-net.bin: ",
        ),
        (vec!["--output", &output, "no-data.psv"], "no-data.psv: "),
        (vec!["--output", &nowhere, &from], "new.psv"),
    ] {
        let output = super::run(&[&["data", "relabel"], &arguments[..]].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && errors.contains(complaint),
            "{errors}"
        );
    }
    assert!(!std::path::Path::new(&output).exists());
}

#[test]
fn a_conversion_leaves_all_or_nothing() {
    let folder = Folder::new("data-convert");
    let from = sample("train/sample.sbinpack").display().to_string();
    let new = folder.path("new.psv");
    let damaged = folder.write("damaged.psv", [1; 40]);
    let convert = |files: &[&str]| {
        let fixed = ["data", "convert", "--to", &new, "--format", "psv"];
        super::run(&[&fixed, files].concat())
    };
    for (files, what) in [
        (&[from.as_str(), "no-data.psv"][..], "no-data.psv: "),
        (&[&from, &damaged], "damaged.psv: "),
    ] {
        let output = convert(files);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && errors.contains(what),
            "{errors}"
        );
        assert!(!std::path::Path::new(&new).exists(), "{files:?}");
    }
    let output = convert(&[&from]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("4385 records written"), "{text}");
    // What is there is not written over.
    assert!(!convert(&[&from]).status.success());
    assert!(hien(&["data", &new]).1.contains("records     4385 "));
}
