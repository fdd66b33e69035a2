use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use smallvec::SmallVec;

use crate::random::{below, generator};
use crate::{Bounds, Chance, Evaluator, Game, KeyHasher, Never, Outcome, Player, Turn, mix};

/// A game tree written down by hand; [`Tree::from`] makes a game of it.
///
/// # Examples
/// ```
/// use gamecore::testing::toys::{Node, Tree};
///
/// let tree = Tree::from(Node::max([Node::min([5, 9]), Node::min([4, 7]), Node::min([8, 1, 6])]));
/// assert_eq!(tree.value(), 5.0);
/// let dice = Tree::from(Node::chance([(0.25, Node::max([2, 6])), (0.75, Node::leaf(-2))]));
/// assert_eq!(dice.value(), 0.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    kind: Written,
    worth: Option<f32>,
}

#[derive(Clone, PartialEq, Debug)]
enum Written {
    Over(i32),
    Decide(Player, Vec<Node>),
    Chance(Vec<(f64, Node)>),
}

impl Node {
    /// The end of the game, with so many points for One (negative: for Two).
    ///
    /// # Panics
    /// If these are more than [`Tree`]'s `MAX_POINTS`.
    #[must_use]
    pub const fn leaf(points: i32) -> Self {
        assert!(points.unsigned_abs() <= Tree::MAX_POINTS as u32, "more points than Tree::MAX_POINTS");
        Self { kind: Written::Over(points), worth: None }
    }

    /// A decision of `player`: move `i` leads to the `i`-th child.
    ///
    /// # Panics
    /// If there are no children.
    pub fn decide<N: Into<Self>>(player: Player, children: impl IntoIterator<Item = N>) -> Self {
        let children: Vec<Self> = children.into_iter().map(Into::into).collect();
        assert!(!children.is_empty(), "a decision without a move");
        Self { kind: Written::Decide(player, children), worth: None }
    }

    /// A decision of One, who maximizes.
    pub fn max<N: Into<Self>>(children: impl IntoIterator<Item = N>) -> Self {
        Self::decide(Player::One, children)
    }

    /// A decision of Two, who minimizes.
    pub fn min<N: Into<Self>>(children: impl IntoIterator<Item = N>) -> Self {
        Self::decide(Player::Two, children)
    }

    /// A chance node: event `i` leads to the `i`-th child. Events that lead to equal children are merged.
    ///
    /// # Panics
    /// If a probability is not positive or if they do not sum to 1.
    pub fn chance<N: Into<Self>>(children: impl IntoIterator<Item = (f64, N)>) -> Self {
        let children: Vec<(f64, Self)> = children.into_iter().map(|(p, child)| (p, child.into())).collect();
        assert!(children.iter().all(|c| c.0 > 0.0), "a probability is positive");
        assert!((children.iter().map(|c| c.0).sum::<f64>() - 1.0).abs() < 1e-12, "probabilities sum to 1");
        Self { kind: Written::Chance(children), worth: None }
    }

    /// A chance node whose events all have the same probability.
    pub fn even<N: Into<Self>>(children: impl IntoIterator<Item = N>) -> Self {
        let children: Vec<Self> = children.into_iter().map(Into::into).collect();
        let p = 1.0 / children.len() as f64;
        Self::chance(children.into_iter().map(|child| (p, child)))
    }

    /// The same node with the value that [`TreeValue`] has for it. Unless told, that is the value nearest to 0 within
    /// the range of the ends below.
    #[must_use]
    pub const fn worth(mut self, value: f32) -> Self {
        self.worth = Some(value);
        self
    }
}

impl From<i32> for Node {
    fn from(points: i32) -> Self {
        Self::leaf(points)
    }
}

