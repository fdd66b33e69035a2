//! Down the tree and up again.

use gamecore::{Chance, Game, Leaf, Player, Turn};
use rand::Rng;

use crate::hints::Played;
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
    /// Whether moves have a bias.
    pub(crate) bias: bool,
    /// The `k` of RAVE, if playouts say what they played.
    pub(crate) rave: Option<f32>,
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
    /// Who chose each of them, nobody the root and what a roll brought; empty unless playouts say what they played.
    choosers: Vec<Option<Player>>,
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
    path.choosers.clear();
    let game = &mut leaf.game;
    game.clone_from(root);
    let (mut at, mut chooser) = (0, None);
    loop {
        path.nodes.push(at as u32);
        if L::RECORDS {
            path.choosers.push(chooser);
        }
        let before = tree.nodes[at];
        if ahead {
            let assumed = rules.loss(chooser);
            path.assumed.push(assumed);
            tree.nodes[at].add(assumed);
            if let Some(square) = tree.squares.get_mut(at) {
                *square += assumed * assumed;
            }
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
                    add_hints(leaves, rules, tree, at, game, moves);
                }
                if L::LOOKS_AGAIN && at != 0 && is_due(before.visits()) {
                    let bounds = leaves.bounds_again(game, before.visits());
                    if bounds.low == bounds.high {
                        let value = f64::from(bounds.low);
                        prove_late(tree, root, rules, path, value);
                        return Found::Known(value);
                    }
                }
                let (child, enough) = choose::<G, L>(tree, at, player, before.visits(), rules);
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

/// A decision has just got its children: what is said of its moves beforehand.
#[inline(always)]
pub(crate) fn add_hints<G: Game, L: Leaves<G>>(
    leaves: &L,
    rules: &Rules,
    tree: &mut Tree<G::Move>,
    at: usize,
    game: &G,
    moves: &[G::Move],
) {
    let children = tree.nodes[at].children();
    if L::BIAS && rules.bias {
        let out = &mut tree.priors[children.clone()];
        leaves.bias(game, moves, out);
        out.iter_mut().filter(|h| !h.is_finite()).for_each(|h| *h = 0.0);
    }
    if L::RECORDS && rules.rave.is_some() {
        for (later, &m) in tree.later[children].iter_mut().zip(moves) {
            later.index = u32::try_from(leaves.index(game, m)).unwrap_or(u32::MAX);
        }
    }
}

/// The child that gets the next playout. Proven ones get none while there are others: if none of those looks better, the
/// best proven value comes with the answer, and counts instead of what the playout finds.
#[inline]
fn choose<G: Game, L: Leaves<G>>(
    tree: &Tree<G::Move>,
    at: usize,
    player: Player,
    visits: u32,
    rules: &Rules,
) -> (usize, Option<f64>) {
    let biased = L::BIAS && rules.bias;
    let rave = if L::RECORDS { rules.rave } else { None };
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
    if rules.first_play.is_none() && rave.is_none() {
        let since = if at == 0 { visits } else { visits.saturating_sub(rules.expand_at) };
        let next = children.start + since as usize;
        if !biased && next < children.end && tree.nodes[next].visits() == 0 {
            return (next, None);
        }
        // After the tree was cut back, or with proofs between, not in that order.
        if (since as usize) < 2 * children.len() {
            let mut untried = children.clone().filter(|&i| tree.nodes[i].visits() == 0 && !tree.nodes[i].is_proven());
            let first = if biased {
                untried.reduce(|best, i| if tree.priors[i] > tree.priors[best] { i } else { best })
            } else {
                untried.next()
            };
            if let Some(next) = first {
                return (next, None);
            }
        }
    }
    let n = visits.max(1) as f32;
    let (scale, sign) = (rules.scale() as f32, player.sign());
    let middle = f64::midpoint(rules.low, rules.high) as f32;
    let on_scale = |value: f32| sign * (value - middle) * scale;
    let limit = rules.limit(player);
    let unseen = rules.first_play.map_or(f32::INFINITY, |less| on_scale(node.mean() as f32) - less as f32);
    let later = |i: usize| {
        let later = tree.later[i];
        (later.count > 0).then(|| on_scale((later.sum / f64::from(later.count)) as f32))
    };
    // What is added to a move that was tried once is added to an untried one too.
    let untried = |once: f32| if unseen.is_finite() { unseen + once } else { unseen };
    // The same with what is said of the move beforehand.
    let hinted = |plain: f32, once: f32, i: usize| {
        if !L::BIAS && !L::RECORDS {
            return plain;
        }
        let score = rave.and_then(|_| later(i)).map_or(plain, |later| later + once);
        if biased { score + tree.priors[i] } else { score }
    };
    // And of a tried move.
    let tried = |mean: f32, explore: f32, visits: u32, i: usize| {
        if !L::BIAS && !L::RECORDS {
            return mean + explore;
        }
        let mean = match rave.and_then(|k| Some((k, later(i)?))) {
            Some((k, later)) => mean + (k / (3.0 * visits as f32 + k)).sqrt() * (later - mean),
            None => mean,
        };
        let score = mean + explore;
        if biased { score + tree.priors[i] / (visits as f32 + 1.0) } else { score }
    };
    match rules.selection {
        Selection::Ucb1 { c } => {
            let k = (c * c) as f32 * ln(visits);
            let once = k.sqrt();
            let plain = untried(once);
            pick(tree, node, children, on_scale, player, limit, |child, i| {
                if child.visits() == 0 {
                    return hinted(plain, once, i);
                }
                let inverse = 1.0 / child.visits() as f32;
                tried(on_scale(child.mean_by(inverse)), (k * inverse).sqrt(), child.visits(), i)
            })
        }
        Selection::Ucb1Tuned { c } => {
            let ln = ln(visits);
            let once = c as f32 * ln.sqrt();
            let plain = untried(once);
            pick(tree, node, children, on_scale, player, limit, |child, i| {
                if child.visits() == 0 {
                    return hinted(plain, once, i);
                }
                let inverse = 1.0 / child.visits() as f32;
                let mean = child.mean_by(inverse);
                let variance = ((tree.squares[i] as f32 * inverse - mean * mean) * scale * scale).max(0.0);
                // On a scale of length 2 no variance is above 1.
                let most = 1.0f32.min(variance + 2.0 * (2.0 * ln * inverse).sqrt());
                tried(on_scale(mean), c as f32 * (ln * inverse * most).sqrt(), child.visits(), i)
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
        let assumed = path.assumed.get(place).copied();
        match assumed {
            None => tree.nodes[at].add(value),
            Some(assumed) => tree.nodes[at].settle_virtual(assumed, Some(value)),
        }
        if let Some(square) = tree.squares.get_mut(at) {
            *square += value * value - assumed.map_or(0.0, |a| a * a);
        }
    }
}

/// Counts a playout that came to `value`, and in which these moves were made below the path, for every move beside the path
/// that it made too.
pub(crate) fn count_played<M: Copy>(tree: &mut Tree<M>, path: &Path, value: f64, played: &mut Played) {
    let mut value = value;
    let mut parts = path.known.iter().rev().peekable();
    for place in (0..path.nodes.len().saturating_sub(1)).rev() {
        if let Some(player) = path.choosers[place + 1] {
            played.note(player, tree.later[path.nodes[place + 1] as usize].index as usize);
            let made = played.by(player);
            let children = tree.nodes[path.nodes[place] as usize].children();
            for later in &mut tree.later[children] {
                let i = later.index as usize;
                let hit = made.get(i / 64).map_or(0, |word| word >> (i % 64) & 1);
                later.sum += if hit == 0 { 0.0 } else { value };
                later.count = later.count.saturating_add(hit as u32);
            }
        }
        // As in `back_up`.
        if let Some(part) = parts.next_if(|part| part.place == place) {
            value = part.known + part.share * value;
        }
    }
}

/// A playout that was on its way never came back.
pub(crate) fn forget<M: Copy>(tree: &mut Tree<M>, path: &Path) {
    for (&at, &assumed) in path.nodes.iter().zip(&path.assumed) {
        tree.nodes[at as usize].settle_virtual(assumed, None);
        if let Some(square) = tree.squares.get_mut(at as usize) {
            *square -= assumed * assumed;
        }
    }
}

/// Whether a position with so many visits is looked at again: with powers of 4.
#[inline(always)]
fn is_due(visits: u32) -> bool {
    visits > 1 && visits.is_power_of_two() && visits.trailing_zeros().is_multiple_of(2)
}

/// The value of the path's last node is known after it was visited: what was thought of it until then no longer counts above it. (In the
/// highest node that is proven by that it is the same for all below.)
#[cold]
pub(crate) fn prove_late<G: Game>(tree: &mut Tree<G::Move>, root: &G, rules: &Rules, path: &Path, value: f64) {
    let before: Vec<Node<G::Move>> = path.nodes.iter().map(|&at| tree.nodes[at as usize]).collect();
    if let [.., parent, last] = path.nodes[..] {
        tree.nodes[last as usize].prove(value);
        tree.nodes[parent as usize].note_proven();
    }
    if rules.solve {
        propagate(tree, root, rules, path);
    }
    let proven = |&at: &u32| tree.nodes[at as usize].is_proven();
    let Some(top) = path.nodes.iter().position(proven) else { return };
    // This playout is still on its way: what is assumed of it stays.
    let assumed = path.assumed.get(top).copied();
    let visits = before[top].visits().saturating_sub(assumed.is_some().into());
    let sum = before[top].sum() - assumed.unwrap_or(0.0);
    let square = tree.squares.get(path.nodes[top] as usize).map_or(0.0, |square| square - assumed.map_or(0.0, |a| a * a));
    for &at in &path.nodes[..top] {
        tree.nodes[at as usize].take_back(visits, sum);
        if let Some(squares) = tree.squares.get_mut(at as usize) {
            *squares -= square;
        }
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
    use crate::hints::Rave;
    use crate::leaves::Playouts;
    use crate::tree::Wants;
    use gamecore::testing::toys::{Nim, Pig, PigMove};
    use rand::SeedableRng;

    const RULES: Rules = Rules {
        selection: Selection::Ucb1 { c: 1.0 },
        rolls: Rolls::Sampled,
        widening: None,
        first_play: None,
        bias: false,
        rave: None,
        expand_at: 1,
        low: -1.0,
        high: 1.0,
        solve: false,
    };

    /// In Nim every result is 1 or -1, those that are assumed too: the squares add up to the visits at any time, and all
    /// is as before when playouts never come back.
    #[test]
    fn assumed_values_have_squares_too() {
        let (game, leaves) = (Nim::new(20), Playouts::uniform());
        let rules = Rules { selection: Selection::Ucb1Tuned { c: 1.0 }, ..RULES };
        let quest = Quest { root: &game, leaves: &leaves, rules: &rules, ahead: true };
        let mut tree = Tree::new(0, Wants { squares: true, ..Wants::default() });
        let mut rng = Generator::seed_from_u64(1);
        let holds = |tree: &Tree<u8>| {
            for (node, square) in tree.nodes.iter().zip(&tree.squares).skip(1) {
                assert!(*square == f64::from(node.visits()), "{square} {}", node.visits());
            }
        };
        for round in 0..500 {
            let mut paths = vec![Path::default(); 1 + round % 7];
            let mut leaf = Leaf::new(game);
            let before: f64 = tree.squares.iter().sum();
            let found: Vec<Found> = paths.iter_mut().map(|p| descend(&quest, &mut tree, &mut leaf, p, &mut rng)).collect();
            holds(&tree);
            for (path, found) in paths.iter().zip(found) {
                match found {
                    _ if round % 3 == 0 => forget(&mut tree, path),
                    Found::Known(value) => back_up(&mut tree, path, value),
                    _ => back_up(&mut tree, path, if round % 2 == 0 { 1.0 } else { -1.0 }),
                }
                holds(&tree);
            }
            assert!(round % 3 != 0 || before == tree.squares.iter().sum::<f64>());
        }
        assert!(tree.nodes.len() > 200);
    }

    /// Counted after the fact, playout by playout, in a game with dice whose players move many times in a row: of a move the
    /// playouts that came to its position and in which its player made it, then or later.
    #[test]
    fn later_moves_are_counted_for_who_made_them() {
        let (game, index) = (Pig::new(10_000), |_: &Pig, m: PigMove| m as usize);
        let leaves = Rave::new(Playouts::uniform(), 10.0, 2, index);
        let rules = Rules { selection: Selection::Ucb1 { c: 1.0 }, rave: Some(10.0), ..RULES };
        let quest = Quest { root: &game, leaves: &leaves, rules: &rules, ahead: false };
        let mut tree = Tree::new(0, Wants { later: true, ..Wants::default() });
        let mut rng = Generator::seed_from_u64(3);
        let (mut path, mut leaf) = (Path::default(), Leaf::new(game));
        // For each place in the tree and each move: sum and count.
        let mut expected = std::collections::HashMap::<(u32, usize), (f64, u32)>::new();
        for _ in 0..2000 {
            assert_eq!(descend(&quest, &mut tree, &mut leaf, &mut path, &mut rng), Found::Leaf);
            let mut made: Vec<(Player, usize)> = Vec::new();
            let mut played = Played::new(2);
            for player in Player::BOTH {
                let index = (rng.next_u32() % 3) as usize;
                played.note(player, index);
                made.push((player, index));
            }
            let value = f64::from(rng.next_u32() % 5) - 2.0;
            count_played(&mut tree, &path, value, &mut played);
            back_up(&mut tree, &path, value);
            for place in (0..path.nodes.len() - 1).rev() {
                let Turn::Decide(player) = replayed(&tree, &game, &path.nodes[..=place]).turn() else { continue };
                let m = tree.nodes[path.nodes[place + 1] as usize].m().unwrap();
                made.push((player, index(&game, m)));
                for m in [0, 1] {
                    if made.contains(&(player, m)) {
                        let entry = expected.entry((path.nodes[place], m)).or_default();
                        *entry = (entry.0 + value, entry.1 + 1);
                    }
                }
            }
        }
        let mut seen = 0;
        for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| matches!(node.kind(), Kind::Decide(_))) {
            for i in node.children() {
                let found = tree.later[i];
                let expected = expected.get(&(at as u32, found.index as usize)).copied().unwrap_or_default();
                assert_eq!((found.sum, found.count), expected);
                seen += usize::from(found.count > tree.nodes[i].visits());
            }
        }
        assert!(seen > 200, "{seen}");
    }

    #[test]
    fn logarithms_are_close() {
        for visits in (1..100_000).chain((100_000..u32::MAX / 2).step_by(999_983)) {
            let exact = f64::from(visits).ln();
            assert!((f64::from(ln(visits)) - exact).abs() < 0.002, "{visits}: {} {exact}", ln(visits));
        }
        assert_eq!((ln(0), ln(1)), (0.0, 0.0));
    }
}
