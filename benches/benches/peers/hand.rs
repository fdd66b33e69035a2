//! What the games allow without any library: a search for nothing but this, and playouts without a tree.

use gamecore::random::generator;
use gamecore::{Chance, Game, Player, Turn, playout, uniform};
use rand::Rng;

use crate::measure::{Done, Row};

pub(crate) const SEARCH: &str = "written by hand: UCT and nothing else";
pub(crate) const PLAYOUTS: &str = "playouts alone, no tree";

pub(crate) fn rows<G: Game>(start: G, playouts: u64, show: fn(&G, G::Move) -> String) -> Vec<Row<'static>> {
    let again = start.clone();
    let alone = move |seed| {
        let mut rng = generator(seed);
        let points: i64 = (0..playouts).map(|_| i64::from(playout(start.clone(), &mut rng, &mut uniform).1.points())).sum();
        Done { best: None, nodes: None, playouts: None, rest: Box::new(points) }
    };
    let search = move |seed| {
        let mut tree = Tree { nodes: vec![Node::new(None)] };
        tree.grow(&again, playouts, seed);
        let best = tree.best().map(|m| show(&again, m));
        Done { best, nodes: Some(tree.nodes.len()), playouts: None, rest: Box::new(tree) }
    };
    vec![Row::new(SEARCH, search), Row::new(PLAYOUTS, alone)]
}

/// What is known of a node's state.
#[derive(Clone, Copy)]
enum Kind {
    New,
    Decide(Player),
    Chance,
    /// Points for One.
    Over(i8),
}

struct Node<M> {
    first: u32,
    visits: u32,
    /// Points of its playouts, for One.
    sum: i32,
    count: u8,
    kind: Kind,
    m: Option<M>,
}

impl<M> Node<M> {
    const fn new(m: Option<M>) -> Self {
        Self { first: 0, visits: 0, sum: 0, count: 0, kind: Kind::New, m }
    }
}

struct Tree<M> {
    nodes: Vec<Node<M>>,
}

impl<M: Copy + 'static> Tree<M> {
    /// UCT with c = sqrt(2), all children at a node's second visit, rolls sampled.
    fn grow<G: Game<Move = M>>(&mut self, start: &G, playouts: u64, seed: u64) {
        let mut rng = generator(seed);
        let mut path = Vec::with_capacity(256);
        for _ in 0..playouts {
            let (mut game, mut at) = (start.clone(), 0);
            path.clear();
            let points = loop {
                path.push(at);
                let node = &mut self.nodes[at];
                if let Kind::New = node.kind {
                    node.kind = match game.turn() {
                        Turn::Over(outcome) => Kind::Over(outcome.points() as i8),
                        Turn::Chance(_) => Kind::Chance,
                        Turn::Decide(player) => Kind::Decide(player),
                    };
                }
                if let Kind::Over(points) = node.kind {
                    break i32::from(points);
                }
                if node.visits == 0 && at != 0 {
                    break playout(game, &mut rng, &mut uniform).1.points();
                }
                at = match (node.kind, game.turn()) {
                    (Kind::Decide(player), _) => {
                        if node.count == 0 {
                            let mut moves = G::Moves::default();
                            game.moves(&mut moves);
                            self.expand(at, moves.as_ref().iter().map(|&m| Some(m)));
                        }
                        let child = self.choose(at, player);
                        game.play(self.nodes[child].m.expect("a decision's child"));
                        child
                    }
                    (_, Turn::Chance(chance)) => {
                        let events = chance.merged();
                        if node.count == 0 {
                            self.expand(at, events.iter().map(|_| None));
                        }
                        let mut x = f64::from(rng.next_u32()) / (f64::from(u32::MAX) + 1.0);
                        let place = events.iter().position(|event| {
                            x -= event.1;
                            x < 0.0
                        });
                        let place = place.unwrap_or(events.len() - 1);
                        game.resolve(events[place].0);
                        self.nodes[at].first as usize + place
                    }
                    _ => unreachable!("the state is the node's"),
                };
            };
            for &at in &path {
                self.nodes[at].visits += 1;
                self.nodes[at].sum += points;
            }
        }
    }

    fn expand(&mut self, at: usize, children: impl ExactSizeIterator<Item = Option<M>>) {
        (self.nodes[at].first, self.nodes[at].count) = (self.nodes.len() as u32, children.len() as u8);
        self.nodes.extend(children.map(Node::new));
    }

    fn choose(&self, at: usize, player: Player) -> usize {
        let node = &self.nodes[at];
        let (first, ln, sign) = (node.first as usize, (node.visits.max(1) as f32).ln(), player.sign());
        let (mut best, mut top) = (first, f32::NEG_INFINITY);
        for (i, child) in self.nodes[first..][..usize::from(node.count)].iter().enumerate() {
            if child.visits == 0 {
                return first + i;
            }
            let inverse = 1.0 / child.visits as f32;
            let score = sign * child.sum as f32 * inverse + (2.0 * ln * inverse).sqrt();
            if score > top {
                (best, top) = (first + i, score);
            }
        }
        best
    }

    fn best(&self) -> Option<M> {
        let root = &self.nodes[0];
        let children = &self.nodes[root.first as usize..][..usize::from(root.count)];
        children.iter().max_by_key(|child| child.visits)?.m
    }
}
