//! The board as a picture.

use gamecore::{Draw, Ink, Outcome, Picture, Player, Step, StepOf, Text};

use crate::rules::Rule;
use crate::state::Gomoku;

impl Draw for Gomoku {
    /// One's stones as `X`, Two's as `O`; points are named as in moves. The last stone stands in brackets.
    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        let board = self.board();
        let size = board.size();
        let last = last.and_then(|Step::Move(m)| Some(m).filter(|&m| board.holds(m)));
        let mut picture = Picture::default();
        let columns: String = (0..size).map(|x| format!(" {}", char::from(b'a' + x))).collect();
        picture.put(format!("   {columns}"), Ink::Board, false);
        for point in board.points() {
            let row = size - point.y();
            if point.x() == 0 {
                picture.line();
                picture.put(format!(" {row:2}"), Ink::Board, false);
            }
            let strong = last == Some(point);
            let before = last.is_some_and(|m| m.y() == point.y() && m.x() + 1 == point.x());
            let gap = if strong {
                "("
            } else if before {
                ")"
            } else {
                " "
            };
            picture.put(gap, Ink::Board, false);
            match board.stone(point) {
                Some(Player::One) => picture.put("X", Ink::One, strong),
                Some(Player::Two) => picture.put("O", Ink::Two, strong),
                None => picture.put(".", Ink::Board, false),
            }
            if point.x() + 1 == size {
                picture.put(format!("{}{row}", if strong { ")" } else { " " }), Ink::Board, false);
            }
        }
        picture.line();
        picture.put(format!("   {columns}"), Ink::Board, false);
        picture.line();
        let (seat, news) = match self.outcome() {
            None => (Some(self.mover()), " to move"),
            Some(Outcome::Win { player, .. }) => (Some(player), " has won with a row"),
            Some(Outcome::Draw) => (None, "Drawn: no move is left"),
        };
        if let Some(seat) = seat {
            let (text, ink) = if seat == Player::One { ("One X", Ink::One) } else { ("Two O", Ink::Two) };
            picture.put(text, ink, false);
        }
        picture.put(news, Ink::Board, false);
        picture
    }

    fn rules_text(&self) -> String {
        let size = self.board().size();
        let rows = match self.rule() {
            Rule::Freestyle => "Five or more of your stones in a row win: across, down or along a diagonal.",
            Rule::Standard => {
                "Exactly five of your stones in a row win: across, down or along a diagonal. Six or more are worth nothing."
            }
            Rule::Renju => {
                "One wins with exactly five in a row, Two with five or more: across, down or along a diagonal.\n\
                 One may not make six in a row, two fours at once, or two open threes at once, unless that makes five."
            }
            Rule::Caro => {
                "Exactly five of your stones in a row win: across, down or along a diagonal. Six or more are worth nothing.\n\
                 A five with enemy stones at both ends is worth nothing either; the edge of the board closes no end."
            }
        };
        format!(
            "You play {} by the rules {}.\nOne X and Two O take turns to put a stone on an empty point of {size}x{size}; stones stay.\n\
             {rows}\nIf nobody can move any more, the game is drawn.",
            Self::NAME,
            self.rule()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Game;

    #[test]
    fn a_picture_shows_points_seats_and_the_last_move() {
        let game: Gomoku = "5/1x3/2o2/5/5 one".parse().unwrap();
        let picture = |name: &str| {
            let m = game.parse_move(name).unwrap();
            game.after(m).picture(Some(Step::Move(m)))
        };
        let expected = "    a b c d e
  5 . . . . . 5
  4 . X(X). . 4
  3 . . O . . 3
  2 . . . . . 2
  1 . . . . . 1
    a b c d e
Two O to move
";
        assert_eq!(picture("c4").to_string(), expected);
        assert!(picture("e2").to_string().contains(". .(X)2"));
        let strong: Vec<_> = picture("c4").lines.into_iter().flatten().filter(|s| s.strong).collect();
        assert_eq!((strong.len(), strong[0].ink), (1, Ink::One));
    }

    #[test]
    fn a_picture_tells_how_the_game_ended() {
        for (position, words) in [
            ("xxxxx/5/5/5/5 two", "One X has won with a row"),
            ("5/ooooo/5/5/5 one", "Two O has won with a row"),
            ("xoxox/xoxox/oxoxo/oxoxo/xoxox two", "Drawn"),
        ] {
            let picture = position.parse::<Gomoku>().unwrap().picture(None).to_string();
            assert!(picture.contains(words), "{picture}");
        }
    }

    #[test]
    fn the_rules_are_those_of_the_rule_set() {
        for (rule, words) in [
            (Rule::Freestyle, "Five or more of your"),
            (Rule::Standard, "Exactly five"),
            (Rule::Renju, "two open threes"),
            (Rule::Caro, "enemy stones at both ends"),
        ] {
            let text = Gomoku::start(rule, 19).unwrap().rules_text();
            assert!(text.contains(words) && text.contains("19x19") && text.contains(&rule.to_string()), "{text}");
        }
    }
}
