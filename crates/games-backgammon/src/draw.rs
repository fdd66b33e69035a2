//! The board as a picture.

use gamecore::{Draw, Ink, Outcome, Picture, Player, Step, StepOf};

use crate::setup::CHECKERS;
use crate::side::{BAR, OFF};
use crate::stakes::Cube;
use crate::state::{Backgammon, OPENING};

/// Checkers that are drawn on a point; of more, the last is a number.
const HEIGHT: u8 = 5;

/// What the last play left and entered, as places of the seat that made it.
struct Marks {
    seat: Player,
    left: u32,
    entered: u32,
}

impl Draw for Backgammon {
    /// Player One's home is at the bottom on the right, its checkers are `X`; Two's are `O`. Points are numbered as the
    /// seat to move numbers them, as its plays are written so. On the bar, One's checkers are drawn in the upper half
    /// and Two's in the lower, where they enter.
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        let mut marks = Marks { seat: self.mover.other(), left: 0, entered: 0 };
        if let Some(Step::Move(m)) = last {
            for step in m.steps() {
                marks.left |= 1 << (step.from - 1);
                marks.entered |= if step.to == 0 { 1 << OFF } else { 1 << (step.to - 1) };
            }
        }
        let mut picture = Picture::default();
        self.labels(&mut picture, true);
        for row in 0..HEIGHT {
            self.row(&mut picture, &marks, true, row);
        }
        picture.line();
        picture.put(" |                   |bar|                   |", Ink::Board, false);
        for row in (0..HEIGHT).rev() {
            self.row(&mut picture, &marks, false, row);
        }
        self.labels(&mut picture, false);
        self.words(&mut picture);
        picture
    }

    fn rules_text(&self) -> String {
        let stakes = self.stakes;
        let mut lines = vec![
            "One X goes from 24 down to 1 and off at the bottom right; Two O goes the other way and off at the top right.",
            "Each die moves one checker so many points; a double is played four times. Play as many dice as you can.",
            "If only one of two different dice can be played, it is the larger if possible; if none, you pass.",
            "Two enemy checkers block a point. A single one is hit: it goes to the bar.",
            "Who has checkers on the bar enters them first, as if from a 25th point.",
            "With all checkers in the last six points you bear off: a die takes one off its point, or the highest if it is larger.",
            "Who is off first wins. Before the other has one off it is a gammon and counts 2;",
            "with a checker of the loser in the winner's last six points, or on the bar, it is a backgammon and counts 3.",
        ];
        if stakes.is_jacoby() {
            lines.push("Jacoby rule: they count 1 while the cube is in the middle.");
        }
        if stakes.is_crawford() {
            lines.push("Crawford game: nobody doubles.");
        }
        lines.join("\n")
    }
}

/// A seat as it is shown.
const fn shown(seat: Player) -> (&'static str, &'static str, Ink) {
    match seat {
        Player::One => ("One X", "X", Ink::One),
        Player::Two => ("Two O", "O", Ink::Two),
    }
}

impl Backgammon {
    /// The twelve places of a half, from the left, as One numbers them.
    fn columns(upper: bool) -> impl Iterator<Item = u32> {
        (0..12).map(move |i| if upper { 12 + i } else { 11 - i })
    }

    fn labels(&self, picture: &mut Picture, upper: bool) {
        let mut line = String::from(" +");
        for (i, place) in Self::columns(upper).enumerate() {
            let number = if self.mover == Player::One { place + 1 } else { 24 - place };
            if i == 6 {
                line += "-+---+";
            }
            line += &format!("{number:->2}-");
        }
        picture.line();
        picture.put(line + "-+", Ink::Board, false);
    }

    /// A row of a half, counted from its edge.
    fn row(&self, picture: &mut Picture, marks: &Marks, upper: bool, row: u8) {
        picture.line();
        picture.put(" |", Ink::Board, false);
        for (i, place) in Self::columns(upper).enumerate() {
            if i == 6 {
                picture.put(" |", Ink::Board, false);
                let seat = if upper { Player::One } else { Player::Two };
                self.cell(picture, marks, &[(seat, BAR)], row);
                picture.put("|", Ink::Board, false);
            }
            self.cell(picture, marks, &[(Player::One, place), (Player::Two, 23 - place)], row);
        }
        picture.put(" |", Ink::Board, false);
        let seat = if upper { Player::Two } else { Player::One };
        if row == 0 && self.borne_off(seat) > 0 {
            let (_, sign, ink) = shown(seat);
            let strong = seat == marks.seat && marks.entered >> OFF & 1 != 0;
            picture.put(format!(" {} {sign} off", self.borne_off(seat)), ink, strong);
        }
    }

    /// The checker in a row of a place that either of these may have, in three columns.
    fn cell(&self, picture: &mut Picture, marks: &Marks, owners: &[(Player, u32)], row: u8) {
        let holder = owners.iter().find(|&&(seat, place)| self.side(seat).count(place) > 0);
        let left = row == 0 && owners.iter().any(|&(seat, place)| seat == marks.seat && marks.left >> place & 1 != 0);
        match holder {
            Some(&(seat, place)) if self.side(seat).count(place) > row => {
                let count = self.side(seat).count(place);
                let (_, sign, ink) = shown(seat);
                let top = row + 1 == count.min(HEIGHT);
                let strong = top && seat == marks.seat && marks.entered >> place & 1 != 0;
                let text = if row + 1 == HEIGHT && count > HEIGHT { format!("{count:>2} ") } else { format!(" {sign} ") };
                picture.put(text, ink, strong);
            }
            None if left => picture.put(" . ", Ink::Left, false),
            _ => picture.put("   ", Ink::Board, false),
        }
    }

