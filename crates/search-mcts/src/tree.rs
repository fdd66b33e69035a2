//! The tree: nodes in one list, the children of a node side by side.

use std::time::Duration;

use gamecore::Player;

/// What a node's state waits for, as far as the tree has looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nobody has been here.
    New,
    /// A decision.
    Decide(Player),
    /// A roll.
    Chance,
    /// Its value is known: the end of the game, a database's word, or a proof.
    Proven,
}

/// The most children of a node.
pub(crate) const MOST_CHILDREN: usize = (1 << COUNT_BITS) - 1;
const COUNT_BITS: u32 = 13;

/// A position in the tree. 18 bytes and an `Option` of the move: 20 if a move is one byte. (All in one place: a tree is too large for the
/// caches, and each place costs a wait.)
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(2))]
pub(crate) struct Node<M> {
    /// The sum of the values backed up, for One; of a proven node the value itself.
    sum: f64,
    /// Playouts through this node.
    visits: u32,
    /// Its first child.
    first: u32,
    /// Number of children, and the kind above it.
    tag: u16,
    /// The move that leads here; `None` at the root and after a roll.
    m: Option<M>,
}

impl<M: Copy> Node<M> {
    /// An untouched position, reached by this move.
    pub(crate) const fn new(m: Option<M>) -> Self {
        Self { sum: 0.0, visits: 0, first: 0, tag: 0, m }
    }

    /// The move that leads here; `None` at the root and after a roll.
    #[inline(always)]
    pub(crate) fn m(self) -> Option<M> {
        self.m
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self.tag >> COUNT_BITS {
            0 => Kind::New,
            1 | 5 => Kind::Decide(Player::One),
            2 | 6 => Kind::Decide(Player::Two),
            3 | 7 => Kind::Chance,
            _ => Kind::Proven,
        }
    }

    #[inline]
    pub(crate) fn set_kind(&mut self, kind: Kind) {
        let kind = match kind {
            Kind::New => 0,
            Kind::Decide(Player::One) => 1,
            Kind::Decide(Player::Two) => 2,
            Kind::Chance => 3,
            Kind::Proven => 4,
        };
        self.tag = self.tag & MOST_CHILDREN as u16 | kind << COUNT_BITS;
    }

    #[inline(always)]
    pub(crate) fn visits(self) -> u32 {
        self.visits
    }

    #[inline(always)]
    pub(crate) fn is_proven(self) -> bool {
        self.tag >> COUNT_BITS == 4
    }

    /// Whether some of its children are proven, but it is not.
    #[inline(always)]
    pub(crate) fn has_proven(self) -> bool {
        self.tag >> COUNT_BITS > 4
    }

    /// One of its children is proven.
    pub(crate) fn note_proven(&mut self) {
        if matches!(self.tag >> COUNT_BITS, 1..=3) {
            self.tag |= 4 << COUNT_BITS;
        }
    }

    /// The mean value for One, exact if proven, 0 before the first visit.
    #[inline(always)]
    pub(crate) fn mean(self) -> f64 {
        if self.is_proven() { self.sum } else { self.sum / f64::from(self.visits.max(1)) }
    }

