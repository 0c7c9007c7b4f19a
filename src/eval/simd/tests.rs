//! Every path against the scalar one, on random data of many shapes.

use super::*;
use crate::shogi::SplitMix64;

struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Numbers over the whole range, with the ends of clamps made frequent.
    fn accumulator(&mut self, len: usize) -> Aligned<i16> {
        const EDGES: [i16; 10] = [0, -1, 1, 126, 127, 128, 254, 255, i16::MAX, i16::MIN];
        let mut values = Aligned::zeroed(len);
        for value in values.iter_mut() {
            *value = match self.below(4) {
                0 => EDGES[self.below(EDGES.len())],
                1 => self.next() as i16,
                _ => (self.next() % 700) as i16 - 200,
            };
        }
        values
    }

    fn weight(&mut self) -> i8 {
        match self.below(8) {
            0 => -128,
            1 => 127,
            _ => self.next() as i8,
        }
    }
}

fn paths() -> impl Iterator<Item = &'static Kernels> {
    let kernels = CpuPath::available().map(|path| Kernels::of(path).expect("available"));
    kernels.filter(|kernels| kernels.path() != CpuPath::Scalar)
}

#[test]
fn rows_are_added_and_subtracted_alike() {
    let mut random = Random::new(1);
    for width in [64, 128, 192, 256, 320, 512, 640, 1024, 1536, 3072] {
        let table = WeightTable::new(width, random.accumulator(51 * width));
        let source = random.accumulator(width);
        for (adds, subs) in [
            (0, 0),
            (1, 0),
            (0, 1),
            (1, 1),
            (2, 2),
            (2, 1),
            (1, 2),
            (3, 3),
            (40, 0),
            (17, 23),
        ] {
            let mut list = |len: usize| {
                (0..len)
                    .map(|_| random.below(50) as u32)
                    .collect::<Vec<_>>()
            };
            let (add, sub) = (list(adds), list(subs));
            let rows = Rows {
                table: &table,
                add: &add,
                sub: &sub,
            };
            let mut expected = Aligned::zeroed(width);
            scalar::KERNELS.update(&mut expected, &source, rows);
            for kernels in paths() {
                let mut acc = Aligned::zeroed(width);
                kernels.update(&mut acc, &source, rows);
                assert_eq!(
                    acc[..],
                    expected[..],
                    "{kernels:?} width {width} +{adds} -{subs}"
                );
                let mut acc = source.clone();
                kernels.apply(&mut acc, rows);
                assert_eq!(
                    acc[..],
                    expected[..],
                    "{kernels:?} in place, width {width} +{adds} -{subs}"
                );
            }
        }
    }
}

#[test]
#[should_panic(expected = "rows are inside the table")]
fn a_row_outside_the_table_is_refused() {
    let table = WeightTable::new(64, Aligned::zeroed(4 * 64));
    let rows = |add| Rows {
        table: &table,
        add,
        sub: &[],
    };
    Kernels::best().apply(&mut [0; 64], rows(&[2]));
    Kernels::best().apply(&mut [0; 64], rows(&[3]));
}

#[test]
fn accumulators_become_the_same_bytes() {
    let products = [Product::Limit127, Product::Limit254, Product::Limit255];
    let mut kinds = vec![Transform::Clip];
    kinds.extend(products.map(Transform::Square));
    kinds.extend(products.map(Transform::Pair));
    let mut random = Random::new(2);
    for kind in kinds {
        for width in [128, 256, 640, 1536] {
            let acc = random.accumulator(width);
            let mut expected = vec![0; kind.outputs(width)];
            scalar::KERNELS.transform(kind, &acc, &mut expected);
            assert!(expected.iter().all(|&byte| byte <= 127));
            for kernels in paths() {
                let mut bytes = vec![255; expected.len()];
                kernels.transform(kind, &acc, &mut bytes);
                assert_eq!(bytes, expected, "{kernels:?} {kind:?} width {width}");
            }
        }
    }
}

