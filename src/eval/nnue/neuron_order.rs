//! Neuron order: the outputs of the feature transformer are sorted by how often they are active.
//!
//! The first affine layer skips blocks of four inactive bytes. Nets have outputs that are active in most positions and
//! outputs that hardly ever are; sorted, the latter fill whole blocks. Sums do not depend on the order, so no value
//! changes. In the nets measured a quarter fewer blocks were left to add. Stockfish nets are sorted in the same way
//! before their release (nnue-pytorch, `ftperm.py`).

use crate::eval::simd::Kernels;
use crate::shogi::{Color, Position};

use super::arch::Architecture;
use super::both_kings;
use super::transformer::Transformer;

/// For each place in a part of the accumulator the output that moves there, from a look at some positions.
pub(super) fn order(arch: &Architecture, transformer: &Transformer) -> Vec<usize> {
    let kernels = Kernels::best();
    let mut acc = vec![0; transformer.width()];
    let mut bytes = vec![0; arch.transform().outputs(acc.len())];
    let mut active = vec![0; bytes.len()];
    for sfen in SAMPLE {
        let position = Position::from_sfen(sfen).expect("the sample is well formed");
        let kings = both_kings(&position).expect("the sample has kings");
        for color in Color::ALL {
            let view = arch.features.view(color, kings[color.index()]);
            transformer.refresh(kernels, &mut acc, &view, &position);
            kernels.transform(arch.transform(), &acc, &mut bytes);
            for (count, &byte) in active.iter_mut().zip(&bytes) {
                *count += u32::from(byte > 0);
            }
        }
    }
    let mut order: Vec<usize> = (0..active.len()).collect();
    order.sort_by_key(|&output| std::cmp::Reverse(active[output]));
    order
}