    /// Number of children; 0 before the node is expanded.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        usize::from(self.tag) & MOST_CHILDREN
    }

    /// The children's places.
    #[inline(always)]
    pub(crate) fn children(self) -> core::ops::Range<usize> {
        let first = self.first as usize;
        first..first + self.count()
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, value: f64) {
        self.visits = self.visits.saturating_add(1);
        if !self.is_proven() {
            self.sum += value;
        }
    }

    /// The sum of the values backed up, for One.
    pub(crate) fn sum(self) -> f64 {
        self.sum
    }

    /// So many visits with this sum no longer count.
    pub(crate) fn take_back(&mut self, visits: u32, sum: f64) {
        let left = self.visits.saturating_sub(visits);
        // Never none: it has been visited.
        if left > 0 {
            self.visits = left;
            self.sum -= sum;
        }
    }

    /// The mean value for One of an unproven node, given `1 / visits`.
    #[inline(always)]
    pub(crate) fn mean_by(self, inverse: f32) -> f32 {
        self.sum as f32 * inverse
    }

    /// Adds what another tree found about the same position.
    fn absorb(&mut self, other: Self) {
        self.visits = self.visits.saturating_add(other.visits);
        if !self.is_proven() {
            if other.is_proven() {
                self.prove(other.sum);
            } else {
                self.sum += other.sum;
            }
        }
    }

    /// A playout that was counted ahead, as if it had the value `assumed`, has come back (or, with `None`, never will).
    #[inline]
    pub(crate) fn settle_virtual(&mut self, assumed: f64, value: Option<f64>) {
        if value.is_none() {
            // Perhaps it was taken back with what was proven late.
            self.visits = self.visits.saturating_sub(1);
        }
        if !self.is_proven() {
            self.sum += value.unwrap_or(0.0) - assumed;
        }
    }

    pub(crate) fn prove(&mut self, value: f64) {
        self.set_kind(Kind::Proven);
        self.sum = value;
    }

    fn set_children(&mut self, first: usize, count: usize) {
        self.first = first as u32;
        self.tag = self.tag & !(MOST_CHILDREN as u16) | count as u16;
    }

    fn drop_children(&mut self) {
        self.set_children(0, 0);
        // What was known of them is gone with them.
        self.set_kind(self.kind());
    }

    /// Without children and not proven: as if nobody had been here, but for what was counted.
    pub(crate) fn reopen(&mut self) {
        if self.count() == 0 && !self.is_proven() {
            self.set_kind(Kind::New);
        }
    }
}

/// All nodes, and beside them what only some searches need.
#[derive(Clone, Debug)]
pub(crate) struct Tree<M: Copy> {
    pub(crate) nodes: Vec<Node<M>>,
    /// The prior of the move that leads to each node, or its bias; empty without these.
    pub(crate) priors: Vec<f32>,
    /// The sum of the squares of the values backed up; empty unless the selection wants variances.
    pub(crate) squares: Vec<f64>,
    /// What playouts say that made the move later; empty unless they are asked.
    pub(crate) later: Vec<Later>,
    wants: Wants,
    /// What it may occupy.
    bytes: usize,
    /// The most nodes.
    cap: usize,
    /// The root's priors without noise, while there is some on them.
    pub(crate) clean: Vec<f32>,
    /// There is no time to tidy up: when it is full, it stays as it is.
    pub(crate) frozen: bool,
    /// About so many nodes in the list cannot be reached any more.
    litter: usize,
}

/// Playouts from a position in which the player who has the move there made a child's move, at once or later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Later {
    /// The sum of their values for One.
    pub(crate) sum: f64,
    /// How many they are.
    pub(crate) count: u32,
    /// Which move it is.
    pub(crate) index: u32,
}

impl Later {
    /// No playouts of nothing that counts.
    const NONE: Self = Self { sum: 0.0, count: 0, index: u32::MAX };
}

/// What a search remembers of each node beside the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Wants {
    pub(crate) priors: bool,
    pub(crate) squares: bool,
    pub(crate) later: bool,
}

impl<M: Copy> Tree<M> {
    /// A tree that remembers nothing yet and never occupies more than `bytes`.
    pub(crate) fn new(bytes: usize, wants: Wants) -> Self {
        let Wants { priors, squares, later } = wants;
        let lists = [(priors, size_of::<f32>()), (squares, size_of::<f64>()), (later, size_of::<Later>())];
        let beside: usize = lists.iter().filter(|list| list.0).map(|list| list.1).sum();
        // One byte, of which a fifth is used, is for what is noted while the tree is tidied up.
        let each = Self::NODE_BYTES + beside + 1;
        let cap = (bytes / each).clamp(2 * MOST_CHILDREN + 2, u32::MAX as usize);
        let (nodes, priors, squares, later) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut tree = Self { nodes, priors, squares, later, wants, bytes, cap, clean: Vec::new(), frozen: false, litter: 0 };
        tree.clear();
        tree
    }

    /// What a node takes if nothing is remembered beside it.
    pub(crate) const NODE_BYTES: usize = size_of::<Node<M>>();

