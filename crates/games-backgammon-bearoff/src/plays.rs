//! Plays of a side that nobody stands in the way of.

use gamecore::{ROLLS, Roll};

use crate::params::Packed;

/// The home board's points.
const HOME: u32 = 6;

/// Where one checker's step by a die leads. There always is one, unless all are off: then nothing is left to be done.
fn steps(position: Packed, die: u32, out: &mut Vec<Packed>) {
    let Some(highest) = position.checked_ilog2() else { return out.push(0) };
    let highest = highest / 4;
    for from in 0..=highest {
        let checker = 1 << (4 * from);
        if position >> (4 * from) & 15 == 0 {
            continue;
        }
        if from >= die {
            out.push(position - checker + (checker >> (4 * die)));
        } else if highest < HOME && (from + 1 == die || from == highest) {
            out.push(position - checker);
        }
    }
}

/// Lists of positions, kept to be filled again.
#[derive(Default)]
pub(crate) struct Plays {
    list: Vec<Packed>,
    next: Vec<Packed>,
}

impl Plays {
    /// The distinct positions after a roll, in ascending order.
    pub(crate) fn of(&mut self, position: Packed, roll: Roll) -> &[Packed] {
        let (high, low) = (u32::from(roll.high()), u32::from(roll.low()));
        self.list.clear();
        self.list.push(position);
        if roll.is_double() {
            (0..4).for_each(|_| self.step(high));
        } else {
            self.step(high);
            self.step(low);
            let high_first = core::mem::take(&mut self.list);
            self.list.push(position);
            self.step(low);
            self.step(high);
            self.list.extend(high_first);
            self.sort();
        }
        &self.list
    }

    fn step(&mut self, die: u32) {
        self.next.clear();
        for &position in &self.list {
            steps(position, die, &mut self.next);
        }
        core::mem::swap(&mut self.list, &mut self.next);
        self.sort();
    }

    fn sort(&mut self) {
        self.list.sort_unstable();
        self.list.dedup();
    }
}

/// The rolls and their probabilities.
pub(crate) fn rolls() -> impl Iterator<Item = (Roll, f64)> {
    ROLLS.iter().copied()
}
