//! The program `hien`; all of it is in the library.

use std::io;

fn main() -> io::Result<()> {
    hien::cli::run()
}
