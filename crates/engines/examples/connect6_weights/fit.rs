//! Weights from games, by gradient descent (Adam, Kingma and Ba 2015).

use gamecore::random::{below, generator};
use gamecore::{Evaluator, Game};
use games_connect6::eval::Learned;
use games_connect6::learned::{
    CLASSES, CODES, HIDDEN, Head, MOST, Net, ONE, PROMISE_ONE, SIGNED, SITUATIONS, SUMS, Views, WIDTH, Weights, class, logit,
    situation,
};
use games_connect6::{Connect6, Narrowed};
use rand::Rng;

use crate::games::Record;

/// What the result counts where the search's value is known too.
const RESULT: f32 = 0.5;
/// What choices count beside values.
const CHOICES: f32 = 0.25;
/// Games in a step, and how often all games are gone through.
const BATCH: usize = 32;
const EPOCHS: usize = 5;
const RATES: [f32; 2] = [1.5e-3, 3e-5];
/// The largest number of a point.
const CLIP: f32 = MOST as f32 / ONE;

/// What an open window is worth to begin with, by its stones: a logit; and to have the turn.
const WINDOWS: [f32; 6] = [0.0, 0.0138, 0.068, 0.2, 0.28, 0.37];
const TEMPO: [f32; SITUATIONS] = [0.05, 0.82, -0.05, -0.82];
/// What is 1 of it in a point's numbers.
const SHARE: f32 = 2.0;

/// Where parts lie among all weights.
const BASE: usize = 0;
const PROMISE: usize = BASE + WIDTH;
const HEADS: usize = PROMISE + SITUATIONS * WIDTH;
const OUT: usize = WIDTH * HIDDEN + HIDDEN;
const DIRECT: usize = OUT + HIDDEN;
const HEAD: usize = DIRECT + WIDTH + 1;
const ROWS: usize = HEADS + SITUATIONS * HEAD;

/// A position to learn from.
struct Position<'a> {
    /// Where the rows of its near points begin, and how much of the choice fell on each.
    points: &'a [([u32; 8], f32)],
    situation: usize,
    /// How often One wins.
    target: f32,
    /// Whether a stone was chosen.
    chosen: bool,
    /// Whether the search alone judged.
    aside: bool,
}

