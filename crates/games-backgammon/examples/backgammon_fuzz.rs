//! Feeds spoiled texts to everything here that reads text:
//! ```text
//! cargo run --release -p games-backgammon --example backgammon_fuzz -- [INPUTS] [SEED] [FILE.mat|FILE.sgf ...]
//! ```
//! An input is a valid text of a random position, play, roll or match with some pieces replaced, repeated, cut out or
//! taken from another text; some are random characters. Nothing may panic; what is read has to come back equal when it
//! is written and read again, in each format that can hold it, and plays have to be legal. Files are spoiled too. It
//! stops at the first fault, and tells how many inputs of each kind were read, and the longest time for one.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use gamecore::random::{below, generator};
use gamecore::{Chance, Game, Player, Text, Turn};
use games_backgammon::formats::game::{self, Action, Match};
use games_backgammon::formats::{fibs, gnubg, mat, sgf, xgid};
use games_backgammon::{Backgammon, Cube, Setup, Stakes, notation};
use rand::Rng;
use rand::rngs::Xoshiro256PlusPlus as Random;

/// What reads an input.
const KINDS: [&str; 9] = ["position", "gnubg", "xgid", "fibs", "play", "roll", "set-up", "mat", "sgf"];
/// The first of those that read matches.
const MATCH: usize = 7;
/// Every so many inputs, one is a match.
const MATCHES: usize = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let inputs: u64 = args.first().map_or(Ok(1_000_000), |n| n.parse())?;
    let rng = &mut generator(args.get(1).map_or(Ok(1), |n| n.parse())?);
    let mut files = [Vec::new(), Vec::new()];
    for name in args.iter().skip(2) {
        files[usize::from(name.ends_with("sgf"))].push(std::fs::read_to_string(name)?);
    }
    let (mut tried, mut accepted) = ([0u64; KINDS.len()], [0u64; KINDS.len()]);
    let (mut longest, mut slowest) = (Duration::ZERO, String::new());
    let (mut game, mut texts) = (position(rng), Vec::new());
    for n in 0..inputs {
        if n % 64 == 0 {
            game = position(rng);
            texts = texts_of(&game, rng);
        }
        let (kind, text) = if below(rng, MATCHES) == 0 {
            let sgf = below(rng, 2);
            (MATCH + sgf, record(sgf == 1, &files[sgf], rng))
        } else {
            let kind = below(rng, MATCH);
            // Mostly a text that this kind reads.
            let own = (0..8).map(|_| &texts[below(rng, texts.len())]).find(|text| text.0 == kind);
            (kind, own.unwrap_or(&texts[below(rng, texts.len())]).1.clone())
        };
        let text = spoiled(&text, &texts, rng);
        let clock = Instant::now();
        let read = catch_unwind(AssertUnwindSafe(|| check(KINDS[kind], &game, &text)));
        let took = clock.elapsed();
        let fault = match read {
            Ok(Ok(read)) => {
                tried[kind] += 1;
                accepted[kind] += u64::from(read);
                None
            }
            Ok(Err(fault)) => Some(fault),
            Err(_) => Some("it panicked".into()),
        };
        if let Some(fault) = fault {
            return Err(format!("input {n}, read as {}: {fault}\nposition: {game}\n{text:?}", KINDS[kind]).into());
        }
        if took > longest {
            (longest, slowest) = (took, format!("{} of {} bytes", KINDS[kind], text.len()));
        }
    }
    for (i, kind) in KINDS.iter().enumerate() {
        println!("{kind}: {} inputs, {} read", tried[i], accepted[i]);
    }
    println!("longest: {longest:?}, a {slowest}");
    Ok(())
}

/// Reads `text`. `Ok`: whether it was accepted.
fn check(kind: &str, game: &Backgammon, text: &str) -> Result<bool, String> {
    let position = |read: Option<Backgammon>| read.map_or(Ok(false), |read| written_and_read(&read).map(|()| true));
    match kind {
        "position" => position(text.parse().ok()),
        "gnubg" => position(gnubg::parse(text).ok()).and(position(gnubg::parse_position_id(text, Player::Two).ok())),
        "xgid" => position(xgid::parse(text).ok()),
        "fibs" => position(fibs::parse(text).ok().map(|board| board.game)),
        "play" => match (notation::parse(game, text), game.parse_move(text)) {
            (Ok(play), Ok(again)) if play == again => {
                same("the play", notation::parse(game, &notation::text(game, play)), &play)?;
                let mut next = *game;
                next.try_play(play).map_err(|e| e.to_string()).map(|()| true)
            }
            (Err(_), Err(_)) => Ok(false),
            _ => Err("the two ways of reading a play disagree".into()),
        },
        "roll" => match game.parse_event(text) {
            Ok(event) => {
                let mut next = *game;
                next.try_resolve(event).map_err(|e| e.to_string()).map(|()| true)
            }
            Err(_) => Ok(false),
        },
        "set-up" => Ok(text.parse::<Setup>().is_ok()),
        "mat" => mat::parse(text).map_or(Ok(false), |read| rewritten(&read).map(|()| true)),
        _ => sgf::parse(text).map_or(Ok(false), |read| rewritten(&read).map(|()| true)),
    }
}

