//! What a game with text promises.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::rngs::Xoshiro256PlusPlus;

use super::{Spot, Trials, ensure, moves, some, walk};
use crate::random::{below, generator};
use crate::{Chance, Draw, Game, Record, Step, Text, TextError, Turn};

/// Moves of one state that are written and read.
const MOVES_TRIED: usize = 40;

/// What programs are sent by mistake or in anger.
const NASTY: [&str; 18] = [
    "",
    " ",
    "\t\n",
    "\0",
    "-",
    "--",
    "+",
    "/",
    "0",
    "-1",
    "99999999999999999999999999",
    "1e400",
    "NaN",
    "a1-",
    "\u{feff}",
    "\u{1b}[2J",
    "é",
    "\u{1f3b2}\u{1f3b2}",
];

/// Plays random games and checks every promise of [`Text`].
///
/// Positions, moves and events read back as they were written, moves and events as single words. Whatever is read from
/// spoiled and senseless text is legal, nothing panics, and messages are printable. Records of the games read back with
/// their values.
///
/// # Panics
/// At the first broken promise, naming the state and the text.
pub fn text_round_trip<G: Text>(starts: &[G], trials: Trials) {
    let name = G::NAME;
    assert!(
        !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_uppercase()),
        "text: the name {name:?} is not one lower-case word"
    );
    let (mut move_words, mut event_words) = (Vec::new(), Vec::new());
    walk("text", starts, trials, false, |spot, rng| {
        position(spot, rng);
        let g = spot.state;
        match g.turn() {
            Turn::Over(_) => {}
            Turn::Chance(chance) => {
                for &(event, _) in chance.events() {
                    let text = g.event_text(event);
                    word(spot, "event", &text);
                    let read = caught(spot, "parse_event", &text, || g.parse_event(&text));
                    ensure!(spot, read == Ok(event), "event {event:?} is written {text:?} and read as {read:?}");
                    keep(&mut event_words, text);
                }
            }
            Turn::Decide(_) => {
                for m in some(&moves(g), MOVES_TRIED, rng) {
                    let text = g.move_text(m);
                    word(spot, "move", &text);
                    let read = caught(spot, "parse_move", &text, || g.parse_move(&text));
                    ensure!(spot, read == Ok(m), "move {m:?} is written {text:?} and read as {read:?}");
                    keep(&mut move_words, text);
                }
            }
        }
        for text in spoiled(&move_words, spot.step, rng) {
            try_move(spot, &text);
        }
        for text in spoiled(&event_words, spot.step, rng) {
            try_event(spot, &text);
        }
    });
    records(starts, trials);
}

/// Plays random games and draws every state, with its last step and without: pictures are not empty, their lines are printable and at most 60 characters
/// long.
///
/// # Panics
/// At the first picture that is not so, naming the state.
pub fn picture<G: Draw>(starts: &[G], trials: Trials) {
    walk("picture", starts, trials, false, |spot, _| {
        let (state, last) = (spot.state, spot.last);
        for picture in [state.picture(None), state.picture(last), state.picture_after(last.as_slice()), state.picture_after(&[])]
        {
            let text = picture.to_string();
            ensure!(spot, !text.trim().is_empty(), "the picture is empty");
            for line in &picture.lines {
                let line: String = line.iter().map(|span| span.text.as_str()).collect();
                ensure!(spot, !line.contains(char::is_control), "a line is not printable: {line:?}");
                let n = line.chars().count();
                ensure!(spot, n <= 60, "a line of {n} characters: {line:?}");
            }
        }
    });
}

fn position<G: Text>(spot: &Spot<'_, G>, rng: &mut Xoshiro256PlusPlus) {
    let g = spot.state;
    let text = g.position_text();
    let line = !text.is_empty() && text.trim() == text && !text.contains(char::is_control);
    ensure!(spot, line, "a position's text is one trimmed line, not {text:?}");
    let read = caught(spot, "parse_position", &text, || G::parse_position(&text));
    ensure!(spot, read.as_ref() == Ok(g), "the position is written {text:?} and read as {read:?}");
    for text in spoiled(&[text], spot.step, rng) {
        match caught(spot, "parse_position", &text, || G::parse_position(&text)) {
            Err(error) => printable(spot, &error),
            Ok(read) => {
                let again = read.position_text();
                let twice = caught(spot, "parse_position", &again, || G::parse_position(&again));
                ensure!(spot, twice.as_ref() == Ok(&read), "{text:?} is read as {read:?}, written {again:?}, read as {twice:?}");
                // A position that the rules exclude would be found out here at the latest.
                caught(spot, "the position read", &text, || match read.turn() {
                    Turn::Over(_) => {}
                    Turn::Chance(chance) => drop(read.resolved(chance.sample(rng))),
                    Turn::Decide(_) => drop(read.after(read.random_move(rng))),
                });
            }
        }
    }
}

