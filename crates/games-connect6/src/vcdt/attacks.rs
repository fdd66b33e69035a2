//! Turns that make double threats.

use core::ops::ControlFlow;

use lines::{LARGEST, Point};

use super::board::{Board, DEFENDER, Line, Rows, missing_of, ones, point, spots};
use crate::threats::{Missing, level};

const SIDE: usize = LARGEST as usize;

/// A turn of the attacker's and what it threatens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    /// In ascending order.
    pub(super) stones: [Point; 2],
    pub(super) effect: Effect,
}

/// What a turn threatens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    /// See [`Threats::level`](crate::Threats::level).
    pub(super) level: u8,
    /// About how many pairs stop it, for the order of the search.
    pub(super) answers: u8,
}

/// Where the pairs that stop a threat are not counted.
const SOME: u8 = 2;

/// The second stone where one makes all the threats, and stops all of the defender's.
pub(super) enum Free<F> {
    /// One such point, other than this.
    One(F),
    /// Every point.
    Every,
}

/// A point of the attacker's windows that lack three: a stone there threatens.
pub(super) struct Candidate {
    point: Point,
    /// What that stone threatens alone, by direction. The lines share no other point, so these add up.
    levels: [u8; 4],
    level: u8,
    /// Where one stone stops it all, if one does.
    common: Option<Missing>,
    /// Which of the defender's threats it stops.
    stops: u64,
}

/// The turns after which the defender, who has then no row to complete, needs two stones or more; the attacker has two, and cannot
/// win at once.
pub(super) struct Attacks<'a> {
    board: &'a Board,
    enemy: Rows,
    /// A bit for each of the enemy's threats.
    all: u64,
    candidates: &'a mut Vec<Candidate>,
    /// Their points, by row.
    seen: [u32; SIDE],
}

type Flow = ControlFlow<Attack>;

impl<'a> Attacks<'a> {
    /// `None` if there are none. `candidates` is a list to be used again.
    pub(super) fn of(board: &'a Board, candidates: &'a mut Vec<Candidate>) -> Option<Self> {
        candidates.clear();
        let enemy = if board.threatens(DEFENDER) { board.threats(DEFENDER) } else { Rows::new() };
        if !enemy.is_empty() && level(&enemy) > 2 {
            return None;
        }
        let all = (1 << enemy.len()) - 1;
        let mut new = Self { board, enemy, all, candidates, seen: [0; SIDE] };
        for number in board.warm() {
            let line = board.line(number);
            for at in ones(board.cover(line.threes) & line.empty) {
                new.add(point(number, at));
            }
        }
        Some(new)
    }

    fn add(&mut self, point: Point) {
        let (row, bit) = (&mut self.seen[usize::from(point.y())], 1 << point.x());
        if *row & bit != 0 {
            return;
        }
        *row |= bit;
        let mut common = (0, 0);
        let spots = spots(point);
        let mut levels = [0; 4];
        for (spot, level) in spots.into_iter().zip(&mut levels) {
            let line = self.board.line(spot.line);
            let starts = line.threes & self.board.through(spot.at);
            if starts != 0 {
                let rest = line.empty & !(1 << spot.at);
                *level = self.board.level(starts, rest);
                common = (spot.line, rest & self.shared(starts));
            }
        }
        let level = levels.iter().sum::<u8>().min(3);
        let common = (level == 1).then(|| missing_of(common.0, common.1));
        let stops = self.stops(point);
        self.candidates.push(Candidate { point, levels, level, common, stops });
    }

    /// The points that all these windows have in common.
    #[inline(always)]
    fn shared(&self, starts: u32) -> u32 {
        self.board.window(u32::BITS - 1 - starts.leading_zeros()) & self.board.window(starts.trailing_zeros())
    }

    #[inline]
    fn stops(&self, point: Point) -> u64 {
        self.enemy.iter().enumerate().fold(0, |set, (i, row)| set | u64::from(row.contains(point)) << i)
    }

    #[inline(always)]
    fn is_candidate(&self, point: Point) -> bool {
        self.seen[usize::from(point.y())] >> point.x() & 1 != 0
    }

    /// Whether there may be some.
    pub(super) fn may_exist(&self) -> bool {
        self.board.warm().next().is_some()
    }

    /// One that leaves more threats than can be stopped, if there is one.
    pub(super) fn triple(&self, free: &Free<impl Fn(Point) -> Option<Point>>) -> Option<Attack> {
        self.each(3, free, &mut |attack| {
            if attack.effect.level > 2 { ControlFlow::Break(attack) } else { ControlFlow::Continue(()) }
        })
    }