/// Every pair of clamped values, so that no rounding of a product is left to chance.
#[test]
fn products_agree_for_all_pairs() {
    for product in [Product::Limit127, Product::Limit254, Product::Limit255] {
        for low in -2..=258 {
            let mut acc = vec![low; 640];
            for (high, value) in acc[320..].iter_mut().enumerate() {
                *value = high as i16 - 10;
            }
            let mut expected = vec![0; 320];
            scalar::KERNELS.transform(Transform::Pair(product), &acc, &mut expected);
            for kernels in paths() {
                let mut bytes = vec![0; 320];
                kernels.transform(Transform::Pair(product), &acc, &mut bytes);
                assert_eq!(bytes, expected, "{kernels:?} {product:?} low {low}");
            }
        }
    }
}

fn random_network(
    random: &mut Random,
    inputs: usize,
    hidden: [usize; 2],
    activations: [Activation; 2],
) -> Network {
    let range = [60_000, 20_000];
    let mut layer = |inputs: usize, outputs: usize, range: usize| {
        let bias: Vec<i32> = (0..outputs)
            .map(|_| random.below(range) as i32 - range as i32 / 2)
            .collect();
        let weights: Vec<i8> = (0..inputs * outputs).map(|_| random.weight()).collect();
        Affine::new(inputs, &bias, |output, input| {
            weights[output * inputs + input]
        })
    };
    let first = layer(inputs, hidden[0], range[0]);
    let second = layer(activations[0].outputs(first.outputs()), hidden[1], range[1]);
    let output: Vec<i8> = (0..hidden[1]).map(|_| random.weight()).collect();
    let shortcut = (activations[0] == Activation::SquareAndClip).then_some(hidden[0] - 1);
    Network::new(
        [first, second],
        activations,
        (random.next() as i32 >> 8, &output),
        shortcut,
    )
}

#[test]
fn networks_give_the_same_output() {
    use Activation::{Clip, Square, SquareAndClip};
    let mut random = Random::new(3);
    for hidden in [
        [8, 32],
        [8, 64],
        [8, 96],
        [15, 32],
        [16, 32],
        [16, 64],
        [24, 16],
        [32, 32],
        [40, 7],
        [64, 128],
    ] {
        for activations in [[Clip, Clip], [Square, Square], [SquareAndClip, Clip]] {
            for inputs in [64, 128, 512, 1536] {
                let network = random_network(&mut random, inputs, hidden, activations);
                let mut scratch = Scratch::new([&network]);
                for density in [0, 5, 50, 100] {
                    let mut input = vec![0u8; inputs];
                    for byte in &mut input {
                        if random.below(100) < density {
                            *byte = random.below(128) as u8;
                        }
                    }
                    let expected = scalar::KERNELS.network(&network, &input, &mut scratch);
                    for kernels in paths() {
                        let output = kernels.network(&network, &input, &mut scratch);
                        assert_eq!(
                            output, expected,
                            "{kernels:?} {inputs} {hidden:?} {activations:?} {density}%"
                        );
                    }
                }
            }
        }
    }
}

/// The largest sums: all inputs and weights at their limits, both signs.
#[test]
fn dot_products_do_not_saturate() {
    for weight in [-128, 127] {
        let layer = |inputs| Affine::new(inputs, &[0; 16], |_, _| weight);
        let network = Network::new(
            [layer(2048), layer(32)],
            [Activation::SquareAndClip, Activation::Clip],
            (0, &[weight; 16]),
            Some(15),
        );
        let mut scratch = Scratch::new([&network]);
        let input = [127; 2048];
        let sum = 2048 * 127 * i32::from(weight);
        let expected = scalar::KERNELS.network(&network, &input, &mut scratch);
        let second = if weight > 0 { (127 * 127 * 32) >> 6 } else { 0 };
        assert_eq!(expected, sum + 16 * second.min(127) * i32::from(weight));
        for kernels in paths() {
            assert_eq!(
                kernels.network(&network, &input, &mut scratch),
                expected,
                "{kernels:?}"
            );
        }
    }
}

#[test]
fn paths_have_names_and_the_best_is_available() {
    for path in CpuPath::ALL {
        assert_eq!(path.name().to_uppercase().parse(), Ok(path));
    }
    assert_eq!(
        "turbo".parse::<CpuPath>(),
        Err(ParseCpuPathError("turbo".to_owned()))
    );
    assert!(CpuPath::available().any(|path| path == Kernels::best().path()));
    assert_eq!(CpuPath::available().next(), Some(CpuPath::Scalar));
}