fn try_move<G: Text>(spot: &Spot<'_, G>, text: &str) {
    let g = spot.state;
    match (caught(spot, "parse_move", text, || g.parse_move(text)), g.turn()) {
        (Ok(m), Turn::Decide(_)) => ensure!(spot, moves(g).contains(&m), "{text:?} is read as {m:?}, which is not legal"),
        (Ok(m), _) => spot.fail(format_args!("{text:?} is read as {m:?} though nobody is to move")),
        (Err(error), _) => printable(spot, &error),
    }
}

fn try_event<G: Text>(spot: &Spot<'_, G>, text: &str) {
    let g = spot.state;
    match (caught(spot, "parse_event", text, || g.parse_event(text)), g.turn()) {
        (Ok(event), Turn::Chance(chance)) => {
            let listed = chance.events().iter().any(|e| e.0 == event);
            ensure!(spot, listed, "{text:?} is read as {event:?}, which cannot happen");
        }
        (Ok(event), _) => spot.fail(format_args!("{text:?} is read as {event:?} though nothing is to be rolled")),
        (Err(error), _) => printable(spot, &error),
    }
}

/// Games with some values noted, written and read back, cut short at any step.
fn records<G: Text>(starts: &[G], trials: Trials) {
    let mut rng = generator(trials.seed ^ 1);
    for (start, first) in starts.iter().enumerate() {
        for game in 0..trials.games {
            let mut record = Record::from(first.clone());
            record.set_tag("seed", &trials.seed.to_string());
            record.set_tag("comment", "a: b # c");
            let cut = if game % 2 == 0 { trials.steps } else { below(&mut rng, 30) as u32 };
            for _ in 0..cut {
                let state = record.history().state();
                match state.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance(chance) => {
                        let event = chance.sample(&mut rng);
                        record.push(Step::Chance(event), None);
                    }
                    Turn::Decide(_) => {
                        let list = moves(state);
                        let m = list[below(&mut rng, list.len())];
                        // Sixteenths have four decimals, as values in records do.
                        let value = (below(&mut rng, 2) == 0).then(|| below(&mut rng, 321) as f64 / 16.0 - 10.0);
                        record.push(Step::Move(m), value);
                    }
                }
            }
            let steps = record.history().steps();
            let state = record.history().state();
            let spot =
                Spot { check: "record", trials, start, game, step: steps.len() as u32, last: steps.last().copied(), state };
            let text = record.to_text();
            match Record::<G>::parse(&text) {
                Err(error) => spot.fail(format_args!("it is not read back: {error}\n{text}")),
                Ok(read) => {
                    ensure!(spot, read.history().states() == record.history().states(), "other states are read back:\n{text}");
                    ensure!(spot, read.history().steps() == steps, "other steps are read back:\n{text}");
                    ensure!(spot, read.values() == record.values(), "other values are read back:\n{text}");
                    ensure!(spot, read.tags() == record.tags(), "other tags are read back:\n{text}");
                }
            }
        }
    }
}

/// Fails unless a record's line can hold `text` among others.
fn word<G: Game>(spot: &Spot<'_, G>, what: &str, text: &str) {
    let one = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    ensure!(spot, one, "the {what} {text:?} is not one word");
    ensure!(spot, !text.starts_with('#'), "the {what} {text:?} would make its line a comment");
}

fn printable<G: Game>(spot: &Spot<'_, G>, error: &TextError) {
    let message = error.to_string();
    ensure!(spot, !message.contains(char::is_control), "a message with control characters: {message:?}");
}

/// What `parse` returns; its panic is a failure of its own.
fn caught<G: Game, T>(spot: &Spot<'_, G>, what: &str, text: &str, parse: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(parse)).unwrap_or_else(|_| spot.fail(format_args!("{what} panics: {text:?}")))
}

fn keep(words: &mut Vec<String>, text: String) {
    if words.len() < 200 && !words.contains(&text) {
        words.push(text);
    }
}

/// Texts to be refused: good ones as they are (they may come from elsewhere) and spoiled, and senseless ones.
fn spoiled(good: &[String], step: u32, rng: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let mut texts = Vec::new();
    if step == 0 {
        texts.extend(NASTY.iter().map(ToString::to_string));
        texts.push("9".repeat(5000));
    }
    let bytes: Vec<u8> = (0..below(rng, 24)).map(|_| below(rng, 256) as u8).collect();
    texts.push(String::from_utf8_lossy(&bytes).into_owned());
    for _ in 0..3 {
        if let Some(text) = good.get(below(rng, good.len())) {
            texts.push(text.clone());
            texts.push(spoil(text, rng));
        }
    }
    texts
}

/// `text` with one to three typing errors.
fn spoil(text: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    const LETTERS: &str = "0123456789abcdefghxyzABCXYZ .,-+*/:()# \t\0é\u{1f3b2}\u{2212}\u{660}";
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=below(rng, 3) {
        let (at, letter) = (below(rng, chars.len()), letters[below(rng, letters.len())]);
        match below(rng, 6) {
            0 => chars.insert(at, letter),
            1 => chars.push(letter),
            _ if chars.is_empty() => {}
            2 => drop(chars.remove(at)),
            3 => chars.truncate(at),
            4 => chars[at] = letter,
            _ => {
                let other = below(rng, chars.len());
                chars.swap(at, other);
            }
        }
    }
    chars.into_iter().collect()
}
