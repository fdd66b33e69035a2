//! Down the tree and up again.

use gamecore::{Chance, Game, Leaf, Player, Turn};
use rand::Rng;

use crate::leaves::{Generator, Leaves};
use crate::options::{Rolls, Selection, Widening};
use crate::tree::{Kind, Node, Tree};

/// How a search descends; what does not change while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) selection: Selection,
    pub(crate) rolls: Rolls,
    pub(crate) widening: Option<Widening>,
    /// A move that was never tried is worth so much less than its parent; `None`: all are tried first.
    pub(crate) first_play: Option<f64>,
    /// Visits after which a position gets children.
    pub(crate) expand_at: u32,
    /// No value is outside.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Whether proofs are drawn from proven children.
    pub(crate) solve: bool,
}

impl Rules {
    /// The best value that a player can hope for: who has it needs to look no further.
    pub(crate) fn limit(&self, player: Player) -> f64 {
        match player {
            Player::One => self.high,
            Player::Two => self.low,
        }
    }

    /// A value that was summed: rounding must not keep it from a limit that it has reached.
    fn snapped(&self, value: f64) -> f64 {
        let near = |limit: f64| (value - limit).abs() <= 1e-12 * (self.high - self.low);
        if near(self.low) {
            self.low
        } else if near(self.high) {
            self.high
        } else {
            value
        }
    }

    /// What turns a value into one on the scale of selection.
    fn scale(&self) -> f64 {
        if self.high > self.low { 2.0 / (self.high - self.low) } else { 1.0 }
    }

    /// What a playout on its way counts for the one who chose it.
    fn loss(&self, chooser: Option<Player>) -> f64 {
        match chooser {
            Some(Player::One) => self.low,
            Some(Player::Two) => self.high,
            None => f64::midpoint(self.low, self.high),
        }
    }
}

/// What a descent came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Found {
    /// A position whose value is known.
    Known(f64),
    /// A position to be evaluated.
    Leaf,
    /// A position that another descent is just having evaluated.
    Busy,
    /// The tree is full.
    Full,
}

/// Where a descent has been.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// The nodes, the root first.
    pub(crate) nodes: Vec<u32>,
    /// What each of them was made to count in advance; empty if nothing was.
    assumed: Vec<f64>,
    /// Where what comes from below counts only in part, because the rest is proven: at this place of the path and above it
    /// a value `x` counts as `known + share * x`.
    known: Vec<Partly>,
}

/// See [`Path::known`].
#[derive(Clone, Copy, Debug)]
struct Partly {
    place: usize,
    known: f64,
    share: f64,
}

/// What is searched, and how.
pub(crate) struct Quest<'a, G, L> {
    pub(crate) root: &'a G,
    pub(crate) leaves: &'a L,
    pub(crate) rules: &'a Rules,
    /// Whether several playouts are on their way at once: each counts as lost for whoever chose it, until [`back_up`] or
    /// [`forget`] are told what became of it.
    pub(crate) ahead: bool,
}

