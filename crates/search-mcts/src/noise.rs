//! Noise on the priors of the root.

use rand::Rng;

use crate::leaves::Generator;
use crate::options::Noise;
use crate::tree::Tree;

/// Mixes the root's priors with a draw from a Dirichlet distribution.
pub(crate) fn disturb<M: Copy>(tree: &mut Tree<M>, Noise { alpha, share }: Noise, rng: &mut Generator) {
    let children = tree.nodes[0].children();
    tree.clean = tree.priors[children.clone()].to_vec();
    // By logarithms: with a small alpha the draws themselves are too small for numbers.
    let draws: Vec<f64> = children.clone().map(|_| ln_gamma_draw(alpha, rng)).collect();
    let most = draws.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let draws: Vec<f64> = draws.iter().map(|draw| (draw - most).exp()).collect();
    let sum: f64 = draws.iter().sum();
    for (i, draw) in children.zip(draws) {
        let prior = &mut tree.priors[i];
        *prior = ((1.0 - share) * f64::from(*prior) + share * draw / sum) as f32;
    }
}

/// Takes the noise away again, so that the next search of the same position does not add to it.
pub(crate) fn calm<M: Copy>(tree: &mut Tree<M>) {
    let children = tree.nodes[0].children();
    let clean = core::mem::take(&mut tree.clean);
    if clean.len() == children.len() {
        tree.priors[children].copy_from_slice(&clean);
    }
}

/// The logarithm of a draw from the gamma distribution with this shape, above 0, and scale 1.
fn ln_gamma_draw(shape: f64, rng: &mut Generator) -> f64 {
    if shape < 1.0 { gamma(shape + 1.0, rng).ln() + uniform(rng).ln() / shape } else { gamma(shape, rng).ln() }
}

/// A number above 0 and at most 1.
fn uniform(rng: &mut Generator) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

/// A draw from the gamma distribution with this shape, at least 1, and scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut Generator) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // Box and Muller 1958.
        let x = (-2.0 * uniform(rng).ln()).sqrt() * (core::f64::consts::TAU * uniform(rng)).cos();
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && uniform(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Wants;
    use rand::SeedableRng;

    /// The smallest alpha gives all the noise to one move, the largest the same to each.
    #[test]
    fn noise_is_never_left_out() {
        for seed in 0..50 {
            let mut rng = Generator::seed_from_u64(seed);
            let mut tree = Tree::new(0, Wants { priors: true, ..Wants::default() });
            tree.expand(0, (0..4).map(|i| (Some(i), 0.25)));
            disturb(&mut tree, Noise { alpha: 1e-3, share: 0.5 }, &mut rng);
            let sum: f32 = tree.priors[1..].iter().sum();
            let most = tree.priors[1..].iter().copied().fold(0.0, f32::max);
            assert!((sum - 1.0).abs() < 1e-5 && most > 0.5, "{:?}", tree.priors);
            calm(&mut tree);
            assert_eq!(tree.priors[1..], [0.25; 4]);
            disturb(&mut tree, Noise { alpha: 1e6, share: 1.0 }, &mut rng);
            assert!(tree.priors[1..].iter().all(|prior| (prior - 0.25).abs() < 0.01), "{:?}", tree.priors);
        }
    }

    #[test]
    fn gamma_has_its_moments() {
        for shape in [0.1, 0.3, 1.0, 4.5] {
            let mut rng = Generator::seed_from_u64(1);
            let draws: Vec<f64> = (0..100_000).map(|_| ln_gamma_draw(shape, &mut rng).exp()).collect();
            let mean = draws.iter().sum::<f64>() / 1e5;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
            assert!((mean / shape - 1.0).abs() < 0.05 && (variance / shape - 1.0).abs() < 0.1, "{shape}: {mean} {variance}");
        }
    }
}
