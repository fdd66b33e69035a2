use arrayvec::ArrayVec;

use crate::{Chance, D6, Event, Game, Outcome, Player, Text, TextError, TextKind, Turn};

/// The dice game Pig: roll as often as you dare, and hold to keep the sum; a 1 loses it. First to the target wins.
///
/// One player decides many times in a row; a turn that is lost leads back to positions that have been there, so a game
/// can be long, but random play ends with probability one. At the start of a turn rolling is the only move; the game is
/// over as soon as the sum suffices.
///
/// As text: `20: 7 12 one +5`, the target, what both have, who is to move and has rolled what this turn; ` rolling` at
/// the end if the die is in the air. Moves are `roll` and `hold`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pig {
    banked: [u16; 2],
    sum: u16,
    target: u16,
    mover: Player,
    rolling: bool,
}

/// A decision at [`Pig`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PigMove {
    /// Roll the die.
    Roll,
    /// Bank the sum and end the turn.
    Hold,
}

impl Pig {
    /// The highest target.
    pub const MAX_TARGET: u16 = 10_000;

    /// A new game to `target`; One begins.
    ///
    /// # Panics
    /// If the target is 0 or above [`MAX_TARGET`](Self::MAX_TARGET).
    #[must_use]
    pub const fn new(target: u16) -> Self {
        assert!(1 <= target && target <= Self::MAX_TARGET);
        Self { banked: [0; 2], sum: 0, target, mover: Player::One, rolling: false }
    }

    /// The same game with so much banked.
    ///
    /// # Panics
    /// If somebody has reached the target.
    #[must_use]
    pub fn with_banked(self, one: u16, two: u16) -> Self {
        assert!(one.max(two) < self.target);
        Self { banked: [one, two], ..self }
    }

    /// What this player has banked.
    #[must_use]
    pub const fn banked(self, player: Player) -> u16 {
        self.banked[player.index()]
    }

    /// What has been rolled this turn.
    #[must_use]
    pub const fn sum(self) -> u16 {
        self.sum
    }

    fn pass_on(&mut self) {
        self.sum = 0;
        self.mover = self.mover.other();
    }
}

impl Game for Pig {
    type Move = PigMove;
    type Moves = ArrayVec<PigMove, 2>;
    type Chance = D6;

    fn turn(&self) -> Turn<D6> {
        if self.rolling {
            Turn::Chance(D6)
        } else if self.banked[self.mover] + self.sum >= self.target {
            Turn::Over(Outcome::win(self.mover))
        } else {
            Turn::Decide(self.mover)
        }
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.push(PigMove::Roll);
        if self.sum > 0 {
            out.push(PigMove::Hold);
        }
    }

    fn play(&mut self, m: PigMove) {
        match m {
            PigMove::Roll => self.rolling = true,
            PigMove::Hold => {
                self.banked[self.mover] += self.sum;
                self.pass_on();
            }
        }
    }

    fn resolve(&mut self, face: u8) {
        self.rolling = false;
        if face == 1 { self.pass_on() } else { self.sum += u16::from(face) }
    }
}

const FORM: &str = "a position looks like \"20: 7 12 one +5\" or \"20: 7 12 one +5 rolling\"";

impl Text for Pig {
    const NAME: &'static str = "pig";

    fn position_text(&self) -> String {
        let Self { banked: [one, two], sum, target, mover, rolling } = self;
        let mover = ["one", "two"][mover.index()];
        format!("{target}: {one} {two} {mover} +{sum}{}", if *rolling { " rolling" } else { "" })
    }

    fn parse_position(text: &str) -> Result<Self, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (head, rolling) = match words[..] {
            [ref head @ .., "rolling"] => (head, true),
            ref head => (head, false),
        };
        let number = |word: &str| word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse::<u16>().ok()).flatten();
        let read = || {
            let &[target, one, two, mover, sum] = head else { return None };
            let mover = Player::BOTH[["one", "two"].iter().position(|&name| name == mover)?];
            let banked = [number(one)?, number(two)?];
            Some(Self {
                banked,
                sum: number(sum.strip_prefix('+')?)?,
                target: number(target.strip_suffix(':')?)?,
                mover,
                rolling,
            })
        };
        let pig = read().ok_or_else(|| TextError::unreadable(TextKind::Position, text, FORM))?;
        let forbidden = |reason: &str| Err(TextError::forbidden(TextKind::Position, text, reason));
        let Self { banked, sum, target, mover, .. } = pig;
        if !(1..=Self::MAX_TARGET).contains(&target) {
            forbidden("the target is 1 to 10000")
        } else if banked.iter().any(|&b| b >= target) {
            forbidden("nobody banks the target: the game ends before")
        } else if sum == 1 {
            forbidden("a 1 adds nothing to the sum of a turn")
        } else if sum > target - banked[mover] + 5 || rolling && sum >= target - banked[mover] {
            forbidden("the turn's sum goes on after the target was reached")
        } else {
            Ok(pig)
        }
    }

    fn move_text(&self, m: PigMove) -> String {
        match m {
            PigMove::Roll => "roll".into(),
            PigMove::Hold => "hold".into(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<PigMove, TextError> {
        let forbidden = |reason: &str| Err(TextError::forbidden(TextKind::Move, text, reason));
        match (text, self.turn()) {
            ("roll" | "hold", Turn::Over(_)) => forbidden("the game is over"),
            ("roll" | "hold", Turn::Chance(_)) => forbidden("the die is rolling"),
            ("hold", _) if self.sum == 0 => forbidden("there is nothing to hold yet"),
            ("roll", _) => Ok(PigMove::Roll),
            ("hold", _) => Ok(PigMove::Hold),
            _ => Err(TextError::unreadable(TextKind::Move, text, "the moves are \"roll\" and \"hold\"")),
        }
    }

    fn event_text(&self, event: Event<Self>) -> String {
        event.to_string()
    }

    fn parse_event(&self, text: &str) -> Result<u8, TextError> {
        let face = D6.events().iter().map(|e| e.0).find(|face| face.to_string() == text);
        let face = face.ok_or_else(|| TextError::unreadable(TextKind::Event, text, "a die shows 1 to 6"))?;
        if self.rolling { Ok(face) } else { Err(TextError::forbidden(TextKind::Event, text, "nothing is rolling")) }
    }
}