/// What random trees look like. Shares are between 0 and 1.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeShape {
    /// Steps (moves and events) of the longest game.
    pub depth: u32,
    /// The most moves of a state.
    pub width: u32,
    /// The most events of a chance node, up to 255.
    pub events: u32,
    /// Share of chance nodes.
    pub chance: f64,
    /// Share of ends before the last step.
    pub ends: f64,
    /// Share of decisions with a single move.
    pub passes: f64,
    /// How often the other player moves than would if the two alternated.
    pub mixed: f64,
    /// How often a step leads to a state that is in the tree already, at whatever depth: a transposition.
    pub shared: f64,
    /// How often an event repeats another one of its node, so that the two are merged; half of these lead to a state of
    /// its own that shows another face.
    pub twins: f64,
}

impl Default for TreeShape {
    /// A dice game with a bit of everything, of about a hundred states.
    fn default() -> Self {
        Self { depth: 6, width: 4, events: 6, chance: 0.3, ends: 0.1, passes: 0.1, mixed: 0.3, shared: 0.25, twins: 0.25 }
    }
}

/// Any game tree as a game: a state is a place in a shared tree, which is never larger than a few words.
///
/// Moves are numbered from 0. Different paths may lead to one state, players decide in any order, and chance nodes may
/// follow each other. Trees are equal if they are built alike.
///
/// # Examples
/// ```
/// use gamecore::testing::{self, toys::{Tree, TreeShape, TreeValue}};
///
/// let tree = Tree::random(&TreeShape::default(), 7);
/// let found = testing::plain_value(&tree, &TreeValue::Tight, 10);
/// assert!((found - tree.value()).abs() < 1e-9);
/// ```
#[derive(Clone)]
pub struct Tree {
    nodes: Arc<Nodes>,
    at: u32,
}

struct Nodes {
    /// Children before their parents; the root is the last.
    list: Vec<Flat>,
    /// Tells trees from each other.
    print: u64,
}

#[derive(Clone)]
struct Flat {
    kind: Kind,
    /// What [`TreeValue`] says.
    worth: f32,
    /// Enclose all worth and all ends from here on.
    bounds: Bounds,
    /// The value with best play.
    value: f64,
    /// Steps of the longest game from here.
    height: u32,
    /// The node that this one is a copy of, or itself.
    twin: u32,
}

#[derive(Clone)]
enum Kind {
    Over(Outcome),
    Decide(Player, Vec<u32>),
    Chance { children: Vec<u32>, events: Vec<(u8, f64)>, merged: Vec<(u8, f64)> },
}

impl Tree {
    /// A random tree; the same shape and seed give the same tree in every version.
    ///
    /// # Panics
    /// If `width` or `events` is 0, or `events` is above 255.
    #[must_use]
    pub fn random(shape: &TreeShape, seed: u64) -> Self {
        assert!(shape.width > 0 && (1..=255).contains(&shape.events), "a tree needs moves and events");
        let mut grower = Grower { list: Vec::new(), shape, rng: generator(seed) };
        grower.grow(0, Player::One);
        Self::rooted(grower.list)
    }

    fn rooted(list: Vec<Flat>) -> Self {
        let mut hasher = KeyHasher::default();
        for node in &list {
            node.worth.to_bits().hash(&mut hasher);
            match &node.kind {
                Kind::Over(outcome) => outcome.hash(&mut hasher),
                Kind::Decide(player, children) => (player, children).hash(&mut hasher),
                Kind::Chance { children, events, .. } => {
                    children.hash(&mut hasher);
                    events.iter().for_each(|e| e.1.to_bits().hash(&mut hasher));
                }
            }
        }
        let at = list.len() as u32 - 1;
        Self { nodes: Arc::new(Nodes { list, print: hasher.finish() }), at }
    }

    /// The value of this state with best play to the end, for One.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.node().value
    }

    /// Steps (moves and events) of the longest game from here.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.node().height
    }

    /// How many states the whole tree has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.list.len()
    }

    fn node(&self) -> &Flat {
        &self.nodes.list[self.at as usize]
    }
}

impl From<Node> for Tree {
    fn from(root: Node) -> Self {
        let mut list = Vec::new();
        add_written(&mut list, &mut HashMap::new(), &root);
        Self::rooted(list)
    }
}