    /// What it may occupy.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds what another tree found about the same root, and about what is below the positions that both know and of which
    /// the two together have at least `least` visits.
    pub(crate) fn absorb(&mut self, other: &Self, least: u32) {
        self.nodes[0].absorb(other.nodes[0]);
        let mut open = vec![(0, 0)];
        while let Some((mine, theirs)) = open.pop() {
            let (node, theirs) = (self.nodes[mine], other.nodes[theirs]);
            // The same position has the same children in the same order.
            if (mine == 0 || node.visits() >= least) && node.count() == theirs.count() {
                for (mine, theirs) in node.children().zip(theirs.children()) {
                    self.nodes[mine].absorb(other.nodes[theirs]);
                    open.push((mine, theirs));
                }
            }
        }
    }

    pub(crate) fn wants(&self) -> Wants {
        self.wants
    }

    pub(crate) fn cap(&self) -> usize {
        self.cap
    }

    /// Forgets everything but an untouched root.
    pub(crate) fn clear(&mut self) {
        self.truncate(0);
        self.clean.clear();
        self.litter = 0;
        self.push(None, 0.0);
    }

    fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
        self.priors.truncate(len);
        self.squares.truncate(len);
        self.later.truncate(len);
    }

    fn push(&mut self, m: Option<M>, prior: f32) {
        self.nodes.push(Node::new(m));
        if self.wants.priors {
            self.priors.push(prior);
        }
        if self.wants.squares {
            self.squares.push(0.0);
        }
        if self.wants.later {
            self.later.push(Later::NONE);
        }
    }

    /// Whether so many more nodes fit in.
    #[inline]
    pub(crate) fn has_room(&self, count: usize) -> bool {
        self.nodes.len() + count <= self.cap
    }

    /// Makes room in the lists, within the cap: doubling would go beyond it.
    #[cold]
    fn grow(&mut self, count: usize) {
        let more = self.nodes.len().max(1024).max(count).min(self.cap - self.nodes.len());
        self.nodes.reserve_exact(more);
        if self.wants.priors {
            self.priors.reserve_exact(more);
        }
        if self.wants.squares {
            self.squares.reserve_exact(more);
        }
        if self.wants.later {
            self.later.reserve_exact(more);
        }
    }

    /// Gives node `at` a child for each move (or event: `None`). There must be room.
    #[inline]
    pub(crate) fn expand(&mut self, at: usize, children: impl ExactSizeIterator<Item = (Option<M>, f32)>) {
        let (first, count) = (self.nodes.len(), children.len());
        assert!(count <= MOST_CHILDREN, "a position has at most {MOST_CHILDREN} moves here");
        if self.nodes.capacity() - first < count {
            self.grow(count);
        }
        for (m, prior) in children {
            self.push(m, prior);
        }
        self.nodes[at].set_children(first, count);
    }

    /// Puts a node's children, and what is below them, in another order: by what `rank` says of a child and its prior.
    /// Nobody may be on their way down there.
    pub(crate) fn sort_children<K: PartialOrd>(&mut self, at: usize, rank: impl Fn(Node<M>, f32) -> K) {
        let children = self.nodes[at].children();
        let prior = |tree: &Self, i: usize| tree.priors.get(i).copied().unwrap_or(0.0);
        let square = |tree: &Self, i: usize| tree.squares.get(i).copied().unwrap_or(0.0);
        let later = |tree: &Self, i: usize| tree.later.get(i).copied().unwrap_or(Later::NONE);
        let mut list: Vec<_> =
            children.clone().map(|i| (self.nodes[i], prior(self, i), square(self, i), later(self, i))).collect();
        list.sort_by(|a, b| rank(a.0, a.1).partial_cmp(&rank(b.0, b.1)).unwrap_or(core::cmp::Ordering::Equal));
        for (i, (node, prior, square, later)) in children.zip(list) {
            self.nodes[i] = node;
            if self.wants.priors {
                self.priors[i] = prior;
            }
            if self.wants.squares {
                self.squares[i] = square;
            }
            if self.wants.later {
                self.later[i] = later;
            }
        }
    }

    /// How long it takes to tidy up if so many nodes stay, by a cautious guess.
    pub(crate) fn tidying(nodes: usize) -> Duration {
        Duration::from_nanos(25 * nodes as u64)
    }

    /// Makes room in a full tree, or notes that there is no time to.
    pub(crate) fn tidy(&mut self, left: Option<Duration>) {
        self.frozen = left.is_some_and(|left| left < 2 * Self::tidying(self.nodes.len()));
        if !self.frozen {
            self.recycle();
        }
    }

    /// Throws away about half of the nodes: those below the nodes that were visited least.
    pub(crate) fn recycle(&mut self) {
        if self.litter > 0 {
            self.rebase(0);
            if self.has_room(self.cap / 2) {
                return;
            }
        }
        // How many nodes are children of nodes of so many visits, by powers of two.
        let mut children = [0; 33];
        for node in &self.nodes {
            if !node.is_proven() {
                children[node.visits.checked_ilog2().map_or(0, |log| log as usize + 1)] += node.count();
            }
        }
        let (mut kept, mut least) = (0, 32);
        while least > 0 && kept + children[least] <= self.cap / 2 {
            kept += children[least];
            least -= 1;
        }
        // The class that would have been too much goes.
        self.compact(0, |node| node.visits.checked_ilog2().map_or(0, |log| log as usize + 1) > least && !node.is_proven());
    }

    /// Makes `root` the root and throws away what is not below it: at once, or when the tree is full, if that would take too
    /// much of the time there is.
    pub(crate) fn rebase_within(&mut self, root: usize, time: Option<Duration>) {
        let share = f64::from(self.nodes[root].visits) / f64::from(self.nodes[0].visits.max(1));
        let stay = (share.min(1.0) * (self.nodes.len() - self.litter) as f64) as usize;
        if time.is_none_or(|time| 2 * Self::tidying(stay) <= time) {
            return self.rebase(root);
        }
        self.nodes[0] = self.nodes[root];
        self.nodes[0].m = None;
        if self.wants.squares {
            self.squares[0] = self.squares[root];
        }
        self.litter = (self.nodes.len() - stay).max(1);
    }

    /// Makes `root` the root and throws away what is not below it.
    fn rebase(&mut self, root: usize) {
        self.compact(root, |_| true);
        self.litter = 0;
    }

    /// Keeps `root`, and of what is below it the children of the nodes that `keep` approves; the root's in any case.
    ///
    /// In place, in one go: children stand after their parent, so each node moves down to where others were thrown away. Costs
    /// little more than a look at every node that is kept.
    fn compact(&mut self, root: usize, keep: impl Fn(Node<M>) -> bool) {
        let mut reached = vec![0u64; self.nodes.len().div_ceil(64)];
        reached[root / 64] |= 1 << (root % 64);
        for word in root / 64..reached.len() {
            // Children stand after their parent, so what is reached now comes later in this word or in another.
            let mut done = 0;
            while let ahead = reached[word] & !done
                && ahead != 0
            {
                done |= 1 << ahead.trailing_zeros();
                let at = word * 64 + ahead.trailing_zeros() as usize;
                let node = self.nodes[at];
                if at == root || keep(node) {
                    node.children().for_each(|i| reached[i / 64] |= 1 << (i % 64));
                } else if node.count() > 0 {
                    self.nodes[at].drop_children();
                    self.nodes[at].reopen();
                }
            }
        }
        // A node's new place is the number of those before it that stay.
        let mut before = Vec::with_capacity(reached.len());
        let mut end = 0;
        for word in &reached {
            before.push(end as u32);
            end += word.count_ones() as usize;
        }
        let place = |at: usize| before[at / 64] as usize + (reached[at / 64] & ((1 << (at % 64)) - 1)).count_ones() as usize;
        let mut to = 0;
        for (word, &bits) in reached.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let mut node = self.nodes[at];
                if node.count() > 0 {
                    node.first = place(node.first as usize) as u32;
                }
                self.nodes[to] = node;
                if self.wants.priors {
                    self.priors[to] = self.priors[at];
                }
                if self.wants.squares {
                    self.squares[to] = self.squares[at];
                }
                if self.wants.later {
                    self.later[to] = self.later[at];
                }
                to += 1;
            }
        }
        self.nodes[0].m = None;
        self.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random::{below, generator};

    /// The tree as nested text, for comparison.
    fn text(tree: &Tree<u8>, at: usize) -> String {
        let node = tree.nodes[at];
        let children: Vec<String> = node.children().map(|i| format!("{:?}{}", tree.nodes[i].m(), text(tree, i))).collect();
        format!("({} {:?} {})", { node.visits }, { node.sum }, children.join(" "))
    }

    fn random_tree(seed: u64, nodes: usize) -> Tree<u8> {
        let mut rng = generator(seed);
        let mut tree = Tree::new(1 << 20, Wants { priors: true, squares: true, later: true });
        while tree.nodes.len() < nodes {
            // A walk to a leaf, which is expanded.
            let mut at = 0;
            loop {
                tree.nodes[at].set_kind(Kind::Decide(Player::One));
                tree.nodes[at].add(1.0);
                let node = tree.nodes[at];
                if node.count() == 0 {
                    let count = below(&mut rng, 5) + 1;
                    tree.expand(at, (0..count).map(|i| (Some(i as u8), i as f32)));
                    for (i, child) in tree.nodes[at].children().enumerate() {
                        tree.later[child].index = i as u32;
                    }
                    break;
                }
                at = node.children().start + below(&mut rng, node.count());
            }
        }
        tree
    }

    #[test]
    fn rebasing_keeps_exactly_the_subtree() {
        for seed in 0..50 {
            let tree = random_tree(seed, 400);
            for child in tree.nodes[0].children().chain([0]) {
                let mut rebased = tree.clone();
                rebased.rebase(child);
                assert_eq!(text(&rebased, 0), text(&tree, child), "seed {seed}");
                for i in 1..rebased.nodes.len() {
                    let m = rebased.nodes[i].m().map(u32::from);
                    assert!(Some(rebased.priors[i] as u32) == m && Some(rebased.later[i].index) == m);
                }
                assert!([rebased.priors.len(), rebased.squares.len(), rebased.later.len()] == [rebased.nodes.len(); 3]);
                let rest: usize = rebased.nodes.iter().map(|n| n.count()).sum();
                assert_eq!(rest + 1, rebased.nodes.len());
                // In a hurry the rest goes later.
                let mut hurried = tree.clone();
                hurried.rebase_within(child, Some(Duration::ZERO));
                assert_eq!((text(&hurried, 0), hurried.nodes.len()), (text(&tree, child), tree.nodes.len()), "seed {seed}");
                hurried.recycle();
                assert_eq!((text(&hurried, 0), hurried.nodes.len()), (text(&tree, child), rebased.nodes.len()), "seed {seed}");
            }
        }
    }

    #[test]
    fn tidying_takes_no_time_that_is_not_there() {
        let mut tree = random_tree(1, 400);
        tree.cap = tree.nodes.len();
        tree.tidy(Some(Duration::from_micros(15)));
        assert!(tree.frozen && tree.nodes.len() == tree.cap);
        tree.tidy(Some(Duration::from_millis(15)));
        assert!(!tree.frozen && tree.nodes.len() < tree.cap * 2 / 3);
    }

    #[test]
    fn recycling_keeps_the_visited_half() {
        for seed in 0..20 {
            let mut tree = random_tree(seed, 400);
            tree.cap = tree.nodes.len();
            let (before, root) = (tree.nodes.len(), tree.nodes[0]);
            tree.recycle();
            assert!((2..=before / 2 + 6).contains(&tree.nodes.len()), "{} of {before}", tree.nodes.len());
            assert!(tree.nodes[0].visits == { root.visits } && tree.nodes[0].count() == root.count());
            let lost = tree.nodes.iter().filter(|n| n.visits > 1 && n.count() == 0).map(|n| n.visits).max().unwrap_or(0);
            let held = tree.nodes[1..].iter().filter(|n| n.count() > 0).map(|n| n.visits).min().unwrap_or(u32::MAX);
            assert!(lost < 2 * held, "{lost} {held}");
        }
    }

    #[test]
    fn nodes_are_small() {
        assert_eq!(Tree::<u8>::NODE_BYTES, 20);
        let mut node = Node::<u8>::new(Some(3));
        node.set_children(7, MOST_CHILDREN);
        for kind in [Kind::New, Kind::Decide(Player::One), Kind::Decide(Player::Two), Kind::Chance, Kind::Proven] {
            node.set_kind(kind);
            assert_eq!((node.kind(), node.count(), node.children().start), (kind, MOST_CHILDREN, 7));
            node.note_proven();
            let open = matches!(kind, Kind::Decide(_) | Kind::Chance);
            assert_eq!(node.m(), Some(3));
            assert_eq!((node.kind(), node.has_proven(), node.is_proven()), (kind, open, kind == Kind::Proven));
        }
    }
}