/// Goes down from the root to a position that is new, or known. The state there is left in `leaf`; a leaf's moves are
/// listed if it will get priors.
pub(crate) fn descend<G: Game, L: Leaves<G>>(
    quest: &Quest<'_, G, L>,
    tree: &mut Tree<G::Move>,
    leaf: &mut Leaf<G>,
    path: &mut Path,
    rng: &mut Generator,
) -> Found {
    let &Quest { root, leaves, rules, ahead } = quest;
    path.nodes.clear();
    path.assumed.clear();
    path.known.clear();
    let game = &mut leaf.game;
    game.clone_from(root);
    let (mut at, mut chooser) = (0, None);
    loop {
        path.nodes.push(at as u32);
        let before = tree.nodes[at];
        if ahead {
            let assumed = rules.loss(chooser);
            path.assumed.push(assumed);
            tree.nodes[at].add(assumed);
        }
        let mut kind = before.kind();
        if kind == Kind::New {
            // A root whose value is known still needs a move.
            let bounded = |game: &G| {
                let bounds = leaves.bounds(game);
                (bounds.low == bounds.high && at != 0).then_some(bounds.low)
            };
            let (known, waits_for) = match game.turn() {
                Turn::Over(outcome) => (Some(leaves.terminal(game, outcome)), Kind::Proven),
                Turn::Decide(player) => (bounded(game), Kind::Decide(player)),
                Turn::Chance(_) => (bounded(game), Kind::Chance),
            };
            if let Some(value) = known {
                let value = f64::from(value);
                tree.nodes[at].prove(value);
                if let [.., parent, _] = path.nodes[..] {
                    tree.nodes[parent as usize].note_proven();
                }
                if rules.solve {
                    propagate(tree, root, rules, path);
                }
                return Found::Known(value);
            }
            kind = waits_for;
            tree.nodes[at].set_kind(kind);
        }
        match kind {
            Kind::Proven => return Found::Known(before.mean()),
            Kind::Decide(player) => {
                if before.count() == 0 {
                    if L::PRIORS {
                        // In a tree with priors a position is expanded by its evaluation.
                        if before.kind() != Kind::New && ahead {
                            return Found::Busy;
                        }
                        list_moves(game, &mut leaf.moves);
                        return if tree.frozen || tree.has_room(leaf.moves.len()) { Found::Leaf } else { Found::Full };
                    }
                    if before.visits() < rules.expand_at && at != 0 {
                        return Found::Leaf;
                    }
                    let mut buf = G::Moves::default();
                    game.moves(&mut buf);
                    let moves = buf.as_ref();
                    if !tree.has_room(moves.len()) {
                        return if tree.frozen { Found::Leaf } else { Found::Full };
                    }
                    tree.expand(at, moves.iter().map(|&m| (Some(m), 0.0)));
                }
                let (child, enough) = choose(tree, at, player, before.visits(), rules);
                if let Some(known) = enough {
                    path.known.push(Partly { place: path.nodes.len() - 1, known, share: 0.0 });
                }
                at = child;
                let m = tree.nodes[at].m().unwrap_or_else(|| unreachable!("a decision's children have moves"));
                game.play(m);
                chooser = Some(player);
            }
            Kind::Chance => {
                let Turn::Chance(chance) = game.turn() else { unreachable!("the state is the node's") };
                let events = chance.merged();
                if before.count() == 0 {
                    if !L::PRIORS && before.visits() < rules.expand_at && at != 0 {
                        return Found::Leaf;
                    }
                    if !tree.has_room(events.len()) {
                        return if tree.frozen { Found::Leaf } else { Found::Full };
                    }
                    tree.expand(at, events.iter().map(|_| (None, 0.0)));
                }
                let first = tree.nodes[at].children().start;
                let open = |i: usize| !before.has_proven() || !tree.nodes[first + i].is_proven();
                let mut share = 1.0;
                if before.has_proven() {
                    // The proven events need no more playouts.
                    let proven = (0..events.len()).filter(|&i| !open(i));
                    let (p, known) = proven
                        .fold((0.0, 0.0), |(p, known), i| (p + events[i].1, known + events[i].1 * tree.nodes[first + i].mean()));
                    share = 1.0 - p;
                    path.known.push(Partly { place: path.nodes.len() - 1, known, share });
                }
                let place = match rules.rolls {
                    Rolls::Sampled => {
                        let mut x = f64::from(rng.next_u32()) / (f64::from(u32::MAX) + 1.0) * share;
                        let mut last = 0;
                        (0..events.len())
                            .filter(|&i| open(i))
                            .find(|&i| {
                                last = i;
                                x -= events[i].1;
                                x < 0.0
                            })
                            .unwrap_or(last)
                    }
                    Rolls::Balanced => {
                        let open = || (0..events.len()).filter(|&i| open(i));
                        let visits = |i: usize| f64::from(tree.nodes[first + i].visits());
                        let n = 1.0 + open().map(visits).sum::<f64>();
                        let behind = |i: usize| events[i].1 / share * n - visits(i);
                        open().fold(None, |best, i| best.filter(|&b| behind(i) <= behind(b) + 1e-9).or(Some(i))).unwrap_or(0)
                    }
                };
                game.resolve(events[place].0);
                at = first + place;
                chooser = None;
            }
            Kind::New => unreachable!("looked at above"),
        }
    }
}

pub(crate) fn list_moves<G: Game>(game: &G, out: &mut Vec<G::Move>) {
    let mut buf = G::Moves::default();
    game.moves(&mut buf);
    out.clear();
    out.extend_from_slice(buf.as_ref());
}

