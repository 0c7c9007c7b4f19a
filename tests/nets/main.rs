//! Nets as a whole: the reference values of YaneuraOu, every CPU path, files of all dialects, damaged files, and
//! accumulators along random games. The nets are synthetic; see `synthetic`.

mod activations;
mod damage;
#[path = "../common/folder.rs"]
mod folder;
mod reference;
mod synthetic;
mod tree;
mod use_of_files;
mod walk;

use hien::eval::nnue::{Hints, Net};
use hien::eval::simd::{CpuPath, Kernels};

/// The net in a synthetic file.
fn synthetic_net(name: &str) -> Net {
    load(&synthetic::spec(name).file())
}

fn load(bytes: &[u8]) -> Net {
    Net::from_bytes(bytes, &Hints::default()).expect("a whole file is read")
}

/// The kernels this CPU can run, the scalar ones first.
fn all_kernels() -> Vec<&'static Kernels> {
    CpuPath::available()
        .map(|path| Kernels::of(path).expect("an available path has kernels"))
        .collect()
}