/// Writes a position in all formats and reads it again.
fn written_and_read(game: &Backgammon) -> Result<(), String> {
    same("the position", game.to_string().parse(), game)?;
    // They count what is missing as off, of 15, and have no throw that decides who starts.
    let whole = Player::BOTH.iter().all(|&seat| game.board(seat).iter().sum::<u8>() == 15);
    let others = [gnubg::text(game), xgid::text(game)];
    let board = fibs::Board { game: *game, names: ["a".into(), "b".into()] };
    let fibs = fibs::text(&board);
    if whole && !game.is_opening() {
        same("the Match ID", gnubg::parse(&others[0]), game)?;
        same("the XGID", xgid::parse(&others[1]), game)?;
        if game.outcome().is_none() && !game.stakes().is_jacoby() {
            same("the board of FIBS", fibs::parse(&fibs), &board)?;
        }
    }
    Ok(())
}

/// Writes a match in both formats and reads it again.
fn rewritten(read: &Match) -> Result<(), String> {
    let text = mat::text(read).map_err(|e| format!("it is read, but cannot be written: {e}"))?;
    let again = mat::parse(&text).map_err(|e| format!("what is written is refused: {e}\n{text}"))?;
    // Names are made fit for their line.
    let named = Match { names: again.names.clone(), ..read.clone() };
    same("the match text", Ok::<_, String>(again), &named)?;
    if !read.games.is_empty() {
        let text = sgf::text(read).map_err(|e| format!("it is read, but cannot be written: {e}"))?;
        same("the game record", sgf::parse(&text), read)?;
    }
    for (i, game) in read.games.iter().enumerate() {
        let states = game.states(read, i).map_err(|e| format!("game {i} cannot be played: {e}"))?;
        let record = read.record(i).map_err(|e| format!("game {i} is no record: {e}"))?;
        let (last, end) = (states.last().map(Backgammon::board_text), record.history().state().board_text());
        same("the record's end", Ok::<_, String>(Some(end)), &last)?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug, E: std::fmt::Display>(what: &str, again: Result<T, E>, first: &T) -> Result<(), String> {
    match again {
        Ok(again) if again == *first => Ok(()),
        Ok(again) => Err(format!("{what} comes back as {again:?}, not {first:?}")),
        Err(e) => Err(format!("{what} {first:?} is refused when it comes back: {e}")),
    }
}

/// A position of a random game.
fn position(rng: &mut Random) -> Backgammon {
    let mut game = Backgammon::start(Setup::ALL[below(rng, 3)]).with_stakes(stakes(rng));
    for _ in 0..below(rng, 160) {
        match game.turn() {
            Turn::Chance(dice) => game.resolve(dice.sample(rng)),
            Turn::Decide(_) => game.play(game.random_move(rng)),
            Turn::Over(_) => break,
        }
    }
    game
}

fn stakes(rng: &mut Random) -> Stakes {
    let length = 1 + below(rng, 9) as u16;
    let score = [0; 2].map(|_: u16| below(rng, length.into()) as u16);
    let stakes = match below(rng, 3) {
        0 => Some(Stakes::MONEY),
        1 => Stakes::MONEY.with_jacoby().ok(),
        _ => Stakes::match_of(length, score).and_then(|game| game.with_crawford().or(Ok(game))).ok(),
    };
    let stakes = stakes.unwrap_or(Stakes::MONEY);
    match below(rng, 3) {
        0 => stakes.with_cube(1 + below(rng, 12) as u8, Cube::Owned(Player::BOTH[below(rng, 2)])).unwrap_or(stakes),
        _ => stakes,
    }
}

/// Everything that can be written of a position, with the kind that reads it.
fn texts_of(game: &Backgammon, rng: &mut Random) -> Vec<(usize, String)> {
    let board = fibs::Board { game: *game, names: ["You".into(), "other".into()] };
    let mut texts = vec![(0, game.to_string()), (1, gnubg::text(game)), (1, gnubg::position_id(game))];
    texts.extend([(2, xgid::text(game)), (3, fibs::text(&board)), (6, Setup::ALL[below(rng, 3)].to_string())]);
    match game.turn() {
        Turn::Decide(_) => {
            for _ in 0..2 {
                let play = game.random_move(rng);
                texts.extend([(4, notation::text(game, play)), (4, game.move_text(play))]);
            }
        }
        Turn::Chance(dice) => texts.push((5, game.event_text(dice.sample(rng)))),
        Turn::Over(_) => {}
    }
    texts
}

/// A match of one or two games with few plays, or one of `files`.
fn record(sgf: bool, files: &[String], rng: &mut Random) -> String {
    if !files.is_empty() && below(rng, 8) == 0 {
        return files[below(rng, files.len())].clone();
    }
    let length = below(rng, 4) as u16;
    let setup = Setup::ALL[below(rng, 3)];
    let without_crawford = length > 0 && below(rng, 3) == 0;
    let jacoby = length == 0 && below(rng, 3) == 0;
    let mut whole = Match { setup, length, without_crawford, jacoby, names: ["Ann".into(), "Bob 2".into()], games: Vec::new() };
    for number in 0..1 + below(rng, 2) as u16 {
        let mut game = game::Game { score: [number.min(length.saturating_sub(1)), 0], ..game::Game::default() };
        let mut state = Backgammon::start(setup);
        // Neither in the Crawford game nor in a match to one point.
        let doubles = length != game.score[0] + 1;
        for _ in 0..below(rng, 16) {
            let mover = state.mover();
            match state.turn() {
                Turn::Chance(_) if doubles && !state.is_opening() && state.stakes().cube_allows(mover) && below(rng, 6) == 0 => {
                    game.actions.push((mover, Action::Double));
                    if below(rng, 3) == 0 {
                        game.actions.push((mover.other(), Action::Drop));
                        game.won = Some((mover, state.stakes().cube()));
                        break;
                    }
                    game.actions.push((mover.other(), Action::Take));
                    let log2 = state.stakes().cube_log2() + 1;
                    let turned = state.stakes().with_cube(log2, Cube::Owned(mover.other()));
                    state = state.with_stakes(turned.unwrap_or(state.stakes()));
                }
                Turn::Chance(dice) => state.resolve(dice.sample(rng)),
                Turn::Decide(_) => {
                    let play = state.random_move(rng);
                    game.actions.extend(state.dice().map(|roll| (mover, Action::Play(roll, play))));
                    state.play(play);
                }
                Turn::Over(_) => break,
            }
        }
        if let Some(outcome) = state.outcome() {
            game.won = outcome.winner().map(|seat| (seat, state.stakes().points(outcome).unsigned_abs()));
        }
        whole.games.push(game);
    }
    if sgf { sgf::text(&whole) } else { mat::text(&whole) }.unwrap_or_default()
}

/// `text` with some changes; sometimes something else altogether.
fn spoiled(text: &str, others: &[(usize, String)], rng: &mut Random) -> String {
    const PIECES: [&str; 43] = [
        "0",
        "1",
        "9",
        "25",
        "-1",
        "32767",
        "32768",
        "65536",
        "99999999999999999999",
        "bar",
        "off",
        "/",
        "*",
        "(4)",
        "(",
        ")",
        "[",
        "]",
        ";",
        ":",
        "\\",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\u{feff}",
        "\u{0}",
        "é",
        "\u{202e}",
        "𝟙",
        "Doubles => 4",
        "Takes",
        "Drops",
        "Wins 1 point",
        " Game 2\n",
        "; [Variation \"hypergammon\"]\n",
        "MI[length:3]",
        "RU[Nackgammon]",
        "RU[Crawford]",
        "; [Crawford \"Off\"]\n",
        "31: ",
        "XGID=",
        "pass",
    ];
    let mut chars: Vec<char> = match below(rng, 50) {
        0 => (0..below(rng, 80)).map(|_| any_char(rng)).collect(),
        1 => {
            let bytes: Vec<u8> = (0..below(rng, 80)).map(|_| rng.next_u64() as u8).collect();
            String::from_utf8_lossy(&bytes).chars().collect()
        }
        _ => text.chars().collect(),
    };
    for _ in 0..below(rng, 5) {
        let at = below(rng, chars.len() + 1);
        let long = below(rng, 4) == 0;
        let span = at..(at + below(rng, if long { 40 } else { 3 })).min(chars.len());
        let new: Vec<char> = match below(rng, 6) {
            0 => vec![any_char(rng)],
            1 => PIECES[below(rng, PIECES.len())].chars().collect(),
            2 => Vec::new(),
            3 => chars[span.clone()].repeat(1 + below(rng, 3)),
            4 => {
                let from = below(rng, chars.len() + 1);
                chars[from..(from + below(rng, 60)).min(chars.len())].to_vec()
            }
            _ => {
                let other: Vec<char> = others[below(rng, others.len())].1.chars().collect();
                let from = below(rng, other.len() + 1);
                other[from..(from + below(rng, 30)).min(other.len())].to_vec()
            }
        };
        chars.splice(span, new);
    }
    chars.into_iter().collect()
}

fn any_char(rng: &mut Random) -> char {
    let code = match below(rng, 4) {
        0 => below(rng, 0x11_0000),
        1 => below(rng, 0x300),
        _ => 0x20 + below(rng, 0x5f),
    };
    char::from_u32(code as u32).unwrap_or('\u{fffd}')
}