    /// All of them, each once, in no particular order; or one that leaves more threats than can be stopped.
    pub(super) fn list(&self, free: &Free<impl Fn(Point) -> Option<Point>>, out: &mut Vec<Attack>) -> Option<Attack> {
        self.each(2, free, &mut |attack| {
            out.push(attack);
            if attack.effect.level > 2 { ControlFlow::Break(attack) } else { ControlFlow::Continue(()) }
        })
    }

    /// All of them, each once, in no particular order.
    pub(super) fn all(&self) -> Vec<Attack> {
        let mut list = Vec::new();
        self.each(2, &Free::<fn(Point) -> Option<Point>>::Every, &mut |attack| {
            list.push(attack);
            ControlFlow::Continue(())
        });
        list
    }

    /// Calls `found` with those of at least this level.
    fn each(
        &self,
        least: u8,
        free: &Free<impl Fn(Point) -> Option<Point>>,
        found: &mut impl FnMut(Attack) -> Flow,
    ) -> Option<Attack> {
        let mut visit = |a: Point, b: Point, effect: Effect| -> Flow {
            if effect.level < least {
                return ControlFlow::Continue(());
            }
            found(Attack { stones: if a < b { [a, b] } else { [b, a] }, effect })
        };
        let flow = (|| {
            self.both_threaten(least, &mut visit)?;
            self.one_threatens(&mut visit)?;
            if least < 3 {
                self.neither_threatens(&mut visit)?;
            }
            self.alone(least, free, &mut visit)
        })();
        flow.break_value()
    }