/// Positions of games between engines, from opening to endgame.
#[rustfmt::skip]
const SAMPLE: &[&str] = &[
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r5b1/2ppppppp/pp7/9/7P1/PPPPPPP1P/1B1G3R1/LNS1KGSNL b - 1",
    "lnsgk1snl/1r4gb1/p1ppppppp/9/1p7/9/PPPPPPPPP/1BG2SGR1/LNS1K2NL b - 1",
    "lnsgk1snl/1r4gb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1BG4R1/LNS1KGSNL b - 1",
    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/4P4/PPPP1PPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgk1s1l/5g3/p1ppppnpp/8r/1p7/2PB5/PP1PPPP+bP/LSR1G4/1N2KGSNL b Pp 1",
    "lnsg2snl/1r2k1gb1/ppppppppp/9/9/8P/PPPPPPP2/1B5R1/LNSGKGSNL w P 1",
    "lns1k1snl/1r2g1gb1/p1ppppppp/9/7R1/9/PPPPPPP1P/1BG6/LNS1KGSNL w Pp 1",
    "ln1g2s1l/1rs1k1g2/p1ppppnpp/5bp2/1p5PP/2PP5/PPB1PPP2/2GSG2R1/LN2K1SNL w - 1",
    "lnsgkgsnl/1r5b1/p1pppp2p/6p2/7p1/1P7/P1PPPPP1P/1BG1KG1R1/LNS3SNL w Pp 1",
    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1BG4R1/LNS1KGSNL w - 1",
    "1+L6l/3s1gks1/+B2pppng1/7pp/2P1P1r2/1PG2P3/P1NP1+B2P/4GS1R1/L+p2K2NL w SN3P2p 1",
    "ln1g3nl/1rs1nskg1/p3p4/1p1PsBpbp/9/4G1P2/PPG1P1NPP/1K4S2/L7L b R3P3p 1",
    "lnk5l/2g2+R3/p1bsp1+P2/6p1p/B6p1/2p1P3P/PP3PP2/2gS1GS2/L+rP1K2+n1 b S2NL4Pg 1",
    "ln4knl/1r1+b5/4spsg1/ppppg2p1/4p3p/P1PP1PP2/1P1SPSN1P/1GBKG2R1/LN6L b Pp 1",
    "ln2k1gnl/5s1r1/p2g3p1/1p1p1pp1p/2PsP4/PP4P2/2SPGP1PP/B5RS1/LN1GK2NL w Pbp 1",
    "l4k2l/1r3sg2/p1np1pnp1/5g3/P1ps4p/5PP2/1GPPPSN1P/1PK3GR1/LNS5L b B4Pb 1",
    "+R1b1g1snl/3s3k1/2n2p1pp/p1+Bpp1g2/9/PPP2PP2/3PP3P/2G1KS1P1/LNS2G1NL w L2Prp 1",
    "1r4s1l/l4kg2/2+Bgpp1pp/p2Nb1p2/7R1/9/P+p1PPPP1P/1G4S2/LN2KG1NL w SN2Ps3p 1",
    "ln2bg1nl/3kg4/1r1sps3/p5Ppp/2PP1pS2/3pP4/PPN2P2P/2GBS1R2/L3KG1NL b 2P2p 1",
    "ln1g3nl/2sk2s+r1/1pppp1g1p/p4p3/6p2/P1P2P2P/1PBPP1P2/2SK1SRP1/LN1G1G1NL b bp 1",
    "l2g2snl/1r1s1gk2/p1n1pp1p1/2pp+b1p2/1p3P2p/2P1P4/PPSP1SNPP/2GKGR3/LN6L b Bp 1",
    "lnsg1g1n+P/2k2rs1+L/2ppp1bp1/pp4p2/7P1/P1PP1p3/1PB1P1P1R/L3G1S2/1NSGK2N1 w LPp 1",
    "lnsg3nl/1r3kgs1/p1pppp2p/4+b1R2/1P7/3P5/P1N1PPP1P/2S6/LG2KGSNL w B3P2p 1",
    "lnk6/3s1r1s+B/p2pp2p1/1gplnp2p/1p5+R1/2P3P2/PPSPPP2P/3G1G3/LN2K1S1L b B2Pgn 1",
    "l4kb1l/1r4Gg1/2np1sPp1/psn1p1p2/3PBGs1p/PPS6/5P2P/2KG3R1/LN6L w N4P2p 1",
    "lnsg1g3/5rs2/1kpp2npp/1p2p1p2/p1PP5/5P1P1/PPS1PSP1P/4G3R/LN1GK2NL b BLPb 1",
    "l1rg2s2/1P3kg2/p+L1+Lpp1p1/2p3p2/5P2P/1GP2sPP1/P3+b1S+B1/7R1/5K1NL w S2NPgn4p 1",
    "l5k1l/1r3gg1b/p2sp2ps/1p1p1pP1N/2P2NRPp/P3PP3/1PNP1S2P/2GKG2b1/L7L b S2Pn 1",
    "lns1kg2l/2g3s2/1p1p1gnpp/p1+B3p2/5Bn2/1PP4PP/P2PP1P2/2K6/L1S3SNL w 2RG4P 1",
    "lnsg2sgl/5k3/p1pppp2p/6p2/5N3/PPP2BP2/2SPPP2P/2gR1K1S1/L+r3G1NL w B2Pnp 1",
    "7nl/r4k1s1/2nsp1gp1/2pp1Pp2/5L2p/2PBP1PP1/1P1P2N1P/1G1S1R3/1N2K2GL w GPbsl3p 1",
    "ln5nl/2gs1k1s1/4p1gpp/p1ppbpp2/1r5PP/P1P1P4/2SP1P1SN/2G1KG3/LN5RL b BP2p 1",
    "+R2g2snl/4k1gb1/p1nppp2p/b1rs2pp1/9/4S1P2/PPGPPPN1P/1S2KG3/L1L5L w Pn3p 1",
    "l2gk2+Bl/1r1s1g3/2np1p2p/ppp1psp+B1/8N/P1P2P+r1P/1P1PP1NP1/2GK2S2/LNS2G1+pL b p 1",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_of_games() {
        assert!(SAMPLE.len() >= 30);
        for sfen in SAMPLE {
            assert!(
                Position::from_sfen(sfen).is_ok_and(|position| both_kings(&position).is_some()),
                "{sfen}"
            );
        }
    }
}
