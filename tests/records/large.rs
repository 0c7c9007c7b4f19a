//! Large files with one fault near their end: it is named at its place, and reading takes time in proportion to the
//! size.

use std::time::Instant;

use hien::records::{self, Format, Place};

/// A large text, and where its fault is.
struct Large {
    name: &'static str,
    format: Format,
    text: String,
    place: Place,
}

/// Rooks that go to and fro for ever, in every format.
const MOVES: [[&str; 4]; 4] = [
    ["３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"],
    ["▲３八飛", "△７二飛", "▲２八飛", "△８二飛"],
    ["+2838HI", "-8272HI", "+3828HI", "-7282HI"],
    ["2h3h", "8b7b", "3h2h", "7b8b"],
];

/// Texts of about `size` bytes.
fn texts(size: usize) -> Vec<Large> {
    let [kif, ki2, csa, usi] = MOVES;
    // The same line until the text is large enough; the number counts.
    let repeat = |line: &dyn Fn(usize) -> String| -> Vec<String> {
        let mut left = size;
        let lines = (0..).map(line).take_while(|line| {
            let fits = left > line.len();
            left = left.saturating_sub(line.len());
            fits
        });
        lines.collect()
    };
    let moves = |moves: [&'static str; 4]| repeat(&|index| format!("{} ", moves[index % 4]));
    let lines = |text: &str| text.matches('\n').count();
    let at_line = |name, format, begin: &str, body: Vec<String>, fault: &str, column| {
        let text = begin.to_owned() + &body.concat();
        let place = Place {
            line: lines(&text) + 1,
            column,
        };
        Large {
            name,
            format,
            text: text + fault,
            place,
        }
    };
    let in_line = |name, format, begin: &str, body: Vec<String>, fault: &str| {
        let text = begin.to_owned() + &body.concat();
        let line = text.rsplit('\n').next().unwrap_or_default();
        let place = Place {
            line: lines(&text) + 1,
            column: line.chars().count() + 1,
        };
        Large {
            name,
            format,
            text: text + fault,
            place,
        }
    };
    let numbered =
        |index: usize| format!("{:4} {}   ( 0:01/00:00:01)\n", index + 1, kif[index % 4]);
    let branches = |index: usize| format!("変化：{}手\n{0:4} {}\n", 1 + index % 40, kif[index % 4]);
    let begin: String = (0..40).map(numbered).collect();
    let jkf_entry = |index: usize| {
        let (from, to, y) = [(2, 3, 8), (8, 7, 2), (3, 2, 8), (7, 8, 2)][index % 4];
        format!(
            r#"{{"move":{{"from":{{"x":{from},"y":{y}}},"to":{{"x":{to},"y":{y}}},"piece":"HI"}}}},"#
        ) + "\n"
    };
    let header = |index: usize| format!("項目{index}：値\n");
    let wrong = r#"{"move":{"to":{"x":5,"y":5},"piece":"HI"}}]}"#;
    vec![
        at_line(
            "moves",
            Format::Kif,
            "",
            repeat(&numbered),
            "9999999 ７六歩(78)\n",
            9,
        ),
        at_line(
            "branches",
            Format::Kif,
            &begin,
            repeat(&branches),
            "9999999 ７六歩(78)\n",
            9,
        ),
        at_line(
            "headers",
            Format::Kif,
            "",
            repeat(&header),
            "9999999 ７六歩(78)\n",
            9,
        ),
        at_line(
            "comments",
            Format::Kif,
            "",
            repeat(&|_| "*評価値 読み筋\n".to_owned()),
            "9999999 ７六歩(78)\n",
            9,
        ),
        at_line(
            "free text",
            Format::Kif,
            "",
            repeat(&|_| "読み 筋\n".to_owned()),
            "9999999 ７六歩(78)\n",
            9,
        ),
        in_line("moves", Format::Ki2, "", moves(ki2), "▲５五飛 △３四歩"),
        at_line(
            "moves, a line each",
            Format::Ki2,
            "",
            repeat(&|index| format!("{}\n", ki2[index % 4])),
            "▲５五飛\n",
            1,
        ),
        at_line(
            "moves",
            Format::Csa,
            "PI\n+\n",
            repeat(&|index| format!("{}\nT1\n", csa[index % 4])),
            "+5155HI\n",
            1,
        ),
        in_line(
            "moves in a line",
            Format::Csa,
            "PI\n+\n",
            repeat(&|index| format!("{},", csa[index % 4])),
            "+5155HI,T1",
        ),
        at_line(
            "headers",
            Format::Csa,
            "",
            repeat(&|index| format!("$KEY{index}:1\n")),
            "P0\n",
            2,
        ),
        at_line(
            "pieces",
            Format::Csa,
            "P+",
            [repeat(&|_| "00FU".to_owned()), vec!["\n".to_owned()]].concat(),
            "P0\n",
            2,
        ),
        at_line(
            "moves",
            Format::Jkf,
            "{\"moves\":[{},\n",
            repeat(&jkf_entry),
            wrong,
            1,
        ),
        at_line(
            "ends",
            Format::Jkf,
            "{\"moves\":[{},\n",
            repeat(&|index| format!("{{\"special\":\"{}\"}},\n", ["TORYO", "CHUDAN"][index % 2])),
            wrong,
            1,
        ),
        in_line(
            "ends",
            Format::Csa,
            "PI\n+\n",
            repeat(&|index| ["%TORYO,", "%CHUDAN,"][index % 2].to_owned()),
            "+5155HI",
        ),
        in_line(
            "ends",
            Format::Usi,
            "startpos moves ",
            repeat(&|index| ["resign ", "break "][index % 2].to_owned()),
            "7g7e",
        ),
        at_line(
            "headers",
            Format::Jkf,
            "{\"header\":{\n",
            repeat(&|index| format!("\"項目{index}\":\"値\",\n")),
            "\"a\" 1},\"moves\":[{}]}",
            5,
        ),
        in_line(
            "moves",
            Format::Usi,
            "startpos moves ",
            moves(usi),
            "5e5f 7g7f",
        ),
        at_line(
            "games",
            Format::Usi,
            "",
            repeat(&|_| format!("startpos moves {}\n", (usi.join(" ") + " ").repeat(20))),
            "startpos moves 7g7e\n",
            16,
        ),
    ]
}

fn check(large: &Large) {
    let Large {
        name,
        format,
        text,
        place,
    } = large;
    let error = match records::read(text.as_bytes(), Some(*format)) {
        Err(error) => error,
        // The other games of the file are there.
        Ok(mut reading) => reading.faults.remove(0),
    };
    assert_eq!(error.place, *place, "{name}, {}: {error}", format.name());
}

#[test]
fn faults_are_named_at_their_place() {
    texts(100_000).iter().for_each(check);
}

#[test]
#[ignore = "a measurement: how long 10 MB take"]
fn large_files() {
    for large in texts(10_000_000) {
        let start = Instant::now();
        check(&large);
        let Large {
            name, format, text, ..
        } = &large;
        println!(
            "{} {name}, {} bytes: {:.2?}",
            format.name(),
            text.len(),
            start.elapsed()
        );
    }
}