    /// Who is to do what, the pips, and what is played for.
    fn words(&self, picture: &mut Picture) {
        picture.line();
        if self.phase == OPENING {
            picture.put("Each side throws one die: the higher starts", Ink::Board, false);
        } else {
            let (seat, news) = match (self.outcome(), self.dice()) {
                (Some(Outcome::Win { player, points }), _) => (player, self.victory(points)),
                (_, Some(roll)) => (self.mover, format!(" to move, the dice show {} and {}", roll.high(), roll.low())),
                _ => (self.mover, " to roll".into()),
            };
            let (name, _, ink) = shown(seat);
            picture.put(name, ink, false);
            picture.put(news, Ink::Board, false);
        }
        picture.line();
        let [one, two] = Player::BOTH.map(|seat| format!("{} {} pips", shown(seat).0, self.pips(seat)));
        picture.put(format!("{one}, {two}"), Ink::Board, false);
        let stakes = self.stakes;
        let [one, two] = stakes.score();
        let mut line = match stakes.length() {
            Some(1) => "To 1 point".into(),
            Some(length) => format!("To {length} points: {one}-{two}"),
            None if (one, two) == (0, 0) => String::new(),
            None => format!("Points so far: {one}-{two}"),
        };
        let mut add = |text: String| line += &format!("{}{text}", if line.is_empty() { "" } else { ", " });
        if stakes.is_crawford() {
            add("Crawford game".into());
        }
        match stakes.owner() {
            Cube::Centred if stakes.cube() == 1 => {}
            Cube::Centred => add(format!("cube {}", stakes.cube())),
            Cube::Owned(seat) => add(format!("cube {}, {seat:?}'s", stakes.cube())),
        }
        if !line.is_empty() {
            picture.line();
            picture.put(line, Ink::Board, false);
        }
    }

    /// How the game was won, as the end of a sentence.
    fn victory(&self, points: u16) -> String {
        let kind = match points {
            1 => "",
            2 => " a gammon",
            _ => " a backgammon",
        };
        let total = u32::from(points) * self.stakes.cube();
        format!(" has won{kind}: {total} point{}", if total == 1 { "" } else { "s" })
    }
}

const _: () = assert!(CHECKERS < 100);

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Game, Text};

    #[test]
    fn a_picture_shows_checkers_numbers_and_the_last_play() {
        let game: Backgammon = "00000503000050000000000200/00000603000040000000000200 one 42 7:3-2 2-two".parse().unwrap();
        let m = game.parse_move("8/4 6/4").unwrap();
        let picture = game.after(m).picture(Some(Step::Move(m)));
        let expected = " +12-11-10--9--8--7--+---+-6--5--4--3--2--1--+
 | X           O     |   | O              X  |
 | X           O     |   | O              X  |
 | X           O     |   | O                 |
 | X                 |   | O                 |
 | X                 |   | 6                 |
 |                   |bar|                   |
 |                   |   |                   |
 | O                 |   | X                 |
 | O                 |   | X                 |
 | O           X     |   | X     X        O  |
 | O           X     |   | X     X        O  |
 +13-14-15-16-17-18--+---+19-20-21-22-23-24--+
Two O to roll
One X 161 pips, Two O 160 pips
To 7 points: 3-2, cube 2, Two's
";
        assert_eq!(picture.to_string(), expected);
        let spans: Vec<_> = picture.lines.iter().flatten().collect();
        assert_eq!(spans.iter().filter(|s| s.strong).map(|s| s.text.as_str()).collect::<Vec<_>>(), [" X "]);
    }

    #[test]
    fn a_picture_tells_what_is_awaited_and_how_the_game_was_won() {
        for (position, words) in [
            ("00000503000050000000000200/00000503000050000000000200 opening", "the higher starts"),
            ("00000503000050000000000110/00000503000040000000000101 two 31", "Two O to move, the dice show 3 and 1"),
            ("0000000000000000000000000f/000000000000000000000000f0", "One X has won a backgammon: 3 points"),
            ("0000000000000000000000000f/000000f0000000000000000000 two - money 4-one", "One X has won a gammon: 8 points"),
            ("1000000000000000000000000e/0000000000000000000000000f one", "Two O has won: 1 point"),
            ("1000000000000000000000000e/100000000000000000000000e0 one", "14 X off"),
        ] {
            let picture = position.parse::<Backgammon>().unwrap().picture(None).to_string();
            assert!(picture.contains(words), "{picture}");
        }
    }

    #[test]
    fn the_rules_name_the_options_chosen() {
        let rules = |stakes: &str| {
            let text = format!("00000503000050000000000200/00000503000050000000000200 one - {stakes}");
            text.parse::<Backgammon>().unwrap().rules_text()
        };
        assert!(rules("money+jacoby").contains("Jacoby") && !rules("money").contains("Jacoby"));
        assert!(rules("7:6-2+crawford").contains("Crawford") && !rules("7:6-2").contains("Crawford"));
    }
}
