//! The page for browsers: one self-contained file with data, style and script. It loads nothing.

use super::report::GameReport;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a game.
///
/// # Errors
///
/// Cannot fail in practice: the data is plain.
pub fn page(report: &GameReport) -> serde_json::Result<String> {
    // Inside a script element only '<' could end it.
    let data = serde_json::to_string(report)?.replace('<', "\\u003c");
    let players = [&report.game.black, &report.game.white];
    let [black, white] = players.map(|name| escape(name.as_deref().unwrap_or("?")));
    // Texts of the record come last, and the data before the title, which precedes it in the page: so no text of a
    // record is taken for a placeholder.
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
