//! What a search has found: the report, and the tree to look at.

use std::fmt::{self, Debug};

use gamecore::{Bounds, Chance, Game, Player, Step, Turn};
use search_core::{Bound, EventLine, MoveLine, Report, ReportOf};

use crate::descend::Rules;
use crate::options::Choice;
use crate::tree::{Kind, Tree};

/// A root to report on.
pub(crate) struct Root<'a, G: Game> {
    pub(crate) tree: &'a Tree<G::Move>,
    pub(crate) game: &'a G,
    pub(crate) rules: &'a Rules,
    pub(crate) choice: Choice,
    /// What the evaluator promises of a state.
    pub(crate) bounds: &'a dyn Fn(&G) -> Bounds,
}

/// Visits that are enough to say what would be played at a position.
pub(crate) const ENOUGH: u32 = 100;

/// The normal distribution's 97.5 % quantile.
const Z: f64 = 1.96;

impl<G: Game> Root<'_, G> {
    pub(crate) fn report(&self) -> ReportOf<G> {
        let mut report = Report::empty();
        let root = self.tree.nodes[0];
        match self.game.turn() {
            Turn::Decide(player) => {
                report.moves = root.children().map(|i| self.line(i, player)).collect();
                report.best = self.best(0, player).and_then(|i| self.tree.nodes[i].m()).or_else(|| {
                    // Nothing was tried: a legal move all the same.
                    let mut buf = G::Moves::default();
                    self.game.moves(&mut buf);
                    buf.as_ref().first().copied()
                });
                let best = report.moves.iter().find(|line| Some(line.m) == report.best);
                report.value = best.filter(|line| line.nodes > 0).map(|line| line.value);
            }
            Turn::Chance(_) => {
                report.events = self.events(0, self.game);
                report.value = (root.visits() > 0).then(|| self.estimate(0, self.game).0);
            }
            Turn::Over(_) => {}
        }
        report
    }

    /// What was found about a root move.
    fn line(&self, at: usize, player: Player) -> MoveLine<G::Move, gamecore::Event<G>> {
        let node = self.tree.nodes[at];
        let m = self.tree.nodes[at].m().unwrap_or_else(|| unreachable!("a decision's children have moves"));
        let (value, half_width) = if self.seen(at) {
            let (value, half_width) = self.estimate(at, &self.game.after(m));
            // The search may be mistaken in where it goes, too: by as much as its value is off the mean, it must reckon with
            // that. And it knows no more than so many playouts can tell.
            let doubt = half_width.hypot(value - node.mean()).max(self.half_width(node.visits(), node.mean()));
            (value, Some(if node.is_proven() { 0.0 } else { doubt }))
        } else {
            // A move that was never tried is worth what it is worth at least, as far as anybody knows.
            let bounds = (self.bounds)(&self.game.after(m));
            (f64::from(if player == Player::One { bounds.low } else { bounds.high }), None)
        };
        let mut line = MoveLine::new(m, value);
        line.bound = match (node.visits(), player) {
            (0, Player::One) if !node.is_proven() => Bound::AtLeast,
            (0, Player::Two) if !node.is_proven() => Bound::AtMost,
            _ => Bound::Exact,
        };
        line.nodes = u64::from(node.visits());
        line.half_width = half_width;
        let (mut at, mut game) = (at, self.game.after(m));
        loop {
            match game.turn() {
                Turn::Decide(mover) => {
                    let Some(next) = self.best(at, mover) else { return line };
                    let Some(m) = self.tree.nodes[next].m() else { return line };
                    line.line.push(Step::Move(m));
                    game.play(m);
                    at = next;
                }
                Turn::Chance(_) => {
                    line.replies = self.events(at, &game);
                    return line;
                }
                Turn::Over(_) => return line,
            }
        }
    }

    /// What to do on each event of a roll; empty if the tree does not reach so far.
    fn events(&self, at: usize, game: &G) -> Vec<EventLine<G::Move, gamecore::Event<G>>> {
        let node = self.tree.nodes[at];
        let Turn::Chance(chance) = game.turn() else { return Vec::new() };
        if node.count() == 0 {
            return Vec::new();
        }
        let lines = chance.events().iter().map(|&(event, probability)| {
            let stands_for = chance.representative(event);
            let place = chance.merged().iter().position(|e| e.0 == stands_for).unwrap_or(0);
            let child = node.children().start + place;
            let best = match game.resolved(event).turn() {
                Turn::Decide(mover) => self.best(child, mover).and_then(|i| self.tree.nodes[i].m()),
                Turn::Chance(_) | Turn::Over(_) => None,
            };
            // An event that was never seen has its parent's value.
            let value = if self.seen(child) { self.estimate(child, &game.resolved(event)).0 } else { node.mean() };
            EventLine::new(event, probability, best, value)
        });
        lines.collect()
    }

    fn worst(&self, player: Player) -> f64 {
        if player == Player::One { self.rules.low } else { self.rules.high }
    }

    /// Half the width of the 95 % interval of a mean of values between the bounds: the widest that this mean allows, after
    /// two imagined values at each end (Agresti and Coull 1998), so that it is never 0.
    fn half_width(&self, visits: u32, mean: f64) -> f64 {
        let Rules { low, high, .. } = *self.rules;
        let n = f64::from(visits) + 4.0;
        let mean = (mean.clamp(low, high) * f64::from(visits) + 2.0 * (low + high)) / n;
        Z * ((high - mean) * (mean - low) / n).sqrt()
    }

    /// What a position is worth: not the mean of all playouts, which counts every bad move that was tried, but the value of
    /// the move that would be played, and of a roll the average over its events; so down the tree as long as there are
    /// visits enough to say so. With it half the width of its interval: of the means in which this ends, each weighed by its
    /// probability.
    fn estimate(&self, at: usize, game: &G) -> (f64, f64) {
        let (mut value, mut squares) = (0.0, 0.0);
        // A list, not recursion: lines can be long.
        let mut open = vec![(at, game.clone(), 1.0)];
        while let Some((at, mut game, share)) = open.pop() {
            let node = self.tree.nodes[at];
            if node.is_proven() {
                value += share * node.mean();
                continue;
            }
            match game.turn() {
                Turn::Decide(player) if node.visits() >= ENOUGH => {
                    let best = self.best(at, player).filter(|&i| self.seen(i));
                    if let Some((i, m)) = best.and_then(|i| Some((i, self.tree.nodes[i].m()?))) {
                        game.play(m);
                        open.push((i, game, share));
                        continue;
                    }
                }
                Turn::Chance(chance) if node.visits() >= ENOUGH && node.count() > 0 => {
                    for (i, &(event, p)) in node.children().zip(chance.merged()) {
                        if self.seen(i) {
                            open.push((i, game.resolved(event), share * p));
                        } else {
                            // An event that was never seen has its parent's value.
                            value += share * p * node.mean();
                            squares += (share * p * self.half_width(node.visits(), node.mean())).powi(2);
                        }
                    }
                    continue;
                }
                _ => {}
            }
            value += share * node.mean();
            squares += (share * self.half_width(node.visits(), node.mean())).powi(2);
        }
        (value, squares.sqrt())
    }

    /// Whether anything is known of a node.
    fn seen(&self, at: usize) -> bool {
        self.tree.nodes[at].visits() > 0 || self.tree.nodes[at].is_proven()
    }

    /// The child to be played; `None` without a child that was tried. Of the proven ones the best; of the others what
    /// [`Choice`] says; of these two the better one, the proven one if they are alike. If all that was tried is lost for
    /// certain, one that was not tried.
    fn best(&self, at: usize, player: Player) -> Option<usize> {
        let sign = f64::from(player.sign());
        let value = |i: usize| sign * self.tree.nodes[i].mean();
        let secure = |i: usize| value(i) - self.half_width(self.tree.nodes[i].visits(), self.tree.nodes[i].mean());
        let children = || self.tree.nodes[at].children();
        let first_of = |best: Option<usize>, i: usize, rank: &dyn Fn(usize) -> (f64, f64)| match best {
            Some(b) if rank(i) <= rank(b) => Some(b),
            _ => Some(i),
        };
        let visits = |i: usize| f64::from(self.tree.nodes[i].visits());
        let proven = children().filter(|&i| self.tree.nodes[i].is_proven());
        let proven = proven.fold(None, |best, i| first_of(best, i, &|i| (value(i), visits(i))));
        let open = children().filter(|&i| !self.tree.nodes[i].is_proven() && self.tree.nodes[i].visits() > 0);
        let open = match self.choice {
            Choice::Visits => open.fold(None, |best, i| first_of(best, i, &|i| (visits(i), value(i)))),
            Choice::Secure => open.fold(None, |best, i| first_of(best, i, &|i| (secure(i), visits(i)))),
        };
        match (proven, open) {
            // Nothing can be better, whatever the others look like.
            (Some(p), _) if value(p) >= sign * self.rules.limit(player) => proven,
            // Nothing can be worse: a move that was not tried yet is no worse.
            (Some(p), None) if value(p) <= sign * self.worst(player) => {
                children().find(|&i| !self.tree.nodes[i].is_proven()).or(proven)
            }
            (Some(p), Some(o)) => {
                Some(if value(p) >= if self.choice == Choice::Secure { secure(o) } else { value(o) } { p } else { o })
            }
            (proven, open) => proven.or(open),
        }
    }
}

