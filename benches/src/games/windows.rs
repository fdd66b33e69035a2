//! What Gomoku positions are worth: windows of five points.

use gamecore::{Evaluator, Never, Outcome, Player, Track, Tracked};

use super::gomoku::{Gomoku, POINTS, SIDE};
use super::{Scaled, Valued, scaled};

/// How many windows there are: five points in a line, in four directions.
const WINDOWS: usize = 572;

/// For each point, the windows that it lies in, and how many they are.
static THROUGH: [([u16; 20], u8); POINTS] = through();

const fn through() -> [([u16; 20], u8); POINTS] {
    let mut lists = [([0; 20], 0u8); POINTS];
    let (mut window, mut direction) = (0, 0);
    while direction < 4 {
        // How far a window reaches to the right and down; the last direction falls to the left.
        let (width, height, step) = [(4, 0, 1), (0, 4, SIDE), (4, 4, SIDE + 1), (4, 4, SIDE - 1)][direction];
        let mut y = 0;
        while y + height < SIDE {
            let mut x = 0;
            while x + width < SIDE {
                let first = y * SIDE + x + if direction == 3 { 4 } else { 0 };
                let mut i = 0;
                while i < 5 {
                    let (list, count) = &mut lists[first + i * step];
                    list[*count as usize] = window;
                    *count += 1;
                    i += 1;
                }
                window += 1;
                x += 1;
            }
            y += 1;
        }
        direction += 1;
    }
    assert!(window as usize == WINDOWS);
    lists
}

/// The stones in a window: One's, and eight times Two's.
type Count = u8;

/// What a player's stone adds to one in [`Count`].
const STONE: [Count; 2] = [1, 8];

/// By player and the stones in a window: what one more of the player's changes for One.
static GAIN: [[i16; 64]; 2] = gain();

/// For One. A window with stones of both is worth nothing to anybody; five are the end of the game.
const fn worth(count: usize) -> i16 {
    let worth = [0, 1, 4, 16, 64, 0, 0, 0];
    match (count % 8, count / 8) {
        (ones, 0) => worth[ones],
        (0, twos) => -worth[twos],
        _ => 0,
    }
}

const fn gain() -> [[i16; 64]; 2] {
    let mut gains = [[0; 64]; 2];
    let mut count = 0;
    while count < 64 {
        let mut player = 0;
        while player < 2 {
            let next = count + STONE[player] as usize;
            if next < 64 {
                gains[player][count] = worth(next) - worth(count);
            }
            player += 1;
        }
        count += 1;
    }
    gains
}

/// The stones in every window, and what they are worth.
#[derive(Clone, Debug)]
pub struct Windows {
    counts: [Count; WINDOWS],
    /// For One.
    value: i32,
}

impl Windows {
    /// The windows through a point.
    #[inline(always)]
    fn through(m: u8) -> impl Iterator<Item = usize> {
        let (list, count) = &THROUGH[usize::from(m)];
        list[..usize::from(*count)].iter().map(|&window| usize::from(window))
    }

    /// The value once `player` has played `m`; `None` if that makes five.
    #[inline(always)]
    fn after(&self, player: Player, m: u8) -> Option<i32> {
        let (mut value, mut five) = (self.value, false);
        for window in Self::through(m) {
            let count = self.counts[window];
            value += i32::from(GAIN[player as usize][usize::from(count) % 64]);
            five |= count == 4 * STONE[player as usize];
        }
        (!five).then_some(value)
    }

    #[inline(always)]
    fn add(&mut self, player: Player, m: u8) {
        for window in Self::through(m) {
            let count = &mut self.counts[window];
            self.value += i32::from(GAIN[player as usize][usize::from(*count) % 64]);
            *count += STONE[player as usize];
        }
    }
}

impl Track<Gomoku> for Windows {
    fn of(game: &Gomoku) -> Self {
        let mut windows = Self { counts: [0; WINDOWS], value: 0 };
        for player in Player::BOTH {
            (0..POINTS).filter(|&at| game.has(player, at)).for_each(|at| windows.add(player, at as u8));
        }
        windows
    }

    #[inline(always)]
    fn played(&mut self, before: &Gomoku, m: u8) {
        self.add(before.mover(), m);
    }

    fn resolved(&mut self, _: &Gomoku, event: Never) {
        match event {}
    }
}

impl Valued for Tracked<Gomoku, Windows> {
    #[inline(always)]
    fn value(&self) -> i32 {
        let value = self.track().value;
        if self.game().mover() == Player::One { value } else { -value }
    }
}

impl Evaluator<Tracked<Gomoku, Windows>> for Scaled {
    #[inline(always)]
    fn value(&self, game: &Tracked<Gomoku, Windows>) -> f32 {
        scaled(Player::One, game.track().value)
    }

    #[inline(always)]
    fn after(&self, game: &Tracked<Gomoku, Windows>, m: u8) -> f32 {
        let player = game.game().mover();
        match game.track().after(player, m) {
            None => Outcome::win(player).points() as f32,
            Some(_) if game.game().is_all_but_full() => 0.0,
            Some(value) => scaled(Player::One, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Board;
    use gamecore::{Game, Turn, random};

    /// In random games: what is known without laying out the next position, what is kept up to date, and what is counted from
    /// scratch are the same.
    #[test]
    fn windows_follow_the_game() {
        let mut rng = random::generator(4);
        let (mut won, mut full) = (0, 0);
        for _ in 0..100 {
            let mut game = Tracked::<Gomoku, Windows>::start();
            while let Turn::Decide(_) = game.turn() {
                let m = game.random_move(&mut rng);
                let expected = Scaled.after(&game, m);
                game.play(m);
                let scratch = Windows::of(game.game());
                assert_eq!(scratch.counts, game.track().counts);
                assert_eq!(scratch.value, game.track().value);
                match game.turn() {
                    Turn::Over(outcome) => {
                        assert_eq!(expected, outcome.points() as f32);
                        *(if outcome == Outcome::Draw { &mut full } else { &mut won }) += 1;
                    }
                    _ => assert_eq!(expected, Evaluator::<Tracked<Gomoku, Windows>>::value(&Scaled, &game)),
                }
            }
        }
        assert!(won > 90, "{won} won, {full} full boards");
    }
}