/// The child that gets the next playout. Proven ones get none while there are others: if none of those looks better, the
/// best proven value comes with the answer, and counts instead of what the playout finds.
#[inline]
fn choose<M: Copy>(tree: &Tree<M>, at: usize, player: Player, visits: u32, rules: &Rules) -> (usize, Option<f64>) {
    let node = tree.nodes[at];
    let mut children = node.children();
    if let Some(Widening { factor, exponent }) = rules.widening {
        let most = (factor * f64::from(visits).powf(exponent)).ceil().max(1.0);
        let all = children.clone();
        children.end = all.start + most.min(all.len() as f64) as usize;
        // What is proven needs no more playouts: one of those that are looked at must be open.
        if node.has_proven() && tree.nodes[children.clone()].iter().all(|child| child.is_proven()) {
            let open = tree.nodes[children.end..all.end].iter().position(|child| !child.is_proven());
            children.end = open.map_or(all.end, |more| children.end + more + 1);
        }
    }
    // Usually every visit since it has children has gone to one that had none.
    if rules.first_play.is_none() {
        let since = if at == 0 { visits } else { visits.saturating_sub(rules.expand_at) };
        let next = children.start + since as usize;
        if next < children.end && tree.nodes[next].visits() == 0 {
            return (next, None);
        }
        // After the tree was cut back, or with proofs between, not in that order.
        if (since as usize) < 2 * children.len()
            && let Some(next) = children.clone().find(|&i| tree.nodes[i].visits() == 0 && !tree.nodes[i].is_proven())
        {
            return (next, None);
        }
    }
    let n = visits.max(1) as f32;
    let (scale, sign) = (rules.scale() as f32, player.sign());
    let middle = f64::midpoint(rules.low, rules.high) as f32;
    let on_scale = |value: f32| sign * (value - middle) * scale;
    let limit = rules.limit(player);
    let unseen = rules.first_play.map_or(f32::INFINITY, |less| on_scale(node.mean() as f32) - less as f32);
    match rules.selection {
        Selection::Ucb1 { c } => {
            let k = (c * c) as f32 * ln(visits);
            pick(tree, node, children, on_scale, player, limit, |child, _| {
                if child.visits() == 0 {
                    return unseen;
                }
                let inverse = 1.0 / child.visits() as f32;
                on_scale(child.mean_by(inverse)) + (k * inverse).sqrt()
            })
        }
        Selection::Ucb1Tuned { c } => {
            let ln = ln(visits);
            pick(tree, node, children, on_scale, player, limit, |child, i| {
                if child.visits() == 0 {
                    return unseen;
                }
                let inverse = 1.0 / child.visits() as f32;
                let mean = child.mean_by(inverse);
                let variance = ((tree.squares[i] as f32 * inverse - mean * mean) * scale * scale).max(0.0);
                // On a scale of length 2 no variance is above 1.
                let most = 1.0f32.min(variance + 2.0 * (2.0 * ln * inverse).sqrt());
                on_scale(mean) + c as f32 * (ln * inverse * most).sqrt()
            })
        }
        Selection::Puct { c } => {
            let explore = c as f32 * n.sqrt();
            let even = 1.0 / children.len().max(1) as f32;
            // Not infinite: with priors not everything is tried first.
            let unseen = if unseen.is_finite() { unseen } else { on_scale(node.mean() as f32) };
            pick(tree, node, children, on_scale, player, limit, |child, i| {
                let prior = tree.priors.get(i).copied().unwrap_or(even);
                let mean = if child.visits() == 0 { unseen } else { on_scale(child.mean() as f32) };
                mean + explore * prior / (1.0 + child.visits() as f32)
            })
        }
    }
}

/// The natural logarithm of a number of visits, within 0.001: a tenth of a search's time goes into the exact one. 0 for 0.
#[inline(always)]
fn ln(visits: u32) -> f32 {
    let bits = (visits.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    // The mantissa, 1 to 2, and a cubic through its base-2 logarithm with no error at either end.
    let m = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000) - 1.0;
    let log2 = exponent + m * (1.42 + m * (-0.571_703 + m * 0.151_703));
    log2 * core::f32::consts::LN_2
}

