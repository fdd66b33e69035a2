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
            Some(Outcome::Win { player, .. }) => (Some(player), self.reason(player)),
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
        let mut lines =
            vec![format!("You play by the rules {rules}."), "Each turn a die says which stone moves; it moves one step.".into()];
        let mut say = |line: &str| lines.push(line.into());
        let capture_all = match rules.variant() {
            Variant::Standard => {
                say("One [ ] goes right, down, or both at once; Two ( ) goes left, up, or both at once.");
                say("If the die's stone is captured, the next lower or the next higher living number moves, as you like.");
                say("Whatever stands on the square entered is captured, own stones too. Nothing blocks.");
                say("Who reaches the opposite corner wins (One E1, Two A5), and who captures the last enemy.");
                say("There is always a move: no passes and no draws.");
                return lines.join("\n");
            }
            Variant::FourByFour { freedom, capture_all } => {
                say("One [ ] goes up, Two ( ) goes down: one row forward, straight or diagonally.");
                say("Own stones block; an enemy on the square entered is captured.");
                say(match freedom {
                    Freedom::Never => "If the die's stone is captured or blocked, you pass.",
                    Freedom::Missing => {
                        "+missing: if the die's stone is captured, any of yours may move; if it is blocked, you pass."
                    }
                    Freedom::NoMove => "+nomove: if the die's stone is captured or blocked, any of yours may move.",
                });
                capture_all
            }
            Variant::NineStones { freedom, capture_all } => {
                say("One [ ] goes up, Two ( ) goes down: forward, diagonally forward, sideways, or straight back.");
                say("Own stones block; an enemy on the square entered is captured.");
                say(match freedom {
                    Freedom::NoMove => {
                        "If the die's stone is captured, or (+free) if it is blocked, any of yours may move, but not diagonally."
                    }
                    Freedom::Never | Freedom::Missing => {
                        "If the die's stone is captured, any of yours may move, but not diagonally; if it is blocked, you pass."
                    }
                });
                capture_all
            }
        };
        say("A pass moves nothing; it is the only move of who has no step.");
        say(if capture_all {
            "Who reaches the far row wins; +capture-all: and who captures the last enemy."
        } else {
            "Who reaches the far row wins; who has no stones left can only pass."
        });
        match rules.turn_limit() {
            Some(turns) => say(&format!("@{turns}: the game is drawn after {turns} turns, each move and each pass counted.")),
            None => say("There are no draws."),
        }
        lines.join("\n")
    }
}

impl Einstein {
    /// How `winner` won, as the end of a sentence.
    fn reason(&self, winner: Player) -> String {
        let goal = self.rules().tables().goal[winner];
        match self.stones(winner).find(|stone| goal >> stone.1 & 1 != 0) {
            Some((_, square)) => format!(" has won by reaching {}", self.rules().square_name(square)),
            None if self.stones(winner.other()).next().is_none() => " has won by capturing every stone".into(),
            None => " has won".into(),
        }
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

    #[test]
    fn a_picture_tells_how_the_game_was_won_and_when_it_is_drawn() {
        for (position, words) in [
            ("a..../...../..1../...../.....", "Two ( ) has won by reaching A5"),
            ("...../...../..1../...../.....", "One [ ] has won by capturing every stone"),
            ("a..../...../...../...../1.... one - 5x5x9@9 1", ", drawn in 1 turn\n"),
            ("a..../...../...../...../1.... one - 5x5x9@9 2", ", drawn in 2 turns\n"),
        ] {
            let picture = position.parse::<Einstein>().unwrap().picture(None).to_string();
            assert!(picture.contains(words), "{picture}");
        }
    }

    #[test]
    fn the_rules_name_the_options_chosen() {
        for word in ["standard", "4x4", "4x4+missing", "4x4+nomove+capture-all@30", "5x5x9", "5x5x9+free+capture-all@60"] {
            let text = Einstein::start(word.parse().unwrap()).rules_text();
            assert!((4..=8).contains(&text.lines().count()), "{text}");
            let rest = text.split_once('\n').unwrap().1;
            for option in ["+missing", "+nomove", "+free", "+capture-all"] {
                assert_eq!(rest.contains(option), word.contains(option), "{word}: {text}");
            }
        }
    }
}
