//! The embedded net: Hien's own, part of the program. How it was made: `net/README.md`.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Evaluator;
use super::nnue::{Hints, Net};
use super::simd::Kernels;

/// The bytes of the file.
const BYTES: &[u8] = include_bytes!("net/nn.bin");

/// The net, read on first use and shared from then on.
pub fn net() -> &'static Arc<Net> {
    static NET: Lazy<Arc<Net>> = Lazy::new(|| {
        let net = Net::from_bytes(BYTES, &Hints::default());
        Arc::new(net.expect("the net inside the program is sound"))
    });
    &NET
}

impl Evaluator {
    /// Evaluation by the embedded net, with the fastest kernels and the net's own scale.
    pub fn internal() -> Self {
        let net = net();
        Self::net(net.clone(), Kernels::best(), net.info().scale.0)
    }
}