/// Adds what was written; equal parts become one node.
fn add_written(list: &mut Vec<Flat>, known: &mut HashMap<String, u32>, node: &Node) -> u32 {
    // Unequal nodes print unequally, and equal ones alike: numbers print exactly.
    let name = format!("{node:?}");
    if let Some(&at) = known.get(&name) {
        return at;
    }
    let kind = match &node.kind {
        Written::Over(points) => Kind::Over(outcome(*points)),
        Written::Decide(player, children) => {
            Kind::Decide(*player, children.iter().map(|child| add_written(list, known, child)).collect())
        }
        Written::Chance(children) => {
            let events = children.iter().map(|(p, child)| (add_written(list, known, child), *p)).collect();
            chance(list, events)
        }
    };
    let at = add(list, kind, node.worth);
    known.insert(name, at);
    at
}

const fn outcome(points: i32) -> Outcome {
    match points {
        0 => Outcome::Draw,
        1.. => Outcome::Win { player: Player::One, points: points as u16 },
        _ => Outcome::Win { player: Player::Two, points: points.unsigned_abs() as u16 },
    }
}

/// A chance node with these children, twins merged.
fn chance(list: &[Flat], branches: Vec<(u32, f64)>) -> Kind {
    let mut merged: Vec<(u8, f64)> = Vec::new();
    for (event, &(child, p)) in branches.iter().enumerate() {
        let twin = |of: u32| list[of as usize].twin;
        match merged.iter_mut().find(|m| twin(branches[usize::from(m.0)].0) == twin(child)) {
            Some(same) => same.1 += p,
            None => merged.push((event as u8, p)),
        }
    }
    let events = branches.iter().enumerate().map(|(event, b)| (event as u8, b.1)).collect();
    Kind::Chance { children: branches.into_iter().map(|b| b.0).collect(), events, merged }
}

/// Adds a node whose children are there already.
fn add(list: &mut Vec<Flat>, kind: Kind, worth: Option<f32>) -> u32 {
    let mut bounds = Bounds { low: f32::INFINITY, high: f32::NEG_INFINITY };
    let mut height = 0;
    let value = {
        let mut look = |child: &u32| {
            let child = &list[*child as usize];
            bounds = Bounds { low: bounds.low.min(child.bounds.low), high: bounds.high.max(child.bounds.high) };
            height = height.max(child.height + 1);
            child.value
        };
        match &kind {
            Kind::Over(outcome) => {
                let points = outcome.points() as f32;
                bounds = Bounds::exact(points);
                f64::from(points)
            }
            Kind::Decide(Player::One, children) => children.iter().map(look).fold(f64::NEG_INFINITY, f64::max),
            Kind::Decide(Player::Two, children) => children.iter().map(look).fold(f64::INFINITY, f64::min),
            Kind::Chance { children, events, .. } => children.iter().zip(events).map(|(c, e)| e.1 * look(c)).sum(),
        }
    };
    let worth = worth.unwrap_or_else(|| 0.0_f32.clamp(bounds.low, bounds.high));
    if height > 0 {
        bounds = Bounds { low: bounds.low.min(worth), high: bounds.high.max(worth) };
    }
    let at = list.len() as u32;
    list.push(Flat { kind, worth, bounds, value, height, twin: at });
    at
}

struct Grower<'a> {
    list: Vec<Flat>,
    shape: &'a TreeShape,
    rng: Xoshiro256PlusPlus,
}