/// The upper part of a tree, to look at: the positions visited most. [`dot`](Self::dot) and [`json`](Self::json) write it.
#[derive(Clone, Debug)]
pub struct Export<M> {
    nodes: Vec<Shown<M>>,
}

#[derive(Clone, Debug)]
struct Shown<M> {
    parent: Option<usize>,
    /// Which child it is.
    place: usize,
    m: Option<M>,
    kind: Kind,
    visits: u32,
    value: f64,
}

pub(crate) fn export<M: Copy>(tree: &Tree<M>, most: usize) -> Export<M> {
    let shown = |parent, place, at: usize| {
        let node = tree.nodes[at];
        Shown { parent, place, m: tree.nodes[at].m(), kind: node.kind(), visits: node.visits(), value: node.mean() }
    };
    let mut nodes = vec![shown(None, 0, 0)];
    // The next to be shown is the most visited one of those whose parents are.
    let mut open = std::collections::BinaryHeap::new();
    let offer = |open: &mut std::collections::BinaryHeap<_>, parent: usize, at: usize| {
        for (place, child) in tree.nodes[at].children().enumerate() {
            if tree.nodes[child].visits() > 0 {
                open.push((tree.nodes[child].visits(), std::cmp::Reverse(child), parent, place));
            }
        }
    };
    offer(&mut open, 0, 0);
    while nodes.len() < most
        && let Some((_, std::cmp::Reverse(at), parent, place)) = open.pop()
    {
        nodes.push(shown(Some(parent), place, at));
        offer(&mut open, nodes.len() - 1, at);
    }
    Export { nodes }
}

