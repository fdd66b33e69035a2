//! GNU Backgammon's external player: what version 1.07.001 really sent, and what nobody should send.

use gamecore::{Game, Player};
use games_backgammon::eval::Baseline;
use games_backgammon::formats::gnubg::{parse_position_id, position_id};
use games_backgammon::{Backgammon, notation};
use proptest::prelude::*;
use protocols::MAX_LINE;
use protocols::gnubg::{Request, Server};
use search_core::Limits;
use search_expectimax::Expectimax;

/// Boards with the answers that it went on with: money and a match to 5, the player in either of its seats.
const RECORDED: &str = include_str!("data/gnubg_external.txt");

fn recorded() -> impl Iterator<Item = (&'static str, &'static str)> {
    RECORDED.lines().map(|line| line.split_once(" >").map(|(board, answer)| (board, answer.trim())).unwrap())
}

fn player() -> Expectimax<Backgammon, Baseline> {
    Expectimax::new(Baseline)
}

fn served(input: &[u8]) -> String {
    let mut output = Vec::new();
    Server::new(Limits::depth(1)).serve(&mut player(), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn recorded_boards_are_understood() {
    let (mut plays, mut rolls, mut doubles, mut passes) = (0, 0, 0, 0);
    for (board, answer) in recorded() {
        match Request::parse(board).unwrap() {
            Request::Roll(game) => {
                assert!(answer == "roll" && game.dice().is_none());
                rolls += 1;
            }
            Request::Double { game, .. } => {
                assert!(answer == "take" || answer == "drop");
                assert!(game.dice().is_none() && game.outcome().is_none());
                doubles += 1;
            }
            Request::Play(game) => {
                let text = if answer.is_empty() { "pass" } else { answer };
                passes += u32::from(answer.is_empty());
                assert!(notation::parse(&game, text).is_ok(), "{board}: {answer}");
                plays += 1;
            }
            Request::Best(_) => panic!("{board}"),
        }
    }
    assert!(plays >= 20 && rolls >= 2 && doubles >= 9 && passes >= 3, "{plays} {rolls} {doubles} {passes}");
}

/// With the signs read the other way round, the same answers are no plays.
#[test]
fn the_negative_checkers_are_the_movers_if_the_turn_is_negative() {
    let mut misread = 0;
    for (board, answer) in recorded().filter(|(_, answer)| answer.contains('/')) {
        let mut fields: Vec<String> = board.split(':').map(String::from).collect();
        let turn: i32 = fields[32].parse().unwrap();
        let mover = if turn < 0 { Player::Two } else { Player::One };
        let Request::Play(game) = Request::parse(board).unwrap() else { panic!("{board}") };
        assert_eq!(game.mover(), mover);
        fields[32] = (-turn).to_string();
        if let Ok(Request::Play(other)) = Request::parse(&fields.join(":")) {
            misread += u32::from(notation::parse(&other, answer).is_err());
        }
    }
    assert!(misread >= 15, "{misread}");
}

#[test]
fn every_answer_is_one_that_is_accepted() {
    let mut input = Vec::new();
    for (board, _) in recorded() {
        // As they come: each line's zero byte before the next.
        input.extend_from_slice(board.as_bytes());
        input.extend_from_slice(b"\n\0");
    }
    let output = served(&input);
    assert_eq!(output.lines().count(), recorded().count());
    for (answer, (board, _)) in output.lines().zip(recorded()) {
        match Request::parse(board).unwrap() {
            Request::Roll(_) => assert_eq!(answer, "roll"),
            Request::Double { .. } => assert!(["take", "drop"].contains(&answer)),
            Request::Play(game) => {
                let best = notation::parse(&game, if answer.is_empty() { "pass" } else { answer }).unwrap();
                assert_eq!(best.is_pass(), answer.is_empty());
            }
            Request::Best(_) => panic!("{board}"),
        }
    }
}

/// Who is far behind drops, who is not takes, and who would lose the match takes whatever comes.
#[test]
fn doubles_are_answered_from_the_right_side() {
    // A race: the positive side, bearing off, against fifteen checkers on the other's 11- to 13-points. Its turn is 1 or -1.
    let board = |game: &str, turn: i32| {
        let mut places = [0; 26];
        places[1..7].fill(2);
        places[12..15].fill(-5);
        let places = places.map(|n: i32| n.to_string()).join(":");
        format!("board:a:b:{game}:{places}:{turn}:0:0:0:0:1:1:1:1:1:-1:0:25:3:0:0:0:0:0:0:1")
    };
    assert_eq!(served(board("0:0:0", 1).as_bytes()), "drop\n");
    // To 3 points, the doubler at 2: passing loses the match. At 0 it does not.
    assert_eq!(served(board("3:2:0", 1).as_bytes()), "take\n");
    assert_eq!(served(board("3:0:2", 1).as_bytes()), "drop\n");
    // Offered by the side that is behind.
    assert_eq!(served(board("0:0:0", -1).as_bytes()), "take\n");
}

#[test]
fn best_lines_are_answered_by_the_same_side() {
    let output = served(b"best 4HPwATDgc/ABMA 3 1\nbest 4HPwATDgc/ABMA 1 3\r\n\nbest 4HPwATDgc/ABMA 6 5\nquit\nbest\n");
    let ids: Vec<&str> = output.lines().collect();
    assert_eq!(ids.len(), 3);
    assert_eq!(ids[0], ids[1]);
    let start = parse_position_id("4HPwATDgc/ABMA", Player::One).unwrap();
    let rolled: Backgammon = format!("{} one 65", start.board_text()).parse().unwrap();
    let after = rolled.after(notation::parse(&rolled, "24/13").unwrap());
    let seen = parse_position_id(ids[2], Player::One).unwrap();
    assert_eq!(seen.board(Player::One), after.board(Player::One));
    assert_eq!(seen.board(Player::Two), after.board(Player::Two));
    // The last checker off, and a side that cannot move.
    let last: Backgammon = "1000000000000000000000000e/1000000000000000000000000e one".parse().unwrap();
    let won = served(format!("best {} 2 1", position_id(&last)).as_bytes());
    assert_eq!(parse_position_id(won.trim(), Player::One).unwrap().borne_off(Player::One), 15);
    let shut: Backgammon = "00000503000050000000000020/22222230000000000000000000 one".parse().unwrap();
    assert_eq!(served(format!("best {} 2 1", position_id(&shut)).as_bytes()).trim(), position_id(&shut));
}

#[test]
fn broken_lines_are_told_and_survived() {
    let good = "best 4HPwATDgc/ABMA 3 1";
    let over =
        "board:a:b:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-1:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:15:14:0:0:0:0:0:1";
    for (line, reason) in [
        ("hello", "\"hello\" is not understood: I know best ID D1 D2"),
        ("best", "is not understood"),
        ("best 4HPwATDgc/ABMA 3", "is not understood"),
        ("best 4HPwATDgc/ABMA 3 1 1", "is not understood"),
        ("best 4HPwATDgc/ABMA 0 1", "\"0\" is not a die: 1 to 6"),
        ("best 4HPwATDgc/ABMA 3 11", "\"11\" is not a die"),
        ("best 4HPwATDgc/ABM 3 1", "is not a position id"),
        ("best ////////////// 3 1", ""),
        ("best AAAAAAAAAAAAAA 3 1", ""),
        ("board:", "a board of FIBS"),
        ("board:a:b:0", "a board of FIBS"),
        (over, "the game is over"),
        ("\u{1b}[2J", "\\u{1b}[2J"),
    ] {
        let output = served(format!("{line}\n{good}\n").as_bytes());
        let (error, rest) = output.split_once('\n').unwrap();
        assert!(error.starts_with("Error (") && error.ends_with(')') && error.contains(reason), "{line}: {error}");
        assert_eq!(rest, "4HPwATCwZ/ABMA\n", "{line}");
        assert!(!output.contains('\u{1b}'));
    }
    let long = format!("{}\n{good}", "x".repeat(MAX_LINE + 1));
    assert_eq!(served(long.as_bytes()), format!("Error (a line has at most {MAX_LINE} bytes)\n4HPwATCwZ/ABMA\n"));
    // Who sends nothing but nonsense is left in the end.
    assert_eq!(served(format!("{}{good}", "x\n".repeat(5000)).as_bytes()).lines().count(), 1000);
}

proptest! {
    #[test]
    fn no_line_breaks_it(line in "(board:|best )?[-a-zA-Z0-9/+: \\x00]{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        served(line.as_bytes());
        served(&bytes);
    }

    /// Recorded boards with a field replaced.
    #[test]
    fn no_field_breaks_it(which in any::<usize>(), field in 0usize..53, value in prop_oneof![(-20i32..20).prop_map(|n| n.to_string()), "[0-9]{1,30}", ".{0,3}"]) {
        let boards: Vec<&str> = recorded().map(|(board, _)| board).collect();
        let mut fields: Vec<&str> = boards[which % boards.len()].split(':').collect();
        fields[field] = &value;
        served(fields.join(":").as_bytes());
    }
}