/// The child of the highest score; see [`choose`].
#[inline(always)]
fn pick<M: Copy>(
    tree: &Tree<M>,
    parent: Node<M>,
    children: core::ops::Range<usize>,
    on_scale: impl Fn(f32) -> f32,
    player: Player,
    limit: f64,
    score: impl Fn(Node<M>, usize) -> f32,
) -> (usize, Option<f64>) {
    let (mut best, mut top) = (children.start, f32::NEG_INFINITY);
    if !parent.has_proven() {
        for i in children {
            let score = score(tree.nodes[i], i);
            if score > top {
                (top, best) = (score, i);
            }
        }
        return (best, None);
    }
    let mut known = player.worst();
    for i in children {
        let child = tree.nodes[i];
        if child.is_proven() {
            if player.prefers(child.mean(), known) {
                known = child.mean();
            }
            continue;
        }
        let score = score(child, i);
        if score > top {
            (top, best) = (score, i);
        }
    }
    // Without proofs, all may be known.
    let enough =
        known.is_finite() && (top < on_scale(known as f32) || !player.prefers(limit, known) || tree.nodes[best].is_proven());
    (best, enough.then_some(known))
}

/// Counts a playout that came to `value`, all the way up.
#[inline]
pub(crate) fn back_up<M: Copy>(tree: &mut Tree<M>, path: &Path, value: f64) {
    let mut value = value;
    let mut end = path.nodes.len();
    for part in path.known.iter().rev() {
        count(tree, path, part.place + 1..end, value);
        value = part.known + part.share * value;
        end = part.place + 1;
    }
    count(tree, path, 0..end, value);
}

/// Counts `value` at some places of a path.
#[inline(always)]
fn count<M: Copy>(tree: &mut Tree<M>, path: &Path, places: core::ops::Range<usize>, value: f64) {
    for place in places {
        let at = path.nodes[place] as usize;
        match path.assumed.get(place) {
            None => tree.nodes[at].add(value),
            Some(&assumed) => tree.nodes[at].settle_virtual(assumed, Some(value)),
        }
        if let Some(square) = tree.squares.get_mut(at) {
            *square += value * value;
        }
    }
}

/// A playout that was on its way never came back.
pub(crate) fn forget<M: Copy>(tree: &mut Tree<M>, path: &Path) {
    for (&at, &assumed) in path.nodes.iter().zip(&path.assumed) {
        tree.nodes[at as usize].settle_virtual(assumed, None);
    }
}

/// The last node of the path was proven: so are those above it whose children leave no doubt.
fn propagate<G: Game>(tree: &mut Tree<G::Move>, root: &G, rules: &Rules, path: &Path) {
    for (i, &at) in path.nodes.iter().enumerate().rev().skip(1) {
        let node = tree.nodes[at as usize];
        let value = match node.kind() {
            Kind::Decide(player) => {
                let (mut best, mut all) = (player.worst(), true);
                for child in &tree.nodes[node.children()] {
                    if !child.is_proven() {
                        all = false;
                    } else if player.prefers(child.mean(), best) {
                        best = child.mean();
                    }
                }
                if !all && player.prefers(rules.limit(player), best) {
                    return;
                }
                best
            }
            Kind::Chance => {
                if !tree.nodes[node.children()].iter().all(|child| child.is_proven()) {
                    return;
                }
                let game = replayed(tree, root, &path.nodes[..=i]);
                let Turn::Chance(chance) = game.turn() else { unreachable!("the state is the node's") };
                let values = tree.nodes[node.children()].iter().zip(chance.merged()).map(|(child, &(_, p))| p * child.mean());
                rules.snapped(values.sum())
            }
            Kind::New | Kind::Proven => return,
        };
        tree.nodes[at as usize].prove(value);
        if let Some(&parent) = i.checked_sub(1).and_then(|i| path.nodes.get(i)) {
            tree.nodes[parent as usize].note_proven();
        }
    }
}

/// The state at the end of a path. Rolls are rarely proven, so what led there is played again for their probabilities.
#[cold]
fn replayed<G: Game>(tree: &Tree<G::Move>, root: &G, path: &[u32]) -> G {
    let mut game = root.clone();
    for pair in path.windows(2) {
        let (parent, child) = (pair[0] as usize, pair[1] as usize);
        match (game.turn(), tree.nodes[child].m()) {
            (Turn::Chance(chance), _) => {
                let place = child - tree.nodes[parent].children().start;
                game.resolve(chance.merged()[place].0);
            }
            (_, Some(m)) => game.play(m),
            (_, None) => unreachable!("a decision's children have moves"),
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        for visits in (1..100_000).chain((100_000..u32::MAX / 2).step_by(999_983)) {
            let exact = f64::from(visits).ln();
            assert!((f64::from(ln(visits)) - exact).abs() < 0.002, "{visits}: {} {exact}", ln(visits));
        }
        assert_eq!((ln(0), ln(1)), (0.0, 0.0));
    }
}
