//! Noise on the priors of the root.

use rand::Rng;

use crate::leaves::Generator;
use crate::options::Noise;
use crate::tree::Tree;

/// Mixes the root's priors with a draw from a Dirichlet distribution.
pub(crate) fn disturb<M: Copy>(tree: &mut Tree<M>, Noise { alpha, share }: Noise, rng: &mut Generator) {
    let children = tree.nodes[0].children();
    let draws: Vec<f64> = children.clone().map(|_| gamma(alpha.max(1e-3), rng)).collect();
    let sum: f64 = draws.iter().sum();
    if sum > 0.0 {
        for (i, draw) in children.zip(draws) {
            let prior = &mut tree.priors[i];
            *prior = ((1.0 - share) * f64::from(*prior) + share * draw / sum) as f32;
        }
    }
}

/// A number above 0 and at most 1.
fn uniform(rng: &mut Generator) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

/// A draw from the gamma distribution with this shape and scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut Generator) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * uniform(rng).powf(1.0 / shape);
    }
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
    use rand::SeedableRng;

    #[test]
    fn gamma_has_its_moments() {
        for shape in [0.1, 0.3, 1.0, 4.5] {
            let mut rng = Generator::seed_from_u64(1);
            let draws: Vec<f64> = (0..100_000).map(|_| gamma(shape, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / 1e5;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
            assert!((mean / shape - 1.0).abs() < 0.05 && (variance / shape - 1.0).abs() < 0.1, "{shape}: {mean} {variance}");
        }
    }
}