impl Grower<'_> {
    fn coin(&mut self, share: f64) -> bool {
        (below(&mut self.rng, 1 << 30) as f64) < share * f64::from(1 << 30)
    }

    fn up_to(&mut self, most: u32) -> u32 {
        below(&mut self.rng, most as usize) as u32 + 1
    }

    /// Adds a node `level` steps from the root, and all below it.
    fn grow(&mut self, level: u32, mover: Player) -> u32 {
        let shape = self.shape;
        if level >= shape.depth || (level > 0 && self.coin(shape.ends)) {
            let points = below(&mut self.rng, 2 * usize::from(Tree::MAX_POINTS) + 1) as i32 - i32::from(Tree::MAX_POINTS);
            return add(&mut self.list, Kind::Over(outcome(points)), None);
        }
        let kind = if self.coin(shape.chance) {
            let mut branches: Vec<(u32, f64)> = Vec::new();
            for _ in 0..self.up_to(shape.events) {
                let child = match branches.len() {
                    n if n > 0 && self.coin(shape.twins) => {
                        let first = branches[below(&mut self.rng, n)].0;
                        if self.coin(0.5) { self.twin(first) } else { first }
                    }
                    _ => self.child(level, mover),
                };
                branches.push((child, f64::from(self.up_to(8))));
            }
            let sum: f64 = branches.iter().map(|b| b.1).sum();
            branches.iter_mut().for_each(|b| b.1 /= sum);
            chance(&self.list, branches)
        } else {
            let player = if self.coin(shape.mixed) { mover.other() } else { mover };
            let n = if self.coin(shape.passes) { 1 } else { self.up_to(shape.width) };
            let children = (0..n).map(|_| self.child(level, player.other())).collect();
            Kind::Decide(player, children)
        };
        let quarters = below(&mut self.rng, 8 * usize::from(Tree::MAX_POINTS) + 1) as f32;
        add(&mut self.list, kind, Some(quarters / 4.0 - f32::from(Tree::MAX_POINTS)))
    }

    /// A node one step from `level`: a new one, or one that is there already and not too high.
    fn child(&mut self, level: u32, mover: Player) -> u32 {
        if !self.list.is_empty() && self.coin(self.shape.shared) {
            for _ in 0..8 {
                let at = below(&mut self.rng, self.list.len());
                if (1..self.shape.depth - level).contains(&self.list[at].height) {
                    return at as u32;
                }
            }
        }
        self.grow(level + 1, mover)
    }

    /// A copy of a node: another state from where the same moves lead to the same states.
    fn twin(&mut self, of: u32) -> u32 {
        self.list.push(self.list[of as usize].clone());
        self.list.len() as u32 - 1
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.nodes.print == other.nodes.print
    }
}

impl Eq for Tree {}

impl Hash for Tree {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.nodes.print, self.at).hash(hasher);
    }
}

impl core::fmt::Debug for Tree {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Tree {:x} node {}: ", self.nodes.print, self.at)?;
        match &self.node().kind {
            Kind::Over(outcome) => write!(f, "{outcome:?}"),
            Kind::Decide(player, children) => write!(f, "{player:?} chooses of {children:?}"),
            Kind::Chance { children, events, .. } => write!(f, "chance of {children:?} by {events:?}"),
        }
    }
}

impl Game for Tree {
    type Move = u16;
    type Moves = SmallVec<[u16; 16]>;
    type Chance = TreeChance;
    const MAX_POINTS: u16 = 10;

    fn turn(&self) -> Turn<TreeChance> {
        match &self.node().kind {
            Kind::Over(outcome) => Turn::Over(*outcome),
            Kind::Decide(player, _) => Turn::Decide(*player),
            Kind::Chance { .. } => Turn::Chance(TreeChance(self.clone())),
        }
    }

    fn moves(&self, out: &mut Self::Moves) {
        if let Kind::Decide(_, children) = &self.node().kind {
            out.extend(0..children.len() as u16);
        }
    }

    fn play(&mut self, m: u16) {
        let Kind::Decide(_, children) = &self.node().kind else { panic!("{m} played in {self:?}") };
        self.at = children[usize::from(m)];
    }

    fn resolve(&mut self, event: u8) {
        let Kind::Chance { children, .. } = &self.node().kind else { panic!("{event} resolved in {self:?}") };
        self.at = children[usize::from(event)];
    }

    fn key(&self) -> u64 {
        mix(self.nodes.print ^ u64::from(self.at))
    }
}