    /// Two points of windows that lack three.
    fn both_threaten(&self, least: u8, visit: &mut impl FnMut(Point, Point, Effect) -> Flow) -> Flow {
        for (i, a) in self.candidates.iter().enumerate() {
            for b in &self.candidates[i + 1..] {
                if a.stops | b.stops != self.all {
                    continue;
                }
                let effect = match self.near(a.point, b.point) {
                    Some(direction) => self.effect_near(a, b, direction),
                    None if least > 2 && a.level + b.level < 3 => continue,
                    None => self.effect_apart(a, b),
                };
                visit(a.point, b.point, effect)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The direction in which two points may be in one window.
    #[inline(always)]
    fn near(&self, a: Point, b: Point) -> Option<usize> {
        let dx = i32::from(b.x()) - i32::from(a.x());
        let dy = i32::from(b.y()) - i32::from(a.y());
        let direction = match (dx, dy) {
            (_, 0) => 0,
            (0, _) => 1,
            _ if dx == dy => 2,
            _ if dx == -dy => 3,
            _ => return None,
        };
        (dx.abs().max(dy.abs()) < self.board.length as i32).then_some(direction)
    }

    /// What two points threaten that are in no window together.
    #[inline]
    fn effect_apart(&self, a: &Candidate, b: &Candidate) -> Effect {
        match (a.common, b.common) {
            (Some(one), Some(other)) => {
                let level = 2 - u8::from(one.points().iter().any(|&p| other.contains(p)));
                Effect { level, answers: (one.points().len() * other.points().len()) as u8 }
            }
            _ => self.exactly(a.point, b.point),
        }
    }

    /// What two points of a line threaten.
    fn effect_near(&self, a: &Candidate, b: &Candidate, direction: usize) -> Effect {
        let (line, on_line) = self.on_line(a.point, b.point, direction);
        if on_line == 0 {
            return self.effect_apart(a, b);
        }
        let (i, j) = (spots(a.point)[direction].at, spots(b.point)[direction].at);
        let level = self.board.level(on_line, line.empty & !(1 << i) & !(1 << j));
        // The lines through one of them share no other point.
        let (more_a, more_b) = (others(a, direction), others(b, direction));
        match level + more_a + more_b {
            3.. if more_a > 0 && more_b > 0 => self.exactly(a.point, b.point),
            sum => Effect { level: sum.min(3), answers: SOME },
        }
    }

    /// The windows that two points of a line would threaten with, by their first.
    #[inline(always)]
    fn on_line(&self, a: Point, b: Point, direction: usize) -> (Line, u32) {
        let (i, j) = (spots(a)[direction], spots(b)[direction]);
        let line = self.board.line(i.line);
        let (i, j) = (self.board.through(i.at), self.board.through(j.at));
        (line, line.threes & (i | j) | line.fours & i & j)
    }

    /// By listing it.
    fn exactly(&self, a: Point, b: Point) -> Effect {
        let mut rows = Rows::new();
        for (own, other, both) in [(a, b, true), (b, a, false)] {
            for (spot, elsewhere) in spots(own).into_iter().zip(spots(other)) {
                let line = self.board.line(spot.line);
                let mut starts = line.threes & self.board.through(spot.at);
                let mut rest = line.empty & !(1 << spot.at);
                if spot.line == elsewhere.line {
                    if both {
                        let (i, j) = (self.board.through(spot.at), self.board.through(elsewhere.at));
                        starts = line.threes & (i | j) | line.fours & i & j;
                    } else {
                        starts = 0;
                    }
                    rest &= !(1 << elsewhere.at);
                }
                let mut last = 0;
                for start in ones(starts) {
                    let missing = rest & self.board.window(start);
                    if missing != last && !rows.is_full() {
                        rows.push(missing_of(spot.line, missing));
                    }
                    last = missing;
                }
            }
        }
        Effect { level: level(&rows), answers: SOME }
    }

    /// A point of windows that lack three and one of windows that lack four, on one line.
    fn one_threatens(&self, visit: &mut impl FnMut(Point, Point, Effect) -> Flow) -> Flow {
        for a in self.candidates.iter() {
            for (direction, spot) in spots(a.point).into_iter().enumerate() {
                let line = self.board.line(spot.line);
                let through = self.board.through(spot.at);
                let fours = line.fours & through;
                if fours == 0 {
                    continue;
                }
                let more = others(a, direction);
                let rest = line.empty & !(1 << spot.at);
                for at in ones(self.board.cover(fours) & rest) {
                    let b = point(spot.line, at);
                    if self.is_candidate(b) || a.stops != self.all && a.stops | self.stops(b) != self.all {
                        continue;
                    }
                    let starts = line.threes & through | fours & self.board.through(at);
                    let level = more + self.board.level(starts, rest & !(1 << at));
                    if level > 1 {
                        visit(a.point, b, Effect { level: level.min(3), answers: SOME })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Two points of windows that lack four: neighbours, but for stones of the attacker's, or another point between them would be
    /// in all windows that have both. They make no three threats: the nearest points on either side are in all those windows.
    fn neither_threatens(&self, visit: &mut impl FnMut(Point, Point, Effect) -> Flow) -> Flow {
        for number in self.board.warm() {
            let line = self.board.line(number);
            let mut points = ones(line.empty);
            let Some(mut i) = points.next() else { continue };
            for j in points {
                let starts = line.fours & self.board.through(i) & self.board.through(j);
                let rest = line.empty & !(1 << i) & !(1 << j);
                let pair = [i, j];
                i = j;
                if starts == 0 || self.shared(starts) & rest != 0 {
                    continue;
                }
                let [a, b] = pair.map(|at| point(number, at));
                if !self.is_candidate(a) && !self.is_candidate(b) && self.stops(a) | self.stops(b) == self.all {
                    visit(a, b, Effect { level: self.board.level(starts, rest), answers: SOME })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A point that makes two threats or more, and another that stops the defender's, or goes elsewhere.
    fn alone(
        &self,
        least: u8,
        free: &Free<impl Fn(Point) -> Option<Point>>,
        visit: &mut impl FnMut(Point, Point, Effect) -> Flow,
    ) -> Flow {
        for a in self.candidates.iter().filter(|a| a.level >= least) {
            // Others have been looked at.
            let mut with = |b: Point| {
                let fresh = b != a.point && !self.is_candidate(b) && a.stops | self.stops(b) == self.all;
                if fresh && !self.share_fours(a.point, b) {
                    visit(a.point, b, Effect { level: a.level, answers: SOME })
                } else {
                    ControlFlow::Continue(())
                }
            };
            let unstopped = self.enemy.iter().enumerate().find(|(i, _)| a.stops >> i & 1 == 0);
            match (free, unstopped) {
                (Free::Every, _) => self.board.empty_points().try_for_each(with)?,
                (_, Some((_, row))) => row.points().iter().copied().try_for_each(with)?,
                (Free::One(free), None) => {
                    if let Some(b) = free(a.point) {
                        with(b)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether both points are in one window that lacks four.
    fn share_fours(&self, a: Point, b: Point) -> bool {
        self.near(a, b).is_some_and(|direction| {
            let (i, j) = (spots(a)[direction], spots(b)[direction]);
            self.board.line(i.line).fours & self.board.through(i.at) & self.board.through(j.at) != 0
        })
    }
}

/// What a candidate threatens in other directions.
#[inline(always)]
fn others(candidate: &Candidate, direction: usize) -> u8 {
    candidate.levels.iter().sum::<u8>() - candidate.levels[direction]
}
