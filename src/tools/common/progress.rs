//! How far a command has come, on standard error.

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how many of how many are done, and the time passed and left.
pub const COUNTED: &str = "{bar:40} {pos}/{len} {elapsed} left {eta}";

/// A bar in a style of indicatif's template language; without a length it only counts.
pub fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
