//! One page with everything in it: the data, the style and the script that shows them. It loads nothing.

use super::report::GameReport;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a game.
///
/// # Errors
///
/// None in practice: the data are plain.
pub fn page(report: &GameReport) -> serde_json::Result<String> {
    // Inside a script element only '<' could end it.
    let data = serde_json::to_string(report)?.replace('<', "\\u003c");
    let players = [&report.game.black, &report.game.white];
    let [black, white] = players.map(|name| escape(name.as_deref().unwrap_or("?")));
    // What a record can say comes last, and before that what stands behind it.
    let parts = [
        ("/*style*/", STYLE),
        ("/*script*/", SCRIPT),
        ("/*data*/", &data),
        ("/*title*/", &format!("{black} - {white}")),
    ];
    let mut page = PAGE.to_owned();
    for (mark, text) in parts {
        page = page.replacen(mark, text, 1);
    }
    Ok(page)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
