//! Wins and losses by force, before any search.

use std::time::{Duration, Instant};

use gamecore::Game;
use games_gomoku::{Gomoku, Narrowed, Point};
use lines::{Forced, Vcf, Vct, wins_by};
use search_core::{Limits, StopFlag};

/// What is known of a position before it is searched.
#[derive(Default)]
pub(super) struct Findings {
    /// A proven win for the mover: its moves and the opponent's in turn.
    pub(super) win: Option<Vec<Point>>,
    /// All moves that may be worth a search; empty if that is not known.
    pub(super) only: Vec<Point>,
    /// Positions looked at.
    pub(super) nodes: u64,
}

/// The solvers, and what they may spend.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    vcf: Vcf,
    vct: Vct,
}

/// Nodes of the first look; each further one has this many times as many.
const FIRST: u64 = 100;
const GROWTH: u64 = 4;
/// Nodes of the last look.
const MOST: u64 = 100_000;
/// Nodes to see whether a move prevents the opponent's win: at most, and for each millisecond there is.
const DEFENCE: u64 = 2000;
const DEFENCE_A_MS: u64 = 20;
/// With less time the solvers are not asked.
const SHORTEST: Duration = Duration::from_millis(3);
/// Positions of the search for wins by fours and open threes.
const THREATS: u64 = 100;
/// A solver may use one part in so many of the time or nodes; what prevents a known loss is worth more.
const SHARE: u32 = 8;
const DEFENCE_SHARE: u32 = 3;

/// Until when a solver may begin something more.
struct Until {
    deadline: Option<Instant>,
    nodes: u64,
    stop: Option<StopFlag>,
}

impl Until {
    fn new(limits: &Limits, share: u32) -> Self {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time / share));
        Self { deadline, nodes: limits.nodes.map_or(u64::MAX, |nodes| nodes / u64::from(share)), stop: limits.stop.clone() }
    }

    fn is_over(&self, nodes: u64) -> bool {
        nodes >= self.nodes
            || self.stop.as_ref().is_some_and(StopFlag::is_raised)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Proofs {
    /// Looks for wins of the mover, and for what prevents the opponent's.
    pub(super) fn look(&mut self, game: &Narrowed, limits: &Limits) -> Findings {
        let mut findings = Findings::default();
        let (patterns, mover) = (game.patterns(), game.game().mover());
        if limits.time.is_some_and(|time| time < SHORTEST) {
            findings.win = patterns.fives(mover).first().map(|five| vec![five]);
            return findings;
        }
        findings.win = self.fours(game, mover, limits, &mut findings.nodes);
        if findings.win.is_some() || !patterns.fives(mover.other()).is_empty() {
            return findings;
        }
        let threat = self.fours(game, mover.other(), limits, &mut findings.nodes);
        match threat {
            None => findings.win = self.threats(game, limits, &mut findings.nodes),
            Some(line) => findings.only = self.defences(game, &line, limits, &mut findings.nodes),
        }
        findings
    }

    /// A victory of either seat by continuous fours, it being its turn.
    fn fours(&mut self, game: &Narrowed, attacker: gamecore::Player, limits: &Limits, nodes: &mut u64) -> Option<Vec<Point>> {
        let until = Until::new(limits, SHARE);
        let (before, mut most) = (*nodes, FIRST);
        loop {
            let mut vcf = core::mem::take(&mut self.vcf).with_nodes(most);
            let found = vcf.win(game.patterns(), attacker);
            *nodes += vcf.nodes();
            self.vcf = vcf;
            match found {
                Forced::Win(line) => return Some(line),
                Forced::Unknown if most < MOST && !until.is_over(*nodes - before) => most *= GROWTH,
                _ => return None,
            }
        }
    }

    /// A victory of the mover's by fours and open threes.
    fn threats(&mut self, game: &Narrowed, limits: &Limits, nodes: &mut u64) -> Option<Vec<Point>> {
        let budget = limits.time.map_or(THREATS, |time| THREATS.min(time.as_millis() as u64));
        let mut vct = core::mem::take(&mut self.vct).with_threats(5).with_nodes(budget);
        vct = vct.with_vcf(Vcf::default().with_stones(6).with_nodes(50));
        let found = vct.win(game.patterns(), game.game().mover());
        *nodes += vct.nodes();
        self.vct = vct;
        match found {
            Forced::Win(line) => Some(line),
            Forced::No | Forced::Unknown => None,
        }
    }

    /// The moves after which the opponent's win by fours is not known to go on. All of them lose if none is left; then the list is
    /// empty, and the search chooses the longest way.
    fn defences(&mut self, game: &Narrowed, line: &[Point], limits: &Limits, nodes: &mut u64) -> Vec<Point> {
        let until = Until::new(limits, DEFENCE_SHARE);
        let (before, mover) = (*nodes, game.game().mover());
        let most = limits.time.map_or(DEFENCE, |time| {
            DEFENCE.min(DEFENCE_A_MS.saturating_mul(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
        });
        let mut vcf = core::mem::take(&mut self.vcf).with_nodes(most);
        let mut moves = <Gomoku as Game>::Moves::default();
        game.game().moves(&mut moves);
        let mut found = Vec::new();
        for m in moves {
            let mut next = game.patterns().clone();
            next.place(m, mover);
            if wins_by(&next, mover.other(), line) {
                continue;
            }
            if !until.is_over(*nodes - before) {
                let answer = vcf.win(&next, mover.other());
                *nodes += vcf.nodes();
                if matches!(answer, Forced::Win(_)) {
                    continue;
                }
            }
            found.push(m);
        }
        self.vcf = vcf;
        found.sort_by_cached_key(|&m| core::cmp::Reverse(game.promise(m)));
        found
    }
}
