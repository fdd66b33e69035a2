//! The board as a picture.

use gamecore::{Draw, Ink, Outcome, Picture, Player, Step, StepOf};

use crate::rules::{Freedom, Variant};
use crate::state::Einstein;

impl Draw for Einstein {
    /// One's stones as `[1]`, Two's as `(1)`; squares are named as in moves.
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        let rules = self.rules();
        let size = rules.size();
        let (left, entered) = match last {
            Some(Step::Move(m)) => (m.from(), m.to()),
            _ => (None, None),
        };
        let mut picture = Picture::default();
        let columns: String = (0..size).map(|c| format!("  {} ", char::from(b'A' + c))).collect();
        picture.put(format!("   {columns}"), Ink::Board, false);
        for row in 0..size {
            let label = size - row;
            picture.line();
            picture.put(format!(" {label} "), Ink::Board, false);
            for square in row * size..(row + 1) * size {
                let strong = entered == Some(square);
                match self.stone_on(square) {
                    Some((Player::One, number)) => picture.put(format!("[{number}]"), Ink::One, strong),
                    Some((Player::Two, number)) => picture.put(format!("({number})"), Ink::Two, strong),
                    None if left == Some(square) => picture.put(" . ", Ink::Left, false),
                    None => picture.put(" . ", Ink::Board, false),
                }
                picture.put(" ", Ink::Board, false);
            }
            picture.put(format!("{label}"), Ink::Board, false);
        }
        picture.line();
        picture.put(format!("   {columns}"), Ink::Board, false);
        picture.line();
        let name = |seat| if seat == Player::One { ("One [ ]", Ink::One) } else { ("Two ( )", Ink::Two) };
        let (seat, news) = match self.outcome() {
            None => (Some(self.mover()), self.die().map_or(" to roll".into(), |face| format!(" to move, the die shows {face}"))),
            Some(Outcome::Win { player, .. }) => (Some(player), " has won".into()),
            Some(Outcome::Draw) => (None, "Drawn: the turns are used up".into()),
        };
        if let Some(seat) = seat {
            let (text, ink) = name(seat);
            picture.put(text, ink, false);
        }
        picture.put(news, Ink::Board, false);
        if let (Some(turns), None) = (self.turns_left(), self.outcome()) {
            picture.put(format!(", drawn in {turns} turn{}", if turns == 1 { "" } else { "s" }), Ink::Board, false);
        }
        picture
    }

    fn rules_text(&self) -> String {
        let rules = self.rules();
        let mut lines: Vec<String> = vec!["Who is to move rolls a die; it says which stone moves, one step.".into()];
        let mut say = |line: &str| lines.push(line.into());
        let (goal, all) = match rules.variant() {
            Variant::Standard => {
                say("One [ ] goes right, down, or both at once; Two ( ) left, up, or both.");
                say("If the die's stone is captured, the next lower or the next higher living number moves, as you like.");
                say("Whatever stands on the square entered is captured, own stones too.");
                say("Who reaches the opposite corner wins (One E1, Two A5), and who captures the last enemy.");
                return lines.join("\n");
            }
            Variant::FourByFour { freedom, capture_all } => {
                say("One [ ] goes up a row, straight or diagonally; Two ( ) goes down.");
                say("Own stones block, enemies are captured.");
                say(match freedom {
                    Freedom::Never => "If the die's stone is captured or blocked, you pass.",
                    Freedom::Missing => "If the die's stone is captured, any of yours may move; if it is blocked, you pass.",
                    Freedom::NoMove => "If the die's stone is captured or blocked, any of yours may move.",
                });
                ("Who reaches the far row wins", capture_all)
            }
            Variant::NineStones { freedom, capture_all } => {
                say("One [ ] goes up, Two ( ) goes down: forward, diagonally forward, sideways, or back.");
                say("Own stones block, enemies are captured.");
                say("If the die's stone is captured, any of yours may move, but not diagonally.");
                say(match freedom {
                    Freedom::NoMove => "If it is blocked, likewise.",
                    Freedom::Never | Freedom::Missing => "If it is blocked, you pass.",
                });
                ("Who reaches the far row wins", capture_all)
            }
        };
        say(&format!("{goal}{}.", if all { ", and who captures the last enemy" } else { "" }));
        if let Some(turns) = rules.turn_limit() {
            say(&format!("The game is drawn after {turns} turns, each player's move counted."));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Game, Text};

    #[test]
    fn a_picture_shows_squares_seats_and_the_last_move() {
        let g: Einstein = "123../45.../6...f/...ed/..cba one 4".parse().unwrap();
        let m = g.parse_move("A4-B3").unwrap();
        let picture = g.after(m).picture(Some(Step::Move(m)));
        let expected = "     A   B   C   D   E
 5 [1] [2] [3]  .   .  5
 4  .  [5]  .   .   .  4
 3 [6] [4]  .   .  (6) 3
 2  .   .   .  (5) (4) 2
 1  .   .  (3) (2) (1) 1
     A   B   C   D   E
Two ( ) to roll
";
        assert_eq!(picture.to_string(), expected);
        let spans: Vec<_> = picture.lines.iter().flatten().collect();
        assert_eq!(spans.iter().filter(|s| s.strong).map(|s| s.text.as_str()).collect::<Vec<_>>(), ["[4]"]);
        assert_eq!(spans.iter().filter(|s| s.ink == Ink::Left).count(), 1);
        let drawn: Einstein = "a..../...../...../...../1.... one - 5x5x9@9 0".parse().unwrap();
        assert!(drawn.picture(None).to_string().contains("Drawn"));
    }
}