/// The chance nodes of a [`Tree`]; events are numbered from 0.
#[derive(Clone, Debug)]
pub struct TreeChance(Tree);

impl Chance for TreeChance {
    type Event = u8;

    fn events(&self) -> &[(u8, f64)] {
        match &self.0.node().kind {
            Kind::Chance { events, .. } => events,
            _ => &[],
        }
    }

    fn merged(&self) -> &[(u8, f64)] {
        match &self.0.node().kind {
            Kind::Chance { merged, .. } => merged,
            _ => &[],
        }
    }

    fn representative(&self, event: u8) -> u8 {
        let Kind::Chance { children, merged, .. } = &self.0.node().kind else { return event };
        let twin = |event: u8| self.0.nodes.list[children[usize::from(event)] as usize].twin;
        merged.iter().map(|m| m.0).find(|&other| twin(other) == twin(event)).unwrap_or(event)
    }
}

/// What the states of a [`Tree`] are worth: values that have little to do with the truth, so that a search has to get
/// everything right. The variants differ in their bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TreeValue {
    /// All points that are possible at all.
    Wide,
    /// No wider than what can be met from here on, values and ends.
    Tight,
    /// As `Tight`, but about every fourth state is known: its value is that of best play, and its bounds have equal ends.
    Known,
}

impl TreeValue {
    fn knows(self, tree: &Tree) -> bool {
        self == Self::Known && mix(u64::from(tree.node().twin) ^ tree.nodes.print).is_multiple_of(4)
    }
}

impl Evaluator<Tree> for TreeValue {
    fn value(&self, tree: &Tree) -> f32 {
        if self.knows(tree) { tree.value() as f32 } else { tree.node().worth }
    }

    fn bounds(&self, tree: &Tree) -> Bounds {
        match self {
            Self::Wide => Bounds::symmetric(f32::from(Tree::MAX_POINTS)),
            Self::Known if self.knows(tree) => Bounds::exact(tree.value() as f32),
            Self::Tight | Self::Known => tree.node().bounds,
        }
    }
}

/// A [`Tree`] without chance nodes, for searches that ask for a [`Deterministic`](crate::Deterministic) game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DecisionTree(Tree);

impl DecisionTree {
    /// As [`Tree::random`], with no share of chance nodes.
    ///
    /// # Panics
    /// If `width` is 0.
    #[must_use]
    pub fn random(shape: &TreeShape, seed: u64) -> Self {
        Self(Tree::random(&TreeShape { chance: 0.0, ..shape.clone() }, seed))
    }

    /// The tree itself.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.0
    }

    /// The value of this state with best play to the end, for One.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.0.value()
    }
}

impl From<Node> for DecisionTree {
    /// # Panics
    /// If there is a chance node.
    fn from(root: Node) -> Self {
        let tree = Tree::from(root);
        assert!(tree.nodes.list.iter().all(|n| !matches!(n.kind, Kind::Chance { .. })), "a decision tree has no chance nodes");
        Self(tree)
    }
}

impl Game for DecisionTree {
    type Move = u16;
    type Moves = SmallVec<[u16; 16]>;
    type Chance = Never;
    const MAX_POINTS: u16 = Tree::MAX_POINTS;

    fn turn(&self) -> Turn<Never> {
        match self.0.turn() {
            Turn::Over(outcome) => Turn::Over(outcome),
            Turn::Decide(player) => Turn::Decide(player),
            Turn::Chance(_) => unreachable!("a decision tree has no chance nodes"),
        }
    }

    fn moves(&self, out: &mut Self::Moves) {
        self.0.moves(out);
    }

    fn play(&mut self, m: u16) {
        self.0.play(m);
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}

impl Evaluator<DecisionTree> for TreeValue {
    fn value(&self, tree: &DecisionTree) -> f32 {
        self.value(&tree.0)
    }

    fn bounds(&self, tree: &DecisionTree) -> Bounds {
        self.bounds(&tree.0)
    }
}