/// A character of a JSON string.
fn escaped(c: char) -> String {
    match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.into(),
    }
}

impl<M: Debug> Export<M> {
    fn name(shown: &Shown<M>) -> String {
        match (&shown.m, shown.parent) {
            (Some(m), _) => format!("{m:?}"),
            (None, Some(_)) => format!("event {}", shown.place),
            (None, None) => "root".into(),
        }
    }

    fn waits_for(kind: Kind) -> &'static str {
        match kind {
            Kind::New => "new",
            Kind::Decide(Player::One) => "one",
            Kind::Decide(Player::Two) => "two",
            Kind::Chance => "chance",
            Kind::Proven => "proven",
        }
    }

    /// For Graphviz: boxes are One's decisions, rounded boxes Two's, ellipses rolls; double lines are proven. Each has the
    /// move (or event) that leads to it, its mean value for One and its visits.
    #[must_use]
    pub fn dot(&self) -> String {
        fmt::from_fn(|f| {
            writeln!(f, "digraph tree {{\n  node [fontname=\"sans-serif\"];")?;
            for (i, shown) in self.nodes.iter().enumerate() {
                let shape = match shown.kind {
                    Kind::Decide(Player::One) | Kind::New => "box",
                    Kind::Decide(Player::Two) => "box, style=rounded",
                    Kind::Chance => "ellipse",
                    Kind::Proven => "box, peripheries=2",
                };
                let name = Self::name(shown).replace('\\', "\\\\").replace('"', "\\\"");
                writeln!(f, "  n{i} [shape={shape}, label=\"{name}\\n{:+.3}\\n{}\"];", shown.value, shown.visits)?;
                if let Some(parent) = shown.parent {
                    writeln!(f, "  n{parent} -> n{i};")?;
                }
            }
            write!(f, "}}")
        })
        .to_string()
    }

    /// A list of objects: `parent` (the place in the list; `null` at the root), `name` (the move or event that leads there),
    /// `waits_for` (`one`, `two`, `chance`, `proven` or `new`), `visits`, `value` (for One; `null` if an evaluator has made it
    /// infinite or no number).
    #[must_use]
    pub fn json(&self) -> String {
        let lines = self.nodes.iter().map(|shown| {
            let parent = shown.parent.map_or("null".into(), |p| p.to_string());
            let name: String = Self::name(shown).chars().map(escaped).collect();
            let value = if shown.value.is_finite() { format!("{:.6}", shown.value) } else { "null".into() };
            let (kind, visits) = (Self::waits_for(shown.kind), shown.visits);
            format!("{{\"parent\":{parent},\"name\":\"{name}\",\"waits_for\":\"{kind}\",\"visits\":{visits},\"value\":{value}}}")
        });
        format!("[\n{}\n]", lines.collect::<Vec<_>>().join(",\n"))
    }
}