/// All weights in a row: base, promises, heads, rows by role and class.
pub(crate) struct Model {
    weights: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

/// Sums over examples.
#[derive(Clone, Copy, Default)]
struct Tally {
    values: f64,
    value_loss: f64,
    /// Of them, those that the search alone judged.
    asides: f64,
    aside_loss: f64,
    /// The loss of who says nothing.
    aside_even: f64,
    choices: f64,
    choice_loss: f64,
    within: [f64; 3],
}

/// The best so many.
const WITHIN: [usize; 3] = [1, 8, 14];

impl Tally {
    fn line(&self) -> String {
        let choices = self.choices.max(1.0);
        format!(
            "values {:.4} of {}, asides {:.4} (even {:.4}), choices {:.4} of {}, chosen among the best {WITHIN:?}: {:.3?}",
            self.value_loss / self.values.max(1.0),
            self.values,
            self.aside_loss / self.asides.max(1.0),
            self.aside_even / self.asides.max(1.0),
            self.choice_loss / choices,
            self.choices,
            self.within.map(|n| n / choices)
        )
    }
}

/// The smallest value of a number.
#[inline(always)]
const fn least(k: usize) -> f32 {
    if k < SIGNED { -CLIP } else { 0.0 }
}

/// What the open windows through an empty point are worth, each shared by its empty points, by a code.
fn windows(code: usize) -> f32 {
    let [before, after] = [code >> 6, code & 63].map(|side| (side, side.checked_ilog2().unwrap_or(0)));
    let mut sum = 0.0;
    for left in 0..=5u32 {
        let right = 5 - left;
        if left <= before.1 && right <= after.1 {
            let stones = [(before.0, left), (after.0, right)].map(|(side, n)| (side & ((1 << n) - 1)).count_ones());
            let stones = (stones[0] + stones[1]) as usize;
            sum += SHARE * WINDOWS[stones] / (6 - stones) as f32;
        }
    }
    sum
}

fn slice(all: &[f32], at: usize) -> &[f32; WIDTH] {
    all[at..].first_chunk().expect("all weights are there")
}

fn slice_mut(all: &mut [f32], at: usize) -> &mut [f32; WIDTH] {
    all[at..].first_chunk_mut().expect("all weights are there")
}

impl Model {
    pub(crate) fn new(seed: u64) -> Self {
        let count = ROWS + 2 * *CLASSES * WIDTH;
        let mut rng = generator(seed);
        let mut random = |scale: f32| ((rng.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * scale;
        let mut weights = vec![0.0; count];
        weights[ROWS..].iter_mut().for_each(|w| *w = random(0.1));
        weights[BASE + SIGNED..PROMISE].iter_mut().for_each(|w| *w = 0.2 + random(0.1));
        weights[PROMISE..HEADS].iter_mut().for_each(|w| *w = random(0.2));
        // To begin with, the first two numbers count windows, and the others nothing.
        let mut seen = vec![false; *CLASSES];
        for code in 0..CODES {
            let class = class(code as u16);
            if core::mem::replace(&mut seen[class], true) {
                continue;
            }
            for role in 0..2 {
                let row = slice_mut(&mut weights, ROWS + (role * *CLASSES + class) * WIDTH);
                row[..SIGNED].fill(0.0);
                row[role] = windows(code);
            }
        }
        for head in 0..SITUATIONS {
            let w = &mut weights[HEADS + head * HEAD..][..HEAD];
            w[..WIDTH * HIDDEN].iter_mut().for_each(|w| *w = random(0.2));
            w[OUT..][..HIDDEN].iter_mut().for_each(|w| *w = random(0.02));
            w[DIRECT] = SUMS / SHARE;
            w[DIRECT + 1] = -SUMS / SHARE;
            w[HEAD - 1] = TEMPO[head];
        }
        Self { mean: vec![0.0; count], square: vec![0.0; count], weights, steps: 0 }
    }

    /// To go on from there.
    pub(crate) fn from_weights(weights: &Weights) -> Self {
        let mut model = Self::new(0);
        let w = &mut model.weights;
        *slice_mut(w, BASE) = weights.base.map(|n| f32::from(n) / ONE);
        for (i, promise) in weights.promise.iter().enumerate() {
            *slice_mut(w, PROMISE + i * WIDTH) = promise.map(|n| f32::from(n) / PROMISE_ONE);
        }
        for (i, head) in weights.heads.iter().enumerate() {
            let numbers = head.hidden.iter().flatten().chain(&head.hidden_base).chain(&head.out).chain(&head.direct);
            w[HEADS + i * HEAD..].iter_mut().zip(numbers.chain([&head.base])).for_each(|(w, &n)| *w = n);
        }
        for (i, row) in weights.rows.iter().flatten().enumerate() {
            *slice_mut(w, ROWS + i * WIDTH) = row.map(|n| f32::from(n) / ONE);
        }
        model
    }

    /// As the engine uses them.
    pub(crate) fn weights(&self) -> Weights {
        let w = &self.weights;
        let short = |at: usize, one: f32| slice(w, at).map(|x| (x * one).round() as i16);
        let row = |at: usize| slice(w, at).map(|x| (x * ONE).round().clamp(-127.0, 127.0) as i8);
        let rows = [0, 1].map(|role| (0..*CLASSES).map(|class| row(ROWS + (role * *CLASSES + class) * WIDTH)).collect());
        let head = |i: usize| {
            let w = &w[HEADS + i * HEAD..][..HEAD];
            Head {
                hidden: std::array::from_fn(|k| std::array::from_fn(|j| w[k * HIDDEN + j])),
                hidden_base: std::array::from_fn(|j| w[WIDTH * HIDDEN + j]),
                out: std::array::from_fn(|j| w[OUT + j]),
                direct: std::array::from_fn(|k| w[DIRECT + k]),
                base: w[HEAD - 1],
            }
        };
        Weights {
            rows,
            base: short(BASE, ONE),
            promise: std::array::from_fn(|i| short(PROMISE + i * WIDTH, PROMISE_ONE)),
            heads: std::array::from_fn(head),
        }
    }

    /// Adds the gradients of a game's positions, seen by One, or by Two as if it were One.
    fn game(&self, record: &Record, swap: bool, mut gradient: Option<&mut [f32]>, tally: &mut Tally) {
        let mut game = Connect6::default();
        let mut views = Views::new(game.board());
        let mut points = Vec::new();
        for (i, &m) in record.moves.iter().enumerate() {
            let thought = record.thoughts[i];
            if let Some(logit) = thought.logit {
                let target = RESULT * record.result + (1.0 - RESULT) * logistic(logit);
                // Both stones of a turn are good to begin with.
                let mut chosen = Vec::new();
                if thought.chosen {
                    chosen.push(m.index());
                    if game.left() == 2 && record.thoughts.get(i + 1).is_some_and(|next| next.chosen) {
                        chosen.push(record.moves[i + 1].index());
                    }
                }
                points.clear();
                let share = 1.0 / chosen.len().max(1) as f32;
                points.extend(
                    self.rows(&views, swap).map(|(point, rows)| (rows, if chosen.contains(&point) { share } else { 0.0 })),
                );
                let seen = |target: f32| if swap { 1.0 - target } else { target };
                let mover = if swap { game.mover().other() } else { game.mover() };
                let position = Position {
                    points: &points,
                    situation: situation(mover, game.left()),
                    target: seen(target),
                    chosen: !chosen.is_empty(),
                    aside: false,
                };
                self.position(&position, gradient.as_deref_mut(), tally);
                if let Some((other, logit)) = thought.aside {
                    let mut views = views.clone();
                    views.place(other, game.mover());
                    let game = game.after(other);
                    points.clear();
                    points.extend(self.rows(&views, swap).map(|(_, rows)| (rows, 0.0)));
                    let mover = if swap { game.mover().other() } else { game.mover() };
                    let position = Position {
                        points: &points,
                        situation: situation(mover, game.left()),
                        target: seen(logistic(logit)),
                        chosen: false,
                        aside: true,
                    };
                    self.position(&position, gradient.as_deref_mut(), tally);
                }
            }
            views.place(m, game.mover());
            game.play(m);
        }
    }

    /// The near points, and where their rows begin.
    fn rows(&self, views: &Views, swap: bool) -> impl Iterator<Item = (usize, [u32; 8])> {
        views.near().map(move |(point, view)| {
            let mut rows = [0u32; 8];
            for seat in 0..2 {
                let role = seat ^ usize::from(swap);
                for d in 0..4 {
                    rows[seat * 4 + d] = (ROWS + (role * *CLASSES + class(view[seat][d])) * WIDTH) as u32;
                }
            }
            (point, rows)
        })
    }

    /// Adds the gradient of one position.
    fn position(&self, position: &Position<'_>, gradient: Option<&mut [f32]>, tally: &mut Tally) {
        let &Position { points, situation, target, chosen, aside } = position;
        let w = &self.weights;
        let (base, promise) = (slice(w, BASE), slice(w, PROMISE + situation * WIDTH));
        let head = &w[HEADS + situation * HEAD..][..HEAD];
        let (mut sums, mut numbers, mut promises) = ([0f32; WIDTH], Vec::with_capacity(points.len()), Vec::new());
        for (rows, _) in points {
            let mut sum = *base;
            for &row in rows {
                sum.iter_mut().zip(slice(w, row as usize)).for_each(|(a, b)| *a += b);
            }
            let mut p = 0.0;
            let mut parts = [0f32; WIDTH];
            for k in 0..WIDTH {
                let a = sum[k].clamp(least(k), CLIP);
                sums[k] += a;
                parts[k] = a * promise[k];
            }
            p += parts.iter().sum::<f32>();
            promises.push(p);
            numbers.push(sum);
        }
        let x = sums.map(|s| s / SUMS);
        let mut hidden: [f32; HIDDEN] = std::array::from_fn(|j| head[WIDTH * HIDDEN + j]);
        let mut logit = head[HEAD - 1];
        for k in 0..WIDTH {
            logit += x[k] * head[DIRECT + k];
            for j in 0..HIDDEN {
                hidden[j] += x[k] * head[k * HIDDEN + j];
            }
        }
        for j in 0..HIDDEN {
            logit += hidden[j].max(0.0) * head[OUT + j];
        }
        let p = 1.0 / (1.0 + (-logit).exp());
        let cross = |p: f32| f64::from(-target * p.max(1e-7).ln() - (1.0 - target) * (1.0 - p).max(1e-7).ln());
        tally.values += 1.0;
        // What is more than the best that one could say.
        let loss = cross(p) - cross(target.clamp(1e-6, 1.0 - 1e-6));
        tally.value_loss += loss;
        if aside {
            tally.asides += 1.0;
            tally.aside_loss += loss;
            tally.aside_even += cross(0.5) - cross(target.clamp(1e-6, 1.0 - 1e-6));
        }
        let mut errors = vec![0f32; points.len()];
        if chosen {
            let best = promises.iter().copied().fold(f32::MIN, f32::max);
            let all: f32 = promises.iter().map(|q| (q - best).exp()).sum();
            tally.choices += 1.0;
            for (i, &(_, part)) in points.iter().enumerate() {
                let q = (promises[i] - best).exp() / all;
                errors[i] = CHOICES * (q - part);
                if part > 0.0 {
                    tally.choice_loss += f64::from(-part * q.max(1e-9).ln());
                    let better = promises.iter().filter(|&&other| other > promises[i]).count();
                    WITHIN
                        .iter()
                        .zip(&mut tally.within)
                        .for_each(|(&n, sum)| *sum += if better < n { f64::from(part) } else { 0.0 });
                }
            }
        }
        let Some(gradient) = gradient else { return };
        let error = p - target;
        let mut dx = [0f32; WIDTH];
        let at = HEADS + situation * HEAD;
        {
            let g = &mut gradient[at..][..HEAD];
            g[HEAD - 1] += error;
            let mut dh = [0f32; HIDDEN];
            for j in 0..HIDDEN {
                g[OUT + j] += error * hidden[j].max(0.0);
                if hidden[j] > 0.0 {
                    dh[j] = error * head[OUT + j];
                }
                g[WIDTH * HIDDEN + j] += dh[j];
            }
            for k in 0..WIDTH {
                g[DIRECT + k] += error * x[k];
                dx[k] = error * head[DIRECT + k];
                for j in 0..HIDDEN {
                    g[k * HIDDEN + j] += dh[j] * x[k];
                    dx[k] += dh[j] * head[k * HIDDEN + j];
                }
            }
        }
        let dx = dx.map(|d| d / SUMS);
        let (mut base_gradient, mut promise_gradient) = ([0f32; WIDTH], [0f32; WIDTH]);
        for ((rows, _), (sum, &error)) in points.iter().zip(numbers.iter().zip(&errors)) {
            let mut d = [0f32; WIDTH];
            for k in 0..WIDTH {
                let open = if sum[k] > least(k) && sum[k] < CLIP { 1.0 } else { 0.0 };
                promise_gradient[k] += error * sum[k].clamp(least(k), CLIP);
                d[k] = open * (dx[k] + error * promise[k]);
                base_gradient[k] += d[k];
            }
            for &row in rows {
                slice_mut(gradient, row as usize).iter_mut().zip(&d).for_each(|(a, b)| *a += b);
            }
        }
        slice_mut(gradient, BASE).iter_mut().zip(&base_gradient).for_each(|(a, b)| *a += b);
        slice_mut(gradient, PROMISE + situation * WIDTH).iter_mut().zip(&promise_gradient).for_each(|(a, b)| *a += b);
    }

    fn step(&mut self, gradient: &[f32], examples: f64, rate: f32) {
        self.steps += 1;
        let scale = 1.0 / examples.max(1.0) as f32;
        let [fix_mean, fix_square] = [0.9f32, 0.999].map(|keep| 1.0 / (1.0 - keep.powi(self.steps)));
        let weights = self.weights.iter_mut().zip(self.mean.iter_mut().zip(self.square.iter_mut()));
        for (i, ((w, (mean, square)), &g)) in weights.zip(gradient).enumerate() {
            let g = g * scale;
            // Many points have the same rows, and what they count directly is large.
            let rate = if i < ROWS {
                rate
            } else if (i - ROWS) % WIDTH < SIGNED {
                rate * 0.05
            } else {
                rate * 0.5
            };
            *mean = 0.9 * *mean + 0.1 * g;
            *square = 0.999 * *square + 0.001 * g * g;
            *w -= rate * (*mean * fix_mean / ((*square * fix_square).sqrt() + 1e-8));
        }
        let most = 127.0 / ONE;
        self.weights[ROWS..].iter_mut().for_each(|w| *w = w.clamp(-most, most));
    }
}

/// The loss of what the engine makes of the weights, where the search alone judged: what is lost by rounding shows.
pub(crate) fn as_played(net: &'static Net, records: &[&Record]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for record in records.iter().step_by(20) {
        let mut game = Narrowed::from(Connect6::default()).with_net(Some(net));
        for (thought, &m) in record.thoughts.iter().zip(&record.moves) {
            if let Some((other, searched)) = thought.aside {
                let said = logistic(logit(Learned.after(&game, other)));
                let target = logistic(searched);
                let cross = |p: f32| f64::from(-target * p.max(1e-7).ln() - (1.0 - target) * (1.0 - p).max(1e-7).ln());
                sum += cross(said) - cross(target);
                count += 1.0;
            }
            game.play(m);
        }
    }
    sum / f64::max(count, 1.0)
}

fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Fits to games.
pub(crate) fn fit(model: &mut Model, records: &[&Record], seed: u64, told: impl Fn(&str)) {
    let mut rng = generator(seed);
    let (held, mut used): (Vec<_>, Vec<_>) = records.iter().enumerate().partition(|(i, _)| i % 20 == 0);
    let steps = EPOCHS * used.len().div_ceil(BATCH);
    let mut done = 0;
    let mut gradient = vec![0f32; model.weights.len()];
    let held_back = |model: &Model| {
        let mut tally = Tally::default();
        for (_, record) in &held {
            for swap in [false, true] {
                model.game(record, swap, None, &mut tally);
            }
        }
        tally.line()
    };
    told(&format!("before: {}", held_back(model)));
    for epoch in 0..EPOCHS {
        for i in (1..used.len()).rev() {
            used.swap(i, below(&mut rng, i + 1));
        }
        let mut learned = Tally::default();
        for batch in used.chunks(BATCH) {
            gradient.fill(0.0);
            let mut tally = Tally::default();
            for (_, record) in batch {
                model.game(record, below(&mut rng, 2) == 0, Some(&mut gradient), &mut tally);
            }
            let part = done as f32 / steps as f32;
            model.step(&gradient, tally.values, RATES[0] * (RATES[1] / RATES[0]).powf(part));
            done += 1;
            learned.values += tally.values;
            learned.value_loss += tally.value_loss;
            learned.choices += tally.choices;
            learned.choice_loss += tally.choice_loss;
        }
        told(&format!(
            "epoch {epoch}: learned values {:.4}; kept back: {}",
            learned.value_loss / learned.values,
            held_back(model)
        ));
    }
}
