//! One game, written as the programs write it: Kifu for Windows, ShogiGUI, Shogidokoro, ShogiHome, 81Dojo, Shogi Wars,
//! floodgate, Shogi Club 24. Small files of our own in the style of each.

use std::fs;
use std::path::Path;

use hien::records::{self, End, Format, Record};
use hien::shogi::Color;

const MOVES: [&str; 5] = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"];

fn file(name: &str) -> Record {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records/programs");
    let bytes = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let extension = name.rsplit('.').next().expect("an extension");
    let format = Format::of_extension(extension);
    assert!(format.is_some(), "{name}");
    let reading = records::read(&bytes, format).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(reading.warnings, [], "{name}");
    // The text tells the format as well.
    let told = records::read(&bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(Some(told.format), format, "{name}");
    assert_eq!(reading.records, told.records, "{name}");
    reading.records.into_iter().next().expect("a record")
}

#[test]
fn every_program_is_understood() {
    for (name, lines, seconds, comments) in [
        ("kifu-for-windows.kif", 3, 27, 2),
        ("kifu-for-windows.ki2", 3, 0, 1),
        ("shogigui.kif", 1, 8, 2),
        ("shogidokoro.kifu", 1, 8, 1),
        ("shogidokoro.csa", 1, 8, 1),
        ("shogihome.kifu", 2, 8, 3),
        ("shogihome.csa", 1, 8, 1),
        ("shogihome.jkf", 2, 1, 1),
        ("81dojo.kif", 1, 87, 0),
        ("shogi-wars.kif", 1, 8, 0),
        ("floodgate.csa", 1, 19, 3),
        ("shogi-club-24.kif", 1, 12, 0),
    ] {
        let record = file(name);
        let moves: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, MOVES, "{name}");
        let end = match name {
            "shogi-wars.kif" => End::Timeout,
            _ => End::Resignation,
        };
        assert_eq!(record.end(), Some(&end), "{name}");
        assert_eq!(record.lines().count(), lines, "{name}");
        let used: u64 = record
            .main_line()
            .filter_map(|id| record[id].time)
            .map(|time| time.as_secs())
            .sum();
        assert_eq!(used, seconds, "{name}");
        let nodes = record.lines().flat_map(|first| record.line(first));
        let found: usize = nodes.map(|id| record[id].comments.len()).sum();
        assert_eq!(found, comments, "{name}");
        for color in Color::ALL {
            assert!(record.headers.player(color).is_some(), "{name}");
        }
    }
}

#[test]
fn floodgate_scores_and_times_are_kept() {
    let record = file("floodgate.csa");
    let first = record.main_line().next().expect("a move");
    assert_eq!(record[first].comments, ["* 51 -3334FU +2726FU"]);
    let event = "wdoor+floodgate-300-10F+hisha+kakuta+20240514100000";
    assert_eq!(record.headers.event(), Some(event));
    let record = file("shogihome.csa");
    let first = record.main_line().next().expect("a move");
    assert_eq!(record[first].time.map(|time| time.as_millis()), Some(1250));
    assert_eq!(record.headers.get("持ち時間"), Some("900+60+0"));
}
